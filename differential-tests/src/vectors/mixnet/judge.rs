//! How the implementation judges a case.

use aardvark_algebra::G1Affine;
use aardvark_mixnet::body::{Part, read};
use aardvark_mixnet::fault::{Fault, FaultKind};
use aardvark_mixnet::input::{InputBytes, Sender, check_inputs};
use aardvark_mixnet::post::PostValue;
use aardvark_mixnet::{KeyRow, PostKey, Query, decryption, zero_test};
use aardvark_sigma::claim::{Claim, claims_hold};
use aardvark_sigma::column::{ColumnClaim, ColumnProof, Direction, Shuffle};
use aardvark_sigma::naive::{self, Relation};
use aardvark_sigma::permutation::{PermutationClaim, PermutationProof};
use aardvark_sigma::threshold::{DecryptionClaim, Statement};
use aardvark_sigma::zero_test::ZeroTestClaim;
use aardvark_sigma::{Context, Generators, List};

use crate::vectors::file::Outcome;
use crate::vectors::hex_text::Hex;
use crate::vectors::mixnet_case::{MixnetCase, MixnetExpected, MixnetPart};

/// Bytes of a point in lists.
const POINT_BYTES: usize = 96;

/// What the implementation says.
pub fn by_implementation(case: &MixnetCase) -> MixnetExpected {
    use FaultKind::{IdentityComponent, Malformed, NotInSubgroup, QueryOutOfRange, WrongLength};
    match judged(case) {
        Ok(()) => MixnetExpected { outcome: Outcome::Valid, fault: None },
        Err(fault) => {
            let says_nothing = [IdentityComponent, Malformed, NotInSubgroup, QueryOutOfRange, WrongLength];
            let outcome = if says_nothing.contains(&fault.kind) { Outcome::Malformed } else { Outcome::False };
            MixnetExpected { outcome, fault: Some(fault.kind.to_string()) }
        }
    }
}

/// A list of a case's statement.
fn list(case: &MixnetCase, name: &str, width: usize) -> List {
    let bytes = case.statement.get(name).cloned().unwrap_or_default();
    List::decode(&bytes.0, bytes.0.len() / POINT_BYTES / width, width).expect("points of G1")
}

fn exactly<T, const COUNT: usize>(parts: Vec<T>) -> [T; COUNT] {
    parts.try_into().ok().expect("so many parts were asked for")
}

/// Whether a claim holds; both the sum and its slow twin must say so.
fn holds(claim: &dyn Claim, slow: &Relation, fault: FaultKind) -> Result<(), Fault> {
    let holds = claims_hold(&[claim]);
    assert_eq!(holds, slow.holds(), "the implementation and its slow twin differ");
    if holds { Ok(()) } else { Err(Fault::new(fault)) }
}

fn judged(case: &MixnetCase) -> Result<(), Fault> {
    let context = Context { keys: case.keys.array().expect("32 bytes"), server: case.server };
    let purpose = case.purpose.array().expect("32 bytes");
    let (n, body) = (case.rows, case.body.0.as_slice());
    match case.part {
        MixnetPart::Permutation => {
            let parts = [Part::List(n, 1), Part::List(n, 1), Part::List(n + 2, 1), Part::Scalars(2 * n + 2)];
            let (lists, scalars) = read(body, &parts, case.server)?;
            let ([commitment, chain, first], [responses]) = (exactly(lists), exactly(scalars));
            let (generators, proof) = (Generators::new(n), PermutationProof { chain, first, responses });
            let claim = PermutationClaim::new(&generators, &context, &commitment, &proof)?;
            holds(&claim, &naive::permutation(&claim), FaultKind::PermutationProofFalse)
        }
        MixnetPart::Forward | MixnetPart::Backward => {
            let direction = if case.part == MixnetPart::Forward { Direction::Forward } else { Direction::Backward };
            let keys: Vec<G1Affine> = list(case, "keys", 1).points().to_vec();
            let width = keys.len() + 1;
            let parts = [Part::List(n, width), Part::List(width + 1, 1), Part::Scalars(n + 2)];
            let (lists, scalars) = read(body, &parts, case.server)?;
            let ([after, first], [responses]) = (exactly(lists), exactly(scalars));
            let (generators, keys, proof) =
                (Generators::new(n), KeyRow::new(&keys, n), ColumnProof { first, responses });
            let (commitment, before) = (list(case, "commitment", 1), list(case, "before", width));
            let shuffle =
                Shuffle { generators: &generators, context, purpose, commitment: &commitment, keys: &keys, direction };
            let claim = ColumnClaim::new(shuffle, &before, &after, &proof)?;
            holds(&claim, &naive::column(&claim), FaultKind::ColumnProofFalse)
        }
        MixnetPart::Decryption => {
            let (first, shares) = (list(case, "first", 1), list(case, "key_shares", 1));
            let key_shares = List::computed(shares.points().to_vec(), shares.rows());
            let decryption = decryption::decode(body, n, key_shares.width(), case.server)?;
            let statement = Statement { context, purpose, key_shares: &key_shares, first: &first };
            let claim = DecryptionClaim::new(statement, &decryption)?;
            holds(&claim, &naive::decryption(&claim), FaultKind::DecryptionProofFalse)
        }
        MixnetPart::ZeroTest => {
            let before = list(case, "before", 2);
            let test = zero_test::decode(body, n, case.server)?;
            let claim = ZeroTestClaim::new(&context, &purpose, &before, &test)?;
            holds(&claim, &naive::zero_test(&claim), FaultKind::ZeroTestFalse)
        }
        MixnetPart::Input => {
            let text = |name: &str| case.statement.get(name).cloned().unwrap_or_default();
            let label = String::from_utf8(text("label").0).expect("a label is text");
            let sender = Sender { key: text("sender").array().expect("32 bytes"), label };
            let numbers = list(case, "keys", 1).rows();
            let found = check_inputs(&context.keys, numbers, &[(&sender, &InputBytes(body.to_vec()))]);
            found.faults.first().map_or(Ok(()), |fault| Err(*fault))
        }
        MixnetPart::PostKey => PostKey::from_bytes(body).map(drop),
        MixnetPart::PostValue => PostValue::from_bytes(body).map(drop),
        MixnetPart::Query => Query::decode(body, &context.keys, n).map(drop),
    }
}

/// A list's bytes.
pub(super) fn list_hex(list: &List) -> Hex {
    Hex(list.encode())
}

//! Replays the file of proofs: text and bytes through the implementation, and single openings for
//! other judges.

use aardvark_algebra::Domain;
use aardvark_commitment::Scheme;
use aardvark_dictionary::DictionaryId;
use aardvark_proof::{
    AnswerProof, Class, KnownRoot, Refusal, Strictness, answer_bytes, answer_json, commitments_json, verifier,
    verify_with,
};

use super::{AnswerJson, ClassJson, Expected, ProofCase, RefusedJson, RootJson, Trusted, TrustedByName};
use crate::points::PointBytes;
use crate::vectors::file::Hex;

/// What the implementation says of a case, read from its text or, where there is none, its bytes.
pub fn by_implementation(trusted: &TrustedByName, case: &ProofCase, strictness: Strictness) -> Expected {
    match read(case) {
        Some(proof) => verdict(&trusted[&case.trusted], case, &proof, strictness),
        None => {
            Expected::Refused(RefusedJson { reason: "Unreadable".to_owned(), class: ClassJson::Malformed, item: None })
        }
    }
}

/// The proof of a case, where it has one.
pub fn read(case: &ProofCase) -> Option<AnswerProof> {
    match (&case.proof, &case.bytes) {
        (Some(text), _) => answer_json::read(text.as_bytes()).ok(),
        (None, Some(bytes)) => answer_bytes::decode(&bytes.0).ok(),
        (None, None) => None,
    }
}

fn verdict(trusted: &Trusted, case: &ProofCase, proof: &AnswerProof, strictness: Strictness) -> Expected {
    let question = case.question.question();
    let judged = match trusted {
        Trusted::Commitments(known) => {
            let text = serde_json::to_vec(known).expect("strings and numbers");
            let known = commitments_json::read(&text).expect("commitments as the command writes them");
            let scheme = known.verifier().expect("a legal size");
            verify_with(&known.trusted(&scheme).expect("its own scheme"), &question, proof, strictness)
        }
        Trusted::Root(known) => {
            let scheme = scheme_of(known);
            let trusted = aardvark_proof::Trusted::Root(KnownRoot {
                dictionary: DictionaryId(known.dictionary.array().expect("32 bytes")),
                scheme: &scheme,
                digest: known.root.array().expect("32 bytes"),
            });
            verify_with(&trusted, &question, proof, strictness)
        }
        // The setup is the one that the proof's identity names, if it is a published one.
        Trusted::RootAlone(root) => proof.verifier().and_then(|scheme| {
            let trusted = aardvark_proof::Trusted::root_alone(root.array().expect("32 bytes"), &scheme);
            verify_with(&trusted, &question, proof, strictness)
        }),
    };
    match judged {
        Ok(answer) => Expected::Answer(AnswerJson::from(&answer)),
        Err(refusal) => Expected::Refused(RefusedJson::from(&refusal)),
    }
}

fn scheme_of(known: &RootJson) -> Scheme {
    verifier(known.scheme.parse().expect("a scheme's name"), known.vector_size).expect("a legal size")
}

impl From<&Refusal> for RefusedJson {
    fn from(refusal: &Refusal) -> Self {
        Self { reason: refusal.reason.name().to_owned(), class: refusal.class().into(), item: refusal.item }
    }
}

impl From<Class> for ClassJson {
    fn from(class: Class) -> Self {
        match class {
            Class::Malformed => Self::Malformed,
            Class::Other => Self::Other,
            Class::False => Self::False,
        }
    }
}

/// A claim as a KZG library sees it: commitment, point, value, opening.
#[derive(Clone, Copy, Debug)]
pub struct PointClaim {
    /// The commitment of the claim's vector.
    pub commitment: PointBytes,
    /// ω^index.
    pub point: [u8; 32],
    /// The slot's scalar.
    pub value: [u8; 32],
    /// The opening.
    pub opening: PointBytes,
}

/// The claims of a proof for a KZG library, each `None` where no commitment for it is known; none
/// where the claims have no openings of their own.
pub fn point_claims(trusted: &Trusted, proof: &AnswerProof) -> Vec<Option<PointClaim>> {
    if proof.folded_opening.is_some() {
        return Vec::new();
    }
    let (n, listed): (u32, &[Hex]) = match trusted {
        Trusted::Commitments(known) => (known.vector_size, &known.commitments),
        Trusted::Root(known) => (known.vector_size, &[]),
        Trusted::RootAlone(_) => (proof.vector_size, &[]),
    };
    let domain = Domain::new(n as usize).expect("a legal size");
    let tied = |number: u64| {
        let vectors = proof.tie.iter().flat_map(|tie| &tie.vectors);
        vectors.into_iter().find(|vector| vector.number == number).map(|vector| vector.commitment)
    };
    let claims = proof.claims.iter().map(|claim| {
        let (number, index) = (claim.position / u64::from(n), claim.position % u64::from(n));
        let listed = usize::try_from(number).ok().and_then(|number| listed.get(number));
        Some(PointClaim {
            commitment: listed.and_then(Hex::array).or_else(|| tied(number))?,
            point: domain.powers()[index as usize].to_bytes_be(),
            value: claim.slot.scalar().to_bytes_be(),
            opening: claim.opening,
        })
    });
    claims.collect()
}

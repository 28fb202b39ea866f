//! The openings of an answer's claims: each by itself (`aardvark_spec::answer::verify`), or one for
//! all (`aardvark_spec::answer::folded_answer`).
//!
//! Plain openings are checked in one batch, whose coefficients hash all claims; only where it fails
//! is the lowest false claim searched for. A folded opening is checked by one multi-scalar
//! multiplication, and says of no claim that it is the false one.

use aardvark_algebra::TaggedHash;
use aardvark_commitment::{BatchClaim, Commitment, FoldedClaim, FoldedOpening, Opening, Scheme, VectorCommitment};
use aardvark_dictionary::{Claim, DictionaryId};

use crate::answer_basis::Known;
use crate::answer_proof::AnswerProof;
use crate::answer_reason::{Reason, Refusal};

/// Which encodings of openings are accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Strictness {
    /// The format's rule, on which validators agree: the subgroup is not required.
    #[default]
    Format,
    /// The rule of other KZG verifiers: in the subgroup.
    Subgroup,
}

/// The context of an answer's fold: dictionary, version, vector size.
pub fn fold_context(dictionary: &DictionaryId, version: u64, vector_size: u32) -> [u8; 32] {
    TaggedHash::new("AARDVARK-V1-FOLD-ANSWER")
        .chain(dictionary.0)
        .chain(version.to_be_bytes())
        .chain(vector_size.to_be_bytes())
        .finalize()
}

/// A claim as one of a fold.
pub fn folded_claim(scheme: &Scheme, commitment: Commitment, claim: &Claim) -> FoldedClaim {
    FoldedClaim { commitment, index: index_of(scheme, claim), scalar: claim.slot.scalar() }
}

/// The index in its vector of a claim's position. Below N, so it fits.
fn index_of(scheme: &Scheme, claim: &Claim) -> usize {
    usize::try_from(claim.position % scheme.vector_size() as u64).unwrap_or(usize::MAX)
}

/// Whether the openings of a proof, plain or folded, are points and prove its claims.
pub(crate) fn check_openings(
    known: &Known<'_>,
    proof: &AnswerProof,
    commitments: &[Commitment],
    strictness: Strictness,
) -> Result<(), Refusal> {
    match &proof.folded_opening {
        None => check_plain(known, proof, commitments, strictness),
        Some(bytes) => {
            let decode = match strictness {
                Strictness::Format => FoldedOpening::from_bytes,
                Strictness::Subgroup => FoldedOpening::from_bytes_strict,
            };
            let opening = decode(bytes).map_err(|_| Refusal::whole(Reason::AnswerOpeningMalformed))?;
            check_folded(known, proof, commitments, &opening)
        }
    }
}

fn check_folded(
    known: &Known<'_>,
    proof: &AnswerProof,
    commitments: &[Commitment],
    opening: &FoldedOpening,
) -> Result<(), Refusal> {
    let scheme = known.scheme();
    let context = fold_context(known.dictionary(), proof.version, proof.vector_size);
    let claims = proof.claims.iter().zip(commitments).map(|(claim, of)| folded_claim(scheme, *of, claim));
    if scheme.verify_folded(&context, &claims.collect::<Vec<_>>(), opening) {
        Ok(())
    } else {
        Err(Refusal::whole(Reason::AnswerOpeningFalse))
    }
}

fn check_plain(
    known: &Known<'_>,
    proof: &AnswerProof,
    commitments: &[Commitment],
    strictness: Strictness,
) -> Result<(), Refusal> {
    let decode = match strictness {
        Strictness::Format => Opening::from_bytes,
        Strictness::Subgroup => Opening::from_bytes_strict,
    };
    let decode = |(c, claim): (usize, &Claim)| {
        decode(&claim.opening).map_err(|_| Refusal::item(Reason::AnswerOpeningMalformed, c))
    };
    let openings: Vec<Opening> = proof.claims.iter().enumerate().map(decode).collect::<Result<_, _>>()?;
    let (scheme, dictionary) = (known.scheme(), &known.dictionary().0);
    let claims = proof.claims.iter().zip(commitments).zip(openings).map(|((claim, commitment), opening)| BatchClaim {
        label: proof.version,
        commitment: *commitment,
        index: index_of(scheme, claim),
        scalar: claim.slot.scalar(),
        opening,
    });
    let claims: Vec<BatchClaim> = claims.collect();
    if scheme.verify_batch(dictionary, &claims) {
        return Ok(());
    }
    // Where the search would find none, which cannot be, the proof is refused all the same.
    let first = scheme.first_false(dictionary, &claims).unwrap_or_default();
    Err(Refusal::item(Reason::AnswerOpeningFalse, first))
}

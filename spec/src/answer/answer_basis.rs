//! What is known of a version before any opening is looked at: its size, and the commitments of the
//! claims' vectors.
//!
//! Trusted commitments are known as they are. Under a root the parts must hash to it, and each
//! vector's path must lead from its commitment to the root over the commitments; the number of
//! leaves follows from the size in the parts. Source: docs/answers.md; docs/format.md, "The state
//! root".

use crate::answer::answer_proof::*;
use crate::answer::answer_reason::*;
use crate::base::bytes::*;
use crate::base::group::*;
use crate::block::root::*;
use crate::block::transaction::*;
use crate::commitment::commitment_tree::*;
use crate::commitment::opening::*;
use crate::dictionary::vectors::*;
use hacspec_lib::*;

/// One step of [`known_vectors`].
pub fn known_vectors_step(vectors: Seq<TiedVector>, commitment: G1, number: usize) -> Seq<TiedVector> {
    vectors.push_owned(TiedVector {
        tied_number: number,
        tied_bytes: ByteString::new(0),
        tied_commitment: Opening::Point(commitment),
        tied_path: Seq::<ByteString>::new(0),
    })
}

/// All vectors, with commitments that are trusted and so need no bytes and no paths.
pub fn known_vectors(committed: &Seq<G1>) -> Seq<TiedVector> {
    let mut vectors = Seq::<TiedVector>::new(0);
    for number in 0..committed.len() {
        vectors = known_vectors_step(vectors, g1_at(committed, number), number);
    }
    vectors
}

/// One step of [`is_claimed_vector`].
pub fn is_claimed_vector_step(found: bool, claim: &Claim, n: usize, number: usize) -> bool {
    found || vector_of(claim.claim_position, n) == number
}

/// Whether a claim is about the vector.
pub fn is_claimed_vector(items: &Seq<Claim>, n: usize, number: usize) -> bool {
    let mut found = false;
    for c in 0..items.len() {
        found = is_claimed_vector_step(found, &items[c], n, number);
    }
    found
}

/// One step of [`check_tied_vectors`]: vector `i` comes after the one before it, and some claim is
/// about it.
pub fn check_tied_vectors_step(
    checked: Result<(), AnswerRefusal>,
    vectors: &Seq<TiedVector>,
    items: &Seq<Claim>,
    n: usize,
    i: usize,
) -> Result<(), AnswerRefusal> {
    match checked {
        Err(refusal) => Err(refusal),
        Ok(_) => {
            if (i > 0 && vectors[i - 1].tied_number >= vectors[i].tied_number)
                || !is_claimed_vector(items, n, vectors[i].tied_number)
            {
                Err(refuse_answer_item(AnswerReason::TiedVectorsMismatched, i))
            } else if is_malformed(&vectors[i].tied_commitment) {
                Err(refuse_answer_item(AnswerReason::CommitmentMalformed, i))
            } else {
                Ok(())
            }
        }
    }
}

/// Whether the tied vectors are some of those that the claims are about, ascending, with
/// well-formed commitments.
pub fn check_tied_vectors(vectors: &Seq<TiedVector>, items: &Seq<Claim>, n: usize) -> Result<(), AnswerRefusal> {
    let mut checked = Ok(());
    for i in 0..vectors.len() {
        checked = check_tied_vectors_step(checked, vectors, items, n, i);
    }
    checked
}

/// Whether a path ties its commitment to the root over the commitments of so many vectors.
pub fn path_holds(vector: &TiedVector, count: usize, commitments_root: &ByteString) -> bool {
    match root_of_path(count, vector.tied_number, &vector.tied_bytes, &vector.tied_path) {
        None => false,
        Some(found_root) => bytes_equal(&found_root, commitments_root),
    }
}

/// One step of [`check_paths`].
pub fn check_paths_step(
    checked: Result<(), AnswerRefusal>,
    vector: &TiedVector,
    count: usize,
    commitments_root: &ByteString,
    i: usize,
) -> Result<(), AnswerRefusal> {
    match checked {
        Err(refusal) => Err(refusal),
        Ok(_) => {
            if path_holds(vector, count, commitments_root) {
                Ok(())
            } else {
                Err(refuse_answer_item(AnswerReason::PathFalse, i))
            }
        }
    }
}

/// Whether all paths lead to the root over the commitments.
pub fn check_paths(
    vectors: &Seq<TiedVector>,
    count: usize,
    commitments_root: &ByteString,
) -> Result<(), AnswerRefusal> {
    let mut checked = Ok(());
    for i in 0..vectors.len() {
        checked = check_paths_step(checked, &vectors[i], count, commitments_root, i);
    }
    checked
}

/// Whether the parts are those of the root, of this dictionary and version.
pub fn parts_hold(known: &KnownRoot, version_of_proof: usize, parts: &RootParts) -> bool {
    bytes_equal(&parts.parts_dictionary, &known.root_dictionary)
        && parts.parts_version == version_of_proof
        && bytes_equal(&root_of_parts(parts), &known.root_digest)
}

/// Whether the digests among the parts have 32 bytes each.
pub fn parts_well_formed(parts: &RootParts) -> bool {
    parts.parts_dictionary.len() == 32
        && parts.parts_commitment_root.len() == 32
        && parts.parts_tail_digest.len() == 32
        && parts.parts_replay_digest.len() == 32
        && parts.parts_window_digest.len() == 32
}

/// The parts of a root, by themselves.
pub fn check_parts(known: &KnownRoot, version_of_proof: usize, parts: &RootParts) -> Result<(), AnswerRefusal> {
    if !parts_well_formed(parts) {
        Err(refuse_answer(AnswerReason::PartsMalformed))
    } else if !parts_hold(known, version_of_proof, parts) {
        Err(refuse_answer(AnswerReason::RootFalse))
    } else {
        Ok(())
    }
}

/// The number of vectors that hold `s` slots, as [`vector_count`] has it, whatever number a proof
/// states.
pub fn stated_vector_count(s: usize, n: usize) -> usize {
    if s % n == 0 { s / n } else { s / n + 1 }
}

/// What a root makes known, through what ties the claims' vectors to it.
pub fn basis_of_tie(known: &KnownRoot, proof: &AnswerProof, tie: &RootTie) -> Result<AnswerBasis, AnswerRefusal> {
    let n = known.root_vector_size;
    let _ = check_tied_vectors(&tie.tie_vectors, &proof.proof_claims, n)?;
    let _ = check_parts(known, proof.proof_version, &tie.tie_parts)?;
    let count = stated_vector_count(tie.tie_parts.parts_size, n);
    let _ = check_paths(&tie.tie_vectors, count, &tie.tie_parts.parts_commitment_root)?;
    Ok(AnswerBasis {
        basis_vector_size: n,
        basis_size: tie.tie_parts.parts_size,
        basis_vectors: tie.tie_vectors.clone(),
    })
}

/// What is known of the version before any opening is looked at.
pub fn answer_basis(trusted: &Trusted, proof: &AnswerProof) -> Result<AnswerBasis, AnswerRefusal> {
    match trusted {
        Trusted::TrustedCommitments(known) => match &proof.proof_tie {
            Some(_) => Err(refuse_answer(AnswerReason::TieMismatched)),
            None => Ok(AnswerBasis {
                basis_vector_size: known.known_vector_size,
                basis_size: known.known_size,
                basis_vectors: known_vectors(&known.known_commitments),
            }),
        },
        Trusted::TrustedRoot(known) => match &proof.proof_tie {
            None => Err(refuse_answer(AnswerReason::TieMismatched)),
            Some(tie) => basis_of_tie(known, proof, tie),
        },
    }
}

/// One step of [`basis_commitment`].
pub fn basis_commitment_step(found: Option<G1>, vector: &TiedVector, number: usize) -> Option<G1> {
    if vector.tied_number == number {
        match &vector.tied_commitment {
            Opening::Malformed => None,
            Opening::Point(point) => Some(*point),
        }
    } else {
        found
    }
}

/// The commitment of a vector, if it is known.
pub fn basis_commitment(basis: &AnswerBasis, number: usize) -> Option<G1> {
    let mut found = None;
    for i in 0..basis.basis_vectors.len() {
        found = basis_commitment_step(found, &basis.basis_vectors[i], number);
    }
    found
}

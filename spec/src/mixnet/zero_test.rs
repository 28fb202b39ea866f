//! Whether sums are 0, and nothing else about them: each server multiplies each target (C_0, C_1)
//! by a secret ζ of its own, and proves that it did.
//!
//! ```text
//! C'_0 = ζ C_0        C'_1 = ζ C_1
//! ```
//!
//! C_0 and C'_0 are not 0, so ζ is not. Source: docs/mixnet.md, "Queries".

use crate::base::bytes::*;
use crate::base::group::*;
use crate::base::scalar::*;
use crate::mixnet::linear_relation::*;
use crate::mixnet::mixnet_transcript::*;
use hacspec_lib::*;

/// A row that has an element of a target in the target's column.
pub fn zero_test_row(targets: &Seq<Seq<G1>>, j: usize, l: usize) -> Seq<G1> {
    g1_updated(&linear_empty_row(targets.len()), j, g1_at(&targets[j], l))
}

/// One step of [`zero_test_matrix`].
pub fn zero_test_matrix_step(matrix: Seq<Seq<G1>>, targets: &Seq<Seq<G1>>, j: usize) -> Seq<Seq<G1>> {
    matrix.push_owned(zero_test_row(targets, j, 0)).push_owned(zero_test_row(targets, j, 1))
}

/// M: a column a target, two rows each.
pub fn zero_test_matrix(targets: &Seq<Seq<G1>>) -> Seq<Seq<G1>> {
    let mut matrix = Seq::<Seq<G1>>::new(0);
    for j in 0..targets.len() {
        matrix = zero_test_matrix_step(matrix, targets, j);
    }
    matrix
}

/// One step of [`zero_test_image`].
pub fn zero_test_image_step(image: Seq<G1>, blinded: &Seq<Seq<G1>>, j: usize) -> Seq<G1> {
    image.push_owned(g1_at(&blinded[j], 0)).push_owned(g1_at(&blinded[j], 1))
}

/// X: the components of the multiplied targets.
pub fn zero_test_image(blinded: &Seq<Seq<G1>>) -> Seq<G1> {
    let mut image = Seq::<G1>::new(0);
    for j in 0..blinded.len() {
        image = zero_test_image_step(image, blinded, j);
    }
    image
}

/// One step of [`zero_test_blind`].
pub fn zero_test_blind_step(
    blinded: Seq<Seq<G1>>,
    targets: &Seq<Seq<G1>>,
    factors: &Seq<Scalar>,
    j: usize,
) -> Seq<Seq<G1>> {
    let zeta = scalar_at(factors, j);
    let first = g1_scale(zeta, g1_at(&targets[j], 0));
    let second = g1_scale(zeta, g1_at(&targets[j], 1));
    blinded.push_owned(Seq::<G1>::new(0).push_owned(first).push_owned(second))
}

/// The targets, each multiplied by its factor.
pub fn zero_test_blind(targets: &Seq<Seq<G1>>, factors: &Seq<Scalar>) -> Seq<Seq<G1>> {
    let mut blinded = Seq::<Seq<G1>>::new(0);
    for j in 0..targets.len() {
        blinded = zero_test_blind_step(blinded, targets, factors, j);
    }
    blinded
}

/// One step of [`zero_test_legal`].
pub fn zero_test_legal_step(legal: bool, targets: &Seq<Seq<G1>>, j: usize) -> bool {
    legal && targets[j].len() == 2 && !g1_equal(g1_at(&targets[j], 0), g1_identity())
}

/// Whether all targets have two components, the first of which is not 0.
pub fn zero_test_legal(targets: &Seq<Seq<G1>>) -> bool {
    let mut legal = true;
    for j in 0..targets.len() {
        legal = zero_test_legal_step(legal, targets, j);
    }
    legal
}

/// Whether targets are shown to be multiplied by factors other than 0, under a challenge.
pub fn verify_zero_test(targets: &Seq<Seq<G1>>, blinded: &Seq<Seq<G1>>, proof: &LinearProof, c: Scalar) -> bool {
    let fits = targets.len() == blinded.len() && zero_test_legal(targets) && zero_test_legal(blinded);
    let matrix = zero_test_matrix(targets);
    fits && linear_verify(&matrix, targets.len(), &zero_test_image(blinded), proof, c)
}

/// Whether targets are shown to be multiplied by factors other than 0, under the challenge that is
/// drawn from the seed Z0 and the digest of T.
pub fn verify_zero_test_drawn(
    seed: &ByteString,
    targets: &Seq<Seq<G1>>,
    blinded: &Seq<Seq<G1>>,
    proof: &LinearProof,
    first_digest: &ByteString,
) -> bool {
    verify_zero_test(targets, blinded, proof, zero_test_challenge(seed, first_digest))
}

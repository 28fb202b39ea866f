//! Commitments to permutations, and the proof that a commitment is to one.
//!
//! A commitment to π is a_i = s_i F_0 + F_{π(i)}. Coefficients e_i and a shift θ are drawn from it.
//! With e'_{π(i)} = e_i, B_i = s'_i F_0 + (e'_i - θ) B_{i-1}, ω_0 = 0 and ω_i = s'_i + (e'_i - θ)
//! ω_{i-1}, the relation in (q = Σ e_i s_i; e'; s'; ω_n) is
//!
//! ```text
//! Σ e_i a_i                   = q F_0 + Σ_j e'_j F_j
//! B_i + θ B_{i-1}             = s'_i F_0 + e'_i B_{i-1}             i = 1..n
//! B_n - (Π_i (e_i - θ)) B_0   = ω_n F_0
//! ```
//!
//! Rows count from 0 here: element i of a sequence is number i + 1 above. Source: docs/mixnet.md,
//! "Mixing".

use crate::base::bytes::*;
use crate::base::group::*;
use crate::base::scalar::*;
use crate::mixnet::linear_relation::*;
use crate::mixnet::mixnet_transcript::*;
use hacspec_lib::*;

/// The elements of commitments, with no known relation.
#[derive(Clone, Debug, Default)]
pub struct MixnetGenerators {
    /// F_0.
    pub generator_blinding: G1,
    /// B_0.
    pub generator_chain: G1,
    /// F_1 .. F_n.
    pub generator_bases: Seq<G1>,
}

/// One step of [`permutation_commitment`].
pub fn permutation_commitment_step(
    committed: Seq<G1>,
    generators: &MixnetGenerators,
    images: &Seq<usize>,
    blindings: &Seq<Scalar>,
    i: usize,
) -> Seq<G1> {
    let blinded = g1_scale(scalar_at(blindings, i), generators.generator_blinding);
    committed.push_owned(g1_add(blinded, g1_at(&generators.generator_bases, images[i])))
}

/// a_i = s_i F_0 + F_{π(i)}; `images[i]` is π(i), from 0.
pub fn permutation_commitment(generators: &MixnetGenerators, images: &Seq<usize>, blindings: &Seq<Scalar>) -> Seq<G1> {
    let mut committed = Seq::<G1>::new(0);
    for i in 0..images.len() {
        committed = permutation_commitment_step(committed, generators, images, blindings, i);
    }
    committed
}

/// One step of [`permutation_move`].
pub fn permutation_move_step(moved: Seq<Scalar>, images: &Seq<usize>, scalars: &Seq<Scalar>, i: usize) -> Seq<Scalar> {
    scalars_updated(&moved, images[i], scalar_at(scalars, i))
}

/// e' with e'_{π(i)} = e_i.
pub fn permutation_move(images: &Seq<usize>, scalars: &Seq<Scalar>) -> Seq<Scalar> {
    let mut moved = scalars_resized(&Seq::<Scalar>::new(0), images.len());
    for i in 0..images.len() {
        moved = permutation_move_step(moved, images, scalars, i);
    }
    moved
}

/// B_{i-1} of the chain's element `i`, from 0.
pub fn permutation_chain_before(generators: &MixnetGenerators, chain: &Seq<G1>, i: usize) -> G1 {
    if i == 0 { generators.generator_chain } else { g1_at(chain, i - 1) }
}

/// One step of [`permutation_chain`].
pub fn permutation_chain_step(
    chain: Seq<G1>,
    generators: &MixnetGenerators,
    moved: &Seq<Scalar>,
    chain_blindings: &Seq<Scalar>,
    theta: Scalar,
    i: usize,
) -> Seq<G1> {
    let before = permutation_chain_before(generators, &chain, i);
    let blinded = g1_scale(scalar_at(chain_blindings, i), generators.generator_blinding);
    chain.push_owned(g1_add(blinded, g1_scale(scalar_at(moved, i) - theta, before)))
}

/// B_1 .. B_n
pub fn permutation_chain(
    generators: &MixnetGenerators,
    moved: &Seq<Scalar>,
    chain_blindings: &Seq<Scalar>,
    theta: Scalar,
) -> Seq<G1> {
    let mut chain = Seq::<G1>::new(0);
    for i in 0..moved.len() {
        chain = permutation_chain_step(chain, generators, moved, chain_blindings, theta, i);
    }
    chain
}

/// One step of [`permutation_omega`].
pub fn permutation_omega_step(
    omega: Scalar,
    moved: &Seq<Scalar>,
    chain_blindings: &Seq<Scalar>,
    theta: Scalar,
    i: usize,
) -> Scalar {
    scalar_at(chain_blindings, i) + (scalar_at(moved, i) - theta) * omega
}

/// ω_n
pub fn permutation_omega(moved: &Seq<Scalar>, chain_blindings: &Seq<Scalar>, theta: Scalar) -> Scalar {
    let mut omega = scalar_zero();
    for i in 0..moved.len() {
        omega = permutation_omega_step(omega, moved, chain_blindings, theta, i);
    }
    omega
}

/// One step of [`permutation_product`].
pub fn permutation_product_step(product: Scalar, coefficients: &Seq<Scalar>, theta: Scalar, i: usize) -> Scalar {
    product * (coefficients[i] - theta)
}

/// Π_i (e_i - θ)
pub fn permutation_product(coefficients: &Seq<Scalar>, theta: Scalar) -> Scalar {
    let mut product = scalar_one();
    for i in 0..coefficients.len() {
        product = permutation_product_step(product, coefficients, theta, i);
    }
    product
}

/// The first row: F_0, F_1 .. F_n, and identities.
pub fn permutation_first_row(generators: &MixnetGenerators) -> Seq<G1> {
    let columns = 2 * generators.generator_bases.len() + 2;
    let blinding = Seq::<G1>::new(0).push_owned(generators.generator_blinding);
    g1_resized(&blinding.concat(&generators.generator_bases), columns)
}

/// Row 1 + `i`: B_{i-1} in the column of e'_i, F_0 in that of s'_i.
pub fn permutation_chain_row(generators: &MixnetGenerators, chain: &Seq<G1>, i: usize) -> Seq<G1> {
    let count = generators.generator_bases.len();
    let before = permutation_chain_before(generators, chain, i);
    let row = g1_updated(&linear_empty_row(2 * count + 2), 1 + i, before);
    g1_updated(&row, 1 + count + i, generators.generator_blinding)
}

/// The last row: F_0 in the column of ω.
pub fn permutation_last_row(generators: &MixnetGenerators) -> Seq<G1> {
    let count = generators.generator_bases.len();
    g1_updated(&linear_empty_row(2 * count + 2), 2 * count + 1, generators.generator_blinding)
}

/// One step of [`permutation_matrix`].
pub fn permutation_matrix_step(
    matrix: Seq<Seq<G1>>,
    generators: &MixnetGenerators,
    chain: &Seq<G1>,
    i: usize,
) -> Seq<Seq<G1>> {
    matrix.push_owned(permutation_chain_row(generators, chain, i))
}

/// M: columns q, e' (n), s' (n), ω.
pub fn permutation_matrix(generators: &MixnetGenerators, chain: &Seq<G1>) -> Seq<Seq<G1>> {
    let mut matrix = Seq::<Seq<G1>>::new(0).push_owned(permutation_first_row(generators));
    for i in 0..generators.generator_bases.len() {
        matrix = permutation_matrix_step(matrix, generators, chain, i);
    }
    matrix.push_owned(permutation_last_row(generators))
}

/// One step of [`permutation_image`].
pub fn permutation_image_step(
    image: Seq<G1>,
    generators: &MixnetGenerators,
    chain: &Seq<G1>,
    theta: Scalar,
    i: usize,
) -> Seq<G1> {
    let before = permutation_chain_before(generators, chain, i);
    image.push_owned(g1_add(g1_at(chain, i), g1_scale(theta, before)))
}

/// B_n - (Π (e_i - θ)) B_0
pub fn permutation_closing(
    generators: &MixnetGenerators,
    chain: &Seq<G1>,
    coefficients: &Seq<Scalar>,
    theta: Scalar,
) -> G1 {
    let last = permutation_chain_before(generators, chain, generators.generator_bases.len());
    g1_subtract(last, g1_scale(permutation_product(coefficients, theta), generators.generator_chain))
}

/// X
pub fn permutation_image(
    generators: &MixnetGenerators,
    committed: &Seq<G1>,
    chain: &Seq<G1>,
    coefficients: &Seq<Scalar>,
    theta: Scalar,
) -> Seq<G1> {
    let mut image = Seq::<G1>::new(0).push_owned(g1_combination(committed, coefficients));
    for i in 0..generators.generator_bases.len() {
        image = permutation_image_step(image, generators, chain, theta, i);
    }
    image.push_owned(permutation_closing(generators, chain, coefficients, theta))
}

/// (q; e'; s'; ω)
pub fn permutation_witness(
    images: &Seq<usize>,
    blindings: &Seq<Scalar>,
    chain_blindings: &Seq<Scalar>,
    coefficients: &Seq<Scalar>,
    theta: Scalar,
) -> Seq<Scalar> {
    let moved = permutation_move(images, coefficients);
    let q = inner_product(coefficients, blindings);
    let omega = permutation_omega(&moved, chain_blindings, theta);
    Seq::<Scalar>::new(0).push_owned(q).concat(&moved).concat(chain_blindings).push_owned(omega)
}

/// Whether a commitment is shown to be to a permutation, under these challenges.
pub fn verify_permutation(
    generators: &MixnetGenerators,
    committed: &Seq<G1>,
    chain: &Seq<G1>,
    proof: &LinearProof,
    coefficients: &Seq<Scalar>,
    theta: Scalar,
    c: Scalar,
) -> bool {
    let count = generators.generator_bases.len();
    let fits = count > 0 && committed.len() == count && chain.len() == count;
    let matrix = permutation_matrix(generators, chain);
    let image = permutation_image(generators, committed, chain, coefficients, theta);
    fits && linear_verify(&matrix, 2 * count + 2, &image, proof, c)
}

/// Whether a commitment is shown to be to a permutation, under the challenges that are drawn for it
/// from the digests of a, B and T.
pub fn verify_permutation_drawn(
    context: &MixnetContext,
    generators: &MixnetGenerators,
    committed: &Seq<G1>,
    commitment_digest: &ByteString,
    chain: &Seq<G1>,
    chain_digest: &ByteString,
    proof: &LinearProof,
    first_digest: &ByteString,
) -> bool {
    let seed = permutation_seed(context, committed.len(), commitment_digest);
    let coefficients = mixnet_coefficients(&seed, committed.len());
    let c = permutation_challenge(&seed, chain_digest, first_digest);
    verify_permutation(generators, committed, chain, proof, &coefficients, permutation_shift(&seed), c)
}

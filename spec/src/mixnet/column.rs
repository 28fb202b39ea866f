//! Lists shuffled by a committed permutation: Y_{π(i)} = X_i + ρ_i κ.
//!
//! A row is a ciphertext (C_0, .., C_w) under the key row κ = (G, Y_1, .., Y_w). Coefficients e_i
//! are drawn from commitment, keys and both lists. With e'_{π(i)} = e_i the relation in (q = Σ e_i
//! s_i; e'; u = Σ e_i ρ_i) is
//!
//! ```text
//! Σ e_i a_i        = q F_0 + Σ_j e'_j F_j
//! Σ e_i X_{i,l}    = Σ_j e'_j Y_{j,l} - u κ_l                       l = 0..w
//! ```
//!
//! From outputs to inputs it is the same relation, with the lists exchanged and -ρ_i for ρ_i.
//! Source: docs/mixnet.md, "Mixing".

use crate::base::bytes::*;
use crate::base::group::*;
use crate::base::scalar::*;
use crate::mixnet::linear_relation::*;
use crate::mixnet::mixnet_transcript::*;
use crate::mixnet::permutation::*;
use hacspec_lib::*;

/// One step of [`column_of`].
pub fn column_of_step(column: Seq<G1>, rows: &Seq<Seq<G1>>, l: usize, i: usize) -> Seq<G1> {
    column.push_owned(g1_at(&rows[i], l))
}

/// Column `l` of a list.
pub fn column_of(rows: &Seq<Seq<G1>>, l: usize) -> Seq<G1> {
    let mut column = Seq::<G1>::new(0);
    for i in 0..rows.len() {
        column = column_of_step(column, rows, l, i);
    }
    column
}

/// One step of [`column_reencrypt_row`].
pub fn column_reencrypt_row_step(fresh: Seq<G1>, row: &Seq<G1>, keys: &Seq<G1>, rho: Scalar, l: usize) -> Seq<G1> {
    fresh.push_owned(g1_add(g1_at(row, l), g1_scale(rho, keys[l])))
}

/// X_i + ρ κ
pub fn column_reencrypt_row(row: &Seq<G1>, keys: &Seq<G1>, rho: Scalar) -> Seq<G1> {
    let mut fresh = Seq::<G1>::new(0);
    for l in 0..keys.len() {
        fresh = column_reencrypt_row_step(fresh, row, keys, rho, l);
    }
    fresh
}

/// The list with `row` at index `i`; unchanged when `i` is beyond its end.
pub fn column_replaced(rows: &Seq<Seq<G1>>, i: usize, row: Seq<G1>) -> Seq<Seq<G1>> {
    if i < rows.len() {
        let above = rows.slice(i + 1, rows.len() - i - 1);
        rows.slice(0, i).push_owned(row).concat_owned(above)
    } else {
        rows.clone()
    }
}

/// One step of [`column_forward`].
pub fn column_forward_step(
    shuffled: Seq<Seq<G1>>,
    images: &Seq<usize>,
    rows: &Seq<Seq<G1>>,
    keys: &Seq<G1>,
    randomness: &Seq<Scalar>,
    i: usize,
) -> Seq<Seq<G1>> {
    column_replaced(&shuffled, images[i], column_reencrypt_row(&rows[i], keys, scalar_at(randomness, i)))
}

/// The list with X_i + ρ_i κ at π(i).
pub fn column_forward(
    images: &Seq<usize>,
    rows: &Seq<Seq<G1>>,
    keys: &Seq<G1>,
    randomness: &Seq<Scalar>,
) -> Seq<Seq<G1>> {
    let mut shuffled = rows.clone();
    for i in 0..rows.len() {
        shuffled = column_forward_step(shuffled, images, rows, keys, randomness, i);
    }
    shuffled
}

/// One step of [`column_backward`].
pub fn column_backward_step(
    shuffled: Seq<Seq<G1>>,
    images: &Seq<usize>,
    rows: &Seq<Seq<G1>>,
    keys: &Seq<G1>,
    randomness: &Seq<Scalar>,
    i: usize,
) -> Seq<Seq<G1>> {
    let source = images[i];
    shuffled.push_owned(column_reencrypt_row(&rows[source], keys, scalar_at(randomness, source)))
}

/// The list with X_{π(i)} + ρ_{π(i)} κ at i.
pub fn column_backward(
    images: &Seq<usize>,
    rows: &Seq<Seq<G1>>,
    keys: &Seq<G1>,
    randomness: &Seq<Scalar>,
) -> Seq<Seq<G1>> {
    let mut shuffled = Seq::<Seq<G1>>::new(0);
    for i in 0..rows.len() {
        shuffled = column_backward_step(shuffled, images, rows, keys, randomness, i);
    }
    shuffled
}

/// The first row: F_0, F_1 .. F_n, the identity.
pub fn column_first_row(generators: &MixnetGenerators) -> Seq<G1> {
    let blinding = Seq::<G1>::new(0).push_owned(generators.generator_blinding);
    blinding.concat(&generators.generator_bases).push_owned(g1_identity())
}

/// Row 1 + `l`: the identity, column l of Y, -κ_l.
pub fn column_key_row(keys: &Seq<G1>, after: &Seq<Seq<G1>>, l: usize) -> Seq<G1> {
    let start = Seq::<G1>::new(0).push_owned(g1_identity());
    start.concat(&column_of(after, l)).push_owned(g1_subtract(g1_identity(), keys[l]))
}

/// One step of [`column_matrix`].
pub fn column_matrix_step(matrix: Seq<Seq<G1>>, keys: &Seq<G1>, after: &Seq<Seq<G1>>, l: usize) -> Seq<Seq<G1>> {
    matrix.push_owned(column_key_row(keys, after, l))
}

/// M: columns q, e' (n), u.
pub fn column_matrix(generators: &MixnetGenerators, keys: &Seq<G1>, after: &Seq<Seq<G1>>) -> Seq<Seq<G1>> {
    let mut matrix = Seq::<Seq<G1>>::new(0).push_owned(column_first_row(generators));
    for l in 0..keys.len() {
        matrix = column_matrix_step(matrix, keys, after, l);
    }
    matrix
}

/// One step of [`column_image`].
pub fn column_image_step(image: Seq<G1>, before: &Seq<Seq<G1>>, coefficients: &Seq<Scalar>, l: usize) -> Seq<G1> {
    image.push_owned(g1_combination(&column_of(before, l), coefficients))
}

/// X
pub fn column_image(committed: &Seq<G1>, keys: &Seq<G1>, before: &Seq<Seq<G1>>, coefficients: &Seq<Scalar>) -> Seq<G1> {
    let mut image = Seq::<G1>::new(0).push_owned(g1_combination(committed, coefficients));
    for l in 0..keys.len() {
        image = column_image_step(image, before, coefficients, l);
    }
    image
}

/// (q; e'; u)
pub fn column_witness(
    images: &Seq<usize>,
    blindings: &Seq<Scalar>,
    randomness: &Seq<Scalar>,
    coefficients: &Seq<Scalar>,
) -> Seq<Scalar> {
    let start = Seq::<Scalar>::new(0).push_owned(inner_product(coefficients, blindings));
    start.concat(&permutation_move(images, coefficients)).push_owned(inner_product(coefficients, randomness))
}

/// One step of [`column_widths`].
pub fn column_widths_step(fits: bool, rows: &Seq<Seq<G1>>, width: usize, i: usize) -> bool {
    fits && rows[i].len() == width
}

/// Whether all rows of a list have this width.
pub fn column_widths(rows: &Seq<Seq<G1>>, width: usize) -> bool {
    let mut fits = true;
    for i in 0..rows.len() {
        fits = column_widths_step(fits, rows, width, i);
    }
    fits
}

/// Whether Y is shown to be X, re-encrypted and shuffled by the committed permutation, under these
/// challenges.
pub fn verify_column(
    generators: &MixnetGenerators,
    committed: &Seq<G1>,
    keys: &Seq<G1>,
    before: &Seq<Seq<G1>>,
    after: &Seq<Seq<G1>>,
    proof: &LinearProof,
    coefficients: &Seq<Scalar>,
    c: Scalar,
) -> bool {
    let count = generators.generator_bases.len();
    let lengths = committed.len() == count && before.len() == count && after.len() == count;
    let fits = count > 0 && lengths && column_widths(before, keys.len()) && column_widths(after, keys.len());
    let matrix = column_matrix(generators, keys, after);
    let image = column_image(committed, keys, before, coefficients);
    fits && linear_verify(&matrix, count + 2, &image, proof, c)
}

/// Whether Y is shown to be X, re-encrypted and shuffled by the committed permutation, under the
/// challenges that are drawn for it from the seed C0 and the digest of T.
pub fn verify_column_drawn(
    seed: &ByteString,
    generators: &MixnetGenerators,
    committed: &Seq<G1>,
    keys: &Seq<G1>,
    before: &Seq<Seq<G1>>,
    after: &Seq<Seq<G1>>,
    proof: &LinearProof,
    first_digest: &ByteString,
) -> bool {
    let coefficients = mixnet_coefficients(seed, before.len());
    let c = column_challenge(seed, first_digest);
    verify_column(generators, committed, keys, before, after, proof, &coefficients, c)
}

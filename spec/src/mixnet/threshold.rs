//! Decryption by t of m servers: shares D_{j,l} = x_l C_{j,0} of all rows j and keys l, and one
//! proof of them all.
//!
//! Coefficients δ_j are drawn from keys, rows and shares. The relation in (x_l), two rows a key:
//!
//! ```text
//! Y_l                = x_l G
//! Σ_j δ_j D_{j,l}    = x_l Σ_j δ_j C_{j,0}
//! ```
//!
//! Source: docs/mixnet.md, "Decryption".

use crate::base::bytes::*;
use crate::base::group::*;
use crate::base::scalar::*;
use crate::mixnet::column::*;
use crate::mixnet::linear_relation::*;
use crate::mixnet::mixnet_transcript::*;
use crate::mixnet::sharing::*;
use hacspec_lib::*;

/// A row that has one element in column `l`.
pub fn decryption_row(keys: usize, l: usize, element: G1) -> Seq<G1> {
    g1_updated(&linear_empty_row(keys), l, element)
}

/// One step of [`decryption_matrix`].
pub fn decryption_matrix_step(matrix: Seq<Seq<G1>>, keys: usize, combined: G1, l: usize) -> Seq<Seq<G1>> {
    matrix.push_owned(decryption_row(keys, l, g1_generator())).push_owned(decryption_row(keys, l, combined))
}

/// M: a column a key; `combined` is Σ δ_j C_{j,0}.
pub fn decryption_matrix(keys: usize, combined: G1) -> Seq<Seq<G1>> {
    let mut matrix = Seq::<Seq<G1>>::new(0);
    for l in 0..keys {
        matrix = decryption_matrix_step(matrix, keys, combined, l);
    }
    matrix
}

/// One step of [`decryption_image`].
pub fn decryption_image_step(
    image: Seq<G1>,
    key_shares: &Seq<G1>,
    shares: &Seq<Seq<G1>>,
    coefficients: &Seq<Scalar>,
    l: usize,
) -> Seq<G1> {
    image.push_owned(key_shares[l]).push_owned(g1_combination(&column_of(shares, l), coefficients))
}

/// X
pub fn decryption_image(key_shares: &Seq<G1>, shares: &Seq<Seq<G1>>, coefficients: &Seq<Scalar>) -> Seq<G1> {
    let mut image = Seq::<G1>::new(0);
    for l in 0..key_shares.len() {
        image = decryption_image_step(image, key_shares, shares, coefficients, l);
    }
    image
}

/// One step of [`decryption_row_shares`].
pub fn decryption_row_shares_step(multiples: Seq<G1>, secrets: &Seq<Scalar>, first: G1, l: usize) -> Seq<G1> {
    multiples.push_owned(g1_scale(secrets[l], first))
}

/// x_l C_0 for all keys.
pub fn decryption_row_shares(secrets: &Seq<Scalar>, first: G1) -> Seq<G1> {
    let mut multiples = Seq::<G1>::new(0);
    for l in 0..secrets.len() {
        multiples = decryption_row_shares_step(multiples, secrets, first, l);
    }
    multiples
}

/// One step of [`decryption_shares`].
pub fn decryption_shares_step(shares: Seq<Seq<G1>>, secrets: &Seq<Scalar>, firsts: &Seq<G1>, j: usize) -> Seq<Seq<G1>> {
    shares.push_owned(decryption_row_shares(secrets, firsts[j]))
}

/// D
pub fn decryption_shares(secrets: &Seq<Scalar>, firsts: &Seq<G1>) -> Seq<Seq<G1>> {
    let mut shares = Seq::<Seq<G1>>::new(0);
    for j in 0..firsts.len() {
        shares = decryption_shares_step(shares, secrets, firsts, j);
    }
    shares
}

/// Whether a server's shares are shown to be right, under these challenges; `firsts` are all C_0.
pub fn verify_decryption(
    key_shares: &Seq<G1>,
    firsts: &Seq<G1>,
    shares: &Seq<Seq<G1>>,
    proof: &LinearProof,
    coefficients: &Seq<Scalar>,
    c: Scalar,
) -> bool {
    let fits = shares.len() == firsts.len() && column_widths(shares, key_shares.len());
    let matrix = decryption_matrix(key_shares.len(), g1_combination(firsts, coefficients));
    let image = decryption_image(key_shares, shares, coefficients);
    fits && linear_verify(&matrix, key_shares.len(), &image, proof, c)
}

/// Whether a server's shares are shown to be right, under the challenges that are drawn for them
/// from the seed D0 and the digest of T.
pub fn verify_decryption_drawn(
    seed: &ByteString,
    key_shares: &Seq<G1>,
    firsts: &Seq<G1>,
    shares: &Seq<Seq<G1>>,
    proof: &LinearProof,
    first_digest: &ByteString,
) -> bool {
    let coefficients = mixnet_coefficients(seed, firsts.len());
    verify_decryption(key_shares, firsts, shares, proof, &coefficients, decryption_challenge(seed, first_digest))
}

/// C_l - Σ_k λ_k D^{(k)}_l: the plaintext of one component, from the servers' shares of it.
pub fn decryption_plaintext(component: G1, servers: &Seq<usize>, shares: &Seq<G1>) -> G1 {
    g1_subtract(component, share_combine(servers, shares))
}

//! Proofs of linear relations: "I know s with M s = X", M a matrix of group elements.
//!
//! Commitment T = M t with random t, challenge c, response z = t + c s; accepted iff M z = T + c X,
//! row by row. All proofs of a mixnet are instances. Source: docs/mixnet.md, "Linear relations".

use crate::base::group::*;
use crate::base::scalar::*;
use hacspec_lib::*;

/// A proof of a linear relation, without its challenge.
#[derive(Clone, Debug, Default)]
pub struct LinearProof {
    /// T, an element a row.
    pub linear_first: Seq<G1>,
    /// z, a scalar a column.
    pub linear_responses: Seq<Scalar>,
}

/// One step of [`linear_map`].
pub fn linear_map_step(products: Seq<G1>, matrix: &Seq<Seq<G1>>, s: &Seq<Scalar>, i: usize) -> Seq<G1> {
    products.push_owned(g1_combination(&matrix[i], s))
}

/// M s
pub fn linear_map(matrix: &Seq<Seq<G1>>, s: &Seq<Scalar>) -> Seq<G1> {
    let mut products = Seq::<G1>::new(0);
    for i in 0..matrix.len() {
        products = linear_map_step(products, matrix, s, i);
    }
    products
}

/// One step of [`linear_respond`].
pub fn linear_respond_step(
    responses: Seq<Scalar>,
    nonces: &Seq<Scalar>,
    c: Scalar,
    witness: &Seq<Scalar>,
    i: usize,
) -> Seq<Scalar> {
    responses.push_owned(nonces[i] + c * scalar_at(witness, i))
}

/// z = t + c s
pub fn linear_respond(nonces: &Seq<Scalar>, c: Scalar, witness: &Seq<Scalar>) -> Seq<Scalar> {
    let mut responses = Seq::<Scalar>::new(0);
    for i in 0..nonces.len() {
        responses = linear_respond_step(responses, nonces, c, witness, i);
    }
    responses
}

/// The honest proof under a challenge.
pub fn linear_prove(matrix: &Seq<Seq<G1>>, witness: &Seq<Scalar>, nonces: &Seq<Scalar>, c: Scalar) -> LinearProof {
    LinearProof { linear_first: linear_map(matrix, nonces), linear_responses: linear_respond(nonces, c, witness) }
}

/// Whether row `i` of M z is that of T + c X.
pub fn linear_row_holds(matrix: &Seq<Seq<G1>>, image: &Seq<G1>, proof: &LinearProof, c: Scalar, i: usize) -> bool {
    g1_equal(
        g1_combination(&matrix[i], &proof.linear_responses),
        g1_add(g1_at(&proof.linear_first, i), g1_scale(c, g1_at(image, i))),
    )
}

/// One step of [`linear_verify`].
pub fn linear_verify_step(
    held: bool,
    matrix: &Seq<Seq<G1>>,
    image: &Seq<G1>,
    proof: &LinearProof,
    c: Scalar,
    i: usize,
) -> bool {
    held && linear_row_holds(matrix, image, proof, c, i)
}

/// Whether a proof has an element a row and a scalar a column.
pub fn linear_fits(matrix: &Seq<Seq<G1>>, columns: usize, image: &Seq<G1>, proof: &LinearProof) -> bool {
    image.len() == matrix.len() && proof.linear_first.len() == matrix.len() && proof.linear_responses.len() == columns
}

/// Whether M z = T + c X.
pub fn linear_verify(matrix: &Seq<Seq<G1>>, columns: usize, image: &Seq<G1>, proof: &LinearProof, c: Scalar) -> bool {
    let mut held = linear_fits(matrix, columns, image, proof);
    for i in 0..matrix.len() {
        held = linear_verify_step(held, matrix, image, proof, c, i);
    }
    held
}

/// One step of [`linear_simulate`].
pub fn linear_simulate_step(
    first: Seq<G1>,
    matrix: &Seq<Seq<G1>>,
    image: &Seq<G1>,
    c: Scalar,
    responses: &Seq<Scalar>,
    i: usize,
) -> Seq<G1> {
    first.push_owned(g1_subtract(g1_combination(&matrix[i], responses), g1_scale(c, g1_at(image, i))))
}

/// T = M z - c X: the commitment that goes with a challenge and responses, found without a witness.
pub fn linear_simulate(matrix: &Seq<Seq<G1>>, image: &Seq<G1>, c: Scalar, responses: &Seq<Scalar>) -> Seq<G1> {
    let mut first = Seq::<G1>::new(0);
    for i in 0..matrix.len() {
        first = linear_simulate_step(first, matrix, image, c, responses, i);
    }
    first
}

/// One step of [`linear_extract`].
pub fn linear_extract_step(
    extracted: Seq<Scalar>,
    quotient: Scalar,
    responses: &Seq<Scalar>,
    others: &Seq<Scalar>,
    i: usize,
) -> Seq<Scalar> {
    extracted.push_owned(quotient * (responses[i] - scalar_at(others, i)))
}

/// (z - z') / (c - c'): a witness, out of two accepted proofs with one T.
pub fn linear_extract(c: Scalar, responses: &Seq<Scalar>, d: Scalar, others: &Seq<Scalar>) -> Seq<Scalar> {
    let quotient = scalar_inverse(c - d);
    let mut extracted = Seq::<Scalar>::new(0);
    for i in 0..responses.len() {
        extracted = linear_extract_step(extracted, quotient, responses, others, i);
    }
    extracted
}

/// One step of [`linear_sum_elements`].
pub fn linear_sum_elements_step(sums: Seq<G1>, a: &Seq<G1>, b: &Seq<G1>, i: usize) -> Seq<G1> {
    sums.push_owned(g1_add(a[i], g1_at(b, i)))
}

/// a + b, element by element.
pub fn linear_sum_elements(a: &Seq<G1>, b: &Seq<G1>) -> Seq<G1> {
    let mut sums = Seq::<G1>::new(0);
    for i in 0..a.len() {
        sums = linear_sum_elements_step(sums, a, b, i);
    }
    sums
}

/// One step of [`linear_sum_scalars`].
pub fn linear_sum_scalars_step(sums: Seq<Scalar>, a: &Seq<Scalar>, b: &Seq<Scalar>, i: usize) -> Seq<Scalar> {
    sums.push_owned(a[i] + scalar_at(b, i))
}

/// a + b, scalar by scalar.
pub fn linear_sum_scalars(a: &Seq<Scalar>, b: &Seq<Scalar>) -> Seq<Scalar> {
    let mut sums = Seq::<Scalar>::new(0);
    for i in 0..a.len() {
        sums = linear_sum_scalars_step(sums, a, b, i);
    }
    sums
}

/// The sum of two proofs under one challenge: a proof for the sum of their witnesses.
pub fn linear_sum_proofs(a: &LinearProof, b: &LinearProof) -> LinearProof {
    LinearProof {
        linear_first: linear_sum_elements(&a.linear_first, &b.linear_first),
        linear_responses: linear_sum_scalars(&a.linear_responses, &b.linear_responses),
    }
}

/// A row of `columns` elements, all the identity.
pub fn linear_empty_row(columns: usize) -> Seq<G1> {
    g1_resized(&Seq::<G1>::new(0), columns)
}

//! Commitments to a permutation π, a_i = s_i F_0 + F_{π(i)}, and the proof that a commitment is to
//! a permutation.
//!
//! e_i = coefficient(P0, i) and the shift θ follow from the commitment. With e'_{π(i)} = e_i and
//! the chain B_i = s'_i F_0 + (e'_i - θ) B_{i-1}, whose last element commits to the product of all
//! e'_i
//! - θ, the relation in (q = Σ e_i s_i; e'; s'; ω) is
//!
//! ```text
//! Σ e_i a_i                   = q F_0 + Σ_j e'_j F_j
//! B_i + θ B_{i-1}             = s'_i F_0 + e'_i B_{i-1}             i = 1..n
//! B_n - (Π_i (e_i - θ)) B_0   = ω F_0
//! ```
//!
//! Specification: `permutation_matrix`, `permutation_image`, `verify_permutation`.

use aardvark_algebra::ff::Field;
use aardvark_algebra::{G1Affine, Scalar, batch_to_affine, scalar_from_u128};
use zeroize::Zeroizing;

use crate::claim::{Claim, Shape, Terms, combine, respond};
use crate::generators::Generators;
use crate::list::List;
use crate::secret::{Secrets, Seed};
use crate::transcript::{Context, Digest, bound, challenge, coefficients, permutation_digest, shift};

/// A secret permutation of 0..n, overwritten when dropped.
#[derive(Clone)]
pub struct Permutation(Zeroizing<Vec<usize>>);

impl Permutation {
    /// The permutation that sends i to `images[i]`; `None` if that is none.
    pub fn new(images: Vec<usize>) -> Option<Self> {
        let mut seen = vec![false; images.len()];
        let fresh = images.iter().all(|image| seen.get_mut(*image).is_some_and(|seen| !core::mem::replace(seen, true)));
        fresh.then_some(Self(Zeroizing::new(images)))
    }

    /// A uniform permutation of n numbers that follows from a seed (Fisher and Yates's shuffle).
    pub fn derive(seed: &Seed, statement: &Digest, count: usize) -> Self {
        let bounds: Vec<u64> = (1..=count as u64).collect();
        let drawn = seed.numbers_below("permutation", statement, &bounds);
        let mut images: Vec<usize> = (0..count).collect();
        for (i, drawn) in drawn.iter().enumerate() {
            images.swap(i, *drawn as usize);
        }
        Self(Zeroizing::new(images))
    }

    /// Where each number goes.
    pub fn images(&self) -> &[usize] {
        &self.0
    }

    /// How many numbers are permuted.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The list with item i at π(i): `forward(x)[π(i)] = x[i]`.
    pub fn forward<T: Clone + Default>(&self, items: &[T]) -> Vec<T> {
        let mut permuted = vec![T::default(); items.len()];
        for (item, image) in items.iter().zip(self.images()) {
            if let Some(place) = permuted.get_mut(*image) {
                place.clone_from(item);
            }
        }
        permuted
    }

    /// The list with item π(i) at i: undoes [`Permutation::forward`].
    pub fn backward<T: Clone + Default>(&self, items: &[T]) -> Vec<T> {
        self.images().iter().map(|image| items.get(*image).cloned().unwrap_or_default()).collect()
    }
}

impl core::fmt::Debug for Permutation {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Permutation(.. {})", self.count())
    }
}

/// A permutation commitment's secrets: the permutation and the blindings s.
#[derive(Clone, Debug)]
pub struct PermutationSecret {
    /// π.
    pub permutation: Permutation,
    /// s_i.
    pub blindings: Secrets,
}

impl PermutationSecret {
    /// The permutation and blindings of a server in a ceremony with so many rows.
    pub fn derive(seed: &Seed, context: &Context, count: usize) -> Self {
        let statement = context.permutation_statement(count);
        let permutation = Permutation::derive(seed, &statement, count);
        Self { permutation, blindings: seed.scalars("blinding", &statement, count) }
    }

    /// The commitment: a_i = s_i F_0 + F_{π(i)}. There must be as many generators as rows.
    pub fn commit(&self, generators: &Generators) -> Result<List, Shape> {
        if generators.rows() != self.permutation.count() || self.blindings.len() != self.permutation.count() {
            return Err(Shape);
        }
        let starts = self.permutation.backward(generators.bases());
        Ok(List::computed(generators.blind(&starts, &self.blindings), 1))
    }

    /// q = Σ e_i s_i and e', where e'_{π(i)} = e_i.
    pub(crate) fn combined(&self, coefficients: &[Scalar]) -> (Scalar, Secrets) {
        let q = coefficients.iter().zip(&*self.blindings).map(|(e, s)| *e * s).sum();
        (q, Secrets::new(self.permutation.forward(coefficients)))
    }
}

/// The proof that a commitment is to a permutation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PermutationProof {
    /// B_1 .. B_n.
    pub chain: List,
    /// T: n + 2 points.
    pub first: List,
    /// z: q, e'_1 .. e'_n, s'_1 .. s'_n, ω.
    pub responses: Vec<Scalar>,
}

/// Proves that `commitment`, which is that of `secret`, is to a permutation.
pub fn prove(
    generators: &Generators,
    context: &Context,
    secret: &PermutationSecret,
    commitment: &List,
    seed: &Seed,
) -> Result<PermutationProof, Shape> {
    let n = secret.permutation.count();
    if generators.rows() != n || secret.blindings.len() != n || commitment.rows() != n || commitment.width() != 1 {
        return Err(Shape);
    }
    let start = context.permutation_seed(commitment);
    let e: Vec<Scalar> = coefficients(&start, n).into_iter().map(scalar_from_u128).collect();
    let theta = shift(&start);
    let (q, permuted) = secret.combined(&e);
    let chain_blindings = seed.scalars("chain", &start, n);
    // B_i = ω_i F_0 + p_i B_0, by ω_i = s'_i + (e'_i - θ) ω_{i-1} and p_i = (e'_i - θ) p_{i-1}; ω_0
    // = 0, p_0 = 1.
    let mut parts = vec![[Scalar::ZERO, Scalar::ONE]];
    for (blinding, coefficient) in chain_blindings.iter().zip(&*permuted) {
        let [omega, product] = parts.last().copied().unwrap_or_default();
        let factor = *coefficient - theta;
        parts.push([*blinding + factor * omega, factor * product]);
    }
    let chain = List::computed(generators.pairs(parts.get(1..).unwrap_or_default()), 1);
    let omega = parts.last().map_or(Scalar::ZERO, |[omega, _]| *omega);
    let statement = bound("AARDVARK-V1-MIXNET-PERMUTATION-NONCES", &start, &[&chain]);
    let nonces = seed.scalars("permutation", &statement, 2 * n + 2);
    let (of_q, rest) = nonces.split_first().ok_or(Shape)?;
    let (of_e, rest) = rest.split_at(n);
    let (of_s, of_omega) = rest.split_at(n);
    // t_s F_0 + t_e B_{i-1}, by what B_{i-1} is made of.
    let step = |((s, e), [omega, product]): ((&Scalar, &Scalar), &[Scalar; 2])| [*s + *e * omega, *e * product];
    let mut multiples: Vec<[Scalar; 2]> = of_s.iter().zip(of_e).zip(&parts).map(step).collect();
    multiples.push([of_omega.first().copied().unwrap_or_default(), Scalar::ZERO]);
    let first_row = *generators.blinding() * of_q + combine(generators.bases(), of_e);
    let mut first = batch_to_affine(&[first_row]);
    first.extend(generators.pairs(&multiples));
    let first = List::computed(first, 1);
    let c = challenge(&permutation_digest(&start, &chain, &first));
    let secrets = [q].into_iter().chain(permuted.iter().copied()).chain(chain_blindings.iter().copied()).chain([omega]);
    Ok(PermutationProof { responses: respond(nonces.iter(), c, secrets), chain, first })
}

/// The claim that a commitment is to a permutation.
#[derive(Debug)]
pub struct PermutationClaim<'a> {
    generators: &'a Generators,
    commitment: &'a List,
    proof: &'a PermutationProof,
    coefficients: Vec<Scalar>,
    shift: Scalar,
    digest: Digest,
}

impl<'a> PermutationClaim<'a> {
    /// The claim of a server, if its lengths are right.
    pub fn new(
        generators: &'a Generators,
        context: &Context,
        commitment: &'a List,
        proof: &'a PermutationProof,
    ) -> Result<Self, Shape> {
        let n = commitment.rows();
        let widths = [commitment, &proof.chain, &proof.first].iter().all(|list| list.width() == 1);
        let lengths = (generators.rows(), proof.chain.rows(), proof.first.rows(), proof.responses.len());
        if n == 0 || !widths || lengths != (n, n, n + 2, 2 * n + 2) {
            return Err(Shape);
        }
        let start = context.permutation_seed(commitment);
        Ok(Self {
            generators,
            commitment,
            proof,
            coefficients: coefficients(&start, n).into_iter().map(scalar_from_u128).collect(),
            shift: shift(&start),
            digest: permutation_digest(&start, &proof.chain, &proof.first),
        })
    }

    /// e_i, θ and c.
    pub fn challenges(&self) -> (&[Scalar], Scalar, Scalar) {
        (&self.coefficients, self.shift, challenge(&self.digest))
    }
}

impl Claim for PermutationClaim<'_> {
    fn digest(&self) -> Digest {
        self.digest
    }

    fn responses(&self) -> &[Scalar] {
        &self.proof.responses
    }

    fn rows(&self) -> usize {
        self.commitment.rows() + 2
    }

    fn terms<'a>(&'a self, weights: &[Scalar], terms: &mut Terms<'a>) {
        let n = self.commitment.rows();
        let (e, theta, c) = self.challenges();
        let (Some((of_first, rest)), Some((of_q, responses))) = (weights.split_first(), self.responses().split_first())
        else {
            return;
        };
        let (of_chain, of_last) = rest.split_at(n.min(rest.len()));
        let of_last = of_last.first().copied().unwrap_or_default();
        let (of_e, responses) = responses.split_at(n.min(responses.len()));
        let (of_s, of_omega) = responses.split_at(n.min(responses.len()));
        let of_omega = of_omega.first().copied().unwrap_or_default();
        // q F_0 + Σ e'_j F_j - T_0 - c Σ e_i a_i
        let mut blinding = *of_first * of_q + of_last * of_omega;
        terms.add(self.generators.bases(), of_e.iter().map(|z| *of_first * z));
        terms.add(self.commitment.points(), e.iter().map(|e| -(*of_first * c * e)));
        terms.add(self.proof.first.points(), weights.iter().map(|weight| -*weight));
        // s'_i F_0 + (e'_i - c θ) B_{i-1} - c B_i - T_i
        blinding += of_chain.iter().zip(of_s).map(|(weight, s)| *weight * s).sum::<Scalar>();
        let previous: Vec<Scalar> = of_chain.iter().zip(of_e).map(|(weight, e)| *weight * (*e - c * theta)).collect();
        let product: Scalar = e.iter().map(|e| *e - theta).product();
        // ω F_0 - c (B_n - Π (e_i - θ) B_0) - T_{n+1}
        let start = previous.first().copied().unwrap_or_default() + of_last * c * product;
        let after = previous.iter().skip(1).copied().chain([-(of_last * c)]);
        let chain = of_chain.iter().zip(after).map(|(weight, after)| after - *weight * c);
        terms.add(self.proof.chain.points(), chain);
        terms.add_one(self.generators.blinding(), blinding);
        terms.add_one(self.generators.chain(), start);
    }
}

/// The points of the claim for its explicit relation ([`crate::naive`]).
impl PermutationClaim<'_> {
    pub(crate) fn parts(&self) -> (&Generators, &List, &PermutationProof) {
        (self.generators, self.commitment, self.proof)
    }

    /// B_0, B_1 .. B_n.
    pub(crate) fn whole_chain(&self) -> Vec<G1Affine> {
        core::iter::once(self.generators.chain()).chain(self.proof.chain.points()).copied().collect()
    }
}

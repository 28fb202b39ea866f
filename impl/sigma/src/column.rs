//! Shuffling a list by a committed permutation: Y_{π(i)} = X_i + ρ_i κ, and the proof of it.
//!
//! e_i = coefficient(C0, i) follow from commitment, keys and both lists. The relation in (q = Σ e_i
//! s_i; e'; u = Σ e_i ρ_i), with e'_{π(i)} = e_i:
//!
//! ```text
//! Σ e_i a_i        = q F_0 + Σ_j e'_j F_j
//! Σ e_i X_{i,l}    = Σ_j e'_j Y_{j,l} - u κ_l                       l = 0..w
//! ```
//!
//! Since a was proved a permutation once, no product is needed. Backward, from the last server to
//! the first, it is the same relation with the lists exchanged: X the new list, Y the old one, and
//! -ρ_i for ρ_i.
//!
//! Specification: `column_matrix`, `column_image`, `verify_column`.

use std::sync::OnceLock;

use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::parallel::made_once;
use aardvark_algebra::table::Term;
use aardvark_algebra::{FixedBaseTable, G1Affine, Scalar, batch_to_affine, scalar_from_u128};

use crate::claim::{Claim, Shape, Terms, combine, respond};
use crate::generators::Generators;
use crate::list::List;
use crate::permutation::PermutationSecret;
use crate::secret::{Secrets, Seed};
use crate::transcript::{Context, Digest, bound, challenge, coefficients, column_digest};

/// The window of a key row's table, for many rows and for few.
const WINDOW: usize = 10;
const SMALL_WINDOW: usize = 5;
/// Rows below which a small table costs less.
const FEW_ROWS: usize = 500;

/// Which way a list goes through the servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Row i goes to π(i): from inputs to outputs.
    Forward,
    /// Row π(i) goes to i: from outputs to inputs.
    Backward,
}

/// A row κ of keys: G, and the keys of the columns after the first. A table of their multiples is
/// made where it is used first: whoever only verifies needs none.
#[derive(Debug)]
pub struct KeyRow {
    row: List,
    window: usize,
    table: OnceLock<FixedBaseTable>,
}

impl KeyRow {
    /// The row (G, Y_1, .., Y_w) of these keys, for lists of about so many rows.
    pub fn new(keys: &[G1Affine], rows: usize) -> Self {
        let row: Vec<G1Affine> = core::iter::once(G1Affine::generator()).chain(keys.iter().copied()).collect();
        let width = row.len();
        let window = if rows < FEW_ROWS { SMALL_WINDOW } else { WINDOW };
        Self { row: List::computed(row, width), window, table: OnceLock::new() }
    }

    fn table(&self) -> &FixedBaseTable {
        made_once(&self.table, || FixedBaseTable::new(self.row.points(), self.window))
    }

    /// The row as a list of one row.
    pub fn row(&self) -> &List {
        &self.row
    }

    /// Points of a row.
    pub fn width(&self) -> usize {
        self.row.width()
    }

    /// X_i + ρ_i κ for each row.
    pub fn reencrypt(&self, list: &List, randomness: &[Scalar]) -> Vec<G1Affine> {
        let terms: Vec<Term> =
            randomness.iter().flat_map(|rho| (0..self.width()).map(move |key| (key, *rho))).collect();
        let runs = list.points().iter().zip(terms.chunks(1)).map(|(point, term)| (*point, term));
        self.table().add_multiples(&runs.collect::<Vec<_>>())
    }

    /// Encryptions of these points with this randomness: (ρ G, m_1 + ρ Y_1, ..).
    pub fn multiples(&self, randomness: &[Scalar]) -> List {
        let zero = List::computed(vec![G1Affine::identity(); randomness.len() * self.width()], self.width());
        List::computed(self.reencrypt(&zero, randomness), self.width())
    }
}

/// The proof of a shuffled list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnProof {
    /// T: w + 2 points.
    pub first: List,
    /// z: q, e'_1 .. e'_n, u.
    pub responses: Vec<Scalar>,
}

/// What a list is shuffled under.
#[derive(Clone, Copy, Debug)]
pub struct Shuffle<'a> {
    /// The generators of the commitment.
    pub generators: &'a Generators,
    /// Whose shuffle it is.
    pub context: Context,
    /// What it is for: the digest of the inputs, or a query's id.
    pub purpose: Digest,
    /// a, the commitment to the permutation.
    pub commitment: &'a List,
    /// κ.
    pub keys: &'a KeyRow,
    /// Which way.
    pub direction: Direction,
}

impl Shuffle<'_> {
    fn fits(&self, before: &List, after: &List) -> Result<usize, Shape> {
        let n = before.rows();
        let rows = [after.rows(), self.generators.rows(), self.commitment.rows()];
        let widths = [before.width(), after.width()];
        let fits = n > 0 && rows.iter().all(|rows| *rows == n) && widths.iter().all(|w| *w == self.keys.width());
        (fits && self.commitment.width() == 1).then_some(n).ok_or(Shape)
    }

    /// X and Y of the relation: the list whose rows go to π, and the one where they went.
    fn sides<'l>(&self, before: &'l List, after: &'l List) -> (&'l List, &'l List) {
        match self.direction {
            Direction::Forward => (before, after),
            Direction::Backward => (after, before),
        }
    }

    fn seed(&self, before: &List, after: &List) -> Digest {
        let (x, y) = self.sides(before, after);
        self.context.column_seed(&self.purpose, self.commitment, self.keys.row(), x, y)
    }

    /// Re-encrypts a list, permutes it and proves it.
    pub fn run(&self, secret: &PermutationSecret, before: &List, seed: &Seed) -> Result<(List, ColumnProof), Shape> {
        let statement = self.context.reencryption_statement(&self.purpose, self.commitment, self.keys.row(), before);
        let randomness = seed.scalars("re-encryption", &statement, before.rows());
        let after = self.apply(secret, before, &randomness)?;
        let proof = self.prove(secret, before, &after, &randomness, seed)?;
        Ok((after, proof))
    }

    /// The list re-encrypted with this randomness, one scalar a row of it, and permuted.
    pub fn apply(&self, secret: &PermutationSecret, before: &List, randomness: &[Scalar]) -> Result<List, Shape> {
        if before.width() != self.keys.width()
            || randomness.len() != before.rows()
            || secret.permutation.count() != before.rows()
        {
            return Err(Shape);
        }
        let fresh = List::computed(self.keys.reencrypt(before, randomness), before.width());
        let sources: Vec<usize> = (0..before.rows()).collect();
        let sources = match self.direction {
            // The row at j comes from the i with π(i) = j.
            Direction::Forward => secret.permutation.forward(&sources),
            Direction::Backward => secret.permutation.backward(&sources),
        };
        Ok(fresh.select(sources))
    }

    /// Proves that `after` is `before`, re-encrypted with this randomness and permuted.
    pub fn prove(
        &self,
        secret: &PermutationSecret,
        before: &List,
        after: &List,
        randomness: &[Scalar],
        seed: &Seed,
    ) -> Result<ColumnProof, Shape> {
        let n = self.fits(before, after)?;
        if secret.permutation.count() != n || secret.blindings.len() != n || randomness.len() != n {
            return Err(Shape);
        }
        let start = self.seed(before, after);
        let e: Vec<Scalar> = coefficients(&start, n).into_iter().map(scalar_from_u128).collect();
        let (q, permuted) = secret.combined(&e);
        // ρ_i of the relation is that of row i of X.
        let u: Scalar = match self.direction {
            Direction::Forward => e.iter().zip(randomness).map(|(e, rho)| *e * rho).sum(),
            Direction::Backward => -permuted.iter().zip(randomness).map(|(e, rho)| *e * rho).sum::<Scalar>(),
        };
        let statement = bound("AARDVARK-V1-MIXNET-COLUMN-NONCES", &start, &[]);
        let nonces = seed.scalars("column", &statement, n + 2);
        let (of_q, rest) = nonces.split_first().ok_or(Shape)?;
        let (of_e, of_u) = rest.split_at(n);
        let of_u = Secrets::new(of_u.to_vec());
        let of_u = of_u.first().ok_or(Shape)?;
        let (_, y) = self.sides(before, after);
        let mut first = vec![*self.generators.blinding() * of_q + combine(self.generators.bases(), of_e)];
        for l in 0..y.width() {
            first.push(combine(y.column(l).points(), of_e) - self.keys.row().at(0, l) * of_u);
        }
        let first = List::computed(batch_to_affine(&first), 1);
        let c = challenge(&column_digest(&start, &first));
        let secrets = [q].into_iter().chain(permuted.iter().copied()).chain([u]);
        Ok(ColumnProof { responses: respond(nonces.iter(), c, secrets), first })
    }
}

/// The claim that a list is another, shuffled by a committed permutation.
#[derive(Debug)]
pub struct ColumnClaim<'a> {
    shuffle: Shuffle<'a>,
    x: &'a List,
    y: &'a List,
    proof: &'a ColumnProof,
    coefficients: Vec<Scalar>,
    digest: Digest,
}

impl<'a> ColumnClaim<'a> {
    /// The claim of a server, if its lengths are right.
    pub fn new(shuffle: Shuffle<'a>, before: &'a List, after: &'a List, proof: &'a ColumnProof) -> Result<Self, Shape> {
        let n = shuffle.fits(before, after)?;
        let lengths = (proof.first.rows(), proof.first.width(), proof.responses.len());
        if lengths != (before.width() + 1, 1, n + 2) {
            return Err(Shape);
        }
        let start = shuffle.seed(before, after);
        let (x, y) = shuffle.sides(before, after);
        let coefficients = coefficients(&start, n).into_iter().map(scalar_from_u128).collect();
        Ok(Self { shuffle, x, y, proof, coefficients, digest: column_digest(&start, &proof.first) })
    }

    /// e_i and c.
    pub fn challenges(&self) -> (&[Scalar], Scalar) {
        (&self.coefficients, challenge(&self.digest))
    }

    pub(crate) fn parts(&self) -> (&Shuffle<'a>, &List, &List, &ColumnProof) {
        (&self.shuffle, self.x, self.y, self.proof)
    }
}

impl Claim for ColumnClaim<'_> {
    fn digest(&self) -> Digest {
        self.digest
    }

    fn responses(&self) -> &[Scalar] {
        &self.proof.responses
    }

    fn rows(&self) -> usize {
        self.x.width() + 1
    }

    fn terms<'a>(&'a self, weights: &[Scalar], terms: &mut Terms<'a>) {
        let (e, c) = self.challenges();
        let (Some((of_first, of_columns)), Some((of_q, rest))) =
            (weights.split_first(), self.responses().split_first())
        else {
            return;
        };
        let Some((of_u, of_e)) = rest.split_last() else { return };
        // q F_0 + Σ e'_j F_j - T_0 - c Σ e_i a_i
        terms.add_one(self.shuffle.generators.blinding(), *of_first * of_q);
        terms.add(self.shuffle.generators.bases(), of_e.iter().map(|z| *of_first * z));
        terms.add(self.shuffle.commitment.points(), e.iter().map(|e| -(*of_first * c * e)));
        terms.add(self.proof.first.points(), weights.iter().map(|weight| -*weight));
        // Σ e'_j Y_{j,l} - u κ_l - T_l - c Σ e_i X_{i,l}
        for (l, weight) in of_columns.iter().enumerate() {
            terms.add_column(self.y, l, of_e.iter().map(|z| *weight * z));
            terms.add_column(self.x, l, e.iter().map(|e| -(*weight * c * e)));
        }
        terms.add(self.shuffle.keys.row().points(), of_columns.iter().map(|weight| -(*weight * of_u)));
    }
}

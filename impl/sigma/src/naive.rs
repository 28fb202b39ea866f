//! The slow twins: every relation as an explicit matrix of points, checked row by row by double and
//! add.
//!
//! A relation is M s = X; the functions here write M and X down entry by entry, as the
//! specification does, from the statement of a claim.

use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::msm::naive::{msm, multiply};
use aardvark_algebra::{G1Affine, G1Projective, Scalar};

use crate::claim::Claim;
use crate::column::ColumnClaim;
use crate::permutation::PermutationClaim;
use crate::threshold::DecryptionClaim;
use crate::zero_test::ZeroTestClaim;

/// M s = X with the proof of a witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    /// M, row by row.
    pub matrix: Vec<Vec<G1Affine>>,
    /// X.
    pub image: Vec<G1Affine>,
    /// T.
    pub first: Vec<G1Affine>,
    /// c.
    pub challenge: Scalar,
    /// z.
    pub responses: Vec<Scalar>,
}

impl Relation {
    /// Whether M z = T + c X, row by row.
    #[must_use]
    pub fn holds(&self) -> bool {
        let rows = self.matrix.len();
        rows == self.image.len()
            && rows == self.first.len()
            && self.matrix.iter().zip(&self.first).zip(&self.image).all(|((row, first), image)| {
                let right = multiply(image, &self.challenge.to_bytes_le()) + first;
                row.len() == self.responses.len() && msm(row, &self.responses) == right
            })
    }
}

fn weighted(points: &[G1Affine], weights: &[Scalar]) -> G1Affine {
    msm(points, weights).into()
}

/// A row that has one point after another at these places, and infinity elsewhere.
fn row(columns: usize, entries: impl IntoIterator<Item = (usize, G1Affine)>) -> Vec<G1Affine> {
    let mut row = vec![G1Affine::identity(); columns];
    for (column, point) in entries {
        if let Some(entry) = row.get_mut(column) {
            *entry = point;
        }
    }
    row
}

/// The relation of a permutation proof: columns q, e' (n), s' (n), ω.
pub fn permutation(claim: &PermutationClaim<'_>) -> Relation {
    let (generators, commitment, proof) = claim.parts();
    let (e, theta, challenge) = claim.challenges();
    let n = commitment.rows();
    let chain = claim.whole_chain();
    let (f0, columns) = (*generators.blinding(), 2 * n + 2);
    let at = |i: usize| chain.get(i).copied().unwrap_or_else(G1Affine::identity);
    let bases = generators.bases().iter().enumerate().map(|(j, base)| (1 + j, *base));
    let mut matrix = vec![row(columns, [(0, f0)].into_iter().chain(bases))];
    let mut image = vec![weighted(commitment.points(), e)];
    for i in 1..=n {
        matrix.push(row(columns, [(i, at(i - 1)), (n + i, f0)]));
        image.push((multiply(&at(i - 1), &theta.to_bytes_le()) + at(i)).into());
    }
    let product: Scalar = e.iter().map(|e| *e - theta).product();
    matrix.push(row(columns, [(2 * n + 1, f0)]));
    image.push((G1Projective::from(at(n)) - multiply(&at(0), &product.to_bytes_le())).into());
    Relation { matrix, image, first: proof.first.points().to_vec(), challenge, responses: claim.responses().to_vec() }
}

/// The relation of a column proof: columns q, e' (n), u.
pub fn column(claim: &ColumnClaim<'_>) -> Relation {
    let (shuffle, x, y, proof) = claim.parts();
    let (e, challenge) = claim.challenges();
    let n = x.rows();
    let columns = n + 2;
    let bases = shuffle.generators.bases().iter().enumerate().map(|(j, base)| (1 + j, *base));
    let mut matrix = vec![row(columns, [(0, *shuffle.generators.blinding())].into_iter().chain(bases))];
    let mut image = vec![weighted(shuffle.commitment.points(), e)];
    for l in 0..x.width() {
        let entries = (0..n).map(|j| (1 + j, y.at(j, l)));
        matrix.push(row(columns, entries.chain([(n + 1, -shuffle.keys.row().at(0, l))])));
        image.push(weighted(x.column(l).points(), e));
    }
    Relation { matrix, image, first: proof.first.points().to_vec(), challenge, responses: claim.responses().to_vec() }
}

/// The relation of a decryption proof: a column a key.
pub fn decryption(claim: &DecryptionClaim<'_>) -> Relation {
    let (statement, decryption) = claim.parts();
    let (delta, challenge) = claim.challenges();
    let keys = statement.key_shares.width();
    let combined = weighted(statement.first.points(), delta);
    let (mut matrix, mut image) = (Vec::new(), Vec::new());
    for l in 0..keys {
        matrix.push(row(keys, [(l, G1Affine::generator())]));
        image.push(statement.key_shares.at(0, l));
        matrix.push(row(keys, [(l, combined)]));
        image.push(weighted(decryption.shares.column(l).points(), delta));
    }
    let first = decryption.first.points().to_vec();
    Relation { matrix, image, first, challenge, responses: claim.responses().to_vec() }
}

/// The relation of a zero test: a column a target.
pub fn zero_test(claim: &ZeroTestClaim<'_>) -> Relation {
    let (before, test) = claim.parts();
    let targets = before.rows();
    let places = || (0..targets).flat_map(|j| [(j, 0), (j, 1)]);
    let matrix = places().map(|(j, l)| row(targets, [(j, before.at(j, l))])).collect();
    let image = places().map(|(j, l)| test.after.at(j, l)).collect();
    let first = test.first.points().to_vec();
    Relation { matrix, image, first, challenge: claim.challenge(), responses: claim.responses().to_vec() }
}

//! Sharing a key among m servers so that any t of them can use it (Shamir), with commitments to the
//! polynomial by which every share is checked (Feldman).

use aardvark_algebra::ff::Field;
use aardvark_algebra::group::Group;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::parallel::prelude::*;
use aardvark_algebra::{G1Affine, G1Projective, Scalar, Threads, batch_to_affine, multiply_each, multiply_secret};

use crate::secret::{Secrets, Seed};
use crate::transcript::Digest;

/// A polynomial of degree t - 1 whose value at 0 is the shared secret.
#[derive(Clone, Debug)]
pub struct SecretPolynomial(Secrets);

impl SecretPolynomial {
    /// The polynomial of t coefficients that follows from a seed.
    pub fn derive(seed: &Seed, label: &str, statement: &Digest, threshold: usize) -> Self {
        Self(seed.scalars(label, statement, threshold))
    }

    /// The polynomial with these coefficients, that of X^0 first.
    pub fn new(coefficients: Secrets) -> Self {
        Self(coefficients)
    }

    /// The share of a server: f(k).
    pub fn share(&self, server: u16) -> Scalar {
        let at = Scalar::from(u64::from(server));
        self.0.iter().rev().fold(Scalar::ZERO, |sum, coefficient| sum * at + coefficient)
    }

    /// A_a = `f[a]` G.
    pub fn commit(&self) -> Vec<G1Affine> {
        self.0.iter().flat_map(|secret| multiply_secret(&[G1Affine::generator()], secret)).collect()
    }
}

/// Σ_a k^a A_a: the public half of a server's share.
pub fn public_share(commitments: &[G1Affine], server: u16) -> G1Affine {
    let at = Scalar::from(u64::from(server));
    let sum = commitments.iter().rev().fold(G1Projective::identity(), |sum, point| sum * at + point);
    sum.into()
}

/// Whether f(k) G = Σ_a k^a A_a.
#[must_use]
pub fn share_holds(commitments: &[G1Affine], server: u16, share: &Scalar) -> bool {
    multiply_secret(&[G1Affine::generator()], share).first() == Some(&public_share(commitments, server))
}

/// λ_k for each of these servers: Σ λ_k f(k) = f(0) for every f of a degree below their number.
/// `None` if two are the same, or one is 0.
pub fn lagrange(servers: &[u16]) -> Option<Vec<Scalar>> {
    let factor = |k: u16| {
        let others = servers.iter().filter(|other| **other != k);
        let at = |server: u16| Scalar::from(u64::from(server));
        others.map(|other| Option::<Scalar>::from((at(*other) - at(k)).invert()).map(|i| i * at(*other))).product()
    };
    let different = (1..servers.len()).all(|i| !servers.iter().take(i).any(|other| servers.get(i) == Some(other)));
    let legal = different && servers.iter().all(|server| *server != 0);
    legal.then(|| servers.iter().map(|k| factor(*k)).collect::<Option<_>>()).flatten()
}

/// Σ λ_k S_k for the same place of several servers' lists, as far as the shortest goes.
///
/// The coefficients of a few servers are mostly small: 4, -6, 4, -1 for the first four. Then a
/// place takes a few doublings and additions, where it would take as many multiplications as
/// servers.
pub(crate) fn interpolate(weights: &[Scalar], shares: &[&[G1Affine]]) -> Vec<G1Affine> {
    let places = shares.iter().map(|shares| shares.len()).min().unwrap_or(0);
    let small: Option<Vec<(bool, u64)>> = weights.iter().map(small_integer).collect();
    let sums: Vec<G1Projective> = match small {
        Some(small) => (0..places).into_par_iter().map(|place| small_sum(&small, shares, place)).collect(),
        None => {
            let mut sums = vec![G1Projective::identity(); places];
            for (weight, shares) in weights.iter().zip(shares) {
                let products = multiply_each(shares, &vec![*weight; places], Threads::All);
                sums.iter_mut().zip(&products).for_each(|(sum, product)| *sum += product);
            }
            sums
        }
    };
    batch_to_affine(&sums)
}

/// Whether a scalar is negative, and its absolute value, where that has at most 64 bits.
fn small_integer(scalar: &Scalar) -> Option<(bool, u64)> {
    let absolute = |scalar: &Scalar| {
        let (low, high) = scalar.to_bytes_le().split_first_chunk::<8>().map(|(low, high)| (*low, high.to_vec()))?;
        high.iter().all(|byte| *byte == 0).then(|| u64::from_le_bytes(low))
    };
    let positive = absolute(scalar).map(|integer| (false, integer));
    positive.or_else(|| absolute(&-scalar).map(|integer| (true, integer)))
}

/// Σ k_i P_i of one place, bit by bit for all together.
fn small_sum(weights: &[(bool, u64)], shares: &[&[G1Affine]], place: usize) -> G1Projective {
    let bits = weights.iter().map(|(_, integer)| u64::BITS - integer.leading_zeros()).max().unwrap_or(0);
    (0..bits).rev().fold(G1Projective::identity(), |sum, bit| {
        let chosen = weights.iter().zip(shares).filter(|((_, integer), _)| integer >> bit & 1 == 1);
        let points = chosen.filter_map(|((negative, _), shares)| Some((*negative, shares.get(place)?)));
        points.fold(sum.double(), |sum, (negative, point)| if negative { sum - point } else { sum + point })
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing)]

    use super::*;
    use crate::secret::Secrets;

    /// By double and add.
    fn slow(weights: &[Scalar], shares: &[&[G1Affine]]) -> Vec<G1Affine> {
        let place = |place: usize| {
            let products = weights.iter().zip(shares).map(|(weight, shares)| shares[place] * weight);
            products.fold(G1Projective::identity(), |sum, product| sum + product).into()
        };
        (0..shares[0].len()).map(place).collect()
    }

    #[test]
    fn interpolation_by_small_integers_and_by_others_is_the_sum_of_multiples() {
        let polynomial = SecretPolynomial::new(Secrets::new((5..9).map(Scalar::from).collect()));
        // Small integers; with a denominator of 3; 0 or one server; the same point everywhere.
        let cases: [&[u16]; 5] = [&[1, 2, 3, 4], &[1, 2, 4], &[4, 1, 255], &[7], &[]];
        for servers in cases {
            let weights = lagrange(servers).unwrap();
            let lists: Vec<Vec<G1Affine>> = servers
                .iter()
                .map(|server| (0..3).map(|row| public_share(&polynomial.commit(), server * 5 + row)).collect())
                .collect();
            let shares: Vec<&[G1Affine]> = lists.iter().map(Vec::as_slice).collect();
            let expected = if servers.is_empty() { Vec::new() } else { slow(&weights, &shares) };
            assert_eq!(interpolate(&weights, &shares), expected);
        }
        let small = lagrange(&[1, 2, 3, 4]).unwrap();
        let found: Vec<_> = small.iter().map(|weight| small_integer(weight).unwrap()).collect();
        assert_eq!(found, [(false, 4), (true, 6), (false, 4), (true, 1)]);
        assert_eq!(small_integer(&lagrange(&[1, 2, 4]).unwrap()[0]), None);
    }
}

//! Sharing a key among m servers so that any t of them can use it (Shamir), with commitments to the
//! polynomial by which every share is checked (Feldman).

use aardvark_algebra::ff::Field;
use aardvark_algebra::group::Group;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{G1Affine, G1Projective, Scalar, batch_to_affine, multiply_secret};

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

    /// A_a = f[a] G.
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

/// Σ λ_k S_k for the same row of several servers' lists.
pub(crate) fn interpolate(weights: &[Scalar], shares: &[Vec<G1Affine>]) -> Vec<G1Affine> {
    let rows = shares.iter().map(Vec::len).min().unwrap_or(0);
    let mut sums = vec![G1Projective::identity(); rows];
    for (weight, shares) in weights.iter().zip(shares) {
        sums.iter_mut().zip(shares).for_each(|(sum, share)| *sum += *share * weight);
    }
    batch_to_affine(&sums)
}

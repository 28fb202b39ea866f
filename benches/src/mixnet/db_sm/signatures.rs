//! Boneh–Boyen signatures of scalars: σ = 1 / (x + v) G, true iff e(σ, y + v G2) = e(G, G2).

use aardvark_algebra::ff::Field;
use aardvark_algebra::group::Curve;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::pairing::{MillerLoopResult, MultiMillerLoop};
use aardvark_algebra::table::Term;
use aardvark_algebra::{
    Bls12, FixedBaseTable, G1Affine, G2Affine, G2Prepared, Gt, Scalar, msm, pairings_equal, scalar_from_u128,
};
use aardvark_sigma::transcript::coefficients;
use aardvark_sigma::{List, Secrets, Seed};

use crate::error::{BenchError, require};

/// Bits of a window of the generator's table.
const WINDOW: usize = 10;

/// A querier that signs.
pub struct Signer {
    secret: Secrets,
    /// Its public key.
    pub key: PublicKey,
}

/// y = x G2.
pub struct PublicKey {
    prepared: G2Prepared,
    generator: G2Prepared,
}

impl PublicKey {
    /// e(p, G2).
    pub fn pair_with_generator(&self, p: &G1Affine) -> Gt {
        Bls12::multi_miller_loop(&[(p, &self.generator)]).final_exponentiation()
    }

    /// Whether e(p, G2) = e(q, y).
    pub fn relates(&self, p: &G1Affine, q: &G1Affine) -> bool {
        pairings_equal(p, &self.generator, q, &self.prepared)
    }

    /// e(p, G2) - e(q, y), in the target group, which is written as a sum.
    pub fn difference(&self, p: &G1Affine, q: &G1Affine) -> Gt {
        Bls12::multi_miller_loop(&[(p, &self.generator), (&-q, &self.prepared)]).final_exponentiation()
    }
}

impl Signer {
    /// The signer of a seed.
    pub fn new(seed: &Seed) -> Self {
        let secret = seed.scalars("signer", &[0; 32], 1);
        let x = secret.first().copied().unwrap_or(Scalar::ONE);
        let public: G2Affine = (G2Affine::generator() * x).to_affine();
        let key = PublicKey { prepared: public.into(), generator: G2Affine::generator().into() };
        Self { secret, key }
    }

    /// Signatures of the values of the chosen rows.
    pub fn sign(&self, values: &[Scalar], chosen: &[bool]) -> Signatures {
        let x = self.secret.first().copied().unwrap_or(Scalar::ONE);
        let rows: Vec<usize> = chosen.iter().enumerate().filter(|(_, asked)| **asked).map(|(row, _)| row).collect();
        let inverse = |value: Scalar| Option::<Scalar>::from((x + value).invert()).unwrap_or(Scalar::ONE);
        let terms: Vec<Term> = rows.iter().filter_map(|row| Some((0, inverse(*values.get(*row)?)))).collect();
        let runs: Vec<(G1Affine, &[Term])> = terms.chunks(1).map(|term| (G1Affine::identity(), term)).collect();
        let table = FixedBaseTable::new(&[G1Affine::generator()], WINDOW);
        Signatures { list: List::computed(table.add_multiples(&runs), 1), rows }
    }
}

/// Signatures of the values of some rows.
#[derive(Clone)]
pub struct Signatures {
    /// One point each.
    pub list: List,
    /// Whose values they sign, ascending.
    pub rows: Vec<usize>,
}

impl Signatures {
    /// As they travel.
    pub fn encode(&self) -> Vec<u8> {
        self.list.encode()
    }

    /// Read from bytes, for rows that everybody knows.
    pub fn decode(bytes: &[u8], rows: &[usize]) -> Result<Self, BenchError> {
        let list = List::decode(bytes, rows.len(), 1).map_err(|error| BenchError::Wrong(error.to_string()))?;
        Ok(Self { list, rows: rows.to_vec() })
    }

    /// Checks all signatures as one product of pairings.
    pub fn check(&self, key: &PublicKey, values: &[Scalar]) -> Result<(), BenchError> {
        let weights: Vec<Scalar> =
            coefficients(&self.list.digest(), self.list.rows()).into_iter().map(scalar_from_u128).collect();
        let weighted =
            weights.iter().zip(&self.rows).map(|(w, row)| *w * values.get(*row).copied().unwrap_or_default());
        // Σ w (G - v σ) beside G2, Σ w σ beside y.
        let scaled: Vec<Scalar> = weighted.map(|weight| -weight).collect();
        let left = G1Affine::generator() * weights.iter().sum::<Scalar>() + msm(self.list.points(), &scaled);
        let right = msm(self.list.points(), &weights);
        require(key.relates(&left.to_affine(), &right.to_affine()), || "a signature is false".to_owned())
    }

    /// For each of so many rows its signature, infinity where there is none.
    pub fn of_rows(&self, count: usize) -> Vec<G1Affine> {
        let mut all = vec![G1Affine::identity(); count];
        for (row, point) in self.rows.iter().zip(self.list.points()) {
            if let Some(place) = all.get_mut(*row) {
                *place = *point;
            }
        }
        all
    }
}

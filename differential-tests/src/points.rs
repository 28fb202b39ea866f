//! Openings as points whose discrete logarithm the tests know.
//!
//! The specification sees an opening as an exponent, the implementation sees 48 bytes. [`Points`]
//! makes bytes from exponents and remembers them, so that a block's bytes translate back. Bytes
//! that nobody made here (mutated ones) are classified by [`crate::opening_rule`], which knows
//! nothing of the implementation's decoder.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::OnceLock;

use aardvark_algebra::ff::Field;
use aardvark_algebra::group::{Curve, Group};
use aardvark_algebra::{G1Affine, G1Projective, Scalar, hash_to_scalar, is_in_subgroup};

use crate::opening_rule::{self, Encoding};

/// Bytes of an opening or commitment.
pub type PointBytes = [u8; 48];

/// What the bytes of an opening are to the specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// They break the format's rule.
    Malformed,
    /// A point whose component in the subgroup has this discrete logarithm.
    Exponent(Scalar),
}

/// The bytes made so far, with their discrete logarithms.
#[derive(Debug, Default)]
pub struct Points {
    known: RefCell<HashMap<PointBytes, Scalar>>,
    encoded: RefCell<HashMap<[u8; 32], PointBytes>>,
}

impl Points {
    /// The encoding of `exponent * g1`.
    pub fn opening(&self, exponent: Scalar) -> PointBytes {
        let encoded = self.encoded.borrow().get(&exponent.to_bytes_le()).copied();
        encoded.unwrap_or_else(|| {
            let bytes = self.remember(multiple_of_generator(&exponent).to_affine(), exponent);
            self.encoded.borrow_mut().insert(exponent.to_bytes_le(), bytes);
            bytes
        })
    }

    /// The encoding of a point with this exponent, and T of small order added: it verifies exactly
    /// as without T.
    pub fn opening_with_torsion(&self, exponent: Scalar) -> PointBytes {
        // What stands for an exponent may have a component outside of the subgroup already.
        let point = Option::<G1Affine>::from(G1Affine::from_compressed_unchecked(&self.opening(exponent)));
        let point = point.expect("an encoding that was made here, or learned with its exponent");
        self.remember((G1Projective::from(point) + torsion_point()).to_affine(), exponent)
    }

    /// Takes a point of another setup, whose secret nobody knows, to stand for an exponent. The
    /// first one that does is the encoding from then on.
    pub fn stand_for(&self, bytes: PointBytes, exponent: Scalar) {
        self.learn(bytes, exponent);
        self.encoded.borrow_mut().entry(exponent.to_bytes_le()).or_insert(bytes);
    }

    /// Takes the word of someone who knows an exponent.
    pub fn learn(&self, bytes: PointBytes, exponent: Scalar) {
        self.known.borrow_mut().insert(bytes, exponent);
    }

    /// What bytes mean. The exponent of a point that nobody made here is not known; in its place
    /// stands a hash of its bytes, which is as false as the point's own: each claim is true of one
    /// exponent only, and neither is chosen after the claim.
    pub fn meaning(&self, bytes: &PointBytes) -> Meaning {
        if let Some(exponent) = self.known.borrow().get(bytes) {
            return Meaning::Exponent(*exponent);
        }
        match opening_rule::classify(bytes) {
            Encoding::Malformed(_) => Meaning::Malformed,
            Encoding::Infinity => Meaning::Exponent(Scalar::ZERO),
            Encoding::Point => Meaning::Exponent(self.of_unknown_point(bytes)),
        }
    }

    fn of_unknown_point(&self, bytes: &PointBytes) -> Scalar {
        let mut opposite = *bytes;
        opposite[0] ^= 0x20;
        match self.known.borrow().get(&opposite) {
            Some(exponent) => -exponent,
            None => hash_to_scalar(bytes, b"DIFFERENTIAL-TESTS-UNKNOWN-POINT"),
        }
    }

    fn remember(&self, point: G1Affine, exponent: Scalar) -> PointBytes {
        let bytes = point.to_compressed();
        self.known.borrow_mut().insert(bytes, exponent);
        bytes
    }
}

/// `exponent * g1` from a table of the multiples of g1 by a byte at every place.
pub fn multiple_of_generator(exponent: &Scalar) -> G1Projective {
    static TABLE: OnceLock<Vec<[G1Affine; 256]>> = OnceLock::new();
    let table = TABLE.get_or_init(generator_table);
    exponent
        .to_bytes_le()
        .iter()
        .zip(table)
        .fold(G1Projective::identity(), |sum, (digit, row)| sum + row[usize::from(*digit)])
}

fn generator_table() -> Vec<[G1Affine; 256]> {
    let mut base = G1Projective::generator();
    let mut rows = Vec::with_capacity(32);
    for _ in 0..32 {
        let mut row = [G1Affine::default(); 256];
        let mut multiple = G1Projective::identity();
        for entry in &mut row {
            *entry = multiple.to_affine();
            multiple += base;
        }
        rows.push(row);
        base = multiple;
    }
    rows
}

/// A point T of the curve, not the identity, whose order divides the cofactor: r times a point
/// outside of the subgroup.
pub fn torsion_point() -> G1Projective {
    static POINT: OnceLock<G1Projective> = OnceLock::new();
    *POINT.get_or_init(|| {
        let outside = point_outside_subgroup();
        // r - 1 by double and add: multiplication by a `Scalar` uses the endomorphism, which is
        // wrong out here.
        let torsion = aardvark_algebra::msm::naive::multiply(&outside, &(-Scalar::ONE).to_bytes_le()) + outside;
        assert!(!bool::from(torsion.is_identity()), "the point has a component outside of the subgroup");
        torsion
    })
}

/// The point of the curve with the least x above 0 that lies outside of the subgroup.
pub fn point_outside_subgroup() -> G1Affine {
    let candidates = (1..=u8::MAX).map(|x| {
        let mut bytes = [0; 48];
        bytes[0] = 0x80;
        bytes[47] = x;
        bytes
    });
    let points = candidates.filter_map(|bytes| Option::<G1Affine>::from(G1Affine::from_compressed_unchecked(&bytes)));
    points
        .into_iter()
        .find(|point| !is_in_subgroup(point))
        .expect("half of all x are on the curve, few in the subgroup")
}

#[cfg(test)]
mod tests {
    use super::*;
    use aardvark_algebra::group::prime::PrimeCurveAffine;

    #[test]
    fn multiples_of_the_generator_are_those_of_the_library() {
        for exponent in [Scalar::ZERO, Scalar::ONE, Scalar::from(256), -Scalar::ONE, Scalar::from(7).invert().unwrap()]
        {
            assert_eq!(multiple_of_generator(&exponent), G1Affine::generator() * exponent);
        }
    }

    #[test]
    fn torsion_changes_the_bytes_and_not_the_meaning() {
        let points = Points::default();
        let (plain, twisted) = (points.opening(Scalar::from(5)), points.opening_with_torsion(Scalar::from(5)));
        assert_ne!(plain, twisted);
        assert_eq!(points.meaning(&plain), points.meaning(&twisted));
        assert!(!is_in_subgroup(&torsion_point().to_affine()));
    }

    #[test]
    fn flipping_the_sign_of_a_known_point_negates_its_exponent() {
        let points = Points::default();
        let mut bytes = points.opening(Scalar::from(5));
        bytes[0] ^= 0x20;
        assert_eq!(points.meaning(&bytes), Meaning::Exponent(-Scalar::from(5)));
    }
}

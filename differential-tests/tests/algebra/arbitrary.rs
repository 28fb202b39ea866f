//! What the laws are tried on.

use aardvark_algebra::ff::Field;
use aardvark_algebra::{Scalar, hash_to_scalar, scalar_from_u128};
use aardvark_commitment::SchemeKind;
use differential_tests::setting::{ALPHABET, Setting};
use quickcheck::{Arbitrary, Gen};

/// A scalar, often one at an edge.
#[derive(Clone, Copy, Debug)]
pub struct AnyScalar(pub Scalar);

impl Arbitrary for AnyScalar {
    fn arbitrary(g: &mut Gen) -> Self {
        let edges = [Scalar::ZERO, Scalar::ONE, -Scalar::ONE, scalar_from_u128(u128::MAX), Scalar::from(u64::MAX)];
        let random = hash_to_scalar(&u64::arbitrary(g).to_be_bytes(), b"ARBITRARY");
        Self(*g.choose(&[edges.as_slice(), &[random; 10]].concat()).unwrap())
    }
}

/// A key of the histories' alphabet, or no bytes.
#[derive(Clone, Debug)]
pub struct AnyKey(pub Vec<u8>);

impl Arbitrary for AnyKey {
    fn arbitrary(g: &mut Gen) -> Self {
        let alphabet: Vec<&[u8]> = ALPHABET.iter().copied().chain([b"".as_slice()]).collect();
        Self(g.choose(&alphabet).unwrap().to_vec())
    }
}

/// A setup for both sides, with N = 1, 2, 4 or 8.
#[derive(Clone, Debug)]
pub struct AnySetting(pub Setting);

impl Arbitrary for AnySetting {
    fn arbitrary(g: &mut Gen) -> Self {
        let kind = *g.choose(&SchemeKind::ALL).unwrap();
        Self(Setting::new(kind, *g.choose(&[1, 2, 4, 8]).unwrap(), 0))
    }
}

/// Eight scalars, of which a vector takes the first N.
#[derive(Clone, Debug)]
pub struct AnyVector(pub [Scalar; 8]);

impl Arbitrary for AnyVector {
    fn arbitrary(g: &mut Gen) -> Self {
        Self([(); 8].map(|()| AnyScalar::arbitrary(g).0))
    }
}

//! Commitments and openings as bytes: what is accepted, by whom.
#![allow(clippy::unwrap_used)]

mod common;

use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{DecodeError, G1Affine, scalar_to_bytes};
use aardvark_commitment::{Commitment, Opening, VectorCommitment};
use common::{AnyVector, curve_point, scalar, schemes, shifted, small_torsion, torsion};
use quickcheck::QuickCheck;

const INFINITY: [u8; 48] = {
    let mut bytes = [0; 48];
    bytes[0] = 0xc0;
    bytes
};

#[test]
fn what_a_scheme_makes_round_trips_under_every_rule() {
    fn law(v: AnyVector) -> bool {
        schemes(v.size).iter().all(|scheme| {
            let commitment = scheme.commit(&v.scalars).unwrap();
            let opening = scheme.open(&v.scalars, v.index).unwrap();
            opening.is_in_subgroup()
                && Commitment::from_bytes(&commitment.to_bytes()) == Ok(commitment)
                && Opening::from_bytes(&opening.to_bytes()) == Ok(opening)
                && Opening::from_bytes_strict(&opening.to_bytes()) == Ok(opening)
        })
    }
    QuickCheck::new().tests(30).quickcheck(law as fn(AnyVector) -> bool);
}

#[test]
fn an_opening_with_torsion_follows_the_formats_rule_and_not_the_strict_one() {
    for scheme in schemes(4) {
        let vector = [1, 2, 3, 4].map(aardvark_algebra::Scalar::from);
        let commitment = scheme.commit(&vector).unwrap();
        let honest = scheme.open(&vector, 2).unwrap();
        for by in [torsion(1), small_torsion()] {
            let bytes = shifted(&honest, &by).to_bytes();
            assert_ne!(bytes, honest.to_bytes());
            let opening = Opening::from_bytes(&bytes).unwrap();
            assert!(scheme.verify(&commitment, 2, &vector[2], &opening));
            assert!(!scheme.verify(&commitment, 2, &vector[3], &opening));
            assert!(!opening.is_in_subgroup());
            assert_eq!(Opening::from_bytes_strict(&bytes), Err(DecodeError::NotInSubgroup));
        }
    }
}

#[test]
fn a_commitment_must_lie_in_the_subgroup() {
    for point in [torsion(3), curve_point(4)] {
        let bytes = Opening::from_point_unchecked(point).to_bytes();
        assert_eq!(Commitment::from_bytes(&bytes), Err(DecodeError::NotInSubgroup));
    }
}

#[test]
fn malformed_bytes_are_refused_by_all_rules_for_one_reason() {
    let with = |change: &[(usize, u8)]| {
        let mut bytes = INFINITY;
        change.iter().for_each(|(place, byte)| bytes[*place] = *byte);
        bytes
    };
    let off_curve = (1..=255)
        .map(|x| with(&[(0, 0x80), (47, x)]))
        .find(|bytes| Opening::from_bytes(bytes) == Err(DecodeError::NotOnCurve))
        .unwrap();
    let cases = [
        ("infinity with a bit at the end", with(&[(47, 1)]), DecodeError::NotCanonical),
        ("infinity with the sign flag", with(&[(0, 0xe0)]), DecodeError::NotCanonical),
        ("infinity with a bit in the first byte", with(&[(0, 0xc1)]), DecodeError::NotCanonical),
        ("infinity without the compressed flag", with(&[(0, 0x40)]), DecodeError::NotCanonical),
        ("all zeros", [0; 48], DecodeError::NotCanonical),
        ("all ones", [0xff; 48], DecodeError::NotCanonical),
        ("x beyond the modulus", [0x9f; 48], DecodeError::NotCanonical),
        ("x = 0", with(&[(0, 0x80)]), DecodeError::ZeroX),
        ("x = 0, the other root", with(&[(0, 0xa0)]), DecodeError::ZeroX),
        ("off the curve", off_curve, DecodeError::NotOnCurve),
    ];
    for (name, bytes, reason) in cases {
        assert_eq!(Opening::from_bytes(&bytes), Err(reason), "{name}");
        assert_eq!(Opening::from_bytes_strict(&bytes), Err(reason), "{name}");
        assert_eq!(Commitment::from_bytes(&bytes), Err(reason), "{name}");
    }
}

#[test]
fn random_bytes_decode_to_their_own_encoding_or_not_at_all() {
    fn law(seed: u64, flags: u8) -> bool {
        let mut bytes = INFINITY;
        bytes[..16].copy_from_slice(&scalar_to_bytes(&scalar(seed))[16..]);
        bytes[16..].copy_from_slice(&scalar_to_bytes(&scalar(!seed)));
        // Half of the first bytes are of the kind that may decode.
        bytes[0] = if flags < 0x80 { 0x80 | (bytes[0] & 0x2f) } else { flags };
        match (Opening::from_bytes(&bytes), Opening::from_bytes_strict(&bytes)) {
            (Ok(opening), Ok(strict)) => opening == strict && opening.to_bytes() == bytes,
            (Ok(opening), Err(reason)) => {
                opening.to_bytes() == bytes && reason == DecodeError::NotInSubgroup && !opening.is_in_subgroup()
            }
            (Err(loose), Err(strict)) => loose == strict && Commitment::from_bytes(&bytes) == Err(strict),
            (Err(_), Ok(_)) => false,
        }
    }
    QuickCheck::new().tests(500).quickcheck(law as fn(u64, u8) -> bool);
}

#[test]
fn points_print_as_hex() {
    assert_eq!(Commitment::identity().to_bytes(), INFINITY);
    assert_eq!(Opening::from_bytes(&INFINITY), Ok(Opening::identity()));
    let printed = format!("{:?}", Commitment::from_point_unchecked(G1Affine::generator()));
    assert!(printed.starts_with("Commitment(0x97f1d3a73197d794"), "{printed}");
    assert!(format!("{:?}", Opening::identity()).starts_with("Opening(0xc00000"));
}

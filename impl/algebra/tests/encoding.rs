//! What decodes, what does not, and why.
#![allow(clippy::unwrap_used)]

mod common;

use aardvark_algebra::encoding::{
    decode_g1_uncompressed, decode_g1_uncompressed_trusted, decode_g1_words_trusted, encode_g1_uncompressed,
    encode_g1_words, scalar_from_u128,
};
use aardvark_algebra::ff::Field;
use aardvark_algebra::group::Curve;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{
    DecodeError, G1Affine, G2Affine, Scalar, decode_g1, decode_g2, decode_opening, encode_g1, encode_g2,
    is_in_subgroup, scalar_from_bytes, scalar_to_bytes,
};
use common::{AnyPoint, AnyScalar, curve_point, small_torsion, subgroup_point, torsion};
use quickcheck::quickcheck;

/// The field's modulus p, big-endian.
const MODULUS: &str =
    "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab";
/// The group order r, big-endian.
const ORDER: &str = "73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001";

fn array<const N: usize>(hex: &str) -> [u8; N] {
    hex::decode(hex).unwrap().try_into().unwrap()
}

/// The compressed encoding with these flags of a small x.
fn small_x(flags: u8, x: u8) -> [u8; 48] {
    let mut bytes = [0; 48];
    bytes[0] = flags;
    bytes[47] = x;
    bytes
}

quickcheck! {
    fn scalars_round_trip(scalar: AnyScalar) -> bool {
        scalar_from_bytes(&scalar_to_bytes(&scalar.0)) == Ok(scalar.0)
    }

    fn points_of_the_curve_round_trip(point: AnyPoint) -> bool {
        let zero_x = point.0 == small_torsion(3) || point.0 == -small_torsion(3);
        let expected = if zero_x { Err(DecodeError::ZeroX) } else { Ok(point.0) };
        decode_opening(&encode_g1(&point.0)) == expected
            && decode_g1_uncompressed_trusted(&encode_g1_uncompressed(&point.0)) == expected
            && decode_g1_uncompressed(&encode_g1_uncompressed(&point.0)) == expected
    }

    fn points_of_the_subgroup_decode_strictly_and_others_do_not(point: AnyPoint) -> bool {
        let decoded = decode_g1(&encode_g1(&point.0));
        decoded.is_ok() == is_in_subgroup(&point.0)
    }

    fn what_decodes_encodes_back_to_the_same_bytes(seed: u64, flags: u8) -> bool {
        let mut bytes = encode_g1(&curve_point(seed));
        bytes[0] = (bytes[0] & 0x1f) | (flags & 0xe0);
        decode_opening(&bytes).is_ok_and(|point| encode_g1(&point) == bytes)
            || (flags & 0xe0 != 0x80 && flags & 0xe0 != 0xa0)
    }

    fn integers_of_128_bits_become_their_scalars(high: u64, low: u64) -> bool {
        let integer = (u128::from(high) << 64) | u128::from(low);
        let mut bytes = [0; 32];
        bytes[16..].copy_from_slice(&integer.to_be_bytes());
        scalar_from_bytes(&bytes) == Ok(scalar_from_u128(integer))
    }
}

#[test]
fn the_group_order_and_what_is_above_it_are_no_scalars() {
    let order: [u8; 32] = array(ORDER);
    let mut above = order;
    above[31] += 1;
    for bytes in [order, above, [0xff; 32]] {
        assert_eq!(scalar_from_bytes(&bytes), Err(DecodeError::ScalarNotCanonical));
    }
    let mut below = order;
    below[31] -= 1;
    assert_eq!(scalar_from_bytes(&below), Ok(-Scalar::ONE));
    assert_eq!(scalar_from_bytes(&[0; 32]), Ok(Scalar::ZERO));
}

#[test]
fn the_generator_has_its_well_known_encoding() {
    let bytes: [u8; 48] =
        array("97f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb");
    assert_eq!(encode_g1(&G1Affine::generator()), bytes);
    assert_eq!(decode_g1(&bytes), Ok(G1Affine::generator()));
}

#[test]
fn infinity_has_one_encoding() {
    let infinity = small_x(0xc0, 0);
    assert_eq!(encode_g1(&G1Affine::identity()), infinity);
    assert_eq!(decode_opening(&infinity), Ok(G1Affine::identity()));
    assert_eq!(decode_g1(&infinity), Ok(G1Affine::identity()));
    for (flags, x) in [(0xc0, 1), (0xe0, 0), (0xc1, 0), (0x40, 0), (0xd0, 0), (0x60, 0)] {
        let refused = decode_opening(&small_x(flags, x));
        assert_eq!(refused, Err(DecodeError::NotCanonical), "flags {flags:02x} x {x}");
    }
}

#[test]
fn an_encoding_without_the_compressed_flag_is_refused() {
    let mut bytes = encode_g1(&subgroup_point(1));
    bytes[0] &= 0x7f;
    assert_eq!(decode_opening(&bytes), Err(DecodeError::NotCanonical));
    assert_eq!(decode_g1(&bytes), Err(DecodeError::NotCanonical));
}

#[test]
fn a_coordinate_plus_the_modulus_is_refused() {
    let modulus: [u8; 48] = array(MODULUS);
    let x = (1..=255).find(|x| decode_opening(&small_x(0x80, *x)).is_ok()).unwrap();
    let mut bytes = modulus;
    let (sum, carry) = bytes[47].overflowing_add(x);
    bytes[47] = sum;
    bytes[46] += u8::from(carry);
    bytes[0] |= 0x80;
    assert_eq!(decode_opening(&bytes), Err(DecodeError::NotCanonical));
    let mut zero = modulus;
    zero[0] |= 0x80;
    assert_eq!(decode_opening(&zero), Err(DecodeError::NotCanonical));
    assert_eq!(decode_opening(&[0xbf; 48]), Err(DecodeError::NotCanonical));
}

#[test]
fn both_points_with_x_zero_are_refused() {
    for flags in [0x80, 0xa0] {
        assert_eq!(decode_opening(&small_x(flags, 0)), Err(DecodeError::ZeroX));
        assert_eq!(decode_g1(&small_x(flags, 0)), Err(DecodeError::ZeroX));
    }
}

#[test]
fn an_x_that_no_point_has_is_refused() {
    let refused = (1..=255).filter(|x| decode_opening(&small_x(0x80, *x)).is_err());
    let errors: Vec<_> = refused.map(|x| decode_opening(&small_x(0x80, x))).collect();
    assert!(errors.len() > 64, "about half of all x are on no point");
    assert!(errors.iter().all(|error| *error == Err(DecodeError::NotOnCurve)));
}

#[test]
fn a_point_outside_the_subgroup_is_an_opening_and_no_commitment() {
    let shifted = (subgroup_point(5).to_curve() + torsion(6)).to_affine();
    for point in [shifted, torsion(7), small_torsion(11), curve_point(8)] {
        assert_eq!(decode_opening(&encode_g1(&point)), Ok(point));
        assert_eq!(decode_g1(&encode_g1(&point)), Err(DecodeError::NotInSubgroup));
    }
}

#[test]
fn a_cache_entry_must_be_uncompressed_canonical_and_on_the_curve() {
    let point = subgroup_point(9);
    let mut compressed = [0; 96];
    compressed[..48].copy_from_slice(&encode_g1(&point));
    assert_eq!(decode_g1_uncompressed_trusted(&compressed), Err(DecodeError::NotCanonical));
    let mut moved = encode_g1_uncompressed(&point);
    moved[95] ^= 1;
    assert_eq!(decode_g1_uncompressed_trusted(&moved), Err(DecodeError::NotOnCurve));
    assert_eq!(decode_g1_uncompressed_trusted(&[0x1f; 96]), Err(DecodeError::NotCanonical));
}

#[test]
fn points_of_g2_round_trip_and_off_curve_bytes_are_refused() {
    let point = (G2Affine::generator() * Scalar::from(77)).to_affine();
    assert_eq!(decode_g2(&encode_g2(&point)), Ok(point));
    assert_eq!(decode_g2(&encode_g2(&G2Affine::identity())), Ok(G2Affine::identity()));
    let outcomes: Vec<_> = (1..=64u8)
        .map(|x| {
            let mut bytes = [0; 96];
            (bytes[0], bytes[95]) = (0x80, x);
            decode_g2(&bytes)
        })
        .collect();
    assert!(outcomes.contains(&Err(DecodeError::NotOnCurve)));
    assert!(outcomes.contains(&Err(DecodeError::NotInSubgroup)));
    assert!(outcomes.iter().all(Result::is_err));
}

#[test]
fn words_of_a_point_decode_to_it_and_others_are_refused() {
    for point in [G1Affine::identity(), G1Affine::generator(), -G1Affine::generator()] {
        assert_eq!(decode_g1_words_trusted(&encode_g1_words(&point)), Ok(point));
    }
    let words = encode_g1_words(&G1Affine::generator());
    for byte in 0..words.len() {
        let mut flipped = words;
        flipped[byte] ^= 1;
        assert!(decode_g1_words_trusted(&flipped).is_err(), "byte {byte}");
    }
    // x + p is the same residue in other words, and p is 0.
    let mut modulus = array::<48>(MODULUS);
    modulus.reverse();
    let mut unreduced = [0; 96];
    unreduced[..48].copy_from_slice(&modulus);
    assert_eq!(decode_g1_words_trusted(&unreduced), Err(DecodeError::NotCanonical));
    let mut carry = 0;
    let mut larger = words;
    for (byte, p) in larger[48..].iter_mut().zip(modulus) {
        let sum = u16::from(*byte) + u16::from(p) + carry;
        (*byte, carry) = (sum as u8, sum >> 8);
    }
    assert_eq!((carry, decode_g1_words_trusted(&larger)), (0, Err(DecodeError::NotCanonical)));
}

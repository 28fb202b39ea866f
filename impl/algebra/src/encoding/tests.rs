//! Many are decoded as each alone, whatever their bytes are.

use super::*;
use crate::hash_to_scalar;
use crate::kernel::{Portable, with_each};

/// Encodings of every kind: points, x that no point has, the smallest and largest x around
/// 0 and p, both flags of y, infinity, wrong flags.
fn encodings() -> Vec<[u8; 48]> {
    let uniform = |seed: u64| {
        let mut bytes = [0; 48];
        bytes[..32].copy_from_slice(&hash_to_scalar(&seed.to_be_bytes(), b"x").to_bytes_be());
        bytes[32..].copy_from_slice(&hash_to_scalar(&seed.to_be_bytes(), b"y").to_bytes_be()[..16]);
        bytes[0] = (bytes[0] % 26) | 0x80 | ((seed as u8 & 1) << 5);
        bytes
    };
    let mut encodings: Vec<[u8; 48]> = (0..300).map(uniform).collect();
    let mut modulus = [0; 48];
    modulus.chunks_exact_mut(8).zip(MODULUS.iter().rev()).for_each(|(b, w)| b.copy_from_slice(&w.to_be_bytes()));
    for flags in 0..8u8 {
        for last in 0..24u8 {
            let (mut small, mut large) = ([0; 48], modulus);
            small[47] = last;
            // 0xab, and its neighbours on both sides.
            large[47] = 0xab - 12 + last;
            for mut bytes in [small, large] {
                bytes[0] |= flags << 5;
                encodings.push(bytes);
            }
        }
    }
    encodings
}

fn as_one_by_one<L: Lanes>(lanes: L, encodings: &[[u8; 48]]) {
    let expected: Vec<_> = encodings.iter().map(decode_opening).collect();
    for length in [1, 3, 4, 15, 16] {
        let chunks = encodings.chunks(length).flat_map(|chunk| decode_in_step(lanes, chunk));
        assert!(chunks.eq(expected.iter().copied()), "{length} together");
    }
}

#[test]
fn many_openings_decode_as_each_alone() {
    let encodings = encodings();
    let decoded = decode_openings(&encodings);
    assert!(decoded.iter().any(Result::is_ok) && decoded.contains(&Err(DecodeError::NotOnCurve)));
    assert!(decoded.contains(&Err(DecodeError::ZeroX)) && decoded.contains(&Err(DecodeError::NotCanonical)));
    assert!(decoded.iter().copied().eq(encodings.iter().map(decode_opening)));
    as_one_by_one(Portable, &encodings[200..]);
    with_each!(lanes => as_one_by_one(lanes, &encodings));
}

#[test]
fn many_points_of_the_subgroup_decode_as_each_alone() {
    let encodings = encodings();
    let expected: Vec<_> = encodings.iter().map(decode_g1).collect();
    assert!(expected.iter().any(Result::is_ok) && expected.contains(&Err(DecodeError::NotInSubgroup)));
    assert_eq!(decode_g1_many(&encodings), expected);
    for few in encodings.chunks(3) {
        assert!(decode_g1_many(few).into_iter().eq(few.iter().map(decode_g1)));
    }
}

#[test]
fn many_uncompressed_points_decode_as_each_alone() {
    let points: Vec<G1Affine> = encodings().iter().filter_map(|bytes| decode_opening(bytes).ok()).collect();
    let mut encodings: Vec<_> = points.iter().map(encode_g1_uncompressed).collect();
    // Off the curve, y too large, x too large, flags, x = 0, infinity, a flag of infinity.
    let changed: Vec<_> = encodings
        .iter()
        .take(40)
        .copied()
        .enumerate()
        .map(|(i, mut bytes)| {
            match i % 5 {
                0 => bytes[95] ^= 1,
                1 => bytes[48] |= 0x1f,
                2 => bytes[0] |= 0x1f,
                3 => bytes[0] |= 0x20 << (i / 5 % 3),
                _ => bytes[..48].fill(0),
            }
            bytes
        })
        .collect();
    encodings.extend(changed);
    let mut order_three = [0; 96];
    order_three[95] = 2;
    encodings.extend([order_three, [0; 96], [0xff; 96]]);
    let expected: Vec<_> = encodings.iter().map(decode_g1_uncompressed).collect();
    for error in [DecodeError::NotOnCurve, DecodeError::NotCanonical, DecodeError::ZeroX] {
        assert!(expected.contains(&Err(error)), "{error}");
    }
    assert_eq!(decode_g1_uncompressed_many(&encodings), expected);
    fn in_steps<L: Lanes>(lanes: L, encodings: &[[u8; G1_UNCOMPRESSED_BYTES]]) -> Vec<Result<G1Affine, DecodeError>> {
        let mut decoded = Vec::new();
        encodings.chunks(8).for_each(|step| decode_coordinates_in_step(lanes, step, &mut decoded));
        decoded
    }
    assert_eq!(in_steps(Portable, &encodings), expected);
    with_each!(lanes => assert_eq!(in_steps(lanes, &encodings), expected));
}

//! Scalars and points as bytes.
//!
//! Scalars: 32 bytes, big-endian, below the group order r. Points: the compressed encodings of
//! BLS12-381 that the IETF drafts and Ethereum use, 48 bytes for G1 and 96 for G2: x big-endian,
//! with three flags in its top bits (compressed, infinity, y is the larger root). Each value has
//! exactly one encoding, and only that one decodes.
//!
//! Four rules of acceptance for G1, by what the bytes are for:
//!
//! - [`decode_g1`]: a point of the subgroup of order r. Commitments, and anything that is compared
//!   or hashed. [`decode_g1_many`] does it for many.
//! - [`decode_opening`]: the format's rule for openings (docs/design.md, section 3): on the curve,
//!   x ≠ 0 unless the point at infinity, subgroup **not** required. The reduced pairing annihilates
//!   cofactor torsion in its G1 argument, so nothing is lost, and the subgroup check costs more
//!   than the rest of a batched verification.
//!   [`decode_openings`] does it for many.
//! - [`decode_g1_uncompressed`]: 96 bytes of a point of the curve, of long lists whose subgroup is
//!   checked together ([`mod@crate::subgroup`]). [`decode_g1_uncompressed_many`] does it for many.
//! - [`decode_g1_uncompressed_trusted`], [`decode_g1_words_trusted`]: 96 bytes of a local cache
//!   that we wrote.

use blstrs::{G1Affine, G2Affine, Scalar};
use thiserror::Error;

use crate::ffi::fp::{MODULUS, coordinates, coordinates_mut};
use crate::ffi::{self, Refusal};
use crate::kernel::{self, BothCoordinates, COORDINATES_IN_STEP, Encodings, IN_STEP, Kernel, Lanes, in_lanes};
use crate::membership::{each_in_subgroup, is_in_subgroup};
use crate::parallel::prelude::*;

/// Bytes of a scalar.
pub const SCALAR_BYTES: usize = 32;
/// Bytes of a compressed point of G1.
pub const G1_BYTES: usize = 48;
/// Bytes of an uncompressed point of G1.
pub const G1_UNCOMPRESSED_BYTES: usize = 96;
/// Bytes of a compressed point of G2.
pub const G2_BYTES: usize = 96;
/// Bytes of an uncompressed point of G2.
pub const G2_UNCOMPRESSED_BYTES: usize = 192;

/// Points by both coordinates that one task of rayon decodes.
const DECODED_TOGETHER: usize = 512;

/// The flag in the first byte that tells a compressed encoding from an uncompressed one.
const COMPRESSED_FLAG: u8 = 0x80;
/// The flag in the first byte that names the larger of the two y.
const LARGER_FLAG: u8 = 0x20;
/// All flags.
const FLAGS: u8 = 0xe0;

/// Why bytes are not the encoding of a scalar or point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// The integer is not below the group order r.
    #[error("scalar is not below the group order")]
    ScalarNotCanonical,
    /// Wrong flags, a coordinate not below the field's modulus, or infinity with other bits.
    #[error("bytes are not the canonical encoding of a point")]
    NotCanonical,
    /// No point of the curve has these coordinates.
    #[error("point is not on the curve")]
    NotOnCurve,
    /// One of the two points (0, ±2) of order 3.
    #[error("point has x = 0")]
    ZeroX,
    /// On the curve, but outside the subgroup of order r.
    #[error("point is outside the subgroup of prime order")]
    NotInSubgroup,
}

impl From<Refusal> for DecodeError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::BadEncoding => Self::NotCanonical,
            Refusal::NotOnCurve => Self::NotOnCurve,
            Refusal::ZeroX => Self::ZeroX,
        }
    }
}

/// A scalar as 32 bytes, big-endian.
pub fn scalar_to_bytes(scalar: &Scalar) -> [u8; SCALAR_BYTES] {
    scalar.to_bytes_be()
}

/// The scalar that 32 big-endian bytes encode; the integer must be below the group order.
pub fn scalar_from_bytes(bytes: &[u8; SCALAR_BYTES]) -> Result<Scalar, DecodeError> {
    Option::from(Scalar::from_bytes_be(bytes)).ok_or(DecodeError::ScalarNotCanonical)
}

/// The scalar of a 128-bit integer.
pub fn scalar_from_u128(integer: u128) -> Scalar {
    let limbs = [integer as u64, (integer >> 64) as u64, 0, 0];
    // Below the order, always: 128 bits against 255.
    Option::from(Scalar::from_u64s_le(&limbs)).unwrap_or_default()
}

/// A point of G1 as 48 bytes.
pub fn encode_g1(point: &G1Affine) -> [u8; G1_BYTES] {
    point.to_compressed()
}

/// The point of the subgroup G1 that 48 bytes encode.
pub fn decode_g1(bytes: &[u8; G1_BYTES]) -> Result<G1Affine, DecodeError> {
    let point = ffi::uncompress_g1(bytes)?;
    if !is_in_subgroup(&point) {
        return Err(DecodeError::NotInSubgroup);
    }
    Ok(point)
}

/// [`decode_g1`] of many, on the current rayon pool.
pub fn decode_g1_many(encodings: &[[u8; G1_BYTES]]) -> Vec<Result<G1Affine, DecodeError>> {
    let mut decoded = decode_openings(encodings);
    let on_curve: Vec<G1Affine> = decoded.iter().filter_map(|point| point.as_ref().ok().copied()).collect();
    let of_curve = decoded.iter_mut().filter(|point| point.is_ok());
    for (point, inside) in of_curve.zip(each_in_subgroup(&on_curve)) {
        if !inside {
            *point = Err(DecodeError::NotInSubgroup);
        }
    }
    decoded
}

/// The point that 48 bytes encode, by the format's rule for openings: canonical, on the curve, x ≠
/// 0 unless the point at infinity; any subgroup.
pub fn decode_opening(bytes: &[u8; G1_BYTES]) -> Result<G1Affine, DecodeError> {
    Ok(ffi::uncompress_g1(bytes)?)
}

/// Encodings from which on a step of the kernel costs less than one after the other, or threads are
/// worth it.
const fn fewest_in_step(kernel: Kernel) -> usize {
    match kernel {
        Kernel::Avx512 => 8,
        Kernel::Avx2 => 10,
        _ => 4,
    }
}

/// [`decode_opening`] of many, on the current rayon pool; few are decoded without it, for a process
/// that decodes no more need not start its threads.
pub fn decode_openings(encodings: &[[u8; G1_BYTES]]) -> Vec<Result<G1Affine, DecodeError>> {
    if encodings.len() < fewest_in_step(Kernel::in_use()) {
        return encodings.iter().map(decode_opening).collect();
    }
    let Some(lanes) = kernel::lanes() else {
        return encodings.par_iter().map(decode_opening).collect();
    };
    let in_step = |chunk| in_lanes!(lanes => decode_in_step(lanes, chunk));
    let chunks: Vec<_> = encodings.par_chunks(IN_STEP).map(in_step).collect();
    chunks.concat()
}

/// [`decode_opening`] of at most [`IN_STEP`]. The kernel gets those that it can tell apart by a
/// square root alone: with x in 1..p, compressed, and not infinity. The others are decoded one by
/// one.
fn decode_in_step<L: Lanes>(lanes: L, encodings: &[[u8; G1_BYTES]]) -> Vec<Result<G1Affine, DecodeError>> {
    if encodings.len() < fewest_in_step(Kernel::in_use()) {
        return encodings.iter().map(decode_opening).collect();
    }
    let (mut in_step, mut ours) = (Encodings { x: [[0; 6]; IN_STEP], larger: 0 }, 0u16);
    for (place, (x, bytes)) in in_step.x.iter_mut().zip(encodings).enumerate() {
        let flags = bytes[0] & FLAGS;
        let mut words = integer(bytes);
        words[5] &= u64::MAX >> 3;
        if flags & !LARGER_FLAG == COMPRESSED_FLAG && words != [0; 6] && below_modulus(&words) {
            *x = words;
            ours |= 1 << place;
            in_step.larger |= u16::from(flags & LARGER_FLAG != 0) << place;
        }
    }
    let (points, on_curve) = lanes.run(&in_step);
    let decoded = encodings.iter().zip(points).enumerate().map(|(place, (bytes, point))| match () {
        () if ours >> place & 1 == 0 => decode_opening(bytes),
        () if on_curve >> place & 1 == 0 => Err(DecodeError::NotOnCurve),
        () => Ok(point.into()),
    });
    decoded.collect()
}

/// A big-endian integer as words, the lowest first.
fn integer(bytes: &[u8; G1_BYTES]) -> [u64; 6] {
    let mut words = [0; 6];
    let (chunks, _) = bytes.as_chunks();
    words.iter_mut().rev().zip(chunks).for_each(|(word, bytes)| *word = u64::from_be_bytes(*bytes));
    words
}

/// A point of G1 as 96 bytes, both coordinates.
pub fn encode_g1_uncompressed(point: &G1Affine) -> [u8; G1_UNCOMPRESSED_BYTES] {
    point.to_uncompressed()
}

/// The point that 96 bytes encode: canonical, on the curve, x ≠ 0 unless the point at infinity. The
/// subgroup is **not** checked: many points are checked together, by
/// [`batch_in_subgroup`](crate::subgroup::batch_in_subgroup).
pub fn decode_g1_uncompressed(bytes: &[u8; G1_UNCOMPRESSED_BYTES]) -> Result<G1Affine, DecodeError> {
    decode_g1_uncompressed_trusted(bytes)
}

/// [`decode_g1_uncompressed`] of many, on the current rayon pool; those of one task are decoded
/// without it, for a process that decodes no more need not start its threads.
pub fn decode_g1_uncompressed_many(encodings: &[[u8; G1_UNCOMPRESSED_BYTES]]) -> Vec<Result<G1Affine, DecodeError>> {
    if encodings.len() <= DECODED_TOGETHER {
        return decode_coordinates(encodings);
    }
    let chunks: Vec<_> = encodings.par_chunks(DECODED_TOGETHER).map(decode_coordinates).collect();
    chunks.concat()
}

/// The same on the calling thread.
fn decode_coordinates(encodings: &[[u8; G1_UNCOMPRESSED_BYTES]]) -> Vec<Result<G1Affine, DecodeError>> {
    let Some(lanes) = kernel::lanes() else {
        return encodings.iter().map(decode_g1_uncompressed).collect();
    };
    let mut decoded = Vec::with_capacity(encodings.len());
    for step in encodings.chunks(COORDINATES_IN_STEP) {
        in_lanes!(lanes => decode_coordinates_in_step(lanes, step, &mut decoded));
    }
    decoded
}

/// Adds [`decode_g1_uncompressed`] of at most [`COORDINATES_IN_STEP`]. The kernel gets those whose
/// coordinates are below p, x ≠ 0, and have no flags. The others are decoded one by one.
fn decode_coordinates_in_step<L: Lanes>(
    lanes: L,
    encodings: &[[u8; G1_UNCOMPRESSED_BYTES]],
    decoded: &mut Vec<Result<G1Affine, DecodeError>>,
) {
    let none = [[0; 6]; COORDINATES_IN_STEP];
    let (mut both, mut ours) = (BothCoordinates { x: none, y: none }, 0u8);
    let places = both.x.iter_mut().zip(&mut both.y);
    for (place, (bytes, (in_x, in_y))) in encodings.iter().zip(places).enumerate() {
        let ([x, y], _) = bytes.as_chunks() else { continue };
        // A flag makes x larger than p.
        let (x, y) = (integer(x), integer(y));
        if x != [0; 6] && below_modulus(&x) && below_modulus(&y) {
            (*in_x, *in_y) = (x, y);
            ours |= 1 << place;
        }
    }
    let (points, on_curve) = lanes.run(&both);
    decoded.extend(encodings.iter().zip(points).enumerate().map(|(place, (bytes, point))| match () {
        () if ours >> place & 1 == 0 => decode_g1_uncompressed(bytes),
        () if on_curve >> place & 1 == 0 => Err(DecodeError::NotOnCurve),
        () => Ok(point.into()),
    }));
}

/// Whether the integer of these words, the lowest first, is below p.
fn below_modulus(words: &[u64; 6]) -> bool {
    words.iter().rev().lt(MODULUS.iter().rev())
}

/// The point that 96 bytes of a trusted local file encode: checked to be on the curve, **not** to
/// be in the subgroup.
pub fn decode_g1_uncompressed_trusted(bytes: &[u8; G1_UNCOMPRESSED_BYTES]) -> Result<G1Affine, DecodeError> {
    // blst also takes a compressed point followed by 48 bytes that it ignores.
    if bytes[0] & COMPRESSED_FLAG != 0 {
        return Err(DecodeError::NotCanonical);
    }
    Ok(ffi::deserialize_g1(bytes)?)
}

/// A point of G1 as 96 bytes in the form in which this program computes with it: both coordinates
/// as Montgomery residues, their words little-endian. For local files of very many points: nothing
/// has to be converted.
pub fn encode_g1_words(point: &G1Affine) -> [u8; G1_UNCOMPRESSED_BYTES] {
    let (x, y) = coordinates(point);
    let mut bytes = [0; G1_UNCOMPRESSED_BYTES];
    let words = x.l.iter().chain(&y.l);
    bytes.chunks_exact_mut(8).zip(words).for_each(|(bytes, word)| bytes.copy_from_slice(&word.to_le_bytes()));
    bytes
}

/// The point that [`encode_g1_words`] wrote to a trusted local file: checked to be on the curve,
/// **not** to be in the subgroup.
pub fn decode_g1_words_trusted(bytes: &[u8; G1_UNCOMPRESSED_BYTES]) -> Result<G1Affine, DecodeError> {
    let mut words = [0; 12];
    let (chunks, _) = bytes.as_chunks();
    words.iter_mut().zip(chunks).for_each(|(word, bytes)| *word = u64::from_le_bytes(*bytes));
    let (x, y) = words.split_at(6);
    let reduced = |words: &[u64]| words.iter().rev().lt(MODULUS.iter().rev());
    if !reduced(x) || !reduced(y) {
        return Err(DecodeError::NotCanonical);
    }
    let mut point = G1Affine::default();
    let (to_x, to_y) = coordinates_mut(&mut point);
    to_x.l.copy_from_slice(x);
    to_y.l.copy_from_slice(y);
    let infinity = words == [0; 12];
    if infinity || bool::from(point.is_on_curve()) { Ok(point) } else { Err(DecodeError::NotOnCurve) }
}

/// A point of G2 as 96 bytes.
pub fn encode_g2(point: &G2Affine) -> [u8; G2_BYTES] {
    point.to_compressed()
}

/// The point that 192 bytes of a trusted file encode, both coordinates: checked to be on the twist,
/// **not** to be in the subgroup.
pub fn decode_g2_uncompressed_trusted(bytes: &[u8; G2_UNCOMPRESSED_BYTES]) -> Result<G2Affine, DecodeError> {
    Ok(ffi::deserialize_g2(bytes)?)
}

/// The point of the subgroup G2 that 96 bytes encode.
pub fn decode_g2(bytes: &[u8; G2_BYTES]) -> Result<G2Affine, DecodeError> {
    let point = ffi::uncompress_g2(bytes)?;
    if !bool::from(point.is_torsion_free()) {
        return Err(DecodeError::NotInSubgroup);
    }
    Ok(point)
}

#[cfg(test)]
mod tests;

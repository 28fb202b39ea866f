//! The calls into `blst` that `blstrs` does not offer. Other `unsafe` of the workspace is in the
//! kernel's instances for AVX-512 and AVX2, where two slots are hashed in step, where memory is
//! asked for (`populate.rs`), and in the static program's memory functions (`impl/musl`).
//!
//! `G1Affine`, `G1Projective` and `G2Affine` are `#[repr(transparent)]` wrappers of blst's
//! structures, and hand them out through `AsRef`; slices of the one are therefore slices of the
//! other. The assertions below pin sizes and alignments.
#![allow(unsafe_code)]

mod final_exponentiation;
pub(crate) mod fp;
mod fp12;
pub(crate) mod pairing;

use core::mem::{align_of, size_of};
use core::ptr;

use blst::{
    BLST_ERROR, blst_p1, blst_p1_affine, blst_p1_deserialize, blst_p1_uncompress, blst_p1s_mult_pippenger,
    blst_p1s_mult_pippenger_scratch_sizeof, blst_p1s_to_affine, blst_p2_deserialize, blst_p2_uncompress,
};
use blstrs::{G1Affine, G1Projective, G2Affine};
use group::Group;
use group::prime::PrimeCurveAffine;

const _: () = assert!(size_of::<G1Affine>() == size_of::<blst_p1_affine>());
const _: () = assert!(align_of::<G1Affine>() == align_of::<blst_p1_affine>());
const _: () = assert!(size_of::<G1Projective>() == size_of::<blst_p1>());
const _: () = assert!(align_of::<G1Projective>() == align_of::<blst_p1>());

/// Why blst refused an encoding.
pub(crate) enum Refusal {
    BadEncoding,
    NotOnCurve,
    /// A point of the curve with x = 0, which is outside the subgroup.
    ZeroX,
}

fn accepted<P>(point: P, code: BLST_ERROR) -> Result<P, Refusal> {
    match code {
        BLST_ERROR::BLST_SUCCESS => Ok(point),
        BLST_ERROR::BLST_POINT_NOT_ON_CURVE => Err(Refusal::NotOnCurve),
        BLST_ERROR::BLST_POINT_NOT_IN_GROUP => Err(Refusal::ZeroX),
        _ => Err(Refusal::BadEncoding),
    }
}

/// Decodes 48 bytes to a point of the curve; no subgroup check.
pub(crate) fn uncompress_g1(bytes: &[u8; 48]) -> Result<G1Affine, Refusal> {
    let mut point = G1Affine::identity();
    // SAFETY: the callee reads 48 bytes at `bytes` and writes one blst_p1_affine at `point`.
    let code = unsafe { blst_p1_uncompress(point.as_mut(), bytes.as_ptr()) };
    accepted(point, code)
}

/// Decodes 96 uncompressed bytes to a point of the curve; no subgroup check.
pub(crate) fn deserialize_g1(bytes: &[u8; 96]) -> Result<G1Affine, Refusal> {
    let mut point = G1Affine::identity();
    // SAFETY: the callee reads at most 96 bytes at `bytes` and writes one blst_p1_affine at
    // `point`.
    let code = unsafe { blst_p1_deserialize(point.as_mut(), bytes.as_ptr()) };
    accepted(point, code)
}

/// Decodes 96 bytes to a point of the twist; no subgroup check.
pub(crate) fn uncompress_g2(bytes: &[u8; 96]) -> Result<G2Affine, Refusal> {
    let mut point = G2Affine::identity();
    // SAFETY: the callee reads 96 bytes at `bytes` and writes one blst_p2_affine at `point`.
    let code = unsafe { blst_p2_uncompress(point.as_mut(), bytes.as_ptr()) };
    accepted(point, code)
}

/// Decodes 192 uncompressed bytes to a point of the twist; no subgroup check.
pub(crate) fn deserialize_g2(bytes: &[u8; 192]) -> Result<G2Affine, Refusal> {
    let mut point = G2Affine::identity();
    // SAFETY: the callee reads at most 192 bytes at `bytes` and writes one blst_p2_affine at
    // `point`.
    let code = unsafe { blst_p2_deserialize(point.as_mut(), bytes.as_ptr()) };
    accepted(point, code)
}

/// Fewest points for which blst runs its bucket method, the one whose additions are complete on the
/// whole curve. Below it, blst builds window tables with incomplete additions.
pub(crate) const PIPPENGER_MINIMUM: usize = 32;

/// Σ k_i P_i on this thread by blst's bucket method, k_i below 2^`bits`: little-endian integers of
/// ceil(bits / 8) bytes each, one after the other.
///
/// There are at least [`PIPPENGER_MINIMUM`] points, and as many integers; otherwise `None`.
pub(crate) fn pippenger(points: &[G1Affine], integers: &[u8], bits: usize) -> Option<G1Projective> {
    let fits = points.len().checked_mul(bits.div_ceil(8)) == Some(integers.len());
    if points.len() < PIPPENGER_MINIMUM || bits == 0 || !fits {
        return None;
    }
    let point_list: [*const blst_p1_affine; 2] = [points.as_ptr().cast(), ptr::null()];
    let scalar_list: [*const u8; 2] = [integers.as_ptr(), ptr::null()];
    // SAFETY: pure function of the number of points.
    let scratch_bytes = unsafe { blst_p1s_mult_pippenger_scratch_sizeof(points.len()) };
    let mut scratch = vec![0u64; scratch_bytes.div_ceil(size_of::<u64>())];
    let mut sum = G1Projective::identity();
    // SAFETY: a list [p, null] means contiguous items from p on: points.len() affine points (layout
    // asserted above) and as many scalars of ceil(bits / 8) bytes, which is what `integers` has;
    // the callee reads no further. The scratch area has the size that the callee's companion asks
    // for, and the alignment of its 64-bit limbs. `sum` is one blst_p1. Nothing is kept.
    unsafe {
        blst_p1s_mult_pippenger(
            sum.as_mut(),
            point_list.as_ptr(),
            points.len(),
            scalar_list.as_ptr(),
            bits,
            scratch.as_mut_ptr().cast(),
        );
    }
    Some(sum)
}

/// Affine forms of all points, with one inversion for many.
pub(crate) fn to_affine(points: &[G1Projective]) -> Vec<G1Affine> {
    let mut affine = vec![G1Affine::identity(); points.len()];
    if points.is_empty() {
        return affine;
    }
    let list: [*const blst_p1; 2] = [points.as_ptr().cast(), ptr::null()];
    // SAFETY: a list [p, null] means contiguous items from p on; points.len() are read, and as many
    // affine points are written to `affine`, which holds that many. Layouts are asserted above.
    unsafe { blst_p1s_to_affine(affine.as_mut_ptr().cast(), list.as_ptr(), points.len()) };
    affine
}

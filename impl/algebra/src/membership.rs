//! Whether points of the curve lie in the subgroup of order r, each for itself. Very many are
//! checked together ([`mod@crate::subgroup`]).

use blstrs::G1Affine;

use crate::kernel::{self, Kernel, in_lanes};
use crate::parallel::prelude::*;

/// Points from which on the kernel checks them for less than one after the other takes.
const fn fewest_for_lanes(kernel: Kernel) -> usize {
    match kernel {
        Kernel::Ifma => 3,
        Kernel::Avx2 => 5,
        _ => 4,
    }
}

/// Points that one task of rayon checks.
const CHECKED_TOGETHER: usize = 8;

/// Whether a point of the curve lies in the subgroup of order r.
#[must_use]
pub fn is_in_subgroup(point: &G1Affine) -> bool {
    point.is_torsion_free().into()
}

/// Whether each of these points, which are on the curve, lies in the subgroup of order r. Exact. On
/// rayon's threads.
#[must_use]
pub fn each_in_subgroup(points: &[G1Affine]) -> Vec<bool> {
    match kernel::lanes() {
        Some(lanes) if points.len() >= fewest_for_lanes(Kernel::in_use()) => {
            let chunks = points.par_chunks(CHECKED_TOGETHER);
            chunks.flat_map_iter(|points| in_lanes!(lanes => kernel::in_subgroup(lanes, points))).collect()
        }
        _ => points.par_iter().map(is_in_subgroup).collect(),
    }
}

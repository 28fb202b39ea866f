//! The endomorphism φ of many points, which is z² times those of the subgroup ([`crate::glv`]).

use crate::ffi::fp::BaseField;
use crate::glv::BETA;
use crate::kernel::{self, in_lanes};
use crate::parallel::prelude::*;
use crate::point::Point;

/// Points whose images one task of rayon makes.
const IMAGES_A_TASK: usize = 512;

/// Puts φ(P) in the place of each point of the curve, z² P if it is in the subgroup, on the current
/// rayon pool. Infinity stays.
pub(crate) fn multiply_by_z_squared(points: &mut [Point]) {
    points.par_chunks_mut(IMAGES_A_TASK).for_each(|points| match kernel::lanes() {
        Some(lanes) => in_lanes!(lanes => kernel::multiply_by_z_squared(lanes, points)),
        None => points.iter_mut().for_each(|point| {
            point.x.multiply(&BETA);
            *point = point.negated_if(true);
        }),
    });
}

#[cfg(test)]
mod tests {
    use blstrs::{G1Affine, Scalar};
    use group::Curve;
    use group::prime::PrimeCurveAffine;

    use super::*;
    use crate::glv::times_z_squared;

    #[test]
    fn images_of_many_points_are_those_of_each() {
        let points: Vec<G1Affine> =
            (0..20u64).map(|k| (G1Affine::generator() * Scalar::from(k % 7 * k)).to_affine()).collect();
        assert!(bool::from(points[0].is_identity()));
        let images: Vec<Point> = points.iter().map(|point| Point::from(&times_z_squared(point))).collect();
        for count in [0, 1, 7, 8, 9, 20] {
            let of_some = |multiply: &dyn Fn(&mut [Point])| {
                let mut some: Vec<Point> = points[..count].iter().map(Point::from).collect();
                multiply(&mut some);
                assert_eq!(some, images[..count]);
            };
            of_some(&multiply_by_z_squared);
            of_some(&|points| kernel::multiply_by_z_squared(kernel::Portable, points));
            kernel::with_each!(lanes => of_some(&|points| kernel::multiply_by_z_squared(lanes, points)));
        }
    }
}

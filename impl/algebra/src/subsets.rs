//! Sums of subsets of one list of points: all subsets together, in affine coordinates with shared
//! inversions, exactly for any points of the curve.

use blstrs::G1Affine;

use crate::group_sums::table_sums;
use crate::parallel::prelude::*;
use crate::point::Member;

/// Subsets that one thread sums together.
const TOGETHER: usize = 8;

/// The sum of each subset, which is given by places in the list; places beyond it are left out. On
/// rayon's threads.
pub fn subset_sums(points: &[G1Affine], subsets: &[Vec<usize>]) -> Vec<G1Affine> {
    let sums = subsets.par_chunks(TOGETHER).map(|subsets| {
        let within = |subset: &Vec<usize>| subset.iter().filter(|place| **place < points.len()).count();
        let places = subsets.iter().flatten().filter(|place| **place < points.len());
        let members: Vec<Member> = places.map(|place| Member::new(*place, false)).collect();
        table_sums(points, &members, &subsets.iter().map(within).collect::<Vec<usize>>())
    });
    sums.collect::<Vec<Vec<G1Affine>>>().concat()
}

/// The slow twin.
pub mod naive {
    use blstrs::{G1Affine, G1Projective};
    use group::{Curve, Group};

    /// The sum of each subset, point by point.
    pub fn subset_sums(points: &[G1Affine], subsets: &[Vec<usize>]) -> Vec<G1Affine> {
        let sum = |subset: &Vec<usize>| {
            let within = subset.iter().filter_map(|place| points.get(*place));
            within.fold(G1Projective::identity(), |sum, point| sum + point)
        };
        subsets.iter().map(|subset| sum(subset).to_affine()).collect()
    }
}

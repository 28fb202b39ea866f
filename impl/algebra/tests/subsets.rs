//! Sums of subsets, against adding point by point.

mod common;

use aardvark_algebra::G1Affine;
use aardvark_algebra::subsets::{naive, subset_sums};
use common::AnyPoint;
use quickcheck::quickcheck;

quickcheck! {
    fn sums_of_subsets_are_those_point_by_point(points: Vec<AnyPoint>, subsets: Vec<Vec<u8>>) -> bool {
        let points: Vec<G1Affine> = points.iter().map(|point| point.0).collect();
        // Places that are there, some of them twice, and some beyond the list.
        let places = |subset: &Vec<u8>| subset.iter().map(|place| usize::from(*place) % (points.len() + 2)).collect();
        let subsets: Vec<Vec<usize>> = subsets.iter().map(places).collect();
        subset_sums(&points, &subsets) == naive::subset_sums(&points, &subsets)
    }
}

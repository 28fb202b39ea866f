//! Points by their coordinates, and groups of them to be summed.

#![allow(clippy::indexing_slicing, reason = "places are those of the list that members were made for")]

use blstrs::G1Affine;
use group::prime::PrimeCurveAffine;

use crate::ffi::fp::{BaseField, Fp, ZERO, coordinates, coordinates_mut, from_montgomery};

/// A point of the curve by its coordinates; infinity is (0, 0), which is not on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Point {
    pub(crate) x: Fp,
    pub(crate) y: Fp,
}

impl Point {
    pub(crate) const INFINITY: Self = Self { x: ZERO, y: ZERO };

    pub(crate) fn is_infinity(&self) -> bool {
        self.x.is_zero() && self.y.is_zero()
    }

    #[inline]
    pub(crate) fn negated_if(self, negative: bool) -> Self {
        let mut point = self;
        if negative {
            point.y.set_difference(&ZERO, &self.y);
        }
        point
    }
}

impl From<&G1Affine> for Point {
    fn from(point: &G1Affine) -> Self {
        let (x, y) = coordinates(point);
        Self { x: *x, y: *y }
    }
}

impl From<Point> for G1Affine {
    fn from(point: Point) -> Self {
        let mut affine = Self::identity();
        let (x, y) = coordinates_mut(&mut affine);
        (*x, *y) = (point.x, point.y);
        affine
    }
}

/// A member of a group: the place of its point in a list, and whether it is subtracted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Member(u32);

impl Member {
    /// Places are below 2^31.
    #[inline]
    pub(crate) fn new(place: usize, negative: bool) -> Self {
        Self((place as u32) << 1 | u32::from(negative))
    }

    /// The place.
    #[inline]
    pub(crate) fn place(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether it is subtracted.
    #[inline]
    pub(crate) fn is_negative(self) -> bool {
        self.0 & 1 == 1
    }

    /// The point, from the list that the place is of.
    #[inline]
    pub(crate) fn of<P: Coordinates>(self, points: &[P]) -> Point {
        let (x, y) = points[self.place()].words();
        Point { x: from_montgomery(*x), y: from_montgomery(*y) }.negated_if(self.is_negative())
    }
}

/// A point of the curve by the words of its coordinates in Montgomery form, all 0 for infinity.
pub(crate) trait Coordinates {
    /// x and y.
    fn words(&self) -> (&[u64; 6], &[u64; 6]);
}

impl Coordinates for Point {
    #[inline]
    fn words(&self) -> (&[u64; 6], &[u64; 6]) {
        (&self.x.l, &self.y.l)
    }
}

impl Coordinates for G1Affine {
    #[inline]
    fn words(&self) -> (&[u64; 6], &[u64; 6]) {
        let (x, y) = coordinates(self);
        (&x.l, &y.l)
    }
}

/// Start and end of each group.
pub(crate) fn spans(ends: &[usize]) -> impl Iterator<Item = (usize, usize)> {
    core::iter::once(0).chain(ends.iter().copied()).zip(ends.iter().copied())
}

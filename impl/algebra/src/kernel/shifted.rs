//! Sums of shifted points, eight at a time: Horner's rule for lists of points, all in step.

#![allow(clippy::indexing_slicing, reason = "rows are counted before they are filled")]

use super::additions::Forest;
use super::lanes::{LANES, Lanes, Work};
use super::rows::{NOTHING, Row, load, store};
use super::sums::{borrowed_forest, give_back};
use crate::point::{Coordinates, Point};

/// Σ_v 2^(shift v) `parts[v][i]` for all i; the lists have the same length.
pub(crate) fn shifted_sums<L: Lanes, P: Coordinates>(lanes: L, parts: &[&[P]], shift: usize) -> Vec<Point> {
    let mut sums = vec![Point::INFINITY; parts.first().map_or(0, |part| part.len())];
    let mut forest = borrowed_forest();
    lanes.run(Step { parts, shift, forest: &mut forest, sums: &mut sums });
    give_back(forest);
    sums
}

/// Points that go in step.
struct Step<'a, L: Lanes, P> {
    parts: &'a [&'a [P]],
    shift: usize,
    forest: &'a mut Forest<L>,
    sums: &'a mut [Point],
}

impl<L: Lanes, P: Coordinates> Work<L> for Step<'_, L, P> {
    type Output = ();

    #[inline(always)]
    fn run(self, lanes: L) {
        let Step { parts, shift, forest, sums } = self;
        let Some((last, rest)) = parts.split_last() else { return };
        let count = last.len().div_ceil(LANES);
        forest.start(2 * count);
        for _ in 0..2 {
            for points in last.chunks(LANES) {
                let (row, present) = row(lanes, points);
                forest.rows.push(row);
                forest.present.push(present);
            }
        }
        for part in rest.iter().rev() {
            for _ in 0..shift {
                forest.double(lanes, count);
            }
            for (i, points) in part.chunks(LANES).enumerate() {
                (forest.rows[count + i], forest.present[count + i]) = row(lanes, points);
            }
            forest.add_upper_half(lanes, count);
        }
        for (i, sums) in sums.chunks_mut(LANES).enumerate() {
            let points = store(lanes, &forest.rows[i], forest.present[i]);
            sums.copy_from_slice(&points[..sums.len()]);
        }
    }
}

/// At most eight points as a row, coordinates below 3 p, and the lanes that have one.
#[inline(always)]
fn row<L: Lanes, P: Coordinates>(lanes: L, points: &[P]) -> (Row<L>, u8) {
    let (mut x, mut y) = ([&NOTHING; LANES], [&NOTHING; LANES]);
    for (lane, point) in points.iter().enumerate() {
        (x[lane], y[lane]) = point.words();
    }
    let (row, present) = load(lanes, x, y, 0);
    (row.shrunk(lanes), present)
}

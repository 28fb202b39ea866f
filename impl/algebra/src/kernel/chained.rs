//! Sums of groups of the same number of points, all groups in step: one member of each after the
//! other.
//!
//! For long lists of groups whose i-th members lie close together, as the entries of one table do:
//! a step reads from that table only, and what the next step reads is fetched while this one is
//! computed. Groups of different sizes, or whose members lie anywhere, are for [`super::sums`].

#![allow(clippy::indexing_slicing, reason = "members are counted before the kernel runs")]

use super::additions::{DEEPEST, Forest};
use super::lanes::{LANES, Lanes, Work};
use super::rows::{NOTHING, Words, store};
use super::sums::{borrowed_forest, give_back};
use crate::point::{Coordinates, Member, Point};

/// The sum of each of `count` groups: the members of all groups one step after the other, those of
/// a step in the order of the groups. A rest of members that is no whole step is left out.
pub(crate) fn chained_sums<L: Lanes, P: Coordinates>(
    lanes: L,
    points: &[P],
    members: &[Member],
    count: usize,
) -> Vec<Point> {
    let mut sums = vec![Point::INFINITY; count];
    let mut forest = borrowed_forest();
    lanes.run(Chained { points, members, forest: &mut forest, sums: &mut sums });
    give_back(forest);
    sums
}

/// Rows between the one whose points are read and the one whose points are fetched.
const AHEAD: usize = 4;

/// Groups in step.
struct Chained<'a, L: Lanes, P> {
    points: &'a [P],
    members: &'a [Member],
    forest: &'a mut Forest<L>,
    sums: &'a mut [Point],
}

impl<L: Lanes, P: Coordinates> Work<L> for Chained<'_, L, P> {
    type Output = ();

    #[inline(always)]
    fn run(self, lanes: L) {
        let Chained { points, members, forest, sums } = self;
        if sums.is_empty() {
            return;
        }
        let rows = sums.len().div_ceil(LANES);
        let mut steps = members.chunks_exact(sums.len());
        let Some(first) = steps.next() else { return };
        forest.start(2 * rows);
        for _ in 0..2 {
            for members in first.chunks(LANES) {
                let (row, present) = words(points, members).row(lanes);
                forest.rows.push(row);
                forest.present.push(present);
            }
        }
        let mut depth = 0;
        for (step, before) in steps.zip((sums.len()..).step_by(sums.len())) {
            forest.add_each(lanes, rows, depth, |i| {
                for member in members.iter().skip(before + (i + AHEAD) * LANES).take(LANES) {
                    let (x, y) = points[member.place()].words();
                    lanes.prefetch(x, y);
                }
                let start = i * LANES;
                words(points, &step[start..step.len().min(start + LANES)])
            });
            depth += 1;
            if depth == DEEPEST {
                forest.shrink(lanes, rows);
                depth = 0;
            }
        }
        for (i, sums) in sums.chunks_mut(LANES).enumerate() {
            let points = store(lanes, &forest.rows[i], forest.present[i]);
            sums.copy_from_slice(&points[..sums.len()]);
        }
    }
}

/// At most eight members' words.
#[inline(always)]
fn words<'a, P: Coordinates>(points: &'a [P], members: &[Member]) -> Words<'a> {
    let (mut x, mut y, mut negative) = ([&NOTHING; LANES], [&NOTHING; LANES], 0);
    for (lane, member) in members.iter().enumerate() {
        (x[lane], y[lane]) = points[member.place()].words();
        negative |= u8::from(member.is_negative()) << lane;
    }
    Words { x, y, negative }
}

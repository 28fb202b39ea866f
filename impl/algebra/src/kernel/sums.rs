//! Sums of groups of points, one group a lane.
//!
//! Groups are sorted by their size, eight neighbours make a tree of rows (`additions.rs`), row i
//! with the i-th member of each. So lanes are seldom empty, and points never change their lane.
//! Large groups are cut into pieces first, whose sums are summed again: a group that is alone in
//! its size would leave seven lanes empty.

#![allow(clippy::indexing_slicing, reason = "pieces are of the members that they were made from")]

use core::any::Any;
use core::cell::Cell;
use core::cmp::Reverse;

use super::additions::{DEEPEST, Forest, MOSTLY, Tree};
use super::lanes::{LANES, Lanes, Work};
use super::rows::{NOTHING, load, store};
use crate::point::{Coordinates, Member, Point, spans};

/// Members of a piece at most.
const PIECE: usize = 128;

const _: () = assert!(PIECE <= 1 << DEEPEST);

/// Rows between the one that is loaded and the one whose points are fetched: where points are many,
/// they lie scattered outside of the caches.
const AHEAD: usize = 4;

/// Part of a group: members from `start` on. Pieces are numbered group by group.
#[derive(Clone, Copy, Debug)]
struct Piece {
    number: usize,
    start: usize,
    length: usize,
}

/// The sum of each group. Group g has the members from `ends[g - 1]` (0 for the first) to
/// `ends[g]`.
pub(crate) fn group_sums<L: Lanes, P: Coordinates>(
    lanes: L,
    points: &[P],
    members: &[Member],
    ends: &[usize],
) -> Vec<Point> {
    let (mut pieces, ends_of_pieces) = pieces(ends);
    pieces.sort_unstable_by_key(|piece| Reverse(piece.length));
    let mut sums = vec![Point::INFINITY; pieces.len()];
    let mut rest = pieces.as_slice();
    let mut forest = borrowed_forest();
    while !rest.is_empty() {
        let (batch, later) = rest.split_at(batch_length(rest));
        lanes.run(Batch { points, members, pieces: batch, forest: &mut forest, sums: &mut sums });
        rest = later;
    }
    give_back(forest);
    if sums.len() == ends.len() {
        return sums;
    }
    // Sums of the pieces that belong together. Every group has a piece.
    let members: Vec<Member> = (0..sums.len()).map(|piece| Member::new(piece, false)).collect();
    group_sums(lanes, &sums, &members, &ends_of_pieces)
}

thread_local! {
    /// This thread's forest while nobody works with it: new memory costs more than the additions
    /// in it, for the system has to clear it.
    static FOREST: Cell<Option<Box<dyn Any>>> = const { Cell::new(None) };
}

/// This thread's forest, or a new one.
pub(super) fn borrowed_forest<L: Lanes>() -> Box<Forest<L>> {
    FOREST.take().and_then(|forest| forest.downcast().ok()).unwrap_or_default()
}

/// Keeps a forest for later.
pub(super) fn give_back<L: Lanes>(forest: Box<Forest<L>>) {
    FOREST.set(Some(forest));
}

/// Every group cut into pieces of nearly the same length, an empty one into one; and for each group
/// the end of its pieces.
fn pieces(ends: &[usize]) -> (Vec<Piece>, Vec<usize>) {
    let mut pieces = Vec::with_capacity(ends.len());
    let mut ends_of_pieces = Vec::with_capacity(ends.len());
    for (start, end) in spans(ends) {
        let count = (end - start).div_ceil(PIECE).max(1);
        let length = (end - start).div_ceil(count);
        for start in (start..end.max(start + 1)).step_by(length.max(1)) {
            pieces.push(Piece { number: pieces.len(), start, length: length.min(end - start) });
        }
        ends_of_pieces.push(pieces.len());
    }
    (pieces, ends_of_pieces)
}

/// Pieces whose trees have [`MOSTLY`] rows together, whole trees, and at least one.
fn batch_length(pieces: &[Piece]) -> usize {
    let (mut rows, mut trees) = (0, 0);
    for tree in pieces.chunks(LANES) {
        rows += tree[0].length;
        if rows > MOSTLY && trees > 0 {
            break;
        }
        trees += 1;
    }
    pieces.len().min(trees * LANES)
}

/// Pieces that are summed together, the longest first, and the sums of all pieces by their numbers.
struct Batch<'a, L: Lanes, P> {
    points: &'a [P],
    members: &'a [Member],
    pieces: &'a [Piece],
    forest: &'a mut Forest<L>,
    sums: &'a mut [Point],
}

impl<L: Lanes, P: Coordinates> Work<L> for Batch<'_, L, P> {
    type Output = ();

    #[inline(always)]
    fn run(self, lanes: L) {
        let mut trees: Vec<Tree> = Vec::with_capacity(self.pieces.len().div_ceil(LANES));
        let mut rows = 0;
        for pieces in self.pieces.chunks(LANES) {
            trees.push(Tree { start: rows, rows: pieces[0].length });
            rows += pieces[0].length;
        }
        let forest = self.forest;
        forest.start(rows);
        for pieces in self.pieces.chunks(LANES) {
            for place in 0..pieces[0].length {
                let (mut x, mut y, mut negative) = ([&NOTHING; LANES], [&NOTHING; LANES], 0);
                for (lane, piece) in pieces.iter().enumerate() {
                    if place + AHEAD < piece.length {
                        let (x, y) = self.points[self.members[piece.start + place + AHEAD].place()].words();
                        lanes.prefetch(x, y);
                    }
                    if place < piece.length {
                        let member = self.members[piece.start + place];
                        (x[lane], y[lane]) = self.points[member.place()].words();
                        negative |= u8::from(member.is_negative()) << lane;
                    }
                }
                let (row, present) = load(lanes, x, y, negative);
                forest.rows.push(row);
                forest.present.push(present);
            }
        }
        forest.sum(lanes, &trees);
        for (pieces, tree) in self.pieces.chunks(LANES).zip(&trees) {
            if pieces[0].length > 0 {
                let points = store(lanes, &forest.rows[tree.start], forest.present[tree.start]);
                pieces.iter().zip(points).for_each(|(piece, point)| self.sums[piece.number] = point);
            }
        }
    }
}

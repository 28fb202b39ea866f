//! The runs of a box, with the segments that an answer shows, and what is claimed of their
//! commitments (`aardvark_spec::table::long_runs`).
//!
//! The first segment of a run is in its head; it and the shown ones are its pieces. Rows between
//! two neighbouring pieces, or behind the last, are not shown: they are before a cut where the
//! piece behind them has a row before it, behind it where the piece in front of them has a row
//! behind it.

use aardvark_algebra::ff::Field;
use aardvark_algebra::{G1Affine, Scalar};

use crate::fold::CombinedClaim;
use crate::record::{Head, Record, Segment};
use crate::sheet::check_layout;

/// The most runs of an answer.
pub const MAX_RUNS: usize = 65_536;
/// A box has fewer rows.
pub(super) const MAX_ROWS: u64 = 1 << 40;

/// A run of a box.
#[derive(Clone, Debug)]
pub(super) struct BoxRun {
    /// The key columns, encoded.
    pub(super) columns: Vec<u8>,
    /// The number of the run among those of its key.
    pub(super) run: u32,
    /// Its head.
    pub(super) head: Head,
    /// Its pieces, ascending.
    pub(super) pieces: Vec<Piece>,
}

/// A segment of a run that is shown.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    /// Its number.
    pub(super) number: u32,
    /// The rows of the run before it.
    pub(super) rank: u64,
    /// Its record.
    pub(super) record: Record,
}

impl Piece {
    /// The rows of the run up to its end.
    fn end(&self) -> u64 {
        self.rank.saturating_add(u64::from(self.record.rows))
    }
}

impl BoxRun {
    /// A run of which only the first segment is shown.
    pub(super) fn new(columns: Vec<u8>, run: u32, head: Head) -> Self {
        let first = Piece { number: 0, rank: 0, record: head.record.clone() };
        Self { columns, run, head, pieces: vec![first] }
    }

    /// One more piece, behind those that there are; false where it cannot be that with its number.
    pub(super) fn show(&mut self, moments: usize, number: u32, segment: Segment) -> bool {
        let Segment { rank, record } = segment;
        let Some(last) = self.pieces.last() else { return false };
        let (segments, rows) = (self.head.segments(), self.head.rows());
        if check_layout(&[&record], moments).is_err() || number <= last.number || number >= segments || rank >= MAX_ROWS
        {
            return false;
        }
        let piece = Piece { number, rank, record };
        let (skipped, left) = (u64::from(number - last.number - 1), u64::from(segments - number - 1));
        // Segments have a row at least.
        let begins = if skipped == 0 { rank == last.end() } else { rank >= last.end() + skipped };
        let ends = if left == 0 { piece.end() == rows } else { piece.end() + left <= rows };
        if begins && ends {
            self.pieces.push(piece);
        }
        begins && ends
    }

    /// The rows behind a piece and before the next one, or the run's end, that are not shown.
    fn hidden_behind(&self, place: usize) -> u64 {
        let end = self.pieces.get(place).map_or(0, Piece::end);
        self.pieces.get(place + 1).map_or(self.head.rows(), |next| next.rank).saturating_sub(end)
    }
}

/// The records of all pieces, run by run.
pub(super) fn piece_records(runs: &[BoxRun]) -> Vec<&Record> {
    runs.iter().flat_map(|run| &run.pieces).map(|piece| &piece.record).collect()
}

/// How many rows of runs are before a cut with a split for each piece, and not shown; `None` where
/// some that are not shown may be on either side.
pub(super) fn hidden_before(runs: &[BoxRun], splits: &[u64]) -> Option<u64> {
    let mut hidden_before = 0u64;
    let mut splits = splits.iter().copied().peekable();
    for run in runs {
        for (place, piece) in run.pieces.iter().enumerate() {
            let (own, hidden) = (splits.next(), run.hidden_behind(place));
            let next_before = place + 1 < run.pieces.len() && splits.peek().is_some_and(|next| *next >= 1);
            let own_behind = own.is_some_and(|own| own < u64::from(piece.record.rows));
            if next_before {
                hidden_before = hidden_before.saturating_add(hidden);
            } else if hidden > 0 && !own_behind {
                return None;
            }
        }
    }
    Some(hidden_before)
}

/// What is claimed of the runs' commitments.
#[derive(Clone, Debug, Default)]
pub(super) struct Claims {
    /// The commitments.
    pub(super) points: Vec<G1Affine>,
    /// The claims.
    pub(super) claims: Vec<CombinedClaim>,
    /// s3 of each comparison, which the fold's seed binds.
    pub(super) seeds: Vec<[u8; 32]>,
}

impl Claims {
    /// One more: the polynomial under the sum of these commitments has a value at a point.
    pub(super) fn push(&mut self, commitments: &[G1Affine], point: Scalar, value: Scalar) {
        let terms = (0..commitments.len()).map(|i| (self.points.len() + i, Scalar::ONE)).collect();
        self.points.extend(commitments);
        self.claims.push(CombinedClaim { terms, point, value });
    }
}

//! Fixed-base tables: multiples of points that are known long before their scalars.
//!
//! A scalar is split into two halves of 127 bits (`glv.rs`), each half into signed digits of w
//! bits, and for every base P and digit position t the table holds d 2^(wt) P for d = 1 ..=
//! 2^(w-1), affine. Then k P = Σ (entries for k₁) + z² Σ (entries for k₂): at most 2 ⌈128 / w⌉
//! affine additions and no doubling. Both halves read the same entries, and z² is applied once to a
//! whole sum, so the endomorphism halves the memory for nothing. Negative digits negate y.
//!
//! **Stride.** A table of stride s holds every s-th position only (Lim and Lee's comb). Position
//! s u + v then takes the entry of position s u, and the sum over v is one of its own: k P = Σ_v
//! 2^(wv) (Σ_u ..). Horner's rule over v costs (s - 1) w doublings **a sum**, whatever its terms
//! are: for sums of many terms the memory falls by s at nearly the same time.
//!
//! | w | s | entries a base | bytes a base | additions a scalar | doublings a sum |
//! |---|---|---|---|---|---|
//! | 4 | 1 | 256 | 24,576 | 64 | 0 |
//! | 5 | 1 | 416 | 39,936 | 52 | 0 |
//! | 6 | 1 | 704 | 67,584 | 44 | 0 |
//! | 8 | 1 | 2,048 | 196,608 | 32 | 0 |
//! | 8 | 4 | 512 | 49,152 | 32 | 24 |
//! | 9 | 1 | 3,840 | 368,640 | 30 | 0 |
//!
//! The bases are points of the subgroup; for others the results are wrong. What the sums are added
//! to may be any point of the curve.

#![allow(clippy::indexing_slicing, reason = "entries are those of the bases, counted before they are filled")]

use blstrs::{G1Affine, Scalar};
use group::prime::PrimeCurveAffine;

use crate::affine::Slopes;
use crate::glv::{HALF_BITS, halves, times_z_squared};
use crate::group_sums::table_sums;
use crate::parallel::prelude::*;
use crate::point::Member;
use crate::shifted::shifted_sums;

/// Smallest window that is worth a table, in bits.
pub const MINIMUM_WINDOW: usize = 2;
/// Largest window, in bits.
pub const MAXIMUM_WINDOW: usize = 12;
/// Largest stride.
pub const MAXIMUM_STRIDE: usize = 16;

/// Bases whose tables are built together: enough rows to share inversions from the first multiple
/// on.
const BASES_A_TASK: usize = 8;
/// Terms of one sum that are gathered together.
const TERMS_A_PIECE: usize = 128;
/// Terms that one thread gathers at once: some 400 kB of points.
const TERMS_A_TASK: usize = 128;
/// Sums that go through Horner's rule in step.
const SUMS_IN_STEP: usize = 256;

/// One term k_i P_i of a sum: the number of the base, and its scalar.
pub type Term = (usize, Scalar);

/// What a table holds of each base.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableShape {
    window: usize,
    stride: usize,
}

impl TableShape {
    /// Digits of `window` bits, and every `stride`-th of their positions; both are brought into
    /// [`MINIMUM_WINDOW`]..=[`MAXIMUM_WINDOW`] and 1..=[`MAXIMUM_STRIDE`].
    pub fn new(window: usize, stride: usize) -> Self {
        Self { window: window.clamp(MINIMUM_WINDOW, MAXIMUM_WINDOW), stride: stride.clamp(1, MAXIMUM_STRIDE) }
    }

    /// w, the bits of a digit.
    pub fn window(self) -> usize {
        self.window
    }

    /// s: of the positions of digits every s-th is held.
    pub fn stride(self) -> usize {
        self.stride
    }

    /// Bytes of a table for so many bases.
    pub const fn bytes(self, bases: usize) -> usize {
        bases * self.entries() * size_of::<G1Affine>()
    }

    /// Additions that a scalar costs at most.
    pub const fn additions(self) -> usize {
        2 * self.positions()
    }

    /// Doublings that a sum costs, whatever its terms are.
    pub const fn doublings(self) -> usize {
        (self.stride - 1) * self.window
    }

    /// Additions and doublings that a sum of so many terms costs at most.
    pub const fn cost(self, terms: usize) -> usize {
        terms * self.additions() + self.doublings()
    }

    /// Digit positions of a half: the sign takes a bit.
    const fn positions(self) -> usize {
        (HALF_BITS + 1).div_ceil(self.window)
    }

    /// Positions that are held.
    const fn rows(self) -> usize {
        self.positions().div_ceil(self.stride)
    }

    /// Entries a position: the largest digit.
    const fn multiples(self) -> usize {
        1 << (self.window - 1)
    }

    /// Entries a base.
    const fn entries(self) -> usize {
        self.rows() * self.multiples()
    }
}

/// Multiples of a list of bases.
#[derive(Debug)]
pub struct FixedBaseTable {
    shape: TableShape,
    bases: usize,
    /// Base by base, held position by held position, the multiples 1 ..= 2^(w-1).
    entries: Vec<G1Affine>,
}

impl FixedBaseTable {
    /// Bytes of a table for so many bases at window `window`, with all positions.
    pub fn bytes_for(bases: usize, window: usize) -> usize {
        TableShape::new(window, 1).bytes(bases)
    }

    /// The largest window whose table of so many bases fits into so many bytes, with all positions;
    /// `None` if not even the smallest does.
    pub fn window_within(bases: usize, bytes: usize) -> Option<usize> {
        (MINIMUM_WINDOW..=MAXIMUM_WINDOW).rev().find(|window| Self::bytes_for(bases, *window) <= bytes)
    }

    /// The table of these bases, points of the subgroup, with all positions of digits of `window`
    /// bits. On rayon's threads.
    pub fn new(bases: &[G1Affine], window: usize) -> Self {
        Self::of_shape(bases, TableShape::new(window, 1))
    }

    /// The table of these bases, points of the subgroup. On rayon's threads.
    pub fn of_shape(bases: &[G1Affine], shape: TableShape) -> Self {
        let of_a_base = shape.entries();
        let mut entries = vec![G1Affine::identity(); bases.len() * of_a_base];
        entries
            .par_chunks_mut(BASES_A_TASK * of_a_base)
            .zip(bases.par_chunks(BASES_A_TASK))
            .for_each(|(entries, bases)| fill(entries, bases, shape));
        Self { shape, bases: bases.len(), entries }
    }

    /// The table whose [`FixedBaseTable::entries`] these are: the caller vouches that they are
    /// those of `bases` bases in this shape. `None` if they are not as many.
    pub fn from_entries(bases: usize, shape: TableShape, entries: Vec<G1Affine>) -> Option<Self> {
        let fits = size_of_val(entries.as_slice()) == shape.bytes(bases);
        fits.then_some(Self { shape, bases, entries })
    }

    /// All entries.
    pub fn entries(&self) -> &[G1Affine] {
        &self.entries
    }

    /// What the table holds of each base.
    pub fn shape(&self) -> TableShape {
        self.shape
    }

    /// Number of bases.
    pub fn bases(&self) -> usize {
        self.bases
    }

    /// Bytes of all entries.
    pub fn bytes(&self) -> usize {
        size_of_val(self.entries.as_slice())
    }

    /// start + Σ k_i P_i for every (start, terms), on rayon's threads. The same base may occur more
    /// than once.
    ///
    /// Every base number must be below [`FixedBaseTable::bases`]; terms with others are left out.
    pub fn add_multiples(&self, runs: &[(G1Affine, &[Term])]) -> Vec<G1Affine> {
        let tasks = tasks(runs);
        let parts: Vec<Vec<[G1Affine; 2]>> = tasks.par_iter().map(|pieces| self.half_sums(pieces)).collect();
        let parts = parts.concat();
        let parts_of_run = |(_, terms): &(_, &[Term])| self.shape.stride * terms.len().div_ceil(TERMS_A_PIECE);
        let mut rest = parts.as_slice();
        let mut of_runs = Vec::with_capacity(runs.len());
        for run in runs {
            let (own, later) = rest.split_at(parts_of_run(run));
            of_runs.push((run.0, own));
            rest = later;
        }
        let in_step = if self.shape.stride == 1 { runs.len().max(1) } else { SUMS_IN_STEP };
        of_runs.par_chunks(in_step).flat_map_iter(|runs| self.join(runs)).collect()
    }

    /// Σ k_i P_i.
    pub fn sum(&self, terms: &[Term]) -> G1Affine {
        let sums = self.add_multiples(&[(G1Affine::identity(), terms)]);
        sums.first().copied().unwrap_or_else(G1Affine::identity)
    }

    /// The sums of some runs: for each its start and, for each of its pieces and each v, the sums
    /// for the low and for the high halves.
    fn join(&self, runs: &[(G1Affine, &[[G1Affine; 2]])]) -> Vec<G1Affine> {
        let stride = self.shape.stride;
        let mut points = Vec::new();
        let mut lengths = Vec::with_capacity(stride * runs.len());
        for v in 0..stride {
            for (start, parts) in runs {
                let before = points.len();
                points.extend((v == 0).then_some(*start));
                for [low, high] in parts.iter().skip(v).step_by(stride) {
                    points.extend([*low, times_z_squared(high)]);
                }
                lengths.push(points.len() - before);
            }
        }
        let members: Vec<Member> = (0..points.len()).map(|place| Member::new(place, false)).collect();
        let sums = table_sums(&points, &members, &lengths);
        shifted_sums(&sums.chunks(runs.len().max(1)).collect::<Vec<_>>(), self.shape.window)
    }

    /// For every piece and each v the sums of its entries for the low and for the high halves.
    fn half_sums(&self, pieces: &[&[Term]]) -> Vec<[G1Affine; 2]> {
        let terms: usize = pieces.iter().map(|piece| piece.len()).sum();
        let mut chosen = Vec::with_capacity(terms * self.shape.additions());
        let mut lengths = Vec::with_capacity(2 * self.shape.stride * pieces.len());
        let mut groups = vec![[Vec::new(), Vec::new()]; self.shape.stride];
        for piece in pieces {
            for (base, k) in piece.iter().filter(|(base, _)| *base < self.bases) {
                let (low, high) = halves(k);
                self.choose(*base, low, |v, entry| groups[v][0].push(entry));
                self.choose(*base, high, |v, entry| groups[v][1].push(entry));
            }
            for group in groups.as_flattened_mut() {
                lengths.push(group.len());
                chosen.append(group);
            }
        }
        table_sums(&self.entries, &chosen, &lengths).as_chunks().0.to_vec()
    }

    /// Gives the numbers of the entries that make up `half` times the base, with whether to negate
    /// them, each with its v: the entry times 2^(wv) is the position's.
    fn choose(&self, base: usize, half: i128, mut give: impl FnMut(usize, Member)) {
        let TableShape { window, stride } = self.shape;
        let mut rest = half.unsigned_abs();
        for position in 0..self.shape.positions() {
            let (digit, next) = lowest_digit(rest, window);
            rest = next;
            if let Some(multiple) = digit.unsigned_abs().checked_sub(1) {
                let row = base * self.shape.rows() + position / stride;
                let place = row * self.shape.multiples() + multiple;
                give(position % stride, Member::new(place, (digit < 0) != (half < 0)));
            }
        }
    }
}

/// The digit in -2^(w-1) < d ≤ 2^(w-1) that leaves a multiple of 2^w, and that multiple over 2^w.
fn lowest_digit(integer: u128, window: usize) -> (isize, u128) {
    let low = (integer & ((1 << window) - 1)) as isize;
    let rest = integer >> window;
    match low > 1 << (window - 1) {
        true => (low - (1 << window), rest + 1),
        false => (low, rest),
    }
}

/// Cuts the terms of all runs into pieces, and the pieces into tasks.
fn tasks<'a>(runs: &[(G1Affine, &'a [Term])]) -> Vec<Vec<&'a [Term]>> {
    let mut tasks = Vec::new();
    let (mut task, mut terms) = (Vec::new(), 0);
    for piece in runs.iter().flat_map(|(_, terms)| terms.chunks(TERMS_A_PIECE)) {
        if terms + piece.len() > TERMS_A_TASK && terms > 0 {
            tasks.push(core::mem::take(&mut task));
            terms = 0;
        }
        terms += piece.len();
        task.push(piece);
    }
    tasks.push(task);
    tasks
}

/// Fills the tables of a few bases: first the heads 2^(wst) P of all rows, then from the multiples
/// 1 ..= m of all rows those up to 2m.
fn fill(entries: &mut [G1Affine], bases: &[G1Affine], shape: TableShape) {
    let (row, rows) = (shape.multiples(), shape.rows());
    let mut slopes = Slopes::new();
    let mut heads = bases.to_vec();
    for position in 0..rows {
        for (i, head) in heads.iter().enumerate() {
            entries[(i * rows + position) * row] = *head;
        }
        if position + 1 < rows {
            (0..shape.window * shape.stride).for_each(|_| slopes.double(&mut heads));
        }
    }
    let mut known = 1;
    let mut pairs = Vec::new();
    while known < row {
        pairs.clear();
        for start in (0..entries.len()).step_by(row) {
            let (low, high) = entries[start..start + 2 * known].split_at_mut(known);
            high.copy_from_slice(low);
            pairs.extend((start + known..start + 2 * known).map(|place| (place, start + known - 1)));
        }
        slopes.add_within(entries, &pairs);
        known *= 2;
    }
}

/// The slow twin.
pub mod naive {
    use blstrs::{G1Affine, G1Projective};
    use group::Curve;

    use super::Term;
    use crate::msm::naive::multiply;

    /// start + Σ k_i P_i for every (start, terms), by double and add.
    pub fn add_multiples(bases: &[G1Affine], runs: &[(G1Affine, &[Term])]) -> Vec<G1Affine> {
        let run = |(start, terms): &(G1Affine, &[Term])| {
            let sum: G1Projective = terms.iter().map(|(i, k)| multiply(&bases[*i], &k.to_bytes_le())).sum();
            (sum + start).to_affine()
        };
        runs.iter().map(run).collect()
    }
}

//! Fixed-base tables: multiples of points that are known long before their scalars.
//!
//! A scalar is split into two halves of 127 bits (`glv.rs`), each half into signed digits of w
//! bits, and for every base P and digit position t the table holds d 2^(wt) P for d = 1 ..=
//! 2^(w-1), affine. Then k P = Σ (entries for k₁) + z² Σ (entries for k₂): at most 2 ⌈128 / w⌉
//! affine additions and no doubling. Both halves read the same entries, and z² is applied once to a
//! whole sum, so the endomorphism halves the memory for nothing. Negative digits negate y.
//!
//! | w | entries a base | bytes a base | additions a scalar |
//! |---|---|---|---|
//! | 4 | 256 | 24,576 | 64 |
//! | 5 | 416 | 39,936 | 52 |
//! | 6 | 704 | 67,584 | 44 |
//! | 8 | 2,048 | 196,608 | 32 |
//! | 9 | 3,840 | 368,640 | 30 |
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

/// Smallest window that is worth a table, in bits.
pub const MINIMUM_WINDOW: usize = 2;
/// Largest window, in bits.
pub const MAXIMUM_WINDOW: usize = 12;

/// Bases whose tables are built together: enough rows to share inversions from the first multiple
/// on.
const BASES_A_TASK: usize = 8;
/// Terms of one sum that are gathered together.
const TERMS_A_PIECE: usize = 128;
/// Terms that one thread gathers at once: some 400 kB of points.
const TERMS_A_TASK: usize = 128;

/// One term k_i P_i of a sum: the number of the base, and its scalar.
pub type Term = (usize, Scalar);

/// Multiples of a list of bases.
#[derive(Debug)]
pub struct FixedBaseTable {
    window: usize,
    bases: usize,
    /// Base by base, position by position, the multiples 1 ..= 2^(w-1).
    entries: Vec<G1Affine>,
}

/// Digit positions of a half at window w: the sign takes a bit.
const fn positions(window: usize) -> usize {
    (HALF_BITS + 1).div_ceil(window)
}

/// Entries a position: the largest digit.
const fn multiples(window: usize) -> usize {
    1 << (window - 1)
}

impl FixedBaseTable {
    /// Bytes of a table for so many bases at window `window`.
    pub const fn bytes_for(bases: usize, window: usize) -> usize {
        bases * positions(window) * multiples(window) * size_of::<G1Affine>()
    }

    /// The largest window whose table of so many bases fits into so many bytes; `None` if not even
    /// the smallest does.
    pub fn window_within(bases: usize, bytes: usize) -> Option<usize> {
        (MINIMUM_WINDOW..=MAXIMUM_WINDOW).rev().find(|window| Self::bytes_for(bases, *window) <= bytes)
    }

    /// The table of these bases, points of the subgroup, on rayon's threads. The window is brought
    /// into [`MINIMUM_WINDOW`]..=[`MAXIMUM_WINDOW`].
    pub fn new(bases: &[G1Affine], window: usize) -> Self {
        let window = window.clamp(MINIMUM_WINDOW, MAXIMUM_WINDOW);
        let row = multiples(window);
        let of_a_base = positions(window) * row;
        let mut entries = vec![G1Affine::identity(); bases.len() * of_a_base];
        entries
            .par_chunks_mut(BASES_A_TASK * of_a_base)
            .zip(bases.par_chunks(BASES_A_TASK))
            .for_each(|(entries, bases)| fill(entries, bases, window));
        Self { window, bases: bases.len(), entries }
    }

    /// The table whose [`FixedBaseTable::entries`] these are: the caller vouches that they are
    /// those of `bases` bases at this window. `None` if they are not as many.
    pub fn from_entries(bases: usize, window: usize, entries: Vec<G1Affine>) -> Option<Self> {
        let legal = (MINIMUM_WINDOW..=MAXIMUM_WINDOW).contains(&window);
        let fits = legal && size_of_val(entries.as_slice()) == Self::bytes_for(bases, window);
        fits.then_some(Self { window, bases, entries })
    }

    /// All entries.
    pub fn entries(&self) -> &[G1Affine] {
        &self.entries
    }

    /// w, the bits of a digit.
    pub fn window(&self) -> usize {
        self.window
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
        let mut parts = parts.into_iter().flatten();
        let mut points = Vec::new();
        let mut lengths = Vec::with_capacity(runs.len());
        for (start, terms) in runs {
            points.push(*start);
            let pieces = terms.len().div_ceil(TERMS_A_PIECE);
            for [low, high] in parts.by_ref().take(pieces) {
                points.extend([low, times_z_squared(&high)]);
            }
            lengths.push(1 + 2 * pieces);
        }
        let members: Vec<Member> = (0..points.len()).map(|place| Member::new(place, false)).collect();
        table_sums(&points, &members, &lengths)
    }

    /// Σ k_i P_i.
    pub fn sum(&self, terms: &[Term]) -> G1Affine {
        let sums = self.add_multiples(&[(G1Affine::identity(), terms)]);
        sums.first().copied().unwrap_or_else(G1Affine::identity)
    }

    /// For every piece the sums of its entries for the low and for the high halves.
    fn half_sums(&self, pieces: &[&[Term]]) -> Vec<[G1Affine; 2]> {
        let terms: usize = pieces.iter().map(|piece| piece.len()).sum();
        let mut chosen = Vec::with_capacity(2 * terms * positions(self.window));
        let mut lengths = Vec::with_capacity(2 * pieces.len());
        let mut split = Vec::new();
        for piece in pieces {
            split.clear();
            split.extend(piece.iter().filter(|(base, _)| *base < self.bases).map(|(base, k)| (*base, halves(k))));
            for half in [|(low, _): (i128, i128)| low, |(_, high)| high] {
                let before = chosen.len();
                split.iter().for_each(|(base, halves)| self.choose(*base, half(*halves), &mut chosen));
                lengths.push(chosen.len() - before);
            }
        }
        table_sums(&self.entries, &chosen, &lengths).as_chunks().0.to_vec()
    }

    /// Appends the numbers of the entries whose sum is `half` times the base, and whether to negate
    /// them.
    fn choose(&self, base: usize, half: i128, chosen: &mut Vec<Member>) {
        let row = multiples(self.window);
        let positions = positions(self.window);
        let mut rest = half.unsigned_abs();
        for position in 0..positions {
            let (digit, next) = lowest_digit(rest, self.window);
            rest = next;
            if let Some(multiple) = digit.unsigned_abs().checked_sub(1) {
                let place = (base * positions + position) * row + multiple;
                chosen.push(Member::new(place, (digit < 0) != (half < 0)));
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

/// Fills the tables of a few bases: first the heads 2^(wt) P of all rows, then from the multiples 1
/// ..= m of all rows those up to 2m.
fn fill(entries: &mut [G1Affine], bases: &[G1Affine], window: usize) {
    let (row, positions) = (multiples(window), positions(window));
    let mut slopes = Slopes::new();
    let mut heads = bases.to_vec();
    for position in 0..positions {
        for (i, head) in heads.iter().enumerate() {
            entries[(i * positions + position) * row] = *head;
        }
        if position + 1 < positions {
            (0..window).for_each(|_| slopes.double(&mut heads));
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

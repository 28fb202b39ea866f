//! Multiplies many points, each by its own scalar, digit by digit for all of them.
//!
//! A scalar is split by the endomorphism into two halves of 127 bits (`glv.rs`), each half into
//! signed odd digits of five bits with zeros between (its non-adjacent form of that width): 127
//! doublings and some 43 additions a point, over the odd multiples P, 3P .. 15P. All points go
//! through the positions together, so that the doublings of one position share one inversion, and
//! so do its additions (`affine.rs`): no multiplication is spent on Jacobian coordinates, nor on
//! leaving them.

#![allow(clippy::indexing_slicing, reason = "digits are bounded by the window")]

use blstrs::{G1Affine, G1Projective, Scalar};

use crate::affine::Slopes;
use crate::glv::{HALF_BITS, halves, times_z_squared};
use crate::kernel::{self, Digits, Kernel, SecretDigits, in_lanes};
use crate::msm::batch_to_affine;
use crate::parallel::current_num_threads;
use crate::parallel::prelude::*;

/// Bits of a digit with its sign.
const WIDTH: usize = 5;
/// Odd multiples below 2^(w-1).
const MULTIPLES: usize = 1 << (WIDTH - 2);
/// Digit positions of a half: the last digit may carry.
const POSITIONS: usize = HALF_BITS + 1;
/// Points that go in step at most: their multiples fill some 512 kB of a second-level cache.
const MOST_IN_STEP: usize = 512;

/// Points that are worth a task and the inversions of its steps.
const FEWEST_IN_STEP: usize = 128;

/// Points below which eight lanes stay too empty to be worth their inversions.
const FEWEST_FOR_LANES: usize = 32;

/// Where work on many points runs. The results do not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    /// On the calling thread alone: safe inside a lock, where rayon's stealing could come back to
    /// the same lock.
    Current,
    /// On rayon's threads.
    All,
}

impl Threads {
    /// Points that go in step out of so many: as many as may, and equal shares for all threads as
    /// long as each is worth it.
    fn in_step(self, count: usize) -> usize {
        let threads = if self == Self::All { current_num_threads() } else { 1 };
        let worth = threads.min(count.div_ceil(FEWEST_IN_STEP));
        let tasks = count.div_ceil(MOST_IN_STEP).max(worth);
        count.div_ceil(tasks.max(1)).max(1)
    }

    /// Calls `work` on the chunks of two lists that go together.
    pub(crate) fn for_chunks<A: Send, B: Sync>(
        self,
        left: &mut [A],
        right: &[B],
        size: usize,
        work: impl Fn(&mut [A], &[B]) + Send + Sync,
    ) {
        match self {
            Self::Current => left.chunks_mut(size).zip(right.chunks(size)).for_each(|(a, b)| work(a, b)),
            Self::All => left.par_chunks_mut(size).zip(right.par_chunks(size)).for_each(|(a, b)| work(a, b)),
        }
    }
}

/// A scalar in digits.
#[derive(Clone, Debug)]
pub(crate) struct Recoded {
    /// Digits of both halves, lowest position first: 0, or odd and below 2^(w-1) in absolute value.
    digits: [[i8; POSITIONS]; 2],
    /// Positions up to the highest digit that is not 0.
    length: usize,
    /// The same for the kernel, whose lanes all add at the same positions.
    in_lanes: Digits,
}

impl Recoded {
    pub(crate) fn new(scalar: &Scalar) -> Self {
        let (low, high) = halves(scalar);
        let digits = [low, high].map(recode);
        let used = |half: &[i8; POSITIONS]| half.iter().rposition(|digit| *digit != 0).map_or(0, |last| last + 1);
        let length = digits.iter().map(used).max().unwrap_or(0);
        Self { digits, length, in_lanes: Digits::new([low, high]) }
    }
}

/// The digits of the non-adjacent form of width [`WIDTH`].
fn recode(half: i128) -> [i8; POSITIONS] {
    let mut digits = [0; POSITIONS];
    let mut rest = half.unsigned_abs();
    for digit in &mut digits {
        if rest & 1 == 1 {
            let low = (rest & ((1 << WIDTH) - 1)) as i8;
            let signed = if low >= 1 << (WIDTH - 1) { low - (1 << WIDTH) } else { low };
            rest = rest.wrapping_sub(signed as u128);
            *digit = if half < 0 { -signed } else { signed };
        }
        rest >>= 1;
    }
    digits
}

/// k_i P_i for all i, P_i in the subgroup, over the shorter of the two lists.
pub fn multiply_each(points: &[G1Affine], scalars: &[Scalar], threads: Threads) -> Vec<G1Affine> {
    let mut products: Vec<G1Affine> = points.iter().copied().take(scalars.len()).collect();
    let in_step = threads.in_step(products.len());
    threads.for_chunks(&mut products, scalars, in_step, |points, scalars| {
        let recoded: Vec<Recoded> = scalars.iter().map(Recoded::new).collect();
        multiply_in_step(points, &recoded.iter().collect::<Vec<_>>());
    });
    products
}

/// k P_i for all i, P_i in the subgroup, k a secret that lasts: many points by the kernel of
/// [`Kernel::Ifma`], in operations that do not depend on k; few, or by another kernel, by blst's
/// multiplication, whose time does not. On rayon's threads.
///
/// The points must have been checked: a point with a component of small order would give away k
/// modulo that order.
pub fn multiply_secret(points: &[G1Affine], secret: &Scalar) -> Vec<G1Affine> {
    // Integer instructions only: what floating-point arithmetic takes may depend on its operands.
    if let Some(lanes) = kernel::lanes().filter(|_| Kernel::in_use() == Kernel::Ifma)
        && points.len() >= FEWEST_FOR_LANES
    {
        let digits = SecretDigits::new(secret);
        let in_step = points.par_chunks(MOST_IN_STEP);
        let multiples = |points| in_lanes!(lanes => kernel::secret_multiples(lanes, points, &digits));
        let products: Vec<Vec<_>> = in_step.map(multiples).collect();
        return products.into_iter().flatten().map(G1Affine::from).collect();
    }
    let products: Vec<G1Projective> = points.par_iter().map(|point| point * secret).collect();
    batch_to_affine(&products)
}

/// [`multiply_each`] in place, with digits that may be shared.
pub(crate) fn multiply_recoded(points: &mut [G1Affine], scalars: &[&Recoded], threads: Threads) {
    let in_step = threads.in_step(points.len());
    threads.for_chunks(points, scalars, in_step, multiply_in_step);
}

fn multiply_in_step(points: &mut [G1Affine], scalars: &[&Recoded]) {
    if let Some(lanes) = kernel::lanes()
        && points.len() >= FEWEST_FOR_LANES
    {
        let digits: Vec<&Digits> = scalars.iter().map(|scalar| &scalar.in_lanes).collect();
        let products = in_lanes!(lanes => kernel::multiples(lanes, points, &digits));
        points.iter_mut().zip(products).for_each(|(point, product)| *point = product.into());
        return;
    }
    let mut slopes = Slopes::new();
    let multiples = odd_multiples(&mut slopes, points);
    let entry = |i: usize, half: usize, digit: i8| {
        let multiple = multiples[usize::from(digit.unsigned_abs() / 2)][i];
        let multiple = if half == 0 { multiple } else { times_z_squared(&multiple) };
        if digit < 0 { -multiple } else { multiple }
    };
    points.fill(G1Affine::default());
    let length = scalars.iter().map(|scalar| scalar.length).max().unwrap_or(0);
    // The second of a point's two additions at one position has to wait for the first.
    let (mut addends, mut first, mut second) = (Vec::new(), Vec::new(), Vec::new());
    for position in (0..length).rev() {
        slopes.double(points);
        addends.clear();
        first.clear();
        second.clear();
        for (i, scalar) in scalars.iter().enumerate() {
            let digits = [0, 1].map(|half| (half, scalar.digits[half][position]));
            for (count, (half, digit)) in digits.into_iter().filter(|(_, digit)| *digit != 0).enumerate() {
                let turn = if count == 0 { &mut first } else { &mut second };
                turn.push((i, addends.len()));
                addends.push(entry(i, half, digit));
            }
        }
        slopes.add(points, &addends, &first);
        slopes.add(points, &addends, &second);
    }
}

/// For d = 1, 3 .. 15 the multiples d P of all points.
fn odd_multiples(slopes: &mut Slopes, points: &[G1Affine]) -> Vec<Vec<G1Affine>> {
    let mut doubles = points.to_vec();
    slopes.double(&mut doubles);
    let steps: Vec<(usize, usize)> = (0..points.len()).map(|i| (i, i)).collect();
    let mut multiples = vec![points.to_vec()];
    while multiples.len() < MULTIPLES {
        let mut next = multiples.last().cloned().unwrap_or_default();
        slopes.add(&mut next, &doubles, &steps);
        multiples.push(next);
    }
    multiples
}

/// The slow twin.
pub mod naive {
    use blstrs::{G1Affine, Scalar};
    use group::Curve;

    use crate::msm::naive::multiply;

    /// k_i P_i for all i, by double and add.
    pub fn multiply_each(points: &[G1Affine], scalars: &[Scalar]) -> Vec<G1Affine> {
        points.iter().zip(scalars).map(|(point, k)| multiply(point, &k.to_bytes_le()).to_affine()).collect()
    }
}

//! Transforms of sixteen points, many in step, with 13 multiplications where four layers of
//! butterflies have 17.
//!
//! With w a primitive 16th root of unity, the parts of X_s = Σ_t w^(ts) x_t are (Winograd's way for
//! powers of two, with i = w^4):
//!
//! - s even is the transform of the eight e_t = x_t + x_(t+8): again sums e_t + e_(t+4), a
//!   transform of four points with one multiplication, by i; and differences z_t, of which the
//!   outputs 2, 10 are (z_0 + i z_2) ± q_1 and 6, 14 are (z_0 - i z_2) ± q_3, where q_1, q_3 = w^2
//!   z_1 + w^6 z_3, w^6 z_1 + w^2 z_3 are the sum and the difference of (w^2 + w^6)/2 (z_1 + z_3)
//!   and (w^2 - w^6)/2 (z_1 - z_3);
//! - s odd, of y_t = x_t - x_(t+8), is E_s + F_s, and X_(s+8) = E_s - F_s, for s = 1, 3, 5, 7. E_s,
//!   of the even t, is as 2, 10, 6, 14 above. F_s, of the odd t: F_1, F_7 = D_1 ± S_1 and F_3, F_5
//!   = D_3 ± S_3 with S_1 = C_1 P_1 + C_3 P_3, S_3 = C_3 P_1 - C_1 P_3 and P_a = y_a - y_(8-a), C_a
//!   = (w^a + w^-a)/2; D likewise of Q_a = y_a + y_(8-a) and (w^a - w^-a)/2. Such a pair takes
//!   three multiplications: with m = C_3 (P_1 + P_3), S_1 = m + (C_1 - C_3) P_1, S_3 = m - (C_1 +
//!   C_3) P_3.

#![allow(clippy::indexing_slicing, reason = "columns are numbered below 20, and of one length")]

use blstrs::{G1Affine, Scalar};
use ff::PrimeField;

use super::butterflies::butterflies;
use crate::multiply::{Recoded, Threads, multiply_recoded};

/// Points of a transform.
pub(super) const SIXTEEN: usize = 16;

/// Columns: those of the points, and four for sums beside them.
const COLUMNS: usize = SIXTEEN + 4;

/// Where output s is in the end.
const OUTPUTS: [usize; SIXTEEN] = [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 11, 3, 13, 7, 15];

/// Many transforms by one root: point t of the k-th in column t.
pub(super) struct Sixteen {
    columns: Vec<Vec<G1Affine>>,
    threads: Threads,
}

impl Sixteen {
    /// Columns of one length, sixteen.
    pub(super) fn new(columns: Vec<Vec<G1Affine>>, threads: Threads) -> Self {
        let mut columns = columns;
        columns.resize(COLUMNS, Vec::new());
        Self { columns, threads }
    }

    /// Column s of the result has the outputs s; `root` gives the powers of w.
    pub(super) fn transformed(mut self, root: impl Fn(usize) -> Scalar) -> Vec<Vec<G1Affine>> {
        self.before();
        self.multiply(&factors(root));
        self.after();
        OUTPUTS.iter().map(|column| core::mem::take(&mut self.columns[*column])).collect()
    }

    /// The sums and differences that are multiplied.
    fn before(&mut self) {
        // e and y.
        self.level(&[(0, 8), (1, 9), (2, 10), (3, 11), (4, 12), (5, 13), (6, 14), (7, 15)]);
        // Sums of e and z; Q_1 and P_1, Q_3 and P_3; the sum and the difference of y_2 and y_6.
        self.level(&[(0, 4), (1, 5), (2, 6), (3, 7), (9, 15), (11, 13), (10, 14)]);
        // P_1 + P_3 in 16 and Q_1 + Q_3 in 17.
        self.copy(&[(15, 16), (13, 18), (9, 17), (11, 19)]);
        self.level(&[(0, 2), (1, 3), (5, 7), (16, 18), (17, 19)]);
    }

    /// The outputs, from the products.
    fn after(&mut self) {
        // Beside the parts with i: S_1 in 15, S_3 in 13, D_1 in 9, D_3 in 11.
        self.copy(&[(16, 18), (17, 19)]);
        self.level(&[(0, 1), (2, 3), (4, 6), (5, 7), (8, 12), (10, 14), (15, 16), (13, 18), (9, 17), (11, 19)]);
        // The even outputs; E_1 and E_5, E_3 and E_7, F_1 and F_7, F_3 and F_5.
        self.level(&[(4, 5), (6, 7), (8, 10), (12, 14), (9, 15), (11, 13)]);
        self.level(&[(8, 9), (12, 11), (10, 13), (14, 15)]);
    }

    /// (a, b) becomes (a + b, a - b) in these pairs of columns.
    fn level(&mut self, places: &[(usize, usize)]) {
        let columns = &self.columns;
        let pair = |(a, b): &(usize, usize)| columns[*a].iter().zip(&columns[*b]).map(|(a, b)| [*a, *b]);
        let mut pairs: Vec<[G1Affine; 2]> = places.iter().flat_map(pair).collect();
        butterflies(&mut pairs, self.threads);
        let mut pairs = pairs.into_iter();
        for (a, b) in places {
            let count = self.columns[*a].len();
            (self.columns[*a], self.columns[*b]) = pairs.by_ref().take(count).map(|[sum, less]| (sum, less)).unzip();
        }
    }

    fn copy(&mut self, places: &[(usize, usize)]) {
        for (from, to) in places {
            self.columns[*to] = self.columns[*from].clone();
        }
    }

    fn multiply(&mut self, factors: &[(usize, Scalar)]) {
        let recoded: Vec<Recoded> = factors.iter().map(|(_, factor)| Recoded::new(factor)).collect();
        let mut points: Vec<G1Affine> = factors.iter().flat_map(|(column, _)| self.columns[*column].clone()).collect();
        let count = self.columns[0].len();
        let scalars: Vec<&Recoded> = recoded.iter().flat_map(|recoded| core::iter::repeat_n(recoded, count)).collect();
        multiply_recoded(&mut points, &scalars, self.threads);
        for ((column, _), points) in factors.iter().zip(points.chunks(count)) {
            self.columns[*column].copy_from_slice(points);
        }
    }
}

/// What the columns are multiplied by, given the powers of w.
fn factors(root: impl Fn(usize) -> Scalar) -> [(usize, Scalar); 13] {
    let half = |a: usize, b: usize| [root(a) + root(b), root(a) - root(b)].map(|sum| sum * Scalar::TWO_INV);
    let i = root(4);
    let [eighths, eighths_apart] = half(2, 6);
    let [c_1, d_1] = half(1, 15);
    let [c_3, d_3] = half(3, 13);
    [
        (3, i),
        (6, i),
        (12, i),
        (5, eighths),
        (7, eighths_apart),
        (10, eighths),
        (14, eighths_apart),
        (16, c_3),
        (15, c_1 - c_3),
        (13, -(c_1 + c_3)),
        (17, d_3),
        (9, d_1 - d_3),
        (11, -(d_1 + d_3)),
    ]
}

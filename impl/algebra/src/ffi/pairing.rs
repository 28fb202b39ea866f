//! Miller loops over prepared lines, several at once, and the final exponentiation.

#![allow(clippy::indexing_slicing, reason = "a line has three coefficients")]

use blst::{
    blst_fp, blst_fp_add, blst_fp_cneg, blst_fp_mul, blst_fp6, blst_fp12, blst_fp12_mul_by_xy00z0,
    blst_precompute_lines,
};
use blstrs::{G1Affine, G2Affine};

use super::final_exponentiation::is_one_reduced;
use super::fp12::{conjugate, product, square, squared_in};
use crate::kernel::{DOUBLINGS_AFTER_ADDITIONS, LINES, Lanes, Pair, Pieces, SQUARINGS, in_lanes, lanes_for_pairings};

/// The lines of the Miller loop with this second argument, which is not infinity.
pub(crate) fn lines(point: &G2Affine) -> Vec<blst_fp6> {
    let mut lines = vec![blst_fp6::default(); LINES];
    // SAFETY: the callee reads one affine point and writes 68 lines.
    unsafe { blst_precompute_lines(lines.as_mut_ptr(), point.as_ref()) };
    lines
}

/// A first argument in the form that lines are evaluated at: (-2x, 2y).
fn doubled_coordinates(point: &G1Affine) -> (blst_fp, blst_fp) {
    let raw = point.as_ref();
    let (mut x, mut y) = (blst_fp::default(), blst_fp::default());
    // SAFETY: each call reads field elements and writes one.
    unsafe {
        blst_fp_add(&mut x, &raw.x, &raw.x);
        blst_fp_cneg(&mut x, &x.clone(), true);
        blst_fp_add(&mut y, &raw.y, &raw.y);
    }
    (x, y)
}

/// f · line(P).
fn multiply_by_line(f: &mut blst_fp12, line: &blst_fp6, (x, y): &(blst_fp, blst_fp)) {
    let mut evaluated = *line;
    for part in 0..2 {
        // SAFETY: each call reads two field elements and writes one.
        unsafe {
            blst_fp_mul(&mut evaluated.fp2[1].fp[part], &line.fp2[1].fp[part], x);
            blst_fp_mul(&mut evaluated.fp2[2].fp[part], &line.fp2[2].fp[part], y);
        }
    }
    let before = *f;
    // SAFETY: the callee reads two elements and writes one.
    unsafe { blst_fp12_mul_by_xy00z0(f, &before, &evaluated) };
}

/// Whether Π e(P_i, Q_i) = 1 for first arguments other than infinity and the lines of second ones.
///
/// Every list of lines has [`LINES`] entries.
pub(crate) fn product_is_one(pairs: &[(&G1Affine, &[blst_fp6])]) -> bool {
    let f = match lanes_for_pairings() {
        Some(lanes) => in_lanes!(lanes => miller_loops_in(lanes, pairs)),
        None => miller_loops(pairs),
    };
    // The parameter z is negative, hence the conjugate.
    is_one_reduced(&conjugate(&f))
}

/// The product of all Miller loops, which share their squarings.
fn miller_loops(pairs: &[(&G1Affine, &[blst_fp6])]) -> blst_fp12 {
    let arguments: Vec<_> = pairs.iter().map(|(point, lines)| (doubled_coordinates(point), *lines)).collect();
    let mut f = blst_fp12::default();
    let step = |f: &mut blst_fp12, k: usize| {
        arguments.iter().for_each(|(argument, lines)| multiply_by_line(f, &lines[k], argument));
    };
    step(&mut f, 0);
    let mut k = 1;
    for doublings in DOUBLINGS_AFTER_ADDITIONS {
        step(&mut f, k);
        for _ in 0..doublings {
            k += 1;
            f = square(&f);
            step(&mut f, k);
        }
        k += 1;
    }
    f
}

/// [`miller_loops`], of at least one pair, in pieces side by side.
fn miller_loops_in(lanes: impl Lanes, pairs: &[(&G1Affine, &[blst_fp6])]) -> blst_fp12 {
    let pairs: Vec<Pair<'_>> = pairs
        .iter()
        .map(|(point, lines)| {
            let (x, y) = doubled_coordinates(point);
            Pair { coordinates: [x.l, y.l], lines }
        })
        .collect();
    let pieces = lanes.run(Pieces(&pairs));
    let mut f = pieces[0];
    for (piece, squarings) in pieces.iter().zip(SQUARINGS).skip(1) {
        f = product(&squared_in(lanes, &f, squarings), piece);
    }
    f
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use blstrs::Scalar;
    use group::Curve;
    use group::prime::PrimeCurveAffine;

    use super::*;
    use crate::kernel::{Portable, with_each};

    fn points(pairs: u64) -> Vec<(G1Affine, Vec<blst_fp6>)> {
        let first = |n: u64| (G1Affine::generator() * Scalar::from(3 * n + 2)).to_affine();
        let second = |n: u64| (G2Affine::generator() * Scalar::from(5 * n + 1)).to_affine();
        (0..pairs).map(|n| (first(n), lines(&second(n)))).collect()
    }

    fn borrowed(pairs: &[(G1Affine, Vec<blst_fp6>)]) -> Vec<(&G1Affine, &[blst_fp6])> {
        pairs.iter().map(|(point, lines)| (point, lines.as_slice())).collect()
    }

    fn pieces_make_the_whole_loop(lanes: impl Lanes) {
        for pairs in 1..6 {
            let pairs = points(pairs);
            assert_eq!(miller_loops_in(lanes, &borrowed(&pairs)), miller_loops(&borrowed(&pairs)));
        }
    }

    #[test]
    fn pieces_of_miller_loops_make_the_whole_loops() {
        pieces_make_the_whole_loop(Portable);
        with_each!(lanes => pieces_make_the_whole_loop(lanes));
    }

    #[test]
    #[ignore = "a measurement"]
    fn how_long_miller_loops_take() {
        let pairs = points(2);
        let pairs = borrowed(&pairs);
        let time = |work: &dyn Fn() -> blst_fp12| {
            let start = Instant::now();
            (0..500).for_each(|_| assert!(work() != blst_fp12::default()));
            start.elapsed().as_secs_f64() * 2000.0
        };
        with_each!(lanes => {
            for _ in 0..3 {
                let (one, many) = (time(&|| miller_loops(&pairs)), time(&|| miller_loops_in(lanes, &pairs)));
                eprintln!("two loops, line by line {one:.1} us, in pieces {many:.1} us");
            }
            let pairs: Vec<Pair<'_>> =
                pairs.iter().map(|(_, lines)| Pair { coordinates: [[1; 6]; 2], lines }).collect();
            eprintln!("the pieces alone {:.1} us", time(&|| lanes.run(Pieces(&pairs))[0]));
        });
    }
}

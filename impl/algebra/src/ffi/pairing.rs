//! Miller loops over prepared lines, several at once, and the final exponentiation.

#![allow(clippy::indexing_slicing, reason = "a line has three coefficients")]

use blst::{
    blst_fp, blst_fp_add, blst_fp_cneg, blst_fp_mul, blst_fp6, blst_fp12, blst_fp12_conjugate, blst_fp12_mul_by_xy00z0,
    blst_fp12_sqr, blst_precompute_lines,
};
use blstrs::{G1Affine, G2Affine};

use super::final_exponentiation::is_one_reduced;

/// Lines of a Miller loop: one for each doubling and addition.
pub(crate) const LINES: usize = 68;

/// After the first doubling: an addition, and so many doublings. The bits of the curve's parameter
/// |z|, highest first.
pub(super) const DOUBLINGS_AFTER_ADDITIONS: [usize; 5] = [2, 3, 9, 32, 16];

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

fn square(f: &mut blst_fp12) {
    let before = *f;
    // SAFETY: the callee reads one element and writes one.
    unsafe { blst_fp12_sqr(f, &before) };
}

/// Whether Π e(P_i, Q_i) = 1 for first arguments other than infinity and the lines of second ones,
/// all Miller loops sharing their squarings.
///
/// Every list of lines has [`LINES`] entries.
pub(crate) fn product_is_one(pairs: &[(&G1Affine, &[blst_fp6])]) -> bool {
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
            square(&mut f);
            step(&mut f, k);
        }
        k += 1;
    }
    // SAFETY: the callee changes one element. The parameter z is negative, hence the conjugate.
    unsafe { blst_fp12_conjugate(&mut f) };
    is_one_reduced(&f)
}

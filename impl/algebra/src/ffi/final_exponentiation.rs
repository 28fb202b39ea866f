//! The final exponentiation of a pairing, where only the question is whether one comes out.
//!
//! (p^12 - 1) / r = (p^6 - 1) (p² + 1) h. The first two factors are cheap, and lead into the
//! cyclotomic subgroup, where conjugates are inverses. There
//!
//! ```text
//! 3 h = (z - 1)² (z + p) (z² + p² - 1) + 3
//! ```
//!
//! (Hayashida, Hayasaka, Teruya), and m^h, whose order divides r, is 1 if and only if m^(3 h) is.
//! Of the five powers with exponent z nearly all are squarings: those are done in the kernel.

#![allow(clippy::indexing_slicing, reason = "an element has two times three times two coefficients")]

use blst::{
    blst_final_exp, blst_fp12, blst_fp12_conjugate, blst_fp12_frobenius_map, blst_fp12_inverse, blst_fp12_is_one,
    blst_fp12_mul,
};

use super::pairing::DOUBLINGS_AFTER_ADDITIONS;
use crate::kernel::{Halves, LANES, Lanes, PLACES, Squared, lanes};

/// Whether f^((p^12 - 1) / r) = 1.
pub(super) fn is_one_reduced(f: &blst_fp12) -> bool {
    match lanes() {
        Some(lanes) => is_one_reduced_in(lanes, f),
        None => {
            let mut reduced = blst_fp12::default();
            // SAFETY: the calls read and write single elements.
            unsafe {
                blst_final_exp(&mut reduced, f);
                blst_fp12_is_one(&reduced)
            }
        }
    }
}

/// [`is_one_reduced`] by the formula of the module's text.
fn is_one_reduced_in(lanes: impl Lanes, f: &blst_fp12) -> bool {
    let power = |a: &blst_fp12| conjugate(&power_of_parameter(lanes, a));
    // m = f^((p^6 - 1) (p² + 1)).
    let quotient = product(&conjugate(f), &inverse(f));
    let m = product(&frobenius(&quotient, 2), &quotient);
    let minus_one = |a: &blst_fp12| product(&power(a), &conjugate(a));
    let square = minus_one(&minus_one(&m));
    let with_p = product(&power(&square), &frobenius(&square, 1));
    let last = product(&product(&power(&power(&with_p)), &frobenius(&with_p, 2)), &conjugate(&with_p));
    let cube = product(&squared(lanes, &m, 1), &m);
    // SAFETY: the callee reads one element.
    unsafe { blst_fp12_is_one(&product(&last, &cube)) }
}

/// a^|z| in the cyclotomic subgroup.
fn power_of_parameter(lanes: impl Lanes, a: &blst_fp12) -> blst_fp12 {
    let mut power = squared(lanes, a, 1);
    for squarings in DOUBLINGS_AFTER_ADDITIONS {
        power = squared(lanes, &product(&power, a), squarings as u32);
    }
    power
}

/// a^(2^times) in the cyclotomic subgroup.
fn squared(lanes: impl Lanes, a: &blst_fp12, times: u32) -> blst_fp12 {
    from_halves(&lanes.run(Squared { element: &to_halves(a), times }))
}

/// The place of g_i among blst's coefficients, which has F_(p^12) over F_(p^6) over F_(p²): the
/// parity of i, and half of it.
const fn place(i: usize) -> (usize, usize) {
    (i % 2, i / 2)
}

fn to_halves(a: &blst_fp12) -> Halves {
    let mut halves = Halves::default();
    for i in 0..6 {
        let ((sixth, second), lane) = (place(i), PLACES[i % 3]);
        for part in 0..2 {
            halves[i / 3][(lane + part) % LANES] = a.fp6[sixth].fp2[second].fp[part].l;
        }
    }
    halves
}

fn from_halves(halves: &Halves) -> blst_fp12 {
    let mut a = blst_fp12::default();
    for i in 0..6 {
        let ((sixth, second), lane) = (place(i), PLACES[i % 3]);
        for part in 0..2 {
            a.fp6[sixth].fp2[second].fp[part].l = halves[i / 3][(lane + part) % LANES];
        }
    }
    a
}

fn product(a: &blst_fp12, b: &blst_fp12) -> blst_fp12 {
    let mut product = blst_fp12::default();
    // SAFETY: the callee reads two elements and writes one.
    unsafe { blst_fp12_mul(&mut product, a, b) };
    product
}

fn conjugate(a: &blst_fp12) -> blst_fp12 {
    let mut conjugate = *a;
    // SAFETY: the callee changes one element.
    unsafe { blst_fp12_conjugate(&mut conjugate) };
    conjugate
}

fn inverse(a: &blst_fp12) -> blst_fp12 {
    let mut inverse = blst_fp12::default();
    // SAFETY: the callee reads one element and writes one.
    unsafe { blst_fp12_inverse(&mut inverse, a) };
    inverse
}

/// a^(p^power), for `power` 1, 2 or 3.
fn frobenius(a: &blst_fp12, power: usize) -> blst_fp12 {
    let mut image = blst_fp12::default();
    // SAFETY: the callee reads one element and writes one; it has tables for powers of at most 3.
    unsafe { blst_fp12_frobenius_map(&mut image, a, power) };
    image
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use blst::blst_fp12_cyclotomic_sqr;

    use super::*;
    use crate::hash_to_scalar;
    use crate::kernel::{Portable, with_fastest};

    /// Any element.
    fn element(seed: u64) -> blst_fp12 {
        let mut element = blst_fp12::default();
        for (place, coefficient) in element.fp6.iter_mut().flat_map(|a| &mut a.fp2).flat_map(|a| &mut a.fp).enumerate()
        {
            let bytes = hash_to_scalar(&seed.to_be_bytes(), &[place as u8]).to_bytes_le();
            for (word, bytes) in coefficient.l.iter_mut().zip(bytes.as_chunks().0) {
                *word = u64::from_le_bytes(*bytes);
            }
        }
        element
    }

    /// Its image in the cyclotomic subgroup.
    fn cyclotomic(f: &blst_fp12) -> blst_fp12 {
        let quotient = product(&conjugate(f), &inverse(f));
        product(&frobenius(&quotient, 2), &quotient)
    }

    fn squarings_are_those_of_blst(lanes: impl Lanes) {
        for seed in 0..20 {
            let start = cyclotomic(&element(seed));
            let mut expected = start;
            for times in 1..40 {
                let before = expected;
                // SAFETY: the callee reads one element and writes one.
                unsafe { blst_fp12_cyclotomic_sqr(&mut expected, &before) };
                assert_eq!(squared(lanes, &start, times), expected);
            }
        }
        let one = product(&element(1), &inverse(&element(1)));
        assert_eq!(squared(lanes, &one, 100), one);
    }

    #[test]
    fn squarings_in_the_subgroup_are_those_of_blst() {
        squarings_are_those_of_blst(Portable);
        with_fastest(squarings_are_those_of_blst);
    }

    fn verdicts_are_those_of_blst(lanes: impl Lanes) {
        for seed in 0..6 {
            let f = element(seed);
            let mut reduced = blst_fp12::default();
            // SAFETY: the callee reads one element and writes one.
            unsafe { blst_final_exp(&mut reduced, &f) };
            let mut to_r = f;
            for bit in (0..R.len() * 64 - 1).rev().skip_while(|bit| R[bit / 64] >> (bit % 64) & 1 == 0).skip(1) {
                to_r = product(&to_r, &to_r);
                if R[bit / 64] >> (bit % 64) & 1 == 1 {
                    to_r = product(&to_r, &f);
                }
            }
            assert!(is_one_reduced_in(lanes, &to_r), "an r-th power");
            assert!(!is_one_reduced_in(lanes, &f) && !is_one_reduced_in(lanes, &product(&to_r, &f)));
            assert!(!is_one_reduced_in(lanes, &reduced), "an element of order r");
        }
    }

    /// r.
    const R: [u64; 4] = [0xffff_ffff_0000_0001, 0x53bd_a402_fffe_5bfe, 0x3339_d808_09a1_d805, 0x73ed_a753_299d_7d48];

    #[test]
    fn one_comes_out_exactly_where_it_does_of_blst() {
        verdicts_are_those_of_blst(Portable);
        with_fastest(verdicts_are_those_of_blst);
    }

    #[test]
    #[ignore = "a measurement"]
    fn how_long_a_final_exponentiation_takes() {
        let f = element(1);
        let time = |work: &dyn Fn() -> bool| {
            let start = Instant::now();
            (0..500).for_each(|_| assert!(!work()));
            start.elapsed().as_secs_f64() * 2000.0
        };
        let of_blst = || {
            let mut reduced = blst_fp12::default();
            // SAFETY: the calls read and write single elements.
            unsafe {
                blst_final_exp(&mut reduced, &f);
                blst_fp12_is_one(&reduced)
            }
        };
        with_fastest(|lanes| {
            for _ in 0..3 {
                let (theirs, ours) = (time(&of_blst), time(&|| is_one_reduced_in(lanes, &f)));
                eprintln!("blst {theirs:.1} us, in lanes {ours:.1} us");
            }
            let m = cyclotomic(&f);
            let halves = to_halves(&m);
            let none = time(&|| lanes.run(Squared { element: &halves, times: 0 }) == Halves::default());
            let many = time(&|| lanes.run(Squared { element: &halves, times: 100 }) == Halves::default());
            eprintln!("in and out {none:.3} us, a squaring {:.3} us", (many - none) / 100.0);
        });
    }
}

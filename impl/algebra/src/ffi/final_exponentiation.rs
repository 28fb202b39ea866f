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

use blst::{blst_final_exp, blst_fp12, blst_fp12_is_one};

use super::fp12::{conjugate, cyclotomic_squared_in, frobenius, inverse, product};
use crate::kernel::{DOUBLINGS_AFTER_ADDITIONS, Lanes, in_lanes, lanes_for_pairings};

/// Whether f^((p^12 - 1) / r) = 1.
pub(super) fn is_one_reduced(f: &blst_fp12) -> bool {
    match lanes_for_pairings() {
        Some(lanes) => in_lanes!(lanes => is_one_reduced_in(lanes, f)),
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
    let cube = product(&cyclotomic_squared_in(lanes, &m, 1), &m);
    // SAFETY: the callee reads one element.
    unsafe { blst_fp12_is_one(&product(&last, &cube)) }
}

/// a^|z| in the cyclotomic subgroup.
fn power_of_parameter(lanes: impl Lanes, a: &blst_fp12) -> blst_fp12 {
    let mut power = cyclotomic_squared_in(lanes, a, 1);
    for squarings in DOUBLINGS_AFTER_ADDITIONS {
        power = cyclotomic_squared_in(lanes, &product(&power, a), squarings as u32);
    }
    power
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::ffi::fp12::tests::element;
    use crate::kernel::{Portable, with_each};

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
        with_each!(lanes => verdicts_are_those_of_blst(lanes));
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
        with_each!(lanes => {
            for _ in 0..3 {
                let (theirs, ours) = (time(&of_blst), time(&|| is_one_reduced_in(lanes, &f)));
                eprintln!("blst {theirs:.1} us, in lanes {ours:.1} us");
            }
        });
    }
}

//! Arithmetic in `F_(p^12)`.

#![allow(clippy::indexing_slicing, reason = "an element has two times three times two coefficients")]

use blst::{blst_fp12, blst_fp12_conjugate, blst_fp12_frobenius_map, blst_fp12_inverse, blst_fp12_mul, blst_fp12_sqr};

use crate::kernel::{CyclotomicSquared, Halves, LANES, Lanes, PLACES, Squared};

/// a b.
pub(super) fn product(a: &blst_fp12, b: &blst_fp12) -> blst_fp12 {
    let mut product = blst_fp12::default();
    // SAFETY: the callee reads two elements and writes one.
    unsafe { blst_fp12_mul(&mut product, a, b) };
    product
}

/// a².
pub(super) fn square(a: &blst_fp12) -> blst_fp12 {
    let mut square = blst_fp12::default();
    // SAFETY: the callee reads one element and writes one.
    unsafe { blst_fp12_sqr(&mut square, a) };
    square
}

/// a^(p^6).
pub(super) fn conjugate(a: &blst_fp12) -> blst_fp12 {
    let mut conjugate = *a;
    // SAFETY: the callee changes one element.
    unsafe { blst_fp12_conjugate(&mut conjugate) };
    conjugate
}

/// 1 / a; 0 for 0.
pub(super) fn inverse(a: &blst_fp12) -> blst_fp12 {
    let mut inverse = blst_fp12::default();
    // SAFETY: the callee reads one element and writes one.
    unsafe { blst_fp12_inverse(&mut inverse, a) };
    inverse
}

/// a^(p^power), for `power` 1, 2 or 3.
pub(super) fn frobenius(a: &blst_fp12, power: usize) -> blst_fp12 {
    let mut image = blst_fp12::default();
    // SAFETY: the callee reads one element and writes one; it has tables for these powers.
    unsafe { blst_fp12_frobenius_map(&mut image, a, power) };
    image
}

/// a^(2^times).
pub(super) fn squared_in(lanes: impl Lanes, a: &blst_fp12, times: u32) -> blst_fp12 {
    from_halves(&lanes.run(Squared { element: &to_halves(a), times }))
}

/// a^(2^times) in the cyclotomic subgroup.
pub(super) fn cyclotomic_squared_in(lanes: impl Lanes, a: &blst_fp12, times: u32) -> blst_fp12 {
    from_halves(&lanes.run(CyclotomicSquared { element: &to_halves(a), times }))
}

/// The place of g_i, a = Σ g_i w^i, among blst's coefficients, which has `F_(p^12)` over F_(p^6)
/// over F_(p²).
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

#[cfg(test)]
pub(super) mod tests {
    use std::time::Instant;

    use blst::blst_fp12_cyclotomic_sqr;

    use super::*;
    use crate::hash_to_scalar;
    use crate::kernel::{Portable, with_each};

    /// Any element.
    pub(in crate::ffi) fn element(seed: u64) -> blst_fp12 {
        let mut element = blst_fp12::default();
        let coefficients = element.fp6.iter_mut().flat_map(|a| &mut a.fp2).flat_map(|a| &mut a.fp);
        for (place, coefficient) in coefficients.enumerate() {
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

    fn cyclotomic_square(a: &blst_fp12) -> blst_fp12 {
        let mut square = blst_fp12::default();
        // SAFETY: the callee reads one element and writes one.
        unsafe { blst_fp12_cyclotomic_sqr(&mut square, a) };
        square
    }

    fn squarings_are_those_of_blst(lanes: impl Lanes) {
        for seed in 0..20 {
            let any = element(seed);
            let of_subgroup = cyclotomic(&any);
            let (mut of_any, mut of_it) = (any, of_subgroup);
            for times in 1..40 {
                (of_any, of_it) = (square(&of_any), cyclotomic_square(&of_it));
                assert_eq!(squared_in(lanes, &any, times), of_any, "{times} squarings");
                assert_eq!(squared_in(lanes, &of_subgroup, times), of_it, "{times} squarings");
                assert_eq!(cyclotomic_squared_in(lanes, &of_subgroup, times), of_it, "{times} squarings");
            }
        }
        let one = product(&element(1), &inverse(&element(1)));
        assert_eq!(cyclotomic_squared_in(lanes, &one, 100), one);
        assert_eq!(squared_in(lanes, &one, 100), one);
    }

    #[test]
    fn squarings_in_lanes_are_those_of_blst() {
        squarings_are_those_of_blst(Portable);
        with_each!(lanes => squarings_are_those_of_blst(lanes));
    }

    #[test]
    #[ignore = "a measurement"]
    fn how_long_squarings_take() {
        let any = element(1);
        let element = cyclotomic(&any);
        let time = |work: &dyn Fn(&blst_fp12) -> blst_fp12| {
            let start = Instant::now();
            (0..500).for_each(|_| assert!(work(&element) != any));
            start.elapsed().as_secs_f64() * 2000.0
        };
        with_each!(lanes => {
            let (general, ours) = (time(&square), time(&|a| squared_in(lanes, a, 100)) / 100.0);
            eprintln!("a square: blst {general:.3} us, in lanes {ours:.3} us");
            let (theirs, ours) = (time(&cyclotomic_square), time(&|a| cyclotomic_squared_in(lanes, a, 100)) / 100.0);
            eprintln!("in the cyclotomic subgroup: blst {theirs:.3} us, in lanes {ours:.3} us");
            eprintln!("in and out: {:.3} us", time(&|a| squared_in(lanes, a, 0)));
        });
    }
}

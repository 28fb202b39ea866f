//! One inversion for many: the products of two chains, eight lanes each, are multiplied together,
//! inverted once outside of the kernel, and the inverse is taken apart again.

#![allow(clippy::indexing_slicing, reason = "lanes and words are counted")]

use super::constants::{Limbs, power_of_two};
use super::field::{canonical, from_words, splat, swapped, to_words};
use super::lanes::{Element, LANES, Lanes};
use crate::ffi::fp::{BaseField, from_montgomery};

/// Bits by which R exceeds the factor 2^384 of elements outside of the kernel.
pub(super) const FORM: u32 = 32;

/// What takes a 2^416 to a 2^384.
pub(super) const WAY_OUT: Limbs = power_of_two(384);

/// The inverses of all lanes of both elements; `None` if one of the sixteen is 0.
#[inline(always)]
pub(super) fn inverses<L: Lanes>(lanes: L, chains: &[Element<L>; 2]) -> Option<[Element<L>; 2]> {
    let one = lanes.product(&chains[0], &chains[1]);
    let two = lanes.product(&one, &swapped(lanes, &one, 1));
    let four = lanes.product(&two, &swapped(lanes, &two, 2));
    let four_more = swapped(lanes, &four, 4);
    let eight = lanes.product(&four, &four_more);
    let outside = canonical(lanes, &lanes.product(&eight, &splat(lanes, &WAY_OUT)));
    let total = from_montgomery(to_words(lanes, &outside)[0]);
    if total.is_zero() {
        return None;
    }
    let inverse = total.inverse();
    let of_eight = from_words(lanes, &lanes.transposed([&inverse.l; LANES]), FORM);
    let of_four = lanes.product(&of_eight, &four_more);
    let of_two = lanes.product(&of_four, &swapped(lanes, &two, 2));
    let of_one = lanes.product(&of_two, &swapped(lanes, &one, 1));
    Some([lanes.product(&of_one, &chains[1]), lanes.product(&of_one, &chains[0])])
}

//! Every length up to a few blocks at every alignment, and beyond it the lengths at which something
//! changes, each between bytes that must stay what they are.

use super::*;

/// Bytes around what is written.
const AROUND: usize = 80;

/// All short lengths, and some around those at which another way is taken.
fn lengths() -> impl Iterator<Item = usize> {
    (0..=300).chain([511, 512, 513, 1024, 2000, LONG - 65, LONG - 1, LONG, LONG + 1, LONG + 64, 3 * LONG + 7])
}

/// Bytes that look random, no two of which in a row are the same.
fn bytes(count: usize, seed: u8) -> Vec<u8> {
    (0..count).map(|at| (at as u8).wrapping_mul(167) ^ (at >> 8) as u8 ^ seed).collect()
}

#[test]
fn copies_are_what_they_are_of_and_leave_the_rest_alone() {
    for count in lengths() {
        for (skew, other) in [(0, 0), (1, 0), (0, 1), (7, 3), (8, 15), (15, 8)] {
            let source = bytes(count + 16, 3);
            let mut target = bytes(count + 2 * AROUND, 91);
            let mut expected = target.clone();
            expected[AROUND + other..][..count].copy_from_slice(&source[skew..][..count]);
            // SAFETY: both slices have so many bytes behind these.
            unsafe { copy(target.as_mut_ptr().add(AROUND + other), source.as_ptr().add(skew), count) };
            assert!(target == expected, "{count} bytes from {skew} to {other}");
        }
    }
}

#[test]
fn copies_within_the_same_bytes_are_of_what_was_there_before() {
    for count in lengths() {
        let distances = [0, 1, 2, 7, 15, 16, 17, 33, 63, 64, 65, 127, 129, count / 2, count.saturating_sub(1), count];
        for distance in distances {
            for (from, to) in [(AROUND, AROUND + distance), (AROUND + distance, AROUND)] {
                let mut all = bytes(count + distance + 2 * AROUND, 17);
                let mut expected = all.clone();
                expected.copy_within(from..from + count, to);
                let start = all.as_mut_ptr();
                // SAFETY: there are so many bytes behind either place.
                unsafe { copy_overlapping(start.add(to), start.add(from), count) };
                assert!(all == expected, "{count} bytes from {from} to {to}");
            }
        }
    }
}

#[test]
fn bytes_compare_as_slices_do_wherever_they_differ() {
    for count in lengths() {
        let left = bytes(count, 5);
        let places: Vec<usize> = match count {
            0..=150 => (0..count).collect(),
            _ => vec![0, 1, 15, 16, 17, 100, count / 2, count - 17, count - 16, count - 2, count - 1],
        };
        let sign = |left: &[u8], right: &[u8]| {
            // SAFETY: both have so many bytes.
            let compared = unsafe { compare(left.as_ptr(), right.as_ptr(), count) };
            assert_eq!(compared.signum(), left[..count].cmp(&right[..count]) as i32, "{count} bytes");
        };
        sign(&left, &left.clone());
        for place in places {
            for mask in [1, 0x80, 0xff] {
                let mut right = left.clone();
                right[place] ^= mask;
                sign(&left, &right);
                // What differs later does not count.
                right[place..].iter_mut().for_each(|byte| *byte ^= mask);
                sign(&left, &right);
            }
        }
        // What lies behind does not count.
        let longer = |last: u8| [&left[..], &[last]].concat();
        sign(&longer(1), &longer(2));
    }
}

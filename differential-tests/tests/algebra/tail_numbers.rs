//! Where the tail starts and how many vectors a block needs, as numbers.

use aardvark_dictionary::tail::{tail_floor, tail_needed, tail_start_after};
use aardvark_spec::block::tail;

#[test]
fn the_numbers_of_the_tail_are_the_same_for_every_small_array() {
    for n in [1usize, 2, 4, 8] {
        for size in 1..40usize {
            let (wide_n, wide_size) = (n as u64, size as u64);
            assert_eq!(tail::tail_floor(size, n) as u64, tail_floor(wide_size, wide_n), "s = {size}, N = {n}");
            // A tail may start lower than growth alone would put it, never beyond the array.
            for start in (0..=40usize).step_by(n) {
                let needed = tail::tail_needed(start, size, n) as u64;
                assert_eq!(needed, tail_needed(start as u64, wide_size, wide_n), "s = {size}, N = {n}, {start}");
                let after = tail::tail_start_after(start, size, n) as u64;
                assert_eq!(after, tail_start_after(start as u64, wide_size, wide_n), "s = {size}, N = {n}, {start}");
                assert!(after <= wide_size && after.is_multiple_of(wide_n), "s = {size}, N = {n}, {start}: {after}");
            }
        }
    }
}

//! Loops, assignments in a line.

use crate::sequences::*;
use hacspec_lib::*;

pub fn sum_step(total: usize, x: u8) -> usize {
    total + x as usize
}
pub fn sum(s: &ByteString) -> usize {
    let mut total = 0;
    for i in 0..s.len() {
        total = sum_step(total, s[i]);
    }
    total
}
pub fn case_sum() -> usize {
    sum(&word())
}
pub fn case_empty_range() -> usize {
    let mut total = 5;
    for i in 7..3 {
        total = total + i;
    }
    total
}
pub fn case_range_within() -> usize {
    let mut total = 0;
    for i in 3..3 + 4 {
        total = 10 * total + i;
    }
    total
}
pub fn case_range_fixed_before_the_first_run() -> usize {
    let mut n = 3;
    for _i in 0..n {
        n = n + 1;
    }
    n
}
pub fn case_body_with_bindings() -> (usize, usize) {
    let mut pair = (0, 1);
    for _ in 0..10usize {
        let (a, b) = pair;
        let c = a + b;
        pair = (b, c);
    }
    pair
}
pub fn case_assignments_in_a_line() -> usize {
    let mut x = 1;
    x = x + 1;
    x = x * 10;
    let y = x;
    x = x + y;
    x
}
pub fn case_two_loops() -> ByteString {
    let mut bytes = ByteString::new(0);
    for i in 0..3 {
        bytes = bytes.push_owned(i);
    }
    for i in 0..2 {
        bytes = bytes.concat(&word().slice(i, 1));
    }
    bytes
}
pub fn case_read_past_the_end() -> usize {
    let s = word();
    let mut total = 0;
    for i in 0..s.len() + 1 {
        total = sum_step(total, s[i]);
    }
    total
}
pub fn case_overflow_in_the_last_run() -> u8 {
    let mut x: u8 = 1;
    for _i in 0..8usize {
        x = x * 2;
    }
    x
}
pub fn case_overflow_just_avoided() -> u8 {
    let mut x: u8 = 1;
    for _i in 0..7usize {
        x = x * 2;
    }
    x
}
pub fn first_above_step(found: Option<usize>, i: usize, s: &ByteString, bound: u8) -> Option<usize> {
    match found {
        Some(_) => found,
        None => {
            if bound < s[i] {
                Some(i)
            } else {
                None
            }
        }
    }
}
pub fn first_above(s: &ByteString, bound: u8) -> Option<usize> {
    let mut found = None;
    for i in 0..s.len() {
        found = first_above_step(found, i, s, bound);
    }
    found
}
pub fn case_search() -> (Option<usize>, Option<usize>) {
    (first_above(&word(), 110), first_above(&word(), 200))
}

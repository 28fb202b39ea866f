//! `if`, `match`, `&&`, `||`: what is evaluated, and what is not.

use crate::numbers::*;

pub fn classify(x: usize) -> usize {
    if x < 10 {
        1
    } else if x < 100 {
        2
    } else {
        3
    }
}
pub fn case_else_if() -> (usize, usize, usize) {
    (classify(9), classify(10), classify(100))
}
pub fn case_and_stops() -> bool {
    LIMIT < 10 && quotient(1, 0) == 0
}
pub fn case_or_stops() -> bool {
    LIMIT > 10 || quotient(1, 0) == 0
}
pub fn case_and_goes_on() -> bool {
    LIMIT > 10 && quotient(1, 0) == 0
}
pub fn case_and_binds_tighter_than_or() -> (bool, bool) {
    (true || false && false, (true || false) && false)
}
pub fn case_not() -> (bool, bool) {
    (!(1u64 < 2) || 2u8 < 1, !(1u64 < 2 && 2u8 < 1))
}
pub fn named(x: usize) -> u8 {
    match x {
        0 => 10,
        1 | 2 => 20,
        7 => 30,
        _ => 40,
    }
}
pub fn case_number_patterns() -> (u8, u8, u8, u8) {
    (named(0), named(2), named(7), named(8))
}
pub fn both(a: bool, b: bool) -> usize {
    match (a, b) {
        (true, true) => 3,
        (true, _) => 2,
        (_, true) => 1,
        (false, false) => 0,
    }
}
pub fn case_tuple_patterns() -> (usize, usize, usize, usize) {
    (both(false, false), both(false, true), both(true, false), both(true, true))
}
pub fn depth(x: &Option<Option<usize>>) -> usize {
    match x {
        None => 0,
        Some(None) => 1,
        Some(Some(inner)) => 2 + *inner,
    }
}
pub fn case_nested_patterns() -> (usize, usize, usize) {
    (depth(&None), depth(&Some(None)), depth(&Some(Some(5))))
}
pub fn case_first_arm_wins() -> usize {
    match (1usize, 2usize) {
        (first, 2) => first,
        (_, second) => second,
    }
}
pub fn case_siblings_share_names() -> usize {
    let a = match depth(&None) {
        0 => {
            let inner = 5;
            inner + 1
        }
        other => other,
    };
    let b = if a == 6 {
        let inner = 7;
        inner
    } else {
        let inner = 8;
        inner
    };
    a + b
}
pub fn case_only_the_branch_taken() -> usize {
    if LIMIT == 1_000 { 1 } else { quotient(1, 0) }
}
pub fn case_panic_in_the_branch_taken() -> usize {
    match LIMIT {
        1_000 => quotient(1, 0),
        _ => 1,
    }
}
pub fn case_equality_of_booleans() -> (bool, bool) {
    ((1u64 < 2) == (3usize < 4), (1u64 < 2) != (3usize < 4))
}

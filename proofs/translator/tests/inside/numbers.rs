//! Integers: exact in Coq, of a width in Rust. "Quoted" text, and a lone " in documentation.

/// A constant.
pub const LIMIT: usize = 1_000;

/// A constant that is computed: (* not a comment *).
pub const DOUBLE_LIMIT: usize = 2 * LIMIT;

pub fn mixed_sum(a: usize, b: usize, c: usize) -> usize {
    a + b * c - a / c + b % c
}
pub fn case_mixed_sum() -> usize {
    mixed_sum(100, 17, 5)
}
pub fn case_constants() -> usize {
    LIMIT + DOUBLE_LIMIT
}
pub fn case_left_associative() -> usize {
    100 - 10 - 5 + 3 * 4 * 2 / 3 / 2
}
pub fn case_parentheses() -> usize {
    100 - (10 - (5 + 3)) * (4 - (3 - 2)) % (7 - 1)
}
pub fn case_division_rounds_down() -> (usize, usize, u128) {
    (17 / 5, 17 % 5, 340_282_366_920_938_463_463_374_607_431_768_211_455 / 10)
}
pub fn case_comparisons() -> (bool, bool, bool, bool) {
    (mixed_sum(1, 2, 3) > 3, 3 >= LIMIT, 1usize != 2, LIMIT <= 1_000)
}
pub fn case_greater_is_not_less() -> (bool, bool) {
    (2 > LIMIT, LIMIT > 2)
}
pub fn case_largest_byte() -> u8 {
    let almost: u8 = 254;
    almost + 1
}
pub fn case_byte_overflows() -> u8 {
    let largest: u8 = 255;
    largest + 1
}
pub fn product_of_bytes(a: u8, b: u8) -> u8 {
    a * b
}
pub fn case_byte_product_overflows() -> u8 {
    product_of_bytes(16, 16)
}
pub fn case_word_product_fits() -> u64 {
    let half: u64 = 4_294_967_295;
    half * half
}
pub fn difference(a: usize, b: usize) -> usize {
    a - b
}
pub fn case_difference() -> usize {
    difference(5, 5)
}
pub fn case_difference_underflows() -> usize {
    difference(5, 6)
}
pub fn guarded_difference(a: usize, b: usize) -> usize {
    if b <= a { a - b } else { b - a }
}
pub fn case_guarded_difference() -> (usize, usize) {
    (guarded_difference(3, 10), guarded_difference(10, 3))
}
pub fn quotient(a: usize, b: usize) -> usize {
    a / b
}
pub fn case_quotient() -> usize {
    quotient(1_000, 7)
}
pub fn case_division_by_zero() -> usize {
    quotient(1, 0)
}
pub fn case_remainder_by_zero() -> usize {
    LIMIT % difference(2, 2)
}
pub fn case_cast_widens() -> u128 {
    let byte: u8 = 200;
    u128::from(byte) * 1_000 + byte as u128
}
pub fn cut_off(x: u128) -> (u8, u64) {
    (x as u8, x as u64)
}
pub fn case_cast_cuts_off() -> (u8, u64) {
    cut_off(0x1234_5678_9abc_def0_1122_3344_5566_7788)
}
pub fn case_intermediate_overflow() -> usize {
    let largest = 18_446_744_073_709_551_615;
    difference(largest + 1, 1)
}

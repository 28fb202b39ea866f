//! `?` on options and results: what is evaluated after a failure, and what is not.

use crate::numbers::*;

/// Why something fails.
#[derive(Clone, Debug)]
pub enum Failure {
    /// Too small, by so much.
    Small(usize),
    /// Too large.
    Large,
}

pub fn half(x: usize) -> Option<usize> {
    if x % 2 == 0 { Some(x / 2) } else { None }
}
pub fn quarter(x: usize) -> Option<usize> {
    let once = half(x)?;
    half(once)
}
pub fn case_option() -> (Option<usize>, Option<usize>, Option<usize>) {
    (quarter(12), quarter(6), quarter(3))
}
pub fn within(x: usize) -> Result<usize, Failure> {
    if x < 10 {
        Err(Failure::Small(10 - x))
    } else if x > 100 {
        Err(Failure::Large)
    } else {
        Ok(x)
    }
}
pub fn number_of(found: &Result<usize, Failure>) -> usize {
    match found {
        Ok(x) => *x,
        Err(Failure::Small(by)) => 1_000 + *by,
        Err(Failure::Large) => 2_000,
    }
}
pub fn total(a: usize, b: usize) -> Result<usize, Failure> {
    let x = within(a)?;
    let y = within(b)?;
    Ok(x + y)
}
pub fn case_result() -> (usize, usize, usize) {
    (number_of(&total(20, 30)), number_of(&total(20, 300)), number_of(&total(7, 300)))
}
pub fn fails_first(x: usize) -> Option<usize> {
    let once = half(x)?;
    let bad = quotient(once, 0);
    Some(bad)
}
pub fn case_failure_before_a_panic() -> Option<usize> {
    fails_first(3)
}
pub fn case_panic_before_a_failure() -> Option<usize> {
    fails_first(4)
}
pub fn panics_first(x: usize) -> Option<usize> {
    let bad = quotient(x, 0);
    let once = half(x)?;
    Some(once + bad)
}
pub fn case_panic_comes_first() -> Option<usize> {
    panics_first(3)
}
pub fn in_a_branch(x: usize) -> Option<usize> {
    if x > 10 {
        let once = half(x)?;
        Some(once + 1)
    } else {
        match x {
            0 => None,
            other => {
                let once = half(other)?;
                let twice = half(once)?;
                Some(twice)
            }
        }
    }
}
pub fn case_in_a_branch() -> (Option<usize>, Option<usize>, Option<usize>, Option<usize>) {
    (in_a_branch(20), in_a_branch(21), in_a_branch(8), in_a_branch(0))
}
pub fn pair_of(x: usize) -> Option<(usize, usize)> {
    let once = half(x)?;
    Some((once, x))
}
pub fn case_tuple_after_attempt() -> Option<usize> {
    let (a, b) = pair_of(10)?;
    Some(b - a)
}
pub fn checked(x: usize) -> Result<(), Failure> {
    let _found = within(x)?;
    Ok(())
}
pub fn case_unit_result() -> (bool, bool) {
    let good = match checked(50) {
        Ok(()) => true,
        Err(_) => false,
    };
    let bad = match checked(500) {
        Ok(()) => true,
        Err(_) => false,
    };
    (good, bad)
}

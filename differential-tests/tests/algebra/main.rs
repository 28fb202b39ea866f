//! Laws that connect the specification's arithmetic with the implementation's: what one computes as
//! numbers, the other computes as points, bytes and machine words.
#![allow(clippy::unwrap_used, reason = "a broken premise must stop a test")]

mod aggregation;
mod arbitrary;
mod commitments;
mod encodings;
mod hashing;
mod parameters;
mod scalars;
mod slots;
mod tail_numbers;

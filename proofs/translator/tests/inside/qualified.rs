//! Qualified names, and the use of given functions.

use crate::hash::*;
use crate::numbers::{LIMIT, difference};
use crate::scalar::*;
use crate::sequences::*;
use hacspec_lib::*;

pub fn case_qualified_call() -> usize {
    crate::numbers::mixed_sum(1, 2, 3) + crate::numbers::DOUBLE_LIMIT + difference(LIMIT, 1)
}
pub fn case_given_hash() -> (ByteString, Scalar) {
    (tagged_hash(&tag_word(), &ByteString::new(1)), hash_to_scalar(&ByteString::new(2), &tag_word()))
}

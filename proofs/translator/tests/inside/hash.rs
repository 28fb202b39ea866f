//! A module of which the translation takes two functions as given, translates the tags, and leaves
//! out the rest.

use crate::scalar::*;
use crate::sequences::*;
use hacspec_lib::*;

/// Left out.
pub fn rotated(x: u32) -> u32 {
    x.rotate_left(3) ^ 5
}

/// Given.
pub fn tagged_hash(tag: &ByteString, x: &ByteString) -> ByteString {
    tag.concat(x).push_owned((rotated(7) % 256) as u8)
}

/// Translated.
pub fn tag_word() -> ByteString {
    word()
}

/// Given.
pub fn hash_to_scalar(message: &ByteString, dst: &ByteString) -> Scalar {
    Scalar::from_literal((message.len() * 1_000 + dst.len()) as u128)
}

//! Sequences: `new`, `len`, `[]`, `push`, `concat`, `slice`.

use hacspec_lib::*;

/// Bytes.
pub type ByteString = Seq<u8>;

pub fn word() -> ByteString {
    ByteString::from_native_slice(b"aardvark")
}
pub fn case_literal() -> ByteString {
    word()
}
pub fn case_length() -> usize {
    word().len()
}
pub fn case_index() -> (u8, u8) {
    (word()[0], word()[7])
}
pub fn case_index_out_of_range() -> u8 {
    word()[8]
}
pub fn element(s: &ByteString, i: usize) -> Option<u8> {
    if i < s.len() { Some(s[i]) } else { None }
}
pub fn case_guarded_index() -> (Option<u8>, Option<u8>) {
    (element(&word(), 3), element(&word(), 8))
}
pub fn case_push() -> ByteString {
    word().push_owned(33).push(&34)
}
pub fn case_concat() -> ByteString {
    word().concat(&ByteString::new(2)).concat(&word().concat(&word().push_owned(1)))
}
pub fn case_new_is_filled() -> (Seq<usize>, Seq<bool>, Seq<Option<u8>>) {
    (Seq::<usize>::new(2), Seq::<bool>::new(1), Seq::<Option<u8>>::new(1))
}
pub fn case_slice() -> (ByteString, ByteString, ByteString) {
    let none = word().len() - 8;
    (word().slice(0, 3), word().slice(3, 5), word().slice(8, none))
}
pub fn case_slice_out_of_range() -> ByteString {
    word().slice(4, 5)
}
pub fn case_with_capacity_is_empty() -> usize {
    Seq::<u8>::with_capacity(10).push_owned(7).len()
}
pub fn case_nested() -> (Seq<ByteString>, u8) {
    let rows = Seq::<ByteString>::new(0).push_owned(word()).push_owned(word().slice(1, 2));
    (rows.clone(), rows[1usize][0usize])
}
pub fn case_numbers() -> Seq<usize> {
    Seq::<usize>::from_native_slice(&[3, 1 + 1, 4])
}
pub fn case_old_value_stays() -> (ByteString, ByteString) {
    let before = word().slice(0, 2);
    let after = before.push(&7);
    (before, after)
}

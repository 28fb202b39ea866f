//! Names that mean something in Coq.

use hacspec_lib::*;

/// A field whose name is a keyword of Coq.
#[derive(Clone, Debug, Default)]
pub struct Set {
    /// The first.
    pub at: usize,
    /// The last.
    pub end: usize,
}

pub fn fix(forall: usize, exists: usize) -> usize {
    let fun = forall + 1;
    let then = exists * 2;
    fun + then
}
pub fn case_keywords() -> usize {
    fix(3, 4)
}
pub fn case_keyword_fields() -> (usize, usize) {
    let with = Set { at: 1, end: 2 };
    (with.end, with.at)
}
pub fn case_constructors_of_the_library() -> (usize, bool) {
    let left = Some(3);
    let right: Seq<bool> = Seq::<bool>::new(1);
    let value = match left {
        Some(inl) => inl,
        None => 0,
    };
    (value, right[0])
}
pub fn empty_or(nil: &Seq<u8>, cons: usize) -> usize {
    match (nil.len(), cons) {
        (0, left) => left,
        (inr, _) => inr,
    }
}
pub fn rev(length: usize) -> usize {
    length + 1
}
pub fn case_names_of_the_library() -> (usize, usize) {
    let map = 3;
    let app = rev(map);
    (app, empty_or(&Seq::<u8>::new(2), 5))
}
pub fn case_binding_named_nil() -> usize {
    let pair = (Seq::<u8>::new(3), 2);
    match pair {
        (nil, 2) => nil.len(),
        (_, other) => other,
    }
}

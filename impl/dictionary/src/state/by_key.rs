//! Writes in the order of their keys, compared without looking at the records.
//!
//! A window's writes stand in their records, all over memory, and a look-up among 200,000 of them
//! compares 18 keys. So the first [`HEAD_BYTES`] bytes of a key, filled up with zeros, stand beside
//! the write, as an integer. The filling keeps the order, for a < b gives head(a) <= head(b), so
//! that heads which differ decide; those of random keys nearly always differ. Where they are equal,
//! the keys are compared, so that whoever chooses keys with equal heads is answered as if there
//! were no heads.

use std::borrow::Borrow;
use std::cmp::Ordering;

use crate::state::record::Written;

/// Bytes of a key that stand beside its write.
const HEAD_BYTES: usize = 8;

/// Something with a key, whose head is at hand.
pub(crate) trait InKeyOrder {
    /// The first bytes of the key.
    fn head(&self) -> u64;

    /// The key.
    fn key(&self) -> &[u8];
}

/// A write in the order of its key.
#[derive(Clone, Debug)]
pub(crate) struct ByKey {
    head: u64,
    write: Written,
}

/// A key that is looked for.
pub(crate) struct Sought<'a> {
    head: u64,
    key: &'a [u8],
}

fn head_of(key: &[u8]) -> u64 {
    match key.first_chunk::<HEAD_BYTES>() {
        Some(head) => u64::from_be_bytes(*head),
        None => {
            let mut head = [0; HEAD_BYTES];
            head.iter_mut().zip(key).for_each(|(filled, byte)| *filled = *byte);
            u64::from_be_bytes(head)
        }
    }
}

fn compare(a: &(impl InKeyOrder + ?Sized), b: &(impl InKeyOrder + ?Sized)) -> Ordering {
    a.head().cmp(&b.head()).then_with(|| a.key().cmp(b.key()))
}

impl ByKey {
    pub(crate) fn new(write: Written) -> Self {
        Self { head: head_of(write.key()), write }
    }

    pub(crate) fn write(&self) -> &Written {
        &self.write
    }
}

impl<'a> Sought<'a> {
    pub(crate) fn new(key: &'a [u8]) -> Self {
        Self { head: head_of(key), key }
    }
}

impl InKeyOrder for ByKey {
    fn head(&self) -> u64 {
        self.head
    }

    fn key(&self) -> &[u8] {
        self.write.key()
    }
}

impl InKeyOrder for Sought<'_> {
    fn head(&self) -> u64 {
        self.head
    }

    fn key(&self) -> &[u8] {
        self.key
    }
}

impl<'a> Borrow<dyn InKeyOrder + 'a> for ByKey {
    fn borrow(&self) -> &(dyn InKeyOrder + 'a) {
        self
    }
}

impl Ord for dyn InKeyOrder + '_ {
    fn cmp(&self, other: &Self) -> Ordering {
        compare(self, other)
    }
}

impl PartialOrd for dyn InKeyOrder + '_ {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for dyn InKeyOrder + '_ {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for dyn InKeyOrder + '_ {}

impl Ord for ByKey {
    fn cmp(&self, other: &Self) -> Ordering {
        compare(self, other)
    }
}

impl PartialOrd for ByKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for ByKey {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for ByKey {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_in_the_same_order_with_their_heads_as_without() {
        let pieces: [&[u8]; 8] = [b"", &[0], &[1], b"a", b"b", &[0xff], &[0; 8], b"aardvark"];
        let joined = |a: &[u8]| pieces.map(|b| [a, b].concat());
        let keys: Vec<Vec<u8>> = pieces.iter().flat_map(|a| joined(a)).flat_map(|a| joined(&a)).collect();
        for (a, b) in keys.iter().flat_map(|a| keys.iter().map(move |b| (a, b))) {
            assert_eq!(compare(&Sought::new(a), &Sought::new(b)), a.cmp(b), "{a:?} and {b:?}");
        }
    }
}

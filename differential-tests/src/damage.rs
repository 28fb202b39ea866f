//! Bytes that go wrong on the way.

use proptest::prelude::*;
use proptest::sample::Index;

/// What happens to bytes.
#[derive(Clone, Debug)]
pub enum Damage {
    /// One bit is flipped.
    Flip(Index, u8),
    /// One byte is another.
    Set(Index, u8),
    /// The end is missing.
    Cut(Index),
    /// Bytes follow.
    Append(Vec<u8>),
    /// One byte is missing.
    Remove(Index),
    /// One byte more stands in the middle.
    Insert(Index, u8),
    /// A piece stands twice.
    Repeat(Index, Index),
}

/// Damages, those that change one bit the most frequent.
pub fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        4 => (any::<Index>(), 0..8u8).prop_map(|(at, bit)| Damage::Flip(at, bit)),
        2 => (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| Damage::Set(at, byte)),
        1 => any::<Index>().prop_map(Damage::Cut),
        1 => proptest::collection::vec(any::<u8>(), 1..4).prop_map(Damage::Append),
        1 => any::<Index>().prop_map(Damage::Remove),
        1 => (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| Damage::Insert(at, byte)),
        1 => (any::<Index>(), any::<Index>()).prop_map(|(from, to)| Damage::Repeat(from, to)),
    ]
}

/// The bytes, which are at least one, after the damage.
pub fn damaged(bytes: &[u8], damage: &Damage) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let at = |index: &Index| index.index(bytes.len());
    match damage {
        Damage::Flip(index, bit) => {
            let at = at(index);
            bytes[at] ^= 1 << bit;
        }
        Damage::Set(index, byte) => {
            let at = at(index);
            bytes[at] = *byte;
        }
        Damage::Cut(index) => bytes.truncate(at(index)),
        Damage::Append(more) => bytes.extend(more),
        Damage::Remove(index) => drop(bytes.remove(at(index))),
        Damage::Insert(index, byte) => {
            let at = at(index);
            bytes.insert(at, *byte);
        }
        Damage::Repeat(from, to) => {
            let (from, to) = (at(from), at(to));
            let piece = bytes[from.min(to)..=from.max(to)].to_vec();
            bytes.splice(to..to, piece);
        }
    }
    bytes
}

//! Claims: a slot, where it is said to stand, and the opening that proves it
//! (`aardvark_spec::block::transaction::Claim`).

use crate::data::slot::Slot;

/// Number of bytes of an opening.
pub const OPENING_BYTES: usize = 48;

/// The bytes of an opening: a compressed point of G1, if they are one.
pub type OpeningBytes = [u8; OPENING_BYTES];

/// In the place of an opening: the claim has none of its own, its block proves all claims together
/// ([`AggregatedBlock`](crate::AggregatedBlock)).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unopened;

/// The statement "at the version that the context gives, `slot` stood at `position`", with its
/// proof.
///
/// A claim carries the position only; vector and index are always derived from it. It carries no
/// version of its own: in a transaction all claims are for version `first_valid - 1`. The opening
/// stays bytes until it is verified, because bytes that break the format's rule are a reason of
/// their own (`OpeningMalformed`). A `Claim<Unopened>` has no opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim<O = OpeningBytes> {
    /// Position in the dense array, from 0.
    pub position: u64,
    /// The slot said to stand there.
    pub slot: Slot,
    /// The opening of the vector's commitment at the position's index.
    pub opening: O,
}

impl<O> Claim<O> {
    /// The same statement without its opening.
    pub fn without_opening(self) -> Claim<Unopened> {
        Claim { position: self.position, slot: self.slot, opening: Unopened }
    }
}

//! Claims: a slot, where it is said to stand, and the opening that proves it (`aardvark_spec::block::transaction::Claim`).

use crate::data::slot::Slot;

/// Number of bytes of an opening.
pub const OPENING_BYTES: usize = 48;

/// The statement "at the version that the context gives, `slot` stood at `position`", with its proof.
///
/// A claim carries the position only; vector and index are always derived from it. It carries no version of its own:
/// in a transaction all claims are for version `first_valid - 1`. The opening stays bytes until it is verified,
/// because bytes that break the format's rule are a reason of their own (`OpeningMalformed`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Position in the dense array, from 0.
    pub position: u64,
    /// The slot said to stand there.
    pub slot: Slot,
    /// The opening of the vector's commitment at the position's index, compressed G1.
    pub opening: [u8; OPENING_BYTES],
}

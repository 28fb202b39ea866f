//! The names of an archive's tables.

/// The tables of an archive. The module `records` gives the layout of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Table {
    /// Genesis, and the newest version.
    Meta = 0,
    /// Position to slot, at the newest version.
    Slots = 1,
    /// Live key to position, at the newest version.
    Index = 2,
    /// Vector to commitment, at the newest version.
    Commitments = 3,
    /// Position and version to the slot that the version replaced.
    PastSlots = 4,
    /// Block of versions and key to the slot that the block's versions replaced first (module
    /// `past_index`).
    PastKeys = 5,
    /// Vector and version to the commitment that the version replaced.
    PastCommitments = 6,
    /// Version and position of every entry of `PastSlots`, so that a version can be forgotten.
    Written = 7,
    /// Version to its sizes and its link in the chain of blocks.
    Versions = 8,
    /// Version and part to the bytes of its block.
    Log = 9,
    /// Applied transactions that may not be applied again.
    Replay = 10,
}

impl Table {
    /// Every table, in the order of its number.
    pub const ALL: [Self; 11] = [
        Self::Meta,
        Self::Slots,
        Self::Index,
        Self::Commitments,
        Self::PastSlots,
        Self::PastKeys,
        Self::PastCommitments,
        Self::Written,
        Self::Versions,
        Self::Log,
        Self::Replay,
    ];

    /// The name under which a store keeps it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Meta => "meta",
            Self::Slots => "slots",
            Self::Index => "index",
            Self::Commitments => "commitments",
            Self::PastSlots => "past_slots",
            Self::PastKeys => "past_keys",
            Self::PastCommitments => "past_commitments",
            Self::Written => "written",
            Self::Versions => "versions",
            Self::Log => "log",
            Self::Replay => "replay",
        }
    }

    /// Its place in [`Table::ALL`].
    pub(crate) fn number(self) -> usize {
        usize::from(self as u8)
    }
}

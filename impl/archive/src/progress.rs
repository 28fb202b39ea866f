//! Progress of operations that take long.

/// What is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Working out what changes in the array; counts changes.
    Array,
    /// Computing commitments; counts vectors.
    Commitments,
    /// Writing to the store; counts changes.
    Store,
    /// Replaying blocks; counts blocks.
    Replay,
    /// Comparing the store with what replaying gave; counts records.
    Compare,
    /// Committing to every vector anew; counts vectors.
    Recommit,
    /// Computing all openings; counts vectors.
    Openings,
}

/// How far a phase has come. Counts never fall within a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What is being done.
    pub phase: Phase,
    /// How many of its items are done.
    pub done: u64,
    /// How many there are.
    pub total: u64,
}

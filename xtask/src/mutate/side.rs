//! The two judges.

/// What can notice a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Side {
    /// The theories that depend on it.
    Proofs,
    /// The differential tests.
    Histories,
}

//! How often the oracle was asked.

use std::fmt::Display;

/// How many answers the oracle gave that were the specification's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Genesis states.
    pub genesis: u64,
    /// Judgements of blocks.
    pub judgements: u64,
    /// Judgements of aggregated blocks.
    pub aggregated: u64,
    /// State roots, and paths to them.
    pub roots: u64,
    /// Checks of transactions.
    pub checks: u64,
    /// Imports.
    pub imports: u64,
    /// Received bytes.
    pub received: u64,
    /// Net changes on arrays.
    pub changes: u64,
    /// Transactions on maps.
    pub maps: u64,
    /// Answers for which the twin was computed too, and held.
    pub twins: u64,
}

impl Tally {
    /// With the counts of another.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            genesis: self.genesis + other.genesis,
            judgements: self.judgements + other.judgements,
            aggregated: self.aggregated + other.aggregated,
            roots: self.roots + other.roots,
            checks: self.checks + other.checks,
            imports: self.imports + other.imports,
            received: self.received + other.received,
            changes: self.changes + other.changes,
            maps: self.maps + other.maps,
            twins: self.twins + other.twins,
        }
    }
}

impl Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { genesis, judgements, aggregated, roots, checks, imports, received, changes, maps, twins } = self;
        write!(
            f,
            "the oracle said what the specification says of {genesis} genesis states, {judgements} blocks, \
             {aggregated} aggregated blocks, {roots} questions about state roots, {checks} transactions, {imports} imports, {received} received byte strings, {changes} net changes, {maps} maps; {twins} times the twin was computed \
             and held"
        )
    }
}

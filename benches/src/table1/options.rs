//! The name of `table1`, its parts, and what it is asked to measure.

use clap::Args;

/// The table's name in rows.
pub const TABLE: &str = "table1";

/// Options of `table1`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// N.
    #[arg(long, default_value_t = 1024)]
    pub size: usize,
    /// Most repetitions of each operation.
    #[arg(long, default_value_t = 1000)]
    pub iterations: usize,
    /// The largest batch.
    #[arg(long, default_value_t = 10_000)]
    pub batch: usize,
    /// Keys of the Jellyfish Merkle tree.
    #[arg(long, default_value_t = 100_000)]
    pub tree_keys: u64,
    /// Only these parts.
    #[arg(
        long,
        value_enum,
        value_delimiter = ',',
        default_value = "commit,open,open-all,verify,batch,update,tables,trees"
    )]
    pub parts: Vec<Part>,
}

/// Parts of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Part {
    /// Commitments to whole vectors.
    Commit,
    /// Openings at one index.
    Open,
    /// Openings at all indices.
    OpenAll,
    /// Verification of one opening, from bytes.
    Verify,
    /// Verification of many.
    Batch,
    /// Updates of commitments and openings.
    Update,
    /// Tables: their bytes, their building, and a small budget beside the usual one.
    Tables,
    /// Merkle trees over a whole dictionary.
    Trees,
}

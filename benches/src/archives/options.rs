//! What `archives` is asked to measure.

use aardvark_commitment::kzg::DEFAULT_TABLE_BYTES;
use clap::Args;

use crate::workload::plan::Kind;

/// Options of `archives`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// Keys at genesis: 32 bytes each, values of 8 bytes.
    #[arg(long, default_value_t = 1_000_000)]
    pub keys: u64,
    /// Operations in a block, one a transaction.
    #[arg(long, default_value_t = 10_000)]
    pub operations: u64,
    /// Timed rounds, at least 5, after one that warms up.
    #[arg(long, default_value_t = 5)]
    pub rounds: usize,
    /// Numbers of threads, measured in turn.
    #[arg(long, value_delimiter = ',', default_value = "1,2")]
    pub threads: Vec<usize>,
    /// Kinds of operation.
    #[arg(long, value_enum, value_delimiter = ',', default_value = "modify,insert,delete")]
    pub kind: Vec<Kind>,
    /// Rounds of the steady rows that are discarded first.
    #[arg(long, default_value_t = 30)]
    pub steady_discarded: usize,
    /// Rounds of the steady rows that count.
    #[arg(long, default_value_t = 40)]
    pub steady_rounds: usize,
    /// Measure the steady rows alone.
    #[arg(long)]
    pub only_steady: bool,
    /// Vectors asked for one proof, ten, and a hundred an update.
    #[arg(long, value_delimiter = ',', default_value = "48,16,8")]
    pub sampled: Vec<usize>,
    /// N.
    #[arg(long, default_value_t = 1024)]
    pub vector_size: usize,
    /// Most bytes of tables.
    #[arg(long, default_value_t = DEFAULT_TABLE_BYTES)]
    pub tables: usize,
    /// W.
    #[arg(long, default_value_t = 10)]
    pub window: u32,
}

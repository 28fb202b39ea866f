//! What `validators` and its measuring process are asked to measure.

use std::path::PathBuf;

use aardvark_commitment::kzg::DEFAULT_TABLE_BYTES;
use clap::Args;

use crate::workload::plan::Kind;
use crate::workload::prover::Setup;

/// Options of `validators`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// Keys at genesis: 32 bytes each, values of 8 bytes.
    #[arg(long, default_value_t = 1_000_000)]
    pub keys: u64,
    /// Operations in all timed blocks together, one a transaction.
    #[arg(long, default_value_t = 100_000)]
    pub operations: u64,
    /// Timed blocks.
    #[arg(long, default_value_t = 10)]
    pub blocks: u64,
    /// Numbers of threads, measured in turn.
    #[arg(long, value_delimiter = ',', default_value = "1,2")]
    pub threads: Vec<usize>,
    /// Kinds of operation.
    #[arg(long, value_enum, value_delimiter = ',', default_value = "modify,insert,delete")]
    pub kind: Vec<Kind>,
    /// N.
    #[arg(long, default_value_t = 1024)]
    pub vector_size: usize,
    /// W; as many blocks go before the timed ones.
    #[arg(long, default_value_t = 10)]
    pub window: u32,
    /// Timed runs of every block; at least 5 in all are needed.
    #[arg(long, default_value_t = 1)]
    pub repeats: usize,
    /// Public parameters. The validator's work is the same on both; claims for `known-tau` are made
    /// a hundred times faster.
    #[arg(long, value_enum, default_value = "ceremony")]
    pub setup: Setup,
    /// Most bytes of tables.
    #[arg(long, default_value_t = DEFAULT_TABLE_BYTES)]
    pub tables: usize,
}

/// Options of the measuring process.
#[derive(Clone, Debug, Args)]
pub struct ProcessOptions {
    /// The scene's file.
    #[arg(long)]
    pub scene: PathBuf,
    /// The kind of the scene's operations.
    #[arg(long, value_enum)]
    pub kind: Kind,
    /// Numbers of threads.
    #[arg(long, value_delimiter = ',')]
    pub threads: Vec<usize>,
    /// Timed runs of every block.
    #[arg(long)]
    pub repeats: usize,
    /// Most bytes of tables.
    #[arg(long)]
    pub tables: usize,
    /// Watch memory instead of time.
    #[arg(long)]
    pub memory: bool,
}

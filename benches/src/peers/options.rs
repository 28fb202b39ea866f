//! What `peers` is asked to measure.

use std::path::PathBuf;

use aardvark_commitment::kzg::DEFAULT_TABLE_BYTES;
use clap::Args;

/// Options of `peers`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// Numbers of keys, ascending.
    #[arg(long, value_delimiter = ',', default_value = "10000,100000,1000000")]
    pub keys: Vec<u64>,
    /// What is done to each dictionary.
    #[command(flatten)]
    pub work: Work,
    /// How often everything is measured, all three in turn.
    #[arg(long, default_value_t = 1)]
    pub rounds: usize,
    /// The program that measures the peers, which is not built with this one.
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/peers/release/peers"))]
    pub program: PathBuf,
}

/// What is done to a dictionary.
#[derive(Clone, Debug, Args)]
pub struct Work {
    /// Keys that a block of updates writes, at most all.
    #[arg(long, default_value_t = 10_000)]
    pub operations: u64,
    /// Keys that are proved present in a run, and as many absent ones.
    #[arg(long, default_value_t = 200)]
    pub asked: u64,
    /// Most bytes of tables.
    #[arg(long, default_value_t = DEFAULT_TABLE_BYTES)]
    pub tables: usize,
    /// N.
    #[arg(long, default_value_t = 1024)]
    pub vector_size: u32,
}

/// Options of the process that measures ours.
#[derive(Clone, Debug, Args)]
pub struct ProcessOptions {
    /// Number of keys.
    #[arg(long)]
    pub keys: u64,
    /// What is done to the dictionary.
    #[command(flatten)]
    pub work: Work,
}

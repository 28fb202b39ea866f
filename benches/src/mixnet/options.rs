//! Options.

use clap::Args;

/// Options of `mixnet`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// Inputs; with several numbers all is measured for each.
    #[arg(long, value_delimiter = ',', default_value = "10000")]
    pub entries: Vec<usize>,
    /// Servers that mix and decrypt.
    #[arg(long, default_value_t = 4)]
    pub servers: u16,
    /// Servers that decrypt together.
    #[arg(long, default_value_t = 4)]
    pub threshold: usize,
    /// Bytes of values; queries are measured with the first.
    #[arg(long, value_delimiter = ',', default_value = "2")]
    pub value_bytes: Vec<usize>,
    /// Threads of a server.
    #[arg(long, default_value_t = 1)]
    pub threads: usize,
    /// Leave out the baselines.
    #[arg(long)]
    pub without_baselines: bool,
}

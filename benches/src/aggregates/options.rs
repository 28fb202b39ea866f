//! What the table `aggregates` is asked to measure.

use clap::Args;

/// The table's name in rows.
pub(super) const TABLE: &str = "aggregates";

/// Options of `aggregates`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// The logarithm of the full sheet's size.
    #[arg(long, default_value_t = 10)]
    pub log: usize,
    /// Runs of five rows that statistics are asked of.
    #[arg(long, value_delimiter = ',', default_value = "10,200")]
    pub runs: Vec<usize>,
    /// Times that each is done.
    #[arg(long, default_value_t = 70)]
    pub repetitions: usize,
}

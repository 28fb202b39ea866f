//! What people type after `load proofs` and `load transactions`.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use clap::Args;

/// `load proofs`
#[derive(Debug, Args)]
pub struct Proofs {
    /// The archive; several are asked in turn.
    #[arg(long = "archive", value_name = "URL", required = true)]
    pub archives: Vec<String>,
    /// How long.
    #[arg(long, value_name = "SECONDS", default_value = "10")]
    pub duration: NonZeroU64,
    /// Requests at one time.
    #[arg(long, value_name = "N", default_value = "16")]
    pub concurrency: NonZeroUsize,
    /// Keys in one request.
    #[arg(long, value_name = "N", default_value = "1")]
    pub batch: NonZeroUsize,
    /// The keys that are asked for, with {} for a number.
    #[arg(long, value_name = "TEXT", default_value = "key-{}")]
    pub pattern: String,
    /// The numbers go from 0 up to this.
    #[arg(long, value_name = "N", default_value = "1000000")]
    pub keys: NonZeroU64,
    /// Digits of the number, with zeros before it.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub digits: usize,
    /// Ask for what ties the proof to the state root too.
    #[arg(long)]
    pub root: bool,
}

/// `load transactions`
#[derive(Debug, Args)]
pub struct Transactions {
    /// RPC of a node; transactions go to all of them in turn.
    #[arg(long = "rpc", value_name = "URL", required = true)]
    pub nodes: Vec<String>,
    /// The archive that gives the claims; several are asked in turn.
    #[arg(long = "archive", value_name = "URL", required = true)]
    pub archives: Vec<String>,
    /// Under the policy publisher: the publisher's key. Under accounts: two keys or more, which pay
    /// each other.
    #[arg(long = "key", value_name = "FILE", required = true)]
    pub keys: Vec<PathBuf>,
    /// How long to submit.
    #[arg(long, value_name = "SECONDS", default_value = "30")]
    pub duration: NonZeroU64,
    /// Threads that make and submit transactions.
    #[arg(long, value_name = "N", default_value = "4")]
    pub concurrency: NonZeroUsize,
    /// Transactions from the claims of one request.
    #[arg(long, value_name = "N", default_value = "64")]
    pub batch: NonZeroUsize,
    /// Most transactions that may be under way at one time.
    #[arg(long, value_name = "N", default_value = "4000")]
    pub pending: NonZeroUsize,
}

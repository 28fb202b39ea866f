//! Options of a local network: programs, numbers of nodes, and the chain's policy.

use std::path::PathBuf;

/// Who may write, as `aardvark node genesis` takes it.
#[derive(Clone, Debug)]
pub enum Policy {
    /// Public keys of owners, `0x` and hexadecimal, with what they begin with; fees go to the
    /// first.
    Accounts(Vec<(String, u64)>),
    /// Public keys, `0x` and hexadecimal.
    Publisher(Vec<String>),
    /// Public keys, `0x` and hexadecimal, that may create tables.
    Tables(Vec<String>),
    /// Public keys, `0x` and hexadecimal, that may begin ceremonies.
    Board(Vec<String>),
}

/// What nodes are made of.
#[derive(Clone, Debug)]
pub struct Options {
    /// The program `aardvark`.
    pub aardvark: PathBuf,
    /// The program `cometbft`.
    pub cometbft: PathBuf,
    /// Who may write.
    pub policy: Policy,
    /// W, in blocks.
    pub window: u32,
    /// N.
    pub vector_size: u32,
    /// The most work in a block; `None` for what `aardvark node genesis` says.
    pub max_gas: Option<u64>,
    /// Milliseconds that CometBFT waits after a block before the next.
    pub block_milliseconds: u32,
    /// Blocks between two snapshots.
    pub snapshot_interval: u64,
    /// How many blocks evidence of misbehaviour may be old; `None` for CometBFT's default.
    pub evidence_blocks: Option<u64>,
    /// Public keys, `0x` and hexadecimal, of the council that may change validators, more than half
    /// of which have to sign; none for a chain without a council.
    pub council: Vec<String>,
    /// Addresses of archives that validators ask for tail vectors.
    pub archives: Vec<String>,
}

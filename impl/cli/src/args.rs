//! The command line: what people type.

use std::net::SocketAddr;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;

use aardvark_dictionary::{Identity, NameError};
use clap::{Args, Parser, Subcommand};

use crate::commands::client::args::Client;
use crate::commands::node_genesis::NodeGenesis;
use crate::commands::node_validator::NodeValidator;
use crate::hex_text::decode_array;
use crate::import::{Format, Header, Reading};
use crate::key_text::Notation;
use crate::logging::Logging;
use crate::store::Patience;

/// An authenticated dictionary: short proofs that a key has a value, or that it is absent, against 48 bytes per 1,024 keys.
///
/// Exit codes: 0, it holds; 1, it is false, or the work failed; 2, the input is malformed, about something else, or cannot be read.
#[derive(Debug, Parser)]
#[command(name = "aardvark", version, arg_required_else_help = true, propagate_version = false)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// Print JSON instead of text for people.
    #[arg(long, global = true)]
    pub json: bool,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Show the whole of it on Debian's package index: build, prove, verify, forge, measure.
    Demo(Demo),
    /// Make an empty dictionary.
    Init(Init),
    /// Put and delete the keys of a file, as import blocks.
    Import(Import),
    /// Check transactions and apply them as blocks; those that fail are reported and left out.
    Apply(Apply),
    /// Look a key up.
    Get(Get),
    /// Print a proof that a key has its value, or that it is absent.
    Prove(Prove),
    /// Check a proof with nothing but the commitments.
    Verify(Verify),
    /// Show why a proof convinces: slot, interval, equation, theorem.
    Explain(Explain),
    /// Print what a validator knows: the commitments of a version.
    Commitments(Commitments),
    /// Say how large the dictionary is, and what a validator needs.
    Status(Status),
    /// Replay every block from genesis, and compare every slot, index entry and commitment.
    Audit(Audit),
    /// Run a node of a network.
    #[command(subcommand)]
    Node(Node),
    /// Read and write a network's keys, trusting neither its archives nor its nodes.
    #[command(subcommand)]
    Client(Client),
    /// Print completions for a shell.
    Completions(Completions),
}

/// `aardvark node`
#[derive(Debug, Subcommand)]
pub enum Node {
    /// Run a validator: the application that CometBFT asks.
    Validator(NodeValidator),
    /// Write what a chain begins with into CometBFT's genesis file.
    Genesis(NodeGenesis),
    /// Serve an archive over HTTP, and keep it up to date with a chain.
    Archive(NodeArchive),
}

/// `aardvark node archive`
#[derive(Debug, Args)]
pub struct NodeArchive {
    /// Folder of the archive; with --rpc it is made where there is none.
    #[arg(long, value_name = "DIR")]
    pub dir: PathBuf,
    /// Follow the chain of this CometBFT node; several are asked in turn.
    #[arg(long, value_name = "URL", requires = "genesis")]
    pub rpc: Vec<String>,
    /// The chain's genesis.json.
    #[arg(long, value_name = "FILE", requires = "rpc")]
    pub genesis: Option<PathBuf>,
    /// The file of the chain's first content, where genesis.json has its digest; by default genesis-content.bin beside it.
    #[arg(long, value_name = "FILE", requires = "genesis")]
    pub content: Option<PathBuf>,
    /// Take blocks from this archive first, for those that the nodes do not have any more; they are believed for nothing.
    #[arg(long, value_name = "URL", requires = "rpc")]
    pub from: Option<String>,
    /// How many versions before the latest stay readable in a new archive, if more than the window.
    #[arg(long, value_name = "R", requires = "rpc", default_value = "0")]
    pub retention: u64,
    /// Address and port to listen on; port 0 takes any that is free.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,
    /// Most connections at a time; more need a higher limit of open files.
    #[arg(long, value_name = "N", default_value = "4096")]
    pub connections: NonZeroUsize,
    /// Most connections of one client, an address or an IPv6 /64, at a time; behind a reverse proxy, which all clients share, as many as
    /// --connections.
    #[arg(long, value_name = "N", default_value = "256")]
    pub connections_per_address: NonZeroUsize,
    /// Memory for openings that are kept up to date instead of computed anew, in MiB: 100 bytes a key, and as much again where all was written lately.
    #[arg(long, value_name = "MIB", default_value = "256")]
    pub openings: u32,
    /// Prepare the openings of all vectors before the first request, so that proofs are fast from the start: some fifteen minutes of one core for a million keys.
    #[arg(long)]
    pub warm: bool,
    /// What is logged.
    #[command(flatten)]
    pub logging: Logging,
}

/// `aardvark demo`
#[derive(Debug, Args)]
pub struct Demo {
    /// Keep the dictionary in this folder, which must not exist yet, instead of a temporary one.
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Use the sample that ships with the command, also where the machine has apt lists of its own.
    #[arg(long)]
    pub sample: bool,
}

/// `aardvark init`
#[derive(Debug, Args)]
pub struct Init {
    /// Folder of the dictionary; it must not exist, or be empty.
    pub dir: PathBuf,
    /// The dictionary's name, which its id binds; by default the folder's.
    #[arg(long, value_name = "NAME", value_parser = dictionary_name)]
    pub name: Option<String>,
    /// 32 bytes that no other dictionary has, 0x and 64 digits; drawn at random by default. The same salt, with all else the
    /// same, makes the same dictionary again.
    #[arg(long, value_name = "HEX", value_parser = decode_array::<32>)]
    pub salt: Option<[u8; 32]>,
    /// Slots per vector, a power of two up to 4096.
    #[arg(long, value_name = "N", default_value = "1024")]
    pub vector_size: NonZeroU32,
    /// For how many versions a proof stays good.
    #[arg(long, value_name = "W", default_value_t = 10)]
    pub window: u32,
    /// How many versions before the latest stay readable, if more than the window.
    #[arg(long, value_name = "R")]
    pub retention: Option<u64>,
    /// Use the paper's Libert-Yung commitments on a setup whose secret is public: for comparisons only.
    #[arg(long)]
    pub insecure_libert_yung: bool,
}

/// `aardvark import`
#[derive(Debug, Args)]
pub struct Import {
    /// Folder of the dictionary.
    pub dir: PathBuf,
    /// The file, plain or compressed with gzip, zstd or LZ4; - is standard input.
    pub file: PathBuf,
    /// What the file looks like; by default its name tells, and JSON lines otherwise.
    #[arg(long, value_enum)]
    pub format: Option<Format>,
    /// The first line of a CSV file is a header: skip it.
    #[arg(long, conflicts_with = "no_header")]
    pub header: bool,
    /// The first line of a CSV file is data, also where it looks like a header.
    #[arg(long)]
    pub no_header: bool,
    /// Changes per block; by default all of them are one block.
    #[arg(long, value_name = "B")]
    pub block_size: Option<NonZeroUsize>,
    /// Take keys and values that begin with 0x for text.
    #[arg(long)]
    pub text: bool,
    /// How long to wait where it is busy.
    #[command(flatten)]
    pub patience: Patience,
}

/// `aardvark apply`
#[derive(Debug, Args)]
pub struct Apply {
    /// Folder of the dictionary.
    pub dir: PathBuf,
    /// Transactions, one JSON object a line; - is standard input.
    pub file: PathBuf,
    /// How long to wait where it is busy.
    #[command(flatten)]
    pub patience: Patience,
}

/// `aardvark get`
#[derive(Debug, Args)]
pub struct Get {
    /// Folder of the dictionary.
    pub dir: PathBuf,
    /// The key, as text, or in hexadecimal behind 0x.
    pub key: String,
    /// At this version instead of the latest.
    #[arg(long, value_name = "V")]
    pub version: Option<u64>,
    /// Take a key that begins with 0x for text.
    #[arg(long)]
    pub text: bool,
    /// How long to wait where it is busy.
    #[command(flatten)]
    pub patience: Patience,
}

/// `aardvark prove`
#[derive(Debug, Args)]
pub struct Prove {
    /// Folder of the dictionary.
    pub dir: PathBuf,
    /// The key, as text, or in hexadecimal behind 0x.
    #[arg(required_unless_present = "keys")]
    pub key: Option<String>,
    /// Prove every key of a file as `import` takes it, whatever the values: one proof a line; - is standard input.
    #[arg(long, value_name = "FILE", conflicts_with = "key")]
    pub keys: Option<PathBuf>,
    /// What the file of keys looks like; by default its name tells, and JSON lines otherwise.
    #[arg(long, value_enum, requires = "keys")]
    pub format: Option<Format>,
    /// The first line of a CSV file is a header: skip it.
    #[arg(long, conflicts_with = "no_header", requires = "keys")]
    pub header: bool,
    /// The first line of a CSV file is data, also where it looks like a header.
    #[arg(long, requires = "keys")]
    pub no_header: bool,
    /// At this version instead of the latest.
    #[arg(long, value_name = "V")]
    pub version: Option<u64>,
    /// Prove what a deletion needs: the slot of the key and its predecessor.
    #[arg(long)]
    pub delete: bool,
    /// Write the proof, or all of them, to this file; - is standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Take a key that begins with 0x for text.
    #[arg(long)]
    pub text: bool,
    /// How long to wait where it is busy.
    #[command(flatten)]
    pub patience: Patience,
}

/// `aardvark verify`
#[derive(Debug, Args)]
pub struct Verify {
    /// The key asked for, as text, or in hexadecimal behind 0x.
    pub key: String,
    /// The proof; - is standard input.
    pub proof: PathBuf,
    /// The commitments to verify against: the trusted side.
    #[arg(long, value_name = "FILE")]
    pub commitments: PathBuf,
    /// Demand that openings lie in the subgroup, as other KZG verifiers do.
    #[arg(long)]
    pub strict: bool,
    /// Take a key that begins with 0x for text.
    #[arg(long)]
    pub text: bool,
}

/// `aardvark explain`
#[derive(Debug, Args)]
pub struct Explain {
    /// A proof's file, or, with --dir, a key to be proved first.
    #[arg(value_name = "KEY-or-PROOF")]
    pub target: String,
    /// The commitments to verify a proof against: the trusted side.
    #[arg(long, value_name = "FILE", required_unless_present = "dir", conflicts_with = "dir")]
    pub commitments: Option<PathBuf>,
    /// The dictionary to prove the key from, trusted for its commitments here.
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// With --dir: at this version instead of the latest.
    #[arg(long, value_name = "V", requires = "dir")]
    pub version: Option<u64>,
    /// Take a key that begins with 0x for text.
    #[arg(long)]
    pub text: bool,
    /// How long to wait where it is busy.
    #[command(flatten)]
    pub patience: Patience,
}

/// `aardvark commitments`
#[derive(Debug, Args)]
pub struct Commitments {
    /// Folder of the dictionary.
    pub dir: PathBuf,
    /// At this version instead of the latest.
    #[arg(long, value_name = "V")]
    pub version: Option<u64>,
    /// Write the commitments to this file; - is standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// How long to wait where it is busy.
    #[command(flatten)]
    pub patience: Patience,
}

/// `aardvark status`
#[derive(Debug, Args)]
pub struct Status {
    /// Folder of the dictionary.
    pub dir: PathBuf,
    /// How long to wait where it is busy.
    #[command(flatten)]
    pub patience: Patience,
}

/// `aardvark audit`
#[derive(Debug, Args)]
pub struct Audit {
    /// Folder of the dictionary.
    pub dir: PathBuf,
    /// Commitments that `aardvark commitments` wrote, kept elsewhere: the dictionary must still be theirs, at their version.
    #[arg(long, value_name = "FILE", conflicts_with = "root")]
    pub commitments: Option<PathBuf>,
    /// The state root of the latest version, as kept elsewhere: 0x and 64 digits.
    #[arg(long, value_name = "HASH")]
    pub root: Option<String>,
    /// With --root: the version that it is of, any since genesis.
    #[arg(long, value_name = "V", requires = "root", conflicts_with = "commitments")]
    pub version: Option<u64>,
    /// How long to wait where it is busy.
    #[command(flatten)]
    pub patience: Patience,
}

/// `aardvark completions`
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell.
    pub shell: clap_complete::Shell,
}

impl Import {
    /// How the file is read.
    pub fn reading(&self) -> Reading {
        let Self { format, header, no_header, text, .. } = *self;
        Reading { format, header: Header::of_options(header, no_header), notation: notation(text) }
    }
}

impl Prove {
    /// How the file of keys is read.
    pub fn reading(&self) -> Reading {
        let Self { format, header, no_header, text, .. } = *self;
        Reading { format, header: Header::of_options(header, no_header), notation: notation(text) }
    }
}

/// A name that a dictionary can have.
///
/// # Errors
/// What is wrong with it.
pub fn dictionary_name(text: &str) -> Result<String, NameError> {
    Identity::new(text, [0; 32]).map(|identity| identity.name().to_owned())
}

/// The notation that the flag `--text` chooses.
pub fn notation(text: bool) -> Notation {
    if text { Notation::Text } else { Notation::TextOrHex }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_definitions_are_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn numbers_out_of_range_are_usage_errors() {
        for line in [
            ["aardvark", "init", "d", "--vector-size", "0"],
            ["aardvark", "init", "d", "--window", "-1"],
            ["aardvark", "get", "d", "--version", "x"],
        ] {
            assert!(Arguments::try_parse_from(line).is_err(), "{line:?}");
        }
        assert!(Arguments::try_parse_from(["aardvark", "import", "d", "f", "--block-size", "0"]).is_err());
    }
}

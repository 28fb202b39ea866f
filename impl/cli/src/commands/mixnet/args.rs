//! The commands of the mixnet: what people type.

use std::net::SocketAddr;
use std::path::PathBuf;

use aardvark_mixnet::identity::PublicIdentity;
use clap::{Args, Subcommand, ValueEnum};

use crate::commands::mixnet::key_file::{author, public};
use crate::commands::table::trust::TrustArguments;
use crate::deferred::Deferred;
use crate::hex_text::decode_array;
use crate::logging::Logging;

/// `aardvark mixnet`
#[derive(Debug, Subcommand)]
pub enum Mixnet {
    /// Make a key for a server, sender, querier or organiser; print its public half.
    Key(Deferred<KeyArguments>),
    /// Write the terms of a ceremony to a file.
    New(Box<Deferred<New>>),
    /// Serve a board, a dictionary in a folder, which is made where there is none; or, with --rpc,
    /// on a chain.
    Board(Deferred<BoardArguments>),
    /// Run a server of ceremonies: deal keys, mix, decrypt, answer.
    Server(Deferred<ServerArguments>),
    /// Post the terms of a ceremony.
    Start(Deferred<Start>),
    /// End the inputs of a ceremony.
    Close(Deferred<Organise>),
    /// Go on without a server's dealing, verdict or layer.
    Absent(Deferred<Absent>),
    /// Send a value: text, a number where values have two bytes, or 0x and digits.
    Send(Deferred<Send>),
    /// Say where a ceremony stands, and who broke which rule.
    Status(Deferred<Reading>),
    /// Print the values that were sent, without their senders.
    Outputs(Deferred<Reading>),
    /// Ask which of these inputs hold a value that stands among these outputs.
    TraceIn(Deferred<Trace>),
    /// Ask which of these outputs hold a value that one of these inputs holds.
    TraceOut(Deferred<Trace>),
    /// Print the answer to a query; open a private one to everybody.
    Answer(Deferred<AnswerArguments>),
    /// Check everything on a board from its bytes.
    Verify(Deferred<Verify>),
    /// An election with an audit and liars, from key to answer, in a temporary folder.
    Demo(Deferred<MixnetDemo>),
}

/// A file for a key.
#[derive(Debug, Args)]
pub struct KeyArguments {
    /// The file, which must not exist.
    pub file: PathBuf,
}

/// The terms.
#[derive(Debug, Args)]
pub struct New {
    /// The file to write.
    pub file: PathBuf,
    /// What it is about.
    #[arg(long, default_value = "")]
    pub title: String,
    /// The public half of a server's key, in the order in which they mix.
    #[arg(long = "server", value_name = "PUB", value_parser = public, required = true)]
    pub servers: Vec<PublicIdentity>,
    /// How many servers decrypt; by default all.
    #[arg(long, value_name = "T")]
    pub threshold: Option<u8>,
    /// Bytes of a value: an even number from 2 to 32; one of them is the length, but of 2.
    #[arg(long, value_name = "V", default_value_t = 8)]
    pub value_bytes: u8,
    /// Who may send: a line for each, its key in hex, a comma, and a label.
    #[arg(long, value_name = "CSV")]
    pub registry: PathBuf,
    /// The public half of a querier's key.
    #[arg(long = "querier", value_name = "PUB", value_parser = public)]
    pub queriers: Vec<PublicIdentity>,
    /// Let everybody ask.
    #[arg(long)]
    pub anyone_asks: bool,
    /// How many queries a querier has.
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub queries: u16,
    /// Without so many valid inputs the ceremony is void.
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub least: u32,
}

/// A board to serve.
#[derive(Debug, Args)]
pub struct BoardArguments {
    /// Folder of the board.
    pub dir: PathBuf,
    /// Address and port to listen on; port 0 takes any that is free.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8090")]
    pub listen: SocketAddr,
    /// The board is on the chain of this CometBFT node, whose policy must be that of a board;
    /// several are asked in turn. The folder has what was followed of it, and bodies.
    #[arg(long, value_name = "URL", requires = "genesis")]
    pub rpc: Vec<String>,
    /// The chain's genesis.json.
    #[arg(long, value_name = "FILE", requires = "rpc")]
    pub genesis: Option<PathBuf>,
    /// Take this organiser's ceremonies only; given several times, those of all of them. Without it
    /// anybody can fill the board with ceremonies, on a chain those whom genesis names.
    #[arg(long = "organiser", value_name = "KEY", value_parser = author)]
    pub organisers: Vec<[u8; 32]>,
    /// Take so many posts in all; 262144 by default.
    #[arg(long, value_name = "N")]
    pub posts: Option<u64>,
    /// Take so many MiB of bodies in all; 65536 by default.
    #[arg(long = "body-mib", value_name = "N")]
    pub mebibytes: Option<u64>,
    /// What is logged.
    #[command(flatten)]
    pub logging: Logging,
}

/// A server to run.
#[derive(Debug, Args)]
pub struct ServerArguments {
    /// Folder with the server's key (the file `key`, made where there is none) and its journal;
    /// with --trust also the newest header that was read (`trust`).
    #[arg(long, value_name = "DIR")]
    pub home: PathBuf,
    /// The board's address.
    #[arg(long, value_name = "URL")]
    pub board: String,
    /// Serve this organiser's ceremonies only.
    #[arg(long, value_name = "KEY", value_parser = author)]
    pub organiser: Option<[u8; 32]>,
    /// Under which header, where the board is on a chain: nothing is done for a post that none
    /// certifies.
    #[command(flatten)]
    pub trust: TrustArguments,
    /// With --trust: read the certified posts from this archive of the chain; from the board by
    /// default, which has the bodies in any case.
    #[arg(long, value_name = "URL", requires = "trust")]
    pub archive: Option<String>,
    /// What is logged.
    #[command(flatten)]
    pub logging: Logging,
}

/// A ceremony on a board.
#[derive(Clone, Debug, Args)]
pub struct OnBoard {
    /// The board's address.
    #[arg(long, value_name = "URL")]
    pub board: String,
    /// The organiser's key, where the board has ceremonies of several.
    #[arg(long, value_name = "KEY", value_parser = author)]
    pub organiser: Option<[u8; 32]>,
    /// The organiser's number of the ceremony, where the board has several.
    #[arg(long, value_name = "N")]
    pub number: Option<u32>,
}

/// What a reader trusts of a board. Without any of it all posts are read under the root that the
/// board names, which is shown, for others to compare.
#[derive(Clone, Debug, Default, Args)]
pub struct BoardAnchor {
    /// The state root to read all posts under, 0x and 64 digits.
    #[arg(long, value_name = "HASH", conflicts_with_all = ["commitments", "note", "trust"])]
    pub root: Option<String>,
    /// The commitments to read all posts under.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["note", "trust"])]
    pub commitments: Option<PathBuf>,
    /// A signed note with the state root to read all posts under.
    #[arg(long, value_name = "FILE", requires = "publishers", conflicts_with = "trust")]
    pub note: Option<PathBuf>,
    /// Whose signature the note must have, as NAME+HASH+KEY.
    #[arg(long = "publisher", id = "publishers", value_name = "KEY", requires = "note")]
    pub publishers: Vec<String>,
    /// With --root: the version that it is of, if not the newest.
    #[arg(long, value_name = "V", requires = "root")]
    pub at_version: Option<u64>,
}

/// A ceremony, read under what is trusted.
#[derive(Debug, Args)]
pub struct Reading {
    /// Where.
    #[command(flatten)]
    pub at: OnBoard,
    /// Under what.
    #[command(flatten)]
    pub anchor: BoardAnchor,
    /// Under which header, where the board is on a chain.
    #[command(flatten)]
    pub trust: TrustArguments,
    /// Read the posts from this archive of the chain; from the board by default, which has the
    /// bodies in any case.
    #[arg(long, value_name = "URL")]
    pub archive: Option<String>,
}

impl Reading {
    /// A ceremony under the root that the board names.
    pub fn by_word(at: OnBoard) -> Self {
        Self { at, anchor: BoardAnchor::default(), trust: TrustArguments::default(), archive: None }
    }
}

/// Terms to post.
#[derive(Debug, Args)]
pub struct Start {
    /// The terms.
    pub file: PathBuf,
    /// The organiser's key.
    #[arg(long, value_name = "FILE")]
    pub key: PathBuf,
    /// The board's address.
    #[arg(long, value_name = "URL")]
    pub board: String,
    /// The organiser's number for the ceremony.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub number: u32,
}

/// An organiser's word.
#[derive(Debug, Args)]
pub struct Organise {
    /// The organiser's key.
    #[arg(long, value_name = "FILE")]
    pub key: PathBuf,
    /// Where.
    #[command(flatten)]
    pub at: OnBoard,
}

/// A stage that servers post in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AbsentStage {
    /// Dealing keys.
    Dealing,
    /// Saying whose shares are false.
    Verdict,
    /// Mixing.
    Layer,
}

/// A server that will not be waited for.
#[derive(Debug, Args)]
pub struct Absent {
    /// The server's number.
    pub server: u16,
    /// The stage that waits for it; by default the one at hand.
    #[arg(long, value_enum)]
    pub stage: Option<AbsentStage>,
    /// Whose word.
    #[command(flatten)]
    pub organiser: Organise,
}

/// A value to send.
#[derive(Debug, Args)]
pub struct Send {
    /// The value.
    pub value: String,
    /// The sender's key.
    #[arg(long, value_name = "FILE")]
    pub key: PathBuf,
    /// Where.
    #[command(flatten)]
    pub at: OnBoard,
}

/// How much of an answer is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RevealArgument {
    /// Yes or no for each.
    Each,
    /// Yes or no for each value of the outputs.
    Any,
    /// How many.
    Count,
}

/// A question.
#[derive(Debug, Args)]
pub struct Trace {
    /// Inputs: all, label:NAME, or numbers as in 0-99,105.
    #[arg(long, value_name = "SET")]
    pub inputs: String,
    /// Outputs: all, values:FILE with a value a line, or numbers.
    #[arg(long, value_name = "SET")]
    pub outputs: String,
    /// What is told; by default each, of equal outputs any.
    #[arg(long, value_enum)]
    pub reveal: Option<RevealArgument>,
    /// Ask so that the answer is for this key alone.
    #[arg(long)]
    pub private: bool,
    /// The querier's key.
    #[arg(long, value_name = "FILE")]
    pub key: PathBuf,
    /// Wait for the answer, and print it.
    #[arg(long)]
    pub wait: bool,
    /// Where.
    #[command(flatten)]
    pub at: OnBoard,
}

/// An answer to print.
#[derive(Debug, Args)]
pub struct AnswerArguments {
    /// The query's id.
    #[arg(value_name = "QUERY", value_parser = decode_array::<32>)]
    pub query: [u8; 32],
    /// The querier's key, for a private answer.
    #[arg(long, value_name = "FILE")]
    pub key: Option<PathBuf>,
    /// Open a private answer to everybody.
    #[arg(long, requires = "key")]
    pub open: bool,
    /// Where, and under what.
    #[command(flatten)]
    pub reading: Reading,
}

/// What to check.
#[derive(Debug, Args)]
pub struct Verify {
    /// One query, which must have an answer.
    #[arg(long, value_name = "ID", value_parser = decode_array::<32>)]
    pub query: Option<[u8; 32]>,
    /// Where, and under what.
    #[command(flatten)]
    pub reading: Reading,
}

/// `aardvark mixnet demo`
#[derive(Debug, Args)]
pub struct MixnetDemo {
    /// Voters of each of the three stations.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u16).range(4..=1000))]
    pub voters: u16,
}

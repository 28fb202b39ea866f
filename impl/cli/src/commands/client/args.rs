//! Command-line arguments of `aardvark client`.

use std::path::PathBuf;

use aardvark_client::light::TrustPoint;
use clap::{Args, Subcommand};

use crate::deferred::Deferred;
use crate::hex_text::decode_array;

/// `aardvark client`
#[derive(Debug, Subcommand)]
pub enum Client {
    /// Make a key for signing transactions.
    Keygen(Deferred<Keygen>),
    /// Show a key's public key and account.
    Account(Deferred<Account>),
    /// Show a header's hash, for --trust.
    Trust(Deferred<Trust>),
    /// Look keys up and check the answer down to a header that you trust.
    Get(Deferred<Get>),
    /// List the entries of a range of keys, checked as get does, and that none is missing.
    List(Deferred<List>),
    /// Set a key's value (policy publisher).
    Put(Deferred<Put>),
    /// Pay from the key's account to another (policy accounts).
    Pay(Deferred<Pay>),
    /// Do the operations of a file.
    Submit(Deferred<Submit>),
}

/// `aardvark client keygen`
#[derive(Debug, Args)]
pub struct Keygen {
    /// The key's file, which must not be there yet.
    pub file: PathBuf,
    /// Encrypt it with a password (PKCS#8, which openssl reads): typed at the terminal, or the
    /// first line of the file that `AARDVARK_KEY_PASSWORD_FILE` names, as whenever the key is
    /// used.
    #[arg(long)]
    pub encrypted: bool,
    /// Write this key instead of a new one, for example to encrypt it.
    #[arg(long, value_name = "KEY", requires = "encrypted")]
    pub from: Option<PathBuf>,
}

/// `aardvark client account`
#[derive(Debug, Args)]
pub struct Account {
    /// The key's file.
    pub file: PathBuf,
}

/// Whom to ask, and what to believe.
#[derive(Debug, Args)]
pub struct Network {
    /// RPC of a node of CometBFT; several are asked in turn.
    #[arg(long = "rpc", value_name = "URL", required = true)]
    pub nodes: Vec<String>,
    /// An archive; several are asked in turn.
    #[arg(long = "archive", value_name = "URL", required = true)]
    pub archives: Vec<String>,
    /// RPC of another node, with which headers are compared.
    #[arg(long = "witness", value_name = "URL")]
    pub witnesses: Vec<String>,
    /// Compare headers with nobody: a fork then stays unseen.
    #[arg(long, conflicts_with = "witnesses")]
    pub without_witness: bool,
    /// A header that you trust; its hash in 64 hexadecimal digits.
    #[arg(long, value_name = "HEIGHT:HASH")]
    pub trust: Option<TrustPoint>,
    /// Keep the newest verified header in this file, and start from it the next time.
    #[arg(long, value_name = "FILE")]
    pub state: Option<PathBuf>,
    /// The chain's genesis.json, if you have it from somebody you trust; else a node is asked, and
    /// its answer compared with the root.
    #[arg(long, value_name = "FILE")]
    pub genesis: Option<PathBuf>,
    /// How old the newest header may be.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub max_age: u64,
    /// How long a header is trusted: less than validators need to take their stake away.
    #[arg(long, value_name = "SECONDS", default_value_t = 1_209_600)]
    pub trusting_period: u64,
    /// How much later than this clock a header may be.
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    pub clock_drift: u64,
    /// How long to wait for one answer.
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    pub timeout: u64,
    /// How long one server may take for all its answers together.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub server_time: u64,
}

/// `aardvark client trust`
#[derive(Debug, Args)]
pub struct Trust {
    /// RPC of a node of CometBFT; several must say the same.
    #[arg(long = "rpc", value_name = "URL", required = true)]
    pub nodes: Vec<String>,
    /// The header's height; by default that of the newest which all of them have.
    #[arg(long, value_name = "H", value_parser = clap::value_parser!(u64).range(1..))]
    pub height: Option<u64>,
    /// The chain's genesis.json, from somebody you trust: its validators must have signed the
    /// header.
    #[arg(long, value_name = "FILE")]
    pub genesis: Option<PathBuf>,
    /// How long to wait for one answer.
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    pub timeout: u64,
}

/// `aardvark client get`
#[derive(Debug, Args)]
pub struct Get {
    /// The keys, as text, or in hexadecimal behind 0x.
    #[arg(required = true, value_name = "KEY")]
    pub keys: Vec<String>,
    /// Ask for one opening of 96 bytes instead of one for each claim.
    #[arg(long)]
    pub together: bool,
    /// Whom to ask.
    #[command(flatten)]
    pub network: Network,
    /// Take a key that begins with 0x for text.
    #[arg(long)]
    pub text: bool,
}

/// `aardvark client list`
#[derive(Debug, Args)]
pub struct List {
    /// From this key on; from the first one on by default.
    #[arg(long, value_name = "KEY")]
    pub from: Option<String>,
    /// Up to, and not including, this key; to the last one by default.
    #[arg(long, value_name = "KEY")]
    pub to: Option<String>,
    /// The keys that begin with this.
    #[arg(long, value_name = "KEY", conflicts_with_all = ["from", "to"])]
    pub prefix: Option<String>,
    /// At most so many entries; then says where to go on.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub limit: Option<u64>,
    /// Ask for one opening of 96 bytes for up to 1,024 entries instead of one for each.
    #[arg(long)]
    pub together: bool,
    /// Whom to ask.
    #[command(flatten)]
    pub network: Network,
    /// Take keys that begin with 0x for text.
    #[arg(long)]
    pub text: bool,
}

/// How a transaction is signed and waited for.
#[derive(Debug, Args)]
pub struct Signing {
    /// Whom to ask.
    #[command(flatten)]
    pub network: Network,
    /// A key's file; several sign together.
    #[arg(long = "key", value_name = "FILE", required = true)]
    pub keys: Vec<PathBuf>,
    /// For how many versions the transaction is good, if fewer than the window.
    #[arg(long, value_name = "N")]
    pub versions: Option<u64>,
    /// How long to wait for the transaction to stand in a block; 0 does not wait.
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    pub wait: u64,
    /// Go on with a transaction that was made before, by its id: it is sent as it is, and never
    /// made anew.
    #[arg(long, value_name = "ID", value_parser = decode_array::<32>)]
    pub resume: Option<[u8; 32]>,
    /// Make another transaction, also where the same command made one before.
    #[arg(long, conflicts_with = "resume")]
    pub again: bool,
    /// Folder of what was signed, from which a repeated command goes on; by default beside the
    /// first key's file, with .sent behind its name.
    #[arg(long, value_name = "DIR")]
    pub outbox: Option<PathBuf>,
}

/// `aardvark client put`
#[derive(Debug, Args)]
pub struct Put {
    /// The key, as text, or in hexadecimal behind 0x.
    #[arg(required_unless_present = "resume")]
    pub name: Option<String>,
    /// The value, in the same notation.
    #[arg(required_unless_present = "resume")]
    pub value: Option<String>,
    /// Who signs.
    #[command(flatten)]
    pub signing: Signing,
    /// Take what begins with 0x for text.
    #[arg(long)]
    pub text: bool,
}

/// `aardvark client pay`
#[derive(Debug, Args)]
pub struct Pay {
    /// The account that is paid, 0x and 32 bytes.
    #[arg(required_unless_present = "resume")]
    pub to: Option<String>,
    /// How much, from 1.
    #[arg(required_unless_present = "resume", value_parser = clap::value_parser!(u64).range(1..))]
    pub amount: Option<u64>,
    /// Who signs, the first key's account pays.
    #[command(flatten)]
    pub signing: Signing,
}

/// `aardvark client submit`
#[derive(Debug, Args)]
pub struct Submit {
    /// Operations, a JSON array of them as in a transaction; - is standard input.
    #[arg(required_unless_present = "resume")]
    pub file: Option<PathBuf>,
    /// Who signs.
    #[command(flatten)]
    pub signing: Signing,
}

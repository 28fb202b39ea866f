//! `aardvark node validators`: who decides a chain's blocks, and how its council changes them.
//!
//! ```text
//! propose --set KEY=POWER --rpc URL -o change.json -> sign change.json (each member) -> submit change.json --rpc URL
//! ```
//!
//! A proposal is a file that each member reads before signing it. What a node says of the
//! validators is its word: where it lies about the last change, what is signed fits no set and is
//! refused.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use aardvark_chain::validator_change::CHANGE_FORMAT;
use aardvark_chain::{ChainGenesis, Council, SignedChange, SignerSignature, TxCode, ValidatorChange, ValidatorSet};
use aardvark_client::light::validator_key;
use aardvark_client::rpc::{HttpOptions, RpcClient};
use aardvark_dictionary::codec::Reader;
use aardvark_proof::hex_text::HexArray;
use clap::{Args, Subcommand};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::commands::client::failure::ClientFailure;
use crate::commands::client::network::LARGEST_GENESIS;
use crate::deferred::Deferred;
use crate::failure::Failure;
use crate::hex_text::{decode_array, encode};
use crate::input::read_file;
use crate::key_password::load;
use crate::report::{Report, Rows, counted};

/// Most bytes of a change's file: more than any change has.
const LARGEST_CHANGE: u64 = 1 << 20;
/// How long between two questions whether a change is made.
const PAUSE: Duration = Duration::from_millis(200);

/// `aardvark node validators`
#[derive(Debug, Subcommand)]
pub enum NodeValidators {
    /// Show the validators, their voting power and when they changed last, as a node says.
    Show(Deferred<Show>),
    /// Write a change of validators into a file, for members of the council to sign.
    Propose(Deferred<Propose>),
    /// Sign a change, as a member of the council.
    Sign(Deferred<Sign>),
    /// Submit a change that enough members signed, and wait until it is made.
    Submit(Deferred<Submit>),
}

/// `aardvark node validators show`
#[derive(Debug, Args)]
pub struct Show {
    /// RPC of a node of CometBFT.
    #[arg(long, value_name = "URL")]
    pub rpc: String,
}

/// `aardvark node validators propose`
#[derive(Debug, Args)]
pub struct Propose {
    /// A validator's ed25519 public key, 0x and 32 bytes or in base64 as `cometbft show-validator`
    /// prints it, and the voting power that it gets; several may be given.
    #[arg(long = "set", value_name = "KEY=POWER", value_parser = parse_power, required_unless_present = "removed")]
    pub set: Vec<([u8; 32], u64)>,
    /// The public key of a validator that goes; several may be given.
    #[arg(long = "remove", id = "removed", value_name = "KEY", value_parser = parse_key)]
    pub removed: Vec<[u8; 32]>,
    /// RPC of a node of CometBFT, which is asked for the last change.
    #[arg(long, value_name = "URL")]
    pub rpc: String,
    /// The file to write.
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
}

/// `aardvark node validators sign`
#[derive(Debug, Args)]
pub struct Sign {
    /// The change: the signature is added to the file.
    pub file: PathBuf,
    /// The chain's genesis.json, which names the council.
    #[arg(long, value_name = "FILE")]
    pub genesis: PathBuf,
    /// The member's key.
    #[arg(long, value_name = "FILE")]
    pub key: PathBuf,
}

/// `aardvark node validators submit`
#[derive(Debug, Args)]
pub struct Submit {
    /// The signed change.
    pub file: PathBuf,
    /// RPC of a node of CometBFT.
    #[arg(long, value_name = "URL")]
    pub rpc: String,
    /// How long to wait until the change is made.
    #[arg(long, value_name = "SECONDS", default_value_t = 30)]
    pub wait: u64,
}

/// Runs the command.
///
/// # Errors
/// A node that does not answer or refuses, a file that cannot be read or written, a key that is no
/// member's.
pub fn run(arguments: &NodeValidators) -> Result<Report, Failure> {
    match arguments {
        NodeValidators::Show(show) => Ok(shown(&asked(&node(&show.rpc)?)?)),
        NodeValidators::Propose(proposed) => propose(proposed),
        NodeValidators::Sign(signing) => sign(signing),
        NodeValidators::Submit(submitted) => submit(submitted),
    }
}

fn propose(arguments: &Propose) -> Result<Report, Failure> {
    let set = asked(&node(&arguments.rpc)?)?;
    let removed = arguments.removed.iter().map(|key| (*key, 0));
    let listed = arguments.set.len() + arguments.removed.len();
    let updates: BTreeMap<_, _> = arguments.set.iter().copied().chain(removed).collect();
    if updates.len() < listed {
        return Err(Failure::Usage("a key stands twice".to_owned()));
    }
    let change = ValidatorChange { follows: set.last_change(), updates };
    let signed = SignedChange { change, signatures: Vec::new() };
    write(&arguments.output, &signed)?;
    Ok(described(&signed))
}

fn sign(arguments: &Sign) -> Result<Report, Failure> {
    let mut signed = read(&arguments.file)?;
    let (_, genesis) = ChainGenesis::from_genesis_file(&read_file(&arguments.genesis, LARGEST_GENESIS)?)?;
    let council = genesis.council().ok_or_else(|| Failure::Usage("the chain has no council".to_owned()))?;
    let key = load(&arguments.key).map_err(ClientFailure::from)?;
    if !council.members().contains(&key.public_key()) {
        return Err(Failure::Usage(format!("{} is no member of the council", encode(&key.public_key()))));
    }
    let signature = signed.change.sign(&genesis.genesis().dictionary_id(), council, key.signing_key());
    signed.signatures.retain(|other| other.public_key != signature.public_key);
    signed.signatures.push(signature);
    signed.signatures.sort_by_key(|signature| signature.public_key);
    write(&arguments.file, &signed)?;
    let report = described(&signed);
    Ok(missing(council, &signed).map_or(report, |lacking| said(&signed, Some(lacking))))
}

fn submit(arguments: &Submit) -> Result<Report, Failure> {
    let signed = read(&arguments.file)?;
    let node = node(&arguments.rpc)?;
    let answer = node.broadcast_tx_sync(&signed.encode()).map_err(ClientFailure::from)?;
    if answer.code != 0 {
        let name = TxCode::from_number(answer.code).map_or("an unknown code", TxCode::name);
        return Err(ClientFailure::ChangeRefused { name, log: answer.log }.into());
    }
    let end = Instant::now() + Duration::from_secs(arguments.wait);
    loop {
        let set = asked(&node)?;
        if set.last_change() != signed.change.follows {
            return Ok(shown(&set));
        }
        if Instant::now() >= end {
            return Err(ClientFailure::ChangeWaits(arguments.wait).into());
        }
        std::thread::sleep(PAUSE);
    }
}

fn node(url: &str) -> Result<RpcClient, Failure> {
    Ok(RpcClient::new(url, HttpOptions::default()).map_err(ClientFailure::from)?)
}

/// The validators, as a node says.
fn asked(node: &RpcClient) -> Result<ValidatorSet, Failure> {
    let bytes = node.abci_query("/validators").map_err(ClientFailure::from)?;
    let mut reader = Reader::new(&bytes);
    let set = ValidatorSet::read(&mut reader).and_then(|set| reader.finish().map(|()| set));
    set.map_err(|error| Failure::Download(node.url().to_owned(), error.to_string()))
}

fn shown(set: &ValidatorSet) -> Report {
    let last = match set.last_change() {
        0 => "none".to_owned(),
        height => format!("height {height}"),
    };
    let rows = Rows::new().row("last change", last);
    let rows = set.powers().iter().fold(rows, |rows, (key, power)| rows.row(encode(key), power.to_string()));
    let json = json!({ "result": "holds", "last_change": set.last_change(), "validators": entries(set.powers()) });
    Report::done(rows.to_text(), json)
}

fn described(signed: &SignedChange) -> Report {
    said(signed, None)
}

/// How many more members have to sign.
fn missing(council: &Council, signed: &SignedChange) -> Option<usize> {
    usize::from(council.threshold()).checked_sub(signed.signatures.len())
}

fn said(signed: &SignedChange, lacking: Option<usize>) -> Report {
    let SignedChange { change, signatures } = signed;
    let follows = match change.follows {
        0 => "genesis".to_owned(),
        height => format!("the change of height {height}"),
    };
    let rows = Rows::new().row("follows", follows);
    let rows = change.updates.iter().fold(rows, |rows, (key, power)| {
        rows.row(encode(key), if *power == 0 { "goes".to_owned() } else { power.to_string() })
    });
    let rows = rows.row("signed by", counted(signatures.len() as u64, "member", "members"));
    let rows = match lacking {
        Some(lacking) => rows.row("missing", counted(lacking as u64, "signature", "signatures")),
        None => rows,
    };
    let json = json!({ "result": "holds", "follows": change.follows, "updates": entries(&change.updates),
        "signatures": signatures.len(), "missing": lacking });
    Report::done(rows.to_text(), json)
}

fn entries(powers: &BTreeMap<[u8; 32], u64>) -> serde_json::Value {
    powers.iter().map(|(key, power)| json!({ "key": encode(key), "power": power })).collect()
}

fn parse_key(text: &str) -> Result<[u8; 32], String> {
    validator_key(text).map_or_else(|| decode_array(text).map_err(|error| error.to_string()), Ok)
}

fn parse_power(text: &str) -> Result<([u8; 32], u64), String> {
    // Base64 ends with the sign too.
    let (key, power) = text.rsplit_once('=').ok_or("a validator is written KEY=POWER")?;
    let key = parse_key(key)?;
    match power.parse() {
        Ok(0) => Err("a power of 0 removes: say --remove".to_owned()),
        Ok(power) => Ok((key, power)),
        Err(error) => Err(format!("{power:?} is no voting power: {error}")),
    }
}

/// A change as people read it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ChangeJson {
    format: u8,
    follows: u64,
    updates: Vec<UpdateJson>,
    signatures: Vec<SignatureJson>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct UpdateJson {
    key: HexArray<32>,
    power: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SignatureJson {
    key: HexArray<32>,
    signature: HexArray<64>,
}

fn read(path: &Path) -> Result<SignedChange, Failure> {
    let name = || path.display().to_string();
    let json: ChangeJson = serde_json::from_slice(&read_file(path, LARGEST_CHANGE)?)
        .map_err(|error| Failure::AnotherFile(name(), error.to_string()))?;
    let listed = json.updates.len();
    let updates: BTreeMap<_, _> = json.updates.into_iter().map(|update| (update.key.0, update.power)).collect();
    if json.format != CHANGE_FORMAT || updates.len() != listed {
        return Err(Failure::AnotherFile(name(), "no change of validators".to_owned()));
    }
    let signature = |json: SignatureJson| SignerSignature { public_key: json.key.0, signature: json.signature.0 };
    let signatures = json.signatures.into_iter().map(signature).collect();
    Ok(SignedChange { change: ValidatorChange { follows: json.follows, updates }, signatures })
}

fn write(path: &Path, signed: &SignedChange) -> Result<(), Failure> {
    let SignedChange { change, signatures } = signed;
    let update = |(key, power): (&[u8; 32], &u64)| UpdateJson { key: HexArray(*key), power: *power };
    let signature =
        |one: &SignerSignature| SignatureJson { key: HexArray(one.public_key), signature: HexArray(one.signature) };
    let json = ChangeJson {
        format: CHANGE_FORMAT,
        follows: change.follows,
        updates: change.updates.iter().map(update).collect(),
        signatures: signatures.iter().map(signature).collect(),
    };
    let failed = |source| Failure::Output { name: path.display().to_string(), source };
    let text = serde_json::to_string_pretty(&json).map_err(|error| failed(error.into()))?;
    std::fs::write(path, text + "\n").map_err(failed)
}

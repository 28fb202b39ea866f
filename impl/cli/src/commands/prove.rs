//! `aardvark prove DIR KEY`, and `aardvark prove DIR --keys FILE`

use std::path::{Path, PathBuf};

use aardvark_archive::Archive;
use aardvark_dictionary::{Claim, Key};
use clap::Args;
use serde_json::json;

use crate::failure::Failure;
use crate::hex_text::encode;
use crate::import::{Format, Header, Reading, changes};
use crate::input::Input;
use crate::key_text::{display, parse_key};
use crate::notation::notation;
use crate::output_file::{asked, write_file};
use crate::proof_json::{self, Proof};
use crate::report::{Report, Rows};
use crate::store::{Patience, open_read_only};

/// `aardvark prove`
#[derive(Debug, Args)]
pub struct Prove {
    /// Folder of the dictionary.
    pub dir: PathBuf,
    /// The key, as text, or in hexadecimal behind 0x.
    #[arg(required_unless_present = "keys")]
    pub key: Option<String>,
    /// Prove every key of a file as `import` takes it, whatever the values: one proof a line; - is
    /// standard input.
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

impl Prove {
    /// How the file of keys is read.
    pub fn reading(&self) -> Reading {
        let Self { format, header, no_header, text, .. } = *self;
        Reading { format, header: Header::of_options(header, no_header), notation: notation(text) }
    }
}

/// Proves the value or absence of a key, or of many in one call; proofs go to standard output or a
/// file.
///
/// # Errors
/// A malformed key or file of keys, a version that cannot be read, a store that cannot be read, a
/// file that cannot be written. Of many keys, all are proved or none.
pub fn run(arguments: &Prove) -> Result<Report, Failure> {
    let one = arguments.key.as_ref().map(|key| parse_key(key, notation(arguments.text))).transpose()?;
    let archive = open_read_only(&arguments.dir, arguments.patience)?;
    let version = arguments.version.unwrap_or(archive.version());
    match (one, &arguments.keys) {
        (Some(key), _) => prove_one(&archive, key, version, arguments),
        (None, Some(file)) => prove_file(&archive, file, version, arguments),
        (None, None) => prove_all(&archive, Vec::new(), version, arguments),
    }
}

fn prove_one(archive: &Archive, key: Key, version: u64, arguments: &Prove) -> Result<Report, Failure> {
    let claims =
        if arguments.delete { archive.prove_delete(&key, version)? } else { vec![archive.prove(&key, version)?] };
    let proof = archive.key_proof(key, version, claims);
    let text = proof_json::write(&proof).map_err(unwritable)?;
    match asked(arguments.output.as_ref()) {
        None => Ok(Report::document(text)),
        Some(path) => {
            write_file(path, &text)?;
            Ok(summary(&proof, path))
        }
    }
}

fn prove_file(archive: &Archive, file: &Path, version: u64, arguments: &Prove) -> Result<Report, Failure> {
    let records = changes(Input::open(file)?, file, arguments.reading())?;
    let keys = records.map(|record| record.map(|record| record.key)).collect::<Result<Vec<Key>, _>>()?;
    prove_all(archive, keys, version, arguments)
}

/// Proofs in the order of the keys, one a line.
fn prove_all(archive: &Archive, keys: Vec<Key>, version: u64, arguments: &Prove) -> Result<Report, Failure> {
    let claims: Vec<Vec<Claim>> = match arguments.delete {
        true => archive.prove_delete_many(&keys, version)?,
        false => archive.prove_many(&keys, version)?.into_iter().map(|claim| vec![claim]).collect(),
    };
    let present = keys.iter().zip(&claims).filter(|(key, claims)| answers_present(key, claims)).count();
    let count = keys.len();
    let proofs = keys.into_iter().zip(claims).map(|(key, claims)| archive.key_proof(key, version, claims));
    let lines = proofs.map(|proof| proof_json::write_line(&proof)).collect::<Result<Vec<String>, _>>();
    let text = lines.map_err(unwritable)?.join("\n");
    let Some(path) = asked(arguments.output.as_ref()) else {
        return Ok(Report::document(text));
    };
    write_file(path, &text)?;
    let file = path.display().to_string();
    let rows = Rows::new()
        .row("keys", format!("{count} ({present} present, {} absent)", count - present))
        .row("version", version.to_string())
        .row("proofs", file.clone());
    let json = json!({ "keys": count, "present": present, "version": version, "file": file });
    Ok(Report::done(rows.to_text(), json))
}

fn unwritable(error: crate::json::JsonError) -> Failure {
    Failure::Json("the proof".into(), error)
}

fn summary(proof: &Proof, path: &Path) -> Report {
    let present = answers_present(&proof.key, &proof.claims);
    let file = path.display().to_string();
    let rows = Rows::new()
        .row("key", display(&proof.key))
        .row("answer", if present { "present" } else { "absent" })
        .row("version", proof.version.to_string())
        .row("proof", file.clone());
    let json = json!({
        "key": encode(&proof.key),
        "present": present,
        "version": proof.version,
        "claims": proof.claims.len(),
        "file": file,
    });
    Report::done(rows.to_text(), json)
}

fn answers_present(key: &Key, claims: &[Claim]) -> bool {
    claims.first().is_some_and(|claim| claim.slot.key == *key)
}

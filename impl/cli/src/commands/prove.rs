//! `aardvark prove DIR KEY`, and `aardvark prove DIR --keys FILE`

use std::path::Path;

use aardvark_archive::Archive;
use aardvark_dictionary::{Claim, Key};
use serde_json::json;

use crate::args::{Prove, notation};
use crate::failure::Failure;
use crate::hex_text::encode;
use crate::import::changes;
use crate::input::Input;
use crate::key_text::{display, parse_key};
use crate::output_file::{asked, write_file};
use crate::proof_json::{self, Proof};
use crate::report::{Report, Rows};
use crate::store::open_read_only;

/// Proves the value or absence of a key, or of many in one call; proofs go to standard output or a file.
///
/// # Errors
/// A malformed key or file of keys, a version that cannot be read, a store that cannot be read, a file that cannot be
/// written. Of many keys, all are proved or none.
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

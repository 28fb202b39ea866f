//! `aardvark prove DIR KEY`

use std::path::Path;

use aardvark_archive::Archive;
use aardvark_dictionary::Key;
use serde_json::json;

use crate::args::{Prove, notation};
use crate::failure::Failure;
use crate::hex_text::encode;
use crate::key_text::{display, parse_key};
use crate::output_file::write_file;
use crate::proof_json::{self, Proof};
use crate::report::{Report, Rows};

/// Proves a key's value or absence; the proof goes to standard output or a file.
///
/// # Errors
/// A malformed key, a version that cannot be read, a store that cannot be read, a file that cannot be written.
pub fn run(arguments: &Prove) -> Result<Report, Failure> {
    let key = parse_key(&arguments.key, notation(arguments.text))?;
    let archive = Archive::open_read_only(&arguments.dir)?;
    let version = arguments.version.unwrap_or(archive.version());
    let claims =
        if arguments.delete { archive.prove_delete(&key, version)? } else { vec![archive.prove(&key, version)?] };
    let proof = of_claims(&archive, key, version, claims);
    let text = proof_json::write(&proof).map_err(|error| Failure::Json("the proof".into(), error))?;
    match &arguments.output {
        None => Ok(Report::document(text)),
        Some(path) => {
            write_file(path, &text)?;
            Ok(summary(&proof, path))
        }
    }
}

/// A proof from an archive's claims.
pub fn of_claims(archive: &Archive, key: Key, version: u64, claims: Vec<aardvark_dictionary::Claim>) -> Proof {
    let parameters = archive.parameters();
    Proof {
        dictionary: *archive.id(),
        scheme: parameters.scheme,
        vector_size: parameters.vector_size,
        version,
        key,
        claims,
    }
}

fn summary(proof: &Proof, path: &Path) -> Report {
    let present = proof.claims.first().is_some_and(|claim| claim.slot.key == proof.key);
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

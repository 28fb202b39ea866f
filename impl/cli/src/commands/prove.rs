//! `aardvark prove DIR KEY`, `prove DIR --keys FILE`, `prove DIR --range LO HI`

use std::path::{Path, PathBuf};

use aardvark_algebra::parallel::work_alone;
use aardvark_archive::{AnswerForm, Archive};
use aardvark_dictionary::{Claim, Key};
use aardvark_proof::Question;
use clap::Args;
use serde_json::json;

use crate::answer_json;
use crate::answers::{prove_answer, root_parts};
use crate::entries::parse_end;
use crate::failure::Failure;
use crate::hex_text::encode;
use crate::import::KeyFileArguments;
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
    #[arg(required_unless_present_any = ["keys", "range"])]
    pub key: Option<String>,
    /// Prove every key of a file as `import` takes it, whatever the values: one proof a line; - is
    /// standard input.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["key", "range"])]
    pub keys: Option<PathBuf>,
    /// Prove every entry from LO up to HI, and not HI; "" is no end.
    #[arg(long, num_args = 2, value_names = ["LO", "HI"], conflicts_with_all = ["key", "delete"])]
    pub range: Option<Vec<String>>,
    /// With --range: at most so many entries, and where to go on.
    #[arg(long, value_name = "N", requires = "range", conflicts_with_all = ["key", "keys"])]
    pub limit: Option<u64>,
    /// One proof with one opening of 96 bytes, for all keys of a file or for a range.
    #[arg(long, conflicts_with_all = ["key", "delete"])]
    pub together: bool,
    /// Bring along what ties the proof to the state root, so that `verify --root` needs nothing
    /// else. For a version before the window that can be read, all blocks are replayed.
    #[arg(long, conflicts_with = "delete")]
    pub root: bool,
    /// How the file of keys is read.
    #[command(flatten)]
    pub reading: KeyFileArguments,
    /// At this version instead of the latest.
    #[arg(long, value_name = "V")]
    pub version: Option<u64>,
    /// Prove what a deletion needs: the slot of the key and its predecessor.
    #[arg(long)]
    pub delete: bool,
    /// Write the proof, or all of them, to this file; - is standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Take keys that begin with 0x for text.
    #[arg(long)]
    pub text: bool,
    /// How long to wait where it is busy.
    #[command(flatten)]
    pub patience: Patience,
}

/// Proves the value or absence of a key, or of many in one call, or the entries of a range; proofs
/// go to standard output or a file.
///
/// # Errors
/// A malformed key or file of keys, a version that cannot be read, a store that cannot be read, a
/// file that cannot be written. Of many keys, all are proved or none.
pub fn run(arguments: &Prove) -> Result<Report, Failure> {
    let Prove { together, root, .. } = *arguments;
    let notation = notation(arguments.text);
    let one = arguments.key.as_ref().map(|key| parse_key(key, notation)).transpose()?;
    let range = arguments.range.as_deref().map(|ends| range(ends, arguments)).transpose()?;
    let archive = open_read_only(&arguments.dir, arguments.patience)?;
    let version = arguments.version.unwrap_or(archive.version());
    let output = asked(arguments.output.as_ref());
    let answer = |question: &Question| prove_answer(&archive, question, version, together, root, output);
    match (one, &arguments.keys, range) {
        (_, _, Some(range)) => answer(&range),
        (Some(key), ..) if root => answer(&Question::key(key)),
        (Some(key), ..) => prove_one(&archive, key, version, arguments),
        (None, file, None) => {
            let keys = file.as_ref().map_or(Ok(Vec::new()), |file| arguments.reading.keys(file, notation))?;
            match (together, root) {
                (true, _) => answer(&Question::keys(keys)),
                (false, true) => prove_all_rooted(&archive, keys, version, arguments),
                (false, false) => prove_all(&archive, keys, version, arguments),
            }
        }
    }
}

fn range(ends: &[String], arguments: &Prove) -> Result<Question, Failure> {
    let [from, to] = ends else {
        return Err(Failure::Usage("a range has two ends: --range <LO> <HI>".to_owned()));
    };
    let notation = notation(arguments.text);
    Ok(Question::range(parse_end(from, notation)?, parse_end(to, notation)?, arguments.limit))
}

fn prove_one(archive: &Archive, key: Key, version: u64, arguments: &Prove) -> Result<Report, Failure> {
    if !arguments.delete && archive.proves_at_once() {
        work_alone();
    }
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

/// Proofs in the order of the keys, one a line.
fn prove_all(archive: &Archive, keys: Vec<Key>, version: u64, arguments: &Prove) -> Result<Report, Failure> {
    let claims: Vec<Vec<Claim>> = match arguments.delete {
        true => archive.prove_delete_many(&keys, version)?,
        false => archive.prove_many(&keys, version)?.into_iter().map(|claim| vec![claim]).collect(),
    };
    let present = keys.iter().zip(&claims).filter(|(key, claims)| answers_present(key, claims)).count();
    let proofs = keys.into_iter().zip(claims).map(|(key, claims)| archive.key_proof(key, version, claims));
    let lines = proofs.map(|proof| proof_json::write_line(&proof)).collect::<Result<Vec<String>, _>>();
    written(&lines.map_err(unwritable)?, present, version, arguments)
}

/// The same, each with what ties it to the state root.
fn prove_all_rooted(archive: &Archive, keys: Vec<Key>, version: u64, arguments: &Prove) -> Result<Report, Failure> {
    let form = AnswerForm { together: false, root: Some(root_parts(archive, version)?) };
    let (mut lines, mut present) = (Vec::with_capacity(keys.len()), 0);
    for key in keys {
        let proof = archive.prove_answer_as(&Question::key(key.clone()), version, &form)?;
        present += usize::from(answers_present(&key, &proof.claims));
        lines.push(answer_json::write_line(&proof).map_err(unwritable)?);
    }
    written(&lines, present, version, arguments)
}

/// Proofs, one a line, where they were asked to be.
fn written(lines: &[String], present: usize, version: u64, arguments: &Prove) -> Result<Report, Failure> {
    let (text, count) = (lines.join("\n"), lines.len());
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

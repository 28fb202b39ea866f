//! `aardvark verify KEY PROOF.json --commitments FILE`

use std::path::PathBuf;

use aardvark_commitment::SchemeKind;
use aardvark_dictionary::Key;
use clap::Args;
use serde_json::json;

use crate::commitments_json::{self, CommitmentsText};
use crate::failure::Failure;
use crate::hex_text::encode;
use crate::key_text::{display, parse_key};
use crate::notation::notation;
use crate::proof_files::{not_commitments, read_commitments, read_proof};
use crate::report::{Report, Rows};
use crate::verification::{Answer, Strictness, verify};

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

/// Verifies a proof against commitments.
///
/// # Errors
/// A malformed key, file or proof, and a proof that does not hold.
pub fn run(arguments: &Verify) -> Result<Report, Failure> {
    let key = parse_key(&arguments.key, notation(arguments.text))?;
    let text = read_commitments(&arguments.commitments)?;
    let name = || arguments.commitments.display().to_string();
    let known = commitments_json::read(&text).map_err(|error| not_commitments(name(), &text, error))?;
    let proof = read_proof(&arguments.proof)?;

    let strictness = if arguments.strict { Strictness::Subgroup } else { Strictness::Format };
    let scheme = known.verifier()?;
    let answer = verify(&scheme, &known, &key, &proof, strictness)?;
    Ok(report(&key, &known, &answer))
}

fn report(key: &Key, known: &CommitmentsText<'_>, answer: &Answer) -> Report {
    let rows = Rows::new().row("proof", "holds").row("key", display(key));
    let rows = match &answer.value {
        Some(value) => rows.row("answer", "present").row("value", display(value)),
        None => rows.row("answer", "absent"),
    };
    let rows = if answer.shows_predecessor { rows.row("deletion", "the predecessor is shown too") } else { rows };
    let rows = rows.row("version", known.version.to_string());
    let rows = match known.scheme {
        SchemeKind::Kzg => rows,
        SchemeKind::LibertYung => rows.row("warning", "libert-yung stands on a setup whose secret is public: insecure"),
    };
    let json = json!({
        "result": "holds",
        "key": encode(key),
        "present": answer.value.is_some(),
        "value": answer.value.as_deref().map(encode),
        "shows_predecessor": answer.shows_predecessor,
        "version": known.version,
        "dictionary": encode(&known.dictionary.0),
    });
    Report::done(rows.to_text(), json)
}

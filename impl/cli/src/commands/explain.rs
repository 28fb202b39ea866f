//! `aardvark explain KEY-or-PROOF`
//!
//! A proof is explained only after it was verified, against commitments from a file, or, for a key,
//! from the archive that the proof is made from.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::commitments_json;
use crate::explanation::explain;
use crate::failure::Failure;
use crate::key_text::parse_key;
use crate::notation::notation;
use crate::proof_files::{not_commitments, read_commitments, read_proof};
use crate::proof_json::Proof;
use crate::report::Report;
use crate::store::{Patience, open_read_only};
use crate::verification::{self, Strictness};

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

/// Verifies a proof and shows what makes its conclusion valid.
///
/// # Errors
/// As `verify` for a proof; as `prove` for a key.
pub fn run(arguments: &Explain) -> Result<Report, Failure> {
    match (&arguments.dir, &arguments.commitments) {
        (Some(dir), _) => {
            let (proof, known) = proved(arguments, dir)?;
            explained(&proof, &known, "the commitments")
        }
        (None, Some(path)) => {
            let proof = read_proof(Path::new(&arguments.target))?;
            explained(&proof, &read_commitments(path)?, &path.display().to_string())
        }
        (None, None) => Err(Failure::Broken("neither --commitments nor --dir was given".to_owned())),
    }
}

/// A proof of the key from the archive, and the commitments of the same version as a file would
/// hold them.
fn proved(arguments: &Explain, dir: &Path) -> Result<(Proof, Vec<u8>), Failure> {
    let key = parse_key(&arguments.target, notation(arguments.text))?;
    let archive = open_read_only(dir, arguments.patience)?;
    let version = arguments.version.unwrap_or(archive.version());
    let claims = vec![archive.prove(&key, version)?];
    let known = commitments_json::write(&archive.published_commitments(version)?)
        .map_err(|error| Failure::Json("the commitments".to_owned(), error))?;
    Ok((archive.key_proof(key, version, claims), known.into_bytes()))
}

fn explained(proof: &Proof, known: &[u8], name: &str) -> Result<Report, Failure> {
    let known = commitments_json::read(known).map_err(|error| not_commitments(name.to_owned(), known, error))?;
    let scheme = known.verifier()?;
    verification::verify(&scheme, &known, &proof.key, proof, Strictness::Format)?;
    Ok(explain(proof, &known))
}

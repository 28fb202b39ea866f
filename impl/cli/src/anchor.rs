//! What a reader trusts: the commitments of a version, its state root, or a note that a publisher
//! has signed.

use std::path::{Path, PathBuf};

use aardvark_note::{LARGEST_NOTE, PublisherKey, RootStatement, SignedNote};
use clap::{ArgGroup, Args};
use serde_json::{Value, json};

use crate::commitments_json::{self, CommitmentsText};
use crate::failure::Failure;
use crate::hex_text::decode_array;
use crate::input::read_file;
use crate::json::JsonError;
use crate::proof_files::{not_commitments, read_commitments};
use crate::report::Rows;

/// What to verify against: one of three.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("anchor").required(true).args(["commitments", "root", "note"])))]
pub struct AnchorArguments {
    /// The commitments to verify against: the trusted side.
    #[arg(long, value_name = "FILE")]
    pub commitments: Option<PathBuf>,
    /// The state root to verify against, 0x and 64 digits: the trusted side. The proof must be one
    /// that `prove --root` makes.
    #[arg(long, value_name = "HASH")]
    pub root: Option<String>,
    /// A signed note with the state root to verify against.
    #[arg(long, value_name = "FILE", requires = "publishers")]
    pub note: Option<PathBuf>,
    /// Whose signature the note must have, as NAME+HASH+KEY: the trusted side. Given several times,
    /// all of them must have signed.
    #[arg(long = "publisher", id = "publishers", value_name = "KEY", requires = "note")]
    pub publishers: Vec<String>,
}

/// What is trusted, read from its files.
#[derive(Debug)]
pub enum Anchor {
    /// The file of commitments.
    Commitments(CommitmentsFile),
    /// A root.
    Root([u8; 32]),
    /// A note whose signatures are checked.
    Note(TrustedNote),
}

/// A file of commitments.
#[derive(Debug)]
pub struct CommitmentsFile {
    name: String,
    text: Vec<u8>,
}

impl CommitmentsFile {
    /// Reads the file.
    ///
    /// # Errors
    /// A file that cannot be read, or has no commitments.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let file = Self { name: path.display().to_string(), text: read_commitments(path)? };
        file.known()?;
        Ok(file)
    }

    /// What it says.
    ///
    /// # Errors
    /// A file that has no commitments.
    pub fn known(&self) -> Result<CommitmentsText<'_>, Failure> {
        let Self { name, text } = self;
        commitments_json::read(text).map_err(|error| not_commitments(name.clone(), text, error))
    }
}

/// A note that the publishers have signed.
#[derive(Debug)]
pub struct TrustedNote {
    /// What it says.
    pub statement: RootStatement,
    note: SignedNote,
    publishers: Vec<PublisherKey>,
}

impl AnchorArguments {
    /// Reads what is trusted, and checks the publishers' signatures on a note.
    ///
    /// # Errors
    /// Commitments or a note that cannot be read or are none; a root or key that is malformed; a
    /// note that lacks a signature.
    pub fn read(&self) -> Result<Anchor, Failure> {
        match (&self.commitments, &self.root, &self.note) {
            (Some(path), _, _) => Ok(Anchor::Commitments(CommitmentsFile::read(path)?)),
            (_, Some(root), _) => Ok(Anchor::Root(parse_root(root)?)),
            (_, _, Some(path)) => Ok(Anchor::Note(TrustedNote::of_typed(path, &self.publishers)?)),
            (None, None, None) => Err(Failure::Usage("nothing to verify against was given".to_owned())),
        }
    }
}

impl TrustedNote {
    /// A note that all of some publishers have signed, whose keys are as typed.
    ///
    /// # Errors
    /// A key that is none, and as [`TrustedNote::read`].
    pub fn of_typed(path: &Path, publishers: &[String]) -> Result<Self, Failure> {
        let publishers = publishers.iter().map(|key| key.parse()).collect::<Result<Vec<_>, _>>()?;
        Self::read(path, &publishers)
    }

    /// A note that all of some publishers have signed.
    ///
    /// # Errors
    /// A note that cannot be read, is none, or lacks a signature.
    pub fn read(path: &Path, publishers: &[PublisherKey]) -> Result<Self, Failure> {
        let note = read_note(path)?;
        let failed = |error| Failure::Note(path.display().to_string(), error);
        let statement = note.signed_by(publishers).map_err(failed)?.clone();
        Ok(Self { statement, note, publishers: publishers.to_vec() })
    }

    /// Who has signed, a line each.
    pub fn rows(&self, rows: Rows) -> Rows {
        let rows = rows.row("note of", self.statement.origin());
        self.signers().into_iter().fold(rows, |rows, (name, hash, is_verified)| {
            let verdict = if is_verified { "verified" } else { "not checked: its key was not given" };
            rows.row("signed by", format!("{name}+{hash}, {verdict}"))
        })
    }

    /// The same as JSON.
    pub fn json(&self) -> Value {
        let signer = |(name, key_hash, verified)| json!({ "name": name, "key_hash": key_hash, "verified": verified });
        json!({
            "origin": self.statement.origin(),
            "version": self.statement.version(),
            "signatures": self.signers().into_iter().map(signer).collect::<Vec<_>>(),
        })
    }

    /// Name and hash of each signature's key, and whether that is one of the publishers'.
    fn signers(&self) -> Vec<(String, String, bool)> {
        let known = |line: &_| self.publishers.iter().any(|publisher| publisher.is_named_by(line));
        let lines = self.note.signatures().iter();
        lines.map(|line| (line.name().to_owned(), line.key_hash(), known(line))).collect()
    }
}

/// The root that an option `--root` gives.
///
/// # Errors
/// Anything but 0x and 64 digits.
pub fn parse_root(text: &str) -> Result<[u8; 32], Failure> {
    let malformed = |error| Failure::Json("--root".to_owned(), JsonError::Hex("the root", error));
    decode_array(text).map_err(malformed)
}

/// Reads a note, of which nothing is verified.
///
/// # Errors
/// A file that cannot be read, or is no note.
pub fn read_note(path: &Path) -> Result<SignedNote, Failure> {
    let text = read_file(path, LARGEST_NOTE)?;
    SignedNote::read(&text).map_err(|error| Failure::Note(path.display().to_string(), error))
}

//! `aardvark root DIR`

use std::path::{Path, PathBuf};

use aardvark_note::{NoteError, PublisherKey, RootStatement, SignedNote};
use clap::Args;
use serde_json::{Value, json};

use crate::anchor::read_note;
use crate::answer_report::merge;
use crate::answers::root_parts;
use crate::commands::client::failure::ClientFailure;
use crate::failure::Failure;
use crate::hex_text::encode;
use crate::key_password;
use crate::key_text::display;
use crate::output_file::{asked, write_file};
use crate::print::{Lines, escaped};
use crate::report::{Report, Rows, Text};
use crate::store::{Patience, open_read_only};

/// `aardvark root`
#[derive(Debug, Args)]
pub struct Root {
    /// Folder of the dictionary.
    pub dir: PathBuf,
    /// At this version instead of the latest. For one before the window that can be read, all
    /// blocks are replayed.
    #[arg(long, value_name = "V")]
    pub version: Option<u64>,
    /// Print a signed note (C2SP) instead, signed with this key: ours, or PKCS#8 in PEM.
    #[arg(long, value_name = "KEYFILE")]
    pub sign: Option<PathBuf>,
    /// What the key is called in the note; by default as the dictionary is.
    #[arg(long, value_name = "NAME", requires = "sign")]
    pub signer: Option<String>,
    /// Add the signature to this note, whose version and root must be those of the dictionary; its
    /// other signatures stay.
    #[arg(long, value_name = "FILE", requires = "sign")]
    pub note: Option<PathBuf>,
    /// Write the root or the note to this file; - is standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// How long to wait where it is busy.
    #[command(flatten)]
    pub patience: Patience,
}

/// A note, and the key that signed it here.
struct Signed {
    note: SignedNote,
    publisher: PublisherKey,
}

/// Prints the state root of a version, or a note that says and signs it.
///
/// # Errors
/// A version or store that cannot be read; a key or note that cannot be used; a file that cannot be
/// written.
pub fn run(arguments: &Root, as_json: bool) -> Result<Report, Failure> {
    let key = arguments.sign.as_deref().map(key_password::load).transpose().map_err(ClientFailure::from)?;
    let existing = arguments.note.as_deref().map(|path| read_note(path).map(|note| (path, note))).transpose()?;
    let archive = open_read_only(&arguments.dir, arguments.patience)?;
    let noted = existing.as_ref().map(|(_, note)| note.unverified_statement().version());
    let version = arguments.version.or(noted).unwrap_or(archive.version());
    let root = root_parts(&archive, version)?.root();
    let name = archive.identity().name();
    let signed = match key {
        None => None,
        Some(key) => {
            let statement = RootStatement::new(name, version, root)?;
            let mut note = match existing {
                Some((path, note)) => same(path, note, &statement)?,
                None => SignedNote::unsigned(statement),
            };
            let signer = arguments.signer.as_deref().unwrap_or(name);
            let publisher = note.sign(signer, key.signing_key()).map_err(|error| match error {
                NoteError::KeyName(_) if arguments.signer.is_none() => {
                    Failure::Usage(format!("{error}; --signer gives the key another name"))
                }
                error => error.into(),
            })?;
            Some(Signed { note, publisher })
        }
    };
    let mut json = json!({ "version": version, "root": encode(&root) });
    let text = match &signed {
        Some(signed) => {
            merge(&mut json, signed.json());
            signed.note.to_text().trim_end_matches('\n').to_owned()
        }
        None => encode(&root),
    };
    match asked(arguments.output.as_ref()) {
        Some(path) => {
            write_file(path, &text)?;
            Ok(summary(version, &encode(&root), signed.as_ref(), path, json))
        }
        None if as_json => Ok(Report::done(Lines::default(), json)),
        None if text.lines().any(|line| escaped(line) != line) => {
            Err(Failure::Usage("a name in the note cannot be shown; -o FILE writes the note".to_owned()))
        }
        None => Ok(Report { text: Text::Script(text), ..Report::done(Lines::default(), json) }),
    }
}

/// A note that says what this dictionary says.
fn same(path: &Path, note: SignedNote, own: &RootStatement) -> Result<SignedNote, Failure> {
    let theirs = note.unverified_statement();
    let differs = |what, theirs: String, own: String| {
        let text = format!("the note is for {what} {theirs}, and here it is {own}; it is not signed");
        Err(Failure::AnotherFile(path.display().to_string(), text))
    };
    if theirs.origin() != own.origin() {
        return differs("the dictionary", display(theirs.origin().as_bytes()), display(own.origin().as_bytes()));
    }
    if theirs.version() != own.version() {
        return differs("version", theirs.version().to_string(), own.version().to_string());
    }
    if theirs.root() != own.root() {
        return differs("the root", encode(theirs.root()), encode(own.root()));
    }
    Ok(note)
}

impl Signed {
    fn json(&self) -> Value {
        let signature = |name: &str, hash: String| json!({ "name": name, "key_hash": hash });
        let signatures = self.note.signatures().iter().map(|line| signature(line.name(), line.key_hash()));
        json!({
            "origin": self.note.unverified_statement().origin(),
            "note": self.note.to_text(),
            "publisher": self.publisher.to_string(),
            "signatures": signatures.collect::<Vec<_>>(),
        })
    }
}

fn summary(version: u64, root: &str, signed: Option<&Signed>, path: &Path, mut json: Value) -> Report {
    let file = path.display().to_string();
    let rows = Rows::new().row("version", version.to_string()).row("root", root);
    let rows = match signed {
        None => rows.row("file", &file),
        Some(Signed { note, publisher }) => {
            let signers = note.signatures().iter();
            let rows =
                signers.fold(rows, |rows, line| rows.row("signed by", format!("{}+{}", line.name(), line.key_hash())));
            rows.row("publisher", publisher.to_string()).row("note", &file)
        }
    };
    merge(&mut json, json!({ "file": file }));
    Report::done(rows.to_text(), json)
}

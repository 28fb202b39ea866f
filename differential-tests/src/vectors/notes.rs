//! Signed notes with what comes of them: what every reader of notes, in whatever language, is
//! tested on.
//!
//! Notes are put together line by line, and signed by a library of Ed25519: the file knows nothing
//! of any reader. What comes of each is stated by hand.

mod honest;
mod lies;
mod maker;

use aardvark_note::{NoteError, PublisherKey, SignedNote};
use aardvark_proof::Class;

use super::file::File;
use super::hex_text::Hex;
pub use super::note_case::{NoteCase, NoteExpected, RefusedNoteJson, SignedJson};
use super::proof_case::ClassJson;
use maker::Maker;

/// The file.
pub fn notes() -> File<NoteCase> {
    let mut maker = Maker::default();
    honest::put(&mut maker);
    lies::put(&mut maker);
    let borrowed = maker.tests.iter().map(|(comment, flags, case)| (comment.as_str(), flags.as_slice(), case.clone()));
    let about = "State roots in signed notes, honest ones and lies, and what comes of each under the keys of a reader.";
    File::new("notes", about, borrowed.collect())
}

/// What the implementation says of a note.
pub fn by_implementation(case: &NoteCase) -> NoteExpected {
    let note = case.note.as_ref().map_or_else(|| case.bytes.clone().unwrap_or_default().0, |note| note.clone().into());
    opened(&note, &case.keys).unwrap_or_else(|error| {
        let (reason, class) = match error.class() {
            Class::False => ("SignatureFalse", ClassJson::False),
            Class::Other => ("NotSigned", ClassJson::Other),
            Class::Malformed => ("Unreadable", ClassJson::Malformed),
        };
        NoteExpected::Refused(RefusedNoteJson { reason: reason.to_owned(), class })
    })
}

fn opened(note: &[u8], keys: &[String]) -> Result<NoteExpected, NoteError> {
    let keys: Vec<PublisherKey> = keys.iter().map(|key| key.parse()).collect::<Result<_, _>>()?;
    let note = SignedNote::read(note)?;
    let statement = note.signed_by(&keys)?;
    let strangers = note.signatures().iter().filter(|line| !keys.iter().any(|key| key.is_named_by(line)));
    let mut others: Vec<String> = strangers.map(|line| line.name().to_owned()).collect();
    others.sort();
    others.dedup();
    Ok(NoteExpected::Signed(SignedJson {
        origin: statement.origin().to_owned(),
        version: statement.version(),
        root: Hex(statement.root().to_vec()),
        others,
    }))
}

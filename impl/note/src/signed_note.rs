//! A statement with the signatures on it.

use ed25519_dalek::{Signer as _, SigningKey};

use crate::note_error::{LARGEST_NOTE, MOST_SIGNATURES, NoteError};
use crate::note_signature::NoteSignature;
use crate::publisher_key::PublisherKey;
use crate::root_statement::RootStatement;

/// A statement with signatures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedNote {
    statement: RootStatement,
    signatures: Vec<NoteSignature>,
}

impl SignedNote {
    /// A statement that nobody has signed yet.
    pub fn unsigned(statement: RootStatement) -> Self {
        Self { statement, signatures: Vec::new() }
    }

    /// Reads a note. Nothing of it is verified.
    ///
    /// # Errors
    /// [`NoteError::TooLong`], [`NoteError::Malformed`].
    pub fn read(bytes: &[u8]) -> Result<Self, NoteError> {
        if bytes.len() as u64 > LARGEST_NOTE {
            return Err(NoteError::TooLong);
        }
        let malformed = |line, what| NoteError::Malformed { line, what };
        let note = std::str::from_utf8(bytes).map_err(|_| malformed(1, "a note is UTF-8"))?;
        let is_plain = |line: &str| !line.chars().any(|character| character < ' ');
        if let Some(line) = note.split('\n').position(|line| !is_plain(line)) {
            return Err(malformed(line.saturating_add(1), "a control character"));
        }
        let (text, lines) = note.rsplit_once("\n\n").ok_or(malformed(1, "no empty line before signatures"))?;
        let text = format!("{text}\n");
        let above = text.lines().count().saturating_add(1);
        let count = lines.lines().count();
        let lines = lines.strip_suffix('\n').ok_or(malformed(above.saturating_add(count), "it does not end a line"))?;
        if count > MOST_SIGNATURES {
            return Err(NoteError::TooLong);
        }
        let statement = RootStatement::read(&text)?;
        let read = |(line, text)| NoteSignature::read(text).map_err(|what| malformed(line, what));
        let signatures = (above.saturating_add(1)..).zip(lines.split('\n')).map(read).collect::<Result<_, _>>()?;
        Ok(Self { statement, signatures })
    }

    /// The note, with a line break at the end.
    pub fn to_text(&self) -> String {
        let lines: String = self.signatures.iter().map(NoteSignature::line).collect();
        format!("{}\n{lines}", self.statement.text())
    }

    /// What it says, which anybody may have written: [`SignedNote::signed_by`] says whether it is
    /// signed.
    pub fn unverified_statement(&self) -> &RootStatement {
        &self.statement
    }

    /// The signatures, of which nothing is verified.
    pub fn signatures(&self) -> &[NoteSignature] {
        &self.signatures
    }

    /// Adds a signature, in the place of one with the same key; the others stay.
    ///
    /// # Errors
    /// [`NoteError::KeyName`], and [`NoteError::TooLong`] where nobody would read the note.
    pub fn sign(&mut self, name: &str, key: &SigningKey) -> Result<PublisherKey, NoteError> {
        let publisher = PublisherKey::new(name, key.verifying_key())?;
        let signature = key.sign(self.statement.text().as_bytes()).to_bytes().to_vec();
        let mut signed = self.clone();
        signed.signatures.retain(|line| !publisher.is_named_by(line));
        signed.signatures.push(NoteSignature { name: name.to_owned(), hash: publisher.hash(), signature });
        if signed.signatures.len() > MOST_SIGNATURES || signed.to_text().len() as u64 > LARGEST_NOTE {
            return Err(NoteError::TooLong);
        }
        *self = signed;
        Ok(publisher)
    }

    /// Whether a key signed a line of the note. The first line that names the key counts.
    ///
    /// # Errors
    /// [`NoteError::NotSigned`], [`NoteError::SignatureFalse`].
    pub fn check(&self, key: &PublisherKey) -> Result<(), NoteError> {
        let line = self.signatures.iter().find(|line| key.is_named_by(line));
        let line = line.ok_or_else(|| NoteError::NotSigned(key.to_string()))?;
        match key.verifies(&self.statement.text(), line) {
            true => Ok(()),
            false => Err(NoteError::SignatureFalse(key.to_string())),
        }
    }

    /// What the note says, if every one of these keys has signed it. Without a key nobody has.
    ///
    /// # Errors
    /// As [`SignedNote::check`], of the first key that fails; [`NoteError::PublisherKey`] where
    /// there is no key.
    pub fn signed_by(&self, keys: &[PublisherKey]) -> Result<&RootStatement, NoteError> {
        if keys.is_empty() {
            return Err(NoteError::PublisherKey("none was given"));
        }
        keys.iter().try_for_each(|key| self.check(key))?;
        Ok(&self.statement)
    }
}

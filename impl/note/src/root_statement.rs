//! What a note says, and the text that is signed.

use aardvark_dictionary::root::Digest;
use base64ct::{Base64, Encoding as _};

use crate::note_error::NoteError;

/// What a note says: the root of a version of a dictionary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootStatement {
    origin: String,
    version: u64,
    root: Digest,
}

impl RootStatement {
    /// The root of a version of the dictionary with a name.
    ///
    /// # Errors
    /// [`NoteError::Origin`].
    pub fn new(origin: impl Into<String>, version: u64, root: Digest) -> Result<Self, NoteError> {
        let origin = origin.into();
        if origin.chars().all(char::is_whitespace) || origin.chars().any(char::is_control) {
            return Err(NoteError::Origin(origin));
        }
        Ok(Self { origin, version, root })
    }

    /// The dictionary's name.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// The version.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// The state root.
    pub fn root(&self) -> &Digest {
        &self.root
    }

    /// The text that is signed.
    pub(crate) fn text(&self) -> String {
        format!("{}\n{}\n{}\n", self.origin, self.version, Base64::encode_string(&self.root))
    }

    /// The statement that has this text.
    pub(crate) fn read(text: &str) -> Result<Self, NoteError> {
        let malformed = |line, what| NoteError::Malformed { line, what };
        let lines: Vec<&str> = text.lines().collect();
        let &[origin, number, root] = lines.as_slice() else {
            return Err(malformed(lines.len().min(4), "the text has three lines: origin, version, root"));
        };
        let version = number.parse().map_err(|_| malformed(2, "a version is a number of 64 bits"))?;
        let mut digest = Digest::default();
        let decoded = Base64::decode(root, &mut digest).map(<[u8]>::len);
        if decoded != Ok(digest.len()) {
            return Err(malformed(3, "a root is 32 bytes in base64"));
        }
        let statement = Self::new(origin, version, digest).map_err(|_| malformed(1, "no origin"))?;
        // One statement has one text: no sign, no leading zero, no other white space.
        if statement.text() != text {
            return Err(malformed(2, "a version has neither a sign nor leading zeros"));
        }
        Ok(statement)
    }
}

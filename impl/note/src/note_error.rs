//! Why a note is none, or is not signed as it has to be.

use aardvark_proof::Class;

/// Most bytes of a note that is read.
pub const LARGEST_NOTE: u64 = 1 << 16;
/// Most signatures of a note that is read.
pub const MOST_SIGNATURES: usize = 100;

/// Why a note is none, or is not signed as it has to be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoteError {
    /// More bytes than [`LARGEST_NOTE`], or more signatures than [`MOST_SIGNATURES`].
    #[error("a note has at most {LARGEST_NOTE} bytes and {MOST_SIGNATURES} signatures")]
    TooLong,
    /// Not a note of this form.
    #[error("line {line}: {what}")]
    Malformed {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        what: &'static str,
    },
    /// A dictionary's name that cannot stand on a line of its own.
    #[error("{0:?} cannot be the origin of a note: it has a control character, or nothing but spaces")]
    Origin(String),
    /// A name that no key can have.
    #[error("{0:?} cannot be the name of a key: it must not be empty, and has neither a space nor a +")]
    KeyName(String),
    /// Text that is no publisher's key.
    #[error("a publisher's key is NAME+HASH+KEY: {0}")]
    PublisherKey(&'static str),
    /// Nobody has signed with the key.
    #[error("the note is not signed by {0}")]
    NotSigned(String),
    /// The key's signature is of something else.
    #[error("the signature of {0} is false")]
    SignatureFalse(String),
}

impl NoteError {
    /// Whether the note is malformed, by others, or falsely signed.
    pub fn class(&self) -> Class {
        match self {
            Self::SignatureFalse(_) => Class::False,
            Self::NotSigned(_) => Class::Other,
            _ => Class::Malformed,
        }
    }

    /// The error's name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::TooLong => "NoteTooLong",
            Self::Malformed { .. } => "NoteMalformed",
            Self::Origin(_) => "NoteOrigin",
            Self::KeyName(_) => "KeyName",
            Self::PublisherKey(_) => "PublisherKey",
            Self::NotSigned(_) => "NotSigned",
            Self::SignatureFalse(_) => "SignatureFalse",
        }
    }
}

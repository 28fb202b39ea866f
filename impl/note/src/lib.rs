//! A version's state root in a signed note (C2SP `signed-note`): what a publisher signs, and what a
//! reader takes for the root who knows the publisher's key.
//!
//! ```text
//! packages
//! 7
//! q0cs0JBFTCSHbjzgsDTNOTLCfnyGxsvEPFTCeSsNSMY=
//!
//! — packages 8yQ3Rw4zcGpW…
//! — witness.example 1IWkDQn0…
//! ```
//!
//! The text has three lines: the origin, which is the dictionary's name; the version; the root's 32
//! bytes in base64. Behind an empty line each signature has a line: the name of its key, and in
//! base64 four bytes that tell keys of one name apart, then the Ed25519 signature of the text. Any
//! number of others may sign the same text; lines by keys that a reader does not know are left
//! alone, whatever kind they are.
//!
//! Keys and notes are those of `golang.org/x/mod/sumdb/note`, and what that program refuses is
//! refused here. Beyond it base64 has one form only, and the text is one of the above.
//!
//! ```
//! use aardvark_note::{NoteError, RootStatement, SignedNote};
//! use ed25519_dalek::SigningKey;
//!
//! // Who publishes signs; the key's text goes to readers by some way that they trust.
//! let mut note = SignedNote::unsigned(RootStatement::new("packages", 7, [1; 32])?);
//! let publisher = note.sign("packages", &SigningKey::from_bytes(&[2; 32]))?;
//!
//! // Who reads knows the key, and takes the note from anybody.
//! let received = SignedNote::read(note.to_text().as_bytes())?;
//! let statement = received.signed_by(&[publisher.to_string().parse()?])?;
//! assert_eq!((statement.version(), statement.root()), (7, &[1; 32]));
//!
//! // Another version was not signed.
//! let forged = note.to_text().replacen("\n7\n", "\n8\n", 1);
//! let forged = SignedNote::read(forged.as_bytes())?;
//! assert!(matches!(forged.signed_by(&[publisher]), Err(NoteError::SignatureFalse(_))));
//! # Ok::<(), NoteError>(())
//! ```

#![forbid(unsafe_code)]
#![warn(clippy::indexing_slicing)]

mod note_error;
mod note_signature;
mod publisher_key;
mod root_statement;
mod signed_note;

pub use note_error::{LARGEST_NOTE, MOST_SIGNATURES, NoteError};
pub use note_signature::NoteSignature;
pub use publisher_key::PublisherKey;
pub use root_statement::RootStatement;
pub use signed_note::SignedNote;

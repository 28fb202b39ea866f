//! Reads the files of proofs and commitments; where one stands in the other's place, the error says
//! so.

use std::path::Path;

use aardvark_proof::AnswerProof;

use crate::answer_json::{self, LARGEST_ANSWER};
use crate::commitments_json::{self, LARGEST_COMMITMENTS};
use crate::failure::Failure;
use crate::input::{InputError, read_file};
use crate::json::{ANSWER_FORMAT, JsonError};
use crate::proof_json::{self, LARGEST_PROOF, Proof};

/// Reads a proof's file. Commitments in its place are named.
///
/// # Errors
/// A file that cannot be read, or is no proof.
pub fn read_proof(path: &Path) -> Result<Proof, Failure> {
    let text = read_at_most(path, LARGEST_PROOF)?;
    proof_json::read(&text).map_err(|error| not_a_proof(path.display().to_string(), &text, error))
}

/// A proof for one key.
#[derive(Debug)]
pub enum KeyProof {
    /// Of format 1.
    One(Box<Proof>),
    /// Of format 2.
    Answer(Box<AnswerProof>),
}

/// Reads a proof for one key, of either format.
///
/// # Errors
/// A file that cannot be read, or is no proof.
pub fn read_key_proof(path: &Path) -> Result<KeyProof, Failure> {
    let name = path.display().to_string();
    let text = read_at_most(path, LARGEST_PROOF)?;
    match proof_json::read(&text) {
        Ok(proof) => Ok(KeyProof::One(Box::new(proof))),
        Err(JsonError::UnknownFormat { found: ANSWER_FORMAT, .. }) => {
            let answer = answer_json::read(&text).map_err(|error| Failure::Json(format!("{name}: format 2"), error));
            answer.map(|answer| KeyProof::Answer(Box::new(answer)))
        }
        Err(error) => Err(not_a_proof(name, &text, error)),
    }
}

/// Reads a proof of an answer, format 2.
///
/// # Errors
/// A file that cannot be read, or is no such proof.
pub fn read_answer(path: &Path) -> Result<AnswerProof, Failure> {
    let text = read_at_most(path, LARGEST_ANSWER)?;
    answer_json::read(&text).map_err(|error| {
        let name = path.display().to_string();
        match proof_json::read(&text) {
            Ok(_) => Failure::AnotherFile(name, "this is a proof for one key; say which to verify it".to_owned()),
            Err(_) => not_a_proof(name, &text, error),
        }
    })
}

/// Reads a file of commitments, as its bytes.
///
/// # Errors
/// A file that cannot be read.
pub fn read_commitments(path: &Path) -> Result<Vec<u8>, Failure> {
    match read_file(path, LARGEST_COMMITMENTS) {
        Err(InputError::FileTooLong { name, limit }) => {
            Err(Failure::AnotherFile(name, format!("larger than {limit} bytes, the most that commitments have")))
        }
        read => Ok(read?),
    }
}

/// The error of a file that is no commitments. A proof in their place is named.
pub fn not_commitments(name: String, text: &[u8], error: JsonError) -> Failure {
    if proof_json::read(text).is_ok() || answer_json::read(text).is_ok() {
        let reason = "this is a proof, where the commitments are needed; are the two swapped?";
        return Failure::AnotherFile(name, reason.to_owned());
    }
    Failure::Json(name, error)
}

/// The bytes of a file that should be a proof.
fn read_at_most(path: &Path, limit: u64) -> Result<Vec<u8>, Failure> {
    let name = path.display().to_string();
    match read_file(path, limit) {
        Err(InputError::FileTooLong { .. }) if begins_as_commitments(path) => Err(swapped_proof(name)),
        Err(InputError::FileTooLong { limit, .. }) => {
            Err(Failure::AnotherFile(name, format!("larger than {limit} bytes, the most that a proof has")))
        }
        read => Ok(read?),
    }
}

fn not_a_proof(name: String, text: &[u8], error: JsonError) -> Failure {
    match commitments_json::read(text) {
        Ok(_) => swapped_proof(name),
        Err(_) => Failure::Json(name, error),
    }
}

fn swapped_proof(name: String) -> Failure {
    Failure::AnotherFile(name, "these are commitments, where a proof is needed; are the two swapped?".into())
}

/// Whether a file that is too long for a proof has the name of a field that only commitments have,
/// where they have it.
fn begins_as_commitments(path: &Path) -> bool {
    use std::io::Read as _;
    let mut start = Vec::new();
    let read = std::fs::File::open(path).and_then(|file| file.take(LARGEST_PROOF).read_to_end(&mut start));
    let field = b"\"commitments\"";
    read.is_ok() && start.windows(field.len()).any(|bytes| bytes == field)
}

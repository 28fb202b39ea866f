//! Reads the files of proofs and commitments; where one stands in the other's place, the error says
//! so.

use std::path::Path;

use crate::commitments_json::{self, LARGEST_COMMITMENTS};
use crate::failure::Failure;
use crate::input::{InputError, read_file};
use crate::json::JsonError;
use crate::proof_json::{self, LARGEST_PROOF, Proof};

/// Reads a proof's file. Commitments in its place are named.
///
/// # Errors
/// A file that cannot be read, or is no proof.
pub fn read_proof(path: &Path) -> Result<Proof, Failure> {
    let name = path.display().to_string();
    match read_file(path, LARGEST_PROOF) {
        Ok(text) => proof_json::read(&text).map_err(|error| not_a_proof(name, &text, error)),
        Err(InputError::FileTooLong { .. }) if begins_as_commitments(path) => Err(swapped_proof(name)),
        Err(InputError::FileTooLong { limit, .. }) => {
            Err(Failure::AnotherFile(name, format!("larger than {limit} bytes, the most that a proof has")))
        }
        Err(error) => Err(error.into()),
    }
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
    match proof_json::read(text) {
        Ok(_) => {
            Failure::AnotherFile(name, "this is a proof, where the commitments are needed; are the two swapped?".into())
        }
        Err(_) => Failure::Json(name, error),
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

//! Parts of a mixnet's posts with what comes of them: proofs, inputs, keys, values, queries; honest
//! ones, and forgeries each of which an implementation with one certain bug would take.
//!
//! The generators are the published ones. A forgery that is there for an algebraic bug was made
//! against a verifier with that bug, and whoever makes the file checks that such a verifier takes
//! it.

mod bytes;
mod forged;
mod honest;
mod judge;
mod maker;

use super::file::File;
pub use super::mixnet_case::{MixnetCase, MixnetExpected, MixnetPart};
pub use judge::by_implementation;
use maker::Maker;

/// The file.
pub fn mixnet() -> File<MixnetCase> {
    let mut maker = Maker::new();
    honest::put(&mut maker);
    forged::put(&mut maker);
    bytes::put(&mut maker);
    let borrowed = maker.tests.iter().map(|(comment, flags, case)| (comment.as_str(), flags.as_slice(), case.clone()));
    let about = "Proofs, inputs, keys, values and queries as a mixnet's posts have them, honest ones and forgeries, \
                 and what comes of each.";
    File::new("mixnet", about, borrowed.collect())
}

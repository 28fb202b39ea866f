//! Proofs of answers with their verdicts, on the Ethereum ceremony, where other KZG libraries can
//! judge each opening: what every verifier in another language is tested on.
//!
//! What comes of a true proof is what an ordinary map answers; what comes of a lie is stated here,
//! by hand. So the file knows nothing of any verifier.

mod book;
mod folds;
mod forms;
mod honest;
mod identities;
mod lies;
mod maker;
pub mod replay;
pub mod tables;
mod ties;

use std::sync::OnceLock;

use super::file::File;
pub use super::proof_case::{
    AnswerJson, ClassJson, CommitmentsJson, EntryJson, Expected, KeyAnswerJson, ProofCase, QuestionJson,
    RangeAnswerJson, RangeJson, RefusedJson, RootJson, Trusted, TrustedByName,
};
use book::Library;
use maker::Maker;

/// The file. It is made once.
pub fn proofs() -> &'static File<ProofCase> {
    static MADE: OnceLock<File<ProofCase>> = OnceLock::new();
    MADE.get_or_init(|| {
        let library = Library::new();
        let mut maker = Maker::new(&library);
        honest::put(&mut maker);
        lies::put(&mut maker);
        ties::put(&mut maker);
        identities::put(&mut maker);
        folds::put(&mut maker);
        forms::put(&mut maker);
        let (tests, trusted) = maker.finish();
        let borrowed = tests.iter().map(|(comment, flags, case)| (comment.as_str(), flags.as_slice(), case.clone()));
        let about = "Proofs of answers on the Ethereum ceremony, true ones and lies, and what comes of each.";
        File { trusted, ..File::new("proofs", about, borrowed.collect()) }
    })
}

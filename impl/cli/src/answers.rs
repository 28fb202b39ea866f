//! Proofs of answers, format 2: made from an archive, and verified under what is trusted, with the
//! reasons of [`aardvark_proof`] in words for people.

use std::path::Path;

use aardvark_archive::{AnswerForm, Archive};
use aardvark_dictionary::root::RootParts;
use aardvark_proof::scan::answer_of_slots;
use aardvark_proof::{Answer, AnswerProof, DictionaryIdentity, Question, Reason, Strictness, Trusted, verify_with};

use crate::anchor::Anchor;
use crate::answer_json;
use crate::answer_refusal::AnswerRefusal;
use crate::answer_report;
use crate::commitments_json::CommitmentsText;
use crate::failure::Failure;
use crate::hex_text::encode;
use crate::key_text::display;
use crate::output_file::write_file;
use crate::progress::Bar;
use crate::report::Report;

/// What the state root of a version is over, with a bar for the blocks that are replayed where the
/// store has no more of the version.
///
/// # Errors
/// A version or store that cannot be read.
pub fn root_parts(archive: &Archive, version: u64) -> Result<RootParts, Failure> {
    let bar = Bar::new("root");
    Ok(archive.root_parts(version, &mut |progress| bar.show(progress))?)
}

/// Proves the answer to a question and prints the proof, or writes it to a file.
///
/// # Errors
/// A question that nobody can ask, a version or store that cannot be read, a file that cannot be
/// written.
pub fn prove_answer(
    archive: &Archive,
    question: &Question,
    version: u64,
    together: bool,
    rooted: bool,
    output: Option<&Path>,
) -> Result<Report, Failure> {
    let root = rooted.then(|| root_parts(archive, version)).transpose()?;
    let proof = archive.prove_answer_as(question, version, &AnswerForm { together, root })?;
    let text = answer_json::write(&proof).map_err(|error| Failure::Json("the proof".to_owned(), error))?;
    let Some(path) = output else {
        return Ok(Report::document(text));
    };
    write_file(path, &text)?;
    let answer = answer_of_slots(question, proof.claims.iter().map(|claim| &claim.slot))
        .map_err(|_| Failure::broken("the archive's proof does not answer"))?;
    Ok(answer_report::proved(question, &answer, &proof, &path.display().to_string()))
}

/// The answer of a proof to a question, under what is trusted.
///
/// # Errors
/// Commitments that cannot be read; [`AnswerRefusal`] where the proof does not hold.
pub fn verify_answer(
    anchor: &Anchor,
    question: &Question,
    proof: &AnswerProof,
    strictness: Strictness,
) -> Result<Answer, Failure> {
    match anchor {
        Anchor::Commitments(file) => under_commitments(&file.known()?, question, proof, strictness),
        Anchor::Root(root) => Ok(under_root(*root, question, proof, strictness)?),
        Anchor::Note(note) => {
            about_the_note(note.statement.version(), note.statement.origin(), proof)?;
            Ok(under_root(*note.statement.root(), question, proof, strictness)?)
        }
    }
}

fn under_commitments(
    known: &CommitmentsText<'_>,
    question: &Question,
    proof: &AnswerProof,
    strictness: Strictness,
) -> Result<Answer, Failure> {
    let scheme = known.verifier()?;
    let trusted = known.trusted(&scheme).map_err(AnswerRefusal::from)?;
    let answer = verify_with(&trusted, question, proof, strictness).map_err(|refusal| {
        let another = |what, found: String, trusted: String| AnswerRefusal::AboutAnother {
            reason: refusal.reason,
            what,
            found,
            trusted_from: "the commitments are",
            trusted,
        };
        match refusal.reason {
            Reason::OtherDictionary => another("dictionary", encode(&proof.dictionary.0), encode(&known.dictionary.0)),
            Reason::OtherScheme => another("scheme", proof.scheme.to_string(), known.scheme.to_string()),
            Reason::OtherVectorSize => {
                another("vector size", proof.vector_size.to_string(), known.vector_size.to_string())
            }
            Reason::OtherVersion => another("version", proof.version.to_string(), known.version.to_string()),
            _ => AnswerRefusal::Refused(refusal),
        }
    });
    Ok(answer?)
}

fn under_root(
    root: [u8; 32],
    question: &Question,
    proof: &AnswerProof,
    strictness: Strictness,
) -> Result<Answer, AnswerRefusal> {
    if proof.identity().is_none() {
        return Err(AnswerRefusal::NoRoot);
    }
    let scheme = proof.verifier().map_err(AnswerRefusal::Refused)?;
    verify_with(&Trusted::root_alone(root, &scheme), question, proof, strictness).map_err(AnswerRefusal::Refused)
}

/// Whether a proof is about the version and the dictionary that a note names.
fn about_the_note(version: u64, origin: &str, proof: &AnswerProof) -> Result<(), AnswerRefusal> {
    let another = |reason, what, found, trusted| {
        Err(AnswerRefusal::AboutAnother { reason, what, found, trusted_from: "the note is", trusted })
    };
    if proof.version != version {
        return another(Reason::OtherVersion, "version", proof.version.to_string(), version.to_string());
    }
    match proof.identity() {
        Some(DictionaryIdentity { name, .. }) if *name != *origin.as_bytes() => {
            another(Reason::OtherDictionary, "dictionary", display(name), display(origin.as_bytes()))
        }
        _ => Ok(()),
    }
}

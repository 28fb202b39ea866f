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

/// What a proof says of itself, to be verified with what is trusted.
pub struct Stated<'a> {
    /// The version that it is about.
    pub version: u64,
    /// What it says that its dictionary's id is over.
    pub identity: Option<&'a DictionaryIdentity>,
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
    let stated = Stated { version: proof.version, identity: proof.identity() };
    under_anchor(anchor, &stated, |trusted| {
        let answer = verify_with(trusted, question, proof, strictness);
        Ok(answer.map_err(|refusal| in_words(refusal, trusted, proof))?)
    })
}

/// Verifies something that says this of itself, under what is trusted.
///
/// # Errors
/// Commitments that cannot be read; [`AnswerRefusal`] where it is about something else, or does not
/// bring what a root needs; and what verifying ends with.
pub fn under_anchor<T>(
    anchor: &Anchor,
    stated: &Stated<'_>,
    verify: impl FnOnce(&Trusted<'_>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    match anchor {
        Anchor::Commitments(file) => {
            let known = file.known()?;
            let scheme = known.verifier()?;
            verify(&known.trusted(&scheme).map_err(AnswerRefusal::from)?)
        }
        Anchor::Root(root) => under_root(*root, stated, verify),
        Anchor::Note(note) => {
            about_the_note(note.statement.version(), note.statement.origin(), stated)?;
            under_root(*note.statement.root(), stated, verify)
        }
    }
}

fn under_root<T>(
    root: [u8; 32],
    stated: &Stated<'_>,
    verify: impl FnOnce(&Trusted<'_>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let identity = stated.identity.ok_or(AnswerRefusal::NoRoot)?;
    let scheme = identity.verifier().map_err(AnswerRefusal::Refused)?;
    verify(&Trusted::root_alone(root, &scheme))
}

/// A refusal under commitments with what they are of; any other as it is.
fn in_words(refusal: aardvark_proof::Refusal, trusted: &Trusted<'_>, proof: &AnswerProof) -> AnswerRefusal {
    let Trusted::Commitments(known) = trusted else { return AnswerRefusal::Refused(refusal) };
    let another = |what, found: String, trusted: String| AnswerRefusal::AboutAnother {
        reason: refusal.reason,
        what,
        found,
        trusted_from: "the commitments are",
        trusted,
    };
    match refusal.reason {
        Reason::OtherDictionary => another("dictionary", encode(&proof.dictionary.0), encode(&known.dictionary.0)),
        Reason::OtherScheme => another("scheme", proof.scheme.to_string(), known.scheme.kind().to_string()),
        Reason::OtherVectorSize => {
            another("vector size", proof.vector_size.to_string(), trusted.vector_size().to_string())
        }
        Reason::OtherVersion => another("version", proof.version.to_string(), known.version.to_string()),
        _ => AnswerRefusal::Refused(refusal),
    }
}

/// Whether a proof is about the version and the dictionary that a note names.
fn about_the_note(version: u64, origin: &str, stated: &Stated<'_>) -> Result<(), AnswerRefusal> {
    let another = |reason, what, found, trusted| {
        Err(AnswerRefusal::AboutAnother { reason, what, found, trusted_from: "the note is", trusted })
    };
    if stated.version != version {
        return another(Reason::OtherVersion, "version", stated.version.to_string(), version.to_string());
    }
    match stated.identity {
        Some(DictionaryIdentity { name, .. }) if *name != *origin.as_bytes() => {
            another(Reason::OtherDictionary, "dictionary", display(name), display(origin.as_bytes()))
        }
        _ => Ok(()),
    }
}

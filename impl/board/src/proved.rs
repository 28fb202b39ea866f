//! All posts of a board at one version, under its state root: a range of keys, proved page by page
//! as any archive proves it (`docs/answers.md`). Nothing can be left out and nothing added, so that
//! two readers with one root see one board.

use aardvark_algebra::integers::u64_of_usize;
use aardvark_client::archive::is_too_costly;
use aardvark_client::light::Fault;
use aardvark_client::rpc::HttpOptions;
use aardvark_client::rpc::http::HttpError;
use aardvark_client::{ArchiveClient, MOST_KEYS};
use aardvark_dictionary::Key;
use aardvark_proof::{Answer, AnswerProof, Question, RangeAnswer};
use aardvark_sigma::Digest;

use crate::client::TIMEOUT;
use crate::wire::Pair;

/// Why posts were not read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProvedError {
    /// An address that is none.
    #[error(transparent)]
    Address(#[from] HttpError),
    /// An archive that does not answer, or not with a proof.
    #[error("{0}: {1}")]
    Archive(String, Fault),
}

/// The pairs of a board at a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProvedPosts {
    /// The dictionary's id.
    pub dictionary: Digest,
    /// The version.
    pub version: u64,
    /// All pairs, in the order of keys.
    pub pairs: Vec<Pair>,
}

/// Reads all pairs at a version from an archive at an address. `verify` says what a proof answers
/// to a question, under whatever is trusted; all pages must be of the version.
pub fn read_proved<E: From<ProvedError>>(
    address: &str,
    version: u64,
    mut verify: impl FnMut(&Question, &AnswerProof) -> Result<Answer, E>,
) -> Result<ProvedPosts, E> {
    let options = HttpOptions { timeout: TIMEOUT, ..HttpOptions::default() };
    let archive = ArchiveClient::new(address, options).map_err(ProvedError::from)?;
    let failed = |fault| ProvedError::Archive(archive.url().to_owned(), fault);
    let malformed = |why: &str| failed(Fault::Malformed(why.to_owned()));
    let (mut pairs, mut cursor, mut page) = (Vec::new(), Key::empty(), u64_of_usize(MOST_KEYS));
    loop {
        let question = Question::range(cursor, Key::empty(), Some(page));
        let proof = match archive.answer(version, &question, true) {
            Err(fault) if is_too_costly(&fault) && page > 1 => {
                let Question::Region(aardvark_proof::Region::Range(range)) = question else {
                    return Err(malformed("no range").into());
                };
                (cursor, page) = (range.from, page.div_ceil(2));
                continue;
            }
            asked => asked.map_err(failed)?,
        };
        let Answer::Range(RangeAnswer { entries, resume }) = verify(&question, &proof)? else {
            return Err(malformed("an answer to another kind of question").into());
        };
        // Under a root the version follows from its parts, but not all that is trusted is a root.
        if proof.version != version {
            return Err(malformed("a proof of another version").into());
        }
        pairs.extend(entries.into_iter().map(|entry| (entry.key.to_vec(), entry.value.to_vec())));
        match resume {
            Some(next) => cursor = next,
            None => return Ok(ProvedPosts { dictionary: proof.dictionary.0, version, pairs }),
        }
    }
}

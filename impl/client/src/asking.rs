//! What one archive is asked at a certified version: questions, keys, the entries of a range. Every
//! proof is verified under the version's root before anything of it is used.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use aardvark_algebra::integers::u64_of_usize;
use aardvark_commitment::Scheme;
use aardvark_dictionary::root::Digest;
use aardvark_dictionary::{DictionaryId, Key};
use aardvark_proof::proof_json::Proof;
use aardvark_proof::{
    Answer as Answered, AnswerProof, Entry, KeyAnswer, KeyRange, KnownRoot, Question as AnswerQuestion, RangeAnswer,
    Trusted, verify,
};

use crate::archive::{ArchiveClient, MOST_KEYS, is_missing_version, is_too_costly};
use crate::light::{Answer, DictionaryFacts, Fault, ProofFault, Question, verify_answer};

/// How long an archive is waited for that has not the newest version yet.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long between two times.
const PAUSE: Duration = Duration::from_millis(100);

/// An archive, and what its proofs are verified under.
pub(crate) struct Asked<'a> {
    pub(crate) archive: &'a ArchiveClient,
    pub(crate) facts: &'a DictionaryFacts,
    pub(crate) scheme: &'a Scheme,
    /// The certified version.
    pub(crate) version: u64,
    /// Its state root.
    pub(crate) root: &'a Digest,
    /// Whether answers have one opening for all their claims.
    pub(crate) together: bool,
}

/// Why an archive's answer was not taken.
pub(crate) enum Refused {
    /// It is the archive's fault.
    Archive(Fault),
    /// Its proof is tied to the certified root, with another dictionary than the one that we were
    /// told of.
    ByRoot(String),
}

impl From<Fault> for Refused {
    fn from(fault: Fault) -> Self {
        Self::Archive(fault)
    }
}

impl Asked<'_> {
    /// The answer to a question, proved under the root.
    fn answer(&self, archive: &ArchiveClient, question: &AnswerQuestion) -> Result<Answered, Refused> {
        let proof = until_there(archive, || archive.answer(self.version, question, self.together))?;
        let AnswerProof { dictionary, version, tie, folded_opening, .. } = &proof;
        // The two rest on different assumptions, and the user has chosen.
        if folded_opening.is_some() != self.together {
            return Err(Fault::Malformed("openings in another form than was asked for".to_owned()).into());
        }
        if tie.as_ref().is_some_and(|tie| self.ties_another(*dictionary, tie.parts(dictionary, *version).root())) {
            return Err(self.by_root(dictionary));
        }
        // A root says its version by its parts; this names a mix-up.
        if *dictionary == self.facts.id && *version != self.version {
            let (found, asked) = (version.to_string(), self.version.to_string());
            return Err(Fault::Proof(ProofFault::AboutAnother { what: "version", found, asked }).into());
        }
        let trusted = Trusted::Root(KnownRoot { dictionary: self.facts.id, scheme: self.scheme, digest: *self.root });
        verify(&trusted, question, &proof).map_err(|refusal| Fault::Proof(ProofFault::Answer(refusal)).into())
    }

    /// Whether a proof's own dictionary, whose parts have this digest, is under the certified root,
    /// and is not ours.
    fn ties_another(&self, dictionary: DictionaryId, digest: Digest) -> bool {
        dictionary != self.facts.id && digest == *self.root
    }

    fn by_root(&self, dictionary: &DictionaryId) -> Refused {
        Refused::ByRoot(format!("the root is over the dictionary {}", hex::encode(dictionary.0)))
    }
}

/// Asks everything, and verifies every proof.
pub(crate) fn answer_questions(asked: &Asked<'_>, wanted: &[(Key, Question)]) -> Result<Vec<Answer>, Refused> {
    let (archive, certified) = (asked.archive, (asked.version, asked.root));
    let mut answers = Vec::new();
    for wanted in wanted.chunks(MOST_KEYS) {
        let (_, proofs) = until_there(archive, || archive.proofs(Some(asked.version), true, wanted))?;
        for ((key, question), proof) in wanted.iter().zip(&proofs) {
            let answer = verify_answer(asked.scheme, asked.facts, certified, (key, *question), proof);
            let ties_another = |Proof { dictionary, root, .. }: &Proof| {
                root.as_ref().is_some_and(|root| asked.ties_another(*dictionary, root.parts(dictionary).root()))
            };
            answers.push(answer.map_err(|fault| match ties_another(proof) {
                true => asked.by_root(&proof.dictionary),
                false => Fault::Proof(fault).into(),
            })?);
        }
    }
    Ok(answers)
}

/// What each of some keys is, which strictly ascend. Where that is too much for the archive it is
/// asked for one half after the other.
pub(crate) fn answer_keys(asked: &Asked<'_>, keys: &[Key]) -> Result<Vec<KeyAnswer>, Refused> {
    let mut answers = Vec::new();
    for keys in keys.chunks(MOST_KEYS) {
        answers.extend(answer_some_keys(asked, keys)?);
    }
    Ok(answers)
}

fn answer_some_keys(asked: &Asked<'_>, keys: &[Key]) -> Result<Vec<KeyAnswer>, Refused> {
    match asked.answer(asked.archive, &AnswerQuestion::keys(keys.iter().cloned())) {
        Err(Refused::Archive(fault)) if is_too_costly(&fault) && keys.len() > 1 => {
            let (first, second) = keys.split_at(keys.len() / 2);
            let mut answers = answer_some_keys(asked, first)?;
            answers.extend(answer_some_keys(asked, second)?);
            Ok(answers)
        }
        Err(refused) => Err(refused),
        Ok(Answered::Keys(answers)) => Ok(answers),
        Ok(_) => Err(no_such_answer()),
    }
}

/// A verified answer is one to its question.
fn no_such_answer() -> Refused {
    Fault::Malformed("an answer to another kind of question".to_owned()).into()
}

/// The entries of a range, asked for some at a time. It goes on with another archive where the one
/// before came to.
pub(crate) struct Listing<F> {
    /// The least key of which nothing is known yet.
    cursor: Key,
    to: Key,
    /// How many entries are still wanted; `None` for all.
    left: Option<u64>,
    take: F,
}

impl<F: FnMut(Entry) -> ControlFlow<()>> Listing<F> {
    pub(crate) fn new(range: &KeyRange, take: F) -> Self {
        let KeyRange { from, to, limit } = range.clone();
        Self { cursor: from, to, left: limit, take }
    }

    /// Asks on until the range or what is wanted of it has ended, and says where the rest begins.
    /// The archive has `time` for every [`MOST_KEYS`] entries.
    pub(crate) fn go_on(&mut self, asked: &Asked<'_>, time: Duration) -> Result<Option<Key>, Refused> {
        let (mut archive, mut since) = (asked.archive.clone(), 0);
        let mut page = u64_of_usize(MOST_KEYS);
        loop {
            let limit = self.left.map_or(page, |left| left.min(page));
            let question = AnswerQuestion::range(self.cursor.clone(), self.to.clone(), Some(limit));
            let RangeAnswer { entries, resume } = match asked.answer(&archive, &question) {
                Err(Refused::Archive(fault)) if is_too_costly(&fault) && page > 1 => {
                    page = limit.div_ceil(2);
                    continue;
                }
                Err(refused) => return Err(refused),
                Ok(Answered::Range(answer)) => answer,
                Ok(_) => return Err(no_such_answer()),
            };
            let given = u64_of_usize(entries.len());
            self.left = self.left.map(|left| left.saturating_sub(given));
            since += given;
            let mut entries = entries.into_iter();
            while let Some(entry) = entries.next() {
                if (self.take)(entry).is_break() {
                    return Ok(entries.next().map(|entry| entry.key).or(resume));
                }
            }
            let Some(cursor) = resume else { return Ok(None) };
            self.cursor = cursor;
            if self.left == Some(0) {
                return Ok(Some(self.cursor.clone()));
            }
            if since >= u64_of_usize(MOST_KEYS) {
                (archive, since) = (asked.archive.within(time), 0);
            }
        }
    }
}

/// An archive hears of a version a moment after the nodes.
fn until_there<T>(archive: &ArchiveClient, ask: impl Fn() -> Result<T, Fault>) -> Result<T, Fault> {
    let end = Instant::now() + PATIENCE;
    loop {
        match ask() {
            Err(fault) if is_missing_version(&fault) && Instant::now() < end => archive.wait(PAUSE),
            answer => return answer,
        }
    }
}

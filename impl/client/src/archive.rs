//! What a client asks an archive, over HTTP. Everything that comes back is a claim to be proved.

use std::fmt::Display;
use std::io::Read;
use std::marker::PhantomData;
use std::time::Duration;

use aardvark_algebra::integers::usize_or_max;
use aardvark_dictionary::{Key, TailVector};
use aardvark_proof::answer_json::{self, QuestionJson};
use aardvark_proof::hex_text::encode;
use aardvark_proof::proof_json::{LONGEST_PROOF, Proof, ProofJson};
use aardvark_proof::{AnswerProof, KeyRange, Region};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::light::{Fault, Question};
use crate::rpc::http::{Ask, Http, HttpError, read_json};
use crate::rpc::{HttpOptions, at_most};
use crate::tail_json::{self, TailAsked};

/// Most keys in one request, and entries in one answer, as the archive's interface has it.
pub const MOST_KEYS: usize = 1024;

/// Most bytes of an error, and of what stands around an answer's items.
const AROUND: usize = 1 << 14;

/// The code of an archive that has not the version: not yet, or no longer.
const NO_SUCH_VERSION: &str = "no_such_version";

/// The code of an archive that would answer less at a time.
const TOO_COSTLY: &str = "too_costly";

/// An archive's address.
#[derive(Clone, Debug)]
pub struct ArchiveClient {
    http: Http,
}

#[derive(Serialize)]
struct ProofsRequest {
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<u64>,
    root: bool,
    keys: Vec<String>,
    deletes: Vec<String>,
}

#[derive(Deserialize)]
struct ProofsAnswer {
    version: u64,
    #[serde(deserialize_with = "at_most::<_, _, MOST_KEYS>")]
    proofs: Vec<ProofJson>,
}

#[derive(Serialize)]
struct AnswerRequest {
    version: u64,
    root: bool,
    together: bool,
    question: QuestionJson,
}

#[derive(Deserialize)]
struct ErrorAnswer {
    error: String,
    code: String,
}

impl ArchiveClient {
    /// An archive by its address.
    ///
    /// # Errors
    /// Text that is no address.
    pub fn new(address: &str, options: HttpOptions) -> Result<Self, HttpError> {
        Ok(Self { http: Http::new(address, options)? })
    }

    /// The same archive, with so much time for all that it is asked from now on. Clones of what is
    /// returned share that time.
    #[must_use]
    pub fn within(&self, time: Duration) -> Self {
        Self { http: self.http.within(time) }
    }

    /// Waits, at the archive's expense: for an archive that is a moment behind.
    pub fn wait(&self, pause: Duration) {
        self.http.wait(pause);
    }

    /// The address, by which the archive is named.
    pub fn url(&self) -> &str {
        self.http.url()
    }

    /// Proofs for many keys at one version, or the newest, in the order of the questions; at most
    /// [`MOST_KEYS`]. Where that is too much for the archive it is asked for one half after the
    /// other. Their number and form are checked, and nothing else.
    ///
    /// # Errors
    /// [`Fault`]; [`is_missing_version`] tells the archive that is behind.
    pub fn proofs(
        &self,
        version: Option<u64>,
        root: bool,
        wanted: &[(Key, Question)],
    ) -> Result<(u64, Vec<Proof>), Fault> {
        match self.proofs_at_once(version, root, wanted) {
            Err(fault) if is_too_costly(&fault) && wanted.len() > 1 => {
                let (first, second) = wanted.split_at(wanted.len() / 2);
                let (version, mut proofs) = self.proofs(version, root, first)?;
                let (other, rest) = self.proofs(Some(version), root, second)?;
                if other != version {
                    return Err(Fault::Malformed(format!("proofs at version {other}, where {version} was asked for")));
                }
                proofs.extend(rest);
                Ok((version, proofs))
            }
            answer => answer,
        }
    }

    fn proofs_at_once(
        &self,
        version: Option<u64>,
        root: bool,
        wanted: &[(Key, Question)],
    ) -> Result<(u64, Vec<Proof>), Fault> {
        let of = |kind: Question| wanted.iter().filter(move |(_, question)| *question == kind);
        let texts = |kind: Question| of(kind).map(|(key, _)| encode(key)).collect::<Vec<_>>();
        let request = ProofsRequest { version, root, keys: texts(Question::Get), deletes: texts(Question::Delete) };
        let body = serde_json::to_vec(&request).map_err(|error| Fault::Malformed(error.to_string()))?;
        let most = wanted.len().saturating_mul(LONGEST_PROOF).saturating_add(AROUND);
        let ProofsAnswer { version, proofs } =
            self.ask(Ask::Post("/v1/proofs", &body), most, |body| json::<ProofsAnswer>(body))?;
        if proofs.len() != wanted.len() {
            return Err(Fault::Malformed(format!("{} proofs for {} keys", proofs.len(), wanted.len())));
        }
        let proofs = proofs.into_iter().map(Proof::try_from).collect::<Result<Vec<_>, _>>();
        Ok((version, in_order(wanted, proofs.map_err(|error| Fault::Malformed(error.to_string()))?)))
    }

    /// One proof for a question at a version, tied to the root, with an opening for each claim or
    /// one for all of them together; a range must have a limit, and
    /// question and limit have at most [`MOST_KEYS`] keys. Its form is checked, and nothing else.
    ///
    /// # Errors
    /// [`Fault`]; [`is_missing_version`] tells the archive that is behind, [`is_too_costly`] the
    /// one that would answer less at a time.
    pub fn answer(
        &self,
        version: u64,
        question: &aardvark_proof::Question,
        together: bool,
    ) -> Result<AnswerProof, Fault> {
        let slots = match question {
            aardvark_proof::Question::Region(Region::Keys(keys)) => keys.len(),
            // The first slot may cover the range's beginning and be no entry.
            aardvark_proof::Question::Region(Region::Range(range)) => {
                usize_or_max(range.limit.unwrap_or_default()).saturating_add(1)
            }
            aardvark_proof::Question::Predecessor(_) | aardvark_proof::Question::Successor(_) => 1,
        };
        let most = slots.saturating_mul(LONGEST_PROOF).saturating_add(AROUND);
        let read = |body: &mut dyn Read| {
            let mut text = Vec::new();
            body.read_to_end(&mut text).map_err(|error| error.to_string())?;
            answer_json::read(&text).map_err(|error| error.to_string())
        };
        if let aardvark_proof::Question::Region(Region::Range(KeyRange { from, to, limit: Some(limit) })) = question {
            let [from, to] = [from, to].map(|key| encode(key));
            let path =
                format!("/v1/range?from={from}&to={to}&limit={limit}&version={version}&root=true&together={together}");
            return self.ask(Ask::Get(&path), most, read);
        }
        let request = AnswerRequest { version, root: true, together, question: QuestionJson::from(question) };
        let body = serde_json::to_vec(&request).map_err(|error| Fault::Malformed(error.to_string()))?;
        self.ask(Ask::Post("/v1/answer", &body), most, read)
    }

    /// Whole vectors below the tail, as many as are asked for. Their number and form are checked,
    /// and nothing else.
    ///
    /// # Errors
    /// [`Fault`].
    pub fn tail_vectors(&self, asked: &TailAsked) -> Result<Vec<TailVector>, Fault> {
        let path = format!("/v1/tail?version={}&vectors={}", asked.version, asked.vectors);
        self.ask(Ask::Get(&path), asked.most_bytes(), |body| tail_json::read(body, asked))
    }

    /// Asks, and reads an answer of at most `most` bytes as it arrives.
    pub(crate) fn ask<T, E: Display>(
        &self,
        ask: Ask<'_>,
        most: usize,
        read: impl FnOnce(&mut dyn Read) -> Result<T, E>,
    ) -> Result<T, Fault> {
        let answer = self.http.read(ask, most, |status, body| match status {
            200 => read(body).map_err(|error| Fault::Malformed(error.to_string())),
            _ => Err(refusal(status, body)),
        });
        answer.map_err(|error| Fault::Silent(error.to_string()))?
    }
}

pub(crate) fn json<T: DeserializeOwned>(body: &mut dyn Read) -> Result<T, serde_json::Error> {
    read_json(body, PhantomData)
}

/// Whether an archive said that it has not the version.
pub fn is_missing_version(fault: &Fault) -> bool {
    matches!(fault, Fault::Refused { code, .. } if code == NO_SUCH_VERSION)
}

/// Whether an archive said that this is more than it answers at a time.
pub fn is_too_costly(fault: &Fault) -> bool {
    matches!(fault, Fault::Refused { code, .. } if code == TOO_COSTLY)
}

fn refusal(status: u16, body: &mut dyn Read) -> Fault {
    match json::<ErrorAnswer>(&mut body.take(AROUND as u64)) {
        Ok(ErrorAnswer { error, code }) => Fault::Refused { code, message: error },
        Err(_) => Fault::Malformed(format!("status {status}, and no reason")),
    }
}

/// The proofs of keys come first, then those of deletions: back to the order of the questions.
fn in_order(wanted: &[(Key, Question)], proofs: Vec<Proof>) -> Vec<Proof> {
    let mut places: Vec<usize> = (0..wanted.len()).collect();
    places.sort_by_key(|place| wanted.get(*place).is_some_and(|(_, question)| *question == Question::Delete));
    let mut placed: Vec<(usize, Proof)> = places.into_iter().zip(proofs).collect();
    placed.sort_by_key(|(place, _)| *place);
    placed.into_iter().map(|(_, proof)| proof).collect()
}

//! Answers that a load kept, verified once it is over: a rate of answers that nobody looked at
//! would be no figure.
//!
//! What is proved is that the archive did not save work: each kept proof holds against the
//! commitments that the same archive has of the proof's version. Whether those are the chain's is
//! the light client's question.

use aardvark_client::rpc::http::Http;
use aardvark_dictionary::Key;
use aardvark_proof::commitments_json;
use aardvark_proof::proof_json::{self, Proof};
use aardvark_proof::{Strictness, verify_key};
use serde::Deserialize;

use crate::error::LoadError;

/// One answer of so many is kept.
const ONE_OF: u64 = 32;

/// Most answers that a thread keeps.
const MOST: usize = 64;

/// An answer, unread.
pub struct Kept {
    server: Http,
    keys: Vec<Key>,
    body: Vec<u8>,
}

#[derive(Deserialize)]
struct Many {
    proofs: Vec<serde_json::Value>,
}

/// A thread's kept answers.
#[derive(Default)]
pub struct Sample {
    seen: u64,
    kept: Vec<Kept>,
}

impl Sample {
    /// Looks at one more answer, and keeps it if it is its turn.
    pub fn offer(&mut self, server: &Http, keys: Vec<Key>, body: Vec<u8>) {
        if self.seen.is_multiple_of(ONE_OF) && self.kept.len() < MOST {
            self.kept.push(Kept { server: server.clone(), keys, body });
        }
        self.seen += 1;
    }

    /// What another thread kept too.
    pub fn extend(&mut self, other: Self) {
        self.kept.extend(other.kept);
    }

    /// Verifies all that was kept, and says how many proofs hold.
    ///
    /// # Errors
    /// The first that is malformed, false or not about its key.
    pub fn verify(self) -> Result<u64, LoadError> {
        let proved: Vec<Vec<Proved>> = self.kept.into_iter().map(Kept::read).collect::<Result<_, _>>()?;
        let mut proved: Vec<Proved> = proved.into_iter().flatten().collect();
        proved.sort_by(|a, b| a.source().cmp(&b.source()));
        let count = proved.len() as u64;
        proved.chunk_by(|a, b| a.source() == b.source()).try_for_each(hold)?;
        Ok(count)
    }
}

/// A proof, and the key that was asked for.
struct Proved {
    server: Http,
    key: Key,
    proof: Proof,
}

impl Proved {
    /// Whose commitments it must hold against.
    fn source(&self) -> (&str, u64) {
        (self.server.url(), self.proof.version)
    }
}

impl Kept {
    fn read(self) -> Result<Vec<Proved>, LoadError> {
        let Self { server, keys, body } = self;
        let malformed = |error| LoadError::Json(server.url().to_owned(), error);
        let proofs = if keys.len() == 1 {
            vec![proof_json::read(&body).map_err(malformed)?]
        } else {
            let wrong = |error: serde_json::Error| LoadError::Unchecked(server.url().to_owned(), error.to_string());
            let Many { proofs } = serde_json::from_slice(&body).map_err(wrong)?;
            let read = |proof: serde_json::Value| proof_json::read(proof.to_string().as_bytes()).map_err(malformed);
            proofs.into_iter().map(read).collect::<Result<_, _>>()?
        };
        if proofs.len() != keys.len() {
            let what = format!("{} proofs for {} keys", proofs.len(), keys.len());
            return Err(LoadError::Unchecked(server.url().to_owned(), what));
        }
        let proved = |(key, proof)| Proved { server: server.clone(), key, proof };
        Ok(keys.into_iter().zip(proofs).map(proved).collect())
    }
}

/// Whether proofs of one version hold, every one of them.
fn hold(proved: &[Proved]) -> Result<(), LoadError> {
    let Some(first) = proved.first() else { return Ok(()) };
    let (url, version) = first.source();
    let unchecked = |what: String| LoadError::Unchecked(url.to_owned(), what);
    let answer = first.server.get(&format!("/v1/commitments?version={version}"));
    let answer = answer.map_err(|error| unchecked(error.to_string()))?;
    if answer.status != 200 {
        return Err(unchecked(format!("the commitments of version {version}: status {}", answer.status)));
    }
    let known = commitments_json::read(&answer.body).map_err(|error| LoadError::Json(url.to_owned(), error))?;
    let scheme = known.verifier()?;
    let trusted = known.trusted(&scheme).map_err(|error| unchecked(error.to_string()))?;
    proved.iter().try_for_each(|Proved { key, proof, .. }| {
        let held = verify_key(&trusted, key, proof, Strictness::Format);
        held.map(drop).map_err(|refusal| LoadError::False(url.to_owned(), refusal.to_string()))
    })
}

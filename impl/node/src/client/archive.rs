//! What a client asks an archive, over HTTP. Everything that comes back is a claim to be proved.

use aardvark_dictionary::Key;
use serde::{Deserialize, Serialize};

use crate::formats::hex_text::encode;
use crate::formats::proof_json::{self, Proof};
use crate::light::{Fault, Question};
use crate::rpc::HttpOptions;
use crate::rpc::http::{Http, HttpError};

/// Most keys in one request, as the archive's interface has it.
pub const MOST_KEYS: usize = 1024;

/// The code of an archive that has not the version: not yet, or no longer.
const NO_SUCH_VERSION: &str = "no_such_version";

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
    proofs: Vec<serde_json::Value>,
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

    /// The address, by which the archive is named.
    pub fn url(&self) -> &str {
        self.http.url()
    }

    /// Proofs for many keys at one version, or the newest, in the order of the questions; at most [`MOST_KEYS`]. Their number
    /// and form are checked, and nothing else.
    ///
    /// # Errors
    /// [`Fault`]; [`is_missing_version`] tells the archive that is behind.
    pub fn proofs(
        &self,
        version: Option<u64>,
        root: bool,
        wanted: &[(Key, Question)],
    ) -> Result<(u64, Vec<Proof>), Fault> {
        let of = |kind: Question| wanted.iter().filter(move |(_, question)| *question == kind);
        let texts = |kind: Question| of(kind).map(|(key, _)| encode(key)).collect::<Vec<_>>();
        let request = ProofsRequest { version, root, keys: texts(Question::Get), deletes: texts(Question::Delete) };
        let body = serde_json::to_vec(&request).map_err(|error| Fault::Malformed(error.to_string()))?;
        let answer = self.http.post("/v1/proofs", &body).map_err(|error| Fault::Silent(error.to_string()))?;
        if answer.status != 200 {
            return Err(refusal(answer.status, &answer.body));
        }
        let malformed = |error: &dyn std::fmt::Display| Fault::Malformed(error.to_string());
        let ProofsAnswer { version, proofs } =
            serde_json::from_slice(&answer.body).map_err(|error| malformed(&error))?;
        if proofs.len() != wanted.len() {
            return Err(malformed(&format!("{} proofs for {} keys", proofs.len(), wanted.len())));
        }
        let read = |proof: serde_json::Value| proof_json::read(proof.to_string().as_bytes());
        let proofs = proofs.into_iter().map(read).collect::<Result<Vec<_>, _>>().map_err(|error| malformed(&error))?;
        Ok((version, in_order(wanted, proofs)))
    }
}

/// Whether an archive said that it has not the version.
pub fn is_missing_version(fault: &Fault) -> bool {
    matches!(fault, Fault::Refused { code, .. } if code == NO_SUCH_VERSION)
}

fn refusal(status: u16, body: &[u8]) -> Fault {
    match serde_json::from_slice::<ErrorAnswer>(body) {
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

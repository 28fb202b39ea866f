//! Reading and writing a board over HTTP.

use std::collections::HashMap;
use std::time::Duration;

use aardvark_mixnet::Posts;
use aardvark_mixnet::post::{Content, Draft, MOST_BODY_BYTES, PostValue, Posted, Receipt, body_digest};
use aardvark_mixnet::view::View;
use aardvark_proof::hex_text::{HexArray, HexBytes, encode};
use serde::Serialize;
use serde::de::DeserializeOwned;
use ureq::Agent;

use crate::wire::{BoardJson, DraftJson, FORMAT, PairJson, PostsJson, ReceiptJson, RefusalJson};

/// Most bytes of an answer.
const ANSWER_BYTES: u64 = 1 << 28;
/// How long a request may take.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Why a board did not do what it was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// No answer.
    #[error("{0}: {1}")]
    Unreachable(String, String),
    /// An answer that is none.
    #[error("{0}: not the answer of a board: {1}")]
    Malformed(String, String),
    /// The board says no.
    #[error("the board refused: {message}")]
    Refused {
        /// The name of the reason.
        reason: String,
        /// For people.
        message: String,
    },
}

/// A board somewhere, with the bodies that were fetched from it.
#[derive(Debug)]
pub struct BoardClient {
    agent: Agent,
    base: String,
    bodies: HashMap<[u8; 32], Vec<u8>>,
}

impl BoardClient {
    /// The board at an address: `http://host:port`.
    pub fn new(url: &str) -> Self {
        let config = Agent::config_builder()
            .timeout_global(Some(TIMEOUT))
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .build();
        Self { agent: config.new_agent(), base: url.trim_end_matches('/').to_owned(), bodies: HashMap::new() }
    }

    fn at(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    fn failed(&self, error: &ureq::Error) -> ClientError {
        ClientError::Unreachable(self.base.clone(), error.to_string())
    }

    /// Status and bytes of an answer.
    fn bytes(
        &self,
        answer: Result<ureq::http::Response<ureq::Body>, ureq::Error>,
    ) -> Result<(u16, Vec<u8>), ClientError> {
        let mut response = answer.map_err(|error| self.failed(&error))?;
        let bytes = response.body_mut().with_config().limit(ANSWER_BYTES).read_to_vec();
        Ok((response.status().as_u16(), bytes.map_err(|error| self.failed(&error))?))
    }

    fn refused(&self, status: u16, bytes: &[u8]) -> ClientError {
        match serde_json::from_slice::<RefusalJson>(bytes) {
            Ok(RefusalJson { reason, message }) => ClientError::Refused { reason, message },
            Err(_) => ClientError::Malformed(self.base.clone(), format!("status {status}")),
        }
    }

    fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, ClientError> {
        match self.bytes(self.agent.get(self.at(path)).call())? {
            (200, bytes) => serde_json::from_slice(&bytes)
                .map_err(|error| ClientError::Malformed(self.base.clone(), error.to_string())),
            (status, bytes) => Err(self.refused(status, &bytes)),
        }
    }

    fn post<T: Serialize>(&self, path: &str, value: &T) -> Result<(), ClientError> {
        let text =
            serde_json::to_vec(value).map_err(|error| ClientError::Malformed(self.base.clone(), error.to_string()))?;
        let request = self.agent.post(self.at(path)).header("content-type", "application/json");
        match self.bytes(request.send(&text[..]))? {
            (200, _) => Ok(()),
            (status, bytes) => Err(self.refused(status, &bytes)),
        }
    }

    /// The dictionary's id and version.
    pub fn about(&self) -> Result<BoardJson, ClientError> {
        let about: BoardJson = self.get("/v1/board")?;
        match about.format {
            FORMAT => Ok(about),
            other => Err(ClientError::Malformed(self.base.clone(), format!("format {other}"))),
        }
    }

    /// The body with this digest, `None` where there is none or another one.
    pub fn body(&mut self, digest: &[u8; 32]) -> Result<Option<Vec<u8>>, ClientError> {
        if let Some(body) = self.bodies.get(digest) {
            return Ok(Some(body.clone()));
        }
        let (status, body) = self.bytes(self.agent.get(self.at(&format!("/v1/bodies/{}", encode(digest)))).call())?;
        if status != 200 || body.len() as u64 > MOST_BODY_BYTES || body_digest(&body) != *digest {
            return Ok(None);
        }
        self.bodies.insert(*digest, body.clone());
        Ok(Some(body))
    }

    /// All posts with their bodies, and the version that they are of.
    pub fn posts(&mut self) -> Result<(u64, Posts), ClientError> {
        let all: PostsJson = self.get("/v1/posts")?;
        let mut posts = Posts::new();
        for pair in all.posts {
            let body = match PostValue::from_bytes(&pair.value.0).map(|value| value.content) {
                Ok(Content::Stored { digest, .. }) => self.body(&digest)?,
                _ => None,
            };
            posts.insert(pair.key.0, Posted { value: pair.value.0, body });
        }
        Ok((all.version, posts))
    }

    /// Stores the body of a draft and asks for receipts.
    pub fn submit(&self, draft: &Draft) -> Result<(), ClientError> {
        let digest = body_digest(&draft.body);
        let path = self.at(&format!("/v1/bodies/{}", encode(&digest)));
        match self.bytes(self.agent.put(path).send(&draft.body[..]))? {
            (200, _) => {}
            (status, bytes) => return Err(self.refused(status, &bytes)),
        }
        let json = DraftJson {
            key: HexBytes(draft.key.to_bytes()),
            length: draft.body.len() as u64,
            body: HexArray(digest),
            signature: HexArray(draft.signature()),
            receipts: Vec::new(),
        };
        self.post("/v1/drafts", &json)
    }

    /// All posts that wait for receipts.
    pub fn drafts(&self) -> Result<Vec<DraftJson>, ClientError> {
        self.get("/v1/drafts")
    }

    /// Gives a receipt.
    pub fn give_receipt(&self, receipt: &ReceiptJson) -> Result<(), ClientError> {
        self.post("/v1/receipts", receipt)
    }

    /// The receipts of a draft by servers with these keys, in their order; each signature was
    /// checked by the board, and is again by whoever reads the post.
    pub fn receipts(&self, draft: &Draft, servers: &[[u8; 32]]) -> Result<Vec<Receipt>, ClientError> {
        let drafts = self.drafts()?;
        let key = draft.key.to_bytes();
        let found = drafts.iter().find(|known| known.key.0 == key && known.body.0 == body_digest(&draft.body));
        let receipts = found.iter().flat_map(|known| &known.receipts).filter(|receipt| {
            let place = usize::from(receipt.server).checked_sub(1);
            place.and_then(|place| servers.get(place)) == Some(&receipt.author.0)
        });
        Ok(receipts.map(Receipt::from).collect())
    }

    /// Writes a post.
    pub fn write(&self, draft: &Draft, receipts: Vec<Receipt>) -> Result<(), ClientError> {
        let posted = draft.posted(receipts);
        self.post("/v1/posts", &PairJson { key: HexBytes(draft.key.to_bytes()), value: HexBytes(posted.value) })
    }

    /// Writes a post, and waits for receipts of as many of these servers first if it needs them.
    pub fn write_with_receipts(
        &self,
        draft: &Draft,
        servers: &[[u8; 32]],
        threshold: usize,
        patience: Duration,
    ) -> Result<(), ClientError> {
        if !draft.needs_receipts() {
            return self.write(draft, Vec::new());
        }
        self.submit(draft)?;
        let begun = std::time::Instant::now();
        loop {
            let receipts = self.receipts(draft, servers)?;
            if receipts.len() >= threshold {
                return self.write(draft, receipts);
            }
            if begun.elapsed() > patience {
                let message = format!("{} of {threshold} servers gave a receipt", receipts.len());
                return Err(ClientError::Refused { reason: "receipts-missing".to_owned(), message });
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}

/// The keys of a ceremony's servers, in their order.
pub fn server_keys(view: &View) -> Vec<[u8; 32]> {
    view.ceremony.servers.iter().map(|server| server.author).collect()
}

//! Reading and writing a board over HTTP.

use std::collections::BTreeSet;
use std::time::Duration;

use aardvark_mixnet::post::{Content, Draft, MOST_BODY_BYTES, PostValue, Posted, Receipt, body_digest};
use aardvark_mixnet::stored::StoredBody;
use aardvark_mixnet::view::View;
use aardvark_mixnet::{PostKey, Posts};
use aardvark_proof::hex_text::{HexArray, HexBytes, encode};
use aardvark_sigma::Digest;
use serde::Serialize;
use serde::de::DeserializeOwned;
use ureq::Agent;

use crate::fetched::Fetched;
use crate::history::{History, HistoryError};
use crate::limits::{MOST_ADMISSIONS, MOST_DRAFTS};
use crate::wire::{BoardJson, DraftJson, FORMAT, PairJson, PostsJson, ReceiptJson, RefusalJson};

/// Most bytes of an answer.
const ANSWER_BYTES: u64 = 1 << 28;
/// How long a request may take.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(60);
/// How long a connection is kept for the next request.
const IDLE: Duration = Duration::from_secs(5);

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
    /// The board shows something else than it did.
    #[error(transparent)]
    History(#[from] HistoryError),
}

/// A board somewhere, with the bodies that were fetched from it.
#[derive(Debug)]
pub struct BoardClient {
    agent: Agent,
    base: String,
    /// All posts that were read, with their bodies.
    posts: Posts,
    fetched: Fetched,
    /// What was read, and what is expected to be: of another time.
    history: Option<History>,
    expected: Option<History>,
}

impl BoardClient {
    /// The board at an address: `http://host:port`.
    pub fn new(url: &str) -> Self {
        let config = Agent::config_builder()
            .timeout_global(Some(TIMEOUT))
            // A board closes connections that say nothing for ten seconds.
            .max_idle_age(IDLE)
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .build();
        let base = url.trim_end_matches('/').to_owned();
        Self {
            agent: config.new_agent(),
            base,
            posts: Posts::new(),
            fetched: Fetched::default(),
            history: None,
            expected: None,
        }
    }

    /// The same board, which must have grown from what was seen of it before.
    #[must_use]
    pub fn expecting(self, seen: Option<History>) -> Self {
        Self { expected: seen, ..self }
    }

    /// The board's address.
    pub fn url(&self) -> &str {
        &self.base
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

    /// The dictionary's id and version, and how many posts there are.
    pub fn about(&self) -> Result<BoardJson, ClientError> {
        let about: BoardJson = self.get("/v1/board")?;
        match about.format {
            FORMAT => Ok(about),
            other => Err(ClientError::Malformed(self.base.clone(), format!("format {other}"))),
        }
    }

    /// The body with this digest, `None` where there is none or another one.
    pub fn body(&self, digest: &Digest) -> Result<Option<Vec<u8>>, ClientError> {
        let (status, body) = self.bytes(self.agent.get(self.at(&format!("/v1/bodies/{}", encode(digest)))).call())?;
        let is_body = status == 200 && body.len() as u64 <= MOST_BODY_BYTES && body_digest(&body) == *digest;
        Ok(is_body.then_some(body))
    }

    /// The body with this digest, asked for where it was not fetched before.
    fn body_once(&mut self, digest: &Digest) -> Result<Option<StoredBody>, ClientError> {
        match self.fetched.body(digest) {
            Some(body) => Ok(Some(body)),
            None => Ok(self.body(digest)?.map(|body| self.fetched.enter(*digest, body.into()))),
        }
    }

    /// A pair of the board with its body, if that is elsewhere and at hand. Each body is fetched
    /// once, and none of a post about a query that was not read before.
    pub fn posted(&mut self, key: &[u8], value: Vec<u8>) -> Result<Posted, ClientError> {
        let key = PostKey::from_bytes(key).ok();
        let content = PostValue::from_bytes(&value).map(|value| value.content);
        let body = match &content {
            Ok(Content::Stored { digest, .. }) if key.is_some_and(|key| self.fetched.is_wanted(&key)) => {
                self.body_once(digest)?
            }
            _ => None,
        };
        let read = match (&content, &body) {
            (Ok(Content::Inline(body)), _) => Some(body.as_slice()),
            (_, Some(body)) => Some(&**body),
            _ => None,
        };
        if let (Some(key), Some(read)) = (key, read) {
            self.fetched.enter_query(&key, read);
        }
        Ok(Posted { value, body })
    }

    /// Reads what was posted since the last time, and says what the board was seen to be: now it
    /// has [`BoardClient::posts`]. A board that has not grown from what was seen is an error.
    pub fn read(&mut self) -> Result<History, ClientError> {
        let about = self.about()?;
        let mut history = self.history.unwrap_or(History::new(about.dictionary.0));
        let forked = |version| ClientError::from(HistoryError::Forked { version });
        if about.posts < history.version {
            return Err(forked(history.version));
        }
        while history.version < about.posts {
            let page: PostsJson = self.get(&format!("/v1/posts?since={}", history.version))?;
            if page.posts.is_empty() {
                return Err(ClientError::Malformed(self.base.clone(), "a page without posts".to_owned()));
            }
            for pair in page.posts {
                history = history.after(&pair.key.0, &pair.value.0);
                if self.expected.is_some_and(|seen| seen.version == history.version && seen != history) {
                    return Err(forked(history.version));
                }
                let posted = self.posted(&pair.key.0, pair.value.0)?;
                self.posts.insert(pair.key.0, posted);
            }
            self.history = Some(history);
        }
        // Bodies that were not there may be now.
        let missing: Vec<Vec<u8>> =
            self.posts.iter().filter(|(_, posted)| posted.body.is_none()).map(|(key, _)| key.clone()).collect();
        for key in missing {
            if let Some(value) = self.posts.get(&key).map(|posted| posted.value.clone()) {
                let posted = self.posted(&key, value)?;
                self.posts.insert(key, posted);
            }
        }
        self.history = Some(history);
        if let Some(seen) = self.expected {
            let is_empty = seen.version == 0 && seen.digest != about.dictionary.0;
            if seen.version > history.version || is_empty {
                return Err(forked(seen.version));
            }
        }
        Ok(history)
    }

    /// All posts that were read, with their bodies.
    pub fn posts(&self) -> &Posts {
        &self.posts
    }

    /// Asks for receipts for a draft, and stores its body.
    pub fn submit(&self, draft: &Draft) -> Result<(), ClientError> {
        let digest = body_digest(&draft.body);
        let json = DraftJson {
            key: HexBytes(draft.key.to_bytes()),
            length: draft.body.len() as u64,
            body: HexArray(digest),
            signature: HexArray(draft.signature()),
            receipts: Vec::new(),
        };
        self.post("/v1/drafts", &json)?;
        let path = self.at(&format!("/v1/bodies/{}", encode(&digest)));
        match self.bytes(self.agent.put(path).send(&draft.body[..]))? {
            (200, _) => Ok(()),
            (status, bytes) => Err(self.refused(status, &bytes)),
        }
    }

    /// All posts that wait for receipts, by the digests of their posts.
    pub fn drafts(&self, dictionary: &Digest) -> Result<Vec<(Digest, DraftJson)>, ClientError> {
        let (mut all, mut seen, mut path) = (Vec::new(), BTreeSet::new(), "/v1/drafts".to_owned());
        loop {
            let page: Vec<DraftJson> = self.get(&path)?;
            let Some(last) = page.last().and_then(|draft| digest_of(dictionary, draft)) else { return Ok(all) };
            for draft in page {
                let Some(post) = digest_of(dictionary, &draft) else { continue };
                // A board that goes round in circles, or has more than any has, is not read on.
                if !seen.insert(post) || all.len() > MOST_DRAFTS {
                    return Ok(all);
                }
                all.push((post, draft));
            }
            path = format!("/v1/drafts?after={}", encode(&last));
        }
    }

    /// Gives a receipt.
    pub fn give_receipt(&self, receipt: &ReceiptJson) -> Result<(), ClientError> {
        self.post("/v1/receipts", receipt)
    }

    /// The receipts of a draft by servers with these keys, in their order, no more than are needed;
    /// `None` where the board does not have the draft. Each signature was checked by the board, and
    /// is again by whoever reads the post.
    pub fn receipts(
        &self,
        dictionary: &Digest,
        draft: &Draft,
        servers: &[[u8; 32]],
        threshold: usize,
    ) -> Result<Option<Vec<Receipt>>, ClientError> {
        let drafts = self.drafts(dictionary)?;
        let Some((_, found)) = drafts.iter().find(|(post, _)| *post == draft.digest) else { return Ok(None) };
        let receipts = found.receipts.iter().filter(|receipt| {
            let place = usize::from(receipt.server).checked_sub(1);
            place.and_then(|place| servers.get(place)) == Some(&receipt.author.0)
        });
        Ok(Some(receipts.take(threshold).map(Receipt::from).collect()))
    }

    /// Writes a post.
    pub fn write(&self, draft: &Draft, receipts: Vec<Receipt>) -> Result<(), ClientError> {
        let posted = draft.posted(receipts);
        self.post("/v1/posts", &PairJson { key: HexBytes(draft.key.to_bytes()), value: HexBytes(posted.value) })
    }

    /// Writes admissions, as many at a time as the board takes.
    pub fn admit(&self, drafts: &[Draft]) -> Result<(), ClientError> {
        for part in drafts.chunks(MOST_ADMISSIONS) {
            let pair = |draft: &Draft| PairJson {
                key: HexBytes(draft.key.to_bytes()),
                value: HexBytes(draft.posted(Vec::new()).value),
            };
            self.post("/v1/admissions", &part.iter().map(pair).collect::<Vec<_>>())?;
        }
        Ok(())
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
        let dictionary = self.about()?.dictionary.0;
        let begun = std::time::Instant::now();
        let mut given = 0;
        match self.submit(draft) {
            Err(ClientError::Refused { reason, .. }) if reason == "posted" => return Ok(()),
            submitted => submitted?,
        }
        loop {
            match self.receipts(&dictionary, draft, servers, threshold)? {
                Some(receipts) if receipts.len() >= threshold => match self.write(draft, receipts) {
                    // The board was started again in between, or its chain is slow.
                    Err(ClientError::Refused { reason, .. }) if reason == "body-missing" || reason == "not-yet" => {}
                    written => return written,
                },
                Some(receipts) => given = receipts.len(),
                // The board was started again, or had no room.
                None => match self.submit(draft) {
                    Err(ClientError::Refused { reason, .. }) if reason == "posted" => return Ok(()),
                    submitted => submitted?,
                },
            }
            if begun.elapsed() > patience {
                let message = format!("{given} of {threshold} servers gave a receipt");
                return Err(ClientError::Refused { reason: "receipts-missing".to_owned(), message });
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}

/// The digest of the post of a draft.
fn digest_of(dictionary: &Digest, draft: &DraftJson) -> Option<Digest> {
    Some(PostKey::from_bytes(&draft.key.0).ok()?.digest(dictionary, draft.length, &draft.body.0))
}

/// The keys of a ceremony's servers, in their order.
pub fn server_keys(view: &View) -> Vec<[u8; 32]> {
    view.ceremony.servers.iter().map(|server| server.author).collect()
}

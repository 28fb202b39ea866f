//! Requests of CometBFT's JSON-RPC, a method each.

use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use tendermint::block::signed_header::SignedHeader;
use tendermint::validator;

use super::answers::{
    Block, BlockAnswerJson, BroadcastResult, CommitJson, FoundTransaction, GenesisChunkJson, NodeStatus, QueryJson,
    Request, Response, StatusJson, TxParams, TxSearchJson, ValidatorsJson,
};
use super::error::{Problem, RpcError};
use super::http::{Ask, Http, HttpError, HttpOptions, read_json, without_credentials};
use super::limits::{BLOCK, COMMIT, FOUND, GENESIS, GENESIS_CHUNK, GENESIS_CHUNKS, PAGE, SEARCH, SMALL, VALIDATORS};
use super::validator_set::{MOST_VALIDATORS, validator_set};

/// A node's RPC. Cheap to clone; clones share connections.
#[derive(Clone, Debug)]
pub struct RpcClient {
    http: Http,
    next_id: Arc<AtomicU64>,
}

impl RpcClient {
    /// A node by its address: `http://host:port`, `tcp://host:port` or `host:port`. Nothing is sent
    /// yet.
    ///
    /// # Errors
    /// Text that is no address.
    pub fn new(address: &str, options: HttpOptions) -> Result<Self, RpcError> {
        let named = |problem: HttpError| RpcError {
            url: without_credentials(address),
            method: "address",
            problem: Problem::Http(problem),
        };
        let http = Http::new(address, options).map_err(named)?;
        Ok(Self { http, next_id: Arc::new(AtomicU64::new(1)) })
    }

    /// The node's address, by which it is named.
    pub fn url(&self) -> &str {
        self.http.url()
    }

    /// The same node, with so much time for all that it is asked from now on. Clones of what is
    /// returned share that time.
    #[must_use]
    pub fn within(&self, time: Duration) -> Self {
        Self { http: self.http.within(time), next_id: Arc::clone(&self.next_id) }
    }

    /// Whether two names are of one server: equal, or leading to an address in common.
    pub fn is_same_server(&self, other: &Self) -> bool {
        self.url() == other.url() || {
            let others = other.http.addresses();
            self.http.addresses().iter().any(|address| others.contains(address))
        }
    }

    /// Waits, at the node's expense: for a node that does not have something yet.
    pub fn wait(&self, pause: Duration) {
        self.http.wait(pause);
    }

    /// Counts the time since `begun` as the node's: for what its answers take to verify.
    pub fn charge(&self, begun: Instant) {
        self.http.charge(begun);
    }

    /// What the node says of itself.
    ///
    /// # Errors
    /// [`RpcError`].
    pub fn status(&self) -> Result<NodeStatus, RpcError> {
        self.call::<_, StatusJson>("status", SMALL, json!({})).map(NodeStatus::from)
    }

    /// The header of a height with the commit that signs it, or the newest. That the height is the
    /// asked one is checked.
    ///
    /// # Errors
    /// [`RpcError`]; [`Problem::Refused`] where the node does not have the height.
    pub fn commit(&self, height: Option<u64>) -> Result<SignedHeader, RpcError> {
        let CommitJson { signed_header } = self.call("commit", COMMIT, at(height))?;
        self.is_of("commit", height, signed_header.header.height.value())?;
        Ok(signed_header)
    }

    /// The validators of a height, from full pages and the last one, all of which say the same
    /// total, checked as [`validator_set`] does.
    ///
    /// # Errors
    /// [`RpcError`].
    pub fn validators(&self, height: u64) -> Result<validator::Set, RpcError> {
        const METHOD: &str = "validators";
        let mut validators: Vec<validator::Info> = Vec::new();
        let mut total = None;
        for page in 1.. {
            let params =
                json!({ "height": height.to_string(), "page": page.to_string(), "per_page": PAGE.to_string() });
            let answer: ValidatorsJson = self.call(METHOD, VALIDATORS, params)?;
            self.is_of(METHOD, Some(height), answer.block_height)?;
            let wanted = *total.get_or_insert(answer.total);
            if wanted == 0 || wanted > MOST_VALIDATORS {
                return Err(self.malformed(METHOD, format!("{wanted} validators; a set has 1 to {MOST_VALIDATORS}")));
            }
            if answer.total != wanted {
                return Err(self.malformed(METHOD, format!("{} validators, and {wanted} before", answer.total)));
            }
            let (found, full) = (answer.validators.len(), PAGE.min(wanted - validators.len()));
            if found != full {
                let fault = format!("{found} validators on page {page} of {wanted}, where {full} belong");
                return Err(self.malformed(METHOD, fault));
            }
            validators.extend(answer.validators);
            if validators.len() == wanted {
                break;
            }
        }
        validator_set(validators).map_err(|fault| self.malformed(METHOD, fault.to_string()))
    }

    /// The block of a height, or the newest. That header and transactions belong together is not
    /// checked: [`Block::has_the_transactions_of_its_header`].
    ///
    /// # Errors
    /// [`RpcError`]; [`Problem::Refused`] where the node does not have the height.
    pub fn block(&self, height: Option<u64>) -> Result<Block, RpcError> {
        let block = Block::from(self.call::<_, BlockAnswerJson>("block", BLOCK, at(height))?.block);
        self.is_of("block", height, block.header.height.value())?;
        Ok(block)
    }

    /// The genesis file, from full chunks and the last one, all of which say the same number of
    /// chunks; at most 32 MiB.
    ///
    /// # Errors
    /// [`RpcError`].
    pub fn genesis(&self) -> Result<Vec<u8>, RpcError> {
        const METHOD: &str = "genesis_chunked";
        let mut bytes = Vec::new();
        let mut total = None;
        for chunk in 0.. {
            let answer: GenesisChunkJson = self.call(METHOD, GENESIS, json!({ "chunk": chunk.to_string() }))?;
            if answer.chunk != chunk {
                return Err(self.fail(METHOD, Problem::Another(format!("chunk {}, not {chunk}", answer.chunk))));
            }
            let chunks = *total.get_or_insert(answer.total);
            if chunks == 0 || chunks > GENESIS_CHUNKS {
                let fault = format!("{chunks} chunks; a genesis of 1 to {GENESIS_CHUNKS} is taken from a node");
                return Err(self.malformed(METHOD, fault));
            }
            if answer.total != chunks {
                return Err(self.malformed(METHOD, format!("{} chunks, and {chunks} before", answer.total)));
            }
            let (length, last) = (answer.data.len(), chunk + 1 == chunks);
            if length > GENESIS_CHUNK || length == 0 || (length < GENESIS_CHUNK && !last) {
                return Err(self.malformed(METHOD, format!("{length} bytes in chunk {chunk} of {chunks}")));
            }
            bytes.extend(answer.data);
            if last {
                break;
            }
        }
        Ok(bytes)
    }

    /// Submits a transaction and waits for CheckTx.
    ///
    /// # Errors
    /// [`RpcError`]; [`Problem::Refused`] where the mempool is full or has it already.
    pub fn broadcast_tx_sync(&self, transaction: &[u8]) -> Result<BroadcastResult, RpcError> {
        self.call("broadcast_tx_sync", SMALL, TxParams { tx: transaction })
    }

    /// What the node's application answers to a query by this path: its word.
    ///
    /// # Errors
    /// [`RpcError`]; [`Problem::Refused`] where it has no answer.
    pub fn abci_query(&self, path: &str) -> Result<Vec<u8>, RpcError> {
        const METHOD: &str = "abci_query";
        let QueryJson { response } = self.call(METHOD, SMALL, json!({ "path": path }))?;
        match response.code {
            0 => Ok(response.value.map(|value| value.0).unwrap_or_default()),
            code => Err(self.fail(METHOD, Problem::Refused { code: code.into(), message: response.log })),
        }
    }

    /// The transactions whose events a query of CometBFT finds, the first ten of them.
    ///
    /// # Errors
    /// [`RpcError`].
    pub fn tx_search(&self, query: &str) -> Result<Vec<FoundTransaction>, RpcError> {
        let params = json!({ "query": query, "page": "1", "per_page": FOUND.to_string(), "order_by": "asc" });
        let TxSearchJson { txs } = self.call("tx_search", SEARCH, params)?;
        Ok(txs.into_iter().map(FoundTransaction::from).collect())
    }

    /// Asks, and reads an answer of at most `most` bytes.
    fn call<P: Serialize, T: DeserializeOwned>(
        &self,
        method: &'static str,
        most: usize,
        params: P,
    ) -> Result<T, RpcError> {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let request = Request { jsonrpc: "2.0", id, method, params };
        let body = serde_json::to_vec(&request).map_err(|error| self.malformed(method, error.to_string()))?;
        let answer = self.http.read(Ask::Post("/", &body), most, |status, body| {
            read_json(body, PhantomData::<Response<T>>).map_err(|error| format!("{error} (status {status})"))
        });
        let response = answer.map_err(|error| self.fail(method, error.into()))?;
        let response = response.map_err(|reason| self.malformed(method, reason))?;
        if response.id.as_u64() != Some(id) {
            return Err(self.fail(method, Problem::Another(format!("id {}, not {id}", response.id))));
        }
        match (response.result, response.error) {
            (Some(result), None) => Ok(result),
            (_, Some(error)) => {
                let message = error.data.unwrap_or(error.message);
                Err(self.fail(method, Problem::Refused { code: error.code, message }))
            }
            (None, None) => Err(self.malformed(method, "neither a result nor an error".to_owned())),
        }
    }

    fn is_of(&self, method: &'static str, asked: Option<u64>, found: u64) -> Result<(), RpcError> {
        match asked {
            Some(asked) if asked != found => {
                Err(self.fail(method, Problem::Another(format!("height {found}, not {asked}"))))
            }
            _ => Ok(()),
        }
    }

    fn malformed(&self, method: &'static str, reason: String) -> RpcError {
        self.fail(method, Problem::Malformed(reason))
    }

    fn fail(&self, method: &'static str, problem: Problem) -> RpcError {
        RpcError { url: self.url().to_owned(), method, problem }
    }
}

/// The parameters of a request for a height, or for the newest.
fn at(height: Option<u64>) -> serde_json::Value {
    match height {
        Some(height) => json!({ "height": height.to_string() }),
        None => json!({}),
    }
}

#[cfg(test)]
mod tests;

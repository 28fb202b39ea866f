//! Submission through any validator, and the wait for inclusion, by the transaction's own id.
//!
//! What a node says of a transaction is hearsay. What a transaction did is proved by reading the
//! keys afterwards, through the light client.

use std::time::{Duration, Instant};

use aardvark_chain::{EVENT_TYPE, ID_ATTRIBUTE, TxCode};
use aardvark_dictionary::{Reason, TransactionId};

use crate::rpc::{Problem, RpcClient, RpcError};

/// How long between two looks.
const PAUSE: Duration = Duration::from_millis(200);

/// How long nodes may be behind the archive that made the claims.
const CATCH_UP: Duration = Duration::from_secs(10);

/// What a node says when it has a transaction already.
const KNOWN_ALREADY: &str = "tx already exists in cache";

/// A transaction in a block, as a node says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// The block's height.
    pub height: u64,
    /// What became of it.
    pub code: u32,
    /// The node that says so.
    pub node: String,
    /// Prose, for people.
    pub log: String,
}

impl Receipt {
    /// Whether it was applied.
    #[must_use]
    pub fn is_applied(&self) -> bool {
        self.code == 0
    }
}

/// Why a transaction is in no block.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SubmitError {
    /// No node can be reached, or takes anything.
    #[error("no node took the transaction: {}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    NotTaken(Vec<RpcError>),
    /// A node refuses it.
    #[error("refused by {node}: {} ({log})", name(*.code))]
    Rejected {
        /// The node.
        node: String,
        /// Its code.
        code: u32,
        /// Its words.
        log: String,
    },
    /// Its last version has passed.
    #[error("in no block up to height {0}, after which it is not valid any more")]
    Expired(u64),
    /// Not there within the time given.
    #[error("not in a block within {} s; it is valid up to height {last_valid}", .waited.as_secs_f32())]
    NotYet {
        /// How long was waited.
        waited: Duration,
        /// The last height that may hold it.
        last_valid: u64,
    },
}

/// The name of a code, for people.
pub fn name(code: u32) -> String {
    TxCode::from_number(code).map_or_else(|| format!("code {code}"), |code| code.name().to_owned())
}

/// Gives a transaction to the first node that takes it, and returns that node. A node that refuses
/// it by its rules ends the search only when no other takes it. Claims are made at an archive's
/// newest version, which nodes may not have applied yet: while all that they say is `NotYetValid`
/// they are asked again, for ten seconds.
///
/// # Errors
/// [`SubmitError::Rejected`], [`SubmitError::NotTaken`].
pub fn broadcast(nodes: &[RpcClient], bytes: &[u8]) -> Result<RpcClient, SubmitError> {
    let end = Instant::now() + CATCH_UP;
    let early = TxCode::Rejected(Reason::NotYetValid).number();
    loop {
        match offer(nodes, bytes) {
            Err(SubmitError::Rejected { code, .. }) if code == early && Instant::now() < end => {
                std::thread::sleep(PAUSE)
            }
            outcome => return outcome,
        }
    }
}

/// Offers a transaction to each node once. That a node takes it for early is said only where no
/// other refuses it.
fn offer(nodes: &[RpcClient], bytes: &[u8]) -> Result<RpcClient, SubmitError> {
    let early = TxCode::Rejected(Reason::NotYetValid).number();
    let (mut failed, mut rejected) = (Vec::new(), Vec::new());
    for node in nodes {
        match node.broadcast_tx_sync(bytes) {
            Ok(result) if result.code == 0 => return Ok(node.clone()),
            Ok(result) => rejected.push((node.url().to_owned(), result.code, result.log)),
            Err(RpcError { problem: Problem::Refused { message, .. }, .. }) if message == KNOWN_ALREADY => {
                return Ok(node.clone());
            }
            Err(error) => failed.push(error),
        }
    }
    let first = rejected.iter().position(|(_, code, _)| *code != early).unwrap_or(0);
    match rejected.into_iter().nth(first) {
        Some((node, code, log)) => Err(SubmitError::Rejected { node, code, log }),
        None => Err(SubmitError::NotTaken(failed)),
    }
}

/// Waits until a node finds the transaction in a block.
///
/// # Errors
/// [`SubmitError::Expired`], [`SubmitError::NotYet`]; [`SubmitError::NotTaken`] where the node is
/// gone.
pub fn wait_for(
    node: &RpcClient,
    id: &TransactionId,
    last_valid: u64,
    patience: Duration,
) -> Result<Receipt, SubmitError> {
    let end = Instant::now() + patience;
    let mut refused = None;
    loop {
        // The height first: what is found nowhere after its last height was seen is nowhere.
        let height = node.status().map(|status| status.latest_height);
        match (find(node, id), height) {
            // A block that was refused as a whole says nothing of the transaction, which may come
            // in another one.
            (Ok(Some(receipt)), Ok(height))
                if receipt.code == TxCode::BlockRefused.number() && !is_past(height, last_valid) =>
            {
                refused = Some(receipt);
            }
            (Ok(Some(receipt)), _) => return Ok(receipt),
            (Ok(None), Ok(height)) if is_past(height, last_valid) => return Err(SubmitError::Expired(last_valid)),
            (Err(error), _) | (_, Err(error)) if Instant::now() >= end => {
                return Err(SubmitError::NotTaken(vec![error]));
            }
            _ => {}
        }
        if Instant::now() >= end {
            return refused.ok_or(SubmitError::NotYet { waited: patience, last_valid });
        }
        std::thread::sleep(PAUSE);
    }
}

/// Whether no block can come any more that holds what is good up to a version. The index follows
/// the blocks with a delay.
fn is_past(height: u64, last_valid: u64) -> bool {
    height > last_valid.saturating_add(2)
}

/// The block that applied a transaction, else the last one that holds it.
fn find(node: &RpcClient, id: &TransactionId) -> Result<Option<Receipt>, RpcError> {
    let found = node.tx_search(&format!("{EVENT_TYPE}.{ID_ATTRIBUTE}='{}'", hex::encode(id.0)))?;
    let best = found.into_iter().max_by_key(|found| (found.code == 0, found.height));
    Ok(best.map(|found| Receipt {
        height: found.height,
        code: found.code,
        node: node.url().to_owned(),
        log: found.log,
    }))
}

/// What nodes say became of a transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Whereabouts {
    /// A block applied it.
    Applied(Receipt),
    /// No block did that a node knows of, and one still may.
    MayCome,
    /// No block did, and none can.
    Gone,
}

/// Asks every node what became of a transaction. One that says it was applied is believed; that it
/// cannot be applied any more must be the word of every node that answers.
///
/// # Errors
/// [`SubmitError::NotTaken`] where no node answers.
pub fn whereabouts(nodes: &[RpcClient], id: &TransactionId, last_valid: u64) -> Result<Whereabouts, SubmitError> {
    let (mut failed, mut answers) = (Vec::new(), Vec::new());
    for node in nodes {
        // The height first, as above.
        let height = node.status().map(|status| status.latest_height);
        match (height, find(node, id)) {
            (_, Ok(Some(receipt))) if receipt.is_applied() => return Ok(Whereabouts::Applied(receipt)),
            (Ok(height), Ok(_)) => answers.push(is_past(height, last_valid)),
            (Err(error), _) | (_, Err(error)) => failed.push(error),
        }
    }
    match answers.as_slice() {
        [] => Err(SubmitError::NotTaken(failed)),
        answers if answers.iter().all(|is_past| *is_past) => Ok(Whereabouts::Gone),
        _ => Ok(Whereabouts::MayCome),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    use serde_json::{Value, json};

    use super::*;
    use crate::testing::Reply;
    use crate::testing::serve;

    const ID: TransactionId = TransactionId([0xab; 32]);
    /// For what has to come, on however busy a machine.
    const PATIENCE: Duration = Duration::from_secs(120);

    /// A node that answers by method.
    pub(crate) fn node(answer: impl Fn(&Value) -> Value + Send + Sync + 'static) -> RpcClient {
        let (server, client) = serve(move |request| {
            let asked = request.json();
            let mut body = answer(&asked);
            body["id"] = asked["id"].clone();
            Reply::Body(200, body.to_string().into_bytes())
        });
        std::mem::forget(server);
        client
    }

    fn takes(code: u32) -> RpcClient {
        node(move |_| json!({ "result": { "code": code, "log": "because" } }))
    }

    /// The answer about a node's newest height.
    pub(crate) fn status(height: u64) -> Value {
        let sync = json!({ "latest_block_height": height.to_string(), "latest_block_time": "2026-11-21T15:40:14.2Z",
            "earliest_block_height": "1", "catching_up": false });
        json!({ "result": { "node_info": { "network": "test", "version": "0" }, "sync_info": sync } })
    }

    /// The answer that a transaction stands in blocks: heights and codes.
    pub(crate) fn found(blocks: &[(u64, u32)]) -> Value {
        let one = |(height, code): &(u64, u32)| json!({ "height": height.to_string(), "index": 1, "tx_result": { "code": code, "log": "why" }, "tx": "" });
        json!({ "result": { "txs": blocks.iter().map(one).collect::<Vec<_>>() } })
    }

    /// A node at a height, in whose blocks no transaction stands.
    pub(crate) fn at(height: u64) -> RpcClient {
        node(move |asked| match asked["method"].as_str().unwrap() {
            "status" => status(height),
            _ => json!({ "result": { "txs": [] } }),
        })
    }

    #[test]
    fn a_transaction_goes_to_the_first_node_that_takes_it() {
        let gone = RpcClient::new("http://127.0.0.1:1", crate::testing::options()).unwrap();
        let (good, bad) = (takes(0), takes(5));
        let to = |nodes: &[&RpcClient]| {
            let nodes: Vec<RpcClient> = nodes.iter().map(|node| (*node).clone()).collect();
            broadcast(&nodes, b"x").map(|node| node.url().to_owned())
        };
        assert_eq!(to(&[&gone, &bad, &good]).unwrap(), good.url());
        let error = to(&[&gone, &bad]).unwrap_err();
        assert!(matches!(&error, SubmitError::Rejected { node, code: 5, .. } if node == bad.url()));
        assert!(error.to_string().contains("SignatureFalse"), "{error}");
        assert!(matches!(to(&[&gone]), Err(SubmitError::NotTaken(errors)) if errors.len() == 1));
        let known =
            node(|_| json!({ "error": { "code": -32603, "message": "Internal error", "data": KNOWN_ALREADY } }));
        assert_eq!(to(&[&known]).unwrap(), known.url());
        let full =
            node(|_| json!({ "error": { "code": -32603, "message": "Internal error", "data": "mempool is full" } }));
        assert!(matches!(to(&[&full]), Err(SubmitError::NotTaken(_))));
    }

    #[test]
    fn a_node_that_is_behind_the_archive_is_asked_again_and_another_refusal_is_not_waited_for() {
        let early = TxCode::Rejected(Reason::NotYetValid).number();
        let asked = AtomicU64::new(0);
        let behind = node(move |_| {
            let code = if asked.fetch_add(1, Ordering::Relaxed) < 2 { early } else { 0 };
            json!({ "result": { "code": code, "log": "because" } })
        });
        assert_eq!(broadcast(std::slice::from_ref(&behind), b"x").unwrap().url(), behind.url());
        let offers = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&offers);
        let always_behind = node(move |_| {
            counted.fetch_add(1, Ordering::Relaxed);
            json!({ "result": { "code": early, "log": "because" } })
        });
        let error = broadcast(&[always_behind, takes(5)], b"x").unwrap_err();
        assert!(matches!(error, SubmitError::Rejected { code: 5, .. }), "{error}");
        assert_eq!(offers.load(Ordering::Relaxed), 1, "a refusal for another reason is final");
    }

    #[test]
    fn inclusion_is_found_by_the_transaction_s_id() {
        let rounds = AtomicU64::new(0);
        let node = node(move |asked| match asked["method"].as_str().unwrap() {
            "status" => status(5),
            _ => {
                assert_eq!(asked["params"]["query"], format!("aardvark.id='{}'", "ab".repeat(32)));
                let nothing = json!({ "result": { "txs": [] } });
                if rounds.fetch_add(1, Ordering::Relaxed) < 2 { nothing } else { found(&[(6, 108)]) }
            }
        });
        let receipt = wait_for(&node, &ID, 10, PATIENCE).unwrap();
        assert_eq!((receipt.height, receipt.code, receipt.is_applied()), (6, 108, false));
    }

    #[test]
    fn a_transaction_of_a_refused_block_is_waited_for_and_the_block_that_applied_it_counts() {
        let in_blocks = |blocks: &'static [(u64, u32)]| {
            node(move |asked| match asked["method"].as_str().unwrap() {
                "status" => status(8),
                _ => found(blocks),
            })
        };
        let refused = TxCode::BlockRefused.number();
        assert_eq!(wait_for(&in_blocks(&[(6, 10), (7, 0)]), &ID, 10, PATIENCE).unwrap().height, 7);
        let end = wait_for(&in_blocks(&[(6, 10)]), &ID, 10, Duration::from_millis(300)).unwrap();
        assert_eq!((end.height, end.code), (6, refused));
    }

    #[test]
    fn what_is_in_no_block_by_its_last_height_has_expired_and_nobody_waits_for_ever() {
        assert_eq!(wait_for(&at(13), &ID, 10, PATIENCE), Err(SubmitError::Expired(10)));
        let late = wait_for(&at(12), &ID, 10, Duration::from_millis(300));
        assert!(matches!(late, Err(SubmitError::NotYet { last_valid: 10, .. })));
        let gone = RpcClient::new("http://127.0.0.1:1", crate::testing::options()).unwrap();
        assert!(matches!(wait_for(&gone, &ID, 10, Duration::ZERO), Err(SubmitError::NotTaken(_))));
    }
}

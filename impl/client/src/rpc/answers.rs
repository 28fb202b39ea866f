//! Answers of CometBFT's JSON-RPC: the fields that are used.

use serde::{Deserialize, Serialize};
use tendermint::block::Header;
use tendermint::block::signed_header::SignedHeader;
use tendermint::{Hash, Time, merkle, validator};
use tendermint_proto::serializers::bytes::base64string;
use tendermint_proto::serializers::from_str;

use super::limits::{FOUND, PAGE, at_most, transactions};

/// A request of JSON-RPC 2.0.
#[derive(Serialize)]
pub(super) struct Request<P> {
    pub jsonrpc: &'static str,
    pub id: u64,
    pub method: &'static str,
    pub params: P,
}

/// An answer of JSON-RPC 2.0.
#[derive(Deserialize)]
pub(super) struct Response<T> {
    pub id: serde_json::Number,
    #[serde(default = "none")]
    pub result: Option<T>,
    pub error: Option<ErrorObject>,
}

fn none<T>() -> Option<T> {
    None
}

#[derive(Deserialize)]
pub(super) struct ErrorObject {
    pub code: i64,
    pub message: String,
    #[serde(default)]
    pub data: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct QueryJson {
    pub response: QueryAnswerJson,
}

#[derive(Deserialize)]
pub(super) struct QueryAnswerJson {
    #[serde(default)]
    pub code: u32,
    #[serde(default)]
    pub log: String,
    /// CometBFT writes null where there is none.
    #[serde(default)]
    pub value: Option<Base64>,
}

#[derive(Deserialize)]
pub(super) struct Base64(#[serde(with = "base64string")] pub Vec<u8>);

/// What a node says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeStatus {
    /// The chain's id.
    pub chain_id: String,
    /// The node's version of CometBFT.
    pub version: String,
    /// The newest height that it has.
    pub latest_height: u64,
    /// The time of that block.
    pub latest_time: Time,
    /// The oldest height that it still has.
    pub earliest_height: u64,
    /// Whether it is still behind.
    pub catching_up: bool,
}

#[derive(Deserialize)]
pub(super) struct StatusJson {
    node_info: NodeInfoJson,
    sync_info: SyncInfoJson,
}

#[derive(Deserialize)]
struct NodeInfoJson {
    network: String,
    version: String,
}

#[derive(Deserialize)]
struct SyncInfoJson {
    #[serde(with = "from_str")]
    latest_block_height: u64,
    latest_block_time: Time,
    #[serde(with = "from_str")]
    earliest_block_height: u64,
    catching_up: bool,
}

impl From<StatusJson> for NodeStatus {
    fn from(StatusJson { node_info, sync_info }: StatusJson) -> Self {
        Self {
            chain_id: node_info.network,
            version: node_info.version,
            latest_height: sync_info.latest_block_height,
            latest_time: sync_info.latest_block_time,
            earliest_height: sync_info.earliest_block_height,
            catching_up: sync_info.catching_up,
        }
    }
}

#[derive(Deserialize)]
pub(super) struct CommitJson {
    pub signed_header: SignedHeader,
}

#[derive(Deserialize)]
pub(super) struct ValidatorsJson {
    #[serde(with = "from_str")]
    pub block_height: u64,
    #[serde(deserialize_with = "at_most::<_, _, PAGE>")]
    pub validators: Vec<validator::Info>,
    #[serde(with = "from_str")]
    pub total: usize,
}

/// A block: its header and its transactions, without evidence and the last commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The header, as the node gives it: believed for nothing before its hash is.
    pub header: Header,
    /// The transactions' bytes, in order.
    pub transactions: Vec<Vec<u8>>,
}

impl Block {
    /// Whether the transactions are those that the header's `data_hash` stands for.
    #[must_use]
    pub fn has_the_transactions_of_its_header(&self) -> bool {
        use sha2::{Digest as _, Sha256};
        let digests: Vec<[u8; 32]> = self.transactions.iter().map(|bytes| Sha256::digest(bytes).into()).collect();
        let root = merkle::simple_hash_from_byte_vectors::<tendermint::crypto::default::Sha256>(&digests);
        self.header.data_hash == Some(Hash::Sha256(root))
    }
}

#[derive(Deserialize)]
pub(super) struct BlockAnswerJson {
    pub block: BlockJson,
}

#[derive(Deserialize)]
pub(super) struct BlockJson {
    header: Header,
    data: DataJson,
}

#[derive(Deserialize)]
struct DataJson {
    #[serde(deserialize_with = "transactions")]
    txs: Vec<Vec<u8>>,
}

impl From<BlockJson> for Block {
    fn from(BlockJson { header, data }: BlockJson) -> Self {
        Self { header, transactions: data.txs }
    }
}

/// What CheckTx said of a submitted transaction.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct BroadcastResult {
    /// The result code; 0 is good.
    pub code: u32,
    /// Prose, for people.
    #[serde(default)]
    pub log: String,
}

/// A transaction that a node's index knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundTransaction {
    /// Its block.
    pub height: u64,
    /// Its place in the block's list.
    pub index: u32,
    /// The result code; 0 is applied.
    pub code: u32,
    /// Prose, for people.
    pub log: String,
    /// Its bytes in the block.
    pub bytes: Vec<u8>,
}

#[derive(Deserialize)]
pub(super) struct TxSearchJson {
    #[serde(deserialize_with = "at_most::<_, _, FOUND>")]
    pub txs: Vec<FoundJson>,
}

#[derive(Deserialize)]
pub(super) struct FoundJson {
    #[serde(with = "from_str")]
    height: u64,
    index: u32,
    tx_result: BroadcastResult,
    #[serde(with = "base64string")]
    tx: Vec<u8>,
}

impl From<FoundJson> for FoundTransaction {
    fn from(found: FoundJson) -> Self {
        let BroadcastResult { code, log } = found.tx_result;
        Self { height: found.height, index: found.index, code, log, bytes: found.tx }
    }
}

#[derive(Deserialize)]
pub(super) struct GenesisChunkJson {
    #[serde(with = "from_str")]
    pub chunk: u64,
    #[serde(with = "from_str")]
    pub total: u64,
    #[serde(with = "base64string")]
    pub data: Vec<u8>,
}

/// Bytes as a parameter: base64.
#[derive(Serialize)]
pub(super) struct TxParams<'a> {
    #[serde(serialize_with = "base64string::serialize")]
    pub tx: &'a [u8],
}

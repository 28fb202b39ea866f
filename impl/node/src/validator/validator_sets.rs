//! Which validators decide, on a chain with a council: the part of the state beside the dictionary.
//!
//! ```text
//! block H: misbehavior --> without the guilty --> the change of its list --> set after H
//!             set after H --> app hash, behind the root
//!                         --> validator_updates, which decide from H + 2 on
//! ```
//!
//! Evidence comes first, so that a change which was signed before its signers could see it is stale
//! ([`ValidatorSet::after`]). A change that breaks a rule has a code and no effect, and leaves the
//! rest of its block as it is; ProcessProposal refuses a block with one all the same. What is
//! decided here follows from the block and the set alone, so that validators that replay or come
//! from a snapshot, which has the set, decide the same.

use std::collections::BTreeMap;

use aardvark_chain::validator_change::{SignedChange, split_change};
use aardvark_chain::{Council, TxCode, ValidatorSet};
use aardvark_client::light::GenesisValidators;
use aardvark_dictionary::DictionaryId;
use prost::bytes::Bytes;
use sha2::{Digest as _, Sha256};
use tendermint_proto::v0_38::abci::{ExecTxResult, Misbehavior, ResponseCheckTx, ValidatorUpdate};
use tendermint_proto::v0_38::crypto::{PublicKey, public_key::Sum};

use crate::validator::chain::Chain;
use crate::validator::results::CODESPACE;

/// Bytes of a validator's address: the first of its key's SHA-256.
const ADDRESS_BYTES: usize = 20;

/// What a block makes of the validators.
pub(super) struct Decided<'a> {
    /// The set after it; nothing on a chain without a council.
    pub(super) set: Option<ValidatorSet>,
    /// What became of the change that the list begins with.
    pub(super) code: Option<TxCode>,
    /// The list behind it: the block of the dictionary.
    pub(super) rest: &'a [Bytes],
}

impl Decided<'_> {
    /// Whether an honest proposer's list can be so.
    pub(super) fn is_in_order(&self) -> bool {
        self.code.is_none_or(|code| code == TxCode::Applied)
    }

    /// The change's result, the first of the block's.
    pub(super) fn result(&self) -> Option<ExecTxResult> {
        self.code.map(|code| {
            let (codespace, log) = said(code);
            ExecTxResult { code: code.number(), codespace, log, ..ExecTxResult::default() }
        })
    }
}

/// What a height's evidence and list make of the validators before it.
pub(super) fn decide<'a>(
    chain: &Chain,
    before: Option<&ValidatorSet>,
    misbehavior: &[Misbehavior],
    txs: &'a [Bytes],
    height: u64,
) -> Decided<'a> {
    let (Some(council), Some(before)) = (&chain.council, before) else {
        return Decided { set: None, code: None, rest: txs };
    };
    let (change, rest) = split_change(Some(council), txs);
    let innocent = before.without(|key| misbehavior.iter().any(|evidence| is_about(evidence, key)), height);
    if innocent != *before {
        tracing::warn!(height, left = innocent.powers().len(), "evidence removes validators that misbehaved");
    }
    let changed = change.map(|bytes| judge_change(council, &chain.dictionary, &innocent, bytes, height));
    let code = changed.as_ref().map(|changed| changed.as_ref().err().copied().unwrap_or(TxCode::Applied));
    let set = changed.and_then(Result::ok).unwrap_or(innocent);
    Decided { set: Some(set), code, rest }
}

/// Of the bytes that wait, the first change that a block of this height can begin with.
pub(super) fn proposed_change(
    chain: &Chain,
    before: Option<&ValidatorSet>,
    misbehavior: &[Misbehavior],
    txs: &[Bytes],
    height: u64,
) -> Option<Bytes> {
    let is_made = |tx: &&Bytes| {
        let decided = decide(chain, before, misbehavior, std::slice::from_ref(*tx), height);
        decided.code == Some(TxCode::Applied)
    };
    txs.iter().find(is_made).cloned()
}

/// CheckTx for a change: whether the next block could make it.
pub(super) fn check_change(council: &Council, chain: &Chain, set: &ValidatorSet, bytes: &[u8]) -> ResponseCheckTx {
    // Which height the block has makes no difference to whether it may.
    let code = judge_change(council, &chain.dictionary, set, bytes, 0).err().unwrap_or(TxCode::Applied);
    let (codespace, log) = said(code);
    ResponseCheckTx { code: code.number(), codespace, log, ..ResponseCheckTx::default() }
}

/// What CometBFT is told of the way from one set to the other.
pub(super) fn updates(before: Option<&ValidatorSet>, after: Option<&ValidatorSet>) -> Vec<ValidatorUpdate> {
    let (Some(before), Some(after)) = (before, after) else { return Vec::new() };
    let update = |(key, power): ([u8; 32], u64)| ValidatorUpdate {
        pub_key: Some(PublicKey { sum: Some(Sum::Ed25519(key.to_vec())) }),
        // A permitted set has less than 2^63.
        power: i64::try_from(power).unwrap_or(i64::MAX),
    };
    before.updates_to(after).into_iter().map(update).collect()
}

/// Voting powers by public key, as CometBFT says them at the chain's beginning.
pub(super) fn powers_of(validators: &[ValidatorUpdate]) -> Option<BTreeMap<[u8; 32], u64>> {
    let entry = |update: &ValidatorUpdate| match update.pub_key.as_ref()?.sum.as_ref()? {
        Sum::Ed25519(key) => Some((<[u8; 32]>::try_from(key.as_slice()).ok()?, u64::try_from(update.power).ok()?)),
        Sum::Secp256k1(_) => None,
    };
    validators.iter().map(entry).collect()
}

/// The validators of genesis.json, on a chain with a council.
///
/// # Errors
/// What is wrong with them.
pub(super) fn of_genesis(council: Option<&Council>, genesis: &[u8]) -> Result<Option<ValidatorSet>, String> {
    if council.is_none() {
        return Ok(None);
    }
    let listed = GenesisValidators::from_genesis_file(genesis).map_err(|error| error.to_string())?;
    let powers = listed.powers().ok_or_else(|| "a key that is not ed25519, or stands twice".to_owned())?;
    ValidatorSet::first(powers).map(Some).map_err(|code| code.to_string())
}

fn judge_change(
    council: &Council,
    dictionary: &DictionaryId,
    set: &ValidatorSet,
    bytes: &[u8],
    height: u64,
) -> Result<ValidatorSet, TxCode> {
    let change = SignedChange::decode(bytes).map_err(|_| TxCode::Malformed)?;
    let after = set.after(council, &change, height)?;
    if change.is_signed(dictionary, council) { Ok(after) } else { Err(TxCode::SignatureFalse) }
}

/// Whether evidence is about the validator with this key.
fn is_about(evidence: &Misbehavior, key: &[u8; 32]) -> bool {
    let address = evidence.validator.as_ref().map(|validator| validator.address.as_ref());
    address.is_some_and(|address| Sha256::digest(key).get(..ADDRESS_BYTES) == Some(address))
}

fn said(code: TxCode) -> (String, String) {
    match code {
        TxCode::Applied => Default::default(),
        refused => (CODESPACE.to_owned(), refused.to_string()),
    }
}

//! Received bytes on all sides, from the decoder to the state after them.
//!
//! The specification's functions take, beside the bytes, what the curve says of them. It is
//! computed here from what the specification decodes: the meaning of each point and opening
//! ([`crate::points`]), and the encodings of the claims. The implementation goes the way of its
//! processes: the decoder, then the validator, or for imports the whole array.

use std::sync::Arc;

use aardvark_chain::{ChainBlock, SignedTransaction};
use aardvark_dictionary::array::WholeArray;
use aardvark_dictionary::import::import;
use aardvark_dictionary::state_bytes::decode_state;
use aardvark_dictionary::{AggregatedBlock, Block, Effects, ImportBlock, Rejection, Validator};
use aardvark_oracle::{
    ReceivedRequest, specified_received, specified_received_import, specified_received_snapshot,
    specified_received_transaction,
};
use aardvark_spec::base::bytes::ByteString;
use aardvark_spec::block::aggregated_block::unopened_claims;
use aardvark_spec::block::drawn_block::ClaimEncoding;
use aardvark_spec::block::import::ImportRejection;
use aardvark_spec::block::state::ValidatorState;
use aardvark_spec::block::validator as spec_validator;
use aardvark_spec::commitment::opening::Opening;
use aardvark_spec::convert::{byte_vec, to_seq, to_vec};
use aardvark_spec::decoding::aggregated_decoder::{ReceivedAggregated, decode_aggregated};
use aardvark_spec::decoding::applied_bytes::{
    BytesRejection, ImportBytesRejection, apply_aggregated_bytes, apply_block_bytes, apply_chain_list,
    apply_import_bytes, chain_aggregated, meant_aggregated,
};
use aardvark_spec::decoding::block_decoder::{ReceivedBlock, decode_block};
use aardvark_spec::decoding::chain_decoder::decode_chain_block;
use aardvark_spec::decoding::checked_bytes::{
    SignedBytesRejection, SnapshotRejection, accept_snapshot, check_signed_bytes,
};
use aardvark_spec::decoding::signed_decoder::decode_signed;
use aardvark_spec::decoding::transaction_decoder::{ReceivedClaim, ReceivedTransaction};
use hacspec_lib::Seq;

use crate::aggregated::{claim_encodings, same_outcome};
use crate::compare::{Mismatch, same};
use crate::convert::{Refusal, bytes_to_spec, number_to_spec, opening_to_spec};
use crate::decoders::{chain_reason_name, reason_name};
use crate::imports;
use crate::pair::{Pair, spec_array};

/// What all sides say of bytes: that they are applied, or the name of the reason why not.
pub type Verdict = Result<(), String>;

/// What the specification made of the bytes of a block.
type Specified = Result<(ValidatorState, spec_validator::Effects), BytesRejection>;

/// The list of a chain's block of a height, on all sides.
///
/// # Errors
/// Where they differ.
pub fn judge_list(pair: &Pair, height: u64, txs: &[Vec<u8>]) -> Result<Verdict, Mismatch> {
    let list = to_seq(txs.iter().map(|tx| bytes_to_spec(tx)).collect());
    let spec_height = number_to_spec(height);
    let decoded = decode_chain_block(spec_height, &list, &pair.state.parameters);
    let (meanings, claims_encoded) = curve(pair, decoded.ok().map(|block| chain_aggregated(&block)).as_ref());
    let setup = &pair.archive.setting().setup;
    let specified = apply_chain_list(setup, &pair.state, spec_height, &list, &meanings, &claims_encoded);
    let (meanings, claims_encoded) = (&meanings, &claims_encoded);
    ask(pair, &ReceivedRequest::List { height: spec_height, txs: &list, meanings, claims_encoded }, &specified)?;
    let decoded = ChainBlock::from_txs(height, txs, pair.validator.parameters());
    let decoded = decoded.map_err(|error| chain_reason_name(&error));
    same_verdict(pair, specified, decoded, |validator, block| validator.apply_aggregated(&block.aggregated))
}

/// The bytes of an aggregated block, on all sides.
///
/// # Errors
/// Where they differ.
pub fn judge_aggregated(pair: &Pair, bytes: &[u8]) -> Result<Verdict, Mismatch> {
    let received = bytes_to_spec(bytes);
    let decoded = decode_aggregated(&received, &pair.state.parameters);
    let (meanings, claims_encoded) = curve(pair, decoded.ok().as_ref());
    let setup = &pair.archive.setting().setup;
    let specified = apply_aggregated_bytes(setup, &pair.state, &received, &meanings, &claims_encoded);
    let (meanings, claims_encoded) = (&meanings, &claims_encoded);
    ask(pair, &ReceivedRequest::Aggregated { bytes: &received, meanings, claims_encoded }, &specified)?;
    let decoded = AggregatedBlock::decode(bytes, pair.validator.parameters()).map_err(|error| reason_name(&error));
    same_verdict(pair, specified, decoded, Validator::apply_aggregated)
}

/// The bytes of a block with openings, on all sides.
///
/// # Errors
/// Where they differ.
pub fn judge_block(pair: &Pair, bytes: &[u8]) -> Result<Verdict, Mismatch> {
    let received = bytes_to_spec(bytes);
    let meanings = match decode_block(&received, &pair.state.parameters) {
        Ok(block) => openings(pair, &block),
        Err(_) => Seq::new(0),
    };
    let specified = apply_block_bytes(&pair.archive.setting().setup, &pair.state, &received, &meanings);
    ask(pair, &ReceivedRequest::Block { bytes: &received, meanings: &meanings }, &specified)?;
    let decoded = Block::decode(bytes, pair.validator.parameters()).map_err(|error| reason_name(&error));
    same_verdict(pair, specified, decoded, Validator::apply)
}

/// The bytes of an import block, on all sides. An archive that replays its log compares a block's
/// version with the next before it imports it.
///
/// # Errors
/// Where they differ.
pub fn judge_import(pair: &Pair, bytes: &[u8]) -> Result<Verdict, Mismatch> {
    let received = bytes_to_spec(bytes);
    let now = spec_array(pair.archive.now());
    let specified = apply_import_bytes(&pair.archive.setting().setup, &pair.state, &now, &received);
    if let Some(third) = &pair.third {
        let asked = ReceivedRequest::Import { array: &now, bytes: &received };
        third.received(&asked, &specified_received_import(&specified))?;
    }
    let decoded = ImportBlock::decode(bytes).map_err(|error| reason_name(&error));
    let specified = match specified {
        Err(ImportBytesRejection::UnreadableImport(why)) => {
            same("why bytes are no import", Err(format!("{why:?}")), decoded.map(|_| ()))?;
            return Ok(Err(format!("{why:?}")));
        }
        Err(ImportBytesRejection::RefusedImport(rejection)) => Err(rejection),
        Ok(imported) => Ok(imported),
    };
    let block = decoded.map_err(|name| format!("the specification reads an import, the implementation says {name}"))?;
    let verdict = specified.as_ref().map(|_| ()).map_err(|rejection| {
        let text = format!("{rejection:?}");
        text.split('(').next().unwrap_or_default().to_owned()
    });
    if block.version != pair.archive.version() + 1 {
        let refused = matches!(specified, Err(ImportRejection::ImportWrongVersion));
        same("refusal of an import for another version", refused, true)?;
        return Ok(verdict);
    }
    let array: WholeArray = pair.archive.now().iter().cloned().collect();
    let implemented = import(&array, &block, &pair.archive.setting().parameters);
    imports::same_outcome(&now, &block, specified, &array, implemented)?;
    Ok(verdict)
}

/// The bytes of a signed transaction, as a mempool is asked, on all sides. Signatures are not
/// looked at.
///
/// # Errors
/// Where they differ.
pub fn judge_transaction(pair: &Pair, bytes: &[u8]) -> Result<Verdict, Mismatch> {
    let received = bytes_to_spec(bytes);
    let meanings = match decode_signed(&received, &pair.state.parameters) {
        Ok(signed) => openings_of(pair, &signed.signed_transaction),
        Err(_) => Seq::new(0),
    };
    let specified = check_signed_bytes(&pair.archive.setting().setup, &pair.state, &received, &meanings);
    if let Some(third) = &pair.third {
        let asked = ReceivedRequest::Transaction { bytes: &received, meanings: &meanings };
        third.received(&asked, &specified_received_transaction(&specified))?;
    }
    let decoded = SignedTransaction::decode(bytes, &pair.validator.parameters().limits);
    let decoded = decoded.map_err(|error| reason_name(&error));
    let specified = match specified {
        Err(SignedBytesRejection::UnreadableTransaction(why)) => {
            same("why bytes are no signed transaction", Err(format!("{why:?}")), decoded.map(|_| ()))?;
            return Ok(Err(format!("{why:?}")));
        }
        Err(SignedBytesRejection::RefusedTransaction(rejection)) => Err(Refusal::from(rejection)),
        Ok(_) => Ok(()),
    };
    let signed = decoded.map_err(|name| format!("the specification reads it, the implementation says {name}"))?;
    let implemented = pair.validator.check(&signed.transaction).map_err(|rejection| Refusal::from(&rejection));
    // The specification counts a lone transaction as number 0; to the implementation it has none.
    let alone = |refusal: Refusal| Refusal { transaction: None, ..refusal };
    let specified = specified.map_err(alone);
    same("check of received bytes", &specified, &implemented.map_err(alone))?;
    Ok(specified.map_err(|refusal| refusal.reason))
}

/// The bytes of a snapshot under the root of the present state, on all sides. The implementation
/// looks at more than the root needs, in another order, so that its reason may be another.
///
/// # Errors
/// Where they differ.
pub fn judge_snapshot(pair: &Pair, bytes: &[u8]) -> Result<Verdict, Mismatch> {
    let (received, root) = (bytes_to_spec(bytes), pair.validator.root());
    let (dictionary, certified) = (&pair.state.dictionary_id, &bytes_to_spec(&root));
    let vector_size = pair.state.parameters.vector_size;
    let specified = accept_snapshot(dictionary, vector_size, certified, &received);
    if let Some(third) = &pair.third {
        let asked = ReceivedRequest::Snapshot { dictionary, vector_size, certified, bytes: &received };
        third.received(&asked, &specified_received_snapshot(&specified))?;
    }
    let setting = pair.archive.setting();
    let (parameters, id) = (setting.parameters.clone(), *pair.validator.id());
    let restored = decode_state(bytes).ok();
    let restored =
        restored.and_then(|state| Validator::from_state(parameters, id, Arc::clone(&setting.scheme), state).ok());
    let restored = restored.filter(|validator| validator.root() == root);
    same("whether a snapshot is accepted", specified.is_ok(), restored.is_some())?;
    if let Some(validator) = restored {
        same("the state of an accepted snapshot", validator.state() == pair.validator.state(), true)?;
    }
    Ok(specified.map(|_| ()).map_err(|rejection| match rejection {
        SnapshotRejection::UnreadableSnapshot(why) => format!("{why:?}"),
        other => format!("{other:?}"),
    }))
}

/// What the curve says of an aggregated block that was decoded: its points, and the encodings of
/// its claims.
fn curve(pair: &Pair, received: Option<&ReceivedAggregated>) -> (Seq<Opening>, Seq<ClaimEncoding>) {
    let Some(received) = received else {
        return (Seq::new(0), Seq::new(0));
    };
    let meanings = to_seq(to_vec(&received.received_points).iter().map(|point| meaning(pair, point)).collect());
    let claims = unopened_claims(&pair.state, &meant_aggregated(received, &meanings).plain_block);
    let claims = claims.map(|claims| to_vec(&claims)).unwrap_or_default();
    (meanings, claim_encodings(pair, &claims))
}

/// What the openings of a block are, for each of its transactions.
fn openings(pair: &Pair, received: &ReceivedBlock) -> Seq<Seq<Opening>> {
    to_seq(to_vec(&received.received_transactions).iter().map(|tx| openings_of(pair, tx)).collect())
}

/// What the openings of a transaction are.
fn openings_of(pair: &Pair, received: &ReceivedTransaction) -> Seq<Opening> {
    let of_claim = |claim: &ReceivedClaim| meaning(pair, &claim.received_opening);
    to_seq(to_vec(&received.received_claims).iter().map(of_claim).collect())
}

fn meaning(pair: &Pair, bytes: &ByteString) -> Opening {
    let bytes = byte_vec(bytes).try_into().expect("the specification reads 48 bytes");
    opening_to_spec(pair.archive.points.meaning(&bytes))
}

fn ask(pair: &Pair, asked: &ReceivedRequest<'_>, specified: &Specified) -> Result<(), Mismatch> {
    match &pair.third {
        Some(third) => third.received(asked, &specified_received(specified)),
        None => Ok(()),
    }
}

/// Compares what the specification made of bytes with what the implementation decoded, and then
/// applied.
fn same_verdict<B>(
    pair: &Pair,
    specified: Specified,
    decoded: Result<B, String>,
    apply: impl FnOnce(&mut Validator, &B) -> Result<Effects, Rejection>,
) -> Result<Verdict, Mismatch> {
    let specified = match specified {
        Err(BytesRejection::UnreadableBlock(why)) => {
            same("why bytes are no block", Err(format!("{why:?}")), decoded.map(|_| ()))?;
            return Ok(Err(format!("{why:?}")));
        }
        Err(BytesRejection::RefusedBlock(rejection)) => Err(rejection),
        Ok(applied) => Ok(applied),
    };
    let block = decoded.map_err(|name| format!("the specification reads a block, the implementation says {name}"))?;
    let mut validator = pair.validator.clone();
    let implemented = apply(&mut validator, &block);
    let judgement = same_outcome(pair, specified, validator, implemented)?;
    Ok(judgement.map(|_| ()).map_err(|refusal| refusal.reason))
}

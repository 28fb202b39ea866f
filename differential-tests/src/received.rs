//! Received bytes on all sides, from the decoder to the state after them.
//!
//! The specification's functions take, beside the bytes, what the curve says of them. It is
//! computed here from what the specification decodes: the meaning of each point and opening
//! ([`crate::points`]), and the encodings of the claims. The implementation goes the way of its
//! processes: the decoder, then the validator, or for imports the whole array.

use aardvark_chain::ChainBlock;
use aardvark_dictionary::array::WholeArray;
use aardvark_dictionary::import::import;
use aardvark_dictionary::{AggregatedBlock, Block, Effects, ImportBlock, Rejection, Validator};
use aardvark_oracle::{ReceivedRequest, specified_received, specified_received_import};
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
use aardvark_spec::decoding::transaction_decoder::ReceivedClaim;
use hacspec_lib::Seq;

use crate::aggregated::{claim_encodings, same_outcome};
use crate::compare::{Mismatch, same};
use crate::convert::{bytes_to_spec, number_to_spec, opening_to_spec};
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
    let of_claim = |claim: &ReceivedClaim| meaning(pair, &claim.received_opening);
    let transactions = to_vec(&received.received_transactions);
    let of_each = transactions.iter().map(|tx| to_seq(to_vec(&tx.received_claims).iter().map(of_claim).collect()));
    to_seq(of_each.collect())
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

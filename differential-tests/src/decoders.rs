//! The decoders of both sides on one byte string: the same value, or the same reason; and the value
//! has these bytes and no others.

mod from_spec;

use aardvark_chain::{ChainBlock, ChainBlockError, SignedTransaction};
use aardvark_dictionary::codec::Reader;
use aardvark_dictionary::{AggregatedBlock, Block, DecodeError, Parameters, Transaction};
use aardvark_spec::base::bytes::ByteString;
use aardvark_spec::convert::{byte_vec, to_seq, to_vec};
use aardvark_spec::decoding::aggregated_decoder::{decode_aggregated, encode_aggregated};
use aardvark_spec::decoding::block_decoder::{decode_block, encode_block};
use aardvark_spec::decoding::chain_decoder::{decode_chain_block, encode_chain_block};
use aardvark_spec::decoding::decode_reason::DecodeReason;
use aardvark_spec::decoding::signed_decoder::{decode_signed, encode_signed};
use aardvark_spec::decoding::slot_decoder::decode_slot;
use aardvark_spec::decoding::transaction_decoder::{
    TRANSACTION_FORMAT, decode_claim, decode_transaction, encode_claim, encode_transaction,
};
use aardvark_spec::dictionary::slot::slot_bytes;

use crate::convert::{bytes_to_spec, number_to_spec, parameters_to_spec, slot_from_spec};

/// The specification's name of the reason, or that the bytes are an encoding.
pub type Verdict = Result<(), String>;

/// What both sides say of the bytes of a slot.
///
/// # Panics
/// Where they differ, or where the value has other bytes.
pub fn judge_slot(bytes: &[u8]) -> Verdict {
    let mut reader = Reader::new(bytes);
    let read = reader.slot().and_then(|slot| reader.finish().map(|()| slot));
    compared(bytes, read, &decode_slot(&bytes_to_spec(bytes)), slot_from_spec, slot_bytes)
}

/// What both sides say of the bytes of a claim, which the implementation reads in a transaction of
/// nothing else.
///
/// # Panics
/// As [`judge_slot`].
pub fn judge_claim(bytes: &[u8]) -> Verdict {
    let head = Transaction { first_valid: 0, last_valid: 0, nonce: [0; 16], operations: vec![], claims: vec![] };
    let mut whole = head.encode();
    whole.truncate(whole.len() - 2);
    whole.extend([0, 1]);
    whole.extend(bytes);
    let read = Transaction::decode(&whole).map(|transaction| transaction.claims);
    let specified = decode_claim(&bytes_to_spec(bytes));
    compared(bytes, read, &specified, |claim| vec![from_spec::claim(claim)], encode_claim)
}

/// What both sides say of the bytes of a transaction with openings.
///
/// # Panics
/// As [`judge_slot`].
pub fn judge_transaction(bytes: &[u8]) -> Verdict {
    let specified = decode_transaction(&bytes_to_spec(bytes));
    compared(bytes, Transaction::decode(bytes), &specified, from_spec::transaction, |transaction| {
        encode_transaction(transaction, TRANSACTION_FORMAT)
    })
}

/// What both sides say of the bytes of a block with openings.
///
/// # Panics
/// As [`judge_slot`].
pub fn judge_block(bytes: &[u8], parameters: &Parameters) -> Verdict {
    let specified = decode_block(&bytes_to_spec(bytes), &parameters_to_spec(parameters));
    compared(bytes, Block::decode(bytes, parameters), &specified, from_spec::block, encode_block)
}

/// What both sides say of the bytes of an aggregated block.
///
/// # Panics
/// As [`judge_slot`].
pub fn judge_aggregated(bytes: &[u8], parameters: &Parameters) -> Verdict {
    let specified = decode_aggregated(&bytes_to_spec(bytes), &parameters_to_spec(parameters));
    compared(bytes, AggregatedBlock::decode(bytes, parameters), &specified, from_spec::aggregated, encode_aggregated)
}

/// What both sides say of the bytes of a signed transaction with openings.
///
/// # Panics
/// As [`judge_slot`].
pub fn judge_signed(bytes: &[u8], parameters: &Parameters) -> Verdict {
    let specified = decode_signed(&bytes_to_spec(bytes), &parameters_to_spec(parameters));
    compared(bytes, SignedTransaction::decode(bytes, &parameters.limits), &specified, from_spec::signed, encode_signed)
}

/// What both sides say of the list of a chain's block.
///
/// # Panics
/// As [`judge_slot`].
pub fn judge_chain_block(version: u64, txs: &[Vec<u8>], parameters: &Parameters) -> Verdict {
    let list = to_seq(txs.iter().map(|tx| bytes_to_spec(tx)).collect());
    let specified = decode_chain_block(number_to_spec(version), &list, &parameters_to_spec(parameters));
    let read = ChainBlock::from_txs(version, txs, parameters).map_err(|error| chain_reason_name(&error));
    let expected = specified.as_ref().map(from_spec::chain_block).map_err(|reason| format!("{reason:?}"));
    assert_eq!(read, expected, "implementation and specification on {txs:?}");
    if let Ok(block) = &specified {
        let encoded: Vec<Vec<u8>> = to_vec(&encode_chain_block(block)).iter().map(byte_vec).collect();
        assert_eq!(encoded, txs, "two lists of {read:?}");
    }
    read.map(|_| ())
}

fn compared<T: PartialEq + std::fmt::Debug, S>(
    bytes: &[u8],
    read: Result<T, DecodeError>,
    specified: &Result<S, DecodeReason>,
    convert: impl Fn(&S) -> T,
    encode: impl Fn(&S) -> ByteString,
) -> Verdict {
    let read = read.map_err(|error| reason_name(&error));
    let expected = specified.as_ref().map(convert).map_err(|reason| format!("{reason:?}"));
    assert_eq!(read, expected, "implementation and specification on {}", hex::encode(bytes));
    if let Ok(value) = specified {
        assert_eq!(byte_vec(&encode(value)), bytes, "two encodings of {read:?}");
    }
    read.map(|_| ())
}

fn chain_reason_name(error: &ChainBlockError) -> String {
    match error {
        ChainBlockError::FrameAlone => "FrameAlone".to_owned(),
        ChainBlockError::NoFrame => "NoFrame".to_owned(),
        ChainBlockError::TooMany(_) => "ExcessTransactions".to_owned(),
        ChainBlockError::Decode(error) => reason_name(error),
        other => panic!("not a reason of bytes: {other}"),
    }
}

/// The specification's name for an error of the implementation.
fn reason_name(error: &DecodeError) -> String {
    let name = match error {
        DecodeError::Truncated { .. } => "Truncated",
        DecodeError::Trailing { .. } => "Trailing",
        DecodeError::Unknown { what: "operation", .. } => "UnknownOperation",
        DecodeError::Unknown { what, .. } if what.contains("format") => "UnknownFormat",
        DecodeError::Order { what: "signers", .. } => "UnorderedSigners",
        DecodeError::TooLong { .. } => "Oversized",
        DecodeError::TooMany { what: "transactions", .. } => "ExcessTransactions",
        DecodeError::TooMany { what: "operations", .. } => "ExcessOperations",
        DecodeError::TooMany { what: "claims", .. } => "ExcessClaims",
        DecodeError::TooMany { what: "tail vectors", .. } => "ExcessTailVectors",
        DecodeError::TooMany { what: "points", .. } => "ExcessPoints",
        other => panic!("the specification has no such reason: {other}"),
    };
    name.to_owned()
}

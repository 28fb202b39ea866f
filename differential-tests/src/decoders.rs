//! The decoders of all sides on one byte string: the same value, or the same reason; and the value
//! has these bytes and no others. The oracle is asked about one string in twenty-five, and whether
//! the specification stays away from every panic on it.

mod from_spec;

use std::cell::Cell;

use aardvark_chain::{ChainBlock, ChainBlockError, SignedTransaction};
use aardvark_dictionary::codec::Reader;
use aardvark_dictionary::state_bytes::{StateBytesError, decode_state, read_window_entry};
use aardvark_dictionary::{AggregatedBlock, Block, DecodeError, ImportBlock, Parameters, Transaction};
use aardvark_oracle::DecodeRequest;
use aardvark_spec::base::bytes::ByteString;
use aardvark_spec::block::root::record_bytes;
use aardvark_spec::convert::{byte_vec, to_seq, to_vec};
use aardvark_spec::decoding::aggregated_decoder::{decode_aggregated, encode_aggregated};
use aardvark_spec::decoding::block_decoder::{decode_block, encode_block};
use aardvark_spec::decoding::chain_decoder::{decode_chain_block, encode_chain_block};
use aardvark_spec::decoding::decode_reason::DecodeReason;
use aardvark_spec::decoding::import_decoder::{decode_import, encode_import};
use aardvark_spec::decoding::record_decoder::decode_record;
use aardvark_spec::decoding::signed_decoder::{decode_signed, encode_signed};
use aardvark_spec::decoding::slot_decoder::decode_slot;
use aardvark_spec::decoding::snapshot_decoder::{decode_snapshot, encode_snapshot};
use aardvark_spec::decoding::transaction_decoder::{
    TRANSACTION_FORMAT, decode_claim, decode_transaction, encode_claim, encode_transaction,
};
use aardvark_spec::dictionary::slot::slot_bytes;
use hacspec_lib::Seq;

use crate::convert::{bytes_to_spec, number_to_spec, parameters_to_spec, slot_from_spec};
use crate::oracle::decoders::decode;

/// The specification's name of the reason, or that the bytes are an encoding.
pub type Verdict = Result<(), String>;

/// One string in so many goes to the oracle too, which takes longer than both sides.
const ONE_IN: usize = 25;

/// What is read: the oracle's name of it, and under which parameters.
#[derive(Clone, Copy)]
struct Kind<'a>(&'static str, Option<&'a Parameters>);

/// What both sides say of the bytes of a slot.
///
/// # Panics
/// Where they differ, or where the value has other bytes.
pub fn judge_slot(bytes: &[u8]) -> Verdict {
    let mut reader = Reader::new(bytes);
    let read = reader.slot().and_then(|slot| reader.finish().map(|()| slot));
    compared(Kind("slot", None), bytes, read, &decode_slot(&bytes_to_spec(bytes)), slot_from_spec, slot_bytes)
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
    compared(Kind("claim", None), bytes, read, &specified, |claim| vec![from_spec::claim(claim)], encode_claim)
}

/// What both sides say of the bytes of a transaction with openings.
///
/// # Panics
/// As [`judge_slot`].
pub fn judge_transaction(bytes: &[u8]) -> Verdict {
    let specified = decode_transaction(&bytes_to_spec(bytes));
    compared(
        Kind("transaction", None),
        bytes,
        Transaction::decode(bytes),
        &specified,
        from_spec::transaction,
        |transaction| encode_transaction(transaction, TRANSACTION_FORMAT),
    )
}

/// What both sides say of the bytes of a block with openings.
///
/// # Panics
/// As [`judge_slot`].
pub fn judge_block(bytes: &[u8], parameters: &Parameters) -> Verdict {
    let specified = decode_block(&bytes_to_spec(bytes), &parameters_to_spec(parameters));
    compared(
        Kind("block", Some(parameters)),
        bytes,
        Block::decode(bytes, parameters),
        &specified,
        from_spec::block,
        encode_block,
    )
}

/// What both sides say of the bytes of an aggregated block.
///
/// # Panics
/// As [`judge_slot`].
pub fn judge_aggregated(bytes: &[u8], parameters: &Parameters) -> Verdict {
    let specified = decode_aggregated(&bytes_to_spec(bytes), &parameters_to_spec(parameters));
    compared(
        Kind("aggregated", Some(parameters)),
        bytes,
        AggregatedBlock::decode(bytes, parameters),
        &specified,
        from_spec::aggregated,
        encode_aggregated,
    )
}

/// What both sides say of the bytes of a signed transaction with openings.
///
/// # Panics
/// As [`judge_slot`].
pub fn judge_signed(bytes: &[u8], parameters: &Parameters) -> Verdict {
    let specified = decode_signed(&bytes_to_spec(bytes), &parameters_to_spec(parameters));
    compared(
        Kind("signed", Some(parameters)),
        bytes,
        SignedTransaction::decode(bytes, &parameters.limits),
        &specified,
        from_spec::signed,
        encode_signed,
    )
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
    let encoded = specified.map(|block| encode_chain_block(&block));
    if let Ok(encoded) = &encoded {
        let strings: Vec<Vec<u8>> = to_vec(encoded).iter().map(byte_vec).collect();
        assert_eq!(strings, txs, "two lists of {read:?}");
    }
    ask_the_oracle(Kind("chain", Some(parameters)), version, &list, &encoded);
    read.map(|_| ())
}

/// What both sides say of the bytes of a record of the window.
///
/// # Panics
/// As [`judge_slot`].
pub fn judge_record(bytes: &[u8]) -> Verdict {
    let mut reader = Reader::new(bytes);
    let read = read_window_entry(&mut reader).and_then(|record| Ok(reader.finish().map(|()| record)?));
    compared_but_for_points(
        Kind("record", None),
        bytes,
        read,
        &decode_record(&bytes_to_spec(bytes)),
        from_spec::record,
        record_bytes,
    )
}

/// What both sides say of the bytes of a snapshot.
///
/// # Panics
/// As [`judge_slot`].
pub fn judge_snapshot(bytes: &[u8]) -> Verdict {
    let specified = decode_snapshot(&bytes_to_spec(&[0; 32]), &bytes_to_spec(bytes));
    compared_but_for_points(
        Kind("snapshot", None),
        bytes,
        decode_state(bytes),
        &specified,
        from_spec::snapshot,
        encode_snapshot,
    )
}

/// What both sides say of the bytes of an import block.
///
/// # Panics
/// As [`judge_slot`].
pub fn judge_import(bytes: &[u8]) -> Verdict {
    let specified = decode_import(&bytes_to_spec(bytes));
    compared(Kind("import", None), bytes, ImportBlock::decode(bytes), &specified, from_spec::import, encode_import)
}

/// Which bytes are a point is for the implementation alone to say: it looks at each where it
/// stands, so that it may refuse what the specification reads, or refuses further on.
fn compared_but_for_points<T: PartialEq + std::fmt::Debug, S>(
    kind: Kind<'_>,
    bytes: &[u8],
    read: Result<T, StateBytesError>,
    specified: &Result<S, DecodeReason>,
    convert: impl Fn(&S) -> Option<T>,
    encode: impl Fn(&S) -> ByteString,
) -> Verdict {
    match read {
        Ok(value) => compared(kind, bytes, Ok(Some(value)), specified, convert, encode),
        Err(StateBytesError::Decode(error)) => compared(kind, bytes, Err(error), specified, convert, encode),
        Err(error) => {
            if let Ok(value) = specified {
                assert_eq!(convert(value), None, "{error}, and the specification has points only");
            }
            Err("NotAPoint".to_owned())
        }
    }
}

fn compared<T: PartialEq + std::fmt::Debug, S>(
    kind: Kind<'_>,
    bytes: &[u8],
    read: Result<T, DecodeError>,
    specified: &Result<S, DecodeReason>,
    convert: impl Fn(&S) -> T,
    encode: impl Fn(&S) -> ByteString,
) -> Verdict {
    let read = read.map_err(|error| reason_name(&error));
    let expected = specified.as_ref().map(convert).map_err(|reason| format!("{reason:?}"));
    assert_eq!(read, expected, "implementation and specification on {}", hex::encode(bytes));
    let encoded = specified.as_ref().map(encode).map_err(|reason| *reason);
    if let Ok(encoded) = &encoded {
        assert_eq!(byte_vec(encoded), bytes, "two encodings of {read:?}");
    }
    ask_the_oracle(kind, 0, &to_seq(vec![bytes_to_spec(bytes)]), &encoded.map(|encoded| to_seq(vec![encoded])));
    read.map(|_| ())
}

/// Asks the oracle too, now and then.
fn ask_the_oracle(
    kind: Kind<'_>,
    height: u64,
    strings: &Seq<ByteString>,
    specified: &Result<Seq<ByteString>, DecodeReason>,
) {
    thread_local! {
        static TURN: Cell<usize> = const { Cell::new(0) };
    }
    let turn = TURN.replace((TURN.get() + 1) % ONE_IN);
    if turn != 0 {
        return;
    }
    let Kind(kind, parameters) = kind;
    let parameters = parameters_to_spec(parameters.unwrap_or(&Parameters::default()));
    let asked = DecodeRequest { kind, parameters: &parameters, height: number_to_spec(height), strings };
    decode(&asked, specified).unwrap_or_else(|mismatch| panic!("{mismatch}"));
}

/// The specification's name for why a list is no block of a chain.
pub(crate) fn chain_reason_name(error: &ChainBlockError) -> String {
    match error {
        ChainBlockError::FrameAlone => "FrameAlone".to_owned(),
        ChainBlockError::NoFrame => "NoFrame".to_owned(),
        ChainBlockError::TooMany(_) => "ExcessTransactions".to_owned(),
        ChainBlockError::Decode(error) => reason_name(error),
        other => panic!("not a reason of bytes: {other}"),
    }
}

/// The specification's name for an error of the implementation.
pub(crate) fn reason_name(error: &DecodeError) -> String {
    let name = match error {
        DecodeError::Truncated { .. } => "Truncated",
        DecodeError::Trailing { .. } => "Trailing",
        DecodeError::Unknown { what: "operation", .. } => "UnknownOperation",
        DecodeError::Unknown { what, .. } if what.contains("format") => "UnknownFormat",
        DecodeError::Unknown { what: "presence" | "change", .. } => "UnknownPresence",
        DecodeError::Order { what: "signers", .. } => "UnorderedSigners",
        DecodeError::Order { what: "vectors", .. } => "UnorderedVectors",
        DecodeError::Order { what: "keys", .. } => "UnorderedKeys",
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

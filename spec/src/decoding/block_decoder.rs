//! Blocks: their bytes, and how they are read within a dictionary's limits.
//!
//! An item in memory is many times as large as its encoding, which can be two bytes, so counts are
//! looked at where they stand: what passes a limit is not read. Source: docs/format.md, "Blocks".

use crate::base::bytes::*;
use crate::decoding::cursor::*;
use crate::decoding::decode_reason::*;
use crate::decoding::slot_decoder::*;
use crate::decoding::transaction_decoder::*;
use crate::dictionary::genesis::*;
use crate::dictionary::slot::*;
use hacspec_lib::*;

/// The format number of a block of transactions.
pub const BLOCK_FORMAT: usize = 1;

/// A block as it is received.
#[derive(Clone, Debug, Default)]
pub struct ReceivedBlock {
    /// The version that the block leads to.
    pub received_version: usize,
    /// The transactions, in order.
    pub received_transactions: Seq<ReceivedTransaction>,
    /// The vectors below the validators' tail, the highest first.
    pub received_tail_vectors: Seq<Seq<Slot>>,
}

/// The transactions of a block while they are read.
#[derive(Clone, Debug, Default)]
pub struct TransactionsRead {
    /// Those before.
    pub read_before: Seq<ReceivedTransaction>,
    /// How many operations and claims may still be read.
    pub read_quotas: ItemQuotas,
    /// The bytes behind them.
    pub read_rest: ByteString,
}

/// `u32 length || bytes`.
pub fn bytes32(x: &ByteString) -> ByteString {
    u32_bytes(x.len()).concat(x)
}

/// One step of [`encode_transactions`].
pub fn encode_transactions_step(encoded: ByteString, tx: &ReceivedTransaction, format: usize) -> ByteString {
    encoded.concat(&bytes32(&encode_transaction(tx, format)))
}

/// The transactions one after the other, each behind its length.
pub fn encode_transactions(items: &Seq<ReceivedTransaction>, format: usize) -> ByteString {
    let mut encoded = ByteString::new(0);
    for x in 0..items.len() {
        encoded = encode_transactions_step(encoded, &items[x], format);
    }
    encoded
}

/// One step of [`encode_slots`].
pub fn encode_slots_step(encoded: ByteString, slot: &Slot) -> ByteString {
    encoded.concat(&slot_bytes(slot))
}

/// The slots one after the other.
pub fn encode_slots(items: &Seq<Slot>) -> ByteString {
    let mut encoded = ByteString::new(0);
    for i in 0..items.len() {
        encoded = encode_slots_step(encoded, &items[i]);
    }
    encoded
}

/// One step of [`encode_vectors`].
pub fn encode_vectors_step(encoded: ByteString, vector: &Seq<Slot>) -> ByteString {
    encoded.concat(&encode_slots(vector))
}

/// The vectors one after the other.
pub fn encode_vectors(items: &Seq<Seq<Slot>>) -> ByteString {
    let mut encoded = ByteString::new(0);
    for i in 0..items.len() {
        encoded = encode_vectors_step(encoded, &items[i]);
    }
    encoded
}

/// `u64 version || u32 number of transactions || transactions`, behind the format.
pub fn encode_head(block: &ReceivedBlock, format: usize, transaction_format: usize) -> ByteString {
    u8_bytes(format)
        .concat(&u64_bytes(block.received_version))
        .concat(&u32_bytes(block.received_transactions.len()))
        .concat(&encode_transactions(&block.received_transactions, transaction_format))
}

/// `u32 number of tail vectors || slots`.
pub fn encode_tail(items: &Seq<Seq<Slot>>) -> ByteString {
    u32_bytes(items.len()).concat(&encode_vectors(items))
}

/// A block with openings.
pub fn encode_block(block: &ReceivedBlock) -> ByteString {
    encode_head(block, BLOCK_FORMAT, TRANSACTION_FORMAT).concat(&encode_tail(&block.received_tail_vectors))
}

/// The next transaction of a block, behind its length.
pub fn read_next_transaction(
    before: &TransactionsRead,
    format: usize,
    opening_length: usize,
) -> Result<TransactionsRead, DecodeReason> {
    let (length, after_length) = read_number(&before.read_rest, 4)?;
    let (body, rest) = take_bytes(&after_length, length)?;
    let (tx, quotas) = read_transaction(&body, format, opening_length, before.read_quotas)?;
    Ok(TransactionsRead { read_before: before.read_before.push(&tx), read_quotas: quotas, read_rest: rest })
}

/// One step of [`read_transactions`].
pub fn read_transactions_step(
    items: Result<TransactionsRead, DecodeReason>,
    format: usize,
    opening_length: usize,
) -> Result<TransactionsRead, DecodeReason> {
    let before = items?;
    read_next_transaction(&before, format, opening_length)
}

/// The next transactions, so many.
pub fn read_transactions(
    bytes: &ByteString,
    count: usize,
    format: usize,
    opening_length: usize,
    quotas: ItemQuotas,
) -> Result<TransactionsRead, DecodeReason> {
    let mut items = Ok(TransactionsRead {
        read_before: Seq::<ReceivedTransaction>::new(0),
        read_quotas: quotas,
        read_rest: bytes.clone(),
    });
    for _i in 0..reading_turns(count, bytes) {
        items = read_transactions_step(items, format, opening_length);
    }
    items
}

/// One step of [`read_vectors`].
pub fn read_vectors_step(
    items: Result<(Seq<Seq<Slot>>, ByteString), DecodeReason>,
    n: usize,
) -> Result<(Seq<Seq<Slot>>, ByteString), DecodeReason> {
    let (before, bytes) = items?;
    let (found, rest) = read_slots(&bytes, n)?;
    Ok((before.push_owned(found), rest))
}

/// The next vectors of `n` slots, so many; `n` is at least 1.
pub fn read_vectors(bytes: &ByteString, count: usize, n: usize) -> Result<(Seq<Seq<Slot>>, ByteString), DecodeReason> {
    let mut items = Ok((Seq::<Seq<Slot>>::new(0), bytes.clone()));
    for _i in 0..reading_turns(count, bytes) {
        items = read_vectors_step(items, n);
    }
    items
}

/// How many tail vectors a block may have: it deletes no more slots than it has operations.
pub fn most_tail_vectors(p: &Parameters) -> usize {
    (p.block_operations + p.vector_size - 1) / p.vector_size
}

/// The operations and claims that a block may have.
pub fn block_quotas(p: &Parameters) -> ItemQuotas {
    ItemQuotas { operations_left: p.block_operations, claims_left: p.block_claims }
}

/// Format, version and transactions of a block: the version, and what was read.
pub fn read_head(
    bytes: &ByteString,
    p: &Parameters,
    format: usize,
    transaction_format: usize,
    opening_length: usize,
) -> Result<(usize, TransactionsRead), DecodeReason> {
    let after_format = expect_format(bytes, format)?;
    let (b, after_version) = read_number(&after_format, 8)?;
    let (count, after_count) = read_number(&after_version, 4)?;
    let _room = take_quota(p.block_transactions, count, DecodeReason::ExcessTransactions)?;
    let found = read_transactions(&after_count, count, transaction_format, opening_length, block_quotas(p))?;
    Ok((b, found))
}

/// The tail vectors that the bytes are.
pub fn read_tail(bytes: &ByteString, p: &Parameters) -> Result<Seq<Seq<Slot>>, DecodeReason> {
    let (count, after_count) = read_number(bytes, 4)?;
    let _room = take_quota(most_tail_vectors(p), count, DecodeReason::ExcessTailVectors)?;
    let (vectors, rest) = read_vectors(&after_count, count, p.vector_size)?;
    let _end = expect_end(&rest)?;
    Ok(vectors)
}

/// The block with openings that the bytes are, within the limits of a dictionary.
pub fn decode_block(bytes: &ByteString, p: &Parameters) -> Result<ReceivedBlock, DecodeReason> {
    let _short = expect_length(bytes.len(), p.block_bytes)?;
    let (b, found) = read_head(bytes, p, BLOCK_FORMAT, TRANSACTION_FORMAT, OPENING_LENGTH)?;
    let vectors = read_tail(&found.read_rest, p)?;
    Ok(ReceivedBlock { received_version: b, received_transactions: found.read_before, received_tail_vectors: vectors })
}

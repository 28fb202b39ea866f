//! Blocks of a chain: the list of byte strings that consensus decides on, and how it is read.
//!
//! A block without transactions is the empty list. Otherwise the first of the list is the frame,
//! which holds what stands behind the transactions of an aggregated block; each other is a signed
//! transaction without openings. Source: docs/network.md, "Block of the chain".

use crate::base::bytes::*;
use crate::decoding::aggregated_decoder::*;
use crate::decoding::block_decoder::*;
use crate::decoding::cursor::*;
use crate::decoding::decode_reason::*;
use crate::decoding::signed_decoder::*;
use crate::decoding::transaction_decoder::*;
use crate::dictionary::genesis::*;
use crate::dictionary::slot::*;
use hacspec_lib::*;

/// The format number of the frame.
pub const FRAME_FORMAT: usize = 3;

/// A block of a chain as it is received.
#[derive(Clone, Debug, Default)]
pub struct ReceivedChainBlock {
    /// The height, which is the version that the block leads to.
    pub chain_version: usize,
    /// The transactions with their signatures, in order.
    pub chain_transactions: Seq<ReceivedSigned>,
    /// What proves them together.
    pub chain_proof: ReceivedProof,
}

/// The transactions of a list while they are read.
#[derive(Clone, Debug, Default)]
pub struct SignedRead {
    /// Those before.
    pub signed_before: Seq<ReceivedSigned>,
    /// How many operations and claims may still be read.
    pub signed_quotas: ItemQuotas,
}

/// One step of [`encode_listed`].
pub fn encode_listed_step(listed: Seq<ByteString>, signed: &ReceivedSigned) -> Seq<ByteString> {
    listed.push_owned(encode_signed_body(&body_of_signed(signed, BARE_TRANSACTION_FORMAT), bare_formats()))
}

/// The list behind its frame.
pub fn encode_listed(frame: &ByteString, items: &Seq<ReceivedSigned>) -> Seq<ByteString> {
    let mut listed = Seq::<ByteString>::new(0).push(frame);
    for x in 0..items.len() {
        listed = encode_listed_step(listed, &items[x]);
    }
    listed
}

/// The list of a block.
pub fn encode_chain_block(block: &ReceivedChainBlock) -> Seq<ByteString> {
    if block.chain_transactions.len() == 0 {
        Seq::<ByteString>::new(0)
    } else {
        let frame = u8_bytes(FRAME_FORMAT).concat(&encode_proof(&block.chain_proof));
        encode_listed(&frame, &block.chain_transactions)
    }
}

/// What a frame holds.
pub fn read_frame(frame: &ByteString) -> Result<ByteString, DecodeReason> {
    match expect_format(frame, FRAME_FORMAT) {
        Ok(rest) => Ok(rest),
        Err(_) => Err(DecodeReason::NoFrame),
    }
}

/// One step of [`read_bodies`].
pub fn read_bodies_step(
    bodies: Result<Seq<SignedBody>, DecodeReason>,
    listed: &ByteString,
) -> Result<Seq<SignedBody>, DecodeReason> {
    let before = bodies?;
    let found = decode_signed_body(listed, bare_formats())?;
    Ok(before.push_owned(found))
}

/// The signed transactions of a list, behind its frame.
pub fn read_bodies(txs: &Seq<ByteString>) -> Result<Seq<SignedBody>, DecodeReason> {
    let mut bodies = Ok(Seq::<SignedBody>::new(0));
    for x in 1..txs.len() {
        bodies = read_bodies_step(bodies, &txs[x]);
    }
    bodies
}

/// One step of [`framed_length`].
pub fn framed_length_step(total: usize, body: &SignedBody) -> usize {
    total + 4 + counted_length(body)
}

/// The length of the aggregated block that a list stands for: format, version and number of
/// transactions, each transaction behind its length, and what the frame holds; and of all
/// certificates.
pub fn framed_length(bodies: &Seq<SignedBody>, proof: &ByteString) -> usize {
    let mut total = 1 + 8 + 4 + proof.len();
    for x in 0..bodies.len() {
        total = framed_length_step(total, &bodies[x]);
    }
    total
}

/// One more of the transactions of a list.
pub fn read_next_framed(before: &SignedRead, body: &SignedBody) -> Result<SignedRead, DecodeReason> {
    let (tx, quotas) = read_transaction(&body.body_bytes, BARE_TRANSACTION_FORMAT, 0, before.signed_quotas)?;
    let signed = ReceivedSigned {
        signed_transaction: tx,
        signed_signatures: body.body_signatures.clone(),
        signed_certificates: body.body_certificates.clone(),
    };
    Ok(SignedRead { signed_before: before.signed_before.push(&signed), signed_quotas: quotas })
}

/// One step of [`read_framed`].
pub fn read_framed_step(
    items: Result<SignedRead, DecodeReason>,
    body: &SignedBody,
) -> Result<SignedRead, DecodeReason> {
    let before = items?;
    read_next_framed(&before, body)
}

/// The transactions of a list, within what is left of a block's operations and claims.
pub fn read_framed(bodies: &Seq<SignedBody>, quotas: ItemQuotas) -> Result<SignedRead, DecodeReason> {
    let mut items = Ok(SignedRead { signed_before: Seq::<ReceivedSigned>::new(0), signed_quotas: quotas });
    for x in 0..bodies.len() {
        items = read_framed_step(items, &bodies[x]);
    }
    items
}

/// The block that a list of a frame and at least one transaction is.
pub fn decode_framed(b: usize, txs: &Seq<ByteString>, p: &Parameters) -> Result<ReceivedChainBlock, DecodeReason> {
    let framed = read_frame(&txs[0usize])?;
    let bodies = read_bodies(txs)?;
    let _short = expect_length(framed_length(&bodies, &framed), p.block_bytes)?;
    let found = read_framed(&bodies, block_quotas(p))?;
    let proof = read_proof(&framed, p)?;
    Ok(ReceivedChainBlock { chain_version: b, chain_transactions: found.signed_before, chain_proof: proof })
}

/// A block without transactions.
pub fn empty_chain_block(b: usize) -> ReceivedChainBlock {
    ReceivedChainBlock {
        chain_version: b,
        chain_transactions: Seq::<ReceivedSigned>::new(0),
        chain_proof: ReceivedProof { proved_points: Seq::<ByteString>::new(0), proved_tail: Seq::<Seq<Slot>>::new(0) },
    }
}

/// The block of a height that a list is, within the limits of a dictionary.
pub fn decode_chain_block(b: usize, txs: &Seq<ByteString>, p: &Parameters) -> Result<ReceivedChainBlock, DecodeReason> {
    if txs.len() == 0 {
        Ok(empty_chain_block(b))
    } else if txs.len() == 1 {
        Err(DecodeReason::FrameAlone)
    } else if txs.len() - 1 > p.block_transactions {
        Err(DecodeReason::ExcessTransactions)
    } else {
        decode_framed(b, txs, p)
    }
}

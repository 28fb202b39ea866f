//! Transactions: operations, the claims they rest on, and when they may enter a block
//! (`aardvark_spec::block::transaction`).
//!
//! A transaction names its keys up front, through its operations. Its claims are all for version
//! `first_valid - 1`. Its identity is a hash of what it does, without the claims: openings are
//! malleable and a client may leave claims out, so neither may change who the transaction is.

use aardvark_algebra::hash::TaggedHash;
use aardvark_algebra::integers::u16_or_max;

use crate::data::claim::{Claim, OPENING_BYTES, OpeningBytes, Unopened};
use crate::data::codec::{DecodeError, Quota, Reader, put_key, put_slot, put_value, slot_length};
use crate::data::identity::DictionaryId;
use crate::data::operation::Operation;

/// Format number of an encoded transaction.
pub const TRANSACTION_FORMAT: u8 = 1;
/// Format number of a transaction whose openings its block aggregates.
pub const BARE_TRANSACTION_FORMAT: u8 = 2;
/// SHA-256 over what a transaction does and where: never over its claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TransactionId(pub [u8; 32]);

/// Operations that happen together or not at all, with the claims that prove what they need.
///
/// In an aggregated block it is a `Transaction<Unopened>`: its claims have no openings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transaction<O = OpeningBytes> {
    /// The first block version that may hold it, from 1; its claims are for the version before.
    pub first_valid: u64,
    /// The last block version that may hold it, at most `first_valid + W`.
    pub last_valid: u64,
    /// Sixteen bytes that tell apart transactions that do the same.
    pub nonce: [u8; 16],
    /// What to do, in order.
    pub operations: Vec<Operation>,
    /// What proves it.
    pub claims: Vec<Claim<O>>,
}

impl Transaction {
    /// Canonical bytes (`docs/format.md`, Transactions).
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.encoded_length());
        self.put_head(&mut bytes, TRANSACTION_FORMAT);
        for claim in &self.claims {
            claim.put_statement(&mut bytes);
            bytes.extend_from_slice(&claim.opening);
        }
        bytes
    }

    /// How many bytes [`Transaction::encode`] gives.
    pub fn encoded_length(&self) -> usize {
        self.submitted_length()
    }

    /// Reads canonical bytes.
    ///
    /// # Errors
    /// [`DecodeError`] where the bytes are not exactly one transaction.
    pub fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        Self::decode_counted(bytes, &mut ItemQuotas::unlimited())
    }
}

impl<O> Transaction<O> {
    /// The identity under a dictionary (`aardvark_spec::block::transaction::id_of_transaction`).
    pub fn id(&self, dictionary: &DictionaryId) -> TransactionId {
        let mut core = Vec::new();
        self.put_core(&mut core);
        let mut hash = TaggedHash::new("AARDVARK-V1-TRANSACTION");
        hash.update(dictionary.0);
        hash.update(&core);
        TransactionId(hash.finalize())
    }

    /// The version that the claims speak of: the one before the first block that may hold the
    /// transaction.
    pub fn claims_version(&self) -> u64 {
        self.first_valid.saturating_sub(1)
    }

    /// The same transaction, whose claims have no openings.
    pub fn without_openings(self) -> Transaction<Unopened> {
        let Self { first_valid, last_valid, nonce, operations, claims } = self;
        let claims = claims.into_iter().map(Claim::without_opening).collect();
        Transaction { first_valid, last_valid, nonce, operations, claims }
    }

    /// How many bytes the transaction has as its client submits it: with an opening for each claim.
    /// Limits on a transaction's length are about these, whatever its block leaves out.
    pub fn submitted_length(&self) -> usize {
        self.bare_length() + OPENING_BYTES * self.claims.len()
    }

    /// How many bytes the transaction has in an aggregated block, where its claims have no
    /// openings.
    pub fn bare_length(&self) -> usize {
        let operations: usize = self.operations.iter().map(operation_length).sum();
        let claims: usize = self.claims.iter().map(|claim| 8 + slot_length(&claim.slot)).sum();
        1 + 8 + 8 + 16 + 2 + operations + 2 + claims
    }

    /// Canonical bytes without openings, as an aggregated block has them (`docs/format.md`,
    /// Transactions).
    pub fn encode_bare(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.bare_length());
        self.put_head(&mut bytes, BARE_TRANSACTION_FORMAT);
        self.claims.iter().for_each(|claim| claim.put_statement(&mut bytes));
        bytes
    }

    /// Format number, what the transaction does, and how many claims follow.
    fn put_head(&self, out: &mut Vec<u8>, format: u8) {
        out.push(format);
        self.put_core(out);
        put_count(out, self.claims.len());
    }

    fn put_core(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.first_valid.to_be_bytes());
        out.extend_from_slice(&self.last_valid.to_be_bytes());
        out.extend_from_slice(&self.nonce);
        put_count(out, self.operations.len());
        for operation in &self.operations {
            put_operation(out, operation);
        }
    }
}

impl<O> Transaction<O> {
    /// Reads canonical bytes as long as their counts keep within what is left of a block's.
    pub(crate) fn decode_counted(bytes: &[u8], quotas: &mut ItemQuotas) -> Result<Self, DecodeError>
    where
        O: OpeningForm,
    {
        let mut reader = Reader::new(bytes);
        expect_format(&mut reader, O::FORMAT, "transaction format")?;
        let first_valid = reader.u64("first_valid")?;
        let last_valid = reader.u64("last_valid")?;
        let nonce = reader.array("the nonce")?;
        let count = read_count(&mut reader, "the number of operations", &mut quotas.operations)?;
        let mut operations = with_room(count);
        for _ in 0..count {
            operations.push(read_operation(&mut reader)?);
        }
        let count = read_count(&mut reader, "the number of claims", &mut quotas.claims)?;
        let mut claims = with_room(count);
        for _ in 0..count {
            let position = reader.u64("a position")?;
            let slot = reader.slot()?;
            claims.push(Claim { position, slot, opening: O::read(&mut reader)? });
        }
        reader.finish()?;
        Ok(Self { first_valid, last_valid, nonce, operations, claims })
    }
}

impl<O> Claim<O> {
    /// Appends position and slot.
    fn put_statement(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.position.to_be_bytes());
        put_slot(out, &self.slot);
    }
}

/// How a transaction's claims are encoded: with openings, or without.
pub(crate) trait OpeningForm: Sized {
    /// The transaction's format number.
    const FORMAT: u8;

    /// Reads what stands behind a claim's slot.
    fn read(reader: &mut Reader<'_>) -> Result<Self, DecodeError>;
}

impl OpeningForm for OpeningBytes {
    const FORMAT: u8 = TRANSACTION_FORMAT;

    fn read(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        reader.array("an opening")
    }
}

impl OpeningForm for Unopened {
    const FORMAT: u8 = BARE_TRANSACTION_FORMAT;

    fn read(_: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self)
    }
}

/// How many operations and claims may still be read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ItemQuotas {
    pub(crate) operations: Quota,
    pub(crate) claims: Quota,
}

impl ItemQuotas {
    pub(crate) fn new(operations: u64, claims: u64) -> Self {
        Self { operations: Quota::new("operations", operations), claims: Quota::new("claims", claims) }
    }

    pub(crate) fn unlimited() -> Self {
        Self::new(u64::MAX, u64::MAX)
    }
}

/// An empty list for so many items, or for four: most transactions have fewer, and what a sender
/// announces allocates nothing beyond that.
fn with_room<T>(count: u16) -> Vec<T> {
    Vec::with_capacity(usize::from(count).min(4))
}

fn read_count(reader: &mut Reader<'_>, inside: &'static str, quota: &mut Quota) -> Result<u16, DecodeError> {
    let offset = reader.offset();
    let count = reader.u16(inside)?;
    quota.take(count.into(), offset)?;
    Ok(count)
}

/// Reads a format number and compares it.
pub(crate) fn expect_format(reader: &mut Reader<'_>, format: u8, what: &'static str) -> Result<(), DecodeError> {
    let offset = reader.offset();
    match reader.u8(what)? {
        found if found == format => Ok(()),
        found => Err(DecodeError::Unknown { offset, what, found }),
    }
}

/// Counts beyond 65,535 have no encoding; no dictionary's limits allow them.
fn put_count(out: &mut Vec<u8>, count: usize) {
    out.extend_from_slice(&u16_or_max(count).to_be_bytes());
}

fn put_operation(out: &mut Vec<u8>, operation: &Operation) {
    out.push(match operation {
        Operation::Require(_, None) => 0,
        Operation::Require(_, Some(_)) => 1,
        Operation::Put(_, _) => 2,
        Operation::Delete(_) => 3,
        Operation::Add(_, _) => 4,
        Operation::Sub(_, _) => 5,
    });
    put_key(out, operation.key());
    match operation {
        Operation::Require(_, None) | Operation::Delete(_) => {}
        Operation::Require(_, Some(value)) | Operation::Put(_, value) => put_value(out, value),
        Operation::Add(_, amount) | Operation::Sub(_, amount) => out.extend_from_slice(&amount.to_be_bytes()),
    }
}

fn operation_length(operation: &Operation) -> usize {
    let payload = match operation {
        Operation::Require(_, None) | Operation::Delete(_) => 0,
        Operation::Require(_, Some(value)) | Operation::Put(_, value) => 2 + value.len(),
        Operation::Add(_, _) | Operation::Sub(_, _) => 8,
    };
    2 + operation.key().len() + payload
}

fn read_operation(reader: &mut Reader<'_>) -> Result<Operation, DecodeError> {
    let offset = reader.offset();
    let tag = reader.u8("an operation's tag")?;
    if tag > 5 {
        return Err(DecodeError::Unknown { offset, what: "operation", found: tag });
    }
    let key = reader.key()?;
    Ok(match tag {
        0 => Operation::Require(key, None),
        1 => Operation::Require(key, Some(reader.value()?)),
        2 => Operation::Put(key, reader.value()?),
        3 => Operation::Delete(key),
        4 => Operation::Add(key, reader.u64("an amount")?),
        _ => Operation::Sub(key, reader.u64("an amount")?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::slot::Slot;

    fn example() -> Transaction {
        Transaction {
            first_valid: 8,
            last_valid: 17,
            nonce: [7; 16],
            operations: vec![
                Operation::Require("k".into(), None),
                Operation::Require("k".into(), Some("v".into())),
                Operation::Put("k".into(), "v".into()),
                Operation::Delete("k".into()),
                Operation::Add("bob".into(), 5),
                Operation::Sub("alice".into(), u64::MAX),
            ],
            claims: vec![Claim { position: 3, slot: Slot::lone_sentinel(), opening: [1; 48] }],
        }
    }

    #[test]
    fn a_transaction_survives_the_wire() {
        let bytes = example().encode();
        assert_eq!(bytes.len(), example().encoded_length());
        assert_eq!(Transaction::decode(&bytes), Ok(example()));
    }

    #[test]
    fn every_truncation_and_every_extension_is_an_error() {
        let mut bytes = example().encode();
        for cut in 0..bytes.len() {
            assert!(Transaction::decode(&bytes[..cut]).is_err(), "cut at {cut}");
        }
        bytes.push(0);
        assert!(matches!(Transaction::decode(&bytes), Err(DecodeError::Trailing { count: 1, .. })));
    }

    #[test]
    fn no_two_encodings_decode_to_one_transaction() {
        let bytes = example().encode();
        for index in 0..bytes.len() {
            for bit in 0..8 {
                let mut flipped = bytes.clone();
                flipped[index] ^= 1 << bit;
                if let Ok(decoded) = Transaction::decode(&flipped) {
                    assert_eq!(decoded.encode(), flipped);
                    assert_ne!(decoded, example());
                }
            }
        }
    }

    #[test]
    fn a_transaction_without_openings_survives_the_wire_in_its_own_format() {
        let bare = example().encode_bare();
        assert_eq!(bare.len(), example().bare_length());
        assert_eq!(bare, example().without_openings().encode_bare());
        let read = Transaction::<Unopened>::decode_counted(&bare, &mut ItemQuotas::unlimited());
        assert_eq!(read, Ok(example().without_openings()));
        assert!(Transaction::decode(&bare).is_err());
        assert_eq!(example().without_openings().submitted_length(), example().encoded_length());
    }

    #[test]
    fn the_identity_ignores_claims_and_depends_on_all_else() {
        let id = |change: fn(&mut Transaction)| {
            let mut transaction = example();
            change(&mut transaction);
            transaction.id(&DictionaryId([1; 32]))
        };
        let original = id(|_| {});
        assert_eq!(original, id(|t| t.claims.clear()));
        assert_ne!(original, id(|t| t.first_valid = 9));
        assert_ne!(original, id(|t| t.last_valid = 18));
        assert_ne!(original, id(|t| t.nonce[15] = 0));
        assert_ne!(original, id(|t| t.operations.truncate(5)));
        assert_ne!(original, example().id(&DictionaryId([2; 32])));
    }
}

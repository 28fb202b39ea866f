//! What the specification decoded, in the implementation's types.

use aardvark_chain::{ChainBlock, SignedTransaction, SignerSignature, TableCertificate};
use aardvark_commitment::Commitment;
use aardvark_dictionary::claim::OpeningBytes;
use aardvark_dictionary::window::VersionRecord;
use aardvark_dictionary::{
    AggregatedBlock, Block, Change, Claim, ImportBlock, Operation, Slot, Transaction, TransactionId, Unopened,
    ValidatorState,
};
use aardvark_spec::base::bytes::ByteString;
use aardvark_spec::block::import::{self, ImportChange};
use aardvark_spec::block::operation;
use aardvark_spec::block::root::{HashedPrevious, HashedRecord, HashedState};
use aardvark_spec::block::state::ReplayEntry;
use aardvark_spec::convert::{byte_vec, to_vec};
use aardvark_spec::decoding::aggregated_decoder::{ReceivedAggregated, aggregated_of_parts};
use aardvark_spec::decoding::block_decoder::ReceivedBlock;
use aardvark_spec::decoding::chain_decoder::ReceivedChainBlock;
use aardvark_spec::decoding::signed_decoder::{ReceivedCertificate, ReceivedSignature, ReceivedSigned};
use aardvark_spec::decoding::transaction_decoder::{ReceivedClaim, ReceivedTransaction};
use aardvark_spec::dictionary::slot;
use aardvark_spec::dictionary::writes::Write;
use hacspec_lib::Seq;

use crate::convert::slot_from_spec;

/// What the bytes of an opening are in the implementation.
pub trait ReceivedOpening {
    /// From the bytes that the specification received.
    fn received(bytes: &ByteString) -> Self;
}

impl ReceivedOpening for OpeningBytes {
    fn received(bytes: &ByteString) -> Self {
        array(bytes)
    }
}

impl ReceivedOpening for Unopened {
    fn received(bytes: &ByteString) -> Self {
        assert_eq!(bytes.len(), 0, "a claim without an opening has no bytes of one");
        Self
    }
}

fn array<const LENGTH: usize>(bytes: &ByteString) -> [u8; LENGTH] {
    byte_vec(bytes).try_into().expect("the specification read so many bytes")
}

fn number(number: usize) -> u64 {
    number.try_into().expect("the specification's numbers have 64 bits")
}

fn many<A: Clone + Default, B>(items: &Seq<A>, convert: impl Fn(&A) -> B) -> Vec<B> {
    to_vec(items).iter().map(convert).collect()
}

/// A claim.
pub fn claim<O: ReceivedOpening>(received: &ReceivedClaim) -> Claim<O> {
    Claim {
        position: number(received.received_position),
        slot: slot_from_spec(&received.received_slot),
        opening: O::received(&received.received_opening),
    }
}

/// A transaction.
pub fn transaction<O: ReceivedOpening>(received: &ReceivedTransaction) -> Transaction<O> {
    Transaction {
        first_valid: number(received.received_first),
        last_valid: number(received.received_last),
        nonce: array(&received.received_nonce),
        operations: many(&received.received_operations, operation),
        claims: many(&received.received_claims, claim),
    }
}

fn operation(operation: &operation::Operation) -> Operation {
    use operation::Action;
    let key = byte_vec(&operation.operation_key).into();
    match &operation.action {
        Action::RequireAbsent => Operation::Require(key, None),
        Action::RequireValue(value) => Operation::Require(key, Some(byte_vec(value).into())),
        Action::Put(value) => Operation::Put(key, byte_vec(value).into()),
        Action::Delete => Operation::Delete(key),
        Action::Add(amount) => Operation::Add(key, *amount),
        Action::Sub(amount) => Operation::Sub(key, *amount),
    }
}

fn slots(items: &Seq<slot::Slot>) -> Vec<Slot> {
    many(items, slot_from_spec)
}

/// A block.
pub fn block<O: ReceivedOpening>(received: &ReceivedBlock) -> Block<O> {
    Block {
        version: number(received.received_version),
        transactions: many(&received.received_transactions, transaction),
        tail_vectors: many(&received.received_tail_vectors, slots),
    }
}

/// An aggregated block.
pub fn aggregated(received: &ReceivedAggregated) -> AggregatedBlock {
    AggregatedBlock { block: block(&received.received_plain), points: many(&received.received_points, array) }
}

fn signature(received: &ReceivedSignature) -> SignerSignature {
    SignerSignature { public_key: array(&received.signer_key), signature: array(&received.signer_signature) }
}

fn certificate(received: &ReceivedCertificate) -> TableCertificate {
    let segments = u16::try_from(received.received_segments).unwrap_or(u16::MAX);
    TableCertificate { segments, certificate: byte_vec(&received.received_certificate) }
}

/// A signed transaction.
pub fn signed<O: ReceivedOpening>(received: &ReceivedSigned) -> SignedTransaction<O> {
    SignedTransaction {
        transaction: transaction(&received.signed_transaction),
        signatures: many(&received.signed_signatures, signature),
        certificates: many(&received.signed_certificates, certificate),
    }
}

/// A block of a chain.
pub fn chain_block(received: &ReceivedChainBlock) -> ChainBlock {
    let signed: Vec<SignedTransaction<Unopened>> = many(&received.chain_transactions, signed);
    let mut aggregated = aggregated(&aggregated_of_parts(received.chain_version, &Seq::new(0), &received.chain_proof));
    let (mut signatures, mut certificates) = (Vec::new(), Vec::new());
    for signed in signed {
        aggregated.block.transactions.push(signed.transaction);
        signatures.push(signed.signatures);
        certificates.push(signed.certificates);
    }
    ChainBlock { aggregated, signatures, certificates }
}

/// A commitment, if the bytes are one.
fn commitment(bytes: &ByteString) -> Option<Commitment> {
    Commitment::from_bytes(&array(bytes)).ok()
}

/// A record of the window; none where a commitment is no point.
pub fn record(received: &HashedRecord) -> Option<VersionRecord> {
    let write = |write: &Write| (number(write.write_position), write.write_content.as_ref().map(slot_from_spec));
    let previous = |previous: &HashedPrevious| {
        let vector = number(previous.hashed_previous_vector);
        match &previous.hashed_previous_commitment {
            None => Some((vector, None)),
            Some(bytes) => commitment(bytes).map(|commitment| (vector, Some(commitment))),
        }
    };
    Some(VersionRecord {
        version: number(received.hashed_record_version),
        previous_size: number(received.hashed_record_size),
        writes: many(&received.hashed_record_writes, write),
        previous_commitments: many(&received.hashed_record_commitments, previous).into_iter().collect::<Option<_>>()?,
    })
}

/// A state; none where a commitment is no point.
pub fn snapshot(received: &HashedState) -> Option<ValidatorState> {
    let entry = |entry: &ReplayEntry| (TransactionId(array(&entry.replay_id)), number(entry.replay_last_valid));
    Some(ValidatorState {
        version: number(received.hashed_version),
        size: number(received.hashed_size),
        commitments: many(&received.hashed_commitments, commitment).into_iter().collect::<Option<_>>()?,
        window: many(&received.hashed_window, record).into_iter().collect::<Option<_>>()?,
        tail_start: number(received.hashed_tail_start),
        tail: slots(&received.hashed_tail),
        replay: many(&received.hashed_replay_set, entry),
    })
}

/// A block of imports.
pub fn import(received: &import::ImportBlock) -> ImportBlock {
    let change = |change: &ImportChange| Change {
        key: byte_vec(&change.import_key).into(),
        value: change.import_content.as_ref().map(|value| byte_vec(value).into()),
    };
    ImportBlock { version: number(received.import_version), changes: many(&received.import_changes, change) }
}

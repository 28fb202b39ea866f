//! Between the implementation's types and the specification's. Openings become exponents on the way
//! ([`crate::points`]); everything else is the same data in other clothes.

use aardvark_algebra::{Scalar, scalar_from_bytes, scalar_to_bytes};
use aardvark_dictionary::claim::OpeningBytes;
use aardvark_dictionary::{Block, Claim, Genesis, Item, Operation, Parameters, Rejection, Slot, Transaction, Unopened};
use aardvark_spec::base::bytes::ByteString;
use aardvark_spec::base::group::{G1, g1_multiple, known_exponent};
use aardvark_spec::base::scalar;
use aardvark_spec::block::{block_data, operation, rejection, transaction};
use aardvark_spec::commitment::opening;
use aardvark_spec::convert as spec_convert;
use aardvark_spec::dictionary::array::Array;
use aardvark_spec::dictionary::{genesis, slot, slot_map};
use hacspec_lib::Seq;

use crate::points::{Meaning, Points};

/// A scalar of the specification.
pub fn scalar_to_spec(scalar: &Scalar) -> scalar::Scalar {
    spec_convert::scalar_from_bytes(&scalar_to_bytes(scalar))
}

/// The specification's group element with this exponent.
pub fn element_to_spec(exponent: &Scalar) -> G1 {
    g1_multiple(scalar_to_spec(exponent))
}

/// The exponent of a group element of the specification.
pub fn exponent_from_spec(element: G1) -> Scalar {
    scalar_from_spec(&known_exponent(element))
}

/// A scalar of the implementation.
pub fn scalar_from_spec(scalar: &scalar::Scalar) -> Scalar {
    scalar_from_bytes(&spec_convert::scalar_to_bytes(*scalar)).expect("the specification reduces its scalars")
}

/// Bytes of the specification.
pub fn bytes_to_spec(bytes: &[u8]) -> ByteString {
    spec_convert::byte_string(bytes)
}

/// A slot of the specification.
pub fn slot_to_spec(slot: &Slot) -> slot::Slot {
    spec_convert::slot_from(&slot.key, &slot.value, &slot.next)
}

/// The specification's whole array.
pub fn spec_array(slots: &[Slot]) -> Array {
    let contents: Vec<_> = slots.iter().map(|slot| Some(slot_to_spec(slot))).collect();
    let array_slots: slot_map::SlotMap = Seq::from_vec(contents);
    Array { array_size: slots.len(), array_slots }
}

/// A slot of the implementation.
pub fn slot_from_spec(slot: &slot::Slot) -> Slot {
    let (key, value, next) = spec_convert::slot_parts(slot);
    Slot { key: key.into(), value: value.into(), next: next.into() }
}

/// A position, version, count or length of the specification.
pub fn number_to_spec(number: u64) -> usize {
    usize::try_from(number).expect("the specification runs where usize has 64 bits")
}

/// Parameters of the specification.
pub fn parameters_to_spec(parameters: &Parameters) -> genesis::Parameters {
    let number = |number: u32| number_to_spec(number.into());
    let limits = &parameters.limits;
    genesis::Parameters {
        scheme: parameters.scheme.into(),
        vector_size: number(parameters.vector_size),
        window_length: number(parameters.window),
        max_key_length: parameters.max_key_length.into(),
        max_value_length: parameters.max_value_length.into(),
        transaction_operations: number(limits.transaction_operations),
        transaction_claims: number(limits.transaction_claims),
        transaction_bytes: number(limits.transaction_bytes),
        block_transactions: number(limits.block_transactions),
        block_operations: number(limits.block_operations),
        block_claims: number(limits.block_claims),
        block_bytes: number(limits.block_bytes),
    }
}

/// A genesis of the specification.
pub fn genesis_to_spec(genesis: &Genesis) -> genesis::Genesis {
    let pairs: Vec<_> = genesis.entries().iter().map(|(key, value)| (key.to_vec(), value.to_vec())).collect();
    let identity = genesis.identity();
    genesis::Genesis {
        genesis_name: bytes_to_spec(identity.name().as_bytes()),
        genesis_salt: bytes_to_spec(identity.salt()),
        genesis_parameters: parameters_to_spec(genesis.parameters()),
        genesis_setup_digest: bytes_to_spec(genesis.setup_digest()),
        genesis_entries: spec_convert::key_map_from(&pairs),
        genesis_binding: bytes_to_spec(identity.binding()),
    }
}

/// An operation of the specification.
pub fn operation_to_spec(operation: &Operation) -> operation::Operation {
    use operation::Action;
    let action = match operation {
        Operation::Require(_, None) => Action::RequireAbsent,
        Operation::Require(_, Some(value)) => Action::RequireValue(bytes_to_spec(value)),
        Operation::Put(_, value) => Action::Put(bytes_to_spec(value)),
        Operation::Delete(_) => Action::Delete,
        Operation::Add(_, amount) => Action::Add(*amount),
        Operation::Sub(_, amount) => Action::Sub(*amount),
    };
    operation::Operation { operation_key: bytes_to_spec(operation.key()), action }
}

/// An opening of the specification.
pub fn opening_to_spec(meaning: Meaning) -> opening::Opening {
    match meaning {
        Meaning::Malformed => opening::Opening::Malformed,
        Meaning::Exponent(exponent) => opening::Opening::Point(element_to_spec(&exponent)),
    }
}

/// What stands in a claim for its opening.
pub trait SpecifiedOpening {
    /// The opening in the specification.
    fn to_spec(&self, points: &Points) -> opening::Opening;
}

impl SpecifiedOpening for OpeningBytes {
    fn to_spec(&self, points: &Points) -> opening::Opening {
        opening_to_spec(points.meaning(self))
    }
}

/// The specification has an opening in every claim; that of an aggregated block's is not looked at.
impl SpecifiedOpening for Unopened {
    fn to_spec(&self, _: &Points) -> opening::Opening {
        opening_to_spec(Meaning::Malformed)
    }
}

/// A claim of the specification.
pub fn claim_to_spec<O: SpecifiedOpening>(claim: &Claim<O>, points: &Points) -> transaction::Claim {
    transaction::Claim {
        claim_position: number_to_spec(claim.position),
        claim_slot: slot_to_spec(&claim.slot),
        claim_opening: claim.opening.to_spec(points),
    }
}

/// A transaction of the specification.
pub fn transaction_to_spec<O: SpecifiedOpening>(
    transaction: &Transaction<O>,
    points: &Points,
) -> transaction::Transaction {
    transaction::Transaction {
        first_valid: number_to_spec(transaction.first_valid),
        last_valid: number_to_spec(transaction.last_valid),
        nonce: bytes_to_spec(&transaction.nonce),
        operations: spec_convert::to_seq(transaction.operations.iter().map(operation_to_spec).collect()),
        claims: spec_convert::to_seq(transaction.claims.iter().map(|claim| claim_to_spec(claim, points)).collect()),
    }
}

/// A block of the specification.
pub fn block_to_spec<O: SpecifiedOpening>(block: &Block<O>, points: &Points) -> block_data::Block {
    let transactions = block.transactions.iter().map(|transaction| transaction_to_spec(transaction, points)).collect();
    let tail = block.tail_vectors.iter().map(|slots| spec_convert::to_seq(slots.iter().map(slot_to_spec).collect()));
    block_data::Block {
        block_version: number_to_spec(block.version),
        transactions: spec_convert::to_seq(transactions),
        tail_vectors: spec_convert::to_seq(tail.collect()),
    }
}

/// A verdict of either side: the reason by name, the transaction's number, the item's number.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Refusal {
    /// The reason's name.
    pub reason: String,
    /// The transaction's number.
    pub transaction: Option<usize>,
    /// The number of the operation, claim or tail vector.
    pub item: Option<usize>,
}

impl From<rejection::Rejection> for Refusal {
    fn from(rejection: rejection::Rejection) -> Self {
        let rejection::Rejection { reason, transaction, item } = rejection;
        Self { reason: format!("{reason:?}"), transaction, item }
    }
}

impl From<&Rejection> for Refusal {
    fn from(rejection: &Rejection) -> Self {
        let item = match rejection.item {
            Item::Whole => None,
            Item::Operation(item) | Item::Claim(item) | Item::TailVector(item) => Some(item),
        };
        Self { reason: rejection.reason.name().to_owned(), transaction: rejection.transaction, item }
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.reason)?;
        if let Some(transaction) = self.transaction {
            write!(f, " in transaction {transaction}")?;
        }
        if let Some(item) = self.item {
            write!(f, " at item {item}")?;
        }
        Ok(())
    }
}

//! What the oracle is given: the specification's inputs, as tokens.

use aardvark_spec::block::aggregated_block::AggregatedBlock;
use aardvark_spec::block::block_data::Block;
use aardvark_spec::block::drawn_block::{BlockEncodings, ClaimEncoding};
use aardvark_spec::block::import::ImportBlock;
use aardvark_spec::block::operation::{Action, Operation};
use aardvark_spec::block::state::ReplayEntry;
use aardvark_spec::block::transaction::{Claim, Transaction};
use aardvark_spec::commitment::opening::{BatchClaim, Opening};
use aardvark_spec::dictionary::array::Array;
use aardvark_spec::dictionary::changes::Change;
use aardvark_spec::dictionary::genesis::{Genesis, Parameters};
use aardvark_spec::dictionary::key_map::KeyMap;
use aardvark_spec::dictionary::slot::Slot;
use aardvark_spec::dictionary::writes::Write;

use crate::tokens::Line;

impl Line {
    /// A slot: key, value, next key.
    pub fn slot(&mut self, slot: &Slot) {
        self.bytes(&slot.key);
        self.bytes(&slot.value);
        self.bytes(&slot.next);
    }

    /// The parameters.
    pub fn parameters(&mut self, p: &Parameters) {
        self.number(p.scheme);
        for number in [
            p.vector_size,
            p.window_length,
            p.max_key_length,
            p.max_value_length,
            p.transaction_operations,
            p.transaction_claims,
            p.transaction_bytes,
            p.block_transactions,
            p.block_operations,
            p.block_claims,
            p.block_bytes,
        ] {
            self.size(number);
        }
    }

    /// A map from keys to values.
    pub fn key_map(&mut self, entries: &KeyMap) {
        self.list(entries, |line, entry| {
            line.bytes(&entry.entry_key);
            line.bytes(&entry.entry_value);
        });
    }

    /// A genesis, its fields in their order.
    pub fn genesis(&mut self, genesis: &Genesis) {
        self.bytes(&genesis.genesis_name);
        self.bytes(&genesis.genesis_salt);
        self.parameters(&genesis.genesis_parameters);
        self.bytes(&genesis.genesis_setup_digest);
        self.key_map(&genesis.genesis_entries);
        self.bytes(&genesis.genesis_binding);
    }

    /// An operation: key, action.
    pub fn operation(&mut self, operation: &Operation) {
        self.bytes(&operation.operation_key);
        match &operation.action {
            Action::RequireAbsent => self.word("require-absent"),
            Action::RequireValue(required) => {
                self.word("require");
                self.bytes(required);
            }
            Action::Put(put_value) => {
                self.word("put");
                self.bytes(put_value);
            }
            Action::Delete => self.word("delete"),
            Action::Add(amount) => {
                self.word("add");
                self.number(*amount);
            }
            Action::Sub(amount) => {
                self.word("sub");
                self.number(*amount);
            }
        }
    }

    /// A claim: position, slot, opening.
    pub fn claim(&mut self, claim: &Claim) {
        self.size(claim.claim_position);
        self.slot(&claim.claim_slot);
        self.opening(&claim.claim_opening);
    }

    /// An opening: its exponent, unless it is malformed.
    pub fn opening(&mut self, opening: &Opening) {
        match opening {
            Opening::Malformed => self.word("-"),
            Opening::Point(point) => {
                self.word("+");
                self.element(*point);
            }
        }
    }

    /// A transaction.
    pub fn transaction(&mut self, tx: &Transaction) {
        self.size(tx.first_valid);
        self.size(tx.last_valid);
        self.bytes(&tx.nonce);
        self.list(&tx.operations, Self::operation);
        self.list(&tx.claims, Self::claim);
    }

    /// A block.
    pub fn block(&mut self, block: &Block) {
        self.size(block.block_version);
        self.list(&block.transactions, Self::transaction);
        self.list(&block.tail_vectors, |line, vector| line.list(vector, Self::slot));
    }

    /// An aggregated block: the plain one, the points.
    pub fn aggregated_block(&mut self, aggregated: &AggregatedBlock) {
        self.block(&aggregated.plain_block);
        self.list(&aggregated.block_points, Self::opening);
    }

    /// The encodings of a claim's commitment and scalar.
    pub fn claim_encoding(&mut self, encoding: &ClaimEncoding) {
        self.bytes(&encoding.commitment_bytes);
        self.bytes(&encoding.scalar_bytes);
    }

    /// The encodings that an aggregated block's challenges bind: of its claims, of its points.
    pub fn block_encodings(&mut self, encodings: &BlockEncodings) {
        self.list(&encodings.claim_encodings, Self::claim_encoding);
        self.list(&encodings.point_encodings, Self::bytes);
    }

    /// A claim of a batch: commitment, index, scalar, exponent of the opening.
    pub fn batch_claim(&mut self, claim: &BatchClaim) {
        self.element(claim.batch_commitment);
        self.size(claim.batch_index);
        self.scalar(claim.batch_scalar);
        self.element(claim.batch_opening);
    }

    /// A write: position, content.
    pub fn write(&mut self, write: &Write) {
        self.size(write.write_position);
        self.option(write.write_content.as_ref(), Self::slot);
    }

    /// An entry of the replay set: id, last version.
    pub fn replay_entry(&mut self, entry: &ReplayEntry) {
        self.bytes(&entry.replay_id);
        self.size(entry.replay_last_valid);
    }

    /// An array.
    pub fn array(&mut self, array: &Array) {
        self.size(array.array_size);
        self.list(&array.array_slots, |line, content| line.option(content.as_ref(), Self::slot));
    }

    /// A change: key, content before, content after.
    pub fn change(&mut self, change: &Change) {
        self.bytes(&change.change_key);
        self.option(change.change_before.as_ref(), Self::bytes);
        self.option(change.change_after.as_ref(), Self::bytes);
    }

    /// A block of imports.
    pub fn import_block(&mut self, block: &ImportBlock) {
        self.size(block.import_version);
        self.list(&block.import_changes, |line, change| {
            line.bytes(&change.import_key);
            line.option(change.import_content.as_ref(), Self::bytes);
        });
    }
}

//! The policy `tables`: who may write which changes of tables (`aardvark_spec::policy::tables`).
//!
//! Each transaction is about one table, whose schema it pins:
//!
//! | write | operations |
//! |---|---|
//! | create | `Require`(schema, absent), `Put`(schema) |
//! | seal | `Require`(schema, s), `Put`(schema, s') |
//! | of runs | `Require`(schema, s), then steps of different runs |
//! | a step | `Require`(head, absent or h); segments; nothing, `Put`(head, h') or `Delete`(head); deletions of segments |
//! | segments | nothing, or: `Require`(the segment before, its value) unless that is the first, then for each `Require`(segment, absent), `Put`(segment) |
//!
//! So a run is appended, extended, amended or deleted, as the steps of an embedded archive do, and
//! several runs may share a certificate. What a step does is judged by the functions that an
//! embedded archive and its audit ask ([`aardvark_aggregates::judge_change`],
//! [`aardvark_aggregates::judge_run`], [`aardvark_aggregates::judge_segment_delete`]), on the
//! contents that the transaction itself pins. A creator signs what creates, a writer of the pinned
//! schema everything else.
//!
//! The policy is looked at in two parts. The **shape** ([`Policy::check`](crate::Policy::check))
//! asks for no point and costs nothing: it comes before signatures. What needs points comes behind
//! the openings, since until then anybody can pin a schema that names himself a writer
//! ([`judge`]): what each step does, and what each certificate has to show. That they show it is
//! one pairing check for many transactions ([`first_false`]).

mod judge;
mod shape;

use std::collections::BTreeSet;

use aardvark_aggregates::key::TABLE_KEY_BYTE;
use aardvark_dictionary::{Genesis, Transaction};

use crate::code::TxCode;
use crate::genesis_error::ChainGenesisError;
use crate::listed::listed;
use crate::signed::SignerSignature;
use crate::table_certificate::TableCertificate;

pub use judge::{TableSheet, false_ones, first_false, judge};
pub use shape::{CertifiedKeys, certified_keys, segments_put};
use shape::{TableWrite, covered, read_write};

/// Bytes of the longest key of a table.
const LONGEST_KEY: u16 = 176;
/// Bytes of the longest schema.
const LONGEST_SCHEMA: u16 = 1024;
/// Operations of the smallest transaction that adds a segment to a run of several.
const FEWEST_OPERATIONS: u32 = 6;

/// Whether a transaction has the shape of a write, those signed who may write so, and its
/// certificates cover what it puts.
pub(crate) fn check<O>(
    creators: &BTreeSet<[u8; 32]>,
    transaction: &Transaction<O>,
    signatures: &[SignerSignature],
    certificates: &[TableCertificate],
) -> Result<(), TxCode> {
    let write = read_write(&transaction.operations)?;
    listed(signatures, |key| match &write {
        TableWrite::Create => creators.contains(key),
        TableWrite::Seal(schema) | TableWrite::Runs { schema, .. } => schema.writers.contains(key),
    })?;
    covered(&write, certificates).map(|_| ())
}

/// Whether a chain whose tables these may create can begin with this content, under these
/// parameters.
pub(crate) fn check_genesis(creators: &BTreeSet<[u8; 32]>, genesis: &Genesis) -> Result<(), ChainGenesisError> {
    let parameters = genesis.parameters();
    if creators.is_empty() {
        return Err(ChainGenesisError::NoCreator);
    }
    let fits = parameters.max_key_length >= LONGEST_KEY
        && parameters.max_value_length >= LONGEST_SCHEMA
        && parameters.limits.transaction_operations >= FEWEST_OPERATIONS;
    if !fits {
        return Err(ChainGenesisError::TablesDoNotFit);
    }
    let of_table = genesis.entries().iter().find(|(key, _)| key.first() == Some(&TABLE_KEY_BYTE));
    of_table.map_or(Ok(()), |(key, _)| Err(ChainGenesisError::TableInGenesis(key.clone())))
}

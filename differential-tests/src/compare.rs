//! Comparisons of what the two sides hold.

use std::collections::BTreeMap;

use aardvark_dictionary::window::VersionRecord;
use aardvark_dictionary::{Slot, ValidatorState};
use aardvark_spec::base::group::G1;
use aardvark_spec::block::state;
use aardvark_spec::convert::{replay_pairs, to_vec, window_parts, write_pairs};
use aardvark_spec::dictionary::{slot, writes};

use crate::convert::{exponent_from_spec, slot_from_spec};
use crate::points::{PointBytes, Points};

/// What the two sides do not agree on.
pub type Mismatch = String;

/// Asks that two values are the same.
///
/// # Errors
/// A sentence with both.
pub fn same<T: PartialEq + std::fmt::Debug>(what: &str, specification: T, implementation: T) -> Result<(), Mismatch> {
    if specification == implementation {
        return Ok(());
    }
    Err(format!("{what}:\n  specification  {specification:?}\n  implementation {implementation:?}"))
}

/// Positions with their contents, from the specification's writes.
pub fn writes_from_spec(list: &hacspec_lib::Seq<writes::Write>) -> Vec<(u64, Option<Slot>)> {
    write_pairs(list)
        .into_iter()
        .map(|(position, content)| (position as u64, content.as_ref().map(slot_from_spec)))
        .collect()
}

/// Asks that two states are the same: every field, every commitment as bytes.
///
/// # Errors
/// The first field that differs.
pub fn states(spec: &state::ValidatorState, implementation: &ValidatorState, points: &Points) -> Result<(), Mismatch> {
    same("version", spec.version as u64, implementation.version)?;
    same("number of slots", spec.size as u64, implementation.size)?;
    let commitments: Vec<_> = to_vec(&spec.commitments).iter().map(|exponent| point(exponent, points)).collect();
    same(
        "commitments",
        commitments,
        implementation.commitments.iter().map(|commitment| commitment.to_bytes()).collect(),
    )?;
    same("tail_start", spec.tail_start as u64, implementation.tail_start)?;
    let tail: Vec<_> = to_vec(&spec.tail).iter().map(slot_from_spec).collect();
    same("tail", &tail, &implementation.tail)?;
    windows(spec, &implementation.window, points)?;
    let mut replay: Vec<_> = implementation.replay.iter().map(|(id, last)| (id.0.to_vec(), *last as usize)).collect();
    replay.sort();
    same("replay set", replay_pairs(&spec.replay_set), replay)
}

type Record = (u64, Vec<(u64, Option<Slot>)>, u64, BTreeMap<u64, Option<PointBytes>>);

fn windows(spec: &state::ValidatorState, implementation: &[VersionRecord], points: &Points) -> Result<(), Mismatch> {
    let records = window_parts(&spec.window);
    let first = spec.version + 1 - records.len();
    let spec_records: Vec<Record> = records
        .into_iter()
        .zip(first..)
        .map(|((writes, size, commitments), version)| {
            let slot = |content: Option<slot::Slot>| content.as_ref().map(slot_from_spec);
            let writes = writes.into_iter().map(|(position, content)| (position as u64, slot(content))).collect();
            let commitments = commitments.into_iter();
            let commitments =
                commitments.map(|(vector, exponent)| (vector as u64, exponent.map(|e| point(&e, points))));
            (version as u64, writes, size as u64, commitments.collect())
        })
        .collect();
    let implementation_records: Vec<Record> = implementation.iter().map(record).collect();
    same("window", spec_records, implementation_records)
}

fn record(entry: &VersionRecord) -> Record {
    let commitments = entry.previous_commitments.iter();
    let commitments = commitments.map(|(vector, commitment)| (*vector, commitment.map(|c| c.to_bytes())));
    (entry.version, entry.writes.clone(), entry.previous_size, commitments.collect())
}

/// The encoding of a group element of the specification.
pub fn point(element: &G1, points: &Points) -> PointBytes {
    points.opening(exponent_from_spec(*element))
}

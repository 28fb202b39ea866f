//! What the runs of a box add up to, group by group (`aardvark_spec::table::totals`).
//!
//! The commitment to a run's sums of p-th powers opens at 1, a point of every domain, to the run's
//! total; so the sum C_p of the commitments of a group's runs opens there to the group's total S_p,
//! whatever domains the runs are on. A total is at most n cap^p, n the rows of the group: below
//! 2^40 rows and 2^64 for the cap, that is below r, so no sum wraps.

use std::collections::BTreeMap;

use aardvark_algebra::ff::Field;
use aardvark_algebra::{G1Affine, Scalar, scalar_from_bytes};
use num::BigUint;

use super::reason::{AnswerError, TableReason};
use super::runs::{BoxRun, Claims};
use crate::query::Query;

/// A group: its rows, and which runs are in it.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    /// The number of rows.
    pub(super) rows: u64,
    /// The places of its runs.
    pub(super) runs: Vec<usize>,
}

/// The groups of a query's runs, by their keys.
pub(super) fn groups(query: &Query, runs: &[BoxRun]) -> BTreeMap<Vec<u8>, Group> {
    let mut groups: BTreeMap<Vec<u8>, Group> = BTreeMap::new();
    for (place, run) in runs.iter().enumerate() {
        let group = groups.entry(query.group_key(&run.columns)).or_default();
        group.rows += run.head.rows();
        group.runs.push(place);
    }
    groups
}

/// The 32 bytes of a number below 2^256, highest first.
pub(super) fn total_bytes(total: &BigUint) -> Option<[u8; 32]> {
    let bytes = total.to_bytes_be();
    let start = 32usize.checked_sub(bytes.len())?;
    let mut padded = [0; 32];
    padded.iter_mut().skip(start).zip(bytes).for_each(|(place, byte)| *place = byte);
    Some(padded)
}

/// The claims (C_p, 1, S_p) of stated totals, group by group.
pub(super) fn claims(
    groups: &BTreeMap<Vec<u8>, Group>,
    runs: &[BoxRun],
    stated: &[Vec<BigUint>],
    powers: u8,
    cap: u64,
) -> Result<Claims, AnswerError> {
    let powers = usize::from(powers);
    let expected = if powers == 0 { 0 } else { groups.len() };
    if stated.len() != expected || stated.iter().any(|totals| totals.len() != powers) {
        return Err(AnswerError::whole(TableReason::PartsMismatched));
    }
    let mut claims = Claims::default();
    for (group, totals) in groups.values().zip(stated) {
        let mut bound = BigUint::from(group.rows);
        for (p, total) in totals.iter().enumerate() {
            bound *= cap;
            if *total > bound {
                return Err(AnswerError::whole(TableReason::TotalsExceeded));
            }
            let exceeded = AnswerError::whole(TableReason::TotalsExceeded);
            let value = total_bytes(total).and_then(|bytes| scalar_from_bytes(&bytes).ok()).ok_or(exceeded)?;
            let sums = group.runs.iter().filter_map(|place| runs.get(*place)?.head.totals().get(p));
            let points: Vec<G1Affine> = sums.map(|commitment| *commitment.point()).collect();
            claims.push(&points, Scalar::ONE, value);
        }
    }
    Ok(claims)
}

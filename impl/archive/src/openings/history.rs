//! The log of a vector from the store: what the versions within retention changed in it.

use aardvark_algebra::Scalar;
use aardvark_algebra::ff::Field;
use aardvark_algebra::integers::{u32_or_max, u64_of_usize};

use crate::error::{ArchiveError, Damage, Place};
use crate::tables::Tables;

use super::log::{Delta, DeltaLog};

/// Versions that a log goes back at most: beyond, reading them would take longer than an opening.
const MOST_VERSIONS: u64 = 256;

/// Goes back from the newest version of a vector, whose scalars `now` are, to version `oldest`, or
/// until there are `most` changes.
pub(super) fn log_of(
    tables: &Tables<'_>,
    (start, newest): (u64, u64),
    mut now: Vec<Scalar>,
    oldest: u64,
    most: usize,
) -> Result<DeltaLog, ArchiveError> {
    let end = start.saturating_add(u64_of_usize(now.len()));
    let mut deltas = Vec::new();
    let mut version = newest;
    while version > oldest && newest - version < MOST_VERSIONS && deltas.len() < most {
        for (position, before) in replaced(tables, version, (start, end))? {
            let index = position - start;
            let Some(after) = usize::try_from(index).ok().and_then(|index| now.get_mut(index)) else {
                continue;
            };
            let index = u32_or_max(index);
            deltas.push(Delta { version, index, change: *after - before });
            *after = before;
        }
        version -= 1;
    }
    deltas.reverse();
    Ok(DeltaLog::new(version, deltas))
}

/// The positions that a version wrote, with the scalars that stood there before: zero where it
/// appended.
fn replaced(tables: &Tables<'_>, version: u64, (start, end): (u64, u64)) -> Result<Vec<(u64, Scalar)>, ArchiveError> {
    let mut replaced = Vec::new();
    for position in tables.written_within(version, start, end)? {
        let position = position?;
        let past = tables.replaced_slot(position, version)?;
        let past = past.ok_or_else(|| Damage::missing(Place::PastSlot { position, version }))?;
        replaced.push((position, past.slot.scalar()));
    }
    let (before, after) = (tables.version(version - 1)?.size, tables.version(version)?.size);
    let appended = before.max(start)..after.min(end);
    replaced.extend(appended.map(|position| (position, Scalar::ZERO)));
    Ok(replaced)
}

//! Numbers of runs among those of their key.

use crate::error::TablesError;
use crate::place::{SegmentPlace, head_key};
use crate::vault::Vault;

/// The least number above `last` that no run of a key ever had in a vault: of those that are
/// deleted the vault keeps the rows.
pub(crate) fn unused_run(
    vault: &Vault,
    (table, column, columns): (&str, u8, &[u8]),
    last: Option<u32>,
) -> Result<u32, TablesError> {
    let next = |run: u32| run.checked_add(1).ok_or(TablesError::TooManyRuns);
    let mut run = last.map_or(Ok(0), next)?;
    loop {
        let head = head_key(table, column, columns, run);
        if !vault.has(&SegmentPlace { head, revision: 0, segment: 0 })? {
            return Ok(run);
        }
        run = next(run)?;
    }
}

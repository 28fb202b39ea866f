//! The store against the replayed one, record by record.

use std::cmp::Ordering;

use crate::archive::Archive;
use crate::error::ArchiveError;
use crate::keys;
use crate::progress::{Phase, Progress};
use crate::store::Table;
use crate::tables::{Record, Tables, Walk};

use super::{Audit, Fault, MOST_FINDINGS, Stop};

/// Records between two reports of progress.
const REPORT_EVERY: u64 = 1 << 14;

impl Audit<'_> {
    /// Compares all tables and says how many records they have.
    pub(super) fn compare(&mut self, replayed: &Archive) -> Result<u64, Stop> {
        let (stored, expected) = (self.archive.tables()?, replayed.tables()?);
        let mut records = 0;
        for table in Table::ALL {
            let compared = self.collect(|audit| audit.compare_table(table, &stored, &expected, records))?;
            records += compared.unwrap_or(0);
        }
        Ok(records)
    }

    fn compare_table(
        &mut self,
        table: Table,
        stored: &Tables<'_>,
        expected: &Tables<'_>,
        before: u64,
    ) -> Result<u64, Stop> {
        let mut pairs = Pairs { stored: stored.raw(table)?.peekable(), expected: expected.raw(table)?.peekable() };
        let mut count = 0;
        let mut found = 0;
        while let Some(pair) = pairs.next()? {
            count += 1;
            if count % REPORT_EVERY == 0 {
                (self.progress)(Progress { phase: Phase::Compare, done: before + count, total: 0 });
            }
            if let Some((key, fault)) = fault_of(table, pair, stored)? {
                self.find(keys::place(table, &key), fault);
                found += 1;
                if found == MOST_FINDINGS {
                    break;
                }
            }
        }
        Ok(count)
    }
}

/// Records of one key: in the store, and as expected.
type Pair = (Option<Record>, Option<Record>);

fn fault_of(table: Table, pair: Pair, stored: &Tables<'_>) -> Result<Option<(Vec<u8>, Fault)>, ArchiveError> {
    Ok(match pair {
        (Some((key, _)), None) => Some((key, Fault::Superfluous)),
        (None, Some((key, _))) => Some((key, Fault::Missing)),
        (Some((key, record)), Some((_, expected))) if record != expected => Some((key, Fault::Different)),
        (Some((key, record)), Some(_)) => {
            // A walk does not look at the keys that guide a search through inner pages; a search
            // does.
            let reached = stored.raw_at(table, &key)?;
            (reached != Some(record)).then_some((key, Fault::Unreachable))
        }
        (None, None) => None,
    })
}

/// Two walks in key order, side by side.
struct Pairs<'a> {
    stored: std::iter::Peekable<Walk<'a, Record>>,
    expected: std::iter::Peekable<Walk<'a, Record>>,
}

impl Pairs<'_> {
    /// The record or records of the next key; `None` at the end of both.
    fn next(&mut self) -> Result<Option<Pair>, ArchiveError> {
        let order = match (self.stored.peek(), self.expected.peek()) {
            (None, None) => return Ok(None),
            (Some(_), None) | (Some(Err(_)), _) => Ordering::Less,
            (None, Some(_)) | (_, Some(Err(_))) => Ordering::Greater,
            (Some(Ok((stored, _))), Some(Ok((expected, _)))) => stored.cmp(expected),
        };
        let stored = if order.is_le() { self.stored.next().transpose()? } else { None };
        let expected = if order.is_ge() { self.expected.next().transpose()? } else { None };
        Ok(Some((stored, expected)))
    }
}

//! What tests of sources share: a table, random damage, and reading to the end.

#![allow(dead_code, reason = "each test uses some of it")]

use aardvark_aggregates::{KeyColumn, KeyKind, Schema, ValueColumn};
use aardvark_tables::RowSource;
use aardvark_tables::source::SourceError;

/// A table of two key columns, a number with a digit behind its point, and a text.
pub fn schema() -> Schema {
    Schema {
        append_only: false,
        deletable: false,
        writers: vec![],
        keys: vec![
            KeyColumn { name: "time".to_owned(), kind: KeyKind::Unsigned, width: 4 },
            KeyColumn { name: "town".to_owned(), kind: KeyKind::Text, width: 6 },
        ],
        values: vec![ValueColumn {
            name: "power".to_owned(),
            lowest: -100,
            span: 20_000,
            bits: 16,
            moments: 1,
            scale: 1,
        }],
        rows: vec!["user".to_owned()],
        watermark: vec![0, 0, 0, 3],
    }
}

/// A source of randomness that a seed determines (splitmix64).
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound as u64) as usize
    }

    /// Bytes with something changed, cut out, doubled or put in.
    pub fn damaged(&mut self, bytes: &[u8], pieces: &[&[u8]]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        for _ in 0..=self.below(3) {
            let at = self.below(bytes.len().max(1)).min(bytes.len());
            let end = (at + self.below(12)).min(bytes.len());
            match self.below(5) {
                0 => drop(bytes.splice(at..end, [self.below(256) as u8])),
                1 => drop(bytes.drain(at..end)),
                2 => bytes.truncate(at),
                3 => drop(bytes.splice(at..at, bytes[at..end].to_vec())),
                _ => drop(bytes.splice(at..end, pieces[self.below(pieces.len())].iter().copied())),
            }
        }
        bytes
    }
}

/// How many rows there are, or why there are none.
pub fn drained(source: Result<impl RowSource, SourceError>) -> Result<u64, SourceError> {
    let (mut source, mut rows) = (source?, 0);
    while source.next_row()?.is_some() {
        rows += 1;
    }
    Ok(rows)
}

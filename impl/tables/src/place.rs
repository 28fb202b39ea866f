//! Where a segment stands.

use aardvark_aggregates::TableKey;

/// Where a segment stands: its run's head, and which of its revisions and segments it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SegmentPlace {
    /// The key of the run's head, as bytes.
    pub head: Vec<u8>,
    /// How often the run was replaced.
    pub revision: u32,
    /// The number of the segment within the run; 0 for the first.
    pub segment: u32,
}

impl SegmentPlace {
    /// The name of the table; `None` where the head's key is none.
    pub fn table(&self) -> Option<&str> {
        TableKey::split_prefix(&self.head).ok().map(|(table, _)| table)
    }
}

/// The key of a run's head.
pub(crate) fn head_key(table: &str, column: u8, columns: &[u8], run: u32) -> Vec<u8> {
    TableKey::Head { table: table.to_owned(), column, columns: columns.to_vec(), run }.to_bytes()
}

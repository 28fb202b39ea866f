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
    /// The place of what stands under a key with a value: of a head's first segment, or of another
    /// segment. `None` where the key is neither's.
    pub fn of_entry(key: &[u8], value: &[u8]) -> Option<Self> {
        let (table, rest) = TableKey::split_prefix(key).ok()?;
        let number = |bytes: &[u8]| Some(u32::from_be_bytes(bytes.try_into().ok()?));
        match rest.first()? {
            1 => Some(Self { head: key.to_vec(), revision: number(value.get(1..5)?)?, segment: 0 }),
            2 => {
                let (run, numbers) = rest.split_at_checked(rest.len().checked_sub(8)?)?;
                let (revision, segment) = numbers.split_at_checked(4)?;
                let head = [TableKey::prefix(table), vec![1], run.get(1..)?.to_vec()].concat();
                Some(Self { head, revision: number(revision)?, segment: number(segment)? })
            }
            _ => None,
        }
    }

    /// The name of the table; `None` where the head's key is none.
    pub fn table(&self) -> Option<&str> {
        TableKey::split_prefix(&self.head).ok().map(|(table, _)| table)
    }
}

/// The key of a run's head.
pub(crate) fn head_key(table: &str, column: u8, columns: &[u8], run: u32) -> Vec<u8> {
    TableKey::Head { table: table.to_owned(), column, columns: columns.to_vec(), run }.to_bytes()
}

/// The key of a segment that is not its run's first.
pub(crate) fn segment_key(table: &str, column: u8, columns: &[u8], run: u32, revision: u32, segment: u32) -> Vec<u8> {
    TableKey::Segment { table: table.to_owned(), column, columns: columns.to_vec(), run, revision, segment }.to_bytes()
}

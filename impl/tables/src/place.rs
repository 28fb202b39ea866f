//! Where a segment stands.

use aardvark_aggregates::TableKey;

/// Bytes of a record besides its sums.
const RECORD: usize = 1 + 2 + 2 + 48 + 32;

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

/// Whether what stands under a key has the segment that was put there: of a head its revision and
/// first record, since the run may have grown since.
pub(crate) fn has_segment(key: &[u8], found: &[u8], put: &[u8]) -> bool {
    let is_head = TableKey::split_prefix(key).is_ok_and(|(_, rest)| rest.first() == Some(&1));
    match (first_segment(found), first_segment(put)) {
        (Some(found), Some(put)) if is_head => found == put,
        _ => found == put,
    }
}

/// The revision and the record of a head's bytes, which end with totals where the run has several
/// segments: as many as the record has sums.
fn first_segment(head: &[u8]) -> Option<(&[u8], &[u8])> {
    let (revision, segments, rest) = (head.get(1..5)?, head.get(5..9)?, head.get(17..)?);
    let sums = rest.len().checked_sub(RECORD)?;
    let of_record = if segments == [0, 0, 0, 1] { sums } else { sums / 2 };
    Some((revision, rest.get(..RECORD + of_record)?))
}

/// The key of a run's head.
pub(crate) fn head_key(table: &str, column: u8, columns: &[u8], run: u32) -> Vec<u8> {
    TableKey::Head { table: table.to_owned(), column, columns: columns.to_vec(), run }.to_bytes()
}

/// The key of a segment that is not its run's first.
pub(crate) fn segment_key(table: &str, column: u8, columns: &[u8], run: u32, revision: u32, segment: u32) -> Vec<u8> {
    TableKey::Segment { table: table.to_owned(), column, columns: columns.to_vec(), run, revision, segment }.to_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_has_its_first_segment_however_it_grows() {
        let head = |revision: u8, segments: u8, record: u8, totals: &[u8]| {
            let numbers = [&[1, 0, 0, 0, revision, 0, 0, 0, segments][..], &[segments; 8]].concat();
            [numbers, vec![record; RECORD + 2 * 48], totals.to_vec()].concat()
        };
        let (key, totals) = (head_key("t", 0, &[1], 0), [9; 2 * 48]);
        let put = head(1, 1, 7, &[]);
        assert!(has_segment(&key, &put, &put) && has_segment(&key, &head(1, 3, 7, &totals), &put));
        for other in [head(2, 1, 7, &[]), head(2, 3, 7, &totals), head(1, 1, 8, &[]), vec![], vec![1; 30]] {
            assert!(!has_segment(&key, &other, &put));
        }
        // Whatever else stands is the same or is not.
        let segment = segment_key("t", 0, &[1], 0, 1, 1);
        assert!(has_segment(&segment, &put, &put) && !has_segment(&segment, &head(1, 3, 7, &totals), &put));
    }
}

//! Packing segments into sheets: next fit, in the order of their keys.

use aardvark_aggregates::sheet::{MAX_SEGMENTS, MIN_LOG, capacity};

/// A sheet: which segments are on it, and where each begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackedSheet {
    /// The logarithm of the domain's size: the least on which they have room.
    pub log: usize,
    /// The segments by their places in the list, and their first positions.
    pub segments: Vec<(usize, usize)>,
}

/// Sheets of at most 2^log positions for segments of so many rows each, of which each fits alone.
pub fn pack(rows: &[usize], log: usize) -> Vec<PackedSheet> {
    let mut sheets: Vec<PackedSheet> = Vec::new();
    // The first position that is free behind the last segment and its gap.
    let mut free = usize::MAX;
    for (place, count) in rows.iter().enumerate() {
        let end = free.saturating_add(*count).saturating_sub(1);
        let open = sheets.last_mut().filter(|sheet| end <= capacity(log) && sheet.segments.len() < MAX_SEGMENTS);
        match open {
            Some(sheet) => {
                sheet.segments.push((place, free));
                free += count + 1;
            }
            None => {
                sheets.push(PackedSheet { log, segments: vec![(place, 1)] });
                free = count + 2;
            }
        }
        if let Some(sheet) = sheets.last_mut() {
            sheet.log = (MIN_LOG..log).find(|log| free - 2 <= capacity(*log)).unwrap_or(log);
        }
    }
    sheets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_lie_apart_on_the_least_domain_that_has_room() {
        assert_eq!(pack(&[], 10), []);
        assert_eq!(pack(&[4], 10), [PackedSheet { log: 3, segments: vec![(0, 1)] }]);
        assert_eq!(pack(&[5], 10), [PackedSheet { log: 4, segments: vec![(0, 1)] }]);
        // One row, a gap, two rows: four positions.
        assert_eq!(pack(&[1, 2], 10), [PackedSheet { log: 3, segments: vec![(0, 1), (1, 3)] }]);
        assert_eq!(pack(&[2, 2], 10), [PackedSheet { log: 4, segments: vec![(0, 1), (1, 4)] }]);
    }

    #[test]
    fn a_sheet_that_is_full_is_followed_by_another() {
        let sheets = pack(&[1020, 1, 1018, 1], 10);
        let expected = [
            PackedSheet { log: 10, segments: vec![(0, 1)] },
            PackedSheet { log: 10, segments: vec![(1, 1), (2, 3)] },
            PackedSheet { log: 3, segments: vec![(3, 1)] },
        ];
        assert_eq!(sheets, expected);
        let many = pack(&vec![1; 3000], 11);
        assert!(many.iter().all(|sheet| sheet.segments.len() <= MAX_SEGMENTS));
        assert_eq!(many.iter().map(|sheet| sheet.segments.len()).sum::<usize>(), 3000);
    }
}

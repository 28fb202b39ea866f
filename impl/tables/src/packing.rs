//! Packing segments into sheets: next fit, in the order of their keys.

use aardvark_aggregates::sheet::{MAX_SEGMENTS, MIN_LOG, capacity};

/// A sheet that is filled with segments, each behind those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packer {
    /// The logarithm of the most positions.
    most: usize,
    /// The first position that is free behind the last segment and its gap.
    free: usize,
    segments: usize,
}

impl Packer {
    /// An empty sheet of at most 2^most positions.
    pub fn new(most: usize) -> Self {
        Self { most, free: 1, segments: 0 }
    }

    /// Places a segment of so many rows: its first position; `None` where it has no room.
    pub fn place(&mut self, rows: usize) -> Option<usize> {
        let end = self.free.checked_add(rows)?.checked_sub(1)?;
        if end > capacity(self.most) || self.segments >= MAX_SEGMENTS {
            return None;
        }
        let first = self.free;
        self.free = end + 2;
        self.segments += 1;
        Some(first)
    }

    /// The logarithm of the least domain on which all that was placed has room.
    pub fn log(&self) -> usize {
        let end = self.free.saturating_sub(2);
        (MIN_LOG..self.most).find(|log| end <= capacity(*log)).unwrap_or(self.most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sheet: the logarithm of its size, its segments by their places in the list, and their
    /// first positions.
    #[derive(Debug, PartialEq, Eq)]
    struct PackedSheet {
        log: usize,
        segments: Vec<(usize, usize)>,
    }

    /// Sheets of at most 2^log positions for segments of so many rows each.
    fn pack(rows: &[usize], log: usize) -> Vec<PackedSheet> {
        let mut sheets = Vec::new();
        let mut packer = Packer::new(log);
        for (place, count) in rows.iter().enumerate() {
            let first = packer.place(*count).filter(|_| !sheets.is_empty());
            let first = first.unwrap_or_else(|| {
                packer = Packer::new(log);
                sheets.push(PackedSheet { log, segments: vec![] });
                packer.place(*count).unwrap()
            });
            let sheet = sheets.last_mut().unwrap();
            sheet.segments.push((place, first));
            sheet.log = packer.log();
        }
        sheets
    }

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

//! Sorts more records than memory holds: what fits is sorted and goes to a temporary file, and the
//! files are merged.
//!
//! A record is a string of bytes, and records are in the order of these. The files have no names:
//! a process that is killed leaves none.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Seek, Write};

use aardvark_algebra::parallel::prelude::*;

use crate::scratch::MakeFile;

/// The most files that are merged at once.
const MOST_PARTS: usize = 64;
/// What is read from a file, or written to it, at a time.
const BUFFER: usize = 1 << 17;

/// Records on their way to be sorted.
pub struct Sorter {
    make_file: MakeFile,
    /// The most bytes in memory.
    budget: usize,
    bytes: Vec<u8>,
    /// Where each record that is in memory starts and ends.
    records: Vec<(usize, usize)>,
    parts: Vec<File>,
    count: u64,
}

impl Sorter {
    /// A sorter that takes about so many bytes of memory.
    pub fn new(budget: usize, make_file: MakeFile) -> Self {
        Self { make_file, budget, bytes: Vec::new(), records: Vec::new(), parts: Vec::new(), count: 0 }
    }

    /// Takes a record.
    ///
    /// # Errors
    /// What the system says of a temporary file.
    pub fn push(&mut self, record: &[u8]) -> io::Result<()> {
        let taken = self.bytes.len() + self.records.len() * size_of::<(usize, usize)>();
        if !self.records.is_empty() && taken + record.len() + size_of::<(usize, usize)>() > self.budget {
            self.spill()?;
        }
        let start = self.bytes.len();
        self.bytes.extend_from_slice(record);
        self.records.push((start, self.bytes.len()));
        self.count += 1;
        Ok(())
    }

    /// How many records there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// All records in ascending order.
    ///
    /// # Errors
    /// What the system says of a temporary file.
    pub fn sorted(mut self) -> io::Result<Sorted> {
        if self.parts.is_empty() {
            self.sort();
            let Self { bytes, records, .. } = self;
            return Ok(Sorted::Memory { bytes, records, next: 0 });
        }
        self.spill()?;
        // The records' memory is not needed while they are merged.
        let Self { parts, .. } = self;
        Ok(Sorted::Files(Merge::new(parts)?))
    }

    fn sort(&mut self) {
        let bytes = &self.bytes;
        let record = |(start, end): &(usize, usize)| bytes.get(*start..*end).unwrap_or_default();
        self.records.par_sort_unstable_by(|one, other| record(one).cmp(record(other)));
    }

    /// Writes what is in memory to a file.
    fn spill(&mut self) -> io::Result<()> {
        self.sort();
        let mut file = BufWriter::with_capacity(BUFFER, (self.make_file)()?);
        for (start, end) in &self.records {
            put(&mut file, self.bytes.get(*start..*end).unwrap_or_default())?;
        }
        self.parts.push(file.into_inner().map_err(io::IntoInnerError::into_error)?);
        self.bytes.clear();
        self.records.clear();
        if self.parts.len() == MOST_PARTS {
            let mut merge = Merge::new(std::mem::take(&mut self.parts))?;
            let mut file = BufWriter::with_capacity(BUFFER, (self.make_file)()?);
            while let Some(record) = merge.next()? {
                put(&mut file, &record)?;
            }
            self.parts.push(file.into_inner().map_err(io::IntoInnerError::into_error)?);
        }
        Ok(())
    }
}

/// Records in ascending order, each of which is given once.
pub enum Sorted {
    /// All of them fit into memory.
    Memory {
        /// The records, one after the other.
        bytes: Vec<u8>,
        /// Where each of them starts and ends, ascending by their bytes.
        records: Vec<(usize, usize)>,
        /// How many were given.
        next: usize,
    },
    /// They are in files.
    Files(Merge),
}

impl Iterator for Sorted {
    type Item = io::Result<Vec<u8>>;

    fn next(&mut self) -> Option<io::Result<Vec<u8>>> {
        match self {
            Self::Memory { bytes, records, next } => {
                let record = records.get(*next).and_then(|(start, end)| bytes.get(*start..*end));
                *next += 1;
                record.map(|record| Ok(record.to_vec()))
            }
            Self::Files(merge) => merge.next().transpose(),
        }
    }
}

/// Sorted files, as one.
pub struct Merge {
    parts: Vec<BufReader<File>>,
    /// The next record of each file that has one.
    heads: BinaryHeap<Reverse<(Vec<u8>, usize)>>,
}

impl Merge {
    fn new(parts: Vec<File>) -> io::Result<Self> {
        let mut merge = Self { parts: Vec::with_capacity(parts.len()), heads: BinaryHeap::new() };
        for (number, mut file) in parts.into_iter().enumerate() {
            file.rewind()?;
            let mut reader = BufReader::with_capacity(BUFFER, file);
            if let Some(record) = take(&mut reader)? {
                merge.heads.push(Reverse((record, number)));
            }
            merge.parts.push(reader);
        }
        Ok(merge)
    }

    fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        let Some(Reverse((record, number))) = self.heads.pop() else { return Ok(None) };
        if let Some(next) = self.parts.get_mut(number).map(take).transpose()?.flatten() {
            self.heads.push(Reverse((next, number)));
        }
        Ok(Some(record))
    }
}

fn put(file: &mut impl Write, record: &[u8]) -> io::Result<()> {
    file.write_all(&(record.len() as u64).to_be_bytes())?;
    file.write_all(record)
}

fn take(file: &mut BufReader<File>) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 8];
    match file.read(&mut length)? {
        0 => return Ok(None),
        read => file.read_exact(length.get_mut(read..).unwrap_or_default())?,
    }
    let length = u64::from_be_bytes(length);
    // No more than there is, whatever a damaged disk says of the length.
    let mut record = Vec::with_capacity(length.min(BUFFER as u64) as usize);
    let read = file.take(length).read_to_end(&mut record)?;
    if read as u64 == length { Ok(Some(record)) } else { Err(ErrorKind::UnexpectedEof.into()) }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::rc::Rc;

    use super::*;

    fn records(count: u64) -> Vec<Vec<u8>> {
        let mixed = |i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (0..count).map(|i| mixed(i / 2).to_be_bytes()[..(mixed(i) % 9) as usize].to_vec()).collect()
    }

    #[test]
    fn records_come_in_order_whatever_fits_into_memory() {
        for (count, budget) in [(0, 100), (1, 0), (700, usize::MAX), (700, 1000), (700, 0), (5_000, 1000)] {
            let files = Rc::new(Cell::new(0));
            let made = Rc::clone(&files);
            let make_file = move || {
                made.set(made.get() + 1);
                tempfile::tempfile()
            };
            let mut sorter = Sorter::new(budget, Box::new(make_file));
            let mut expected = records(count);
            for record in &expected {
                sorter.push(record).unwrap();
                assert!(sorter.bytes.len() <= budget.max(8), "{budget}");
                assert!(sorter.parts.len() < MOST_PARTS);
            }
            assert_eq!(sorter.count(), count);
            expected.sort_unstable();
            let mut sorted = sorter.sorted().unwrap();
            for record in &expected {
                assert_eq!(sorted.next().unwrap().unwrap(), *record);
            }
            assert!(sorted.next().is_none());
            assert_eq!(files.get() > 0, count > 1 && budget < usize::MAX, "{count} {budget}");
        }
    }

    #[test]
    fn a_full_disk_is_said() {
        let full = || Err(ErrorKind::StorageFull.into());
        let mut sorter = Sorter::new(1, Box::new(full));
        sorter.push(b"one").unwrap();
        assert_eq!(sorter.push(b"two").unwrap_err().kind(), ErrorKind::StorageFull);
    }
}

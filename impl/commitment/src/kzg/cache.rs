//! The file that keeps a derived Lagrange basis, as a table that one sum is made from
//! ([`SplitTable`]).
//!
//! ```text
//! "AARDVARK-LAGRANGE" || u8 2 (format) || u32 N || setup digest (32)
//!     || 4 N points (96 each), the basis first || CRC-32C of all before (4)
//! ```
//!
//! Points are kept as they are computed with, so that reading them costs copies: N = 1,024 loads in
//! a fifth of a millisecond. The checksum finds damage; the file is trusted as our own.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use aardvark_algebra::encoding::encode_g1_words;
use aardvark_algebra::{G1Affine, SplitTable};
use crc32c::{crc32c, crc32c_append};

use super::replaced_file::replace;

/// First bytes of the file in every format.
const NAME: &[u8] = b"AARDVARK-LAGRANGE";
/// The format's number.
const FORMAT: u8 = 2;
/// Bytes of the checksum.
const CHECKSUM_BYTES: usize = 4;

fn header(vector_size: usize, setup_digest: &[u8; 32]) -> Vec<u8> {
    let size = (vector_size as u32).to_be_bytes();
    [NAME, &[FORMAT], &size, setup_digest].concat()
}

/// The table in the file, or nothing if the file is not there, damaged, or for another setup, N or
/// format. It is read and summed up piece by piece: a process that opens once gains more by
/// touching little memory than by rayon's threads.
pub(super) fn read(path: &Path, vector_size: usize, setup_digest: &[u8; 32]) -> Option<SplitTable> {
    let header = header(vector_size, setup_digest);
    let mut file = File::open(path).ok()?;
    let mut found = vec![0; header.len()];
    file.read_exact(&mut found).ok()?;
    if found != header {
        return None;
    }
    let mut checksum = crc32c(&found);
    let table = SplitTable::read(vector_size, |piece| {
        let is_there = file.read_exact(piece).is_ok();
        checksum = crc32c_append(checksum, piece);
        is_there
    })?;
    let mut found = [0; CHECKSUM_BYTES];
    file.read_exact(&mut found).ok()?;
    let ends = file.read(&mut [0]).ok()? == 0;
    (ends && found == checksum.to_be_bytes()).then_some(table)
}

/// Whether the file begins with the name and the number of the format.
pub(super) fn has_format(path: &Path) -> bool {
    let mut found = [0; NAME.len() + 1];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut found));
    read.is_ok() && found.split_last() == Some((&FORMAT, NAME))
}

/// Whether the file is the one that [`keep`] makes of the basis, byte for byte; `None` where
/// there is no file, or one of another format, which nothing reads.
pub(super) fn agrees(path: &Path, basis: &[G1Affine], setup_digest: &[u8; 32]) -> io::Result<Option<bool>> {
    let expected = encode(&SplitTable::new(basis), setup_digest);
    let mut bytes = Vec::with_capacity(expected.len() + 1);
    match File::open(path) {
        Ok(file) => file.take(expected.len() as u64 + 1).read_to_end(&mut bytes)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let format = bytes.strip_prefix(NAME).and_then(<[u8]>::first);
    Ok(if format.is_some_and(|format| *format != FORMAT) { None } else { Some(bytes == expected) })
}

/// The table of the basis, which is written in the place of what was there, if it can be: a process
/// that cannot derives it again.
pub(super) fn keep(path: &Path, basis: &[G1Affine], setup_digest: &[u8; 32]) -> Option<SplitTable> {
    let table = SplitTable::new(basis);
    let bytes = encode(&table, setup_digest);
    let _unwritten_is_slower_only = replace(path, |file| file.write_all(&bytes));
    Some(table)
}

fn encode(table: &SplitTable, setup_digest: &[u8; 32]) -> Vec<u8> {
    let mut bytes = header(table.bases().len(), setup_digest);
    table.entries().iter().for_each(|point| bytes.extend(encode_g1_words(point)));
    bytes.extend(crc32c(&bytes).to_be_bytes());
    bytes
}

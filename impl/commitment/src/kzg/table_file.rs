//! The file that keeps tables.
//!
//! ```text
//! "AARDVARK-TABLES" || u8 2 (format) || u32 N || u32 window of the basis
//!     || u32 window of the own table || u32 stride of both || u32 shifts || setup digest (32)
//!     || points of the buckets, of the basis' and of the own table, 96 bytes each
//!     || SHA-256 of all before
//! ```
//!
//! A window and a stride of 0 and no shifts say that there is no such table. Everything before the
//! points follows from the setup, N and the budget: what a file has there is compared, never
//! believed, so a file decides neither what is read nor how much. Points are kept as they are
//! computed with, so that reading a table costs a hash and a look at the curve's equation, a
//! fraction of what making it costs.
//!
//! The file is **trusted** as our own, like the Lagrange basis': the checksum finds damage and
//! files cut short, not malice. Whoever can write where tables are kept can make commitments come
//! out wrong, but no false opening true: verifying uses no table of the file.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use aardvark_algebra::G1Affine;
use aardvark_algebra::encoding::{G1_UNCOMPRESSED_BYTES, decode_g1_words_trusted, encode_g1_words};
use aardvark_algebra::parallel::{self, prelude::*};
use aardvark_algebra::table::TableShape;
use sha2::{Digest, Sha256};
use thiserror::Error;

use super::replaced_file::replace;
use super::table_plan::{Plan, Points};
use crate::error::CommitmentError;

/// First bytes of the file, with its format number.
const MAGIC: &[u8] = b"AARDVARK-TABLES\x02";
/// Bytes of the checksum.
const CHECKSUM_BYTES: usize = 32;
/// Points that are read or written at once: 800 kB.
const POINTS_AT_ONCE: usize = 8192;

/// Why tables were not read from a file, or not written to it.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TableFileError {
    /// The file cannot be read or written; one that is not there, too.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file is shorter or longer than tables of this N and budget.
    #[error("{path}: {found} bytes where these tables take {expected}")]
    Length {
        /// The file.
        path: PathBuf,
        /// Its bytes.
        found: u64,
        /// The bytes of the tables asked for.
        expected: u64,
    },
    /// The file is not one of tables, or one of another format, setup, N or budget.
    #[error("{path}: not the tables of this setup, vector size and budget")]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The checksum is wrong, or a point is not on the curve.
    #[error("{path}: damaged")]
    Damaged {
        /// The file.
        path: PathBuf,
    },
    /// There are no tables to write.
    #[error("there are no tables to write")]
    NoTables,
    /// The scheme can have no tables.
    #[error(transparent)]
    Scheme(#[from] CommitmentError),
}

fn header(plan: &Plan, setup_digest: &[u8; 32]) -> Vec<u8> {
    let [buckets, _, _] = plan.points();
    let number = |of: fn(TableShape) -> usize, shape: Option<TableShape>| shape.map_or(0, of);
    let windows = [plan.shape, plan.own_shape()].map(|shape| number(TableShape::window, shape));
    let stride = number(TableShape::stride, plan.shape);
    let numbers = [plan.bases, windows[0], windows[1], stride, buckets];
    let mut bytes = MAGIC.to_vec();
    bytes.extend(numbers.iter().flat_map(|number| (*number as u32).to_be_bytes()));
    bytes.extend(setup_digest);
    bytes
}

/// Writes tables, replacing what was there.
pub(super) fn write(
    path: &Path,
    plan: &Plan,
    setup_digest: &[u8; 32],
    points: Points<&[G1Affine]>,
) -> Result<(), TableFileError> {
    let content = |file: &mut File| {
        let mut out = BufWriter::new(file);
        let mut hash = Sha256::new();
        let mut put = |bytes: &[u8]| {
            hash.update(bytes);
            out.write_all(bytes)
        };
        put(&header(plan, setup_digest))?;
        for points in points.iter().flat_map(|points| points.chunks(POINTS_AT_ONCE)) {
            let encoded: Vec<_> = points.par_iter().map(encode_g1_words).collect();
            put(encoded.as_flattened())?;
        }
        out.write_all(&hash.finalize())?;
        out.flush()
    };
    replace(path, content).map_err(|source| TableFileError::Io { path: path.into(), source })
}

/// Reads the points of the tables of a plan.
pub(super) fn read(path: &Path, plan: &Plan, setup_digest: &[u8; 32]) -> Result<Points<Vec<G1Affine>>, TableFileError> {
    let io = |source| TableFileError::Io { path: path.into(), source };
    let header = header(plan, setup_digest);
    let points: usize = plan.points().iter().sum();
    let expected = (header.len() + points * G1_UNCOMPRESSED_BYTES + CHECKSUM_BYTES) as u64;
    let file = File::open(path).map_err(io)?;
    let found = file.metadata().map_err(io)?.len();
    if found != expected {
        return Err(TableFileError::Length { path: path.into(), found, expected });
    }
    let mut file = BufReader::new(file);
    let mut stated = vec![0; header.len()];
    file.read_exact(&mut stated).map_err(io)?;
    if stated != header {
        return Err(TableFileError::Foreign { path: path.into() });
    }
    let mut hash = Sha256::new_with_prefix(&header);
    let damaged = || TableFileError::Damaged { path: path.into() };
    let mut list = |count| match read_points(&mut file, &mut hash, count) {
        Err(source) if source.kind() == ErrorKind::InvalidData => Err(damaged()),
        other => other.map_err(io),
    };
    let [buckets, basis, own] = plan.points();
    let lists = [list(buckets)?, list(basis)?, list(own)?];
    let mut checksum = [0; CHECKSUM_BYTES];
    file.read_exact(&mut checksum).map_err(io)?;
    if <[u8; CHECKSUM_BYTES]>::from(hash.finalize()) != checksum {
        return Err(damaged());
    }
    Ok(lists)
}

/// The next points, hashed while they are decoded; [`ErrorKind::InvalidData`] where one is not on
/// the curve.
fn read_points(from: &mut impl Read, hash: &mut Sha256, count: usize) -> io::Result<Vec<G1Affine>> {
    let mut points = Vec::with_capacity(count);
    let mut buffer = vec![[0; G1_UNCOMPRESSED_BYTES]; count.min(POINTS_AT_ONCE)];
    while points.len() < count {
        buffer.truncate(count - points.len());
        let encoded = buffer.as_mut_slice();
        from.read_exact(encoded.as_flattened_mut())?;
        let decode = || encoded.par_iter().map(decode_g1_words_trusted).collect::<Result<Vec<_>, _>>();
        let (decoded, ()) = parallel::join(decode, || hash.update(encoded.as_flattened()));
        points.extend(decoded.map_err(|_| ErrorKind::InvalidData)?);
    }
    Ok(points)
}

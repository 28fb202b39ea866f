//! The file that keeps a derived Lagrange basis.
//!
//! ```text
//! "AARDVARK-LAGRANGE" || u8 1 (format) || u32 N || setup digest (32)
//!     || N points, uncompressed (96 each) || SHA-256 of all before
//! ```
//!
//! Uncompressed, because decoding then needs no square root: N = 1,024 loads in under a
//! millisecond. The checksum finds damage; the file is trusted as our own. It is written beside its
//! place and renamed into it, so that no reader ever sees half a file.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use aardvark_algebra::G1Affine;
use aardvark_algebra::encoding::{G1_UNCOMPRESSED_BYTES, decode_g1_uncompressed_many, encode_g1_uncompressed};
use sha2::{Digest, Sha256};

/// First bytes of the file, with its format number.
const MAGIC: &[u8] = b"AARDVARK-LAGRANGE\x01";
/// Points that are read and decoded together.
const PIECE_POINTS: usize = 64;
/// Bytes of the checksum.
const CHECKSUM_BYTES: usize = 32;

fn header(vector_size: usize, setup_digest: &[u8; 32]) -> Vec<u8> {
    let size = (vector_size as u32).to_be_bytes();
    [MAGIC, size.as_slice(), setup_digest.as_slice()].concat()
}

/// The basis in the file, or nothing if the file is not there, damaged, or for another setup, N or
/// format. It is read, hashed and decoded piece by piece: a process that opens once gains more by
/// touching little memory than by rayon's threads.
pub(super) fn read(path: &Path, vector_size: usize, setup_digest: &[u8; 32]) -> Option<Vec<G1Affine>> {
    let header = header(vector_size, setup_digest);
    let mut file = File::open(path).ok()?;
    let mut hash = Sha256::new();
    let mut buffer = [0; PIECE_POINTS * G1_UNCOMPRESSED_BYTES];
    let found = next(&mut file, &mut buffer, header.len())?;
    if found != header {
        return None;
    }
    hash.update(found);
    let mut basis = Vec::with_capacity(vector_size);
    while basis.len() < vector_size {
        let points = PIECE_POINTS.min(vector_size - basis.len());
        let piece = next(&mut file, &mut buffer, points * G1_UNCOMPRESSED_BYTES)?;
        hash.update(piece);
        for point in decode_g1_uncompressed_many(piece.as_chunks().0) {
            basis.push(point.ok()?);
        }
    }
    let checksum: [u8; CHECKSUM_BYTES] = hash.finalize().into();
    let agrees = next(&mut file, &mut buffer, CHECKSUM_BYTES)? == checksum;
    let ends = next(&mut file, &mut buffer, 1).is_none();
    (agrees && ends).then_some(basis)
}

/// The next so many bytes of a file, if it has them.
fn next<'a>(file: &mut File, buffer: &'a mut [u8], length: usize) -> Option<&'a [u8]> {
    let piece = buffer.get_mut(..length)?;
    file.read_exact(piece).ok()?;
    Some(piece)
}

/// Whether the file is the one that [`write()`] makes of the basis, byte for byte; `None` where
/// there is no file.
pub(super) fn agrees(path: &Path, basis: &[G1Affine], setup_digest: &[u8; 32]) -> io::Result<Option<bool>> {
    let expected = encode(basis, setup_digest);
    let mut bytes = Vec::with_capacity(expected.len() + 1);
    match File::open(path) {
        Ok(file) => file.take(expected.len() as u64 + 1).read_to_end(&mut bytes)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    Ok(Some(bytes == expected))
}

/// Writes the basis, replacing what was there.
pub(super) fn write(path: &Path, basis: &[G1Affine], setup_digest: &[u8; 32]) -> io::Result<()> {
    let bytes = encode(basis, setup_digest);
    replace(path, |file| file.write_all(&bytes))
}

fn encode(basis: &[G1Affine], setup_digest: &[u8; 32]) -> Vec<u8> {
    let mut bytes = header(basis.len(), setup_digest);
    basis.iter().for_each(|point| bytes.extend(encode_g1_uncompressed(point)));
    let checksum: [u8; CHECKSUM_BYTES] = Sha256::digest(&bytes).into();
    bytes.extend(checksum);
    bytes
}

/// Replaces a file whole, or not at all: what `content` writes goes to a draft, which takes the
/// file's name when it is complete.
pub(super) fn replace(path: &Path, content: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let draft = draft_path(path);
    let write = || {
        let mut file = File::create(&draft)?;
        content(&mut file)?;
        file.sync_all()?;
        fs::rename(&draft, path)
    };
    let written = write();
    if written.is_err() {
        // Best effort: the draft is of no use, and the first error is the one to report.
        let _ = fs::remove_file(&draft);
    }
    written
}

/// A name beside `path` that no other thread or process uses.
fn draft_path(path: &Path) -> PathBuf {
    static DRAFTS: AtomicU64 = AtomicU64::new(0);
    let draft = DRAFTS.fetch_add(1, Ordering::Relaxed);
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}.{draft}.draft", std::process::id()));
    PathBuf::from(name)
}

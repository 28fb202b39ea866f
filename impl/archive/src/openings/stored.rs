//! Openings and scalars of vectors in a file beside the store, so that a process which proves one
//! key and ends need not begin with a multi-scalar multiplication.
//!
//! ```text
//! DIR/openings = one row a vector, row after row
//! row          = commitment, uncompressed (96)
//!                || N scalars (32 each) || H("AARDVARK-STORED-SCALARS", bound || scalars)
//!                || N openings (48 each) || H("AARDVARK-STORED-OPENINGS", bound || openings)
//! bound        = dictionary id || u64 vector || commitment
//! ```
//!
//! 80 bytes a key and 160 a vector. A row says of which commitment it is, so it needs no version:
//! where the vector of the version that is asked for has that commitment, its openings are the
//! row's. Otherwise the row is stale, and its openings are never served. But its scalars say what
//! has changed, and where that costs less than computing an opening from the whole vector, the
//! opening is followed through the changes, like a held one; however many versions lie between.
//!
//! *Which vectors.* All of the newest version, when [`Snapshot::store_openings`] is called, on any
//! thread while the archive goes on: it takes [`OpeningCosts::open_all`] a vector, and skips rows
//! that are up to date. Nothing else writes the
//! file. A block leaves the rows of the vectors that it changes stale; the next call renews those.
//!
//! *How they are checked.* Before a row is written, its openings are verified as one batch against
//! the commitment in the store. When a row is read, its digests are computed: they tie each part to
//! the dictionary, the vector and the commitment, so that a row which is damaged, half written,
//! moved or another dictionary's counts as none, and the opening is computed. A process that is
//! killed while it writes leaves at most such rows. Digests find damage and no malice: the file is
//! as trusted as the store beside it, and readers verify what they are told.
//!
//! The file is derived and never needed: it is no part of a backup, no audit looks at it, and it
//! can be removed at any time ([`Snapshot::remove_stored_openings`]).
//!
//! [`Snapshot::store_openings`]: crate::Snapshot::store_openings
//! [`Snapshot::remove_stored_openings`]: crate::Snapshot::remove_stored_openings
//! [`OpeningCosts::open_all`]: crate::OpeningCosts::open_all

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use aardvark_algebra::encoding::{
    G1_UNCOMPRESSED_BYTES, SCALAR_BYTES, encode_g1_uncompressed, scalar_from_bytes, scalar_to_bytes,
};
use aardvark_algebra::hash::TaggedHash;
use aardvark_algebra::integers::u64_of_usize;
use aardvark_algebra::{Scalar, ff::Field};
use aardvark_commitment::points::POINT_BYTES;
use aardvark_commitment::{Commitment, Opening};
use aardvark_dictionary::DictionaryId;

/// Bytes of a digest.
const DIGEST_BYTES: usize = 32;
/// Items that are read from a row at a time.
const PIECE: usize = 128;
/// What the digest of a row's scalars begins with.
const SCALARS: &str = "AARDVARK-STORED-SCALARS";
/// What the digest of a row's openings begins with.
const OPENINGS: &str = "AARDVARK-STORED-OPENINGS";

/// The file of a dictionary's stored openings, which may not be there.
#[derive(Clone, Debug)]
pub(super) struct StoredFile {
    path: PathBuf,
    dictionary: DictionaryId,
    vector_size: usize,
}

/// The row of a vector, whose parts are read when they are asked for.
pub(super) struct Row<'a> {
    of: &'a StoredFile,
    file: File,
    vector: u64,
    commitment: [u8; G1_UNCOMPRESSED_BYTES],
}

impl StoredFile {
    pub(super) fn new(path: PathBuf, dictionary: DictionaryId, vector_size: usize) -> Self {
        Self { path, dictionary, vector_size }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Bytes of a row.
    pub(super) fn row_bytes(&self) -> u64 {
        let slot = SCALAR_BYTES + POINT_BYTES;
        u64_of_usize(G1_UNCOMPRESSED_BYTES + self.vector_size * slot + 2 * DIGEST_BYTES)
    }

    /// The row of a vector; what cannot be read counts as none.
    pub(super) fn row(&self, vector: u64) -> Option<Row<'_>> {
        let mut file = File::open(&self.path).ok()?;
        file.seek(SeekFrom::Start(self.offset(vector)?)).ok()?;
        let mut commitment = [0; G1_UNCOMPRESSED_BYTES];
        file.read_exact(&mut commitment).ok()?;
        Some(Row { of: self, file, vector, commitment })
    }

    /// The file to write rows to, with room for those of so many vectors and for no more.
    pub(super) fn open_to_write(&self, vectors: u64) -> io::Result<File> {
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&self.path)?;
        file.set_len(self.offset(vectors).ok_or(io::ErrorKind::FileTooLarge)?)?;
        Ok(file)
    }

    /// Writes the row of a vector.
    pub(super) fn write(&self, file: &mut File, vector: u64, row: &[u8]) -> io::Result<()> {
        file.seek(SeekFrom::Start(self.offset(vector).ok_or(io::ErrorKind::FileTooLarge)?))?;
        file.write_all(row)
    }

    /// The bytes of a row.
    pub(super) fn encode(
        &self,
        vector: u64,
        commitment: &Commitment,
        scalars: &[Scalar],
        openings: &[Opening],
    ) -> Vec<u8> {
        let commitment = encode_g1_uncompressed(commitment.point());
        let padded = scalars.iter().copied().chain(std::iter::repeat(Scalar::ZERO)).take(self.vector_size);
        let scalars: Vec<u8> = padded.flat_map(|scalar| scalar_to_bytes(&scalar)).collect();
        let openings: Vec<u8> = openings.iter().flat_map(Opening::to_bytes).collect();
        let digest = |tag, part: &[u8]| self.hash(tag, vector, &commitment).chain(part).finalize();
        let digests = (digest(SCALARS, &scalars), digest(OPENINGS, &openings));
        [&commitment[..], &scalars, &digests.0, &openings, &digests.1].concat()
    }

    /// The hash of a part, to which its items are still to be given.
    fn hash(&self, tag: &'static str, vector: u64, commitment: &[u8; G1_UNCOMPRESSED_BYTES]) -> TaggedHash {
        TaggedHash::new(tag).chain(self.dictionary.0).chain(vector.to_be_bytes()).chain(commitment)
    }

    fn offset(&self, vector: u64) -> Option<u64> {
        vector.checked_mul(self.row_bytes())
    }
}

impl Row<'_> {
    /// Whether it is of the vector with this commitment.
    pub(super) fn is_of(&self, commitment: &Commitment) -> bool {
        self.commitment == encode_g1_uncompressed(commitment.point())
    }

    /// All N scalars, if their digest holds.
    pub(super) fn scalars(&mut self) -> Option<Vec<Scalar>> {
        let mut scalars = Vec::with_capacity(self.of.vector_size);
        self.each_piece::<SCALAR_BYTES>(SCALARS, G1_UNCOMPRESSED_BYTES, |_, piece| scalars.extend_from_slice(piece))?;
        scalars.iter().map(|scalar| scalar_from_bytes(scalar).ok()).collect()
    }

    /// The openings of these indices, encoded, if the digest of all N holds.
    pub(super) fn openings(&mut self, indices: &[usize]) -> Option<Vec<[u8; POINT_BYTES]>> {
        let before = G1_UNCOMPRESSED_BYTES + self.of.vector_size * SCALAR_BYTES + DIGEST_BYTES;
        let mut openings = vec![None; indices.len()];
        self.each_piece::<POINT_BYTES>(OPENINGS, before, |first, piece| {
            for (index, opening) in indices.iter().zip(&mut openings) {
                *opening = opening.or_else(|| piece.get(index.checked_sub(first)?).copied());
            }
        })?;
        openings.into_iter().collect()
    }

    /// Whether both parts' digests hold.
    pub(super) fn is_whole(&mut self) -> bool {
        self.scalars().is_some() && self.openings(&[]).is_some()
    }

    /// Gives the N items of a part, which begins so many bytes after the row's start, piece by
    /// piece with the index of the piece's first; nothing given counts unless the part's digest
    /// holds. A process that begins touches no more memory for it than one piece.
    fn each_piece<const ITEM: usize>(
        &mut self,
        tag: &'static str,
        before: usize,
        mut take: impl FnMut(usize, &[[u8; ITEM]]),
    ) -> Option<()> {
        let start = self.of.offset(self.vector)?.checked_add(u64_of_usize(before))?;
        self.file.seek(SeekFrom::Start(start)).ok()?;
        let mut hash = self.of.hash(tag, self.vector, &self.commitment);
        let mut room = [[0; ITEM]; PIECE];
        for first in (0..self.of.vector_size).step_by(PIECE) {
            let piece = room.get_mut(..PIECE.min(self.of.vector_size - first))?;
            self.file.read_exact(piece.as_flattened_mut()).ok()?;
            hash.update(piece.as_flattened());
            take(first, piece);
        }
        let mut digest = [0; DIGEST_BYTES];
        self.file.read_exact(&mut digest).ok()?;
        (digest == hash.finalize()).then_some(())
    }
}

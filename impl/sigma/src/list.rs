//! Lists of rows of points, all of them in G1.
//!
//! A row has `width` points: the first component of a ciphertext and one for each key, or a single
//! point. What comes from outside becomes a [`List`] by [`List::decode`] or [`List::received`],
//! which check the subgroup of every point, and whatever touches a secret takes lists: so no secret
//! meets a point outside of G1.

use std::sync::{Arc, OnceLock};

use aardvark_algebra::encoding::G1_UNCOMPRESSED_BYTES;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{
    DecodeError, G1Affine, TaggedHash, decode_g1_uncompressed_many, encode_g1_uncompressed, first_outside_subgroup,
};
use thiserror::Error;

/// A SHA-256 digest.
pub type Digest = [u8; 32];

/// Why bytes or points are no list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ListError {
    /// Not the number of bytes or points that the list has to have, or a width of 0.
    #[error("a list has another length")]
    WrongLength,
    /// Bytes that are no canonical encoding of a point of the curve.
    #[error("row {row}, column {column} is not the encoding of a point")]
    Malformed {
        /// The row, from 0.
        row: usize,
        /// The column, from 0.
        column: usize,
    },
    /// A point outside of the subgroup of order r.
    #[error("row {row}, column {column} is not in the subgroup")]
    NotInSubgroup {
        /// The row, from 0.
        row: usize,
        /// The column, from 0.
        column: usize,
    },
    /// The point at infinity where none may be.
    #[error("row {row}, column {column} is the point at infinity")]
    IdentityComponent {
        /// The row, from 0.
        row: usize,
        /// The column, from 0.
        column: usize,
    },
}

/// Rows of points of G1, of one width. Copies share the points, and the digest once it is known.
#[derive(Clone, Debug)]
pub struct List(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    width: usize,
    points: Vec<G1Affine>,
    digest: OnceLock<Digest>,
}

impl PartialEq for List {
    fn eq(&self, other: &Self) -> bool {
        self.0.width == other.0.width && self.0.points == other.0.points
    }
}

impl Eq for List {}

impl List {
    /// The list of points that the caller computed from points of G1, row by row. Points that are
    /// too few for a last row are left out.
    pub fn computed(mut points: Vec<G1Affine>, width: usize) -> Self {
        let width = width.max(1);
        points.truncate(points.len() / width * width);
        Self(Arc::new(Shared { width, points, digest: OnceLock::new() }))
    }

    /// The list of points of the curve that came from outside: each must lie in G1.
    pub fn received(points: Vec<G1Affine>, width: usize) -> Result<Self, ListError> {
        if width == 0 || !points.len().is_multiple_of(width) {
            return Err(ListError::WrongLength);
        }
        match first_outside_subgroup(&points) {
            Some(place) => Err(ListError::NotInSubgroup { row: place / width, column: place % width }),
            None => Ok(Self::computed(points, width)),
        }
    }

    /// The list of so many rows that these bytes encode, 96 a point: canonical, on the curve, in
    /// G1, and none at infinity.
    pub fn decode(bytes: &[u8], rows: usize, width: usize) -> Result<Self, ListError> {
        Self::received(decode_points(bytes, rows, width)?, width)
    }

    /// The bytes of all points, 96 each, row by row.
    pub fn encode(&self) -> Vec<u8> {
        self.0.points.iter().flat_map(encode_g1_uncompressed).collect()
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.0.points.len() / self.0.width
    }

    /// Points of a row.
    pub fn width(&self) -> usize {
        self.0.width
    }

    /// All points, row by row.
    pub fn points(&self) -> &[G1Affine] {
        &self.0.points
    }

    /// The point of a row and column; infinity where there is none.
    pub fn at(&self, row: usize, column: usize) -> G1Affine {
        let inside = column < self.0.width;
        self.0.points.get(row * self.0.width + column).copied().filter(|_| inside).unwrap_or_else(G1Affine::identity)
    }

    /// The rows.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[G1Affine]> {
        self.0.points.chunks_exact(self.0.width)
    }

    /// One column as a list of width 1.
    pub fn column(&self, column: usize) -> Self {
        Self::computed((0..self.rows()).map(|row| self.at(row, column)).collect(), 1)
    }

    /// The rows with these numbers, in this order; numbers beyond the end are left out.
    pub fn select(&self, rows: impl IntoIterator<Item = usize>) -> Self {
        let chosen = rows.into_iter().filter(|row| *row < self.rows());
        let points = chosen.flat_map(|row| (0..self.0.width).map(move |column| self.at(row, column)));
        Self::computed(points.collect(), self.0.width)
    }

    /// `H("AARDVARK-V1-MIXNET-LIST", u32 rows || u16 width || points)`.
    pub fn digest(&self) -> Digest {
        *self.0.digest.get_or_init(|| list_digest(self.rows(), self.0.width, &self.0.points))
    }
}

/// The points of so many rows, of 96 bytes each: canonical, on the curve, none at infinity. The
/// subgroup is **not** checked, except that points with x = 0, which have order 3, are refused:
/// [`List::received`] does, or who checks several lists together.
pub fn decode_points(bytes: &[u8], rows: usize, width: usize) -> Result<Vec<G1Affine>, ListError> {
    let length = rows.checked_mul(width).and_then(|points| points.checked_mul(G1_UNCOMPRESSED_BYTES));
    if width == 0 || length != Some(bytes.len()) {
        return Err(ListError::WrongLength);
    }
    let (encoded, _) = bytes.as_chunks::<G1_UNCOMPRESSED_BYTES>();
    let placed = |(place, decoded): (usize, Result<G1Affine, DecodeError>)| {
        let (row, column) = (place / width, place % width);
        match decoded {
            Ok(point) if bool::from(point.is_identity()) => Err(ListError::IdentityComponent { row, column }),
            Ok(point) => Ok(point),
            Err(DecodeError::ZeroX) => Err(ListError::NotInSubgroup { row, column }),
            Err(_) => Err(ListError::Malformed { row, column }),
        }
    };
    decode_g1_uncompressed_many(encoded).into_iter().enumerate().map(placed).collect()
}

/// `H("..LIST", u32 rows || u16 width || points row by row, 96 bytes each)`.
pub fn list_digest(rows: usize, width: usize, points: &[G1Affine]) -> Digest {
    let mut hash = TaggedHash::new("AARDVARK-V1-MIXNET-LIST");
    hash.update((rows as u32).to_be_bytes());
    hash.update((width as u16).to_be_bytes());
    points.iter().for_each(|point| hash.update(encode_g1_uncompressed(point)));
    hash.finalize()
}

//! Bodies of posts: lists of points, 96 bytes each, and scalars, 32 bytes each.

use aardvark_algebra::encoding::{G1_UNCOMPRESSED_BYTES, SCALAR_BYTES};
use aardvark_algebra::{Scalar, first_outside_subgroup, scalar_from_bytes, scalar_to_bytes};
use aardvark_sigma::list::decode_points;
use aardvark_sigma::{List, ListError};

use crate::fault::{Fault, FaultKind, Place};

/// Writes a body.
#[derive(Debug, Default)]
pub struct Writer(Vec<u8>);

impl Writer {
    /// Appends a list.
    #[must_use]
    pub fn list(mut self, list: &List) -> Self {
        self.0.extend(list.encode());
        self
    }

    /// Appends scalars.
    #[must_use]
    pub fn scalars(mut self, scalars: &[Scalar]) -> Self {
        self.0.extend(scalars.iter().flat_map(scalar_to_bytes));
        self
    }

    /// The bytes.
    pub fn finish(self) -> Vec<u8> {
        self.0
    }
}

/// A part of a body: a list of so many rows and columns, or so many scalars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Rows and width.
    List(usize, usize),
    /// How many.
    Scalars(usize),
}

impl Part {
    fn bytes(self) -> Option<usize> {
        match self {
            Self::List(rows, width) => rows.checked_mul(width)?.checked_mul(G1_UNCOMPRESSED_BYTES),
            Self::Scalars(count) => count.checked_mul(SCALAR_BYTES),
        }
    }
}

/// Reads a body of these parts by an author: its lists, whose points are checked together, and its
/// scalars.
pub fn read(bytes: &[u8], parts: &[Part], author: u16) -> Result<(Vec<List>, Vec<Vec<Scalar>>), Fault> {
    let length = parts.iter().try_fold(0usize, |sum, part| sum.checked_add(part.bytes()?));
    if length != Some(bytes.len()) {
        return Err(Fault::of_server(FaultKind::WrongLength, author));
    }
    let (mut points, mut shapes, mut scalars) = (Vec::new(), Vec::new(), Vec::new());
    let mut rest = bytes;
    for part in parts {
        let (of_part, others) = rest.split_at(part.bytes().unwrap_or(0).min(rest.len()));
        rest = others;
        match *part {
            Part::List(rows, width) => {
                let list = shapes.len();
                let read = decode_points(of_part, rows, width);
                points.extend(read.map_err(|error| Fault::of_list(error, Some(usize::from(author)), list))?);
                shapes.push((rows, width));
            }
            Part::Scalars(_) => {
                let (encoded, _) = of_part.as_chunks::<SCALAR_BYTES>();
                let read: Result<Vec<Scalar>, _> = encoded.iter().map(scalar_from_bytes).collect();
                scalars.push(read.map_err(|_| Fault::of_server(FaultKind::Malformed, author))?);
            }
        }
    }
    if let Some(number) = first_outside_subgroup(&points) {
        return Err(outside(&shapes, number, author));
    }
    let mut rest = points.as_slice();
    let lists = shapes.into_iter().map(|(rows, width)| {
        let (points, others) = rest.split_at((rows * width).min(rest.len()));
        rest = others;
        // They were checked just above.
        List::computed(points.to_vec(), width)
    });
    Ok((lists.collect(), scalars))
}

/// The fault of the point with this number among all lists.
fn outside(shapes: &[(usize, usize)], number: usize, author: u16) -> Fault {
    let mut number = number;
    for (list, (rows, width)) in shapes.iter().enumerate() {
        if number < rows * width {
            let place = Place { list, row: number / width, column: number % width };
            let error = ListError::NotInSubgroup { row: place.row, column: place.column };
            return Fault::of_list(error, Some(usize::from(author)), list);
        }
        number -= rows * width;
    }
    Fault::of_server(FaultKind::NotInSubgroup, author)
}

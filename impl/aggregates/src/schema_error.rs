//! What a schema has at most, and why one is refused
//! (`aardvark_spec::table::schema_legality`).

use aardvark_dictionary::DecodeError;
use thiserror::Error;

/// The most bytes of a schema.
pub const MAX_SCHEMA_BYTES: usize = 1024;
/// The most bytes of a name.
pub const MAX_NAME_BYTES: usize = 32;
/// The most writers.
pub const MAX_WRITERS: usize = 8;
/// The most key columns.
pub const MAX_KEY_COLUMNS: usize = 8;
/// The most bytes of all key columns together.
pub const MAX_KEY_BYTES: usize = 128;
/// The most value columns.
pub const MAX_VALUE_COLUMNS: usize = 16;
/// Why a schema is none: the first reason of several.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SchemaError {
    /// The bytes are no encoding.
    #[error(transparent)]
    Bytes(#[from] DecodeError),
    /// The flags are none of 0, 1 and 2: a table is append-only or deletable, never both.
    #[error("flags {0} are unknown; a table cannot be both append-only and deletable")]
    Flags(u8),
    /// There are more than [`MAX_WRITERS`].
    #[error("{0} writers, where a table has at most {MAX_WRITERS}")]
    Writers(usize),
    /// There are more than [`MAX_KEY_COLUMNS`].
    #[error("{0} key columns, where a table has at most {MAX_KEY_COLUMNS}")]
    KeyColumns(usize),
    /// A name is empty, longer than [`MAX_NAME_BYTES`], or has other characters.
    #[error("{0:?} is no name: 1 to {MAX_NAME_BYTES} characters of a-z 0-9 _ -")]
    Name(String),
    /// A key column is of no known kind.
    #[error("key column {column} is of an unknown kind, {kind}")]
    Kind {
        /// The column.
        column: String,
        /// Its kind.
        kind: u8,
    },
    /// A key column of numbers has not 1 to 8 bytes, or one of texts none.
    #[error("key column {column} has {width} bytes")]
    Width {
        /// The column.
        column: String,
        /// Its width.
        width: u8,
    },
    /// The key columns together have more than [`MAX_KEY_BYTES`].
    #[error("the key columns have {0} bytes together, at most {MAX_KEY_BYTES} are allowed")]
    KeyBytes(usize),
    /// There are more than [`MAX_VALUE_COLUMNS`].
    #[error("{0} value columns, where a table has at most {MAX_VALUE_COLUMNS}")]
    ValueColumns(usize),
    /// The number of bits is none of 8, 16, .., 64.
    #[error("value column {column} has {bits} bits, which is none of 8, 16, .., 64")]
    Bits {
        /// The column.
        column: String,
        /// Its bits.
        bits: u8,
    },
    /// The span is not below 2^bits.
    #[error("value column {column} spans {span}, which does not fit its {bits} bits")]
    Span {
        /// The column.
        column: String,
        /// Its span.
        span: u64,
        /// Its bits.
        bits: u8,
    },
    /// The number of moments is none of 1, 2 and 3.
    #[error("value column {column} has {moments} moments, which is none of 1, 2 and 3")]
    Moments {
        /// The column.
        column: String,
        /// Its moments.
        moments: u8,
    },
    /// Two columns have one name.
    #[error("two columns are called {0}")]
    Repeated(String),
    /// The watermark is no value of the first key column.
    #[error("the watermark is no value of the first key column")]
    Watermark,
}

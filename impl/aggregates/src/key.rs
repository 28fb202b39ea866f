//! Keys of tables: under which keys the dictionary holds schemas, heads of runs and segments
//! (`aardvark_spec::table::table_key`, `key_value`).
//!
//! ```text
//! prefix      = u8 0x54 || bytes8(name)
//! schema key  = prefix || u8 0
//! head key    = prefix || u8 1 || u8 column || key columns || u32 run
//! segment key = prefix || u8 2 || u8 column || key columns || u32 run || u32 revision || u32 segment
//! ```
//!
//! A key column of natural numbers is big-endian; of integers the same with the top bit flipped; of
//! texts the text with zeros behind it. So the order of keys is the order of their columns.

use thiserror::Error;

use crate::schema::{KeyColumn, KeyKind, Schema, key_part_legal, name_legal};

/// The first byte of each key of a table.
pub const TABLE_KEY_BYTE: u8 = 0x54;

/// A key of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableKey {
    /// Of a schema.
    Schema {
        /// The table's name.
        table: String,
    },
    /// Of the head of a run.
    Head {
        /// The table's name.
        table: String,
        /// The number of the value column.
        column: u8,
        /// The key columns, encoded one after the other.
        columns: Vec<u8>,
        /// The number of the run among those of its key.
        run: u32,
    },
    /// Of a segment that is not its run's first.
    Segment {
        /// The table's name.
        table: String,
        /// The number of the value column.
        column: u8,
        /// The key columns, encoded one after the other.
        columns: Vec<u8>,
        /// The number of the run among those of its key.
        run: u32,
        /// How often the run was replaced.
        revision: u32,
        /// The number of the segment, at least 1.
        segment: u32,
    },
}

/// A value of a key column.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KeyValue {
    /// A natural number.
    Unsigned(u64),
    /// An integer.
    Signed(i64),
    /// A text.
    Text(String),
}

/// Why bytes are no key of a table, or values no key columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum KeyError {
    /// The bytes end before the key does.
    #[error("the key is cut short")]
    Truncated,
    /// Bytes are left over behind the key.
    #[error("bytes are left over behind the key")]
    Trailing,
    /// The first byte is not a table's.
    #[error("the key is not one of a table")]
    Foreign,
    /// The table's name is not legal.
    #[error("the table's name is not legal")]
    Name,
    /// The byte behind the name is none of 0, 1 and 2.
    #[error("part {0} of a table is unknown")]
    Part(u8),
    /// There is no such value column.
    #[error("there is no value column {0}")]
    Column(u8),
    /// A text has a zero inside.
    #[error("a text has a zero byte inside")]
    Text,
    /// A segment has the number 0.
    #[error("a segment has the number 0")]
    SegmentZero,
    /// There are more or fewer values than key columns.
    #[error("{found} values, where the table has {expected} key columns")]
    Count {
        /// Values.
        found: usize,
        /// Columns.
        expected: usize,
    },
    /// A value is of another kind than its column, by the column's number.
    #[error("the value of key column {0} is of another kind")]
    Kind(usize),
    /// A value does not fit its column, by the column's number.
    #[error("the value of key column {0} does not fit its width")]
    TooWide(usize),
    /// A text of a column, by its number, is no UTF-8.
    #[error("the value of key column {0} is no UTF-8")]
    Utf8(usize),
}

impl TableKey {
    /// What all keys of a table begin with.
    pub fn prefix(table: &str) -> Vec<u8> {
        let mut bytes = vec![TABLE_KEY_BYTE, table.len() as u8];
        bytes.extend(table.as_bytes());
        bytes
    }

    /// The key as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let place = |table: &str, part: u8, column: u8, columns: &[u8], numbers: &[u32]| {
            let mut bytes = Self::prefix(table);
            bytes.extend([part, column]);
            bytes.extend(columns);
            numbers.iter().for_each(|number| bytes.extend(number.to_be_bytes()));
            bytes
        };
        match self {
            Self::Schema { table } => [Self::prefix(table), vec![0]].concat(),
            Self::Head { table, column, columns, run } => place(table, 1, *column, columns, &[*run]),
            Self::Segment { table, column, columns, run, revision, segment } => {
                place(table, 2, *column, columns, &[*run, *revision, *segment])
            }
        }
    }

    /// The name of the table that a key is of, and the bytes behind the prefix.
    ///
    /// # Errors
    /// [`KeyError::Truncated`], [`KeyError::Foreign`], [`KeyError::Name`].
    pub fn split_prefix(bytes: &[u8]) -> Result<(&str, &[u8]), KeyError> {
        let ([first], rest) = take(bytes)?;
        if *first != TABLE_KEY_BYTE {
            return Err(KeyError::Foreign);
        }
        let ([length], rest) = take(rest)?;
        let (name, rest) = rest.split_at_checked(usize::from(*length)).ok_or(KeyError::Truncated)?;
        if !name_legal(name) {
            return Err(KeyError::Name);
        }
        Ok((core::str::from_utf8(name).map_err(|_| KeyError::Name)?, rest))
    }

    /// The key that bytes are, in a table of this legal schema.
    ///
    /// # Errors
    /// [`KeyError`].
    pub fn from_bytes(bytes: &[u8], schema: &Schema) -> Result<Self, KeyError> {
        let (table, rest) = Self::split_prefix(bytes)?;
        let table = table.to_owned();
        let ([part], rest) = take(rest)?;
        match part {
            0 => end(rest).map(|()| Self::Schema { table }),
            1 | 2 => {
                let ([column], rest) = take(rest)?;
                if usize::from(*column) >= schema.values.len() {
                    return Err(KeyError::Column(*column));
                }
                let (columns, rest) = rest.split_at_checked(schema.key_width()).ok_or(KeyError::Truncated)?;
                columns_legal(schema, columns)?;
                let (run, rest) = take(rest)?;
                let (column, columns, run) = (*column, columns.to_vec(), u32::from_be_bytes(*run));
                if *part == 1 {
                    return end(rest).map(|()| Self::Head { table, column, columns, run });
                }
                let (revision, rest) = take(rest)?;
                let (segment, rest) = take(rest)?;
                end(rest)?;
                let (revision, segment) = (u32::from_be_bytes(*revision), u32::from_be_bytes(*segment));
                if segment == 0 {
                    return Err(KeyError::SegmentZero);
                }
                Ok(Self::Segment { table, column, columns, run, revision, segment })
            }
            part => Err(KeyError::Part(*part)),
        }
    }
}

/// Values of all key columns as bytes, one a column, in the schema's order.
///
/// # Errors
/// [`KeyError`].
pub fn encode_columns(schema: &Schema, values: &[KeyValue]) -> Result<Vec<u8>, KeyError> {
    if values.len() != schema.keys.len() {
        return Err(KeyError::Count { found: values.len(), expected: schema.keys.len() });
    }
    let mut bytes = Vec::with_capacity(schema.key_width());
    for (i, (column, value)) in schema.keys.iter().zip(values).enumerate() {
        encode_value(i, column, value, &mut bytes)?;
    }
    Ok(bytes)
}

/// The value of a key column as bytes; its number is for errors only.
///
/// # Errors
/// [`KeyError::Kind`], [`KeyError::TooWide`], [`KeyError::Text`].
pub fn encode_value(i: usize, column: &KeyColumn, value: &KeyValue, bytes: &mut Vec<u8>) -> Result<(), KeyError> {
    let width = usize::from(column.width);
    match (column.kind, value) {
        (KeyKind::Unsigned, KeyValue::Unsigned(number)) => {
            number_bytes(i128::from(*number), width, bytes).ok_or(KeyError::TooWide(i))
        }
        (KeyKind::Signed, KeyValue::Signed(number)) => {
            number_bytes(i128::from(*number) + half(width), width, bytes).ok_or(KeyError::TooWide(i))
        }
        (KeyKind::Text, KeyValue::Text(text)) => {
            if text.len() > width {
                return Err(KeyError::TooWide(i));
            }
            if text.as_bytes().contains(&0) {
                return Err(KeyError::Text);
            }
            bytes.extend(text.as_bytes());
            bytes.extend(vec![0; width - text.len()]);
            Ok(())
        }
        _ => Err(KeyError::Kind(i)),
    }
}

/// The values of encoded key columns.
///
/// # Errors
/// [`KeyError::Truncated`], [`KeyError::Trailing`], [`KeyError::Text`], [`KeyError::Utf8`].
pub fn decode_columns(schema: &Schema, bytes: &[u8]) -> Result<Vec<KeyValue>, KeyError> {
    let mut values = Vec::with_capacity(schema.keys.len());
    let mut rest = bytes;
    for (i, column) in schema.keys.iter().enumerate() {
        let (part, behind) = rest.split_at_checked(usize::from(column.width)).ok_or(KeyError::Truncated)?;
        rest = behind;
        if !key_part_legal(column.kind, column.width, part) {
            return Err(KeyError::Text);
        }
        values.push(decode_value(i, column, part)?);
    }
    end(rest)?;
    Ok(values)
}

pub(crate) fn decode_value(i: usize, column: &KeyColumn, part: &[u8]) -> Result<KeyValue, KeyError> {
    let number = || part.iter().fold(0u64, |number, byte| (number << 8) | u64::from(*byte));
    Ok(match column.kind {
        KeyKind::Unsigned => KeyValue::Unsigned(number()),
        KeyKind::Signed => {
            let signed = i128::from(number()) - half(part.len());
            KeyValue::Signed(i64::try_from(signed).map_err(|_| KeyError::TooWide(i))?)
        }
        KeyKind::Text => {
            let text: Vec<u8> = part.iter().copied().take_while(|byte| *byte != 0).collect();
            KeyValue::Text(String::from_utf8(text).map_err(|_| KeyError::Utf8(i))?)
        }
    })
}

/// Whether encoded columns are values of their columns.
fn columns_legal(schema: &Schema, bytes: &[u8]) -> Result<(), KeyError> {
    let mut rest = bytes;
    for column in &schema.keys {
        let (part, behind) = rest.split_at_checked(usize::from(column.width)).ok_or(KeyError::Truncated)?;
        rest = behind;
        if !key_part_legal(column.kind, column.width, part) {
            return Err(KeyError::Text);
        }
    }
    Ok(())
}

/// 2^(8 width - 1), for widths from 1 to 8.
fn half(width: usize) -> i128 {
    1i128.checked_shl((8 * width).saturating_sub(1) as u32).unwrap_or(0)
}

/// The lowest bytes of a number, highest first; `None` where it has more.
fn number_bytes(number: i128, width: usize, bytes: &mut Vec<u8>) -> Option<()> {
    let written = u64::try_from(number).ok().filter(|_| number < 2 * half(width))?.to_be_bytes();
    bytes.extend(written.get(written.len().checked_sub(width)?..)?);
    Some(())
}

fn end(rest: &[u8]) -> Result<(), KeyError> {
    if rest.is_empty() { Ok(()) } else { Err(KeyError::Trailing) }
}

/// The next bytes, so many, and the bytes behind them.
fn take<const COUNT: usize>(bytes: &[u8]) -> Result<(&[u8; COUNT], &[u8]), KeyError> {
    bytes.split_first_chunk().ok_or(KeyError::Truncated)
}

//! Schemas of tables: which columns a table has, who may write it, and what may change
//! (`aardvark_spec::table::table_schema`, `schema_legality`, `schema_decoder`).
//!
//! ```text
//! schema       = u8 1 || u8 flags || u8 n || writer (32)* || u8 n || key_column* || u8 n || value_column*
//!                || u8 n || bytes8(row column)* || bytes8(watermark)
//! key_column   = bytes8(name) || u8 kind || u8 width
//! value_column = bytes8(name) || i64 lowest || u64 span || u8 bits || u8 moments || u8 scale
//! ```
//!
//! Flags are 1 for append-only, 2 for deletable.

use aardvark_algebra::tagged_hash;
use aardvark_dictionary::DecodeError;
use aardvark_dictionary::codec::Reader;

pub use crate::schema_error::{
    MAX_KEY_BYTES, MAX_KEY_COLUMNS, MAX_NAME_BYTES, MAX_SCHEMA_BYTES, MAX_VALUE_COLUMNS, MAX_WRITERS, SchemaError,
};

/// The format of schemas.
const FORMAT: u8 = 1;
/// Domain separation tag of digests.
const DIGEST_TAG: &str = "AARDVARK-V1-TABLE-SCHEMA";

/// What a key column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyKind {
    /// Natural numbers.
    Unsigned,
    /// Integers.
    Signed,
    /// Texts.
    Text,
}

impl KeyKind {
    fn of(number: u8) -> Option<Self> {
        [Self::Unsigned, Self::Signed, Self::Text].get(usize::from(number)).copied()
    }
}

/// A key column: public, of a fixed width.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyColumn {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub kind: KeyKind,
    /// How many bytes a value has: 1 to 8 for numbers.
    pub width: u8,
}

/// A value column: private numbers, of which each run commits to its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueColumn {
    /// Its name.
    pub name: String,
    /// The lowest number.
    pub lowest: i64,
    /// The highest number minus the lowest, below 2^bits.
    pub span: u64,
    /// How many bits a step between two rows has at most: 8, 16, .., 64.
    pub bits: u8,
    /// How many powers of the rows have sums: 1 to 3.
    pub moments: u8,
    /// How many decimal digits stand behind the point where a number is shown.
    pub scale: u8,
}

impl ValueColumn {
    /// The highest number.
    pub fn highest(&self) -> i128 {
        i128::from(self.lowest) + i128::from(self.span)
    }
}

/// A schema. Its fields are not checked: [`Schema::check`] says whether it is legal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schema {
    /// Whether runs are never replaced or deleted.
    pub append_only: bool,
    /// Whether runs may be deleted. Never together with `append_only`.
    pub deletable: bool,
    /// The Ed25519 keys of those who may write.
    pub writers: Vec<[u8; 32]>,
    /// The key columns; by convention time comes first.
    pub keys: Vec<KeyColumn>,
    /// The value columns.
    pub values: Vec<ValueColumn>,
    /// The names of the columns of private text.
    pub rows: Vec<String>,
    /// Empty, or a value of the first key column: keys below it are closed.
    pub watermark: Vec<u8>,
}

impl Schema {
    /// How many bytes the key columns have together.
    pub fn key_width(&self) -> usize {
        self.keys.iter().map(|column| usize::from(column.width)).sum()
    }

    /// The number of the value column of this name.
    pub fn value_column(&self, name: &str) -> Option<u8> {
        self.values.iter().position(|column| column.name == name).and_then(|place| u8::try_from(place).ok())
    }

    /// The schema as bytes. What they say is the schema only if it is legal.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.written().to_bytes()
    }

    /// What statements say of the schema. The watermark is left out, so that closing keys leaves
    /// certificates as they are.
    pub fn digest(&self) -> [u8; 32] {
        tagged_hash(DIGEST_TAG, &self.written().body())
    }

    /// Whether the schema is legal.
    ///
    /// # Errors
    /// [`SchemaError`].
    pub fn check(&self) -> Result<(), SchemaError> {
        let written = self.written();
        expect_length(written.to_bytes().len())?;
        written.legal().map(drop)
    }

    /// The legal schema that bytes are.
    ///
    /// # Errors
    /// [`SchemaError`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, SchemaError> {
        expect_length(bytes.len())?;
        Written::read(bytes)?.legal()
    }

    fn written(&self) -> Written {
        let key = |column: &KeyColumn| (column.name.clone().into_bytes(), column.kind as u8, column.width);
        let value = |column: &ValueColumn| (column.name.clone().into_bytes(), column.clone());
        Written {
            flags: u8::from(self.append_only) + 2 * u8::from(self.deletable),
            writers: self.writers.clone(),
            keys: self.keys.iter().map(key).collect(),
            values: self.values.iter().map(value).collect(),
            rows: self.rows.iter().map(|name| name.clone().into_bytes()).collect(),
            watermark: self.watermark.clone(),
        }
    }
}

fn expect_length(length: usize) -> Result<(), DecodeError> {
    if length <= MAX_SCHEMA_BYTES { Ok(()) } else { Err(DecodeError::TooLong { length, limit: MAX_SCHEMA_BYTES }) }
}

/// Whether a string names a table or a column.
pub fn name_legal(name: &[u8]) -> bool {
    let character = |byte: &u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-');
    (1..=MAX_NAME_BYTES).contains(&name.len()) && name.iter().all(character)
}

/// Whether bytes are a value of a key column of this kind and width: of a text, no zero stands
/// before another byte.
pub(crate) fn key_part_legal(kind: KeyKind, width: u8, part: &[u8]) -> bool {
    let text = || part.iter().skip_while(|byte| **byte != 0).all(|byte| *byte == 0);
    part.len() == usize::from(width) && (kind != KeyKind::Text || text())
}

/// What bytes say, legal or not.
struct Written {
    flags: u8,
    writers: Vec<[u8; 32]>,
    keys: Vec<(Vec<u8>, u8, u8)>,
    /// The names, and the rest of each column.
    values: Vec<(Vec<u8>, ValueColumn)>,
    rows: Vec<Vec<u8>>,
    watermark: Vec<u8>,
}

impl Written {
    fn read(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = Reader::new(bytes);
        let found = reader.u8("the format")?;
        if found != FORMAT {
            return Err(DecodeError::Unknown { offset: 0, what: "format", found });
        }
        let flags = reader.u8("the flags")?;
        let count = reader.u8("the number of writers")?;
        let writers = (0..count).map(|_| reader.array("a writer")).collect::<Result<_, _>>()?;
        let count = reader.u8("the number of key columns")?;
        let key = |reader: &mut Reader<'_>| {
            Ok((read_string(reader)?, reader.u8("a key column's kind")?, reader.u8("a key column's width")?))
        };
        let keys = (0..count).map(|_| key(&mut reader)).collect::<Result<_, _>>()?;
        let count = reader.u8("the number of value columns")?;
        let values = (0..count).map(|_| read_value_column(&mut reader)).collect::<Result<_, _>>()?;
        let count = reader.u8("the number of row columns")?;
        let rows = (0..count).map(|_| read_string(&mut reader)).collect::<Result<_, _>>()?;
        let watermark = read_string(&mut reader)?;
        reader.finish()?;
        Ok(Self { flags, writers, keys, values, rows, watermark })
    }

    /// The bytes but for the watermark.
    fn body(&self) -> Vec<u8> {
        let mut bytes = vec![FORMAT, self.flags, self.writers.len() as u8];
        bytes.extend(self.writers.as_flattened());
        bytes.push(self.keys.len() as u8);
        for (name, kind, width) in &self.keys {
            put_string(&mut bytes, name);
            bytes.extend([*kind, *width]);
        }
        bytes.push(self.values.len() as u8);
        for (name, column) in &self.values {
            put_string(&mut bytes, name);
            bytes.extend(column.lowest.to_be_bytes());
            bytes.extend(column.span.to_be_bytes());
            bytes.extend([column.bits, column.moments, column.scale]);
        }
        bytes.push(self.rows.len() as u8);
        self.rows.iter().for_each(|name| put_string(&mut bytes, name));
        bytes
    }

    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.body();
        put_string(&mut bytes, &self.watermark);
        bytes
    }

    /// The schema, if it is legal.
    fn legal(self) -> Result<Schema, SchemaError> {
        if self.flags > 2 {
            return Err(SchemaError::Flags(self.flags));
        }
        if self.writers.len() > MAX_WRITERS {
            return Err(SchemaError::Writers(self.writers.len()));
        }
        if self.keys.len() > MAX_KEY_COLUMNS {
            return Err(SchemaError::KeyColumns(self.keys.len()));
        }
        let keys = self.keys.into_iter().map(legal_key).collect::<Result<Vec<_>, _>>()?;
        let width = keys.iter().map(|column| usize::from(column.width)).sum();
        if width > MAX_KEY_BYTES {
            return Err(SchemaError::KeyBytes(width));
        }
        if self.values.len() > MAX_VALUE_COLUMNS {
            return Err(SchemaError::ValueColumns(self.values.len()));
        }
        let values = self.values.into_iter().map(legal_value).collect::<Result<Vec<_>, _>>()?;
        let rows = self.rows.into_iter().map(legal_name).collect::<Result<Vec<_>, _>>()?;
        let names = keys.iter().map(|column| &column.name).chain(values.iter().map(|column| &column.name));
        let names: Vec<&String> = names.chain(&rows).collect();
        let repeated = names.iter().enumerate().find(|(i, name)| names.iter().take(*i).any(|other| other == *name));
        if let Some((_, name)) = repeated {
            return Err(SchemaError::Repeated((*name).clone()));
        }
        let first = keys.first().map(|column| (column.kind, column.width));
        if !self.watermark.is_empty()
            && !first.is_some_and(|(kind, width)| key_part_legal(kind, width, &self.watermark))
        {
            return Err(SchemaError::Watermark);
        }
        let (append_only, deletable) = (self.flags == 1, self.flags == 2);
        Ok(Schema { append_only, deletable, writers: self.writers, keys, values, rows, watermark: self.watermark })
    }
}

fn legal_name(name: Vec<u8>) -> Result<String, SchemaError> {
    let text = String::from_utf8_lossy(&name).into_owned();
    if name_legal(&name) { Ok(text) } else { Err(SchemaError::Name(text)) }
}

fn legal_key((name, kind, width): (Vec<u8>, u8, u8)) -> Result<KeyColumn, SchemaError> {
    let name = legal_name(name)?;
    let Some(known) = KeyKind::of(kind) else { return Err(SchemaError::Kind { column: name, kind }) };
    if width == 0 || (width > 8 && known != KeyKind::Text) {
        return Err(SchemaError::Width { column: name, width });
    }
    Ok(KeyColumn { name, kind: known, width })
}

fn legal_value((name, column): (Vec<u8>, ValueColumn)) -> Result<ValueColumn, SchemaError> {
    let name = legal_name(name)?;
    let ValueColumn { span, bits, moments, .. } = column;
    if !(8..=64).contains(&bits) || !bits.is_multiple_of(8) {
        return Err(SchemaError::Bits { column: name, bits });
    }
    if span.checked_shr(u32::from(bits)).is_some_and(|above| above > 0) {
        return Err(SchemaError::Span { column: name, span, bits });
    }
    if !(1..=3).contains(&moments) {
        return Err(SchemaError::Moments { column: name, moments });
    }
    Ok(ValueColumn { name, ..column })
}

fn read_value_column(reader: &mut Reader<'_>) -> Result<(Vec<u8>, ValueColumn), DecodeError> {
    let name = read_string(reader)?;
    let column = ValueColumn {
        name: String::new(),
        lowest: i64::from_be_bytes(reader.array("a value column's lowest")?),
        span: reader.u64("a value column's span")?,
        bits: reader.u8("a value column's bits")?,
        moments: reader.u8("a value column's moments")?,
        scale: reader.u8("a value column's scale")?,
    };
    Ok((name, column))
}

fn read_string(reader: &mut Reader<'_>) -> Result<Vec<u8>, DecodeError> {
    let length = reader.u8("the length of a name")?;
    reader.take(usize::from(length), "a name").map(<[u8]>::to_vec)
}

fn put_string(bytes: &mut Vec<u8>, string: &[u8]) {
    bytes.push(string.len() as u8);
    bytes.extend(string);
}

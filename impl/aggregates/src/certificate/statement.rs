//! What a certificate is about, as bytes.
//!
//! ```text
//! statement = u8 1 || dictionary (32) || bytes8(table) || u8 column || schema digest (32) || u8 log2 N || u8 link
//!             || (link = 1: record of the segment before) || u16 K
//!             || (key columns || u32 run || u32 revision || u32 segment || record)*
//! ```

use aardvark_dictionary::DictionaryId;

use crate::record::{Record, record_bytes};
use crate::schema::Schema;
use crate::sheet::{SheetFault, check_layout};

/// What a certificate is about, besides the segments. From the schema and the dictionary, never
/// from whoever shows the certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// The dictionary's id.
    pub dictionary: DictionaryId,
    /// The table's name, at most 255 bytes.
    pub table: String,
    /// The number of the value column.
    pub column: u8,
    /// The digest of the schema.
    pub schema: [u8; 32],
    /// How many bits a step between two rows has at most.
    pub bits: usize,
    /// The greatest number of a row above the lowest.
    pub cap: u64,
    /// How many powers of the rows have sums.
    pub moments: usize,
}

impl About {
    /// What a certificate of a table's column is about; `None` where the schema has no such column.
    pub fn of_column(dictionary: DictionaryId, table: &str, schema: &Schema, column: u8) -> Option<Self> {
        let described = schema.values.get(usize::from(column))?;
        Some(Self {
            dictionary,
            table: table.to_owned(),
            column,
            schema: schema.digest(),
            bits: usize::from(described.bits),
            cap: described.span,
            moments: usize::from(described.moments),
        })
    }
}

/// A segment of a sheet: where it stands in the table, and its record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SheetItem {
    /// The key columns, encoded.
    pub columns: Vec<u8>,
    /// The number of the run among those of its key.
    pub run: u32,
    /// How often the run was replaced.
    pub revision: u32,
    /// The number of the segment within the run; 0 for the first.
    pub segment: u32,
    /// Its record.
    pub record: Record,
}

/// Whether items make a sheet; the logarithm of its size. All but the first begin their runs; the
/// first continues one exactly where there is a segment before it.
///
/// # Errors
/// [`SheetFault`].
pub fn check_items(about: &About, link: Option<&Record>, items: &[SheetItem]) -> Result<usize, SheetFault> {
    let continues = |k: usize| k == 0 && link.is_some();
    if let Some(k) = items.iter().enumerate().position(|(k, item)| (item.segment != 0) != continues(k)) {
        return Err(if continues(k) { SheetFault::Begins } else { SheetFault::Continues(k) });
    }
    if let Some(previous) = link {
        check_layout(&[previous], about.moments).map_err(|_| SheetFault::Link)?;
    }
    check_layout(&items.iter().map(|item| &item.record).collect::<Vec<_>>(), about.moments)
}

/// All that a certificate of runs that begin is about.
pub fn statement(about: &About, items: &[SheetItem]) -> Vec<u8> {
    statement_behind(about, None, items)
}

/// All that a certificate is about whose first segment comes behind one with this record, or that
/// continues no run.
pub fn statement_behind(about: &About, link: Option<&Record>, items: &[SheetItem]) -> Vec<u8> {
    let mut bytes = vec![1];
    bytes.extend(about.dictionary.0);
    bytes.push(about.table.len() as u8);
    bytes.extend(about.table.as_bytes());
    bytes.push(about.column);
    bytes.extend(about.schema);
    bytes.extend([items.first().map_or(0, |item| item.record.log), u8::from(link.is_some())]);
    link.into_iter().for_each(|previous| bytes.extend(previous.to_bytes()));
    bytes.extend((items.len() as u16).to_be_bytes());
    for item in items {
        bytes.extend(&item.columns);
        [item.run, item.revision, item.segment].iter().for_each(|number| bytes.extend(number.to_be_bytes()));
        bytes.extend(item.record.to_bytes());
    }
    bytes
}

/// The segments that a statement is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatedSheet {
    /// The record of the segment before the first, where that one continues a run.
    pub link: Option<Record>,
    /// The segments.
    pub items: Vec<SheetItem>,
}

/// The segments of a statement that is about this, of a table whose key columns have so many bytes;
/// `None` where the bytes are no such statement.
pub fn sheet_of_statement(about: &About, key_width: usize, bytes: &[u8]) -> Option<StatedSheet> {
    // What stands before the link and the number of items.
    let head = statement(about, &[]).len().checked_sub(3)?;
    let (linked, rest) = bytes.get(head..)?.split_first()?;
    let (link, rest) = match linked {
        0 => (None, rest),
        _ => {
            let (record, rest) = rest.split_at_checked(record_bytes(about.moments))?;
            (Some(Record::from_bytes(record, about.moments).ok()?), rest)
        }
    };
    let (count, rest) = rest.split_first_chunk::<2>()?;
    let item_bytes = key_width + 12 + record_bytes(about.moments);
    if rest.len() != usize::from(u16::from_be_bytes(*count)) * item_bytes {
        return None;
    }
    let items = rest.chunks(item_bytes).map(|item| {
        let (columns, rest) = item.split_at_checked(key_width)?;
        let (run, rest) = rest.split_first_chunk::<4>()?;
        let (revision, rest) = rest.split_first_chunk::<4>()?;
        let (segment, rest) = rest.split_first_chunk::<4>()?;
        let [run, revision, segment] = [run, revision, segment].map(|number| u32::from_be_bytes(*number));
        let record = Record::from_bytes(rest, about.moments).ok()?;
        Some(SheetItem { columns: columns.to_vec(), run, revision, segment, record })
    });
    let items: Vec<SheetItem> = items.collect::<Option<_>>()?;
    // What stands before the items is compared, too.
    (statement_behind(about, link.as_ref(), &items) == bytes).then_some(StatedSheet { link, items })
}

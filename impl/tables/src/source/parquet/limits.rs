//! What of a Parquet file is looked at before its reader takes memory by it: that the lists of its
//! description are as long as stated, that its columns are flat and in the file, and that pages are
//! of a size, an encoding and a number of values that the reader holds.
//!
//! Structures and their fields: parquet.thrift of apache/parquet-format.

use std::fs::File;
use std::io::{ErrorKind, Read, Seek, SeekFrom};

use parquet::basic::Type;
use parquet::data_type::ByteArray;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData};

use super::super::SourceError;
use super::thrift::{Bytes, Fault, Kind, Structure};
use Kind::{Binary, Bool, I8, I16, I32, I64, List, Struct, Unread};

/// The most bytes of a description.
const MOST_FOOTER: u64 = 16 << 20;
/// The most bytes of a page, as it is and decompressed.
const MOST_PAGE: u64 = 64 << 20;
/// The most bytes that the reader may hold at once: of each column the largest page, as it is and
/// decompressed, and the dictionary.
const MOST_HELD: u64 = 256 << 20;
/// The most bytes of what stands before a page.
const MOST_PAGE_HEADER: usize = 1 << 20;
/// What is read at first of what stands before a page.
const PAGE_HEADER: usize = 1 << 12;
/// The length of the description and the mark behind it.
const TAIL: u64 = 8;
/// The most columns.
const MOST_COLUMNS: i64 = 4096;
/// The repetition type of a column of lists.
const REPEATED: i64 = 2;

const EMPTY: Structure = Structure { name: "Empty", fields: &[] };
const DECIMAL: Structure = Structure { name: "DecimalType", fields: &[(1, I32), (2, I32)] };
const INTEGER: Structure = Structure { name: "IntType", fields: &[(1, I8), (2, Bool)] };
const UNIT: Structure =
    Structure { name: "TimeUnit", fields: &[(1, Struct(&EMPTY)), (2, Struct(&EMPTY)), (3, Struct(&EMPTY))] };
const TIME: Structure = Structure { name: "TimeType", fields: &[(1, Bool), (2, Struct(&UNIT))] };
const LOGICAL: Structure = Structure {
    name: "LogicalType",
    fields: &[
        (1, Struct(&EMPTY)),
        (2, Struct(&EMPTY)),
        (3, Struct(&EMPTY)),
        (4, Struct(&EMPTY)),
        (5, Struct(&DECIMAL)),
        (6, Struct(&EMPTY)),
        (7, Struct(&TIME)),
        (8, Struct(&TIME)),
        (10, Struct(&INTEGER)),
        (11, Struct(&EMPTY)),
        (12, Struct(&EMPTY)),
        (13, Struct(&EMPTY)),
        (14, Struct(&EMPTY)),
        (15, Struct(&EMPTY)),
        (16, Unread("a column of variants")),
        (17, Unread("a column of geometry")),
        (18, Unread("a column of geography")),
    ],
};
const SCHEMA_ELEMENT: Structure = Structure {
    name: "SchemaElement",
    fields: &[
        (1, I32),
        (2, I32),
        (3, I32),
        (4, Binary),
        (5, I32),
        (6, I32),
        (7, I32),
        (8, I32),
        (9, I32),
        (10, Struct(&LOGICAL)),
    ],
};
const STATISTICS: Structure = Structure {
    name: "Statistics",
    fields: &[(1, Binary), (2, Binary), (3, I64), (4, I64), (5, Binary), (6, Binary), (7, Bool), (8, Bool)],
};
const KEY_VALUE: Structure = Structure { name: "KeyValue", fields: &[(1, Binary), (2, Binary)] };
const ENCODING_STATS: Structure = Structure { name: "PageEncodingStats", fields: &[(1, I32), (2, I32), (3, I32)] };
const SIZE_STATISTICS: Structure =
    Structure { name: "SizeStatistics", fields: &[(1, I64), (2, List(&I64)), (3, List(&I64))] };
const COLUMN_META_DATA: Structure = Structure {
    name: "ColumnMetaData",
    fields: &[
        (1, I32),
        (2, List(&I32)),
        (3, List(&Binary)),
        (4, I32),
        (5, I64),
        (6, I64),
        (7, I64),
        (8, List(&Struct(&KEY_VALUE))),
        (9, I64),
        (10, I64),
        (11, I64),
        (12, Struct(&STATISTICS)),
        (13, List(&Struct(&ENCODING_STATS))),
        (14, I64),
        (15, I32),
        (16, Struct(&SIZE_STATISTICS)),
        (17, Unread("a column of geometry")),
    ],
};
const COLUMN_CHUNK: Structure = Structure {
    name: "ColumnChunk",
    fields: &[
        (1, Unread("columns in other files")),
        (2, I64),
        (3, Struct(&COLUMN_META_DATA)),
        (4, I64),
        (5, I32),
        (6, I64),
        (7, I32),
        (8, Unread("encryption")),
        (9, Unread("encryption")),
    ],
};
const SORTING_COLUMN: Structure = Structure { name: "SortingColumn", fields: &[(1, I32), (2, Bool), (3, Bool)] };
const ROW_GROUP: Structure = Structure {
    name: "RowGroup",
    fields: &[
        (1, List(&Struct(&COLUMN_CHUNK))),
        (2, I64),
        (3, I64),
        (4, List(&Struct(&SORTING_COLUMN))),
        (5, I64),
        (6, I64),
        (7, I16),
    ],
};
const COLUMN_ORDER: Structure = Structure { name: "ColumnOrder", fields: &[(1, Struct(&EMPTY))] };
const FILE_META_DATA: Structure = Structure {
    name: "FileMetaData",
    fields: &[
        (1, I32),
        (2, List(&Struct(&SCHEMA_ELEMENT))),
        (3, I64),
        (4, List(&Struct(&ROW_GROUP))),
        (5, List(&Struct(&KEY_VALUE))),
        (6, Binary),
        (7, List(&Struct(&COLUMN_ORDER))),
        (8, Unread("encryption")),
        (9, Unread("encryption")),
    ],
};
const DATA_PAGE: Structure =
    Structure { name: "DataPageHeader", fields: &[(1, I32), (2, I32), (3, I32), (4, I32), (5, Struct(&STATISTICS))] };
const DICTIONARY_PAGE: Structure = Structure { name: "DictionaryPageHeader", fields: &[(1, I32), (2, I32), (3, Bool)] };
const DATA_PAGE_2: Structure = Structure {
    name: "DataPageHeaderV2",
    fields: &[(1, I32), (2, I32), (3, I32), (4, I32), (5, I32), (6, I32), (7, Bool), (8, Struct(&STATISTICS))],
};
const PAGE_HEADER_OF: Structure = Structure {
    name: "PageHeader",
    fields: &[
        (1, I32),
        (2, I32),
        (3, I32),
        (4, I32),
        (5, Struct(&DATA_PAGE)),
        (6, Struct(&EMPTY)),
        (7, Struct(&DICTIONARY_PAGE)),
        (8, Struct(&DATA_PAGE_2)),
    ],
};

fn refused(reason: impl Into<String>) -> SourceError {
    SourceError::Parquet(reason.into())
}

fn faulty(fault: Fault, what: &str) -> SourceError {
    refused(match fault {
        Fault::Short => format!("{what} ends too early"),
        Fault::Malformed => format!("{what} is malformed"),
        Fault::Unread(has) => format!("it has {has}, which is not read"),
    })
}

/// Checks a file's description, and returns to the file's beginning.
pub(super) fn check_footer(file: &mut File) -> Result<(), SourceError> {
    let length = file.seek(SeekFrom::End(0)).map_err(SourceError::Io)?;
    let start = length.checked_sub(TAIL).ok_or_else(|| refused("it is too short"))?;
    file.seek(SeekFrom::Start(start)).map_err(SourceError::Io)?;
    let mut tail = [0; TAIL as usize];
    file.read_exact(&mut tail).map_err(SourceError::Io)?;
    let [a, b, c, d, mark @ ..] = tail;
    match &mark {
        b"PAR1" => {}
        b"PARE" => return Err(faulty(Fault::Unread("encryption"), "")),
        _ => return Err(refused("it does not end as one")),
    }
    let footer = u64::from(u32::from_le_bytes([a, b, c, d]));
    if footer > MOST_FOOTER {
        return Err(refused(format!("its description has {footer} bytes, and at most {MOST_FOOTER} are read")));
    }
    let start = start.checked_sub(footer).ok_or_else(|| refused("it is shorter than its description"))?;
    file.seek(SeekFrom::Start(start)).map_err(SourceError::Io)?;
    let mut bytes = Vec::new();
    file.take(footer).read_to_end(&mut bytes).map_err(SourceError::Io)?;
    file.rewind().map_err(SourceError::Io)?;
    let mut groups = 0;
    let mut visit = |name: &str, field: i16, number: i64| match (name, field) {
        // A row of such a column has as many values as it likes.
        ("SchemaElement", 3) if number == REPEATED => Err(Fault::Unread("a column of lists")),
        ("SchemaElement", 5) if number != 0 => {
            groups += 1;
            // The root alone has columns.
            let is_flat = groups == 1 && (0..=MOST_COLUMNS).contains(&number);
            if is_flat { Ok(()) } else { Err(Fault::Unread("columns within columns")) }
        }
        _ => Ok(()),
    };
    Bytes::new(&bytes).structure(&FILE_META_DATA, &mut visit).map_err(|fault| faulty(fault, "its description"))
}

/// What is stated of a page.
#[derive(Default)]
struct Page {
    plain: i64,
    stored: i64,
    dictionary: Option<i64>,
    encodings: Vec<i64>,
}

/// Checks what stands before each page.
pub(super) fn check_pages(mut file: File, metadata: &ParquetMetaData) -> Result<(), SourceError> {
    let length = file.metadata().map_err(SourceError::Io)?.len();
    // All columns together are no longer than the file: what is looked at has an end.
    let mut left = length;
    for group in metadata.row_groups() {
        let mut held = 0u64;
        for column in group.columns() {
            let range = byte_range(column).filter(|(_, bytes)| *bytes <= left);
            let (start, bytes) = range.ok_or_else(|| refused("its columns are not in it"))?;
            left -= bytes;
            held = held.saturating_add(check_column(&mut file, column, start, start.saturating_add(bytes))?);
        }
        if held > MOST_HELD {
            return Err(refused(format!("rows whose pages have {held} bytes, and at most {MOST_HELD} are read")));
        }
    }
    Ok(())
}

/// Where a column's pages begin, and how many bytes they have; `None` where one of these is
/// negative, which the crate does not look at.
fn byte_range(column: &ColumnChunkMetaData) -> Option<(u64, u64)> {
    let start = column.dictionary_page_offset().unwrap_or_else(|| column.data_page_offset());
    Some((u64::try_from(start).ok()?, u64::try_from(column.compressed_size()).ok()?))
}

/// Checks a column's pages; how many bytes its reader holds at once.
fn check_column(file: &mut File, column: &ColumnChunkMetaData, mut at: u64, end: u64) -> Result<u64, SourceError> {
    let width = least_width(column);
    let (mut pages, mut dictionary) = (0, 0);
    while at < end {
        let (page, header) = page_at(file, at)?;
        let size = |bytes: i64| u64::try_from(bytes).ok().filter(|bytes| *bytes <= MOST_PAGE);
        let (Some(plain), Some(stored)) = (size(page.plain), size(page.stored)) else {
            return Err(refused(format!("a page of more than {MOST_PAGE} bytes")));
        };
        // Plain, by a dictionary (the older number too), and runs of truth values.
        if let Some(other) = page.encodings.iter().find(|encoding| !matches!(encoding, 0 | 2 | 3 | 8)) {
            return Err(refused(format!("a page has the encoding {other}, which is not read")));
        }
        pages = pages.max(plain + stored);
        match page.dictionary.map(u64::try_from) {
            Some(Ok(count)) if count.saturating_mul(width) <= plain => {
                dictionary = dictionary.max(plain + count * size_of::<ByteArray>() as u64);
            }
            Some(_) => return Err(refused("a dictionary of more values than bytes")),
            None => {}
        }
        at = at.saturating_add(header).saturating_add(stored);
    }
    Ok(pages + dictionary)
}

/// The least bytes of a value of a dictionary.
fn least_width(column: &ColumnChunkMetaData) -> u64 {
    match column.column_type() {
        Type::BOOLEAN => 1,
        // Those of no fixed length begin with theirs.
        Type::INT32 | Type::FLOAT | Type::BYTE_ARRAY => 4,
        Type::INT64 | Type::DOUBLE => 8,
        Type::INT96 => 12,
        Type::FIXED_LEN_BYTE_ARRAY => u64::try_from(column.column_descr().type_length()).unwrap_or(0).max(1),
    }
}

/// The page that begins at an offset, and how many bytes stand before it.
fn page_at(file: &mut File, at: u64) -> Result<(Page, u64), SourceError> {
    let mut size = PAGE_HEADER;
    loop {
        let mut bytes = vec![0; size];
        file.seek(SeekFrom::Start(at)).map_err(SourceError::Io)?;
        let mut read = 0;
        while read < size {
            match file.read(bytes.get_mut(read..).unwrap_or_default()) {
                Ok(0) => break,
                Ok(more) => read += more,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(SourceError::Io(error)),
            }
        }
        bytes.truncate(read);
        let mut page = Page::default();
        let mut visit = |name: &str, field: i16, number: i64| {
            match (name, field) {
                ("PageHeader", 2) => page.plain = number,
                ("PageHeader", 3) => page.stored = number,
                ("DataPageHeader", 2) | ("DataPageHeaderV2", 4) => page.encodings.push(number),
                ("DictionaryPageHeader", 1) => page.dictionary = Some(number),
                ("DictionaryPageHeader", 2) => page.encodings.push(number),
                _ => {}
            }
            Ok(())
        };
        let mut reader = Bytes::new(&bytes);
        match reader.structure(&PAGE_HEADER_OF, &mut visit) {
            Ok(()) => {
                let header = (bytes.len() - reader.left()) as u64;
                return Ok((page, header));
            }
            Err(Fault::Short) if read == size && size < MOST_PAGE_HEADER => size *= 16,
            Err(fault) => return Err(faulty(fault, "a page")),
        }
    }
}

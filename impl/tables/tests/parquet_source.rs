//! Rows from Parquet files: what is written is read; other types, nulls, and files that are damaged
//! anywhere are refused, without a panic and without memory by a stated count.
//!
//! `written/` has the same fifty rows as DuckDB 1.4.5 and pyarrow 26.0.1 write them.

#![cfg(feature = "parquet")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

mod common;

use std::fs::File;
use std::io::Write as _;
use std::sync::Arc;

use aardvark_tables::RowSource;
use aardvark_tables::source::parquet::ParquetSource;
use aardvark_tables::source::{Row, SourceError};
use common::{Random, drained, schema};
use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int32Type, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

const COLUMNS: &str = "message m { required int32 time (INTEGER(32, false)); required binary town (UTF8); \
    optional int64 power (DECIMAL(9, 2)); required binary user (UTF8); }";

/// A file of some rows, in pages of a few.
fn written(compression: Compression, message: &str, rows: usize) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(message).unwrap());
    let properties = WriterProperties::builder().set_compression(compression).set_data_page_row_count_limit(7);
    let properties = Arc::new(properties.set_write_batch_size(7).build());
    let mut bytes = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, properties).unwrap();
    let text = |i: usize| ByteArray::from(format!("u{}", i % 5).as_str());
    for _ in 0..2 {
        let mut group = writer.next_row_group().unwrap();
        let mut place = 0;
        while let Some(mut column) = group.next_column().unwrap() {
            let _written = match place {
                0 => column.typed::<Int32Type>().write_batch(&vec![9; rows], None, None).unwrap(),
                1 | 3 => {
                    let texts: Vec<ByteArray> = (0..rows).map(text).collect();
                    column.typed::<ByteArrayType>().write_batch(&texts, None, None).unwrap()
                }
                _ if message.contains("double") => {
                    column.typed::<DoubleType>().write_batch(&vec![0.5; rows], None, None).unwrap()
                }
                _ => {
                    // Every third is null; the others are 1.50.
                    let levels: Vec<i16> = (0..rows).map(|i| i16::from(i % 3 != 0)).collect();
                    let numbers = vec![150; levels.iter().filter(|level| **level == 1).count()];
                    column.typed::<Int64Type>().write_batch(&numbers, Some(&levels), None).unwrap()
                }
            };
            column.close().unwrap();
            place += 1;
        }
        group.close().unwrap();
    }
    writer.close().unwrap();
    bytes
}

fn file(bytes: &[u8]) -> File {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(bytes).unwrap();
    file
}

fn source(bytes: &[u8]) -> Result<ParquetSource, SourceError> {
    ParquetSource::new(file(bytes), &schema(), &Default::default())
}

#[test]
fn rows_are_read_as_they_were_written() {
    for compression in [Compression::SNAPPY, Compression::UNCOMPRESSED] {
        let mut rows = source(&written(compression, COLUMNS, 40)).unwrap();
        let first = rows.next_row().unwrap().unwrap();
        let second = rows.next_row().unwrap().unwrap();
        assert_eq!((first.numbers, first.texts), (vec![None], vec!["u0".to_owned()]));
        // 1.5 with one digit behind the point, above -10.0.
        assert_eq!((second.numbers, second.texts), (vec![Some(115)], vec!["u1".to_owned()]));
        assert_eq!(second.columns, [&[0, 0, 0, 9][..], b"u1\0\0\0\0"].concat());
        assert_eq!(drained(Ok(rows)).unwrap(), 78);
    }
}

#[test]
fn other_columns_and_types_are_refused_by_row_and_column() {
    let reason = |message: &str| drained(source(&written(Compression::SNAPPY, message, 2))).unwrap_err().to_string();
    let double = COLUMNS.replace("optional int64 power (DECIMAL(9, 2))", "required double power");
    assert_eq!(reason(&double), "row 1, column power: it is neither a text nor an integer; write decimals as texts");
    assert_eq!(reason(&COLUMNS.replace("user", "usr")), "the header, column usr: the table has no such column");
    let thousandths = reason(&COLUMNS.replace("9, 2", "9, 3"));
    assert_eq!(thousandths, "row 2, column power: \"0.15\" has 2 digits behind the point, where the column has 1");
    let nested = "message m { required group g { required int32 time; } }";
    let mut bytes = Vec::new();
    let writer =
        SerializedFileWriter::new(&mut bytes, Arc::new(parse_message_type(nested).unwrap()), Default::default());
    writer.unwrap().close().unwrap();
    let refused = source(&bytes).err().unwrap().to_string();
    assert!(refused.contains("columns within columns, which is not read"), "{refused}");
}

/// A file's description, changed, with its length behind it.
fn described(bytes: &[u8], change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let tail = bytes.len() - 8;
    let length = u32::from_le_bytes(bytes[tail..tail + 4].try_into().unwrap()) as usize;
    let mut footer = bytes[tail - length..tail].to_vec();
    change(&mut footer);
    [&bytes[..tail - length], &footer, &(footer.len() as u32).to_le_bytes(), b"PAR1"].concat()
}

#[test]
fn lists_longer_than_the_file_take_no_memory() {
    let honest = written(Compression::SNAPPY, COLUMNS, 3);
    assert_eq!(drained(source(&described(&honest, |_| ()))).unwrap(), 6);
    // The second field is the list of columns: five, of structures.
    let place = |footer: &[u8]| footer.iter().position(|byte| *byte == 0x5c).unwrap();
    let long = described(&honest, |footer| {
        let at = place(footer);
        drop(footer.splice(at..=at, [0xfc, 0xff, 0xff, 0xff, 0xff, 0x07]));
    });
    let refused = source(&long).err().unwrap().to_string();
    assert_eq!(refused, "no Parquet file that can be read: its description ends too early");
    // The same bytes as another type: the crate reads a field by its number alone.
    let other = described(&honest, |footer| {
        let at = place(footer);
        footer[at - 1] = 0x18;
        drop(footer.splice(at..=at, [2, 0xfc, 0xff]));
    });
    let refused = source(&other).err().unwrap().to_string();
    assert_eq!(refused, "no Parquet file that can be read: its description is malformed");
    let huge = [b"PAR1", &u32::MAX.to_le_bytes()[..], b"PAR1"].concat();
    assert!(source(&huge).err().unwrap().to_string().contains("4294967295 bytes"));
}

/// Why a file is refused before a row of it is read.
fn refused_at_once(bytes: &[u8]) -> String {
    source(bytes).err().unwrap().to_string()
}

/// A file without rows.
fn empty(message: &str) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(message).unwrap());
    let mut bytes = Vec::new();
    SerializedFileWriter::new(&mut bytes, schema, Default::default()).unwrap().close().unwrap();
    bytes
}

/// A file's description with a field at its end that nobody knows.
fn with_field(bytes: &[u8], kind: u8, field: &[u8]) -> Vec<u8> {
    described(bytes, |footer| {
        assert_eq!(footer.pop(), Some(0));
        // Number 100.
        footer.extend([&[kind, 0xc8, 1], field, &[0]].concat());
    })
}

#[test]
fn descriptions_that_grow_where_they_are_read_are_refused() {
    let lists = COLUMNS.replace("optional int64 power", "repeated int64 power");
    assert!(refused_at_once(&empty(&lists)).ends_with("it has a column of lists, which is not read"));
    let honest = written(Compression::SNAPPY, COLUMNS, 3);
    // A list of bytes, a million and one more; a million is read.
    for (count, is_read) in [(1_048_000u32, true), (1_048_577, false)] {
        let varint = [count as u8 | 0x80, (count >> 7) as u8 | 0x80, (count >> 14) as u8];
        let list = [&[0xf3][..], &varint, &vec![0; count as usize]].concat();
        let read = drained(source(&with_field(&honest, 9, &list)));
        assert_eq!(read.is_ok(), is_read, "{read:?}");
    }
    // Structures in structures, and lists in lists.
    for (kind, head) in [(12, 0x1c), (9, 0x19)] {
        let deep = with_field(&honest, kind, &vec![head; 1_000_000]);
        assert_eq!(refused_at_once(&deep), "no Parquet file that can be read: its description is malformed");
    }
}

/// Where the pages of each column begin.
fn starts(bytes: &[u8]) -> Vec<usize> {
    let reader = SerializedFileReader::new(file(bytes)).unwrap();
    let columns = reader.metadata().row_groups().iter().flat_map(|group| group.columns());
    columns.map(|column| column.byte_range().0 as usize).collect()
}

#[test]
fn pages_that_are_not_what_they_say_are_refused() {
    let honest = written(Compression::UNCOMPRESSED, COLUMNS, 40);
    // The page of a dictionary, of texts: its type, two sizes of a byte each, a structure, and how
    // many texts there are.
    let at = starts(&honest)[1];
    assert_eq!(
        (&honest[at..at + 2], honest[at + 2], honest[at + 4], honest[at + 6]),
        (&[0x15, 4][..], 0x15, 0x15, 0x4c)
    );
    let changed = |at: usize, with: &[u8]| {
        let mut bytes = honest.clone();
        drop(bytes.splice(at..=at, with.iter().copied()));
        bytes
    };
    let many = changed(at + 8, &[0x7e]);
    assert!(refused_at_once(&many).ends_with("a dictionary of more values than bytes"));
    for size in [[0xfe, 0xff, 0xff, 0xff, 0x0f], [0xff, 0xff, 0xff, 0xff, 0x0f]] {
        for field in [3, 5] {
            let huge = changed(at + field, &size);
            assert!(refused_at_once(&huge).ends_with("a page of more than 67108864 bytes"));
        }
    }
    // More of it than there is, and an encoding that takes memory by a number of values.
    assert!(refused_at_once(&changed(at + 10, &[10])).ends_with("the encoding 5, which is not read"));
    let cut = [&honest[..at], &honest[at + 30..]].concat();
    assert!(source(&cut).is_err());
}

#[test]
fn pages_that_are_too_large_together_are_refused() {
    let message = "message m { required binary a; required binary b; required binary c; \
        required binary d; required binary e; }";
    let schema = Arc::new(parse_message_type(message).unwrap());
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).set_dictionary_enabled(false);
    let mut honest = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut honest, schema, Arc::new(properties.build())).unwrap();
    let mut group = writer.next_row_group().unwrap();
    while let Some(mut column) = group.next_column().unwrap() {
        let texts = vec![ByteArray::from(vec![b'u'; 60_000]); 20];
        column.typed::<ByteArrayType>().write_batch(&texts, None, None).unwrap();
        column.close().unwrap();
    }
    group.close().unwrap();
    writer.close().unwrap();
    assert!(refused_at_once(&honest).ends_with("the table has no such column"));
    // Each page says that it has 60 MiB, which one may have.
    let says = [0x80, 0x80, 0x80, 0x3c];
    let mut bytes = honest.clone();
    for (done, at) in starts(&honest).into_iter().enumerate() {
        assert!(honest[at..at + 3] == [0x15, 0, 0x15] && honest[at + 3..at + 6].iter().all(|byte| byte & 0x80 != 0));
        bytes[at + 3..at + 7].copy_from_slice(&says);
        let refused = refused_at_once(&bytes);
        assert_eq!(refused.contains("rows whose pages have"), done == 4, "{refused}");
    }
    // Columns that are longer than the file, or begin before it.
    let footer = honest.len() - 8 - u32::from_le_bytes(honest[honest.len() - 8..][..4].try_into().unwrap()) as usize;
    let cut = [&honest[..4], &honest[footer..]].concat();
    assert!(refused_at_once(&cut).ends_with("its columns are not in it"));
    let before = described(&honest, |footer| {
        // The ninth field of a column, two behind the seventh: 4.
        let at = footer.windows(2).position(|pair| pair == [0x26, 8]).unwrap();
        footer[at + 1] = 7;
    });
    assert!(refused_at_once(&before).ends_with("its columns are not in it"));
}

#[test]
fn what_others_write_is_read() {
    let mut files = ["duckdb", "pyarrow"].map(|writer| {
        let path = format!("{}/tests/written/{writer}.parquet", env!("CARGO_MANIFEST_DIR"));
        ParquetSource::new(File::open(path).unwrap(), &schema(), &Default::default()).unwrap()
    });
    for i in 0..50u64 {
        let rows = files.each_mut().map(|file| file.next_row().unwrap().unwrap());
        assert_eq!(rows[0], rows[1]);
        let Row { columns, numbers, texts } = &rows[0];
        assert_eq!(columns[..4], (5 + i as u32 % 3).to_be_bytes());
        assert_eq!(columns[4..], *[b"Bern\0\0", b"Chur\0\0", b"Zug\0\0\0"][i as usize % 3]);
        // Halves, above -10.0.
        assert_eq!(*numbers, [(i % 4 != 3).then_some(100 + 5 * i)]);
        assert_eq!(*texts, [format!("u{i}")]);
    }
    assert!(files.into_iter().all(|mut file| file.next_row().unwrap().is_none()));
}

#[test]
fn damaged_files_are_read_or_refused() {
    // The crate's panics are caught; their messages are not to be read here.
    let shown = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !panic.location().is_some_and(|location| location.file().contains("parquet-")) {
            shown(panic);
        }
    }));
    let (mut accepted, mut refused) = (0, 0);
    let pieces: [&[u8]; 4] = [b"\xff\xff\xff\xff\x0f", b"\0", b"\x19\xfc", b"\x80"];
    for compression in [Compression::SNAPPY, Compression::UNCOMPRESSED] {
        let honest = written(compression, COLUMNS, 40);
        for seed in 0..2_500 {
            let mut random = Random(seed);
            let bytes = match random.below(3) {
                0 => random.damaged(&honest, &pieces),
                // One byte, and all else where it was.
                1 => {
                    let mut bytes = honest.clone();
                    let at = random.below(bytes.len());
                    bytes[at] ^= 1 << random.below(8);
                    bytes
                }
                _ => described(&honest, |footer| *footer = random.damaged(footer, &pieces)),
            };
            match drained(source(&bytes)) {
                Ok(_) => accepted += 1,
                Err(SourceError::Io(error)) => panic!("{error}"),
                Err(error) => {
                    refused += 1;
                    assert!(error.to_string().len() < 400);
                }
            }
        }
    }
    assert!(accepted > 100 && refused > 2_000, "{accepted} {refused}");
}

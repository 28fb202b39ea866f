//! The records of a CSV file, as RFC 4180 has them, with the place of everything that is none.
//!
//! A line ends with `\n` or `\r\n`. A field that begins with a quote ends with one, and holds
//! whatever stands between, quotes doubled; any other field holds neither separator nor line break.
//! Empty lines are skipped, and so is a byte order mark before the first line. What readers of CSV
//! guess at differently is refused: a carriage return alone, text behind a closing quote, a quote
//! that never closes. (The crate `csv` takes all three, and says of none where it stood.)

use std::io::{self, BufRead};

/// Most bytes of one record; a forgotten quote would otherwise swallow the whole file.
const LONGEST_RECORD: usize = 1 << 16;

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// The fields of a record, and where it stands.
#[derive(Debug)]
pub struct Record {
    /// The line that it begins on, from 1.
    pub line: u64,
    /// The fields, without their quotes.
    pub fields: Vec<String>,
    /// Whether the first field stands in quotes.
    pub is_quoted: bool,
}

/// Why a file has no further record.
#[derive(Debug)]
pub enum Problem {
    /// It cannot be read.
    Read(io::Error),
    /// It is no CSV.
    At {
        /// The line, from 1.
        line: u64,
        /// The character in the line, from 1; 0 for the line as a whole.
        column: u64,
        /// What is wrong.
        reason: String,
    },
}

impl Record {
    /// Where the first field has a character that separates fields in other files.
    pub fn other_separator(&self) -> Option<Problem> {
        let field = self.fields.first().filter(|_| !self.is_quoted)?;
        let (before, found) = (0..).zip(field.chars()).find(|(_, character)| matches!(character, ';' | '\t'))?;
        let name = if found == '\t' { "tab" } else { "semicolon" };
        let reason = format!(
            "a {name} where a comma separates key and value; a key that has one stands in quotes to be deleted"
        );
        Some(Problem::At { line: self.line, column: before + 1, reason })
    }
}

/// Where the reader is within a field.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Before its first byte.
    Start,
    /// In a field without quotes.
    Bare,
    /// Behind the opening quote.
    Quoted,
    /// Behind a quote within quotes: the end of the field, or the first of two.
    Closed,
}

/// Reads records.
pub struct Records {
    reader: Box<dyn BufRead>,
    /// The line that is being read, from 1.
    line: u64,
    /// How many of its characters were read.
    column: u64,
    is_start: bool,
}

impl Records {
    /// The records of a file.
    pub fn new(reader: Box<dyn BufRead>) -> Self {
        Self { reader, line: 1, column: 0, is_start: true }
    }

    /// The next record, or `None` at the end.
    ///
    /// # Errors
    /// [`Problem`].
    pub fn next_record(&mut self) -> Result<Option<Record>, Problem> {
        self.skip_byte_order_mark()?;
        let mut record = Record { line: self.line, fields: Vec::new(), is_quoted: false };
        let (mut state, mut field) = (State::Start, Vec::new());
        let (mut begun, mut opened) = ((self.line, 1), (self.line, 1));
        for _ in 0..LONGEST_RECORD {
            let Some(byte) = self.next_byte()? else {
                if state == State::Quoted {
                    return Err(at(opened, "the quote that opens here never closes"));
                }
                if record.fields.is_empty() && state == State::Start {
                    return Ok(None);
                }
                record.fields.push(text(field, begun)?);
                return Ok(Some(record));
            };
            match (state, byte) {
                (State::Quoted, b'"') => state = State::Closed,
                (State::Quoted, _) => field.push(byte),
                (_, b'\r') if self.peek()? == Some(b'\n') => {}
                (_, b'\r') => {
                    let reason =
                        "a carriage return without a line feed; within a field it needs quotes around the field";
                    return Err(at((self.line, self.column), reason));
                }
                (State::Start, b'\n') if record.fields.is_empty() => record.line = self.line,
                (_, b'\n') => {
                    record.fields.push(text(field, begun)?);
                    return Ok(Some(record));
                }
                (_, b',') => {
                    record.fields.push(text(std::mem::take(&mut field), begun)?);
                    begun = (self.line, self.column + 1);
                    state = State::Start;
                }
                (State::Start, b'"') => {
                    record.is_quoted |= record.fields.is_empty();
                    opened = (self.line, self.column);
                    state = State::Quoted;
                }
                (State::Closed, b'"') => {
                    field.push(byte);
                    state = State::Quoted;
                }
                (State::Closed, _) => {
                    let reason = "text behind a closing quote; a quote within quotes is written twice";
                    return Err(at((self.line, self.column), reason));
                }
                (State::Start | State::Bare, _) => {
                    field.push(byte);
                    state = State::Bare;
                }
            }
        }
        Err(at((record.line, 0), "a record without end; is a quote missing?"))
    }

    fn skip_byte_order_mark(&mut self) -> Result<(), Problem> {
        // A buffered reader shows at least its first read, and these three bytes are never apart in
        // a file.
        if std::mem::take(&mut self.is_start)
            && self.reader.fill_buf().map_err(Problem::Read)?.starts_with(BYTE_ORDER_MARK)
        {
            self.reader.consume(BYTE_ORDER_MARK.len());
        }
        Ok(())
    }

    fn peek(&mut self) -> Result<Option<u8>, Problem> {
        self.reader.fill_buf().map(|bytes| bytes.first().copied()).map_err(Problem::Read)
    }

    fn next_byte(&mut self) -> Result<Option<u8>, Problem> {
        let Some(byte) = self.peek()? else { return Ok(None) };
        self.reader.consume(1);
        if byte == b'\n' {
            (self.line, self.column) = (self.line + 1, 0);
        } else if byte & 0xc0 != 0x80 {
            // Bytes that go on with a character of UTF-8 count with its first.
            self.column += 1;
        }
        Ok(Some(byte))
    }
}

fn text(field: Vec<u8>, begun: (u64, u64)) -> Result<String, Problem> {
    String::from_utf8(field).map_err(|_| at(begun, "not UTF-8; give such bytes in hexadecimal, after 0x"))
}

fn at((line, column): (u64, u64), reason: &str) -> Problem {
    Problem::At { line, column, reason: reason.to_owned() }
}

//! Rows from a database: what a query of SQLite, PostgreSQL or MySQL gives, row by row.
//!
//! Nothing is made in the source or written to it: a SQLite file is opened for reading only, the
//! other two read within a transaction that is declared to. The URL, which may hold a password,
//! stands in no error, and nothing is logged.

use std::path::Path;
use std::str::{FromStr, Utf8Error};
use std::string::FromUtf8Error;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::{mem, thread, vec};

use aardvark_aggregates::Schema;
use futures_util::StreamExt;
use sqlx::mysql::{MySql, MySqlConnectOptions};
use sqlx::postgres::{PgConnectOptions, Postgres};
use sqlx::sqlite::{Sqlite, SqliteConnectOptions};
use sqlx::{
    AssertSqlSafe, Column, ConnectOptions, Connection, Database, Decode, Error, Executor, Row as _, SqlSafeStr,
    Statement, TypeInfo, ValueRef,
};

use super::csv::LONGEST_ROW;
use super::fields::{ColumnNames, Fields};
use super::{ColumnFault, LineFault, Position, Row, RowSource, SourceError};
use crate::number::without_zeros_behind;

/// Batches of rows that are read ahead.
const AHEAD: usize = 2;
/// The most rows of a batch.
const BATCH: usize = 256;
/// Bytes of texts that end a batch.
const BATCH_BYTES: usize = 1 << 20;
/// The most bytes that SQLite takes: a row may be made of a gigabyte by a few words.
const SQLITE_MEMORY: usize = 512 << 20;
/// Rows that SQLite's thread reads ahead.
const SQLITE_AHEAD: usize = 16;

/// A column of a row: its text, where there is one.
type Text = Result<Option<String>, ColumnFault>;

/// What the thread that reads a database says.
enum Read {
    /// The columns' names: comes first.
    Header(Vec<String>),
    /// Rows. Of one that is too long there is nothing.
    Rows(Vec<Option<Vec<Text>>>),
    /// No more, because of that.
    Failed(SourceError),
}

/// The rows that a database's query gives, as rows of a table.
pub struct SqlSource {
    read: Receiver<Read>,
    fields: Fields,
    names: Vec<String>,
    /// Rows that are here.
    batch: vec::IntoIter<Option<Vec<Text>>>,
    row: u64,
}

impl SqlSource {
    /// Begins to read what a query gives: one SELECT, of a database at a URL that begins with
    /// `sqlite:`, `postgres:`, `postgresql:`, `mysql:` or `mariadb:`.
    ///
    /// # Errors
    /// [`SourceError::Database`] where the database or its query fails, [`SourceError::Column`]
    /// where the columns are none of the table's.
    pub fn open(url: &str, query: &str, schema: &Schema, names: &ColumnNames) -> Result<Self, SourceError> {
        let (sender, read) = sync_channel(AHEAD);
        let (url, query) = (url.to_owned(), query.to_owned());
        thread::Builder::new()
            .name("sql".to_owned())
            .spawn(move || {
                if let Err(error) = run(&url, &query, &sender) {
                    // Where nobody listens any more, nobody is told.
                    let _ = sender.send(Read::Failed(error));
                }
            })
            .map_err(SourceError::Io)?;
        match read.recv() {
            Ok(Read::Header(header)) => {
                let fields = Fields::of_header(schema, names, &header, Position::Header)?;
                Ok(Self { read, fields, names: header, batch: Vec::new().into_iter(), row: 0 })
            }
            Ok(Read::Failed(error)) => Err(error),
            Ok(Read::Rows(_)) | Err(_) => Err(stopped()),
        }
    }
}

impl RowSource for SqlSource {
    fn next_row(&mut self) -> Result<Option<Row>, SourceError> {
        let texts = loop {
            if let Some(texts) = self.batch.next() {
                break texts;
            }
            self.batch = match self.read.recv() {
                Ok(Read::Rows(rows)) => rows.into_iter(),
                Ok(Read::Failed(error)) => return Err(error),
                Ok(Read::Header(_)) => return Err(stopped()),
                Err(_) => return Ok(None),
            };
        };
        self.row += 1;
        let at = Position::Row(self.row);
        let refused = |fault| SourceError::Line { at, fault };
        let texts = texts.ok_or_else(|| refused(LineFault::TooLong(LONGEST_ROW)))?;
        if texts.len() != self.names.len() {
            return Err(refused(LineFault::OtherColumns));
        }
        let named = self.names.iter().zip(texts);
        let refused = |column: &String, fault| SourceError::Column { at, column: column.clone(), fault };
        let texts = named.map(|(name, text)| text.map_err(|fault| refused(name, fault)));
        let texts: Vec<Option<String>> = texts.collect::<Result<_, _>>()?;
        self.fields.row(at, texts.iter().map(Option::as_deref)).map(Some)
    }
}

/// The three kinds of databases.
#[derive(Clone, Copy)]
enum Scheme {
    Sqlite,
    Postgres,
    MySql,
}

fn scheme(url: &str) -> Option<Scheme> {
    match url.split_once(':')?.0 {
        "sqlite" => Some(Scheme::Sqlite),
        "postgres" | "postgresql" => Some(Scheme::Postgres),
        "mysql" | "mariadb" => Some(Scheme::MySql),
        _ => None,
    }
}

fn stopped() -> SourceError {
    SourceError::Database("reading stopped".to_owned())
}

/// What a database says, without what the URL says.
fn failed(error: Error) -> SourceError {
    SourceError::Database(match error {
        Error::Configuration(_) => "the URL is none of a database".to_owned(),
        // The message alone: the rest is the server's, and may be long.
        Error::Database(error) => error.message().chars().take(500).collect(),
        error => error.to_string(),
    })
}

/// Reads all rows of a query, until there are no more or nobody listens.
fn run(url: &str, query: &str, sender: &SyncSender<Read>) -> Result<(), SourceError> {
    let unknown = || SourceError::Database("the URL begins with sqlite:, postgres: or mysql:".to_owned());
    let scheme = scheme(url).ok_or_else(unknown)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(SourceError::Io)?;
    let read = async {
        match scheme {
            Scheme::Sqlite => {
                let options = sqlite_options(SqliteConnectOptions::from_str(url)?)?;
                read::<Sqlite>(options.disable_statement_logging().connect().await?, None, query, sqlite_text, sender)
                    .await
            }
            Scheme::Postgres => {
                let options = PgConnectOptions::from_str(url)?.disable_statement_logging();
                let begin = Some("BEGIN TRANSACTION READ ONLY");
                read::<Postgres>(options.connect().await?, begin, query, text::<Postgres>, sender).await
            }
            Scheme::MySql => {
                let options = MySqlConnectOptions::from_str(url)?.disable_statement_logging();
                let begin = Some("START TRANSACTION READ ONLY");
                read::<MySql>(options.connect().await?, begin, query, text::<MySql>, sender).await
            }
        }
    };
    runtime.block_on(read).map_err(failed)
}

/// Reads a file without making one beside it. A database in the mode WAL has two such where it is
/// open elsewhere; where there are none, nobody writes to it.
///
/// # Errors
/// [`Error::Io`] where one of the two is left of a process that was killed: to read what it wrote,
/// SQLite would make the other.
fn sqlite_options(options: SqliteConnectOptions) -> Result<SqliteConnectOptions, Error> {
    let file = options.get_filename().to_owned();
    let beside = |ending: &str| {
        let mut name = file.as_os_str().to_owned();
        name.push(ending);
        Path::new(&name).exists()
    };
    let is_wal = is_wal(&file);
    if is_wal && beside("-wal") && !beside("-shm") {
        return Err(std::io::Error::other("it was not closed; open it with SQLite first").into());
    }
    let options = options.pragma("hard_heap_limit", SQLITE_MEMORY.to_string()).row_buffer_size(SQLITE_AHEAD);
    Ok(options.read_only(true).create_if_missing(false).immutable(is_wal && !beside("-wal")))
}

/// Whether the header of a SQLite file says that it is in the mode WAL (bytes 18 and 19).
fn is_wal(file: &Path) -> bool {
    use std::io::Read as _;
    let mut header = [0; 20];
    let read = std::fs::File::open(file).and_then(|mut file| file.read_exact(&mut header));
    read.is_ok() && header.ends_with(&[2, 2])
}

async fn read<DB: Database>(
    mut connection: DB::Connection,
    begin: Option<&'static str>,
    query: &str,
    text: for<'r> fn(DB::ValueRef<'r>) -> Result<Option<String>, ColumnFault>,
    sender: &SyncSender<Read>,
) -> Result<(), Error>
where
    for<'c> &'c mut DB::Connection: Executor<'c, Database = DB>,
    usize: sqlx::ColumnIndex<DB::Row>,
{
    if let Some(begin) = begin {
        sqlx::raw_sql(begin).execute(&mut connection).await?;
    }
    let query = query.trim().trim_end_matches(';');
    // What is no part of another query is no SELECT, or more than one statement. Nothing runs.
    let part = format!("SELECT * FROM ({query}\n) AS aardvark_rows");
    let prepared = (&mut connection).prepare(AssertSqlSafe(part).into_sql_str()).await?;
    let header = prepared.columns().iter().map(|column| column.name().to_owned()).collect();
    drop(prepared);
    if sender.send(Read::Header(header)).is_err() {
        return Ok(());
    }
    // Not prepared: PostgreSQL and MySQL then give texts, whatever the columns' types are.
    let mut rows = sqlx::raw_sql(AssertSqlSafe(query.to_owned())).fetch(&mut connection);
    let mut outgoing = Outgoing { sender, rows: Vec::new(), bytes: 0 };
    let mut is_heard = true;
    while is_heard {
        let row = match rows.next().await {
            Some(Ok(row)) => row,
            other => {
                // Rows that came before a failure come first.
                outgoing.flush();
                other.transpose()?;
                break;
            }
        };
        let mut texts = Vec::with_capacity(row.len());
        for place in 0..row.len() {
            texts.push(text(row.try_get_raw(place)?));
        }
        is_heard = outgoing.push(texts);
    }
    drop(rows);
    // Whatever becomes of it, the rows are there.
    let _ = connection.close().await;
    Ok(())
}

/// Rows on their way to who reads them, some at a time.
struct Outgoing<'s> {
    sender: &'s SyncSender<Read>,
    rows: Vec<Option<Vec<Text>>>,
    bytes: usize,
}

impl Outgoing<'_> {
    /// Takes a row. Whether somebody listens.
    fn push(&mut self, texts: Vec<Text>) -> bool {
        let bytes: usize = texts.iter().flatten().flatten().map(String::len).sum();
        self.bytes += bytes;
        self.rows.push(Some(texts).filter(|_| bytes as u64 <= LONGEST_ROW));
        (self.rows.len() < BATCH && self.bytes < BATCH_BYTES) || self.flush()
    }

    /// Sends what there is. Whether somebody listens.
    fn flush(&mut self) -> bool {
        self.bytes = 0;
        self.sender.send(Read::Rows(mem::take(&mut self.rows))).is_ok()
    }
}

/// A value as its database writes it; floating-point numbers are refused, since they are seldom
/// what was put.
fn text<DB: Database>(value: DB::ValueRef<'_>) -> Result<Option<String>, ColumnFault>
where
    for<'r> &'r str: Decode<'r, DB>,
{
    if value.is_null() {
        return Ok(None);
    }
    let name = value.type_info().name().to_owned();
    if ["FLOAT", "DOUBLE", "FLOAT4", "FLOAT8"].contains(&name.as_str()) {
        return Err(ColumnFault::Kind);
    }
    let text = <&str as Decode<DB>>::decode(value).map_err(|error| no_text(&*error))?;
    Ok(Some(match name.as_str() {
        "NUMERIC" | "DECIMAL" => without_zeros_behind(text).to_owned(),
        _ => text.to_owned(),
    }))
}

/// Why a value is no text.
fn no_text(error: &(dyn std::error::Error + 'static)) -> ColumnFault {
    if error.is::<Utf8Error>() || error.is::<FromUtf8Error>() { ColumnFault::NotUtf8 } else { ColumnFault::Kind }
}

fn sqlite_text(value: <Sqlite as Database>::ValueRef<'_>) -> Result<Option<String>, ColumnFault> {
    if value.is_null() {
        return Ok(None);
    }
    let name = value.type_info().name().to_owned();
    let refused = |_| ColumnFault::Kind;
    match name.as_str() {
        "INTEGER" => Ok(Some(<i64 as Decode<Sqlite>>::decode(value).map_err(refused)?.to_string())),
        "TEXT" => Ok(Some(<String as Decode<Sqlite>>::decode(value).map_err(|error| no_text(&*error))?)),
        _ => Err(ColumnFault::Kind),
    }
}

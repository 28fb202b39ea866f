//! `aardvark archive backup`

use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use aardvark_archive::backup::{BackupReader, BackupSummary};
use aardvark_client::rpc::HttpOptions;
use aardvark_client::rpc::http::{Ask, Http, HttpError};
use aardvark_node::archive::{DaemonError, back_up};
use clap::{ArgGroup, Args};
use serde_json::json;

use crate::failure::Failure;
use crate::hex_text::encode;
use crate::output_file::write_bytes;
use crate::print::error_line;
use crate::progress::Bar;
use crate::report::{Report, Rows, bytes, count, duration};

/// The longest that a backup may take over the network.
const LONGEST: Duration = Duration::from_secs(24 * 3600);
/// Most bytes of what a server says instead of a backup.
const SAID: u64 = 1000;

/// `aardvark archive backup`
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("source").required(true).args(["dir", "operations"])))]
pub struct ArchiveBackup {
    /// Folder of an archive that no process writes to.
    pub dir: Option<PathBuf>,
    /// The operator's address of a running archive, http://host:port (its --operations): the
    /// backup is of its newest version, and it goes on meanwhile.
    #[arg(long, value_name = "URL")]
    pub operations: Option<String>,
    /// The file to write; - for standard output. It is there when it is whole.
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
}

/// Writes a backup.
///
/// # Errors
/// An archive that cannot be opened or reached, a backup that breaks off, a file that cannot be
/// written.
pub fn run(arguments: &ArchiveBackup) -> Result<Report, Failure> {
    let begun = Instant::now();
    let bar = Bar::new("backup");
    let taken = write_bytes(&arguments.output, |out| match (&arguments.operations, &arguments.dir) {
        (Some(address), _) => download(address, &mut Told { out, tell: bar.reading(None) }),
        (None, Some(dir)) => Ok(back_up(dir, &mut Told { out, tell: bar.reading(None) })?),
        (None, None) => Err(Failure::Usage("nothing to back up was given".to_owned())),
    })?;
    drop(bar);
    let rows = rows(&taken).row("time", duration(begun.elapsed()));
    if arguments.output.as_os_str() == "-" {
        error_line(&format!("backup of version {}, root {}", taken.version, encode(&taken.root)));
        return Ok(Report::printed());
    }
    Ok(Report::done(rows.to_text(), summary_json(&taken)))
}

/// What a backup is of, for people.
pub fn rows(taken: &BackupSummary) -> Rows {
    Rows::new()
        .row("dictionary", encode(&taken.dictionary.0))
        .row("version", count(taken.version))
        .row("root", encode(&taken.root))
        .row("records", count(taken.records))
        .row("bytes", bytes(taken.bytes))
}

/// What a backup is of, for programs.
pub fn summary_json(taken: &BackupSummary) -> serde_json::Value {
    json!({
        "dictionary": encode(&taken.dictionary.0),
        "version": taken.version,
        "root": encode(&taken.root),
        "records": taken.records,
        "bytes": taken.bytes,
    })
}

/// Copies the backup of a running archive, which is read to its digest meanwhile.
fn download(address: &str, out: &mut dyn Write) -> Result<BackupSummary, Failure> {
    let unreachable = |error: HttpError| Failure::Download(address.to_owned(), error.to_string());
    let options = HttpOptions { timeout: LONGEST, answer_bytes: usize::MAX };
    let server = Http::new(address, options).map_err(unreachable)?;
    let address = server.url().to_owned();
    let read = server.read(Ask::Get("/backup"), usize::MAX, |status, body| {
        if status != 200 {
            let mut said = String::new();
            let _as_much_as_there_is = body.take(SAID).read_to_string(&mut said);
            return Err(Failure::Download(address, format!("{status}: {}", said.trim_end())));
        }
        let copied = BackupReader::new(Copied { body, out }).and_then(BackupReader::check);
        Ok(copied.map_err(DaemonError::from)?)
    });
    // A body that broke off is the reason for whatever was made of it.
    read.map_err(unreachable)?
}

/// Copies what is read.
struct Copied<'a> {
    body: &'a mut dyn Read,
    out: &'a mut dyn Write,
}

impl Read for Copied<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.body.read(buffer)?;
        self.out.write_all(buffer.get(..read).unwrap_or_default())?;
        Ok(read)
    }
}

/// Tells how much was written.
struct Told<'a, F> {
    out: &'a mut dyn Write,
    tell: F,
}

impl<F: FnMut(u64)> Write for Told<'_, F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        (self.tell)(written as u64);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

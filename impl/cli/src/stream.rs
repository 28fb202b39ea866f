//! Standard output line by line, for answers that are as long as a dictionary.

use std::io::{self, BufWriter, StdoutLock, Write as _};

use crate::failure::Failure;
use crate::print::{escaped, json_escaped};
use crate::report::Report;

/// Standard output, open for lines.
pub struct Stream(BufWriter<StdoutLock<'static>>);

impl Stream {
    /// Writes a line for people, escaped as all of them are.
    ///
    /// # Errors
    /// What the system says.
    pub fn line(&mut self, line: &str) -> Result<(), Failure> {
        self.put(&escaped(line))
    }

    /// Writes a JSON document on one line.
    ///
    /// # Errors
    /// What the system says.
    pub fn json(&mut self, document: &serde_json::Value) -> Result<(), Failure> {
        self.put(&json_escaped(&document.to_string()))
    }

    fn put(&mut self, line: &str) -> Result<(), Failure> {
        writeln!(self.0, "{line}").map_err(failed)
    }
}

/// Prints lines as they are made. A reader that has gone away ends it and is no error.
///
/// # Errors
/// Whatever ends the making of lines, and what the system says of standard output.
pub fn print(lines: impl FnOnce(&mut Stream) -> Result<(), Failure>) -> Result<Report, Failure> {
    let mut stream = Stream(BufWriter::new(io::stdout().lock()));
    let printed = lines(&mut stream).and_then(|()| stream.0.flush().map_err(failed));
    match printed {
        Err(Failure::Output { source, .. }) if source.kind() == io::ErrorKind::BrokenPipe => Ok(Report::printed()),
        Err(failure) => Err(failure),
        Ok(()) => Ok(Report::printed()),
    }
}

fn failed(source: io::Error) -> Failure {
    Failure::Output { name: "standard output".to_owned(), source }
}

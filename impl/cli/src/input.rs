//! Input files: opened by name or from standard input, read line by line, never by a length that
//! their writer states.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use crate::compression::decompressed;

/// The name that stands for standard input.
pub const STANDARD_INPUT: &str = "-";

/// Why an input could not be read.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// The operating system said no.
    #[error("{name}: {source}")]
    Read {
        /// The file.
        name: String,
        /// What the system said.
        source: io::Error,
    },
    /// A line longer than anything the format has.
    #[error("{name}, line {line}: longer than {limit} bytes")]
    LineTooLong {
        /// The file.
        name: String,
        /// The line, from 1.
        line: u64,
        /// The most bytes of a line.
        limit: usize,
    },
    /// A file larger than anything the format has.
    #[error("{name}: larger than {limit} bytes, the most that are read of such a file")]
    FileTooLong {
        /// The file.
        name: String,
        /// The most bytes of a file.
        limit: u64,
    },
}

/// An input, open for reading, with the name that errors give it.
pub struct Input {
    /// The file's path, or "standard input".
    pub name: String,
    /// The bytes.
    pub reader: Box<dyn BufRead>,
    /// How many bytes there are, as the system says of a regular file.
    pub length: Option<u64>,
}

/// Tells how much was read.
struct Watched<F> {
    inner: Box<dyn BufRead>,
    read: F,
}

impl<F: FnMut(u64)> Read for Watched<F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        (self.read)(read as u64);
        Ok(read)
    }
}

impl Input {
    /// An input that is open already.
    pub fn new(name: impl Into<String>, reader: Box<dyn BufRead>) -> Self {
        Self { name: name.into(), reader, length: None }
    }

    /// Opens `path`, or standard input where it is `-`.
    ///
    /// # Errors
    /// What the operating system says.
    pub fn open(path: &Path) -> Result<Self, InputError> {
        if path == Path::new(STANDARD_INPUT) {
            return Ok(Self::new("standard input", Box::new(BufReader::new(io::stdin()))));
        }
        let name = path.display().to_string();
        let directory = || io::Error::new(io::ErrorKind::IsADirectory, "is a directory, not a file");
        let file = File::open(path)
            .and_then(|file| match file.metadata()? {
                metadata if metadata.is_dir() => Err(directory()),
                metadata => Ok((file, metadata.is_file().then_some(metadata.len()))),
            })
            .map_err(|source| InputError::Read { name: name.clone(), source });
        let (file, length) = file?;
        Ok(Self { name, reader: Box::new(BufReader::with_capacity(1 << 16, file)), length })
    }

    /// The same, which tells how many bytes each read gave.
    #[must_use]
    pub fn watched(self, read: impl FnMut(u64) + 'static) -> Self {
        let watched = Watched { inner: self.reader, read };
        Self { reader: Box::new(BufReader::with_capacity(1 << 16, watched)), ..self }
    }

    /// The plain bytes behind a compression that we read; a plain input passes.
    ///
    /// # Errors
    /// A failed read, a compression that we do not read.
    pub fn decompressed(self) -> Result<Self, InputError> {
        let Self { name, reader, length } = self;
        match decompressed(reader) {
            Ok(reader) => Ok(Self { name, reader, length }),
            Err(source) => Err(InputError::Read { name, source }),
        }
    }

    /// The whole input, refused beyond `limit` bytes.
    ///
    /// # Errors
    /// What the operating system says, or more bytes than `limit`.
    pub fn read_at_most(mut self, limit: u64) -> Result<Vec<u8>, InputError> {
        let mut bytes = Vec::new();
        match self.reader.by_ref().take(limit.saturating_add(1)).read_to_end(&mut bytes) {
            Err(source) => Err(InputError::Read { name: self.name, source }),
            Ok(length) if length as u64 > limit => Err(InputError::FileTooLong { name: self.name, limit }),
            Ok(_) => Ok(bytes),
        }
    }

    /// The input's lines, each refused beyond `limit` bytes.
    pub fn lines(self, limit: usize) -> Lines {
        Lines { name: self.name, reader: self.reader, number: 0, limit, line: Vec::new() }
    }
}

/// Reads `path`, or standard input, whole; refused beyond `limit` bytes.
///
/// # Errors
/// As [`Input::open`] and [`Input::read_at_most`].
pub fn read_file(path: &Path, limit: u64) -> Result<Vec<u8>, InputError> {
    Input::open(path)?.read_at_most(limit)
}

/// Where something stands in an input, for error messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub file: PathBuf,
    /// The line, from 1.
    pub line: u64,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}, line {}", self.file.display(), self.line)
    }
}

/// The lines of an input, one at a time in one buffer.
pub struct Lines {
    name: String,
    reader: Box<dyn BufRead>,
    number: u64,
    limit: usize,
    line: Vec<u8>,
}

impl Lines {
    /// The next line without its line break (`\n` or `\r\n`), or `None` at the end.
    ///
    /// # Errors
    /// A failed read, or a line longer than the limit.
    pub fn next_line(&mut self) -> Result<Option<&[u8]>, InputError> {
        self.line.clear();
        self.number += 1;
        let most = self.limit as u64 + 2;
        let read = self.reader.by_ref().take(most).read_until(b'\n', &mut self.line);
        match read {
            Err(source) => return Err(InputError::Read { name: self.name.clone(), source }),
            Ok(0) => return Ok(None),
            Ok(_) => {}
        }
        let content = self.line.strip_suffix(b"\n").unwrap_or(&self.line);
        let content = content.strip_suffix(b"\r").unwrap_or(content);
        if content.len() > self.limit {
            return Err(InputError::LineTooLong { name: self.name.clone(), line: self.number, limit: self.limit });
        }
        Ok(Some(content))
    }

    /// Where the line that was read last stands.
    pub fn place(&self) -> Place {
        Place { file: PathBuf::from(&self.name), line: self.number }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &'static str, limit: usize) -> Lines {
        Input::new("test", Box::new(text.as_bytes())).lines(limit)
    }

    #[test]
    fn lines_come_without_their_breaks_and_the_last_needs_none() {
        let mut lines = lines("a\r\n\nbc", 10);
        assert_eq!(lines.next_line().unwrap(), Some(b"a".as_slice()));
        assert_eq!(lines.next_line().unwrap(), Some(b"".as_slice()));
        assert_eq!(lines.next_line().unwrap(), Some(b"bc".as_slice()));
        assert_eq!(lines.place().line, 3);
        assert_eq!(lines.next_line().unwrap(), None);
    }

    #[test]
    fn a_line_may_be_as_long_as_the_limit_and_no_longer() {
        assert_eq!(lines("abc\n", 3).next_line().unwrap(), Some(b"abc".as_slice()));
        assert_eq!(lines("abc\r\n", 3).next_line().unwrap(), Some(b"abc".as_slice()));
        assert!(lines("abcd\n", 3).next_line().is_err());
        assert!(lines("abcdefgh", 3).next_line().is_err());
    }

    #[test]
    fn a_file_beyond_the_limit_is_refused() {
        let input = |text: &'static str| Input::new("test", Box::new(text.as_bytes()));
        assert_eq!(input("abc").read_at_most(3).unwrap(), b"abc");
        assert!(input("abcd").read_at_most(3).is_err());
    }
}

//! An answer's bytes as they arrive, counted after decompression.

use std::io::{self, BufReader, Read};

use serde::de::DeserializeSeed;

use super::http_error::HttpError;

/// A body that ends with an error after a number of bytes, and remembers why it ended.
pub(super) struct Limited<R> {
    reader: R,
    limit: usize,
    left: usize,
    fault: Option<HttpError>,
    named: fn(io::Error) -> HttpError,
}

impl<R: Read> Limited<R> {
    /// At most `limit` bytes of a body; `named` says what its errors mean.
    pub(super) fn new(reader: R, limit: usize, named: fn(io::Error) -> HttpError) -> Self {
        Self { reader, limit, left: limit, fault: None, named }
    }

    /// Why the body could not be read to its end, where it could not.
    pub(super) fn fault(self) -> Option<HttpError> {
        self.fault
    }

    fn fail(&mut self, fault: HttpError) -> io::Error {
        let error = io::Error::other(fault.clone());
        self.fault = Some(fault);
        error
    }
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // One byte more than is left shows whether there are more.
        let most = buffer.len().min(self.left.saturating_add(1));
        let read = self.reader.read(buffer.get_mut(..most).unwrap_or_default());
        match read {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Err(error) => {
                let fault = (self.named)(error);
                Err(self.fail(fault))
            }
            Ok(count) if count > self.left => Err(self.fail(HttpError::TooLong(self.limit))),
            Ok(count) => {
                self.left -= count;
                Ok(count)
            }
        }
    }
}

/// One JSON value and nothing behind it, read as it arrives: the text is never held as a whole.
///
/// # Errors
/// What is no such value; where the body itself failed, the error of that counts.
pub fn read_json<'de, S: DeserializeSeed<'de>>(body: &mut dyn Read, seed: S) -> Result<S::Value, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_reader(BufReader::with_capacity(1 << 16, body));
    let value = seed.deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_of_exactly_the_limit_is_read_and_one_more_byte_is_too_long() {
        let unnamed = |_| HttpError::Address;
        for (length, fault) in [(9, None), (10, None), (11, Some(HttpError::TooLong(10)))] {
            let mut body = Limited::new(io::repeat(1).take(length), 10, unnamed);
            let read = body.read_to_end(&mut Vec::new()).is_ok();
            assert_eq!((read, body.fault()), (fault.is_none(), fault));
        }
    }
}

//! zstd (RFC 8878): one frame after the other, checksums compared.

use std::io::{self, BufRead, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// The plain text of frames that follow one another. A frame whose window is larger than the
/// decoder's limit of 128 MiB is refused.
pub(super) struct ZstdFrames<R> {
    source: R,
    decoder: FrameDecoder,
    is_within: bool,
}

impl<R: BufRead> ZstdFrames<R> {
    pub(super) fn new(source: R) -> Self {
        Self { source, decoder: FrameDecoder::new(), is_within: false }
    }

    /// Starts the next frame; frames of other data are skipped. `false` at the end of the input.
    fn start(&mut self) -> io::Result<bool> {
        while !self.source.fill_buf()?.is_empty() {
            let length = match self.decoder.reset(&mut self.source) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => length,
                Err(error) => return Err(malformed(&error)),
            };
            let skipped = io::copy(&mut self.source.by_ref().take(length.into()), &mut io::sink())?;
            if skipped < length.into() {
                return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the zstd data: a frame is cut off"));
            }
        }
        Ok(false)
    }

    fn end(&self) -> io::Result<()> {
        match (self.decoder.get_checksum_from_data(), self.decoder.get_calculated_checksum()) {
            (Some(stated), Some(found)) if stated != found => {
                Err(io::Error::new(io::ErrorKind::InvalidData, "the zstd data: a frame does not match its checksum"))
            }
            _ => Ok(()),
        }
    }
}

impl<R: BufRead> Read for ZstdFrames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.is_within {
                self.is_within = self.start()?;
                if !self.is_within {
                    return Ok(0);
                }
            }
            if self.decoder.can_collect() > 0 || buffer.is_empty() {
                return self.decoder.read(buffer);
            }
            if self.decoder.is_finished() {
                self.end()?;
                self.is_within = false;
                continue;
            }
            let one = BlockDecodingStrategy::UptoBlocks(1);
            self.decoder.decode_blocks(&mut self.source, one).map_err(|error| malformed(&error))?;
        }
    }
}

fn malformed(error: &FrameDecoderError) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("the zstd data: {error}"))
}

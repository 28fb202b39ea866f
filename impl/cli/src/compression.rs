//! Compressed inputs, told by their first bytes and not by their names.
//!
//! apt keeps its lists in LZ4 frames, which we read. Mirrors serve gzip and xz, which we name together with the
//! command that unpacks them: one decompressor less in a program that checks proofs.

use std::io::{self, BufRead, BufReader, Read};

use lz4_flex::frame::FrameDecoder;

const LZ4_MAGIC: [u8; 4] = [0x04, 0x22, 0x4d, 0x18];

/// Formats that we recognise but do not read: name, first bytes, unpacking command.
const FOREIGN: [(&str, &[u8], &str); 4] = [
    ("gzip", &[0x1f, 0x8b], "gzip -dc"),
    ("xz", &[0xfd, b'7', b'z', b'X', b'Z', 0], "xz -dc"),
    ("zstd", &[0x28, 0xb5, 0x2f, 0xfd], "zstd -dc"),
    ("bzip2", b"BZh", "bzip2 -dc"),
];

/// The plain bytes behind `reader`, which may be an LZ4 frame or plain itself.
///
/// # Errors
/// A failed read, or a compression that we do not read.
pub fn decompressed(mut reader: Box<dyn BufRead>) -> io::Result<Box<dyn BufRead>> {
    // A buffered reader shows at least its first read; files and pipes give these few bytes at once or are not ours.
    let start = reader.fill_buf()?;
    if start.starts_with(&LZ4_MAGIC) {
        return Ok(Box::new(BufReader::with_capacity(1 << 16, Lz4Frames::new(reader))));
    }
    match FOREIGN.iter().find(|(_, magic, _)| start.starts_with(magic)) {
        Some((name, _, command)) => Err(io::Error::new(
            io::ErrorKind::Unsupported,
            format!(
                "is compressed with {name}; unpack it first: {command} FILE | aardvark import DIR - --format debian-packages"
            ),
        )),
        None => Ok(reader),
    }
}

/// One LZ4 frame after the other, and an error where the input ends inside of one: the decoder alone takes an end
/// between two blocks for the end of the data.
struct Lz4Frames<R: Read> {
    decoder: FrameDecoder<EndWatch<R>>,
}

/// Passes bytes on, and notes how many since the last frame ended and whether the input has ended.
struct EndWatch<R> {
    inner: R,
    since_frame: u64,
    ended: bool,
}

impl<R: Read> Read for EndWatch<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.since_frame += read as u64;
        self.ended = read == 0 && !buffer.is_empty();
        Ok(read)
    }
}

impl<R: Read> Lz4Frames<R> {
    fn new(inner: R) -> Self {
        Self { decoder: FrameDecoder::new(EndWatch { inner, since_frame: 0, ended: false }) }
    }
}

impl<R: Read> Read for Lz4Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.decoder.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            let watch = self.decoder.get_mut();
            if !watch.ended {
                watch.since_frame = 0;
            } else if watch.since_frame == 0 {
                return Ok(0);
            } else {
                return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the LZ4 frame is cut off"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use lz4_flex::frame::{BlockSize, FrameEncoder, FrameInfo};

    use super::*;

    fn compressed(plain: &[u8]) -> Vec<u8> {
        let info = FrameInfo::new().block_size(BlockSize::Max64KB);
        let mut encoder = FrameEncoder::with_frame_info(info, Vec::new());
        encoder.write_all(plain).unwrap();
        encoder.finish().unwrap()
    }

    fn read(bytes: Vec<u8>) -> io::Result<Vec<u8>> {
        let mut plain = Vec::new();
        decompressed(Box::new(BufReader::new(io::Cursor::new(bytes))))?.read_to_end(&mut plain)?;
        Ok(plain)
    }

    fn sample() -> Vec<u8> {
        (0..100_000u32).flat_map(|i| i.wrapping_mul(2_654_435_761).to_be_bytes()).collect()
    }

    #[test]
    fn frames_are_unpacked_and_plain_text_passes() {
        assert_eq!(read(compressed(&sample())).unwrap(), sample());
        assert_eq!(read(b"Package: a\n".to_vec()).unwrap(), b"Package: a\n");
        assert_eq!(read(Vec::new()).unwrap(), b"");
    }

    #[test]
    fn frames_that_follow_one_another_are_read_as_one_text() {
        let mut two = compressed(b"one ");
        two.extend(compressed(b"two"));
        assert_eq!(read(two).unwrap(), b"one two");
    }

    #[test]
    fn a_frame_cut_off_anywhere_is_an_error() {
        let whole = compressed(&sample());
        let block = 64 * 1024 + 4;
        let cuts = (4..40).chain((0..4).map(|i| 7 + block * 2 + i)).chain(whole.len() - 40..whole.len());
        for cut in cuts {
            assert!(read(whole[..cut].to_vec()).is_err(), "cut after {cut} of {} bytes", whole.len());
        }
    }

    #[test]
    fn other_compressions_are_named_with_the_command_that_unpacks_them() {
        let error = read(vec![0x1f, 0x8b, 8, 0]).unwrap_err().to_string();
        assert!(error.contains("gzip -dc"), "{error}");
        let error = read(b"\xfd7zXZ\0\0".to_vec()).unwrap_err().to_string();
        assert!(error.contains("xz -dc"), "{error}");
    }
}

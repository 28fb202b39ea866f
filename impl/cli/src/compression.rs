//! Compressed inputs, told by their first bytes and not by their names.
//!
//! gzip, zstd and LZ4 (in which apt keeps its lists) are read as they come: what is held is a
//! window of at most 128 MiB, however large the plain text. xz and bzip2 are named together with
//! the command that unpacks them.

mod zstd;

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::MultiGzDecoder;
use lz4_flex::frame::FrameDecoder;

use self::zstd::ZstdFrames;

const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
const LZ4_MAGIC: [u8; 4] = [0x04, 0x22, 0x4d, 0x18];

/// Bytes of a buffer of plain text.
const BUFFER: usize = 1 << 16;

/// Formats that we recognise but do not read: name, first bytes, unpacking command.
const FOREIGN: [(&str, &[u8], &str); 2] =
    [("xz", &[0xfd, b'7', b'z', b'X', b'Z', 0], "xz -dc"), ("bzip2", b"BZh", "bzip2 -dc")];

/// The plain bytes behind `reader`, which may be plain itself.
///
/// # Errors
/// A failed read, or a compression that we do not read.
pub fn decompressed(mut reader: Box<dyn BufRead>) -> io::Result<Box<dyn BufRead>> {
    // A buffered reader shows at least its first read; files and pipes give these few bytes at once
    // or are not ours.
    let start = reader.fill_buf()?;
    if start.starts_with(&GZIP_MAGIC) {
        let gzip = Named { inner: MultiGzDecoder::new(reader), name: "gzip" };
        return Ok(Box::new(BufReader::with_capacity(BUFFER, gzip)));
    }
    if start.starts_with(&ZSTD_MAGIC) {
        return Ok(Box::new(BufReader::with_capacity(BUFFER, ZstdFrames::new(reader))));
    }
    if start.starts_with(&LZ4_MAGIC) {
        return Ok(Box::new(BufReader::with_capacity(BUFFER, Lz4Frames::new(reader))));
    }
    match FOREIGN.iter().find(|(_, magic, _)| start.starts_with(magic)) {
        Some((name, _, command)) => Err(io::Error::new(
            io::ErrorKind::Unsupported,
            format!(
                "is compressed with {name}; unpack it first: {command} FILE | aardvark import DIR - --format FORMAT"
            ),
        )),
        None => Ok(reader),
    }
}

/// Names the compression in its errors.
struct Named<R> {
    inner: R,
    name: &'static str,
}

impl<R: Read> Read for Named<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let named = |error: io::Error| io::Error::new(error.kind(), format!("the {} data: {error}", self.name));
        self.inner.read(buffer).map_err(named)
    }
}

/// One LZ4 frame after the other, and an error where the input ends inside of one: the decoder
/// alone takes an end between two blocks for the end of the data.
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

    fn gzip(plain: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(plain).unwrap();
        encoder.finish().unwrap()
    }

    fn zstd(plain: &[u8]) -> Vec<u8> {
        ruzstd::encoding::compress_to_vec(plain, ruzstd::encoding::CompressionLevel::Fastest)
    }

    type Compress = fn(&[u8]) -> Vec<u8>;

    const READ: [(&str, Compress); 3] = [("lz4", compressed), ("gzip", gzip), ("zstd", zstd)];

    #[test]
    fn frames_are_unpacked_and_plain_text_passes() {
        for (name, compress) in READ {
            assert_eq!(read(compress(&sample())).unwrap(), sample(), "{name}");
            assert_eq!(read(compress(b"")).unwrap(), b"", "{name}");
        }
        assert_eq!(read(b"Package: a\n".to_vec()).unwrap(), b"Package: a\n");
        assert_eq!(read(Vec::new()).unwrap(), b"");
    }

    #[test]
    fn frames_that_follow_one_another_are_read_as_one_text() {
        for (name, compress) in READ {
            let mut two = compress(b"one ");
            two.extend(compress(b"two"));
            assert_eq!(read(two).unwrap(), b"one two", "{name}");
        }
    }

    #[test]
    fn what_zstd_skips_is_skipped_and_a_cut_there_is_an_error() {
        let mut bytes = zstd(b"one ");
        bytes.extend([0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
        let whole = [bytes.clone(), zstd(b"two")].concat();
        assert_eq!(read(whole).unwrap(), b"one two");
        bytes.pop();
        assert!(read(bytes).is_err());
    }

    #[test]
    fn a_frame_cut_off_anywhere_is_an_error() {
        let whole = compressed(&sample());
        let block = 64 * 1024 + 4;
        let cuts = (4..40).chain((0..4).map(|i| 7 + block * 2 + i)).chain(whole.len() - 40..whole.len());
        for cut in cuts {
            assert!(read(whole[..cut].to_vec()).is_err(), "cut after {cut} of {} bytes", whole.len());
        }
        for (name, compress) in READ {
            let whole = compress(&sample());
            for cut in (4..40).chain((0..50).map(|part| whole.len() * part / 50)).chain(whole.len() - 12..whole.len()) {
                if cut >= 4 {
                    assert!(read(whole[..cut].to_vec()).is_err(), "{name}, cut after {cut} of {} bytes", whole.len());
                }
            }
        }
    }

    #[test]
    fn a_flipped_bit_is_found_by_the_checksum() {
        for (name, compress) in [READ[1], READ[2]] {
            let whole = compress(&sample());
            for at in [whole.len() / 3, whole.len() / 2, whole.len() - 6] {
                let mut flipped = whole.clone();
                flipped[at] ^= 4;
                assert!(read(flipped).is_err(), "{name}, byte {at} of {}", whole.len());
            }
        }
    }

    #[test]
    fn a_zstd_window_beyond_the_limit_is_refused() {
        // A frame of no content size whose window is 2^31 bytes, and an empty last block.
        let bytes = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 21 << 3, 1, 0, 0];
        assert!(read(bytes.to_vec()).is_err());
    }

    #[test]
    fn other_compressions_are_named_with_the_command_that_unpacks_them() {
        let error = read(b"BZh91".to_vec()).unwrap_err().to_string();
        assert!(error.contains("bzip2 -dc"), "{error}");
        let error = read(b"\xfd7zXZ\0\0".to_vec()).unwrap_err().to_string();
        assert!(error.contains("xz -dc"), "{error}");
    }
}

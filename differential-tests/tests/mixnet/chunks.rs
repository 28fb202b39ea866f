//! Values as chunks: what is written, and what is read of honest and hostile chunks and elements,
//! by implementation, specification and oracle.

use aardvark_oracle::ChunkRequest;
use aardvark_sigma::chunks::{MOST_BYTES, NumberTable, numbers, points, value};
use aardvark_spec::mixnet::chunks::{chunk_elements, chunks_value, elements_value, value_chunks};
use differential_tests::convert::bytes_to_spec;
use differential_tests::oracle::mixnet::chunks_agree;
use hacspec_lib::Seq;

use crate::lists::{Draw, Known};

fn to_spec(chunks: &[u16]) -> Seq<usize> {
    Seq::from_vec(chunks.iter().map(|chunk| usize::from(*chunk)).collect())
}

fn read(chunks: &[u16]) -> [Option<Vec<u8>>; 2] {
    chunks_agree(&ChunkRequest::Value(to_spec(chunks))).unwrap();
    [chunks_value(&to_spec(chunks)).map(|content| content.native_slice().to_vec()), value(chunks)]
}

#[test]
fn values_are_written_and_read_alike() {
    let mut draw = Draw::new(60);
    for width in 0..=MOST_BYTES + 2 {
        for length in 0..=width + 1 {
            let content: Vec<u8> = (0..length).map(|_| draw.below(256) as u8).collect();
            let written = numbers(&content, width).ok();
            chunks_agree(&ChunkRequest::Chunks { content: bytes_to_spec(&content), width }).unwrap();
            let specified = value_chunks(&bytes_to_spec(&content), width);
            let specified = specified.map(|chunks| chunks.native_slice().iter().map(|m| *m as u16).collect::<Vec<_>>());
            assert_eq!(specified, written, "{width}, {length}");
            let Some(chunks) = written else { continue };
            assert_eq!(read(&chunks), [Some(content.clone()), Some(content)], "{width}, {length}");
            // One bit of one chunk: another value, or none.
            let mut spoilt = chunks.clone();
            let place = draw.below(spoilt.len());
            spoilt[place] ^= 1 << draw.below(16);
            let [specified, implemented] = read(&spoilt);
            assert_eq!(specified, implemented, "{width}, {length}");
        }
    }
    for hostile in [&[][..], &[0x0500, 0], &[0xff00, 0, 0], &[0x0001, 0], &[0x0101, 0x0100], &[0; 17]] {
        assert_eq!(read(hostile), [None, None], "{hostile:?}");
    }
    // Numbers that no chunk of the implementation can be: the first beyond 16 bits, and those that
    // agree with a chunk modulo 2^16.
    for wide in [1 << 16, (1 << 16) + 0x0100, usize::MAX] {
        for chunks in [vec![wide], vec![0x0100, wide], vec![wide, 0]] {
            let chunks = Seq::from_vec(chunks);
            assert!(chunks_value(&chunks).is_none());
            chunks_agree(&ChunkRequest::Value(chunks)).unwrap();
        }
    }
}

#[test]
fn elements_are_read_alike() {
    let table = NumberTable::of_chunks();
    let chunks = numbers(b"abcd", 6).unwrap();
    let elements = chunk_elements(&to_spec(&chunks));
    assert_eq!(Known::of_elements(&elements).list().points(), points(&chunks));
    let honest = Known::of_elements(&elements);
    let mut draw = Draw::new(61);
    let mut beyond = honest.clone();
    beyond.exponents[0] = (1u64 << 16).into();
    let mut random = honest.clone();
    random.exponents[2] = draw.scalar();
    for (known, expected) in [(honest, Some(b"abcd".to_vec())), (beyond, None), (random, None)] {
        chunks_agree(&ChunkRequest::Elements(known.elements())).unwrap();
        let specified = elements_value(&known.elements()).map(|content| content.native_slice().to_vec());
        assert_eq!([specified, table.value(known.list().points())], [expected.clone(), expected]);
    }
}

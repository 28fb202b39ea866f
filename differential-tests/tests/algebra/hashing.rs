//! SHA-256 with tags, expand_message_xmd, hash_to_scalar.

use aardvark_algebra::{expand_message_xmd, hash_to_scalar, tagged_hash};
use aardvark_spec::base::hash;
use aardvark_spec::convert::byte_vec;
use differential_tests::convert::{bytes_to_spec, scalar_from_spec};
use quickcheck::quickcheck;

quickcheck! {
    fn tagged_hashes_are_the_same(message: Vec<u8>) -> bool {
        let specified = hash::tagged_hash(&hash::tag_transaction(), &bytes_to_spec(&message));
        byte_vec(&specified) == tagged_hash("AARDVARK-V1-TRANSACTION", &message)
    }

    fn messages_expand_to_the_same_bytes(message: Vec<u8>, dst: Vec<u8>, length: u8) -> bool {
        let dst = &dst[..dst.len().min(255)];
        let mut output = vec![0; usize::from(length).max(1)];
        expand_message_xmd(&message, dst, &mut output).unwrap();
        let specified = hash::expand_message_xmd(&bytes_to_spec(&message), &bytes_to_spec(dst), output.len());
        byte_vec(&specified) == output
    }

    fn messages_hash_to_the_same_scalars(message: Vec<u8>, dst: Vec<u8>) -> bool {
        let dst = &dst[..dst.len().min(255)];
        let specified = hash::hash_to_scalar(&bytes_to_spec(&message), &bytes_to_spec(dst));
        scalar_from_spec(&specified) == hash_to_scalar(&message, dst)
    }
}

#[test]
fn messages_around_the_blocks_of_sha_256_hash_the_same() {
    for length in 0..200 {
        let message: Vec<u8> = (0..length).collect();
        let specified = hash::tagged_hash(&hash::tag_batch(), &bytes_to_spec(&message));
        assert_eq!(byte_vec(&specified), tagged_hash("AARDVARK-V1-BATCH", &message), "{length} bytes");
    }
}

//! Check values of RFC 9380, of FIPS 180-4 and of the format.
#![allow(clippy::unwrap_used)]

use aardvark_algebra::ff::Field;
use aardvark_algebra::{
    Scalar, TaggedHash, encode_g1_uncompressed, expand_message_xmd, hash_to_g1, hash_to_scalar, is_in_subgroup,
    scalar_to_bytes, tagged_hash,
};
use quickcheck::quickcheck;

/// RFC 9380, appendix K.1.
const DST: &[u8] = b"QUUX-V01-CS02-with-expander-SHA256-128";

fn expand(message: &[u8], dst: &[u8], length: usize) -> String {
    let mut output = vec![0; length];
    expand_message_xmd(message, dst, &mut output).unwrap();
    hex::encode(output)
}

#[test]
fn expand_message_xmd_gives_the_values_of_rfc_9380() {
    let q128 = [b"q128_".as_slice(), &[b'q'; 128]].concat();
    let a512 = [b"a512_".as_slice(), &[b'a'; 512]].concat();
    let short: [(&[u8], &str); 5] = [
        (b"", "68a985b87eb6b46952128911f2a4412bbc302a9d759667f87f7a21d803f07235"),
        (b"abc", "d8ccab23b5985ccea865c6c97b6e5b8350e794e603b4b97902f53a8a0d605615"),
        (b"abcdef0123456789", "eff31487c770a893cfb36f912fbfcbff40d5661771ca4b2cb4eafe524333f5c1"),
        (&q128, "b23a1d2b4d97b2ef7785562a7e8bac7eed54ed6e97e29aa51bfe3f12ddad1ff9"),
        (&a512, "4623227bcc01293b8c130bf771da8c298dede7383243dc0993d2d94823958c4c"),
    ];
    for (message, expected) in short {
        assert_eq!(expand(message, DST, 32), expected);
    }
    let long = "af84c27ccfd45d41914fdff5df25293e221afc53d8ad2ac06d5e3e29485dadbe\
                e0d121587713a3e0dd4d5e69e93eb7cd4f5df4cd103e188cf60cb02edc3edf18\
                eda8576c412b18ffb658e3dd6ec849469b979d444cf7b26911a08e63cf31f9dc\
                c541708d3491184472c2c29bb749d4286b004ceb5ee6b9a7fa5b646c993f0ced";
    assert_eq!(expand(b"", DST, 128), long);
}

#[test]
fn a_long_domain_separation_tag_is_hashed_as_rfc_9380_says() {
    // RFC 9380, appendix K.2: a tag of 256 bytes.
    let mut dst = b"QUUX-V01-CS02-with-expander-SHA256-128-long-DST-".to_vec();
    dst.resize(256, b'1');
    let expected = "e8dc0c8b686b7ef2074086fbdd2f30e3f8bfbd3bdf177f73f04b97ce618a3ed3";
    assert_eq!(expand(b"", &dst, 32), expected);
}

#[test]
fn more_than_255_digests_are_refused() {
    assert!(expand_message_xmd(b"", DST, &mut vec![0; 8160]).is_ok());
    assert!(expand_message_xmd(b"", DST, &mut vec![0; 8161]).is_err());
}

#[test]
fn slots_hash_to_the_check_values_of_the_format() {
    let slots: [(&[u8], &str); 2] = [
        (&[0, 0, 0, 0], "46cb75731f8b415716e6ae07b13c41ce9dd3809fe36b115a00ed5ab9bfb0174b"),
        (b"\0\x01a\0\x01b1", "21b8bdee2ff453374ff58f1efaaa6d2fd0a1b69d642c8a2356c885b9404b1d98"),
    ];
    for (encoded, expected) in slots {
        let scalar = hash_to_scalar(encoded, b"AARDVARK-V1-SLOT");
        assert_eq!(hex::encode(scalar_to_bytes(&scalar)), expected);
    }
}

quickcheck! {
    fn hash_to_scalar_is_the_expansion_modulo_the_order(message: Vec<u8>) -> bool {
        let mut expanded = [0; 48];
        expand_message_xmd(&message, DST, &mut expanded).unwrap();
        // Horner over the bytes.
        let expected = expanded.iter().fold(Scalar::ZERO, |sum, byte| {
            sum * Scalar::from(256) + Scalar::from(u64::from(*byte))
        });
        hash_to_scalar(&message, DST) == expected
    }

    fn feeding_a_hash_in_pieces_changes_nothing(pieces: Vec<Vec<u8>>) -> bool {
        let mut hash = TaggedHash::new("tag");
        pieces.iter().for_each(|piece| hash.update(piece));
        hash.finalize() == tagged_hash("tag", &pieces.concat())
    }
}

#[test]
fn a_tagged_hash_is_sha_256_of_the_length_the_tag_and_the_input() {
    // SHA-256 of "\x03abc", "\x00abc" and "\x02abc", computed by Python's hashlib.
    let independent: [(&'static str, &[u8], &str); 3] = [
        ("abc", b"", "1a60c38bbdf04315e5d12747a45f7e02d9da3ea6e7dea87270e4acf8c900d110"),
        ("", b"abc", "609f6e36d2405585188d5cfd761f407c7cc46a7d3f314c88270469dde315fcd1"),
        ("ab", b"c", "909ac45e439911193205994d09399c29fede977ab212605f29ead5250a812e73"),
    ];
    for (tag, x, expected) in independent {
        assert_eq!(hex::encode(tagged_hash(tag, x)), expected);
    }
}

#[test]
fn hash_to_g1_gives_the_values_of_rfc_9380() {
    // Appendix J.9.1.
    let dst = b"QUUX-V01-CS02-with-BLS12381G1_XMD:SHA-256_SSWU_RO_";
    let values: [(&[u8], &str, &str); 2] = [
        (
            b"",
            "052926add2207b76ca4fa57a8734416c8dc95e24501772c814278700eed6d1e4e8cf62d9c09db0fac349612b759e79a1",
            "08ba738453bfed09cb546dbb0783dbb3a5f1f566ed67bb6be0e8c67e2e81a4cc68ee29813bb7994998f3eae0c9c6a265",
        ),
        (
            b"abc",
            "03567bc5ef9c690c2ab2ecdf6a96ef1c139cc0b2f284dca0a9a7943388a49a3aee664ba5379a7655d3c68900be2f6903",
            "0b9c15f3fe6e5cf4211f346271d7b01c8f3b28be689c8429c85b67af215533311f0b8dfaaa154fa6b88176c229f2885d",
        ),
    ];
    for (message, x, y) in values {
        let point = hash_to_g1(message, dst);
        assert!(is_in_subgroup(&point));
        assert_eq!(hex::encode(encode_g1_uncompressed(&point)), format!("{x}{y}"));
    }
}

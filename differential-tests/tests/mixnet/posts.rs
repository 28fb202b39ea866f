//! Keys and values of posts: specification and implementation write the same bytes, read the same
//! from bytes of whatever kind or both refuse them, close the same gates, and sign the same
//! digests.

use aardvark_mixnet::post::{Content, INLINE_BYTES, MOST_BODY_BYTES, PostValue, Receipt, body_digest, receipt_digest};
use aardvark_mixnet::{Kind, PostKey};
use aardvark_spec::base::bytes::ByteString;
use aardvark_spec::convert::{byte_string, byte_vec, to_seq, to_vec};
use aardvark_spec::mixnet::post_key::{self, decode_post_key, encode_post_key, post_gates};
use aardvark_spec::mixnet::post_value::{
    self, PostContent, PostReceipt, StoredPost, decode_post_value, encode_post_value, post_digest,
};
use differential_tests::damage::{damage, damaged};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

fn array<const N: usize>(bytes: &ByteString) -> [u8; N] {
    byte_vec(bytes).try_into().unwrap()
}

pub fn key_to_spec(key: &PostKey) -> post_key::PostKey {
    post_key::PostKey {
        post_organiser: byte_string(&key.organiser),
        post_ceremony: key.ceremony as usize,
        post_kind: key.kind as usize,
        post_query: byte_string(key.query.as_ref().map_or(&[], |id| id.as_slice())),
        post_sequence: key.sequence.into(),
        post_author: byte_string(&key.author),
    }
}

pub fn key_from_spec(key: &post_key::PostKey) -> PostKey {
    PostKey {
        organiser: array(&key.post_organiser),
        ceremony: key.post_ceremony.try_into().unwrap(),
        kind: Kind::from_number(key.post_kind.try_into().unwrap()).unwrap(),
        query: (key.post_query.len() > 0).then(|| array(&key.post_query)),
        sequence: key.post_sequence.try_into().unwrap(),
        author: array(&key.post_author),
    }
}

fn value_to_spec(value: &PostValue) -> post_value::PostValue {
    let receipt = |receipt: &Receipt| PostReceipt {
        receipt_server: receipt.server.into(),
        receipt_signature: byte_string(&receipt.signature),
    };
    let content = match &value.content {
        Content::Inline(body) => PostContent::InlineContent(byte_string(body)),
        Content::Stored { length, digest, receipts } => PostContent::StoredContent(StoredPost {
            stored_length: (*length).try_into().unwrap(),
            stored_digest: byte_string(digest),
            stored_receipts: to_seq(receipts.iter().map(receipt).collect()),
        }),
    };
    post_value::PostValue { value_content: content, value_signature: byte_string(&value.signature) }
}

fn value_from_spec(value: &post_value::PostValue) -> PostValue {
    let receipt = |receipt: PostReceipt| Receipt {
        server: receipt.receipt_server.try_into().unwrap(),
        signature: array(&receipt.receipt_signature),
    };
    let content = match &value.value_content {
        PostContent::InlineContent(body) => Content::Inline(byte_vec(body)),
        PostContent::StoredContent(stored) => Content::Stored {
            length: stored.stored_length as u64,
            digest: array(&stored.stored_digest),
            receipts: to_vec(&stored.stored_receipts).into_iter().map(receipt).collect(),
        },
    };
    PostValue { content, signature: array(&value.value_signature) }
}

/// Both judges read these bytes alike.
fn compare_key(bytes: &[u8]) -> Option<PostKey> {
    let (ours, specified) = (PostKey::from_bytes(bytes).ok(), decode_post_key(&byte_string(bytes)).ok());
    assert_eq!(ours, specified.as_ref().map(key_from_spec), "{bytes:?}");
    if let (Some(ours), Some(specified)) = (&ours, &specified) {
        assert_eq!((ours.to_bytes().as_slice(), byte_vec(&encode_post_key(specified)).as_slice()), (bytes, bytes));
    }
    ours
}

/// The same of values.
fn compare_value(bytes: &[u8]) -> Option<PostValue> {
    let (ours, specified) = (PostValue::from_bytes(bytes).ok(), decode_post_value(&byte_string(bytes)).ok());
    assert_eq!(ours, specified.as_ref().map(value_from_spec), "{bytes:?}");
    if let (Some(ours), Some(specified)) = (&ours, &specified) {
        assert_eq!((ours.to_bytes().as_slice(), byte_vec(&encode_post_value(specified)).as_slice()), (bytes, bytes));
    }
    ours
}

/// Any key, legal or not in its sequence.
fn keys() -> impl Strategy<Value = PostKey> {
    let kinds = (0..Kind::ALL.len()).prop_map(|place| Kind::ALL[place]);
    let sequences = prop_oneof![Just(0_u16), 0_u16..16, 0x0100_u16..0x0700, any::<u16>()];
    (any::<[u8; 32]>(), any::<u32>(), kinds, any::<[u8; 32]>(), sequences, any::<[u8; 32]>()).prop_map(
        |(organiser, ceremony, kind, id, sequence, author)| {
            let query = kind.is_of_query().then_some(id);
            PostKey { organiser, ceremony, kind, query, sequence, author }
        },
    )
}

/// Any value, legal or not in its length and the order of its receipts.
fn values() -> impl Strategy<Value = PostValue> {
    let signature = || vec(any::<u8>(), 64).prop_map(|bytes| <[u8; 64]>::try_from(bytes).unwrap());
    let receipts = vec((0_u16..8, signature()).prop_map(|(server, signature)| Receipt { server, signature }), 0..4);
    let ordered = (receipts, any::<bool>()).prop_map(|(mut receipts, sort)| {
        if sort {
            receipts.sort_by_key(|receipt| receipt.server);
            receipts.dedup_by_key(|receipt| receipt.server);
        }
        receipts
    });
    let edge = INLINE_BYTES as u64;
    let lengths = prop_oneof![edge - 1..edge + 3, MOST_BODY_BYTES - 1..MOST_BODY_BYTES + 2, 1_000_u64..9_000];
    let stored = (lengths, any::<[u8; 32]>(), ordered).prop_map(|(length, digest, receipts)| Content::Stored {
        length,
        digest,
        receipts,
    });
    let sizes = prop_oneof![Just(0), 1_usize..40, INLINE_BYTES - 1..INLINE_BYTES + 2];
    let inline = sizes.prop_flat_map(|size| vec(any::<u8>(), size)).prop_map(Content::Inline);
    (prop_oneof![inline, stored], signature()).prop_map(|(content, signature)| PostValue { content, signature })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn keys_have_the_same_bytes_gates_and_digests(
        key in keys(),
        hurt in option::of(damage()),
        body in vec(any::<u8>(), 0..50),
        dictionary: [u8; 32],
    ) {
        let bytes = key.to_bytes();
        prop_assert_eq!(&byte_vec(&encode_post_key(&key_to_spec(&key))), &bytes);
        let read = compare_key(&bytes);
        if let Some(hurt) = hurt {
            compare_key(&damaged(&bytes, &hurt));
        }
        if read.is_some() {
            let gates: Vec<PostKey> = to_vec(&post_gates(&key_to_spec(&key))).iter().map(key_from_spec).collect();
            prop_assert_eq!(&gates, &key.gates());
        }
        let signed = post_digest(&byte_string(&dictionary), &key_to_spec(&key), body.len(), &byte_string(&body_digest(&body)));
        let digest = key.digest(&dictionary, body.len() as u64, &body_digest(&body));
        prop_assert_eq!(array::<32>(&signed), digest);
        prop_assert_eq!(array::<32>(&post_value::receipt_digest(&signed)), receipt_digest(&digest));
    }

    #[test]
    fn values_have_the_same_bytes(value in values(), hurt in option::of(damage())) {
        let bytes = value.to_bytes();
        prop_assert_eq!(&byte_vec(&encode_post_value(&value_to_spec(&value))), &bytes);
        compare_value(&bytes);
        if let Some(hurt) = hurt {
            compare_value(&damaged(&bytes, &hurt));
        }
    }

    #[test]
    fn bytes_of_whatever_kind_are_read_alike(bytes in vec(any::<u8>(), 0..120), start in 0_u8..3) {
        compare_key(&[&[1][..], &bytes].concat());
        compare_value(&[&[start][..], &bytes].concat());
    }
}

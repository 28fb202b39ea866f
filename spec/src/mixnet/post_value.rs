//! The values of a board's posts, and what authors and holders of bodies sign.
//!
//! ```text
//! value = u8 0 || body || signature (64)
//!       | u8 1 || u64 length || SHA-256(body) || u8 count || (u16 server || signature)*
//!         || signature
//! ```
//!
//! A body of at most 900 bytes stands in its value, and no longer one. Source: docs/mixnet.md,
//! "Bytes".

use crate::base::bytes::*;
use crate::base::hash::*;
use crate::decoding::cursor::*;
use crate::mixnet::post_key::*;
use hacspec_lib::*;

/// Bytes of a signature.
pub const POST_SIGNATURE_LENGTH: usize = 64;
/// Bytes of the longest body that stands in a value.
pub const INLINE_BYTES: usize = 900;
/// Bytes of the longest body.
pub const BODY_BYTES: usize = 134_217_728;

/// A server's word that it holds a body.
#[derive(Clone, Debug, Default)]
pub struct PostReceipt {
    /// The server's number.
    pub receipt_server: usize,
    /// Its signature of [`receipt_digest`].
    pub receipt_signature: ByteString,
}

/// A body that does not stand in the value.
#[derive(Clone, Debug, Default)]
pub struct StoredPost {
    /// Its bytes.
    pub stored_length: usize,
    /// Its SHA-256.
    pub stored_digest: ByteString,
    /// Who holds it.
    pub stored_receipts: Seq<PostReceipt>,
}

/// Where a body is.
#[derive(Clone, Debug)]
pub enum PostContent {
    /// In the value.
    InlineContent(ByteString),
    /// Elsewhere.
    StoredContent(StoredPost),
}

/// The value of a post.
#[derive(Clone, Debug)]
pub struct PostValue {
    /// The body, or what is known of it.
    pub value_content: PostContent,
    /// The author's signature of [`post_digest`].
    pub value_signature: ByteString,
}

/// One step of [`encode_receipts`].
pub fn encode_receipts_step(encoded: ByteString, receipt: &PostReceipt) -> ByteString {
    encoded.concat(&u16_bytes(receipt.receipt_server)).concat(&receipt.receipt_signature)
}

/// The receipts one after the other.
pub fn encode_receipts(items: &Seq<PostReceipt>) -> ByteString {
    let mut encoded = ByteString::new(0);
    for i in 0..items.len() {
        encoded = encode_receipts_step(encoded, &items[i]);
    }
    encoded
}

/// A value as bytes.
pub fn encode_post_value(written: &PostValue) -> ByteString {
    match &written.value_content {
        PostContent::InlineContent(body) => u8_bytes(0).concat(body).concat(&written.value_signature),
        PostContent::StoredContent(stored) => u8_bytes(1)
            .concat(&u64_bytes(stored.stored_length))
            .concat(&stored.stored_digest)
            .concat(&u8_bytes(stored.stored_receipts.len()))
            .concat(&encode_receipts(&stored.stored_receipts))
            .concat(&written.value_signature),
    }
}

/// What was read of receipts: the receipts, the last one's server, the bytes behind them.
#[derive(Clone, Debug, Default)]
pub struct ReadReceipts {
    /// The receipts.
    pub receipts_before: Seq<PostReceipt>,
    /// The number that the next server's must exceed, one added.
    pub receipts_least: usize,
    /// The bytes behind them.
    pub receipts_rest: ByteString,
}

/// One step of [`read_receipts`].
pub fn read_receipts_step(items: Result<ReadReceipts, PostReason>) -> Result<ReadReceipts, PostReason> {
    let found = items?;
    let (server, after_server) = number_of_post(&found.receipts_rest, 2)?;
    let (signature, rest) = take_of_post(&after_server, POST_SIGNATURE_LENGTH)?;
    let _ordered = expect_post(server >= found.receipts_least, PostReason::PostReceiptsUnordered)?;
    Ok(ReadReceipts {
        receipts_before: found
            .receipts_before
            .push_owned(PostReceipt { receipt_server: server, receipt_signature: signature }),
        receipts_least: server + 1,
        receipts_rest: rest,
    })
}

/// The next receipts, so many.
pub fn read_receipts(bytes: &ByteString, count: usize) -> Result<ReadReceipts, PostReason> {
    let mut items = Ok(ReadReceipts {
        receipts_before: Seq::<PostReceipt>::new(0),
        receipts_least: 0,
        receipts_rest: bytes.clone(),
    });
    for _i in 0..reading_turns(count, bytes) {
        items = read_receipts_step(items);
    }
    items
}

/// The last bytes of a value: the author's signature.
pub fn read_post_signature(bytes: &ByteString) -> Result<ByteString, PostReason> {
    let (signature, rest) = take_of_post(bytes, POST_SIGNATURE_LENGTH)?;
    let _end = expect_post(rest.len() == 0, PostReason::PostTrailing)?;
    Ok(signature)
}

/// A value with its body, from the bytes behind its form.
pub fn decode_inline_post(bytes: &ByteString) -> Result<PostValue, PostReason> {
    let _room = expect_post(bytes.len() >= POST_SIGNATURE_LENGTH, PostReason::PostTruncated)?;
    let (body, rest) = take_of_post(bytes, bytes.len() - POST_SIGNATURE_LENGTH)?;
    let _short = expect_post(body.len() <= INLINE_BYTES, PostReason::PostLengthIllegal)?;
    let signature = read_post_signature(&rest)?;
    Ok(PostValue { value_content: PostContent::InlineContent(body), value_signature: signature })
}

/// A value without its body, from the bytes behind its form.
pub fn decode_stored_post(bytes: &ByteString) -> Result<PostValue, PostReason> {
    let (length, after_length) = number_of_post(bytes, 8)?;
    let (digest, after_digest) = take_of_post(&after_length, POST_KEY_LENGTH)?;
    let (count, after_count) = number_of_post(&after_digest, 1)?;
    let found = read_receipts(&after_count, count)?;
    let _legal = expect_post(length > INLINE_BYTES && length <= BODY_BYTES, PostReason::PostLengthIllegal)?;
    let signature = read_post_signature(&found.receipts_rest)?;
    Ok(PostValue {
        value_content: PostContent::StoredContent(StoredPost {
            stored_length: length,
            stored_digest: digest,
            stored_receipts: found.receipts_before,
        }),
        value_signature: signature,
    })
}

/// The value that the bytes are.
pub fn decode_post_value(bytes: &ByteString) -> Result<PostValue, PostReason> {
    let (form, rest) = number_of_post(bytes, 1)?;
    if form == 0 {
        decode_inline_post(&rest)
    } else if form == 1 {
        decode_stored_post(&rest)
    } else {
        Err(PostReason::PostFormUnknown)
    }
}

/// The tag of posts.
pub fn tag_mixnet_post() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-MIXNET-POST")
}

/// The tag of receipts.
pub fn tag_mixnet_receipt() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-MIXNET-RECEIPT")
}

/// What the author signs, on the board with this id: `H(tag, dictionary || key || u64 length ||
/// SHA-256(body))`.
pub fn post_digest(dictionary: &ByteString, post_key: &PostKey, length: usize, body: &ByteString) -> ByteString {
    tagged_hash(
        &tag_mixnet_post(),
        &dictionary.concat(&encode_post_key(post_key)).concat(&u64_bytes(length)).concat(body),
    )
}

/// What a server signs that holds the body of the post with this digest.
pub fn receipt_digest(post: &ByteString) -> ByteString {
    tagged_hash(&tag_mixnet_receipt(), post)
}

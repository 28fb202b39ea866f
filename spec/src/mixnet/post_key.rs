//! The keys of a board's posts, and the gates of a post.
//!
//! ```text
//! key = u8 1 || organiser (32) || u32 ceremony || u8 kind || [query id (32)] || u16 sequence
//!       || author (32)
//! ```
//!
//! The query's id stands in kinds 9 to 12. A board writes each key once, and only while the keys of
//! [`post_gates`] are absent. The author signs, but for an admission, which names whom the
//! organiser admits. Source: docs/mixnet.md, "Bytes".

use crate::base::bytes::*;
use crate::decoding::cursor::*;
use hacspec_lib::*;

/// The version of keys.
pub const POST_VERSION: usize = 1;
/// Bytes of a public key, and of a digest.
pub const POST_KEY_LENGTH: usize = 32;
/// The kind of the terms of a ceremony.
pub const KIND_CEREMONY: usize = 0;
/// The kind of a dealing.
pub const KIND_DEALING: usize = 1;
/// The kind of a verdict about dealings.
pub const KIND_VERDICT: usize = 2;
/// The kind of a sender's input.
pub const KIND_INPUT: usize = 3;
/// The kind of the end of inputs.
pub const KIND_CLOSE: usize = 4;
/// The kind of a layer.
pub const KIND_LAYER: usize = 5;
/// The kind of the word that a server is not waited for.
pub const KIND_ABSENT: usize = 6;
/// The kind of a column, the first of those about a query.
pub const KIND_COLUMN: usize = 9;
/// The kind of the opening of a private answer, the last of those about a query.
pub const KIND_OPENING: usize = 12;
/// The kind of a query.
pub const KIND_QUERY: usize = 8;
/// The kind of an agreement on the mix.
pub const KIND_AGREEMENT: usize = 15;
/// The kind of the organiser's word that an author may write: 13 and 14 are kept for escrows.
pub const KIND_ADMISSION: usize = 16;
/// The sequence of a sender's admission.
pub const ADMITTED_SENDER: usize = 0;
/// The sequence of a querier's admission; a server's is its number, from 1 to 255.
pub const ADMITTED_QUERIER: usize = 256;

/// The key of a post.
#[derive(Clone, Debug, Default)]
pub struct PostKey {
    /// The organiser's public key.
    pub post_organiser: ByteString,
    /// The organiser's number of the ceremony.
    pub post_ceremony: usize,
    /// What it is.
    pub post_kind: usize,
    /// The id of the query that it is about; empty where it is about none.
    pub post_query: ByteString,
    /// A server's or query's number; stage · 256 + server of an absence; as what an author is
    /// admitted; else 0.
    pub post_sequence: usize,
    /// The author's public key; of an admission the key that is admitted.
    pub post_author: ByteString,
}

/// Why bytes are no key or value of a post.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PostReason {
    /// The bytes end before the post does.
    PostTruncated,
    /// Bytes are left over behind the post.
    PostTrailing,
    /// The version of the key is another.
    PostVersionUnknown,
    /// There is no such kind.
    PostKindUnknown,
    /// The kind does not have this sequence.
    PostSequenceIllegal,
    /// The value's first byte is neither 0 nor 1.
    PostFormUnknown,
    /// The body is too long to stand where it stands, or too short, or too long at all.
    PostLengthIllegal,
    /// The receipts are not in strictly ascending order of servers.
    PostReceiptsUnordered,
}

/// Whether there is a kind with this number.
pub fn kind_known(kind: usize) -> bool {
    kind <= KIND_OPENING || kind == KIND_AGREEMENT || kind == KIND_ADMISSION
}

/// Whether posts of a kind are about a query, whose id is in the key.
pub fn kind_of_query(kind: usize) -> bool {
    KIND_COLUMN <= kind && kind <= KIND_OPENING
}

/// Whether a server can be declared absent from a stage, whose posts are of this kind.
pub fn kind_may_be_absent(kind: usize) -> bool {
    kind == KIND_DEALING || kind == KIND_VERDICT || kind == KIND_LAYER
}

/// Whether a post of a kind can have this sequence: otherwise a sender would have 65,536 inputs.
pub fn sequence_legal(kind: usize, sequence: usize) -> bool {
    if kind == KIND_CEREMONY || kind == KIND_INPUT || kind == KIND_CLOSE || kind == KIND_OPENING {
        sequence == 0
    } else if kind == KIND_ABSENT {
        kind_may_be_absent(sequence / 256) && sequence % 256 > 0
    } else if kind == KIND_ADMISSION {
        sequence <= ADMITTED_QUERIER
    } else {
        true
    }
}

/// A key as bytes.
pub fn encode_post_key(post_key: &PostKey) -> ByteString {
    u8_bytes(POST_VERSION)
        .concat(&post_key.post_organiser)
        .concat(&u32_bytes(post_key.post_ceremony))
        .concat(&u8_bytes(post_key.post_kind))
        .concat(&post_key.post_query)
        .concat(&u16_bytes(post_key.post_sequence))
        .concat(&post_key.post_author)
}

/// The next bytes of a post, so many, and the bytes behind them.
pub fn take_of_post(bytes: &ByteString, count: usize) -> Result<(ByteString, ByteString), PostReason> {
    match take_bytes(bytes, count) {
        Ok(taken) => Ok(taken),
        Err(_) => Err(PostReason::PostTruncated),
    }
}

/// The next number of a post, of at most 8 bytes.
pub fn number_of_post(bytes: &ByteString, width: usize) -> Result<(usize, ByteString), PostReason> {
    match read_number(bytes, width) {
        Ok(taken) => Ok(taken),
        Err(_) => Err(PostReason::PostTruncated),
    }
}

/// Whether a condition holds, or the reason of its failure.
pub fn expect_post(condition: bool, otherwise: PostReason) -> Result<(), PostReason> {
    if condition { Ok(()) } else { Err(otherwise) }
}

/// The id of the query in a key of this kind, and the bytes behind it.
pub fn read_post_query(bytes: &ByteString, kind: usize) -> Result<(ByteString, ByteString), PostReason> {
    if kind_of_query(kind) { take_of_post(bytes, POST_KEY_LENGTH) } else { Ok((ByteString::new(0), bytes.clone())) }
}

/// The key that the bytes are.
pub fn decode_post_key(bytes: &ByteString) -> Result<PostKey, PostReason> {
    let (format, after_format) = number_of_post(bytes, 1)?;
    let _known_format = expect_post(format == POST_VERSION, PostReason::PostVersionUnknown)?;
    let (organiser, after_organiser) = take_of_post(&after_format, POST_KEY_LENGTH)?;
    let (ceremony, after_ceremony) = number_of_post(&after_organiser, 4)?;
    let (kind, after_kind) = number_of_post(&after_ceremony, 1)?;
    let _known_kind = expect_post(kind_known(kind), PostReason::PostKindUnknown)?;
    let (query, after_query) = read_post_query(&after_kind, kind)?;
    let (sequence, after_sequence) = number_of_post(&after_query, 2)?;
    let (author, rest) = take_of_post(&after_sequence, POST_KEY_LENGTH)?;
    let _end = expect_post(rest.len() == 0, PostReason::PostTrailing)?;
    let _legal = expect_post(sequence_legal(kind, sequence), PostReason::PostSequenceIllegal)?;
    Ok(PostKey {
        post_organiser: organiser,
        post_ceremony: ceremony,
        post_kind: kind,
        post_query: query,
        post_sequence: sequence,
        post_author: author,
    })
}

/// The key of a post of the organiser's in the ceremony of this key.
pub fn organiser_key(post_key: &PostKey, kind: usize, sequence: usize) -> PostKey {
    PostKey {
        post_organiser: post_key.post_organiser.clone(),
        post_ceremony: post_key.post_ceremony,
        post_kind: kind,
        post_query: ByteString::new(0),
        post_sequence: sequence,
        post_author: post_key.post_organiser.clone(),
    }
}

/// The keys that are absent when a post is written: its own, since posts are written once; for an
/// input the close; for dealing, verdict and layer the absence of the server.
pub fn post_gates(post_key: &PostKey) -> Seq<PostKey> {
    let own = Seq::<PostKey>::new(0).push_owned(post_key.clone());
    if post_key.post_kind == KIND_INPUT {
        own.push_owned(organiser_key(post_key, KIND_CLOSE, 0))
    } else if kind_may_be_absent(post_key.post_kind) {
        own.push_owned(organiser_key(post_key, KIND_ABSENT, post_key.post_kind * 256 + post_key.post_sequence % 256))
    } else {
        own
    }
}

/// Whether posts of a kind are the organiser's.
pub fn kind_of_organiser(kind: usize) -> bool {
    kind == KIND_CEREMONY || kind == KIND_CLOSE || kind == KIND_ABSENT || kind == KIND_ADMISSION
}

/// Whose signature a post needs: the author's, and of an admission the organiser's.
pub fn post_signer(post_key: &PostKey) -> ByteString {
    if post_key.post_kind == KIND_ADMISSION { post_key.post_organiser.clone() } else { post_key.post_author.clone() }
}

/// As what the author of a post that is not the organiser's has to be admitted: as a sender, as a
/// querier, or as the server with the post's number.
pub fn admitted_as(post_key: &PostKey) -> usize {
    if post_key.post_kind == KIND_INPUT {
        ADMITTED_SENDER
    } else if post_key.post_kind == KIND_QUERY || post_key.post_kind == KIND_OPENING {
        ADMITTED_QUERIER
    } else {
        post_key.post_sequence
    }
}

/// The key of the admission that a post which is not the organiser's needs.
pub fn admission_key(post_key: &PostKey) -> PostKey {
    PostKey {
        post_organiser: post_key.post_organiser.clone(),
        post_ceremony: post_key.post_ceremony,
        post_kind: KIND_ADMISSION,
        post_query: ByteString::new(0),
        post_sequence: admitted_as(post_key),
        post_author: post_key.post_author.clone(),
    }
}

/// Whether who writes a post is in its place: the organiser, or a sender or querier, or a server
/// with a number from 1 to 255, which are neither a sender's admission nor a querier's.
pub fn post_in_place(post_key: &PostKey) -> bool {
    if kind_of_organiser(post_key.post_kind) {
        bytes_equal(&post_signer(post_key), &post_key.post_organiser)
    } else if post_key.post_kind == KIND_INPUT || post_key.post_kind == KIND_QUERY || post_key.post_kind == KIND_OPENING
    {
        true
    } else {
        ADMITTED_SENDER < post_key.post_sequence && post_key.post_sequence < ADMITTED_QUERIER
    }
}

//! Which posts of a ceremony count: those that pass the first checks, and are about nothing that
//! nobody asked.
//!
//! A post comes here with its key decoded and with what is judged elsewhere: whether its value's
//! bytes are a value, whether the signature and the receipts are true, whether the body is at hand,
//! and what is wrong with the body (lengths, points, proofs). What follows from these is specified
//! here: who may write, in which order checks run, which posts are looked at at all. Source:
//! docs/mixnet.md, "Ceremonies".

use crate::base::bytes::*;
use crate::mixnet::post_key::*;
use hacspec_lib::*;

/// The kind of a server's shares of the last list.
pub const KIND_SHARES: usize = 7;
/// The kind of a zero test.
pub const KIND_ZERO_TEST: usize = 10;
/// The kind of a server's shares of a query's targets.
pub const KIND_ANSWER_SHARES: usize = 11;

/// What is wrong with a post.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum PostFlaw {
    /// Bytes that are no encoding.
    #[default]
    FlawMalformed,
    /// Its signer did not sign it.
    FlawSignatureFalse,
    /// A body that fewer than t servers say they hold.
    FlawReceiptsMissing,
    /// Its author has no part in it.
    FlawNotAuthorised,
    /// A body of another length than the ceremony's.
    FlawWrongLength,
    /// A point outside of the subgroup of order r.
    FlawNotInSubgroup,
    /// The point at infinity where none may be.
    FlawIdentityComponent,
    /// A sender does not know its input's randomness.
    FlawInputProofFalse,
    /// A C_0 that a valid input before it has.
    FlawInputRepeated,
    /// A dealing without its proof, or one that a valid verdict convicts.
    FlawDealingFalse,
    /// A complaint that opens no false share of a valid dealing.
    FlawComplaintUnfounded,
    /// A commitment is not shown to be to a permutation.
    FlawPermutationProofFalse,
    /// A list is not shown to be the one before it, shuffled.
    FlawColumnProofFalse,
    /// Targets are not shown to be multiplied by factors other than 0.
    FlawZeroTestFalse,
    /// Decryption shares are not shown to be right.
    FlawDecryptionProofFalse,
    /// A query that may not be asked so.
    FlawQueryForbidden,
    /// A query about inputs or outputs that do not exist.
    FlawQueryOutOfRange,
    /// An agreement on another mix.
    FlawMixDiffers,
}

/// What of a ceremony's terms says who may write, and when a stage is over.
#[derive(Clone, Debug)]
pub struct ViewTerms {
    /// The organiser's key.
    pub terms_organiser: ByteString,
    /// The servers' keys, in the order of their numbers from 1.
    pub terms_servers: Seq<ByteString>,
    /// t.
    pub terms_threshold: usize,
    /// The keys of the registered senders.
    pub terms_senders: Seq<ByteString>,
    /// The keys of the named queriers.
    pub terms_queriers: Seq<ByteString>,
    /// Whether everybody may ask.
    pub terms_anyone: bool,
    /// Without so many valid inputs the ceremony is void.
    pub terms_least: usize,
}

/// A post with what is judged elsewhere.
#[derive(Clone, Debug, Default)]
pub struct ViewPost {
    /// The key.
    pub viewed_key: PostKey,
    /// Whether the value's bytes are a value.
    pub viewed_decodes: bool,
    /// Whether the signature is true.
    pub viewed_signed: bool,
    /// Whether the body stands in the value, or t servers say they hold it.
    pub viewed_held: bool,
    /// Whether the body is at hand.
    pub viewed_at_hand: bool,
    /// What is wrong with the body, upon the posts before it that are valid.
    pub viewed_flaw: Option<PostFlaw>,
    /// Of a verdict whose complaints open false shares: the dealers of these.
    pub viewed_accused: Seq<usize>,
    /// Of an input C_0.
    pub viewed_first: ByteString,
    /// Of a query its id.
    pub viewed_id: ByteString,
    /// Of a query whether its column goes through the servers backward.
    pub viewed_backward: bool,
    /// Of a query whether targets of it need a zero test.
    pub viewed_tested: bool,
}

/// A post that breaks the rules, and how.
#[derive(Clone, Debug, Default)]
pub struct PostFault {
    /// Its key.
    pub fault_key: PostKey,
    /// What is wrong with it.
    pub fault_flaw: PostFlaw,
}

/// A query that counts.
#[derive(Clone, Debug, Default)]
pub struct AskedQuery {
    /// The querier's key.
    pub query_author: ByteString,
    /// Its id.
    pub query_id: ByteString,
    /// Whether its column goes through the servers backward.
    pub query_backward: bool,
    /// Whether targets of it need a zero test.
    pub query_tested: bool,
}

/// One step of [`is_one_of`].
pub fn is_one_of_step(found: bool, one: &ByteString, sought: &ByteString) -> bool {
    found || bytes_equal(one, sought)
}

/// Whether a string is one of these.
pub fn is_one_of(strings: &Seq<ByteString>, sought: &ByteString) -> bool {
    let mut found = false;
    for i in 0..strings.len() {
        found = is_one_of_step(found, &strings[i], sought);
    }
    found
}

/// Whether a key is the one of the server with this number.
pub fn is_server(terms: &ViewTerms, number: usize, author: &ByteString) -> bool {
    0 < number && number <= terms.terms_servers.len() && bytes_equal(&terms.terms_servers[number - 1], author)
}

/// Whether the author of a post may write it. Of an opening the query says whose it is.
pub fn is_entitled(terms: &ViewTerms, post_key: &PostKey) -> bool {
    if kind_of_organiser(post_key.post_kind) {
        bytes_equal(&post_signer(post_key), &terms.terms_organiser)
    } else if post_key.post_kind == KIND_INPUT {
        is_one_of(&terms.terms_senders, &post_key.post_author)
    } else if post_key.post_kind == KIND_QUERY {
        terms.terms_anyone || is_one_of(&terms.terms_queriers, &post_key.post_author)
    } else if post_key.post_kind == KIND_OPENING {
        true
    } else {
        is_server(terms, post_key.post_sequence, &post_key.post_author)
    }
}

/// The first check that a post fails, before its body is looked at.
pub fn first_flaw(terms: &ViewTerms, written: &ViewPost) -> Option<PostFlaw> {
    if !written.viewed_decodes {
        Some(PostFlaw::FlawMalformed)
    } else if !written.viewed_signed {
        Some(PostFlaw::FlawSignatureFalse)
    } else if !written.viewed_held {
        Some(PostFlaw::FlawReceiptsMissing)
    } else if !is_entitled(terms, &written.viewed_key) {
        Some(PostFlaw::FlawNotAuthorised)
    } else {
        None
    }
}

/// Whether a post passes the first checks.
pub fn is_admitted(terms: &ViewTerms, written: &ViewPost) -> bool {
    match first_flaw(terms, written) {
        Some(_) => false,
        None => true,
    }
}

/// Whether a post counts: it passes the first checks, and its body is at hand.
pub fn is_counted(terms: &ViewTerms, written: &ViewPost) -> bool {
    is_admitted(terms, written) && written.viewed_at_hand
}

/// These faults, and that of a post if there is one.
pub fn with_fault(faults: Seq<PostFault>, written: &ViewPost, flaw: &Option<PostFlaw>) -> Seq<PostFault> {
    match flaw {
        Some(wrong) => faults.push_owned(PostFault { fault_key: written.viewed_key.clone(), fault_flaw: *wrong }),
        None => faults,
    }
}

/// One step of [`first_faults`].
pub fn first_faults_step(faults: Seq<PostFault>, terms: &ViewTerms, written: &ViewPost) -> Seq<PostFault> {
    with_fault(faults, written, &first_flaw(terms, written))
}

/// The faults that the first checks find.
pub fn first_faults(terms: &ViewTerms, posts: &Seq<ViewPost>) -> Seq<PostFault> {
    let mut faults = Seq::<PostFault>::new(0);
    for i in 0..posts.len() {
        faults = first_faults_step(faults, terms, &posts[i]);
    }
    faults
}

/// One step of [`missing_bodies`].
pub fn missing_bodies_step(keys: Seq<PostKey>, terms: &ViewTerms, written: &ViewPost) -> Seq<PostKey> {
    if is_admitted(terms, written) && !written.viewed_at_hand {
        keys.push_owned(written.viewed_key.clone())
    } else {
        keys
    }
}

/// The posts that would count if their bodies were at hand.
pub fn missing_bodies(terms: &ViewTerms, posts: &Seq<ViewPost>) -> Seq<PostKey> {
    let mut keys = Seq::<PostKey>::new(0);
    for i in 0..posts.len() {
        keys = missing_bodies_step(keys, terms, &posts[i]);
    }
    keys
}

/// One step of [`posts_of_stages`].
pub fn posts_of_stages_step(kept: Seq<ViewPost>, written: &ViewPost) -> Seq<ViewPost> {
    let kind = written.viewed_key.post_kind;
    if kind == KIND_CEREMONY || kind_of_query(kind) { kept } else { kept.push_owned(written.clone()) }
}

/// The posts but the terms and those about queries.
pub fn posts_of_stages(posts: &Seq<ViewPost>) -> Seq<ViewPost> {
    let mut kept = Seq::<ViewPost>::new(0);
    for i in 0..posts.len() {
        kept = posts_of_stages_step(kept, &posts[i]);
    }
    kept
}

/// Whether a post may be about this query: an opening is only if it is the querier's.
pub fn is_about(post_key: &PostKey, query: &AskedQuery) -> bool {
    bytes_equal(&post_key.post_query, &query.query_id)
        && (post_key.post_kind != KIND_OPENING || bytes_equal(&post_key.post_author, &query.query_author))
}

/// One step of [`is_awaited`].
pub fn is_awaited_step(found: bool, post_key: &PostKey, query: &AskedQuery) -> bool {
    found || is_about(post_key, query)
}

/// Whether a post is about one of these queries.
pub fn is_awaited(post_key: &PostKey, queries: &Seq<AskedQuery>) -> bool {
    let mut found = false;
    for i in 0..queries.len() {
        found = is_awaited_step(found, post_key, &queries[i]);
    }
    found
}

/// Posts about queries, and how many others there are.
#[derive(Clone, Debug)]
pub struct PostsAbout {
    /// Those about the queries that count.
    pub about_posts: Seq<ViewPost>,
    /// The number of the others, of which nothing else is known.
    pub about_unasked: usize,
}

/// One step of [`posts_about`].
pub fn posts_about_step(found: PostsAbout, queries: &Seq<AskedQuery>, written: &ViewPost) -> PostsAbout {
    if !kind_of_query(written.viewed_key.post_kind) {
        found
    } else if is_awaited(&written.viewed_key, queries) {
        PostsAbout { about_posts: found.about_posts.push_owned(written.clone()), about_unasked: found.about_unasked }
    } else {
        PostsAbout { about_posts: found.about_posts, about_unasked: found.about_unasked + 1 }
    }
}

/// The posts about these queries. Ids of others can be made up without end, so of posts about them
/// nothing is kept.
pub fn posts_about(posts: &Seq<ViewPost>, queries: &Seq<AskedQuery>) -> PostsAbout {
    let mut found = PostsAbout { about_posts: Seq::<ViewPost>::new(0), about_unasked: 0 };
    for i in 0..posts.len() {
        found = posts_about_step(found, queries, &posts[i]);
    }
    found
}

/// Whether a post stands in a place: one of this kind, about this query, with this sequence, of
/// this author.
pub fn stands_at(post_key: &PostKey, kind: usize, query: &ByteString, sequence: usize, author: &ByteString) -> bool {
    post_key.post_kind == kind
        && post_key.post_sequence == sequence
        && bytes_equal(&post_key.post_query, query)
        && bytes_equal(&post_key.post_author, author)
}

/// One step of [`post_at`].
pub fn post_at_step(
    found: Option<ViewPost>,
    written: &ViewPost,
    kind: usize,
    query: &ByteString,
    sequence: usize,
    author: &ByteString,
) -> Option<ViewPost> {
    match found {
        Some(first) => Some(first),
        None => {
            if stands_at(&written.viewed_key, kind, query, sequence, author) {
                Some(written.clone())
            } else {
                None
            }
        }
    }
}

/// The post in a place.
pub fn post_at(
    posts: &Seq<ViewPost>,
    kind: usize,
    query: &ByteString,
    sequence: usize,
    author: &ByteString,
) -> Option<ViewPost> {
    let mut found = None;
    for i in 0..posts.len() {
        found = post_at_step(found, &posts[i], kind, query, sequence, author);
    }
    found
}

//! Bodies that a reader of a board fetched, and the queries that it read.
//!
//! Whoever may write a post can name any body in it, also one that many posts name, and any id of
//! a query, also one that nobody asked. So a reader asks for each body once, and for no body of a
//! post about a query that it has not read.

use std::collections::{BTreeMap, BTreeSet};

use aardvark_mixnet::identity::AuthorKey;
use aardvark_mixnet::query::query_id;
use aardvark_mixnet::stored::StoredBody;
use aardvark_mixnet::{Kind, PostKey};
use aardvark_sigma::Digest;

/// What was fetched of a board.
#[derive(Debug, Default)]
pub(crate) struct Fetched {
    /// By their SHA-256.
    bodies: BTreeMap<Digest, StoredBody>,
    /// The ids of queries, legal ones and others, with the ceremonies that they are posted in.
    queries: BTreeSet<(AuthorKey, u32, Digest)>,
}

impl Fetched {
    /// Whether the body of a post is to be asked for: not of one about a query that was not read.
    pub(crate) fn is_wanted(&self, key: &PostKey) -> bool {
        key.query.is_none_or(|id| self.queries.contains(&(key.organiser, key.ceremony, id)))
    }

    /// The body with this digest, if it was fetched.
    pub(crate) fn body(&self, digest: &Digest) -> Option<StoredBody> {
        self.bodies.get(digest).cloned()
    }

    /// A body was fetched.
    pub(crate) fn enter(&mut self, digest: Digest, body: StoredBody) -> StoredBody {
        self.bodies.entry(digest).or_insert(body).clone()
    }

    /// A post with this body was read: if it is a query, its id is known now.
    pub(crate) fn enter_query(&mut self, key: &PostKey, body: &[u8]) {
        if key.kind == Kind::Query {
            self.queries.insert((key.organiser, key.ceremony, query_id(body)));
        }
    }
}

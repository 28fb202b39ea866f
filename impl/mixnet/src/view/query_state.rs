//! What was posted for a query.

use std::collections::BTreeMap;

use aardvark_sigma::threshold::Decryption;
use aardvark_sigma::zero_test::ZeroTest;
use aardvark_sigma::{Digest, List};

use crate::post::PostKey;
use crate::query::Query;
use crate::trace::{Answer, Column};

/// Where a query stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskedStage {
    /// The column of this server is waited for.
    Column(u16),
    /// The zero test of this server is waited for.
    ZeroTest(u16),
    /// Shares of the targets are waited for.
    Shares,
    /// t shares are there: the answer, or for a private query all that the querier needs.
    Answered,
    /// A server's post was false: it cannot be replaced, and the query ends.
    Stopped,
}

/// A valid query with what was posted for it.
#[derive(Debug)]
pub struct Asked {
    /// Its id.
    pub id: Digest,
    /// The key of its post.
    pub key: PostKey,
    /// The question.
    pub query: Query,
    /// Where it stands.
    pub stage: AskedStage,
    /// The valid columns, in their order.
    pub columns: Vec<Column>,
    /// The valid zero tests, in their order.
    pub tests: Vec<ZeroTest>,
    /// The targets' rows of the last column.
    pub sums: Option<List>,
    /// The valid shares.
    pub shares: BTreeMap<u16, Decryption>,
    /// A private querier's valid opening.
    pub opening: Option<Decryption>,
    /// The answer, if everybody can read it.
    pub answer: Option<Answer>,
}

impl Asked {
    /// The shares that the answer is read from: the first t.
    pub fn first_shares(&self, threshold: usize) -> Vec<(u16, &Decryption)> {
        self.shares.iter().take(threshold).map(|(server, made)| (*server, made)).collect()
    }
}

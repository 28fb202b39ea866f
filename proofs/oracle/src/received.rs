//! Requests about received bytes: what they do to the state that the oracle is at.

use aardvark_spec::base::bytes::ByteString;
use aardvark_spec::block::drawn_block::ClaimEncoding;
use aardvark_spec::commitment::opening::Opening;
use aardvark_spec::dictionary::array::Array;
use hacspec_lib::Seq;

use crate::process::{Answer, Oracle, OracleError, Safety, request};
use crate::tokens::Line;

/// Received bytes, with what the curve says of them: the arguments of a function of the
/// specification's `applied_bytes` or `checked_bytes`, without setup and state.
#[derive(Clone, Copy, Debug)]
pub enum ReceivedRequest<'a> {
    /// The list of a chain's block.
    List {
        /// Its height.
        height: usize,
        /// The byte strings.
        txs: &'a Seq<ByteString>,
        /// What its points are.
        meanings: &'a Seq<Opening>,
        /// The encodings of its claims.
        claims_encoded: &'a Seq<ClaimEncoding>,
    },
    /// An aggregated block.
    Aggregated {
        /// The bytes.
        bytes: &'a ByteString,
        /// What its points are.
        meanings: &'a Seq<Opening>,
        /// The encodings of its claims.
        claims_encoded: &'a Seq<ClaimEncoding>,
    },
    /// A block with openings.
    Block {
        /// The bytes.
        bytes: &'a ByteString,
        /// What the openings of each transaction are.
        meanings: &'a Seq<Seq<Opening>>,
    },
    /// An import block.
    Import {
        /// The whole array that it is applied to.
        array: &'a Array,
        /// The bytes.
        bytes: &'a ByteString,
    },
    /// A signed transaction, as a mempool is asked.
    Transaction {
        /// The bytes.
        bytes: &'a ByteString,
        /// What its openings are.
        meanings: &'a Seq<Opening>,
    },
    /// A snapshot.
    Snapshot {
        /// The dictionary's id.
        dictionary: &'a ByteString,
        /// The number of slots in a vector.
        vector_size: usize,
        /// The root that consensus certifies.
        certified: &'a ByteString,
        /// The bytes.
        bytes: &'a ByteString,
    },
}

impl Oracle {
    /// What received bytes do to the state, which stays as it is.
    ///
    /// # Errors
    /// Where the oracle does not answer.
    pub fn received(&mut self, safety: Safety, asked: &ReceivedRequest<'_>) -> Result<Answer, OracleError> {
        let mut line = request("received", safety);
        match *asked {
            ReceivedRequest::List { height, txs, meanings, claims_encoded } => {
                line.word("list");
                line.size(height);
                line.list(txs, Line::bytes);
                line.list(meanings, Line::opening);
                line.list(claims_encoded, Line::claim_encoding);
            }
            ReceivedRequest::Aggregated { bytes, meanings, claims_encoded } => {
                line.word("aggregated");
                line.bytes(bytes);
                line.list(meanings, Line::opening);
                line.list(claims_encoded, Line::claim_encoding);
            }
            ReceivedRequest::Block { bytes, meanings } => {
                line.word("block");
                line.bytes(bytes);
                line.list(meanings, |line, openings| line.list(openings, Line::opening));
            }
            ReceivedRequest::Import { array, bytes } => {
                line.word("import");
                line.array(array);
                line.bytes(bytes);
            }
            ReceivedRequest::Transaction { bytes, meanings } => {
                line.word("transaction");
                line.bytes(bytes);
                line.list(meanings, Line::opening);
            }
            ReceivedRequest::Snapshot { dictionary, vector_size, certified, bytes } => {
                line.word("snapshot");
                line.bytes(dictionary);
                line.size(vector_size);
                line.bytes(certified);
                line.bytes(bytes);
            }
        }
        self.ask(line)
    }
}

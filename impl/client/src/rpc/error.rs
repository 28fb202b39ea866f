//! Errors of a request to a node, with the node's address.

use crate::rpc::http_error::HttpError;

/// A request to a node that failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the RPC node {url}: {method}: {problem}")]
pub struct RpcError {
    /// The node.
    pub url: String,
    /// What it was asked.
    pub method: &'static str,
    /// What is wrong.
    pub problem: Problem,
}

/// What is wrong with an answer, or with there being none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// No answer.
    #[error(transparent)]
    Http(#[from] HttpError),
    /// Not JSON, or not of the form that the method has.
    #[error("malformed answer: {0}")]
    Malformed(String),
    /// An answer to another question.
    #[error("an answer to another question: {0}")]
    Another(String),
    /// The node said no.
    #[error("refused: {message} ({code})")]
    Refused {
        /// JSON-RPC's code.
        code: i64,
        /// The node's words: hearsay, for people.
        message: String,
    },
}

impl RpcError {
    /// Whether the node did not answer at all, as opposed to answering wrongly.
    #[must_use]
    pub fn is_unreachable(&self) -> bool {
        matches!(self.problem, Problem::Http(HttpError::Unreachable(_) | HttpError::TimedOut(_) | HttpError::Spent(_)))
    }

    /// Whether the node answered that it cannot or will not.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        matches!(self.problem, Problem::Refused { .. })
    }
}

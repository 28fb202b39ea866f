//! Why a server gives no answer over HTTP.

use std::time::Duration;

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HttpError {
    /// Text that is not the address of a server.
    #[error("not an address: it has the form http://host:port")]
    Address,
    /// No connection, or one that broke.
    #[error("unreachable: {0}")]
    Unreachable(String),
    /// It took too long.
    #[error("no whole answer within {} s", .0.as_secs_f32())]
    TimedOut(Duration),
    /// All its answers together took too long.
    #[error("it took all of the {} s that one server has for all its answers", .0.as_secs_f32())]
    Spent(Duration),
    /// More bytes than what was asked for can have.
    #[error("an answer of more than {0} bytes")]
    TooLong(usize),
}

//! What the engine's errors mean to an archive.

use aardvark_archive::StoreError;
use slatedb::{CloseReason, Error, ErrorKind};

/// What an error of the engine means to an archive.
#[allow(clippy::needless_pass_by_value, reason = "for map_err")]
pub(crate) fn store_error(error: Error) -> StoreError {
    match error.kind() {
        ErrorKind::Closed(CloseReason::Fenced) => StoreError::Fenced,
        ErrorKind::Closed(_) => StoreError::Closed,
        ErrorKind::Unavailable => StoreError::Unavailable(error.to_string()),
        ErrorKind::Data => StoreError::Damaged(error.to_string()),
        _ => StoreError::Engine(error.to_string()),
    }
}

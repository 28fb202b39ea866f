//! HTTP response bodies, JSON or bytes; the memory of large ones is counted until they are sent.
//!
//! An answer waits in memory for a client that reads slowly. Small ones are bounded by the number
//! of connections; large ones take their bytes from a budget and give them back when they are sent
//! or the connection ends.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use aardvark_algebra::integers::{u32_or_max, u64_of_usize};
use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use http_body::{Body as HttpBody, Frame, SizeHint};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::error::ApiError;

/// Answers up to here are not counted.
pub(super) const SMALL: usize = 64 << 10;
/// The budget's unit.
const UNIT: usize = 1 << 10;

/// The bytes that large answers may hold at a time.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    units: Arc<Semaphore>,
    all: u32,
}

/// Bytes of the budget that are taken before an answer is made.
#[derive(Debug)]
pub(crate) struct Reserved {
    units: Option<OwnedSemaphorePermit>,
}

impl Budget {
    pub(crate) fn new(bytes: usize) -> Self {
        let all = u32_or_max((bytes / UNIT).min(Semaphore::MAX_PERMITS));
        Self { units: Arc::new(Semaphore::new(usize::try_from(all).unwrap_or(Semaphore::MAX_PERMITS))), all }
    }

    /// Takes what an answer of at most so many bytes needs while it is made and sent; where that is
    /// more than there is, all of it, so that an idle server answers.
    pub(crate) fn reserve(&self, bytes: usize) -> Result<Reserved, ApiError> {
        if bytes <= SMALL {
            return Ok(Reserved { units: None });
        }
        let units = u32_or_max(bytes.div_ceil(UNIT)).min(self.all);
        let units = Arc::clone(&self.units).try_acquire_many_owned(units).map_err(|_| ApiError::Busy)?;
        Ok(Reserved { units: Some(units) })
    }

    /// Bytes that are left.
    pub(crate) fn free(&self) -> usize {
        self.units.available_permits().saturating_mul(UNIT)
    }

    /// JSON text for which bytes were taken.
    pub(crate) fn json_of(&self, held: Reserved, text: Vec<u8>) -> Response {
        held.reply("application/json", text.into())
    }

    /// Bytes for which as many were taken.
    pub(crate) fn bytes_of(&self, held: Reserved, bytes: Vec<u8>) -> Response {
        held.reply("application/octet-stream", bytes.into())
    }

    /// JSON text.
    pub(crate) fn json(&self, text: String) -> Result<Response, ApiError> {
        self.reply("application/json", text.into())
    }

    /// Bytes.
    #[cfg(test)]
    pub(crate) fn bytes(&self, bytes: Vec<u8>) -> Result<Response, ApiError> {
        self.reply("application/octet-stream", bytes.into())
    }

    fn reply(&self, media_type: &'static str, bytes: Bytes) -> Result<Response, ApiError> {
        Ok(self.reserve(bytes.len())?.reply(media_type, bytes))
    }
}

impl Reserved {
    /// An answer that keeps of what was taken as much as it needs.
    fn reply(self, media_type: &'static str, bytes: Bytes) -> Response {
        let needed = bytes.len().div_ceil(UNIT);
        let body = match self.units {
            Some(mut units) if bytes.len() > SMALL => {
                drop(units.split(units.num_permits().saturating_sub(needed)));
                Body::new(Counted { rest: Some(bytes), _held: units })
            }
            _ => Body::from(bytes),
        };
        ([(header::CONTENT_TYPE, media_type)], body).into_response()
    }
}

/// A body that gives its bytes' share of the budget back when it goes.
struct Counted {
    rest: Option<Bytes>,
    _held: OwnedSemaphorePermit,
}

impl HttpBody for Counted {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    /// A piece at a time: hyper holds what it was given and keeps the body until the last piece, so
    /// the share goes back when all but that one are sent.
    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let Some(mut rest) = self.rest.take().filter(|rest| !rest.is_empty()) else {
            return Poll::Ready(None);
        };
        let piece = rest.split_to(rest.len().min(SMALL));
        self.rest = Some(rest);
        Poll::Ready(Some(Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.as_ref().is_none_or(Bytes::is_empty)
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(u64_of_usize(self.rest.as_ref().map_or(0, Bytes::len)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn large_answers_take_from_the_budget_until_they_are_read_or_dropped() {
        let budget = Budget::new(200 << 10);
        let large = || budget.bytes(vec![7; 100 << 10]);
        let (first, second) = (large().unwrap(), large().unwrap());
        assert_eq!(large().err(), Some(ApiError::Busy));
        assert!(budget.bytes(vec![7; SMALL]).is_ok(), "small ones are not counted");
        drop(first);
        let third = large().unwrap();
        assert_eq!(axum::body::to_bytes(second.into_body(), usize::MAX).await.unwrap(), vec![7; 100 << 10]);
        assert!(large().is_ok());
        drop(third);
    }

    #[tokio::test]
    async fn what_was_reserved_and_is_not_needed_goes_back_at_once_and_alone_every_answer_has_room() {
        let budget = Budget::new(300 << 10);
        let reserved = budget.reserve(1 << 30).unwrap();
        assert_eq!(budget.reserve(SMALL + 1).err(), Some(ApiError::Busy));
        let answer = budget.bytes_of(reserved, vec![7; 100 << 10]);
        assert!(budget.reserve(200 << 10).is_ok() && budget.reserve(201 << 10).is_err());
        assert_eq!(axum::body::to_bytes(answer.into_body(), usize::MAX).await.unwrap().len(), 100 << 10);
        let small = budget.json_of(budget.reserve(1 << 30).unwrap(), b"{}".to_vec());
        assert!(budget.reserve(300 << 10).is_ok());
        drop(small);
    }
}

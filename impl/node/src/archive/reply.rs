//! Answers: JSON text or bytes. Large ones are counted until their client has read them.
//!
//! An answer waits in memory for a client that reads slowly. Small ones are bounded by the number of connections; large
//! ones take their bytes from a budget and give them back when they are sent or the connection ends.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use http_body::{Body as HttpBody, Frame, SizeHint};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::error::ApiError;

/// Answers up to here are not counted.
const SMALL: usize = 64 << 10;
/// The budget's unit.
const UNIT: usize = 1 << 10;

/// The bytes that large answers may hold at a time.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    units: Arc<Semaphore>,
}

impl Budget {
    pub(crate) fn new(bytes: usize) -> Self {
        Self { units: Arc::new(Semaphore::new((bytes / UNIT).min(Semaphore::MAX_PERMITS))) }
    }

    /// JSON text.
    pub(crate) fn json(&self, text: String) -> Result<Response, ApiError> {
        self.reply("application/json", text.into())
    }

    /// Bytes.
    pub(crate) fn bytes(&self, bytes: Vec<u8>) -> Result<Response, ApiError> {
        self.reply("application/octet-stream", bytes.into())
    }

    fn reply(&self, media_type: &'static str, bytes: Bytes) -> Result<Response, ApiError> {
        let body = if bytes.len() <= SMALL {
            Body::from(bytes)
        } else {
            let units = u32::try_from(bytes.len().div_ceil(UNIT)).map_err(|_| ApiError::Busy)?;
            let held = Arc::clone(&self.units).try_acquire_many_owned(units).map_err(|_| ApiError::Busy)?;
            Body::new(Counted { rest: Some(bytes), _held: held })
        };
        Ok(([(header::CONTENT_TYPE, media_type)], body).into_response())
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

    /// A piece at a time: hyper holds what it was given and keeps the body until the last piece, so the share goes back
    /// when all but that one are sent.
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
        SizeHint::with_exact(u64::try_from(self.rest.as_ref().map_or(0, Bytes::len)).unwrap_or(u64::MAX))
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
}

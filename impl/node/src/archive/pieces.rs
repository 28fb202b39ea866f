//! Streams large responses: an answer of any length holds a few pieces in memory, which are
//! reserved before it is begun.
//!
//! Each piece is read from the newest snapshot at the answer's version. So no snapshot is kept for
//! a client that reads slowly; one for whom the version leaves retention meanwhile gets a body that
//! breaks off.

use std::collections::VecDeque;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use aardvark_algebra::integers::usize_or_max;
use aardvark_archive::{ArchiveError, Snapshot};
use aardvark_proof::commitments_json;
use aardvark_proof::proof_json::SlotJson;
use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use http_body::{Body as HttpBody, Frame};
use serde::Serialize;
use tokio::sync::mpsc;

use super::error::ApiError;
use super::reply::{Reserved, SMALL};
use super::service::Service;

/// Pieces of one answer in memory: one that is made, one that waits, one that is sent.
const AT_A_TIME: usize = 3;
/// Slots that are read at a time.
const SLOTS: u64 = 16;
/// Commitments that are read at a time.
const COMMITMENTS: u64 = 256;

/// What an answer consists of, from its beginning to its end.
pub(crate) trait Pieces: Send + 'static {
    /// The next piece, of 64 KiB or little more; `None` after the last.
    fn next(&mut self, archive: &Snapshot) -> Result<Option<Vec<u8>>, ApiError>;

    /// Most bytes of a piece.
    fn longest(&self) -> usize;
}

impl Service {
    /// JSON in pieces. An answer of one piece has its length in its head.
    pub(crate) async fn json_in_pieces<P: Pieces>(&self, pieces: P) -> Result<Response, ApiError> {
        let held = self.budget.reserve(AT_A_TIME.saturating_mul(pieces.longest()))?;
        let (first, pieces) = self.next_piece(pieces).await?;
        let (second, pieces) = self.next_piece(pieces).await?;
        let Some(second) = second else {
            return Ok(self.budget.json_of(held, first.unwrap_or_default()));
        };
        let (sender, receiver) = mpsc::channel(1);
        let service = self.clone();
        tokio::spawn(async move {
            for piece in first.into_iter().chain([second]) {
                if sender.send(Ok(piece.into())).await.is_err() {
                    return;
                }
            }
            service.send_rest(pieces, sender).await;
        });
        let body = Body::new(Receiving { receiver, _held: held });
        Ok(([(header::CONTENT_TYPE, "application/json")], body).into_response())
    }

    async fn next_piece<P: Pieces>(&self, mut pieces: P) -> Result<(Option<Vec<u8>>, P), ApiError> {
        self.ask_bulk(move |_, archive| Ok((pieces.next(archive)?, pieces))).await
    }

    /// Makes and sends pieces until there are no more, or nobody takes them.
    async fn send_rest<P: Pieces>(&self, mut pieces: P, sender: mpsc::Sender<io::Result<Bytes>>) {
        loop {
            let piece = match self.next_piece(pieces).await {
                Ok((None, _)) => return,
                Ok((Some(piece), rest)) => {
                    pieces = rest;
                    Ok(piece.into())
                }
                // The head is sent: what is left is to break off.
                Err(error) => {
                    tracing::warn!(%error, "an answer breaks off");
                    let _ = sender.send(Err(io::Error::other(error))).await;
                    return;
                }
            };
            if sender.send(piece).await.is_err() {
                return;
            }
        }
    }
}

/// A body whose pieces are made while it is sent.
struct Receiving {
    receiver: mpsc::Receiver<io::Result<Bytes>>,
    _held: Reserved,
}

impl HttpBody for Receiving {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        self.receiver.poll_recv(context).map(|piece| piece.map(|piece| piece.map(Frame::data)))
    }
}

/// The tail of a version, and whole vectors below it, the nearest first.
pub(crate) struct TailPieces {
    version: u64,
    /// Positions to come: those of the tail, then those of each vector.
    ranges: VecDeque<(u64, u64)>,
    /// The next position of the first range.
    next: u64,
    /// Text that stands before the next slot.
    before: String,
    longest_slot: usize,
    in_tail: bool,
}

impl TailPieces {
    pub(crate) fn new(archive: &Snapshot, version: u64, vectors: u64) -> Result<Self, ArchiveError> {
        let info = archive.version_info(version)?;
        // A version that cannot be read is refused before anything is sent.
        archive.slots(version, info.tail_start, info.tail_start)?;
        let parameters = archive.parameters();
        let vector_size = parameters.positions_per_vector();
        let above = info.tail_start / vector_size;
        let below = (above.saturating_sub(vectors)..above).rev();
        let below = below.map(|vector| (vector * vector_size, (vector + 1) * vector_size));
        let text = 2 * usize::from(parameters.max_key_length) + usize::from(parameters.max_value_length);
        Ok(Self {
            version,
            ranges: [(info.tail_start, info.size)].into_iter().chain(below).collect(),
            next: info.tail_start,
            before: format!("{{\"version\":{version},\"start\":{},\"slots\":[", info.tail_start),
            longest_slot: 2 * text + 64,
            in_tail: true,
        })
    }

    /// Some slots of the first range, or what stands behind its last.
    fn put(&mut self, archive: &Snapshot, (from, to): (u64, u64), text: &mut Vec<u8>) -> Result<(), ApiError> {
        if self.next < to {
            let end = to.min(self.next + SLOTS);
            for slot in archive.slots(self.version, self.next, end)? {
                if self.next > from {
                    text.push(b',');
                }
                put_json(text, &SlotJson::from(&slot))?;
                self.next += 1;
            }
            return Ok(());
        }
        self.ranges.pop_front();
        text.push(b']');
        if let Some((start, _)) = self.ranges.front() {
            self.next = *start;
            text.extend_from_slice(if self.in_tail { b",\"vectors\":[[" } else { b",[" });
        } else {
            text.extend_from_slice(if self.in_tail { b",\"vectors\":[]}" } else { b"]}" });
        }
        self.in_tail = false;
        Ok(())
    }
}

impl Pieces for TailPieces {
    fn next(&mut self, archive: &Snapshot) -> Result<Option<Vec<u8>>, ApiError> {
        if self.ranges.is_empty() {
            return Ok(None);
        }
        let mut text = std::mem::take(&mut self.before).into_bytes();
        while text.len() < SMALL
            && let Some(range) = self.ranges.front().copied()
        {
            self.put(archive, range, &mut text)?;
        }
        Ok(Some(text))
    }

    fn longest(&self) -> usize {
        SMALL + usize_or_max(SLOTS).saturating_mul(self.longest_slot)
    }
}

/// The commitments of a version.
pub(crate) struct CommitmentPieces {
    version: u64,
    next: u64,
    vectors: u64,
    head: Option<String>,
    ended: bool,
}

impl CommitmentPieces {
    pub(crate) fn new(archive: &Snapshot, version: u64) -> Result<Self, ApiError> {
        // A version that cannot be read is refused before anything is sent.
        archive.commitments_within(version, 0, 0)?;
        let head = archive.commitments_head(version)?;
        let vectors = head.slots.div_ceil(archive.parameters().positions_per_vector());
        let head = commitments_json::head(&head).map_err(|error| ApiError::Damaged(error.to_string()))?;
        Ok(Self { version, next: 0, vectors, head: Some(head), ended: false })
    }
}

impl Pieces for CommitmentPieces {
    fn next(&mut self, archive: &Snapshot) -> Result<Option<Vec<u8>>, ApiError> {
        if self.ended {
            return Ok(None);
        }
        let mut text = self.head.take().unwrap_or_default().into_bytes();
        while text.len() < SMALL && self.next < self.vectors {
            let end = self.vectors.min(self.next + COMMITMENTS);
            for commitment in archive.commitments_within(self.version, self.next, end)? {
                commitments_json::put_element(&mut text, self.next, &commitment.to_bytes());
                self.next += 1;
            }
        }
        if self.next == self.vectors {
            text.extend_from_slice(commitments_json::END);
            self.ended = true;
        }
        Ok(Some(text))
    }

    fn longest(&self) -> usize {
        2 * SMALL
    }
}

fn put_json(text: &mut Vec<u8>, value: &impl Serialize) -> Result<(), ApiError> {
    serde_json::to_writer(text, value).map_err(|error| ApiError::Damaged(error.to_string()))
}

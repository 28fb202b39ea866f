//! A backup as the body of an answer: made on a thread of its own, as fast as it is taken.

use std::io::{self, Write};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use http_body::{Body as HttpBody, Frame};
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

/// Bytes that are sent at a time.
const PIECE: usize = 256 << 10;
/// How long nothing of a backup may be taken. The state that it is of is kept as long as it goes
/// on, and a store that is written to grows meanwhile.
const STALLED: Duration = Duration::from_secs(60);

/// What writes a backup.
type Writing = dyn Fn(&mut dyn Write) -> io::Result<()> + Send + Sync;

/// A process' backups, one at a time.
#[derive(Clone)]
pub(crate) struct Backups {
    write: Arc<Writing>,
    turn: Arc<Semaphore>,
}

impl Backups {
    /// Backups that `write` writes, on a thread that may wait.
    pub(crate) fn new(write: impl Fn(&mut dyn Write) -> io::Result<()> + Send + Sync + 'static) -> Self {
        Self { write: Arc::new(write), turn: Arc::new(Semaphore::new(1)) }
    }

    /// Begins one, in a runtime; none while another goes on. A backup that fails is a body that
    /// breaks off.
    pub(super) fn begin(&self) -> Option<Body> {
        let turn = Arc::clone(&self.turn).try_acquire_owned().ok()?;
        let (sender, receiver) = mpsc::channel(2);
        let (write, runtime) = (Arc::clone(&self.write), Handle::current());
        tokio::task::spawn_blocking(move || {
            let mut pieces = Pieces { piece: Vec::with_capacity(PIECE), sender, runtime, _turn: turn };
            // The empty piece says that all others were sent.
            let sent = write(&mut pieces).and_then(|()| pieces.flush()).and_then(|()| pieces.send(Bytes::new()));
            if let Err(error) = sent {
                tracing::warn!(%error, "a backup breaks off");
            }
        });
        Some(Body::new(Receiving { pieces: receiver, ended: false }))
    }
}

/// Sends what is written, in pieces.
struct Pieces {
    piece: Vec<u8>,
    sender: mpsc::Sender<Bytes>,
    runtime: Handle,
    /// The next may begin when this goes.
    _turn: OwnedSemaphorePermit,
}

impl Pieces {
    fn send(&self, piece: Bytes) -> io::Result<()> {
        let sent = self.runtime.block_on(self.sender.send_timeout(piece, STALLED));
        sent.map_err(|_| io::Error::new(io::ErrorKind::BrokenPipe, "nobody takes it"))
    }
}

impl Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = PIECE - self.piece.len().min(PIECE);
        let (now, _) = bytes.split_at(room.min(bytes.len()));
        self.piece.extend_from_slice(now);
        if self.piece.len() >= PIECE {
            self.flush()?;
        }
        Ok(now.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.piece.is_empty() {
            return Ok(());
        }
        let piece = std::mem::replace(&mut self.piece, Vec::with_capacity(PIECE));
        self.send(piece.into())
    }
}

/// The body's pieces, as they come; it breaks off where they end without an empty one.
struct Receiving {
    pieces: mpsc::Receiver<Bytes>,
    ended: bool,
}

impl HttpBody for Receiving {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        if self.ended {
            return Poll::Ready(None);
        }
        self.pieces.poll_recv(context).map(|piece| match piece {
            Some(piece) if piece.is_empty() => {
                self.ended = true;
                None
            }
            Some(piece) => Some(Ok(Frame::data(piece))),
            None => Some(Err(io::Error::new(io::ErrorKind::BrokenPipe, "the backup breaks off"))),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc as threads;

    use super::*;

    #[tokio::test]
    async fn a_backup_comes_whole_or_breaks_off_and_another_waits_for_its_turn() {
        let bytes: Vec<u8> = (0..1_000_003u32).flat_map(u32::to_be_bytes).collect();
        let expected = bytes.clone();
        let backups = Backups::new(move |out| out.write_all(&bytes));
        let body = backups.begin().unwrap();
        assert!(backups.begin().is_none(), "one at a time");
        assert!(axum::body::to_bytes(body, usize::MAX).await.unwrap() == expected);
        let failing = Backups::new(|out| {
            out.write_all(&[7; PIECE])?;
            Err(io::Error::other("the store fails"))
        });
        let body = failing.begin().unwrap();
        assert!(axum::body::to_bytes(body, usize::MAX).await.is_err());
    }

    #[tokio::test]
    async fn whoever_leaves_ends_the_backup_and_the_next_one_begins() {
        let (told, ended) = threads::channel();
        let backups = Backups::new(move |out| {
            let endless = std::iter::repeat_with(|| out.write_all(&[7; PIECE]));
            let failure = endless.take(100_000).find_map(Result::err);
            told.send(failure.map(|error| error.kind())).unwrap();
            Err(io::Error::other("it ended"))
        });
        drop(backups.begin().unwrap());
        let ended = tokio::task::spawn_blocking(move || ended.recv().unwrap()).await.unwrap();
        assert_eq!(ended, Some(io::ErrorKind::BrokenPipe));
        while backups.begin().is_none() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
}

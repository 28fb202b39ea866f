//! ABCI's socket protocol: protobuf messages behind a varint of their length.
//!
//! [`Requests::read`] gives **all** requests that have arrived, at least one: CometBFT sends
//! transactions of its mempool one after the other without waiting, so that what has piled up is
//! checked as one batch.

use std::io::Read;

use prost::Message;
use prost::bytes::Buf;
use tendermint_proto::v0_38::abci::{Request, Response, request::Value};

/// CometBFT's own limit for a message, 2 GiB - 1: InitChain has all of `app_state`. Memory is taken
/// for bytes that arrived, not for a length.
const MESSAGE_LIMIT: usize = i32::MAX as usize;
/// How much is read at once.
const CHUNK: usize = 1 << 18;
/// A varint of 64 bits.
const LONGEST_VARINT: usize = 10;

/// Why a connection cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum WireError {
    /// The stream failed.
    #[error("the connection to CometBFT: {0}")]
    Io(#[from] std::io::Error),
    /// The bytes are no request.
    #[error("a message of CometBFT: {0}")]
    Decode(#[from] prost::DecodeError),
    /// A message that is longer than CometBFT sends.
    #[error("a message of {0} bytes")]
    TooLong(u64),
    /// A message that asks for nothing, or for what this version of ABCI does not have.
    #[error("a request without content")]
    Empty,
}

/// The requests of one connection.
pub struct Requests<S> {
    stream: S,
    /// Bytes received; those before `start` are decoded already.
    buffer: Vec<u8>,
    start: usize,
}

impl<S: Read> Requests<S> {
    /// The requests that a stream brings.
    pub fn new(stream: S) -> Self {
        Self { stream, buffer: Vec::new(), start: 0 }
    }

    /// Waits for a request, then takes all that are there; none at the stream's end.
    ///
    /// # Errors
    /// [`WireError`].
    pub fn read(&mut self) -> Result<Vec<Value>, WireError> {
        loop {
            let mut requests = Vec::new();
            while let Some(request) = self.take()? {
                requests.push(request);
            }
            if !requests.is_empty() || self.receive()? == 0 {
                return Ok(requests);
            }
        }
    }

    /// Decodes the next request, if all of it is there.
    fn take(&mut self) -> Result<Option<Value>, WireError> {
        let pending = self.buffer.get(self.start..).unwrap_or_default();
        let mut rest = pending;
        let length = match prost::encoding::decode_varint(&mut rest) {
            Ok(length) => length,
            Err(_) if pending.len() < LONGEST_VARINT => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let count = usize::try_from(length).ok().filter(|count| *count <= MESSAGE_LIMIT);
        let count = count.ok_or(WireError::TooLong(length))?;
        let prefix = pending.len() - rest.remaining();
        let Some(message) = rest.get(..count) else { return Ok(None) };
        let asked = Request::decode(message)?.value.ok_or(WireError::Empty)?;
        self.start += prefix + count;
        Ok(Some(asked))
    }

    /// Reads on; 0 at the end. What was decoded makes room first.
    fn receive(&mut self) -> Result<usize, WireError> {
        self.buffer.drain(..self.start);
        self.start = 0;
        let length = self.buffer.len();
        self.buffer.resize(length + CHUNK, 0);
        let read = loop {
            match self.stream.read(self.buffer.get_mut(length..).unwrap_or_default()) {
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        self.buffer.truncate(length + read.as_ref().copied().unwrap_or(0));
        Ok(read?)
    }
}

/// The bytes of responses, in order.
pub fn encode(responses: &[Response]) -> Vec<u8> {
    responses.iter().flat_map(Message::encode_length_delimited_to_vec).collect()
}

#[cfg(test)]
mod tests {
    use tendermint_proto::v0_38::abci::{RequestCheckTx, RequestEcho, RequestFlush};

    use super::*;

    fn requests() -> Vec<Value> {
        let check = |length| Value::CheckTx(RequestCheckTx { tx: vec![7; length].into(), r#type: 0 });
        vec![Value::Echo(RequestEcho { message: "x".into() }), check(300_000), check(0), Value::Flush(RequestFlush {})]
    }

    fn sent() -> Vec<u8> {
        let sent = |asked| Request { value: Some(asked) }.encode_length_delimited_to_vec();
        requests().into_iter().flat_map(sent).collect()
    }

    /// Gives at most so many bytes at once.
    struct Trickle(std::io::Cursor<Vec<u8>>, usize);

    impl Read for Trickle {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let count = buffer.len().min(self.1);
            self.0.read(&mut buffer[..count])
        }
    }

    #[test]
    fn requests_arrive_whole_and_in_order_however_the_bytes_are_cut() {
        let bytes = sent();
        for size in [1_000, 4_097, 1 << 20] {
            let mut stream = Requests::new(Trickle(std::io::Cursor::new(bytes.clone()), size));
            let mut arrived = Vec::new();
            loop {
                let some = stream.read().unwrap();
                if some.is_empty() {
                    break;
                }
                arrived.extend(some);
            }
            assert_eq!(arrived, requests(), "{size}");
        }
        let mut all_at_once = Requests::new(std::io::Cursor::new(bytes));
        assert!(all_at_once.read().unwrap().len() == 1 && all_at_once.read().unwrap().len() == 3);
    }

    #[test]
    fn lengths_that_cometbft_does_not_send_are_refused_before_memory_is_taken() {
        let mut bytes = Vec::new();
        prost::encoding::encode_varint(MESSAGE_LIMIT as u64 + 1, &mut bytes);
        assert!(matches!(Requests::new(bytes.as_slice()).read(), Err(WireError::TooLong(_))));
        assert!(matches!(Requests::new([0xff; 11].as_slice()).read(), Err(WireError::Decode(_))));
    }

    #[test]
    fn an_init_chain_of_more_than_100_mb_is_waited_for_and_its_length_takes_no_memory() {
        let mut bytes = Vec::new();
        prost::encoding::encode_varint(104_857_601, &mut bytes);
        bytes.extend([0; 1_000]);
        let mut requests = Requests::new(bytes.as_slice());
        assert!(requests.read().unwrap().is_empty());
        assert!(requests.buffer.capacity() < 4 * CHUNK);
    }

    #[test]
    fn a_message_that_asks_for_nothing_breaks_its_connection() {
        // Nothing at all, and field 30, which ABCI does not have.
        for bytes in [[0].as_slice(), &[3, 0xf2, 0x01, 0]] {
            assert!(matches!(Requests::new(bytes).read(), Err(WireError::Empty)), "{bytes:?}");
        }
    }
}

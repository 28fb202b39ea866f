//! Requests about values in chunks.

use aardvark_spec::base::bytes::ByteString;
use aardvark_spec::base::group::G1;
use aardvark_spec::mixnet::chunks::{chunk_elements, chunks_value, elements_value, value_chunks};
use hacspec_lib::Seq;

use crate::process::{Answer, Oracle, OracleError, Safety, request};
use crate::tokens::Line;

/// What is asked about values in chunks.
#[derive(Clone, Debug)]
pub enum ChunkRequest {
    /// The chunks of a value in so many bytes, and their elements.
    Chunks {
        /// The value.
        content: ByteString,
        /// Bytes.
        width: usize,
    },
    /// The value of chunks.
    Value(Seq<usize>),
    /// The value of decrypted elements.
    Elements(Seq<G1>),
}

impl ChunkRequest {
    /// The request's name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Chunks { .. } => "mixnet_chunks",
            Self::Value(_) => "mixnet_value",
            Self::Elements(_) => "mixnet_elements",
        }
    }

    /// What the specification says, as the oracle writes it.
    pub fn specified(&self) -> String {
        let mut line = Line::default();
        match self {
            Self::Chunks { content, width } => {
                line.option(value_chunks(content, *width).as_ref(), |line, chunks| {
                    line.sizes(chunks);
                    line.elements(&chunk_elements(chunks));
                });
            }
            Self::Value(chunks) => line.option(chunks_value(chunks).as_ref(), Line::bytes),
            Self::Elements(elements) => line.option(elements_value(elements).as_ref(), Line::bytes),
        }
        line.text()
    }
}

impl Oracle {
    /// What the oracle says of values in chunks. No state is used or changed.
    ///
    /// # Errors
    /// Where the oracle does not answer.
    pub fn mixnet_chunks(&mut self, safety: Safety, asked: &ChunkRequest) -> Result<Answer, OracleError> {
        let mut line = request(asked.name(), safety);
        match asked {
            ChunkRequest::Chunks { content, width } => {
                line.bytes(content);
                line.size(*width);
            }
            ChunkRequest::Value(chunks) => line.sizes(chunks),
            ChunkRequest::Elements(elements) => line.elements(elements),
        }
        self.ask(line)
    }
}

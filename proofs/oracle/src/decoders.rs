//! Requests about bytes from outside: the decoders.

use aardvark_spec::base::bytes::ByteString;
use aardvark_spec::decoding::decode_reason::DecodeReason;
use aardvark_spec::dictionary::genesis::Parameters;
use hacspec_lib::Seq;

use crate::process::{Answer, Oracle, OracleError, Safety, request};
use crate::tokens::Line;

/// What a decoder is given.
#[derive(Clone, Copy, Debug)]
pub struct DecodeRequest<'a> {
    /// What the bytes should be: `slot`, `claim`, `transaction`, `signed`, `block`, `aggregated`,
    /// `record`, `snapshot`, `import` or `chain`.
    pub kind: &'static str,
    /// The dictionary's parameters.
    pub parameters: &'a Parameters,
    /// The height of a chain's block; of no meaning for others.
    pub height: usize,
    /// The list of a chain's block, or else one string.
    pub strings: &'a Seq<ByteString>,
}

impl Oracle {
    /// What the oracle reads from bytes, encoded again. No state is used or changed.
    ///
    /// # Errors
    /// Where the oracle does not answer.
    pub fn decode(&mut self, safety: Safety, asked: &DecodeRequest<'_>) -> Result<Answer, OracleError> {
        let mut line = request("decode", safety);
        line.word(asked.kind);
        line.parameters(asked.parameters);
        line.size(asked.height);
        line.list(asked.strings, Line::bytes);
        self.ask(line)
    }
}

/// What the oracle should say, where the specification read what these strings encode, or refused.
pub fn specified_decoding(decoded: &Result<Seq<ByteString>, DecodeReason>) -> String {
    let mut line = Line::default();
    match decoded {
        Ok(strings) => {
            line.word("accepted");
            line.list(strings, Line::bytes);
        }
        Err(reason) => {
            line.word("refused");
            line.word(&format!("{reason:?}"));
        }
    }
    line.text()
}

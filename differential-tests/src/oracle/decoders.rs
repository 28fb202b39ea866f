//! The oracle's word on bytes from outside.

use aardvark_oracle::{DecodeRequest, Safety, specified_decoding};
use aardvark_spec::base::bytes::ByteString;
use aardvark_spec::decoding::decode_reason::DecodeReason;
use hacspec_lib::Seq;

use super::{Tally, agree, ask, is_built};
use crate::compare::Mismatch;

/// The oracle reads from bytes what the specification reads, or refuses them for the same reason,
/// and does not panic.
///
/// # Errors
/// Where it says something else.
pub fn decode(asked: &DecodeRequest<'_>, specified: &Result<Seq<ByteString>, DecodeReason>) -> Result<(), Mismatch> {
    if !is_built() {
        return Ok(());
    }
    let said = ask(|process| process.oracle.decode(Safety::Ask, asked))?;
    agree(asked.kind, &specified_decoding(specified), &said, &mut Tally::default())
}

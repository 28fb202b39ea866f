//! Signed transactions: their bytes, and how they are read.
//!
//! Keys and signatures are bytes here: which of them are true is for ed25519 to say. Source:
//! docs/network.md, "Signed transaction".

use crate::base::bytes::*;
use crate::decoding::block_decoder::*;
use crate::decoding::cursor::*;
use crate::decoding::decode_reason::*;
use crate::decoding::transaction_decoder::*;
use crate::dictionary::genesis::*;
use hacspec_lib::*;

/// The length of a public key, in bytes.
pub const PUBLIC_KEY_LENGTH: usize = 32;
/// The length of a signature, in bytes.
pub const SIGNATURE_LENGTH: usize = 64;
/// The format number of a signed transaction with openings.
pub const SIGNED_FORMAT: usize = 1;
/// The format number of a signed transaction without openings, as it stands in a block.
pub const BARE_SIGNED_FORMAT: usize = 2;

/// A public key and its signature over a transaction's id.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReceivedSignature {
    /// The public key, 32 bytes.
    pub signer_key: ByteString,
    /// The signature, 64 bytes.
    pub signer_signature: ByteString,
}

/// The bytes of a transaction, and who signed it.
#[derive(Clone, Debug, Default)]
pub struct SignedBody {
    /// The bytes.
    pub body_bytes: ByteString,
    /// The signatures, ascending by public key.
    pub body_signatures: Seq<ReceivedSignature>,
}

/// A signed transaction as it is received.
#[derive(Clone, Debug, Default)]
pub struct ReceivedSigned {
    /// The transaction.
    pub signed_transaction: ReceivedTransaction,
    /// The signatures, ascending by public key.
    pub signed_signatures: Seq<ReceivedSignature>,
}

/// One step of [`encode_signatures`].
pub fn encode_signatures_step(encoded: ByteString, signature: &ReceivedSignature) -> ByteString {
    encoded.concat(&signature.signer_key.concat(&signature.signer_signature))
}

/// `(public key (32) || signature (64))*`.
pub fn encode_signatures(items: &Seq<ReceivedSignature>) -> ByteString {
    let mut encoded = ByteString::new(0);
    for i in 0..items.len() {
        encoded = encode_signatures_step(encoded, &items[i]);
    }
    encoded
}

/// `u8 format || u32 length || transaction || u8 number of signatures || signatures`.
pub fn encode_signed_body(signed: &SignedBody, format: usize) -> ByteString {
    u8_bytes(format)
        .concat(&bytes32(&signed.body_bytes))
        .concat(&u8_bytes(signed.body_signatures.len()))
        .concat(&encode_signatures(&signed.body_signatures))
}

/// A signed transaction with its transaction as bytes of this format.
pub fn body_of_signed(signed: &ReceivedSigned, transaction_format: usize) -> SignedBody {
    SignedBody {
        body_bytes: encode_transaction(&signed.signed_transaction, transaction_format),
        body_signatures: signed.signed_signatures.clone(),
    }
}

/// A signed transaction with openings.
pub fn encode_signed(signed: &ReceivedSigned) -> ByteString {
    encode_signed_body(&body_of_signed(signed, TRANSACTION_FORMAT), SIGNED_FORMAT)
}

/// The next signature with its key.
pub fn read_signature(bytes: &ByteString) -> Result<(ReceivedSignature, ByteString), DecodeReason> {
    let (public_key, after_key) = take_bytes(bytes, PUBLIC_KEY_LENGTH)?;
    let (signature, rest) = take_bytes(&after_key, SIGNATURE_LENGTH)?;
    Ok((ReceivedSignature { signer_key: public_key, signer_signature: signature }, rest))
}

/// Whether a signer comes after the last of those before.
pub fn expect_later_signer(before: &Seq<ReceivedSignature>, found: &ReceivedSignature) -> Result<(), DecodeReason> {
    if before.len() == 0 || bytes_less(&before[before.len() - 1].signer_key, &found.signer_key) {
        Ok(())
    } else {
        Err(DecodeReason::UnorderedSigners)
    }
}

/// One step of [`read_signatures`].
pub fn read_signatures_step(
    items: Result<(Seq<ReceivedSignature>, ByteString), DecodeReason>,
) -> Result<(Seq<ReceivedSignature>, ByteString), DecodeReason> {
    let (before, bytes) = items?;
    let (found, rest) = read_signature(&bytes)?;
    let _later = expect_later_signer(&before, &found)?;
    Ok((before.push_owned(found), rest))
}

/// The next signatures, so many, each of a larger key than the one before.
pub fn read_signatures(bytes: &ByteString, count: usize) -> Result<(Seq<ReceivedSignature>, ByteString), DecodeReason> {
    let mut items = Ok((Seq::<ReceivedSignature>::new(0), bytes.clone()));
    for _i in 0..reading_turns(count, bytes) {
        items = read_signatures_step(items);
    }
    items
}

/// The signed transaction of this format that the bytes are, its transaction still as bytes.
pub fn decode_signed_body(bytes: &ByteString, format: usize) -> Result<SignedBody, DecodeReason> {
    let after_format = expect_format(bytes, format)?;
    let (length, after_length) = read_number(&after_format, 4)?;
    let (body, after_body) = take_bytes(&after_length, length)?;
    let (count, after_count) = read_number(&after_body, 1)?;
    let (signatures, rest) = read_signatures(&after_count, count)?;
    let _end = expect_end(&rest)?;
    Ok(SignedBody { body_bytes: body, body_signatures: signatures })
}

/// The most bytes that a signed transaction can have.
pub fn longest_signed(p: &Parameters) -> usize {
    p.transaction_bytes + 1 + 4 + 1 + 255 * (PUBLIC_KEY_LENGTH + SIGNATURE_LENGTH)
}

/// The signed transaction with openings that the bytes are, within the limits of a dictionary.
pub fn decode_signed(bytes: &ByteString, p: &Parameters) -> Result<ReceivedSigned, DecodeReason> {
    let _short = expect_length(bytes.len(), longest_signed(p))?;
    let body = decode_signed_body(bytes, SIGNED_FORMAT)?;
    let _short_body = expect_length(body.body_bytes.len(), p.transaction_bytes)?;
    let tx = decode_transaction(&body.body_bytes)?;
    Ok(ReceivedSigned { signed_transaction: tx, signed_signatures: body.body_signatures })
}

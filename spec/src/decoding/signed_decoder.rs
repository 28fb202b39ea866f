//! Signed transactions: their bytes, and how they are read.
//!
//! Keys and signatures are bytes here: which of them are true is for ed25519 to say. So are the
//! certificates that a transaction of the policy `tables` brings: where there are some, the format
//! is another. Source: docs/network.md, "Signed transaction".

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

/// The format number of a signed transaction with openings and certificates.
pub const CERTIFIED_FORMAT: usize = 4;
/// The format number of a signed transaction with certificates and without openings.
pub const BARE_CERTIFIED_FORMAT: usize = 5;

/// A certificate of segments of tables, still as bytes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReceivedCertificate {
    /// How many segments it covers.
    pub received_segments: usize,
    /// Its bytes.
    pub received_certificate: ByteString,
}

/// The format numbers of signed transactions with transactions of one form.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FormatPair {
    /// Without certificates.
    pub pair_plain: usize,
    /// With one certificate at least.
    pub pair_certified: usize,
}

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
    /// The certificates.
    pub body_certificates: Seq<ReceivedCertificate>,
}

/// A signed transaction as it is received.
#[derive(Clone, Debug, Default)]
pub struct ReceivedSigned {
    /// The transaction.
    pub signed_transaction: ReceivedTransaction,
    /// The signatures, ascending by public key.
    pub signed_signatures: Seq<ReceivedSignature>,
    /// The certificates.
    pub signed_certificates: Seq<ReceivedCertificate>,
}

/// The formats of signed transactions with openings.
pub fn signed_formats() -> FormatPair {
    FormatPair { pair_plain: SIGNED_FORMAT, pair_certified: CERTIFIED_FORMAT }
}

/// The formats of signed transactions without openings.
pub fn bare_formats() -> FormatPair {
    FormatPair { pair_plain: BARE_SIGNED_FORMAT, pair_certified: BARE_CERTIFIED_FORMAT }
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

/// One step of [`encode_certificates`].
pub fn encode_certificates_step(encoded: ByteString, brought: &ReceivedCertificate) -> ByteString {
    encoded.concat(&u16_bytes(brought.received_segments).concat(&bytes32(&brought.received_certificate)))
}

/// `(u16 number of segments || u32 length || certificate)*`.
pub fn encode_certificates(items: &Seq<ReceivedCertificate>) -> ByteString {
    let mut encoded = ByteString::new(0);
    for i in 0..items.len() {
        encoded = encode_certificates_step(encoded, &items[i]);
    }
    encoded
}

/// What stands behind the signatures: nothing where there are no certificates, else
/// `u16 number of certificates || certificates`.
pub fn certificates_part(items: &Seq<ReceivedCertificate>) -> ByteString {
    if items.len() == 0 { ByteString::new(0) } else { u16_bytes(items.len()).concat(&encode_certificates(items)) }
}

/// The format of a signed transaction.
pub fn format_of(formats: FormatPair, items: &Seq<ReceivedCertificate>) -> usize {
    if items.len() == 0 { formats.pair_plain } else { formats.pair_certified }
}

/// `u8 format || u32 length || transaction || u8 number of signatures || signatures`, and the
/// certificates where there are some.
pub fn encode_signed_body(signed: &SignedBody, formats: FormatPair) -> ByteString {
    u8_bytes(format_of(formats, &signed.body_certificates))
        .concat(&bytes32(&signed.body_bytes))
        .concat(&u8_bytes(signed.body_signatures.len()))
        .concat(&encode_signatures(&signed.body_signatures))
        .concat(&certificates_part(&signed.body_certificates))
}

/// A signed transaction with its transaction as bytes of this format.
pub fn body_of_signed(signed: &ReceivedSigned, transaction_format: usize) -> SignedBody {
    SignedBody {
        body_bytes: encode_transaction(&signed.signed_transaction, transaction_format),
        body_signatures: signed.signed_signatures.clone(),
        body_certificates: signed.signed_certificates.clone(),
    }
}

/// A signed transaction with openings.
pub fn encode_signed(signed: &ReceivedSigned) -> ByteString {
    encode_signed_body(&body_of_signed(signed, TRANSACTION_FORMAT), signed_formats())
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

/// The next certificate.
pub fn read_certificate(bytes: &ByteString) -> Result<(ReceivedCertificate, ByteString), DecodeReason> {
    let (segments, after_segments) = read_number(bytes, 2)?;
    let (length, after_length) = read_number(&after_segments, 4)?;
    let (written, rest) = take_bytes(&after_length, length)?;
    Ok((ReceivedCertificate { received_segments: segments, received_certificate: written }, rest))
}

/// One step of [`read_certificates`].
pub fn read_certificates_step(
    items: Result<(Seq<ReceivedCertificate>, ByteString), DecodeReason>,
) -> Result<(Seq<ReceivedCertificate>, ByteString), DecodeReason> {
    let (before, bytes) = items?;
    let (found, rest) = read_certificate(&bytes)?;
    Ok((before.push_owned(found), rest))
}

/// The next certificates, so many.
pub fn read_certificates(
    bytes: &ByteString,
    count: usize,
) -> Result<(Seq<ReceivedCertificate>, ByteString), DecodeReason> {
    let mut items = Ok((Seq::<ReceivedCertificate>::new(0), bytes.clone()));
    for _i in 0..reading_turns(count, bytes) {
        items = read_certificates_step(items);
    }
    items
}

/// The certificates with their number in front, of which there is one at least.
pub fn read_some_certificates(bytes: &ByteString) -> Result<(Seq<ReceivedCertificate>, ByteString), DecodeReason> {
    let (count, after_count) = read_number(bytes, 2)?;
    if count == 0 { Err(DecodeReason::UnknownFormat) } else { read_certificates(&after_count, count) }
}

/// What [`certificates_part`] writes, in a signed transaction that has certificates or has none.
pub fn read_certificates_part(
    bytes: &ByteString,
    certified: bool,
) -> Result<(Seq<ReceivedCertificate>, ByteString), DecodeReason> {
    if certified { read_some_certificates(bytes) } else { Ok((Seq::<ReceivedCertificate>::new(0), bytes.clone())) }
}

/// Whether a signed transaction has certificates, by its format.
pub fn read_signed_format(bytes: &ByteString, formats: FormatPair) -> Result<(bool, ByteString), DecodeReason> {
    let (found, rest) = read_number(bytes, 1)?;
    if found == formats.pair_plain {
        Ok((false, rest))
    } else if found == formats.pair_certified {
        Ok((true, rest))
    } else {
        Err(DecodeReason::UnknownFormat)
    }
}

/// The signed transaction of one of these formats that the bytes are, its transaction still as
/// bytes.
pub fn decode_signed_body(bytes: &ByteString, formats: FormatPair) -> Result<SignedBody, DecodeReason> {
    let (certified, after_format) = read_signed_format(bytes, formats)?;
    let (length, after_length) = read_number(&after_format, 4)?;
    let (body, after_body) = take_bytes(&after_length, length)?;
    let (count, after_count) = read_number(&after_body, 1)?;
    let (signatures, after_signatures) = read_signatures(&after_count, count)?;
    let (brought, rest) = read_certificates_part(&after_signatures, certified)?;
    let _end = expect_end(&rest)?;
    Ok(SignedBody { body_bytes: body, body_signatures: signatures, body_certificates: brought })
}

/// The length that is limited of a signed transaction: of the transaction and its certificates.
pub fn counted_length(body: &SignedBody) -> usize {
    body.body_bytes.len() + certificates_part(&body.body_certificates).len()
}

/// The most bytes that a signed transaction can have.
pub fn longest_signed(p: &Parameters) -> usize {
    p.transaction_bytes + 1 + 4 + 1 + 255 * (PUBLIC_KEY_LENGTH + SIGNATURE_LENGTH)
}

/// The signed transaction with openings that the bytes are, within the limits of a dictionary.
pub fn decode_signed(bytes: &ByteString, p: &Parameters) -> Result<ReceivedSigned, DecodeReason> {
    let _short = expect_length(bytes.len(), longest_signed(p))?;
    let body = decode_signed_body(bytes, signed_formats())?;
    let _short_body = expect_length(counted_length(&body), p.transaction_bytes)?;
    let tx = decode_transaction(&body.body_bytes)?;
    Ok(ReceivedSigned {
        signed_transaction: tx,
        signed_signatures: body.body_signatures,
        signed_certificates: body.body_certificates,
    })
}

//! Signed transactions: what a client submits (`docs/network.md`, Signed transaction).
//!
//! A signature is ed25519 over the transaction's id. Verification is the strict one of RFC 8032
//! without cofactors, and single, never batched: batches accept signatures that single verification
//! refuses, and validators must agree.
//!
//! Under the policy `tables` a transaction brings certificates ([`TableCertificate`]), behind its
//! signatures; where it brings some, its bytes have formats of their own.

use aardvark_algebra::integers::{u8_or_max, u32_or_max, usize_of_u32};
use aardvark_dictionary::claim::OpeningBytes;
use aardvark_dictionary::codec::Reader;
use aardvark_dictionary::{DecodeError, DictionaryId, Limits, Transaction, TransactionId};
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use sha2::{Digest as _, Sha256};

use crate::gas::gas;
use crate::table_certificate::{TableCertificate, certificates_length, put_certificates, read_certificates};

/// Format number of a signed transaction with openings.
pub const SIGNED_FORMAT: u8 = 1;
/// Format number of a signed transaction without openings, as it stands in a block.
pub const BARE_SIGNED_FORMAT: u8 = 2;
/// Format number of a signed transaction with openings and certificates.
pub const CERTIFIED_FORMAT: u8 = 4;
/// Format number of a signed transaction with certificates and without openings.
pub const BARE_CERTIFIED_FORMAT: u8 = 5;

/// A public key and its signature over a transaction's id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignerSignature {
    /// The ed25519 public key.
    pub public_key: [u8; 32],
    /// The ed25519 signature.
    pub signature: [u8; 64],
}

impl SignerSignature {
    /// Bytes of an encoded signature with its key.
    pub const BYTES: usize = 96;

    /// Whether the signature is true of the id, by the strict rules: canonical scalar, no points of
    /// small order.
    #[must_use]
    pub fn verify(&self, id: &TransactionId) -> bool {
        let key = VerifyingKey::from_bytes(&self.public_key);
        key.is_ok_and(|key| key.verify_strict(&id.0, &Signature::from_bytes(&self.signature)).is_ok())
    }
}

/// A transaction with the signatures of those who want it. In a block of the chain its claims have
/// no openings: `SignedTransaction<Unopened>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedTransaction<O = OpeningBytes> {
    /// What is to be done, with its claims.
    pub transaction: Transaction<O>,
    /// Who signed, ascending by public key, at most 255.
    pub signatures: Vec<SignerSignature>,
    /// The certificates of the segments of tables that it puts, in the order in which it puts them;
    /// empty but under the policy `tables`. At most 65,535. Neither id nor signatures cover them.
    pub certificates: Vec<TableCertificate>,
}

impl<O> SignedTransaction<O> {
    /// Signs a transaction for one dictionary. A key that stands twice signs once.
    pub fn sign(transaction: Transaction<O>, dictionary: &DictionaryId, keys: &[SigningKey]) -> Self {
        let id = transaction.id(dictionary);
        let sign = |key: &SigningKey| SignerSignature {
            public_key: key.verifying_key().to_bytes(),
            signature: key.sign(&id.0).to_bytes(),
        };
        let mut signatures: Vec<_> = keys.iter().map(sign).collect();
        signatures.sort_by_key(|signature| signature.public_key);
        signatures.dedup_by_key(|signature| signature.public_key);
        Self { transaction, signatures, certificates: Vec::new() }
    }

    /// The same with these certificates.
    #[must_use]
    pub fn with_certificates(self, certificates: Vec<TableCertificate>) -> Self {
        Self { certificates, ..self }
    }

    /// Its work: CometBFT's `gas_wanted`.
    pub fn gas(&self) -> u64 {
        gas(&self.transaction, self.signatures.len(), &self.certificates)
    }

    /// Whether every signature is true. Under the policy `board` there are others besides
    /// ([`Policy::signatures_hold`](crate::Policy::signatures_hold)).
    #[must_use]
    pub fn verify_signatures(&self, dictionary: &DictionaryId) -> bool {
        are_true(&self.transaction, &self.signatures, dictionary)
    }

    /// The bytes that stand for it in a block of the chain: without openings (`docs/network.md`,
    /// Block of the chain).
    pub fn encode_bare(&self) -> Vec<u8> {
        bare_bytes(&self.transaction, &self.signatures, &self.certificates)
    }

    /// SHA-256 of [`SignedTransaction::encode_bare`]: CometBFT's hash of the transaction once it
    /// stands in a block, by which `/tx?hash=0x…` finds it. It covers claims and signatures, which
    /// the id does not: submitted with other claims, the same transaction has another.
    pub fn block_hash(&self) -> [u8; 32] {
        Sha256::digest(self.encode_bare()).into()
    }
}

impl SignedTransaction {
    /// Canonical bytes.
    pub fn encode(&self) -> Vec<u8> {
        FormatPair::SIGNED.bytes(&self.transaction.encode(), &self.signatures, &self.certificates)
    }

    /// The most bytes that a signed transaction can have under these limits.
    pub fn longest(limits: &Limits) -> usize {
        let transaction = usize_of_u32(limits.transaction_bytes);
        transaction.saturating_add(1 + 4 + 1 + 255 * 96)
    }

    /// Reads canonical bytes from outside. What is allocated is bounded by the bytes that are
    /// there, and those by the limits.
    ///
    /// # Errors
    /// [`DecodeError::TooLong`] beyond the limits; others where the bytes are not exactly one
    /// signed transaction.
    pub fn decode(bytes: &[u8], limits: &Limits) -> Result<Self, DecodeError> {
        let limit = Self::longest(limits);
        if bytes.len() > limit {
            return Err(DecodeError::TooLong { length: bytes.len(), limit });
        }
        let mut reader = Reader::new(bytes);
        let SignedBody { body, signatures, certificates } = read_body(&mut reader, FormatPair::SIGNED)?;
        reader.finish()?;
        let limit = usize_of_u32(limits.transaction_bytes);
        let length = body.len().saturating_add(certificates_length(&certificates));
        if length > limit {
            return Err(DecodeError::TooLong { length, limit });
        }
        Ok(Self { transaction: Transaction::decode(body)?, signatures, certificates })
    }
}

/// Whether every signature is true of a transaction's id. Each costs a scalar multiplication:
/// policy first.
pub(crate) fn are_true<O>(
    transaction: &Transaction<O>,
    signatures: &[SignerSignature],
    dictionary: &DictionaryId,
) -> bool {
    let id = transaction.id(dictionary);
    signatures.iter().all(|signature| signature.verify(&id))
}

/// The bytes that stand for a signed transaction in a block of the chain.
pub(crate) fn bare_bytes<O>(
    transaction: &Transaction<O>,
    signatures: &[SignerSignature],
    certificates: &[TableCertificate],
) -> Vec<u8> {
    FormatPair::BARE.bytes(&transaction.encode_bare(), signatures, certificates)
}

/// The format numbers of signed transactions whose transactions are of one form.
#[derive(Clone, Copy)]
pub(crate) struct FormatPair {
    /// Without certificates.
    plain: u8,
    /// With one certificate at least.
    certified: u8,
}

impl FormatPair {
    /// With openings.
    pub(crate) const SIGNED: Self = Self { plain: SIGNED_FORMAT, certified: CERTIFIED_FORMAT };
    /// Without openings.
    pub(crate) const BARE: Self = Self { plain: BARE_SIGNED_FORMAT, certified: BARE_CERTIFIED_FORMAT };

    /// `u8 format | u32 length | body | u8 count | signatures`, and certificates where there are
    /// some. More than 255 signatures, or 65,535 certificates, have no encoding.
    fn bytes(self, body: &[u8], signatures: &[SignerSignature], certificates: &[TableCertificate]) -> Vec<u8> {
        let mut out = vec![if certificates.is_empty() { self.plain } else { self.certified }];
        out.extend_from_slice(&u32_or_max(body.len()).to_be_bytes());
        out.extend_from_slice(body);
        out.push(u8_or_max(signatures.len()));
        for SignerSignature { public_key, signature } in signatures {
            out.extend_from_slice(public_key);
            out.extend_from_slice(signature);
        }
        put_certificates(&mut out, certificates);
        out
    }
}

/// A signed transaction, its transaction still as bytes.
pub(crate) struct SignedBody<'a> {
    /// The transaction's bytes.
    pub(crate) body: &'a [u8],
    /// Who signed.
    pub(crate) signatures: Vec<SignerSignature>,
    /// The certificates.
    pub(crate) certificates: Vec<TableCertificate>,
}

/// Reads a signed transaction of a form, the signers ascending; certificates, in the format that
/// has some, are one at least.
pub(crate) fn read_body<'a>(reader: &mut Reader<'a>, formats: FormatPair) -> Result<SignedBody<'a>, DecodeError> {
    let offset = reader.offset();
    let found = reader.u8("the format of a signed transaction")?;
    if found != formats.plain && found != formats.certified {
        return Err(DecodeError::Unknown { offset, what: "format of a signed transaction", found });
    }
    let length = reader.u32("the length of a transaction")?;
    let body = reader.take(usize_of_u32(length), "a transaction")?;
    let mut signatures: Vec<SignerSignature> = Vec::new();
    for _ in 0..reader.u8("the number of signatures")? {
        let offset = reader.offset();
        let public_key = reader.array("a public key")?;
        let signature = reader.array("a signature")?;
        if signatures.last().is_some_and(|last| last.public_key >= public_key) {
            return Err(DecodeError::Order { offset, what: "signers" });
        }
        signatures.push(SignerSignature { public_key, signature });
    }
    let certificates = if found == formats.certified { read_certificates(reader)? } else { Vec::new() };
    Ok(SignedBody { body, signatures, certificates })
}

#[cfg(test)]
mod tests;

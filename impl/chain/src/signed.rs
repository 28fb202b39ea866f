//! Signed transactions: what a client submits (`docs/network.md`, Signed transaction).
//!
//! A signature is ed25519 over the transaction's id. Verification is the strict one of RFC 8032
//! without cofactors, and single, never batched: batches accept signatures that single verification
//! refuses, and validators must agree.

use aardvark_algebra::integers::{u8_or_max, u32_or_max, usize_of_u32};
use aardvark_dictionary::claim::OpeningBytes;
use aardvark_dictionary::codec::Reader;
use aardvark_dictionary::{DecodeError, DictionaryId, Limits, Transaction, TransactionId};
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use sha2::{Digest as _, Sha256};

/// Format number of a signed transaction with openings.
pub const SIGNED_FORMAT: u8 = 1;
/// Format number of a signed transaction without openings, as it stands in a block.
pub const BARE_SIGNED_FORMAT: u8 = 2;

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
        Self { transaction, signatures }
    }

    /// Whether every signature is true. Each costs a scalar multiplication: policy first.
    #[must_use]
    pub fn verify_signatures(&self, dictionary: &DictionaryId) -> bool {
        let id = self.transaction.id(dictionary);
        self.signatures.iter().all(|signature| signature.verify(&id))
    }

    /// The bytes that stand for it in a block of the chain: without openings (`docs/network.md`,
    /// Block of the chain).
    pub fn encode_bare(&self) -> Vec<u8> {
        bare_bytes(&self.transaction, &self.signatures)
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
        let mut bytes = vec![SIGNED_FORMAT];
        put_body(&mut bytes, &self.transaction.encode(), &self.signatures);
        bytes
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
        let (body, signatures) = read_body(&mut reader, SIGNED_FORMAT)?;
        reader.finish()?;
        let limit = usize_of_u32(limits.transaction_bytes);
        if body.len() > limit {
            return Err(DecodeError::TooLong { length: body.len(), limit });
        }
        Ok(Self { transaction: Transaction::decode(body)?, signatures })
    }
}

/// The bytes that stand for a signed transaction in a block of the chain.
pub(crate) fn bare_bytes<O>(transaction: &Transaction<O>, signatures: &[SignerSignature]) -> Vec<u8> {
    let mut bytes = vec![BARE_SIGNED_FORMAT];
    put_body(&mut bytes, &transaction.encode_bare(), signatures);
    bytes
}

/// Appends `u32 length | body | u8 count | signatures`. More than 255 signatures have no encoding.
fn put_body(out: &mut Vec<u8>, body: &[u8], signatures: &[SignerSignature]) {
    out.extend_from_slice(&u32_or_max(body.len()).to_be_bytes());
    out.extend_from_slice(body);
    out.push(u8_or_max(signatures.len()));
    for SignerSignature { public_key, signature } in signatures {
        out.extend_from_slice(public_key);
        out.extend_from_slice(signature);
    }
}

/// Reads `u8 format | u32 length | body | u8 count | signatures`, the signers ascending.
pub(crate) fn read_body<'a>(
    reader: &mut Reader<'a>,
    format: u8,
) -> Result<(&'a [u8], Vec<SignerSignature>), DecodeError> {
    let offset = reader.offset();
    let found = reader.u8("the format of a signed transaction")?;
    if found != format {
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
    Ok((body, signatures))
}

#[cfg(test)]
mod tests {
    use aardvark_dictionary::{Claim, Operation, Slot};

    use super::*;

    const DICTIONARY: DictionaryId = DictionaryId([1; 32]);

    fn key(seed: u8) -> SigningKey {
        SigningKey::from_bytes(&[seed; 32])
    }

    fn example() -> SignedTransaction {
        let transaction = Transaction {
            first_valid: 1,
            last_valid: 5,
            nonce: [7; 16],
            operations: vec![Operation::Put("k".into(), "v".into())],
            claims: vec![Claim { position: 0, slot: Slot::lone_sentinel(), opening: [3; 48] }],
        };
        SignedTransaction::sign(transaction, &DICTIONARY, &[key(2), key(1), key(3), key(2)])
    }

    #[test]
    fn a_signed_transaction_survives_the_wire_and_every_cut_and_extension_is_an_error() {
        let signed = example();
        assert_eq!(signed.signatures.len(), 3);
        let mut bytes = signed.encode();
        assert_eq!(SignedTransaction::decode(&bytes, &Limits::default()), Ok(signed));
        for cut in 0..bytes.len() {
            assert!(SignedTransaction::decode(&bytes[..cut], &Limits::default()).is_err(), "cut at {cut}");
        }
        bytes.push(0);
        assert!(SignedTransaction::decode(&bytes, &Limits::default()).is_err());
    }

    #[test]
    fn no_other_bytes_decode_to_the_same_signed_transaction() {
        let bytes = example().encode();
        for index in 0..bytes.len() {
            let mut flipped = bytes.clone();
            flipped[index] ^= 1;
            if let Ok(decoded) = SignedTransaction::decode(&flipped, &Limits::default()) {
                assert_eq!(decoded.encode(), flipped);
                assert_ne!(decoded, example());
            }
        }
    }

    #[test]
    fn signers_ascend_and_stand_once() {
        let with = |change: fn(&mut Vec<SignerSignature>)| {
            let mut signed = example();
            change(&mut signed.signatures);
            SignedTransaction::decode(&signed.encode(), &Limits::default())
        };
        assert!(matches!(with(|s| s.swap(0, 1)), Err(DecodeError::Order { .. })));
        assert!(matches!(with(|s| s[1] = s[0]), Err(DecodeError::Order { .. })));
        assert!(with(Vec::clear).is_ok());
    }

    #[test]
    fn a_signature_is_of_one_transaction_one_dictionary_and_one_key() {
        let signed = example();
        assert!(signed.verify_signatures(&DICTIONARY));
        assert!(!signed.verify_signatures(&DictionaryId([2; 32])));
        let mut other = signed.clone();
        other.transaction.nonce[0] = 0;
        assert!(!other.verify_signatures(&DICTIONARY));
        let mut other = signed.clone();
        other.signatures[0].public_key = key(9).verifying_key().to_bytes();
        assert!(!other.verify_signatures(&DICTIONARY));
        // Claims are not covered: a client may refresh them.
        let mut other = signed;
        other.transaction.claims.clear();
        assert!(other.verify_signatures(&DICTIONARY));
    }

    #[test]
    fn signatures_that_only_lax_verifiers_accept_are_refused() {
        let signed = example();
        let id = signed.transaction.id(&DICTIONARY);
        // s + l in the place of s: the same residue, not canonical.
        let order: [u8; 32] = [
            0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, 0, 0, 0, 0,
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
        ];
        let mut malleable = signed.signatures[0];
        let mut carry = 0;
        for (byte, add) in malleable.signature[32..].iter_mut().zip(order) {
            let sum = u16::from(*byte) + u16::from(add) + carry;
            *byte = sum.to_le_bytes()[0];
            carry = sum >> 8;
        }
        assert!(signed.signatures[0].verify(&id) && !malleable.verify(&id));
        // The identity as public key and R, with s = 0: true of every message without the check for
        // small orders.
        let mut identity = [0; 32];
        identity[0] = 1;
        let mut signature = [0; 64];
        signature[0] = 1;
        assert!(!SignerSignature { public_key: identity, signature }.verify(&id));
    }

    #[test]
    fn too_many_bytes_are_refused_before_anything_is_read() {
        let limits = Limits { transaction_bytes: 10, ..Limits::default() };
        assert!(matches!(SignedTransaction::decode(&example().encode(), &limits), Err(DecodeError::TooLong { .. })));
        let long = vec![0; SignedTransaction::longest(&limits) + 1];
        assert!(matches!(SignedTransaction::decode(&long, &limits), Err(DecodeError::TooLong { .. })));
    }
}

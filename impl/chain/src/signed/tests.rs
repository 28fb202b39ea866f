//! Bytes of signed transactions, and what signatures cover.

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
fn certificates_stand_behind_the_signatures_in_formats_of_their_own() {
    let plain = example();
    let certificate = |segments, length| TableCertificate { segments, certificate: vec![9; length] };
    let certificates = vec![certificate(3, 5), certificate(1, 0)];
    let signed = plain.clone().with_certificates(certificates.clone());
    assert_eq!(certificates_length(&certificates), 2 + 6 + 5 + 6);
    let (bytes, bare) = (signed.encode(), signed.encode_bare());
    assert_eq!((plain.encode()[0], bytes[0], plain.encode_bare()[0], bare[0]), (1, 4, 2, 5));
    let behind = [[0, 2, 0, 3, 0, 0, 0, 5].as_slice(), &[9; 5], &[0, 1, 0, 0, 0, 0]].concat();
    assert_eq!(
        [&bytes[1..], &bare[1..]],
        [[&plain.encode()[1..], &behind].concat(), [&plain.encode_bare()[1..], &behind].concat()]
    );
    assert_eq!(SignedTransaction::decode(&bytes, &Limits::default()), Ok(signed.clone()));
    assert_ne!(signed.block_hash(), plain.block_hash());
    for cut in 0..bytes.len() {
        assert!(SignedTransaction::decode(&bytes[..cut], &Limits::default()).is_err(), "cut at {cut}");
    }
    let longer = [bytes.as_slice(), &[0]].concat();
    assert!(matches!(SignedTransaction::decode(&longer, &Limits::default()), Err(DecodeError::Trailing { .. })));
    // The format with certificates has some; bytes with openings are not those without.
    let none = [&[4], &plain.encode()[1..], &[0, 0]].concat();
    assert!(matches!(SignedTransaction::decode(&none, &Limits::default()), Err(DecodeError::Unknown { .. })));
    assert!(SignedTransaction::decode(&bare, &Limits::default()).is_err());
    // They count against the limit of the transaction.
    let body = u32::try_from(plain.transaction.encode().len()).unwrap();
    let limits = |more: u32| Limits { transaction_bytes: body + more, ..Limits::default() };
    assert!(SignedTransaction::decode(&bytes, &limits(19)).is_ok());
    assert!(matches!(SignedTransaction::decode(&bytes, &limits(18)), Err(DecodeError::TooLong { .. })));
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
        0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
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

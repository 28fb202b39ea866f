//! Slots with their encodings and scalars, and bytes that are or are not a scalar.

use aardvark_algebra::ff::Field;
use aardvark_algebra::{Scalar, hash_to_scalar, scalar_to_bytes};
use aardvark_dictionary::Slot;
use aardvark_spec::convert::{byte_vec, scalar_to_bytes as spec_scalar_bytes};
use aardvark_spec::dictionary::slot::{encode_slot, scalar_of_slot};
use num_bigint::BigUint;
use serde::{Deserialize, Serialize};

use super::file::{File, Hex, Outcome};
use super::flags::Flag;
use crate::convert::slot_to_spec;

/// A slot, its encoding, and the scalar that a commitment holds for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlotCase {
    /// The key.
    pub key: Hex,
    /// The value.
    pub value: Hex,
    /// The next key.
    pub next: Hex,
    /// What is hashed.
    pub encoding: Hex,
    /// The scalar, 32 bytes, highest first.
    pub scalar: Hex,
}

impl SlotCase {
    /// The slot.
    pub fn slot(&self) -> Slot {
        Slot { key: self.key.0.clone().into(), value: self.value.0.clone().into(), next: self.next.0.clone().into() }
    }
}

/// Slots.
pub fn slots() -> File<SlotCase> {
    let case = |key: &[u8], value: &[u8], next: &[u8]| {
        let slot = slot_to_spec(&Slot { key: key.into(), value: value.into(), next: next.into() });
        SlotCase {
            key: key.into(),
            value: value.into(),
            next: next.into(),
            encoding: byte_vec(&encode_slot(&slot)).into(),
            scalar: spec_scalar_bytes(scalar_of_slot(&slot)).into(),
        }
    };
    let (long_key, long_value) = ([0xff; 255], [0xa5; 1024]);
    let boundary: &[Flag] = &[Flag::FieldBoundary];
    let tests: Vec<(&str, &[Flag], SlotCase)> = vec![
        ("the lone sentinel", &[], case(b"", b"", b"")),
        ("an ordinary slot", &[], case(b"a", b"1", b"b")),
        ("the sentinel before a key", &[], case(b"", b"", b"a")),
        ("the largest key", &[], case(b"zlib1g", b"1:1.3.1", b"")),
        ("a slot without a value", &[], case(b"a", b"", b"b")),
        ("a number", &[], case(b"alice", &7u64.to_be_bytes(), b"bob")),
        ("bytes that are no text", &[], case(b"\0", b"\xff\0", b"\0\0")),
        ("key and next run together: ab, nothing", boundary, case(b"ab", b"", b"")),
        ("key and next run together: a, b", boundary, case(b"a", b"", b"b")),
        ("next and value run together: b before c", boundary, case(b"a", b"c", b"b")),
        ("next and value run together: bc before nothing", boundary, case(b"a", b"", b"bc")),
        ("next and value run together: nothing before bc", boundary, case(b"a", b"bc", b"")),
        ("a value that looks like a length", boundary, case(b"a", b"\0\x01b", b"")),
        ("the longest key", &[], case(&long_key, b"v", b"")),
        ("the longest next key and value", &[], case(b"a", &long_value, &long_key)),
        ("all fields at their longest", &[], case(&[0x80; 255], &long_value, &long_key)),
    ];
    File::new("slots", "The encoding of a slot, and the scalar that it hashes to (RFC 9380).", tests)
}

/// Bytes that are said to be a scalar.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScalarCase {
    /// 32 bytes, highest first.
    pub bytes: Hex,
    /// Whether they are a scalar.
    pub result: Outcome,
}

/// Scalars.
pub fn scalars() -> File<ScalarCase> {
    let order = BigUint::from_bytes_be(&scalar_to_bytes(&-Scalar::ONE)) + 1u8;
    let bytes = |number: BigUint| {
        let digits = number.to_bytes_be();
        let mut padded = vec![0; 32 - digits.len()];
        padded.extend(digits);
        Hex(padded)
    };
    let valid = |number: BigUint| ScalarCase { bytes: bytes(number), result: Outcome::Valid };
    let malformed = |number: BigUint| ScalarCase { bytes: bytes(number), result: Outcome::Malformed };
    let some = BigUint::from_bytes_be(&scalar_to_bytes(&hash_to_scalar(b"some", b"VECTORS")));
    let too_large: &[Flag] = &[Flag::NonCanonicalScalar];
    let edge: &[Flag] = &[Flag::EdgeScalar];
    let tests: Vec<(&str, &[Flag], ScalarCase)> = vec![
        ("0", edge, valid(BigUint::default())),
        ("1", &[], valid(BigUint::from(1u8))),
        ("an ordinary scalar", &[], valid(some.clone())),
        ("r - 1", edge, valid(&order - 1u8)),
        ("r", too_large, malformed(order.clone())),
        ("r + 1", too_large, malformed(&order + 1u8)),
        ("an ordinary scalar plus r", too_large, malformed(some + &order)),
        ("2r - 1", too_large, malformed(&order * 2u8 - 1u8)),
        ("2^256 - 1", too_large, malformed((BigUint::from(1u8) << 256) - 1u8)),
    ];
    File::new("scalars", "Which 32 bytes are a scalar: an integer below the group order, highest byte first.", tests)
}

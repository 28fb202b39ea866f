//! What a transaction of a chain has room for.

use aardvark_dictionary::Parameters;

/// Bytes of a transaction besides operations, claims and certificates, with room to spare.
const AROUND: usize = 128;
/// Bytes of an operation besides its key and value, with room to spare.
const OF_OPERATION: usize = 16;
/// Bytes of a certificate besides its own.
const OF_CERTIFICATE: usize = 6;

/// Room in a transaction, or what takes it at most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Room {
    pub(super) bytes: usize,
    pub(super) operations: usize,
    pub(super) claims: usize,
}

impl Room {
    /// Beside the requirement of a schema.
    pub(super) fn beside_schema(parameters: &Parameters) -> Self {
        let limits = &parameters.limits;
        let schema = OF_OPERATION + usize::from(parameters.max_key_length) + usize::from(parameters.max_value_length);
        let all = Self {
            bytes: (limits.transaction_bytes as usize).saturating_sub(AROUND),
            operations: limits.transaction_operations as usize,
            claims: limits.transaction_claims as usize,
        };
        all.less(Self { bytes: schema, operations: 1, claims: 0 }.and(Self::of_claim(parameters)))
    }

    /// Of the claim of a key, whatever stands beside it.
    pub(super) fn of_claim(parameters: &Parameters) -> Self {
        let (keys, values) = (usize::from(parameters.max_key_length), usize::from(parameters.max_value_length));
        // Position, a slot with both its keys, its value and their lengths, opening.
        Self { bytes: 8 + 2 * keys + values + 8 + 48, operations: 0, claims: 1 }
    }

    /// Of an operation on a key with a value of so many bytes.
    pub(super) fn of_operation(key: usize, value: usize) -> Self {
        Self { bytes: OF_OPERATION + key + value, operations: 1, claims: 0 }
    }

    /// Of a certificate of so many bytes.
    pub(super) fn of_certificate(bytes: usize) -> Self {
        Self { bytes: OF_CERTIFICATE + bytes, operations: 0, claims: 0 }
    }

    /// Both.
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            bytes: self.bytes.saturating_add(other.bytes),
            operations: self.operations.saturating_add(other.operations),
            claims: self.claims.saturating_add(other.claims),
        }
    }

    /// What is left of it behind another; nothing where that takes more.
    pub(super) fn less(self, other: Self) -> Self {
        Self {
            bytes: self.bytes.saturating_sub(other.bytes),
            operations: self.operations.saturating_sub(other.operations),
            claims: self.claims.saturating_sub(other.claims),
        }
    }

    /// Whether it has room for another.
    pub(super) fn has(self, other: Self) -> bool {
        self.bytes >= other.bytes && self.operations >= other.operations && self.claims >= other.claims
    }

    /// How often it has room for another.
    pub(super) fn times(self, other: Self) -> usize {
        let of = |all: usize, one: usize| all.checked_div(one).unwrap_or(usize::MAX);
        of(self.bytes, other.bytes).min(of(self.operations, other.operations)).min(of(self.claims, other.claims))
    }
}

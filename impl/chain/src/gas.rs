//! How much work a transaction is, and how much a block may be: CometBFT's gas (`docs/network.md`,
//! Work).
//!
//! A unit is about a microsecond of one core of the machine that `docs/performance.md` was measured
//! on, for a validator that sees the transaction alone: it verifies signatures and openings, runs
//! the operations, and updates commitments. The number depends on the transaction without openings
//! and on the number of signatures only, so that it is the same in CheckTx and in a block.

use aardvark_dictionary::Transaction;

use crate::table_certificate::{TableCertificate, certificates_length};

/// Any transaction: its share of a batch, of the block, of hashing and of what CometBFT asks about
/// it.
const BASE: u64 = 300;
/// A signature, verified alone.
const SIGNATURE: u64 = 100;
/// A claim: decoding its opening and its part of a batch, and the slot's hash.
const CLAIM: u64 = 60;
/// An operation: resolving its key, and the update of a commitment.
const OPERATION: u64 = 20;
/// A certificate of segments of tables: its points, and its part of a batch.
const CERTIFICATE: u64 = 4_000;
/// A segment that a certificate covers: its points, and their part of a batch.
const CERTIFIED_SEGMENT: u64 = 300;
/// So many bytes are a unit.
const BYTES: u64 = 32;

/// Most bytes of a block of CometBFT, its own limit.
const MOST_BYTES: u64 = 100 << 20;
/// Fewest: CometBFT keeps room for a megabyte of evidence.
const FEWEST_BYTES: u64 = 1 << 20;

/// The work of a transaction with so many signatures and these certificates: CometBFT's
/// `gas_wanted`. Of certificates it depends on their number, lengths and numbers of segments.
pub fn gas<O>(transaction: &Transaction<O>, signatures: usize, certificates: &[TableCertificate]) -> u64 {
    let each = |price: u64, count: usize| price.saturating_mul(count as u64);
    BASE.saturating_add(each(SIGNATURE, signatures))
        .saturating_add(each(CLAIM, transaction.claims.len()))
        .saturating_add(each(OPERATION, transaction.operations.len()))
        .saturating_add(transaction.bare_length() as u64 / BYTES)
        .saturating_add(each(CERTIFICATE, certificates.len()))
        .saturating_add(each(CERTIFIED_SEGMENT, certificates.iter().map(|one| usize::from(one.segments)).sum()))
        .saturating_add(certificates_length(certificates) as u64 / BYTES)
}

/// How large a block may be: CometBFT's `max_bytes` and `max_gas`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockLimits {
    /// Most bytes of CometBFT's block.
    pub max_bytes: u64,
    /// Most work of all transactions together, a rule of the chain.
    pub max_gas: u64,
}

/// Two seconds of one core where nothing is known before, of the three that CometBFT gives a
/// proposal; and 4 MiB.
impl Default for BlockLimits {
    fn default() -> Self {
        Self { max_bytes: 4 << 20, max_gas: 2_000_000 }
    }
}

impl BlockLimits {
    /// Whether CometBFT takes them.
    pub(crate) fn is_taken_by_cometbft(&self) -> bool {
        (FEWEST_BYTES..=MOST_BYTES).contains(&self.max_bytes) && self.max_gas > 0 && i64::try_from(self.max_gas).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use aardvark_dictionary::{Claim, Operation, Slot};

    use super::*;

    #[test]
    fn work_depends_on_claims_operations_signatures_and_bytes_and_not_on_openings() {
        let claim = |opening: u8| Claim { position: 0, slot: Slot::lone_sentinel(), opening: [opening; 48] };
        let with = |claims: Vec<Claim>, operations: usize| Transaction {
            first_valid: 1,
            last_valid: 1,
            nonce: [0; 16],
            operations: vec![Operation::Delete("k".into()); operations],
            claims,
        };
        let one = with(vec![claim(1)], 1);
        assert_eq!(gas(&one, 1, &[]), gas(&with(vec![claim(2)], 1), 1, &[]));
        assert_eq!(gas(&one, 3, &[]) - gas(&one, 1, &[]), 2 * SIGNATURE);
        let certificate = |segments, length| TableCertificate { segments, certificate: vec![0; length] };
        let brought = [certificate(3, 1_000), certificate(1, 4_000)];
        let work = 2 * CERTIFICATE + 4 * CERTIFIED_SEGMENT + (2 + 6 + 1_000 + 6 + 4_000) / BYTES;
        assert_eq!(gas(&one, 1, &brought) - gas(&one, 1, &[]), work);
        assert_eq!(one.bare_length(), with(vec![], 1).encoded_length() + 8 + 2 + 1 + 1);
        let many = with(vec![claim(1); 256], 256);
        let bytes = many.bare_length() as u64;
        assert_eq!(gas(&many, 1, &[]), BASE + SIGNATURE + 256 * (CLAIM + OPERATION) + bytes / BYTES);
    }

    #[test]
    fn limits_that_cometbft_does_not_take_are_refused() {
        let with = |max_bytes, max_gas| BlockLimits { max_bytes, max_gas }.is_taken_by_cometbft();
        assert!(BlockLimits::default().is_taken_by_cometbft() && with(1 << 20, 1));
        assert!(!with((1 << 20) - 1, 1) && !with((100 << 20) + 1, 1));
        assert!(!with(1 << 20, 0) && !with(1 << 20, u64::MAX));
    }
}

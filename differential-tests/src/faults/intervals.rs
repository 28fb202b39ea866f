//! Faults in when a transaction is valid.

use aardvark_dictionary::Block;

use super::pick::pick;
use super::surroundings::Surroundings;
use crate::plan::{ClaimsPlan, Fault, FaultKind};

/// Does a fault to one transaction's interval.
pub(super) fn commit(block: &mut Block, fault: &Fault, around: &Surroundings<'_>) {
    let archive = around.builder.archive;
    let (next, window) = (archive.version() + 1, u64::from(archive.setting().parameters.window));
    let Some(transaction) = pick(&mut block.transactions, fault.transaction) else {
        return;
    };
    match fault.kind {
        FaultKind::FirstValidZero => transaction.first_valid = 0,
        FaultKind::Backwards => transaction.last_valid = transaction.first_valid.saturating_sub(1),
        FaultKind::LongInterval => {
            transaction.last_valid = transaction.first_valid.saturating_add(match fault.how % 3 {
                0 => window + 1,
                1 => window + 2,
                _ => u64::MAX,
            });
        }
        FaultKind::Future => {
            transaction.first_valid = if fault.how == u8::MAX { u64::MAX } else { next + 1 + u64::from(fault.how % 2) };
            transaction.last_valid = transaction.first_valid.saturating_add(window);
        }
        FaultKind::Expire => {
            if next > 1 {
                transaction.last_valid = next - 1;
                transaction.first_valid = transaction.first_valid.min(next - 1);
            }
        }
        _ => {
            let Some(version) = archive.version().checked_sub(window + 1) else {
                return;
            };
            transaction.first_valid = version + 1;
            transaction.last_valid = if fault.how.is_multiple_of(2) { version + 1 + window } else { next };
            transaction.claims = around.builder.claims(version, &transaction.operations, ClaimsPlan::All);
        }
    }
}

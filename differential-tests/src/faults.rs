//! What is done to blocks that were well-formed: garbage that is nearly right, one mistake at a
//! time or several.
//!
//! Most faults make a block invalid, each for a reason of its own; some leave it valid (torsion on
//! an opening, a claim that a window makes needless, transactions in another order). Which is
//! which, the two sides must agree on; the faults themselves do not know.

mod claims;
mod intervals;
mod operations;
mod pick;
mod surroundings;
mod tails;

use aardvark_dictionary::Block;

use crate::plan::{Fault, FaultKind};

pub use surroundings::Surroundings;

/// Does all faults of a plan to a block, in order.
pub fn commit_all(block: &mut Block, faults: &[Fault], around: &Surroundings<'_>) {
    for fault in faults {
        commit(block, fault, around);
    }
}

/// Does one fault to a block.
pub fn commit(block: &mut Block, fault: &Fault, around: &Surroundings<'_>) {
    use FaultKind::*;
    match fault.kind {
        MoveWithinVector | MoveToOtherVector | BeyondSize | HugePosition | OpenUnused | ChangeKey | ChangeValue
        | ChangeNext | OtherVersion | LongKey | LongNext | LongValue | RepeatClaim | ExtraClaim | DropClaim
        | Malform | OtherIndex | RandomOpening | IdentityOpening | NegateOpening | AddTorsion => {
            claims::commit(block, fault, around);
        }
        SwapOpenings | CancelOpenings => claims::commit_to_two(block, fault, around),
        FirstValidZero | Backwards | LongInterval | Future | Expire | StaleBeyondWindow => {
            intervals::commit(block, fault, around);
        }
        NoOperations | EmptyKey | LongOperationKey | LongOperationValue | ZeroAmount | ForeignKey | RenameKey
        | ManyOperations | ManyClaims | ManyBytes => operations::commit(block, fault, around),
        Repeat | RepeatWithoutClaims | RepeatWithTorsion | Replay | ReplayWithoutClaims | ReplayWithTorsion
        | ReplayOtherNonce => again(block, fault, around),
        ReverseTransactions => block.transactions.reverse(),
        WrongVersion => block.version = wrong_version(block.version, fault.how),
        ManyTransactions | ManyBlockBytes => many(block, fault, around),
        DropTail | ExtraTail | HollowTail | BottomlessTail | SwapTail | TailContent | TailOrder | TailShort
        | TailLong | TailStale | TailLongKey | TailLongValue => tails::commit(block, fault, around),
    }
}

fn wrong_version(version: u64, how: u8) -> u64 {
    match how % 4 {
        0 => version + 1,
        1 => version - 1,
        2 => 0,
        _ => u64::MAX,
    }
}

/// A transaction once more.
fn again(block: &mut Block, fault: &Fault, around: &Surroundings<'_>) {
    use FaultKind::*;
    let from_block = matches!(fault.kind, Repeat | RepeatWithoutClaims | RepeatWithTorsion);
    let source = if from_block { block.transactions.clone() } else { around.applied.to_vec() };
    // The latest first: those before the window are many, and all expired alike.
    let newest_first = source.len().checked_sub(1 + usize::from(fault.how) % source.len().max(1));
    let Some(mut transaction) = newest_first.and_then(|index| source.get(index)).cloned() else {
        return;
    };
    match fault.kind {
        RepeatWithoutClaims | ReplayWithoutClaims => transaction.claims.clear(),
        RepeatWithTorsion | ReplayWithTorsion => {
            transaction.claims.iter_mut().for_each(|claim| claims::add_torsion(claim, around));
        }
        ReplayOtherNonce => transaction.nonce[5] ^= 0xff,
        _ => {}
    }
    let place = usize::from(fault.transaction) % (block.transactions.len() + 1);
    block.transactions.insert(place, transaction);
}

/// Copies of the block's transactions under other nonces, until a limit of the block is passed.
/// Nothing happens where the limit is out of reach.
fn many(block: &mut Block, fault: &Fault, around: &Surroundings<'_>) {
    let limits = &around.builder.archive.setting().parameters.limits;
    let Some(mut copy) = block.transactions.last().cloned() else {
        return;
    };
    let passed = |block: &Block| match fault.kind {
        FaultKind::ManyTransactions => block.transactions.len() as u64 > u64::from(limits.block_transactions),
        _ => block.encoded_length() as u64 > u64::from(limits.block_bytes),
    };
    let count = block.transactions.len();
    for number in 0..64 {
        if passed(block) {
            return;
        }
        (copy.nonce[6], copy.nonce[7]) = (1, number);
        block.transactions.push(copy.clone());
    }
    block.transactions.truncate(count);
}

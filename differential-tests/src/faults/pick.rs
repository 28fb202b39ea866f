//! What a fault aims at.

use aardvark_dictionary::{Block, Claim};

use crate::plan::Fault;

/// The item that a number picks, wrapping around.
pub(super) fn pick<T>(items: &mut [T], number: u8) -> Option<&mut T> {
    let length = items.len().max(1);
    items.get_mut(usize::from(number) % length)
}

/// The claim that a fault aims at: of the picked transaction, or else of the first that has any.
pub(super) fn pick_claim<'b>(block: &'b mut Block, fault: &Fault) -> Option<(u64, &'b mut Claim)> {
    let count = block.transactions.len().max(1);
    let wanted = usize::from(fault.transaction) % count;
    let bare = block.transactions.get(wanted).is_none_or(|transaction| transaction.claims.is_empty());
    let chosen =
        if bare { block.transactions.iter().position(|transaction| !transaction.claims.is_empty())? } else { wanted };
    let transaction = block.transactions.get_mut(chosen)?;
    let version = transaction.first_valid.saturating_sub(1);
    pick(&mut transaction.claims, fault.item).map(|claim| (version, claim))
}

//! Import blocks: changes that an archive's owner makes without claims
//! (`aardvark_spec::block::import`).

use crate::data::bytes::Key;
use crate::data::import_block::{Change, ImportBlock};
use crate::data::parameters::Parameters;
use crate::data::slot::Slot;
use crate::phases::changes::{NetChange, NetChanges};
use crate::state::array::{Draft, DraftError, Slots, Write};
use crate::state::ascending_puts::AscendingPuts;

/// Why an import block is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImportError<E> {
    /// A key that is empty, the sentinel's.
    #[error("the empty key is the sentinel's")]
    EmptyKey,
    /// A key that is too long.
    #[error("the key {0} is too long")]
    KeyTooLong(Key),
    /// A value that is too long.
    #[error("the value of key {0} is too long")]
    ValueTooLong(Key),
    /// Keys that do not strictly ascend.
    #[error("the key {0} is out of order or stands twice")]
    Order(Key),
    /// The array behind it failed.
    #[error(transparent)]
    Array(#[from] DraftError<E>),
}

/// What an import block does to a whole array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// What each change of the block comes to: nothing, if it puts the value that is there or
    /// deletes an absent key.
    pub net: Vec<Option<NetChange>>,
    /// The positions whose content changed, ascending.
    pub writes: Vec<Write>,
    /// Number of slots after.
    pub size: u64,
}

/// Applies an import block to a whole array, by the same rules as a block of transactions. Where it
/// deletes nothing, the slots that cover its keys suffice (`AscendingPuts`).
///
/// # Errors
/// [`ImportError`] names the key; nothing has changed then.
pub fn import<S: Slots>(
    array: &S,
    block: &ImportBlock,
    parameters: &Parameters,
) -> Result<Imported, ImportError<S::Error>> {
    let mut net = Vec::with_capacity(block.changes.len());
    let mut puts = AscendingPuts::new(array.size(), block.changes.len());
    let mut previous: Option<&Key> = None;
    let mut last: Option<(u64, Slot)> = None;
    for change in &block.changes {
        check_change(change, parameters)?;
        if previous.is_some_and(|previous| *previous >= change.key) {
            return Err(ImportError::Order(change.key.clone()));
        }
        previous = Some(&change.key);
        // Keys ascend, so that one slot often covers many of them, and all of those that come into
        // an empty dictionary: the array is asked once for each slot.
        let covering = match last.take().filter(|(_, slot)| slot.covers(&change.key)) {
            Some(covering) => Some(covering),
            None => array.covering(&change.key).map_err(DraftError::Source)?,
        };
        let covering = covering.ok_or_else(|| DraftError::MissingSlot(change.key.clone()))?;
        let (position, slot) = (covering.0, &last.insert(covering).1);
        let before = (slot.key == change.key).then_some(&slot.value);
        net.push(NetChange::of(before, change.value.as_ref()));
        if let Some(value) = &change.value {
            puts.put(position, slot, &change.key, value);
        }
    }
    if !net.contains(&Some(NetChange::Delete)) {
        return Ok(Imported { net, size: puts.size(), writes: puts.writes() });
    }
    let mut draft = Draft::new(array);
    draft.apply(&net_changes(block, &net))?;
    let size = draft.size();
    Ok(Imported { net, writes: draft.writes(), size })
}

/// A block's changes by kinds.
fn net_changes(block: &ImportBlock, net: &[Option<NetChange>]) -> NetChanges {
    let mut changes = NetChanges::default();
    for (change, net) in block.changes.iter().zip(net) {
        changes.push_as(*net, &change.key, change.value.as_ref());
    }
    changes
}

/// Whether a dictionary of these parameters takes a change.
///
/// # Errors
/// [`ImportError::EmptyKey`], [`ImportError::KeyTooLong`], [`ImportError::ValueTooLong`].
pub fn check_change<E>(change: &Change, parameters: &Parameters) -> Result<(), ImportError<E>> {
    let length = change.value.as_ref().map_or(0, |value| value.len());
    if change.key.is_empty() {
        Err(ImportError::EmptyKey)
    } else if change.key.len() > usize::from(parameters.max_key_length) {
        Err(ImportError::KeyTooLong(change.key.clone()))
    } else if length > usize::from(parameters.max_value_length) {
        Err(ImportError::ValueTooLong(change.key.clone()))
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests;

//! Import blocks: puts and deletes without claims, applied to the whole array by the rules of net
//! changes.
//!
//! They exist in an archive's own log only; validators refuse them. Source: docs/format.md,
//! "Blocks".

use crate::base::bytes::*;
use crate::block::state::*;
use crate::block::validator::*;
use crate::commitment::scheme::*;
use crate::dictionary::array::*;
use crate::dictionary::changes::*;
use crate::dictionary::genesis::*;
use crate::dictionary::writes::*;
use hacspec_lib::*;

/// The new content of a key.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImportChange {
    /// The key.
    pub import_key: ByteString,
    /// Its new content: a value, or absent.
    pub import_content: Option<ByteString>,
}

/// A block of imports.
#[derive(Clone, Debug, Default)]
pub struct ImportBlock {
    /// The version that the block leads to.
    pub import_version: usize,
    /// The changes, in strictly ascending order of keys.
    pub import_changes: Seq<ImportChange>,
}

/// Why an import block is refused; the number is that of the change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportRejection {
    /// The block is not for the version after this one.
    ImportWrongVersion,
    /// A change names the sentinel's key.
    ImportEmptyKey(usize),
    /// A key is longer than keys may be.
    ImportKeyTooLong(usize),
    /// A value is longer than values may be.
    ImportValueTooLong(usize),
    /// The key does not come after the one before it.
    ImportNotAscending(usize),
    /// The array lacks a slot: it is not a whole one.
    ImportIncompleteArray,
}

/// Whether the new content is a value that is longer than values may be.
pub fn import_value_too_long(p: &Parameters, content: &Option<ByteString>) -> bool {
    match content {
        None => false,
        Some(present) => present.len() > p.max_value_length,
    }
}

/// Whether the key of change `i` comes after the one before it.
pub fn import_ascends(items: &Seq<ImportChange>, i: usize) -> bool {
    if i > 0 { bytes_less(&items[i - 1].import_key, &items[i].import_key) } else { true }
}

/// Checks change `i`.
pub fn check_import_change(p: &Parameters, items: &Seq<ImportChange>, i: usize) -> Result<(), ImportRejection> {
    if items[i].import_key.len() == 0 {
        Err(ImportRejection::ImportEmptyKey(i))
    } else if items[i].import_key.len() > p.max_key_length {
        Err(ImportRejection::ImportKeyTooLong(i))
    } else if import_value_too_long(p, &items[i].import_content) {
        Err(ImportRejection::ImportValueTooLong(i))
    } else if !import_ascends(items, i) {
        Err(ImportRejection::ImportNotAscending(i))
    } else {
        Ok(())
    }
}

/// One step of [`check_import`].
pub fn check_import_step(
    checked: Result<(), ImportRejection>,
    p: &Parameters,
    items: &Seq<ImportChange>,
    i: usize,
) -> Result<(), ImportRejection> {
    match checked {
        Err(rejection) => Err(rejection),
        Ok(()) => check_import_change(p, items, i),
    }
}

/// The check of the block's version.
pub fn check_import_version(state: &ValidatorState, block: &ImportBlock) -> Result<(), ImportRejection> {
    if block.import_version == state.version + 1 { Ok(()) } else { Err(ImportRejection::ImportWrongVersion) }
}

/// Checks a block of imports.
pub fn check_import(state: &ValidatorState, block: &ImportBlock) -> Result<(), ImportRejection> {
    let mut checked = check_import_version(state, block);
    for i in 0..block.import_changes.len() {
        checked = check_import_step(checked, &state.parameters, &block.import_changes, i);
    }
    checked
}

/// Appends the change of one key, from its content in the array.
pub fn import_change_in(changes: ChangeMap, array: &Array, change: &ImportChange) -> Option<ChangeMap> {
    let before = array_lookup(array, &change.import_key)?;
    Some(changes.push_owned(Change {
        change_key: change.import_key.clone(),
        change_before: before,
        change_after: change.import_content.clone(),
    }))
}

/// One step of [`import_changes_in`].
pub fn import_changes_in_step(found: Option<ChangeMap>, array: &Array, change: &ImportChange) -> Option<ChangeMap> {
    match found {
        None => None,
        Some(changes) => import_change_in(changes, array, change),
    }
}

/// The changes that an import makes in an array; those that change nothing are among them.
pub fn import_changes_in(array: &Array, items: &Seq<ImportChange>) -> Option<ChangeMap> {
    let mut found = Some(ChangeMap::new(0));
    for i in 0..items.len() {
        found = import_changes_in_step(found, array, &items[i]);
    }
    found
}

/// The whole array after an import.
pub fn import_into(array: &Array, items: &Seq<ImportChange>) -> Option<Array> {
    let changes = import_changes_in(array, items)?;
    apply_changes(array, &net_changes(&changes))
}

/// What an archive's state and array are after an import; `None` when the array is not a whole one.
pub fn import_state(
    setup: &Setup,
    state: &ValidatorState,
    array: &Array,
    block: &ImportBlock,
) -> Option<(ValidatorState, Array)> {
    let after = import_into(array, &block.import_changes)?;
    let writes = writes_between(&array.array_slots, &after.array_slots);
    let advanced = advance(setup, state, &array.array_slots, &after, &writes, &state.replay_set)?;
    Some((advanced, after))
}

/// Applies a block of imports to an archive's state and whole array.
pub fn apply_import(
    setup: &Setup,
    state: &ValidatorState,
    array: &Array,
    block: &ImportBlock,
) -> Result<(ValidatorState, Array), ImportRejection> {
    let _ = check_import(state, block)?;
    match import_state(setup, state, array, block) {
        Some(imported) => Ok(imported),
        None => Err(ImportRejection::ImportIncompleteArray),
    }
}

//! Import blocks: tried on the array on the side, since validators take none.

use std::collections::BTreeMap;

use aardvark_dictionary::array::WholeArray;
use aardvark_dictionary::import::{ImportError, Imported, import};
use aardvark_dictionary::{Change, DecodeError, ImportBlock, Key};
use aardvark_spec::block::import::{ImportChange, ImportRejection, apply_import};
use aardvark_spec::block::state::ValidatorState;
use aardvark_spec::convert::to_vec;
use aardvark_spec::dictionary::array::Array;
use hacspec_lib::Seq;

use crate::compare::{self, Mismatch, same};
use crate::convert::{bytes_to_spec, number_to_spec, slot_from_spec};
use crate::pair::{Pair, spec_array};
use crate::plan::BlockPlan;
use crate::setting::{LONGEST_KEY, key_of, value_of};

/// Compares what both sides make of a plan's import, at the present version.
///
/// # Errors
/// Where they differ.
pub fn compare(pair: &Pair, plan: &BlockPlan) -> Result<(), Mismatch> {
    if plan.import.is_empty() {
        return Ok(());
    }
    let block = import_block(pair, plan);
    compare_encoding(&block)?;
    let array: WholeArray = pair.archive.now().iter().cloned().collect();
    let implemented = import(&array, &block, &pair.archive.setting().parameters);
    let spec_now = spec_array(pair.archive.now());
    let spec_block = to_spec(&block);
    let specified = apply_import(&pair.archive.setting().setup, &pair.state, &spec_now, &spec_block);
    if let Some(third) = &pair.third {
        third.import(&spec_now, &spec_block, &specified)?;
    }
    same_outcome(&spec_now, &block, specified, &array, implemented)
}

/// Compares what the specification makes of an import with what the implementation made of it.
///
/// # Errors
/// Where they differ.
pub(crate) fn same_outcome<E: std::fmt::Debug>(
    spec_now: &Array,
    block: &ImportBlock,
    specified: Result<(ValidatorState, Array), ImportRejection>,
    array: &WholeArray,
    implemented: Result<Imported, ImportError<E>>,
) -> Result<(), Mismatch> {
    match (specified, implemented) {
        (Ok((state, after)), Ok(imported)) => {
            let writes = aardvark_spec::dictionary::writes::writes_between(&spec_now.array_slots, &after.array_slots);
            let expected = imported.writes.iter().map(|write| (write.position, write.after.clone())).collect();
            same("writes of an import", compare::writes_from_spec(&writes), expected)?;
            same("number of slots after an import", state.size as u64, imported.size)?;
            let mut whole = array.clone();
            whole.take(&imported.writes, imported.size);
            let slots: Vec<_> = to_vec(&after.array_slots).iter().flatten().map(slot_from_spec).collect();
            same("array after an import", slots, whole.slots().iter().map(|(_, slot)| slot.clone()).collect())
        }
        (Err(specified), Err(implemented)) => {
            same("refusal of an import", words(specified, block), implementation_words(&implemented))
        }
        (specified, implemented) => Err(format!("an import: {specified:?} and {implemented:?}")),
    }
}

fn import_block(pair: &Pair, plan: &BlockPlan) -> ImportBlock {
    let parameters = &pair.archive.setting().parameters;
    let key = |number: u8| match number {
        u8::MAX => Key::from(vec![b'a'; usize::from(LONGEST_KEY) + 1]),
        254 => Key::empty(),
        number => key_of(number),
    };
    let change = |(number, value): &(u8, Option<_>)| Change {
        key: key(*number),
        value: value.map(|value| value_of(value, parameters)),
    };
    let mut changes: Vec<Change> = plan.import.iter().map(change).collect();
    if plan.careful {
        let sorted: BTreeMap<_, _> = changes.into_iter().map(|change| (change.key, change.value)).collect();
        changes = sorted.into_iter().map(|(key, value)| Change { key, value }).collect();
    }
    ImportBlock { version: pair.archive.version() + 1, changes }
}

fn compare_encoding(block: &ImportBlock) -> Result<(), Mismatch> {
    let ascending = block.changes.windows(2).all(|pair| pair[0].key < pair[1].key);
    match ImportBlock::decode(&block.encode()) {
        Ok(decoded) => same("an import block on the wire", (block, true), (&decoded, ascending)),
        Err(DecodeError::Order { .. }) if !ascending => Ok(()),
        Err(error) => Err(format!("{block:?} does not decode: {error}")),
    }
}

fn to_spec(block: &ImportBlock) -> aardvark_spec::block::import::ImportBlock {
    let changes = block.changes.iter().map(|change| ImportChange {
        import_key: bytes_to_spec(&change.key),
        import_content: change.value.as_ref().map(|value| bytes_to_spec(value)),
    });
    aardvark_spec::block::import::ImportBlock {
        import_version: number_to_spec(block.version),
        import_changes: Seq::from_vec(changes.collect()),
    }
}

fn words(rejection: ImportRejection, block: &ImportBlock) -> String {
    let key = |index: usize| block.changes[index].key.to_string();
    match rejection {
        ImportRejection::ImportEmptyKey(_) => "EmptyKey".to_owned(),
        ImportRejection::ImportKeyTooLong(index) => format!("KeyTooLong {}", key(index)),
        ImportRejection::ImportValueTooLong(index) => format!("ValueTooLong {}", key(index)),
        ImportRejection::ImportNotAscending(index) => format!("Order {}", key(index)),
        ImportRejection::ImportWrongVersion | ImportRejection::ImportIncompleteArray => format!("{rejection:?}"),
    }
}

fn implementation_words<E: std::fmt::Debug>(error: &ImportError<E>) -> String {
    match error {
        ImportError::EmptyKey => "EmptyKey".to_owned(),
        ImportError::KeyTooLong(key) => format!("KeyTooLong {key}"),
        ImportError::ValueTooLong(key) => format!("ValueTooLong {key}"),
        ImportError::Order(key) => format!("Order {key}"),
        ImportError::Array(error) => format!("{error:?}"),
    }
}

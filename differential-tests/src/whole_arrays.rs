//! What an accepted block does to whole arrays and to an ordinary map, without claims, window or
//! tail.

use std::collections::BTreeSet;

use aardvark_dictionary::Effects;
use aardvark_dictionary::array::{Draft, WholeArray};
use aardvark_dictionary::changes::NetChanges;
use aardvark_spec::block::block_data::Block;
use aardvark_spec::block::map::{map_of_array, map_transactions};
use aardvark_spec::convert::{byte_vec, to_vec};
use aardvark_spec::dictionary::changes::{Change, apply_changes, net_changes};
use aardvark_spec::dictionary::writes::writes_between;
use hacspec_lib::Seq;

use crate::archive::Archive;
use crate::compare::{self, Mismatch, same};
use crate::convert::{bytes_to_spec, spec_array};
use crate::oracle::ThirdJudge;
use crate::ordinary_map::OrdinaryMap;

/// The block's net changes, laid over whole arrays by everyone, give the writes that the block
/// gave; and its transactions, run on the specification's map by specification and oracle, lead to
/// the map `after`.
///
/// # Errors
/// Where they do not.
pub fn compare(
    archive: &Archive,
    third: Option<&ThirdJudge>,
    block: &Block,
    after: &OrdinaryMap,
    applied: &Effects,
) -> Result<(), Mismatch> {
    let (ours, theirs) = changes_between(&OrdinaryMap(archive.map()), after);
    let whole: WholeArray = archive.now().iter().cloned().collect();
    let mut draft = Draft::new(&whole);
    draft.apply(&ours).map_err(|error| format!("a whole array lacks a slot: {error}"))?;
    same("number of slots of the whole array", applied.size, draft.size())?;
    same("writes on the whole array", &applied.writes, &draft.writes())?;

    let array = spec_array(archive.now());
    let net = net_changes(&theirs);
    let changed = apply_changes(&array, &net);
    let entries = map_of_array(&array);
    let run = map_transactions(&entries, &block.transactions);
    if let Some(third) = third {
        third.changes(&array, &net, changed.as_ref())?;
        third.map(&entries, &block.transactions, &run)?;
    }
    let changed = changed.ok_or("the specification's whole array lacks a slot")?;
    let writes = writes_between(&array.array_slots, &changed.array_slots);
    let expected = applied.writes.iter().map(|write| (write.position, write.after.clone())).collect();
    same("writes on the specification's whole array", compare::writes_from_spec(&writes), expected)?;
    let run = run.map_err(|rejection| format!("the specification's map refuses: {rejection:?}"))?;
    let entries = to_vec(&run).into_iter().map(|entry| (byte_vec(&entry.entry_key), byte_vec(&entry.entry_value)));
    let expected = after.0.iter().map(|(key, value)| (key.to_vec(), value.to_vec()));
    same("the map after the transactions", entries.collect::<Vec<_>>(), expected.collect())
}

/// The changes of all keys from one map to another: net, for the implementation; of every key, for
/// the specification.
pub fn changes_between(before: &OrdinaryMap, after: &OrdinaryMap) -> (NetChanges, Seq<Change>) {
    let mut net = NetChanges::default();
    let mut changes = Vec::new();
    let keys: BTreeSet<_> = before.0.keys().chain(after.0.keys()).cloned().collect();
    for key in keys {
        let (old, new) = (before.get(&key), after.get(&key));
        changes.push(Change {
            change_key: bytes_to_spec(&key),
            change_before: old.map(|value| bytes_to_spec(value)),
            change_after: new.map(|value| bytes_to_spec(value)),
        });
        net.push(&key, old, new);
    }
    (net, Seq::from_vec(changes))
}

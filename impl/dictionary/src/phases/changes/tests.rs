//! docs/design.md, section 4, on whole arrays, and the cases of section 7 that are about the array
//! alone.

use super::*;
use crate::data::slot::Slot;
use crate::state::array::WholeArray;

fn ring(keys: &[&str]) -> WholeArray {
    let mut sorted: Vec<&str> = keys.to_vec();
    sorted.sort_unstable();
    let next = |key: &str| sorted.iter().find(|other| **other > key).map_or(Key::empty(), |next| Key::from(*next));
    let live = keys.iter().map(|key| Slot { key: (*key).into(), value: "v".into(), next: next(key) });
    let sentinel = Slot { next: next(""), ..Slot::default() };
    [sentinel].into_iter().chain(live).collect()
}

fn changes(inserts: &[&str], deletes: &[&str]) -> NetChanges {
    let inserts = inserts.iter().map(|key| (Key::from(*key), Value::from("v"))).collect();
    NetChanges { updates: Vec::new(), inserts, deletes: deletes.iter().map(|key| Key::from(*key)).collect() }
}

fn after(array: &WholeArray, changes: &NetChanges) -> WholeArray {
    let mut draft = Draft::new(array);
    draft.apply(changes).unwrap();
    let size = draft.size();
    assert_eq!(size, changes.size_after(array.size()));
    let mut result = array.clone();
    result.take(&draft.writes(), size);
    result
}

fn order(array: &WholeArray) -> Vec<String> {
    array.slots().iter().map(|(_, slot)| String::from_utf8_lossy(&slot.key).into_owned()).collect()
}

/// Following `next` from the sentinel visits every slot once, in key order, and positions are
/// dense.
fn assert_well_formed(array: &WholeArray) {
    let mut seen = 0;
    let mut key = Key::empty();
    loop {
        let (_, slot) = array.slots().covering(&key).unwrap();
        assert_eq!(slot.key, key);
        seen += 1;
        if slot.next.is_empty() {
            break;
        }
        assert!(slot.next > key);
        key = slot.next.clone();
    }
    assert_eq!(seen, array.size());
    assert!(array.slots().iter().map(|(position, _)| position).eq(0..array.size()));
}

#[test]
fn two_inserts_into_one_gap_share_its_covering_slot() {
    let array = after(&ring(&["a", "z"]), &changes(&["m", "n"], &[]));
    assert_well_formed(&array);
    assert_eq!(order(&array), ["", "a", "z", "m", "n"]);
}

#[test]
fn inserts_of_the_smallest_and_the_largest_key_keep_the_ring_closed() {
    let array = after(&ring(&["m"]), &changes(&["a", "z"], &[]));
    assert_well_formed(&array);
    assert_eq!(order(&array), ["", "m", "a", "z"]);
}

#[test]
fn a_delete_moves_the_last_slot_into_the_freed_position() {
    let array = after(&ring(&["a", "b", "c"]), &changes(&[], &["a"]));
    assert_well_formed(&array);
    assert_eq!(order(&array), ["", "c", "b"]);
}

#[test]
fn a_delete_of_the_last_slot_moves_nothing() {
    let array = after(&ring(&["a", "b"]), &changes(&[], &["b"]));
    assert_well_formed(&array);
    assert_eq!(order(&array), ["", "a"]);
}

#[test]
fn a_predecessor_that_is_the_last_slot_moves_with_its_new_next() {
    let array = after(&ring(&["b", "a"]), &changes(&[], &["b"]));
    assert_well_formed(&array);
    assert_eq!(order(&array), ["", "a"]);
}

#[test]
fn a_successor_that_is_the_last_slot_moves_too() {
    let array = after(&ring(&["a", "c", "b"]), &changes(&[], &["a"]));
    assert_well_formed(&array);
    assert_eq!(order(&array), ["", "b", "c"]);
}

#[test]
fn neighbours_are_deleted_in_one_block() {
    let array = after(&ring(&["a", "b", "c", "d"]), &changes(&[], &["b", "c"]));
    assert_well_formed(&array);
    assert_eq!(order(&array), ["", "a", "d"]);
}

#[test]
fn a_key_and_the_one_that_would_move_into_its_place_are_deleted_together() {
    let array = after(&ring(&["a", "b", "c"]), &changes(&[], &["a", "c"]));
    assert_well_formed(&array);
    assert_eq!(order(&array), ["", "b"]);
}

#[test]
fn everything_is_deleted_and_only_the_sentinel_stays() {
    let array = after(&ring(&["c", "a", "b"]), &changes(&[], &["a", "b", "c"]));
    assert_eq!(array, ring(&[]));
}

#[test]
fn a_position_that_ends_as_it_began_is_not_written() {
    let array = ring(&["a"]);
    let mut draft = Draft::new(&array);
    draft.apply(&changes(&["b"], &["b"])).unwrap();
    assert_eq!(draft.writes(), []);
}

#[test]
fn writes_tell_the_content_before_and_after() {
    let array = ring(&["a", "b"]);
    let mut draft = Draft::new(&array);
    draft.apply(&changes(&[], &["a"])).unwrap();
    let writes = draft.writes();
    assert_eq!(writes.iter().map(|write| write.position).collect::<Vec<_>>(), [0, 1, 2]);
    assert_eq!(writes[2].after, None);
    assert_eq!(writes[2].before, writes[1].after);
}

#[test]
fn a_change_whose_slot_is_unknown_is_refused_by_key() {
    let partial: WholeArray = [Slot { key: "a".into(), value: "".into(), next: "b".into() }].into_iter().collect();
    let mut draft = Draft::new(&partial);
    assert_eq!(draft.apply(&changes(&["x"], &[])), Err(DraftError::MissingSlot("x".into())));
}

//! Damaged stores: what an audit by partitions, and openings, find where.

use std::fs;
use std::path::Path;

use aardvark_archive::{JobKind, Jobs};
use aardvark_dictionary::Key;
use aardvark_dictionary::codec::put_slot;

use crate::killed;
use crate::scene::{
    COMMITMENTS, INDEX, KEYS, LOG, SLOTS, VECTORS, archive, audit, change_record, change_slot, open, position_of,
    recommit, resume, slot_at, start, store,
};

#[test]
fn a_damaged_slot_commitment_or_order_is_found_at_its_partition() {
    let parent = tempfile::tempdir().unwrap();
    let clean = archive(parent.path(), "1");
    let (bytes, commitment) = (fs::read(store(&clean)).unwrap(), "not the commitment of its slots");
    let damaged = |damage: &dyn Fn(&Path)| {
        fs::write(store(&clean), &bytes).unwrap();
        damage(&clean);
        audit(&clean)
    };
    let is_at = |(partition, findings): &(u64, Vec<String>), expected: u64, what: &str| {
        *partition == expected && findings.iter().all(|finding| finding.contains(what))
    };
    for position in [0, 6, KEYS.len() as u64] {
        let vector = position / 4;
        // A wrong slot, a wrong commitment.
        let (at, end) = damaged(&|path| change_slot(path, position, |slot| slot.value = "2".into()));
        assert!(at.len() == 1 && is_at(&at[0], vector, commitment) && end.is_empty(), "{position}: {at:?} {end:?}");
        // A missing slot.
        let (at, end) = damaged(&|path| change_record(&store(path), SLOTS, &position.to_be_bytes(), |_| None));
        assert!(at.len() == 1 && is_at(&at[0], vector, "missing") && end.is_empty(), "{position}: {at:?} {end:?}");
        // A wrong order under a commitment that holds: not ascending, and skipping a slot.
        for next in ["a", "i"] {
            let (at, end) = damaged(&|path| {
                change_slot(path, position, |slot| {
                    slot.next = if *slot.next == *next.as_bytes() { "z".into() } else { next.into() };
                });
                recommit(path, vector);
            });
            assert!(at.len() == 1 && is_at(&at[0], vector, "next key") && end.is_empty(), "{position}: {at:?} {end:?}");
        }
    }
    for vector in [0, VECTORS - 1] {
        let (at, end) =
            damaged(&|path| change_record(&store(path), COMMITMENTS, &vector.to_be_bytes(), |_| Some(vec![0; 96])));
        assert!(at.len() == 1 && at[0].0 == vector && end.is_empty(), "{vector}: {at:?} {end:?}");
        let (at, end) = damaged(&|path| change_record(&store(path), COMMITMENTS, &vector.to_be_bytes(), |_| None));
        assert!(at.len() == 1 && is_at(&at[0], vector, "missing") && end.is_empty(), "{vector}: {at:?} {end:?}");
    }
}

#[test]
fn a_damaged_index_and_what_stands_beyond_the_end_are_found() {
    let parent = tempfile::tempdir().unwrap();
    let path = archive(parent.path(), "1");
    let bytes = fs::read(store(&path)).unwrap();
    let again = || fs::write(store(&path), &bytes).unwrap();
    let vector_of = |key: &str| position_of(&path, key) / 4;
    let (of_g, before_g) = (vector_of("g"), vector_of("f"));
    // An index entry that leads elsewhere, and one that is gone.
    change_record(&store(&path), INDEX, b"g", |_| Some(0u64.to_be_bytes().to_vec()));
    let (at, end) = audit(&path);
    assert!(end.is_empty() && at.len() == 1 && at[0].0 == of_g, "{at:?} {end:?}");
    again();
    change_record(&store(&path), INDEX, b"g", |_| None);
    let (at, end) = audit(&path);
    let mut expected = vec![of_g, before_g];
    expected.sort_unstable();
    assert_eq!(at.iter().map(|(partition, _)| *partition).collect::<Vec<_>>(), expected);
    assert!(end.iter().any(|found| found.contains("not as many keys")), "{end:?}");
    // One too many, which the slot before it names, under a commitment that holds.
    again();
    let position = position_of(&path, "f");
    change_record(&store(&path), INDEX, b"ff", |_| Some(position.to_be_bytes().to_vec()));
    change_slot(&path, position, |slot| slot.next = Key::from("ff"));
    recommit(&path, position / 4);
    let (at, end) = audit(&path);
    assert!(at.is_empty() && end.len() == 1 && end[0].contains("not as many keys"), "{at:?} {end:?}");
    // A slot and a commitment where none is in use.
    again();
    let last = KEYS.len() as u64;
    let mut copy = 2u64.to_be_bytes().to_vec();
    put_slot(&mut copy, &slot_at(&path, last));
    change_record(&store(&path), SLOTS, &(last + 1).to_be_bytes(), |_| Some(copy.clone()));
    change_record(&store(&path), COMMITMENTS, &VECTORS.to_be_bytes(), |_| Some(vec![0; 96]));
    let (at, end) = audit(&path);
    assert!(at.is_empty() && end.len() == 2, "{at:?} {end:?}");
    assert!(end[0].contains(&format!("position {}", last + 1)) && end[1].contains("vector 3"), "{end:?}");
}

#[test]
fn partitions_that_are_well_each_with_another_index_are_refused_together() {
    let parent = tempfile::tempdir().unwrap();
    let path = archive(parent.path(), "1");
    let whole = |path: &Path| open(path).audit(&mut |_| {}).unwrap().is_clean();
    let index_entry = |key: &str, to: Option<u64>| {
        change_record(&store(&path), INDEX, key.as_bytes(), |_| to.map(|position| position.to_be_bytes().to_vec()));
    };
    let [e, f, g, h] = ["e", "f", "g", "h"].map(|key| position_of(&path, key));
    assert_eq!([e / 4, f / 4, g / 4, h / 4], [0, 2, 1, 2]);
    // The ring as committed leaves the last vector's slots out, with an index that has them not.
    for (position, next) in [(e, "g"), (g, "i")] {
        change_slot(&path, position, |slot| slot.next = next.into());
        recommit(&path, position / 4);
    }
    index_entry("f", None);
    index_entry("h", None);
    assert!(killed(&path, JobKind::Audit, 8), "two partitions are recorded");
    // With an index that has them, the last partition is well too, and there are as many keys as
    // slots.
    index_entry("f", Some(f));
    index_entry("h", Some(h));
    let report = resume(&path, JobKind::Audit).unwrap();
    assert!(report.status.false_partitions.is_empty(), "{report:?}");
    assert!(matches!(&*report.findings, [found] if found.to_string().contains("partitions' records")), "{report:?}");
    assert!(report.root.is_none() && !whole(&path));
    // In one piece, each partition with a link that leaves slots out is found by itself.
    let (at, _) = audit(&path);
    assert_eq!(at.iter().map(|(partition, _)| *partition).collect::<Vec<_>>(), [0, 1]);
}

#[test]
fn an_audit_refuses_a_log_whose_links_do_not_hold() {
    let parent = tempfile::tempdir().unwrap();
    let path = archive(parent.path(), "1");
    change_record(&store(&path), LOG, &[1u64.to_be_bytes(), 0u64.to_be_bytes()].concat(), |body| {
        let mut body = body.unwrap();
        *body.last_mut().unwrap() ^= 1;
        Some(body)
    });
    let (at, end) = audit(&path);
    assert!(at.is_empty() && end.len() == 1 && end[0].contains("not the block that was written"), "{at:?} {end:?}");
}

#[test]
fn openings_of_a_false_commitment_are_not_stored_and_their_partition_is_named() {
    let parent = tempfile::tempdir().unwrap();
    let path = archive(parent.path(), "1");
    change_slot(&path, 9, |slot| slot.value = "2".into());
    let report = start(&path, JobKind::Openings, 2).unwrap();
    let [found] = &*report.status.false_partitions else { panic!("{report:?}") };
    assert_eq!((found.partition, found.vectors.clone(), report.status.done), (1, 2..3, 2));
    assert!(report.findings.is_empty() && !report.is_clean(), "{report:?}");
    assert_eq!(Jobs::at(&path).unwrap().status(JobKind::Openings).unwrap(), Some(report.status));
    assert_eq!(open(&path).stored_openings().unwrap().unwrap().current, 2);
    // Rows that are gone are found when the job is asked again.
    let parent = tempfile::tempdir().unwrap();
    let path = archive(parent.path(), "1");
    assert!(start(&path, JobKind::Openings, 2).unwrap().is_clean());
    assert_eq!(open(&path).stored_openings().unwrap().unwrap().current, VECTORS);
    open(&path).remove_stored_openings().unwrap();
    let report = resume(&path, JobKind::Openings).unwrap();
    assert_eq!(report.findings.len() as u64, VECTORS, "{report:?}");
}

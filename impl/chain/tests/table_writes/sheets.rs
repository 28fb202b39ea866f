//! What steps put and what certificates show, where honest writes pass and changed ones do not.

use aardvark_aggregates::{Head, Schema};
use aardvark_dictionary::Operation;

use crate::scene::*;
use aardvark_chain::TableCertificate;
use aardvark_chain::TxCode::{self, *};
use aardvark_chain::tables::{self, TableSheet, certified_keys, false_ones, judge};

/// The same write with another value under a key.
fn with_value(write: &Write, changed: &aardvark_dictionary::Key, bytes: &[u8]) -> Write {
    let change = |operation: &Operation| match operation {
        Operation::Put(key, _) if key == changed => put(key.clone(), bytes),
        other => other.clone(),
    };
    (write.0.iter().map(change).collect(), write.1.clone())
}

/// The same write with a changed certificate.
fn with_certificate(write: &Write, place: usize, change: impl FnOnce(&mut TableCertificate)) -> Write {
    let mut changed = write.clone();
    change(&mut changed.1[place]);
    changed
}

#[test]
fn runs_are_appended_extended_amended_and_deleted() {
    let mut scene = Scene::new(2);
    let (one, two) = (scene.known(1, &[3, 3, 180]), scene.known(1, &[0]));
    // Two runs on one domain have places of their own.
    let beside = scene.known(5, &[7]);
    let append = scene.append(&[(1, &two), (2, &beside)]);
    assert_eq!(scene.verdict(&append), Ok(()));
    let keys = certified_keys(&transaction(&append.0), &append.1);
    assert_eq!(keys.len(), 1);
    assert_eq!(keys[0].keys, [head_key(1).to_vec(), head_key(2).to_vec()]);
    assert_eq!(keys[0].certificate, append.1[0].certificate);

    let next = scene.known(2, &[180, 200]);
    let extend = scene.extend(1, std::slice::from_ref(&one), &next);
    assert_eq!(scene.verdict(&extend), Ok(()));
    assert_eq!(certified_keys(&transaction(&extend.0), &extend.1)[0].keys, [segment_key(1, 0, 1).to_vec()]);
    let last = scene.known(1, &[200]);
    let third = scene.extend(1, &[one.clone(), next.clone()], &last);
    assert_eq!(scene.verdict(&third), Ok(()));

    let amended = scene.known(1, &[1, 2]);
    let (before, after) = (head_of(&[one.clone(), next]), Head::single(1, amended.record.clone()));
    let amend = |scene: &mut Scene, revision| {
        let certificate = scene.certify(0, revision, &[(1, &amended)]);
        let operations = vec![
            scene.pin(),
            require(head_key(1), Some(&before.to_bytes())),
            put(head_key(1), &after.to_bytes()),
            Operation::Delete(segment_key(1, 0, 1)),
        ];
        (operations, vec![certificate])
    };
    let write = amend(&mut scene, 1);
    assert_eq!(scene.verdict(&write), Ok(()));
    // A certificate of another revision says nothing of this one.
    let other = amend(&mut scene, 0);
    assert_eq!(scene.verdict(&other), Err(CertificateFalse));
    // Segments of the revision that stands stay.
    let mut standing = write.clone();
    standing.0[3] = Operation::Delete(segment_key(1, 1, 1));
    assert_eq!(scene.verdict(&standing), Err(Immutable));
    // So they do where the head stays; those of another revision go.
    for (revision, verdict) in [(0, Err(Immutable)), (1, Ok(()))] {
        let head = require(head_key(1), Some(&before.to_bytes()));
        let kept = vec![scene.pin(), head, Operation::Delete(segment_key(1, revision, 1))];
        assert_eq!(scene.verdict(&(kept, vec![])), verdict);
    }
    // A head that stands says its rows.
    let mut miscounted = write.clone();
    let rows = Head { whole: None, ..before.clone() }.to_bytes();
    let rows = [&rows[..16], &[rows[16] + 1], &rows[17..]].concat();
    miscounted.0[1] = require(head_key(1), Some(&rows));
    assert_eq!(scene.verdict(&miscounted), Err(RecordFalse));
    // Another revision than the next one.
    let skipped = with_value(&write, &head_key(1), &Head { revision: 2, ..after.clone() }.to_bytes());
    assert_eq!(scene.verdict(&skipped), Err(RecordFalse));

    let delete = |scene: &Scene| {
        let head = Head::single(0, one.record.clone()).to_bytes();
        (vec![scene.pin(), require(head_key(1), Some(&head)), Operation::Delete(head_key(1))], vec![])
    };
    assert_eq!(scene.verdict(&delete(&scene)), Ok(()));
    for (flags, replaced) in [(0, Ok(())), (1, Err(Immutable))] {
        scene.schema = schema(flags);
        assert_eq!(scene.verdict(&delete(&scene)), Err(Immutable));
        let mut write = amend(&mut scene, 1);
        write.0.pop();
        assert_eq!(scene.verdict(&write), replaced);
    }
    // What is not there is not deleted.
    scene.schema = schema(2);
    let absent = vec![scene.pin(), require(head_key(1), None), Operation::Delete(head_key(1))];
    assert_eq!(scene.verdict(&(absent, vec![])), Err(RecordFalse));
}

#[test]
fn a_certificate_is_about_its_dictionary_table_column_keys_and_records() {
    let mut scene = Scene::new(0);
    let (one, two, other) = (scene.known(1, &[3, 9]), scene.known(5, &[7]), scene.known(1, &[3, 9]));
    let write = scene.append(&[(1, &one), (2, &two)]);
    assert_eq!(scene.verdict(&write), Ok(()));
    let single = scene.append(&[(1, &one)]);
    let certified = |certificate: TableCertificate, write: &Write| (write.0.clone(), vec![certificate]);
    let false_ones = [
        // Another record, key, order; the same rows under other masks.
        scene.certify(0, 0, &[(1, &other)]),
        scene.certify(0, 0, &[(2, &one)]),
        scene.certify(0, 1, &[(1, &one)]),
        scene.certify(1, 0, &[(1, &one)]),
    ];
    for certificate in false_ones {
        assert_eq!(scene.verdict(&certified(certificate, &single)), Err(CertificateFalse));
    }
    let exchanged =
        vec![write.0[0].clone(), write.0[3].clone(), write.0[4].clone(), write.0[1].clone(), write.0[2].clone()];
    assert_eq!(scene.verdict(&(exchanged, write.1.clone())), Err(CertificateFalse));
    // Of another dictionary.
    let sheets = judge(&aardvark_dictionary::DictionaryId([2; 32]), &transaction(&write.0), &write.1).unwrap();
    let honest = judge(&DICTIONARY, &transaction(&write.0), &write.1).unwrap();
    let all: [&[TableSheet]; 5] = [&honest, &sheets, &[], &honest, &sheets];
    assert_eq!(false_ones_of(&scene, &all), [1, 4]);
    assert_eq!(tables::first_false(&scene.verifier, &all), Some(1));
    assert_eq!(tables::first_false(&scene.verifier, &all[2..4]), None);
    // Under another schema, though the segments are the same; a watermark changes nothing.
    let mut wider = schema(0);
    wider.values[0].span = 201;
    for (schema, verdict) in [(wider, Err(CertificateFalse)), (Schema { watermark: vec![1], ..schema(0) }, Ok(()))] {
        scene.schema = schema;
        let mut changed = write.clone();
        changed.0[0] = scene.pin();
        assert_eq!(scene.verdict(&changed), verdict);
    }
}

fn false_ones_of(scene: &Scene, all: &[&[TableSheet]]) -> Vec<usize> {
    false_ones(&scene.verifier, all)
}

#[test]
fn certificates_that_are_cut_grown_or_changed_are_refused() {
    let mut scene = Scene::new(0);
    let one = scene.known(1, &[3, 9]);
    let write = scene.append(&[(1, &one)]);
    let bytes = write.1[0].certificate.clone();
    for length in [0, 1, 48, bytes.len() - 1, bytes.len() + 1, bytes.len() + 80] {
        let cut = with_certificate(&write, 0, |one| one.certificate.resize(length, 0));
        assert_eq!(scene.verdict(&cut), Err(CertificateMalformed), "{length}");
    }
    let other_format = with_certificate(&write, 0, |one| one.certificate[0] = 2);
    assert_eq!(scene.verdict(&other_format), Err(CertificateMalformed));
    // A point that is none; a scalar that is not canonical, and another one.
    let no_point = with_certificate(&write, 0, |one| one.certificate[1] = 0);
    assert_eq!(scene.verdict(&no_point), Err(CertificateMalformed));
    let scalars = 1 + (8 + 3) * 48;
    let large = with_certificate(&write, 0, |one| one.certificate[scalars..scalars + 32].fill(0xff));
    assert_eq!(scene.verdict(&large), Err(CertificateMalformed));
    let changed = with_certificate(&write, 0, |one| one.certificate[scalars + 31] ^= 1);
    assert_eq!(scene.verdict(&changed), Err(CertificateFalse));
    // A linked one in the place of one that continues nothing.
    let (before, next) = (scene.known(1, &[1]), scene.known(1, &[3, 9]));
    let linked = scene.certify_behind(1, 1, &before, &next);
    assert_eq!(scene.verdict(&(write.0.clone(), vec![linked])), Err(CertificateFalse));
}

#[test]
fn heads_and_segments_say_what_they_add_up_to() {
    let mut scene = Scene::new(0);
    let (first, next) = (scene.known(1, &[3, 9]), scene.known(1, &[9, 20]));
    let write = scene.extend(1, std::slice::from_ref(&first), &next);
    assert_eq!(scene.verdict(&write), Ok(()));
    let head = head_of(&[first.clone(), next.clone()]);
    let heads: [fn(&mut Head); 6] = [
        |head| whole(head).rows += 1,
        |head| whole(head).segments += 1,
        |head| whole(head).totals.swap(0, 1),
        |head| whole(head).totals[1] = head.record.sums[1],
        |head| head.record.root[0] ^= 1,
        |head| head.record.first += 1,
    ];
    for (place, change) in heads.into_iter().enumerate() {
        let mut changed = head.clone();
        change(&mut changed);
        let changed = with_value(&write, &head_key(1), &changed.to_bytes());
        assert_eq!(scene.verdict(&changed), Err(RecordFalse), "{place}");
    }
    let segment = segment_key(1, 0, 1);
    let value = piece_value(&[first.clone(), next.clone()], 1);
    for (place, change) in [(0, 1), (8, 1), (9, 8), (10, 200), (14, 0x80), (14 + 48 + 32, 0x80)] {
        let mut changed = value.clone();
        changed[place] ^= change;
        assert_eq!(scene.verdict(&with_value(&write, &segment, &changed)), Err(RecordFalse), "{place}");
    }
    assert_eq!(scene.verdict(&with_value(&write, &segment, &value[1..])), Err(RecordFalse));
    // A point of small order in the place of a commitment.
    let mut torsion = value.clone();
    torsion[14..14 + 48].copy_from_slice(&torsion_point());
    assert_eq!(scene.verdict(&with_value(&write, &segment, &torsion)), Err(RecordFalse));
    // Another link: the run of other rows with the same head but for its values.
    let other = scene.known(1, &[3, 9]);
    let mut linked = write.clone();
    linked.1 = scene.extend(1, &[other], &next).1;
    assert_eq!(scene.verdict(&linked), Err(CertificateFalse));
    // Segments are of the revision of their head, and come behind its last one.
    let single = Head::single(0, first.record.clone());
    let again = Head { revision: 1, ..head.clone() };
    let replaced = with_value(&write, &head_key(1), &again.to_bytes());
    assert_eq!(scene.verdict(&replaced), Err(TableMalformed));
    let last = scene.known(1, &[20]);
    let third = scene.extend(1, &[first, next], &last);
    assert_eq!(scene.verdict(&third), Ok(()));
    let mut skipped = third.clone();
    skipped.0[1] = require(head_key(1), Some(&single.to_bytes()));
    assert_eq!(scene.verdict(&skipped), Err(RecordFalse));
    // The one before is what its value says, and has a record.
    for (value, verdict) in [(b"".as_slice(), RecordFalse), (&value_of(&write), CertificateFalse)] {
        let mut pinned = third.clone();
        pinned.0[2] = require(segment_key(1, 0, 1), Some(&shifted(value)));
        assert_eq!(scene.verdict(&pinned), Err::<(), TxCode>(verdict));
    }
}

/// The value of the segment that a write puts.
fn value_of(write: &Write) -> Vec<u8> {
    match &write.0[3] {
        Operation::Put(_, value) => value.to_vec(),
        other => panic!("{other:?} puts no segment"),
    }
}

/// A segment with another root over its texts.
fn shifted(value: &[u8]) -> Vec<u8> {
    let mut bytes = value.to_vec();
    if let Some(byte) = bytes.get_mut(14 + 48) {
        *byte ^= 1;
    }
    bytes
}

/// A point of the curve outside its subgroup: x = 4 has order 3 up to the cofactor's other factors.
fn torsion_point() -> [u8; 48] {
    let mut bytes = [0; 48];
    bytes[0] = 0x80;
    for x in 0..=255u8 {
        bytes[47] = x;
        let error = aardvark_commitment::Commitment::from_bytes(&bytes).err();
        if error == Some(aardvark_algebra::DecodeError::NotInSubgroup) {
            return bytes;
        }
    }
    panic!("no small x is that of a point outside the subgroup")
}

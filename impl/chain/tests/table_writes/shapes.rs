//! What a write may look like, and who signs it. No point is looked at.

use aardvark_aggregates::Schema;

use crate::scene::*;
use aardvark_chain::TableCertificate;
use aardvark_chain::TxCode::{self, *};

fn certificate(segments: u16) -> TableCertificate {
    TableCertificate { segments, certificate: vec![] }
}

/// The bytes of a head that say a revision; nothing else of them is looked at here.
fn head(revision: u32) -> Vec<u8> {
    [&[1], revision.to_be_bytes().as_slice()].concat()
}

/// What is said of operations behind the pinned schema, with certificates of so many segments.
fn said(flags: u8, operations: Vec<aardvark_dictionary::Operation>, segments: &[u16]) -> Result<(), TxCode> {
    let pin = require(schema_key(), Some(&schema(flags).to_bytes()));
    let operations = [vec![pin], operations].concat();
    checked(&[WRITER], &(operations, segments.iter().copied().map(certificate).collect()))
}

#[test]
fn a_table_is_created_by_a_creator_and_sealed_by_a_writer() {
    let bytes = schema(0).to_bytes();
    let create = (vec![require(schema_key(), None), put(schema_key(), &bytes)], vec![]);
    assert_eq!(checked(&[CREATOR], &create), Ok(()));
    assert_eq!(checked(&[WRITER], &create), Err(SignerSuperfluous));
    assert_eq!(checked(&[CREATOR, WRITER], &create), Err(SignerSuperfluous));
    assert_eq!(checked(&[], &create), Err(SignerMissing));
    let certified = (create.0.clone(), vec![certificate(1)]);
    assert_eq!(checked(&[CREATOR], &certified), Err(CertificateMalformed));

    let sealed = |watermark: &[u8]| Schema { watermark: watermark.to_vec(), ..schema(0) }.to_bytes();
    let seal = |from: &[u8], to: &[u8]| {
        (vec![require(schema_key(), Some(&sealed(from))), put(schema_key(), &sealed(to))], vec![])
    };
    assert_eq!(checked(&[WRITER], &seal(&[], &[5])), Ok(()));
    assert_eq!(checked(&[CREATOR], &seal(&[], &[5])), Err(SignerSuperfluous));
    assert_eq!(checked(&[WRITER], &seal(&[5], &[5])), Err(TableMalformed));
    assert_eq!(checked(&[WRITER], &seal(&[5], &[4])), Err(TableMalformed));
    // A table begins open, and is made once.
    let early = (vec![require(schema_key(), None), put(schema_key(), &sealed(&[5]))], vec![]);
    assert_eq!(checked(&[CREATOR], &early), Err(TableMalformed));
    let other = schema(1).to_bytes();
    let changed = (vec![require(schema_key(), Some(&bytes)), put(schema_key(), &other)], vec![]);
    assert_eq!(checked(&[WRITER], &changed), Err(TableMalformed));
}

#[test]
fn every_write_begins_with_the_schema() {
    let operations = vec![require(head_key(1), None), put(head_key(1), &head(0))];
    let unpinned = (operations.clone(), vec![certificate(1)]);
    assert_eq!(checked(&[WRITER], &unpinned), Err(SchemaNotPinned));
    assert_eq!(checked(&[WRITER], &(vec![], vec![])), Err(SchemaNotPinned));
    let put_first = (vec![put(schema_key(), &schema(0).to_bytes())], vec![]);
    assert_eq!(checked(&[WRITER], &put_first), Err(SchemaNotPinned));
    // Absent, or no schema, it has no writers.
    for content in [None, Some(b"no schema".as_slice())] {
        let pinned = [vec![require(schema_key(), content)], operations.clone()].concat();
        assert_eq!(checked(&[WRITER], &(pinned, vec![certificate(1)])), Err(TableMalformed));
    }
    assert_eq!(said(0, vec![], &[]), Err(TableMalformed));
    assert_eq!(said(0, operations, &[1]), Ok(()));
}

#[test]
fn a_step_has_its_order_and_every_other_one_is_refused() {
    let value = head(0);
    let begin = || vec![require(head_key(1), None), put(head_key(1), &value)];
    let segment = |number| segment_key(1, 0, number);
    let grow = |pinned: Option<u32>, numbers: &[u32]| {
        let mut operations = vec![require(head_key(1), Some(&value))];
        operations.extend(pinned.map(|number| require(segment(number), Some(b"segment"))));
        for number in numbers {
            operations.extend([require(segment(*number), None), put(segment(*number), b"segment")]);
        }
        operations.push(put(head_key(1), &value));
        operations
    };
    assert_eq!(said(0, begin(), &[1]), Ok(()));
    assert_eq!(said(0, [begin(), vec![require(head_key(2), None), put(head_key(2), &value)]].concat(), &[2]), Ok(()));
    assert_eq!(said(0, grow(None, &[1]), &[1]), Ok(()));
    assert_eq!(said(0, grow(None, &[1, 2]), &[1, 1]), Ok(()));
    assert_eq!(said(0, grow(Some(3), &[4]), &[1]), Ok(()));
    let delete = vec![require(head_key(1), Some(&value)), aardvark_dictionary::Operation::Delete(head_key(1))];
    assert_eq!(said(2, delete.clone(), &[]), Ok(()));
    let clear = |key| aardvark_dictionary::Operation::Delete(key);
    assert_eq!(said(2, vec![require(head_key(1), None), clear(segment(1)), clear(segment(2))], &[]), Ok(()));
    assert_eq!(said(2, [delete.clone(), vec![clear(segment(1))]].concat(), &[]), Ok(()));

    let malformed = [
        // The segment before is not pinned, or is another one, or is in the head.
        grow(None, &[2]),
        grow(Some(2), &[4]),
        grow(Some(3), &[]),
        grow(Some(3), &[4, 6]),
        // Nothing happens, or the head is not there, or twice.
        vec![require(head_key(1), Some(&value))],
        vec![put(head_key(1), &value)],
        [begin(), begin()].concat(),
        [begin(), vec![put(head_key(1), &value)]].concat(),
        [begin(), vec![put(head_key(2), &value)]].concat(),
        vec![require(head_key(1), None), require(segment(1), None), put(segment(1), b"")],
        // What is put was not required to be absent, or another one was.
        vec![require(head_key(1), None), put(segment(1), b""), put(head_key(1), &value)],
        vec![require(head_key(1), None), require(segment(1), None), put(segment(2), b""), put(head_key(1), &value)],
        // Of another run, revision, table; of no table.
        vec![require(head_key(2), None), require(segment(1), None), put(segment(1), b""), put(head_key(2), &value)],
        vec![
            require(head_key(1), None),
            require(segment_key(1, 1, 1), None),
            put(segment_key(1, 1, 1), b""),
            put(head_key(1), &value),
        ],
        vec![require(schema_key(), Some(b"")), put(schema_key(), b"")],
        vec![
            require("T\x01u\x01\x00\x01\x00\x00\x00\x00".into(), None),
            put("T\x01u\x01\x00\x01\x00\x00\x00\x00".into(), &value),
        ],
        vec![require("k".into(), None), put("k".into(), b"v")],
        vec![require(head_key(1), None), aardvark_dictionary::Operation::Add(head_key(1), 1)],
        // Segments of two revisions, and one behind a segment of another.
        vec![
            require(head_key(1), Some(&value)),
            require(segment(1), None),
            put(segment(1), b""),
            require(segment_key(1, 1, 2), None),
            put(segment_key(1, 1, 2), b""),
            put(head_key(1), &value),
        ],
        vec![
            require(head_key(1), Some(&value)),
            require(segment_key(1, 1, 3), Some(b"segment")),
            require(segment(4), None),
            put(segment(4), b""),
            put(head_key(1), &value),
        ],
        // Segments go before the head does, and are put.
        vec![require(head_key(1), Some(&value)), clear(segment(1)), clear(head_key(1))],
        vec![require(head_key(1), Some(&value)), require(segment(1), None), put(segment(1), b""), clear(head_key(1))],
        vec![
            require(head_key(1), Some(&value)),
            require(segment(1), None),
            put(segment(1), b""),
            clear(segment_key(1, 1, 1)),
        ],
    ];
    for (place, operations) in malformed.into_iter().enumerate() {
        for segments in [&[][..], &[1], &[2], &[1, 1]] {
            assert_eq!(said(2, operations.clone(), segments), Err(TableMalformed), "{place}: {operations:?}");
        }
    }
}

#[test]
fn keys_below_the_watermark_are_closed() {
    let sealed = Schema { watermark: vec![5], ..schema(0) }.to_bytes();
    let said = |time: u8| {
        let pin = require(schema_key(), Some(&sealed));
        let operations = vec![pin, require(head_key(time), None), put(head_key(time), &head(0))];
        checked(&[WRITER], &(operations, vec![certificate(1)]))
    };
    assert_eq!((said(4), said(5)), (Err(Closed), Ok(())));
}

#[test]
fn certificates_cover_what_is_put_each_once_and_one_column_each() {
    let column =
        |column: u8, time: u8| vec![require(head_key_of(column, time), None), put(head_key_of(column, time), &head(0))];
    let two = || [column(0, 1), column(0, 2)].concat();
    assert_eq!(said(0, two(), &[2]), Ok(()));
    assert_eq!(said(0, two(), &[1, 1]), Ok(()));
    for segments in [&[][..], &[1], &[3], &[1, 2], &[2, 1], &[2, 0], &[0, 2], &[u16::MAX]] {
        assert_eq!(said(0, two(), segments), Err(CertificateMalformed), "{segments:?}");
    }
    let columns = || [column(0, 1), column(1, 1)].concat();
    assert_eq!(said(0, columns(), &[1, 1]), Ok(()));
    assert_eq!(said(0, columns(), &[2]), Err(CertificateMalformed));
    // A segment that continues a run comes first in its sheet; heads may stand behind it. The head
    // of a run that only grows is covered by nothing.
    let value = head(0);
    let grow = vec![
        require(head_key(1), Some(&value)),
        require(segment_key(1, 0, 1), None),
        put(segment_key(1, 0, 1), b""),
        put(head_key(1), &value),
    ];
    assert_eq!(said(0, [grow.clone(), column(0, 2)].concat(), &[2]), Ok(()));
    assert_eq!(said(0, [column(0, 2), grow.clone()].concat(), &[2]), Err(CertificateMalformed));
    assert_eq!(said(0, [column(0, 2), grow.clone()].concat(), &[1, 1]), Ok(()));
    assert_eq!(said(0, grow, &[1, 1]), Err(CertificateMalformed));
    // Of a run that is replaced both are put.
    let replaced = vec![
        require(head_key(1), Some(&value)),
        require(segment_key(1, 1, 1), None),
        put(segment_key(1, 1, 1), b""),
        put(head_key(1), &head(1)),
    ];
    assert_eq!(said(0, replaced.clone(), &[1]), Err(CertificateMalformed));
    assert_eq!(said(0, replaced, &[2]), Ok(()));
    // Bytes that are too short for a revision grow nothing.
    let short = vec![require(head_key(1), Some(b"")), put(head_key(1), b"")];
    assert_eq!(said(0, short, &[1]), Ok(()));
}

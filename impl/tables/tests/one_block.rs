//! Several transactions of one block that put the same run, one after the other: only a proposer
//! can arrange that, and the rules allow it. Each brings the certificate of what it puts.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

mod chain_scene;

use std::collections::BTreeMap;

use aardvark_aggregates::certificate::statement::sheet_of_statement;
use aardvark_aggregates::{
    About, Certificate, CertificateMasks, CertifiedSheet, Head, KnownSegment, MaskSource, SheetItem, StatedCertificate,
    TableKey, TableVerifier, prove,
};
use aardvark_chain::SignedTransaction;
use aardvark_dictionary::{Key, Limits, Operation, Value};
use aardvark_tables::chain::{DraftCertificate, Ledger, Signing, ToSign};
use aardvark_tables::stated::StatedColumn;
use aardvark_tables::{Sifted, certificates_behind, sift};

use chain_scene::{Life, Scene, import, schema, setup};

/// The runs of times 1, 2 and so on, of a row each, on one sheet.
struct Sheet {
    revision: u32,
    heads: Vec<(Key, Value)>,
    certificate: DraftCertificate,
}

fn sheet(scene: &Scene, masks: &mut MaskSource, revision: u32, numbers: &[u64]) -> Sheet {
    let setup = setup();
    let sheet = setup.sheet(4).unwrap();
    let about = About::of_column(scene.id(), "meters", &schema(), 0).unwrap();
    let (mut items, mut segments, mut heads) = (Vec::new(), Vec::new(), Vec::new());
    for (time, number) in (1u32..).zip(numbers) {
        let segment = KnownSegment::draw(masks, 2 * time as usize - 1, vec![*number], 1);
        let record = segment.commit(sheet, [0; 32]);
        let columns = time.to_be_bytes().to_vec();
        let key = TableKey::Head { table: "meters".to_owned(), column: 0, columns: columns.clone(), run: 0 };
        let head = Head::single(revision, record.clone());
        heads.push((Key::from(key.to_bytes()), Value::from(head.to_bytes())));
        items.push(SheetItem { columns, run: 0, revision, segment: 0, record });
        segments.push(segment);
    }
    let certificate = prove(sheet, &about, &items, &segments, &CertificateMasks::draw(masks, 8)).unwrap().to_bytes();
    Sheet { revision, heads, certificate: DraftCertificate { segments: numbers.len() as u16, certificate } }
}

/// A transaction that puts the runs of a sheet in the place of those that stand before.
fn signed(scene: &mut Scene, sheet: &Sheet, before: &BTreeMap<Key, Value>) -> SignedTransaction {
    let schema_key = Key::from(TableKey::Schema { table: "meters".to_owned() }.to_bytes());
    let mut operations = vec![Operation::Require(schema_key.clone(), Some(Value::from(schema().to_bytes())))];
    let mut keys = BTreeMap::from([(schema_key, false)]);
    for (key, head) in &sheet.heads {
        operations.push(Operation::Require(key.clone(), before.get(key).cloned()));
        operations.push(Operation::Put(key.clone(), head.clone()));
        keys.insert(key.clone(), false);
    }
    let mut ledger = scene.ledger(&Life::endless());
    let (version, claims) = ledger.claims(&keys).unwrap();
    let certificates = vec![sheet.certificate.clone()];
    match ledger.sign(ToSign { operations, claims, version, certificates }).unwrap() {
        Signing::Signed(signed, _) => signed,
        Signing::Refused(reason) => panic!("{reason}"),
    }
}

#[test]
fn transactions_of_one_block_that_amend_one_run_have_the_certificate_of_each() {
    let mut scene = Scene::new(Limits::default());
    let life = Life::endless();
    let mut keeper = scene.keeper(&life).unwrap();
    keeper.create(&mut scene.ledger(&life), "meters", &schema()).unwrap();
    let mut masks = MaskSource::new([5; 32]);
    let sheets = [
        sheet(&scene, &mut masks, 0, &[10, 20]),
        sheet(&scene, &mut masks, 1, &[11, 21]),
        sheet(&scene, &mut masks, 2, &[12]),
    ];
    let mut stands = BTreeMap::new();
    let begins = signed(&mut scene, &sheets[0], &stands);
    assert_eq!(scene.apply(&begins), Some(2));
    stands.extend(sheets[0].heads.clone());
    // Of the two runs that the first amends, the second amends the first one again.
    let first = signed(&mut scene, &sheets[1], &stands);
    stands.extend(sheets[1].heads.clone());
    let second = signed(&mut scene, &sheets[2], &stands);
    stands.extend(sheets[2].heads.clone());
    for transaction in [&first, &second] {
        assert_eq!(scene.judged(transaction), Ok(()));
    }
    assert_eq!(scene.apply_together(&[first, second]), Some(3));

    let audited = scene.audit_public();
    assert_eq!((audited.findings, audited.certificates, audited.rows), (vec![], 3, 2));
    // Each is listed with what it is about, and so is what an answer needs of them.
    let (listed, _) = certificates_behind(&scene.archive, &scene.certificates, "meters", None, 9).unwrap();
    let listed: Vec<StatedCertificate> = listed.into_iter().map(|placed| placed.stated).collect();
    let column = StatedColumn { archive: &scene.archive, table: "meters", schema: &schema(), column: 0, version: 3 };
    let of_heads = stands.iter().map(|(key, value)| (&**key, &**value));
    let used = column.certificates(&scene.certificates, of_heads).unwrap();
    assert_eq!(used, listed[1..]);
    let about = About::of_column(scene.id(), "meters", &schema(), 0).unwrap();
    let verifier = TableVerifier::new(setup().tau_g2());
    for (stated, sheet) in listed.iter().zip(&sheets) {
        let read = sheet_of_statement(&about, 4, &stated.statement).unwrap();
        assert!(read.items.len() == sheet.heads.len() && read.items[0].revision == sheet.revision);
        let certificate = Certificate::from_bytes(&stated.certificate, about.bits).unwrap();
        let certified = CertifiedSheet { about: &about, link: None, items: &read.items, certificate: &certificate };
        assert!(verifier.verify_sheet(&certified).is_ok());
    }
    // One that is lost is missed of the transaction that brought it.
    let mut stored = scene.certificates.of_version(3).unwrap();
    stored.remove(1);
    scene.certificates.put(3, &stored).unwrap();
    let findings = scene.audit_public().findings;
    assert!(findings.len() == 1 && findings[0].to_string().ends_with("it has no certificate"), "{findings:?}");
}

#[test]
fn a_certificate_that_is_there_twice_or_with_a_version_that_put_something_else_is_sifted_out() {
    let mut scene = Scene::new(Limits::default());
    let life = Life::endless();
    let mut keeper = scene.keeper(&life).unwrap();
    keeper.create(&mut scene.ledger(&life), "meters", &schema()).unwrap();
    import(&mut keeper, &mut scene.ledger(&life), [(1, 10)].into_iter(), false).unwrap();
    import(&mut keeper, &mut scene.ledger(&life), [(2, 20)].into_iter(), false).unwrap();
    let [of_two, of_three] = [2, 3].map(|version| scene.certificates.of_version(version).unwrap());
    // What version 2 has put stands at version 3, too, which has but one transaction.
    scene.certificates.put(2, &[of_two.clone(), of_two.clone()].concat()).unwrap();
    scene.certificates.put(3, &[of_two.clone(), of_three.clone()].concat()).unwrap();
    assert_eq!(scene.audit_public().findings.len(), 2);
    let sifted = sift(&scene.archive, &scene.certificates).unwrap();
    assert_eq!(sifted, Sifted { kept: 2, removed: 2 });
    assert_eq!([2, 3].map(|version| scene.certificates.of_version(version).unwrap()), [of_two, of_three]);
    assert_eq!(scene.audit_public().findings, []);
}

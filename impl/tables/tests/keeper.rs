//! The keeper on a disk: what a kill between vault, certificates and archive leaves is swept; runs
//! longer than a sheet become several; what is stored is what is committed to.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

use std::path::{Path, PathBuf};

use aardvark_aggregates::{Head, KeyColumn, KeyKind, Schema, TableKey, ValueColumn};
use aardvark_algebra::ff::Field;
use aardvark_algebra::group::Curve;
use aardvark_algebra::{G1Affine, G1Projective, Scalar, decode_opening, msm};
use aardvark_archive::Archive;
use aardvark_commitment::Commitment;
use aardvark_commitment::setups::published_digest;
use aardvark_dictionary::{Change, DictionaryId, Genesis, Identity, Key, Parameters};
use aardvark_tables::certificates::{Certificates, StoredCertificate};
use aardvark_tables::keeper::for_each_entry;
use aardvark_tables::source::csv::CsvSource;
use aardvark_tables::vault::{Pending, VaultError};
use aardvark_tables::{
    AnswerParts, AuditOptions, ImportOptions, ImportReport, Keeper, SegmentPlace, SegmentSecret, TableAudit,
    TablesError, Vault, audit_tables,
};

fn schema() -> Schema {
    Schema {
        append_only: true,
        deletable: false,
        writers: vec![],
        keys: vec![KeyColumn { name: "time".to_owned(), kind: KeyKind::Unsigned, width: 4 }],
        values: vec![ValueColumn { name: "power".to_owned(), lowest: -100, span: 255, bits: 8, moments: 1, scale: 0 }],
        rows: vec!["user".to_owned()],
        watermark: vec![],
    }
}

fn keeper(folder: &Path) -> (Keeper, PathBuf) {
    let parameters = Parameters { vector_size: 16, ..Parameters::default() };
    let digest = published_digest(parameters.scheme, parameters.vector_size).unwrap();
    let genesis = Genesis::new(Identity::new("homes", [7; 32]).unwrap(), parameters, digest, Vec::new()).unwrap();
    let directory = folder.join("d");
    let archive = Archive::builder().create(&directory, &genesis).unwrap();
    let mut keeper = Keeper::open(archive, &directory).unwrap();
    keeper.create("meters", &schema()).unwrap();
    (keeper, directory)
}

fn reopened(directory: &Path) -> Keeper {
    Keeper::open(Archive::builder().open(directory).unwrap(), directory).unwrap()
}

fn import(keeper: &mut Keeper, rows: &str) -> Result<ImportReport, TablesError> {
    let text = format!("time,power,user\n{rows}");
    let mut source = CsvSource::new(text.as_bytes(), &schema(), &Default::default())?;
    keeper.import(
        "meters",
        &schema(),
        &mut source,
        &ImportOptions { sheet: 16, ..ImportOptions::default() },
        &mut |_| {},
    )
}

fn audit(keeper: &Keeper) -> TableAudit {
    let vault = Some((keeper.vault(), keeper.setup()));
    audit_tables(keeper.archive(), keeper.certificates(), vault, &AuditOptions::default(), &mut |_, _| {}).unwrap()
}

fn heads(keeper: &Keeper) -> Vec<(Vec<u8>, Head)> {
    let prefix = [TableKey::prefix("meters"), vec![1]].concat();
    let mut heads = Vec::new();
    for_each_entry::<TablesError>(keeper.archive(), &prefix, keeper.archive().version(), |key, value| {
        heads.push((key.to_vec(), Head::from_bytes(value, 1).unwrap()));
        Ok(())
    })
    .unwrap();
    heads
}

#[test]
fn a_run_longer_than_a_sheet_is_several_runs_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let (mut keeper, _) = keeper(folder.path());
    let rows: String = (0..30).map(|i| format!("5,{},user{i}\n", (i * 37) % 156 - 100)).collect();
    let report = import(&mut keeper, &rows).unwrap();
    assert_eq!((report.rows, report.runs, report.sheets), (30, 3, 3));
    let counts: Vec<u16> = heads(&keeper).iter().map(|(_, head)| head.record.rows).collect();
    assert_eq!(counts, [12, 12, 6]);
    let secret = |head: &[u8]| {
        let place = SegmentPlace { head: head.to_vec(), revision: 0, segment: 0 };
        keeper.vault().segment(&place).unwrap().unwrap()
    };
    let numbers: Vec<u64> = heads(&keeper).iter().flat_map(|(key, _)| secret(key).numbers).collect();
    let mut expected: Vec<u64> = (0..30).map(|i| (i * 37) % 156).collect();
    expected.sort_unstable();
    assert_eq!(numbers, expected);
    let audited = audit(&keeper);
    assert_eq!((audited.findings.as_slice(), audited.rows, audited.certificates), (&[][..], 30, 3));
    // The row of a user, by its id.
    let places = keeper.vault().rows_of("meters", "user7").unwrap();
    let [place] = places.as_slice() else { panic!("{places:?}") };
    let (found, at) = (secret(&place.segment.head), place.row as usize);
    assert_eq!((found.texts[at].as_slice(), found.numbers[at]), (&["user7".to_owned()][..], (7 * 37) % 156));
    assert_eq!(keeper.vault().rows_of("meters", "user").unwrap(), []);
    // More rows are runs behind these.
    import(&mut keeper, "5,1,ann\n6,2,ben\n").unwrap();
    assert_eq!(heads(&keeper).len(), 5);
    assert_eq!(audit(&keeper).findings, []);
}

#[test]
fn what_a_kill_before_the_archive_s_part_leaves_is_swept() {
    let folder = tempfile::tempdir().unwrap();
    let (mut keeper, directory) = keeper(folder.path());
    import(&mut keeper, "5,1,ann\n5,2,ben\n").unwrap();
    let (key, head) = heads(&keeper).remove(0);
    let (version, id) = (keeper.archive().version(), *keeper.archive().id());
    drop(keeper);
    // As a kill leaves it: the secrets of a run that never came, and its certificate.
    let kept = SegmentPlace { head: key.clone(), revision: 0, segment: 0 };
    let columns = vec![0, 0, 0, 9];
    let lost = TableKey::Head { table: "meters".to_owned(), column: 0, columns, run: 0 }.to_bytes();
    let orphan = SegmentPlace { head: lost.clone(), revision: 0, segment: 0 };
    let secret = SegmentSecret { first: 1, seed: [3; 32], numbers: vec![4], texts: vec![vec!["cyd".to_owned()]] };
    let mut vault = Vault::open(&directory, &id).unwrap();
    let written = vault.segment(&kept).unwrap().unwrap();
    let pending = [(key, head.to_bytes()), (lost.clone(), head.to_bytes())];
    let secrets = [(kept.clone(), written.clone()), (orphan.clone(), secret)];
    vault.prepare(&Pending { heads: &pending }, &secrets).unwrap();
    assert_eq!(vault.rows_of("meters", "cyd").unwrap().len(), 1);
    drop(vault);
    let stale = StoredCertificate { heads: vec![lost], certificate: vec![1, 2, 3] };
    let certificates = Certificates::open(&directory, &id).unwrap();
    certificates.put(version + 1, &[stale.clone(), stale]).unwrap();
    drop(certificates);

    let mut keeper = reopened(&directory);
    assert_eq!(keeper.vault().segment(&orphan).unwrap(), None);
    assert_eq!(keeper.vault().rows_of("meters", "cyd").unwrap(), []);
    assert_eq!(keeper.vault().segment(&kept).unwrap(), Some(written));
    assert_eq!(keeper.vault().rows_of("meters", "ann").unwrap().len(), 1);
    import(&mut keeper, "9,3,cyd\n").unwrap();
    let audited = audit(&keeper);
    assert_eq!((audited.findings.as_slice(), audited.runs, audited.certificates), (&[][..], 2, 2));
    assert_eq!(keeper.certificates().of_version(version + 1).unwrap().len(), 1);
}

#[test]
fn rows_that_are_not_those_committed_to_are_found_by_the_vault_s_audit() {
    let folder = tempfile::tempdir().unwrap();
    let (mut keeper, directory) = keeper(folder.path());
    import(&mut keeper, "5,1,ann\n5,2,ben\n").unwrap();
    let (key, head) = heads(&keeper).remove(0);
    let id = *keeper.archive().id();
    let place = SegmentPlace { head: key.clone(), revision: 0, segment: 0 };
    let secret = keeper.vault().segment(&place).unwrap().unwrap();
    drop(keeper);
    type Change<'a> = &'a dyn Fn(&mut SegmentSecret);
    let changes: [(Change<'_>, usize); 4] = [
        (&|secret| secret.texts.swap(0, 1), 1),
        (&|secret| secret.numbers[1] += 1, 1),
        (&|secret| secret.seed[0] ^= 1, 1),
        (&|_| (), 0),
    ];
    for (change, findings) in changes {
        let mut other = secret.clone();
        change(&mut other);
        let mut vault = Vault::open(&directory, &id).unwrap();
        vault.prepare(&Pending { heads: &[(key.clone(), head.to_bytes())] }, &[(place.clone(), other)]).unwrap();
        drop(vault);
        assert_eq!(audit(&reopened(&directory)).findings.len(), findings);
    }
}

/// The errors of answers about all rows: their sum, the least of them, and each row's own.
fn refusals(keeper: &Keeper) -> Vec<TablesError> {
    let (version, parts) = (keeper.archive().version(), AnswerParts::default());
    let asked = ["sum(power)", "min(power)"].map(|query| keeper.answer("meters", query, version, &parts));
    let rows = ["ann", "ben"].iter().flat_map(|id| keeper.rows_of("meters", id, version, None, None).unwrap());
    let shown = rows.map(|row| keeper.row("meters", &row, version, &parts));
    asked.into_iter().chain(shown).filter_map(Result::err).collect()
}

#[test]
fn an_answer_from_a_vault_that_disagrees_with_the_dictionary_is_not_given() {
    let folder = tempfile::tempdir().unwrap();
    let (mut keeper, directory) = keeper(folder.path());
    import(&mut keeper, "5,1,ann\n5,2,ben\n").unwrap();
    assert!(refusals(&keeper).is_empty());
    let (key, head) = heads(&keeper).remove(0);
    let id = *keeper.archive().id();
    let place = SegmentPlace { head: key.clone(), revision: 0, segment: 0 };
    let mut secret = keeper.vault().segment(&place).unwrap().unwrap();
    drop(keeper);
    secret.numbers[1] += 1;
    let mut vault = Vault::open(&directory, &id).unwrap();
    vault.prepare(&Pending { heads: &[(key, head.to_bytes())] }, &[(place, secret)]).unwrap();
    drop(vault);
    let refusals = refusals(&reopened(&directory));
    assert_eq!(refusals.len(), 4, "{refusals:?}");
    assert!(refusals.iter().all(|refusal| matches!(refusal, TablesError::OwnAnswer(_))), "{refusals:?}");
}

/// A point of the curve that no pairing sees.
fn torsion() -> G1Affine {
    let point = (1..).find_map(|x| {
        let mut bytes = [0; 48];
        (bytes[0], bytes[47]) = (0x80, x);
        decode_opening(&bytes).ok()
    });
    msm(&[point.unwrap(); 2], &[-Scalar::ONE, Scalar::ONE]).to_affine()
}

#[test]
fn an_answer_about_a_commitment_outside_the_subgroup_is_not_given() {
    let folder = tempfile::tempdir().unwrap();
    let (mut keeper, directory) = keeper(folder.path());
    import(&mut keeper, "5,1,ann\n5,2,ben\n").unwrap();
    let (key, head) = heads(&keeper).remove(0);
    drop(keeper);
    let shifted = |point: &Commitment| {
        Commitment::from_point_unchecked((G1Projective::from(point.point()) + torsion()).to_affine())
    };
    let [mut values, mut sums] = [head.clone(), head];
    values.record.values = shifted(&values.record.values);
    sums.record.sums[0] = shifted(&sums.record.sums[0]);
    for head in [values, sums] {
        let mut archive = Archive::builder().open(&directory).unwrap();
        let value = Some(head.to_bytes().into());
        archive.import(vec![Change { key: Key::from(key.as_slice()), value }]).unwrap();
        drop(archive);
        let refusals = refusals(&reopened(&directory));
        assert_eq!(refusals.len(), 4, "{refusals:?}");
        assert!(refusals.iter().all(|refusal| matches!(refusal, TablesError::OwnAnswer(_))), "{refusals:?}");
    }
}

#[test]
fn the_vault_of_another_dictionary_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (keeper, directory) = keeper(folder.path());
    drop(keeper);
    let other = DictionaryId([9; 32]);
    assert!(matches!(Vault::open(&directory, &other), Err(VaultError::OtherDictionary)));
    assert!(Certificates::open_read_only(&directory, &other).is_err());
    assert!(matches!(Vault::open_read_only(folder.path(), &other), Err(VaultError::Missing(_))));
}

#[test]
fn a_false_certificate_and_one_of_something_else_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let (mut keeper, directory) = keeper(folder.path());
    import(&mut keeper, "5,1,ann\n5,2,ben\n6,7,cyd\n").unwrap();
    let (version, id) = (keeper.archive().version(), *keeper.archive().id());
    let honest = keeper.certificates().of_version(version).unwrap();
    drop(keeper);
    let changed = |change: &dyn Fn(&mut StoredCertificate)| {
        let mut stored = honest.clone();
        change(&mut stored[0]);
        let certificates = Certificates::open(&directory, &id).unwrap();
        certificates.put(version, &stored).unwrap();
        drop(certificates);
        audit(&reopened(&directory)).findings
    };
    assert_eq!(changed(&|_| ()), []);
    // The last scalar, e, is another: the certificate is false, for both of its runs.
    let last = honest[0].certificate.len() - 97;
    assert_eq!(changed(&|stored| stored.certificate[last] ^= 1).len(), 2);
    assert_eq!(changed(&|stored| stored.certificate.truncate(last)).len(), 1);
    assert_eq!(changed(&|stored| stored.heads.swap(0, 1)).len(), 2);
    assert_eq!(changed(&|stored| drop(stored.heads.pop())).len(), 2);
    assert_eq!(changed(&|stored| stored.heads.push(stored.heads[0].clone())).len(), 1);
    assert!(changed(&|stored| stored.heads.clear()).len() >= 2);
    assert_eq!(changed(&|_| ()), []);
}

#[test]
fn an_append_only_table_is_never_deleted_from_and_sealed_once_further() {
    let folder = tempfile::tempdir().unwrap();
    let (mut keeper, _) = keeper(folder.path());
    import(&mut keeper, "5,1,ann\n").unwrap();
    let head = TableKey::Head { table: "meters".to_owned(), column: 0, columns: vec![0, 0, 0, 5], run: 0 };
    assert!(matches!(keeper.delete("meters", std::slice::from_ref(&head)), Err(TablesError::Policy(_))));
    assert!(keeper.archive().get(&Key::from(head.to_bytes()), 2).unwrap().is_some());
    assert!(matches!(keeper.create("meters", &schema()), Err(TablesError::Exists(_))));
    keeper.seal("meters", vec![0, 0, 0, 6]).unwrap();
    assert!(matches!(keeper.seal("meters", vec![0, 0, 0, 6]), Err(TablesError::Policy(_))));
    assert!(matches!(keeper.seal("meters", vec![0, 6]), Err(TablesError::Schema(_))));
    assert_eq!(audit(&keeper).findings, []);
}

//! What a keeper shows of rows, and of the certificates of their runs: which stand where, and that
//! equal rows are hidden anew by each import.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use aardvark_aggregates::{Certificates as LookedAt, Finding, Head, KeyColumn, KeyKind, Query, Schema, ValueColumn};
use aardvark_archive::Archive;
use aardvark_commitment::setups::published_digest;
use aardvark_dictionary::{Genesis, Identity, Key, Parameters};
use aardvark_proof::Trusted;
use aardvark_tables::certificates::{CertificatePlace, StoredCertificate};
use aardvark_tables::keeper::for_each_entry;
use aardvark_tables::source::csv::CsvSource;
use aardvark_tables::stated::StatedColumn;
use aardvark_tables::{AnswerParts, ImportOptions, Keeper, OwnerAsked, TablesError};

fn schema() -> Schema {
    Schema {
        append_only: false,
        deletable: true,
        writers: vec![],
        keys: vec![KeyColumn { name: "time".to_owned(), kind: KeyKind::Unsigned, width: 4 }],
        values: vec![ValueColumn { name: "power".to_owned(), lowest: -100, span: 255, bits: 8, moments: 1, scale: 0 }],
        rows: vec!["user".to_owned(), "tag".to_owned()],
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

fn import(keeper: &mut Keeper, rows: &str) -> u64 {
    let text = format!("time,power,user,tag\n{rows}");
    let mut source = CsvSource::new(text.as_bytes(), &schema(), &Default::default()).unwrap();
    let options = ImportOptions { sheet: 16, ..ImportOptions::default() };
    keeper.import("meters", &schema(), &mut source, &options, &mut |_| {}).unwrap().version
}

fn heads(keeper: &Keeper) -> Vec<(Vec<u8>, Head)> {
    let prefix = [aardvark_aggregates::TableKey::prefix("meters"), vec![1]].concat();
    let mut heads = Vec::new();
    for_each_entry::<TablesError>(keeper.archive(), &prefix, keeper.archive().version(), |key, value| {
        heads.push((key.to_vec(), Head::from_bytes(value, 1).unwrap()));
        Ok(())
    })
    .unwrap();
    heads
}

#[test]
fn forgery_f_equal_rows_that_are_imported_again_share_no_mask() {
    let folder = tempfile::tempdir().unwrap();
    let (mut keeper, _) = keeper(folder.path());
    for _ in 0..3 {
        import(&mut keeper, "5,1,ada,t\n5,2,bob,u\n6,1,ada,t\n6,2,bob,u\n");
    }
    // Six runs of the same two rows, on sheets of three imports.
    let heads = heads(&keeper);
    assert_eq!(heads.len(), 6);
    let distinct =
        |of: &dyn Fn(&Head) -> Vec<u8>| heads.iter().map(|(_, head)| of(head)).collect::<BTreeSet<_>>().len();
    assert_eq!(distinct(&|head| head.record.values.to_bytes().to_vec()), 6);
    assert_eq!(distinct(&|head| head.record.sums[0].to_bytes().to_vec()), 6);
    assert_eq!(distinct(&|head| head.record.root.to_vec()), 6);
}

#[test]
fn rows_are_found_by_id_in_each_run_that_a_version_has() {
    let folder = tempfile::tempdir().unwrap();
    let (mut keeper, _) = keeper(folder.path());
    let first = import(&mut keeper, "5,1,ada,t\n5,-7,ada,t\n5,2,bob,u\n6,3,adam,v\n");
    let second = import(&mut keeper, "5,9,ada,t\n");
    let found = |version: u64, condition: Option<&str>| {
        let rows = keeper.rows_of("meters", "ada", version, None, condition).unwrap();
        rows.iter().map(|row| (row.run, row.place.row, row.value)).collect::<Vec<_>>()
    };
    assert_eq!(found(first, None), [(0, 0, 93), (0, 1, 101)]);
    assert_eq!(found(second, None), [(0, 0, 93), (0, 1, 101), (1, 0, 109)]);
    assert_eq!(found(second, Some("time = 6")), []);
    assert!(matches!(keeper.rows_of("meters", "ada", second, Some("heat"), None), Err(TablesError::Query(_))));
    assert!(matches!(keeper.rows_of("meter", "ada", second, None, None), Err(TablesError::NoTable(_))));
    // Each is proved, tied to the root, and with the certificate of its run.
    let root = keeper.archive().root_parts(second, &mut |_| {}).unwrap();
    let parts = AnswerParts { certificates: true, root: Some(root.clone()) };
    for row in keeper.rows_of("meters", "ada", second, None, None).unwrap() {
        let (answer, outcome) = keeper.row("meters", &row, second, &parts).unwrap();
        let Finding::Row(shown) = &outcome.finding else { panic!("a row") };
        assert_eq!((shown.run, shown.texts.as_slice()), (row.run, row.texts.as_slice()));
        let query = Query::parse("meters", &row.query, &schema()).unwrap();
        let scheme = answer.identity().unwrap().verifier().unwrap();
        let under = |digest| {
            answer
                .verify(&query, &Trusted::root_alone(digest, &scheme), LookedAt::Required)
                .map_err(|error| error.class())
        };
        assert_eq!(under(root.root()), Ok(outcome));
        assert!(under([7; 32]).is_err());
        // That of a run is none of the other's.
        let mut without = answer.clone();
        without.certificates.clear();
        let refused = without.verify(&query, &Trusted::root_alone(root.root(), &scheme), LookedAt::Required);
        assert!(refused.unwrap_err().is_proof_invalid());
    }
}

#[test]
fn each_version_has_the_certificates_of_its_runs() {
    let folder = tempfile::tempdir().unwrap();
    let (mut keeper, _) = keeper(folder.path());
    let first = import(&mut keeper, "5,1,ada,t\n6,2,bob,u\n");
    let (old, head) = heads(&keeper).remove(0);
    let deleted = aardvark_aggregates::TableKey::from_bytes(&old, &schema()).unwrap();
    keeper.delete("meters", &[deleted]).unwrap();
    let again = import(&mut keeper, "5,1,ada,t\n");
    let rows = |version: u64| keeper.rows_of("meters", "ada", version, None, None).unwrap().len();
    assert_eq!((rows(again - 1), rows(again)), (0, 1));
    let parts = AnswerParts { certificates: true, root: None };
    let (answer, _) = keeper.answer("meters", "sum(power)", again, &parts).unwrap();
    assert_eq!(answer.certificates.len(), 2);
    let (new, _) = heads(&keeper).remove(0);
    let stated = |version: u64, key: &[u8], value: &[u8]| {
        let schema = schema();
        let (archive, table) = (keeper.archive(), "meters");
        let column = StatedColumn { archive, table, schema: &schema, column: 0, version };
        column.certificates(keeper.certificates(), [(key, value)])
    };
    let value = keeper.archive().get(&Key::from(new.as_slice()), again).unwrap().unwrap();
    assert_ne!(stated(first, &old, &head.to_bytes()).unwrap(), stated(again, &new, &value).unwrap());
    // Before a run is put there is no certificate of it, and never one of another head.
    let missing = |found: Result<_, TablesError>| matches!(found, Err(TablesError::NoCertificate(_)));
    assert!(missing(stated(first, &new, &value)));
    let mut other = head;
    other.revision += 1;
    assert!(missing(stated(first, &old, &other.to_bytes())));
}

#[test]
fn the_certificate_of_a_run_is_the_last_that_was_written_about_it() {
    let folder = tempfile::tempdir().unwrap();
    let (keeper, directory) = keeper(folder.path());
    let id = *keeper.archive().id();
    drop(keeper);
    let certificates = aardvark_tables::Certificates::open(&directory, &id).unwrap();
    let stored = |heads: &[&[u8]]| StoredCertificate {
        heads: heads.iter().map(|head| head.to_vec()).collect(),
        certificate: vec![1],
    };
    certificates.put(3, &[stored(&[b"x"]), stored(&[b"y", b"xx"])]).unwrap();
    certificates.put(5, &[stored(&[b"y"]), stored(&[b"z"]), stored(&[b"x"])]).unwrap();
    let at = |version: u64, place: u32| Some(CertificatePlace { version, place });
    let found = |head: &str, version: u64| certificates.of_head(head.as_bytes(), version).unwrap();
    assert_eq!([2, 3, 4, 5, u64::MAX].map(|v| found("x", v)), [None, at(3, 0), at(3, 0), at(5, 2), at(5, 2)]);
    assert_eq!((found("y", 4), found("xx", 9), found("z", 4), found("", 9)), (at(3, 1), at(3, 1), None, None));
    assert_eq!(certificates.at(CertificatePlace { version: 3, place: 1 }).unwrap(), Some(stored(&[b"y", b"xx"])));
    // Entries of a version that never came are written over, and so is where they stand.
    certificates.put(5, &[stored(&[b"z"])]).unwrap();
    let found = [b"x", b"y", b"z"].map(|head| certificates.of_head(head, 5).unwrap());
    assert_eq!(found, [at(3, 0), at(3, 1), at(5, 0)]);
    assert_eq!(certificates.of_version(5).unwrap().len(), 1);
    assert_eq!(certificates.at(CertificatePlace { version: 5, place: 1 }).unwrap(), None);
}

#[test]
fn an_id_that_there_is_not_is_looked_for_in_the_rows_of_another() {
    let folder = tempfile::tempdir().unwrap();
    let (mut keeper, _) = keeper(folder.path());
    let tag = |owner: &str| format!("{owner:->16}");
    let (ada, bob, short) = (tag("ada"), tag("bob"), &tag("cyd")[1..]);
    let nothing = keeper.archive().version();
    let rows = format!("5,1,ada,{ada}\n5,-7,ada,{ada}\n6,2,ada,{bob}\n5,2,bob,{bob}\n6,3,cyd,{short}\n6,4,long,\n");
    let version = import(&mut keeper, &rows);
    let asked = |id: &'static str, tag: &str, version: u64| {
        let asked = OwnerAsked {
            table: "meters",
            id,
            tag,
            tag_column: "tag",
            column: None,
            condition: (id == "ada").then_some("time = 5"),
            version,
        };
        let answerer = keeper.answerer();
        let candidates = answerer.candidates(&asked).unwrap().unwrap();
        let owned = answerer.owned(&candidates, &asked).unwrap();
        (candidates.len(), owned.iter().map(|row| row.value).collect::<Vec<_>>())
    };
    assert_eq!(asked("ada", &ada, version), (2, vec![93, 101]));
    assert_eq!(asked("ada", &bob, version), (2, vec![]), "its row with bob's tag is at another time");
    // Behind "abc" stands "ada", behind "zzz" the one row of "long", behind "longer" the first id.
    assert_eq!(asked("abc", &ada, version), (3, vec![]));
    assert_eq!(asked("zzz", &ada, version), (1, vec![]));
    assert_eq!(asked("longer", &ada, version), (3, vec![]));
    assert_eq!(asked("", &ada, version), (3, vec![]));
    // A tag of 15 bytes, and none, entitle to nothing.
    assert_eq!(asked("cyd", short, version), (1, vec![]));
    assert_eq!(asked("long", "", version), (1, vec![]));
    assert_eq!(asked("bob", &bob, nothing), (1, vec![]), "it was not there yet");
    let answerer = keeper.answerer();
    let of = |table, tag_column, condition| {
        let asked = OwnerAsked { table, id: "ada", tag: &ada, tag_column, column: None, condition, version };
        answerer.candidates(&asked).map(|found| found.is_some())
    };
    assert!(matches!(of("meters", "tag", None), Ok(true)));
    assert!(matches!(of("meters", "user", None), Ok(false)), "ids are no tags");
    assert!(matches!(of("meters", "name", None), Ok(false)));
    assert!(matches!(of("meters", "tag", Some("power = 1")), Err(TablesError::Query(_))));
    assert!(matches!(of("meter", "tag", None), Err(TablesError::NoTable(_))));
}

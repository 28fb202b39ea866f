//! A chain of the policy `tables`: the certificates of what is applied stand beside the archive,
//! wherever its blocks come from.

use std::path::Path;

use aardvark_archive::backup::BackupError;
use aardvark_tables::Sifted;
use aardvark_tables::certificates::StoredCertificate;

use super::scene::{follower_of, shared_of};
use super::table_scene::*;
use super::*;
use crate::archive::backup_certificates::EntryError;
use crate::archive::opened::DaemonError;
use crate::archive::{Restored, Trust, restore};

#[test]
fn certificates_of_what_is_applied_stand_beside_the_archive() {
    let tables = Tables::new();
    let shared = shared_of(&tables.path("a"), &tables.genesis);
    // As after a death between the certificates and the version.
    let stale = StoredCertificate { heads: vec![head_key(9).to_vec()], certificate: vec![9] };
    shared.certificates().put(2, &[stale.clone(), stale]).unwrap();
    drop(shared);
    let followed = tables.follow("a", &[&tables.chain.honest_node()], None);
    assert!(matches!(followed.outcome, Ok(5)));
    assert_has_the_chain(&followed.shared, &tables.chain);
    let heads: Vec<Vec<Vec<Vec<u8>>>> = followed
        .certificates()
        .into_iter()
        .map(|of_version| of_version.into_iter().map(|stored| stored.heads).collect())
        .collect();
    let [one, two, three] = [1, 2, 3].map(|time| head_key(time).to_vec());
    assert_eq!(heads, [vec![], vec![], vec![vec![one, two.clone()]], vec![vec![two]], vec![], vec![vec![three]]]);
    let audit = followed.audit();
    assert_eq!((audit.findings, audit.certificates, audit.runs, audit.rows), (vec![], 3, 3, 6));
}

#[test]
fn a_decided_block_with_a_false_certificate_is_empty_for_archive_and_audit() {
    let mut tables = Tables::new();
    let (operations, honest) = tables.sheet(&[(4, 0)]);
    let (_, other) = tables.sheet(&[(4, 0)]);
    let lists = [vec![other], vec![], vec![honest.clone(), honest.clone()]]
        .map(|certificates| tables.chain.block_with(operations.clone(), certificates, &[signer()]).to_txs());
    for txs in lists {
        let height = tables.chain.reference.version() + 1;
        tables.chain.decide(txs, &empty(height));
    }
    let honest = tables.chain.block_with(operations, vec![honest], &[signer()]);
    tables.chain.decide(honest.to_txs(), &honest.aggregated);
    let followed = tables.follow("a", &[&tables.chain.honest_node()], None);
    assert!(matches!(followed.outcome, Ok(9)));
    // The app hashes are the validators'.
    assert_has_the_chain(&followed.shared, &tables.chain);
    let counts: Vec<usize> = followed.certificates().iter().map(Vec::len).collect();
    assert_eq!(counts, [0, 0, 1, 1, 0, 1, 0, 0, 0, 1]);
    let rejected = |height| followed.shared.records().unwrap().get(height).unwrap().unwrap().rejected;
    assert_eq!([5, 6, 7, 8, 9].map(rejected), [0, 1, 1, 1, 0]);
    let audit = followed.audit();
    assert_eq!((audit.findings, audit.certificates, audit.runs), (vec![], 4, 4));
}

#[test]
fn blocks_from_another_archive_come_with_their_certificates() {
    let mut tables = Tables::new();
    let expected = tables.follow("a", &[&tables.chain.honest_node()], None).certificates();
    let bodies: Vec<Vec<u8>> = expected.iter().map(|stored| given(stored)).collect();
    let other = tables.other(move |height| Reply::Body(200, bodies[height as usize].clone()));
    tables.chain.advance_empty();
    let pruned = tables.chain.pruned_node(6);
    let followed = tables.follow("b", &[&pruned], Some(&other));
    assert!(matches!(followed.outcome, Ok(6)));
    assert_has_the_chain(&followed.shared, &tables.chain);
    assert_eq!(followed.certificates()[..6], expected);
    assert_eq!(other.requests(), 5 + 3, "of blocks that put nothing none are asked for");
    assert_eq!(followed.audit().findings, []);
}

#[test]
fn another_archives_false_certificates_are_not_taken_and_what_is_missing_is_named() {
    let mut tables = Tables::new();
    let expected = tables.follow("a", &[&tables.chain.honest_node()], None).certificates();
    tables.chain.advance_empty();
    let pruned = tables.chain.pruned_node(6);
    let good: Vec<Vec<u8>> = expected.iter().map(|stored| given(stored)).collect();
    let mut flipped = good[2].clone();
    flipped[700] ^= 1;
    let lies: [(&str, Vec<u8>); 6] = [
        ("another's", good[3].clone()),
        ("flipped", flipped),
        ("none", Vec::new()),
        ("one more", [good[2].clone(), good[3].clone()].concat()),
        ("cut", good[2][..good[2].len() - 1].to_vec()),
        ("of fewer segments", [&[0, 1][..], &good[2][2..]].concat()),
    ];
    for (name, lie) in lies {
        let good = good.clone();
        let body = move |height: u64| if height == 2 { lie.clone() } else { good[height as usize].clone() };
        let other = tables.other(move |height| Reply::Body(200, body(height)));
        let followed = tables.follow(name, &[&pruned], Some(&other));
        assert!(matches!(followed.outcome, Ok(6)), "{name}: {:?}", followed.outcome);
        assert_has_the_chain(&followed.shared, &tables.chain);
        let counts: Vec<usize> = followed.certificates().iter().map(Vec::len).collect();
        assert_eq!(counts, [0, 0, 0, 1, 0, 1, 0], "{name}");
        let findings: Vec<String> = followed.audit().findings.iter().map(ToString::to_string).collect();
        let named = |time: u8| format!("version 2, table t, run power time = {time} number 0: it has no certificate");
        assert_eq!(findings, [named(1), named(2)], "{name}");
    }
    // One that has none says so; one that fails is asked again.
    let none = tables.other(|_| Reply::Body(404, b"{}".to_vec()));
    let followed = tables.follow("without", &[&pruned], Some(&none));
    assert!(matches!(followed.outcome, Ok(6)));
    assert_eq!(followed.audit().findings.len(), 4);
    let failing = tables.other(|_| Reply::Body(500, b"{}".to_vec()));
    let followed = tables.follow("later", &[&pruned], Some(&failing));
    assert!(matches!(&followed.outcome, Err(error) if !error.is_final()), "{:?}", followed.outcome);
    assert_eq!(followed.shared.archive().version(), 1);
}

/// Restores a backup, held against its chain.
fn restored(tables: &Tables, backup: &[u8], directory: &Path) -> Result<Restored, DaemonError> {
    let node = tables.chain.honest_node();
    let trust = Trust::Chain { nodes: vec![node.url.clone()], genesis: tables.genesis_file() };
    restore(directory, backup, &trust, &mut |_| {})
}

#[test]
fn a_backup_brings_certificates_and_those_that_do_not_hold_are_left_out() {
    let mut tables = Tables::new();
    let followed = tables.follow("a", &[&tables.chain.honest_node()], None);
    let (shared, expected) = (Arc::clone(&followed.shared), followed.certificates());
    let mut backup = Vec::new();
    // One of a version that did not come stays out.
    shared.certificates().put(6, &expected[5]).unwrap();
    shared.back_up(&mut backup).unwrap();
    tables.chain.advance_empty();
    let summary = restored(&tables, &backup, &tables.path("b")).unwrap();
    assert_eq!(summary.certificates, Sifted { kept: 3, removed: 0 });
    let again = tables.follow("b", &[&tables.chain.pruned_node(6)], None);
    assert!(matches!(again.outcome, Ok(6)));
    assert_eq!(again.certificates()[..6], expected);
    assert_eq!(again.audit().findings, []);

    // What a maker of backups says: a false one, one in the place of another, one of no table.
    let [of_two, of_three] = [2, 3].map(|version: usize| expected[version][0].clone());
    let mut flipped = of_two.clone();
    flipped.certificate[700] ^= 1;
    let foreign = StoredCertificate { heads: vec![b"k1".to_vec()], certificate: of_two.certificate.clone() };
    let other = StoredCertificate { heads: of_two.heads.clone(), ..of_three };
    for (name, lie) in [("flipped", flipped), ("other", other), ("foreign", foreign)] {
        shared.certificates().put(2, &[lie]).unwrap();
        let mut backup = Vec::new();
        shared.back_up(&mut backup).unwrap();
        let summary = restored(&tables, &backup, &tables.path(name)).unwrap();
        assert_eq!(summary.certificates, Sifted { kept: 2, removed: 1 }, "{name}");
        let sifted = tables.follow(name, &[&tables.chain.pruned_node(6)], None);
        let counts: Vec<usize> = sifted.certificates().iter().map(Vec::len).collect();
        assert_eq!(counts, [0, 0, 0, 1, 0, 1, 0], "{name}");
        assert_eq!(sifted.audit().findings.len(), 2, "{name}");
    }
}

#[test]
fn a_backup_with_more_certificates_than_its_versions_put_segments_makes_no_archive() {
    let mut tables = Tables::new();
    let followed = tables.follow("a", &[&tables.chain.honest_node()], None);
    let (shared, expected) = (Arc::clone(&followed.shared), followed.certificates());
    tables.chain.advance_empty();
    let [of_two, of_three] = [2, 3].map(|version: usize| expected[version][0].clone());
    let about_none = StoredCertificate { heads: Vec::new(), ..of_three.clone() };
    let lies = [
        (2, vec![of_two.clone(), of_three.clone()], 2),
        (2, vec![about_none.clone(); 3], 2),
        (3, vec![of_three.clone(); 300], 1),
        (4, vec![about_none], 0),
    ];
    for (version, lie, put) in lies {
        shared.certificates().put(version, &lie).unwrap();
        let mut backup = Vec::new();
        shared.back_up(&mut backup).unwrap();
        shared.certificates().put(version, &expected[version as usize]).unwrap();
        let error = restored(&tables, &backup, &tables.path("b")).unwrap_err();
        let DaemonError::Backup(BackupError::Beside(why)) = error else { panic!("{error}") };
        match why.downcast_ref() {
            Some(EntryError::Many { version: named, put: found }) => assert_eq!((*named, *found), (version, put)),
            _ => panic!("{why}"),
        }
        assert_eq!(std::fs::read_dir(tables.path("b")).unwrap().count(), 0, "nothing is left");
    }
}

#[test]
fn entries_of_a_backup_that_are_no_certificates_make_no_archive() {
    let mut tables = Tables::new();
    let followed = tables.follow("a", &[&tables.chain.honest_node()], None);
    tables.chain.advance_empty();
    let archive = followed.shared.archive();
    let key = |version: u64| [&[255; 8][..], &version.to_be_bytes(), &[0; 4]].concat();
    let directory = tables.path("b");
    let with = |key: Vec<u8>, value: Vec<u8>| {
        let mut backup = Vec::new();
        archive.back_up(&mut backup, [Ok((key, value))].into_iter()).unwrap();
        let outcome = restored(&tables, &backup, &directory);
        assert!(outcome.is_ok() || std::fs::read_dir(&directory).unwrap().count() == 0, "nothing is left");
        outcome
    };
    for (key, value) in [
        (key(2), vec![]),
        (key(2), vec![0, 1, 9]),
        (key(2), vec![0; 1 << 20]),
        // Of a version that is still to come.
        (key(99), followed.certificates()[2][0].to_bytes()),
        ([&key(2)[..], &[0]].concat(), vec![0, 0]),
        (key(2)[..19].to_vec(), vec![0, 0]),
    ] {
        let error = with(key, value).unwrap_err();
        assert!(matches!(error, DaemonError::Backup(BackupError::Beside(_))), "{error}");
    }
    let summary = with(key(2), followed.certificates()[2][0].to_bytes()).unwrap();
    assert_eq!(summary.certificates, Sifted { kept: 1, removed: 0 });
}

#[test]
fn certificates_that_cannot_be_written_for_a_while_are_written_when_the_file_can_be_opened_again() {
    let tables = Tables::new();
    let node = tables.chain.honest_node();
    let shared = shared_of(&tables.path("a"), &tables.genesis);
    let mut following = follower_of(&tables.genesis, &shared, &[&node], None);
    following.step().unwrap();
    // The file is closed, as after a full disk, and cannot be opened yet.
    let [file, away] = ["certificates.redb", "away.redb"].map(|name| tables.path("a").join(name));
    std::fs::rename(&file, &away).unwrap();
    shared.reopen().unwrap_err();
    assert!(shared.certificates().of_version(1).is_err(), "none are not the same as none that can be read");
    let error = follow(&mut following).unwrap_err();
    assert!(matches!(error, FollowError::Certificates(_)) && error.is_of_the_store() && !error.is_final(), "{error}");
    assert_eq!(shared.archive().version(), 1, "no version comes without its certificates");
    std::fs::rename(&away, &file).unwrap();
    assert_eq!(follow(&mut following).unwrap(), 5);
    assert_has_the_chain(&shared, &tables.chain);
    assert_eq!(
        (audited(&shared.archive(), &shared).findings, shared.certificates().of_version(2).unwrap().len()),
        (vec![], 1)
    );
}

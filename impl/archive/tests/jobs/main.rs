//! Jobs: partitions of an audit and of openings, killed, resumed, taken over, on damaged stores and
//! with hostile records.
//!
//! Killed processes are this test binary, started again: the ignored test `child` does what its
//! environment says.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "helpers of tests fail by panicking")]

#[path = "../common/mod.rs"]
mod common;
mod damage;
mod import;
mod scene;
mod status;

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use aardvark_archive::{Archive, ArchiveError, Fault, JobError, JobKind, JobResult, Jobs, Place};
use common::{change, small};
use redb::Database;
use scene::{
    VECTORS, archive, cancel, change_record, change_slot, open, outcome, recommit, resume, size, start, table,
};

const DIRECTORY: &str = "AARDVARK_TEST_DIRECTORY";
const KIND: &str = "AARDVARK_TEST_KIND";
/// The report of progress at which the child is killed.
const AT: &str = "AARDVARK_TEST_AT";

#[test]
fn an_audit_in_any_partitions_finds_nothing_at_a_sound_archive_and_gives_its_root() {
    let parent = tempfile::tempdir().unwrap();
    let path = archive(parent.path(), "1");
    let root = open(&path).validator().unwrap().root();
    for partition_size in [1, 2, 3, u64::MAX] {
        let mut told = Vec::new();
        let report = open(&path)
            .start_job(JobKind::Audit, size(partition_size), Some(root), &mut |at| told.push((at.done, at.total)))
            .unwrap();
        assert!(report.is_clean(), "{report:?}");
        assert_eq!(report.root, Some(root));
        assert_eq!(report.status.done, VECTORS.div_ceil(partition_size));
        assert!(told.is_sorted() && told.first() == Some(&(0, VECTORS)) && told.last() == Some(&(VECTORS, VECTORS)));
    }
    let other = open(&path).resume_job(JobKind::Audit, Some([7; 32]), &mut |_| {}).unwrap();
    assert!(matches!(&*other.findings, [found] if found.fault == Fault::OtherRoot(root)), "{other:?}");
    assert!(open(&path).audit(&mut |_| {}).unwrap().is_clean());
}

#[test]
#[ignore = "what the other tests of this file start and kill"]
fn child() {
    let Ok(directory) = env::var(DIRECTORY) else {
        return;
    };
    let kind = env::var(KIND).unwrap();
    let kind = JobKind::ALL.into_iter().find(|known| known.to_string() == kind).unwrap();
    let at: u64 = env::var(AT).unwrap().parse().unwrap();
    let (directory, mut told) = (Path::new(&directory), 0);
    let mut tell = || {
        told += 1;
        if told == at {
            std::process::abort();
        }
    };
    let report = match kind {
        JobKind::Import => import::start(directory, tell),
        kind => open(directory).start_job(kind, size(1), None, &mut |_| tell()),
    };
    assert!(report.unwrap().is_clean());
}

/// Starts a job in a process that is killed at some report of progress; whether it was.
fn killed(path: &Path, kind: JobKind, at: u64) -> bool {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--exact", "child", "--ignored", "--nocapture"]).env(DIRECTORY, path);
    let output = command.env(KIND, kind.to_string()).env(AT, at.to_string()).output().unwrap();
    assert!(output.status.success() || output.status.code().is_none(), "{output:?}");
    output.status.code().is_none()
}

#[test]
fn a_job_killed_at_any_moment_loses_one_partition_at_most_and_ends_as_if_it_had_not_been() {
    let parent = tempfile::tempdir().unwrap();
    let path = archive(parent.path(), "1");
    for kind in JobKind::OF_VECTORS {
        let expected = start(&path, kind, 1).unwrap();
        let rows = |path: &Path| fs::read(path.join("openings")).ok();
        let stored = rows(&path);
        // Each partition reports that it begins, that its only vector is done, and that it is
        // recorded.
        let mut kills = 0;
        for at in 1.. {
            cancel(&path, kind);
            if kind == JobKind::Openings {
                fs::remove_file(path.join("openings")).unwrap();
            }
            if !killed(&path, kind, at) {
                break;
            }
            kills += 1;
            let status = scene::status(&path, kind);
            assert_eq!(status.done, at / 3, "{kind}, killed at {at}");
            assert_eq!((&status.end, status.result()), (&None, JobResult::Unfinished), "{kind}, killed at {at}");
            assert!(matches!(start(&path, kind, 1), Err(JobError::Unfinished(refused)) if refused == kind));
            let resumed = resume(&path, kind).unwrap();
            assert_eq!(outcome(&resumed), outcome(&expected), "{kind}, killed at {at}");
            assert_eq!(rows(&path), stored);
        }
        assert!(kills >= 3 * VECTORS, "{kills}");
    }
}

#[test]
fn what_an_audit_has_done_is_not_done_again_and_what_has_changed_since_is_found() {
    let parent = tempfile::tempdir().unwrap();
    let path = archive(parent.path(), "1");
    assert!(killed(&path, JobKind::Audit, 8));
    let mut told = Vec::new();
    let report = open(&path).resume_job(JobKind::Audit, None, &mut |at| told.push(at.done)).unwrap();
    assert!(report.is_clean());
    assert_eq!(told.first(), Some(&2), "two partitions were recorded");
    cancel(&path, JobKind::Audit);
    // A vector of a partition that is recorded becomes another one, in itself without fault.
    assert!(killed(&path, JobKind::Audit, 8));
    change_slot(&path, 5, |slot| slot.value = "other".into());
    recommit(&path, 1);
    let report = resume(&path, JobKind::Audit).unwrap();
    assert!(report.status.false_partitions.is_empty() && report.root.is_none());
    assert!(matches!(&*report.findings, [found] if found.place == Place::Commitment(1)), "{report:?}");
}

#[test]
fn a_partition_whose_result_cannot_be_written_is_an_error_and_not_recorded() {
    let parent = tempfile::tempdir().unwrap();
    let path = archive(parent.path(), "1");
    let rows = path.join("openings");
    fs::create_dir(&rows).unwrap();
    for outcome in [start(&path, JobKind::Openings, 1), resume(&path, JobKind::Openings)] {
        assert!(matches!(outcome, Err(JobError::Archive(ArchiveError::File { .. }))), "{outcome:?}");
        assert_eq!(Jobs::at(&path).unwrap().status(JobKind::Openings).unwrap().unwrap().done, 0);
    }
    fs::remove_dir(&rows).unwrap();
    assert!(resume(&path, JobKind::Openings).unwrap().is_clean());
}

#[test]
fn a_job_about_another_version_history_or_dictionary_is_refused() {
    let parent = tempfile::tempdir().unwrap();
    let [ours, other] = [("one", "1"), ("two", "2")].map(|(name, value)| {
        fs::create_dir(parent.path().join(name)).unwrap();
        archive(&parent.path().join(name), value)
    });
    assert!(matches!(resume(&ours, JobKind::Audit), Err(JobError::None(JobKind::Audit))));
    assert!(start(&ours, JobKind::Audit, 1).unwrap().is_clean());
    assert!(matches!(resume(&ours, JobKind::Openings), Err(JobError::None(JobKind::Openings))));
    let refused = |path: &Path, what: &str| match resume(path, JobKind::Audit) {
        Err(JobError::Another { about, .. }) => assert!(about.contains(what), "{about}"),
        outcome => panic!("{outcome:?}"),
    };
    // One dictionary and version number, other blocks.
    fs::copy(ours.join("jobs.redb"), other.join("jobs.redb")).unwrap();
    refused(&other, "another history of version 2");
    let mut writer = Archive::builder().scheme(small()).open(&ours).unwrap();
    writer.import(vec![change("a", Some("3"))]).unwrap();
    drop(writer);
    refused(&ours, "version 2, and the newest one is 3");
    let jobs = ours.join("jobs.redb");
    change_record(&jobs, ("meta", 0), &[1], |body| body.map(|body| [&body[..1], &[9; 32], &body[33..]].concat()));
    refused(&ours, "another dictionary");
    // The job is done, so that a new one may take its place.
    assert!(start(&ours, JobKind::Audit, 1).unwrap().is_clean());
}

#[test]
fn a_job_that_another_process_takes_over_or_removes_ends_with_a_typed_error() {
    let parent = tempfile::tempdir().unwrap();
    let path = archive(parent.path(), "1");
    let mut taken = false;
    let outcome = open(&path).start_job(JobKind::Audit, size(2), None, &mut |_| {
        if !taken {
            taken = true;
            assert!(resume(&path, JobKind::Audit).unwrap().is_clean());
        }
    });
    assert!(matches!(outcome, Err(JobError::TakenOver(JobKind::Audit))), "{outcome:?}");
    let status = Jobs::at(&path).unwrap().status(JobKind::Audit).unwrap().unwrap();
    assert_eq!((status.done, status.false_partitions.len()), (2, 0));
    let outcome = open(&path).start_job(JobKind::Audit, size(2), None, &mut |_| {
        cancel(&path, JobKind::Audit);
    });
    assert!(matches!(outcome, Err(JobError::TakenOver(JobKind::Audit))), "{outcome:?}");
    assert_eq!(Jobs::at(&path).unwrap().status(JobKind::Audit).unwrap(), None);
    assert!(!cancel(&path, JobKind::Audit));
    let mut in_memory = common::in_memory(&small(), 3);
    in_memory.import(vec![change("a", Some("1"))]).unwrap();
    let refused = in_memory.start_job(JobKind::Audit, size(2), None, &mut |_| {});
    assert!(matches!(refused, Err(JobError::InMemory)));
}

/// Changes the bytes of a record, checksum and all.
fn overwrite(file: &Path, key: &[u8], bytes: &[u8]) {
    let database = Database::open(file).unwrap();
    let mut transaction = database.begin_write().unwrap();
    transaction.set_quick_repair(true);
    transaction.open_table(table("meta")).unwrap().insert(key, bytes).unwrap();
    transaction.commit().unwrap();
}

#[test]
fn hostile_records_are_typed_errors_and_a_job_with_them_can_be_removed() {
    let parent = tempfile::tempdir().unwrap();
    let path = archive(parent.path(), "1");
    assert!(start(&path, JobKind::Audit, 1).unwrap().is_clean());
    let jobs = path.join("jobs.redb");
    let whole = fs::read(&jobs).unwrap();
    let partition = |number: u64| [&[1][..], &number.to_be_bytes()].concat();
    let hostile: [(Vec<u8>, Vec<u8>, Option<u64>); 7] = [
        (vec![1], vec![], None),
        (vec![1], vec![0; 3], None),
        (vec![1], vec![255; 200], None),
        (partition(2), vec![255; 40], Some(2)),
        (partition(0), vec![], Some(0)),
        (partition(VECTORS), vec![1; 38], None),
        (vec![1, 1], vec![1; 38], None),
    ];
    for (key, bytes, partition) in hostile {
        overwrite(&jobs, &key, &bytes);
        let is_named = |error: &JobError| matches!(error, JobError::Record { partition: at, .. } if *at == partition);
        assert!(is_named(&resume(&path, JobKind::Audit).unwrap_err()), "{key:?}");
        assert!(is_named(&Jobs::at(&path).unwrap().status(JobKind::Audit).unwrap_err()), "{key:?}");
        assert!(is_named(&start(&path, JobKind::Audit, 1).unwrap_err()), "{key:?}");
        assert!(cancel(&path, JobKind::Audit));
        assert!(start(&path, JobKind::Audit, 1).unwrap().is_clean());
        fs::write(&jobs, &whole).unwrap();
    }
    overwrite(&jobs, &[1, 0], &[0; 8]);
    assert!(matches!(Jobs::at(&path).unwrap().status(JobKind::Audit), Err(JobError::Record { .. })));
    fs::write(&jobs, &whole).unwrap();
    // Bodies whose checksum holds: an end without a partition, and the form before there were ends.
    change_record(&jobs, ("meta", 0), &partition(1), |_| None);
    assert!(matches!(Jobs::at(&path).unwrap().status(JobKind::Audit), Err(JobError::Record { .. })));
    fs::write(&jobs, &whole).unwrap();
    change_record(&jobs, ("meta", 0), &[1], |body| body.map(|body| [&[1], &body[1..]].concat()));
    for refused in [resume(&path, JobKind::Audit), start(&path, JobKind::Audit, 1)] {
        assert!(refused.unwrap_err().to_string().contains("of another form, which another program wrote; `cancel`"));
    }
    fs::write(&jobs, &whole).unwrap();
    change_record(&jobs, ("meta", 0), &[1], |body| body.map(|body| [&body[..81], &[0; 16]].concat()));
    assert!(matches!(resume(&path, JobKind::Audit), Err(JobError::Record { partition: None, .. })));
    for bytes in [&b"no store at all"[..], &[]] {
        fs::write(&jobs, bytes).unwrap();
        assert!(matches!(resume(&path, JobKind::Audit), Err(JobError::Archive(ArchiveError::Open { .. }))));
    }
}

//! An import as a job: killed at any report, resumed, refused where something else is given.

use std::path::Path;

use aardvark_archive::{Archive, ArchiveError, JobError, JobKind, JobReport, JobResult};
use aardvark_dictionary::Change;

use crate::common::{change, small};
use crate::killed;
use crate::scene::{KEYS, archive, cancel, open, size, status};

/// New keys, others of [`KEYS`] that change, one that goes; the last block of four has two.
pub(crate) fn changes() -> Vec<Change> {
    let new: Vec<String> = (0..8).map(|number| format!("new-{number}")).collect();
    let mut changes: Vec<Change> = KEYS[..5].iter().map(|key| change(key, Some("imported"))).collect();
    changes.push(change(KEYS[5], None));
    changes.extend(new.iter().map(|key| change(key, Some("1"))));
    changes
}

fn writer(path: &Path) -> Archive {
    Archive::builder().scheme(small()).open(path).unwrap()
}

fn given(changes: &[Change]) -> impl Iterator<Item = Result<Change, JobError>> {
    changes.iter().cloned().map(Ok)
}

/// Starts the job in blocks of four; tells each report of progress.
pub(crate) fn start(path: &Path, mut told: impl FnMut()) -> Result<JobReport, JobError> {
    let changes = changes();
    let number = changes.len() as u64;
    writer(path).start_import_job((number, size(4)), given(&changes), &mut |_| told())
}

fn resume(path: &Path, changes: &[Change]) -> Result<JobReport, JobError> {
    writer(path).resume_import_job(changes.len() as u64, given(changes), &mut |_| {})
}

fn end_of(path: &Path) -> (u64, [u8; 32], [u8; 32]) {
    let archive = open(path);
    (archive.version(), archive.version_info(archive.version()).unwrap().link, archive.validator().unwrap().root())
}

#[test]
fn an_import_killed_at_any_moment_ends_as_if_it_had_not_been() {
    let parent = tempfile::tempdir().unwrap();
    let expected = archive(&parent.path().join("whole"), "1");
    let report = start(&expected, || {}).unwrap();
    assert_eq!((report.status.done, report.status.job.partitions(), report.status.result()), (4, 4, JobResult::Holds));
    assert_eq!(status(&expected, JobKind::Import), report.status);
    let expected = end_of(&expected);
    assert_eq!((expected.0, report.root), (2 + 4, Some(expected.2)));
    for at in 1.. {
        let path = archive(&parent.path().join(at.to_string()), "1");
        if !killed(&path, JobKind::Import, at) {
            assert!(at > 16, "each block reports at least four times");
            break;
        }
        let status = status(&path, JobKind::Import);
        assert!(status.result() == JobResult::Unfinished && status.done < 4, "killed at {at}: {status:?}");
        assert!(open(&path).version() - 2 - status.done <= 1, "one block at most is not recorded");
        assert!(matches!(start(&path, || {}), Err(JobError::Unfinished(JobKind::Import))));
        let resumed = resume(&path, &changes()).unwrap();
        assert_eq!((resumed.status.done, resumed.root, end_of(&path)), (4, Some(expected.2), expected), "{at}");
    }
}

#[test]
fn recorded_blocks_are_not_imported_again_and_other_changes_are_refused() {
    let parent = tempfile::tempdir().unwrap();
    let path = archive(parent.path(), "1");
    assert!(matches!(resume(&path, &changes()), Err(JobError::None(JobKind::Import))));
    // A change that is refused stops the job; the blocks before it stand.
    let mut bad = changes();
    bad[9] = change("", Some("no key"));
    let refused = writer(&path).start_import_job((bad.len() as u64, size(4)), given(&bad), &mut |_| {});
    assert!(matches!(refused, Err(JobError::Archive(ArchiveError::EmptyKey))), "{refused:?}");
    assert_eq!((status(&path, JobKind::Import).done, open(&path).version()), (2, 4));
    // Somebody else changes what a recorded block had changed: it is not put back.
    writer(&path).import(vec![change("a", Some("later"))]).unwrap();
    let about = |outcome: Result<JobReport, JobError>, what: &str| match outcome {
        Err(JobError::Another { about, .. }) => assert!(about.contains(what), "{about}"),
        outcome => panic!("{outcome:?}"),
    };
    let mut other = changes();
    other[0] = change("a", Some("other"));
    about(resume(&path, &other), "block 0 was another one");
    about(resume(&path, &changes()[..13]), "14 changes, and these are 13");
    let report = resume(&path, &changes()).unwrap();
    assert_eq!((report.status.done, report.status.result()), (4, JobResult::Holds));
    let archive = open(&path);
    assert_eq!(archive.get(&"a".into(), archive.version()).unwrap(), Some("later".into()));
    assert_eq!(archive.get(&"new-7".into(), archive.version()).unwrap(), Some("1".into()));
    // Jobs of other kinds are started without changes, and this one with them.
    for refused in [
        archive.start_job(JobKind::Import, size(4), None, &mut |_| {}),
        archive.resume_job(JobKind::Import, None, &mut |_| {}),
    ] {
        assert!(matches!(refused, Err(JobError::Changes)));
    }
    drop(archive);
    let fork = crate::scene::archive(&parent.path().join("fork"), "2");
    std::fs::copy(path.join("jobs.redb"), fork.join("jobs.redb")).unwrap();
    about(resume(&fork, &changes()), "another history from version 2 on");
    assert!(cancel(&path, JobKind::Import));
}

#[test]
fn keys_that_stand_twice_leave_the_last_blocks_empty_and_more_changes_than_were_counted_are_refused() {
    let parent = tempfile::tempdir().unwrap();
    let path = archive(parent.path(), "1");
    let unique = &changes()[..6];
    let report = writer(&path).start_import_job((12, size(4)), given(unique), &mut |_| {}).unwrap();
    assert_eq!((report.status.done, report.status.result()), (3, JobResult::Holds));
    assert_eq!(open(&path).version(), 4);
    let more = writer(&path).start_import_job((12, size(4)), given(&changes()), &mut |_| {});
    assert!(matches!(more, Err(JobError::Another { about, .. }) if about == "12 changes, and there are more"));
    assert_eq!(status(&path, JobKind::Import).result(), JobResult::Unfinished);
}

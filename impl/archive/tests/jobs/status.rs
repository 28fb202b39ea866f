//! What the record of a job says once its process has ended: what was found at the end too, and
//! that an end is missing.

use aardvark_archive::{JobKind, JobResult};

use crate::killed;
use crate::scene::{
    INDEX, LOG, VECTORS, archive, change_record, change_slot, open, position_of, recommit, resume, size, start, status,
    store,
};

/// What is recorded of an audit that nothing was found at but at its end: the one finding.
#[track_caller]
fn recorded_at_the_end(path: &std::path::Path) -> String {
    let status = status(path, JobKind::Audit);
    assert_eq!((status.done, status.result(), status.false_partitions.len()), (VECTORS, JobResult::False, 0));
    let end = status.end.unwrap();
    assert_eq!(end.findings.len(), 1, "{end:?}");
    end.findings[0].clone()
}

#[test]
fn a_damaged_log_stays_in_the_record_of_an_audit() {
    let parent = tempfile::tempdir().unwrap();
    let path = archive(parent.path(), "1");
    change_record(&store(&path), LOG, &[1u64.to_be_bytes(), 0u64.to_be_bytes()].concat(), |body| {
        let mut body = body.unwrap();
        *body.last_mut().unwrap() ^= 1;
        Some(body)
    });
    assert!(!start(&path, JobKind::Audit, 1).unwrap().is_clean());
    assert!(recorded_at_the_end(&path).contains("not the block that was written"));
    // Done, and so that another one may take its place.
    assert!(!start(&path, JobKind::Audit, 2).unwrap().is_clean());
}

#[test]
fn another_root_than_the_one_given_stays_in_the_record_until_it_is_resumed_with_the_right_one() {
    let parent = tempfile::tempdir().unwrap();
    let path = archive(parent.path(), "1");
    let root = open(&path).validator().unwrap().root();
    let _ = open(&path).start_job(JobKind::Audit, size(1), Some([7; 32]), &mut |_| {}).unwrap();
    assert!(recorded_at_the_end(&path).contains("its state root is"));
    let right = open(&path).resume_job(JobKind::Audit, Some(root), &mut |_| {}).unwrap();
    assert_eq!((status(&path, JobKind::Audit), right.status.result()), (right.status.clone(), JobResult::Holds));
    let end = right.status.end.unwrap();
    assert_eq!((end.root, end.is_anchored, end.findings.len()), (Some(root), true, 0));
    assert!(!resume(&path, JobKind::Audit).unwrap().status.end.unwrap().is_anchored);
}

#[test]
fn links_that_do_not_form_one_ring_stay_in_the_record_of_an_audit() {
    let parent = tempfile::tempdir().unwrap();
    let path = archive(parent.path(), "1");
    let position = position_of(&path, "f");
    change_record(&store(&path), INDEX, b"ff", |_| Some(position.to_be_bytes().to_vec()));
    change_slot(&path, position, |slot| slot.next = "ff".into());
    recommit(&path, position / 4);
    assert!(!start(&path, JobKind::Audit, 1).unwrap().is_clean());
    assert!(recorded_at_the_end(&path).contains("not as many keys"));
}

#[test]
fn a_job_that_was_killed_is_unfinished_also_where_only_its_end_is_missing() {
    let parent = tempfile::tempdir().unwrap();
    let path = archive(parent.path(), "1");
    for kind in JobKind::OF_VECTORS {
        for (at, done) in [(2, 0), (5, 1), (3 * VECTORS, VECTORS)] {
            assert!(killed(&path, kind, at));
            let killed = status(&path, kind);
            assert_eq!((killed.done, killed.result()), (done, JobResult::Unfinished), "{kind}, killed at {at}");
            assert!(resume(&path, kind).unwrap().is_clean());
            assert_eq!(status(&path, kind).result(), JobResult::Holds);
        }
    }
    // What was found is said before the end too.
    change_slot(&path, 1, |slot| slot.value = "2".into());
    assert!(killed(&path, JobKind::Audit, 5));
    let killed = status(&path, JobKind::Audit);
    assert_eq!((killed.done, killed.end.is_none(), killed.result()), (1, true, JobResult::False));
}

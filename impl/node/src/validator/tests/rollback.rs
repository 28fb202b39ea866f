//! Rollback by one block.

use super::{LIMIT, Scene, finalize, options, put};
use crate::validator::roll_back;

#[test]
fn a_validator_goes_back_one_block_and_follows_another_one_from_there() {
    let mut scene = Scene::new(&[]);
    for name in ["k00", "k01", "k02"] {
        let tx = scene.signed(&[put(name, "new")]);
        scene.step(&[tx]);
    }
    let before = scene.app.state().state();
    let tx = scene.signed(&[put("k03", "new"), put("more", "1")]);
    let (proposal, first) = scene.step(&[tx]);
    let heights = |app: &super::Application| {
        app.list_snapshots().snapshots.iter().map(|snapshot| snapshot.height).collect::<Vec<_>>()
    };
    assert_eq!(heights(&scene.app), [2, 4]);
    let options = options(&scene.folder, "a", &[]);
    // The process that has the file has to end first.
    scene.app = scene.another("elsewhere");
    let two_back = roll_back(&options, 2).unwrap_err().to_string();
    assert!(two_back.contains("at height 4 and cannot go back to 2"), "{two_back}");
    assert_eq!(roll_back(&options, 4).unwrap(), 4);
    assert_eq!(roll_back(&options, 3).unwrap(), 3);
    assert_eq!(roll_back(&options, 3).unwrap(), 3);
    assert!(roll_back(&options, 2).is_err());
    scene.app = scene.another("a");
    assert_eq!(scene.app.state().state(), before);
    assert_eq!(heights(&scene.app), [2]);
    assert_eq!(scene.app.info().unwrap().last_block_height, 3);
    // The same block gives the same state again, and blocks after it can be gone back from.
    let again = scene.app.finalize_block(&finalize(4, &proposal, 9)).unwrap();
    scene.app.commit().unwrap();
    assert_eq!(again.app_hash, first.app_hash);
    assert!(scene.prepare(&[], LIMIT).is_empty());
    scene.app = scene.another("elsewhere");
    assert_eq!(roll_back(&options, 3).unwrap(), 3);
}

#[test]
fn where_there_is_no_validator_none_is_made_by_going_back() {
    let scene = Scene::new(&[]);
    assert!(roll_back(&options(&scene.folder, "b", &[]), 3).is_err());
    assert!(!scene.folder.path().join("b").exists());
}

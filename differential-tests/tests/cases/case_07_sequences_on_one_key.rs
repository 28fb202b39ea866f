//! create+delete, delete+create, update+delete, create+update, delete+create+delete of one key
//! within a block and across transactions; a put of the value that is already there.

use aardvark_dictionary::Operation;
use differential_tests::scene::{Scene, delete, on_both_schemes, put};

/// Runs the steps as one transaction and as one transaction each, and shows the scene after each of
/// the two blocks.
fn both_ways<const COUNT: usize>(steps: [Operation; COUNT], show: impl Fn(&Scene)) {
    on_both_schemes(|stage| {
        let mut within = stage.scene(2, 2, &["a", "b", "c"]);
        within.accept([within.now(steps.clone())]);
        show(&within);
        let mut across = stage.scene(2, 2, &["a", "b", "c"]);
        across.accept(steps.clone().map(|step| across.now([step])));
        show(&across);
    });
}

fn written(scene: &Scene) -> Vec<u64> {
    scene.pair.archive.written_in(1).iter().copied().collect()
}

#[test]
fn a_key_created_and_deleted_leaves_no_trace() {
    both_ways([put("bb", "1"), delete("bb")], |scene| assert!(written(scene).is_empty()));
}

#[test]
fn a_key_deleted_and_created_again_is_an_update_and_keeps_its_position() {
    both_ways([delete("a"), put("a", "2")], |scene| {
        assert_eq!(written(scene), [1]);
        assert_eq!(scene.order(), ["", "a", "b", "c"]);
        assert_eq!(scene.value("a"), Some("2".into()));
    });
}

#[test]
fn a_key_deleted_and_created_again_with_its_old_value_leaves_no_trace() {
    both_ways([delete("a"), put("a", "v")], |scene| assert!(written(scene).is_empty()));
}

#[test]
fn a_key_updated_and_deleted_is_a_delete() {
    both_ways([put("a", "2"), delete("a")], |scene| assert_eq!(scene.order(), ["", "c", "b"]));
}

#[test]
fn a_key_created_and_updated_is_one_insert() {
    both_ways([put("d", "1"), put("d", "2")], |scene| {
        assert_eq!(scene.order(), ["", "a", "b", "c", "d"]);
        assert_eq!(scene.value("d"), Some("2".into()));
    });
}

#[test]
fn a_key_deleted_created_and_deleted_is_one_delete() {
    both_ways([delete("b"), put("b", "2"), delete("b")], |scene| assert_eq!(scene.order(), ["", "a", "c"]));
}

#[test]
fn a_put_of_the_value_that_is_there_writes_nothing() {
    both_ways([put("a", "v")], |scene| assert!(written(scene).is_empty()));
}

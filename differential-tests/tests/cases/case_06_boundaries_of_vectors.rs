//! s = jN-1, jN, jN+1: new vector, truncation to the boundary, a dropped vector index used again
//! while its old commitment is still in the window; insert and delete in one block that touch a
//! position unused before and after.

use differential_tests::scene::{delete, on_both_schemes, put};

#[test]
fn the_array_grows_and_shrinks_through_every_boundary() {
    on_both_schemes(|stage| {
        for vector_size in [1, 2, 4] {
            let mut scene = stage.scene(vector_size, 2, &[]);
            let keys = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
            for (count, key) in keys.iter().enumerate() {
                scene.accept([scene.now([put(key, "v")])]);
                let vectors = (count + 2).div_ceil(vector_size as usize);
                assert_eq!(scene.pair.validator.commitments().len(), vectors);
            }
            for (count, key) in keys.iter().enumerate() {
                scene.accept([scene.now([delete(key)])]);
                let vectors = (keys.len() - count).div_ceil(vector_size as usize);
                assert_eq!(scene.pair.validator.commitments().len(), vectors);
            }
        }
    });
}

#[test]
fn one_block_truncates_the_array_to_a_boundary() {
    on_both_schemes(|stage| {
        let mut scene = stage.scene(4, 2, &["a", "b", "c", "d", "e"]);
        scene.accept([scene.now([delete("b"), delete("d")])]);
        assert_eq!(scene.order().len(), 4);
        assert_eq!(scene.pair.validator.commitments().len(), 1);
    });
}

#[test]
fn a_dropped_vector_is_used_again_while_claims_of_its_old_content_still_come_in() {
    on_both_schemes(|stage| {
        let mut scene = stage.scene(2, 3, &["a", "b"]);
        scene.accept([scene.now([delete("b")])]);
        assert_eq!(scene.pair.validator.commitments().len(), 1);
        scene.accept([scene.now([put("c", "1")])]);
        assert_eq!(scene.order(), ["", "a", "c"]);
        // "b" stood at position 2, in the vector that was dropped and now holds "c".
        let old = scene.aged(2, [put("b", "2")]);
        assert_eq!(old.claims[0].position, 2);
        scene.accept([old]);
        assert_eq!(scene.order(), ["", "a", "c", "b"]);
    });
}

#[test]
fn a_vector_that_was_dropped_cannot_be_claimed_at_the_version_without_it() {
    on_both_schemes(|stage| {
        let mut scene = stage.scene(2, 3, &["a", "b"]);
        let before = scene.covering(0, "b");
        scene.accept([scene.now([delete("b")])]);
        scene.accept([scene.now([put("c", "1")])]);
        let mut claiming = scene.aged(1, [put("b", "2")]);
        claiming.claims = vec![before];
        scene.refuse([claiming], "PositionOutOfRange", 0);
    });
}

#[test]
fn a_position_that_is_unused_before_and_after_is_not_written() {
    on_both_schemes(|stage| {
        let mut scene = stage.scene(2, 3, &["a"]);
        scene.accept([scene.now([put("b", "1"), delete("a")])]);
        assert_eq!(scene.order(), ["", "b"]);
        let written: Vec<u64> = scene.pair.archive.written_in(1).iter().copied().collect();
        assert_eq!(written, [0, 1]);
    });
}

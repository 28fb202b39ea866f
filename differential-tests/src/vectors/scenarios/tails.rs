//! Histories about the tail: eight slots in four vectors of two, of which a validator keeps the
//! last.

use aardvark_dictionary::{Block, Slot};

use super::script::{Actor, Script};
use crate::scene::{delete, put};
use crate::vectors::flags::Flag;

const KEYS: &[&str] = &["a", "b", "c", "d", "e", "f", "g"];

/// What is wrong, the reason, the bug, and how it is done.
type Spoilt = (&'static str, &'static str, Flag, fn(&mut Block));

/// Tells them.
pub(super) fn tell(script: &mut Script) {
    script.tell("two tail vectors, the highest first", &[Flag::TailCount, Flag::TailStart], (2, 2, KEYS), |actor| {
        let block = five_deletes(actor);
        actor.expect(&block, None);
    });
    let spoilt: [Spoilt; 8] = [
        ("wrong content", "TailFalse", Flag::TailContent, |block| block.tail_vectors[1][0].value = "w".into()),
        ("slots in wrong order", "TailFalse", Flag::TailContent, |block| block.tail_vectors[0].swap(0, 1)),
        ("vectors in wrong order", "TailFalse", Flag::TailContent, |block| block.tail_vectors.swap(0, 1)),
        ("one vector too few", "TailMissing", Flag::TailCount, |block| drop(block.tail_vectors.pop())),
        ("no vector", "TailMissing", Flag::TailCount, |block| block.tail_vectors.clear()),
        ("a lone sentinel in place of a slot", "TailFalse", Flag::TailContent, |block| {
            block.tail_vectors[0][1] = Slot::lone_sentinel();
        }),
        ("a key beyond the maximum", "TailSlotMalformed", Flag::LimitExceeded, |block| {
            block.tail_vectors[0][0].key = "long".into();
        }),
        ("a value beyond the maximum", "TailSlotMalformed", Flag::LimitExceeded, |block| {
            block.tail_vectors[0][0].value = vec![1; 17].into();
        }),
    ];
    for (comment, reason, flag, spoil) in spoilt {
        script.tell(&format!("tail: {comment}"), &[flag], (2, 2, KEYS), |actor| {
            let mut block = five_deletes(actor);
            spoil(&mut block);
            actor.expect(&block, Some(reason));
        });
    }
    script.tell("tail: one true vector too many", &[Flag::TailCount], (2, 2, KEYS), |actor| {
        let mut block = five_deletes(actor);
        block.tail_vectors = actor.scene().pair.archive.tail_vectors(0, 6);
        actor.expect(&block, Some("TailSuperfluous"));
    });
    script.tell("tail: a vector below the lowest", &[Flag::TailCount], (2, 2, KEYS), |actor| {
        let mut block = five_deletes(actor);
        block.tail_vectors = actor.scene().pair.archive.tail_vectors(0, 6);
        block.tail_vectors.push(vec![Slot::lone_sentinel(); 2]);
        actor.expect(&block, Some("TailTooLong"));
    });
    script.tell("tail: a vector of the version before", &[Flag::TailContent], (2, 2, KEYS), |actor| {
        let early = five_deletes(actor).tail_vectors;
        actor.accept(|scene| [scene.now([put("d", "2")])]);
        let mut block = five_deletes(actor);
        block.tail_vectors = early;
        actor.expect(&block, Some("TailFalse"));
    });
    script.tell("tail vectors do not resolve keys", &[Flag::NeighboursClaim], (2, 2, KEYS), |actor| {
        let mut block = five_deletes(actor);
        block.transactions[0].claims.retain(|claim| claim.slot.key != "c".into());
        actor.expect(&block, Some("UnresolvedCovering"));
    });
    script.tell("the tail's start rises and does not fall by itself", &[Flag::TailStart], (2, 2, KEYS), |actor| {
        actor.accept(|scene| [scene.now([put("h", "1"), put("i", "1")])]);
        actor.accept(|scene| [scene.now([delete("h"), delete("i")])]);
        actor.accept(|scene| [scene.now([delete("g")])]);
    });
}

fn five_deletes(actor: &Actor) -> Block {
    actor.scene().block([actor.scene().now(["c", "d", "e", "f", "g"].map(delete))])
}

//! Histories about limits: each with the most that is allowed, and with one more.

use aardvark_dictionary::{Limits, Transaction};

use super::script::Script;
use crate::scene::{Scene, put};
use crate::setting::Setting;
use crate::vectors::flags::Flag;

/// Tells them.
pub(super) fn tell(script: &mut Script) {
    let exceeded: &[Flag] = &[Flag::LimitExceeded];
    let puts = |scene: &Scene, keys: &[&str]| {
        let all = scene.now(["a", "b", "c", "d"].map(|key| put(key, "1")));
        let wanted = |key: &aardvark_dictionary::Key| keys.iter().any(|wanted| *key == (*wanted).into());
        let operations: Vec<_> = all.operations.iter().filter(|operation| wanted(operation.key())).cloned().collect();
        let claims = all.claims.into_iter().filter(|claim| wanted(&claim.slot.key)).collect();
        Transaction { operations, claims, ..scene.bare([]) }
    };
    script.tell_in(
        scene(script, |limits| limits.transaction_operations = 2),
        "operations of a transaction",
        exceeded,
        |actor| {
            actor.refuse("TooManyOperations", |scene| [puts(scene, &["a", "b", "c"])]);
            actor.accept(|scene| [puts(scene, &["a", "b"])]);
        },
    );
    script.tell_in(
        scene(script, |limits| limits.transaction_claims = 2),
        "claims of a transaction",
        exceeded,
        |actor| {
            actor.refuse("TooManyClaims", |scene| [puts(scene, &["a", "b", "c"])]);
            actor.accept(|scene| [puts(scene, &["a", "b"])]);
        },
    );
    script.tell_in(
        scene(script, |limits| limits.block_transactions = 2),
        "transactions of a block",
        exceeded,
        |actor| {
            actor.refuse("TooManyTransactions", |scene| ["a", "b", "c"].map(|key| puts(scene, &[key])));
            actor.accept(|scene| ["a", "b"].map(|key| puts(scene, &[key])));
        },
    );
    let few_operations = |limits: &mut Limits| (limits.transaction_operations, limits.block_operations) = (3, 3);
    script.tell_in(scene(script, few_operations), "operations of a block", exceeded, |actor| {
        actor.refuse("TooManyBlockOperations", |scene| [puts(scene, &["a", "b"]), puts(scene, &["c", "d"])]);
        actor.accept(|scene| [puts(scene, &["a", "b"]), puts(scene, &["c"])]);
    });
    let few_claims = |limits: &mut Limits| (limits.transaction_claims, limits.block_claims) = (3, 3);
    script.tell_in(scene(script, few_claims), "claims of a block", exceeded, |actor| {
        actor.refuse("TooManyBlockClaims", |scene| [puts(scene, &["a", "b"]), puts(scene, &["c", "d"])]);
        actor.accept(|scene| [puts(scene, &["a", "b"]), puts(scene, &["c"])]);
    });
    script.tell("a key one byte too long", exceeded, (4, 2, &["a"]), |actor| {
        actor.refuse("KeyTooLong", |scene| [scene.bare([put("aaaa", "1")])]);
        actor.accept(|scene| [scene.now([put("aaa", "1")])]);
    });
    script.tell("a value one byte too long", exceeded, (4, 2, &["a"]), |actor| {
        actor.refuse("ValueTooLong", |scene| [scene.now([put("a", "seventeen letters")])]);
        actor.accept(|scene| [scene.now([put("a", "sixteen letters.")])]);
    });
}

/// A dictionary with the keys a to d and with other limits.
fn scene(script: &Script, change: impl FnOnce(&mut Limits)) -> Scene {
    let mut setting = Setting::new(script.stage.kind(), 4, 2);
    change(&mut setting.parameters.limits);
    let entries = ["a", "b", "c", "d"].map(|key| (key.into(), "v".into()));
    Scene::of_setting(setting, entries.to_vec())
}

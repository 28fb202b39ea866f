//! A coordinated upgrade, as `docs/operations.md` has it under "Upgrade", with real processes: the
//! validators halt at one height, go on from it and go over to app version 2; an archive follows
//! them, a light client verifies across it, newcomers join before and after.
//!
//! Needs CometBFT at `AARDVARK_COMETBFT`, as `cargo xtask test` sets it; without it the tests say
//! so and check nothing. Where `AARDVARK_BEFORE` names a program `aardvark` of before, as `cargo
//! xtask test --long` builds one, validators run that from genesis to the halt; else they run this
//! one, told of no upgrade.

#![allow(clippy::unwrap_used, reason = "a test that cannot set its scene has failed")]

mod scene;

use std::process::Command;
use std::time::{Duration, Instant};

use aardvark_localnet::{Node, Rpc};
use serde_json::{Value, json};

use scene::{PATIENCE, Scene, Setting};

/// How a validator ended that came to the height it was to halt at.
const DONE: i32 = 0;
/// How one ended that was told what cannot be.
const MALFORMED: i32 = 2;
const HALT: &str = "AARDVARK_VALIDATOR_HALT_HEIGHT";
const UPGRADE: &str = "AARDVARK_VALIDATOR_UPGRADE_AT";

/// A network whose validators run the program of before, where there is one.
fn start_before(validators: usize) -> Option<Scene> {
    let script = script_before();
    Scene::start_behind(&Setting::of(validators), &wrapper(script.as_ref()))
}

/// Starts a validator in the place of what ran, by the program of before, where there is one.
fn restart_before(node: &mut Node, environment: &[(&str, &str)]) {
    node.kill();
    let script = script_before();
    node.start_with(&wrapper(script.as_ref()), environment).unwrap();
}

/// Runs the program of before in the place of the one of now, which is the first word that follows.
fn script_before() -> Option<String> {
    let program = std::env::var("AARDVARK_BEFORE").ok()?;
    Some(format!("shift; exec '{program}' \"$@\""))
}

fn wrapper(script: Option<&String>) -> Vec<&str> {
    script.map(|script| vec!["bash", "-c", script, "before"]).unwrap_or_default()
}

/// What the program says of a validator that does not run: its exit code and what it prints.
fn said(node: &Node, option: &str, value: &str) -> (Option<i32>, String) {
    let home = node.home();
    let mut command = Command::new(env!("CARGO_BIN_EXE_aardvark"));
    command.args(["node", "validator", option, value, "--home"]).arg(home.join("aardvark"));
    let output = command.arg("--genesis").arg(home.join("config/genesis.json")).output().unwrap();
    let printed = if output.status.success() { output.stdout } else { output.stderr };
    (output.status.code(), String::from_utf8(printed).unwrap())
}

/// What a file of a node's folder says.
fn log(node: &Node, name: &str) -> String {
    std::fs::read_to_string(node.home().join(name)).unwrap()
}

/// The app version in a height's header.
fn app_version(rpc: &Rpc, height: u64) -> Value {
    let block = rpc.call("block", &json!({ "height": height.to_string() })).unwrap();
    // CometBFT leaves out none but 0.
    block["block"]["header"]["version"]["app"].clone()
}

/// The work that the results of some heights state, of all transactions that are no frame.
fn stated_work(rpc: &Rpc, heights: impl Iterator<Item = u64>) -> Vec<u64> {
    let results = heights.flat_map(|height| {
        let results = rpc.call("block_results", &json!({ "height": height.to_string() })).unwrap();
        let results = results["txs_results"].as_array().cloned().unwrap_or_default();
        results.into_iter().skip(1).collect::<Vec<_>>()
    });
    results.map(|result| result["gas_used"].as_str().unwrap().parse().unwrap()).collect()
}

impl Scene {
    /// All validators halt at a height that is to come, and each is started again as soon as it
    /// has, told of app version 2 three heights later: who did not get the last votes for the
    /// halt's height, since the others had ended, gets its block from those that go on. Gives the
    /// height that announces the version.
    fn halts_and_is_upgraded(&mut self) -> u64 {
        let halt = self.height() + 8;
        for node in &mut self.network.nodes {
            restart_before(node, &[(HALT, &halt.to_string())]);
        }
        let begun = Instant::now();
        let mut halting: Vec<&mut Node> = self.network.nodes.iter_mut().collect();
        while !halting.is_empty() {
            assert!(begun.elapsed() < Duration::from_secs(PATIENCE), "not all have come to the halt");
            halting.retain_mut(|node| {
                let Some(code) = node.application_exit() else { return true };
                node.kill();
                assert_eq!(code, DONE);
                let halted = format!("the validator halted at height {halt}\n");
                assert_eq!(said(node, "--halt-height", &halt.to_string()), (Some(DONE), halted));
                let (code, late) = said(node, "--upgrade-at", &format!("2={halt}"));
                assert!(code == Some(MALFORMED) && late.contains("is committed under version 1"), "{code:?} {late}");
                node.start_with(&[], &[(UPGRADE, &format!("2={}", halt + 3))]).unwrap();
                false
            });
            std::thread::sleep(Duration::from_millis(200));
        }
        halt + 3
    }

    /// The chain is at app version 2 from the block on that follows a height, its results state
    /// their work from there on, and all is well.
    fn is_upgraded_at(&mut self, height: u64) {
        self.network.nodes[0].wait_for_height(height + 2, PATIENCE).unwrap();
        self.pay(3);
        self.is_well();
        let rpc = self.rpc();
        assert_eq!([height, height + 1].map(|height| app_version(&rpc, height)), ["1", "2"]);
        let before = stated_work(&rpc, 1..=height);
        assert!(before.len() >= 4 && before.iter().all(|work| *work == 0), "{before:?}");
        let after = stated_work(&rpc, height + 1..=rpc.height().unwrap() - 1);
        assert!(after.len() >= 4 && after.iter().all(|work| *work > 0), "{after:?}");
    }

    /// A node that takes a snapshot, and follows from it.
    fn joins(&mut self, name: &str, environment: &[(&str, &str)]) -> Node {
        let mut joiner = self.network.joiner(name, 1).unwrap();
        joiner.start_with(&[], environment).unwrap();
        let height = self.height() + 3;
        joiner.wait_for_height(height, PATIENCE).unwrap();
        assert!(log(&joiner, "aardvark.log").contains("restored a snapshot"));
        self.agrees(&joiner);
        joiner
    }

    /// A node has the state that the validators have.
    fn agrees(&self, node: &Node) {
        let height = node.rpc().height().unwrap();
        self.network.wait_for_height(height, PATIENCE).unwrap();
        assert_eq!(node.rpc().app_hash(height).unwrap(), self.network.common_app_hash(height).unwrap().unwrap());
    }
}

#[test]
fn two_validators_halt_at_one_height_and_go_over_to_app_version_2() {
    let Some(mut scene) = start_before(2) else { return };
    scene.pay(3);
    scene.is_well();
    let announcing = scene.halts_and_is_upgraded();
    scene.is_upgraded_at(announcing);
    // Snapshots are five heights apart: one is of app version 2, and two headers follow it.
    scene.network.wait_for_height(announcing + 5 + 2, PATIENCE).unwrap();
    scene.joins("after", &[(UPGRADE, &format!("2={announcing}"))]);
}

#[test]
#[ignore = "minutes: cargo xtask test --long"]
fn who_is_not_told_of_an_upgrade_stands_and_newcomers_of_all_kinds_come_to_the_same_state() {
    let Some(mut scene) = start_before(4) else { return };
    scene.pay(3);
    scene.is_well();
    // No halt: who is told does as before until then. A newcomer comes in before it.
    let announcing = scene.height() + 60;
    let told = format!("2={announcing}");
    for node in scene.network.nodes.iter_mut().take(3) {
        node.kill();
        node.start_with(&[], &[(UPGRADE, &told)]).unwrap();
    }
    restart_before(scene.last(), &[]);
    scene.network.wait_for_height(12, PATIENCE).unwrap();
    let before = scene.joins("before", &[(UPGRADE, &told)]);
    assert!(scene.height() < announcing, "the newcomer came too late for this test");
    for node in [&before, &scene.network.nodes[0]] {
        node.wait_for_height(announcing + 4, PATIENCE).unwrap();
    }
    // The one that is not told refuses the others' next block, and its application is not asked.
    scene.last().kill();
    assert_eq!(said(scene.last(), "--halt-height", &announcing.to_string()).0, Some(DONE));
    assert!(log(scene.last(), "cometbft.log").contains("wrong Block.Header.Version"));
    let (code, missed) = said(scene.last(), "--upgrade-at", &told);
    assert!(code == Some(MALFORMED) && missed.contains("is committed under version 1"), "{code:?} {missed}");
    assert_eq!(scene.last().roll_back(false, true).unwrap(), announcing - 1);
    scene.last().start_with(&[], &[(UPGRADE, &told)]).unwrap();
    scene.is_upgraded_at(announcing);
    scene.agrees(&before);
    // Newcomers after it: by a snapshot, by all blocks, and one that is not told.
    scene.network.wait_for_height(announcing + 5 * 3 + 2, PATIENCE).unwrap();
    scene.joins("after", &[(UPGRADE, &told)]);
    let mut replaying = scene.network.replayer("replaying").unwrap();
    replaying.start_with(&[], &[(UPGRADE, &told)]).unwrap();
    replaying.wait_for_height(announcing + 10, PATIENCE).unwrap();
    assert_eq!(replaying.rpc().earliest_height().unwrap(), 1);
    scene.agrees(&replaying);
    let mut unaware = scene.network.joiner("unaware", 1).unwrap();
    unaware.start().unwrap();
    let begun = Instant::now();
    while !log(&unaware, "aardvark.log").contains("a snapshot of another app version") {
        assert!(begun.elapsed() < Duration::from_secs(PATIENCE), "no snapshot was refused");
        std::thread::sleep(Duration::from_millis(200));
    }
    assert!(!log(&unaware, "aardvark.log").contains("restored a snapshot"));
}

//! A coordinated upgrade, as `docs/operations.md` has it under "Upgrade", with real processes: the
//! validators halt at one height, and go on from it.
//!
//! Needs CometBFT at `AARDVARK_COMETBFT`, as `cargo xtask test` sets it; without it the test says
//! so and checks nothing.

#![allow(clippy::unwrap_used, reason = "a test that cannot set its scene has failed")]

mod scene;

use std::process::Command;
use std::time::{Duration, Instant};

use aardvark_localnet::Node;

use scene::{PATIENCE, Scene};

/// How a validator ended that came to the height it was to halt at.
const DONE: i32 = 0;

/// Starts a validator with an environment, in the place of what ran.
fn restart(node: &mut Node, environment: &[(&str, &str)]) {
    node.kill();
    node.start_with(&[], environment).unwrap();
}

/// What the program says of a validator that does not run, and is to halt at a height.
fn halted_at(node: &Node, height: u64) -> (Option<i32>, String) {
    let home = node.home();
    let mut command = Command::new(env!("CARGO_BIN_EXE_aardvark"));
    command.args(["node", "validator", "--halt-height", &height.to_string(), "--home"]).arg(home.join("aardvark"));
    let output = command.arg("--genesis").arg(home.join("config/genesis.json")).output().unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

impl Scene {
    /// All validators halt at a height that is to come, and each is started again as soon as it has,
    /// with an environment: who did not get the last votes for that height, since the others had
    /// halted, gets its block from those that go on.
    fn halts_and_goes_on(&mut self, environment: &[(&str, &str)]) -> u64 {
        let height = self.height() + 8;
        for node in &mut self.network.nodes {
            restart(node, &[("AARDVARK_VALIDATOR_HALT_HEIGHT", &height.to_string())]);
        }
        let begun = Instant::now();
        let mut halting: Vec<&mut Node> = self.network.nodes.iter_mut().collect();
        while !halting.is_empty() {
            assert!(begun.elapsed() < Duration::from_secs(PATIENCE), "not all have come to the halt");
            halting.retain_mut(|node| {
                let Some(code) = node.application_exit() else { return true };
                node.kill();
                assert_eq!(code, DONE);
                assert_eq!(halted_at(node, height), (Some(DONE), format!("the validator halted at height {height}\n")));
                node.start_with(&[], environment).unwrap();
                false
            });
            std::thread::sleep(Duration::from_millis(200));
        }
        height
    }
}

#[test]
fn two_validators_halt_at_one_height_and_go_on_from_it() {
    let Some(mut scene) = Scene::start(2) else { return };
    scene.pay(3);
    scene.is_well();
    let halted = scene.halts_and_goes_on(&[]);
    scene.network.wait_for_height(halted + 3, PATIENCE).unwrap();
    scene.pay(3);
    scene.is_well();
}

//! `aardvark client pay` on a real network, repeated as people and scripts repeat it: the payment
//! is made once.
//!
//! Needs CometBFT at `AARDVARK_COMETBFT`, as `cargo xtask test` sets it; without it the test says
//! so and checks nothing.

#![allow(clippy::unwrap_used, reason = "a test that cannot set its scene has failed")]

mod common;
mod scene;

use aardvark_chain::account_key;
use common::{Outcome, Sandbox};
use scene::Scene;
use scene::bank::{START, owner};
use serde_json::{Value, json};

/// A network, and a folder with the key of one of its accounts.
struct Payer {
    scene: Scene,
    sandbox: Sandbox,
}

impl Payer {
    fn start() -> Option<Self> {
        let (scene, sandbox) = (Scene::start(1)?, Sandbox::new());
        let key = owner(0);
        let hex = |bytes: &[u8]| format!("0x{}", hex::encode(bytes));
        let file = json!({ "format": 1, "kind": "ed25519", "public_key": hex(key.verifying_key().as_bytes()),
            "secret_key": hex(key.as_bytes()) });
        let path = sandbox.write("alice.key", file.to_string());
        std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
        Some(Self { scene, sandbox })
    }

    fn network(&self) -> String {
        let (rpc, archive) = (self.scene.rpc(), self.scene.archive.url());
        format!("--rpc {} --archive {archive} --without-witness", rpc.url())
    }

    /// Pays 17 to another account of genesis.
    fn pay(&self, options: &str) -> (Outcome, Value) {
        self.client(&format!("pay {} 17 {options}", account(1)))
    }

    fn client(&self, line: &str) -> (Outcome, Value) {
        let outcome = self.sandbox.run(&format!("--json client {line} --key alice.key {}", self.network()));
        let answer = serde_json::from_str(&outcome.out).unwrap();
        (outcome, answer)
    }

    /// What the other account has got, once the newest header certifies it.
    fn paid(&self) -> u64 {
        let height = self.scene.height() + 2;
        self.scene.network.wait_for_height(height, scene::PATIENCE).unwrap();
        let trust = self.scene.rpc().block_hash(1).unwrap();
        let answer = self.sandbox.ok_json(&format!("client get {} {} --trust 1:{trust}", account(1), self.network()));
        answer["number"].as_str().unwrap().parse::<u64>().unwrap() - START
    }
}

fn account(index: u64) -> String {
    format!("0x{}", hex::encode(account_key(owner(index).verifying_key().as_bytes())))
}

#[test]
fn a_payment_that_is_repeated_is_made_once_unless_another_is_asked_for() {
    let Some(payer) = Payer::start() else { return };
    // The command ends before it knows what became of the payment; its id, its bytes and their file
    // are on the screen.
    let (first, answer) = payer.pay("--wait 0");
    assert_eq!((first.code, &answer["outcome"]), (Some(0), &json!("submitted")), "{first:?}");
    let id = answer["id"].as_str().unwrap().to_owned();
    assert!(first.err.contains(&format!("sending  {id}")) && first.err.contains("\nbytes    0x"), "{first:?}");
    assert!(first.err.contains("kept in alice.key.sent/"), "{first:?}");

    // Repeated, at once and blocks later: the same payment.
    let (second, answer) = payer.pay("--wait 60");
    assert_eq!((second.code, answer["id"].as_str()), (Some(0), Some(id.as_str())), "{second:?}");
    assert_eq!((&answer["outcome"], &answer["repeated"]), (&json!("Applied"), &json!(true)));
    let height = answer["height"].clone();
    assert_eq!(payer.paid(), 17);
    for again in [payer.pay(""), payer.client(&format!("pay --resume {id}")), payer.pay(&format!("--resume {id}"))] {
        assert_eq!((again.0.code, again.1["id"].as_str(), &again.1["height"]), (Some(0), Some(id.as_str()), &height));
        assert!(!again.0.err.contains("sending"), "{again:?}");
    }
    assert_eq!(payer.paid(), 17);

    // Asked for, another one.
    let (other, answer) = payer.pay("--again --wait 60");
    assert_eq!((other.code, &answer["outcome"]), (Some(0), &json!("Applied")), "{other:?}");
    assert_ne!(answer["id"].as_str(), Some(id.as_str()));
    assert_eq!(payer.paid(), 34);

    // Neither an unknown id nor another payment's is gone on with.
    let (unknown, _) = payer.client(&format!("pay --resume 0x{}", "00".repeat(32)));
    unknown.demand(2, "holds no transaction");
    let (mixed, _) = payer.client(&format!("pay {} 18 --resume {id}", account(1)));
    mixed.demand(2, "is another transaction");
}

#[test]
fn a_payment_that_no_node_takes_is_kept_and_gone_on_with() {
    let Some(payer) = Payer::start() else { return };
    // A node that answers questions and takes nothing.
    let (line, archive) = (format!("--json client pay {} 17 --key alice.key", account(1)), payer.scene.archive.url());
    let genesis = payer.scene.network.nodes[0].home().join("config/genesis.json");
    let gone =
        format!("--rpc http://127.0.0.1:1 --archive {archive} --without-witness --genesis {}", genesis.display());
    let first = payer.sandbox.run(&format!("{line} {gone} --wait 1"));
    let answer: Value = serde_json::from_str(&first.out).unwrap();
    assert_eq!((first.code, &answer["may_be_applied"]), (Some(2), &json!(true)), "{first:?}");
    let id = answer["id"].as_str().unwrap().to_owned();
    assert!(first.err.contains(&format!("--resume {id}")), "{first:?}");
    // Nobody says what became of it: nothing is made anew.
    let second = payer.sandbox.run(&format!("{line} {gone} --wait 1"));
    second.demand(2, "nothing more is sent until a node says");
    assert!(second.out.contains(&id), "{second:?}");
    let (third, answer) = payer.pay("--wait 60");
    assert_eq!((third.code, answer["id"].as_str()), (Some(0), Some(id.as_str())), "{third:?}");
    assert_eq!(payer.paid(), 17);
}

//! A council that changes a chain's validators, with real processes: one is added and signs blocks,
//! one goes, hostile changes are refused, a newcomer takes all of it with a snapshot; and who signs
//! twice is removed for it.
//!
//! Needs CometBFT at `AARDVARK_COMETBFT`, as `cargo xtask test` sets it; without it the tests say
//! so and check nothing.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot set its scene has failed")]

mod common;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use aardvark_client::light::validator_key;
use aardvark_localnet::{Network, Node, Options, Policy, free_ports};
use common::Sandbox;
use serde_json::{Value, json};

/// Seconds until something that must happen has to have happened, on a busy machine.
const PATIENCE: u64 = 240;
/// CometBFT's flag of a signature for the block that was decided.
const FOR_THE_BLOCK: u64 = 2;

struct Scene {
    network: Network,
    sandbox: Sandbox,
    options: Options,
    // Last: processes end before their folders.
    folder: tempfile::TempDir,
}

impl Scene {
    /// So many validators of a chain whose council are three, of whom two have to sign; `None`
    /// where there is no CometBFT.
    fn start(validators: usize) -> Option<Self> {
        let Some(cometbft) = std::env::var_os("AARDVARK_COMETBFT") else {
            eprintln!("skipped: AARDVARK_COMETBFT does not name the program cometbft");
            return None;
        };
        let (folder, sandbox) = (tempfile::tempdir().unwrap(), Sandbox::new());
        let made = |name: &str| {
            let key = sandbox.ok_json(&format!("client keygen {name}.key"));
            key["public_key"].as_str().unwrap().to_owned()
        };
        let options = Options {
            aardvark: PathBuf::from(env!("CARGO_BIN_EXE_aardvark")),
            cometbft: PathBuf::from(cometbft),
            policy: Policy::Publisher(vec![made("publisher")]),
            window: 200,
            vector_size: 16,
            max_gas: None,
            block_milliseconds: 200,
            snapshot_interval: 5,
            evidence_blocks: None,
            council: ["anna", "berta", "carla"].map(made).to_vec(),
            archives: Vec::new(),
        };
        let mut network = Network::create(folder.path(), validators, &options).unwrap();
        network.start().unwrap();
        network.wait_for_height(2, PATIENCE).unwrap();
        Some(Self { network, sandbox, options, folder })
    }

    fn genesis(&self) -> PathBuf {
        self.network.nodes[0].home().join("config/genesis.json")
    }

    fn rpc(&self, node: usize) -> String {
        self.network.nodes[node].rpc().url().to_owned()
    }

    /// A change of validators, signed by these members.
    fn signed(&self, file: &str, what: &str, members: &[&str]) {
        self.sandbox.ok(&format!("node validators propose {what} --rpc {} -o {file}", self.rpc(1)));
        for member in members {
            self.sandbox
                .ok(&format!("node validators sign {file} --genesis {} --key {member}.key", self.genesis().display()));
        }
    }

    fn submit(&self, file: &str) -> String {
        format!("node validators submit {file} --rpc {} --wait {PATIENCE}", self.rpc(1))
    }

    /// Has two members sign a change, and waits until it is made.
    fn change(&self, file: &str, what: &str) {
        self.signed(file, what, &["anna", "carla"]);
        self.sandbox.ok(&self.submit(file));
    }

    fn powers(&self) -> Vec<(String, u64)> {
        let shown = self.sandbox.ok_json(&format!("node validators show --rpc {}", self.rpc(1)));
        let entry = |one: &Value| (one["key"].as_str().unwrap().to_owned(), one["power"].as_u64().unwrap());
        shown["validators"].as_array().unwrap().iter().map(entry).collect()
    }

    /// Waits until the validator with this address signs blocks, or, where `signs` is false, is
    /// none of those who decide.
    fn until(&self, address: &str, signs: bool) {
        let begun = Instant::now();
        let is_so = || {
            let commit = self.network.nodes[1].rpc().call("commit", &json!({})).unwrap();
            let signatures = commit["signed_header"]["commit"]["signatures"].as_array().cloned().unwrap();
            let power = self.validators(commit["signed_header"]["header"]["height"].as_str().unwrap());
            let signed = |one: &Value| {
                one["validator_address"] == address && one["block_id_flag"].as_u64() == Some(FOR_THE_BLOCK)
            };
            if signs { signatures.iter().any(signed) } else { !power.contains(&address.to_owned()) }
        };
        while !is_so() {
            assert!(begun.elapsed() < Duration::from_secs(PATIENCE), "{address} signs: not {signs}");
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// The addresses of a height's validators, by CometBFT.
    fn validators(&self, height: &str) -> Vec<String> {
        let answer = self.network.nodes[1].rpc().call("validators", &json!({ "height": height })).unwrap();
        let address = |one: &Value| one["address"].as_str().unwrap().to_owned();
        answer["validators"].as_array().unwrap().iter().map(address).collect()
    }
}

fn key_file(node: &Node) -> Value {
    serde_json::from_slice(&std::fs::read(node.home().join("config/priv_validator_key.json")).unwrap()).unwrap()
}

/// A node's address and public key as a validator, as CometBFT writes them.
fn identity(node: &Node) -> (String, String) {
    let file = key_file(node);
    let [address, key] = [&file["address"], &file["pub_key"]["value"]].map(|text| text.as_str().unwrap().to_owned());
    (address, key)
}

/// Rewrites a line of a node's CometBFT configuration.
fn configure(home: &Path, key: &str, value: &str) {
    let file = home.join("config/config.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    let line =
        |line: &str| if line.starts_with(&format!("{key} = ")) { format!("{key} = {value}") } else { line.into() };
    std::fs::write(file, text.lines().map(line).collect::<Vec<_>>().join("\n")).unwrap();
}

#[test]
fn a_council_adds_a_validator_and_removes_a_lost_one_and_nobody_else_does() {
    let Some(mut scene) = Scene::start(2) else { return };
    // An archive that follows from the genesis file on; a light client trusts the first header.
    let mut archive = scene.network.archive(1, free_ports(1).unwrap()[0]);
    archive.start().unwrap();
    archive.wait_for_version(1, PATIENCE).unwrap();
    let trusted = scene.network.nodes[1].rpc().block_hash(1).unwrap();
    let mut third = scene.network.replayer("third").unwrap();
    third.start().unwrap();
    let (address, key) = identity(&third);
    let (lost, lost_key) = identity(&scene.network.nodes[0]);
    // Too few, a false signature, nobody left, too much power, and none of the validators.
    scene.signed("few.json", &format!("--set {key}=10"), &["berta"]);
    scene.sandbox.refused(&scene.submit("few.json"), 1, "SignerMissing");
    scene.signed("forged.json", &format!("--set {key}=10"), &["anna", "berta"]);
    let mut forged = scene.sandbox.json("forged.json");
    forged["updates"][0]["power"] = json!(11);
    scene.sandbox.write("forged.json", forged.to_string());
    scene.sandbox.refused(&scene.submit("forged.json"), 1, "SignatureFalse");
    let nobody = scene.powers().iter().map(|(key, _)| format!("--remove {key} ")).collect::<String>();
    for (file, what, reason) in [
        ("none.json", nobody.trim(), "SetForbidden"),
        ("power.json", &format!("--set {key}={}", 1_u64 << 50), "SetForbidden"),
        ("gone.json", &format!("--remove {key}"), "ValidatorUnknown"),
    ] {
        scene.signed(file, what, &["anna", "berta"]);
        scene.sandbox.refused(&scene.submit(file), 1, reason);
    }
    let stranger = format!("node validators sign few.json --genesis {} --key publisher.key", scene.genesis().display());
    scene.sandbox.refused(&stranger, 2, "no member of the council");

    scene.change("add.json", &format!("--set {key}=10"));
    scene.until(&address, true);
    assert_eq!(scene.powers().len(), 3);
    // Once more, with a further signature, so that CometBFT does not know the bytes.
    let again = format!("node validators sign add.json --genesis {} --key berta.key", scene.genesis().display());
    scene.sandbox.ok(&again);
    scene.sandbox.refused(&scene.submit("add.json"), 1, "ChangeStale");
    // A member loses its key: the two that are left are as many as have to sign.
    std::fs::remove_file(scene.sandbox.path("berta.key")).unwrap();
    // Without one of three nothing is decided: 20 of 30 are not more than two thirds.
    scene.change("remove.json", &format!("--remove {lost_key}"));
    scene.until(&lost, false);
    // A newcomer takes the validators with a snapshot.
    let last = scene.sandbox.ok_json(&format!("node validators show --rpc {}", scene.rpc(1)));
    let height = last["last_change"].as_u64().unwrap() + 5 + 3;
    scene.network.nodes[1].wait_for_height(height, PATIENCE).unwrap();
    let mut joiner = scene.network.joiner("joiner", 1).unwrap();
    joiner.start().unwrap();
    joiner.wait_for_height(height, PATIENCE).unwrap();
    let log = std::fs::read_to_string(joiner.application_log()).unwrap();
    assert!(log.contains("restored a snapshot"));
    let height = joiner.rpc().height().unwrap();
    scene.network.nodes[1].wait_for_height(height, PATIENCE).unwrap();
    assert_eq!(joiner.rpc().app_hash(height).unwrap(), scene.network.nodes[1].rpc().app_hash(height).unwrap());
    let shown = |rpc: &str| scene.sandbox.ok_json(&format!("node validators show --rpc {rpc}"));
    assert_eq!(shown(joiner.rpc().url())["validators"], shown(&scene.rpc(1))["validators"]);
    scene.network.nodes[0].kill();
    let height = scene.network.nodes[1].rpc().height().unwrap() + 3;
    scene.network.nodes[1].wait_for_height(height, PATIENCE).unwrap();
    archive.wait_for_version(height - 1, PATIENCE).unwrap();
    archive.kill();
    archive.start().unwrap();
    let later = scene.network.nodes[1].rpc().height().unwrap() + 2;
    scene.network.nodes[1].wait_for_height(later, PATIENCE).unwrap();
    archive.wait_for_version(later - 1, PATIENCE).unwrap();
    let log = std::fs::read_to_string(archive.log()).unwrap();
    // A node may have answered late; a header was never refused.
    assert!(!log.contains("ERROR") && !log.contains("its header of height"), "{log}");
    let (rpc, genesis) = (scene.rpc(1), scene.genesis());
    let signed = format!("client trust --rpc {rpc} --height {later} --genesis {}", genesis.display());
    assert_eq!(scene.sandbox.ok_json(&signed)["signed"], true);
    let asked =
        format!("client get nothing --rpc {rpc} --archive {} --without-witness --trust 1:{trusted}", archive.url());
    assert_eq!(scene.sandbox.ok_json(&asked)["result"], "holds");
    third.kill();
}

#[test]
fn a_validator_that_signs_twice_is_removed_for_it_and_comes_back_with_a_new_key() {
    let Some(mut scene) = Scene::start(4) else { return };
    let guilty = &scene.network.nodes[3];
    let (address, key) = identity(guilty);
    // The same key on another machine, which votes for nothing where the first votes for a block.
    let mut double = scene.network.replayer("double").unwrap();
    std::fs::copy(
        guilty.home().join("config/priv_validator_key.json"),
        double.home().join("config/priv_validator_key.json"),
    )
    .unwrap();
    configure(double.home(), "timeout_propose", "\"1ms\"");
    configure(double.home(), "timeout_propose_delta", "\"0ms\"");
    double.start().unwrap();
    scene.until(&address, false);
    assert_eq!(scene.powers().len(), 3);
    let key = format!("0x{}", hex::encode(validator_key(&key).unwrap()));
    assert!(scene.powers().iter().all(|(other, _)| *other != key));
    let height = scene.network.nodes[0].rpc().height().unwrap() + 3;
    scene.network.wait_for_height(height, PATIENCE).unwrap();
    assert!(scene.network.common_app_hash(height).unwrap().is_some());
    let log = std::fs::read_to_string(scene.network.nodes[0].application_log()).unwrap();
    assert!(log.contains("evidence removes validators that misbehaved"));
    // The second machine is ended; the first gets another key, and the council adds that.
    double.kill();
    let fresh = scene.network.replayer("fresh").unwrap();
    let guilty = &mut scene.network.nodes[3];
    guilty.kill();
    for file in ["config/priv_validator_key.json", "data/priv_validator_state.json"] {
        std::fs::copy(fresh.home().join(file), guilty.home().join(file)).unwrap();
    }
    guilty.start().unwrap();
    let (address, key) = identity(guilty);
    scene.change("again.json", &format!("--set {key}=10"));
    scene.until(&address, true);
    assert_eq!(scene.powers().len(), 4);
}

#[test]
fn a_chain_that_lost_half_its_power_begins_anew_with_what_it_had() {
    let Some(mut scene) = Scene::start(2) else { return };
    let mut archive = scene.network.archive(1, free_ports(1).unwrap()[0]);
    archive.start().unwrap();
    archive.wait_for_version(1, PATIENCE).unwrap();
    let about = |network: &Network, url: &str| {
        let last = network.nodes.last().unwrap().rpc();
        let trust = last.block_hash(1).unwrap();
        format!("--rpc {} --archive {url} --without-witness --trust 1:{trust}", last.url())
    };
    let asked = about(&scene.network, &archive.url());
    scene.sandbox.ok(&format!("client put kept value --key publisher.key --wait {PATIENCE} {asked}"));
    let height = scene.network.nodes[1].rpc().height().unwrap();
    archive.wait_for_version(height, PATIENCE).unwrap();
    // Half of the power is gone for good: nothing is decided any more, a change neither.
    scene.network.nodes[0].kill();
    archive.kill();
    scene.network.nodes[1].kill();
    let kept = scene.sandbox.ok(&format!("export {} --format csv", archive.directory().display()));
    scene.sandbox.write("kept.csv", &kept);
    // The past, in a file: it comes back as it was.
    scene.sandbox.ok(&format!("archive backup {} -o past", archive.directory().display()));
    let status = scene.sandbox.ok_json(&format!("status {}", archive.directory().display()));
    scene.sandbox.ok(&format!("archive restore past restored --root {}", status["root"].as_str().unwrap()));
    assert_eq!(scene.sandbox.ok("export restored --format csv"), kept);

    let publisher = scene.sandbox.ok_json("client account publisher.key")["public_key"].as_str().unwrap().to_owned();
    let folder = scene.folder.path().join("anew");
    let mut anew = Network::create(&folder, 1, &scene.options).unwrap();
    let genesis = anew.nodes[0].home().join("config/genesis.json");
    let begins = format!("node genesis {} --publisher {publisher} --vector-size 16 --window 200", genesis.display());
    scene.sandbox.ok(&format!("{begins} --content kept.csv"));
    anew.start().unwrap();
    anew.wait_for_height(2, PATIENCE).unwrap();
    let mut archive = anew.archive(0, free_ports(1).unwrap()[0]);
    archive.start().unwrap();
    archive.wait_for_version(1, PATIENCE).unwrap();
    let asked = about(&anew, &archive.url());
    let answer = scene.sandbox.ok(&format!("client get kept {asked}"));
    assert!(answer.contains("value"), "{answer}");
}

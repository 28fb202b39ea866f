//! Validators, archives and the light client as real processes: an archive that is killed while it
//! applies blocks comes back to the chain's state, and payments neither make nor lose money.
//!
//! Needs CometBFT at `AARDVARK_COMETBFT`, as `cargo xtask test` sets it; without it the test says
//! so and checks nothing.

#![allow(clippy::unwrap_used, reason = "a test that cannot set its scene has failed")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{JoinHandle, sleep};
use std::time::{Duration, Instant};

use aardvark_chain::account_key;
use aardvark_client::light::{LightClient, LightOptions, Question, TrustPoint, Witnesses, clock};
use aardvark_client::rpc::{HttpOptions, RpcClient};
use aardvark_client::{ArchiveClient, KeyFile, Reader};
use aardvark_dictionary::Key;
use aardvark_localnet::{Archive, Network, Options, Policy, free_ports};
use aardvark_node::archive::FAIL_POINTS;
use ed25519_dalek::SigningKey;
use serde_json::Value;

/// Seconds until something that must happen has to have happened, on a busy machine.
const PATIENCE: u64 = 240;
/// N. With as many accounts as there are no slot is in the tail, so every payment needs openings.
const VECTOR_SIZE: u32 = 8;
/// Accounts besides those of Alice and Bob.
const OTHERS: u8 = 21;
/// What Alice begins with, and the least that an account holds and is paid.
const ALICE: u64 = 1_000_000;
const MINIMUM: u64 = 10;

/// Two validators and two archives; Alice pays Bob, and the last of the others gets the fees.
struct Scene {
    network: Network,
    /// The archive that nobody disturbs.
    steady: Archive,
    /// The one that is killed.
    victim: Archive,
    /// All accounts with what they begin with.
    genesis: Vec<(Key, u64)>,
    trust: TrustPoint,
    // Last: processes end before their folders.
    folder: tempfile::TempDir,
}

impl Scene {
    /// Validators and archives at version 1; `None`, with a word about it, where there is no
    /// CometBFT.
    fn start() -> Option<Self> {
        let Some(cometbft) = std::env::var_os("AARDVARK_COMETBFT") else {
            eprintln!("skipped: AARDVARK_COMETBFT does not name the program cometbft");
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        let owners = owners(folder.path());
        let ports = free_ports(2).unwrap();
        let options = Options {
            aardvark: PathBuf::from(env!("CARGO_BIN_EXE_aardvark")),
            cometbft: PathBuf::from(cometbft),
            policy: Policy::Accounts(
                owners.iter().rev().map(|(key, sum)| (format!("0x{}", hex::encode(key)), *sum)).collect(),
            ),
            max_gas: None,
            window: 200,
            vector_size: VECTOR_SIZE,
            block_milliseconds: 300,
            snapshot_interval: 1000,
            evidence_blocks: None,
            council: Vec::new(),
            archives: ports.iter().map(|port| format!("http://127.0.0.1:{port}")).collect(),
        };
        let mut network = Network::create(folder.path(), 2, &options).unwrap();
        network.start().unwrap();
        let [mut steady, mut victim] = [0, 1].map(|index| network.archive(index, ports[index]));
        steady.start().unwrap();
        victim.start().unwrap();
        network.wait_for_height(2, PATIENCE).unwrap();
        steady.wait_for_version(1, PATIENCE).unwrap();
        let trust = format!("1:{}", network.nodes[0].rpc().block_hash(1).unwrap()).parse().unwrap();
        let genesis = owners.iter().map(|(owner, sum)| (account_key(owner), *sum)).collect();
        Some(Self { network, steady, victim, genesis, trust, folder })
    }

    fn height(&self) -> u64 {
        self.network.nodes[0].rpc().height().unwrap()
    }

    /// What every `aardvark client` is told: whom to ask, and what to believe.
    fn servers(&self) -> Vec<String> {
        let [node, witness] = [0, 1].map(|index: usize| self.network.nodes[index].rpc().url().to_owned());
        let [steady, victim] = [&self.steady, &self.victim].map(Archive::url);
        let words = ["--rpc", &node, "--witness", &witness, "--archive", &steady, "--archive", &victim, "--trust"];
        words.into_iter().map(str::to_owned).chain([self.trust.to_string()]).collect()
    }

    /// Payments of 10, 11, 12, .. from Alice to Bob, one after the other.
    fn payments(&self) -> Payments {
        let bob = format!("0x{}", hex::encode(&*self.genesis[1].0));
        let alice = self.folder.path().join("alice.key").display().to_string();
        let (servers, heights, fees, stop) = (
            self.servers(),
            Arc::<Mutex<Vec<u64>>>::default(),
            Arc::<AtomicU64>::default(),
            Arc::new(AtomicBool::new(false)),
        );
        let (entered, paid_fees, stopped) = (Arc::clone(&heights), Arc::clone(&fees), Arc::clone(&stop));
        let thread = std::thread::spawn(move || {
            for amount in MINIMUM.. {
                let pay = ["client", "pay", &bob, &amount.to_string(), "--key", &alice].map(str::to_owned);
                let paid = says(&[&pay[..], &servers].concat());
                assert_eq!(
                    (&paid["outcome"], &paid["proved"]),
                    (&Value::from("Applied"), &Value::from(true)),
                    "{paid}"
                );
                assert_eq!(paid["claims"], 3, "{paid}");
                let fee: u64 = paid["fee"].as_str().unwrap().parse().unwrap();
                assert_eq!(fee, 10 + 3 + 4, "{paid}");
                paid_fees.fetch_add(fee, Ordering::Relaxed);
                entered.lock().unwrap().push(paid["height"].as_u64().unwrap());
                if stopped.load(Ordering::Relaxed) {
                    return;
                }
            }
        });
        Payments { heights, fees, stop, thread }
    }

    /// The victim dies by itself at a step of a block with a payment, and comes back.
    fn dies_at(&mut self, point: &str, payments: &Payments) {
        self.victim.kill();
        let height = payments.after(self.height());
        self.victim.start_with(&[], &[("AARDVARK_FAIL_POINT", &format!("{point}@{height}"))]).unwrap();
        self.victim.wait_for_end(PATIENCE).unwrap();
        self.victim.start().unwrap();
        self.victim.wait_for_version(height, PATIENCE).unwrap();
        let block = self.victim.get(&format!("/v1/blocks/{height}")).unwrap();
        assert!(block["accepted"].as_u64().unwrap() >= 1 && block["time"].is_string(), "{block}");
    }

    /// The victim is killed at whatever it is doing some time after a payment.
    fn is_killed(&mut self, milliseconds: u64, payments: &Payments) {
        payments.after(self.height());
        sleep(Duration::from_millis(milliseconds));
        self.victim.kill();
        self.victim.start().unwrap();
    }

    /// Both archives have the chain's root at each version up to a common one, which is given.
    fn archives_have_the_chain(&self) -> u64 {
        let common = self.height();
        self.network.wait_for_height(common + 1, PATIENCE).unwrap();
        for archive in [&self.steady, &self.victim] {
            archive.wait_for_version(common, PATIENCE).unwrap();
            for version in 0..=common {
                // Header H certifies version H - 1.
                let certified = self.network.common_app_hash(version + 1).unwrap().unwrap();
                assert_eq!(archive.root(version).unwrap(), certified, "{}, version {version}", archive.url());
            }
        }
        common
    }

    /// All balances at one version, proved by an archive down to a header that follows from the
    /// trusted one.
    fn balances(&self, archive: &Archive) -> Vec<u64> {
        let options = HttpOptions::default();
        let nodes = self.network.nodes.iter().map(|node| RpcClient::new(node.rpc().url(), options).unwrap());
        let (nodes, witnesses): (Vec<_>, Vec<_>) = nodes.enumerate().partition(|(index, _)| *index == 0);
        let nodes = nodes.into_iter().map(|(_, node)| node).collect();
        let witnesses = Witnesses::Compare(witnesses.into_iter().map(|(_, node)| node).collect());
        let (light, _) = LightClient::start(&self.trust, nodes, witnesses, LightOptions::default()).unwrap();
        let archives = vec![ArchiveClient::new(&archive.url(), options).unwrap()];
        let wanted: Vec<_> = self.genesis.iter().map(|(key, _)| (key.clone(), Question::Get)).collect();
        let read = Reader::new(light, archives, None).read(&wanted, clock()).unwrap();
        let balance = |value: &[u8]| u64::from_be_bytes(value.try_into().unwrap());
        read.answers.iter().map(|answer| answer.value.as_ref().map_or(0, |value| balance(value))).collect()
    }
}

/// Public keys with what they begin with: Alice, Bob, and others.
fn owners(folder: &Path) -> Vec<([u8; 32], u64)> {
    let [alice, bob] = ["alice.key", "bob.key"].map(|name| KeyFile::create(&folder.join(name)).unwrap().public_key());
    let other = |seed: u8| (SigningKey::from_bytes(&[seed; 32]).verifying_key().to_bytes(), 1000 + u64::from(seed));
    [(alice, ALICE), (bob, MINIMUM)].into_iter().chain((1..=OTHERS).map(other)).collect()
}

/// Payments that go on.
struct Payments {
    /// Their heights.
    heights: Arc<Mutex<Vec<u64>>>,
    fees: Arc<AtomicU64>,
    stop: Arc<AtomicBool>,
    thread: JoinHandle<()>,
}

impl Payments {
    /// Waits for the first payment after a height, and gives its height.
    fn after(&self, height: u64) -> u64 {
        let started = Instant::now();
        loop {
            if let Some(found) = self.heights.lock().unwrap().iter().find(|paid| **paid > height) {
                return *found;
            }
            assert!(!self.thread.is_finished() && started.elapsed() < Duration::from_secs(PATIENCE), "no payment");
            sleep(Duration::from_millis(20));
        }
    }

    /// Ends them; what Bob has got, and what was paid for it.
    fn end(self) -> (u64, u64) {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.join().unwrap();
        let count = self.heights.lock().unwrap().len() as u64;
        ((MINIMUM..MINIMUM + count).sum(), self.fees.load(Ordering::Relaxed))
    }
}

/// What `aardvark --json` answers.
fn says(words: &[String]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_aardvark")).arg("--json").args(words).output().unwrap();
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_killed_archive_comes_back_to_the_chains_state_and_the_total_supply_is_that_of_genesis() {
    let Some(mut scene) = Scene::start() else { return };
    let payments = scene.payments();
    for point in FAIL_POINTS {
        scene.dies_at(point, &payments);
    }
    for milliseconds in [0, 40, 110, 270] {
        scene.is_killed(milliseconds, &payments);
    }
    let (paid, fees) = payments.end();
    let common = scene.archives_have_the_chain();

    let mut expected: Vec<u64> = scene.genesis.iter().map(|(_, sum)| *sum).collect();
    expected[0] -= paid + fees;
    expected[1] += paid;
    *expected.last_mut().unwrap() += fees;
    for archive in [&scene.steady, &scene.victim] {
        let balances = scene.balances(archive);
        assert_eq!(balances, expected, "by {}", archive.url());
        assert_eq!(balances.iter().sum::<u64>(), scene.genesis.iter().map(|(_, sum)| sum).sum::<u64>());
    }
    let get = ["client", "get", &format!("0x{}", hex::encode(&*scene.genesis[1].0))].map(str::to_owned);
    assert_eq!(says(&[&get[..], &scene.servers()].concat())["number"], (MINIMUM + paid).to_string());

    // One that starts late has the blocks from the other's log, and comes to the same state.
    let mut late = scene.network.archive(2, free_ports(1).unwrap()[0]);
    late.start_with(&["--from", &scene.victim.url()], &[]).unwrap();
    late.wait_for_version(common, PATIENCE).unwrap();
    assert_eq!(late.root(common).unwrap(), scene.steady.root(common).unwrap());
}

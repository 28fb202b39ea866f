//! Validators as real processes under faults: whatever happens to some of them, all come to the same state, and no
//! transaction that a running node accepted is lost.
//!
//! Needs CometBFT at `AARDVARK_COMETBFT`, as `cargo xtask test` sets it; without it the tests say so and check nothing.

#![allow(clippy::unwrap_used, reason = "a test that cannot set its scene has failed")]

use std::path::PathBuf;

use aardvark_dictionary::{DictionaryId, Operation, Transaction};
use aardvark_localnet::{Network, Node, Options, Policy};
use aardvark_node::chain::{ChainGenesis, SignedTransaction};
use aardvark_node::validator::FAIL_POINTS;
use ed25519_dalek::SigningKey;

/// Blocks that a transaction may wait, and that tests wait for.
const WINDOW: u32 = 200;
/// Seconds until something that must happen has to have happened, on a busy machine.
const PATIENCE: u64 = 240;

/// A network of four, with what was submitted to it.
struct Scene {
    network: Network,
    dictionary: DictionaryId,
    submitted: Vec<String>,
    // Last: processes end before their folders.
    folder: tempfile::TempDir,
}

fn publisher() -> SigningKey {
    SigningKey::from_bytes(&[7; 32])
}

impl Scene {
    /// Four validators at height 2; `None`, with a word about it, where there is no CometBFT.
    fn start() -> Option<Self> {
        let Some(cometbft) = std::env::var_os("AARDVARK_COMETBFT") else {
            eprintln!("skipped: AARDVARK_COMETBFT does not name the program cometbft");
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        let options = Options {
            aardvark: PathBuf::from(env!("CARGO_BIN_EXE_aardvark")),
            cometbft: PathBuf::from(cometbft),
            policy: Policy::Publisher(vec![format!("0x{}", hex::encode(publisher().verifying_key().to_bytes()))]),
            window: WINDOW,
            vector_size: 1024,
            block_milliseconds: 300,
            snapshot_interval: 5,
            archives: Vec::new(),
        };
        let mut network = Network::create(folder.path(), 4, &options).unwrap();
        network.start().unwrap();
        network.wait_for_height(2, PATIENCE).unwrap();
        let genesis = std::fs::read(network.nodes[0].home().join("config/genesis.json")).unwrap();
        let (_, genesis) = ChainGenesis::from_genesis_file(&genesis).unwrap();
        let dictionary = genesis.genesis().dictionary_id();
        Some(Self { network, dictionary, submitted: Vec::new(), folder })
    }

    /// Submits keys that nobody has written before, so few that the validators' tail resolves them without claims.
    fn submit(&mut self, keys: usize, value: &str) {
        let rpc = self.network.nodes[0].rpc();
        let first_valid = rpc.height().unwrap();
        let number = self.submitted.len();
        let put = |key| Operation::Put(format!("{number}-{key}").as_str().into(), value.into());
        let mut nonce = [0; 16];
        nonce[..8].copy_from_slice(&number.to_be_bytes());
        let transaction = Transaction {
            first_valid,
            last_valid: first_valid + u64::from(WINDOW),
            nonce,
            operations: (0..keys).map(put).collect(),
            claims: Vec::new(),
        };
        let id = transaction.id(&self.dictionary);
        let signed = SignedTransaction::sign(transaction, &self.dictionary, &[publisher()]);
        assert_eq!(rpc.submit(&signed.encode()).unwrap(), 0);
        self.submitted.push(hex::encode(id.0));
    }

    fn last(&mut self) -> &mut Node {
        self.network.nodes.last_mut().unwrap()
    }

    fn height(&self) -> u64 {
        self.network.nodes[0].rpc().height().unwrap()
    }

    /// All validators go on, agree on the state, and have applied everything that was submitted, once.
    fn is_well(&self) {
        let height = self.height() + 3;
        self.network.wait_for_height(height, PATIENCE).unwrap();
        for height in [height - 2, height] {
            assert!(self.network.common_app_hash(height).unwrap().is_some(), "app hashes of height {height} differ");
        }
        for id in &self.submitted {
            // CometBFT's index may lose what it had not written when it was killed; somebody has it.
            let found: Vec<_> = self.network.nodes.iter().map(|node| node.rpc().find(id).unwrap()).collect();
            let heights: std::collections::BTreeSet<_> = found.iter().flatten().map(|(height, _)| height).collect();
            assert_eq!(heights.len(), 1, "{id} stands in {heights:?}");
            assert!(found.iter().flatten().all(|(_, code)| *code == 0), "{id}: {found:?}");
        }
    }

    /// A validator that dies by itself while a transaction comes, and comes back.
    fn dies_at(&mut self, point: &str) {
        self.last().kill();
        self.last().start_with(&[], &[("AARDVARK_FAIL_POINT", point)]).unwrap();
        self.submit(3, point);
        self.last().wait_for_end(PATIENCE).unwrap();
        self.last().kill();
        self.last().start().unwrap();
        self.is_well();
    }

    /// A validator that is killed at once, CometBFT and application, at whatever they were doing.
    fn is_killed(&mut self, milliseconds: u64) {
        self.submit(3, "killed");
        std::thread::sleep(std::time::Duration::from_millis(milliseconds));
        self.last().kill();
        self.submit(3, "meanwhile");
        self.last().start().unwrap();
        self.is_well();
    }

    /// A validator that stands still while the others go on.
    fn is_paused(&mut self, seconds: u64) {
        self.last().pause();
        self.submit(3, "paused");
        std::thread::sleep(std::time::Duration::from_secs(seconds));
        self.last().resume();
        self.is_well();
    }

    /// All validators killed at once: two thirds must come back to the same block.
    fn all_are_killed(&mut self) {
        self.submit(3, "before");
        let height = self.height() + 2;
        self.network.wait_for_height(height, PATIENCE).unwrap();
        self.network.nodes.iter_mut().for_each(Node::kill);
        self.network.start().unwrap();
        self.network.wait_for_height(height + 1, PATIENCE).unwrap();
        self.submit(3, "after");
        self.is_well();
    }

    /// A node that was never there takes a snapshot, and follows from it.
    fn somebody_joins(&mut self, name: &str) {
        self.submit(3, "joining");
        self.network.wait_for_height(12, PATIENCE).unwrap();
        let mut joiner = self.network.joiner(name, 1).unwrap();
        joiner.start().unwrap();
        let height = self.height() + 5;
        joiner.wait_for_height(height, PATIENCE).unwrap();
        assert!(joiner.rpc().earliest_height().unwrap() > 1, "it replayed the chain from its beginning");
        let log = std::fs::read_to_string(joiner.application_log()).unwrap();
        assert!(log.contains("restored a snapshot"), "{log}");
        let height = joiner.rpc().height().unwrap();
        self.network.wait_for_height(height, PATIENCE).unwrap();
        assert_eq!(joiner.rpc().app_hash(height).unwrap(), self.network.common_app_hash(height).unwrap().unwrap());
        self.is_well();
    }

    /// A validator that may not make its file any longer ends, and comes back when it may.
    fn disk_is_full(&mut self) {
        self.last().kill();
        let store = self.last().home().join("aardvark/state.redb");
        // A shell counts in blocks of 512 bytes. Beyond the limit writes fail, as they do on a full disk.
        let blocks = std::fs::metadata(store).unwrap().len() / 512;
        let limited = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        self.last().start_with(&["sh", "-c", &limited], &[]).unwrap();
        let value = "x".repeat(1000);
        let log = self.last().application_log();
        for _ in 0..6 {
            self.submit(200, &value);
            let height = self.height() + 2;
            self.network.nodes[0].wait_for_height(height, PATIENCE).unwrap();
            if !self.last().application_runs() {
                break;
            }
        }
        self.last().wait_for_end(PATIENCE).unwrap();
        let said = std::fs::read_to_string(log).unwrap();
        assert!(said.contains("the store:"), "{said}");
        self.last().kill();
        self.last().start().unwrap();
        self.is_well();
    }
}

#[test]
fn four_validators_survive_a_death_before_a_commit_a_kill_of_all_and_a_newcomer() {
    let Some(mut scene) = Scene::start() else { return };
    scene.submit(5, "first");
    scene.is_well();
    scene.dies_at("before-commit");
    scene.all_are_killed();
    scene.somebody_joins("joiner");
    assert!(scene.folder.path().exists());
}

#[test]
#[ignore = "minutes: cargo xtask test --long"]
fn four_validators_survive_every_step_of_a_commit_kills_pauses_and_a_full_disk() {
    let Some(mut scene) = Scene::start() else { return };
    for point in FAIL_POINTS {
        scene.dies_at(point);
    }
    for milliseconds in [0, 130, 290, 410, 570] {
        scene.is_killed(milliseconds);
    }
    scene.is_paused(60);
    scene.disk_is_full();
    scene.all_are_killed();
    scene.somebody_joins("joiner");
}

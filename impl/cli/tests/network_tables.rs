//! Tables on a chain, by real processes: validators with CometBFT, a keeper that follows them and
//! has the vault, and the command. Rows are put, asked for and verified under a header, with the
//! chain's consensus behind them; a keeper with a writer's key that lies is refused each time, and
//! nothing changes.
//!
//! Needs CometBFT at `AARDVARK_COMETBFT`, as `cargo xtask test` sets it; without it the test says
//! so and checks nothing.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot set its scene has failed")]

mod common;
#[path = "common/served.rs"]
mod served;
mod tables_chain;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use aardvark_aggregates::Schema;
use aardvark_chain::ChainGenesis;
use aardvark_client::{KeyFile, Known};
use aardvark_localnet::{Network, Options, Policy};
use aardvark_tables::source::csv::CsvSource;
use aardvark_tables::{ChainKeeper, ImportOptions, TablesError};
use common::Sandbox;
use ed25519_dalek::SigningKey;
use serde_json::{Value, json};
use served::Served;
use tables_chain::forger::Forger;
use tables_chain::lies::LIES;

/// Seconds until something that must happen has to have happened, on a busy machine.
const PATIENCE: u64 = 240;

struct Scene {
    network: Network,
    sandbox: Sandbox,
    keeper: Option<Served>,
    genesis: PathBuf,
    known: Known,
    /// The options of commands that write.
    writing: String,
    /// The options of commands that verify under a header.
    trusting: String,
    // Last: processes end before their folders.
    _folder: tempfile::TempDir,
}

impl Scene {
    fn start() -> Option<Self> {
        let Some(cometbft) = std::env::var_os("AARDVARK_COMETBFT") else {
            eprintln!("skipped: AARDVARK_COMETBFT does not name the program cometbft");
            return None;
        };
        let (folder, sandbox) = (tempfile::tempdir().unwrap(), Sandbox::new());
        let creator = sandbox.ok_json("client keygen writer.key")["public_key"].as_str().unwrap().to_owned();
        let options = Options {
            aardvark: PathBuf::from(env!("CARGO_BIN_EXE_aardvark")),
            cometbft: PathBuf::from(cometbft),
            policy: Policy::Tables(vec![creator]),
            window: 200,
            vector_size: 64,
            max_gas: None,
            block_milliseconds: 300,
            snapshot_interval: 100,
            evidence_blocks: None,
            council: Vec::new(),
            archives: Vec::new(),
        };
        let mut network = Network::create(folder.path(), 2, &options).unwrap();
        network.start().unwrap();
        network.wait_for_height(2, PATIENCE).unwrap();
        let genesis = network.nodes[0].home().join("config/genesis.json");
        let (_, chain) = ChainGenesis::from_genesis_file(&std::fs::read(&genesis).unwrap()).unwrap();
        let known = Known::of_genesis(&chain);
        let [one, two] = [0, 1].map(|place: usize| network.nodes[place].rpc().url().to_owned());
        let words = format!("keeper --dir k --vault v --genesis {} --rpc {one} --rpc {two}", genesis.display());
        let keeper = Served::new(&sandbox, &words);
        let writing = format!("--signer writer.key --rpc {one} --rpc {two} --archive {}", keeper.url());
        let hash = network.nodes[0].rpc().block_hash(1).unwrap();
        let trusting = format!("--trust 1:{hash} --rpc {one} --witness {two}");
        let keeper = Some(keeper);
        Some(Self { network, sandbox, keeper, genesis, known, writing, trusting, _folder: folder })
    }

    fn url(&self) -> String {
        self.keeper.as_ref().unwrap().url()
    }

    fn writes(&self, line: &str) -> Value {
        self.sandbox.ok_json(&format!("{line} {}", self.writing))
    }

    /// Asks the keeper and writes its answer to a file; waits until a header certifies its version.
    fn asks(&self, query: &str, options: &[&str]) {
        let url = self.url();
        let words = ["--json", "table", "query", &url, "meters", query, "--root", "-o", "a.json"];
        let asked = self.sandbox.run_list(&[&words, options].concat());
        assert_eq!(asked.code, Some(0), "{asked:?}");
        let version = serde_json::from_str::<Value>(&asked.out).unwrap()["version"].as_u64().unwrap();
        self.network.wait_for_height(version + 1, PATIENCE).unwrap();
    }

    /// Verifies the answer in the file, and says what was found and what that rests on.
    fn verifies(&self, query: &str, options: &str) -> (Value, String) {
        let trusting: Vec<&str> = self.trusting.split_whitespace().chain(options.split_whitespace()).collect();
        let words = ["--json", "table", "verify", "meters", query, "a.json"];
        let verified = self.sandbox.run_list(&[&words, trusting.as_slice()].concat());
        assert_eq!(verified.code, Some(0), "{verified:?}");
        let said: Value = serde_json::from_str(&verified.out).unwrap();
        (said["finding"].clone(), said["rests_on"].as_str().unwrap().to_owned())
    }

    /// The sum of a column, verified under a header, with consensus behind it.
    fn proved_sum(&self) -> u64 {
        self.asks("sum(power)", &[]);
        let genesis = format!("--genesis {}", self.genesis.display());
        let (found, basis) = self.verifies("sum(power)", &genesis);
        assert_eq!(basis, "consensus");
        found[0]["value"].as_str().unwrap().parse().unwrap()
    }

    fn key(&self) -> SigningKey {
        KeyFile::load(&self.sandbox.path("writer.key")).unwrap().signing_key().clone()
    }

    fn forger(&self, signer: SigningKey) -> Forger {
        Forger::new(self.known.clone(), &self.url(), self.network.nodes[1].rpc().url(), signer)
    }
}

/// Rows of several keys, each of which makes a run.
fn rows(times: std::ops::Range<u64>) -> String {
    let line = |time: u64| format!("{time},{},user{time}\n{time},{},other{time}\n", time * 37 % 1000, time * 11 % 1000);
    "time,power,user\n".to_owned() + &times.map(line).collect::<String>()
}

fn sum(times: std::ops::Range<u64>) -> u64 {
    times.map(|time| time * 37 % 1000 + time * 11 % 1000).sum()
}

/// A keeper with a vault of its own puts rows of three keys, or tries to.
fn puts(scene: &Scene, forger: &mut Forger, schema: &Schema, first: u64) -> Result<(), TablesError> {
    let folder = tempfile::tempdir().unwrap();
    let parameters = scene.known.parameters.clone().unwrap();
    let mut keeper = ChainKeeper::open(folder.path(), scene.known.facts.id, parameters).unwrap();
    let rows = rows(first..first + 3);
    let mut source = CsvSource::new(rows.as_bytes(), schema, &Default::default()).unwrap();
    let options = ImportOptions::default();
    keeper.import(forger, ("meters", schema), &mut source, &options, false, &mut |_| {}).map(|_| ())
}

#[test]
fn rows_are_put_asked_for_and_verified_on_a_chain_and_every_lie_is_refused() {
    let Some(mut scene) = Scene::start() else { return };
    let begun = Instant::now();
    let told = |what: &str| eprintln!("{what}: {:.1?}", begun.elapsed());
    let key = scene.key();
    let public = format!("0x{}", hex::encode(key.verifying_key().to_bytes()));
    let columns = "--key time:u64 --value power:0..=20000 --row user --append-only";
    scene.sandbox.refused(&format!("table create v meters {columns} {}", scene.writing), 2, "--writer");
    let made = scene.writes(&format!("table create v meters {columns} --writer {public}"));
    assert_eq!(made["table"], "meters");

    // Three hundred rows of 150 keys: two sheets, since a transaction has 256 operations.
    scene.sandbox.write("rows.csv", rows(100..250));
    let put = scene.writes("table import v meters rows.csv");
    assert_eq!((&put["rows"], &put["runs"], &put["certificates"]), (&json!(300), &json!(150), &json!(2)));
    let again = scene.writes("table import v meters rows.csv");
    assert_eq!((&again["repeated"], &again["version"]), (&json!(true), &put["version"]));
    told("imported");

    // What the answer rests on is what the user trusts.
    assert_eq!(scene.proved_sum(), sum(100..250));
    assert_eq!(scene.verifies("sum(power)", "").1, "audit");
    scene.asks("median(power) where time < 120", &["--certificates"]);
    assert_eq!(scene.verifies("median(power) where time < 120", "--certificates").1, "certificates");
    told("verified");

    // A command that is killed is carried on by the same command.
    scene.sandbox.write("more.csv", rows(300..450));
    let line = format!("table import v meters more.csv {}", scene.writing);
    let words: Vec<&str> = line.split_whitespace().collect();
    let mut child = scene.sandbox.command(&words).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    child.kill().unwrap();
    child.wait().unwrap();
    let trust: Vec<&str> = scene.trusting.split(" --rpc ").collect();
    let witness = scene.network.nodes[1].rpc().url().to_owned();
    let put = scene.writes(&format!("table import v meters more.csv {} --witness {witness}", trust[0]));
    assert_eq!((&put["rows"], &put["runs"]), (&json!(300), &json!(150)));
    // A run grows by a row behind its last.
    scene.sandbox.write("later.csv", "time,power,user\n249,15000,late\n");
    let put = scene.writes("table import v meters later.csv --extend");
    assert_eq!((&put["rows"], &put["runs"], &put["certificates"]), (&json!(1), &json!(1), &json!(1)));
    let expected = sum(100..250) + sum(300..450) + 15_000;
    assert_eq!(scene.proved_sum(), expected);
    told("carried on");

    // Another keeper with a writer's key, first an honest one.
    let schema = {
        let mut forger = scene.forger(key.clone());
        let folder = tempfile::tempdir().unwrap();
        let parameters = scene.known.parameters.clone().unwrap();
        let keeper = ChainKeeper::open(folder.path(), scene.known.facts.id, parameters).unwrap();
        keeper.schema(&mut forger, "meters").unwrap()
    };
    let mut forger = scene.forger(key);
    puts(&scene, &mut forger, &schema, 500).unwrap();
    // The archive follows the chain: it may have the block a moment later.
    let listed = || scene.sandbox.ok_json(&format!("table runs {} meters", scene.url()))["runs"].clone();
    let has_runs_of =
        |time: u64| listed().as_array().unwrap().iter().any(|run| run["key"]["time"] == json!(time.to_string()));
    let waits = Instant::now();
    while !has_runs_of(502) {
        assert!(waits.elapsed() < Duration::from_secs(PATIENCE), "{}", listed());
        std::thread::sleep(Duration::from_millis(200));
    }
    let before = listed();
    for (what, lie, code) in LIES {
        forger.lie = Some(lie);
        let error = puts(&scene, &mut forger, &schema, 600).unwrap_err();
        assert!(matches!(&error, TablesError::Refused(reason) if reason == code), "{what}: {error}");
    }
    // A key that is closed, and a writer whom the schema does not name.
    scene.writes("table seal v meters 120");
    forger.lie = None;
    let error = puts(&scene, &mut forger, &schema, 50).unwrap_err();
    assert!(matches!(&error, TablesError::Refused(reason) if reason == "Closed"), "{error}");
    let mut stranger = scene.forger(SigningKey::from_bytes(&[9; 32]));
    let error = puts(&scene, &mut stranger, &schema, 600).unwrap_err();
    assert!(matches!(&error, TablesError::Refused(reason) if reason == "SignerSuperfluous"), "{error}");
    // Nor does a schema help that nobody has put: the dictionary has another.
    stranger.lie = Some(|write, _| {
        use aardvark_dictionary::Operation;
        let Operation::Require(key, Some(schema)) = &write.operations[0] else { unreachable!() };
        let mut named = Schema::from_bytes(schema).unwrap();
        named.writers = vec![SigningKey::from_bytes(&[9; 32]).verifying_key().to_bytes()];
        write.operations[0] = Operation::Require(key.clone(), Some(named.to_bytes().into()));
    });
    let error = puts(&scene, &mut stranger, &schema, 600).unwrap_err();
    assert!(matches!(&error, TablesError::Refused(reason) if reason == "RequireFailed"), "{error}");
    assert_eq!(before, listed(), "nothing has changed");
    told("lies refused");

    // The vault has no rows of the other keeper's runs; answers about its own still verify.
    scene.asks("sum(power) where time < 500", &["--certificates"]);
    let genesis = format!("--genesis {} --certificates", scene.genesis.display());
    let (found, basis) = scene.verifies("sum(power) where time < 500", &genesis);
    assert_eq!((found[0]["value"].as_str(), basis.as_str()), (Some(expected.to_string().as_str()), "consensus"));

    // A keeper that begins with an empty vault takes a number that the first one's run has, and
    // gets the next.
    scene.sandbox.write("clash.csv", "time,power,user\n300,7,eve\n");
    let put = scene.writes("table import v2 meters clash.csv");
    assert_eq!((&put["rows"], &put["runs"]), (&json!(1), &json!(1)));
    let runs = scene.sandbox.ok_json(&format!("table runs {} meters", scene.url()))["runs"].clone();
    let of_key = runs.as_array().unwrap().iter().filter(|run| run["key"]["time"] == "300");
    assert_eq!(of_key.map(|run| run["run"].clone()).collect::<Vec<_>>(), [json!(0), json!(1)], "{runs}");
    told("renumbered");

    // The archive of the chain is audited as any other.
    scene.keeper = None;
    let audited = scene.sandbox.ok_json("table audit k");
    assert_eq!((&audited["findings"], &audited["runs"]), (&json!([]), &json!(304)), "{audited}");
    // So is one that begins from its backup: the certificates came along.
    scene.sandbox.ok_json("archive backup k -o backup");
    let restored = scene.sandbox.ok_json("archive restore backup k2");
    assert_eq!(restored["certificates"], json!({ "kept": audited["certificates"], "left_out": 0 }));
    let again = scene.sandbox.ok_json("table audit k2");
    assert_eq!((&again["findings"], &again["certificates"]), (&json!([]), &audited["certificates"]), "{again}");
    told("audited");
}

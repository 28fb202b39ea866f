//! A mixnet's board on a chain, by real processes: two validators with CometBFT, a board that
//! follows them, three servers and the command. A ceremony runs to its end, what no organiser has
//! admitted is refused by its code, and everything is verified under a header that is trusted.
//!
//! Needs CometBFT at `AARDVARK_COMETBFT`, as `cargo xtask test` sets it; without it the test says
//! so and checks nothing.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot set its scene has failed")]

mod common;

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use aardvark_chain::board::operations_of;
use aardvark_chain::{ChainGenesis, SignedTransaction};
use aardvark_client::make::unproved_claims;
use aardvark_client::rpc::{HttpOptions, RpcClient};
use aardvark_client::submit::{self, SubmitError, broadcast};
use aardvark_client::{ArchiveClient, Known, assemble, questions};
use aardvark_dictionary::Operation;
use aardvark_localnet::{Network, Options, Policy};
use aardvark_mixnet::post::{AdmittedAs, Draft};
use aardvark_mixnet::{CeremonyName, Identity, Kind, PostKey};
use common::Sandbox;
use serde_json::{Value, json};

/// Seconds until something that must happen has to have happened, on a busy machine.
const PATIENCE: u64 = 240;

/// A process that is killed when the test ends.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ended = self.0.kill();
        let _ended = self.0.wait();
    }
}

fn spawn(command: &mut Command) -> Process {
    Process(command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap())
}

/// The identity in a file of `mixnet key`, and its two public halves.
fn key(sandbox: &Sandbox, file: &str) -> (String, String) {
    let made = sandbox.ok_json(&format!("mixnet key {file}"));
    (made["key"].as_str().unwrap().to_owned(), made["public"].as_str().unwrap().to_owned())
}

/// Whose key a file has.
fn identity(sandbox: &Sandbox, file: &str) -> Identity {
    let seed = sandbox.json(file)["seed"].as_str().unwrap()[2..].to_owned();
    Identity::new(hex::decode(seed).unwrap().try_into().unwrap())
}

/// The board's process.
struct Board {
    process: Process,
    said: BufReader<ChildStdout>,
    url: String,
    dictionary: Value,
}

impl Board {
    /// Serves the folder `board`, which follows the chain that these options name.
    fn begin(sandbox: &Sandbox, chain: &str) -> Self {
        let line = format!("--json mixnet board board --listen 127.0.0.1:0 {chain}");
        let mut process = spawn(&mut sandbox.command(&line.split(' ').collect::<Vec<_>>()));
        let (mut said, mut line) = (BufReader::new(process.0.stdout.take().unwrap()), String::new());
        said.read_line(&mut line).unwrap();
        let begun: Value = serde_json::from_str(&line).unwrap();
        let url = format!("http://{}", begun["listening"].as_str().unwrap());
        Self { process, said, url, dictionary: begun["dictionary"].clone() }
    }

    /// Tells it to end, and waits until it has.
    fn end(mut self) {
        let told = Command::new("kill").arg(self.process.0.id().to_string()).status().unwrap();
        assert!(told.success() && self.process.0.wait().unwrap().success());
        let mut rest = String::new();
        self.said.read_to_string(&mut rest).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&rest).unwrap()["result"], "holds");
    }
}

struct Scene {
    network: Network,
    sandbox: Sandbox,
    board: Board,
    known: Known,
    /// The options of a board on this chain.
    chain: String,
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
        let options = Options {
            aardvark: PathBuf::from(env!("CARGO_BIN_EXE_aardvark")),
            cometbft: PathBuf::from(cometbft),
            policy: Policy::Board(vec![key(&sandbox, "organiser").0]),
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
        let [one, two] = [0, 1].map(|place: usize| network.nodes[place].rpc().url().to_owned());
        let genesis = genesis.display().to_string();
        let follows = format!("--rpc {one} --rpc {two} --genesis {genesis}");
        let board = Board::begin(&sandbox, &follows);
        let known = Known::of_genesis(&chain);
        assert_eq!(board.dictionary, format!("0x{}", hex::encode(known.facts.id.0)));
        let hash = network.nodes[0].rpc().block_hash(1).unwrap();
        let trusting = format!("--trust 1:{hash} --rpc {one} --witness {two} --genesis {genesis}");
        Some(Self { network, sandbox, board, known, chain: follows, trusting, _folder: folder })
    }

    /// A server that acts upon nothing but posts that a header certifies.
    fn server(&self, number: usize) -> Process {
        let line = format!("mixnet server --home server{number} --board {} {}", self.board.url, self.trusting);
        spawn(&mut self.sandbox.command(&line.split(' ').collect::<Vec<_>>()))
    }

    fn says(&self, line: &str) -> Value {
        self.sandbox.ok_json(&format!("mixnet {line} --board {}", self.board.url))
    }

    /// Waits until the ceremony is at a stage.
    fn wait(&self, stage: &str) -> Value {
        let begun = Instant::now();
        loop {
            let status = self.says("status");
            if status["stage"] == stage {
                return status;
            }
            assert!(begun.elapsed() < Duration::from_secs(PATIENCE), "{status:#}");
            std::thread::sleep(Duration::from_millis(300));
        }
    }

    fn name(&self, organiser: [u8; 32]) -> CeremonyName {
        CeremonyName { dictionary: self.known.facts.id.0, organiser, number: 1 }
    }

    /// Gives the chain a transaction of these operations, which nobody has signed, as anybody may;
    /// the name of the code that refuses it.
    fn refuses(&self, operations: Vec<Operation>) -> String {
        let archives = [ArchiveClient::new(&self.board.url, HttpOptions::default()).unwrap()];
        let (version, claims) = unproved_claims(&archives, &self.known, &questions(&operations)).unwrap();
        let transaction = assemble(operations, claims, version, (self.known.facts.window, None), [7; 16]);
        let signed = SignedTransaction::sign(transaction, &self.known.facts.id, &[]);
        let node = RpcClient::new(self.network.nodes[1].rpc().url(), HttpOptions::default()).unwrap();
        match broadcast(&[node], &signed.encode()) {
            Err(SubmitError::Rejected { code, .. }) => submit::name(code),
            other => panic!("{other:?}"),
        }
    }
}

/// The value of a post with a short body.
fn value(name: &CeremonyName, key: PostKey, body: &[u8], signer: &Identity) -> Vec<u8> {
    Draft::new(&name.dictionary, key, body.to_vec(), signer).posted(Vec::new()).value
}

#[test]
fn a_ceremony_runs_on_a_chain_and_is_verified_under_a_header() {
    let Some(scene) = Scene::start() else { return };
    let sandbox = &scene.sandbox;
    let mut new = "mixnet new terms --value-bytes 2 --threshold 2 --registry senders.csv --least 3".to_owned();
    for number in 1..=3 {
        std::fs::create_dir(sandbox.path(&format!("server{number}"))).unwrap();
        new += &format!(" --server {}", key(sandbox, &format!("server{number}/key")).1);
    }
    new += &format!(" --querier {}", key(sandbox, "querier").1);
    let senders = (0..4).map(|number| key(sandbox, &format!("sender{number}")).0);
    // So many that their admissions need two transactions, and the terms receipts.
    let others = (1..=100).map(|number| format!("0x{}", hex::encode(Identity::new([number; 32]).author())));
    sandbox.write("senders.csv", senders.chain(others).map(|key| format!("{key},here\n")).collect::<String>());
    sandbox.ok(&new);

    // An organiser whom genesis does not name begins nothing; the one whom it names admits all.
    key(sandbox, "other");
    sandbox.refused(&format!("mixnet start terms --key other --board {}", scene.board.url), 1, "may not write");
    let _servers = [1, 2, 3].map(|number| scene.server(number));
    assert_eq!(scene.says("start terms --key organiser")["admitted"], 108);
    scene.wait("open");
    for (number, value) in [7, 8, 9].iter().enumerate() {
        scene.says(&format!("send {value} --key sender{number}"));
    }
    let again = format!("mixnet send 5 --key sender0 --board {}", scene.board.url);
    sandbox.refused(&again, 1, "another post");

    // A stranger, who gives the chain posts without any board.
    let organiser = identity(sandbox, "organiser");
    let (name, stranger) = (scene.name(organiser.author()), Identity::new([200; 32]));
    let own = name.key(Kind::Input, None, 0, stranger.author());
    let post = value(&name, own, b"body", &stranger);
    assert_eq!(scene.refuses(operations_of(&own, &post, None)), "AdmissionNotRequired");
    let admission = name.admission_key(AdmittedAs::Sender, stranger.author());
    let forged = value(&name, admission, b"", &stranger);
    assert_eq!(scene.refuses(operations_of(&own, &post, Some(&forged))), "RequireFailed");
    assert_eq!(scene.refuses(operations_of(&admission, &forged, None)), "SignatureFalse");
    let ceremony = scene.name(stranger.author());
    let terms = value(&ceremony, ceremony.terms_key(), b"terms", &stranger);
    assert_eq!(scene.refuses(operations_of(&ceremony.terms_key(), &terms, None)), "OrganiserUnknown");

    // A sender who was admitted, and comes too late.
    scene.says("close --key organiser");
    let late = identity(sandbox, "sender3");
    let input = name.key(Kind::Input, None, 0, late.author());
    let admitted = value(&name, name.admission_key(AdmittedAs::Sender, late.author()), b"", &organiser);
    let post = value(&name, input, b"late", &late);
    assert_eq!(scene.refuses(operations_of(&input, &post, Some(&admitted))), "RequireFailed");

    let done = scene.wait("done");
    assert_eq!((&done["inputs"], &done["faults"]), (&json!(3), &json!([])));
    let asked = scene.says("trace-out --inputs 0 --outputs all --key querier --wait");
    let yes = asked["answers"].as_array().unwrap().iter().filter(|one| one["answer"] == true).count();
    assert_eq!(yes, 1, "{asked:#}");

    // Everything under a header that follows from a trusted one.
    let outputs = scene.says(&format!("outputs {}", scene.trusting));
    let mut values: Vec<&str> = outputs["outputs"].as_array().unwrap().iter().map(|v| v.as_str().unwrap()).collect();
    values.sort_unstable();
    assert_eq!(values, ["0x0007", "0x0008", "0x0009"]);
    let header = &outputs["verified"]["header"];
    assert_eq!(header["confirmed_by"].as_array().unwrap().len(), 1, "{header}");
    assert_eq!(outputs["verified"]["version"].as_u64().unwrap() + 1, header["height"].as_u64().unwrap());
    let verified = scene.says(&format!("verify {} --archive {}", scene.trusting, scene.board.url));
    assert_eq!((&verified["stage"], &verified["missing"]), (&json!("done"), &json!(0)));
    let elsewhere = scene.trusting.replace("--trust 1:", "--trust 2:");
    let refused = sandbox.run(&format!("mixnet verify --board {} {elsewhere}", scene.board.url));
    assert_ne!(refused.code, Some(0), "another header has this hash");

    // The board ends when it is told to, is opened by its chain alone, and has all that it had.
    let Scene { network, sandbox, board, known, chain, trusting, _folder } = scene;
    board.end();
    sandbox.refused("mixnet board board --listen 127.0.0.1:0", 1, "the board stands on a chain");
    let board = Board::begin(&sandbox, &chain);
    let scene = Scene { network, sandbox, board, known, chain, trusting, _folder };
    let again = scene.says(&format!("verify {}", scene.trusting));
    assert_eq!((&again["stage"], &again["missing"]), (&json!("done"), &json!(0)));
    // Servers may have posted since.
    assert!(again["posts"].as_u64().unwrap() >= verified["posts"].as_u64().unwrap(), "{again:#}");
}

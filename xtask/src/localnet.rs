//! `cargo xtask localnet`: a network of validators and archives on this machine, until Ctrl-C.
//!
//! Everything listens on the loopback, on free ports, and lies in target/localnet, which each start
//! empties. The kernel ends all processes with this one.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use aardvark_localnet::{Archive, Cluster, Member, Network, Options, Policy, free_ports};
use serde_json::Value;

use crate::chore::{ChoreError, cargo, file_error, root};
use crate::{cometbft, page};

/// What the first account begins with, and the others: enough for what payments cost, and for a
/// payment.
const SUPPLY: u64 = 1_000_000_000_000;
const LITTLE: u64 = 100;
/// Seconds until something that must happen has to have happened.
const PATIENCE: u64 = 120;

/// What is asked for.
#[derive(Debug, clap::Args)]
pub struct Localnet {
    /// How many validators.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=16))]
    validators: u16,
    /// How many archives.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(0..=8))]
    archives: u16,
    /// Makes a payment, proves it through the light client, kills and restarts a validator,
    /// compares app hashes, and ends.
    #[arg(long)]
    smoke: bool,
    /// For how many blocks a proof stays good.
    #[arg(long, value_name = "W", default_value_t = 300)]
    window: u32,
    /// Milliseconds that CometBFT waits after a block before the next.
    #[arg(long, value_name = "MS", default_value_t = 1000)]
    block_time: u32,
    /// Uses this program `aardvark` instead of building it.
    #[arg(long, value_name = "PATH")]
    aardvark: Option<PathBuf>,
    /// Uses this program `cometbft` instead of installing it.
    #[arg(long, value_name = "PATH")]
    cometbft: Option<PathBuf>,
    /// Opening servers and fronts on the store of the first archive.
    #[arg(skip)]
    cluster: Option<ClusterSize>,
}

/// How many opening servers and fronts.
#[derive(Clone, Copy, Debug)]
struct ClusterSize {
    servers: u16,
    fronts: u16,
}

/// A chain with one archive that writes its store to a folder, and others that read it.
#[derive(Debug, clap::Args)]
pub struct ClusterNet {
    /// How many fronts.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=8))]
    fronts: u16,
    /// How many opening servers.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=16))]
    openings: u16,
    /// Makes payments and proves them through the light client, which asks the fronts alone, also
    /// after an opening server was killed; and ends.
    #[arg(long)]
    smoke: bool,
    /// Milliseconds that CometBFT waits after a block before the next.
    #[arg(long, value_name = "MS", default_value_t = 1000)]
    block_time: u32,
    /// Uses this program `aardvark`, built with the feature object-storage, instead of building it.
    #[arg(long, value_name = "PATH")]
    aardvark: Option<PathBuf>,
    /// Uses this program `cometbft` instead of installing it.
    #[arg(long, value_name = "PATH")]
    cometbft: Option<PathBuf>,
}

impl From<ClusterNet> for Localnet {
    fn from(cluster: ClusterNet) -> Self {
        let ClusterNet { fronts, openings, smoke, block_time, aardvark, cometbft } = cluster;
        let cluster = Some(ClusterSize { servers: openings, fronts });
        Self { validators: 1, archives: 1, smoke, window: 300, block_time, aardvark, cometbft, cluster }
    }
}

impl ClusterNet {
    /// The smoke test of a small one, with programs at hand.
    pub fn smoke(aardvark: PathBuf, cometbft: PathBuf) -> Self {
        let (aardvark, cometbft) = (Some(aardvark), Some(cometbft));
        Self { fronts: 2, openings: 3, smoke: true, block_time: 300, aardvark, cometbft }
    }
}

/// A network with all that runs.
struct Running {
    network: Network,
    archives: Vec<Archive>,
    /// What reads the store of the first archive.
    cluster: Option<Cluster>,
    folder: PathBuf,
    aardvark: PathBuf,
}

/// Starts the network; ends with the smoke test, or never.
pub fn run(localnet: &Localnet) -> Result<(), ChoreError> {
    let started = Instant::now();
    let aardvark = match &localnet.aardvark {
        Some(path) => std::path::absolute(path).map_err(|source| file_error(path, source))?,
        None => build(localnet.cluster.is_some())?,
    };
    let cometbft = match &localnet.cometbft {
        Some(path) => std::path::absolute(path).map_err(|source| file_error(path, source))?,
        None => cometbft::installed()?,
    };
    let mut running = start(localnet, aardvark, cometbft)?;
    if localnet.smoke {
        let said = smoke(&mut running)?;
        println!("{said} ({:.0} s)", started.elapsed().as_secs_f64());
        return Ok(());
    }
    introduce(localnet, &running);
    watch(&running)
}

/// Builds the command, with the archives' page; where there is no npm and none can be installed,
/// without, and says so.
fn build(object_storage: bool) -> Result<PathBuf, ChoreError> {
    let mut plain = vec!["build", "--release", "-p", "aardvark-cli"];
    if object_storage {
        plain.extend(["--features", "object-storage"]);
    }
    match page::install_npm() {
        Ok(()) => cargo("The command aardvark, with its page", &[&plain[..], &["--features", "page"]].concat(), &[])?,
        Err(missing @ ChoreError::NoNpm) => {
            println!("The archives go without their page ({missing}).");
            cargo("The command aardvark", &plain, &[])?;
        }
        Err(error) => return Err(error),
    }
    Ok(root().join("target/release/aardvark"))
}

fn start(localnet: &Localnet, aardvark: PathBuf, cometbft: PathBuf) -> Result<Running, ChoreError> {
    let folder = root().join("target/localnet");
    if folder.exists() {
        std::fs::remove_dir_all(&folder).map_err(|source| file_error(&folder, source))?;
    }
    std::fs::create_dir_all(&folder).map_err(|source| file_error(&folder, source))?;
    let mut accounts = Vec::new();
    for (name, amount) in [("fees", LITTLE), ("alice", SUPPLY), ("bob", LITTLE)] {
        let key = key_path(&folder, name);
        let made = aardvark_says(&aardvark, &["client", "keygen", &key])?;
        accounts.push((text(&made, "public_key")?, amount));
    }
    let ports = free_ports(localnet.archives.into())?;
    let urls: Vec<String> = ports.iter().map(|port| format!("http://127.0.0.1:{port}")).collect();
    let options = Options {
        aardvark: aardvark.clone(),
        cometbft,
        policy: Policy::Accounts(accounts),
        window: localnet.window,
        vector_size: 1024,
        max_gas: None,
        block_milliseconds: localnet.block_time,
        snapshot_interval: 100,
        evidence_blocks: None,
        council: Vec::new(),
        archives: urls,
    };
    let mut network = Network::create(&folder, localnet.validators.into(), &options)?;
    network.start()?;
    network.wait_for_height(1, PATIENCE)?;
    // Each archive asks another validator first.
    let archives = ports.into_iter().enumerate().map(|(index, port)| network.archive(index, port));
    let mut archives: Vec<Archive> = archives.collect();
    let store = format!("file://{}", folder.join("store").display());
    let further: &[&str] = if localnet.cluster.is_some() { &["--store", &store] } else { &[] };
    archives.iter_mut().try_for_each(|archive| archive.start_with(further, &[]))?;
    let cluster = match (localnet.cluster, archives.first()) {
        (Some(size), Some(writer)) => {
            // From then on there is something to read.
            writer.wait_for_version(1, PATIENCE)?;
            let mut cluster = Cluster::new(&aardvark, &folder, &store, (size.servers.into(), size.fronts.into()))?;
            cluster.start()?;
            cluster.wait(PATIENCE)?;
            Some(cluster)
        }
        _ => None,
    };
    Ok(Running { network, archives, cluster, folder, aardvark })
}

fn introduce(localnet: &Localnet, running: &Running) {
    println!();
    for (index, node) in running.network.nodes.iter().enumerate() {
        println!("validator {index}   RPC {}", node.rpc().url());
    }
    for (index, archive) in running.archives.iter().enumerate() {
        println!("archive {index}     {}/", archive.url());
    }
    for member in running.cluster.iter().flat_map(|cluster| cluster.fronts.iter().chain(&cluster.servers)) {
        println!("{:<13} {}/", member.name(), member.url());
    }
    println!("page          at an archive's address, in a browser");
    let seconds = f64::from(localnet.window) * f64::from(localnet.block_time) / 1000.0;
    println!("a proof lives {} blocks, {seconds:.0} s or a little more", localnet.window);
    println!(
        "keys          {} (has {SUPPLY}), {}; fees go to {}",
        key_path(&running.folder, "alice"),
        key_path(&running.folder, "bob"),
        key_path(&running.folder, "fees")
    );
    println!("logs          {}/*/*.log", running.folder.display());
    println!("\nTo paste into another terminal:\n");
    match commands(running) {
        Ok(commands) => commands.iter().for_each(|command| println!("  {command}")),
        Err(error) => println!("  ({error})"),
    }
    println!("\nCtrl-C ends everything.\n");
}

/// Commands that work on this network as they are: a payment, and questions with proofs, from the
/// first header on.
fn commands(running: &Running) -> Result<Vec<String>, ChoreError> {
    let Some(node) = running.network.nodes.first() else { return Ok(Vec::new()) };
    let aardvark = format!("{} client", quoted(&running.aardvark.display().to_string()));
    let trust = format!("{aardvark} trust --height 1 --rpc {}", node.rpc().url());
    if running.archives.is_empty() {
        return Ok(vec![trust]);
    }
    let [alice, bob] = ["alice", "bob"].map(|name| key_path(&running.folder, name));
    let account = text(&aardvark_says(&running.aardvark, &["client", "account", &bob])?, "account")?;
    let asked = asked(running)?.join(" ");
    let archive = running.archives.first().map(Archive::url).unwrap_or_default();
    Ok(vec![
        trust,
        format!("{aardvark} pay {account} 17 --key {} {asked}", quoted(&alice)),
        format!("{aardvark} get {account} {asked}"),
        format!("{aardvark} list --limit 10 {asked}"),
        format!("curl '{archive}/v1/range?limit=10&root=true'"),
    ])
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "/._-".contains(character);
    if word.chars().all(is_plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

/// Whom to ask and what to trust, as a client's commands take it.
fn asked(running: &Running) -> Result<Vec<String>, ChoreError> {
    let trust = match running.network.nodes.first() {
        Some(node) => format!("1:{}", node.rpc().block_hash(1)?),
        None => String::new(),
    };
    let mut asked: Vec<String> = vec!["--trust".to_owned(), trust];
    for node in running.network.nodes.iter().take(1) {
        asked.extend(["--rpc".to_owned(), node.rpc().url().to_owned()]);
    }
    match running.network.nodes.get(1) {
        Some(node) => asked.extend(["--witness".to_owned(), node.rpc().url().to_owned()]),
        None => asked.push("--without-witness".to_owned()),
    }
    let answering: Vec<String> = match &running.cluster {
        Some(cluster) => cluster.fronts.iter().map(Member::url).collect(),
        None => running.archives.iter().map(Archive::url).collect(),
    };
    asked.extend(answering.into_iter().flat_map(|url| ["--archive".to_owned(), url]));
    Ok(asked)
}

/// The line that moves.
fn watch(running: &Running) -> Result<(), ChoreError> {
    loop {
        let height = |node: &aardvark_localnet::Node| node.rpc().height().map_or("-".to_owned(), |h| h.to_string());
        let heights: Vec<String> = running.network.nodes.iter().map(height).collect();
        let common = heights.iter().filter_map(|height| height.parse::<u64>().ok()).min();
        let hash = common.and_then(|height| running.network.common_app_hash(height).ok().flatten());
        let hash = hash.map_or("-".to_owned(), |hash| hash.chars().take(12).collect());
        print!("\rheights {}   app hash {hash}   ", heights.join(" "));
        let _nobody_looks = std::io::stdout().flush();
        std::thread::sleep(Duration::from_millis(500));
    }
}

/// A payment, its proof, a death and a return.
fn smoke(running: &mut Running) -> Result<String, ChoreError> {
    let mut balance = LITTLE;
    let paid = if running.archives.is_empty() { None } else { Some(pay(running, 17, &mut balance)?) };
    let killed = match running.cluster.as_mut().and_then(|cluster| cluster.servers.first_mut()) {
        Some(server) => {
            server.kill();
            format!("; one opening server killed, and {}", pay(running, 18, &mut balance)?)
        }
        None => String::new(),
    };
    let last = running.network.nodes.last_mut().ok_or(ChoreError::Smoke("there is no validator".to_owned()))?;
    last.kill();
    last.start()?;
    let first = running.network.nodes.first().ok_or(ChoreError::Smoke("there is no validator".to_owned()))?;
    let height = first.rpc().height().unwrap_or(1) + 3;
    running.network.wait_for_height(height, PATIENCE)?;
    let hash = running.network.common_app_hash(height)?;
    let hash = hash.ok_or_else(|| ChoreError::Smoke(format!("app hashes of height {height} differ")))?;
    let (validators, archives) = (running.network.nodes.len(), running.archives.len());
    let paid = paid.unwrap_or_else(|| "no payment, for there is no archive".to_owned());
    Ok(format!(
        "smoke: {validators} validators, {archives} archives; {paid}{killed}; one validator killed and back; app hash {} of height {height} is common",
        hash.chars().take(16).collect::<String>()
    ))
}

/// Alice pays Bob, who has this balance, and Bob's new one is read through the light client, from
/// the first header on. Another amount each time: of a payment like one before, the client tells
/// what came of that.
fn pay(running: &Running, amount: u64, balance: &mut u64) -> Result<String, ChoreError> {
    let (alice, bob) = (key_path(&running.folder, "alice"), key_path(&running.folder, "bob"));
    let account = text(&aardvark_says(&running.aardvark, &["client", "account", &bob])?, "account")?;
    let asked = asked(running)?;
    let asked: Vec<&str> = asked.iter().map(String::as_str).collect();
    let said = amount.to_string();
    let payment = [&["client", "pay", &account, &said, "--key", &alice][..], &asked].concat();
    let paid = until(|| aardvark_says(&running.aardvark, &payment))?;
    let outcome = text(&paid, "outcome")?;
    let query = [&["client", "get", &account][..], &asked].concat();
    *balance += amount;
    let expected = format!("0x{balance:016x}");
    // The header that certifies the block is the one after the next.
    until(|| {
        let found = aardvark_says(&running.aardvark, &query)?;
        let value = found.get("value").and_then(Value::as_str).unwrap_or_default();
        if value == expected { Ok(()) } else { Err(ChoreError::Smoke(format!("the balance is {found}"))) }
    })?;
    Ok(format!("a payment of {amount} {}, its proof checked", outcome.to_lowercase()))
}

/// Tries again for a while: archives follow a moment behind.
fn until<T>(mut attempt: impl FnMut() -> Result<T, ChoreError>) -> Result<T, ChoreError> {
    let started = Instant::now();
    loop {
        match attempt() {
            Err(_) if started.elapsed() < Duration::from_secs(60) => std::thread::sleep(Duration::from_millis(500)),
            outcome => return outcome,
        }
    }
}

fn key_path(folder: &Path, name: &str) -> String {
    folder.join(format!("{name}.key")).display().to_string()
}

/// What `aardvark --json` answers.
fn aardvark_says(aardvark: &Path, words: &[&str]) -> Result<Value, ChoreError> {
    let failed = |problem: String| ChoreError::Smoke(format!("aardvark {}: {problem}", words.join(" ")));
    let output =
        Command::new(aardvark).arg("--json").args(words).output().map_err(|error| failed(error.to_string()))?;
    if !output.status.success() {
        return Err(failed(String::from_utf8_lossy(&output.stderr).trim().to_owned()));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| failed(error.to_string()))
}

fn text(answer: &Value, field: &str) -> Result<String, ChoreError> {
    let text = answer.get(field).and_then(Value::as_str).map(str::to_owned);
    text.ok_or_else(|| ChoreError::Smoke(format!("an answer without {field}: {answer}")))
}

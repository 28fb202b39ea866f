//! Folders, keys, one genesis and the configuration of several nodes.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::LocalnetError;
use crate::archive::Archive;
use crate::config::{configure, text};
use crate::node::Node;
use crate::options::{Options, Policy};
use crate::ports::{Ports, ports};
use crate::process::run;

/// Most bytes of a transaction in the mempool: the dictionary's limit of 1 MiB and its signatures.
const MOST_TX_BYTES: usize = (1 << 20) + 30_000;

/// Most bytes of a request to the RPC: such a transaction in base64. CometBFT's own limit of a
/// million takes none above 750,000 bytes.
const MOST_BODY_BYTES: usize = 2 * MOST_TX_BYTES;

/// Nodes that know each other.
#[derive(Debug)]
pub struct Network {
    /// The validators of genesis.
    pub nodes: Vec<Node>,
    folder: PathBuf,
    options: Options,
    peers: String,
}

impl Network {
    /// Makes the folders of so many validators. Nothing is started.
    ///
    /// # Errors
    /// [`LocalnetError`].
    pub fn create(folder: &Path, validators: usize, options: &Options) -> Result<Self, LocalnetError> {
        let homes: Vec<PathBuf> = (0..validators).map(|index| folder.join(format!("validator{index}"))).collect();
        let (mut entries, mut genesis, mut peers) = (Vec::new(), Value::Null, Vec::new());
        let ports = ports(validators)?;
        for (home, ports) in homes.iter().zip(&ports) {
            initialize(home, options)?;
            genesis = read_json(&genesis_path(home))?;
            entries.extend(genesis.pointer("/validators/0").cloned());
            peers.push(format!("{}@127.0.0.1:{}", node_id(home, options)?, ports.p2p));
        }
        insert(&mut genesis, "validators", json!(entries));
        insert(&mut genesis, "chain_id", json!("aardvark-local"));
        let age =
            options.evidence_blocks.and_then(|_| genesis.pointer_mut("/consensus_params/evidence/max_age_num_blocks"));
        if let (Some(age), Some(blocks)) = (age, options.evidence_blocks) {
            *age = json!(blocks.to_string());
        }
        let peers = peers.join(",");
        if let Some(first) = homes.first() {
            write_json(&genesis_path(first), &genesis)?;
            write_app_state(&genesis_path(first), options)?;
            for home in homes.iter().skip(1) {
                std::fs::copy(genesis_path(first), genesis_path(home)).map_err(LocalnetError::file(home))?;
            }
        }
        for (home, ports) in homes.iter().zip(&ports) {
            write_config(home, *ports, &peers, options, &[])?;
        }
        let nodes = homes.into_iter().zip(ports).map(|(home, ports)| Node::new(home, ports, options.clone()));
        Ok(Self { nodes: nodes.collect(), folder: folder.to_owned(), options: options.clone(), peers })
    }

    /// The folder of a node that is no validator of genesis and comes in by state sync, from a
    /// height that it trusts.
    ///
    /// # Errors
    /// [`LocalnetError`].
    pub fn joiner(&self, name: &str, trusted_height: u64) -> Result<Node, LocalnetError> {
        let servers: Vec<String> = self.nodes.iter().take(2).map(|node| node.rpc().url().to_owned()).collect();
        let hash = match self.nodes.first() {
            Some(node) => node.rpc().block_hash(trusted_height)?,
            None => String::new(),
        };
        let state_sync = [
            ("enable", "true".to_owned()),
            ("rpc_servers", text(&servers.join(","))),
            ("trust_height", trusted_height.to_string()),
            ("trust_hash", text(&hash)),
            ("trust_period", text("168h0m0s")),
            ("discovery_time", text("5s")),
        ];
        self.newcomer(name, &state_sync)
    }

    /// The folder of a node that is no validator of genesis and replays all blocks.
    ///
    /// # Errors
    /// [`LocalnetError`].
    pub fn replayer(&self, name: &str) -> Result<Node, LocalnetError> {
        self.newcomer(name, &[])
    }

    fn newcomer(&self, name: &str, state_sync: &[(&str, String)]) -> Result<Node, LocalnetError> {
        let home = self.folder.join(name);
        initialize(&home, &self.options)?;
        let first = self.nodes.first().map(Node::home).unwrap_or(&self.folder);
        std::fs::copy(genesis_path(first), genesis_path(&home)).map_err(LocalnetError::file(&home))?;
        let own = ports(1)?.pop().ok_or(LocalnetError::Port(std::io::ErrorKind::AddrNotAvailable.into()))?;
        write_config(&home, own, &self.peers, &self.options, state_sync)?;
        Ok(Node::new(home, own, self.options.clone()))
    }

    /// An archive that follows the validators and listens on a port. The one with index i asks
    /// validator i first.
    pub fn archive(&self, index: usize, port: u16) -> Archive {
        let directory = self.folder.join(format!("archive{index}"));
        let genesis = genesis_path(self.nodes.first().map(Node::home).unwrap_or(&self.folder));
        let count = self.nodes.len();
        let turned = self.nodes.iter().cycle().skip(index % count.max(1)).take(count);
        let nodes = turned.map(|node| node.rpc().url().to_owned()).collect();
        Archive::new(directory, port, self.options.aardvark.clone(), genesis, nodes)
    }

    /// Starts all validators.
    ///
    /// # Errors
    /// [`LocalnetError`].
    pub fn start(&mut self) -> Result<(), LocalnetError> {
        self.nodes.iter_mut().try_for_each(Node::start)
    }

    /// Waits until every validator has a height.
    ///
    /// # Errors
    /// [`LocalnetError::TooLate`]; [`LocalnetError::Ended`] where one does not run.
    pub fn wait_for_height(&self, height: u64, seconds: u64) -> Result<(), LocalnetError> {
        self.nodes.iter().try_for_each(|node| node.wait_for_height(height, seconds))
    }

    /// The app hash in the header of a height, where all validators that have its block say the
    /// same; `None` where they do not, or none has it.
    ///
    /// # Errors
    /// [`LocalnetError::Rpc`].
    pub fn common_app_hash(&self, height: u64) -> Result<Option<String>, LocalnetError> {
        let kept: Vec<Option<String>> =
            self.nodes.iter().map(|node| node.rpc().kept_app_hash(height)).collect::<Result<_, _>>()?;
        let hashes: Vec<String> = kept.into_iter().flatten().collect();
        let all_equal = hashes.windows(2).all(|pair| pair.first() == pair.last());
        Ok(hashes.into_iter().next().filter(|_| all_equal))
    }
}

fn initialize(home: &Path, options: &Options) -> Result<(), LocalnetError> {
    std::fs::create_dir_all(home).map_err(LocalnetError::file(home))?;
    run(&options.cometbft, &["init".as_ref(), "--home".as_ref(), home.as_os_str()]).map(|_| ())
}

fn node_id(home: &Path, options: &Options) -> Result<String, LocalnetError> {
    run(&options.cometbft, &["show-node-id".as_ref(), "--home".as_ref(), home.as_os_str()])
}

fn write_app_state(genesis: &Path, options: &Options) -> Result<(), LocalnetError> {
    let numbers = [options.window.to_string(), options.vector_size.to_string()];
    let [window, vector_size] = &numbers;
    let seconds = (f64::from(options.block_milliseconds) / 1000.0).to_string();
    let mut words: Vec<String> = ["node", "genesis"].map(str::to_owned).to_vec();
    words.push(genesis.display().to_string());
    for (name, value) in [("--window", window), ("--vector-size", vector_size), ("--block-time", &seconds)] {
        words.extend([name.to_owned(), value.clone()]);
    }
    words.extend(options.max_gas.into_iter().flat_map(|gas| ["--max-gas".to_owned(), gas.to_string()]));
    words.extend(options.council.iter().flat_map(|key| ["--council".to_owned(), key.clone()]));
    match &options.policy {
        Policy::Accounts(accounts) => {
            let account = |(key, amount): &(String, u64)| ["--account".to_owned(), format!("{key}={amount}")];
            words.extend(accounts.iter().flat_map(account));
        }
        Policy::Tables(keys) => words.extend(keys.iter().flat_map(|key| ["--creator".to_owned(), key.clone()])),
        Policy::Board(keys) => words.extend(keys.iter().flat_map(|key| ["--organiser".to_owned(), key.clone()])),
        Policy::Publisher(keys) => words.extend(keys.iter().flat_map(|key| ["--publisher".to_owned(), key.clone()])),
    }
    let words: Vec<&OsStr> = words.iter().map(OsStr::new).collect();
    run(&options.aardvark, &words).map(|_| ())
}

/// Loopback only, peers by name only, and a block at the pace that is wanted.
fn write_config(
    home: &Path,
    ports: Ports,
    peers: &str,
    options: &Options,
    state_sync: &[(&str, String)],
) -> Result<(), LocalnetError> {
    let on = |port: u16| text(&format!("tcp://127.0.0.1:{port}"));
    let settings = [
        ("", "proxy_app", on(ports.abci)),
        ("", "log_level", text("error")),
        ("rpc", "laddr", on(ports.rpc)),
        ("rpc", "pprof_laddr", text("")),
        ("rpc", "max_body_bytes", MOST_BODY_BYTES.to_string()),
        // No answer has less time than this, whatever is asked: ten seconds are CometBFT's own.
        ("rpc", "timeout_broadcast_tx_commit", text("60s")),
        ("p2p", "laddr", on(ports.p2p)),
        ("p2p", "persistent_peers", text(peers)),
        ("p2p", "addr_book_strict", "false".to_owned()),
        ("p2p", "allow_duplicate_ip", "true".to_owned()),
        ("p2p", "pex", "false".to_owned()),
        ("mempool", "max_tx_bytes", MOST_TX_BYTES.to_string()),
        ("consensus", "timeout_commit", text(&format!("{}ms", options.block_milliseconds))),
    ];
    let state_sync = state_sync.iter().map(|(key, value)| ("statesync", *key, value.clone()));
    configure(home, settings.into_iter().chain(state_sync))
}

fn genesis_path(home: &Path) -> PathBuf {
    home.join("config/genesis.json")
}

fn read_json(path: &Path) -> Result<Value, LocalnetError> {
    let bytes = std::fs::read(path).map_err(LocalnetError::file(path))?;
    let failed =
        |error: serde_json::Error| LocalnetError::Json { what: path.display().to_string(), problem: error.to_string() };
    serde_json::from_slice(&bytes).map_err(failed)
}

fn write_json(path: &Path, value: &Value) -> Result<(), LocalnetError> {
    std::fs::write(path, format!("{value:#}\n")).map_err(LocalnetError::file(path))
}

fn insert(object: &mut Value, key: &str, value: Value) {
    if let Some(object) = object.as_object_mut() {
        object.insert(key.to_owned(), value);
    }
}

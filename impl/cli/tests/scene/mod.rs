//! A network of real processes whose accounts pay each other, and the question whether it is well.
//!
//! Payments carry the claims of an archive that follows the chain. [`Scene::is_well`] compares what
//! the chain did with what was submitted: app hashes, the blocks' transactions one by one, and
//! every balance, proved at one version down to a header.

// Each test file uses its share; where a helper fails, the test shall.
#![allow(dead_code, clippy::unwrap_used, clippy::panic)]

pub mod bank;
pub mod blocks;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use aardvark_chain::{ChainGenesis, SignedTransaction, TxCode};
use aardvark_client::light::{LightClient, LightOptions, Question, TrustPoint, Witnesses, clock};
use aardvark_client::rpc::{HttpOptions, RpcClient};
use aardvark_client::{ArchiveClient, Known, Reader};
use aardvark_dictionary::{Key, Reason, Value};
use aardvark_localnet::{Archive, Network, Node, Options, Policy, Rpc, free_ports};

use bank::{Bank, FEES, OWNERS, START, crowd, owner};
use blocks::Blocks;

/// Blocks that a transaction may wait, and that tests wait for.
pub const WINDOW: u32 = 200;
/// Seconds until something that must happen has to have happened, on a busy machine.
pub const PATIENCE: u64 = 240;
/// N: small, so that claims are about many vectors.
const VECTOR_SIZE: u32 = 16;

/// What a network is made of.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// How many validators.
    pub validators: usize,
    /// Accounts of genesis beside those that pay each other: [`bank::crowd`].
    pub crowd: u64,
    /// The most work in a block.
    pub max_gas: Option<u64>,
    /// Milliseconds that CometBFT waits after a block before the next.
    pub block_milliseconds: u32,
}

impl Setting {
    /// So many validators that decide some three blocks a second.
    pub fn of(validators: usize) -> Self {
        Self { validators, crowd: 0, max_gas: None, block_milliseconds: 300 }
    }
}

/// A network, an archive that follows it, and what was submitted to it.
pub struct Scene {
    /// The validators.
    pub network: Network,
    /// The archive that gives claims and proofs.
    pub archive: Archive,
    /// The accounts as they have to be.
    pub bank: Bank,
    /// Whether the only validator lies, so that false blocks are decided.
    pub has_liar: bool,
    blocks: Blocks,
    trusted: TrustPoint,
    // Last: processes end before their folders.
    folder: tempfile::TempDir,
}

impl Scene {
    /// So many validators and an archive at height 2; `None`, with a word about it, where there is
    /// no CometBFT.
    pub fn start(validators: usize) -> Option<Self> {
        Self::start_as(&Setting::of(validators))
    }

    /// The same with a setting.
    pub fn start_as(setting: &Setting) -> Option<Self> {
        Self::start_behind(setting, &[])
    }

    /// The same, with words that stand before the validators' program when it is started.
    pub fn start_behind(setting: &Setting, wrapper: &[&str]) -> Option<Self> {
        let Some(cometbft) = std::env::var_os("AARDVARK_COMETBFT") else {
            eprintln!("skipped: AARDVARK_COMETBFT does not name the program cometbft");
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        let port = free_ports(1).unwrap()[0];
        let public_key = |index| format!("0x{}", hex::encode(owner(index).verifying_key().to_bytes()));
        let options = Options {
            aardvark: PathBuf::from(env!("CARGO_BIN_EXE_aardvark")),
            cometbft: PathBuf::from(cometbft),
            policy: Policy::Accounts(
                [FEES]
                    .into_iter()
                    .chain(0..OWNERS)
                    .chain((0..setting.crowd).map(crowd))
                    .map(|index| (public_key(index), START))
                    .collect(),
            ),
            window: WINDOW,
            vector_size: VECTOR_SIZE,
            max_gas: setting.max_gas,
            block_milliseconds: setting.block_milliseconds,
            snapshot_interval: 5,
            evidence_blocks: Some(5),
            council: Vec::new(),
            archives: vec![format!("http://127.0.0.1:{port}")],
        };
        let mut network = Network::create(folder.path(), setting.validators, &options).unwrap();
        network.nodes.iter_mut().for_each(|node| node.start_with(wrapper, &[]).unwrap());
        network.wait_for_height(2, PATIENCE).unwrap();
        let mut archive = network.archive(0, port);
        archive.start().unwrap();
        archive.wait_for_version(1, PATIENCE).unwrap();
        let genesis = std::fs::read(network.nodes[0].home().join("config/genesis.json")).unwrap();
        let (_, genesis) = ChainGenesis::from_genesis_file(&genesis).unwrap();
        let known = Known::of_genesis(&genesis);
        let archives = vec![ArchiveClient::new(&archive.url(), HttpOptions::default()).unwrap()];
        let trusted = format!("1:{}", network.nodes[0].rpc().block_hash(1).unwrap()).parse().unwrap();
        let bank = Bank::new(known, archives);
        Some(Self { network, archive, bank, has_liar: false, blocks: Blocks::default(), trusted, folder })
    }

    /// The RPC of a validator that no fault hits.
    pub fn rpc(&self) -> Rpc {
        self.network.nodes[0].rpc()
    }

    /// Its height.
    pub fn height(&self) -> u64 {
        self.rpc().height().unwrap()
    }

    /// The validator that faults hit.
    pub fn last(&mut self) -> &mut Node {
        self.network.nodes.last_mut().unwrap()
    }

    /// Submits so many payments between accounts of genesis, and one that makes an account.
    pub fn pay(&mut self, count: usize) {
        let mut payments = self.bank.payments(count);
        payments.push(self.bank.payment_to_new(1));
        self.submit(&payments);
    }

    /// Submits transactions that have to be accepted, by the validator too that is a block behind
    /// the archive whose claims they bring.
    pub fn submit(&self, transactions: &[SignedTransaction]) {
        let not_yet_valid = TxCode::Rejected(Reason::NotYetValid).number();
        for transaction in transactions {
            let submit = || self.rpc().submit(&transaction.encode()).unwrap();
            let deadline = Instant::now() + Duration::from_secs(PATIENCE);
            let mut code = submit();
            while code == u64::from(not_yet_valid) && Instant::now() < deadline {
                std::thread::sleep(Duration::from_millis(100));
                code = submit();
            }
            assert_eq!(code, 0, "{:?}", TxCode::from_number(u32::try_from(code).unwrap()));
        }
    }

    /// All validators go on and agree on the state; everything that was submitted stands in one
    /// block, once, and is applied, and nothing else is; every account has what it has to have, and
    /// together what genesis gave.
    pub fn is_well(&mut self) {
        self.all_is_applied_once();
        let height = self.height() + 3;
        self.network.wait_for_height(height, PATIENCE).unwrap();
        for height in [height - 2, height] {
            assert!(self.network.common_app_hash(height).unwrap().is_some(), "app hashes of height {height} differ");
        }
        let (version, balances) = self.proved_balances(self.bank.balances().keys());
        assert!(version >= self.blocks.newest(), "the archive proved an old version");
        let supply: u64 = balances.values().flatten().sum();
        assert_eq!(supply, (OWNERS + 1) * START, "the total supply has changed");
        assert_eq!(&balances, self.bank.balances());
        assert!(self.has_liar || self.blocks.refused().is_empty(), "a false block was decided");
    }

    /// What stands in the blocks up to the last time that all was well.
    pub fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    /// How many blocks have transactions, and how many the fullest has.
    pub fn fullness(&self) -> (usize, usize) {
        self.blocks.fullness()
    }

    /// Waits until everything that was submitted is applied, and demands that it is so once, and
    /// that nothing else is.
    fn all_is_applied_once(&mut self) {
        let begun = Instant::now();
        loop {
            let rpc = self.rpc();
            self.blocks.read_to(&rpc, rpc.height().unwrap() - 1);
            let lacking = self.blocks.lacking(self.bank.submitted());
            if lacking.is_empty() {
                break;
            }
            assert!(begun.elapsed() < Duration::from_secs(PATIENCE), "lost: {lacking:?}");
            std::thread::sleep(Duration::from_millis(200));
        }
        self.blocks.demand_exactly(self.bank.submitted());
    }

    /// What accounts have at the newest version that a header certifies, `None` where they are
    /// absent, and that version.
    pub fn proved_balances<'a>(&self, keys: impl Iterator<Item = &'a Key>) -> (u64, BTreeMap<Key, Option<u64>>) {
        let wanted: Vec<_> = keys.map(|key| (key.clone(), Question::Get)).collect();
        let begun = Instant::now();
        let proved = loop {
            // An archive that is busy comes a moment late.
            match self.reader().read(&wanted, clock()) {
                Ok(proved) => break proved,
                Err(error) => assert!(begun.elapsed() < Duration::from_secs(PATIENCE), "{error}"),
            }
            std::thread::sleep(Duration::from_millis(500));
        };
        let balance = |value: Option<Value>| value.map(|value| u64::from_be_bytes(value.to_vec().try_into().unwrap()));
        let answers = wanted.into_iter().zip(proved.answers);
        let balances = answers.map(|((key, _), answer)| (key, balance(answer.value)));
        (proved.updated.header.version(), balances.collect())
    }

    /// A light client that trusts the header of height 1.
    fn reader(&self) -> Reader {
        let client = |node: &Node| RpcClient::new(node.rpc().url(), HttpOptions::default()).unwrap();
        let witnesses = match self.network.nodes.get(1) {
            Some(node) => Witnesses::Compare(vec![client(node)]),
            None => Witnesses::Nobody,
        };
        let nodes = vec![client(&self.network.nodes[0])];
        let (light, _) = LightClient::start(&self.trusted, nodes, witnesses, LightOptions::default()).unwrap();
        Reader::new(light, self.bank.archives().to_vec(), Some(self.bank.known().clone()))
    }
}

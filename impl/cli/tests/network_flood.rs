//! Whoever floods a network with transactions does not stop it: heights go on, and payments of
//! others are applied within a few blocks.
//!
//! Needs CometBFT at `AARDVARK_COMETBFT`, as `cargo xtask test` sets it; without it the tests say
//! so and check nothing.

#![allow(clippy::unwrap_used, reason = "a test that cannot set its scene has failed")]

mod scene;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use aardvark_chain::{SignedTransaction, TxCode};
use aardvark_client::make::payment;
use aardvark_dictionary::{DictionaryId, Key, Operation, Transaction, Value};
use aardvark_localnet::Rpc;
use ed25519_dalek::SigningKey;

use scene::bank::{FEES, MINIMUM, OWNERS, Payment, START, account, crowd, owner};
use scene::{PATIENCE, Scene, Setting};

/// Accounts of genesis that flood, and that requirements are about: as many as a transaction has
/// operations.
const CROWD: u64 = 320;
const PAYERS: u64 = 16;
/// Requirements of a transaction of the flood, besides its payment.
const REQUIREMENTS: u64 = 250;
/// The block time that is aimed at.
const BLOCK_MILLISECONDS: u32 = 1_000;
/// The work in a block: validators, their CometBFTs and the flood share two cores here.
const MAX_GAS: u64 = 100_000;
/// Blocks before the flood, whose pace is the block time, and blocks of the flood that are looked
/// at.
const BEFORE: u64 = 6;
const DURING: u64 = 15;

/// What a flood may do to others.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    /// How many times as long a block may take as without the flood.
    slower: u32,
    /// How many blocks a payment may take.
    blocks_to_apply: u64,
}

/// Of a machine that has nothing else to do.
const IDLE: Bounds = Bounds { slower: 2, blocks_to_apply: 5 };
/// Of one that other processes share, now more, now less: heights go on, and payments are applied.
const BUSY: Bounds = Bounds { slower: 20, blocks_to_apply: 100 };

/// What a flood is made of, in turns.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Requirements, and nobody who pays: what stopped a network once.
    NobodyPays,
    /// A payer with money pays for as many requirements as fit.
    Paid,
    /// A payer promises more than there is.
    CannotPay,
    /// A payer claims a fortune that is not there.
    ClaimsFortune,
    /// A payer with money, and a false opening among many true ones.
    FalseOpening,
}

const KINDS: [Kind; 5] = [Kind::NobodyPays, Kind::Paid, Kind::CannotPay, Kind::ClaimsFortune, Kind::FalseOpening];

/// Transactions of the flood, of which only the nonce changes.
struct Flood {
    id: DictionaryId,
    templates: Vec<(Transaction, SigningKey)>,
    nonce: AtomicU64,
    /// How many were answered with which code; those that CometBFT refused.
    codes: Mutex<BTreeMap<String, u64>>,
    over: AtomicBool,
}

impl Flood {
    fn prepare(scene: &mut Scene) -> Self {
        let rules = scene.bank.rules();
        let operations: Vec<Vec<Operation>> = (0..PAYERS)
            .map(|payer| {
                let mut operations = payment(&rules, account(crowd(payer)), account(crowd(payer)), MINIMUM);
                let about = (PAYERS..PAYERS + REQUIREMENTS).map(|number| account(crowd(number)));
                let value = Value::from(START.to_be_bytes().as_slice());
                operations.extend(about.map(|key| Operation::Require(key, Some(value.clone()))));
                operations
            })
            .collect();
        let paid = scene.bank.transactions(&operations);
        let templates = paid.into_iter().zip(0u64..).map(|(transaction, payer)| {
            let kind = KINDS[usize::try_from(payer).unwrap() % KINDS.len()];
            (kind.spoil(transaction, &account(crowd(payer))), owner(crowd(payer)))
        });
        let (nonce, codes, over) = (AtomicU64::new(0), Mutex::default(), AtomicBool::new(false));
        Self { id: scene.bank.known().facts.id, templates: templates.collect(), nonce, codes, over }
    }

    /// One connection's part, until it is over.
    fn pour(&self, rpc: &Rpc) {
        while !self.over.load(Ordering::Relaxed) {
            let number = self.nonce.fetch_add(1, Ordering::Relaxed);
            let (template, key) = &self.templates[usize::try_from(number).unwrap() % self.templates.len()];
            let mut nonce = [0xff; 16];
            nonce[..8].copy_from_slice(&number.to_be_bytes());
            let transaction = Transaction { nonce, ..template.clone() };
            let signed = SignedTransaction::sign(transaction, &self.id, std::slice::from_ref(key));
            let answer = match rpc.submit(&signed.encode()) {
                Ok(code) => TxCode::from_number(u32::try_from(code).unwrap()).unwrap().name().to_owned(),
                Err(error) if error.to_string().contains("full") => "mempool full".to_owned(),
                Err(_) => "no answer".to_owned(),
            };
            *self.codes.lock().unwrap().entry(answer).or_default() += 1;
        }
    }
}

impl Kind {
    fn spoil(self, mut transaction: Transaction, payer: &Key) -> Transaction {
        match self {
            Self::Paid => {}
            Self::NobodyPays => {
                transaction.operations.retain(|operation| matches!(operation, Operation::Require(_, _)));
            }
            Self::CannotPay => {
                for operation in transaction.operations.iter_mut().take(2) {
                    if let Operation::Sub(_, amount) | Operation::Add(_, amount) = operation {
                        *amount += START;
                    }
                }
            }
            Self::ClaimsFortune => {
                let claim = transaction.claims.iter_mut().find(|claim| claim.slot.key == *payer).unwrap();
                claim.slot.value = Value::from(u64::MAX.to_be_bytes().as_slice());
            }
            Self::FalseOpening => {
                let claims = transaction.claims.len();
                let opening = transaction.claims[claims - 2].opening;
                transaction.claims[claims - 1].opening = opening;
            }
        }
        transaction
    }
}

/// When the heights of a node were first seen.
fn pace(rpc: &Rpc, blocks: u64) -> Duration {
    let next = |height: u64| {
        let begun = Instant::now();
        loop {
            match rpc.height() {
                Ok(now) if now > height => return (now, Instant::now()),
                _ => assert!(begun.elapsed() < Duration::from_secs(PATIENCE), "no block after height {height}"),
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    let (first, begun) = next(rpc.height().unwrap_or(0));
    let (mut height, mut end) = (first, begun);
    while height < first + blocks {
        (height, end) = next(height);
    }
    end.duration_since(begun) / u32::try_from(height - first).unwrap()
}

/// One payment after the other, until it is over: the ids, and the height at which each was first
/// tried.
fn pay_steadily(scene: &mut Scene, over: &AtomicBool, bounds: Bounds) -> Vec<(String, u64)> {
    let rpcs: Vec<Rpc> = scene.network.nodes.iter().map(|node| node.rpc()).collect();
    let mut paid = Vec::new();
    let mut number = 0;
    while !over.load(Ordering::Relaxed) {
        let rpc = &rpcs[usize::try_from(number).unwrap() % rpcs.len()];
        let payment = Payment { from: number % OWNERS, to: (number + 1) % OWNERS, payees: 1, amount: MINIMUM };
        number += 1;
        let operations = payment.operations(&scene.bank.rules());
        let transaction = scene.bank.transactions(&[operations]).remove(0);
        let id = hex::encode(transaction.id(&scene.bank.known().facts.id).0);
        let signed = scene.bank.settle(&payment, transaction).encode();
        let (first, begun) = (rpc.height().unwrap(), Instant::now());
        while rpc.submit(&signed).ok() != Some(0) {
            assert!(begun.elapsed() < Duration::from_secs(PATIENCE), "a payment is not taken at height {first}");
            assert!(rpc.height().unwrap_or(first) <= first + bounds.blocks_to_apply, "a payment is not taken");
            std::thread::sleep(Duration::from_millis(100));
        }
        paid.push((id, first));
        std::thread::sleep(Duration::from_millis(300));
    }
    paid
}

/// The flood from so many connections; what the network does meanwhile.
fn is_flooded(scene: &mut Scene, connections: usize, bounds: Bounds) {
    let rpc = scene.rpc();
    let usual = pace(&rpc, BEFORE);
    let flood = Flood::prepare(scene);
    let nodes: Vec<Rpc> = scene.network.nodes.iter().map(|node| node.rpc()).collect();
    let (flooded, paid) = std::thread::scope(|scope| {
        for connection in 0..connections {
            let (flood, node) = (&flood, &nodes[connection % nodes.len()]);
            scope.spawn(move || flood.pour(node));
        }
        let watcher = scope.spawn(|| {
            let _silence = Silence(&flood.over);
            pace(&rpc, DURING)
        });
        let paid = {
            let _silence = Silence(&flood.over);
            pay_steadily(scene, &flood.over, bounds)
        };
        (watcher.join().unwrap(), paid)
    });
    let took = all_are_applied(scene, &paid);
    let codes = flood.codes.into_inner().unwrap();
    let sent: u64 = codes.values().sum();
    eprintln!("{connections} connections: {sent} transactions in {DURING} blocks: {codes:?}");
    eprintln!(
        "a block took {flooded:.2?}, without the flood {usual:.2?}; {} payments, blocks that each took: {took:?}",
        paid.len()
    );
    assert!(
        flooded <= bounds.slower * usual.max(Duration::from_millis(BLOCK_MILLISECONDS.into())),
        "{flooded:?}, usually {usual:?}"
    );
    assert!(!took.is_empty() && took.keys().all(|blocks| *blocks <= bounds.blocks_to_apply), "{took:?}");
    for code in [TxCode::Applied, TxCode::PayerMissing, TxCode::Rejected(aardvark_dictionary::Reason::OpeningFalse)] {
        assert!(codes.contains_key(code.name()), "{codes:?}");
    }
}

/// The flood ends with the scope, whatever ends that.
struct Silence<'a>(&'a AtomicBool);

impl Drop for Silence<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// How many blocks payments took, each from when it was first tried.
fn all_are_applied(scene: &Scene, paid: &[(String, u64)]) -> BTreeMap<u64, usize> {
    let (rpc, begun) = (scene.rpc(), Instant::now());
    let mut took = BTreeMap::new();
    for (id, first) in paid {
        let height = loop {
            match rpc.find(id).unwrap().as_slice() {
                [(height, 0)] => break *height,
                found => {
                    assert!(found.is_empty() && begun.elapsed() < Duration::from_secs(PATIENCE), "{id}: {found:?}")
                }
            }
            std::thread::sleep(Duration::from_millis(200));
        };
        *took.entry(height - first).or_default() += 1;
    }
    took
}

/// All validators agree, and no account was made, lost or emptied, nor a unit.
fn nothing_is_lost(scene: &Scene) {
    let height = scene.height() + 3;
    scene.network.wait_for_height(height, PATIENCE).unwrap();
    assert!(scene.network.common_app_hash(height).unwrap().is_some(), "app hashes of height {height} differ");
    let keys: Vec<Key> = (0..OWNERS).chain([FEES]).chain((0..CROWD).map(crowd)).map(account).collect();
    let (_, balances) = scene.proved_balances(keys.iter());
    assert_eq!(balances.values().flatten().sum::<u64>(), (OWNERS + 1 + CROWD) * START);
    assert!(balances.values().all(|balance| balance.is_some_and(|balance| balance >= MINIMUM)));
}

fn setting(validators: usize) -> Setting {
    let max_gas = Some(MAX_GAS);
    Setting { validators, crowd: CROWD, max_gas, block_milliseconds: BLOCK_MILLISECONDS }
}

#[test]
fn heights_go_on_and_payments_are_applied_under_a_flood_from_sixteen_connections() {
    let Some(mut scene) = Scene::start_as(&setting(2)) else { return };
    is_flooded(&mut scene, 16, BUSY);
    nothing_is_lost(&scene);
}

#[test]
#[ignore = "minutes: cargo xtask test --long"]
fn heights_go_on_and_payments_are_applied_under_floods_from_four_sixteen_and_sixty_four_connections() {
    for connections in [4, 16, 64] {
        let Some(mut scene) = Scene::start_as(&setting(4)) else { return };
        is_flooded(&mut scene, connections, IDLE);
        nothing_is_lost(&scene);
    }
}

//! Transactions a second through all of it: claims from an archive, a signature, CheckTx, a block.
//!
//! A transaction counts when its id stands in a decided block; at the end an archive, which
//! executed the blocks too, must say that it applied as many. Its latency runs from the submission
//! to the moment when the block was seen.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use aardvark_chain::{ChainBlock, ChainGenesis, SignedTransaction, TxCode};
use aardvark_client::light::{DictionaryFacts, Question};
use aardvark_client::make::{pay_fee, payment, unproved_claims};
use aardvark_client::rpc::http::{Http, without_credentials};
use aardvark_client::rpc::{HttpOptions, Problem, RpcClient};
use aardvark_client::submit::name;
use aardvark_client::{ArchiveClient, KeyFile, Known, assemble};
use aardvark_dictionary::{Key, Operation, TransactionId, Value};
use indicatif::HumanCount;
use serde::Deserialize;
use serde_json::json;

use crate::args::Transactions;
use crate::error::LoadError;
use crate::figures::Figures;
use crate::latency::{Latencies, load_average};

/// How long blocks are looked at after the last submission.
const AFTERMATH: Duration = Duration::from_secs(15);

/// How long between two looks.
const PAUSE: Duration = Duration::from_millis(20);

/// What all threads share.
struct Run<'a> {
    arguments: &'a Transactions,
    nodes: Vec<RpcClient>,
    archives: Vec<ArchiveClient>,
    keys: Vec<KeyFile>,
    genesis: ChainGenesis,
    known: Known,
    salt: String,
    /// When each transaction under way was submitted.
    pending: Mutex<HashMap<TransactionId, Instant>>,
    submitted: AtomicU64,
    full: AtomicU64,
    failed: AtomicU64,
    rejected: Mutex<HashMap<u32, u64>>,
    over: AtomicBool,
}

/// What the blocks showed.
#[derive(Default)]
struct Included {
    transactions: u64,
    largest: usize,
    blocks: u64,
    span: Duration,
    latencies: Latencies,
    /// Height and number of transactions of each block that had some.
    heights: Vec<(u64, usize)>,
}

/// Submits until the time is up, and counts until all is decided.
///
/// # Errors
/// Keys, addresses, or a chain that cannot be asked.
pub fn run(arguments: &Transactions) -> Result<Figures, LoadError> {
    let run = Run::prepare(arguments)?;
    let before = load_average();
    let from = first_node(&run.nodes)?.status().map_err(LoadError::from)?.latest_height + 1;
    let end = Instant::now() + Duration::from_secs(arguments.duration.get());
    let included = std::thread::scope(|scope| {
        let watcher = scope.spawn(|| watch(&run, from));
        let workers: Vec<_> = (0..arguments.concurrency.get())
            .map(|thread| {
                scope.spawn({
                    let run = &run;
                    move || work(run, thread, end)
                })
            })
            .collect();
        for worker in workers {
            // A worker that is gone has submitted what it has.
            let _gone = worker.join();
        }
        run.over.store(true, Ordering::Relaxed);
        watcher.join().unwrap_or_default()
    });
    let after = load_average();
    are_applied(&run, &included.heights)?;
    Ok(figures(&run, &included, [before, after]))
}

/// A block that breaks the rules is applied as one without transactions: an archive, which executed
/// all, must have applied every one that was counted.
fn are_applied(run: &Run<'_>, heights: &[(u64, usize)]) -> Result<(), LoadError> {
    #[derive(Deserialize)]
    struct Summary {
        accepted: usize,
    }
    let url = run.arguments.archives.first().cloned().unwrap_or_default();
    let archive = Http::new(&url, HttpOptions::default())
        .map_err(|error| LoadError::Address(without_credentials(&url), error))?;
    let unchecked = |what: String| LoadError::Unchecked(archive.url().to_owned(), what);
    for (height, decided) in heights {
        let end = Instant::now() + AFTERMATH;
        let answer = loop {
            match archive.get(&format!("/v1/blocks/{height}")) {
                Ok(answer) if answer.status == 200 => break answer,
                Ok(answer) if Instant::now() >= end => {
                    return Err(unchecked(format!("block {height}: status {}", answer.status)));
                }
                Err(error) if Instant::now() >= end => return Err(unchecked(error.to_string())),
                _ => std::thread::sleep(PAUSE),
            }
        };
        let applied: Summary = serde_json::from_slice(&answer.body).map_err(|error| unchecked(error.to_string()))?;
        if applied.accepted != *decided {
            let accepted = applied.accepted;
            return Err(unchecked(format!("block {height} has {decided} transactions, {accepted} were applied")));
        }
    }
    Ok(())
}

fn first_node(nodes: &[RpcClient]) -> Result<&RpcClient, LoadError> {
    nodes.first().ok_or_else(|| LoadError::Options("no node".to_owned()))
}

impl<'a> Run<'a> {
    fn prepare(arguments: &'a Transactions) -> Result<Self, LoadError> {
        let options = HttpOptions::default();
        let nodes = arguments.nodes.iter().map(|url| RpcClient::new(url, options)).collect::<Result<Vec<_>, _>>();
        let nodes = nodes.map_err(LoadError::from)?;
        let archive = |url: &String| {
            ArchiveClient::new(url, options).map_err(|error| LoadError::Address(without_credentials(url), error))
        };
        let archives = arguments.archives.iter().map(archive).collect::<Result<_, _>>()?;
        let keys = arguments
            .keys
            .iter()
            .map(|path| KeyFile::load(path))
            .collect::<Result<Vec<_>, _>>()
            .map_err(LoadError::from)?;
        let genesis = first_node(&nodes)?.genesis().map_err(LoadError::from)?;
        let (_, genesis) = ChainGenesis::from_genesis_file(&genesis)?;
        if genesis.policy().accounts().is_some() && keys.len() < 2 {
            return Err(LoadError::Options("payments need two keys or more".to_owned()));
        }
        let mut salt = [0; 8];
        getrandom::fill(&mut salt).map_err(|error| LoadError::Options(format!("no randomness: {error}")))?;
        Ok(Self {
            arguments,
            nodes,
            archives,
            keys,
            known: Known::of_facts(DictionaryFacts::of_genesis(genesis.genesis())),
            genesis,
            salt: hex::encode(salt),
            pending: Mutex::default(),
            submitted: AtomicU64::new(0),
            full: AtomicU64::new(0),
            failed: AtomicU64::new(0),
            rejected: Mutex::default(),
            over: AtomicBool::new(false),
        })
    }

    /// The operations of the n-th transaction of a thread, and who signs it.
    fn operations(&self, thread: usize, number: u64) -> (Vec<Operation>, Option<&KeyFile>) {
        let Some(rules) = self.genesis.policy().accounts() else {
            let key = format!("load-{}-{thread}-{number}", self.salt);
            return (vec![Operation::Put(Key::from(key.as_str()), Value::from("loaded"))], self.keys.first());
        };
        let at = |place: u64| self.keys.get(usize::try_from(place).unwrap_or(0) % self.keys.len());
        let (from, to) = (at(number), at(number + 1));
        let operations = from.zip(to).map(|(from, to)| payment(rules, from.account(), to.account(), rules.minimum));
        (operations.unwrap_or_default(), from)
    }

    fn is_full(&self) -> bool {
        lock(&self.pending).len() >= self.arguments.pending.get()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One thread: claims for a batch, then its transactions one by one.
fn work(run: &Run<'_>, thread: usize, end: Instant) {
    let batch = run.arguments.batch.get() as u64;
    let mut number = 0;
    while Instant::now() < end {
        if run.is_full() {
            std::thread::sleep(PAUSE);
            continue;
        }
        let drafts: Vec<_> = (number..number + batch).map(|number| run.operations(thread, number)).collect();
        number += batch;
        let mut wanted: Vec<(Key, Question)> = drafts
            .iter()
            .flat_map(|(operations, _)| operations)
            .map(|operation| (operation.key().clone(), Question::Get))
            .collect();
        wanted.sort_by(|(a, _), (b, _)| a.cmp(b));
        wanted.dedup();
        let Ok((version, claims)) = unproved_claims(&run.archives, &run.known, &wanted) else {
            run.failed.fetch_add(batch, Ordering::Relaxed);
            std::thread::sleep(Duration::from_millis(200));
            continue;
        };
        let by_key: HashMap<Key, _> = wanted.into_iter().map(|(key, _)| key).zip(claims).collect();
        for (place, (operations, signer)) in (0u64..).zip(drafts) {
            let claims = operations.iter().filter_map(|operation| by_key.get(operation.key()).cloned()).collect();
            let mut nonce = [0; 16];
            nonce[..8].copy_from_slice(&(thread as u64).to_be_bytes());
            nonce[8..].copy_from_slice(&(number + place).to_be_bytes());
            let mut transaction = assemble(operations, claims, version, (run.known.facts.window, None), nonce);
            if let Some(rules) = run.genesis.policy().accounts() {
                pay_fee(rules, &mut transaction);
            }
            let signers: Vec<_> = signer.iter().map(|key| key.signing_key().clone()).collect();
            send(run, &SignedTransaction::sign(transaction, &run.known.facts.id, &signers), end);
        }
    }
}

/// Submits one transaction to the next node, again while the mempool is full.
fn send(run: &Run<'_>, signed: &SignedTransaction, end: Instant) {
    let id = signed.transaction.id(&run.known.facts.id);
    let bytes = signed.encode();
    lock(&run.pending).insert(id, Instant::now());
    loop {
        let turn = run.submitted.fetch_add(1, Ordering::Relaxed);
        let node = run.nodes.get(usize::try_from(turn).unwrap_or(0) % run.nodes.len());
        match node.map(|node| node.broadcast_tx_sync(&bytes)) {
            Some(Ok(result)) if result.code == 0 => return,
            // As much as may wait waits, or as much as may be was verified: both change with the
            // next block.
            Some(Ok(result)) if [TxCode::TooMuchWaiting, TxCode::Busy].map(TxCode::number).contains(&result.code) => {
                run.submitted.fetch_sub(1, Ordering::Relaxed);
                run.full.fetch_add(1, Ordering::Relaxed);
                if Instant::now() < end {
                    std::thread::sleep(Duration::from_millis(100));
                    continue;
                }
            }
            Some(Ok(result)) => *lock(&run.rejected).entry(result.code).or_default() += 1,
            Some(Err(error)) if matches!(&error.problem, Problem::Refused { message, .. } if message.contains("full")) =>
            {
                run.submitted.fetch_sub(1, Ordering::Relaxed);
                run.full.fetch_add(1, Ordering::Relaxed);
                if Instant::now() < end {
                    std::thread::sleep(Duration::from_millis(100));
                    continue;
                }
            }
            _ => drop(run.failed.fetch_add(1, Ordering::Relaxed)),
        }
        lock(&run.pending).remove(&id);
        return;
    }
}

/// Reads each block as it is decided, until nothing is under way any more.
fn watch(run: &Run<'_>, from: u64) -> Included {
    let mut included = Included::default();
    let (mut height, mut first, mut quiet) = (from, None, None);
    loop {
        let block = run.nodes.first().and_then(|node| node.block(Some(height)).ok());
        let Some(block) = block else {
            if run.over.load(Ordering::Relaxed) {
                let quiet: &mut Instant = quiet.get_or_insert_with(Instant::now);
                if lock(&run.pending).is_empty() || quiet.elapsed() > AFTERMATH {
                    return included;
                }
            }
            std::thread::sleep(PAUSE);
            continue;
        };
        let seen = Instant::now();
        if let Ok(block) = ChainBlock::from_txs(height, &block.transactions, run.genesis.genesis().parameters()) {
            let ids: Vec<_> = block
                .aggregated
                .block
                .transactions
                .iter()
                .map(|transaction| transaction.id(&run.known.facts.id))
                .collect();
            let mut pending = lock(&run.pending);
            let begun: Vec<Instant> = ids.iter().filter_map(|id| pending.remove(id)).collect();
            drop(pending);
            included.blocks += 1;
            if !ids.is_empty() {
                included.heights.push((height, ids.len()));
            }
            included.largest = included.largest.max(ids.len());
            included.transactions += begun.len() as u64;
            begun.iter().for_each(|begun| included.latencies.push(seen.duration_since(*begun)));
            if !begun.is_empty() {
                included.span = seen.duration_since(*first.get_or_insert(begun.iter().min().copied().unwrap_or(seen)));
            }
        }
        height += 1;
    }
}

fn figures(run: &Run<'_>, included: &Included, [before, after]: [String; 2]) -> Figures {
    let a_second = included.transactions as f64 / included.span.as_secs_f64().max(f64::MIN_POSITIVE);
    let lost = lock(&run.pending).len();
    let rejected = lock(&run.rejected);
    let rejections: Vec<String> = rejected.iter().map(|(code, count)| format!("{count} {}", name(*code))).collect();
    let (full, failed) = (run.full.load(Ordering::Relaxed), run.failed.load(Ordering::Relaxed));
    let rows = [
        ("transactions a second", format!("{a_second:.1}")),
        ("in blocks", format!("{} within {:.1} s", HumanCount(included.transactions), included.span.as_secs_f64())),
        ("under way at the end", lost.to_string()),
        ("rejected", if rejections.is_empty() { "none".to_owned() } else { rejections.join(", ") }),
        ("mempool full, failed", format!("{full}, {failed}")),
        ("blocks", format!("{}, the largest with {}", included.blocks, included.largest)),
    ];
    let loads = ("load average", format!("{before} before, {after} after"));
    let json = json!({
        "result": "holds",
        "transactions_a_second": a_second,
        "included": included.transactions,
        "seconds": included.span.as_secs_f64(),
        "pending": lost,
        "rejected": rejected.iter().map(|(code, count)| (name(*code), json!(count))).collect::<serde_json::Map<_, _>>(),
        "mempool_full": full,
        "failed": failed,
        "blocks": included.blocks,
        "largest_block": included.largest,
        "latency": included.latencies.json(),
        "load_average": { "before": before, "after": after },
    });
    Figures::new(rows.into_iter().chain(included.latencies.rows()).chain([loads]), json)
}

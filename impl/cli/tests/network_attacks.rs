//! A running network under attack: ten thousand good payments among false ones, and noise on every
//! door. Every good payment is applied once, nothing false ever stands in a block, no process dies,
//! and memory stays bounded.
//!
//! Needs CometBFT at `AARDVARK_COMETBFT`, as `cargo xtask test` sets it; without it the tests say
//! so and check nothing.

#![allow(clippy::unwrap_used, reason = "a test that cannot set its scene has failed")]

mod attacks;
mod scene;

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use aardvark_chain::{SignedTransaction, TxCode};
use aardvark_dictionary::Reason;
use aardvark_localnet::Rpc;
use ed25519_dalek::SigningKey;

use attacks::floods::{Heard, Targets, start as make_noise};
use attacks::forgeries::Forgery;
use attacks::points::disguised;
use scene::{PATIENCE, Scene};

/// Good payments that are made from the claims of one request.
const BATCH: usize = 50;
/// Threads that submit: each speaks to another validator than the one before.
const SUBMITTERS: usize = 3;
/// Threads that send nothing but false openings, and how many those send together.
const FLOODERS: usize = 32;
const FALSE_OPENINGS: usize = 3_000;
/// More memory than this an application never has.
const MOST_MEMORY: u64 = 192 << 20;
/// What CometBFT says of bytes that it has seen.
const SEEN: &str = "tx already exists in cache";

/// What is sent, and what may be answered.
struct Sent {
    bytes: Vec<u8>,
    codes: Vec<TxCode>,
    what: String,
}

impl Sent {
    fn good(bytes: Vec<u8>) -> Self {
        Self { bytes, codes: vec![TxCode::Applied], what: "a payment".to_owned() }
    }

    /// The same payment a second time: it may wait, and is out once the first is applied.
    fn again(bytes: Vec<u8>) -> Self {
        let codes = vec![TxCode::Applied, TxCode::Rejected(Reason::Replayed)];
        Self { bytes, codes, what: "a payment again".to_owned() }
    }

    /// Submits until the mempool has room, and compares the answer: the time that it took. Bytes
    /// that CometBFT has seen need no answer of ours.
    fn submit(&self, rpc: &Rpc) -> Duration {
        let started = Instant::now();
        loop {
            let begun = Instant::now();
            match rpc.submit(&self.bytes) {
                Ok(code) => {
                    let code = TxCode::from_number(u32::try_from(code).unwrap());
                    // The validator may be a block behind the archive whose claims the transaction
                    // brings.
                    let early = TxCode::Rejected(Reason::NotYetValid);
                    let too_early = code == Some(early) && !self.codes.contains(&early);
                    if too_early && started.elapsed() < Duration::from_secs(PATIENCE) {
                        std::thread::sleep(Duration::from_millis(100));
                        continue;
                    }
                    assert!(code.is_some_and(|code| self.codes.contains(&code)), "{}: {code:?}", self.what);
                    return begun.elapsed();
                }
                Err(error) if error.to_string().contains(SEEN) && self.codes.len() > 1 => return begun.elapsed(),
                Err(error) => assert!(error.to_string().contains("mempool is full"), "{}: {error}", self.what),
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}

/// A batch of good payments with everything false between them.
fn batch(scene: &mut Scene, round: usize) -> Vec<Sent> {
    let mut sent = Vec::new();
    let id = scene.bank.known().facts.id;
    let seed = |place: usize| (round * BATCH + place) as u64;
    for (place, payment) in scene.bank.payments(BATCH).into_iter().enumerate() {
        // Every fifth is sent in two forms that differ in an opening's torsion, every seventh in
        // the other form only.
        let other = place.is_multiple_of(5).then(|| disguise(&payment, seed(place)));
        let payment = if place % 7 == 1 { disguise(&payment, seed(place)) } else { payment };
        // Whichever form comes to a validator first, the other one is the replay.
        let Some(other) = other else {
            sent.push(Sent::good(payment.encode()));
            continue;
        };
        sent.extend([payment.encode(), other.encode(), payment.encode()].map(Sent::again));
    }
    let drafts = scene.bank.drafts(Forgery::ALL.len());
    for (place, (forgery, (payment, transaction))) in Forgery::ALL.into_iter().zip(drafts).enumerate() {
        let bytes = forgery.make(&payment, transaction, &id, seed(place));
        let forged = Sent { bytes, codes: vec![forgery.code()], what: format!("{forgery:?}") };
        sent.insert((2 * place + round) % sent.len(), forged);
    }
    sent
}

/// The same payment with other bytes: its identity does not cover openings.
fn disguise(payment: &SignedTransaction, seed: u64) -> SignedTransaction {
    let mut other = payment.clone();
    other.transaction.claims[0].opening = disguised(&other.transaction.claims[0].opening, seed);
    other
}

/// Submits everything from several threads, to all validators: how long each good payment took.
fn submit_all(scene: &Scene, sent: &[Sent]) -> Vec<Duration> {
    let rpcs: Vec<Rpc> = scene.network.nodes.iter().map(|node| node.rpc()).collect();
    let queue = Mutex::new(sent.iter());
    let times = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for rpc in (0..SUBMITTERS).map(|index| &rpcs[index % rpcs.len()]) {
            scope.spawn(|| {
                while let Some(next) = { queue.lock().unwrap().next() } {
                    let time = next.submit(rpc);
                    if next.codes == [TxCode::Applied] {
                        times.lock().unwrap().push(time);
                    }
                }
            });
        }
    });
    times.into_inner().unwrap()
}

/// Good payments one after the other while many send nothing but false openings, which cost a
/// validator as much as true ones.
fn good_payments_are_taken_amid_false_openings(scene: &mut Scene) {
    let id = scene.bank.known().facts.id;
    let drafts = scene.bank.drafts(FALSE_OPENINGS).into_iter().enumerate();
    let forge = |(seed, (payment, transaction))| Forgery::OpeningTorsion.make(&payment, transaction, &id, seed as u64);
    let forged: Vec<Vec<u8>> = drafts.map(forge).collect();
    let good = scene.bank.payments(BATCH);
    let (rpc, queue, begun) = (scene.rpc(), Mutex::new(forged.iter()), Instant::now());
    let taken = std::thread::scope(|scope| {
        for _ in 0..FLOODERS {
            scope.spawn(|| {
                while let Some(next) = { queue.lock().unwrap().next() } {
                    let code = Forgery::OpeningTorsion.code().number();
                    assert_eq!(rpc.submit(next).unwrap(), u64::from(code));
                }
            });
        }
        let mut times: Vec<Duration> = good.iter().map(|payment| Sent::good(payment.encode()).submit(&rpc)).collect();
        let left = queue.lock().unwrap().len();
        times.sort_unstable();
        (times[times.len() / 2], times[times.len() - 1], left)
    });
    let (half, last, left) = taken;
    let rate = FALSE_OPENINGS as f64 / begun.elapsed().as_secs_f64();
    eprintln!(
        "{rate:.0} false openings a second from {FLOODERS} connections; CheckTx of a good payment meanwhile: half within {half:.0?}, all within {last:.0?}"
    );
    assert!(left > 0, "the flood was over before the good payments were in");
}

/// What is too long for a transaction, at each limit on the way.
fn oversized_transactions_are_refused(rpc: &Rpc) {
    let code = |bytes: usize| rpc.submit(&vec![1; bytes]);
    assert_eq!(code(700_000).unwrap(), u64::from(TxCode::Malformed.number()));
    let longest = (1 << 20) + 4 + 1 + 1 + 255 * 96;
    assert_eq!(code(longest + 1).unwrap(), u64::from(TxCode::TooLong.number()));
    let refused = code((1 << 20) + 30_001).unwrap_err().to_string();
    assert!(refused.contains("too large"), "{refused}");
}

/// Payments that are applied, as they were, in another form, and with one signature more.
fn replays_are_refused(scene: &Scene, payments: &[SignedTransaction]) {
    let replayed = u64::from(TxCode::Rejected(Reason::Replayed).number());
    for (rpc, payment) in scene.network.nodes.iter().map(|node| node.rpc()).cycle().zip(payments) {
        match rpc.submit(&payment.encode()) {
            Ok(code) => assert_eq!(code, replayed),
            Err(error) => assert!(error.to_string().contains(SEEN), "{error}"),
        }
        assert_eq!(rpc.submit(&disguise(payment, 99).encode()).unwrap(), replayed);
        let mut more = payment.clone();
        let id = &scene.bank.known().facts.id;
        more.signatures.extend(SignedTransaction::sign(payment.transaction.clone(), id, &[stranger()]).signatures);
        more.signatures.sort_by_key(|signature| signature.public_key);
        assert_eq!(rpc.submit(&more.encode()).unwrap(), u64::from(TxCode::SignerSuperfluous.number()));
    }
}

fn stranger() -> SigningKey {
    SigningKey::from_bytes(&[9; 32])
}

/// So many good payments under everything at once.
fn is_attacked(scene: &mut Scene, payments: usize) {
    let target = &scene.network.nodes[0];
    let targets = Targets {
        rpc: target.rpc().url().to_owned(),
        archive: scene.archive.url(),
        application: target.application_address(),
    };
    let (heard, over) = (Heard::default(), AtomicBool::new(false));
    let (mut count, mut times, begun) = (0, Vec::new(), Instant::now());
    std::thread::scope(|scope| {
        let _silence = Silence(&over);
        make_noise(scope, &targets, &heard, &over);
        oversized_transactions_are_refused(&scene.rpc());
        for round in 0..payments / BATCH {
            let sent = batch(scene, round);
            count += sent.len();
            times.extend(submit_all(scene, &sent));
        }
        let last = scene.bank.payments(10);
        scene.submit(&last);
        scene.is_well();
        replays_are_refused(scene, &last);
    });
    let seconds = begun.elapsed().as_secs();
    scene.is_well();
    let (blocks, fullest) = scene.fullness();
    eprintln!("{payments} good payments among {count} transactions, all applied and proved within {seconds} s");
    eprintln!("{blocks} blocks with transactions, the fullest with {fullest}");
    times.sort_unstable();
    let quantile = |thousandths: usize| times[(times.len() - 1) * thousandths / 1000];
    eprintln!("CheckTx of a good payment: half within {:.0?}, 99 of 100 within {:.0?}", quantile(500), quantile(990));
    report(&heard);
    for node in &mut scene.network.nodes {
        assert!(node.application_runs() && node.cometbft_runs());
        let (application, cometbft) = (node.application_peak_memory().unwrap(), node.cometbft_peak_memory().unwrap());
        eprintln!("most memory: application {} MiB, CometBFT {} MiB", application >> 20, cometbft >> 20);
        assert!(application < MOST_MEMORY, "{application} bytes");
    }
    assert!(scene.archive.runs());
}

/// The noise ends with the scope, whatever ends that.
struct Silence<'a>(&'a AtomicBool);

impl Drop for Silence<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Floods are answered, and what is too large or too deep is refused.
fn report(heard: &Heard) {
    let counts = heard.counts();
    for ((what, status), count) in &counts {
        eprintln!("{what}: {count} times {status}");
    }
    for what in ["abci_info", "abci_query"] {
        assert!(counts.get(&(what, 200)).is_some_and(|count| *count > 0), "{what} was never answered");
    }
    let bodies: BTreeSet<_> = counts.keys().map(|(what, _)| what).filter(|what| what.contains(':')).collect();
    assert_eq!(bodies.len(), 7, "{bodies:?}");
}

#[test]
fn two_validators_apply_every_good_payment_once_and_nothing_false_amid_noise() {
    let Some(mut scene) = Scene::start(2) else { return };
    is_attacked(&mut scene, 1_000);
}

#[test]
#[ignore = "minutes: cargo xtask test --long"]
fn four_validators_apply_ten_thousand_payments_once_and_nothing_false_amid_noise() {
    let Some(mut scene) = Scene::start(4) else { return };
    is_attacked(&mut scene, 10_000);
}

#[test]
#[ignore = "a minute: cargo xtask test --long"]
fn one_validator_takes_good_payments_amid_a_flood_of_false_openings() {
    let Some(mut scene) = Scene::start(1) else { return };
    good_payments_are_taken_amid_false_openings(&mut scene);
    scene.is_well();
}

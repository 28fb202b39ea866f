//! A chain, an archive that follows it into a store in a folder, fronts and opening servers that
//! read that store while it is written: processes are killed, lag and leave, vectors move, a second
//! writer comes. Every answer is the one of an archive that has a store of its own, byte for byte.
//!
//! Needs CometBFT at `AARDVARK_COMETBFT`, as `cargo xtask test` sets it; without it the tests say
//! so and check nothing. With the feature `object-storage` alone, thus only in
//! `cargo xtask test --long`.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "a test that cannot set its scene has failed")]

mod scene;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use aardvark_localnet::{Archive, Cluster, Member, free_ports, get_text};
use scene::bank::{OWNERS, account};
use scene::{PATIENCE, Scene};

/// Opening servers and fronts.
const SIZE: (usize, usize) = (3, 2);
/// Answers of each front that a test waits for after each fault.
const ENOUGH: u64 = 12;

/// What somebody who asks a front all the time has heard.
#[derive(Default)]
struct Heard {
    answered: AtomicU64,
    refused: AtomicU64,
    /// The version of the newest answer.
    newest: AtomicU64,
    /// The answers by what was asked.
    answers: Mutex<BTreeMap<String, String>>,
}

/// Somebody who asks a front all the time.
struct Asking {
    heard: Arc<Heard>,
    end: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Asking {
    fn begin(url: String) -> Self {
        let (heard, end) = (Arc::new(Heard::default()), Arc::new(AtomicBool::new(false)));
        let (to, ended) = (Arc::clone(&heard), Arc::clone(&end));
        let thread = std::thread::spawn(move || {
            for round in 0.. {
                if ended.load(Ordering::Relaxed) {
                    return;
                }
                if to.ask(&url, round) {
                    to.answered.fetch_add(1, Ordering::Relaxed);
                } else {
                    to.refused.fetch_add(1, Ordering::Relaxed);
                    std::thread::sleep(Duration::from_millis(50));
                }
            }
        });
        Self { heard, end, thread: Some(thread) }
    }

    fn answered(&self) -> u64 {
        self.heard.answered.load(Ordering::Relaxed)
    }

    fn newest(&self) -> u64 {
        self.heard.newest.load(Ordering::Relaxed)
    }

    /// Ends, or fails as whoever asked did.
    fn end(mut self) -> Arc<Heard> {
        self.end.store(true, Ordering::Relaxed);
        if let Some(Err(panic)) = self.thread.take().map(JoinHandle::join) {
            std::panic::resume_unwind(panic);
        }
        Arc::clone(&self.heard)
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        self.end.store(true, Ordering::Relaxed);
    }
}

impl Heard {
    /// Asks for the newest version, which is never older than before, and for a proof of it;
    /// whether there was an answer.
    fn ask(&self, url: &str, round: u64) -> bool {
        let text = |path: &str| get_text(&format!("{url}{path}")).ok();
        let Some(status) = text("/v1/status") else { return false };
        let status: serde_json::Value = serde_json::from_str(&status).unwrap();
        let version = status["version"].as_u64().unwrap();
        let before = self.newest.fetch_max(version, Ordering::Relaxed);
        assert!(before <= version, "{url} went back from {before} to {version}");
        let path = question(round, version);
        let Some(answer) = text(&path) else { return false };
        let said = self.answers.lock().unwrap().insert(path.clone(), answer.clone());
        assert!(said.is_none_or(|before| before == answer), "{url} says different things of {path}");
        true
    }
}

/// A proof of an account, at a version, with what ties it to the version's root.
fn question(round: u64, version: u64) -> String {
    let key = hex::encode(account(round % (OWNERS + 2)));
    format!("/v1/proof/0x{key}?version={version}&root=true")
}

struct Cloud {
    scene: Scene,
    store: String,
    /// An archive with a store of its own, in which every version stays readable.
    twin: Archive,
    writer: Archive,
    cluster: Cluster,
    asking: Vec<Asking>,
    // Last: processes end before their folder.
    _folder: tempfile::TempDir,
}

impl Cloud {
    /// A network with an archive of its own, a writer, and a cluster that answers.
    fn start() -> Option<Self> {
        let (scene, folder) = (Scene::start(1)?, tempfile::tempdir().unwrap());
        let store = format!("file://{}", folder.path().join("store").display());
        let mut twin = scene.network.archive(3, free_ports(1).unwrap()[0]);
        twin.start_with(&["--retention", "100000"], &[]).unwrap();
        let mut writer = scene.network.archive(1, free_ports(1).unwrap()[0]);
        writer.start_with(&["--store", &store], &[]).unwrap();
        writer.wait_for_version(1, PATIENCE).unwrap();
        let aardvark = PathBuf::from(env!("CARGO_BIN_EXE_aardvark"));
        let mut cluster = Cluster::new(&aardvark, folder.path(), &store, SIZE).unwrap();
        cluster.start().unwrap();
        cluster.wait(PATIENCE).unwrap();
        let asking = cluster.fronts.iter().map(|front| Asking::begin(front.url())).collect();
        Some(Self { scene, store, twin, writer, cluster, asking, _folder: folder })
    }

    /// Payments are made, and the fronts of these numbers go on to answer, of versions that are
    /// written from now on.
    fn goes_on(&mut self, what: &str, fronts: &[usize]) {
        let (begun, before) = (Instant::now(), self.counted());
        self.scene.pay(2);
        let height = self.scene.height() + 1;
        for number in fronts {
            let asking = &self.asking[*number];
            while asking.answered() < before[*number][0] + ENOUGH || asking.newest() < height {
                assert!(begun.elapsed() < Duration::from_secs(PATIENCE), "{what}: front {number} does not answer");
                assert!(!asking.thread.as_ref().unwrap().is_finished(), "{what}: a false answer of front {number}");
                std::thread::sleep(Duration::from_millis(20));
            }
        }
        self.report(what, begun, &before);
    }

    /// Requests to each front that were answered, and that were refused.
    fn counted(&self) -> Vec<[u64; 2]> {
        let counts = |heard: &Heard| [&heard.answered, &heard.refused].map(|count| count.load(Ordering::Relaxed));
        self.asking.iter().map(|asking| counts(&asking.heard)).collect()
    }

    /// Says how many requests were answered of those that were made since then.
    fn report(&self, what: &str, begun: Instant, before: &[[u64; 2]]) {
        let since = |(now, before): (&[u64; 2], &[u64; 2])| {
            let [answered, refused] = [now[0] - before[0], now[1] - before[1]];
            format!("{answered} of {} answered", answered + refused)
        };
        let fronts: Vec<String> = self.counted().iter().zip(before).map(since).collect();
        println!("{what}: {} in {:.1} s", fronts.join("; "), begun.elapsed().as_secs_f64());
    }

    /// The folder of the store is away for some blocks, in which the writer has tried and failed.
    fn without_storage(&mut self) {
        let folder = self.store.strip_prefix("file://").map(PathBuf::from).unwrap();
        let away = folder.with_extension("away");
        // Otherwise the writer could make the folder anew between the two steps.
        self.writer.pause();
        std::fs::rename(&folder, &away).unwrap();
        std::fs::write(&folder, "no folder").unwrap();
        self.writer.resume();
        let (begun, before) = (Instant::now(), self.counted());
        self.scene.pay(2);
        while !self.writer_says("the storage does not answer") {
            assert!(begun.elapsed() < Duration::from_secs(PATIENCE), "the writer does not notice");
            std::thread::sleep(Duration::from_millis(20));
        }
        self.writer.pause();
        std::fs::remove_file(&folder).unwrap();
        std::fs::rename(&away, &folder).unwrap();
        self.writer.resume();
        self.report("the storage fails", begun, &before);
    }

    fn writer_says(&self, text: &str) -> bool {
        std::fs::read_to_string(self.writer.log()).unwrap().contains(text)
    }

    /// Nothing that was said differs from what the archive says that has a store of its own.
    fn nothing_false_was_said(&mut self) {
        let heard: Vec<Arc<Heard>> = self.asking.drain(..).map(Asking::end).collect();
        let newest = heard.iter().map(|heard| heard.newest.load(Ordering::Relaxed)).max().unwrap();
        self.twin.wait_for_version(newest, PATIENCE).unwrap();
        let mut compared = 0;
        for (path, answer) in heard.iter().flat_map(|heard| std::mem::take(&mut *heard.answers.lock().unwrap())) {
            assert_eq!(answer, self.twin.get_text(&path).unwrap(), "{path}");
            compared += 1;
        }
        println!("{compared} answers are those of another archive, byte for byte");
        assert!(compared as u64 >= ENOUGH);
    }

    fn server(&mut self, number: usize) -> &mut Member {
        &mut self.cluster.servers[number]
    }
}

#[test]
fn under_kills_lags_moves_and_another_writer_fronts_say_what_an_archive_alone_says() {
    let Some(mut cloud) = Cloud::start() else { return };
    let both = [0, 1];
    cloud.goes_on("all is well", &both);

    cloud.server(0).kill();
    cloud.goes_on("an opening server is killed", &both);
    cloud.server(0).start().unwrap();
    cloud.server(1).pause();
    cloud.goes_on("one is back, another lags", &both);
    cloud.server(1).resume();
    cloud.goes_on("and catches up", &both);

    cloud.cluster.fronts[0].kill();
    cloud.goes_on("a front is killed", &[1]);
    cloud.cluster.fronts[0].start().unwrap();
    cloud.goes_on("and is back", &both);

    cloud.cluster.rebalance(&[0, 1]).unwrap();
    cloud.goes_on("the third server owns nothing any more", &both);
    cloud.cluster.rebalance(&[0, 1, 2]).unwrap();
    cloud.goes_on("and owns its part again", &both);

    cloud.without_storage();
    cloud.goes_on("the storage is back after it failed", &both);

    // A second writer: the first has written its last.
    let mut second = cloud.scene.network.archive(2, free_ports(1).unwrap()[0]);
    second.start_with(&["--store", &cloud.store], &[]).unwrap();
    cloud.writer.wait_for_end(PATIENCE).unwrap();
    assert!(cloud.writer_says("another writer has taken the store over"));
    cloud.goes_on("another writer has taken over", &both);

    // Killed and back, it goes on where the store is.
    second.kill();
    let height = cloud.scene.height();
    second.start_with(&["--store", &cloud.store], &[]).unwrap();
    second.wait_for_version(height, PATIENCE).unwrap();
    cloud.goes_on("the writer was killed and is back", &both);

    // What both archives have of the chain is one.
    cloud.nothing_false_was_said();
    cloud.scene.is_well();
    let height = cloud.twin.version().unwrap();
    second.wait_for_version(height, PATIENCE).unwrap();
    let path = question(1, height);
    assert_eq!(second.get_text(&path).unwrap(), cloud.twin.get_text(&path).unwrap());
}

#[test]
fn a_front_whose_store_has_no_archive_and_a_url_that_is_none_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let store = format!("file://{}", folder.path().join("store").display());
    for (store, reason) in [(store.as_str(), "damaged"), ("ftp://example.org/x", "is no place of a store")] {
        let aardvark = env!("CARGO_BIN_EXE_aardvark");
        let words = ["node", "archive", "--listen", "127.0.0.1:0", "--store", store];
        let refused = std::process::Command::new(aardvark).args(words).output().unwrap();
        let said = String::from_utf8(refused.stderr).unwrap();
        assert_eq!(refused.status.code(), Some(2), "{said}");
        assert!(said.contains(reason), "{said}");
    }
}

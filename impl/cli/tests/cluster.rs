//! A chain, an archive that follows it into a store in a folder or in a bucket, fronts and opening
//! servers that read that store while it is written: processes are killed, lag and leave, vectors
//! move, a second writer comes. Every answer is the one of an archive that has a store of its own,
//! byte for byte.
//!
//! Needs CometBFT at `AARDVARK_COMETBFT`, as `cargo xtask test --long` sets it; without it the
//! tests say so and check nothing. With the feature `object-storage` alone.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "a test that cannot set its scene has failed")]

mod asking;
mod scene;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use aardvark_localnet::{Archive, Cluster, Member, free_ports, get_text};
use asking::{Asking, Heard, question, version_at};
use scene::{PATIENCE, Scene, Setting};

/// Opening servers and fronts.
const SIZE: (usize, usize) = (3, 2);
/// Answers of each front that a test waits for after each fault.
const ENOUGH: u64 = 12;
/// Names a bucket, as `s3://BUCKET`, whose endpoint, region and keys are in the environment of the
/// processes too.
const BUCKET: &str = "AARDVARK_TEST_BUCKET";

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

/// The URL of a store in the bucket, where nothing is yet; `None`, with a word about it, where no
/// bucket is named.
fn in_bucket() -> Option<String> {
    let Ok(bucket) = std::env::var(BUCKET) else {
        eprintln!("skipped: {BUCKET} does not name a bucket");
        return None;
    };
    let nanoseconds = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos();
    Some(format!("{bucket}/cluster-{}-{nanoseconds}", std::process::id()))
}

impl Cloud {
    /// A network with an archive of its own, a writer, and a cluster that answers, whose store is
    /// at a URL, or in a folder.
    fn start(store: Option<String>, block_milliseconds: u32) -> Option<Self> {
        let setting = Setting { validators: 1, crowd: 0, max_gas: None, block_milliseconds };
        let (scene, folder) = (Scene::start_as(&setting)?, tempfile::tempdir().unwrap());
        let store = store.unwrap_or_else(|| format!("file://{}", folder.path().join("store").display()));
        let mut twin = scene.network.archive(3, free_ports(1).unwrap()[0]);
        twin.start_with(&["--retention", "100000"], &[]).unwrap();
        let mut writer = scene.network.archive(1, free_ports(1).unwrap()[0]);
        writer.start_with(&["--store", &store], &[]).unwrap();
        writer.wait_for_version(1, PATIENCE).unwrap();
        let aardvark = PathBuf::from(env!("CARGO_BIN_EXE_aardvark"));
        let mut cluster = Cluster::new(&aardvark, folder.path(), &store, SIZE).unwrap();
        cluster.start().unwrap();
        cluster.wait(PATIENCE).unwrap();
        Some(Self { scene, store, twin, writer, cluster, asking: Vec::new(), _folder: folder })
    }

    /// The same, with somebody at each front who asks all the time.
    fn start_asked(store: Option<String>) -> Option<Self> {
        let mut cloud = Self::start(store, 300)?;
        cloud.asking = cloud.cluster.fronts.iter().map(|front| Asking::begin(front.url())).collect();
        Some(cloud)
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
                assert!(!asking.has_failed(), "{what}: a false answer of front {number}");
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

    /// A second writer comes: the first has written its last. That one is killed and goes on where
    /// the store is.
    fn another_writer_takes_over(&mut self) {
        let mut second = self.scene.network.archive(2, free_ports(1).unwrap()[0]);
        second.start_with(&["--store", &self.store], &[]).unwrap();
        self.writer.wait_for_end(PATIENCE).unwrap();
        assert!(self.writer_says("another writer has taken the store over"));
        self.writer = second;
        self.goes_on("another writer has taken over", &[0, 1]);

        self.writer.kill();
        let height = self.scene.height();
        self.writer.start_with(&["--store", &self.store], &[]).unwrap();
        self.writer.wait_for_version(height, PATIENCE).unwrap();
        self.goes_on("the writer was killed and is back", &[0, 1]);
    }

    /// A job audits the store while it is written, and is not resumed when that has gone on.
    fn is_audited_by_a_job(&self) {
        let folder = tempfile::tempdir().unwrap();
        let job = |words: &[&str]| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_aardvark"));
            let output = command.args(["--json", "archive", "jobs"]).args(words).output().unwrap();
            (output.status.code(), String::from_utf8(output.stdout).unwrap())
        };
        let directory = folder.path().to_str().unwrap();
        assert_eq!(job(&["status", directory]).0, Some(2), "jobs of a folder where nothing is");
        let (code, said) = job(&["start", directory, "audit", "--partition-size", "1", "--store", &self.store]);
        let done: serde_json::Value = serde_json::from_str(&said).unwrap();
        assert_eq!((code, &done["result"]), (Some(0), &"holds".into()), "{said}");
        let version = done["version"].as_u64().unwrap();
        let block: serde_json::Value =
            serde_json::from_str(&self.twin.get_text(&format!("/v1/blocks/{version}")).unwrap()).unwrap();
        assert_eq!(done["root"], block["root"]);
        self.writer.wait_for_version(version + 1, PATIENCE).unwrap();
        let (code, said) = job(&["resume", directory, "audit", "--store", &self.store]);
        assert!(code == Some(2) && said.contains(&format!("version {version}, and the newest one is")), "{said}");
        let (code, said) = job(&["status", directory]);
        let status: serde_json::Value = serde_json::from_str(&said).unwrap();
        assert_eq!((code, &status["jobs"][0]["version"]), (Some(0), &done["version"]), "{said}");
        assert_eq!(job(&["cancel", directory, "audit"]).0, Some(0));
    }

    fn writer_says(&self, text: &str) -> bool {
        std::fs::read_to_string(self.writer.log()).unwrap().contains(text)
    }

    /// Nothing that was said differs from what the archive says that has a store of its own, the
    /// chain is well, and the writer has all of it.
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
        self.scene.is_well();
        let height = self.twin.version().unwrap();
        self.writer.wait_for_version(height, PATIENCE).unwrap();
        let path = question(1, height);
        assert_eq!(self.writer.get_text(&path).unwrap(), self.twin.get_text(&path).unwrap());
    }

    fn server(&mut self, number: usize) -> &mut Member {
        &mut self.cluster.servers[number]
    }
}

#[test]
#[ignore = "a minute: cargo xtask test --long"]
fn under_kills_lags_moves_and_another_writer_fronts_say_what_an_archive_alone_says() {
    let Some(mut cloud) = Cloud::start_asked(None) else { return };
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

    cloud.another_writer_takes_over();
    cloud.is_audited_by_a_job();
    cloud.nothing_false_was_said();
}

#[test]
#[ignore = "needs a bucket: cargo xtask test --long"]
fn in_a_bucket_under_kills_and_another_writer_fronts_say_what_an_archive_alone_says() {
    let Some(mut cloud) = in_bucket().and_then(|store| Cloud::start_asked(Some(store))) else { return };
    let both = [0, 1];
    cloud.goes_on("all is well", &both);
    cloud.server(0).kill();
    cloud.goes_on("an opening server is killed", &both);
    cloud.server(0).start().unwrap();
    cloud.writer.kill();
    let further = ["--store", &cloud.store];
    cloud.writer.start_with(&further, &[]).unwrap();
    cloud.goes_on("it is back, and the writer was killed and is back", &both);
    cloud.another_writer_takes_over();
    cloud.is_audited_by_a_job();
    cloud.nothing_false_was_said();
}

/// Blocks whose way to the fronts is measured.
const MEASURED: u64 = 60;

/// When versions up to the last were there first, by asking again and again for the newest.
fn first_seen(last: u64, newest: impl Fn() -> Option<u64>) -> BTreeMap<u64, Instant> {
    let (begun, mut seen) = (Instant::now(), BTreeMap::new());
    while !seen.contains_key(&last) {
        assert!(begun.elapsed() < Duration::from_secs(MEASURED + PATIENCE), "version {last} does not come");
        let (asked, newest) = (Instant::now(), newest().unwrap_or(0));
        for version in (1..=newest).rev().take_while(|version| !seen.contains_key(version)).collect::<Vec<_>>() {
            seen.insert(version, asked);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    seen
}

/// Prints what `docs/opening-servers.md` quotes.
#[test]
#[ignore = "minutes: cargo xtask test --long"]
fn how_long_after_a_block_its_version_is_at_the_fronts_and_proved_is_printed() {
    for (place, store) in [("a folder", Some(None)), ("a bucket", in_bucket().map(Some))] {
        let Some(mut cloud) = store.and_then(|store| Cloud::start(store, 1000)) else { continue };
        let (rpc, writer, front) = (cloud.scene.rpc(), cloud.writer.url(), cloud.cluster.fronts[0].url());
        let first = cloud.scene.height() + 3;
        let last = first + MEASURED;
        let proved = || {
            let version = version_at(&front)?;
            get_text(&format!("{front}{}", question(version, version))).ok().map(|_| version)
        };
        let (decided, others) = std::thread::scope(|scope| {
            let decided = scope.spawn(|| first_seen(last, || rpc.height().ok()));
            let written = scope.spawn(|| first_seen(last, || version_at(&writer)));
            let shown = scope.spawn(|| first_seen(last, || version_at(&front)));
            let proved = scope.spawn(|| first_seen(last, proved));
            while cloud.scene.height() < last {
                cloud.scene.pay(2);
                std::thread::sleep(Duration::from_millis(500));
            }
            let others = [("in the store", written), ("at a front", shown), ("proved there", proved)];
            (decided.join().unwrap(), others.map(|(what, thread)| (what, thread.join().unwrap())))
        });
        for (what, seen) in others {
            let delay = |version| seen[&version].saturating_duration_since(decided[&version]).as_millis();
            let mut delays: Vec<u128> = (first..=last).map(delay).collect();
            delays.sort_unstable();
            let of = |percent: usize| delays[(delays.len() - 1) * percent / 100];
            println!("{place}: {what} {} ms after the block, 90 % {} ms, latest {} ms", of(50), of(90), of(100));
        }
    }
}

#[test]
fn a_front_whose_store_has_no_archive_and_a_url_that_is_none_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let store = format!("file://{}", folder.path().join("store").display());
    for (store, reason) in [(store.as_str(), "damaged"), ("ftp://example.org/x", "is no place of a store")] {
        let aardvark = env!("CARGO_BIN_EXE_aardvark");
        let words = ["node", "archive", "--listen", "127.0.0.1:0", "--store", store];
        let refused = Command::new(aardvark).args(words).output().unwrap();
        let said = String::from_utf8(refused.stderr).unwrap();
        assert_eq!(refused.status.code(), Some(2), "{said}");
        assert!(said.contains(reason), "{said}");
    }
}

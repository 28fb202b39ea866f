//! A writer in a process of its own, which is killed, and readers beside it.
//!
//! The tests start this test binary again as the process to kill: the ignored test `child` writes
//! one transaction after the other and says which are acknowledged.
#![cfg(all(unix, feature = "slatedb"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod common;

use std::env;
use std::io::{BufRead, BufReader, Lines};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use aardvark_archive::store::Store;
use aardvark_object_store::{Place, ReaderOptions, SlateReader, SlateStore};
use common::{count, counted, url};

/// Names the store that the child writes.
const STORE: &str = "AARDVARK_TEST_STORE";
/// What the child says before the number of an acknowledged transaction.
const ACKNOWLEDGED: &str = "acknowledged ";

#[test]
#[ignore = "what the other tests of this file start and kill"]
fn child() {
    let Ok(store) = env::var(STORE) else {
        return;
    };
    let store = SlateStore::open(&Place::at(&store).unwrap()).unwrap();
    let first = counted(&*store.read().unwrap()).map_or(0, |number| number + 1);
    for number in first.. {
        count(&store, number).unwrap();
        println!("\n{ACKNOWLEDGED}{number}");
    }
}

/// A process that writes until it is killed.
struct Writer {
    process: Child,
    said: Lines<BufReader<ChildStdout>>,
}

impl Writer {
    fn start(store: &str) -> Self {
        let mut command = Command::new(env::current_exe().unwrap());
        command.args(["child", "--exact", "--ignored", "--nocapture"]).env(STORE, store);
        let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
        let said = BufReader::new(process.stdout.take().unwrap()).lines();
        Self { process, said }
    }

    /// The next transaction that is acknowledged.
    fn acknowledged(&mut self) -> u64 {
        let said = self.said.by_ref().map(Result::unwrap);
        let mut said = said.filter_map(|line| line.strip_prefix(ACKNOWLEDGED)?.parse().ok());
        said.next().expect("the writer ended")
    }

    /// Kills it. The last transaction that it acknowledged, as far as that arrived.
    fn kill(mut self, mut last: u64) -> u64 {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
        for line in self.said.by_ref().map_while(Result::ok) {
            last = line.strip_prefix(ACKNOWLEDGED).and_then(|number| number.parse().ok()).unwrap_or(last);
        }
        last
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        let _ended = self.process.kill();
        let _waited = self.process.wait();
    }
}

fn kill_and_open_again(store: &str, rounds: u64) {
    let mut next = 0;
    for round in 0..rounds {
        let mut writer = Writer::start(store);
        let mut last = writer.acknowledged();
        assert!(last >= next, "{last} was written again");
        while last < next + round % 3 {
            last = writer.acknowledged();
        }
        // Between two transactions or in the middle of one, as it comes.
        std::thread::sleep(Duration::from_millis(round * 37 % 50));
        let acknowledged = writer.kill(last);
        let opened = SlateStore::open(&Place::at(store).unwrap()).unwrap();
        let found = counted(&*opened.read().unwrap()).unwrap();
        assert!(found == acknowledged || found == acknowledged + 1, "acknowledged {acknowledged}, found {found}");
        next = found + 1;
    }
}

#[test]
fn a_writer_that_is_killed_has_lost_nothing_that_it_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    kill_and_open_again(&url(folder.path()), 4);
}

#[test]
#[ignore = "minutes: cargo xtask test --long"]
fn a_writer_that_is_killed_often_has_lost_nothing() {
    let folder = tempfile::tempdir().unwrap();
    kill_and_open_again(&url(folder.path()), 60);
}

#[cfg(feature = "s3")]
#[test]
#[ignore = "needs a bucket: cargo xtask test --long"]
fn in_a_bucket_a_writer_that_is_killed_has_lost_nothing_and_a_reader_sees_whole_states() {
    let (Some(one), Some(other)) = (common::url_in_bucket(), common::url_in_bucket()) else { return };
    kill_and_open_again(&one, 10);
    read_beside_a_writer(&other);
}

#[test]
fn a_reader_beside_a_writing_process_sees_whole_states_that_never_go_back() {
    let folder = tempfile::tempdir().unwrap();
    read_beside_a_writer(&url(folder.path()));
}

fn read_beside_a_writer(store: &str) {
    let mut writer = Writer::start(store);
    writer.acknowledged();
    let options = ReaderOptions { interval: Duration::from_millis(5), ..ReaderOptions::default() };
    let reader = SlateReader::open(&Place::at(store).unwrap(), &options).unwrap();
    let mut held = vec![];
    let (mut newest, mut moves) = (0, 0);
    while moves < 6 {
        let read = reader.read().unwrap();
        let number = counted(&*read).expect("the reader saw a state before the first transaction");
        assert!(number >= newest, "{number} after {newest}");
        moves += u64::from(number > newest);
        newest = number;
        // Two states stay in use, so that others have to be passed over.
        if held.len() < 2 && held.last().is_none_or(|(_, before)| *before < number) {
            held.push((read, number));
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    for (read, number) in &held {
        assert_eq!(counted(&**read), Some(*number), "a state that is held stays");
    }
    // What was acknowledged arrives, also after the writer is gone.
    let last = writer.acknowledged();
    let acknowledged = writer.kill(last);
    drop(held);
    while counted(&*reader.read().unwrap()).unwrap() < acknowledged {
        std::thread::sleep(Duration::from_millis(1));
    }
}

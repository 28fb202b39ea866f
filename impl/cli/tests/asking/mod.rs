//! Somebody who asks an archive all the time, and remembers what it said.

#![allow(clippy::unwrap_used, missing_docs, reason = "a helper of tests fails by panicking")]

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use aardvark_localnet::get_text;

use crate::scene::bank::{OWNERS, account};

/// What somebody who asks a front all the time has heard.
#[derive(Default)]
pub struct Heard {
    pub answered: AtomicU64,
    pub refused: AtomicU64,
    /// The version of the newest answer.
    pub newest: AtomicU64,
    /// The answers by what was asked.
    pub answers: Mutex<BTreeMap<String, String>>,
}

/// Somebody who asks a front all the time.
pub struct Asking {
    pub heard: Arc<Heard>,
    end: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Asking {
    pub fn begin(url: String) -> Self {
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

    pub fn answered(&self) -> u64 {
        self.heard.answered.load(Ordering::Relaxed)
    }

    pub fn newest(&self) -> u64 {
        self.heard.newest.load(Ordering::Relaxed)
    }

    /// Whether it has ended by itself, as it does where an answer is false.
    pub fn has_failed(&self) -> bool {
        self.thread.as_ref().is_some_and(JoinHandle::is_finished)
    }

    /// Ends, or fails as whoever asked did.
    pub fn end(mut self) -> Arc<Heard> {
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
        let Some(version) = version_at(url) else { return false };
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
pub fn question(round: u64, version: u64) -> String {
    let key = hex::encode(account(round % (OWNERS + 2)));
    format!("/v1/proof/0x{key}?version={version}&root=true")
}

/// The newest version of an archive, as it says.
pub fn version_at(url: &str) -> Option<u64> {
    let said = get_text(&format!("{url}/v1/status")).ok()?;
    let status: serde_json::Value = serde_json::from_str(&said).unwrap();
    Some(status["version"].as_u64().unwrap())
}

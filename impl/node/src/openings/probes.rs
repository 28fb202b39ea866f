//! Whether the opening servers answer: each is asked now and then for its state, so that a front
//! knows before its clients do, and also while nobody asks the front.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use aardvark_algebra::integers::{i64_or_max, u64_of_usize};
use aardvark_dictionary::DictionaryId;
use aardvark_proof::hex_text::encode;
use serde::{Deserialize, Serialize};

use super::message::PATH;
use super::replicas::{Replicas, Server};

/// How often each server is asked.
const PAUSE: Duration = Duration::from_secs(2);
/// Servers that are asked at a time.
const AT_A_TIME: usize = 16;

/// What an opening server says it is at, to `GET /v1/openings`.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct ServerState {
    /// The dictionary's id.
    pub(crate) dictionary: String,
    /// The newest version that it has.
    pub(crate) version: u64,
}

impl Replicas {
    /// Asks all servers now and then, on a thread of its own, as long as anybody has them.
    pub(crate) fn keep_asking(self: &Arc<Self>, dictionary: DictionaryId) {
        let replicas = Arc::downgrade(self);
        std::thread::spawn(move || {
            while let Some(replicas) = Weak::upgrade(&replicas) {
                replicas.ask_all(&dictionary);
                drop(replicas);
                std::thread::sleep(PAUSE);
            }
        });
    }

    /// Asks all servers whether they are there, and are of this dictionary.
    pub(crate) fn ask_all(&self, dictionary: &DictionaryId) {
        let members = self.members();
        let dictionary = encode(&dictionary.0);
        for some in members.servers.chunks(AT_A_TIME) {
            std::thread::scope(|threads| {
                for server in some {
                    let dictionary = &dictionary;
                    threads.spawn(move || {
                        let answers = server.is_of(dictionary);
                        if server.answers.swap(answers, Ordering::Relaxed) && !answers {
                            tracing::warn!(server = server.name, "an opening server does not say what it is at");
                        }
                    });
                }
            });
        }
        self.metrics.listed.set(i64_or_max(u64_of_usize(members.servers.len())));
        self.metrics.answering.set(i64_or_max(u64_of_usize(self.answering())));
    }

    /// Servers that answered when they were asked last, and said nothing false lately.
    fn answering(&self) -> usize {
        let now = Instant::now();
        let is_of_use = |server: &&Server| server.answers.load(Ordering::Relaxed) && !server.health().lies(now);
        self.members().servers.iter().filter(is_of_use).count()
    }

    /// Why no proof can be given now: no server has openings, and the front computes none.
    pub(crate) fn trouble(&self) -> Option<String> {
        let none = !self.options.compute && self.answering() == 0;
        none.then(|| format!("none of the {} opening servers answers", self.members().servers.len()))
    }
}

impl Server {
    /// Whether it answers that it is of this dictionary.
    fn is_of(&self, dictionary: &str) -> bool {
        let state = self.http.get(PATH).ok().filter(|answer| answer.status == 200);
        let state = state.and_then(|answer| serde_json::from_slice::<ServerState>(&answer.body).ok());
        state.is_some_and(|state| state.dictionary == dictionary)
    }
}

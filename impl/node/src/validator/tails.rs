//! Tail vectors: whole vectors below the tail, which deletes can make necessary and which only archives have.
//!
//! They are fetched ahead, by a thread of their own, when the tail has become short or a proposal lacked some; a proposal uses
//! what is at hand and never waits. Nothing is believed: a proposal checks each vector against its commitment.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use aardvark_dictionary::{PostponedCause, Proposal, Slot, TailVector, Validator};
use serde::Deserialize;

use crate::formats::json::JsonError;
use crate::formats::proof_json::SlotJson;
use crate::rpc::http::{Http, HttpError, HttpOptions};
use crate::validator::application::lock;

/// Most vectors that are fetched at once, whatever proposals lack.
const MOST_VECTORS: u64 = 64;
/// How long an archive may take.
const TIMEOUT: Duration = Duration::from_secs(5);
/// Most bytes of an answer.
const ANSWER_BYTES: usize = 512 << 20;
/// How often archives are asked again when none has the tail that is wanted yet, and how long is waited in between.
const ATTEMPTS: u32 = 8;
const PAUSE: Duration = Duration::from_millis(250);

/// What is wanted: vectors below a tail that starts here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Wanted {
    start: u64,
    vectors: u64,
}

/// Vectors that were fetched, the highest first, below this start.
#[derive(Default)]
struct AtHand {
    start: u64,
    vectors: Vec<TailVector>,
}

/// The vectors below the tail, as far as they are at hand.
pub(super) struct Tails {
    at_hand: Arc<Mutex<AtHand>>,
    /// How many vectors proposals have lacked lately.
    lacked: Mutex<u64>,
    wishes: Option<SyncSender<Wanted>>,
}

impl Tails {
    /// Starts the thread that asks the archives; without archives there is none.
    pub(super) fn start(archives: &[String]) -> Result<Self, HttpError> {
        let options = HttpOptions { timeout: TIMEOUT, answer_bytes: ANSWER_BYTES };
        let archives = archives.iter().map(|url| Http::new(url, options)).collect::<Result<Vec<_>, _>>()?;
        let at_hand = Arc::new(Mutex::new(AtHand::default()));
        let wishes = (!archives.is_empty()).then(|| {
            let (sender, receiver) = sync_channel(1);
            let at_hand = Arc::clone(&at_hand);
            std::thread::spawn(move || fetch_forever(&archives, &receiver, &at_hand));
            sender
        });
        Ok(Self { at_hand, lacked: Mutex::new(0), wishes })
    }

    /// What was fetched last.
    pub(super) fn at_hand(&self) -> Vec<TailVector> {
        lock(&self.at_hand).vectors.clone()
    }

    /// Remembers that a proposal had to leave deletes out.
    pub(super) fn note_postponed(&self, proposal: &Proposal) {
        let lacked = proposal.postponed.iter().any(|postponed| postponed.cause == PostponedCause::TailNeeded);
        let mut count = lock(&self.lacked);
        *count = if lacked { (2 * *count).clamp(2, MOST_VECTORS) } else { 0 };
    }

    /// After a block: asks for vectors where the tail is shorter than a vector, or where a proposal lacked some.
    pub(super) fn follow(&self, state: &Validator) {
        let Some(wishes) = &self.wishes else { return };
        let start = state.tail().start();
        let short = state.size() - start < state.parameters().positions_per_vector();
        let vectors = (*lock(&self.lacked)).max(if short { 2 } else { 0 });
        let vectors = vectors.min(start / state.parameters().positions_per_vector());
        let mut at_hand = lock(&self.at_hand);
        if vectors == 0 {
            *at_hand = AtHand::default();
        } else if at_hand.start != start || !is_enough(&at_hand.vectors, vectors) || *lock(&self.lacked) > 0 {
            // A full channel means that a wish waits already; the next block makes the next one.
            let _one_is_enough = wishes.try_send(Wanted { start, vectors });
        }
    }
}

fn is_enough(vectors: &[TailVector], wanted: u64) -> bool {
    u64::try_from(vectors.len()).is_ok_and(|count| count >= wanted)
}

fn fetch_forever(archives: &[Http], wishes: &Receiver<Wanted>, at_hand: &Mutex<AtHand>) {
    while let Ok(wanted) = wishes.recv() {
        match fetch(archives, wanted) {
            Some(vectors) => *lock(at_hand) = AtHand { start: wanted.start, vectors },
            None => tracing::warn!(wanted.start, wanted.vectors, "no archive gives the tail vectors"),
        }
    }
}

/// Asks the archives in turn, several times: they follow the chain a moment behind.
fn fetch(archives: &[Http], wanted: Wanted) -> Option<Vec<TailVector>> {
    for attempt in 0..ATTEMPTS {
        if attempt > 0 {
            std::thread::sleep(PAUSE);
        }
        for archive in archives {
            match ask(archive, wanted.vectors) {
                Ok((start, vectors)) if start == wanted.start => return Some(vectors),
                Ok(_) => {}
                Err(error) => tracing::debug!(archive = archive.url(), error, "an archive gave no tail"),
            }
        }
    }
    None
}

fn ask(archive: &Http, vectors: u64) -> Result<(u64, Vec<TailVector>), String> {
    let answer = archive.get(&format!("/v1/tail?vectors={vectors}")).map_err(|error| error.to_string())?;
    read(&answer.body).map_err(|error| error.to_string())
}

/// An archive's answer, as far as it is looked at.
#[derive(Deserialize)]
struct TailJson {
    start: u64,
    vectors: Vec<Vec<SlotJson>>,
}

/// Where the tail starts, and the vectors below it.
fn read(answer: &[u8]) -> Result<(u64, Vec<TailVector>), JsonError> {
    let TailJson { start, vectors } = serde_json::from_slice(answer)?;
    let vector = |slots: Vec<SlotJson>| slots.into_iter().map(Slot::try_from).collect();
    Ok((start, vectors.into_iter().map(vector).collect::<Result<_, _>>()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_are_read_as_an_archive_writes_them() {
        let text = r#"{"version":7,"start":8,"slots":[],"vectors":[[{"key":"0x61","value":"0x","next":"0x62"}]]}"#;
        let slot = Slot { key: "a".into(), value: "".into(), next: "b".into() };
        assert_eq!(read(text.as_bytes()).unwrap(), (8, vec![vec![slot]]));
        let long = text.replace("0x61", &format!("0x{}", "61".repeat(256)));
        assert!(read(long.as_bytes()).is_err());
    }
}

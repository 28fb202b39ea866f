//! Tail vectors: whole vectors below the tail, which deletes can make necessary and which only
//! archives have.
//!
//! They are fetched ahead, by a thread of their own, when the tail has become short or a proposal
//! lacked some; a proposal uses what is at hand and never waits. An archive's answer is bounded by
//! what was asked ([`TailAsked`]) and compared with the commitments, so that the next archive is
//! asked where one lies; a proposal checks each vector again.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use aardvark_algebra::integers::usize_or_max;
use aardvark_client::ArchiveClient;
use aardvark_client::rpc::HttpOptions;
use aardvark_client::rpc::http::HttpError;
use aardvark_client::tail_json::TailAsked;
use aardvark_commitment::{Commitment, Scheme, VectorCommitment as _};
use aardvark_dictionary::{PostponedCause, Proposal, Slot, TailVector, Validator};

use crate::validator::lock::lock;

/// Most vectors that are fetched at once, whatever proposals lack.
const MOST_VECTORS: u64 = 64;
/// How long an archive may take.
const TIMEOUT: Duration = Duration::from_secs(5);
/// How often archives are asked again when none has the tail that is wanted yet, and how long is
/// waited in between.
const ATTEMPTS: u32 = 8;
const PAUSE: Duration = Duration::from_millis(250);

/// What is wanted, and what it has to be.
struct Wanted {
    asked: TailAsked,
    scheme: Arc<Scheme>,
    /// The vectors' commitments, in the same order.
    commitments: Vec<Commitment>,
}

/// Vectors that were fetched, the highest first, and the commitments that they have.
#[derive(Default)]
struct AtHand {
    commitments: Vec<Commitment>,
    vectors: Arc<Vec<TailVector>>,
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
        let options = HttpOptions { timeout: TIMEOUT, answer_bytes: usize::MAX };
        let archives = archives.iter().map(|url| ArchiveClient::new(url, options)).collect::<Result<Vec<_>, _>>()?;
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
    pub(super) fn at_hand(&self) -> Arc<Vec<TailVector>> {
        Arc::clone(&lock(&self.at_hand).vectors)
    }

    /// Remembers that a proposal had to leave deletes out.
    pub(super) fn note_postponed(&self, proposal: &Proposal) {
        let lacked = proposal.postponed.iter().any(|postponed| postponed.cause == PostponedCause::TailNeeded);
        let mut count = lock(&self.lacked);
        *count = if lacked { (2 * *count).clamp(2, MOST_VECTORS) } else { 0 };
    }

    /// After a block: asks for vectors where the tail is shorter than a vector, or where a proposal
    /// lacked some.
    pub(super) fn follow(&self, state: &Validator) {
        let Some(wishes) = &self.wishes else { return };
        let start = state.tail().start();
        let short = state.size() - start < state.parameters().positions_per_vector();
        let vectors = (*lock(&self.lacked)).max(if short { 2 } else { 0 });
        let vectors = vectors.min(start / state.parameters().positions_per_vector());
        let wanted = Wanted::of(state, vectors);
        let mut at_hand = lock(&self.at_hand);
        let (ours, theirs) = (&at_hand.commitments, &wanted.commitments);
        if vectors == 0 || !(theirs.starts_with(ours) || ours.starts_with(theirs)) {
            *at_hand = AtHand::default();
        }
        if at_hand.commitments.len() < wanted.commitments.len() {
            // A full channel means that a wish waits already; the next block makes the next one.
            let _one_is_enough = wishes.try_send(wanted);
        }
    }
}

impl Wanted {
    fn of(state: &Validator, vectors: u64) -> Self {
        let start = state.tail().start();
        let place = (state.version(), start, state.size() - start);
        let above = usize_or_max(start / state.parameters().positions_per_vector());
        let below = state.commitments().get(..above).unwrap_or_default();
        Self {
            asked: TailAsked::new(state.parameters(), place, vectors),
            scheme: Arc::clone(state.scheme()),
            commitments: below.iter().rev().take(usize_or_max(vectors)).copied().collect(),
        }
    }

    /// Whether the vectors are those of the commitments.
    fn is(&self, vectors: &[TailVector]) -> bool {
        let is = |(vector, commitment): (&TailVector, &Commitment)| {
            let scalars = Slot::scalars(vector);
            self.scheme.commit(&scalars).is_ok_and(|found| found == *commitment)
        };
        vectors.len() == self.commitments.len() && vectors.iter().zip(&self.commitments).all(is)
    }
}

fn fetch_forever(archives: &[ArchiveClient], wishes: &Receiver<Wanted>, at_hand: &Mutex<AtHand>) {
    while let Ok(wanted) = wishes.recv() {
        let TailAsked { start, vectors, .. } = wanted.asked;
        match fetch(archives, &wanted) {
            Some(found) => {
                *lock(at_hand) = AtHand { commitments: wanted.commitments, vectors: Arc::new(found) };
            }
            None => tracing::warn!(start, vectors, "no archive gives the tail vectors"),
        }
    }
}

/// Asks the archives in turn, several times: they follow the chain a moment behind.
fn fetch(archives: &[ArchiveClient], wanted: &Wanted) -> Option<Vec<TailVector>> {
    for attempt in 0..ATTEMPTS {
        if attempt > 0 {
            std::thread::sleep(PAUSE);
        }
        for archive in archives {
            match archive.tail_vectors(&wanted.asked) {
                Ok(vectors) if wanted.is(&vectors) => return Some(vectors),
                Ok(_) => tracing::warn!(archive = archive.url(), "an archive gave false tail vectors"),
                Err(error) => tracing::debug!(archive = archive.url(), %error, "an archive gave no tail"),
            }
        }
    }
    None
}

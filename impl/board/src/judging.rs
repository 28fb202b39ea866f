//! What the board judges its own posts to say, for the page that it serves. Nobody has to believe
//! it: readers verify the posts themselves.
//!
//! Judged is what somebody asks for, by one thread at a time, and each post once. A board whose
//! posts have more bytes than are held for this says so.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use aardvark_algebra::integers::u64_of_usize;
use aardvark_mixnet::identity::AuthorKey;
use aardvark_mixnet::post::{Content, PostValue, Posted};
use aardvark_mixnet::{CeremonyName, Kind, Memo, PostKey, Posts};
use serde_json::{Value, json};

use crate::board::Board;
use crate::error::BoardError;
use crate::summary::{fault_json, summary_json};
use crate::wire::FORMAT;

/// Ceremonies that are judged, the first by their keys.
pub const MOST_CEREMONIES: usize = 64;

/// The posts that were read, and what was found of them.
#[derive(Debug, Default)]
struct Held {
    posts: Posts,
    /// How many.
    read: u64,
    /// The board's version when they were read.
    version: u64,
    bytes: u64,
    memos: BTreeMap<(AuthorKey, u32), Memo>,
}

/// The last judgement: of how many posts, and what it says.
#[derive(Debug)]
pub(crate) struct Judgement {
    /// How many posts it is of.
    pub(crate) posts: u64,
    /// What is answered.
    pub(crate) json: Value,
}

/// What is judged, and the last judgement.
#[derive(Debug)]
pub(crate) struct Judging {
    most_bytes: u64,
    held: Mutex<Held>,
    last: Mutex<Arc<Judgement>>,
}

impl Judging {
    /// Of posts that have no more than so many bytes.
    pub(crate) fn new(most_bytes: u64) -> Self {
        let nothing = Judgement { posts: 0, json: answer(0, true, Vec::new(), 0) };
        Self { most_bytes, held: Mutex::default(), last: Mutex::new(Arc::new(nothing)) }
    }

    /// The last judgement.
    pub(crate) fn last(&self) -> Arc<Judgement> {
        Arc::clone(&self.last.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Judges what was posted since the last time. However long it takes, the board is locked for
    /// moments only.
    pub(crate) fn judge(&self, board: &Mutex<Board>) -> Result<(), BoardError> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let dictionary = held.read(board, self.most_bytes)?;
        let json = match held.bytes > self.most_bytes {
            true => answer(held.version, false, Vec::new(), 0),
            false => held.judged(dictionary),
        };
        let judgement = Arc::new(Judgement { posts: held.read, json });
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = judgement;
        Ok(())
    }
}

/// `GET /v1/ceremonies`: at which version of the board, whether the posts are few enough to be
/// judged here, and the ceremonies; how many more there are.
fn answer(version: u64, judged: bool, ceremonies: Vec<Value>, more: usize) -> Value {
    json!({ "format": FORMAT, "version": version, "judged": judged, "ceremonies": ceremonies, "more": more })
}

impl Held {
    /// Reads what was posted since the last time; the dictionary's id. Once there are too many
    /// bytes nothing is held any more.
    fn read(&mut self, board: &Mutex<Board>, most_bytes: u64) -> Result<[u8; 32], BoardError> {
        loop {
            let board = board.lock().unwrap_or_else(PoisonError::into_inner);
            let dictionary = board.dictionary();
            self.version = board.version();
            if self.bytes > most_bytes {
                self.read = board.posts();
                return Ok(dictionary);
            }
            let page = board.posts_since(self.read)?;
            let files: Vec<_> = page
                .iter()
                .map(|(_, value)| match PostValue::from_bytes(value).map(|value| value.content) {
                    Ok(Content::Stored { digest, length, .. }) => Some((board.body_file(&digest), length)),
                    _ => None,
                })
                .collect();
            drop(board);
            if page.is_empty() {
                return Ok(dictionary);
            }
            for ((key, value), file) in page.into_iter().zip(files) {
                let length = file.as_ref().map_or(0, |(_, length)| *length);
                self.bytes = self.bytes.saturating_add(u64_of_usize(key.len() + value.len())).saturating_add(length);
                self.read += 1;
                if self.bytes > most_bytes {
                    (self.posts, self.memos) = (Posts::new(), BTreeMap::new());
                    break;
                }
                let body = match file.map(|(file, _)| std::fs::read(file)) {
                    None => None,
                    Some(Err(error)) if error.kind() == io::ErrorKind::NotFound => None,
                    Some(read) => Some(read?.into()),
                };
                self.posts.insert(key, Posted { value, body });
            }
        }
    }

    fn judged(&mut self, dictionary: [u8; 32]) -> Value {
        let keys = self.posts.keys().filter_map(|key| PostKey::from_bytes(key).ok());
        let of_terms: Vec<PostKey> = keys.filter(|key| key.kind == Kind::Ceremony).collect();
        let more = of_terms.len().saturating_sub(MOST_CEREMONIES);
        let ceremonies = of_terms.into_iter().take(MOST_CEREMONIES).filter_map(|key| {
            let name = CeremonyName { dictionary, organiser: key.organiser, number: key.ceremony };
            let memo = self.memos.entry((key.organiser, key.ceremony)).or_default();
            match memo.view(&name, &self.posts) {
                Ok(view) => view.as_ref().map(summary_json),
                // Nothing is known of a ceremony whose terms are false.
                Err(fault) => Some(json!({ "number": name.number, "faults": [fault_json(&fault)] })),
            }
        });
        let ceremonies = ceremonies.collect();
        answer(self.version, true, ceremonies, more)
    }
}

//! Which answers a keeper has given, so that no answer, and no difference of answers, is about
//! fewer rows than it allows.
//!
//! An answer for totals adds up the rows of a group of runs; one about the order of rows shows, by
//! its splits, something of each run by itself. So each answer divides the runs that it is about
//! into groups, and all answers together divide the runs into **pieces**: two runs are in one piece
//! where no answer tells them apart. Whatever is computed from answered totals by adding and
//! subtracting multiples weighs all rows of a piece alike, so it is about no fewer rows than the
//! least piece has. An answer is refused where it would make a piece of fewer rows than allowed.
//!
//! What this does not stop: an order statistic is the number of one row, and many of them list the
//! numbers of a run; whoever owns rows of a piece knows these; a row that its owner asks for is not
//! counted. It is no differential privacy.
//!
//! ```text
//! DIR/vault/answered.redb   "f"               "aardvark answered 1" || dictionary (32)
//!                           "r" || head key   values' commitment (48) || u64 rows || u32 piece
//! ```

use std::collections::{BTreeMap, HashMap};
use std::ops::Bound;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use aardvark_aggregates::query::{Function, Query};
use aardvark_aggregates::{Head, TableKey};
use aardvark_archive::store::{Store, Table};
use aardvark_archive::{ArchiveError, RedbStore, StoreError};
use aardvark_dictionary::{DictionaryId, Key};
use thiserror::Error;

use crate::vault::Vault;

/// What the first entry begins with.
const MARK: &[u8] = b"aardvark answered 1";
/// The file of the store.
const STORE: &str = "answered.redb";
/// Bytes of a commitment.
const POINT: usize = 48;

/// Why an answer is not given.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AnsweredError {
    /// It, or its difference with answers before, would be about too few rows.
    #[error("this, or what it differs in from answers before, is about fewer than {0} rows")]
    TooFewRows(u64),
    /// It is about a run of which another revision was answered about: what changed between them
    /// may be one row.
    #[error("answers before were about other rows of the same run: what changed may be fewer than {0} rows")]
    OtherRevision(u64),
    /// What was answered cannot be read or written.
    #[error("what was answered before: {0}")]
    Store(#[from] ArchiveError),
    /// It is not what was written.
    #[error("the store of what was answered is damaged: {0}")]
    Damaged(&'static str),
    /// It is about another dictionary.
    #[error("the store of what was answered is that of another dictionary")]
    OtherDictionary,
}

impl From<StoreError> for AnsweredError {
    fn from(error: StoreError) -> Self {
        Self::Store(error.into())
    }
}

/// A run that was answered about.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Seen {
    /// The commitment to its numbers, which no two runs share.
    values: [u8; POINT],
    rows: u64,
    piece: u32,
}

/// A run of a box: its key and its head.
type BoxRun<'a> = (&'a Key, &'a Head);

/// The pieces: their runs by the keys of the heads, and their rows.
#[derive(Default)]
struct Pieces {
    runs: HashMap<Key, Seen>,
    rows: BTreeMap<u32, u64>,
}

/// The answers that a keeper has given, by what they tell apart.
pub struct Answered {
    least: u64,
    store: Box<dyn Store>,
    pieces: Mutex<Pieces>,
}

impl Answered {
    /// What was answered from a dictionary's vault, to go on with at least so many rows a piece.
    /// Only one process at a time has it open.
    ///
    /// # Errors
    /// [`AnsweredError`].
    pub fn open(directory: &Path, dictionary: &DictionaryId, least: u64) -> Result<Self, AnsweredError> {
        let file = Vault::folder(directory).join(STORE);
        let store = if file.exists() { RedbStore::open(&file)? } else { RedbStore::create(&file)? };
        Self::on_store(Box::new(store), dictionary, least)
    }

    /// The same on a store: nothing was answered where it is empty.
    ///
    /// # Errors
    /// [`AnsweredError`].
    pub fn on_store(store: Box<dyn Store>, dictionary: &DictionaryId, least: u64) -> Result<Self, AnsweredError> {
        let mark = [MARK, &dictionary.0].concat();
        match store.read()?.get(Table::Meta, b"f")? {
            None => store.write(&mut |write| Ok(write.put(Table::Meta, b"f", &mark)?))?,
            Some(found) if found == mark => {}
            Some(found) if found.starts_with(MARK) => return Err(AnsweredError::OtherDictionary),
            Some(_) => return Err(AnsweredError::Damaged("its first entry is none")),
        }
        let mut pieces = Pieces::default();
        let bounds = (Bound::Included(b"r".as_slice()), Bound::Excluded(b"s".as_slice()));
        for entry in store.read()?.range(Table::Meta, bounds)? {
            let (key, value) = entry?;
            let seen = decode(&value).ok_or(AnsweredError::Damaged("a run"))?;
            *pieces.place(seen.piece) += seen.rows;
            pieces.runs.insert(Key::from(key.get(1..).unwrap_or_default()), seen);
        }
        Ok(Self { least, store, pieces: Mutex::new(pieces) })
    }

    /// The fewest rows that an answer may be about.
    pub fn least(&self) -> u64 {
        self.least
    }

    /// Enters the answer to a query, about the runs of its box, before it is given. Counts are
    /// public, and a row is its owner's: they are not entered.
    ///
    /// # Errors
    /// [`AnsweredError`]; nothing is entered then.
    pub fn enter(&self, query: &Query, runs: &[(Key, Head)]) -> Result<(), AnsweredError> {
        let group_of = |number: usize, key: &Key| match query.function() {
            Function::Totals { powers: 0 } | Function::Row => None,
            Function::Totals { .. } => match TableKey::from_bytes(key, query.schema()) {
                Ok(TableKey::Head { columns, .. }) => Some(query.group_key(&columns)),
                _ => None,
            },
            _ => Some((number as u64).to_be_bytes().to_vec()),
        };
        let mut groups: BTreeMap<Vec<u8>, Vec<BoxRun<'_>>> = BTreeMap::new();
        for (number, (key, head)) in runs.iter().enumerate() {
            if let Some(group) = group_of(number, key) {
                groups.entry(group).or_default().push((key, head));
            }
        }
        let groups: Vec<_> = groups.into_values().collect();
        // Poisoned, the pieces are still those of the store: they are changed after it.
        let mut pieces = self.pieces.lock().unwrap_or_else(PoisonError::into_inner);
        let divided = pieces.divided(&groups, self.least)?;
        if divided.is_empty() {
            return Ok(());
        }
        self.store.write(&mut |write| {
            for (key, seen) in &divided {
                write.put(Table::Meta, &entry_key(key), &encode(seen))?;
            }
            Ok(())
        })?;
        pieces.take(divided);
        Ok(())
    }
}

impl Pieces {
    /// The rows of a piece.
    fn place(&mut self, piece: u32) -> &mut u64 {
        self.rows.entry(piece).or_default()
    }

    /// The runs whose pieces change when groups of runs are told apart from each other and from all
    /// others.
    fn divided(&self, groups: &[Vec<BoxRun<'_>>], least: u64) -> Result<Vec<(Key, Seen)>, AnsweredError> {
        let mut parts: BTreeMap<Option<u32>, BTreeMap<usize, Vec<BoxRun<'_>>>> = BTreeMap::new();
        for (group, runs) in groups.iter().enumerate() {
            for (key, head) in runs {
                let piece = match self.runs.get(*key) {
                    Some(seen) if seen.values != head.record.values.to_bytes() || seen.rows != rows(head) => {
                        return Err(AnsweredError::OtherRevision(least));
                    }
                    Some(seen) => Some(seen.piece),
                    None => None,
                };
                parts.entry(piece).or_default().entry(group).or_default().push((key, head));
            }
        }
        let mut next = self.rows.last_key_value().map_or(0, |(piece, _)| piece.saturating_add(1));
        let mut divided = Vec::new();
        for (piece, of_groups) in parts {
            let counts: Vec<u64> =
                of_groups.values().map(|runs| runs.iter().map(|(_, head)| rows(head)).sum()).collect();
            let all = piece.and_then(|piece| self.rows.get(&piece)).copied();
            let left = all.map_or(0, |all| all.saturating_sub(counts.iter().sum()));
            if counts.iter().any(|count| *count < least) || (left > 0 && left < least) {
                return Err(AnsweredError::TooFewRows(least));
            }
            if piece.is_some() && left == 0 && of_groups.len() == 1 {
                continue;
            }
            for runs in of_groups.into_values() {
                for (key, head) in runs {
                    let seen = Seen { values: head.record.values.to_bytes(), rows: rows(head), piece: next };
                    divided.push((key.clone(), seen));
                }
                next = next.checked_add(1).ok_or(AnsweredError::Damaged("it has no numbers left for pieces"))?;
            }
        }
        Ok(divided)
    }

    fn take(&mut self, divided: Vec<(Key, Seen)>) {
        for (key, seen) in divided {
            *self.place(seen.piece) += seen.rows;
            if let Some(before) = self.runs.insert(key, seen) {
                let left = self.place(before.piece);
                *left = left.saturating_sub(before.rows);
            }
        }
    }
}

fn rows(head: &Head) -> u64 {
    head.rows()
}

fn entry_key(head: &[u8]) -> Vec<u8> {
    [b"r", head].concat()
}

fn encode(seen: &Seen) -> Vec<u8> {
    [seen.values.as_slice(), &seen.rows.to_be_bytes(), &seen.piece.to_be_bytes()].concat()
}

fn decode(bytes: &[u8]) -> Option<Seen> {
    let (values, rest) = bytes.split_first_chunk::<POINT>()?;
    let (rows, rest) = rest.split_first_chunk::<8>()?;
    let piece: &[u8; 4] = rest.try_into().ok()?;
    Some(Seen { values: *values, rows: u64::from_be_bytes(*rows), piece: u32::from_be_bytes(*piece) })
}

//! Questions that need no state, asked in one go.

use aardvark_oracle::{Safety, Stateless, specified_changes, specified_map};
use aardvark_spec::block::rejection::Rejection;
use aardvark_spec::block::transaction::Transaction;
use aardvark_spec::dictionary::array::Array;
use aardvark_spec::dictionary::changes::ChangeMap;
use aardvark_spec::dictionary::key_map::KeyMap;
use hacspec_lib::Seq;

use super::{Tally, agree, ask, is_built};
use crate::compare::Mismatch;

/// Questions about net changes and maps, which need no state: collected along a history, and asked
/// in one go.
#[derive(Debug)]
pub struct Questions {
    safety: Safety,
    requests: Vec<Stateless>,
    expected: Vec<(&'static str, String)>,
}

/// What questions about net changes are called.
const NET_CHANGES: &str = "net changes on an array";

impl Questions {
    /// None yet.
    pub fn new(safety: Safety) -> Self {
        Self { safety, requests: Vec::new(), expected: Vec::new() }
    }

    /// How do net changes change an array?
    pub fn changes(&mut self, array: &Array, changes: &ChangeMap, specified: Option<&Array>) {
        if is_built() {
            self.requests.push(Stateless::changes(self.safety, array, changes));
            self.expected.push((NET_CHANGES, specified_changes(specified)));
        }
    }

    /// Where do transactions lead a map?
    pub fn map(&mut self, entries: &KeyMap, items: &Seq<Transaction>, specified: &Result<KeyMap, Rejection>) {
        if is_built() {
            self.requests.push(Stateless::map(entries, items));
            self.expected.push(("transactions on a map", specified_map(specified)));
        }
    }

    /// Asks all of them; what the oracle says must be what the specification said.
    ///
    /// # Errors
    /// Where it says something else.
    pub fn ask(&mut self) -> Result<Tally, Mismatch> {
        let requests = std::mem::take(&mut self.requests);
        let mut tally = Tally::default();
        if requests.is_empty() {
            return Ok(tally);
        }
        let expected = std::mem::take(&mut self.expected);
        let answers = ask(|process| process.oracle.answer_all(&requests))?;
        for ((what, specified), answer) in expected.into_iter().zip(&answers) {
            agree(what, &specified, answer, &mut tally)?;
            *(if what == NET_CHANGES { &mut tally.changes } else { &mut tally.maps }) += 1;
        }
        Ok(tally)
    }
}

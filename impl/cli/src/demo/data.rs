//! The data: dated states of Debian's package index, the machine's own where there are any, or the
//! sample that we ship.

use std::path::Path;

use aardvark_dictionary::{Change, Key, Value};
use serde_json::json;

use super::Narrator;
use super::apt_lists::{self, APT_LISTS, State};
use super::sample;
use crate::failure::Failure;
use crate::import::debian::{Index, Release, difference};
use crate::report::count;

/// The states, and the changes that lead to each of them.
pub struct Data {
    /// At least one state, each different from the one before it.
    pub states: Vec<State>,
    /// The changes that make each state from the one before it, and the first from nothing.
    pub changes: Vec<Vec<Change>>,
}

/// Loads the data and says what it is.
pub fn scene(sample_only: bool, tell: &mut Narrator) -> Result<Data, Failure> {
    let own = if sample_only { Vec::new() } else { apt_lists::states(Path::new(APT_LISTS))? };
    let (source, states) = match own {
        own if own.is_empty() => ("the sample that ships with the command", sample::states()?),
        own => ("this machine's apt lists", own),
    };
    let data = Data::new(states);
    if data.states.is_empty() {
        return Err(Failure::broken("the package lists hold no package"));
    }
    tell.fact("source", source);
    tell.section(&format!("The data: {source}"))?;
    let mut facts = Vec::new();
    let empty = Index::new();
    let before = std::iter::once(&empty).chain(data.states.iter().map(|state| &state.index));
    for ((state, before), changes) in data.states.iter().zip(before).zip(&data.changes) {
        let removed = changes.iter().filter(|change| change.value.is_none()).count();
        let added = state.index.keys().filter(|name| !before.contains_key(*name)).count();
        let updated = changes.len() - added - removed;
        let packages = format!("{} packages", count(state.index.len() as u64));
        let moves = if before.is_empty() {
            String::new()
        } else {
            let [added, updated, removed] = [added, updated, removed].map(|number| count(number as u64));
            format!(": {added} added, {updated} updated, {removed} removed")
        };
        tell.line(&format!("{}, {}", state.title, state.date), &format!("{packages}{moves}"))?;
        facts.push(json!({
            "title": state.title, "date": state.date, "packages": state.index.len(),
            "added": added, "updated": updated, "removed": removed,
        }));
    }
    tell.fact("states", facts);
    Ok(data)
}

impl Data {
    /// States that change nothing are left out.
    fn new(given: Vec<State>) -> Self {
        let mut data = Self { states: Vec::new(), changes: Vec::new() };
        for state in given {
            let empty = Index::new();
            let before = data.states.last().map_or(&empty, |state| &state.index);
            let changes = difference(before, &state.index);
            if !changes.is_empty() {
                data.changes.push(changes);
                data.states.push(state);
            }
        }
        data
    }

    /// The first state.
    pub fn first(&self) -> &Index {
        self.states.first().map_or(&EMPTY, |state| &state.index)
    }

    /// The latest state.
    pub fn latest(&self) -> &Index {
        self.states.last().map_or(&EMPTY, |state| &state.index)
    }

    /// The value of a package in a state.
    pub fn value(state: &Index, name: &str) -> Option<Value> {
        state.get(name).map(Release::value)
    }

    /// Packages of the latest state that people know.
    pub fn known(&self) -> Vec<&'static str> {
        KNOWN.into_iter().filter(|name| self.latest().contains_key(*name)).collect()
    }

    /// Packages of the latest state, evenly spread over it.
    pub fn spread(&self, number: usize) -> Vec<&str> {
        let latest = self.latest();
        let step = latest.len().div_ceil(number.max(1)).max(1);
        latest.keys().step_by(step).map(String::as_str).collect()
    }
}

static EMPTY: Index = Index::new();

/// Packages that people know.
const KNOWN: [&str; 8] = ["bash", "openssl", "curl", "python3", "openssh-server", "sudo", "nmap", "systemd"];

/// A package name as a key.
pub fn key(name: &str) -> Key {
    Key::from(name)
}

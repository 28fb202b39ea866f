//! SIGHUP: a node reads its configuration again, and takes of it what can change while it runs:
//! what is logged, how many connections there may be, the list of opening servers.
//!
//! The signal is caught before the configuration is read for the first time, so that it never ends
//! a node; what comes while a node starts is done when it has begun to log. A configuration that
//! cannot be used leaves everything as it is.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use aardvark_node::note_reload;
use aardvark_node::reload::{Changeable, Reloads};
use signal_hook::consts::SIGHUP;
use signal_hook::iterator::Signals;
use tracing_subscriber::EnvFilter;

use crate::logging::SetFilter;

/// The options that a node takes anew.
const RELOADED: [&str; 6] =
    ["log", "access-log", "connections", "connections-per-address", "opening-servers", "servers"];

/// The values of a node's options by their names, as TOML; those that are not set are not there.
pub type Values = BTreeMap<String, String>;

/// What a node takes anew.
#[derive(Debug)]
pub struct Reloaded {
    /// What is logged.
    pub filter: EnvFilter,
    /// What its server takes.
    pub changeable: Option<Changeable>,
}

/// A configuration that was read again.
#[derive(Debug)]
pub struct Again {
    /// What the node takes of it.
    pub reloaded: Reloaded,
    /// All of it.
    pub values: Values,
}

/// Reads the configuration again; or says what is wrong with it.
pub type ReadAgain = fn() -> Result<Again, String>;

/// What a node that starts has caught, until it acts on it.
static CAUGHT: Mutex<Option<Caught>> = Mutex::new(None);

struct Caught {
    signals: Signals,
    read_again: ReadAgain,
    /// What the node was started with.
    started: Values,
}

/// From now on SIGHUP does not end the process, and is remembered.
pub fn catch(read_again: ReadAgain) {
    // Where the system refuses, the signal does what it always did.
    let signals = Signals::new([SIGHUP]).ok();
    *caught() = signals.map(|signals| Caught { signals, read_again, started: Values::new() });
}

/// Notes what the node was started with.
pub fn note_start(values: Values) {
    if let Some(caught) = &mut *caught() {
        caught.started = values;
    }
}

fn caught() -> MutexGuard<'static, Option<Caught>> {
    CAUGHT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Acts on SIGHUP, on a thread of its own, for a node that has begun to log.
pub fn begin(set_filter: SetFilter, reloads: Reloads) {
    let Some(Caught { mut signals, read_again, started }) = caught().take() else { return };
    std::thread::spawn(move || {
        for _ in signals.forever() {
            let outcome = read_again().and_then(|again| take(again, &set_filter, &reloads));
            note_reload(outcome.is_ok());
            match outcome {
                Ok(values) => say(&started, &values),
                Err(error) => tracing::error!(%error, "SIGHUP: everything stays as it was"),
            }
        }
    });
}

/// Takes what can be taken; gives all values as they are configured now.
fn take(again: Again, set_filter: &SetFilter, reloads: &Reloads) -> Result<Values, String> {
    let Again { reloaded: Reloaded { filter, changeable }, values } = again;
    set_filter(filter)?;
    if let Some(changeable) = changeable {
        reloads.change(changeable);
    }
    Ok(values)
}

/// Says what was taken, and which options changed that are not.
fn say(started: &Values, now: &Values) {
    let is_taken = |name: &str| match name {
        // A front that asks no servers has nobody to ask others.
        "opening-servers" => started.contains_key(name) && now.contains_key(name),
        _ => RELOADED.contains(&name),
    };
    let names: BTreeSet<&String> = started.keys().chain(now.keys()).collect();
    let changed = names.into_iter().filter(|name| started.get(*name) != now.get(*name) && !is_taken(name));
    let changed: Vec<&str> = changed.map(String::as_str).collect();
    tracing::info!("SIGHUP: what is logged, limits of connections and opening servers are as configured now");
    if !changed.is_empty() {
        tracing::warn!(options = changed.join(", "), "SIGHUP: these changed, and are taken at the next start only");
    }
}

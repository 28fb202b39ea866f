//! `aardvark client`: reading and writing a network's keys.
//!
//! ```text
//! arguments -> network (nodes, witnesses, archives, trust) -> aardvark_client -> report | failure
//! ```
//! Servers that were not believed on the way are named on standard error, and in JSON under
//! `refused`.

pub mod args;
pub mod failure;
mod get;
mod keys;
mod list;
pub mod network;
mod sending;
mod trust;
mod write;

use crate::commands::client::args::Client;
use crate::failure::Failure;
use crate::report::Report;

/// Runs a client's command.
///
/// # Errors
/// [`Failure`].
pub fn run(client: &Client, as_json: bool) -> Result<Report, Failure> {
    match client {
        Client::Keygen(keygen) => keys::keygen(keygen),
        Client::Account(account) => keys::account(account),
        Client::Trust(trust) => trust::run(trust),
        Client::Get(get) => get::run(get),
        Client::List(list) => list::run(list, as_json),
        Client::Put(put) => write::put(put),
        Client::Pay(pay) => write::pay(pay),
        Client::Submit(submit) => write::submit(submit),
    }
}

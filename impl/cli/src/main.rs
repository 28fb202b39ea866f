#![forbid(unsafe_code)]
// What is printed goes through `print`.
#![cfg_attr(not(test), warn(clippy::print_stdout, clippy::print_stderr))]
//! The command `aardvark`: an authenticated dictionary on the command line.
//!
//! `args` says what people type, `commands` what it does, `report` and `failure` what comes back
//! and with which exit code: 0, it holds; 1, it is false, or the work failed; 2, the input is
//! malformed, about something else, or cannot be read; 3, a job that is asked about is unfinished.

// What people type, and what comes back
mod args;
mod configuration;
mod configuration_arguments;
mod deferred;
mod failure;
mod print;
mod reload;
mod report;
mod stream;
mod usage;
// Files
mod anchor;
mod cleanup;
mod compression;
mod import;
mod input;
mod key_password;
mod output_file;
mod proof_files;
mod store;
// What is done
mod answer_refusal;
mod answer_report;
mod answers;
mod commands;
mod demo;
mod entries;
mod explanation;
mod hints;
mod logging;
mod mebibytes;
mod notation;
mod object_storage;
mod progress;
mod stored_archive;
mod transaction_json;
mod validator_size;
mod verification;

use std::process::ExitCode;

// Notations and formats
use aardvark_algebra::Kernel;
use aardvark_proof::{answer_json, commitments_json, hex_text, json, key_text, proof_json};
use clap::CommandFactory as _;

use crate::args::{Arguments, Command, Node, OfArchive};
use crate::deferred::at_once;
use crate::failure::Failure;
use crate::report::print_failure;

// In the place of musl's memory functions.
#[cfg(target_env = "musl")]
use aardvark_musl as _;

/// In the place of musl's, which serves threads one after the other.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    keep_the_readers_panics_quiet();
    let arguments = match usage::parse() {
        Ok(arguments) => arguments,
        Err(exit_code) => return exit_code,
    };
    if let Err(error) = Kernel::check_request() {
        let failure = Failure::from(error);
        return print_failure(failure.verdict(), &failure.to_string(), failure.details(), arguments.json);
    }
    let outcome = match &arguments.command {
        Command::Demo(demo) => commands::demo::run(demo, arguments.json),
        Command::Init(init) => commands::init::run(init),
        Command::Import(import) => commands::import::run(import),
        Command::Apply(apply) => commands::apply::run(apply),
        Command::Get(get) => commands::get::run(get),
        Command::Prove(prove) => commands::prove::run(prove),
        Command::Verify(verify) => commands::verify::run(verify),
        Command::Explain(explain) => commands::explain::run(explain),
        Command::List(list) => commands::list::run(list, arguments.json),
        Command::Export(export) => commands::export::run(export),
        Command::History(history) => commands::history::run(history),
        Command::Diff(diff) => commands::diff::run(diff, arguments.json),
        Command::Commitments(commitments) => commands::commitments::run(commitments),
        Command::Root(root) => commands::root::run(root, arguments.json),
        Command::Status(status) => commands::status::run(status),
        Command::Audit(audit) => commands::audit::run(audit),
        Command::OfArchive(OfArchive::Backup(backup)) => commands::archive_backup::run(backup),
        Command::OfArchive(OfArchive::Restore(restore)) => commands::archive_restore::run(restore),
        Command::OfArchive(OfArchive::Openings(openings)) => commands::archive_openings::run(openings),
        Command::OfArchive(OfArchive::Jobs(jobs)) => commands::archive_jobs::run(jobs),
        Command::OfArchive(OfArchive::Follow(archive)) => commands::node_archive::follow(archive, arguments.json),
        Command::OfArchive(OfArchive::Front(archive)) => commands::node_archive::front(archive, arguments.json),
        Command::OfArchive(OfArchive::ServeOpenings(openings)) => {
            commands::node_openings::run(openings, arguments.json)
        }
        Command::Table(table) => commands::table::run(table, arguments.json),
        Command::Node(Node::Archive(archive)) => commands::node_archive::run(archive, arguments.json),
        Command::Node(Node::Keeper(keeper)) => commands::node_keeper::run(keeper, arguments.json),
        Command::Node(Node::Openings(openings)) => commands::node_openings::run(openings, arguments.json),
        Command::Node(Node::Validator(validator)) => commands::node_validator::run(validator),
        Command::Node(Node::Validators(validators)) => commands::node_validators::run(validators),
        Command::Node(Node::Genesis(genesis)) => commands::node_genesis::run(genesis),
        Command::Client(client) => commands::client::run(client, arguments.json),
        Command::Man(man) => commands::man::run(man, at_once(Arguments::command)),
        Command::Mixnet(mixnet) => commands::mixnet::run(mixnet, arguments.json),
        Command::Completions(completions) => Ok(commands::completions::run(completions, at_once(Arguments::command))),
    };
    match outcome {
        Ok(report) => report.print(arguments.json),
        Err(failure) => print_failure(failure.verdict(), &failure.to_string(), failure.details(), arguments.json),
    }
}

/// redb panics on some damaged pages, and the reader of Parquet files on some damaged files. Both
/// are turned into errors, which the command prints; the panic's own message would only stand
/// before it. All other panics are shown.
fn keep_the_readers_panics_quiet() {
    let shown = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let is_turned = |file: &str| ["redb-", "parquet-", "thrift-"].iter().any(|name| file.contains(name));
        if !panic.location().is_some_and(|location| is_turned(location.file())) {
            shown(panic);
        }
    }));
}

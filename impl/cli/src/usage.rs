//! Messages for malformed command lines.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches as _, Parser as _};
use serde_json::json;

use crate::args::{Arguments, Command, Node, OfArchive};
use crate::configuration::{Completed, is_of_node, values};
use crate::print::{Lines, error_line, escaped};
use crate::reload::{self, Again, Reloaded};
use crate::report::{Verdict, print_failure, print_failure_json};

/// Reads the command line, completed by a node's environment and file; help, version, a node's
/// configuration and usage errors are printed here and end the command.
///
/// # Errors
/// The exit code to end with.
pub fn parse() -> Result<Arguments, ExitCode> {
    let typed: Vec<OsString> = std::env::args_os().collect();
    if is_of_node(&typed) {
        reload::catch(read_again);
    }
    let completed = Completed::of(&typed, |name| std::env::var_os(name)).map_err(|error| {
        let (verdict, said) = (Verdict::Malformed, error.to_string());
        print_failure(verdict, &said, json!({ "reason": "Usage" }), wants_json(&typed))
    })?;
    let usage = |error: clap::Error| end(&error, &completed.words);
    let matches = Arguments::command().try_get_matches_from(&completed.words).map_err(usage)?;
    if let Some(text) = completed.printed(&matches) {
        let lines: Lines = text.lines().map(str::to_owned).collect();
        // A reader that has gone away is no error.
        let _unheard = lines.print();
        return Err(ExitCode::SUCCESS);
    }
    reload::note_start(values(&matches));
    Arguments::from_arg_matches(&matches).map_err(usage)
}

/// Reads the command line again, with a node's environment and its file as they are now.
fn read_again() -> Result<Again, String> {
    let typed: Vec<OsString> = std::env::args_os().collect();
    let completed = Completed::of(&typed, |name| std::env::var_os(name)).map_err(|error| error.to_string())?;
    let matches = Arguments::command().try_get_matches_from(&completed.words);
    // What is said behind the first line is for people at a terminal.
    let said = |error: clap::Error| error.to_string().lines().next().unwrap_or_default().to_owned();
    let matches = matches.map_err(said)?;
    let arguments = Arguments::from_arg_matches(&matches).map_err(said)?;
    Ok(Again { reloaded: reloaded(&arguments.command)?, values: values(&matches) })
}

/// What the node of a command takes anew.
fn reloaded(command: &Command) -> Result<Reloaded, String> {
    match command {
        Command::Node(Node::Archive(archive))
        | Command::OfArchive(OfArchive::Follow(archive) | OfArchive::Front(archive)) => archive.reloaded(),
        Command::Node(Node::Keeper(keeper)) => keeper.reloaded(),
        Command::Node(Node::Openings(openings)) | Command::OfArchive(OfArchive::ServeOpenings(openings)) => {
            openings.reloaded()
        }
        Command::Node(Node::Validator(validator)) => validator.reloaded(),
        _ => Err("this is no node".to_owned()),
    }
}

fn wants_json(typed: &[OsString]) -> bool {
    typed.iter().take_while(|word| *word != "--").any(|word| word == "--json")
}

fn end(error: &clap::Error, typed: &[OsString]) -> ExitCode {
    let as_json = wants_json(typed);
    let verdict = Verdict::Malformed;
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            // A reader that has gone away is no error.
            let _unheard = error.print();
            return ExitCode::SUCCESS;
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand if !as_json => {
            let _unheard = error.print();
            return ExitCode::from(verdict.code());
        }
        _ => {}
    }
    let text = match error.kind() {
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand | ErrorKind::MissingSubcommand => {
            format!("error: no command was given\n\n{}", Arguments::command().render_usage())
        }
        ErrorKind::InvalidUtf8 => format!("{error}\n{NOT_UTF8}"),
        _ => with_escaped_words(typed).unwrap_or_else(|| error.to_string()),
    };
    let text = text.trim_end();
    text.lines().for_each(error_line);
    if !as_json {
        return ExitCode::from(verdict.code());
    }
    let said = text.strip_prefix("error: ").unwrap_or(text);
    let (message, help) = said.split_once("\n\n").unwrap_or((said, ""));
    print_failure_json(verdict, message, json!({ "reason": "Usage", "help": help }))
}

const NOT_UTF8: &str = "A key or value that is not UTF-8 is written in hexadecimal, after 0x.";

/// The error as it is for the same words in one line each: it repeats what was typed, and may break
/// lines only itself.
fn with_escaped_words(typed: &[OsString]) -> Option<String> {
    let words = typed.iter().map(|word| escaped(&word.to_string_lossy()));
    Arguments::try_parse_from(words).err().map(|error| error.to_string())
}

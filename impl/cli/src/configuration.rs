//! What a node is told besides its command line: by the environment, and by one file.
//!
//! ```text
//! flag  >  AARDVARK_ARCHIVE_LISTEN  >  listen in [archive] of the file  >  default
//! ```
//!
//! The file is TOML with the tables `[archive]`, `[validator]`, `[keeper]` and `[openings]`, one
//! for each process that a machine runs; their keys are the options' names, their values text,
//! whole numbers, `true` for options without a value, and lists for those that can be given several
//! times (in the environment with commas between them). A key or table that is none is refused,
//! also in the tables of other processes.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use aardvark_client::rpc::http::without_credentials;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, CommandFactory};
use toml_edit::{Array, DocumentMut, Item, Value};

use crate::args::Arguments;
use crate::input::read_file;
use crate::reload::Values;

/// Most bytes of a file.
const LARGEST: u64 = 1 << 20;
/// The processes that can be configured, under the names of their commands.
const PROCESSES: [&str; 4] = ["archive", "validator", "keeper", "openings"];
/// Other names of theirs, as commands of an archive.
const OTHER_NAMES: [(&str, &str); 3] = [("follow", "archive"), ("front", "archive"), ("serve-openings", "openings")];
/// Options that belong on the command line alone.
const TYPED: [&str; 6] = ["config", "print-config", "help", "version", "json", "rollback"];

/// Why a configuration is refused.
#[derive(Debug, thiserror::Error)]
pub enum ConfigurationError {
    /// The file cannot be read.
    #[error(transparent)]
    Input(#[from] crate::input::InputError),
    /// The file is no TOML, or says what cannot be said.
    #[error("{file}: {what}")]
    File {
        /// The file.
        file: String,
        /// What is wrong.
        what: String,
    },
    /// An environment variable that cannot be what it is.
    #[error("{name}: {what}")]
    Environment {
        /// The variable.
        name: String,
        /// What is wrong.
        what: String,
    },
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    Environment,
    File,
}

/// A command line with what environment and file add to it.
pub struct Completed {
    /// The words.
    pub words: Vec<OsString>,
    process: Option<&'static str>,
    added: BTreeMap<String, Source>,
}

impl Completed {
    /// What was typed, completed where it runs a node.
    ///
    /// # Errors
    /// [`ConfigurationError`].
    pub fn of(typed: &[OsString], environment: impl Fn(&str) -> Option<OsString>) -> Result<Self, ConfigurationError> {
        let mut completed = Self { words: typed.to_vec(), process: None, added: BTreeMap::new() };
        let lenient = lenient(typed);
        let Some((process, given)) = lenient.as_ref().and_then(node_of) else {
            return Ok(completed);
        };
        completed.process = Some(process);
        let command = command_of(process);
        let is_given = |option: &Arg| given.value_source(option.get_id().as_str()) == Some(ValueSource::CommandLine);
        let variable = |name: &str| format!("AARDVARK_{process}_{name}").replace('-', "_").to_uppercase();
        let file = match given.try_get_one::<PathBuf>("config").ok().flatten().cloned() {
            Some(path) => Some(path),
            None => environment(&variable("config")).map(PathBuf::from),
        };
        let mut filed = file.as_deref().map(|path| read(path, process)).transpose()?.unwrap_or_default();
        for option in configurable(&command) {
            let name = option.get_long().unwrap_or_default();
            let from_file = filed.remove(name);
            if is_given(option) {
                continue;
            }
            let from_environment = environment(&variable(name));
            let (words, source) = match (from_environment, from_file) {
                (Some(value), _) => (of_environment(option, &variable(name), &value)?, Source::Environment),
                (None, Some(words)) => (words, Source::File),
                (None, None) => continue,
            };
            completed.added.insert(name.to_owned(), source);
            completed.words.extend(words);
        }
        Ok(completed)
    }

    /// The configuration as a file, where it was asked for; without users and passwords in
    /// addresses.
    pub fn printed(&self, matches: &ArgMatches) -> Option<String> {
        let (process, given) = node_of(matches)?;
        if !given.get_flag("print_config") {
            return None;
        }
        let mut text = format!("[{process}]\n");
        for option in configurable(&command_of(process)) {
            let (id, name) = (option.get_id().as_str(), option.get_long().unwrap_or_default());
            let source = match (self.added.get(name), given.value_source(id)) {
                (Some(Source::Environment), _) => "environment",
                (Some(Source::File), _) => "file",
                (None, Some(ValueSource::CommandLine)) => "flag",
                _ => "default",
            };
            match value(option, given).map(|value| without_passwords(option, value)) {
                Some(value) => text.push_str(&format!("{name} = {value}  # {source}\n")),
                None => text.push_str(&format!("# {name} is not set\n")),
            }
        }
        Some(text.trim_end().to_owned())
    }
}

/// The value as it may be shown: addresses without user and password.
fn without_passwords(option: &Arg, value: Value) -> Value {
    let names = option.get_value_names().unwrap_or_default();
    let is_address = names.iter().any(|name| matches!(name.as_str(), "URL" | "ADDRESS" | "LIST"));
    match value {
        Value::String(text) if is_address || text.value().contains("://") => Value::from(shown(text.value())),
        Value::Array(values) => {
            Value::Array(values.iter().map(|value| without_passwords(option, value.clone())).collect::<Array>())
        }
        other => other,
    }
}

/// An address, or several between commas, without users and passwords.
fn shown(text: &str) -> String {
    match text.matches("://").count() {
        // A folder's name may have an `@`.
        _ if text.starts_with("file://") => text.to_owned(),
        0 | 1 => without_credentials(text),
        _ => text.split(',').map(without_credentials).collect::<Vec<_>>().join(","),
    }
}

/// The values of the options of the node that a command line runs.
pub fn values(matches: &ArgMatches) -> Values {
    let Some((process, given)) = node_of(matches) else { return Values::new() };
    let command = command_of(process);
    let named = configurable(&command).filter_map(|option| {
        let name = option.get_long().unwrap_or_default().to_owned();
        Some((name, value(option, given)?.to_string()))
    });
    named.collect()
}

/// Whether a command line runs a node, as far as it can be told before it is read as a whole.
pub fn is_of_node(typed: &[OsString]) -> bool {
    lenient(typed).as_ref().and_then(node_of).is_some()
}

/// What a command line says that may run a node, whatever is wrong with it. Others, of which some
/// run for milliseconds, are not read twice.
fn lenient(typed: &[OsString]) -> Option<ArgMatches> {
    let may_run_a_node = typed.iter().skip(1).any(|word| word == "node" || word == "archive");
    may_run_a_node.then(|| Arguments::command().ignore_errors(true).try_get_matches_from(typed).ok()).flatten()
}

/// The process that a command line runs, and its options.
fn node_of(matches: &ArgMatches) -> Option<(&'static str, &ArgMatches)> {
    let (name, given) = match matches.subcommand()? {
        ("node", of_node) => of_node.subcommand()?,
        ("archive", of_archive) => {
            let (name, given) = of_archive.subcommand()?;
            (OTHER_NAMES.into_iter().find_map(|(other, process)| (other == name).then_some(process))?, given)
        }
        _ => return None,
    };
    let process = PROCESSES.into_iter().find(|process| *process == name)?;
    Some((process, given))
}

fn command_of(process: &str) -> Command {
    let mut root = Arguments::command();
    root.build();
    let node = root.find_subcommand("node").and_then(|node| node.find_subcommand(process));
    node.cloned().unwrap_or_default()
}

fn configurable(command: &Command) -> impl Iterator<Item = &Arg> {
    command.get_arguments().filter(|option| option.get_long().is_some_and(|name| !TYPED.contains(&name)))
}

fn is_flag(option: &Arg) -> bool {
    matches!(option.get_action(), ArgAction::SetTrue)
}

fn is_list(option: &Arg) -> bool {
    matches!(option.get_action(), ArgAction::Append)
}

/// An option and its value, as one word.
fn word(name: &str, value: &OsStr) -> OsString {
    let mut word = OsString::from(format!("--{name}="));
    word.push(value);
    word
}

/// The words of an option that the environment gives.
fn of_environment(option: &Arg, variable: &str, value: &OsStr) -> Result<Vec<OsString>, ConfigurationError> {
    let name = option.get_long().unwrap_or_default();
    if is_flag(option) {
        return match value.to_str() {
            Some("true") => Ok(vec![format!("--{name}").into()]),
            Some("false") => Ok(Vec::new()),
            _ => Err(ConfigurationError::Environment {
                name: variable.to_owned(),
                what: "neither true nor false".to_owned(),
            }),
        };
    }
    match value.to_str().filter(|_| is_list(option)) {
        Some(values) => Ok(values.split(',').map(|value| word(name, OsStr::new(value.trim()))).collect()),
        None => Ok(vec![word(name, value)]),
    }
}

/// The words of every option of a process that a file gives, by the option's name. All of the file
/// is looked at.
fn read(path: &Path, process: &str) -> Result<BTreeMap<String, Vec<OsString>>, ConfigurationError> {
    let refused = |what: String| ConfigurationError::File { file: path.display().to_string(), what };
    let text = String::from_utf8(read_file(path, LARGEST)?).map_err(|_| refused("not text".to_owned()))?;
    let document: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| {
        let line = error.span().and_then(|span| text.get(..span.start)).map(|before| before.matches('\n').count() + 1);
        let line = line.map(|line| format!("line {line}: ")).unwrap_or_default();
        refused(format!("{line}{}", error.message()))
    })?;
    let mut found = BTreeMap::new();
    for (section, table) in document.iter() {
        let (true, Some(table)) = (PROCESSES.contains(&section), table.as_table_like()) else {
            let tables = PROCESSES.map(|process| format!("[{process}]")).join(", ");
            return Err(refused(format!("{section}: there are the tables {tables}")));
        };
        let command = command_of(section);
        for (key, item) in table.iter() {
            let option = configurable(&command).find(|option| option.get_long() == Some(key));
            let option = option.ok_or_else(|| refused(format!("{section}.{key}: there is no such option")))?;
            let words = words(option, key, item).map_err(|what| refused(format!("{section}.{key}: {what}")))?;
            if section == process {
                found.insert(key.to_owned(), words);
            }
        }
    }
    Ok(found)
}

/// The words of an option that the file gives.
fn words(option: &Arg, name: &str, item: &Item) -> Result<Vec<OsString>, &'static str> {
    let one = |value: &Value| match value {
        Value::String(text) => Ok(word(name, OsStr::new(text.value()))),
        Value::Integer(number) => Ok(word(name, OsStr::new(&number.value().to_string()))),
        _ => Err("text or a whole number belongs here"),
    };
    match item.as_value() {
        Some(Value::Boolean(on)) if is_flag(option) => {
            Ok(if *on.value() { vec![format!("--{name}").into()] } else { Vec::new() })
        }
        Some(_) if is_flag(option) => Err("true or false belongs here"),
        Some(Value::Array(values)) if is_list(option) => values.iter().map(one).collect(),
        Some(value) => Ok(vec![one(value)?]),
        None => Err("text or a whole number belongs here"),
    }
}

/// The value that an option has, as TOML.
fn value(option: &Arg, given: &ArgMatches) -> Option<Value> {
    let id = option.get_id().as_str();
    if is_flag(option) {
        return Some(given.get_flag(id).into());
    }
    let one = |raw: &OsStr| {
        let text = raw.to_string_lossy();
        text.parse::<i64>().map_or_else(|_| Value::from(text.as_ref()), Value::from)
    };
    let mut raw = given.get_raw(id)?;
    if is_list(option) { Some(Value::Array(raw.map(one).collect::<Array>())) } else { raw.next().map(one) }
}

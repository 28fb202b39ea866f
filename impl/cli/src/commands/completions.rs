//! `aardvark completions SHELL`

use clap::CommandFactory;
use serde_json::json;

use crate::args::{Arguments, Completions};
use crate::report::{Report, Text, Verdict};

/// Writes the completion script of a shell.
pub fn run(arguments: &Completions) -> Report {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "aardvark", &mut script);
    let script = String::from_utf8_lossy(&script).trim_end().to_owned();
    let json = json!({ "shell": arguments.shell.to_string(), "script": script });
    Report { verdict: Verdict::Holds, text: Text::Script(script), json: Some(json) }
}

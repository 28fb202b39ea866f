//! `aardvark completions SHELL`

use clap::Args;
use serde_json::json;

use crate::report::{Report, Text, Verdict};

/// `aardvark completions`
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell.
    pub shell: clap_complete::Shell,
}

/// Writes the completion script of a shell for the whole command line.
pub fn run(arguments: &Completions, mut command_line: clap::Command) -> Report {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command_line, "aardvark", &mut script);
    let script = String::from_utf8_lossy(&script).trim_end().to_owned();
    let json = json!({ "shell": arguments.shell.to_string(), "script": script });
    Report { verdict: Verdict::Holds, text: Text::Script(script), json: Some(json) }
}

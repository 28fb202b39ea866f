//! `aardvark man FOLDER`

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use crate::failure::Failure;
use crate::report::{Report, Rows};

/// `aardvark man`
#[derive(Debug, Args)]
pub struct Man {
    /// The folder to write to.
    pub folder: PathBuf,
}

/// Writes a man page for every command.
///
/// # Errors
/// A folder that cannot be written to.
pub fn run(arguments: &Man, command_line: clap::Command) -> Result<Report, Failure> {
    let name = arguments.folder.display().to_string();
    clap_mangen::generate_to(command_line, &arguments.folder)
        .map_err(|source| Failure::Output { name: name.clone(), source })?;
    Ok(Report::done(Rows::new().row("man pages", name.as_str()).to_text(), json!({ "folder": name })))
}

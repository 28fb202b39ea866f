//! Running one step of a chore: say what runs, run it, say how long it took.

use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

/// Why a chore stopped.
#[derive(Debug, thiserror::Error)]
pub enum ChoreError {
    /// A program could not be started.
    #[error("`{command}` could not be started: {source}")]
    Start {
        /// What was to run.
        command: String,
        /// Why it did not.
        source: std::io::Error,
    },
    /// A program ended with an error.
    #[error("`{command}` failed ({status})")]
    Failed {
        /// What ran.
        command: String,
        /// How it ended.
        status: std::process::ExitStatus,
    },
}

/// The workspace's root.
pub fn root() -> PathBuf {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    here.parent().map_or(here.clone(), PathBuf::from)
}

/// Runs `cargo` with these arguments in the workspace's root.
pub fn cargo(title: &str, arguments: &[&str], environment: &[(&str, &str)]) -> Result<(), ChoreError> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let mut command = Command::new(cargo);
    command.args(arguments).envs(environment.iter().copied()).current_dir(root());
    run(title, command, &format!("cargo {}", arguments.join(" ")))
}

fn run(title: &str, mut command: Command, shown: &str) -> Result<(), ChoreError> {
    println!("\n== {title}: {shown}");
    let started = Instant::now();
    let status = command.status().map_err(|source| ChoreError::Start { command: shown.to_owned(), source })?;
    if !status.success() {
        return Err(ChoreError::Failed { command: shown.to_owned(), status });
    }
    println!("== {title}: done in {:.0} s", started.elapsed().as_secs_f64());
    Ok(())
}

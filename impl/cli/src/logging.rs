//! What nodes log: to standard error, one line an event, as text or as JSON.

use clap::{Args, ValueEnum};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

use crate::print::LogLines;

/// The target of events that say which requests were answered.
const ACCESS: &str = "access";

/// How events are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// A line of text.
    #[default]
    Text,
    /// A JSON object.
    Json,
}

/// What to log, and how.
#[derive(Clone, Debug, Args)]
pub struct Logging {
    /// What to log: error, warn, info, debug or trace, also for parts, as in
    /// warn,aardvark_node::archive=debug. By default what RUST_LOG says, or info.
    #[arg(long = "log", value_name = "LEVELS")]
    levels: Option<String>,
    /// How to write it.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    log_format: LogFormat,
}

impl Logging {
    /// Begins to log.
    ///
    /// # Errors
    /// Levels that are none, in words.
    pub fn begin(&self) -> Result<(), String> {
        self.begin_with(false)
    }

    /// Begins to log, each request that is answered too where `accesses` says so.
    ///
    /// # Errors
    /// Levels that are none, in words.
    pub fn begin_with(&self, accesses: bool) -> Result<(), String> {
        let filter = match &self.levels {
            Some(levels) => EnvFilter::try_new(levels).map_err(|error| format!("--log {levels}: {error}"))?,
            None => EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info")),
        };
        let level = if accesses { LevelFilter::INFO } else { LevelFilter::OFF };
        let accesses = format!("{ACCESS}={level}").parse().map_err(|error| format!("{ACCESS}: {error}"))?;
        let filter = filter.add_directive(accesses);
        let lines = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(false);
        // A log that is there already goes on.
        let _begun = match self.log_format {
            LogFormat::Text => lines.with_writer(LogLines::Text).try_init(),
            LogFormat::Json => lines.json().flatten_event(true).with_writer(LogLines::Json).try_init(),
        };
        Ok(())
    }
}

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

/// Changes what is logged.
pub type SetFilter = Box<dyn Fn(EnvFilter) -> Result<(), String> + Send>;

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
    /// Begins to log, each request that is answered too where `accesses` says so; gives what
    /// changes what is logged.
    ///
    /// # Errors
    /// Levels that are none, in words.
    pub fn begin(&self, accesses: bool) -> Result<SetFilter, String> {
        let filter = self.filter(accesses)?;
        let lines = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(false);
        // A log that is there already goes on.
        Ok(match self.log_format {
            LogFormat::Text => {
                let lines = lines.with_writer(LogLines::Text).with_filter_reloading();
                let handle = lines.reload_handle();
                let _begun = lines.try_init();
                Box::new(move |filter| handle.reload(filter).map_err(|error| error.to_string()))
            }
            LogFormat::Json => {
                let lines = lines.json().flatten_event(true).with_writer(LogLines::Json).with_filter_reloading();
                let handle = lines.reload_handle();
                let _begun = lines.try_init();
                Box::new(move |filter| handle.reload(filter).map_err(|error| error.to_string()))
            }
        })
    }

    /// What is logged.
    ///
    /// # Errors
    /// Levels that are none, in words.
    pub fn filter(&self, accesses: bool) -> Result<EnvFilter, String> {
        let filter = match &self.levels {
            Some(levels) => EnvFilter::try_new(levels).map_err(|error| format!("--log {levels}: {error}"))?,
            None => EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info")),
        };
        let level = if accesses { LevelFilter::INFO } else { LevelFilter::OFF };
        let accesses = format!("{ACCESS}={level}").parse().map_err(|error| format!("{ACCESS}: {error}"))?;
        Ok(filter.add_directive(accesses))
    }
}

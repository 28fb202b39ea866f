//! The options by which a node is told where its configuration is (`configuration`).

use std::path::PathBuf;

use clap::Args;

/// Where options come from.
#[derive(Clone, Debug, Args)]
pub struct Configuration {
    /// Take what is not given here, nor by environment variables AARDVARK_ARCHIVE_… or
    /// AARDVARK_VALIDATOR_… (such as AARDVARK_ARCHIVE_LISTEN), from this TOML file.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Print the configuration as such a file, and where each value comes from, and end.
    #[arg(long)]
    print_config: bool,
}

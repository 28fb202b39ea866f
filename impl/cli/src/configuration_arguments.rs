//! The options by which a node is told where its configuration is (`configuration`).

use std::path::PathBuf;

use clap::Args;

/// Where options come from.
#[derive(Clone, Debug, Args)]
pub struct Configuration {
    /// Take what is not given here, nor by environment variables AARDVARK_ARCHIVE_…,
    /// AARDVARK_VALIDATOR_…, AARDVARK_KEEPER_… or AARDVARK_OPENINGS_… (such as
    /// AARDVARK_ARCHIVE_LISTEN), from this TOML file; SIGHUP has it read again.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Print the configuration as such a file, and where each value comes from, and end; addresses
    /// without user and password.
    #[arg(long)]
    print_config: bool,
}

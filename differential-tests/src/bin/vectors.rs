//! Writes the test vectors, or checks that they are what they should be.
//!
//! ```text
//! cargo run -p differential-tests --bin vectors -- write
//! cargo run -p differential-tests --bin vectors -- check       exit 1 where a file is stale
//! ```

use std::process::ExitCode;

use differential_tests::vectors::{all, directory};

fn main() -> ExitCode {
    let argument = std::env::args().nth(1);
    let files = match all() {
        Ok(files) => files,
        Err(mismatch) => {
            eprintln!("specification and implementation differ: {mismatch}");
            return ExitCode::FAILURE;
        }
    };
    let done = match argument.as_deref() {
        Some("write") => files.iter().try_for_each(|(name, text)| std::fs::write(directory().join(name), text)),
        Some("check") => {
            let stale = |(name, text): &&(&str, String)| {
                std::fs::read_to_string(directory().join(name)).map_or(true, |found| found != *text)
            };
            let stale: Vec<_> = files.iter().filter(stale).map(|(name, _)| *name).collect();
            stale.iter().for_each(|name| eprintln!("{name} is stale"));
            return if stale.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
        }
        _ => {
            eprintln!("usage: vectors write|check");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: {error}", directory().display());
            ExitCode::FAILURE
        }
    }
}

//! Runs the real binary in a folder of its own, and looks at exit code, standard output and
//! standard error.

// Each test file uses its share; where a helper fails, the test shall.
#![allow(dead_code, clippy::unwrap_used, clippy::panic)]

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// Five keys as CSV.
pub const FIVE_KEYS: &str = "apt,2.6\nbash,5.2\ncurl,7.88\ndash,0.5\ngit,2.39\n";

/// A temporary folder in which commands run.
pub struct Sandbox {
    folder: tempfile::TempDir,
}

/// What a command left behind.
#[derive(Debug)]
pub struct Outcome {
    /// The arguments, for messages.
    pub line: String,
    /// The exit code; `None` when a signal ended it.
    pub code: Option<i32>,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl Sandbox {
    /// An empty folder.
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// A folder with a dictionary `d` of five keys at N = 4, version 1, its commitments in
    /// `c.json`.
    pub fn with_five_keys() -> Self {
        let sandbox = Self::new();
        sandbox.ok("init d --vector-size 4");
        sandbox.write("five.csv", FIVE_KEYS);
        sandbox.ok("import d five.csv");
        sandbox.ok("commitments d -o c.json");
        sandbox
    }

    /// A path in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file.
    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> PathBuf {
        std::fs::write(self.path(name), contents).unwrap();
        self.path(name)
    }

    /// Reads a file as text.
    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// Reads a file as JSON.
    pub fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.read(name)).unwrap()
    }

    /// The command with the folder as its working directory.
    pub fn command<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_aardvark"));
        command.args(arguments).current_dir(self.folder.path()).stdin(Stdio::null());
        command
    }

    /// Runs `aardvark` with arguments separated by spaces.
    pub fn run(&self, line: &str) -> Outcome {
        self.run_list(&line.split_whitespace().collect::<Vec<_>>())
    }

    /// Runs `aardvark` with a list of arguments.
    pub fn run_list(&self, arguments: &[&str]) -> Outcome {
        let output = self.command(arguments).output().unwrap();
        outcome(arguments, output)
    }

    /// Runs `aardvark` with standard input.
    pub fn run_with_input(&self, line: &str, input: impl AsRef<[u8]>) -> Outcome {
        let arguments: Vec<_> = line.split_whitespace().collect();
        let mut command = self.command(&arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // The command may end before it has read everything.
        let _ignored = child.stdin.take().unwrap().write_all(input.as_ref());
        outcome(&arguments, child.wait_with_output().unwrap())
    }

    /// Runs `aardvark`, demands exit code 0, and gives standard output.
    pub fn ok(&self, line: &str) -> String {
        let outcome = self.run(line);
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        outcome.out
    }

    /// Runs `aardvark --json`, demands exit code 0, and gives the JSON.
    pub fn ok_json(&self, line: &str) -> Value {
        let outcome = self.run(&format!("--json {line}"));
        assert_eq!(outcome.code, Some(0), "{outcome:?}");
        serde_json::from_str(&outcome.out).unwrap_or_else(|error| panic!("{error}: {outcome:?}"))
    }

    /// Runs `aardvark`, demands the exit code and that standard error says `reason`.
    pub fn refused(&self, line: &str, code: i32, reason: &str) -> Outcome {
        let outcome = self.run(line);
        outcome.demand(code, reason);
        outcome
    }
}

impl Outcome {
    /// Demands an exit code and that standard error says `reason`, without a panic.
    pub fn demand(&self, code: i32, reason: &str) {
        assert_eq!(self.code, Some(code), "{self:?}");
        assert!(self.err.contains(reason), "no {reason:?} in {self:?}");
        assert!(!self.err.contains("panicked"), "{self:?}");
    }
}

fn outcome(arguments: &[&str], output: std::process::Output) -> Outcome {
    Outcome {
        line: arguments.join(" "),
        code: output.status.code(),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// The sample of Debian's package index that ships with the command.
pub fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(name)
}

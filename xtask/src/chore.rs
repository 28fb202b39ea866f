//! Running one step of a chore: say what runs, run it, say how long it took.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use aardvark_translator::TranslationError;

/// What the workspace is built with for its tests besides the default: all sources of tables' rows,
/// and stores on object storage. Every build of the whole workspace has it, or dependencies would
/// be compiled twice.
pub const FEATURES: &str = "--features=aardvark-cli/parquet,aardvark-cli/sql,aardvark-cli/object-storage";

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
    /// A file could not be read or written.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: String,
        /// Why not.
        source: std::io::Error,
    },
    /// The specification does not translate.
    #[error(transparent)]
    Translation(#[from] TranslationError),
    /// proofs/generated is not what spec/ translates to.
    #[error("proofs/generated is stale: run `cargo xtask translate`, then `cargo xtask prove`")]
    Stale,
    /// rustc resolved something in the specification otherwise than the translator.
    #[error("the translator and rustc do not agree:\n{0}")]
    Opinion(String),
    /// Coq is missing and cannot be installed here.
    #[error("Coq is missing: install Debian's packages {0}")]
    NoCoq(String),
    /// npm is missing and cannot be installed here.
    #[error("npm is missing: install Debian's package npm")]
    NoNpm,
    /// Python is missing, or what makes its environments, and cannot be installed here.
    #[error("Python 3.11 with venv is missing: install Debian's packages python3 and python3-venv")]
    NoPython,
    /// Chromium is missing and cannot be installed here.
    #[error("Chromium is missing: install Debian's package chromium")]
    NoChromium,
    /// Debian's tools for packages are missing.
    #[error("dpkg-deb is missing: packages are made on Debian, or with its package dpkg")]
    NoDpkg,
    /// The C compiler for musl is missing and cannot be had here.
    #[error("musl-gcc is missing: install Debian's package musl-tools")]
    NoMusl,
    /// A package that does not have what it has to have.
    #[error("the package: {0}")]
    Package(String),
    /// Prometheus' tool is missing and cannot be had here.
    #[error("promtool is missing: install Debian's package prometheus")]
    NoPromtool,
    /// Go is missing and cannot be installed here.
    #[error("Go is missing: install Debian's package golang-go, or https://go.dev/dl")]
    NoGo,
    /// Files of another language that its own formatter writes otherwise.
    #[error("not formatted: {0}")]
    Unformatted(String),
    /// Files of one crate that import each other.
    #[error("import circles:\n{0}")]
    Circles(String),
    /// Comments that are wider than code may be.
    #[error("comments:\n{0}")]
    Comments(String),
    /// A network of processes that does not come about.
    #[error(transparent)]
    Localnet(#[from] aardvark_localnet::LocalnetError),
    /// A network that does not do what it must.
    #[error("the network: {0}")]
    Smoke(String),
    /// The proofs say less, or rest on more, than the committed list.
    #[error("the proofs are not what proofs/theorems.txt says: {0}")]
    Proofs(String),
    /// The mutation study cannot be run, or found what nothing notices.
    #[error("mutation study: {0}")]
    Mutation(String),
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
    command.args(arguments).envs(environment.iter().copied());
    run(title, command, &format!("cargo {}", arguments.join(" ")))
}

/// Runs a program with these arguments in the workspace's root.
pub fn program(title: &str, name: &str, arguments: &[&str]) -> Result<(), ChoreError> {
    let mut command = Command::new(name);
    command.args(arguments);
    run(title, command, &format!("{name} {}", arguments.join(" ")))
}

/// Runs a program with these arguments and variables in the workspace's root.
pub fn with_environment(
    title: &str,
    name: &str,
    arguments: &[&str],
    environment: &[(&str, &Path)],
) -> Result<(), ChoreError> {
    let mut command = Command::new(name);
    command.args(arguments).envs(environment.iter().copied());
    run(title, command, &format!("{name} {}", arguments.join(" ")))
}

/// What a program prints that runs in the workspace's root; an error where it fails.
pub fn output_of(name: &str, arguments: &[&str]) -> Result<String, ChoreError> {
    output_in(&root(), name, arguments)
}

/// What a program prints that runs in this folder; an error where it fails.
pub fn output_in(folder: &Path, name: &str, arguments: &[&str]) -> Result<String, ChoreError> {
    let shown = format!("{name} {}", arguments.join(" "));
    let output = Command::new(name).args(arguments).current_dir(folder).output();
    let output = output.map_err(|source| ChoreError::Start { command: shown.clone(), source })?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(text);
    }
    eprintln!("{text}{}", String::from_utf8_lossy(&output.stderr));
    Err(ChoreError::Failed { command: shown, status: output.status })
}

/// Whether a program can be started at all.
pub fn exists(name: &str) -> bool {
    exists_with(name, "--version")
}

/// Whether a program can be started with this word.
pub fn exists_with(name: &str, word: &str) -> bool {
    Command::new(name).arg(word).output().is_ok_and(|output| output.status.success())
}

/// Installs Debian's packages where this user may; where not, that is `missing`, which says what to
/// install.
pub fn install_packages(packages: &[&str], missing: ChoreError) -> Result<(), ChoreError> {
    if !output_of("id", &["-u"]).is_ok_and(|id| id.trim() == "0") {
        return Err(missing);
    }
    program("Package lists", "apt-get", &["update", "-qq"])?;
    let options = ["install", "-y", "-qq", "--no-install-recommends"];
    program("Packages", "apt-get", &[&options, packages].concat())
}

/// The Coq files of a folder and of the folders in it, in the order of their paths.
pub fn coq_files(folder: &Path) -> Result<Vec<PathBuf>, ChoreError> {
    files_below(folder, &["v"])
}

/// The files of a folder and of the folders in it whose names have one of these endings, in the
/// order of their paths.
pub fn files_below(folder: &Path, endings: &[&str]) -> Result<Vec<PathBuf>, ChoreError> {
    let entries = std::fs::read_dir(folder).map_err(|source| file_error(folder, source))?;
    let mut files = Vec::new();
    for path in entries.filter_map(|entry| entry.ok().map(|entry| entry.path())) {
        if path.is_dir() {
            files.extend(files_below(&path, endings)?);
        } else if path.extension().is_some_and(|found| endings.iter().any(|ending| found == *ending)) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The path of a file below a folder, without its ending, with slashes: `Base/Bytes`.
pub fn name_below(folder: &Path, file: &Path) -> String {
    let below = file.strip_prefix(folder).unwrap_or(file).with_extension("");
    below.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")
}

/// Writes a file, and makes the folders that it stands in.
pub fn write_below(path: &Path, text: &str) -> Result<(), ChoreError> {
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent).map_err(|source| file_error(parent, source))?;
    }
    std::fs::write(path, text).map_err(|source| file_error(path, source))
}

/// The text of a file.
pub fn read(path: &Path) -> Result<String, ChoreError> {
    std::fs::read_to_string(path).map_err(|source| file_error(path, source))
}

/// The error for a file that could not be read or written.
pub fn file_error(path: &Path, source: std::io::Error) -> ChoreError {
    ChoreError::File { path: path.display().to_string(), source }
}

fn run(title: &str, mut command: Command, shown: &str) -> Result<(), ChoreError> {
    println!("\n== {title}: {shown}");
    let started = Instant::now();
    let status = command.current_dir(root()).status();
    let status = status.map_err(|source| ChoreError::Start { command: shown.to_owned(), source })?;
    if !status.success() {
        return Err(ChoreError::Failed { command: shown.to_owned(), status });
    }
    println!("== {title}: done in {:.0} s", started.elapsed().as_secs_f64());
    Ok(())
}

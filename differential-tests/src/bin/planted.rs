//! Plants the bugs of `planted/` one at a time in a private copy of the tree, and demands that the
//! random histories find each, or the test that its patch names in a line `Test: ..`.
//!
//! ```text
//! cargo run -p differential-tests --bin planted             all of them
//! cargo run -p differential-tests --bin planted -- 04 13    those whose file names begin so
//! ```
//!
//! The copy lies in `target/planted`; the tree itself is not touched. Before the first bug the copy
//! is tested as it is, with few histories, so that what fails later fails for the bug. What is
//! printed for each is a line of the table in `README.md`: the bug, the test that failed, the
//! number of the history (of the campaign, from 0; chunks run in parallel; none where another test
//! is named), and the first line of the message.
#![forbid(unsafe_code)]
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a tool of the tests: whatever goes wrong must stop it"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use aardvark_oracle::Oracle;

/// The test whose histories have to find the bugs that name no other.
const HISTORIES: &str = "-p differential-tests --test histories";
/// Histories in a chunk of a campaign.
const CHUNK: u64 = differential_tests::campaign::CHUNK;

fn main() -> ExitCode {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let copy = Copy::new();
    let patches = patches(&wanted);
    for test in patches.iter().map(|patch| test_of(patch)).collect::<BTreeSet<_>>() {
        let (passed, output) = copy.cargo(&test, &["--quiet"], Some("200"));
        assert!(passed, "the copy fails without any bug:\n{output}");
    }
    let mut missed = 0;
    for patch in patches {
        match copy.hunt(&patch) {
            Some(found) => println!("{found}"),
            None => {
                missed += 1;
                println!("| {} | NOT FOUND |", name(&patch));
            }
        }
    }
    if missed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The patches whose names begin with one of those wanted; all, if none is.
fn patches(wanted: &[String]) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("planted");
    let files = fs::read_dir(folder).expect("the folder of patches").map(|entry| entry.expect("an entry").path());
    let is_wanted = |path: &PathBuf| {
        let chosen = wanted.is_empty() || wanted.iter().any(|start| name(path).starts_with(start));
        chosen && path.extension().is_some_and(|extension| extension == "patch")
    };
    let mut chosen: Vec<_> = files.filter(is_wanted).collect();
    chosen.sort();
    assert!(!chosen.is_empty(), "no bug is called so");
    chosen
}

fn name(patch: &Path) -> String {
    patch.file_stem().expect("a file").to_string_lossy().into_owned()
}

/// The test that has to find a bug, as cargo's arguments.
fn test_of(patch: &Path) -> String {
    let text = fs::read_to_string(patch).expect("the patch");
    text.lines().find_map(|line| line.strip_prefix("Test: ")).unwrap_or(HISTORIES).to_owned()
}

/// A copy of the tree, without what git ignores.
struct Copy {
    root: PathBuf,
    at: PathBuf,
}

impl Copy {
    fn new() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_owned();
        let copy = Self { at: root.join("target/planted/tree"), root };
        copy.restore();
        copy
    }

    /// Makes every file what it is in the tree; those that are so already are left alone, and not
    /// compiled again.
    fn restore(&self) {
        let files = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
        let listed = Command::new("git").args(files).current_dir(&self.root).output().expect("git runs");
        assert!(listed.status.success(), "git lists the tree's files");
        let names = String::from_utf8(listed.stdout).expect("names are text");
        for file in names.split_terminator('\0') {
            let (from, to) = (self.root.join(file), self.at.join(file));
            let Ok(content) = fs::read(from).map(|content| own_version(file, content)) else { continue };
            if fs::read(&to).ok().as_ref() != Some(&content) {
                fs::create_dir_all(to.parent().expect("a folder")).expect("folders can be made");
                fs::write(to, content).expect("files can be written");
            }
        }
    }

    /// Plants a bug, runs its test, and takes it out again; the table's line, if it was found.
    fn hunt(&self, patch: &Path) -> Option<String> {
        let mut git = Command::new("git");
        // Outside of any repository, so that paths are those of the copy.
        git.env("GIT_CEILING_DIRECTORIES", self.at.parent().expect("a folder")).current_dir(&self.at);
        let applied = git.args(["apply", "--verbose"]).arg(patch).output().expect("git runs");
        let said = String::from_utf8_lossy(&applied.stderr).into_owned();
        let changed = applied.status.success() && said.contains("Applied patch");
        assert!(changed, "{} does not apply: {said}", patch.display());
        let test = test_of(patch);
        let (compiled, errors) = self.cargo(&test, &["--no-run"], None);
        assert!(compiled, "{} does not compile:\n{errors}", name(patch));
        let (passed, output) = self.cargo(&test, &["--", "--test-threads=1"], None);
        self.restore();
        let line = if test == HISTORIES { line_of_history } else { line_of_test };
        (!passed).then(|| line(&name(patch), &output))
    }

    /// Runs a test in the copy, with what is compiled already and the tree's oracle; whether it
    /// passed, and what it said.
    fn cargo(&self, test: &str, arguments: &[&str], histories: Option<&str>) -> (bool, String) {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.arg("test").args(test.split(' ')).arg("--offline").args(arguments).current_dir(&self.at);
        cargo.env("CARGO_TARGET_DIR", self.root.join("target")).env("AARDVARK_ORACLE", Oracle::location());
        match histories {
            Some(count) => cargo.env("HISTORIES", count),
            None => cargo.env_remove("HISTORIES"),
        };
        let output = cargo.output().expect("cargo runs");
        let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        (output.status.success(), text)
    }
}

/// The content of a file in the copy. The copy's crates have a version of their own: what is
/// compiled of them lies beside what is compiled of the tree's, in one target folder, and cargo
/// tells them apart by name and version only.
fn own_version(file: &str, content: Vec<u8>) -> Vec<u8> {
    if file != "Cargo.toml" {
        return content;
    }
    let text = String::from_utf8(content).expect("a manifest is text");
    let line = format!("version = \"{}\"", env!("CARGO_PKG_VERSION"));
    assert_eq!(text.lines().filter(|other| **other == line).count(), 1, "the workspace's version stands once");
    text.replace(&format!("\n{line}\n"), "\nversion = \"0.1.0+planted\"\n").into_bytes()
}

/// The table's line of a bug that a test found: the first that failed, and the first line of what
/// it said.
fn line_of_test(name: &str, output: &str) -> String {
    let part = output.split("---- ").nth(1);
    let part = part.unwrap_or_else(|| panic!("{name}: cargo fails, and no test does:\n{output}"));
    let test = part.split_whitespace().next().unwrap_or_default();
    let said = part.lines().skip_while(|line| !line.contains("panicked at ")).nth(1).unwrap_or_default();
    format!("| {name} | `{test}` | | {} |", said.replace('|', "\\|"))
}

/// The table's lines of a bug that histories found: for each test that failed, where, and the first
/// line of what it said.
fn line_of_history(name: &str, output: &str) -> String {
    let mut cells = Vec::new();
    for part in output.split("---- ").skip(1) {
        let test = part.split_whitespace().next().unwrap_or_default();
        let message = part.lines().find_map(|line| Some((line.strip_prefix("history ")?, line)));
        let Some((rest, _)) = message else {
            panic!("{name}: the test fails, and not for a history:\n{part}");
        };
        let numbers: Vec<u64> = rest.split([' ', ':']).filter_map(|word| word.parse().ok()).take(2).collect();
        let [number, chunk] = numbers.as_slice() else { panic!("{name}: no number in `{rest}`") };
        let said = rest.split_once(": ").map_or(rest, |(_, said)| said);
        cells.push(format!("`{test}` | {} | {said}", chunk * CHUNK + number));
    }
    assert!(!cells.is_empty(), "{name}: cargo fails, and no test does:\n{output}");
    cells.iter().map(|cell| format!("| {name} | {cell} |")).collect::<Vec<_>>().join("\n")
}

//! `cargo xtask reproduce`: the paper's tables and figures on this machine.
//!
//! `benches/reproduce/full.txt` has one command of the program `benches` a line, and so does
//! `quick.txt` for a smoke run. Each table is a process of its own, which ends with an error
//! instead of a number where a result is wrong; then so does this. A table's rows go to `TABLE.txt`
//! and `TABLE.jsonl`, its figures beside them, and what was run, where and when to `README.md`,
//! with the targets of all tables.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::chore::{ChoreError, cargo, output_of, root};
use crate::{dist, peers};

/// One command a line, after `cargo run --release -p benches --`.
const FULL: &str = include_str!("../../benches/reproduce/full.txt");
/// The same at tiny sizes.
const QUICK: &str = include_str!("../../benches/reproduce/quick.txt");

/// Runs all tables: into `benches/results`, or, with `quick`, into `target/reproduce-quick`.
pub fn run(quick: bool) -> Result<(), ChoreError> {
    let (commands, directory) = match quick {
        false => (FULL, root().join("benches").join("results")),
        true => (QUICK, root().join("target").join("reproduce-quick")),
    };
    let date = output_of("date", &["-u", "+%F %R UTC"])?;
    let state = state_of_the_tree()?;
    let started = Instant::now();
    cargo("Building", &["build", "--release", "-p", "benches", "-p", "aardvark-cli"], &[])?;
    if !quick {
        // Whose cold proofs `growth` measures.
        dist::program(None)?;
    }
    peers::build()?;
    let mut runs = Vec::new();
    for line in commands.lines() {
        let begun = Instant::now();
        cargo("Measuring", &arguments(line, &directory.to_string_lossy()), &[])?;
        runs.push(Run { command: line, seconds: begun.elapsed().as_secs() });
    }
    let tables: Vec<String> =
        runs.iter().map(|run| read(&directory.join(run.table()).with_extension("txt"))).collect::<Result<_, _>>()?;
    let summary = Summary { date: date.trim(), state: &state, runs: &runs, tables: &tables };
    let path = directory.join("README.md");
    fs::write(&path, summary.text()).map_err(|source| ChoreError::File { path: path.display().to_string(), source })?;
    println!("\nAll tables in {} s: {}", started.elapsed().as_secs(), path.display());
    Ok(())
}

fn arguments<'a>(line: &'a str, directory: &'a str) -> Vec<&'a str> {
    let fixed = ["run", "--release", "--quiet", "-p", "benches", "--"];
    let places = ["--save", directory, "--plot", directory];
    fixed.into_iter().chain(line.split_whitespace()).chain(places).collect()
}

/// The commit, and whether something else than it was measured.
fn state_of_the_tree() -> Result<String, ChoreError> {
    let commit = output_of("git", &["rev-parse", "--short=12", "HEAD"])?;
    let changes = output_of("git", &["status", "--porcelain", "--untracked-files=no", "--", ".", ":!benches/results"])?;
    let changed = if changes.trim().is_empty() { "" } else { ", with uncommitted changes" };
    Ok(format!("{}{changed}", commit.trim()))
}

fn read(path: &PathBuf) -> Result<String, ChoreError> {
    fs::read_to_string(path).map_err(|source| ChoreError::File { path: path.display().to_string(), source })
}

/// One table that was measured.
#[derive(Clone, Copy, Debug)]
struct Run<'a> {
    command: &'a str,
    seconds: u64,
}

impl Run<'_> {
    fn table(&self) -> &Path {
        Path::new(self.command.split_whitespace().next().unwrap_or_default())
    }
}

/// What is said of all runs together.
struct Summary<'a> {
    date: &'a str,
    state: &'a str,
    runs: &'a [Run<'a>],
    /// The tables' texts; the first line of each names the machine.
    tables: &'a [String],
}

impl Summary<'_> {
    fn text(&self) -> String {
        let machine = self.tables.first().and_then(|table| table.lines().next()).unwrap_or_default();
        let seconds: u64 = self.runs.iter().map(|run| run.seconds).sum();
        let run = |run: &Run<'_>| {
            let table = run.table().display();
            let Run { command, seconds } = run;
            format!("| [{table}]({table}.txt) | `cargo run --release -p benches -- {command}` | {seconds} s |\n")
        };
        let runs: String = self.runs.iter().map(run).collect();
        let lines = self.tables.iter().flat_map(|table| table.lines());
        let targets: String =
            lines.filter(|line| line.starts_with("target ")).map(|line| format!("{line}\n")).collect();
        format!(
            "# Results of `cargo xtask reproduce`\n\n{machine}, {}, commit {}; {seconds} s in all. How numbers are taken: [benches](../README.md).\n\n\
             | table | command | time |\n|---|---|---|\n{runs}\nRows as JSON: `TABLE.jsonl`. What the numbers had to reach:\n\n```text\n{targets}```\n",
            self.date, self.state
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_lists_run_every_table_once() {
        for list in [FULL, QUICK] {
            let tables: Vec<&str> = list.lines().filter_map(|line| line.split_whitespace().next()).collect();
            assert_eq!(
                tables,
                [
                    "table1",
                    "validators",
                    "archives",
                    "answers",
                    "sizes",
                    "growth",
                    "peers",
                    "roots",
                    "mixnet",
                    "aggregates"
                ]
            );
        }
    }

    #[test]
    fn the_summary_names_machine_commands_and_targets() {
        let runs = [Run { command: "sizes --keys 5", seconds: 7 }];
        let tables = ["a machine\nsizes kzg claim\ntarget  claim 1 2\nnote: none\n".to_owned()];
        let text = Summary { date: "2026-01-01", state: "abc", runs: &runs, tables: &tables }.text();
        for part in
            ["a machine, 2026-01-01, commit abc; 7 s", "-- sizes --keys 5` | 7 s", "```text\ntarget  claim 1 2\n```"]
        {
            assert!(text.contains(part), "{text}");
        }
    }
}

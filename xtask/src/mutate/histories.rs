//! What the differential tests say of a mutation: the mutated specification beside the unmodified
//! implementation. The proofs' oracle takes no part, since it holds the unmodified specification.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant, SystemTime};

use crate::chore::{ChoreError, file_error, read, write_below};
use crate::mutate::switches::{CHOSEN, REACHED};
use crate::mutate::tree::{Program, Tree};

/// The files of tests that compare specification and implementation on what generators draw. Left
/// out are those on kept vectors, which were written with the specification, and on the oracle.
const PROGRAMS: [&str; 14] = [
    "aggregated",
    "algebra",
    "answers",
    "bytes",
    "cases",
    "certificates",
    "decoders",
    "default_size",
    "histories",
    "kept",
    "mixnet",
    "policies",
    "received",
    "threads",
];
/// The one of them that runs as many histories as it is told.
const COUNTED: &str = "histories";
/// How many histories a mutation goes through.
const HISTORIES: &str = "1000";
/// How many where neither they nor the proofs notice it.
const MORE_HISTORIES: &str = "10000";

/// What the tests say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// This test fails, or does not end.
    Noticed(String),
    /// No test fails.
    Pass,
    /// No test comes past the mutated expression.
    NotReached,
}

/// A test, and what is known of it without mutations.
#[derive(Clone, Debug)]
struct Test {
    program: Program,
    name: String,
    /// The numbers of the mutations that it comes past.
    reached: BTreeSet<usize>,
    took: Duration,
}

/// What a test without mutations came past.
struct Seen {
    /// When the program was made, in nanoseconds.
    made: u128,
    took: Duration,
    reached: BTreeSet<usize>,
}

impl Seen {
    fn text(&self) -> String {
        let numbers = self.reached.iter().map(|number| format!("{number}\n"));
        format!("{}\n{}\n", self.made, self.took.as_millis()) + &numbers.collect::<String>()
    }

    fn read(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        let made = lines.next()?.parse().ok()?;
        let took = Duration::from_millis(lines.next()?.parse().ok()?);
        Some(Self { made, took, reached: lines.map(|line| line.parse().ok()).collect::<Option<_>>()? })
    }
}

/// All tests, the shortest first.
#[derive(Default)]
pub struct Tests {
    folder: PathBuf,
    tests: Vec<Test>,
}

impl Tests {
    /// Builds the tests, and runs each without mutations to see what it comes past; what an earlier
    /// run saw of the same program stands in the folder of notes.
    pub fn build(tree: &Tree, notes: &Path) -> Result<Self, ChoreError> {
        let mut tests = Self { folder: tree.tests(), tests: Vec::new() };
        std::fs::create_dir_all(notes).map_err(|source| file_error(notes, source))?;
        for program in tree.programs(&PROGRAMS)? {
            let made = made_at(&program.path)?;
            for name in tests.names(&program)? {
                let note = notes.join(format!("{}-{name}", program.name).replace(':', "_"));
                let seen = match read(&note).ok().and_then(|text| Seen::read(&text)) {
                    Some(seen) if seen.made == made => seen,
                    _ => {
                        let seen = tests.watch(&program, &name, made, &note)?;
                        write_below(&note, &seen.text())?;
                        seen
                    }
                };
                println!("{} {name}: {} mutants in {:.1} s", program.name, seen.reached.len(), seen.took.as_secs_f64());
                if !seen.reached.is_empty() {
                    tests.tests.push(Test { program: program.clone(), name, reached: seen.reached, took: seen.took });
                }
            }
        }
        tests.tests.sort_by_key(|test| test.took);
        Ok(tests)
    }

    /// Runs a test without mutations.
    fn watch(&self, program: &Program, name: &str, made: u128, note: &Path) -> Result<Seen, ChoreError> {
        let raw = note.with_extension("numbers");
        _ = std::fs::remove_file(&raw);
        let test =
            Test { program: program.clone(), name: name.to_owned(), reached: BTreeSet::new(), took: Duration::ZERO };
        let (begun, passed) = (Instant::now(), self.run(&test, HISTORIES, |run| _ = run.env(REACHED, &raw))?);
        if !passed {
            return Err(ChoreError::Mutation(format!("{} {name} fails without any mutation", program.name)));
        }
        let lines = read(&raw).unwrap_or_default();
        let reached = lines.lines().filter_map(|line| line.parse().ok()).collect();
        Ok(Seen { made, took: begun.elapsed(), reached })
    }

    /// Runs the tests that come past the mutation with this number until one fails, the shortest
    /// first.
    pub fn judge(&self, number: usize) -> Result<Verdict, ChoreError> {
        self.judge_by(self.tests.iter(), number, HISTORIES)
    }

    /// The same with more histories.
    pub fn judge_longer(&self, number: usize) -> Result<Verdict, ChoreError> {
        let counted = self.tests.iter().filter(|test| test.program.name == COUNTED);
        self.judge_by(counted, number, MORE_HISTORIES)
    }

    fn judge_by<'a>(
        &self,
        tests: impl Iterator<Item = &'a Test>,
        number: usize,
        histories: &str,
    ) -> Result<Verdict, ChoreError> {
        let mut reached = false;
        for test in tests.filter(|test| test.reached.contains(&number)) {
            reached = true;
            if !self.run(test, histories, |run| _ = run.env(CHOSEN, number.to_string()))? {
                return Ok(Verdict::Noticed(format!("{} {}", test.program.name, test.name)));
            }
        }
        Ok(if reached { Verdict::Pass } else { Verdict::NotReached })
    }

    /// The tests of a program that are not left out of a normal run.
    fn names(&self, program: &Program) -> Result<Vec<String>, ChoreError> {
        let listed = |more: &[&str]| -> Result<BTreeSet<String>, ChoreError> {
            let mut command = Command::new(&program.path);
            command.args(["--list", "--format", "terse"]).args(more).current_dir(&self.folder);
            let output = command.output().map_err(|source| start_error(program, source))?;
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            Ok(text.lines().filter_map(|line| line.strip_suffix(": test")).map(str::to_owned).collect())
        };
        Ok(listed(&[])?.difference(&listed(&["--ignored"])?).cloned().collect())
    }

    /// Whether a test passes in ten times the time that it took, and a minute.
    fn run(&self, test: &Test, histories: &str, set: impl Fn(&mut Command)) -> Result<bool, ChoreError> {
        let limit = test.took * 10 + Duration::from_secs(if test.took.is_zero() { 1200 } else { 60 });
        let limit = if histories == HISTORIES { limit } else { limit * 10 };
        let mut command = Command::new("timeout");
        command.arg(limit.as_secs().to_string()).arg(&test.program.path);
        command.args(["--exact", &test.name, "--test-threads=1"]).current_dir(&self.folder);
        command
            .env("HISTORIES", histories)
            .env("HISTORIES_SHRINK", "0")
            .env("PROPTEST_MAX_SHRINK_ITERS", "0")
            .env("AARDVARK_ORACLE", "/nonexistent");
        command.env_remove("CI").env_remove(CHOSEN).env_remove(REACHED);
        set(&mut command);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let status: ExitStatus = command.status().map_err(|source| start_error(&test.program, source))?;
        Ok(status.success())
    }
}

/// When a file was written, in nanoseconds.
fn made_at(path: &Path) -> Result<u128, ChoreError> {
    let written =
        std::fs::metadata(path).and_then(|about| about.modified()).map_err(|source| file_error(path, source))?;
    Ok(written.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_nanos()))
}

fn start_error(program: &Program, source: std::io::Error) -> ChoreError {
    ChoreError::Start { command: program.path.display().to_string(), source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_test_came_past_is_read_as_it_was_written() {
        let seen = Seen { made: 7, took: Duration::from_millis(1250), reached: BTreeSet::from([3, 40]) };
        let read = Seen::read(&seen.text()).unwrap();
        assert_eq!((read.made, read.took, read.reached), (seen.made, seen.took, seen.reached));
        assert!(Seen::read("7\n12\n3\nx\n").is_none() && Seen::read("").is_none());
    }
}

//! What the differential tests say of a mutation: the mutated specification beside the unmodified
//! implementation. The proofs' oracle takes no part, since it holds the unmodified specification.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::chore::{ChoreError, file_error, read};
use crate::mutate::switches::{CHOSEN, REACHED};
use crate::mutate::tree::{Program, Tree};

/// The files of tests that compare specification and implementation on what generators draw. Left
/// out are those on kept vectors, which were written with the specification, and on the oracle.
const PROGRAMS: [&str; 11] = [
    "aggregated",
    "algebra",
    "answers",
    "bytes",
    "cases",
    "decoders",
    "default_size",
    "histories",
    "kept",
    "policies",
    "threads",
];
/// How many histories a mutation goes through.
pub const HISTORIES: &str = "1000";
/// How many more of them where nothing has noticed the mutation.
pub const MORE_HISTORIES: &str = "10000";

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

/// All tests, the shortest first.
#[derive(Default)]
pub struct Tests {
    folder: PathBuf,
    tests: Vec<Test>,
}

impl Tests {
    /// Builds the tests, and runs each without mutations to see what it comes past.
    pub fn build(tree: &Tree, notes: &Path) -> Result<Self, ChoreError> {
        let mut tests = Self { folder: tree.tests(), tests: Vec::new() };
        std::fs::create_dir_all(notes).map_err(|source| file_error(notes, source))?;
        for program in tree.programs(&PROGRAMS)? {
            for name in tests.names(&program)? {
                let note = notes.join(format!("{}-{name}", program.name).replace(':', "_"));
                let mut test = Test { program: program.clone(), name, reached: BTreeSet::new(), took: Duration::ZERO };
                let (begun, passed) = (Instant::now(), tests.run(&test, HISTORIES, |run| _ = run.env(REACHED, &note))?);
                if !passed {
                    let name = &test.name;
                    return Err(ChoreError::Mutation(format!("{name} fails without any mutation")));
                }
                let lines = read(&note).unwrap_or_default();
                test.reached = lines.lines().filter_map(|line| line.parse().ok()).collect();
                test.took = begun.elapsed();
                _ = std::fs::remove_file(&note);
                if !test.reached.is_empty() {
                    println!(
                        "{} {}: {} mutants in {:.1} s",
                        program.name,
                        test.name,
                        test.reached.len(),
                        test.took.as_secs_f64()
                    );
                    tests.tests.push(test);
                }
            }
        }
        tests.tests.sort_by_key(|test| test.took);
        Ok(tests)
    }

    /// Runs the tests that come past the mutation with this number until one fails, the shortest
    /// first.
    pub fn judge(&self, number: usize, histories: &str) -> Result<Verdict, ChoreError> {
        let mut reached = false;
        for test in self.tests.iter().filter(|test| test.reached.contains(&number)) {
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

fn start_error(program: &Program, source: std::io::Error) -> ChoreError {
    ChoreError::Start { command: program.path.display().to_string(), source }
}

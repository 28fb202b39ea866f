//! The oracle's process: requests, its questions for hashes, answers.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use aardvark_spec::base::hash::{hash_to_scalar, tagged_hash};
use aardvark_spec::base::scalar::Scalar;
use aardvark_spec::block::aggregated_block::AggregatedBlock;
use aardvark_spec::block::block_data::Block;
use aardvark_spec::block::drawn_block::BlockEncodings;
use aardvark_spec::block::import::ImportBlock;
use aardvark_spec::block::transaction::Transaction;
use aardvark_spec::convert::byte_string;
use aardvark_spec::dictionary::array::Array;
use aardvark_spec::dictionary::changes::ChangeMap;
use aardvark_spec::dictionary::genesis::Genesis;
use aardvark_spec::dictionary::key_map::KeyMap;
use hacspec_lib::Seq;

use crate::tokens::{Line, parse_bytes};

/// What can go wrong between this crate and the oracle.
#[derive(Debug, thiserror::Error)]
pub enum OracleError {
    /// The program is not there.
    #[error("there is no oracle at {}: `make -C proofs oracle` builds it", .0.display())]
    Missing(PathBuf),
    /// The program could not be run, or the pipe to it broke.
    #[error("the oracle does not run: {0}")]
    Pipe(#[from] std::io::Error),
    /// It ended in the middle of an answer.
    #[error("the oracle ended without an answer")]
    Ended,
    /// It did not understand the request.
    #[error("the oracle says: {0}")]
    Refused(String),
    /// Its answer or question makes no sense.
    #[error("the oracle said `{0}`")]
    Strange(String),
}

/// Whether to ask for the condition under which the specification does not panic: computing it
/// takes longer than the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Safety {
    /// Ask.
    Ask,
    /// Do without.
    Skip,
}

/// What the oracle answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Whether the specification does not panic, if that was asked.
    pub safe: Option<bool>,
    /// Whether a block, a transaction or an import was accepted.
    pub accepted: bool,
    /// The rest of the answer, to be compared with what the specification says.
    pub text: String,
}

/// A request that needs neither a state nor hashes, so that others can follow it before it is
/// answered.
#[derive(Clone, Debug)]
pub struct Stateless {
    line: String,
    has_twin: bool,
}

/// How many bytes of requests may be under way: a pipe of Linux holds twice as many, so that
/// sending never waits for an oracle that itself waits for its answers to be read.
const PIPE_TAKES: usize = 32 << 10;

/// A running oracle. It has one state, which a genesis makes and [`Oracle::advance`] moves.
///
/// After an error its answers may be out of step with the requests; start another.
#[derive(Debug)]
pub struct Oracle {
    child: Child,
    requests: BufWriter<ChildStdin>,
    answers: BufReader<ChildStdout>,
    /// Answers to questions for hashes, by question. A hash has one value, so that forgetting is
    /// always right.
    hashes: HashMap<String, String>,
}

/// How many hashes are kept for the next time they are asked for: some ten megabytes.
const HASHES_KEPT: usize = 20_000;

impl Oracle {
    /// Where the program is: where the variable `AARDVARK_ORACLE` says, else where
    /// `make -C proofs oracle` puts it.
    pub fn location() -> PathBuf {
        match std::env::var_os("AARDVARK_ORACLE") {
            Some(path) => PathBuf::from(path),
            None => PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("_build/oracle"),
        }
    }

    /// Starts the program.
    ///
    /// # Errors
    /// [`OracleError::Missing`] where it is not built.
    pub fn start() -> Result<Self, OracleError> {
        Self::start_at(Self::location())
    }

    /// Starts the program that stands there.
    ///
    /// # Errors
    /// [`OracleError::Missing`] where nothing does.
    pub fn start_at(path: PathBuf) -> Result<Self, OracleError> {
        if !path.exists() {
            return Err(OracleError::Missing(path));
        }
        let mut child = Command::new(path).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(OracleError::Ended);
        };
        let (requests, answers) = (BufWriter::new(stdin), BufReader::new(stdout));
        Ok(Self { child, requests, answers, hashes: HashMap::new() })
    }

    /// Makes the state of version 0. `scheme` is the number of the scheme, `trapdoor` that of its
    /// setup.
    ///
    /// # Errors
    /// Where the oracle does not answer.
    pub fn genesis(
        &mut self,
        safety: Safety,
        scheme: u8,
        trapdoor: Scalar,
        genesis: &Genesis,
    ) -> Result<Answer, OracleError> {
        let mut line = request("genesis", safety);
        line.number(scheme);
        line.scalar(trapdoor);
        line.genesis(genesis);
        self.ask(line)
    }

    /// Judges a block; its state is kept aside until [`Oracle::advance`].
    ///
    /// # Errors
    /// Where the oracle does not answer.
    pub fn judge(&mut self, safety: Safety, block: &Block) -> Result<Answer, OracleError> {
        let mut line = request("judge", safety);
        line.block(block);
        self.ask(line)
    }

    /// Judges an aggregated block under the challenges that are drawn for it; its state is kept
    /// aside until [`Oracle::advance`].
    ///
    /// # Errors
    /// Where the oracle does not answer.
    pub fn judge_aggregated(
        &mut self,
        safety: Safety,
        block: &AggregatedBlock,
        encodings: &BlockEncodings,
    ) -> Result<Answer, OracleError> {
        let mut line = request("aggregated", safety);
        line.aggregated_block(block);
        line.block_encodings(encodings);
        self.ask(line)
    }

    /// Judges an aggregated block under given challenges; its state is kept aside until
    /// [`Oracle::advance`].
    ///
    /// # Errors
    /// Where the oracle does not answer.
    pub fn judge_challenged(
        &mut self,
        safety: Safety,
        block: &AggregatedBlock,
        coefficients: &Seq<Scalar>,
        combiners: &Seq<Scalar>,
    ) -> Result<Answer, OracleError> {
        let mut line = request("challenged", safety);
        line.aggregated_block(block);
        line.scalars(coefficients);
        line.scalars(combiners);
        self.ask(line)
    }

    /// Moves on to the state that the last block, which must have been accepted, led to.
    ///
    /// # Errors
    /// Where there is none.
    pub fn advance(&mut self) -> Result<(), OracleError> {
        match self.exchange(&Line::of("advance").text())?.as_str() {
            "moved" => Ok(()),
            other => Err(OracleError::Strange(other.to_owned())),
        }
    }

    /// Checks a transaction as a mempool would.
    ///
    /// # Errors
    /// Where the oracle does not answer.
    pub fn check(&mut self, safety: Safety, tx: &Transaction) -> Result<Answer, OracleError> {
        let mut line = request("check", safety);
        line.transaction(tx);
        self.ask(line)
    }

    /// Imports into a whole array at the current state; the state does not move.
    ///
    /// # Errors
    /// Where the oracle does not answer.
    pub fn import(&mut self, safety: Safety, array: &Array, block: &ImportBlock) -> Result<Answer, OracleError> {
        let mut line = request("import", safety);
        line.array(array);
        line.import_block(block);
        self.ask(line)
    }

    /// Applies net changes to an array: the dictionary alone, without commitments.
    ///
    /// # Errors
    /// Where the oracle does not answer.
    pub fn changes(&mut self, safety: Safety, array: &Array, changes: &ChangeMap) -> Result<Answer, OracleError> {
        let request = Stateless::changes(safety, array, changes);
        request.answer(self.exchange(&request.line)?)
    }

    /// Runs transactions on a map.
    ///
    /// # Errors
    /// Where the oracle does not answer.
    pub fn map(&mut self, entries: &KeyMap, items: &Seq<Transaction>) -> Result<Answer, OracleError> {
        let request = Stateless::map(entries, items);
        request.answer(self.exchange(&request.line)?)
    }

    /// Answers many requests, in order. They are sent ahead of the answers, as far as a pipe surely
    /// takes them.
    ///
    /// # Errors
    /// Where the oracle does not answer one of them.
    pub fn answer_all(&mut self, requests: &[Stateless]) -> Result<Vec<Answer>, OracleError> {
        let mut answers = Vec::with_capacity(requests.len());
        let (mut sent, mut under_way) = (0, 0);
        for request in requests {
            while let Some(next) = requests.get(sent) {
                if under_way > 0 && under_way + next.line.len() > PIPE_TAKES {
                    break;
                }
                writeln!(self.requests, "{}", next.line)?;
                under_way += next.line.len() + 1;
                sent += 1;
            }
            self.requests.flush()?;
            let text = self.read()?;
            under_way -= request.line.len() + 1;
            answers.push(request.answer(text)?);
        }
        Ok(answers)
    }

    /// Asks what has a twin.
    pub(crate) fn ask(&mut self, line: Line) -> Result<Answer, OracleError> {
        let answer = self.exchange(&line.text())?;
        with_twin(answer)
    }

    /// One request and its answer, with the hashes that the oracle asks for in between.
    fn exchange(&mut self, request: &str) -> Result<String, OracleError> {
        self.send(request)?;
        loop {
            let line = self.read()?;
            if !line.starts_with("hash ") && !line.starts_with("scalar ") {
                return Ok(line);
            }
            let value = match self.hashes.get(&line) {
                Some(known) => known.clone(),
                None => {
                    if self.hashes.len() >= HASHES_KEPT {
                        self.hashes.clear();
                    }
                    let value = hash(&line).ok_or_else(|| OracleError::Strange(line.clone()))?;
                    self.hashes.insert(line, value.clone());
                    value
                }
            };
            self.send(&value)?;
        }
    }

    fn read(&mut self) -> Result<String, OracleError> {
        let mut line = String::new();
        if self.answers.read_line(&mut line)? == 0 {
            return Err(OracleError::Ended);
        }
        line.truncate(line.trim_end().len());
        match line.strip_prefix("error ") {
            Some(text) => Err(OracleError::Refused(text.to_owned())),
            None => Ok(line),
        }
    }

    fn send(&mut self, line: &str) -> Result<(), OracleError> {
        writeln!(self.requests, "{line}")?;
        Ok(self.requests.flush()?)
    }
}

impl Drop for Oracle {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Stateless {
    /// Net changes on an array: the dictionary alone, without commitments.
    pub fn changes(safety: Safety, array: &Array, changes: &ChangeMap) -> Self {
        let mut line = request("changes", safety);
        line.array(array);
        line.list(changes, Line::change);
        Self { line: line.text(), has_twin: true }
    }

    /// Transactions on a map.
    pub fn map(entries: &KeyMap, items: &Seq<Transaction>) -> Self {
        let mut line = Line::of("map");
        line.key_map(entries);
        line.list(items, Line::transaction);
        Self { line: line.text(), has_twin: false }
    }

    fn answer(&self, text: String) -> Result<Answer, OracleError> {
        if self.has_twin { with_twin(text) } else { Ok(Answer { safe: None, accepted: is_accepted(&text), text }) }
    }
}

fn is_accepted(text: &str) -> bool {
    text.starts_with("accepted")
}

/// An answer that begins with the twin's.
fn with_twin(answer: String) -> Result<Answer, OracleError> {
    let (safe, text) = match answer.split_once(' ') {
        Some(("1", rest)) => (Some(true), rest),
        Some(("0", rest)) => (Some(false), rest),
        Some(("?", rest)) => (None, rest),
        _ => return Err(OracleError::Strange(answer)),
    };
    Ok(Answer { safe, accepted: is_accepted(text), text: text.to_owned() })
}

/// A request that begins with whether the twin is wanted.
pub(crate) fn request(name: &str, safety: Safety) -> Line {
    let mut line = Line::of(name);
    line.flag(safety == Safety::Ask);
    line
}

/// The value of a hash function of the specification that the oracle asks for.
fn hash(question: &str) -> Option<String> {
    let mut tokens = question.split(' ');
    let (function, first, second) = (tokens.next()?, parse_bytes(tokens.next()?)?, parse_bytes(tokens.next()?)?);
    let (first, second) = (byte_string(&first), byte_string(&second));
    let mut line = Line::default();
    match function {
        "hash" => line.bytes(&tagged_hash(&first, &second)),
        "scalar" => line.scalar(hash_to_scalar(&first, &second)),
        _ => return None,
    }
    Some(line.text())
}

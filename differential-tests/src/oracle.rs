//! The third judge: the proofs' oracle, which runs the Coq definitions that the theorems are about.
//!
//! Whatever the specification is asked about a history, the oracle is asked too, and must say the
//! same, word for word: genesis, judgements of blocks, plain and aggregated, checks of
//! transactions, imports, net changes on whole arrays, transactions on a map, state roots and the
//! paths to them, and answers to readers. For a share of the histories it also computes the twins
//! (`_safe`): that the specification stays away from every panic on what it was given.
//!
//! - **One process a thread**, started when first needed, and used for one history after the other:
//!   a history's genesis resets it. Should two histories take turns on a thread, the process is led
//!   again to where the other one stands.
//! - **Every answer is read to its end before anything is compared**, and a process that gave an
//!   error is thrown away, so that a mismatch, and the histories that a shrinker tries after it,
//!   meet a process in step.
//! - **Where no oracle is built**, which takes Coq, histories go to specification and
//!   implementation alone, and that is said, loudly; where the variable `CI` is set, it is an
//!   error.

pub mod decoders;
pub mod mixnet;
pub mod policies;
mod questions;
pub mod readers;
pub mod tables;
mod tally;

use std::cell::{Cell, RefCell};
use std::io::Write;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use aardvark_oracle::{
    Answer, Oracle, OracleError, Part, ReceivedRequest, Safety, specified_changes, specified_check, specified_genesis,
    specified_import, specified_judgement, specified_map,
};
use aardvark_spec::base::scalar::Scalar;
use aardvark_spec::block::aggregated_block::AggregatedBlock;
use aardvark_spec::block::block_data::Block;
use aardvark_spec::block::drawn_block::BlockEncodings;
use aardvark_spec::block::execution::Contents;
use aardvark_spec::block::import::{ImportBlock, ImportRejection};
use aardvark_spec::block::rejection::Rejection;
use aardvark_spec::block::state::ValidatorState;
use aardvark_spec::block::transaction::Transaction;
use aardvark_spec::block::validator::Effects;
use aardvark_spec::commitment::scheme::Setup;
use aardvark_spec::dictionary::array::Array;
use aardvark_spec::dictionary::changes::ChangeMap;
use aardvark_spec::dictionary::genesis::Genesis;
use aardvark_spec::dictionary::key_map::KeyMap;
use hacspec_lib::Seq;

use crate::compare::Mismatch;
pub use questions::Questions;
pub use tally::Tally;

/// The oracle's side of one history.
#[derive(Debug)]
pub struct ThirdJudge {
    serial: u64,
    trapdoor: Scalar,
    genesis: Genesis,
    /// The blocks that led to the present state.
    accepted: Vec<Block>,
    safety: Safety,
    tally: Cell<Tally>,
}

/// A process, and where it stands: in which history, after how many blocks.
#[derive(Debug)]
struct Process {
    oracle: Oracle,
    place: Option<(u64, usize)>,
}

thread_local! {
    static PROCESS: RefCell<Option<Process>> = const { RefCell::new(None) };
}

/// Whether there is an oracle. Where there is none, says so once.
///
/// # Panics
/// Where there is none and the variable `CI` is set: on CI nothing is skipped.
pub fn is_built() -> bool {
    static BUILT: OnceLock<bool> = OnceLock::new();
    *BUILT.get_or_init(|| {
        let path = Oracle::location();
        if path.exists() {
            return true;
        }
        let missing = OracleError::Missing(path);
        assert!(std::env::var_os("CI").is_none(), "on CI nothing is skipped: {missing}");
        let text = format!(
            "\nSKIPPED: the third judge of the histories: {missing}; specification and implementation only\n\n"
        );
        // Even where the test harness holds output back; and where nobody listens, nobody is told.
        let _ = std::io::stderr().write_all(text.as_bytes());
        false
    })
}

/// Asks the process of this thread, and throws it away where it does not answer.
fn ask<T>(request: impl FnOnce(&mut Process) -> Result<T, OracleError>) -> Result<T, Mismatch> {
    PROCESS.with_borrow_mut(|process| {
        let running = match process.take() {
            Some(running) => Ok(running),
            None => Oracle::start().map(|oracle| Process { oracle, place: None }),
        };
        let outcome = running.and_then(|mut running| request(&mut running).map(|answer| (running, answer)));
        let (running, answer) = outcome.map_err(|error| format!("no answer from the oracle: {error}"))?;
        *process = Some(running);
        Ok(answer)
    })
}

impl ThirdJudge {
    /// The oracle at version 0, which must say of the genesis what the specification says; `None`
    /// where it is not built.
    ///
    /// # Errors
    /// Where it says something else.
    pub fn new(
        trapdoor: Scalar,
        genesis: &Genesis,
        legal: bool,
        state: &ValidatorState,
    ) -> Result<Option<Self>, Mismatch> {
        static SERIAL: AtomicU64 = AtomicU64::new(0);
        if !is_built() {
            return Ok(None);
        }
        let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
        let (genesis, accepted, tally) = (genesis.clone(), Vec::new(), Cell::default());
        let judge = Self { serial, trapdoor, genesis, accepted, safety: Safety::Skip, tally };
        let answer = ask(|process| judge.begin(process))?;
        judge.agree("genesis", &specified_genesis(legal, state), &answer, |tally| &mut tally.genesis)?;
        Ok(Some(judge))
    }

    /// Has the twins computed from now on, or not.
    pub fn compute_twins(&mut self, wanted: bool) {
        self.safety = if wanted { Safety::Ask } else { Safety::Skip };
    }

    /// What was asked so far.
    pub fn tally(&self) -> Tally {
        self.tally.get()
    }

    /// The oracle judges a block as the specification does.
    ///
    /// # Errors
    /// Where it does not.
    pub fn judge(
        &self,
        block: &Block,
        specified: &Result<(ValidatorState, Effects), Rejection>,
    ) -> Result<(), Mismatch> {
        let answer = self.ask_here(|oracle| oracle.judge(self.safety, block))?;
        self.agree("judgement of a block", &specified_judgement(specified), &answer, |tally| &mut tally.judgements)
    }

    /// The oracle judges an aggregated block as the specification does.
    ///
    /// # Errors
    /// Where it does not.
    pub fn judge_aggregated(
        &self,
        block: &AggregatedBlock,
        encodings: &BlockEncodings,
        specified: &Result<(ValidatorState, Effects), Rejection>,
    ) -> Result<(), Mismatch> {
        let answer = self.ask_here(|oracle| oracle.judge_aggregated(self.safety, block, encodings))?;
        let specified = specified_judgement(specified);
        self.agree("judgement of an aggregated block", &specified, &answer, |tally| &mut tally.aggregated)
    }

    /// The oracle says of a state's root, or of a path to it, what the specification says.
    ///
    /// # Errors
    /// Where it does not.
    pub fn root(&self, part: &Part, setup: &Setup, state: &ValidatorState) -> Result<(), Mismatch> {
        let answer = ask(|process| process.oracle.part(self.safety, part))?;
        self.agree(part.name(), &part.specified(setup, state), &answer, |tally| &mut tally.roots)
    }

    /// Moves on after the block that was judged last.
    ///
    /// # Errors
    /// Where the oracle does not answer.
    pub fn advance(&mut self, block: Block) -> Result<(), Mismatch> {
        self.ask_here(Oracle::advance)?;
        self.accepted.push(block);
        let place = Some(self.place());
        ask(|process| {
            process.place = place;
            Ok(())
        })
    }

    /// The oracle tells a mempool what the specification tells it.
    ///
    /// # Errors
    /// Where it does not.
    pub fn check(&self, tx: &Transaction, specified: &Result<Contents, Rejection>) -> Result<(), Mismatch> {
        let answer = self.ask_here(|oracle| oracle.check(self.safety, tx))?;
        self.agree("check of a transaction", &specified_check(specified), &answer, |tally| &mut tally.checks)
    }

    /// The oracle imports what the specification imports.
    ///
    /// # Errors
    /// Where it does not.
    pub fn import(
        &self,
        array: &Array,
        block: &ImportBlock,
        specified: &Result<(ValidatorState, Array), ImportRejection>,
    ) -> Result<(), Mismatch> {
        let answer = self.ask_here(|oracle| oracle.import(self.safety, array, block))?;
        self.agree("import", &specified_import(specified), &answer, |tally| &mut tally.imports)
    }

    /// The oracle makes of received bytes what the specification makes of them; that is given as
    /// the oracle should say it.
    ///
    /// # Errors
    /// Where it does not.
    pub fn received(&self, asked: &ReceivedRequest<'_>, specified: &str) -> Result<(), Mismatch> {
        let answer = self.ask_here(|oracle| oracle.received(self.safety, asked))?;
        self.agree("received bytes", specified, &answer, |tally| &mut tally.received)
    }

    /// The oracle lays net changes over an array as the specification does.
    ///
    /// # Errors
    /// Where it does not.
    pub fn changes(&self, array: &Array, changes: &ChangeMap, specified: Option<&Array>) -> Result<(), Mismatch> {
        let answer = ask(|process| process.oracle.changes(self.safety, array, changes))?;
        self.agree("net changes on an array", &specified_changes(specified), &answer, |tally| &mut tally.changes)
    }

    /// The oracle runs transactions on a map as the specification does.
    ///
    /// # Errors
    /// Where it does not.
    pub fn map(
        &self,
        entries: &KeyMap,
        items: &Seq<Transaction>,
        specified: &Result<KeyMap, Rejection>,
    ) -> Result<(), Mismatch> {
        let answer = ask(|process| process.oracle.map(entries, items))?;
        self.agree("transactions on a map", &specified_map(specified), &answer, |tally| &mut tally.maps)
    }

    fn place(&self) -> (u64, usize) {
        (self.serial, self.accepted.len())
    }

    fn begin(&self, process: &mut Process) -> Result<Answer, OracleError> {
        let scheme = self.genesis.genesis_parameters.scheme;
        let answer = process.oracle.genesis(self.safety, scheme, self.trapdoor, &self.genesis)?;
        process.place = Some((self.serial, 0));
        Ok(answer)
    }

    /// Asks in this history's present state.
    fn ask_here<T>(&self, request: impl FnOnce(&mut Oracle) -> Result<T, OracleError>) -> Result<T, Mismatch> {
        ask(|process| {
            if process.place != Some(self.place()) {
                self.begin(process)?;
                for block in &self.accepted {
                    process.oracle.judge(Safety::Skip, block)?;
                    process.oracle.advance()?;
                }
                process.place = Some(self.place());
            }
            request(&mut process.oracle)
        })
    }

    fn agree(
        &self,
        what: &str,
        specified: &str,
        answer: &Answer,
        count: impl Fn(&mut Tally) -> &mut u64,
    ) -> Result<(), Mismatch> {
        let mut tally = self.tally.get();
        agree(what, specified, answer, &mut tally)?;
        *count(&mut tally) += 1;
        self.tally.set(tally);
        Ok(())
    }
}

fn agree(what: &str, specified: &str, answer: &Answer, tally: &mut Tally) -> Result<(), Mismatch> {
    if answer.text != specified {
        return Err(format!("oracle, {what}: {}", first_difference(specified, &answer.text)));
    }
    if answer.safe == Some(false) {
        return Err(format!("oracle, {what}: the twin says that the specification panics; it answered {specified}"));
    }
    tally.twins += u64::from(answer.safe.is_some());
    Ok(())
}

/// Where two lines of tokens differ first, with what stands around.
pub fn first_difference(specified: &str, answered: &str) -> String {
    const AROUND: usize = 4;
    let [left, right] = [specified, answered].map(|text| text.split(' ').collect::<Vec<_>>());
    let at = left.iter().zip(&right).take_while(|(one, other)| one == other).count();
    let around = |tokens: &[&str]| {
        let end = (at + AROUND).min(tokens.len());
        tokens[at.saturating_sub(AROUND).min(end)..end].join(" ")
    };
    format!(
        "they differ at token {at} (is it built from today's spec? `make -C proofs oracle`)\n  specification  .. {} ..\n  \
         oracle         .. {} ..",
        around(&left),
        around(&right)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_token_that_differs_is_shown_with_its_neighbours() {
        let text = first_difference("a b c d e f g h i j", "a b c d e f X h i j");
        assert!(
            text.contains("token 6")
                && text.contains(".. c d e f g h i j ..")
                && text.contains(".. c d e f X h i j .."),
            "{text}"
        );
        assert!(first_difference("a b", "a b c").contains("token 2"));
    }
}

//! `aardvark apply DIR FILE.jsonl`

use std::path::{Path, PathBuf};

use aardvark_algebra::integers::usize_of_u32;
use aardvark_archive::Archive;
use aardvark_dictionary::{Limits, Proposal, Rejection, Transaction};
use clap::Args;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::hex_text::encode;
use crate::input::Input;
use crate::report::{Report, Rows, Verdict, counted};
use crate::store::{Patience, open};
use crate::transaction_json::{self, LONGEST_TRANSACTION};

/// `aardvark apply`
#[derive(Debug, Args)]
pub struct Apply {
    /// Folder of the dictionary.
    pub dir: PathBuf,
    /// Transactions, one JSON object a line; - is standard input.
    pub file: PathBuf,
    /// How long to wait where it is busy.
    #[command(flatten)]
    pub patience: Patience,
}

/// A transaction and the line it stands on.
struct Numbered {
    line: u64,
    transaction: Transaction,
}

/// A transaction that went into a block.
struct Taken {
    line: u64,
    version: u64,
    id: [u8; 32],
}

/// A transaction that was left out.
struct LeftOut {
    line: u64,
    reason: String,
    message: String,
    key: Option<String>,
}

/// Applies the transactions of a file in its order, block after block.
///
/// # Errors
/// A malformed file, of which nothing is applied then; a store that fails before anything is
/// applied. Transactions that fail are reported with their reason, and so is a store that fails
/// later, with exit code 1.
pub fn run(arguments: &Apply) -> Result<Report, Failure> {
    let mut waiting = read(&arguments.file)?;
    let mut archive = open(&arguments.dir, arguments.patience)?;
    let (mut taken, mut left_out) = (Vec::new(), Vec::new());
    let mut stopped = None;
    while let Some(first) = waiting.first().map(|numbered| numbered.line) {
        match Round::run(&mut archive, waiting) {
            Ok(round) => {
                taken.extend(round.taken);
                left_out.extend(round.left_out);
                waiting = round.waiting;
            }
            Err(failure) if taken.is_empty() && left_out.is_empty() => return Err(failure),
            Err(failure) => {
                stopped = Some(Stopped { line: first, failure });
                break;
            }
        }
    }
    left_out.sort_by_key(|left_out| left_out.line);
    Ok(report(archive.version(), &taken, &left_out, stopped.as_ref()))
}

/// A failure after which no further block was tried.
struct Stopped {
    /// The first line that was not tried, or whose block failed.
    line: u64,
    failure: Failure,
}

/// Reads every transaction of a file.
fn read(path: &Path) -> Result<Vec<Numbered>, Failure> {
    let mut lines = Input::open(path)?.lines(LONGEST_TRANSACTION);
    let mut transactions = Vec::new();
    loop {
        let parsed = match lines.next_line()? {
            None => return Ok(transactions),
            Some(line) if line.iter().all(u8::is_ascii_whitespace) => continue,
            Some(line) => transaction_json::read(line),
        };
        let place = lines.place();
        let transaction = parsed.map_err(|error| Failure::Json(place.to_string(), error))?;
        transactions.push(Numbered { line: place.line, transaction });
    }
}

/// What became of the waiting transactions in one block.
struct Round {
    taken: Vec<Taken>,
    left_out: Vec<LeftOut>,
    waiting: Vec<Numbered>,
}

impl Round {
    /// Proposes one block and applies it, unless it would be empty. Behind the first transaction
    /// for which the block has no room all others wait too: they may rest on what it does.
    fn run(archive: &mut Archive, mut waiting: Vec<Numbered>) -> Result<Self, Failure> {
        let mut later = waiting.split_off(fitting(&waiting, &archive.parameters().limits));
        let mut proposal = propose(archive, &waiting)?;
        let first_postponed = proposal.postponed.first().map(|postponed| postponed.transaction);
        if let Some(first) = first_postponed.filter(|first| *first > 0) {
            later.splice(..0, waiting.split_off(first));
            proposal = propose(archive, &waiting)?;
        } else if first_postponed.is_some() {
            later.splice(..0, waiting.drain(1..));
            let line = waiting.first().map_or(0, |numbered| numbered.line);
            return Ok(Self { taken: Vec::new(), left_out: vec![LeftOut::without_room(line)], waiting: later });
        }

        let line_of = |index: usize| waiting.get(index).map_or(0, |numbered| numbered.line);
        let mut taken = Vec::new();
        if !proposal.included.is_empty() {
            let applied = archive.apply(&proposal.block)?;
            let included = proposal.included.iter().zip(&applied.transactions);
            taken.extend(included.map(|(index, id)| Taken {
                line: line_of(*index),
                version: applied.version,
                id: id.0,
            }));
        }
        let left_out = proposal.dropped.into_iter().map(|rejection| LeftOut {
            line: rejection.transaction.map_or(0, line_of),
            reason: rejection.reason.name().to_owned(),
            key: rejection.key.as_deref().map(encode),
            message: Rejection { transaction: None, ..rejection }.to_string(),
        });
        let left_out = left_out.collect();
        Ok(Self { taken, left_out, waiting: later })
    }
}

fn propose(archive: &mut Archive, waiting: &[Numbered]) -> Result<Proposal, Failure> {
    Ok(archive.propose(waiting.iter().map(|numbered| numbered.transaction.clone()).collect())?)
}

/// How many transactions from the first on keep a block's limits together, tail vectors apart; at
/// least one.
fn fitting(waiting: &[Numbered], limits: &Limits) -> usize {
    let mut left =
        [limits.block_transactions, limits.block_operations, limits.block_claims, limits.block_bytes].map(usize_of_u32);
    let fits = |Numbered { transaction, .. }: &&Numbered| {
        let (operations, claims) = (transaction.operations.len(), transaction.claims.len());
        let needed = [1, operations, claims, 4 + transaction.encoded_length()];
        left.iter_mut().zip(needed).all(|(left, needed)| match left.checked_sub(needed) {
            Some(rest) => {
                *left = rest;
                true
            }
            None => false,
        })
    };
    waiting.iter().take_while(fits).count().max(1)
}

fn report(version: u64, taken: &[Taken], left_out: &[LeftOut], stopped: Option<&Stopped>) -> Report {
    let verdict = match stopped {
        Some(_) => Verdict::Failed,
        None if left_out.is_empty() => Verdict::Holds,
        None => Verdict::False,
    };
    let mut versions: Vec<u64> = taken.iter().map(|taken| taken.version).collect();
    versions.dedup();
    let (blocks, applied) = (versions.len() as u64, taken.len() as u64);
    let rows = Rows::new()
        .row("applied", format!("{} in {}", transactions(applied), counted(blocks, "block", "blocks")))
        .row("left out", transactions(left_out.len() as u64))
        .row("version", version.to_string());
    let failures =
        left_out.iter().map(|failed| format!("! line {}: {}: {}", failed.line, failed.reason, failed.message));
    let end = stopped
        .map(|stopped| format!("! stopped at line {}, what follows was not tried: {}", stopped.line, stopped.failure));
    let json = json!({
        "result": verdict.name(),
        "version": version,
        "blocks": blocks,
        "applied": taken.iter().map(Taken::to_json).collect::<Vec<_>>(),
        "left_out": left_out.iter().map(LeftOut::to_json).collect::<Vec<_>>(),
        "stopped": stopped.map(|stopped| json!({ "line": stopped.line, "error": stopped.failure.to_string() })),
    });
    Report { verdict, ..Report::done(rows.to_text().and_all(failures).and_all(end), json) }
}

fn transactions(number: u64) -> String {
    counted(number, "transaction", "transactions")
}

impl Taken {
    fn to_json(&self) -> Value {
        json!({ "line": self.line, "version": self.version, "id": encode(&self.id) })
    }
}

impl LeftOut {
    fn without_room(line: u64) -> Self {
        let (reason, message) = ("Postponed".to_owned(), "no block has room for it".to_owned());
        Self { line, reason, message, key: None }
    }

    fn to_json(&self) -> Value {
        json!({ "line": self.line, "reason": self.reason, "message": self.message, "key": self.key })
    }
}

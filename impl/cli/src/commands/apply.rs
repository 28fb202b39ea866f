//! `aardvark apply DIR FILE.jsonl`

use std::collections::HashSet;
use std::path::Path;

use aardvark_archive::Archive;
use aardvark_dictionary::{Rejection, Transaction};
use serde_json::{Value, json};

use crate::args::Apply;
use crate::failure::Failure;
use crate::hex_text::encode;
use crate::input::Input;
use crate::report::{Report, Rows, Verdict, counted};
use crate::transaction_json::{self, LONGEST_TRANSACTION};

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

/// Applies the transactions of a file, in as few blocks as they fit in.
///
/// # Errors
/// A malformed file, of which nothing is applied then; a failure of the store. Transactions that fail are reported
/// with their reason, with exit code 1.
pub fn run(arguments: &Apply) -> Result<Report, Failure> {
    let mut waiting = read(&arguments.file)?;
    let mut archive = Archive::open(&arguments.dir)?;
    let (mut taken, mut left_out) = (Vec::new(), Vec::new());
    while !waiting.is_empty() {
        let round = Round::run(&mut archive, waiting)?;
        let stuck = round.taken.is_empty();
        taken.extend(round.taken);
        left_out.extend(round.left_out);
        waiting = round.waiting;
        if stuck {
            left_out.extend(waiting.drain(..).map(|waiting| LeftOut {
                line: waiting.line,
                reason: "Postponed".to_owned(),
                message: "no block has room for it".to_owned(),
                key: None,
            }));
        }
    }
    left_out.sort_by_key(|left_out| left_out.line);
    Ok(report(&archive, &taken, &left_out))
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
    /// Proposes one block and applies it, unless it would be empty.
    fn run(archive: &mut Archive, waiting: Vec<Numbered>) -> Result<Self, Failure> {
        let lines: Vec<u64> = waiting.iter().map(|numbered| numbered.line).collect();
        let line_of = |index: usize| lines.get(index).copied().unwrap_or(0);
        let transactions: Vec<Transaction> = waiting.iter().map(|numbered| numbered.transaction.clone()).collect();
        let proposal = archive.propose(transactions)?;

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
        let left_out = proposal.dropped.into_iter().map(|rejection| {
            let line = rejection.transaction.map_or(0, line_of);
            LeftOut {
                line,
                reason: rejection.reason.name().to_owned(),
                key: rejection.key.as_deref().map(encode),
                message: Rejection { transaction: None, ..rejection }.to_string(),
            }
        });
        let left_out = left_out.collect();
        let postponed: HashSet<u64> =
            proposal.postponed.iter().map(|postponed| line_of(postponed.transaction)).collect();
        let waiting = waiting.into_iter().filter(|numbered| postponed.contains(&numbered.line)).collect();
        Ok(Self { taken, left_out, waiting })
    }
}

fn report(archive: &Archive, taken: &[Taken], left_out: &[LeftOut]) -> Report {
    let verdict = if left_out.is_empty() { Verdict::Holds } else { Verdict::False };
    let mut versions: Vec<u64> = taken.iter().map(|taken| taken.version).collect();
    versions.dedup();
    let (blocks, applied) = (versions.len() as u64, taken.len() as u64);
    let rows = Rows::new()
        .row("applied", format!("{} in {}", transactions(applied), counted(blocks, "block", "blocks")))
        .row("left out", transactions(left_out.len() as u64))
        .row("version", archive.version().to_string());
    let failures =
        left_out.iter().map(|failed| format!("! line {}: {}: {}", failed.line, failed.reason, failed.message));
    let lines = std::iter::once(rows.to_text()).chain(failures);
    let json = json!({
        "result": verdict.name(),
        "version": archive.version(),
        "blocks": blocks,
        "applied": taken.iter().map(Taken::to_json).collect::<Vec<_>>(),
        "left_out": left_out.iter().map(LeftOut::to_json).collect::<Vec<_>>(),
    });
    Report { verdict, text: lines.collect::<Vec<_>>().join("\n"), json: Some(json) }
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
    fn to_json(&self) -> Value {
        json!({ "line": self.line, "reason": self.reason, "message": self.message, "key": self.key })
    }
}

//! Proposals: what the implementation proposes both sides accept, and what it drops the
//! specification refuses for the reason that is reported.

use aardvark_dictionary::{Block, PostponedCause, Proposal, Rejection, TailVector, Transaction};
use aardvark_spec::block::validator::apply_block;

use crate::compare::{Mismatch, same};
use crate::convert::{Refusal, block_to_spec};
use crate::expected::LIMITS;
use crate::pair::{Pair, Verdict, on_threads};

/// Proposes transactions and compares what became of each.
///
/// # Errors
/// Where the proposal is not what it should be.
pub fn compare(pair: &Pair, transactions: &[Transaction]) -> Result<(), Mismatch> {
    let version = pair.archive.version();
    let tail_vectors = tail_vectors_at_hand(pair, version);
    let limit = if version.is_multiple_of(2) { usize::MAX } else { 400 };
    let validator = &pair.validator;
    let propose = || validator.propose(transactions.to_vec(), &tail_vectors, limit);
    let proposal = on_threads(propose)?;
    every_transaction_once(&proposal, transactions)?;
    same(
        "the proposal keeps its byte limit",
        true,
        limit == 400 && proposal.block.transactions.is_empty() || proposal.block.encoded_length() <= limit,
    )?;
    if let Verdict::Refused(refusal) = pair.judge(&proposal.block)? {
        return Err(format!("a proposed block is refused: {refusal}"));
    }
    for rejection in &proposal.dropped {
        compare_dropped(pair, &proposal, rejection, transactions)?;
    }
    for postponed in &proposal.postponed {
        let (_, refusal) = with_prefix(pair, &proposal, postponed.transaction, transactions);
        let expected = match (&refusal, postponed.cause) {
            (None, PostponedCause::BlockFull) => limit != usize::MAX,
            (None, PostponedCause::TailNeeded) => false,
            (Some(refusal), PostponedCause::BlockFull) => {
                limit != usize::MAX || LIMITS.contains(&refusal.reason.as_str()) || refusal.reason == "TailMissing"
            }
            (Some(refusal), PostponedCause::TailNeeded) => {
                refusal.reason == "TailMissing" || LIMITS.contains(&refusal.reason.as_str())
            }
        };
        same("a postponed transaction has to wait", (postponed, &refusal, true), (postponed, &refusal, expected))?;
    }
    Ok(())
}

/// All honest tail vectors, none, or all with a false one: by turns.
fn tail_vectors_at_hand(pair: &Pair, version: u64) -> Vec<TailVector> {
    let mut all = pair.archive.tail_vectors(version, pair.validator.tail().start());
    match version % 3 {
        0 => {}
        1 => all.clear(),
        _ => all.iter_mut().skip(1).for_each(|vector| vector.reverse()),
    }
    all
}

fn every_transaction_once(proposal: &Proposal, transactions: &[Transaction]) -> Result<(), Mismatch> {
    let dropped = proposal.dropped.iter().filter_map(|rejection| rejection.transaction);
    let postponed = proposal.postponed.iter().map(|postponed| postponed.transaction);
    let mut all: Vec<usize> = proposal.included.iter().copied().chain(dropped).chain(postponed).collect();
    all.sort_unstable();
    same("every transaction is accounted for once", (0..transactions.len()).collect::<Vec<_>>(), all)?;
    let included: Vec<_> = proposal.included.iter().map(|index| transactions[*index].clone()).collect();
    same("the block holds the included transactions", included, proposal.block.transactions.clone())
}

/// The specification's refusal of the block so far with one more transaction at its end.
fn with_prefix(
    pair: &Pair,
    proposal: &Proposal,
    number: usize,
    transactions: &[Transaction],
) -> (usize, Option<Refusal>) {
    let before: Vec<_> = proposal.included.iter().take_while(|index| **index < number).collect();
    let mut together: Vec<_> = before.iter().map(|index| transactions[**index].clone()).collect();
    together.push(transactions[number].clone());
    let block = Block { version: pair.archive.version() + 1, transactions: together, tail_vectors: Vec::new() };
    let spec_block = block_to_spec(&block, &pair.archive.points);
    let refusal = apply_block(&pair.archive.setting().setup, &pair.state, &spec_block).err().map(Refusal::from);
    (before.len(), refusal)
}

fn compare_dropped(
    pair: &Pair,
    proposal: &Proposal,
    rejection: &Rejection,
    transactions: &[Transaction],
) -> Result<(), Mismatch> {
    let number = rejection.transaction.unwrap_or_default();
    let (place, refusal) = with_prefix(pair, proposal, number, transactions);
    let reported = Refusal { transaction: Some(place), ..Refusal::from(rejection) };
    // A block that is full is refused as such before anything else is looked at; and a proposer,
    // who meets a repetition only when it lays the block together, may have found another fault of
    // it before.
    let earlier =
        refusal.as_ref().is_some_and(|refusal| refusal.transaction.is_none() || refusal.reason == "RepeatedInBlock");
    if earlier
        && refusal
            .as_ref()
            .is_some_and(|refusal| LIMITS.contains(&refusal.reason.as_str()) || refusal.reason == "RepeatedInBlock")
    {
        return Ok(());
    }
    same("reason of a dropped transaction", refusal, Some(reported))
}

//! Runs a plan on all sides.

use aardvark_dictionary::{Block, Item, Rejection, Validator};

use crate::compare::{Mismatch, same};
use crate::coverage::{Case, Coverage};
use crate::pair::{Pair, Verdict};
use crate::plan::{BlockPlan, HistoryPlan};
use crate::setting::Setting;
use crate::{aggregated, expected, honesty, imports, observe, proposals};

/// Runs a history, block by block; counts what it meets.
///
/// # Errors
/// The first thing that the two sides do not agree on, or that neither should have said.
pub fn run(plan: &HistoryPlan, coverage: &mut Coverage) -> Result<(), Mismatch> {
    let setting = Setting::of_plan(plan);
    let genesis = setting.genesis(&plan.genesis);
    let mut pair = Pair::new(setting, &genesis)?;
    pair.threads = plan.threads;
    if let Some(third) = &mut pair.third {
        third.compute_twins(plan.threads);
    }
    coverage.totals[0] += 1;
    for (number, block) in plan.blocks.iter().enumerate() {
        run_block(&mut pair, block, coverage).map_err(|mismatch| format!("block {number} of the plan: {mismatch}"))?;
    }
    if let Some(third) = &pair.third {
        coverage.oracle = coverage.oracle.plus(third.tally());
    }
    Ok(())
}

fn run_block(pair: &mut Pair, plan: &BlockPlan, coverage: &mut Coverage) -> Result<(), Mismatch> {
    imports::compare(pair, plan)?;
    let honest = pair.builder().block(plan);
    let mut faulty = honest.clone();
    crate::faults::commit_all(&mut faulty, &plan.faults, &pair.surroundings());
    if plan.mempool {
        honesty::compare(pair, plan, &honest)?;
        mempool(pair, &honest)?;
        if faulty != honest {
            mempool(pair, &faulty)?;
        }
    }
    if faulty != honest {
        let verdict = step(pair, &faulty, coverage)?;
        if verdict == "PositionOutOfRange" {
            out_of_range(pair, &faulty).into_iter().for_each(|case| coverage.note(case));
        }
        if let ([fault], true) = (plan.faults.as_slice(), plan.careful) {
            *coverage.faults.entry((fault.kind, verdict.clone())).or_default() += 1;
            expected::note(fault, &verdict, coverage);
            let allowed = expected::allows(fault.kind, &verdict);
            same("the design allows this verdict", (fault, &verdict, allowed), (fault, &verdict, true))?;
        }
        if verdict == "accepted" {
            return Ok(());
        }
    }
    let verdict = step(pair, &honest, coverage)?;
    let complete = !plan.careful || verdict == "accepted";
    same("an honest block is accepted", (&verdict, complete), (&verdict, true))
}

/// Gives a block to both sides; the verdict as a word.
fn step(pair: &mut Pair, block: &Block, coverage: &mut Coverage) -> Result<String, Mismatch> {
    // Neither form of the block is what moves the pair; a share of the histories is enough, as for
    // threads.
    let forms = if pair.threads { Some(aggregated::judge_honest_and_forged(pair, block)?) } else { None };
    let verdict = pair.step(block)?;
    if let Some([honest, forged]) = &forms {
        aggregated::same_as_plain(pair, honest, &verdict)?;
        [honest, forged].into_iter().for_each(|form| coverage.aggregated[usize::from(form.is_err())] += 1);
    }
    match &verdict {
        Verdict::Accepted(_) => {
            coverage.totals[1] += 1;
            observe::accepted(&pair.archive, block, coverage);
            Ok("accepted".to_owned())
        }
        Verdict::Refused(refusal) => {
            coverage.totals[2] += 1;
            *coverage.reasons.entry(refusal.reason.clone()).or_default() += 1;
            Ok(refusal.reason.clone())
        }
    }
}

fn mempool(pair: &Pair, block: &Block) -> Result<(), Mismatch> {
    for transaction in &block.transactions {
        pair.check(transaction)?;
    }
    proposals::compare(pair, &block.transactions)
}

/// Which cases of docs/design.md, section 7, a block is one of that was refused for a position out
/// of range: the implementation names the position.
fn out_of_range(pair: &Pair, block: &Block) -> Vec<Case> {
    let mut validator: Validator = pair.validator.clone();
    let Err(Rejection { transaction: Some(number), item: Item::Claim(_), position: Some(position), .. }) =
        validator.apply(block)
    else {
        return Vec::new();
    };
    let Some(version) = block.transactions.get(number).and_then(|transaction| transaction.first_valid.checked_sub(1))
    else {
        return Vec::new();
    };
    let (n, now) = (pair.archive.vector_size(), pair.archive.now().len() as u64);
    let then = pair.archive.array(version.min(pair.archive.version())).len() as u64;
    let mut cases = Vec::new();
    if (then..now).contains(&position) {
        cases.push(Case::BeyondSizeThen);
        cases.extend((position / n >= then.div_ceil(n)).then_some(Case::VectorNowNotThen));
    }
    cases
}

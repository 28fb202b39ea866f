//! Tables: what they take, and how smaller and larger ones compare with the usual ones.

use std::time::Instant;

use aardvark_algebra::Scalar;
use aardvark_commitment::kzg::DEFAULT_TABLE_BYTES;
use aardvark_commitment::{Ceremony, Commitment, CommitmentUpdate, Kzg, Opening, VectorCommitment};

use crate::error::{BenchError, require};
use crate::measure::contest::{Contender, Effort, hold};
use crate::measure::row::Row;
use crate::table1::fixture::{FULL_TABLE_BYTES, Fixture, SMALL_TABLE_BYTES};
use crate::table1::options::TABLE;
use crate::workload::random::scalar;

/// Updates of commitments by the usual tables, by small ones and by full ones.
const COMMITMENT_UPDATES: [&str; 3] = ["update_commitment", "update_commitment_64mb", "update_commitment_300mb"];
/// The same for one delta to each of many vectors.
const APART: [&str; 3] = ["update_apart", "update_apart_64mb", "update_apart_300mb"];
/// Updates of openings by these tables.
const OPENING_UPDATES: [&str; 3] = ["update_opening", "update_opening_64mb", "update_opening_300mb"];
/// Vectors that are updated in one call.
const VECTORS: usize = 1000;
/// Deltas of each in a block of 10,000 operations.
const DELTAS_OF_A_BLOCK: usize = 10;

/// Bytes of all budgets, the time to build them and to load them from a file, in `tables`,
/// `tables_build` and `tables_load`, whose size is the budget in MB; and the operations that tables
/// serve.
pub fn tables(fixture: &Fixture, effort: &Effort) -> Result<Vec<Row>, BenchError> {
    let mut rows = Vec::new();
    let budgets = [DEFAULT_TABLE_BYTES, SMALL_TABLE_BYTES, FULL_TABLE_BYTES];
    for (kzg, budget) in [&fixture.kzg, &fixture.kzg_small, &fixture.kzg_full].into_iter().zip(budgets) {
        rows.extend(built(fixture, kzg, budget)?);
    }
    rows.extend(commits(fixture, effort)?);
    rows.extend(updates(fixture, effort)?);
    rows.extend(blocks(fixture, effort)?);
    Ok(rows)
}

fn built(fixture: &Fixture, kzg: &Kzg, budget: usize) -> Result<[Row; 3], BenchError> {
    let tables = kzg.tables().ok_or_else(|| BenchError::Wrong("no tables".to_owned()))?;
    require(tables.bytes() <= budget, || format!("tables of {} bytes in {budget}", tables.bytes()))?;
    let megabytes = (budget / 1_000_000) as u64;
    let row = |operation, unit, value| Row::counted(TABLE, "kzg", operation, unit, value).size(megabytes);
    // They were built before the table's pool of one thread.
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let time = row("tables_build", "s", tables.build_time().as_secs_f64()).threads(threads);
    let load = row("tables_load", "s", loaded(fixture, kzg, budget)?);
    Ok([row("tables", "bytes", tables.bytes() as f64), time, load])
}

/// Seconds to load these tables from a file just written, on one thread; what is loaded commits as
/// it should.
fn loaded(fixture: &Fixture, kzg: &Kzg, budget: usize) -> Result<f64, BenchError> {
    let directory = tempfile::tempdir().map_err(|source| BenchError::io("a temporary directory", source))?;
    let path = directory.path().join("tables");
    kzg.save_tables(&path)?;
    let mut fresh = Kzg::new(Ceremony::ethereum()?, fixture.size)?;
    let started = Instant::now();
    fresh.load_tables(budget, &path)?;
    let seconds = started.elapsed().as_secs_f64();
    require(fresh.commit(&fixture.vector)? == fixture.commitments.kzg, || "loaded tables commit otherwise".to_owned())?;
    Ok(seconds)
}

fn commits(fixture: &Fixture, effort: &Effort) -> Result<Vec<Row>, BenchError> {
    let truth = &fixture.commitments.kzg;
    let contenders = all(fixture, ["commit", "commit_64mb", "commit_300mb"]).map(|(operation, kzg)| {
        let call = move |_| Ok(kzg.commit(&fixture.vector)?);
        Contender::new(("kzg", operation), fixture.size as u64, call, |_, commitment| commitment == truth)
    });
    hold_small(contenders.into(), "commit", effort)
}

/// Deltas to as many scalars as there are, up to 1,000, in one call.
fn updates(fixture: &Fixture, effort: &Effort) -> Result<Vec<Row>, BenchError> {
    let length = fixture.size.min(1000);
    let deltas: Vec<(usize, Scalar)> = (0..length).map(|index| (index, scalar(index as u64))).collect();
    let (from, index) = (fixture.commitments.kzg, fixture.turn(0).1);
    let opening = fixture.openings.kzg.first().copied().unwrap_or_else(Opening::identity);
    // The truth: from the whole changed vector.
    let grown = fixture.vector.iter().enumerate();
    let changed: Vec<Scalar> =
        grown.map(|(place, old)| deltas.get(place).map_or(*old, |(_, delta)| old + delta)).collect();
    let (commitment, opened) = (fixture.kzg.commit(&changed)?, fixture.kzg.open(&changed, index)?);
    let (from, opening, deltas) = (&from, &opening, &deltas);
    let commitments = all(fixture, COMMITMENT_UPDATES).map(|(operation, kzg)| {
        let call = move |_| Ok(kzg.update_commitment_many(from, deltas)?);
        Contender::new(("kzg", operation), length as u64, call, |_, c| *c == commitment).per_call(length)
    });
    let openings = all(fixture, OPENING_UPDATES).map(|(operation, kzg)| {
        let call = move |_| Ok(kzg.update_opening_many(opening, index, deltas)?);
        Contender::new(("kzg", operation), length as u64, call, |_, o| *o == opened).per_call(length)
    });
    let mut rows = hold_small(commitments.into(), "update_commitment", effort)?;
    rows.extend(hold_small(openings.into(), "update_opening", effort)?);
    Ok(rows)
}

/// What a block writes, 1,000 vectors in one call, ten deltas each, and what a single operation
/// does to each of 1,000: the fewer terms a sum has, the more its doublings weigh.
fn blocks(fixture: &Fixture, effort: &Effort) -> Result<Vec<Row>, BenchError> {
    let from = fixture.commitments.kzg;
    let mut rows = Vec::new();
    for (each, operations) in [(DELTAS_OF_A_BLOCK.min(fixture.size), COMMITMENT_UPDATES), (1, APART)] {
        let deltas: Vec<(usize, Scalar)> =
            (0..VECTORS * each).map(|call| (call * 7 % fixture.size, scalar(call as u64))).collect();
        let updates: Vec<CommitmentUpdate<'_>> = deltas.chunks(each).map(|deltas| (from, deltas)).collect();
        let expected: Vec<Commitment> = updates
            .iter()
            .map(|(from, deltas)| fixture.kzg.update_commitment_many(from, deltas))
            .collect::<Result<_, _>>()?;
        let (updates, expected) = (&updates, &expected);
        let size = VECTORS * each;
        let contenders = all(fixture, operations).map(|(operation, kzg)| {
            let call = move |_| Ok(kzg.update_commitments_many(updates)?);
            let judge = move |_, updated: &Vec<Commitment>| updated == expected;
            Contender::new(("kzg", operation), size as u64, call, judge).per_call(size)
        });
        let [usual, ..] = operations;
        let held = hold(TABLE, contenders.into(), Some(("kzg", usual)), effort)?;
        // The usual tables' rows for a block stand in `updates.rs` already.
        rows.extend(held.into_iter().filter(|row| row.operation != COMMITMENT_UPDATES[0]));
    }
    Ok(rows)
}

/// The scheme with the usual tables, with small ones and with full ones.
fn all<'a>(fixture: &'a Fixture, operations: [&'static str; 3]) -> [(&'static str, &'a Kzg); 3] {
    let [usual, small, full] = operations;
    [(usual, &fixture.kzg), (small, &fixture.kzg_small), (full, &fixture.kzg_full)]
}

/// The other tables' rows, compared with the usual ones'; those stand in other parts already.
fn hold_small(contenders: Vec<Contender<'_>>, usual: &'static str, effort: &Effort) -> Result<Vec<Row>, BenchError> {
    let rows = hold(TABLE, contenders, Some(("kzg", usual)), effort)?;
    Ok(rows.into_iter().filter(|row| row.operation != usual).collect())
}

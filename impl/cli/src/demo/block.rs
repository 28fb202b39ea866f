//! A block of transactions: a validator with nothing but its own state, and the archive, arrive at
//! the same commitments.
//!
//! Each transaction notes that a machine runs exactly one version of a package: `require PACKAGE =
//! …`, `put installed/PACKAGE`. All notes go into one gap between two packages, so all prove the
//! same covering slot, of version 1.

use std::time::Instant;

use aardvark_archive::Archive;
use aardvark_dictionary::{Claim, Key, Operation, Transaction};
use serde_json::json;

use super::Narrator;
use super::archive::per_second;
use super::data::{Data, key};
use crate::failure::Failure;
use crate::progress::Bar;
use crate::report::{bytes, count, duration};

/// Transactions in the block.
const TRANSACTIONS: usize = 300;
/// Openings computed between two steps of the bar.
const STEP: usize = 32;

/// Makes a block of transactions, and has it applied on both sides.
pub fn scene(archive: &mut Archive, data: &Data, tell: &mut Narrator) -> Result<(), Failure> {
    tell.section("A block of transactions, with proofs of version 1")?;
    let start = Instant::now();
    let transactions = transactions(archive, data)?;
    let (number, claims) = (transactions.len(), transactions.iter().map(|t| t.claims.len()).sum::<usize>());
    let made = start.elapsed();
    let text = format!("{} with {} proofs, made in {}", count(number as u64), count(claims as u64), duration(made));
    tell.line("transactions", &text)?;

    let mut validator = archive.validator()?;
    let start = Instant::now();
    let proposal = validator.propose(transactions, &[], usize::MAX);
    if let Some(rejection) = proposal.dropped.first() {
        return Err(Failure::broken(format!("an honest transaction was refused: {rejection}")));
    }
    let size = proposal.block.encoded_length() as u64;
    tell.line("the block", &format!("{}, proposed in {}", bytes(size), duration(start.elapsed())))?;

    let start = Instant::now();
    validator
        .apply(&proposal.block)
        .map_err(|rejection| Failure::broken(format!("the block was refused: {rejection}")))?;
    let by_validator = start.elapsed();
    let rate = count(per_second(number, by_validator));
    tell.line("applied by the validator", &format!("{}, {rate} transactions a second", duration(by_validator)))?;
    let start = Instant::now();
    archive.apply(&proposal.block)?;
    let by_archive = start.elapsed();
    tell.line("applied by the archive", &duration(by_archive))?;

    if validator.commitments() != archive.commitments(archive.version())? {
        return Err(Failure::broken("validator and archive disagree on the commitments"));
    }
    let text = format!("validator and archive agree on {} commitments", count(validator.commitments().len() as u64));
    tell.line(&format!("version {}", archive.version()), &text)?;
    tell.fact(
        "block",
        json!({
            "transactions": number, "claims": claims, "bytes": size, "version": archive.version(),
            "seconds_to_make": made.as_secs_f64(), "seconds_to_apply": by_validator.as_secs_f64(),
            "seconds_in_archive": by_archive.as_secs_f64(),
        }),
    );
    Ok(())
}

/// Transactions on packages that are evenly spread, with claims of version 1.
fn transactions(archive: &Archive, data: &Data) -> Result<Vec<Transaction>, Failure> {
    let in_both = |name: &&str| data.first().contains_key(*name);
    let names: Vec<&str> = data.spread(TRANSACTIONS).into_iter().filter(in_both).collect();
    let packages: Vec<Key> = names.iter().map(|name| key(name)).collect();
    let notes: Vec<Key> = names.iter().map(|name| key(&format!("installed/{name}"))).collect();
    let bar = Bar::new("proving");
    let mut about_packages: Vec<Claim> = Vec::with_capacity(packages.len());
    for part in packages.chunks(STEP) {
        about_packages.extend(archive.prove_many(part, 1)?);
        bar.count(about_packages.len() as u64, packages.len() as u64);
    }
    let about_notes = archive.prove_many(&notes, 1)?;
    let parts = names.iter().zip(packages).zip(notes).zip(about_packages.into_iter().zip(about_notes));
    let made = parts.zip(0u128..).map(|((((name, package), note), (about_package, about_note)), number)| {
        let value = Data::value(data.latest(), name).unwrap_or_default();
        let mut claims = vec![about_package];
        claims.extend((claims.iter().all(|claim| claim.position != about_note.position)).then_some(about_note));
        Transaction {
            first_valid: 2,
            last_valid: 2 + u64::from(archive.parameters().window),
            nonce: number.to_be_bytes(),
            operations: vec![Operation::Require(package, Some(value)), Operation::Put(note, "yes".into())],
            claims,
        }
    });
    Ok(made.collect())
}

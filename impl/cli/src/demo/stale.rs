//! Stale proofs: made at the first state, used at the latest, and still both safe and good.
//!
//! A validator drops the claim of a slot that was written since, and reads the slot's new content
//! from its window. So an old proof never brings back an old value, and nobody has to refresh it.

use aardvark_archive::Archive;
use aardvark_dictionary::{Operation, Reason, Transaction, Validator, Value};
use serde_json::json;

use super::Narrator;
use super::data::{Data, key};
use super::proofs::short;
use crate::failure::Failure;
use crate::report::counted;

/// Longest name that fits a line's label.
const MOST_SHOWN: usize = 18;

/// Uses proofs of version 1 at the newest version.
pub fn scene(archive: &Archive, data: &Data, tell: &mut Narrator) -> Result<(), Failure> {
    let now = archive.version();
    if now == 1 {
        return Ok(());
    }
    let validator = archive.validator()?;
    let changes: usize = data.changes.iter().skip(1).map(Vec::len).sum();
    let changes = counted(changes as u64, "change", "changes");
    let title = format!("Stale proofs: made at version 1, used at version {now}, {changes} later");
    tell.section(&title)?;

    let same = |name: &&str| Data::value(data.first(), name) == Data::value(data.latest(), name);
    let known = data.known().into_iter().chain(data.spread(500)).filter(|name| data.first().contains_key(*name));
    let (untouched, updated): (Vec<&str>, Vec<&str>) = known.filter(|name| name.len() <= MOST_SHOWN).partition(same);
    if let Some((name, value)) = untouched.first().and_then(|name| Some((name, Data::value(data.latest(), name)?))) {
        accepted(&validator, archive, name, &value)?;
        tell.line(&format!("{name}, not updated since"), &format!("require {}: accepted", short(&value)))?;
    }
    if let Some(name) = updated.first() {
        let [old, new] = [data.first(), data.latest()].map(|state| Data::value(state, name).unwrap_or_default());
        accepted(&validator, archive, name, &new)?;
        tell.line(&format!("{name}, updated since"), &format!("require {}: accepted", short(&new)))?;
        let reason = refused(&validator, archive, name, &old)?;
        tell.line("", &format!("require {}: refused: {}", short(&old), reason.name()))?;
        tell.fact("stale", json!({ "package": name, "old_value": reason.name(), "new_value": "accepted" }));
    }
    Ok(())
}

/// A transaction that requires a value, with a claim of version 1.
fn requiring(archive: &Archive, name: &str, value: &Value) -> Result<Transaction, Failure> {
    Ok(Transaction {
        first_valid: 2,
        last_valid: 2 + u64::from(archive.parameters().window),
        nonce: [0; 16],
        operations: vec![Operation::Require(key(name), Some(value.clone()))],
        claims: vec![archive.prove(&key(name), 1)?],
    })
}

fn accepted(validator: &Validator, archive: &Archive, name: &str, value: &Value) -> Result<(), Failure> {
    let proposal = validator.propose(vec![requiring(archive, name, value)?], &[], usize::MAX);
    match proposal.dropped.first() {
        None if proposal.included == [0] => Ok(()),
        Some(rejection) => Err(Failure::broken(format!("a stale proof was refused: {rejection}"))),
        None => Err(Failure::broken("a stale proof was left for a later block")),
    }
}

fn refused(validator: &Validator, archive: &Archive, name: &str, value: &Value) -> Result<Reason, Failure> {
    let proposal = validator.propose(vec![requiring(archive, name, value)?], &[], usize::MAX);
    match proposal.dropped.first() {
        Some(rejection) if rejection.reason == Reason::RequireFailed => Ok(rejection.reason),
        Some(rejection) => Err(Failure::broken(format!("an old value was refused for another reason: {rejection}"))),
        None => Err(Failure::broken("a stale proof brought back an old value")),
    }
}

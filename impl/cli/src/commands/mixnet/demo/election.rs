//! Voting, a ballot that was copied, and the mix, in which a server is killed.

use std::collections::BTreeMap;
use std::time::Instant;

use aardvark_mixnet::chunks::{numbers, points};
use aardvark_mixnet::input::encrypt;
use aardvark_mixnet::{FaultKind, Identity, KeyRow, Kind, View};
use serde_json::json;

use super::hall::Hall;
use crate::commands::mixnet::failure::MixnetFailure;
use crate::demo::Narrator;
use crate::failure::Failure;
use crate::report::duration;

/// The body of an input of somebody who votes.
fn ballot(view: &View, row: &KeyRow, identity: &Identity, value: &[u8]) -> Result<Vec<u8>, Failure> {
    let keys = view.keys.as_ref().ok_or_else(|| Failure::broken("no keys were dealt"))?;
    let sender = view.ceremony.sender(&identity.author()).ok_or_else(|| Failure::broken("an unknown voter"))?;
    let numbers = numbers(value, view.ceremony.value_bytes.into())
        .map_err(|error| MixnetFailure::Malformed(error.to_string()))?;
    Ok(encrypt(&keys.digest, row, sender, &points(&numbers), identity.seed()).0)
}

/// Everybody votes; one sends what another has sent.
pub fn vote(hall: &mut Hall, tell: &mut Narrator) -> Result<(), Failure> {
    tell.section(&format!("{} voters of three stations vote", hall.voters.len()))?;
    let view = hall.view()?;
    let keys = view.keys.as_ref().ok_or_else(|| Failure::broken("no keys were dealt"))?;
    let row = KeyRow::new(keys.value_keys(), hall.voters.len());
    let begun = Instant::now();
    let mut first = None;
    for voter in &hall.voters {
        let body = ballot(&view, &row, &voter.identity, &voter.value)?;
        first.get_or_insert_with(|| body.clone());
        hall.post(&view, &voter.identity, hall.key(Kind::Input, None, 0), body)?;
    }
    tell.line("encrypted ballots on the board", &duration(begun.elapsed()))?;
    hall.post(&view, &hall.copier, hall.key(Kind::Input, None, 0), first.unwrap_or_default())?;
    tell.line("one more voter", "sends a copy of another's ballot")
}

/// The servers mix and decrypt; the second is killed while it mixes, and comes back.
pub fn mix(hall: &mut Hall, tell: &mut Narrator) -> Result<(), Failure> {
    tell.section("The servers mix and decrypt")?;
    let died = {
        hall.kill(2);
        let begun = Instant::now();
        hall.close()?;
        tell.line("voting ends", &duration(begun.elapsed()))?;
        hall.restart(2, "after-journal")?.died()?
    };
    if !died {
        return Err(Failure::broken("server 2 was not killed"));
    }
    tell.line("server 2, before its layer is posted", "killed")?;
    hall.restart(2, "")?;
    let begun = Instant::now();
    let view = hall.wait(|view| view.outputs.is_some())?;
    tell.line("mixed by four, decrypted by three", &duration(begun.elapsed()))?;
    let mixed = view.layers.len();
    if mixed != 4 {
        return Err(Failure::broken(format!("{mixed} servers mixed, and not four")));
    }
    named(&view, FaultKind::InputProofFalse, &hall.copier.author())?;
    tell.line("the copied ballot", "refused: InputProofFalse, its sender named")?;
    let mut found: Vec<Vec<u8>> = view.values.iter().flatten().cloned().collect();
    let mut cast: Vec<Vec<u8>> = hall.voters.iter().map(|voter| voter.value.clone()).collect();
    found.sort();
    cast.sort();
    if found != cast {
        return Err(Failure::broken("the outputs are not the votes"));
    }
    let mut result: BTreeMap<String, usize> = BTreeMap::new();
    for value in &found {
        let choice = value.get(5..).unwrap_or_default();
        *result.entry(String::from_utf8_lossy(choice).into_owned()).or_default() += 1;
    }
    let shown: Vec<String> = result.iter().map(|(choice, count)| format!("{choice} {count}")).collect();
    tell.line("the result", &shown.join(", "))?;
    tell.fact("result", json!(result));
    Ok(())
}

/// Whether a fault of this kind is somebody's.
pub fn named(view: &View, kind: FaultKind, author: &[u8; 32]) -> Result<(), Failure> {
    match view.faults.iter().any(|fault| fault.fault.kind == kind && fault.author.as_ref() == Some(author)) {
        true => Ok(()),
        false => Err(Failure::broken(format!("{kind} was not found"))),
    }
}

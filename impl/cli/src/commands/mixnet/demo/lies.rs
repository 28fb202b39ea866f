//! Lies: server 4 is taken over, and posts what it must not. Each lie is refused, and named.

use aardvark_mixnet::view::AskedStage;
use aardvark_mixnet::{Duty, FaultKind, Identity, Kind, TraceDirection, View};
use serde_json::json;

use super::audit::{Question, ask, inputs_of, papers};
use super::election::named;
use super::hall::{Hall, SERVERS};
use crate::demo::Narrator;
use crate::failure::Failure;

/// Bytes of a row of a column, and of a share.
const ROW: usize = 192;
const SHARE: usize = 96;

/// Asks what the liar can lie about.
fn question(hall: &mut Hall) -> Result<[u8; 32], Failure> {
    let view = hall.view()?;
    let (inputs, outputs) = (inputs_of(&view, 1), papers(hall, &view, 1, false));
    ask(hall, &view, Question { direction: TraceDirection::Out, inputs, outputs, private: false })
}

/// Waits until it is the liar's turn, and makes the post that an honest server would.
fn honest(hall: &mut Hall, liar: &Identity, duty: Duty) -> Result<(View, Vec<u8>), Failure> {
    let server = SERVERS.0;
    let view = hall.wait(|view| view.duties(server).contains(&duty))?;
    let body = view.perform(duty, server, liar).map_err(|fault| Failure::broken(fault.to_string()))?;
    Ok((view, body))
}

/// The first two parts of a body, each of so many bytes, exchanged.
fn exchanged(mut body: Vec<u8>, bytes: usize) -> Vec<u8> {
    if let Some((first, second)) = body.get_mut(..2 * bytes).map(|both| both.split_at_mut(bytes)) {
        first.swap_with_slice(second);
    }
    body
}

/// The first row replaced by the second.
fn replaced(mut body: Vec<u8>) -> Vec<u8> {
    body.copy_within(ROW..2 * ROW, 0);
    body
}

/// Lies about a query's column; nobody can go on with it, and everybody knows why.
fn false_column(
    hall: &mut Hall,
    liar: &Identity,
    what: &str,
    lie: impl Fn(Vec<u8>) -> Vec<u8>,
    tell: &mut Narrator,
) -> Result<(), Failure> {
    let id = question(hall)?;
    let (view, body) = honest(hall, liar, Duty::Column(id))?;
    hall.post(&view, liar, hall.key(Kind::Column, Some(id), SERVERS.0), lie(body))?;
    let stopped = |view: &View| view.query(&id).is_some_and(|asked| asked.stage == AskedStage::Stopped);
    let view = hall.wait(stopped)?;
    named(&view, FaultKind::ColumnProofFalse, &liar.author())?;
    tell.line(what, "ColumnProofFalse, server 4; the query ends")
}

/// The lies.
pub fn scene(hall: &mut Hall, tell: &mut Narrator) -> Result<(), Failure> {
    tell.section("Server 4 lies")?;
    let liar = hall.identity(SERVERS.0)?;
    hall.kill(SERVERS.0);
    false_column(hall, &liar, "another permutation than in the mix", |body| exchanged(body, ROW), tell)?;
    false_column(hall, &liar, "a row that was replaced", replaced, tell)?;
    let id = question(hall)?;
    let (view, body) = honest(hall, &liar, Duty::Column(id))?;
    hall.post(&view, &liar, hall.key(Kind::Column, Some(id), SERVERS.0), body)?;
    let (view, body) = honest(hall, &liar, Duty::AnswerShares(id))?;
    hall.post(&view, &liar, hall.key(Kind::AnswerShares, Some(id), SERVERS.0), exchanged(body, SHARE))?;
    let answered = |view: &View| {
        let blamed = view.faults.iter().any(|fault| fault.fault.kind == FaultKind::DecryptionProofFalse);
        blamed && view.query(&id).is_some_and(|asked| asked.answer.is_some())
    };
    let view = hall.wait(answered)?;
    named(&view, FaultKind::DecryptionProofFalse, &liar.author())?;
    tell.line("a false share of the answer", "DecryptionProofFalse, server 4; three others answer")?;
    tell.fact("lies", json!(["InputProofFalse", "ColumnProofFalse", "ColumnProofFalse", "DecryptionProofFalse"]));
    Ok(())
}

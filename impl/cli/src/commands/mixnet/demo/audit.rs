//! The audit: papers from the stations' boxes are compared with what was cast there.

use std::time::Instant;

use aardvark_mixnet::identity::KeyUse;
use aardvark_mixnet::trace::Answer;
use aardvark_mixnet::view::AskedStage;
use aardvark_mixnet::{Kind, Query, Reveal, TraceDirection, View};
use serde_json::json;

use super::hall::{Hall, STATIONS};
use crate::commands::mixnet::ask::read;
use crate::demo::Narrator;
use crate::failure::Failure;
use crate::report::duration;

/// Papers that are taken from each box.
const SAMPLE: usize = 20;

/// What is asked: inputs and outputs by their places.
pub struct Question {
    /// In or out.
    pub direction: TraceDirection,
    /// The inputs.
    pub inputs: Vec<bool>,
    /// The outputs.
    pub outputs: Vec<bool>,
    /// Whether the answer is for the auditor alone.
    pub private: bool,
}

/// Posts a question; its id.
pub fn ask(hall: &Hall, view: &View, question: Question) -> Result<[u8; 32], Failure> {
    let mix = view.mix().ok_or_else(|| Failure::broken("there is no mix"))?;
    let querier = hall.auditor.author();
    let asked = view.written.iter().filter(|key| key.kind == Kind::Query).count();
    let number = u16::try_from(asked).unwrap_or(u16::MAX);
    let reader = question.private.then(|| hall.auditor.known_key(KeyUse::Asking(mix.digest)));
    let Question { direction, inputs, outputs, .. } = question;
    let query = Query { direction, reveal: Reveal::Each, inputs, outputs, querier, number, reader };
    hall.post(view, &hall.auditor, hall.key(Kind::Query, None, number), query.encode(&mix.digest))?;
    Ok(query.id(&mix.digest))
}

/// Waits for the answer, which is what it should be.
pub fn answered(hall: &mut Hall, id: &[u8; 32], expected: &[(usize, bool)], private: bool) -> Result<View, Failure> {
    let is_answered = |view: &View| view.query(id).is_some_and(|asked| asked.stage == AskedStage::Answered);
    let view = hall.wait(is_answered)?;
    let asked = view.query(id).ok_or_else(|| Failure::broken("the query is gone"))?;
    if private && asked.answer.is_some() {
        return Err(Failure::broken("a private answer can be read by all"));
    }
    match read(&view, asked, Some(&hall.auditor))? {
        Answer::Bits(bits) if bits == expected => Ok(view),
        other => Err(Failure::broken(format!("a false answer: {other:?}"))),
    }
}

/// The output places of some voters' values, in ascending order.
fn outputs_of(view: &View, values: &[&[u8]]) -> Vec<bool> {
    let wanted = |value: &Option<Vec<u8>>| value.as_ref().is_some_and(|value| values.contains(&value.as_slice()));
    view.values.iter().map(wanted).collect()
}

/// The inputs of a station.
pub fn inputs_of(view: &View, station: usize) -> Vec<bool> {
    let senders = view.rows.iter().flat_map(|rows| &rows.senders);
    senders.map(|sender| STATIONS.get(station) == Some(&sender.label.as_str())).collect()
}

/// Which outputs of a set are of voters of a station.
fn truth(hall: &Hall, view: &View, outputs: &[bool], station: usize) -> Vec<(usize, bool)> {
    let of_station =
        |value: &Vec<u8>| hall.voters.iter().any(|voter| voter.station == station && voter.value == *value);
    let places = outputs.iter().enumerate().filter(|(_, asked)| **asked);
    places.map(|(place, _)| (place, view.values.get(place).and_then(Option::as_ref).is_some_and(of_station))).collect()
}

/// Papers of a box: of voters of its station, and one that was moved there from the next one.
pub fn papers(hall: &Hall, view: &View, station: usize, moved: bool) -> Vec<bool> {
    let of = |station| hall.voters.iter().filter(move |voter| voter.station == station);
    let mut values: Vec<&[u8]> = of(station).take(SAMPLE).map(|voter| voter.value.as_slice()).collect();
    if moved {
        values.extend(of((station + 1) % STATIONS.len()).take(1).map(|voter| voter.value.as_slice()));
    }
    outputs_of(view, &values)
}

/// Asks about the papers of a box.
fn box_of(hall: &mut Hall, station: usize, moved: bool, private: bool) -> Result<(usize, usize), Failure> {
    let view = hall.view()?;
    let (inputs, outputs) = (inputs_of(&view, station), papers(hall, &view, station, moved));
    let expected = truth(hall, &view, &outputs, station);
    let id = ask(hall, &view, Question { direction: TraceDirection::Out, inputs, outputs, private })?;
    answered(hall, &id, &expected, private)?;
    let yes = expected.iter().filter(|(_, yes)| *yes).count();
    Ok((yes, expected.len() - yes))
}

/// The audit.
pub fn scene(hall: &mut Hall, tell: &mut Narrator) -> Result<(), Failure> {
    tell.section("An audit: were these papers cast at the station in whose box they lay?")?;
    let mut answers = Vec::new();
    for (station, name) in STATIONS.iter().enumerate() {
        let begun = Instant::now();
        let (yes, no) = box_of(hall, station, station == 0, false)?;
        let moved = if no > 0 { ", one of them moved there from another box" } else { "" };
        let text = format!("{yes} yes, {no} no{moved}; {}", duration(begun.elapsed()));
        tell.line(&format!("papers in the box of {name}"), &text)?;
        answers.push(json!({ "station": name, "yes": yes, "no": no }));
    }
    tell.fact("audit", answers);
    let (yes, no) = box_of(hall, 0, true, true)?;
    tell.line("the first again, for the auditor alone", &format!("{yes} yes, {no} no; the board shows none of it"))?;
    tell.fact("private", json!({ "yes": yes, "no": no }));
    recount(hall, tell)
}

/// Which of ten voters' ballots lie in a pile?
fn recount(hall: &mut Hall, tell: &mut Narrator) -> Result<(), Failure> {
    let view = hall.view()?;
    let pile: Vec<&[u8]> = hall.voters.iter().step_by(2).map(|voter| voter.value.as_slice()).collect();
    let outputs = outputs_of(&view, &pile);
    let senders: Vec<[u8; 32]> = view.rows.iter().flat_map(|rows| &rows.senders).map(|sender| sender.key).collect();
    let inputs: Vec<bool> = (0..senders.len()).map(|place| place < 10).collect();
    let expected: Vec<(usize, bool)> = senders
        .iter()
        .take(10)
        .map(|key| {
            hall.voters.iter().any(|voter| voter.identity.author() == *key && pile.contains(&voter.value.as_slice()))
        })
        .enumerate()
        .collect();
    let id = ask(hall, &view, Question { direction: TraceDirection::In, inputs, outputs, private: false })?;
    answered(hall, &id, &expected, false)?;
    let there = expected.iter().filter(|(_, there)| *there).count();
    tell.line("ten voters' ballots in a recount's pile", &format!("{there} of {}", expected.len()))?;
    tell.fact("recount", json!({ "asked": expected.len(), "there": there }));
    Ok(())
}

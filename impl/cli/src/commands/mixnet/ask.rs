//! `aardvark mixnet trace-in`, `trace-out`, `answer`

use std::collections::HashSet;
use std::time::Duration;

use aardvark_board::BoardClient;
use aardvark_board::summary::stage_name;
use aardvark_mixnet::identity::KeyUse;
use aardvark_mixnet::trace::{Answer, Trace};
use aardvark_mixnet::view::{Asked, AskedStage};
use aardvark_mixnet::{Identity, Kind, Memo, Mix, Query, Reveal, TraceDirection, View, decryption};
use serde_json::json;

use crate::commands::mixnet::args::{AnswerArguments, OnBoard, Reading, RevealArgument, Trace as TraceArguments};
use crate::commands::mixnet::failure::MixnetFailure;
use crate::commands::mixnet::send::value;
use crate::commands::mixnet::show::{answer_json, answer_rows};
use crate::commands::mixnet::state::ProvedView;
use crate::commands::mixnet::{key_file, state};
use crate::failure::Failure;
use crate::hex_text::encode;
use crate::report::{Report, Rows};

/// How often the board is asked for an answer.
const POLL: Duration = Duration::from_millis(300);

/// Numbers as in 0-99,105.
fn numbers(text: &str, count: usize) -> Result<Vec<bool>, MixnetFailure> {
    let malformed = || MixnetFailure::Malformed(format!("{text}: not a set of numbers below {count}"));
    let mut set = vec![false; count];
    for part in text.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (usize, usize) =
            (first.parse().map_err(|_| malformed())?, last.parse().map_err(|_| malformed())?);
        set.get_mut(first..=last).ok_or_else(malformed)?.fill(true);
    }
    Ok(set)
}

/// A set of inputs.
fn input_set(text: &str, view: &View) -> Result<Vec<bool>, MixnetFailure> {
    let senders = view.rows.as_ref().map(|rows| rows.senders.as_slice()).unwrap_or_default();
    match text.strip_prefix("label:") {
        _ if text == "all" => Ok(vec![true; senders.len()]),
        Some(label) => Ok(senders.iter().map(|sender| sender.label == label).collect()),
        None => numbers(text, senders.len()),
    }
}

/// A set of outputs.
fn output_set(text: &str, view: &View) -> Result<Vec<bool>, MixnetFailure> {
    let Some(file) = text.strip_prefix("values:") else {
        return if text == "all" { Ok(vec![true; view.values.len()]) } else { numbers(text, view.values.len()) };
    };
    let lines = std::fs::read_to_string(file).map_err(|error| MixnetFailure::System(file.to_owned(), error))?;
    let lines = lines.lines().filter(|line| !line.is_empty());
    let wanted: HashSet<Vec<u8>> =
        lines.map(|line| value(line, view.ceremony.value_bytes)).collect::<Result<_, _>>()?;
    Ok(view.values.iter().map(|value| value.as_ref().is_some_and(|value| wanted.contains(value))).collect())
}

/// What is told where nothing is asked for: `each`, of equal outputs `any`.
fn default_reveal(direction: TraceDirection, outputs: &[bool], mix: &Mix<'_>) -> Reveal {
    let first = mix.first_equal();
    let unique = |j: usize| first.iter().filter(|value| first.get(j) == Some(*value)).count() == 1;
    let all_unique = outputs.iter().enumerate().all(|(j, asked)| !asked || unique(j));
    if direction == TraceDirection::In || all_unique { Reveal::Each } else { Reveal::Any }
}

fn mix_of(view: &View) -> Result<Mix<'_>, MixnetFailure> {
    let not_yet =
        || MixnetFailure::NotThere(format!("nothing can be asked yet: the stage is {}", stage_name(view.stage)));
    view.mix().ok_or_else(not_yet)
}

/// Posts a query.
pub fn trace(arguments: &TraceArguments, direction: TraceDirection) -> Result<Report, Failure> {
    let identity = key_file::load(&arguments.key)?;
    let (board, view) = state::view(&arguments.at)?;
    let mix = mix_of(&view)?;
    let (inputs, outputs) = (input_set(&arguments.inputs, &view)?, output_set(&arguments.outputs, &view)?);
    let reveal = match arguments.reveal {
        Some(RevealArgument::Each) => Reveal::Each,
        Some(RevealArgument::Any) => Reveal::Any,
        Some(RevealArgument::Count) => Reveal::Count,
        None => default_reveal(direction, &outputs, &mix),
    };
    let author = identity.author();
    let taken: HashSet<u16> = view
        .written
        .iter()
        .filter(|key| key.kind == Kind::Query && key.author == author)
        .map(|key| key.sequence)
        .collect();
    let number = (0..=u16::MAX).find(|number| !taken.contains(number)).unwrap_or(u16::MAX);
    let reader = arguments.private.then(|| identity.known_key(KeyUse::Asking(mix.digest)));
    let query = Query { direction, reveal, inputs, outputs, querier: author, number, reader };
    let may_ask = view.ceremony.rules.anyone || view.ceremony.querier(&author).is_some();
    if !may_ask || !view.ceremony.rules.allow(&query) {
        return Err(
            MixnetFailure::Malformed("QueryForbidden: the ceremony's rules do not allow this".to_owned()).into()
        );
    }
    query.check(&mix, view.ceremony.rules.repeated).map_err(MixnetFailure::from)?;
    let id = query.id(&mix.digest);
    let key = view.name.key(Kind::Query, None, number, author);
    state::post(&board, &view, key, query.encode(&mix.digest), &identity)?;
    if arguments.wait {
        return wait(&arguments.at, &id, Some(&identity));
    }
    Ok(Report::done(
        Rows::new().row("query", encode(&id)).to_text(),
        json!({ "result": "holds", "query": encode(&id) }),
    ))
}

/// Waits until a query is answered or stopped.
fn wait(at: &OnBoard, id: &[u8; 32], identity: Option<&Identity>) -> Result<Report, Failure> {
    let (mut board, mut memo) = (BoardClient::new(&at.board), Memo::default());
    loop {
        let view = state::look(&mut board, at, &mut memo)?;
        let ended = |asked: &Asked| matches!(asked.stage, AskedStage::Answered | AskedStage::Stopped);
        if view.query(id).is_some_and(ended) {
            break;
        }
        std::thread::sleep(POLL);
    }
    let reading = Reading::by_word(at.clone());
    let (_, proved) = state::proved(&reading, &mut memo)?;
    let asked = proved.view.query(id).ok_or_else(|| MixnetFailure::NotThere("there is no such query".to_owned()))?;
    report(&proved, asked, identity)
}

/// The answer of a query, a private one by its querier's key.
pub fn read(view: &View, asked: &Asked, identity: Option<&Identity>) -> Result<Answer, MixnetFailure> {
    if let Some(answer) = &asked.answer {
        return Ok(answer.clone());
    }
    match (asked.stage, identity) {
        (AskedStage::Stopped, _) => {
            let fault = view.faults.iter().find(|fault| {
                aardvark_mixnet::PostKey::from_bytes(&fault.key).is_ok_and(|key| key.query == Some(asked.id))
            });
            let stopped = || MixnetFailure::NotThere("the query was stopped".to_owned());
            Err(fault.map_or_else(stopped, |fault| MixnetFailure::Faulty(Box::new(fault.clone()))))
        }
        (AskedStage::Answered, Some(identity)) => {
            let mix = mix_of(view)?;
            let trace = Trace::allowed(&mix, &asked.query, view.ceremony.rules.repeated)?;
            let sums = asked.sums.as_ref().ok_or_else(|| MixnetFailure::NotThere("no answer yet".to_owned()))?;
            let opening = trace.open(identity.reading_secret(), sums, &asked.tests, identity.seed())?;
            if trace.check_opening(sums, &asked.tests, &opening).is_err() {
                return Err(MixnetFailure::Malformed("the answer is for another key".to_owned()));
            }
            let shares = asked.first_shares(view.ceremony.threshold());
            Ok(trace.result(sums, &asked.tests, &shares, Some(&opening))?)
        }
        (AskedStage::Answered, None) => {
            Err(MixnetFailure::NotThere("the answer is for its querier alone: give --key".to_owned()))
        }
        _ => Err(MixnetFailure::NotThere("no answer yet".to_owned())),
    }
}

fn report(proved: &ProvedView, asked: &Asked, identity: Option<&Identity>) -> Result<Report, Failure> {
    let answer = read(&proved.view, asked, identity)?;
    let rows = proved.rows(answer_rows(&proved.view, asked, &answer));
    Ok(Report::done(rows.to_text(), answer_json(proved, asked, &answer)))
}

/// Posts the opening of a private answer.
fn open(board: &BoardClient, view: &View, asked: &Asked, identity: &Identity) -> Result<(), MixnetFailure> {
    // Only what the querier can read itself.
    read(view, asked, Some(identity))?;
    let mix = mix_of(view)?;
    let trace = Trace::allowed(&mix, &asked.query, view.ceremony.rules.repeated)?;
    let sums = asked.sums.as_ref().ok_or_else(|| MixnetFailure::NotThere("no answer yet".to_owned()))?;
    let opening = trace.open(identity.reading_secret(), sums, &asked.tests, identity.seed())?;
    let key = view.name.key(Kind::Opening, Some(asked.id), 0, identity.author());
    state::post(board, view, key, decryption::encode(&opening), identity)
}

/// Prints an answer.
pub fn answer(arguments: &AnswerArguments) -> Result<Report, Failure> {
    let identity = arguments.key.as_ref().map(|key| key_file::load(key)).transpose()?;
    let (board, proved) = state::proved(&arguments.reading, &mut Memo::default())?;
    let view = &proved.view;
    let none = || MixnetFailure::NotThere("there is no such query".to_owned());
    let asked = view.query(&arguments.query).ok_or_else(none)?;
    if let (true, Some(identity), true) = (arguments.open, &identity, asked.query.reader.is_some()) {
        open(&board, view, asked, identity)?;
    }
    report(&proved, asked, identity.as_ref())
}

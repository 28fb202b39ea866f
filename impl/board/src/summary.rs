//! What a view says, as JSON: stages, servers, queries with their answers, faults. Byte strings are
//! lower-case hex with 0x.

use std::collections::BTreeMap;

use aardvark_mixnet::trace::Answer;
use aardvark_mixnet::view::{Asked, AskedStage, PostFault};
use aardvark_mixnet::{Kind, Reveal, Stage, TraceDirection, View};
use aardvark_proof::hex_text::encode;
use serde_json::{Value, json};

/// Queries, faults, answers of a query and labels of a ceremony that a summary lists.
pub const MOST_LISTED: usize = 100;

/// A stage by its name.
pub fn stage_name(stage: Stage) -> &'static str {
    match stage {
        Stage::Dealing => "dealing",
        Stage::Verdicts => "verdicts",
        Stage::Open => "open",
        Stage::Mixing => "mixing",
        Stage::Decrypting => "decrypting",
        Stage::Done => "done",
        Stage::Void => "void",
    }
}

/// What a query waits for.
pub fn query_stage(stage: AskedStage) -> String {
    match stage {
        AskedStage::Column(server) => format!("waits for server {server}'s column"),
        AskedStage::ZeroTest(server) => format!("waits for server {server}'s zero test"),
        AskedStage::Shares => "waits for shares".to_owned(),
        AskedStage::Answered => "answered".to_owned(),
        AskedStage::Stopped => "stopped by a false post".to_owned(),
    }
}

/// `in` or `out`.
pub fn direction_name(direction: TraceDirection) -> &'static str {
    match direction {
        TraceDirection::In => "in",
        TraceDirection::Out => "out",
    }
}

/// `each`, `any` or `count`.
pub fn reveal_name(reveal: Reveal) -> &'static str {
    match reveal {
        Reveal::Each => "each",
        Reveal::Any => "any",
        Reveal::Count => "count",
    }
}

/// A value as it is shown: as it can be typed.
pub fn shown(value: &[u8], value_bytes: u8) -> String {
    match (value, value_bytes) {
        ([high, low], 2) => u16::from_be_bytes([*high, *low]).to_string(),
        _ => match core::str::from_utf8(value) {
            Ok(text) if !text.is_empty() && !text.starts_with("0x") && !text.contains(char::is_control) => {
                text.to_owned()
            }
            _ => encode(value),
        },
    }
}

/// What a server has posted, by names of kinds.
pub fn posted_by(view: &View, server: u16) -> Vec<String> {
    let Some(known) = view.ceremony.server(server) else { return Vec::new() };
    let of_server = view.written.iter().filter(|key| key.author == known.author && key.kind.is_of_server());
    let kinds: BTreeMap<Kind, usize> = of_server.fold(BTreeMap::new(), |mut kinds, key| {
        *kinds.entry(key.kind).or_default() += 1;
        kinds
    });
    let name = |(kind, count): (&Kind, &usize)| match count {
        1 => format!("{kind:?}").to_lowercase(),
        many => format!("{many} x {kind:?}").to_lowercase(),
    };
    kinds.iter().map(name).collect()
}

/// Valid inputs by label.
pub fn labels(view: &View) -> BTreeMap<String, usize> {
    let senders = view.rows.iter().flat_map(|rows| &rows.senders);
    senders.fold(BTreeMap::new(), |mut labels, sender| {
        *labels.entry(sender.label.clone()).or_default() += 1;
        labels
    })
}

/// A fault: kind, author, post and place.
pub fn fault_json(fault: &PostFault) -> Value {
    let place = fault.fault.place.map(|place| json!({ "list": place.list, "row": place.row, "column": place.column }));
    json!({
        "fault": fault.fault.kind.to_string(),
        "author": fault.author.map(|author| encode(&author)),
        "server": fault.server,
        "post": encode(&fault.key),
        "place": place,
    })
}

/// What one bit of an answer is about: an input's label, an output's value.
fn about(view: &View, asked: &Asked, place: usize) -> Option<String> {
    match asked.query.direction {
        TraceDirection::In => Some(view.rows.as_ref()?.senders.get(place)?.label.clone()),
        TraceDirection::Out => Some(shown(view.values.get(place)?.as_ref()?, view.ceremony.value_bytes)),
    }
}

fn query_json(view: &View, asked: &Asked) -> Value {
    let (count, bits) = match &asked.answer {
        Some(Answer::Count(count)) => (Some(*count), None),
        Some(Answer::Bits(bits)) => (None, Some(bits)),
        None => (None, None),
    };
    let yes = bits.map(|bits| bits.iter().filter(|(_, yes)| *yes).count());
    let listed = bits
        .into_iter()
        .flatten()
        .take(MOST_LISTED)
        .map(|(place, yes)| json!({ "place": place, "about": about(view, asked, *place), "answer": yes }));
    json!({
        "query": encode(&asked.id), "querier": encode(&asked.query.querier), "stage": query_stage(asked.stage),
        "direction": direction_name(asked.query.direction), "reveal": reveal_name(asked.query.reveal),
        "private": asked.query.reader.is_some(),
        "count": count, "yes": yes, "no": bits.zip(yes).map(|(bits, yes)| bits.len() - yes),
        "answers": listed.collect::<Vec<_>>(),
    })
}

/// A ceremony: where it stands, who posted what, queries and faults, at most [`MOST_LISTED`] of
/// each.
pub fn summary_json(view: &View) -> Value {
    let servers = view
        .ceremony
        .server_numbers()
        .map(|server| json!({ "server": server, "posted": posted_by(view, server), "due": view.duties(server).len() }));
    json!({
        "organiser": encode(&view.name.organiser), "number": view.name.number, "ceremony": encode(&view.digest),
        "title": view.ceremony.title, "stage": stage_name(view.stage),
        "threshold": view.ceremony.threshold, "servers": servers.collect::<Vec<_>>(),
        "inputs": view.posted_inputs,
        "labels": labels(view).into_iter().take(MOST_LISTED).collect::<BTreeMap<_, _>>(),
        "outputs": view.outputs.as_ref().map(|outputs| outputs.rows()), "missing": view.missing.len(),
        "asked": view.asked.len(), "unasked": view.unasked,
        "queries": view.asked.iter().take(MOST_LISTED).map(|asked| query_json(view, asked)).collect::<Vec<_>>(),
        "faulty": view.faults.len(),
        "faults": view.faults.iter().take(MOST_LISTED).map(fault_json).collect::<Vec<_>>(),
    })
}

//! `aardvark client get`: the light client.

use aardvark_client::Proved;
use aardvark_client::light::{Accusation, clock};
use aardvark_proof::KeyAnswer;
use serde_json::{Value, json};

use crate::commands::client::args::Get;
use crate::commands::client::failure::{ClientFailure, refused_json};
use crate::commands::client::network::{Servers, keep, reader, say};
use crate::failure::Failure;
use crate::hex_text::encode;
use crate::key_text::{display, parse_key};
use crate::notation::notation;
use crate::report::{Report, Rows, counted};

/// Looks keys up at the newest version that a header certifies.
///
/// # Errors
/// Whoever lied or did not answer.
pub fn run(arguments: &Get) -> Result<Report, Failure> {
    let notation = notation(arguments.text);
    let keys = arguments.keys.iter().map(|key| parse_key(key, notation)).collect::<Result<Vec<_>, _>>()?;
    let servers = Servers::of(&arguments.network)?;
    let (reader, not_there) = reader(&arguments.network, &servers)?;
    let read = reader.together(arguments.together).read_keys(keys, clock()).map_err(ClientFailure::from)?;
    keep(&arguments.network, &read.updated, Some(&read.known))?;
    let refused = [not_there, read.refused.clone()].concat();
    say(&refused);
    Ok(report(&read, &refused))
}

fn report(read: &Proved<Vec<KeyAnswer>>, refused: &[Accusation]) -> Report {
    let rows = read.answers.iter().fold(Rows::new().row("proof", "holds"), answer_rows);
    let json = match read.answers.as_slice() {
        [answer] => with(answer_json(answer), origin_json(read, refused)),
        answers => {
            let answers: Vec<Value> = answers.iter().map(answer_json).collect();
            with(json!({ "answers": answers }), origin_json(read, refused))
        }
    };
    Report::done(origin_rows(rows, read).to_text(), json)
}

fn number(answer: &KeyAnswer) -> Option<u64> {
    let value = answer.value.as_ref()?;
    <[u8; 8]>::try_from(&**value).ok().map(u64::from_be_bytes)
}

fn answer_rows(rows: Rows, answer: &KeyAnswer) -> Rows {
    let rows = rows.row("key", display(&answer.key));
    let rows = match &answer.value {
        Some(value) => rows.row("answer", "present").row("value", display(value)),
        None => rows.row("answer", "absent"),
    };
    match number(answer) {
        Some(number) => rows.row("as a number", number.to_string()),
        None => rows,
    }
}

fn answer_json(answer: &KeyAnswer) -> Value {
    json!({
        "key": encode(&answer.key),
        "answer": if answer.value.is_some() { "present" } else { "absent" },
        "present": answer.value.is_some(),
        "value": answer.value.as_deref().map(encode),
        "number": number(answer).map(|number| number.to_string()),
    })
}

/// One object's fields, and behind them another's.
pub(super) fn with(mut object: Value, more: Value) -> Value {
    if let (Some(object), Value::Object(more)) = (object.as_object_mut(), more) {
        object.extend(more);
    }
    object
}

/// Where a proved answer comes from, for people.
fn origin_rows<T>(rows: Rows, read: &Proved<T>) -> Rows {
    let header = &read.updated.header;
    let confirmed = match read.updated.confirmed_by.as_slice() {
        [] => "by nobody".to_owned(),
        nodes => format!("by {}", nodes.join(", ")),
    };
    let age = header.age(clock()).as_secs();
    rows.row("version", header.version().to_string())
        .row(
            "header",
            format!("{} of {}, {} old", header.height(), header.chain_id(), counted(age, "second", "seconds")),
        )
        .row("confirmed", confirmed)
        .row("archive", &read.archive)
}

/// The same for programs.
pub(super) fn origin_json<T>(read: &Proved<T>, refused: &[Accusation]) -> Value {
    let header = &read.updated.header;
    json!({
        "result": "holds",
        "version": header.version(),
        "height": header.height(),
        "hash": hex::encode_upper(header.hash()),
        "time": header.time().to_rfc3339(),
        "chain_id": header.chain_id(),
        "dictionary": encode(&read.known.facts.id.0),
        "rpc": read.updated.node,
        "confirmed_by": read.updated.confirmed_by,
        "archive": read.archive,
        "refused": refused_json(refused),
    })
}

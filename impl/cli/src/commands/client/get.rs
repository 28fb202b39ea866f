//! `aardvark client get`: the light client.

use aardvark_client::ProvedAnswers;
use aardvark_client::light::{Accusation, Question, clock};
use serde_json::json;

use crate::commands::client::args::Get;
use crate::commands::client::failure::{ClientFailure, refused_json};
use crate::commands::client::network::{Servers, keep, reader, say};
use crate::failure::Failure;
use crate::hex_text::encode;
use crate::key_text::{display, parse_key};
use crate::notation::notation;
use crate::report::{Report, Rows, counted};

/// Looks a key up at the newest version that a header certifies.
///
/// # Errors
/// Whoever lied or did not answer.
pub fn run(arguments: &Get) -> Result<Report, Failure> {
    let key = parse_key(&arguments.key, notation(arguments.text))?;
    let servers = Servers::of(&arguments.network)?;
    let (mut reader, not_there) = reader(&arguments.network, &servers)?;
    let read = reader.read(&[(key.clone(), Question::Get)], clock()).map_err(ClientFailure::from)?;
    keep(&arguments.network, &read.updated, &read.known)?;
    let refused = [not_there, read.refused.clone()].concat();
    say(&refused);
    Ok(report(&key, &read, &refused))
}

fn report(key: &[u8], read: &ProvedAnswers, refused: &[Accusation]) -> Report {
    let value = read.answers.first().and_then(|answer| answer.value.as_ref());
    let header = &read.updated.header;
    let number = value.and_then(|value| <[u8; 8]>::try_from(&**value).ok()).map(u64::from_be_bytes);
    let rows = Rows::new().row("proof", "holds").row("key", display(key));
    let rows = match value {
        Some(value) => rows.row("answer", "present").row("value", display(value)),
        None => rows.row("answer", "absent"),
    };
    let rows = number.map_or(rows.clone(), |number| rows.row("as a number", number.to_string()));
    let confirmed = match read.updated.confirmed_by.as_slice() {
        [] => "by nobody".to_owned(),
        nodes => format!("by {}", nodes.join(", ")),
    };
    let age = header.age(clock()).as_secs();
    let rows = rows
        .row("version", header.version().to_string())
        .row(
            "header",
            format!("{} of {}, {} old", header.height(), header.chain_id(), counted(age, "second", "seconds")),
        )
        .row("confirmed", confirmed)
        .row("archive", &read.archive);
    let json = json!({
        "result": "holds",
        "key": encode(key),
        "present": value.is_some(),
        "value": value.map(|value| encode(value)),
        "number": number.map(|number| number.to_string()),
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
    });
    Report::done(rows.to_text(), json)
}

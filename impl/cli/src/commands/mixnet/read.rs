//! `aardvark mixnet status`, `outputs`, `verify`

use aardvark_board::summary::{fault_json, labels, posted_by, query_stage, shown, stage_name as stage};
use aardvark_mixnet::Memo;
use serde_json::{Value, json};

use crate::commands::mixnet::args::{Reading, Verify};
use crate::commands::mixnet::failure::MixnetFailure;
use crate::commands::mixnet::show::{answer_json, answer_rows};
use crate::commands::mixnet::state;
use crate::failure::Failure;
use crate::hex_text::encode;
use crate::report::{Report, Rows, counted};

/// Says where a ceremony stands.
pub fn status(reading: &Reading) -> Result<Report, Failure> {
    let (_, proved) = state::proved(reading, &mut Memo::default())?;
    let view = &proved.view;
    let mut rows = Rows::new()
        .row("ceremony", encode(&view.digest))
        .row("title", &view.ceremony.title)
        .row("stage", stage(view.stage))
        .row("inputs", counted(view.posted_inputs as u64, "post", "posts"));
    let mut servers: Vec<Value> = Vec::new();
    for server in view.ceremony.server_numbers() {
        let posted = posted_by(view, server);
        rows = rows.row(format!("server {server}"), posted.join(", "));
        servers.push(json!({ "server": server, "posted": posted, "due": view.duties(server).len() }));
    }
    for (label, count) in labels(view) {
        rows = rows.row(format!("label {label}"), counted(count as u64, "input", "inputs"));
    }
    for asked in &view.asked {
        rows = rows.row(format!("query {}", encode(&asked.id)), query_stage(asked.stage));
    }
    for fault in &view.faults {
        let who = fault.server.map_or_else(String::new, |server| format!(" of server {server}"));
        rows = rows.row("fault", format!("{}{who}", fault.fault.kind));
    }
    let rows = proved.rows(rows);
    let queries =
        view.asked.iter().map(|asked| json!({ "query": encode(&asked.id), "stage": query_stage(asked.stage) }));
    let json = json!({
        "result": "holds", "ceremony": encode(&view.digest), "title": view.ceremony.title,
        "stage": stage(view.stage), "inputs": view.posted_inputs, "labels": labels(view), "servers": servers,
        "queries": queries.collect::<Vec<_>>(), "faults": view.faults.iter().map(fault_json).collect::<Vec<_>>(),
        "verified": proved.json(),
    });
    Ok(Report::done(rows.to_text(), json))
}

/// Prints the outputs.
pub fn outputs(reading: &Reading) -> Result<Report, Failure> {
    let (_, proved) = state::proved(reading, &mut Memo::default())?;
    let view = &proved.view;
    if view.outputs.is_none() {
        return Err(MixnetFailure::NotThere(format!("no outputs yet: the stage is {}", stage(view.stage))).into());
    }
    let value_bytes = view.ceremony.value_bytes;
    let text = |value: &Option<Vec<u8>>| {
        value.as_ref().map_or_else(|| "(undecodable)".to_owned(), |value| shown(value, value_bytes))
    };
    let rows =
        view.values.iter().enumerate().fold(Rows::new(), |rows, (j, value)| rows.row(j.to_string(), text(value)));
    let values: Vec<Option<String>> =
        view.values.iter().map(|value| value.as_ref().map(|value| encode(value))).collect();
    let json = json!({ "result": "holds", "outputs": values, "verified": proved.json() });
    Ok(Report::done(rows.to_text(), json))
}

/// Checks everything: signatures, receipts, dealings, inputs, layers, shares, queries.
pub fn verify(arguments: &Verify) -> Result<Report, Failure> {
    let (_, proved) = state::proved(&arguments.reading, &mut Memo::default())?;
    let view = &proved.view;
    if let Some(fault) = view.faults.first() {
        return Err(MixnetFailure::Faulty(Box::new(fault.clone())).into());
    }
    if let Some(id) = &arguments.query {
        let asked = view.query(id).ok_or_else(|| MixnetFailure::NotThere("there is no such query".to_owned()))?;
        let not_yet = || MixnetFailure::NotThere(query_stage(asked.stage));
        let answer = asked.answer.as_ref().ok_or_else(not_yet)?;
        let rows = proved.rows(answer_rows(view, asked, answer));
        return Ok(Report::done(rows.to_text(), answer_json(&proved, asked, answer)));
    }
    let missing = view.missing.len();
    let rows = Rows::new()
        .row("stage", stage(view.stage))
        .row("posts", counted(view.written.len() as u64 + 1, "post", "posts"))
        .row("bodies missing", missing.to_string())
        .row("outputs", view.values.len().to_string())
        .row("queries", view.asked.len().to_string());
    let rows = proved.rows(rows);
    let json = json!({
        "result": "holds", "stage": stage(view.stage), "posts": view.written.len() + 1, "missing": missing,
        "outputs": view.values.len(), "queries": view.asked.len(), "verified": proved.json(),
    });
    Ok(Report::done(rows.to_text(), json))
}

//! Answers as JSON and as text.

use aardvark_board::summary::{direction_name, reveal_name, shown};
use aardvark_mixnet::trace::Answer;
use aardvark_mixnet::view::Asked;
use aardvark_mixnet::{Reveal, TraceDirection, View};
use serde_json::{Value, json};

use crate::commands::mixnet::state::ProvedView;
use crate::hex_text::encode;
use crate::report::Rows;

fn value_of(view: &View, output: usize) -> Option<&Vec<u8>> {
    view.values.get(output).and_then(Option::as_ref)
}

/// An answer for programs.
pub fn answer_json(proved: &ProvedView, asked: &Asked, answer: &Answer) -> Value {
    let view = &proved.view;
    let (direction, reveal) = (direction_name(asked.query.direction), reveal_name(asked.query.reveal));
    let servers: Vec<u16> = view.layers.iter().map(|(server, _)| *server).collect();
    let mut json = json!({
        "format": 1, "ceremony": encode(&view.digest), "query": encode(&asked.id), "direction": direction,
        "reveal": reveal, "private": asked.query.reader.is_some(), "servers": servers,
        "verified": proved.json(),
    });
    let (field, content) = match answer {
        Answer::Count(count) => ("count", json!(count)),
        Answer::Bits(bits) => {
            ("answers", bits.iter().map(|(about, yes)| bit_json(view, asked, *about, *yes)).collect())
        }
    };
    if let Some(object) = json.as_object_mut() {
        object.insert(field.to_owned(), content);
    }
    json
}

fn bit_json(view: &View, asked: &Asked, about: usize, yes: bool) -> Value {
    match (asked.query.direction, asked.query.reveal) {
        (TraceDirection::In, _) => {
            let sender = view.rows.as_ref().and_then(|rows| rows.senders.get(about));
            let (key, label) = sender.map_or((None, None), |sender| (Some(encode(&sender.key)), Some(&sender.label)));
            json!({ "input": about, "sender": key, "label": label, "answer": yes })
        }
        (TraceDirection::Out, Reveal::Any) => {
            json!({ "value": value_of(view, about).map(|value| encode(value)), "answer": yes })
        }
        (TraceDirection::Out, _) => {
            json!({ "output": about, "value": value_of(view, about).map(|value| encode(value)), "answer": yes })
        }
    }
}

/// An answer for people.
pub fn answer_rows(view: &View, asked: &Asked, answer: &Answer) -> Rows {
    let rows = Rows::new().row("query", encode(&asked.id));
    match answer {
        Answer::Count(count) => rows.row("yes", count.to_string()),
        Answer::Bits(bits) => bits.iter().fold(rows, |rows, (about, yes)| {
            let what = match asked.query.direction {
                TraceDirection::In => {
                    let sender = view.rows.as_ref().and_then(|rows| rows.senders.get(*about));
                    format!("input {about} {}", sender.map_or("", |sender| &sender.label))
                }
                TraceDirection::Out => {
                    let value = value_of(view, *about).map(|value| shown(value, view.ceremony.value_bytes));
                    format!("output {about} {}", value.unwrap_or_else(|| "(undecodable)".to_owned()))
                }
            };
            rows.row(what, if *yes { "yes" } else { "no" })
        }),
    }
}

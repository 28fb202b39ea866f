//! What the command says of answers to many keys and ranges.

use aardvark_dictionary::Value as Bytes;
use aardvark_proof::{Answer, AnswerProof, Entry, KeyAnswer, Question, RangeAnswer, Region};
use serde_json::{Value, json};

use crate::anchor::Anchor;
use crate::entries::shown;
use crate::hex_text::encode;
use crate::key_text::display;
use crate::report::{Report, Rows, count, counted};

/// What is said of a proof that is written to a file.
pub fn proved(question: &Question, answer: &Answer, proof: &AnswerProof, file: &str) -> Report {
    let (rows, mut json) = head(question, answer, Rows::new());
    let opening = if proof.folded_opening.is_some() { "one for all claims" } else { "one a claim" };
    let rows = rows.row("version", proof.version.to_string()).row("openings", opening).row("proof", file);
    merge(&mut json, json!({ "version": proof.version, "claims": proof.claims.len(), "file": file }));
    Report::done(rows.to_text(), json)
}

/// What is said of a proof that holds.
pub fn verified(question: &Question, answer: &Answer, proof: &AnswerProof, anchor: &Anchor) -> Report {
    let (rows, _) = head(question, answer, Rows::new().row("proof", "holds"));
    let mut rows = rows.row("version", proof.version.to_string());
    let mut json = json!({ "result": "holds", "version": proof.version });
    if let Anchor::Note(note) = anchor {
        rows = note.rows(rows);
        merge(&mut json, json!({ "note": note.json() }));
    }
    let entries: Vec<(String, String)> = match answer {
        Answer::Keys(answers) => {
            let answer = |KeyAnswer { key, value }: &KeyAnswer| match value {
                Some(value) => (display(key), format!("present  {}", display(value))),
                None => (display(key), "absent".to_owned()),
            };
            merge(&mut json, json!({ "answers": answers.iter().map(answer_json).collect::<Vec<_>>() }));
            answers.iter().map(answer).collect()
        }
        Answer::Range(RangeAnswer { entries, resume }) => {
            let entry = |Entry { key, value }: &Entry| json!({ "key": encode(key), "value": encode(value) });
            let next = resume.as_deref().map(encode);
            merge(&mut json, json!({ "entries": entries.iter().map(entry).collect::<Vec<_>>(), "next": next }));
            entries.iter().map(|Entry { key, value }| (display(key), display(value))).collect()
        }
        Answer::Predecessor(_) | Answer::Successor(_) => Vec::new(),
    };
    let lines = entries.into_iter().map(|(key, said)| format!("  {key}  {said}"));
    Report::done(rows.to_text().and_all(lines), json)
}

/// The question, and how much the answer has.
fn head(question: &Question, answer: &Answer, rows: Rows) -> (Rows, Value) {
    match (question, answer) {
        (Question::Region(Region::Range(range)), Answer::Range(RangeAnswer { entries, resume })) => {
            let number = entries.len();
            let rows = rows.row("range", shown(range)).row("entries", count(number as u64));
            let rows = match resume {
                Some(next) => rows.row("not all", format!("more may follow, from {} on", display(next))),
                None => rows,
            };
            (rows, json!({ "entries": number, "next": resume.as_deref().map(encode) }))
        }
        (_, Answer::Keys(answers)) => {
            let present = answers.iter().filter(|answer| answer.value.is_some()).count();
            let (keys, absent) = (counted(answers.len() as u64, "key", "keys"), answers.len() - present);
            let rows = rows.row("asked for", format!("{keys}: {present} present, {absent} absent"));
            (rows, json!({ "keys": answers.len(), "present": present }))
        }
        _ => (rows, json!({})),
    }
}

/// A key with its value, or absent, as JSON.
pub fn answer_json(KeyAnswer { key, value }: &KeyAnswer) -> Value {
    let mut json = json!({ "key": encode(key) });
    merge(&mut json, presence_json(value.as_ref()));
    json
}

/// Whether a key is present, and its value if so, as JSON.
pub fn presence_json(value: Option<&Bytes>) -> Value {
    match value {
        Some(value) => json!({ "answer": "present", "value": encode(value) }),
        None => json!({ "answer": "absent" }),
    }
}

/// Adds fields to an object.
pub fn merge(object: &mut Value, fields: Value) {
    if let (Some(object), Value::Object(fields)) = (object.as_object_mut(), fields) {
        object.extend(fields);
    }
}

//! The answers in `vectors/tables.json`: the implementation judges each as the file says.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

use aardvark_aggregates::answer::json;
use aardvark_aggregates::{Certificates, Finding, KeyValue, Outcome, Query};
use aardvark_proof::{Class, commitments_json};
use differential_tests::vectors::file::File;
use differential_tests::vectors::proofs::tables::{FoundJson, GroupJson, TableCase, TableExpected};
use differential_tests::vectors::proofs::{ClassJson, RefusedJson, Trusted};

fn judged(trusted: &Trusted, case: &TableCase) -> TableExpected {
    let Trusted::Commitments(commitments) = trusted else { panic!("answers are judged under commitments") };
    let text = serde_json::to_vec(commitments).unwrap();
    let known = commitments_json::read(&text).unwrap();
    let scheme = known.verifier().unwrap();
    let trusted = known.trusted(&scheme).unwrap();
    let refused = |reason: String, class, item| TableExpected::Refused(RefusedJson { reason, class, item });
    let Ok(answer) = json::read(case.answer.as_bytes()) else {
        return refused("Unreadable".to_owned(), ClassJson::Malformed, None);
    };
    let query = Query::parse(&case.table, &case.query, &answer.claimed_schema().unwrap()).unwrap();
    match answer.verify(&query, &trusted, Certificates::Ignored) {
        Ok(outcome) => TableExpected::Found(found(&outcome)),
        Err(error) => {
            let class = match error.class() {
                Class::False => ClassJson::False,
                Class::Malformed => ClassJson::Malformed,
                _ => ClassJson::Other,
            };
            let item = match error.reason {
                aardvark_aggregates::TableReason::Dictionary(refusal) => refusal.item,
                _ => error.item,
            };
            refused(error.reason.name().to_owned(), class, item)
        }
    }
}

fn found(outcome: &Outcome) -> FoundJson {
    let Finding::Groups(groups) = &outcome.finding else { panic!("totals are groups") };
    let value = |value: &KeyValue| match value {
        KeyValue::Unsigned(number) => number.to_string(),
        KeyValue::Signed(number) => number.to_string(),
        KeyValue::Text(text) => text.clone(),
    };
    let group = |group: &aardvark_aggregates::GroupFinding| GroupJson {
        key: group.key.iter().map(value).collect(),
        rows: group.rows.to_string(),
        sums: group.sums.iter().map(ToString::to_string).collect(),
        value: group.value.as_ref().map(ToString::to_string),
    };
    FoundJson { runs: outcome.runs, groups: groups.iter().map(group).collect() }
}

#[test]
fn the_implementation_judges_every_answer_as_the_file_says() {
    let File { trusted, tests, .. } = File::<TableCase>::read("tables.json");
    assert!(tests.len() > 35);
    for test in tests {
        let case = &test.case;
        assert_eq!(judged(&trusted[&case.trusted], case), case.expected, "{}", test.comment);
    }
}

//! Answers about runs of several segments, and steps of such runs: with a known trapdoor the
//! specification makes the very opening that the implementation makes, and both judge honest and
//! changed answers and steps alike.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

#[path = "known_tau/mod.rs"]
mod setups;
#[path = "../../impl/aggregates/tests/scene/table.rs"]
#[allow(dead_code, reason = "each test uses some of it")]
mod table;
mod table_pair;

use aardvark_aggregates::{Answer, Segment};
use aardvark_dictionary::{Slot, Value};
use table::{Table, runs, schema};
use table_pair::Pair;

fn grown() -> Pair {
    let further: [(usize, usize, &[u64]); 4] =
        [(0, 4, &[180, 181, 182, 183, 200]), (0, 3, &[200]), (0, 3, &[201, 230, 250]), (4, 3, &[200, 210])];
    Pair::of(Table::grown(schema(), &runs(), &further))
}

/// Queries about one run, which take no comparison, or about totals; comparisons are in
/// `comparisons.rs`.
const TEXTS: [&str; 9] = [
    "sum(power)",
    "variance(power) where time >= 1 group by district",
    "count(power) where time = 1",
    "min(power) where time = 1 and district = -3",
    "max(power) where time = 1 and district = -3",
    "percentile_disc(power, 3/10) where time = 1 and district = -3",
    "rank(power, -20) where time = 1",
    "rank(power, 240) where time = 1 and district = -3",
    "max(power) where time = 300",
];

#[test]
fn answers_about_long_runs_are_opened_and_judged_as_the_specification_does() {
    let mut pair = grown();
    for text in TEXTS {
        let (query, answer) = (pair.table.query(text), pair.table.long_answer(text));
        if !answer.comparisons.is_empty() {
            continue;
        }
        pair.open(&query, &answer);
        assert!(pair.judge(&query, text, &answer), "{text}");
        let changed = |change: &dyn Fn(&mut Answer)| {
            let mut other = answer.clone();
            change(&mut other);
            if other != answer {
                assert!(!pair.judge(&query, text, &other), "{text}: {other:?}");
            }
        };
        changed(&|other| drop(other.segments.pop()));
        changed(&|other| other.segments.push(other.schema.clone()));
        changed(&|other| other.segments.extend(other.runs.first().cloned()));
        changed(&|other| other.segments.extend(other.segments.first().cloned()));
        changed(&|other| other.segments.reverse());
        let head = pair.table.heads()[0].clone();
        for segment in 1..=3 {
            changed(&|other| other.segments.push(pair.table.segment_claim(&head, segment)));
            changed(&|other| other.segments = vec![pair.table.segment_claim(&head, segment)]);
        }
        for i in 0..answer.segments.len() {
            changed(&|other| other.segments[i].opening = other.schema.opening);
            changed(&|other| other.segments[i].position += 1);
            let with = |other: &mut Answer, change: &dyn Fn(&mut Segment)| {
                let mut segment = Segment::from_bytes(&other.segments[i].slot.value, 2).unwrap();
                change(&mut segment);
                let slot = other.segments[i].slot.clone();
                other.segments[i].slot = Slot { value: Value::from(segment.to_bytes()), ..slot };
            };
            changed(&|other| with(other, &|segment| segment.rank += 1));
            changed(&|other| with(other, &|segment| segment.record.rows += 1));
            changed(&|other| with(other, &|segment| segment.record.rows = 0));
        }
        let splits = answer.cut.as_ref().map_or(0, |cut| cut.splits.len());
        for place in 0..splits {
            for split in 0..7 {
                changed(&|other| other.cut.as_mut().unwrap().splits[place] = split);
            }
            changed(&|other| {
                other.cut.as_mut().unwrap().splits.remove(place);
            });
        }
    }
}

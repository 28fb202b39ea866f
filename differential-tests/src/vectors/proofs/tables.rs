//! Answers about tables with their verdicts, on the Ethereum ceremony: totals, true ones and lies.
//!
//! What comes of a true answer is what plain integers add up to; what comes of a lie is stated
//! here, by hand.

mod case;
mod scene;

use std::collections::BTreeMap;

use aardvark_aggregates::answer::json;
use aardvark_aggregates::{Answer, Schema, TableKey};
use aardvark_dictionary::Value;
use num::{BigInt, BigRational, BigUint};

pub use self::case::{FoundJson, GroupJson, TableCase, TableExpected};
use self::scene::{RUNS, Run, Scene, TABLE, schema};
use super::maker::{is_false, is_malformed, is_other};
use super::{Expected, TrustedByName};
use crate::vectors::file::File;
use crate::vectors::flags::Flag;

/// What is trusted, by name.
const TRUSTED: &str = "tables/0/commitments";

/// What plain integers say of the runs that are chosen, group by group.
fn found(
    chosen: impl Fn(u64, &str) -> bool,
    group: impl Fn(u64, &str) -> Vec<String>,
    powers: u32,
    statistic: impl Fn(&[BigInt]) -> Option<BigRational>,
) -> TableExpected {
    let mut groups: BTreeMap<Vec<String>, Vec<i64>> = BTreeMap::new();
    if group(0, "").is_empty() {
        groups.insert(Vec::new(), Vec::new());
    }
    let runs: Vec<&Run> = RUNS.iter().filter(|(time, town, ..)| chosen(*time, town)).collect();
    for (time, town, _, _, rows) in &runs {
        groups.entry(group(*time, town)).or_default().extend(*rows);
    }
    let of_group = |(key, rows): (Vec<String>, Vec<i64>)| {
        let power = |p: u32| rows.iter().map(|row| BigInt::from(*row).pow(p)).sum::<BigInt>();
        let sums: Vec<BigInt> = (0..=powers).map(power).collect();
        let shown = if rows.is_empty() { &[] } else { &sums[1..] };
        GroupJson {
            key,
            rows: rows.len().to_string(),
            sums: shown.iter().map(BigInt::to_string).collect(),
            value: statistic(&sums).map(|value| value.to_string()),
        }
    };
    TableExpected::Found(FoundJson { runs: runs.len(), groups: groups.into_iter().map(of_group).collect() })
}

fn refused(expected: Expected) -> TableExpected {
    match expected {
        Expected::Refused(refused) => TableExpected::Refused(refused),
        Expected::Answer(_) => unreachable!("the lies are refused"),
    }
}

/// A mean, or none of no rows.
fn mean(sums: &[BigInt], power: usize) -> Option<BigRational> {
    (sums[0] != BigInt::from(0)).then(|| BigRational::new(sums[power].clone(), sums[0].clone()))
}

/// The file.
pub fn tables() -> File<TableCase> {
    let scene = Scene::new();
    let mut tests: Vec<(&str, Vec<Flag>, TableCase)> = Vec::new();
    let mut put = |comment, flags: &[Flag], query: &str, answer: String, expected| {
        let (trusted, table, query) = (TRUSTED.to_owned(), TABLE.to_owned(), query.to_owned());
        tests.push((comment, flags.to_vec(), TableCase { trusted, table, query, answer, expected }));
    };
    let written = |answer: &Answer| json::write_line(answer).expect("JSON");
    let nothing = |_: u64, _: &str| Vec::new();
    let sum = |sums: &[BigInt]| mean(sums, 1).map(|_| BigRational::from_integer(sums[1].clone()));
    let count = |sums: &[BigInt]| Some(BigRational::from_integer(sums[0].clone()));
    let variance = |sums: &[BigInt]| Some(mean(sums, 2)? - mean(sums, 1)? * mean(sums, 1)?);
    let holds = |query: &str| written(&scene.answer(query));

    let query = "sum(power)";
    put("a sum over everything", &[], query, holds(query), found(|_, _| true, nothing, 1, sum));
    let query = "count(power) where town = 'Bern'";
    put(
        "a count, which no opening shows",
        &[],
        query,
        holds(query),
        found(|_, town| town == "Bern", nothing, 0, count),
    );
    let query = "mean(power) where time between 100 and 101 group by town";
    let town = |_: u64, town: &str| vec![town.to_owned()];
    let expected = found(|time, _| time <= 101, town, 1, |sums| mean(sums, 1));
    put("means, which are fractions", &[], query, holds(query), expected);
    let query = "variance(power) where time >= 101 group by town, time";
    let both = |time: u64, town: &str| vec![town.to_owned(), time.to_string()];
    put(
        "variances of groups by two columns",
        &[],
        query,
        holds(query),
        found(|time, _| time >= 101, both, 2, variance),
    );
    let query = "moment(power, 2) where town in ('Chur', 'Basel') and time > 100";
    let expected = found(|time, town| time > 100 && town == "Chur", nothing, 2, |sums| mean(sums, 2));
    put("a second moment over a list", &[], query, holds(query), expected);
    let query = "stddev(power) where time < 100";
    put(
        "an empty box below all runs",
        &[Flag::NoClaims],
        query,
        holds(query),
        found(|_, _| false, nothing, 2, variance),
    );
    let query = "sum(power) where time in (102, 103) group by town";
    put("an empty box between runs has no groups", &[], query, holds(query), found(|_, _| false, town, 1, sum));
    let query = "sum(heat)";
    put("a column without runs", &[], query, holds(query), found(|_, _| false, nothing, 1, sum));

    // The first claim of its scan shows that there is nothing before its runs.
    let query = "sum(power) where time between 100 and 101";
    let honest = scene.answer(query);
    let mut lie = |comment, flags: &[Flag], expected: Expected, change: &dyn Fn(&mut Answer)| {
        let mut answer = honest.clone();
        change(&mut answer);
        put(comment, flags, query, written(&answer), refused(expected));
    };
    let one_more = |totals: &mut Vec<Vec<BigUint>>| totals[0][0] += 1u32;
    lie("a sum that is greater by one", &[Flag::OpeningUnchecked], is_false("OpeningFalse", None), &|answer| {
        one_more(&mut answer.totals);
    });
    lie("a sum above what its rows can have", &[Flag::Arithmetic], is_false("TotalsExceeded", None), &|answer| {
        answer.totals[0][0] = BigUint::from(7u32 * 205 + 1);
    });
    lie(
        "a sum that wraps around the order of the group",
        &[Flag::Arithmetic],
        is_false("TotalsExceeded", None),
        &|answer| {
            let order = "52435875175126190479447740508185965837690552500527637822603658699938581184513";
            answer.totals[0][0] += order.parse::<BigUint>().expect("a number");
        },
    );
    lie("no sum", &[], is_malformed("PartsMismatched", None), &|answer| answer.totals.clear());
    lie("a sum for each of two groups", &[], is_malformed("PartsMismatched", None), &|answer| {
        let again = answer.totals[0].clone();
        answer.totals.push(again);
    });
    lie("a sum of squares that nobody asked for", &[], is_malformed("PartsMismatched", None), &|answer| {
        answer.totals[0].push(BigUint::from(1u32));
    });
    lie("a run left out", &[Flag::EntrySkipped], is_false("ChainNotCovering", None), &|answer| {
        answer.runs.remove(1);
    });
    lie("all runs left out", &[Flag::NoClaims], is_false("ChainMissing", None), &|answer| answer.runs.clear());
    lie("the last slot left out", &[Flag::TruncatedRange], is_false("ChainMissing", None), &|answer| {
        answer.runs.pop();
    });
    lie("a run twice", &[Flag::SuperfluousClaim], is_false("ChainNotCovering", None), &|answer| {
        answer.runs.insert(2, answer.runs[1].clone());
    });
    lie("two runs in another order", &[Flag::ClaimsReordered], is_false("ChainNotCovering", None), &|answer| {
        answer.runs.swap(1, 2);
    });
    lie("a slot behind the end", &[Flag::SuperfluousClaim], is_false("ChainSuperfluous", None), &|answer| {
        answer.runs.push(answer.schema.clone());
    });
    lie("a head with a row less", &[Flag::OpeningUnchecked], is_false("AnswerOpeningFalse", 2), &|answer| {
        let mut head = answer.runs[1].slot.value.to_vec();
        head[16] = 1;
        head[21] = 1;
        answer.runs[1].slot.value = Value::from(head);
    });
    lie("a head of two segments", &[Flag::UnknownTag], is_malformed("RunMalformed", 0), &|answer| {
        let mut head = answer.runs[1].slot.value.to_vec();
        head[8] = 2;
        answer.runs[1].slot.value = Value::from(head);
    });
    lie("rows on the guard of their domain", &[], is_malformed("RunMalformed", 0), &|answer| {
        let mut head = answer.runs[1].slot.value.to_vec();
        head[19] = 4;
        answer.runs[1].slot.value = Value::from(head);
    });
    lie("another schema", &[Flag::OpeningUnchecked], is_false("AnswerOpeningFalse", 0), &|answer| {
        let changed = Schema { deletable: false, ..schema() };
        answer.schema.slot.value = Value::from(changed.to_bytes());
    });
    lie("the schema of another table", &[], is_other("SchemaMismatched"), &|answer| {
        answer.schema = scene.claim_covering(&TableKey::Schema { table: "others".to_owned() }.to_bytes());
    });
    lie("another table", &[], is_other("OtherTable"), &|answer| answer.table = "others".to_owned());
    lie("the answer to another query", &[], is_other("OtherQuery"), &|answer| {
        *answer = scene.answer("sum(power) where time = 100");
    });
    lie("the answer to another query under the name of this", &[], is_false("ChainMissing", None), &|answer| {
        *answer = scene.answer("sum(power) where time = 100");
        answer.query = query.to_owned();
    });
    lie("another version", &[Flag::StaleVersion], is_other("OtherVersion"), &|answer| answer.version = 1);
    lie("another dictionary", &[Flag::OtherDictionary], is_other("OtherDictionary"), &|answer| {
        answer.dictionary.0[0] ^= 1
    });
    lie("an opening whose parts are exchanged", &[], is_false("OpeningFalse", None), &|answer| {
        answer.opening.iter_mut().for_each(|opening| opening.rotate_left(48));
    });
    lie("an opening of infinity", &[Flag::IdentityPoint], is_false("OpeningFalse", None), &|answer| {
        let mut infinity = [0; 96];
        (infinity[0], infinity[48]) = (0xc0, 0xc0);
        answer.opening = Some(infinity);
    });
    lie(
        "an opening that is no point",
        &[Flag::NonCanonicalEncoding],
        is_malformed("OpeningMalformed", None),
        &|answer| {
            answer.opening.iter_mut().for_each(|opening| opening[48] = 0);
        },
    );
    lie("no opening", &[], is_malformed("PartsMismatched", None), &|answer| answer.opening = None);
    lie(
        "a claim of the dictionary with another's opening",
        &[Flag::OpeningUnchecked],
        is_false("AnswerOpeningFalse", 2),
        &|answer| {
            answer.runs[1].opening = answer.runs[0].opening;
        },
    );
    lie(
        "a claim of a position that is not in use",
        &[Flag::PositionBeyondSize],
        is_false("AnswerPositionOutOfRange", 1),
        &|answer| {
            answer.runs[0].position = 4000;
        },
    );
    let unreadable = || refused(is_malformed("Unreadable", None));
    let text = written(&honest);
    put("a text that ends early", &[Flag::Truncated], query, text[..text.len() - 2].to_owned(), unreadable());
    put("a field that answers have not", &[], query, text.replacen("\"version\"", "\"verison\"", 1), unreadable());
    put("a sum with a leading zero", &[], query, text.replacen("[[\"", "[[\"0", 1), unreadable());
    put("another format", &[Flag::UnknownTag], query, text.replacen("\"format\":1", "\"format\":2", 1), unreadable());

    let mut trusted = TrustedByName::new();
    trusted.insert(TRUSTED.to_owned(), scene.trusted());
    let about =
        "Answers about a table of private rows on the Ethereum ceremony, true ones and lies, and what comes of each.";
    let borrowed = tests.iter().map(|(comment, flags, case)| (*comment, flags.as_slice(), case.clone()));
    File { trusted, ..File::new("tables", about, borrowed.collect()) }
}

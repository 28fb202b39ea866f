//! Queries and answers of tables: with a known trapdoor the specification makes the very opening
//! that the implementation makes, and both judge honest and changed answers alike; boxes and scans
//! of both are the same.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

#[path = "known_tau/mod.rs"]
mod setups;
#[path = "../../impl/aggregates/tests/scene/table.rs"]
#[allow(dead_code, reason = "each test uses some of it")]
mod table;
mod table_pair;

use aardvark_aggregates::{Answer, Cut, CutEnd, ShownRow};
use aardvark_dictionary::Slot;
use aardvark_proof::scan::ChainFault;
use aardvark_spec::answer::scan::ChainFault as SpecFault;
use aardvark_spec::convert::{byte_string, byte_vec, key_map_pairs, to_seq};
use aardvark_spec::table::key_box::box_next;
use aardvark_spec::table::table_answer as spec;
use aardvark_spec::table::table_query::encode_table_query;
use aardvark_spec::table::table_scan::table_scan;
use num_bigint::BigUint;
use table_pair::{Pair, spec_query, spec_slot};

const TOTALS: [&str; 6] = [
    "count(power)",
    "sum(power) where time between 1 and 2",
    "variance(power) where time >= 2 group by district",
    "mean(power) where time in (1, 300) and kind < 'b' group by kind, time",
    "sum(power) where time = 3",
    "stddev(power) where district > 5",
];

#[test]
fn queries_have_the_same_bytes_and_boxes_and_scans_the_same_keys() {
    let pair = Pair::new();
    for text in TOTALS.iter().chain(&["rank(power, 3) where district in (-128, 0, 127)", "top(power, 3/6)"]) {
        let query = pair.table.query(text);
        let own = spec_query(&query);
        assert_eq!(byte_vec(&encode_table_query(&own)), query.to_bytes());
        let (key_box, specified) = (query.key_box(), spec::box_of_query(&own));
        let slots = &pair.table.slots;
        for slot in slots {
            let longer = [&*slot.key, &[0]].concat();
            for asked in [
                &*slot.key,
                &longer,
                slot.key.get(1..).unwrap_or_default(),
                slot.key.split_last().map_or(&[][..], |x| x.1),
            ] {
                let next = box_next(&specified, &byte_string(asked)).map(|key| byte_vec(&key));
                assert_eq!(next, key_box.next(asked), "{asked:?}");
            }
        }
        let claims = pair.table.ground(&query).runs;
        for (from, to) in [(0, claims.len()), (1, claims.len()), (0, claims.len().saturating_sub(1)), (0, 0)] {
            let chain: Vec<&Slot> = claims.get(from..to).unwrap_or_default().iter().map(|claim| &claim.slot).collect();
            let found = aardvark_aggregates::scan::runs_in_box(&key_box, chain.iter().copied());
            let specified = table_scan(&specified, &to_seq(chain.iter().map(|slot| spec_slot(slot)).collect()));
            match (found, specified) {
                (Ok(places), Ok(entries)) => {
                    let keys: Vec<Vec<u8>> = places.iter().map(|place| chain[*place].key.to_vec()).collect();
                    let entries = key_map_pairs(&entries).into_iter().map(|(key, _)| key);
                    assert_eq!(keys, entries.collect::<Vec<_>>());
                }
                (Err(ChainFault::NotCovering), Err(SpecFault::NotCovering))
                | (Err(ChainFault::SlotMissing), Err(SpecFault::SlotMissing))
                | (Err(ChainFault::SlotSuperfluous), Err(SpecFault::SlotSuperfluous)) => (),
                (found, specified) => panic!("{found:?} and {:?}", specified.map(|entries| entries.len())),
            }
        }
    }
}

#[test]
fn answers_are_opened_and_judged_as_the_specification_does() {
    let mut pair = Pair::new();
    for text in TOTALS {
        let (query, answer) = (pair.table.query(text), pair.table.answer(text));
        pair.open(&query, &answer);
        assert!(pair.judge(&query, text, &answer), "{text}");
        let changed = |change: &dyn Fn(&mut Answer)| {
            let mut other = answer.clone();
            change(&mut other);
            if other != answer {
                assert!(!pair.judge(&query, text, &other), "{text}: {other:?}");
            }
        };
        changed(&|other| other.version += 1);
        changed(&|other| other.dictionary.0[31] ^= 1);
        changed(&|other| other.opening = None);
        changed(&|other| other.opening = Some([0; 96]));
        changed(&|other| {
            other.opening = other.opening.map(|bytes| [&bytes[48..], &bytes[..48]].concat().try_into().unwrap())
        });
        changed(&|other| drop(other.totals.pop()));
        changed(&|other| other.totals.reverse());
        changed(&|other| other.totals.iter_mut().for_each(|group| drop(group.pop())));
        changed(&|other| other.totals.iter_mut().flatten().for_each(|total| *total += 1u32));
        changed(&|other| other.totals.iter_mut().flatten().for_each(|total| *total = BigUint::from(1u32) << 250));
        changed(&|other| other.schema = other.runs[0].clone());
        changed(&|other| other.schema.position += 1);
        changed(&|other| other.schema.position = 1000);
        changed(&|other| other.schema.opening = other.runs[0].opening);
        for i in 0..answer.runs.len() {
            changed(&|other| drop(other.runs.remove(i)));
            changed(&|other| other.runs.insert(i, other.runs[i].clone()));
            changed(&|other| other.runs[i].opening = other.schema.opening);
            changed(&|other| other.runs[i].opening = [0; 48]);
            changed(&|other| other.runs[i].slot.next = other.schema.slot.key.clone());
            changed(&|other| other.runs[i].slot.value = other.schema.slot.value.clone());
            changed(&|other| other.runs[i].slot.value = "".into());
        }
    }
}

/// Queries about order that need no comparison, since they are of one run, of no row, or of a
/// number beyond all that there can be. What comparisons claim is compared in `comparisons.rs`.
const ORDER: [&str; 6] = [
    "min(power) where time = 300",
    "median(power) where district = 5 and kind = 'ab' and time = 2",
    "percentile_cont(power, 1/3) where district = 5 and kind = 'ab' and time = 2",
    "max(power) where time = 3",
    "rank(power, 9999)",
    "rank(power, -21)",
];

#[test]
fn cuts_are_opened_and_judged_as_the_specification_does() {
    let mut pair = Pair::new();
    for text in ORDER {
        let (query, answer) = (pair.table.query(text), pair.table.answer(text));
        assert!(answer.comparisons.is_empty(), "{text}");
        pair.open(&query, &answer);
        assert!(pair.judge(&query, text, &answer), "{text}");
        let changed = |change: &dyn Fn(&mut Answer)| {
            let mut other = answer.clone();
            change(&mut other);
            if other != answer {
                assert!(!pair.judge(&query, text, &other), "{text}: {other:?}");
            }
        };
        let low = |other: &mut Answer, change: &dyn Fn(&mut CutEnd)| {
            other.cut.iter_mut().flat_map(|cut| &mut cut.low).for_each(change);
        };
        changed(&|other| other.opening = None);
        changed(&|other| other.opening = Some([0; 96]));
        changed(&|other| other.cut = None);
        changed(&|other| other.cut = Some(Cut { splits: vec![1], low: None, high: None }));
        changed(&|other| other.comparisons.push(vec![1, 2, 3]));
        changed(&|other| other.totals.push(vec![BigUint::from(1u32)]));
        changed(&|other| other.cut.iter_mut().flat_map(|cut| &mut cut.splits).for_each(|split| *split += 1));
        changed(&|other| other.cut.iter_mut().for_each(|cut| cut.splits.push(0)));
        changed(&|other| other.cut.iter_mut().for_each(|cut| cut.low = cut.high));
        changed(&|other| other.cut.iter_mut().for_each(|cut| cut.high = cut.low));
        changed(&|other| low(other, &|end| end.run += 1));
        changed(&|other| low(other, &|end| end.value += 1));
        changed(&|other| low(other, &|end| end.value = 251));
    }
}

#[test]
fn rows_are_opened_and_judged_as_the_specification_does() {
    let mut pair = Pair::new();
    let text = "row(power) where time <= 2";
    for (run, row) in [(0, 1), (1, 0), (4, 4)] {
        let (query, answer) = (pair.table.query(text), pair.table.row_answer(text, run, row));
        pair.open(&query, &answer);
        assert!(pair.judge(&query, text, &answer));
        let changed = |change: &dyn Fn(&mut Answer, &mut ShownRow)| {
            let mut other = answer.clone();
            let mut shown = other.row.clone().unwrap();
            change(&mut other, &mut shown);
            other.row = other.row.map(|_| shown);
            assert!(!pair.judge(&query, text, &other), "{other:?}");
        };
        changed(&|_, row| row.position += 1);
        changed(&|_, row| row.position = 0);
        changed(&|_, row| row.value += 1);
        changed(&|_, row| row.value = 251);
        changed(&|_, row| row.salt[0] ^= 1);
        changed(&|_, row| row.texts[1].push('x'));
        changed(&|_, row| row.texts.push(String::new()));
        changed(&|_, row| row.path.push([1; 32]));
        changed(&|other, _| other.row = None);
        changed(&|other, _| other.opening = None);
        changed(&|other, _| other.comparisons.push(Vec::new()));
        changed(&|other, _| other.totals = vec![vec![BigUint::from(1u32)]]);
        changed(&|other, _| other.runs.push(other.schema.clone()));
        changed(&|other, _| other.runs[0] = other.schema.clone());
        changed(&|other, _| other.runs.clear());
    }
}

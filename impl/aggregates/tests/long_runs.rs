//! Answers about runs of several segments: results beside those of the rows sorted, what is shown,
//! and what is refused.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

#[path = "scene/setups.rs"]
mod setups;
#[path = "scene/table.rs"]
#[allow(dead_code, reason = "each test uses some of it")]
mod table;

use aardvark_aggregates::answer::json;
use aardvark_aggregates::{Answer, Finding, Segment, TableReason};
use aardvark_dictionary::{Claim, Slot, Value};
use num::{BigInt, BigRational};
use table::{Table, runs, schema};

/// Runs 0 and 4 of the scene have further segments, of other domains than the first.
fn grown() -> Table {
    let further: [(usize, usize, &[u64]); 5] = [
        (0, 4, &[180, 181, 182, 183, 200]),
        (0, 3, &[200]),
        (0, 3, &[201, 230, 250]),
        (4, 3, &[200, 210]),
        (4, 3, &[249, 250, 250]),
    ];
    Table::grown(schema(), &runs(), &further)
}

/// All numbers of the runs at these places, sorted.
fn sorted(table: &Table, places: &[usize]) -> Vec<u64> {
    let heads: Vec<_> = table.heads();
    let mut numbers: Vec<u64> = places
        .iter()
        .flat_map(|place| table.all_segments(&heads[*place]))
        .flat_map(|(_, segment)| segment.numbers)
        .collect();
    numbers.sort_unstable();
    numbers
}

fn order_of(table: &Table, text: &str) -> (u64, Option<BigRational>, usize) {
    let answer = table.long_answer(text);
    let read = json::read(json::write(&answer).unwrap().as_bytes()).unwrap();
    assert_eq!(read, answer);
    let outcome = table.verdict(text, &answer).unwrap_or_else(|error| panic!("{text}: {error}"));
    match outcome.finding {
        Finding::Order(found) => (found.rows, found.value, answer.segments.len()),
        other => panic!("{other:?}"),
    }
}

const ALL: [usize; 6] = [0, 1, 2, 3, 4, 5];

#[test]
fn statistics_of_long_runs_are_those_of_the_rows_sorted() {
    let table = grown();
    for (condition, places) in
        [("", &ALL[..]), (" where time = 1 and district = -3", &[0]), (" where time = 2", &[2, 3, 4])]
    {
        let rows = sorted(&table, places);
        let lowest = table.schema.values[0].lowest;
        let n = rows.len() as u64;
        for k in [0, 1, 3, 7, 9, 12, 17, 19, 20] {
            let rank = (n * k).div_ceil(20).max(1) as usize;
            let (found, value, shown) = order_of(&table, &format!("percentile_disc(power, {k}/20){condition}"));
            let expected = BigInt::from(lowest) + rows[rank - 1];
            assert_eq!((found, value), (n, Some(BigRational::from_integer(expected))), "{k}/20{condition}");
            assert!(shown <= 2 * 2, "{shown}");
            let (_, value, _) = order_of(&table, &format!("percentile_cont(power, {k}/20){condition}"));
            let (h, rest) = ((n - 1) * k / 20, (n - 1) * k % 20);
            let (low, high) = (rows[h as usize], rows[(h as usize + 1).min(rows.len() - 1)]);
            let part = BigRational::new(BigInt::from(rest), BigInt::from(20));
            let step = BigRational::from_integer(BigInt::from(high) - BigInt::from(low));
            let expected = BigRational::from_integer(BigInt::from(lowest) + low) + part * step;
            assert_eq!(value, Some(expected), "{k}/20{condition}");
        }
        for number in (0..=252).step_by(7).chain([180, 200, 249, 250, 251]) {
            let text = format!("rank(power, {}){condition}", i64::try_from(number).unwrap() + lowest);
            let answer = table.long_answer(&text);
            let Finding::Rank(found) = table.verdict(&text, &answer).unwrap().finding else { panic!() };
            let below = rows.iter().filter(|row| **row < number).count() as u64;
            assert_eq!((found.rows, found.below), (n, below), "{text}");
        }
        let text = format!("variance(power){condition}");
        let answer = table.long_answer(&text);
        assert!(answer.segments.is_empty());
        let Finding::Groups(groups) = table.verdict(&text, &answer).unwrap().finding else { panic!() };
        let sum = |power: u32| rows.iter().map(|row| (BigInt::from(lowest) + row).pow(power)).sum::<BigInt>();
        assert_eq!((groups[0].rows, &groups[0].sums), (n, &vec![sum(1), sum(2)]));
    }
}

#[test]
fn forgery_b_segments_that_are_not_the_run_s_are_refused() {
    let table = grown();
    let text = "median(power)";
    let honest = table.long_answer(text);
    assert!(table.verdict(text, &honest).is_ok());
    assert!(!honest.segments.is_empty());
    let refused = |change: &dyn Fn(&mut Answer)| {
        let mut other = honest.clone();
        change(&mut other);
        table.verdict(text, &other).unwrap_err().reason
    };
    // One left out, one twice, one that is no segment, one of another table's key.
    assert!(matches!(refused(&|other| drop(other.segments.pop())), TableReason::CutFalse | TableReason::RunMalformed));
    assert_eq!(refused(&|other| other.segments.push(other.segments[0].clone())), TableReason::RunMalformed);
    assert_eq!(refused(&|other| other.segments[0] = other.runs[0].clone()), TableReason::RunMalformed);
    assert_eq!(refused(&|other| other.segments[0] = other.schema.clone()), TableReason::RunMalformed);
    // A segment that says another rank, or other rows: its claim is false.
    let changed = |claim: &Claim, change: &dyn Fn(&mut Segment)| {
        let mut segment = Segment::from_bytes(&claim.slot.value, 2).unwrap();
        change(&mut segment);
        Claim { slot: Slot { value: Value::from(segment.to_bytes()), ..claim.slot.clone() }, ..claim.clone() }
    };
    for change in [
        &(|segment: &mut Segment| segment.rank += 1) as &dyn Fn(&mut Segment),
        &|segment| segment.rank = u64::MAX,
        &|segment| segment.record.rows += 1,
        &|segment| segment.record.rows = 0,
        &|segment| segment.record.log = 40,
    ] {
        let reason = refused(&|other| other.segments[0] = changed(&other.segments[0], change));
        assert_ne!(reason, TableReason::PartsMismatched);
    }
    // Totals and rows of one run show no segments that they do not use.
    let text = "sum(power)";
    let totals = Answer { segments: honest.segments.clone(), ..table.long_answer(text) };
    assert_eq!(table.verdict(text, &totals).unwrap_err().reason, TableReason::PartsMismatched);
}

#[test]
fn forgery_g_rows_that_are_not_shown_cannot_change_sides() {
    let table = grown();
    let text = "percentile_disc(power, 1/2) where time = 1 and district = -3";
    let honest = table.long_answer(text);
    let splits = honest.cut.clone().unwrap().splits;
    assert!(table.verdict(text, &honest).is_ok());
    for (place, honest_split) in splits.iter().enumerate() {
        for split in 0..8u64 {
            let mut other = honest.clone();
            other.cut.as_mut().unwrap().splits[place] = split;
            let verdict = table.verdict(text, &other);
            assert_eq!(verdict.is_ok(), split == *honest_split, "{place}: {split}");
        }
    }
}

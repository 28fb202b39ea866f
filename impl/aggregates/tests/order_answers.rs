//! Queries about the order of a small table's rows, answered, verified and forged: each against the
//! rows sorted, ties, one row and no row included.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

#[path = "scene/setups.rs"]
mod setups;
#[path = "scene/table.rs"]
#[allow(dead_code, reason = "each test uses some of it")]
mod table;

use aardvark_aggregates::answer::json;
use aardvark_aggregates::{Answer, AnswerError, Certificates, Cut, CutEnd, Finding, Query, TableReason};
use num::{BigInt, BigRational};
use table::{Table, runs, schema};

/// The numbers of runs whose time is at most this, sorted; all lie 20 below what is committed to.
fn sorted(time: u64) -> Vec<i64> {
    let at_most = |run: &&table::Run| run.key[0] <= aardvark_aggregates::KeyValue::Unsigned(time);
    let own = |number: u64| i64::try_from(number).unwrap() - 20;
    let mut all: Vec<i64> = runs().iter().filter(at_most).flat_map(|run| run.numbers.clone()).map(own).collect();
    all.sort_unstable();
    all
}

fn ratio(over: i64, under: i64) -> BigRational {
    BigRational::new(BigInt::from(over), BigInt::from(under))
}

fn value(table: &Table, text: &str) -> Option<BigRational> {
    let answer = table.answer(text);
    let read = json::read(json::write(&answer).unwrap().as_bytes()).unwrap();
    assert_eq!(read, answer, "{text}");
    match table.verdict(text, &answer).unwrap().finding {
        Finding::Order(found) => found.value,
        found => panic!("{text}: {found:?}"),
    }
}

#[test]
fn order_statistics_are_those_of_the_sorted_rows() {
    let table = Table::new(schema(), &runs());
    for time in [1, 2, 300] {
        let all = sorted(time);
        let n = all.len() as i64;
        let at = |rank: i64| Some(ratio(all[rank as usize - 1], 1));
        let asked = |function: &str| value(&table, &format!("{function} where time <= {time}"));
        assert_eq!(asked("min(power)"), at(1));
        assert_eq!(asked("max(power)"), at(n));
        let half = (all[(n as usize - 1) / 2] + all[n as usize / 2], 2);
        assert_eq!(asked("median(power)"), Some(ratio(half.0, half.1)));
        for (k, q) in [(0, 1), (1, 20), (1, 3), (1, 2), (19, 20), (1, 1)] {
            let share = (1..=n).find(|j| j * q >= n * k).unwrap();
            assert_eq!(asked(&format!("percentile_disc(power, {k}/{q})")), at(share), "{k}/{q}");
            assert_eq!(asked(&format!("top(power, {k}/{q})")), at(n - share + 1), "{k}/{q}");
            let (whole, rest) = ((n - 1) * k / q, (n - 1) * k % q);
            let low = all[whole as usize];
            let high = all[(whole as usize + 1).min(all.len() - 1)];
            let expected = ratio(low, 1) + ratio(rest, q) * ratio(high - low, 1);
            assert_eq!(asked(&format!("percentile_cont(power, {k}/{q})")), Some(expected), "{k}/{q}");
        }
    }
}

#[test]
fn ranks_count_the_rows_below_a_number() {
    let table = Table::new(schema(), &runs());
    for number in [-1000, -20, -19, -17, 0, 80, 230, 231, 1000] {
        let text = format!("rank(power, {number})");
        let answer = table.answer(&text);
        let Finding::Rank(found) = table.verdict(&text, &answer).unwrap().finding else { panic!("a rank") };
        let below = sorted(300).iter().filter(|other| **other < number).count();
        assert_eq!((found.rows, found.below), (13, below as u64), "{number}");
    }
}

#[test]
fn of_an_empty_box_and_of_one_row_there_is_no_comparison() {
    let table = Table::new(schema(), &runs());
    for function in ["min(power)", "median(power)", "percentile_cont(power, 1/3)"] {
        let text = format!("{function} where time = 3");
        let answer = table.answer(&text);
        assert!(answer.cut.is_none() && answer.opening.is_none() && answer.comparisons.is_empty());
        assert_eq!(value(&table, &text), None);
        let one = format!("{function} where time = 300");
        assert!(table.answer(&one).comparisons.is_empty());
        assert_eq!(value(&table, &one), Some(ratio(80, 1)));
    }
}

#[test]
fn forgery_g_answers_about_another_rank_are_refused() {
    let table = Table::new(schema(), &runs());
    let text = "percentile_disc(power, 1/20)";
    let answer = table.answer(text);
    assert!(table.verdict(text, &answer).is_ok());
    let refused = |change: &dyn Fn(&mut Answer, &mut Cut)| -> AnswerError {
        let mut changed = answer.clone();
        let mut cut = changed.cut.take().unwrap();
        change(&mut changed, &mut cut);
        changed.cut = Some(cut);
        table.verdict(text, &changed).unwrap_err()
    };
    let reason = |change: &dyn Fn(&mut Answer, &mut Cut)| refused(change).reason;
    // The next rank's answer: its cut is not one that is asked for.
    let max = table.answer("max(power)");
    assert_eq!(reason(&|_, cut| *cut = max.cut.clone().unwrap()), TableReason::CutFalse);
    assert_eq!(reason(&|_, cut| cut.splits[0] += 1), TableReason::CutFalse);
    assert_eq!(reason(&|_, cut| cut.splits.push(0)), TableReason::CutFalse);
    assert_eq!(reason(&|_, cut| cut.low = None), TableReason::CutFalse);
    assert_eq!(reason(&|_, cut| cut.high = cut.low), TableReason::CutFalse);
    assert_eq!(reason(&|_, cut| cut.low = cut.low.map(|end| CutEnd { value: 251, ..end })), TableReason::CutFalse);
    assert_eq!(
        reason(&|_, cut| cut.low = cut.low.map(|end| CutEnd { value: end.value + 1, ..end })),
        TableReason::OpeningFalse
    );
    assert_eq!(reason(&|answer, _| answer.comparisons.clear()), TableReason::PartsMismatched);
    assert_eq!(reason(&|answer, _| answer.comparisons[0].truncate(5)), TableReason::ComparisonMalformed);
    assert_eq!(reason(&|answer, _| answer.comparisons = max.comparisons.clone()), TableReason::OpeningFalse);
    assert_eq!(reason(&|answer, _| answer.totals = vec![vec![]]), TableReason::PartsMismatched);
    // An answer without a cut, and a cut where totals are asked for.
    let without = Answer { cut: None, ..answer.clone() };
    assert_eq!(table.verdict(text, &without).unwrap_err().reason, TableReason::PartsMismatched);
    let with = Answer { cut: answer.cut.clone(), ..table.answer("sum(power)") };
    assert_eq!(table.verdict("sum(power)", &with).unwrap_err().reason, TableReason::PartsMismatched);
    let with = Answer { comparisons: answer.comparisons.clone(), ..table.answer("sum(power)") };
    assert_eq!(table.verdict("sum(power)", &with).unwrap_err().reason, TableReason::PartsMismatched);
    // Another query of the same function.
    let other: Query = table.query("percentile_disc(power, 1/10)");
    let said = answer.verify(&other, &table.trusted(), Certificates::Ignored);
    assert_eq!(said.unwrap_err().reason, TableReason::OtherQuery);
}

#[test]
fn order_statistics_rest_on_certificates_where_these_are_asked_for() {
    let table = Table::new(schema(), &runs());
    let text = "median(power)";
    let answer = table.answer(text);
    let certified = Answer { certificates: table.certificates(), ..answer.clone() };
    assert!(table.certified_verdict(text, &certified).is_ok());
    assert_eq!(table.certified_verdict(text, &answer).unwrap_err().reason, TableReason::CertificateMissing);
}

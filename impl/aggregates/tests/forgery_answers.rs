//! The forgeries that the published artifact of *TAP* lets through, against answers: each beside
//! its honest case. The letters are those of docs/tables.md, "Forgeries".
#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

#[path = "scene/setups.rs"]
mod setups;
#[path = "scene/table.rs"]
#[allow(dead_code, reason = "each test uses some of it")]
mod table;

use aardvark_aggregates::{Answer, Head, TableReason};
use aardvark_commitment::Commitment;
use aardvark_dictionary::Value;
use aardvark_proof::Reason;
use num::BigUint;
use table::{Table, runs, schema};

const SUM: &str = "variance(power) where time between 1 and 2";

fn table() -> Table {
    Table::new(schema(), &runs())
}

/// Why a changed answer is refused.
fn reason(table: &Table, text: &str, answer: &Answer, change: impl Fn(&mut Answer)) -> TableReason {
    assert!(table.verdict(text, answer).is_ok());
    let mut other = answer.clone();
    change(&mut other);
    table.verdict(text, &other).unwrap_err().reason
}

/// The places of the claims that are heads; the others show gaps.
fn heads(answer: &Answer) -> Vec<usize> {
    (0..answer.runs.len()).filter(|i| answer.runs[*i].slot.value.len() == 198).collect()
}

fn is_dictionary(found: TableReason, wanted: Reason) -> bool {
    matches!(found, TableReason::Dictionary(refusal) if refusal.reason == wanted)
}

#[test]
fn forgery_a_a_total_revision_count_or_commitment_that_was_changed_is_refused() {
    let table = table();
    let answer = table.answer(SUM);
    for p in 0..2 {
        for step in [1u32, 256] {
            let raised = reason(&table, SUM, &answer, |other| other.totals[0][p] += step);
            assert_eq!(raised, TableReason::OpeningFalse);
            let lowered = reason(&table, SUM, &answer, |other| other.totals[0][p] -= step);
            assert_eq!(lowered, TableReason::OpeningFalse);
        }
    }
    // What lies above the bound of all rows is refused before anything is opened, r + S included.
    let exceeded = reason(&table, SUM, &answer, |other| other.totals[0][0] = BigUint::from(12u32 * 250 + 1));
    assert_eq!(exceeded, TableReason::TotalsExceeded);
    let r: BigUint = "52435875175126190479447740508185965837690552500527637822603658699938581184513".parse().unwrap();
    assert_eq!(reason(&table, SUM, &answer, |other| other.totals[0][0] += &r), TableReason::TotalsExceeded);
    // Values of a head: what stands in the dictionary is another scalar.
    let heads = heads(&answer);
    assert_eq!(heads.len(), 5);
    for i in heads.iter().copied() {
        // Revision, rows, first position, row root, a commitment.
        for at in [4, 16, 19, 80, 197] {
            let changed = reason(&table, SUM, &answer, |other| {
                let mut value = other.runs[i].slot.value.to_vec();
                value[at] ^= 1;
                other.runs[i].slot.value = Value::from(value);
            });
            let malformed = changed == TableReason::RunMalformed;
            assert!(malformed || is_dictionary(changed, Reason::AnswerOpeningFalse), "{changed:?}");
        }
    }
    // Head and total moved together: the sums' commitment plus one generator, S + 1.
    let moved = reason(&table, SUM, &answer, |other| {
        let slot = &mut other.runs[heads[0]].slot;
        let mut head = Head::from_bytes(&slot.value, 2).unwrap();
        let point = aardvark_algebra::G1Projective::from(head.record.sums[0].point())
            + <aardvark_algebra::G1Affine as aardvark_algebra::group::prime::PrimeCurveAffine>::generator();
        head.record.sums[0] = Commitment::from_point_unchecked(aardvark_algebra::G1Affine::from(point));
        slot.value = Value::from(head.to_bytes());
        other.totals[0][0] += 1u32;
    });
    assert!(is_dictionary(moved, Reason::AnswerOpeningFalse), "{moved:?}");
}

#[test]
fn forgery_a_an_opening_of_another_answer_is_refused() {
    let table = table();
    let answer = table.answer(SUM);
    let other = table.answer("variance(power) where time = 1");
    assert_eq!(reason(&table, SUM, &answer, |changed| changed.opening = other.opening), TableReason::OpeningFalse);
    let missing = reason(&table, SUM, &answer, |changed| changed.opening = None);
    assert_eq!(missing, TableReason::PartsMismatched);
    let flipped = reason(&table, SUM, &answer, |changed| {
        changed.opening = changed.opening.map(|mut bytes| {
            bytes[0] ^= 0x80;
            bytes
        });
    });
    assert_eq!(flipped, TableReason::OpeningMalformed);
    // Nothing is claimed of an empty box, so nothing is opened.
    let empty = "sum(power) where time = 3";
    let nothing = table.answer(empty);
    let superfluous = reason(&table, empty, &nothing, |changed| changed.opening = answer.opening);
    assert_eq!(superfluous, TableReason::PartsMismatched);
    let fewer = reason(&table, SUM, &answer, |changed| drop(changed.totals[0].pop()));
    assert_eq!(fewer, TableReason::PartsMismatched);
}

#[test]
fn forgery_b_a_run_that_is_left_out_is_missed() {
    let table = table();
    for text in [SUM, "sum(power)", "count(power) where district = 5"] {
        let answer = table.answer(text);
        for i in 0..answer.runs.len() {
            let left_out = reason(&table, text, &answer, |other| drop(other.runs.remove(i)));
            let chain =
                is_dictionary(left_out, Reason::ChainNotCovering) || is_dictionary(left_out, Reason::ChainMissing);
            assert!(chain, "{left_out:?}");
            let twice = reason(&table, text, &answer, |other| other.runs.insert(i, answer.runs[i].clone()));
            assert!(
                is_dictionary(twice, Reason::ChainNotCovering) || is_dictionary(twice, Reason::ChainSuperfluous),
                "{twice:?}"
            );
        }
        let none = reason(&table, text, &answer, |other| {
            other.runs.clear();
            other.totals.clear();
            other.opening = None;
        });
        assert!(is_dictionary(none, Reason::ChainMissing), "{none:?}");
    }
    // A slot that says that the group does not exist, by a next key beyond it.
    let answer = table.answer("count(power) where time = 300");
    let skipped = reason(&table, "count(power) where time = 300", &answer, |other| {
        let slot = &mut other.runs[0].slot;
        slot.next = slot.key.clone();
        slot.key = table.slots[0].key.clone();
        slot.value = table.slots[0].value.clone();
    });
    assert!(is_dictionary(skipped, Reason::ChainNotCovering), "{skipped:?}");
}

#[test]
fn forgery_b_a_record_without_rows_is_no_run() {
    // Such heads stand in the dictionary itself, whoever let them in.
    let changes: [fn(&mut Head); 6] = [
        |head| head.record.rows = 0,
        |head| head.record.first = 0,
        |head| head.record.log = 2,
        |head| head.record.log = 12,
        |head| head.record.rows = 14,
        |head| head.record.first = u16::MAX,
    ];
    for change in changes {
        let mut table = table();
        let text = "sum(power) where time = 300";
        let answer = table.answer(text);
        let run = answer.runs[heads(&answer)[0]].slot.key.clone();
        let slot = table.slots.iter_mut().find(|slot| slot.key == run).unwrap();
        let mut head = Head::from_bytes(&slot.value, 2).unwrap();
        change(&mut head);
        slot.value = Value::from(head.to_bytes());
        table.commit();
        let ground = table.ground(&table.query(text));
        let other = Answer { runs: ground.runs, schema: ground.schema, ..answer };
        assert_eq!(table.verdict(text, &other).unwrap_err().reason, TableReason::RunMalformed);
    }
}

#[test]
fn forgery_c_a_value_position_or_text_that_is_not_the_row_s_is_refused() {
    let table = table();
    let text = "row(power)";
    for (run, row) in [(0, 0), (0, 2), (4, 1)] {
        let answer = table.row_answer(text, run, row);
        let refused = |change: &dyn Fn(&mut aardvark_aggregates::ShownRow)| {
            reason(&table, text, &answer, |other| change(other.row.as_mut().unwrap()))
        };
        // A value that was never stored.
        assert_eq!(refused(&|shown| shown.value += 1), TableReason::OpeningFalse);
        assert_eq!(refused(&|shown| shown.value = 251), TableReason::RowFalse);
        // Texts, salts and paths that are not this row's.
        assert_eq!(refused(&|shown| shown.texts[0].push('x')), TableReason::RowFalse);
        assert_eq!(refused(&|shown| shown.texts.swap(0, 1)), TableReason::RowFalse);
        assert_eq!(refused(&|shown| drop(shown.texts.pop())), TableReason::PartsMismatched);
        assert_eq!(refused(&|shown| shown.salt[3] ^= 1), TableReason::RowFalse);
        assert_eq!(refused(&|shown| shown.path[0][0] ^= 1), TableReason::RowFalse);
        assert_eq!(refused(&|shown| shown.path.push([0; 32])), TableReason::RowFalse);
        assert_eq!(refused(&|shown| shown.path.truncate(shown.path.len() - 1)), TableReason::RowFalse);
        // Positions that hold no row of the run: origin, gap, guard, masks, beyond.
        for position in [0, 6, 13, 14, 15, 16, u16::MAX] {
            assert_eq!(refused(&|shown| shown.position = position), TableReason::RowFalse);
        }
    }
}

#[test]
fn forgery_c_a_row_of_another_owner_run_or_position_is_refused() {
    let table = table();
    let text = "row(power)";
    // The row's own texts at another row's position, with that row's value and path.
    let (mine, other) = (table.row_answer(text, 4, 1), table.row_answer(text, 4, 2));
    let moved = reason(&table, text, &mine, |changed| {
        let shown = other.row.clone().unwrap();
        let own = changed.row.as_mut().unwrap();
        (own.position, own.value, own.path) = (shown.position, shown.value, shown.path);
    });
    assert_eq!(moved, TableReason::RowFalse);
    // The other row's position and value, the own text with the own path.
    let moved = reason(&table, text, &mine, |changed| changed.row.as_mut().unwrap().position += 1);
    assert_eq!(moved, TableReason::RowFalse);
    // The run of the one, the row of the other.
    let elsewhere = table.row_answer(text, 0, 1);
    let run = reason(&table, text, &mine, |changed| changed.runs = elsewhere.runs.clone());
    assert_eq!(run, TableReason::RowFalse);
    // No row, or two runs.
    assert_eq!(reason(&table, text, &mine, |changed| changed.row = None), TableReason::PartsMismatched);
    let both = reason(&table, text, &mine, |changed| changed.runs.push(elsewhere.runs[0].clone()));
    assert!(is_dictionary(both, Reason::ChainSuperfluous), "{both:?}");
    // A run that is not where the owner asks.
    let there = "row(power) where time = 2 and district = 5";
    let answer = table.row_answer(there, 4, 1);
    let outside = reason(&table, there, &answer, |changed| changed.runs = elsewhere.runs.clone());
    assert!(is_dictionary(outside, Reason::ChainNotCovering), "{outside:?}");
    // A row in an answer that is not for one.
    let sum = table.answer(SUM);
    let superfluous = reason(&table, SUM, &sum, |changed| changed.row = mine.row.clone());
    assert_eq!(superfluous, TableReason::PartsMismatched);
}

#[test]
fn forgery_h_commitments_of_another_version_are_refused_and_first_and_last_keys_are_in_the_box() {
    let table = table();
    let answer = table.answer(SUM);
    let mut later = Table::new(schema(), &runs()[1..]);
    later.version = 13;
    let mut replayed = answer.clone();
    replayed.version = 13;
    let refusal = later.verdict(SUM, &replayed).unwrap_err();
    assert!(refusal.is_proof_invalid());
    assert!(is_dictionary(refusal.reason, Reason::AnswerOpeningFalse), "{refusal}");
    // The least and the greatest key that the columns' types have.
    let ends = [
        table::Run { key: table::key(0, -128, ""), run: 0, numbers: vec![1], log: 3 },
        table::Run { key: table::key(65_535, 127, "\u{7f}\u{7f}\u{7f}"), run: u32::MAX, numbers: vec![2, 2], log: 3 },
    ];
    let table = Table::new(schema(), &ends);
    let rows = |text: &str| {
        let answer = table.answer(text);
        let found = table.verdict(text, &answer).unwrap().finding;
        let aardvark_aggregates::Finding::Groups(groups) = found else { panic!("groups") };
        groups[0].rows
    };
    assert_eq!(rows("count(power)"), 3);
    assert_eq!(rows("count(power) where time <= 0"), 1);
    assert_eq!(rows("count(power) where time > 0"), 2);
    assert_eq!(rows("count(power) where time >= 65535 and district = 127"), 2);
    assert_eq!(rows("count(power) where time < 65535"), 1);
    assert_eq!(rows("count(power) where district = -128 and kind = ''"), 1);
    assert_eq!(rows("count(power) where time between 1 and 65534"), 0);
}

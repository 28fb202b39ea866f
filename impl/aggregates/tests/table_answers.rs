//! Queries of a small table, answered and verified; boxes and scans against slow twins.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

#[path = "scene/setups.rs"]
mod setups;
#[path = "scene/table.rs"]
#[allow(dead_code, reason = "each test uses some of it")]
mod table;

use std::collections::BTreeSet;

use aardvark_aggregates::answer::json;
use aardvark_aggregates::key_box::{ColumnBox, Interval, KeyBox};
use aardvark_aggregates::scan::runs_in_box;
use aardvark_aggregates::{Finding, GroupFinding, KeyValue, Query, TableReason};
use aardvark_dictionary::{Key, Slot};
use aardvark_proof::scan::ChainFault;
use num::{BigInt, BigRational};
use table::{Table, key, runs, schema};

fn groups(table: &Table, text: &str) -> Vec<GroupFinding> {
    let answer = table.answer(text);
    let Finding::Groups(groups) = table.verdict(text, &answer).unwrap().finding else { panic!("groups") };
    groups
}

fn value(table: &Table, text: &str) -> Option<BigRational> {
    let [group] = groups(table, text).try_into().unwrap();
    group.value
}

fn ratio(over: i64, under: i64) -> Option<BigRational> {
    Some(BigRational::new(BigInt::from(over), BigInt::from(under)))
}

#[test]
fn totals_over_boxes_are_those_of_the_rows() {
    let table = Table::new(schema(), &runs());
    // All numbers lie 20 below what is committed to.
    assert_eq!(value(&table, "count(power)"), ratio(13, 1));
    assert_eq!(value(&table, "sum(power) where time between 1 and 2 and district = 5"), ratio(234 - 6 * 20, 1));
    assert_eq!(value(&table, "sum(power) where kind = 'a' and time = 2"), ratio(290 - 3 * 20, 1));
    assert_eq!(value(&table, "mean(power) where time = 1"), ratio(186 - 4 * 20, 4));
    assert_eq!(value(&table, "moment(power, 2) where time = 300"), ratio(80 * 80, 1));
    // Of -17, -17 and 160: the mean is 42, the distances 59, 59 and 118.
    assert_eq!(value(&table, "variance(power) where time = 1 and kind < 'ab'"), ratio(59 * 59 * 2 + 118 * 118, 3));
    assert_eq!(
        value(&table, "stddev(power) where time = 1 and kind < 'ab'"),
        value(&table, "variance(power) where time in (1) and district < 0")
    );
    // Several intervals of several columns.
    assert_eq!(value(&table, "count(power) where time in (1, 300) and kind in ('ab', 'b')"), ratio(2, 1));
    assert_eq!(value(&table, "count(power) where district >= -3 and district < 5"), ratio(6, 1));
}

#[test]
fn an_empty_box_has_a_count_and_nothing_else() {
    let table = Table::new(schema(), &runs());
    for text in ["(power) where time = 3", "(power) where time > 300", "(power) where time < 0"] {
        assert_eq!(value(&table, &format!("count{text}")), ratio(0, 1));
        assert_eq!(value(&table, &format!("sum{text}")), None);
        assert_eq!(value(&table, &format!("variance{text}")), None);
        assert_eq!(groups(&table, &format!("sum{text} group by time")), vec![]);
        assert_eq!(table.answer(&format!("sum{text}")).opening, None);
    }
}

#[test]
fn groups_ascend_by_the_columns_that_are_named() {
    let table = Table::new(schema(), &runs());
    let of = |text: &str| -> Vec<(Vec<KeyValue>, u64, i64)> {
        let sum = |group: &GroupFinding| i64::try_from(group.sums[0].clone()).unwrap();
        groups(&table, text).iter().map(|group| (group.key.clone(), group.rows, sum(group))).collect()
    };
    let [time, district, _] = <[KeyValue; 3]>::try_from(key(2, -3, "a")).unwrap();
    let by_district = of("sum(power) where time <= 2 group by district");
    assert_eq!(
        by_district,
        vec![(vec![district.clone()], 6, 186 + 290 - 120), (vec![KeyValue::Signed(5)], 6, 234 - 120),]
    );
    let by_both = of("mean(power) where time = 2 group by district, time");
    assert_eq!(
        by_both,
        vec![(vec![district, time.clone()], 3, 290 - 60), (vec![KeyValue::Signed(5), time], 5, 234 - 100),]
    );
}

#[test]
fn a_row_is_shown_to_its_owner() {
    let table = Table::new(schema(), &runs());
    for (run, row) in [(0, 0), (0, 2), (1, 0), (4, 3), (5, 0)] {
        let answer = table.row_answer("row(power)", run, row);
        let Finding::Row(found) = table.verdict("row(power)", &answer).unwrap().finding else { panic!("a row") };
        assert_eq!(found.texts, table::texts(run, row));
        assert_eq!(found.key, runs()[run].key);
        assert_eq!(found.value, BigInt::from(runs()[run].numbers[row]) - 20);
        assert_eq!(found.rank, row as u64);
        assert_eq!(json::read(json::write(&answer).unwrap().as_bytes()).unwrap(), answer);
    }
}

#[test]
fn each_run_of_an_answer_must_be_certified_where_that_is_asked_for() {
    let table = Table::new(schema(), &runs());
    let text = "sum(power) where time <= 2";
    let mut answer = table.answer(text);
    let missing = table.certified_verdict(text, &answer).unwrap_err();
    assert_eq!((missing.reason, missing.item), (TableReason::CertificateMissing, Some(0)));
    let certificates = table.certificates();
    answer.certificates = certificates[..5].to_vec();
    assert_eq!(table.certified_verdict(text, &answer), table.verdict(text, &answer));
    assert!(table.certified_verdict(text, &answer).is_ok());
    assert_eq!(json::read(json::write_line(&answer).unwrap().as_bytes()).unwrap(), answer);

    let refused = |change: &dyn Fn(&mut aardvark_aggregates::Answer)| {
        let mut other = answer.clone();
        change(&mut other);
        assert!(table.verdict(text, &other).is_ok());
        table.certified_verdict(text, &other).unwrap_err()
    };
    let left_out = refused(&|other| drop(other.certificates.remove(2)));
    assert_eq!((left_out.reason, left_out.item), (TableReason::CertificateMissing, Some(2)));
    let swapped = refused(&|other| {
        let certificate = other.certificates[0].certificate.clone();
        other.certificates[3].certificate = certificate;
    });
    assert_eq!((swapped.reason, swapped.item), (TableReason::CertificateFalse, Some(3)));
    let foreign = refused(&|other| other.certificates[1].statement[1] ^= 1);
    assert_eq!((foreign.reason, foreign.item), (TableReason::CertificateMalformed, Some(1)));
    let cut = refused(&|other| other.certificates[1].certificate.truncate(100));
    assert_eq!((cut.reason, cut.item), (TableReason::CertificateMalformed, Some(1)));
}

#[test]
fn an_answer_about_something_else_is_no_false_one() {
    let table = Table::new(schema(), &runs());
    let text = "sum(power) where time = 1";
    let answer = table.answer(text);
    let other = |text: &str| table.verdict(text, &answer).unwrap_err();
    for elsewhere in ["sum(power)", "mean(power) where time = 1", "count(power) where time = 1"] {
        assert_eq!(other(elsewhere).reason, TableReason::OtherQuery);
        assert_eq!(other(elsewhere).class().exit_code(), 2);
    }
    // The same query in other words is the same query.
    assert!(table.verdict("sum( power )  where time <= 1 and time >= 1", &answer).is_ok());
    let mut later = Table::new(schema(), &runs());
    later.version = 13;
    assert_eq!(later.verdict(text, &answer).unwrap_err().class().exit_code(), 2);
    later.version = 12;
    later.dictionary.0[0] ^= 1;
    assert_eq!(later.verdict(text, &answer).unwrap_err().class().exit_code(), 2);
    let mut closed = schema();
    closed.watermark = vec![0, 1];
    let query = Query::parse("meters", text, &closed).unwrap();
    let verdict = answer.verify(&query, &table.trusted(), aardvark_aggregates::Certificates::Ignored);
    assert_eq!(verdict.unwrap_err().reason, TableReason::SchemaMismatched);
    let query = Query::parse("meterz", text, &schema()).unwrap();
    let verdict = answer.verify(&query, &table.trusted(), aardvark_aggregates::Certificates::Ignored);
    assert_eq!(verdict.unwrap_err().reason, TableReason::OtherTable);
}

#[test]
fn json_that_is_not_exactly_an_answer_is_refused() {
    let table = Table::new(schema(), &runs());
    let mut answer = table.answer("variance(power) where time = 1");
    answer.certificates = table.certificates()[..1].to_vec();
    let text = json::write_line(&answer).unwrap();
    assert_eq!(json::read(text.as_bytes()).unwrap(), answer);
    let total = answer.totals[0][0].to_string();
    let changes = [
        ("\"format\":1", "\"format\":2"),
        ("\"format\":1", "\"format\":1,\"format\":1"),
        ("\"version\":12", "\"version\":12,\"more\":0"),
        ("\"version\":12", "\"version\":\"12\""),
        ("\"version\":12", "\"version\":12,\"opening\":null"),
        ("\"version\":12", "\"version\":12,\"row\":null"),
        ("\"version\":12,", ""),
        ("\"dictionary\":\"0x04", "\"dictionary\":\"0x4"),
        ("\"dictionary\":\"0x04", "\"dictionary\":\"04"),
        ("\"position\":", "\"position\":-"),
        ("\"table\":\"meters\"", "\"table\":7"),
    ];
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        assert!(json::read(text.replacen(from, to, 1).as_bytes()).is_err(), "{from} as {to}");
    }
    for number in ["", "-1", "+1", "01", "0x1", "1.0", "1e3", " 1", &"9".repeat(79)] {
        let other = text.replacen(&format!("\"{total}\""), &format!("\"{number}\""), 1);
        assert!(json::read(other.as_bytes()).is_err(), "{number}");
    }
    let hexadecimal = answer.opening.map(hex::encode).unwrap();
    assert!(json::read(text.replacen(&hexadecimal, &hexadecimal.to_uppercase(), 1).as_bytes()).is_err());
    for length in (0..text.len()).step_by(97) {
        assert!(json::read(&text.as_bytes()[..length]).is_err(), "{length} bytes");
    }
    for empty in ["\"totals\":[]", "\"certificates\":[]", "\"row\":[1,\"2\",\"0x\",[],[]]"] {
        let mut bare = answer.clone();
        (bare.totals, bare.certificates) = (Vec::new(), Vec::new());
        let other = json::write_line(&bare).unwrap().replacen("\"version\":12", &format!("\"version\":12,{empty}"), 1);
        assert!(json::read(other.as_bytes()).is_err(), "{empty}");
    }
}

/// A source of numbers that is the same each time.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// A box over columns of one byte, each with digits from a small alphabet, and all of its keys.
fn random_box(random: &mut Random) -> (KeyBox, BTreeSet<Vec<u8>>) {
    let prefix = vec![b'p'; random.below(3) as usize];
    let mut keys = BTreeSet::from([prefix.clone()]);
    let mut columns = Vec::new();
    for _ in 0..1 + random.below(3) {
        let interval = |random: &mut Random| {
            let ends = [0, 1, 2, 3, 253, 254, 255];
            let (a, b) = (ends[random.below(7) as usize], ends[random.below(7) as usize]);
            Interval { low: vec![a], high: vec![b] }
        };
        let count = random.below(4);
        let intervals: Vec<Interval> = (0..count).map(|_| interval(random)).collect();
        let within = |digit: &u8| intervals.iter().any(|i| i.low[0] <= *digit && *digit <= i.high[0]);
        let digits: Vec<u8> = (0..=255).filter(within).collect();
        // A box of too many keys is cut down to its ends.
        let digits: Vec<u8> = digits.iter().copied().filter(|d| *d < 5 || *d > 250).collect();
        keys = keys.iter().flat_map(|key| digits.iter().map(|d| [key.as_slice(), &[*d]].concat())).collect();
        let cut = digits.into_iter().map(|digit| Interval { low: vec![digit], high: vec![digit] });
        columns.push(ColumnBox::of(1, cut));
    }
    (KeyBox::new(prefix, columns), keys)
}

#[test]
fn the_next_key_of_a_box_is_the_least_that_is_not_below_any_byte_string() {
    let mut random = Random(1);
    let alphabet = [0, 1, 2, 4, 5, b'o', b'p', b'q', 251, 254, 255];
    for _ in 0..400 {
        let (key_box, keys) = random_box(&mut random);
        for _ in 0..60 {
            let length = random.below(6);
            let mut asked: Vec<u8> = (0..length).map(|_| alphabet[random.below(11) as usize]).collect();
            if random.below(2) == 0
                && let Some(key) = keys.iter().nth(random.below(keys.len().max(1) as u64) as usize)
            {
                asked = key.clone();
                match random.below(4) {
                    0 => asked.push(0),
                    1 => drop(asked.pop()),
                    2 => asked.extend([0, 0, 7]),
                    _ => (),
                }
            }
            let least = keys.range(asked.clone()..).next().cloned();
            assert_eq!(key_box.next(&asked), least, "{key_box:?} from {asked:?}");
            assert_eq!(key_box.holds(&asked), keys.contains(&asked));
        }
    }
}

#[test]
fn intervals_become_canonical_and_intersect_as_sets() {
    let mut random = Random(2);
    for _ in 0..2000 {
        let mut intervals = || -> Vec<Interval> {
            let number = |random: &mut Random| (random.below(40) as u16 + 240).to_be_bytes().to_vec();
            (0..random.below(5)).map(|_| Interval { low: number(&mut random), high: number(&mut random) }).collect()
        };
        let (a, b) = (intervals(), intervals());
        let within = |intervals: &[Interval], digits: &Vec<u8>| {
            intervals.iter().any(|interval| interval.low <= *digits && digits <= &interval.high)
        };
        let (one, other) = (ColumnBox::of(2, a.clone()), ColumnBox::of(2, b.clone()));
        let both = one.intersection(&other);
        for digits in (0..300u16).map(|number| number.to_be_bytes().to_vec()) {
            assert_eq!(within(one.intervals(), &digits), within(&a, &digits));
            assert_eq!(within(both.intervals(), &digits), within(&a, &digits) && within(&b, &digits));
        }
        for column in [&one, &both] {
            for pair in column.intervals().windows(2) {
                let number = |bytes: &[u8]| u16::from_be_bytes(bytes.try_into().unwrap());
                assert!(number(&pair[0].high) + 1 < number(&pair[1].low));
            }
        }
    }
}

#[test]
fn a_scan_of_a_random_ring_finds_the_keys_of_the_box_and_bears_no_change() {
    let mut random = Random(3);
    for _ in 0..300 {
        let (key_box, keys) = random_box(&mut random);
        // Some keys of the box, and others: of other lengths, prefixes and digits.
        let mut live: BTreeSet<Vec<u8>> = keys.iter().filter(|_| random.below(3) == 0).cloned().collect();
        for _ in 0..random.below(20) {
            let alphabet = [0, 1, 5, b'o', b'p', b'q', 250, 255];
            let length = 1 + random.below(5);
            live.insert((0..length).map(|_| alphabet[random.below(8) as usize]).collect());
        }
        let ring: Vec<Vec<u8>> = [vec![]].into_iter().chain(live.iter().cloned()).collect();
        let next = |i: usize| ring.get(i + 1).cloned().unwrap_or_default();
        let slot = |(i, key): (usize, &Vec<u8>)| Slot {
            key: Key::from(key.clone()),
            value: "v".into(),
            next: Key::from(next(i)),
        };
        let slots: Vec<Slot> = ring.iter().enumerate().map(slot).collect();
        let mut chain = Vec::new();
        let mut cursor = key_box.next(&[]);
        while let Some(wanted) = cursor {
            let slot = slots.iter().find(|slot| slot.covers(&wanted)).unwrap();
            chain.push(slot.clone());
            cursor = if slot.next.is_empty() { None } else { key_box.next(&slot.next) };
        }
        let found = runs_in_box(&key_box, &chain).unwrap();
        let found: Vec<Vec<u8>> = found.iter().map(|place| chain[*place].key.to_vec()).collect();
        let wanted: Vec<Vec<u8>> = keys.iter().filter(|key| live.contains(*key)).cloned().collect();
        assert_eq!(found, wanted);
        // Each claim of the chain is needed, in its place, and no other is.
        for i in 0..chain.len() {
            let mut other = chain.clone();
            other.remove(i);
            assert!(runs_in_box(&key_box, &other).is_err());
            let mut other = chain.clone();
            other.insert(i, chain[i].clone());
            assert!(runs_in_box(&key_box, &other).is_err());
        }
        if chain.len() > 1 {
            let mut other = chain.clone();
            other.swap(0, 1);
            assert_eq!(runs_in_box(&key_box, &other), Err(ChainFault::NotCovering));
        }
        for slot in &slots {
            let other = [chain.as_slice(), core::slice::from_ref(slot)].concat();
            assert_eq!(runs_in_box(&key_box, &other), Err(ChainFault::SlotSuperfluous));
        }
    }
}

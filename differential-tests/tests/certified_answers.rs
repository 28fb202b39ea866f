//! Answers that come with certificates: with a known trapdoor specification and implementation say
//! the same of certificates that hold for all segments of the runs, and of what is missing, false
//! or about something else.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

mod known_sheets;
#[path = "known_tau/mod.rs"]
mod setups;
#[path = "../../impl/aggregates/tests/scene/table.rs"]
#[allow(dead_code, reason = "each test uses some of it")]
mod table;
mod table_pair;

use aardvark_aggregates::certificate::statement::statement_behind;
use aardvark_aggregates::{About, Answer, Record, SheetItem, StatedCertificate, TableKey};
use aardvark_dictionary::Key;
use aardvark_spec::convert::to_vec;
use aardvark_spec::policy::certified_answer::StatedSheet;
use aardvark_spec::policy::tables::CertificateMeaning;
use known_sheets::linked::LinkedPair;
use known_sheets::{Pair as SheetPair, to_spec};
use setups::tau;
use table::{Table, runs, schema};
use table_pair::{Pair, SaidOfCertificates};

/// A certificate on both sides.
#[derive(Clone)]
struct Certified {
    about: About,
    link: Option<Record>,
    items: Vec<SheetItem>,
    certificate: Vec<u8>,
    sheet: StatedSheet,
    meaning: CertificateMeaning,
}

impl Certified {
    fn stated(&self) -> StatedCertificate {
        let statement = statement_behind(&self.about, self.link.as_ref(), &self.items);
        StatedCertificate { statement, certificate: self.certificate.clone() }
    }
}

/// The certificates of all segments of a run.
fn of_run(table: &Table, head: &Key) -> Vec<Certified> {
    let about = About::of_column(table.dictionary, table.name, &table.schema, 0).unwrap();
    let Ok(TableKey::Head { columns, run, .. }) = TableKey::from_bytes(head, &table.schema) else { panic!("a head") };
    let records = table.records_of(table.head(head));
    let sheet = |segment: usize| {
        let (log, known) = table.all_segments(head)[segment].clone();
        // The seed that gives the trapdoor of the dictionary.
        let mut pair = SheetPair::with_powers(4, log, [8, 2], 250, &[(1, known.numbers.clone())], 30);
        assert_eq!(to_spec(&pair.tau), to_spec(&tau()));
        let record = records[segment].clone();
        pair.items = vec![SheetItem { columns: columns.clone(), run, revision: 0, segment: segment as u32, record }];
        (pair.about, pair.segments) = (about.clone(), vec![known]);
        pair
    };
    let first = sheet(0);
    let shown = first.prove();
    let plain = Certified {
        about: about.clone(),
        link: None,
        items: first.items.clone(),
        certificate: shown.to_bytes(),
        sheet: StatedSheet { stated_link: None, stated_items: first.spec_items() },
        meaning: CertificateMeaning::CertificatePlain(first.specified(&shown)),
    };
    let linked = (1..records.len()).map(|segment| {
        let mask = [1, 2, 3].map(|i| aardvark_algebra::Scalar::from(1_000_003 * segment as u64 + i));
        let pair = LinkedPair { before: sheet(segment - 1), after: sheet(segment), mask };
        let shown = pair.prove();
        Certified {
            about: about.clone(),
            link: Some(pair.record().clone()),
            items: pair.after.items.clone(),
            certificate: shown.to_bytes(),
            sheet: StatedSheet { stated_link: Some(pair.spec_record()), stated_items: pair.after.spec_items() },
            meaning: CertificateMeaning::CertificateLinked(pair.specified(&shown)),
        }
    });
    core::iter::once(plain).chain(linked).collect()
}

/// What both say of an answer with these certificates.
fn said(pair: &Pair, text: &str, answer: &Answer, certificates: &[Certified]) -> SaidOfCertificates {
    let with = Answer { certificates: certificates.iter().map(Certified::stated).collect(), ..answer.clone() };
    let sheets = certificates.iter().map(|one| one.sheet.clone()).collect();
    let meanings = certificates.iter().map(|one| one.meaning.clone()).collect();
    pair.judge_certified(&pair.table.query(text), text, &with, sheets, meanings)
}

#[test]
fn certificates_of_an_answer_s_runs_are_judged_as_the_specification_does() {
    let further: [(usize, usize, &[u64]); 3] =
        [(0, 4, &[180, 181, 200]), (0, 3, &[201, 230, 250]), (4, 3, &[200, 210])];
    let mut pair = Pair::of(Table::grown(schema(), &runs(), &further));
    let text = "sum(power) where time = 1";
    let (query, answer) = (pair.table.query(text), pair.table.long_answer(text));
    pair.open(&query, &answer);
    let heads: Vec<Key> = answer.runs.iter().map(|run| run.slot.key.clone()).collect();
    let heads: Vec<&Key> = heads.iter().filter(|key| query.key_box().holds(key)).collect();
    let honest: Vec<Certified> = heads.iter().flat_map(|head| of_run(&pair.table, head)).collect();
    let said = |certificates: &[Certified]| said(&pair, text, &answer, certificates);
    assert_eq!(said(&honest), SaidOfCertificates::Accepted, "{text}");
    // In any order, and with more than are asked for.
    let reversed: Vec<Certified> = honest.iter().rev().cloned().collect();
    assert_eq!(said(&reversed), SaidOfCertificates::Accepted);
    let more = [of_run(&pair.table, &pair.table.heads()[4]), honest.clone()].concat();
    assert_eq!(said(&more), SaidOfCertificates::Accepted);
    assert_eq!(said(&[]), SaidOfCertificates::Missing(0));

    // The first run has three segments, what is behind them is another run's.
    let run_of = |place: usize| usize::from(place >= 3);
    for place in 0..honest.len() {
        let with = |change: &dyn Fn(&mut Certified)| {
            let mut changed = honest.clone();
            change(&mut changed[place]);
            said(&changed)
        };
        let without: Vec<Certified> = [&honest[..place], &honest[place + 1..]].concat();
        let missing = SaidOfCertificates::Missing(run_of(place));
        assert_eq!(said(&without), missing);
        // About another run, revision or segment, or another key.
        let item = |one: &mut Certified, change: &dyn Fn(&mut SheetItem, &mut [usize; 3])| {
            let mut items = to_vec(&one.sheet.stated_items);
            let mut numbers = [items[0].item_run, items[0].item_revision, items[0].item_segment];
            change(&mut one.items[0], &mut numbers);
            [items[0].item_run, items[0].item_revision, items[0].item_segment] = numbers;
            one.sheet.stated_items = aardvark_spec::convert::to_seq(items);
        };
        let numbered = |which: usize| {
            with(&|one| {
                item(one, &|placed, numbers| {
                    numbers[which] += 1;
                    [placed.run, placed.revision, placed.segment] = numbers.map(|number| number as u32);
                });
            })
        };
        assert_eq!([0, 1, 2].map(numbered), [missing, missing, missing]);
        // The record of another segment.
        let other = honest[(place + 1) % honest.len()].clone();
        let exchanged = with(&|one| {
            let mut items = to_vec(&one.sheet.stated_items);
            items[0].item_record = to_vec(&other.sheet.stated_items)[0].item_record.clone();
            one.sheet.stated_items = aardvark_spec::convert::to_seq(items);
            one.items[0].record = other.items[0].record.clone();
        });
        assert_eq!(exchanged, missing);
        // Linked to nothing, or to another record, that it is not linked to.
        let unlinked = with(&|one| (one.link, one.sheet.stated_link) = (None, None));
        let linked = with(&|one| {
            one.link = Some(other.items[0].record.clone());
            one.sheet.stated_link = Some(to_vec(&other.sheet.stated_items)[0].item_record.clone());
        });
        if honest[place].link.is_some() {
            assert_eq!([unlinked, linked], [missing, missing]);
        } else {
            assert_eq!([unlinked, linked], [SaidOfCertificates::Accepted, missing]);
        }
        // The certificate of another segment, or none.
        if other.link.is_some() == honest[place].link.is_some() && honest.len() > 1 {
            let foreign = with(&|one| {
                (one.certificate, one.meaning) = (other.certificate.clone(), other.meaning.clone());
            });
            assert_eq!(foreign, SaidOfCertificates::False);
        }
        let cut = with(&|one| {
            one.certificate.pop();
            one.meaning = CertificateMeaning::CertificateUnread;
        });
        assert_eq!(cut, SaidOfCertificates::Unread);
    }
}

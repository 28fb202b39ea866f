//! Certificates of sheets that continue a run: with a known trapdoor each point of the
//! implementation is the specification's multiple of the generator, byte for byte, given the same
//! rows and masks; and both judge honest and changed certificates alike.
#![allow(clippy::unwrap_used, reason = "a broken premise must stop a test")]

mod known_sheets;

use aardvark_aggregates::{CertificateError, CertifiedSheet, Record, SheetItem, TableVerifier};
use aardvark_oracle::{Safety, TableRequest};
use aardvark_spec::commitment::kzg::kzg_setup;
use aardvark_spec::convert::{to_seq, to_vec};
use aardvark_spec::table::certificate::CertificateFault;
use aardvark_spec::table::linked_certificate as spec_linked;
use aardvark_spec::table::run_record::RunRecord;
use aardvark_spec::table::sheet as spec_sheet;
use differential_tests::oracle::tables::table;
use known_sheets::linked::LinkedPair;
use known_sheets::to_spec;

fn cases() -> Vec<LinkedPair> {
    let rows = |numbers: &[u64]| numbers.to_vec();
    vec![
        LinkedPair::new([8, 1], 255, (3, &[(1, rows(&[3, 3, 7]))]), (3, &[(1, rows(&[7, 9, 255]))]), 1),
        LinkedPair::new([8, 2], 200, (4, &[(2, rows(&[1])), (5, rows(&[0, 9]))]), (3, &[(3, rows(&[9, 200]))]), 2),
        LinkedPair::new([8, 3], 200, (3, &[(4, rows(&[0]))]), (4, &[(2, rows(&[5])), (5, rows(&[0, 3]))]), 3),
    ]
}

#[test]
fn each_point_of_a_linked_certificate_is_the_specification_s_multiple_of_the_generator() {
    for case in cases() {
        let (after, shown) = (&case.after, case.prove());
        let complete = case.specified(&shown);
        let (tau, about, items) = (to_spec(&after.tau), after.spec_about(), after.spec_items());

        // Verdicts: of the honest one, and of changes of what it is about.
        let setup = kzg_setup(after.size, tau);
        let verifier = TableVerifier::new(after.setup.tau_g2());
        let specified_items = to_vec(&items);
        let compare = |change: &dyn Fn(&mut Record, &mut Vec<SheetItem>),
                       changed: &dyn Fn(&mut RunRecord, &mut Vec<spec_sheet::SheetItem>)| {
            let (mut link, mut items) = (case.record().clone(), after.items.clone());
            change(&mut link, &mut items);
            let (mut spec_link, mut spec_items) = (case.spec_record(), specified_items.clone());
            changed(&mut spec_link, &mut spec_items);
            let sheet = CertifiedSheet { about: &after.about, link: Some(&link), items: &items, certificate: &shown };
            let verdict = verifier.verify_sheet(&sheet);
            let spec_items = to_seq(spec_items);
            let specified = spec_linked::verify_linked_certificate(&setup, &about, &spec_link, &spec_items, &complete);
            let asked = TableRequest::Linked {
                setup: (tau, after.size, &setup),
                about: &about,
                previous: &spec_link,
                items: &spec_items,
                shown: &complete,
            };
            table(Safety::Ask, &asked).unwrap();
            let same = match verdict {
                Ok(()) => specified == Ok(()),
                Err(CertificateError::False) => specified == Err(CertificateFault::CertificateFalse),
                Err(CertificateError::ZetaOnDomain) => specified == Err(CertificateFault::ZetaOnDomain),
                Err(_) => specified == Err(CertificateFault::SheetIllegal),
            };
            assert!(same, "{verdict:?} and {specified:?}");
            verdict
        };
        assert_eq!(compare(&|_, _| (), &|_, _| ()), Ok(()));
        let same_rows = case.record().rows;
        for rows in 0..20u16 {
            let verdict = compare(&|link, _| link.rows = rows, &|link, _| link.record_rows = usize::from(rows));
            assert_eq!(verdict.is_ok(), rows == same_rows);
        }
        let same_first = case.record().first;
        for first in 0..6u16 {
            let verdict = compare(&|link, _| link.first = first, &|link, _| link.record_first = usize::from(first));
            assert_eq!(verdict.is_ok(), first == same_first);
        }
        let same_log = case.record().log;
        for log in 2..13u8 {
            let verdict = compare(&|link, _| link.log = log, &|link, _| link.record_log = usize::from(log));
            assert_eq!(verdict.is_ok(), log == same_log);
        }
        for segment in 0..5u32 {
            let change = |items: &mut Vec<spec_sheet::SheetItem>| items[0].item_segment = segment as usize;
            let verdict = compare(&|_, items| items[0].segment = segment, &|_, items| change(items));
            assert_eq!(verdict.is_ok(), segment == 3);
        }
        if after.items.len() > 1 {
            let change = |items: &mut Vec<spec_sheet::SheetItem>| items[1].item_segment = 1;
            assert!(compare(&|_, items| items[1].segment = 1, &|_, items| change(items)).is_err());
        }
    }
}

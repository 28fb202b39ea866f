//! Certificates of sheets: with a known trapdoor each point of the implementation is the
//! specification's multiple of the generator, byte for byte, given the same rows and masks; and
//! both judge honest and changed certificates alike.
#![allow(clippy::unwrap_used, reason = "a broken premise must stop a test")]

mod known_sheets;

use aardvark_aggregates::{About, CertificateError, SheetItem, TableVerifier};
use aardvark_oracle::{Safety, TableRequest};
use aardvark_spec::commitment::kzg::kzg_setup;
use aardvark_spec::convert::{to_seq, to_vec};
use aardvark_spec::table::certificate as spec_certificate;
use aardvark_spec::table::certificate_transcript as spec;
use aardvark_spec::table::sheet as spec_sheet;
use differential_tests::oracle::tables::table;
use known_sheets::{Pair, to_spec};

fn random_cases() -> Vec<Pair> {
    let mut cases = vec![
        Pair::new(3, [8, 1], 255, &[(1, vec![3, 3, 200])], 1),
        Pair::new(3, [8, 2], 255, &[(1, vec![0]), (3, vec![255])], 2),
        Pair::new(4, [8, 3], 200, &[(2, vec![1, 2, 3]), (7, vec![0, 200]), (11, vec![9, 9])], 3),
    ];
    for seed in 10..16u8 {
        let number = |i: u64| (u64::from(seed) * 7919 + i * 104_729) % 200;
        let mut runs: Vec<(usize, Vec<u64>)> = Vec::new();
        let mut first = 1 + usize::from(seed % 2);
        for k in 0..1 + u64::from(seed % 3) {
            let mut numbers: Vec<u64> = (0..1 + k % 3).map(|i| number(10 * k + i)).collect();
            numbers.sort_unstable();
            let next = first + numbers.len() + 1 + usize::from(seed % 2);
            runs.push((first, numbers));
            first = next;
        }
        cases.push(Pair::new(4, [8, 1 + usize::from(seed % 3)], 200, &runs, seed));
    }
    cases
}

#[test]
fn each_point_of_a_certificate_is_the_specification_s_multiple_of_the_generator() {
    for case in random_cases() {
        let shown = case.prove();
        let (tau, items) = (to_spec(&case.tau), case.spec_items());
        let complete = case.specified(&shown);

        // Verdicts: of the honest one, and of changes of what it is about.
        let setup = kzg_setup(case.size, tau);
        let verifier = TableVerifier::new(case.setup.tau_g2());
        let specified_items = to_vec(&items);
        let compare =
            |change: &dyn Fn(&mut About, &mut Vec<SheetItem>),
             changed: &dyn Fn(&mut spec::CertificateAbout, &mut Vec<spec_sheet::SheetItem>)| {
                let (mut about, mut items) = (case.about.clone(), case.items.clone());
                change(&mut about, &mut items);
                let (mut spec_about, mut spec_items) = (case.spec_about(), specified_items.clone());
                changed(&mut spec_about, &mut spec_items);
                let verdict = verifier.verify_certificate(&about, &items, &shown);
                let spec_items = to_seq(spec_items);
                let specified = spec_certificate::verify_certificate(&setup, &spec_about, &spec_items, &complete);
                let asked = TableRequest::Certificate {
                    setup: (tau, case.size, &setup),
                    about: &spec_about,
                    items: &spec_items,
                    shown: &complete,
                };
                table(Safety::Ask, &asked).unwrap();
                let same = match verdict {
                    Ok(()) => specified == Ok(()),
                    Err(CertificateError::False) => {
                        specified == Err(spec_certificate::CertificateFault::CertificateFalse)
                    }
                    Err(CertificateError::ZetaOnDomain) => {
                        specified == Err(spec_certificate::CertificateFault::ZetaOnDomain)
                    }
                    Err(CertificateError::Bits { .. }) => {
                        specified == Err(spec_certificate::CertificateFault::BitsMismatched)
                    }
                    Err(_) => specified == Err(spec_certificate::CertificateFault::SheetIllegal),
                };
                assert!(same, "{verdict:?} and {specified:?}");
                verdict
            };
        assert_eq!(compare(&|_, _| (), &|_, _| ()), Ok(()));
        let false_one = Err(CertificateError::False);
        assert_eq!(compare(&|about, _| about.cap += 1, &|about, _| about.about_cap += 1), false_one);
        assert_eq!(compare(&|about, _| about.column += 1, &|about, _| about.about_column += 1), false_one);
        assert!(compare(&|about, _| about.bits = 9, &|about, _| about.about_bits = 9).is_err());
        let run = |items: &mut Vec<spec_sheet::SheetItem>| items[0].item_run += 1;
        assert_eq!(compare(&|_, items| items[0].run += 1, &|_, items| run(items)), false_one);
        for rows in 0..5u16 {
            let change = |items: &mut Vec<spec_sheet::SheetItem>| items[0].item_record.record_rows = usize::from(rows);
            let verdict = compare(&|_, items| items[0].record.rows = rows, &|_, items| change(items));
            assert_eq!(verdict.is_ok(), rows == case.items[0].record.rows);
        }
        for first in 0..4u16 {
            let change =
                |items: &mut Vec<spec_sheet::SheetItem>| items[0].item_record.record_first = usize::from(first);
            let verdict = compare(&|_, items| items[0].record.first = first, &|_, items| change(items));
            assert_eq!(verdict.is_ok(), first == case.items[0].record.first);
        }
    }
}

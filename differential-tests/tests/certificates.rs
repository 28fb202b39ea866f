//! Certificates of sheets: with a known trapdoor each point of the implementation is the
//! specification's multiple of the generator, byte for byte, given the same rows and masks; and
//! both judge honest and changed certificates alike.
#![allow(clippy::unwrap_used, reason = "a broken premise must stop a test")]

mod known_sheets;

use aardvark_aggregates::{About, CertificateError, SheetItem, TableVerifier, prove};
use aardvark_algebra::scalar_to_bytes;
use aardvark_oracle::{Safety, TableRequest};
use aardvark_spec::commitment::folded_opening::{fold_gammas, fold_point};
use aardvark_spec::commitment::kzg::kzg_setup;
use aardvark_spec::convert::{byte_string, scalar_to_bytes as spec_scalar_bytes, to_seq, to_vec};
use aardvark_spec::table::certificate as spec_certificate;
use aardvark_spec::table::certificate_prover as spec_prover;
use aardvark_spec::table::certificate_transcript as spec;
use aardvark_spec::table::run_record::TablePoint;
use aardvark_spec::table::sheet as spec_sheet;
use differential_tests::oracle::tables::table;
use known_sheets::{Pair, encoded, held, to_spec};

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
        let shown = prove(
            case.setup.sheet(case.size.trailing_zeros() as usize).unwrap(),
            &case.about,
            &case.items,
            &case.segments,
            &case.masks,
        )
        .unwrap();
        let (tau, about, items) = (to_spec(&case.tau), case.spec_about(), case.spec_items());
        let masks = case.spec_masks();
        // The specification draws its challenges from the implementation's bytes.
        let bytes_only = |bytes: [u8; 48]| TablePoint { held_bytes: byte_string(&bytes), ..TablePoint::default() };
        let scalars: Vec<u8> =
            shown.bit_values.iter().chain([&shown.value, &shown.next]).flat_map(scalar_to_bytes).collect();
        let written = spec::Certificate {
            certificate_bits: to_seq(shown.bits.iter().map(|point| bytes_only(point.to_bytes())).collect()),
            certificate_values_mask: bytes_only(shown.values_mask.to_bytes()),
            certificate_sums_mask: bytes_only(shown.sums_mask.to_bytes()),
            certificate_quotient: bytes_only(shown.quotient.to_bytes()),
            certificate_scalar_bytes: byte_string(&scalars),
            certificate_opening_bytes: byte_string(&shown.opening.quotient.to_bytes()),
            ..spec::Certificate::default()
        };
        let s0 = spec::certificate_seed(&spec::certificate_statement(&about, &items));
        let s1 = spec::certificate_bits_seed(&s0, &written);
        let s2 = spec::certificate_quotient_seed(&s1, &written);
        let s3 = spec::certificate_values_seed(&s2, &written);
        let drawn = spec::certificate_challenges(&about, items.len(), &s0, &s1, &s2);
        let (gammas, z) = (fold_gammas(&s3, case.about.bits + 3), fold_point(&s3, &written.certificate_opening_bytes));

        let segments = to_seq(case.spec_segments());
        let bare = spec_prover::unopened_certificate(tau, &about, &items, &segments, &masks, &drawn);
        let both = |element: &TablePoint, bytes: [u8; 48]| held(element.held_element, bytes);
        let bits = to_vec(&bare.certificate_bits);
        let expected: Vec<[u8; 32]> = to_vec(&bare.certificate_bit_values)
            .into_iter()
            .chain([bare.certificate_value, bare.certificate_next])
            .map(spec_scalar_bytes)
            .collect();
        assert_eq!(expected.as_flattened(), scalars);
        let opening = spec_prover::certificate_opening_of(tau, &about, &items, &drawn, &gammas, z, &bare);
        assert_eq!(encoded(opening.folded_quotient), shown.opening.quotient.to_bytes());
        assert_eq!(encoded(opening.folded_witness), shown.opening.witness.to_bytes());
        let complete = spec::Certificate {
            certificate_bits: to_seq(bits.iter().zip(&shown.bits).map(|(bit, b)| both(bit, b.to_bytes())).collect()),
            certificate_values_mask: both(&bare.certificate_values_mask, shown.values_mask.to_bytes()),
            certificate_sums_mask: both(&bare.certificate_sums_mask, shown.sums_mask.to_bytes()),
            certificate_quotient: both(&bare.certificate_quotient, shown.quotient.to_bytes()),
            certificate_scalar_bytes: byte_string(&scalars),
            certificate_opening: opening,
            certificate_opening_bytes: byte_string(&shown.opening.quotient.to_bytes()),
            ..bare
        };

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

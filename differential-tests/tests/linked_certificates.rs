//! Certificates of sheets that continue a run: with a known trapdoor each point of the
//! implementation is the specification's multiple of the generator, byte for byte, given the same
//! rows and masks; and both judge honest and changed certificates alike.
#![allow(clippy::unwrap_used, reason = "a broken premise must stop a test")]

mod known_sheets;

use aardvark_aggregates::{
    CertificateError, CertifiedSheet, KnownLink, Record, SheetItem, TableVerifier, prove_behind,
};
use aardvark_algebra::{Scalar, scalar_to_bytes};
use aardvark_oracle::{Safety, TableRequest};
use aardvark_spec::commitment::folded_opening::{fold_gammas, fold_point};
use aardvark_spec::commitment::kzg::kzg_setup;
use aardvark_spec::convert::{byte_string, scalar_to_bytes as spec_scalar_bytes, to_seq, to_vec};
use aardvark_spec::table::certificate::CertificateFault;
use aardvark_spec::table::certificate_transcript as spec;
use aardvark_spec::table::linked_certificate as spec_linked;
use aardvark_spec::table::linked_certificate_prover as spec_prover;
use aardvark_spec::table::run_record::{RunRecord, TablePoint};
use aardvark_spec::table::sheet as spec_sheet;
use differential_tests::oracle::tables::table;
use known_sheets::{Pair, all_to_spec, encoded, held, to_spec};

/// A sheet whose last run the first one of another sheet continues; a mask R_l.
struct LinkedPair {
    before: Pair,
    after: Pair,
    mask: [Scalar; 3],
}

type Runs<'a> = &'a [(usize, Vec<u64>)];

impl LinkedPair {
    fn new(shape: [usize; 2], cap: u64, before: (usize, Runs<'_>), after: (usize, Runs<'_>), seed: u8) -> Self {
        let most = before.0.max(after.0);
        let before = Pair::with_powers(most, before.0, shape, cap, before.1, seed);
        let mut after = Pair::with_powers(most, after.0, shape, cap, after.1, seed);
        after.items[0].segment = 3;
        let mask = [1, 2, 3].map(|i| Scalar::from(u64::from(seed) * 1_000_003 + i));
        Self { before, after, mask }
    }

    fn record(&self) -> &Record {
        &self.before.items.last().unwrap().record
    }

    fn spec_record(&self) -> RunRecord {
        to_vec(&self.before.spec_items()).last().unwrap().item_record.clone()
    }
}

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
        let LinkedPair { before, after, mask } = &case;
        let before_log = before.size.trailing_zeros() as usize;
        let known = KnownLink {
            record: case.record(),
            segment: before.segments.last().unwrap(),
            setup: after.setup.sheet(before_log).unwrap(),
            mask: *mask,
        };
        let sheet = after.setup.sheet(after.size.trailing_zeros() as usize).unwrap();
        let shown =
            prove_behind(sheet, &after.about, Some(&known), &after.items, &after.segments, &after.masks).unwrap();
        let part = shown.link.unwrap();

        let (tau, about, items) = (to_spec(&after.tau), after.spec_about(), after.spec_items());
        let known = spec_prover::KnownLink {
            link_record: case.spec_record(),
            link_rows: before.spec_segments().pop().unwrap(),
            link_masks: all_to_spec(mask),
        };
        // The specification draws its challenges from the implementation's bytes.
        let bytes_only = |bytes: [u8; 48]| TablePoint { held_bytes: byte_string(&bytes), ..TablePoint::default() };
        let scalars: Vec<u8> =
            shown.bit_values.iter().chain([&shown.value, &shown.next]).flat_map(scalar_to_bytes).collect();
        let value_bytes = byte_string(&scalar_to_bytes(&part.value));
        let opening_bytes = byte_string(&shown.opening.quotient.to_bytes());
        let written = spec_linked::LinkedCertificate {
            linked_body: spec::Certificate {
                certificate_bits: to_seq(shown.bits.iter().map(|point| bytes_only(point.to_bytes())).collect()),
                certificate_values_mask: bytes_only(shown.values_mask.to_bytes()),
                certificate_sums_mask: bytes_only(shown.sums_mask.to_bytes()),
                certificate_quotient: bytes_only(shown.quotient.to_bytes()),
                certificate_scalar_bytes: byte_string(&scalars),
                certificate_opening_bytes: opening_bytes.clone(),
                ..spec::Certificate::default()
            },
            linked_mask: bytes_only(part.mask.to_bytes()),
            linked_value_bytes: value_bytes.clone(),
            ..spec_linked::LinkedCertificate::default()
        };
        let s0 = spec::certificate_seed(&spec_linked::linked_statement(&about, &known.link_record, &items));
        let s1 = spec_linked::linked_bits_seed(&s0, &written);
        let s2 = spec::certificate_quotient_seed(&s1, &written.linked_body);
        let s3 = spec_linked::linked_values_seed(&s2, &written);
        let drawn = spec::certificate_challenges(&about, items.len(), &s0, &s1, &s2);
        let (gammas, z) = (fold_gammas(&s3, after.about.bits + 4), fold_point(&s3, &opening_bytes));

        let segments = to_seq(after.spec_segments());
        let masks = after.spec_masks();
        let bare = spec_prover::unopened_linked_certificate(tau, &about, &known, &items, &segments, &masks, &drawn);
        let body = bare.linked_body.clone();
        let expected: Vec<[u8; 32]> = to_vec(&body.certificate_bit_values)
            .into_iter()
            .chain([body.certificate_value, body.certificate_next])
            .map(spec_scalar_bytes)
            .collect();
        assert_eq!(expected.as_flattened(), scalars);
        assert_eq!(spec_scalar_bytes(bare.linked_value), scalar_to_bytes(&part.value));
        let opening = spec_prover::linked_opening_of(tau, &about, &known, &items, &drawn, &gammas, z, &bare);
        assert_eq!(encoded(opening.folded_quotient), shown.opening.quotient.to_bytes());
        assert_eq!(encoded(opening.folded_witness), shown.opening.witness.to_bytes());
        let both = |element: &TablePoint, bytes: [u8; 48]| held(element.held_element, bytes);
        let bits = to_vec(&body.certificate_bits);
        let complete = spec_linked::LinkedCertificate {
            linked_body: spec::Certificate {
                certificate_bits: to_seq(
                    bits.iter().zip(&shown.bits).map(|(bit, b)| both(bit, b.to_bytes())).collect(),
                ),
                certificate_values_mask: both(&body.certificate_values_mask, shown.values_mask.to_bytes()),
                certificate_sums_mask: both(&body.certificate_sums_mask, shown.sums_mask.to_bytes()),
                certificate_quotient: both(&body.certificate_quotient, shown.quotient.to_bytes()),
                certificate_scalar_bytes: byte_string(&scalars),
                certificate_opening: opening,
                certificate_opening_bytes: opening_bytes,
                ..body
            },
            linked_mask: both(&bare.linked_mask, part.mask.to_bytes()),
            linked_value: bare.linked_value,
            linked_value_bytes: value_bytes,
        };

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

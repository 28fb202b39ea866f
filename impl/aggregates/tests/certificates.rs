//! Certificates: honest ones are accepted and are those of the slow twins; rows that are not as
//! they should be have none.
#![allow(clippy::unwrap_used, reason = "a broken premise must stop a test")]

mod scene;

use aardvark_aggregates::certificate::{certificate_bytes, naive};
use aardvark_aggregates::{
    Certificate, CertificateError, CertifiedSheet, KnownSegment, ProverError, Record, SheetFault, SheetItem,
    TableVerifier, commit_each, prove,
};
use scene::Scene;

#[test]
fn honest_certificates_are_accepted_and_are_those_of_the_slow_twin() {
    for (log, bits, cap, moments, runs) in [
        (3, 8, 255, 1, vec![(1, vec![3, 3, 200])]),
        (3, 8, 255, 2, vec![(1, vec![0]), (3, vec![255])]),
        (4, 8, 200, 3, vec![(2, vec![1, 2, 3]), (7, vec![0, 200]), (11, vec![9, 9])]),
        (4, 64, u64::MAX, 2, vec![(1, vec![0, 1, u64::MAX, u64::MAX])]),
        (5, 16, 65_535, 1, vec![(1, (0..28).map(|i| i * i).collect())]),
        (6, 16, 65_535, 2, vec![(1, (0..40).map(|i| 40 * i * i).collect()), (43, vec![0, 65_535])]),
    ] {
        let scene = Scene::new(log, bits, cap, moments, &runs);
        let fast = prove(scene.sheet(), &scene.about, &scene.items, &scene.segments, &scene.masks).unwrap();
        assert_eq!(scene.verdict(&fast), Ok(()), "{log} {bits} {moments} {runs:?}");
        let slow = naive::prove(scene.sheet(), &scene.about, &scene.items, &scene.segments, &scene.masks);
        assert_eq!(slow.unwrap().to_bytes(), fast.to_bytes(), "{log} {bits} {moments} {runs:?}");
        for (segment, item) in scene.segments.iter().zip(&scene.items) {
            let slow = aardvark_aggregates::segment::naive::commitments(segment, scene.sheet());
            let fast: Vec<_> = core::iter::once(item.record.values).chain(item.record.sums.clone()).collect();
            assert_eq!(slow, fast);
        }
        let rooted: Vec<(&KnownSegment, [u8; 32])> = scene.segments.iter().map(|segment| (segment, [9; 32])).collect();
        let records: Vec<Record> = scene.items.iter().map(|item| item.record.clone()).collect();
        assert_eq!(commit_each(scene.sheet(), &rooted), records);
        let bytes = fast.to_bytes();
        assert_eq!(bytes.len(), certificate_bytes(bits));
        assert_eq!(Certificate::from_bytes(&bytes, bits), Ok(fast));
        let record = &scene.items[0].record;
        assert_eq!(Record::from_bytes(&record.to_bytes(), moments), Ok(record.clone()));
    }
    assert_eq!((certificate_bytes(32), certificate_bytes(64)), (2865, 5425));
}

#[test]
fn a_full_sheet_of_the_ceremony_is_certified() {
    let numbers: Vec<u64> = (0..1020).map(|i| i * 7 + 3).collect();
    let scene = Scene::on_the_ceremony(10, 32, 20_000, 2, &[(1, numbers)]);
    let certificate = scene.certificate();
    let verifier = TableVerifier::ethereum().unwrap();
    assert_eq!(verifier.verify_certificate(&scene.about, &scene.items, &certificate), Ok(()));
    assert_eq!(certificate.to_bytes().len(), 2865);
    // Under another setup it is false.
    assert_eq!(
        scene::verifier().verify_certificate(&scene.about, &scene.items, &certificate),
        Err(CertificateError::False)
    );
}

#[test]
fn rows_that_descend_or_exceed_the_cap_have_no_certificate() {
    for (cap, numbers) in [(255, vec![5, 4]), (100, vec![5, 101]), (1 << 20, vec![0, 300])] {
        let scene = Scene::new(3, 8, cap, 1, &[(1, numbers.clone())]);
        let made = prove(scene.sheet(), &scene.about, &scene.items, &scene.segments, &scene.masks);
        assert_eq!(made, Err(ProverError::Order(0)), "{numbers:?}");
        let made = naive::prove(scene.sheet(), &scene.about, &scene.items, &scene.segments, &scene.masks);
        assert_eq!(made, Err(ProverError::Order(0)), "{numbers:?}");
    }
}

#[test]
fn records_of_other_rows_have_no_certificate_that_holds() {
    let scene = Scene::new(3, 8, 255, 2, &[(1, vec![3, 7])]);
    // The commitments are those of other rows: the relations hold for the rows, the claims do not.
    let other = Scene::new(3, 8, 255, 2, &[(1, vec![3, 8])]);
    let made = prove(scene.sheet(), &scene.about, &other.items, &scene.segments, &scene.masks).unwrap();
    assert_eq!(scene.verifier.verify_certificate(&scene.about, &other.items, &made), Err(CertificateError::False));
}

#[test]
fn layouts_that_no_sheet_has_are_refused() {
    let scene = Scene::new(3, 8, 255, 2, &[(1, vec![3, 7]), (4, vec![9])]);
    let certificate = scene.certificate();
    let refused = |change: &dyn Fn(&mut Vec<SheetItem>)| {
        let mut items = scene.items.clone();
        change(&mut items);
        scene.verifier.verify_certificate(&scene.about, &items, &certificate).unwrap_err()
    };
    let place = |k: usize| CertificateError::Sheet(SheetFault::Place(k));
    assert_eq!(refused(&|items| items[0].record.first = 0), place(0));
    assert_eq!(refused(&|items| items[0].record.rows = 0), place(0));
    assert_eq!(refused(&|items| items[0].record.rows = 3), place(1));
    assert_eq!(refused(&|items| items[1].record.rows = 2), place(1));
    assert_eq!(refused(&|items| items[1].record.log = 4), place(1));
    assert_eq!(refused(&|items| items[1].record.first = u16::MAX), place(1));
    assert_eq!(refused(&|items| items.swap(0, 1)), place(1));
    assert_eq!(refused(&|items| items[0].record.log = 12), CertificateError::Sheet(SheetFault::Size(12)));
    assert_eq!(refused(&|items| items[0].record.log = 2), CertificateError::Sheet(SheetFault::Size(2)));
    assert_eq!(refused(&|items| items[0].segment = 1), CertificateError::Sheet(SheetFault::Continues(0)));
    assert_eq!(refused(&|items| items[1].record.sums.truncate(1)), CertificateError::Sheet(SheetFault::Sums(1)));
    assert_eq!(refused(&|items| items.clear()), CertificateError::Sheet(SheetFault::Count(0)));
}

#[test]
fn a_batch_names_its_first_certificate_that_does_not_hold() {
    let scenes: Vec<Scene> =
        (0..5).map(|i| Scene::new(3 + i % 2, 8, 200, 1 + i % 3, &[(1, vec![i as u64, 7, 90])])).collect();
    let certificates: Vec<Certificate> = scenes.iter().map(Scene::certificate).collect();
    let verifier = scene::verifier();
    let verdict = |certificates: &[Certificate]| {
        let sheet = |(scene, certificate)| {
            let Scene { about, items, .. }: &Scene = scene;
            CertifiedSheet { about, link: None, items, certificate }
        };
        verifier.verify_certificates(&scenes.iter().zip(certificates).map(sheet).collect::<Vec<_>>())
    };
    assert_eq!((verdict(&certificates), verdict(&[])), (Ok(()), Ok(())));
    for place in 0..5 {
        let mut changed = certificates.clone();
        changed[place].value += aardvark_algebra::Scalar::from(1);
        changed[4].next += aardvark_algebra::Scalar::from(1);
        assert_eq!(verdict(&changed), Err((place, CertificateError::False)));
        let mut changed = certificates.clone();
        changed[place].bits.pop();
        assert_eq!(verdict(&changed), Err((place, CertificateError::Bits { found: 7, expected: 8 })));
    }
    // Two false ones whose faults would cancel without coefficients of their own: who knows τ moves
    // W' of one by (z' - τ) g1, and that of the other by (τ - z) g1.
    let mut changed = certificates.clone();
    let z = |place: usize| scenes[place].fold_point(&certificates[place]);
    changed[1].opening.witness = scene::moved(&changed[1].opening.witness, z(3) - scene::tau());
    changed[3].opening.witness = scene::moved(&changed[3].opening.witness, scene::tau() - z(1));
    assert_eq!(verdict(&changed), Err((1, CertificateError::False)));
}

//! Certificates of sheets that continue a run: honest ones on domains of any sizes, and forgeries
//! beside them.
#![allow(clippy::unwrap_used, reason = "a broken premise must stop a test")]

mod scene;

use aardvark_aggregates::certificate::statement::{sheet_of_statement, statement_behind};
use aardvark_aggregates::certificate::{LINK_BYTES, certificate_bytes, naive};
use aardvark_aggregates::{
    Certificate, CertificateError, CertifiedSheet, KnownLink, KnownSegment, ProverError, Record, SheetFault, SheetItem,
    prove_behind,
};
use aardvark_algebra::Scalar;
use aardvark_algebra::ff::Field;
use scene::Scene;

/// A sheet, and the one with the segment before its first.
struct Linked {
    before: Scene,
    after: Scene,
}

type Runs = Vec<(usize, Vec<u64>)>;

impl Linked {
    /// The first run of `after` continues the last one of `before`.
    fn new(bits: usize, cap: u64, moments: usize, before: (usize, Runs), after: (usize, Runs)) -> Self {
        let before = Scene::new(before.0, bits, cap, moments, &before.1);
        let mut after = Scene::new(after.0, bits, cap, moments, &after.1);
        let last = before.items.last().unwrap();
        after.items[0] = SheetItem {
            columns: last.columns.clone(),
            run: last.run,
            segment: last.segment + 1,
            ..after.items[0].clone()
        };
        Self { before, after }
    }

    fn previous(&self) -> &Record {
        &self.before.items.last().unwrap().record
    }

    fn known<'a>(&'a self, record: &'a Record, segment: &'a KnownSegment) -> KnownLink<'a> {
        let mask = [3u64, 5, 7].map(|seed| Scalar::from(seed).pow_vartime([91]));
        KnownLink { record, segment, setup: self.before.sheet(), mask }
    }

    /// A certificate whose prover says that the segment before is this one.
    fn prove(&self, record: &Record, segment: &KnownSegment) -> Result<Certificate, ProverError> {
        let (known, Scene { about, items, segments, masks, .. }) = (self.known(record, segment), &self.after);
        let fast = prove_behind(self.after.sheet(), about, Some(&known), items, segments, masks);
        let slow = naive::prove_behind(self.after.sheet(), about, Some(&known), items, segments, masks);
        assert_eq!(fast.as_ref().map(Certificate::to_bytes), slow.as_ref().map(Certificate::to_bytes));
        fast
    }

    fn honest(&self) -> Certificate {
        self.prove(self.previous(), self.before.segments.last().unwrap()).unwrap()
    }

    fn verdict(&self, link: Option<&Record>, certificate: &Certificate) -> Result<(), CertificateError> {
        let Scene { about, items, verifier, .. } = &self.after;
        verifier.verify_sheet(&CertifiedSheet { about, link, items, certificate })
    }
}

/// Rows 3, 9 and then 9, 40; another run beside the second segment.
fn small() -> Linked {
    Linked::new(8, 200, 2, (3, vec![(2, vec![3, 9])]), (4, vec![(2, vec![9, 40]), (6, vec![0, 200])]))
}

#[test]
fn honest_links_are_accepted_across_domains_and_are_those_of_the_slow_twin() {
    for linked in [
        small(),
        Linked::new(8, 255, 1, (3, vec![(1, vec![0])]), (3, vec![(1, vec![0, 0, 255])])),
        Linked::new(8, 255, 1, (3, vec![(1, vec![255])]), (3, vec![(4, vec![255])])),
        Linked::new(16, 60_000, 2, (5, vec![(1, vec![4]), (3, (0..26).collect())]), (3, vec![(1, vec![25, 60_000])])),
        Linked::new(16, 60_000, 3, (5, vec![(1, (0..28).collect())]), (3, vec![(1, vec![27, 28, 29, 30])])),
        Linked::new(64, u64::MAX, 3, (3, vec![(1, vec![5])]), (5, vec![(3, vec![5, u64::MAX]), (7, vec![0])])),
    ] {
        let shown = linked.honest();
        assert_eq!(linked.verdict(Some(linked.previous()), &shown), Ok(()));
        let (bits, bytes) = (linked.after.about.bits, shown.to_bytes());
        assert_eq!(bytes.len(), certificate_bytes(bits) + LINK_BYTES);
        assert_eq!(Certificate::from_bytes(&bytes, bits), Ok(shown));
        let (about, items) = (&linked.after.about, &linked.after.items);
        for link in [None, Some(linked.previous())] {
            let stated = statement_behind(about, link, items);
            let read = sheet_of_statement(about, 4, &stated).unwrap();
            assert_eq!((read.link.as_ref(), &read.items), (link, items));
            (0..stated.len()).for_each(|length| assert_eq!(sheet_of_statement(about, 4, &stated[..length]), None));
        }
    }
}

#[test]
fn forgery_a_link_downwards_has_no_certificate() {
    let down = Linked::new(8, 200, 2, (3, vec![(2, vec![3, 9])]), (4, vec![(2, vec![8, 40])]));
    let (record, segment) = (down.previous(), down.before.segments.last().unwrap());
    assert_eq!(down.prove(record, segment), Err(ProverError::Order(0)));
    // A prover who says that other rows come before makes one, which is false of the record.
    for numbers in [vec![3, 8], vec![3, 3], vec![0, 0]] {
        let other = KnownSegment { numbers, ..segment.clone() };
        let made = down.prove(record, &other).unwrap();
        assert_eq!(down.verdict(Some(record), &made), Err(CertificateError::False));
        // Of the record of these rows it is true, which is not the dictionary's.
        let theirs = other.commit(down.before.sheet(), record.root);
        let made = down.prove(&theirs, &other).unwrap();
        assert_eq!(down.verdict(Some(&theirs), &made), Ok(()));
        assert_eq!(down.verdict(Some(record), &made), Err(CertificateError::False));
    }
}

#[test]
fn forgery_a_link_to_another_row_or_run_is_refused() {
    let linked = small();
    let (shown, record) = (linked.honest(), linked.previous());
    assert_eq!(linked.verdict(Some(record), &shown), Ok(()));
    let refused = |change: &dyn Fn(&mut Record)| {
        let mut other = record.clone();
        change(&mut other);
        assert_eq!(linked.verdict(Some(&other), &shown), Err(CertificateError::False));
    };
    // One row before the last, one behind it; the sheet's own; other sums, another root.
    refused(&|other| other.rows -= 1);
    refused(&|other| other.rows += 1);
    refused(&|other| other.first -= 1);
    refused(&|other| *other = linked.after.items[1].record.clone());
    refused(&|other| other.sums.swap(0, 1));
    refused(&|other| other.root[0] ^= 1);
    refused(&|other| other.log = 4);
    // None, where the segment continues a run; and the other way round.
    assert_eq!(linked.verdict(None, &shown), Err(CertificateError::Sheet(SheetFault::Continues(0))));
    let unlinked = Certificate { link: None, ..shown.clone() };
    assert_eq!(linked.verdict(Some(record), &unlinked), Err(CertificateError::Link));
    let mut begins = small();
    begins.after.items[0].segment = 0;
    assert_eq!(begins.verdict(Some(record), &shown), Err(CertificateError::Sheet(SheetFault::Begins)));
    assert_eq!(begins.verdict(None, &shown), Err(CertificateError::Link));
    assert_eq!(begins.after.verdict(&begins.after.certificate()), Ok(()));
    begins.after.items[0].segment = 1;
    begins.after.items[1].segment = 1;
    assert_eq!(begins.verdict(Some(record), &shown), Err(CertificateError::Sheet(SheetFault::Continues(1))));
    // A record that has no place on a domain.
    for (rows, log) in [(0, 3), (40, 3), (2, 60)] {
        let other = Record { rows, log, ..record.clone() };
        assert_eq!(linked.verdict(Some(&other), &shown), Err(CertificateError::Sheet(SheetFault::Link)));
    }
}

#[test]
fn forgery_e_every_part_of_a_link_is_bound() {
    let linked = small();
    let (shown, record) = (linked.honest(), linked.previous());
    let part = shown.link.unwrap();
    let with = |link| linked.verdict(Some(record), &Certificate { link: Some(link), ..shown.clone() });
    assert_eq!(with(part), Ok(()));
    let moved = aardvark_aggregates::LinkPart { mask: scene::moved(&part.mask, Scalar::ONE), ..part };
    assert_eq!(with(moved), Err(CertificateError::False));
    let other = aardvark_aggregates::LinkPart { value: part.value + Scalar::ONE, ..part };
    assert_eq!(with(other), Err(CertificateError::False));
    // Equal rows, other masks: nothing of the value before shows.
    let (record, segment) = (linked.previous(), linked.before.segments.last().unwrap());
    let known = KnownLink { mask: [Scalar::ONE; 3], ..linked.known(record, segment) };
    let Scene { about, items, segments, masks, .. } = &linked.after;
    let again = prove_behind(linked.after.sheet(), about, Some(&known), items, segments, masks).unwrap();
    assert_eq!(linked.verdict(Some(record), &again), Ok(()));
    assert_ne!(again.link.unwrap().value, part.value);
    for i in (0..shown.to_bytes().len()).step_by(7) {
        let mut flipped = shown.to_bytes();
        flipped[i] ^= 1 << (i % 8);
        let verdict = Certificate::from_bytes(&flipped, 8).and_then(|other| linked.verdict(Some(record), &other));
        assert!(verdict.is_err(), "byte {i}");
    }
}

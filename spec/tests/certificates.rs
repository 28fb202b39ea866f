//! Certificates in the exponent: honest ones are accepted, whatever the layout and the moments, and
//! every change is refused. Who knows the trapdoor opens anything, so rows that have no certificate
//! are a matter of the implementation's tests.
#![allow(clippy::unwrap_used, reason = "a broken premise must stop a test")]

use aardvark_spec::base::bytes::ByteString;
use aardvark_spec::base::group::{G1, g1_multiple, known_exponent};
use aardvark_spec::base::hash::tagged_hash;
use aardvark_spec::base::scalar::{Scalar, scalar_of_number};
use aardvark_spec::commitment::folded_opening::{fold_gammas, fold_point};
use aardvark_spec::commitment::kzg::{KzgSetup, kzg_setup};
use aardvark_spec::convert::{byte_string, byte_vec, scalar_to_bytes, to_seq, to_vec};
use aardvark_spec::table::certificate::{CertificateFault, verify_certificate};
use aardvark_spec::table::certificate_prover::{CertificateMasks, certificate_opening_of, unopened_certificate};
use aardvark_spec::table::certificate_transcript::{
    Certificate, CertificateAbout, CertificateChallenges, certificate_bits_seed, certificate_challenges,
    certificate_quotient_seed, certificate_seed, certificate_statement, certificate_values_seed,
};
use aardvark_spec::table::known_segment::{KnownSegment, sums_at, values_at};
use aardvark_spec::table::run_record::{RunRecord, TablePoint};
use aardvark_spec::table::sheet::SheetItem;
use hacspec_lib::Seq;

/// Stands for the encoding of a point: injective.
fn encoded(x: G1) -> ByteString {
    let mut digest =
        byte_vec(&tagged_hash(&byte_string(b"encoded"), &byte_string(&scalar_to_bytes(known_exponent(x)))));
    digest.resize(48, 0);
    byte_string(&digest)
}

fn point(x: Scalar) -> TablePoint {
    TablePoint { held_element: g1_multiple(x), held_bytes: encoded(g1_multiple(x)) }
}

fn tau() -> Scalar {
    scalar(987_654_321)
}

/// A point with its encoding.
fn encoded_point(bare: &TablePoint) -> TablePoint {
    TablePoint { held_element: bare.held_element, held_bytes: encoded(bare.held_element) }
}

fn scalar(number: u128) -> Scalar {
    scalar_of_number(number)
}

/// Scalars that stand for random ones.
fn scalars(from: u128, count: usize) -> Seq<Scalar> {
    to_seq((0..count as u128).map(|i| scalar(1_000_003 * from + 17 * i + 5) * scalar(7 + from + i)).collect())
}

struct Scene {
    setup: KzgSetup,
    about: CertificateAbout,
    segments: Seq<KnownSegment>,
    items: Seq<SheetItem>,
    masks: CertificateMasks,
}

impl Scene {
    fn new(log: usize, bits: usize, cap: u128, moments: usize, runs: &[(usize, &[u128])]) -> Self {
        let n = 1 << log;
        let setup = kzg_setup(n, tau());
        let segment = |(k, (first, numbers)): (usize, &(usize, &[u128]))| KnownSegment {
            known_first: *first,
            known_numbers: to_seq(numbers.to_vec()),
            known_values_masks: scalars(10 + k as u128, 2),
            known_sums_masks: scalars(30 + k as u128, 2 * moments),
        };
        let segments: Vec<KnownSegment> = runs.iter().enumerate().map(segment).collect();
        let item = |(k, known): (usize, &KnownSegment)| SheetItem {
            item_columns: byte_string(&[k as u8; 4]),
            item_run: k,
            item_revision: 0,
            item_segment: 0,
            item_record: RunRecord {
                record_log: log,
                record_first: known.known_first,
                record_rows: known.known_numbers.len(),
                record_values: point(values_at(n, known, tau())),
                record_root: byte_string(&[9; 32]),
                record_sums: to_seq((1..=moments).map(|p| point(sums_at(n, known, p, tau()))).collect()),
            },
        };
        let items = to_seq(segments.iter().enumerate().map(item).collect());
        let about = CertificateAbout {
            about_dictionary: byte_string(&[1; 32]),
            about_table: byte_string(b"meters"),
            about_column: 0,
            about_schema: byte_string(&[2; 32]),
            about_bits: bits,
            about_cap: cap,
            about_moments: moments,
        };
        let masks = CertificateMasks {
            masks_bits: scalars(50, 2 * bits),
            masks_values: scalars(70, 3),
            masks_sums: scalars(90, 3),
        };
        Self { setup, about, segments: to_seq(segments), items, masks }
    }

    /// The certificate: in each round the challenges that the rounds before fix.
    fn certificate(&self) -> Certificate {
        let mut shown = Certificate::default();
        for _round in 0..3 {
            let (drawn, ..) = self.drawn(&shown);
            shown =
                with_bytes(&unopened_certificate(tau(), &self.about, &self.items, &self.segments, &self.masks, &drawn));
        }
        // W does not depend on z, which W fixes.
        for _round in 0..2 {
            let (drawn, gammas, z) = self.drawn(&shown);
            let opening = certificate_opening_of(tau(), &self.about, &self.items, &drawn, &gammas, z, &shown);
            shown = with_bytes(&Certificate { certificate_opening: opening, ..shown });
        }
        shown
    }

    fn drawn(&self, shown: &Certificate) -> (CertificateChallenges, Seq<Scalar>, Scalar) {
        let s0 = certificate_seed(&certificate_statement(&self.about, &self.items));
        let s1 = certificate_bits_seed(&s0, shown);
        let s2 = certificate_quotient_seed(&s1, shown);
        let s3 = certificate_values_seed(&s2, shown);
        let drawn = certificate_challenges(&self.about, self.items.len(), &s0, &s1, &s2);
        (drawn, fold_gammas(&s3, self.about.about_bits + 3), fold_point(&s3, &shown.certificate_opening_bytes))
    }

    fn verdict(&self, shown: &Certificate) -> Result<(), CertificateFault> {
        verify_certificate(&self.setup, &self.about, &self.items, shown)
    }
}

/// A certificate with its encodings.
fn with_bytes(shown: &Certificate) -> Certificate {
    let bits: Vec<TablePoint> = to_vec(&shown.certificate_bits).iter().map(encoded_point).collect();
    let mut scalars: Vec<u8> = Vec::new();
    for value in to_vec(&shown.certificate_bit_values) {
        scalars.extend(scalar_to_bytes(value));
    }
    scalars.extend(scalar_to_bytes(shown.certificate_value));
    scalars.extend(scalar_to_bytes(shown.certificate_next));
    Certificate {
        certificate_bits: to_seq(bits),
        certificate_values_mask: encoded_point(&shown.certificate_values_mask),
        certificate_sums_mask: encoded_point(&shown.certificate_sums_mask),
        certificate_quotient: encoded_point(&shown.certificate_quotient),
        certificate_scalar_bytes: byte_string(&scalars),
        certificate_opening_bytes: encoded(shown.certificate_opening.folded_quotient),
        ..shown.clone()
    }
}

#[test]
fn honest_certificates_are_accepted() {
    for (log, bits, cap, moments, runs) in [
        (3, 8, 255, 1, vec![(1, [3, 3, 200].as_slice())]),
        (3, 8, 255, 2, vec![(1, [0].as_slice()), (3, [255].as_slice())]),
        (4, 8, 200, 3, vec![(2, [1, 2, 3].as_slice()), (7, [0, 200].as_slice()), (11, [9, 9].as_slice())]),
        (4, 16, 65_535, 2, vec![(1, [0, 1, 65_535, 65_535].as_slice())]),
    ] {
        let scene = Scene::new(log, bits, cap, moments, &runs);
        assert_eq!(scene.verdict(&scene.certificate()), Ok(()), "{log} {bits} {moments} {runs:?}");
    }
}

#[test]
fn each_change_of_what_is_certified_is_refused() {
    let scene = Scene::new(3, 8, 255, 2, &[(1, &[3, 7]), (4, &[200])]);
    let shown = scene.certificate();
    let changed = |change: &dyn Fn(&mut CertificateAbout, &mut Vec<SheetItem>)| {
        let (mut about, mut items) = (scene.about.clone(), to_vec(&scene.items));
        change(&mut about, &mut items);
        verify_certificate(&scene.setup, &about, &to_seq(items), &shown)
    };
    let false_one = Err(CertificateFault::CertificateFalse);
    let illegal = Err(CertificateFault::SheetIllegal);
    assert_eq!(changed(&|_, _| ()), Ok(()));
    assert_eq!(changed(&|about, _| about.about_dictionary = byte_string(&[3; 32])), false_one);
    assert_eq!(changed(&|about, _| about.about_table = byte_string(b"meterz")), false_one);
    assert_eq!(changed(&|about, _| about.about_column = 1), false_one);
    assert_eq!(changed(&|about, _| about.about_schema = byte_string(&[3; 32])), false_one);
    assert_eq!(changed(&|about, _| about.about_cap = 254), false_one);
    assert_eq!(changed(&|about, _| about.about_bits = 7), Err(CertificateFault::BitsMismatched));
    assert_eq!(changed(&|about, _| about.about_moments = 1), illegal);
    assert_eq!(changed(&|_, items| items[0].item_columns = byte_string(&[1; 4])), false_one);
    assert_eq!(changed(&|_, items| items[0].item_run = 5), false_one);
    assert_eq!(changed(&|_, items| items[0].item_revision = 5), false_one);
    assert_eq!(changed(&|_, items| items[0].item_segment = 1), illegal);
    assert_eq!(changed(&|_, items| items[0].item_record.record_rows = 1), false_one);
    assert_eq!(changed(&|_, items| items[0].item_record.record_rows = 3), illegal);
    assert_eq!(changed(&|_, items| items[0].item_record.record_rows = 0), illegal);
    assert_eq!(changed(&|_, items| items[0].item_record.record_first = 0), illegal);
    assert_eq!(changed(&|_, items| items[1].item_record.record_rows = 2), illegal);
    assert_eq!(changed(&|_, items| items[1].item_record.record_log = 4), illegal);
    assert_eq!(changed(&|_, items| items[0].item_record.record_root = byte_string(&[8; 32])), false_one);
    assert_eq!(changed(&|_, items| items.swap(0, 1)), illegal);
    assert_eq!(changed(&|_, items| items.clear()), illegal);
    let values = |items: &mut Vec<SheetItem>| items[0].item_record.record_values = point(scalar(5));
    assert_eq!(changed(&|_, items| values(items)), false_one);
}

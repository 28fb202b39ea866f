//! Forgeries by an algebraic prover: it commits to vectors of its own choice, which break one
//! relation and no other, opens everything as it is, and leaves out what its quotient cannot be
//! divided by. A verifier that did not demand the relation would accept. The letters are those of
//! docs/tables.md, "Forgeries".

use std::sync::OnceLock;

use aardvark_algebra::ff::Field;
use aardvark_algebra::group::Curve;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{G1Affine, G2Affine, Scalar, batch_to_affine};
use aardvark_dictionary::DictionaryId;

use super::CertificateError;
use super::rows::{Rows, steps};
use super::statement::{About, SheetItem};
use crate::fold::TableVerifier;
use crate::masks::{CertificateMasks, MaskSource};
use crate::segment::KnownSegment;
use crate::setup::ProverSetup;

const LOG: usize = 4;
const BITS: usize = 8;
const CAP: u64 = 200;
const MOMENTS: usize = 2;

fn setup() -> &'static ProverSetup {
    static SETUP: OnceLock<ProverSetup> = OnceLock::new();
    SETUP.get_or_init(|| {
        let tau = Scalar::from(987_654_321);
        let powers = core::iter::successors(Some(Scalar::ONE), |power| Some(power * tau)).take(34);
        let powers: Vec<_> = powers.map(|power| G1Affine::generator() * power).collect();
        ProverSetup::from_powers(batch_to_affine(&powers), (G2Affine::generator() * tau).to_affine())
    })
}

/// A sheet, and a prover that certifies it whatever it is.
struct Forger {
    about: About,
    items: Vec<SheetItem>,
    segments: Vec<KnownSegment>,
    masks: CertificateMasks,
}

impl Forger {
    /// Segments by the position of their first row and their numbers.
    fn new(segments: &[(usize, &[u64])]) -> Self {
        let mut source = MaskSource::new([7; 32]);
        let mut draw =
            |(first, numbers): &(usize, &[u64])| KnownSegment::draw(&mut source, *first, numbers.to_vec(), MOMENTS);
        let segments: Vec<KnownSegment> = segments.iter().map(&mut draw).collect();
        let item = |(run, segment): (u32, &KnownSegment)| SheetItem {
            columns: vec![0; 4],
            run,
            revision: 0,
            segment: 0,
            record: segment.commit(setup().sheet(LOG).unwrap(), [9; 32]),
        };
        let items = (0..).zip(&segments).map(item).collect();
        let masks = CertificateMasks::draw(&mut source, BITS);
        let dictionary = DictionaryId([1; 32]);
        let (table, schema) = ("meters".to_owned(), [2; 32]);
        let about = About { dictionary, table, column: 0, schema, bits: BITS, cap: CAP, moments: MOMENTS };
        Self { about, items, segments, masks }
    }

    /// The steps between the rows, and from the last ones to the cap.
    fn steps(&self) -> Vec<u64> {
        steps(&self.segments, 0, CAP, 1 << LOG)
    }

    /// The verdict on the certificate that says of each position this step.
    fn verdict(&self, steps: Vec<u64>) -> Result<(), CertificateError> {
        let Self { about, items, segments, masks } = self;
        let setup_of_sheet = setup().sheet(LOG).unwrap();
        let rows = Rows { setup: setup_of_sheet, about, link: None, items, segments, masks, steps };
        let (certificate, _) = rows.prove().unwrap();
        TableVerifier::new(setup().tau_g2()).verify_certificate(about, items, &certificate)
    }
}

#[test]
fn forgery_c_rows_that_a_record_does_not_count_have_no_certificate() {
    // The vector has five rows in order, and the sum of all five; the record says three. The step
    // from its last row goes on to the rows that are hidden, the cap in it.
    let mut forger = Forger::new(&[(1, &[3, 3, 180, 190, 190]), (6, &[195, 199])]);
    if let Some(item) = forger.items.first_mut() {
        item.record.rows = 3;
    }
    let mut steps = vec![0; 1 << LOG];
    steps.splice(..8, [3, 0, 177, 190 - 180 + CAP, 0, 5, 4, CAP - 199]);
    assert_eq!(forger.verdict(steps), Err(CertificateError::False));
    // As many as there are, where there is room for them.
    let honest = Forger::new(&[(1, &[3, 3, 180, 190, 190]), (7, &[195, 199])]);
    assert_eq!(honest.verdict(honest.steps()), Ok(()));
}

#[test]
fn forgery_a_rows_above_the_cap_or_out_of_order_have_no_certificate() {
    for (numbers, verdict) in [
        ([3, 3, CAP], Ok(())),
        ([3, 3, CAP + 1], Err(CertificateError::False)),
        ([3, 3, 1 << BITS], Err(CertificateError::False)),
        ([180, 3, 3], Err(CertificateError::False)),
    ] {
        let forger = Forger::new(&[(1, &numbers)]);
        assert_eq!(forger.verdict(forger.steps()), verdict, "{numbers:?}");
    }
}

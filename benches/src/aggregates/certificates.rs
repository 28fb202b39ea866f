//! Certificates: committing to the rows of a sheet, making its certificate, verifying it.
//!
//! Of one run that fills a sheet, and of twenty runs that share one, at 32 and 64 bits, with sums
//! and squares. `build` commits to the rows; the certificate's bytes are counted. `audit` checks
//! fifteen certificates as one batch. `verify` is compared with `pairing_check`, one check of two
//! prepared pairs.
//!
//! Checked: each certificate verifies; the committed sums are those that plain integers add up to;
//! a certificate with a changed record is refused.

use aardvark_aggregates::{
    About, Certificate, CertificateError, CertificateMasks, CertifiedSheet, KnownSegment, MaskSource, ProverSetup,
    SheetItem, SheetSetup, TableVerifier, prove,
};
use aardvark_algebra::group::Curve;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{G1Affine, G2Affine, PreparedLines, Scalar, msm, shared_product_is_one};
use aardvark_dictionary::DictionaryId;

use super::options::{Options, TABLE};
use crate::error::{BenchError, require};
use crate::measure::contest::{Contender, Effort, hold};
use crate::measure::row::Row;
use crate::report::Report;
use crate::workload::random::Random;

/// Powers of the rows that have sums.
const MOMENTS: usize = 2;
/// Certificates that an audit checks as one batch.
const AUDITED: usize = 15;
/// Points that pairings are checked of, in turn.
const POINTS: u64 = 64;

/// Measures certificates.
pub fn run(
    setup: &ProverSetup,
    verifier: &TableVerifier,
    options: &Options,
    report: &mut Report,
) -> Result<(), BenchError> {
    let full = (1 << options.log) - 4;
    for bits in [32, 64] {
        for (log, runs) in [(options.log, vec![full]), (7, vec![5; 20])] {
            let sheet = Sheet::new(setup.sheet(log)?, bits, &runs)?;
            eprintln!("{} rows in {} runs, {bits} bits", sheet.rows(), runs.len());
            sheet.measure(verifier, options, report)?;
        }
    }
    Ok(())
}

/// A sheet with random rows.
struct Sheet<'a> {
    scheme: &'static str,
    setup: &'a SheetSetup,
    about: About,
    segments: Vec<KnownSegment>,
    items: Vec<SheetItem>,
    masks: CertificateMasks,
}

impl<'a> Sheet<'a> {
    /// Runs of so many rows each, one after the other.
    fn new(setup: &'a SheetSetup, bits: usize, runs: &[usize]) -> Result<Self, BenchError> {
        let cap = u64::MAX >> (64 - bits);
        let about = About {
            dictionary: DictionaryId([1; 32]),
            table: "meters".to_owned(),
            column: 0,
            schema: [2; 32],
            bits,
            cap,
            moments: MOMENTS,
        };
        let (mut random, mut source) = (Random::new(bits as u64), MaskSource::new([3; 32]));
        let (mut first, mut segments) = (1, Vec::new());
        for rows in runs {
            let mut numbers: Vec<u64> = (0..*rows).map(|_| random.below(cap)).collect();
            numbers.sort_unstable();
            segments.push(KnownSegment::draw(&mut source, first, numbers, MOMENTS));
            first += rows + 1;
        }
        let item = |(k, segment): (usize, &KnownSegment)| SheetItem {
            columns: (k as u64).to_be_bytes().to_vec(),
            run: 0,
            revision: 0,
            segment: 0,
            record: segment.commit(setup, [0; 32]),
        };
        let items: Vec<SheetItem> = segments.iter().enumerate().map(item).collect();
        let masks = CertificateMasks::draw(&mut source, bits);
        let scheme = if bits == 32 { "kzg 32 bits" } else { "kzg 64 bits" };
        let sheet = Self { scheme, setup, about, segments, items, masks };
        require(sheet.totals_are_plain(), || "a committed sum is not the sum".to_owned())?;
        Ok(sheet)
    }

    fn rows(&self) -> u64 {
        self.segments.iter().map(|segment| segment.numbers.len() as u64).sum()
    }

    /// Whether the first segment's committed sums are what plain integers add up to: the difference
    /// of the commitment and the masks' share is that of the vector of plain suffix sums.
    fn totals_are_plain(&self) -> bool {
        let (Some(segment), Some(item)) = (self.segments.first(), self.items.first()) else { return false };
        let size = self.setup.domain.size();
        let suffix = |position: usize| {
            let rows = segment.numbers.iter().skip(position.saturating_sub(segment.first));
            rows.map(|number| u128::from(*number)).sum::<u128>()
        };
        let plain = (0..size - 2).map(|position| aardvark_algebra::scalar_from_u128(suffix(position)));
        let masks = segment.sums_masks.first().copied().unwrap_or_default();
        let vector: Vec<Scalar> = plain.chain(masks).collect();
        let expected = msm(&self.setup.basis, &vector).to_affine();
        item.record.sums.first().is_some_and(|sum| *sum.point() == expected)
    }

    fn certificate(&self) -> Result<Certificate, BenchError> {
        prove(self.setup, &self.about, &self.items, &self.segments, &self.masks)
            .map_err(|error| BenchError::Wrong(error.to_string()))
    }

    fn measure(&self, verifier: &TableVerifier, options: &Options, report: &mut Report) -> Result<(), BenchError> {
        let shown = self.certificate()?;
        let verdict = |items: &[SheetItem]| verifier.verify_certificate(&self.about, items, &shown);
        let mut changed = self.items.clone();
        changed.iter_mut().for_each(|item| item.revision += 1);
        let refused = verdict(&changed) == Err(CertificateError::False);
        require(refused, || "a certificate of another revision was accepted".to_owned())?;

        let (size, scheme) = (self.rows(), self.scheme);
        let bytes = shown.to_bytes().len() as f64;
        report.add(Row::counted(TABLE, scheme, "certificate_bytes", "bytes", bytes).size(size))?;
        let committed: Vec<_> = self.items.iter().map(|item| item.record.clone()).collect();
        let build = Contender::new(
            (scheme, "build"),
            size,
            |_| Ok(self.segments.iter().map(|segment| segment.commit(self.setup, [0; 32])).collect::<Vec<_>>()),
            |_, records| *records == committed,
        );
        let certificate_prove =
            Contender::new((scheme, "certificate_prove"), size, |_| self.certificate(), |_, made| *made == shown);
        let certificate_verify =
            Contender::new((scheme, "certificate_verify"), size, |_| Ok(verdict(&self.items)), |_, held| held.is_ok());
        let sheet = CertifiedSheet { about: &self.about, link: None, items: &self.items, certificate: &shown };
        let audited = [sheet; AUDITED];
        let audit = Contender::new(
            (scheme, "audit"),
            size * AUDITED as u64,
            |_| Ok(verifier.verify_certificates(&audited)),
            |_, held| held.is_ok(),
        );
        let lines = PreparedLines::new(&G2Affine::generator());
        let points: Vec<G1Affine> =
            (2..2 + POINTS).map(|number| (G1Affine::generator() * Scalar::from(number)).to_affine()).collect();
        let pairing_check = Contender::new(
            (scheme, "pairing_check"),
            size,
            |number| {
                let point = points.get(number % points.len()).copied().unwrap_or_default();
                Ok(shared_product_is_one(&[(point, &lines), (-point, &lines)]))
            },
            |_, held| *held,
        );
        let contenders = vec![build, certificate_prove, certificate_verify, audit, pairing_check];
        let effort = Effort::iterations(options.repetitions);
        hold(TABLE, contenders, Some((scheme, "pairing_check")), &effort)?
            .into_iter()
            .try_for_each(|row| report.add(row))
    }
}

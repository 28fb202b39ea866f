//! Certificates that are verified together, in batches on all cores.

use aardvark_aggregates::{About, Certificate, CertificateError, CertifiedSheet, Record, SheetItem, TableVerifier};
use rayon::prelude::*;

/// Certificates that are verified as one batch.
pub(crate) const BATCH: usize = 64;

/// A certificate to verify.
pub(crate) struct ToVerify {
    /// The version that put what it is about.
    pub(crate) version: u64,
    pub(crate) about: About,
    pub(crate) link: Option<Record>,
    pub(crate) items: Vec<SheetItem>,
    pub(crate) certificate: Certificate,
}

/// Those that do not hold, by their places, ascending.
pub(crate) fn false_ones(verifier: &TableVerifier, sheets: &[ToVerify]) -> Vec<(usize, CertificateError)> {
    let verdicts: Vec<Vec<(usize, CertificateError)>> =
        sheets.par_chunks(BATCH).map(|batch| false_in_batch(verifier, batch)).collect();
    let numbered = (0usize..).step_by(BATCH).zip(verdicts);
    numbered.flat_map(|(first, found)| found.into_iter().map(move |(place, error)| (first + place, error))).collect()
}

fn false_in_batch(verifier: &TableVerifier, batch: &[ToVerify]) -> Vec<(usize, CertificateError)> {
    let sheets: Vec<CertifiedSheet<'_>> = batch
        .iter()
        .map(|ToVerify { about, link, items, certificate, .. }| {
            let link = link.as_ref();
            CertifiedSheet { about, link, items, certificate }
        })
        .collect();
    if verifier.verify_certificates(&sheets).is_ok() {
        return Vec::new();
    }
    let verdict =
        |(place, sheet): (usize, &CertifiedSheet<'_>)| verifier.verify_sheet(sheet).err().map(|error| (place, error));
    sheets.iter().enumerate().filter_map(verdict).collect()
}

//! Certificates that come with an answer: each run that it uses must stand, with its key, number
//! and revision, in a statement for this dictionary, table, column and schema whose certificate
//! holds.
//!
//! Of a run of several segments all have to be there, each linked to the one before, whatever is
//! asked: a link says something only if what it is linked to is certified itself. Their rows and
//! sums have to add up to what the head says, and ranks to be the rows before.

use std::collections::BTreeMap;

use aardvark_dictionary::DictionaryId;

use super::StatedCertificate;
use super::reason::{AnswerError, TableReason};
use super::runs::BoxRun;
use crate::certificate::statement::{About, StatedSheet, sheet_of_statement};
use crate::certificate::verifier::{CertifiedSheet, equation};
use crate::certificate::{Certificate, CertificateError};
use crate::fold::FoldEquation;
use crate::query::Query;
use crate::record::{Head, Record};

/// The sheets of an answer's certificates.
#[derive(Default)]
pub(super) struct CertifiedSheets {
    about: Option<About>,
    sheets: Vec<(StatedSheet, Certificate)>,
}

/// Records by key, run, revision and segment, with those that they are linked to.
type CertifiedSegments<'a> = BTreeMap<(&'a [u8], u32, u32, u32), Vec<(Option<&'a Record>, &'a Record)>>;

/// Whether all segments of a run stand in statements, linked one to the other, and add up to it.
fn is_certified(run: &BoxRun, certified: &CertifiedSegments<'_>) -> bool {
    let BoxRun { columns, run: number, head, pieces } = run;
    let at = |segment: u32| certified.get(&(columns.as_slice(), *number, head.revision, segment));
    let first = at(0).is_some_and(|records| records.contains(&(None, &head.record)));
    let mut extent = Head::single(head.revision, head.record.clone());
    let (mut before, mut shown) = (&head.record, pieces.iter().skip(1).peekable());
    for segment in 1..head.segments() {
        let Some(records) = at(segment) else { return false };
        let Some((_, record)) = records.iter().find(|(link, _)| *link == Some(before)) else { return false };
        if let Some(piece) = shown.next_if(|piece| piece.number == segment)
            && (piece.rank != extent.rows() || piece.record != **record)
        {
            return false;
        }
        extent = extent.with_segment(record);
        before = record;
    }
    first && extent == *head
}

impl CertifiedSheets {
    /// The sheets, once each run was found in one of them.
    pub(super) fn new(
        query: &Query,
        dictionary: DictionaryId,
        runs: &[BoxRun],
        stated: &[StatedCertificate],
    ) -> Result<Self, AnswerError> {
        let about = About::of_column(dictionary, query.table(), query.schema(), query.column())
            .ok_or(AnswerError::whole(TableReason::FunctionUnknown))?;
        let width = query.schema().key_width();
        let read = |(item, stated): (usize, &StatedCertificate)| {
            let malformed = AnswerError::item(TableReason::CertificateMalformed, item);
            let sheet = sheet_of_statement(&about, width, &stated.statement).ok_or(malformed)?;
            let certificate = Certificate::from_bytes(&stated.certificate, about.bits).map_err(|_| malformed)?;
            Ok((sheet, certificate))
        };
        let sheets: Vec<(StatedSheet, Certificate)> =
            stated.iter().enumerate().map(read).collect::<Result<_, AnswerError>>()?;
        let mut certified: CertifiedSegments<'_> = BTreeMap::new();
        for (StatedSheet { link, items }, _) in &sheets {
            for (k, item) in items.iter().enumerate() {
                let place = (item.columns.as_slice(), item.run, item.revision, item.segment);
                let link = link.as_ref().filter(|_| k == 0);
                certified.entry(place).or_default().push((link, &item.record));
            }
        }
        let missing = runs.iter().position(|run| !is_certified(run, &certified));
        match missing {
            Some(item) => Err(AnswerError::item(TableReason::CertificateMissing, item)),
            None => Ok(Self { about: Some(about), sheets }),
        }
    }

    /// The equations of the certificates.
    pub(super) fn equations(&self) -> Result<Vec<FoldEquation>, AnswerError> {
        let Some(about) = &self.about else { return Ok(Vec::new()) };
        let of_sheet = |(item, (StatedSheet { link, items }, certificate)): (usize, &(StatedSheet, Certificate))| {
            let sheet = CertifiedSheet { about, link: link.as_ref(), items, certificate };
            equation(&sheet).map_err(|error| {
                AnswerError::item(
                    match error {
                        CertificateError::False | CertificateError::ZetaOnDomain => TableReason::CertificateFalse,
                        _ => TableReason::CertificateMalformed,
                    },
                    item,
                )
            })
        };
        self.sheets.iter().enumerate().map(of_sheet).collect()
    }
}

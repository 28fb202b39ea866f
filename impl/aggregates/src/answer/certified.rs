//! Certificates that come with an answer: each run that it uses must stand, with its key, number
//! and revision, in a statement for this dictionary, table, column and schema whose certificate
//! holds.

use std::collections::BTreeSet;

use aardvark_dictionary::DictionaryId;

use super::StatedCertificate;
use super::reason::{AnswerError, TableReason};
use super::runs::BoxRun;
use crate::certificate::statement::{About, SheetItem, StatedSheet, sheet_of_statement};
use crate::certificate::verifier::{CertifiedSheet, equation};
use crate::certificate::{Certificate, CertificateError};
use crate::fold::FoldEquation;
use crate::query::Query;

/// The sheets of an answer's certificates.
#[derive(Default)]
pub(super) struct CertifiedSheets {
    about: Option<About>,
    sheets: Vec<(StatedSheet, Certificate)>,
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
        let key =
            |item: &SheetItem| (item.columns.clone(), item.run, item.revision, item.segment, item.record.to_bytes());
        let certified: BTreeSet<_> = sheets.iter().flat_map(|(sheet, _)| &sheet.items).map(key).collect();
        let missing = runs.iter().position(|BoxRun { columns, run, head }| {
            !certified.contains(&(columns.clone(), *run, head.revision, 0, head.record.to_bytes()))
        });
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

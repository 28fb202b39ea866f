//! Two verdicts on one answer.

use aardvark_aggregates::{AnswerError, TableReason};
use aardvark_spec::policy::certified_answer::CertifiedRefusal;
use aardvark_spec::table::table_answer as spec;

/// Whether both accept an answer, about the same number of runs; they must refuse for one reason.
pub fn compare(verdict: &Result<usize, AnswerError>, specified: &Result<usize, spec::TableRefusal>) -> bool {
    match (verdict, specified) {
        (Ok(runs), Ok(found)) => assert_eq!(runs, found),
        (Err(error), Err(refusal)) => {
            let reason = match error.reason {
                TableReason::Dictionary(refusal) => format!("DictionaryRefused({:?})", refusal.reason),
                TableReason::OpeningMalformed => "FoldMalformed".to_owned(),
                TableReason::OpeningFalse => "FoldFalse".to_owned(),
                reason => format!("{reason:?}"),
            };
            assert_eq!(reason, format!("{:?}", refusal.table_reason), "{error}");
        }
        _ => panic!("{verdict:?} and {specified:?}"),
    }
    verdict.is_ok()
}

/// What is said of the certificates of an answer that holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SaidOfCertificates {
    /// They show all of its runs.
    Accepted,
    /// They do not show the run with this number.
    Missing(usize),
    /// One does not hold.
    False,
    /// One is none.
    Unread,
}

/// What both say of the certificates of an answer that holds: where they refuse them, for one
/// reason. The specification tells false certificates and such as are none from each other by what
/// their bytes are.
pub fn compare_certified(
    verdict: &Result<(), AnswerError>,
    specified: &Result<(), CertifiedRefusal>,
) -> SaidOfCertificates {
    match (verdict, specified) {
        (Ok(()), Ok(())) => SaidOfCertificates::Accepted,
        (Err(error), Err(refusal)) => match (error.reason, refusal) {
            (TableReason::CertificateMissing, CertifiedRefusal::RunUncertified(run)) => {
                assert_eq!(error.item, Some(*run));
                SaidOfCertificates::Missing(*run)
            }
            (TableReason::CertificateFalse, CertifiedRefusal::CertificatesRefused) => SaidOfCertificates::False,
            (TableReason::CertificateMalformed, CertifiedRefusal::CertificatesRefused) => SaidOfCertificates::Unread,
            _ => panic!("{error} and {refusal:?}"),
        },
        _ => panic!("{verdict:?} and {specified:?}"),
    }
}

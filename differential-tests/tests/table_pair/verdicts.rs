//! Two verdicts on one answer.

use aardvark_aggregates::{AnswerError, TableReason};
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

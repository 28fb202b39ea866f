//! Results of a block's transactions: codes and events, equal on every validator; prose in the log
//! only.

use aardvark_algebra::integers::i64_or_max;
use aardvark_chain::{Attribute, Notice, TxCode};
use tendermint_proto::v0_38::abci::{Event, EventAttribute, ExecTxResult};

use crate::validator::judgement::{ExecutedBlock, Refusal};
use crate::validator::upgrades::WORK_IN_RESULTS;

/// The codespace of our codes.
pub(super) const CODESPACE: &str = "aardvark";

/// The results of a block that is applied under an app version: the frame's, then one for each
/// transaction.
pub(super) fn applied(executed: &ExecutedBlock, count: usize, app_version: u64) -> Vec<ExecTxResult> {
    let each = executed.notices.iter().zip(&executed.work).map(|(notice, work)| {
        let gas = if app_version >= WORK_IN_RESULTS { i64_or_max(*work) } else { 0 };
        ExecTxResult { gas_wanted: gas, gas_used: gas, ..result(TxCode::Applied, "", Some(notice)) }
    });
    framed(result(TxCode::Applied, "", None), each, count)
}

/// The results of a block that is applied as empty.
pub(super) fn refused(refusal: &Refusal, count: usize) -> Vec<ExecTxResult> {
    let log = refusal.to_string();
    let each = refusal.notices.iter().map(|notice| result(TxCode::BlockRefused, &log, Some(notice)));
    framed(result(TxCode::BlockRefused, &log, None), each, count)
}

/// As many results as CometBFT listed transactions; those that could not be read have the frame's.
fn framed(frame: ExecTxResult, each: impl Iterator<Item = ExecTxResult>, count: usize) -> Vec<ExecTxResult> {
    let results = std::iter::once(frame.clone()).chain(each);
    results.chain(std::iter::repeat(frame)).take(count).collect()
}

fn result(code: TxCode, log: &str, notice: Option<&Notice>) -> ExecTxResult {
    let codespace = if code == TxCode::Applied { String::new() } else { CODESPACE.to_owned() };
    let events = notice.into_iter().flat_map(|notice| notice.events(code)).map(event).collect();
    ExecTxResult { code: code.number(), log: log.to_owned(), codespace, events, ..ExecTxResult::default() }
}

fn event(event: aardvark_chain::Event) -> Event {
    let attribute = |Attribute { key, value, indexed }| EventAttribute { key: key.to_owned(), value, index: indexed };
    Event { r#type: event.kind.to_owned(), attributes: event.attributes.into_iter().map(attribute).collect() }
}

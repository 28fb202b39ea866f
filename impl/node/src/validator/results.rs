//! Results of a block's transactions: codes and events, equal on every validator; prose in the log only.

use aardvark_dictionary::TransactionId;
use tendermint_proto::v0_38::abci::{Event, EventAttribute, ExecTxResult};

use crate::chain::{EVENT_TYPE, TxCode, attributes};
use crate::validator::judgement::Refusal;

/// The codespace of our codes.
pub(super) const CODESPACE: &str = "aardvark";

/// The results of a block that is applied: the frame's, then one for each transaction.
pub(super) fn applied(identities: &[(TransactionId, u64)], count: usize) -> Vec<ExecTxResult> {
    let each = identities.iter().map(|(id, _)| result(TxCode::Applied, "", Some(id)));
    framed(result(TxCode::Applied, "", None), each, count)
}

/// The results of a block that is applied as empty.
pub(super) fn refused(refusal: &Refusal, count: usize) -> Vec<ExecTxResult> {
    let log = refusal.to_string();
    let each = refusal.identities.iter().map(|id| result(TxCode::BlockRefused, &log, Some(id)));
    framed(result(TxCode::BlockRefused, &log, None), each, count)
}

/// As many results as CometBFT listed transactions; those that could not be read have the frame's.
fn framed(frame: ExecTxResult, each: impl Iterator<Item = ExecTxResult>, count: usize) -> Vec<ExecTxResult> {
    let results = std::iter::once(frame.clone()).chain(each);
    results.chain(std::iter::repeat(frame)).take(count).collect()
}

fn result(code: TxCode, log: &str, id: Option<&TransactionId>) -> ExecTxResult {
    let codespace = if code == TxCode::Applied { String::new() } else { CODESPACE.to_owned() };
    let events = id.map(|id| event(id, code)).into_iter().collect();
    ExecTxResult { code: code.number(), log: log.to_owned(), codespace, events, ..ExecTxResult::default() }
}

fn event(id: &TransactionId, code: TxCode) -> Event {
    let attribute = |(key, value): (&str, String)| EventAttribute { key: key.to_owned(), value, index: true };
    Event { r#type: EVENT_TYPE.to_owned(), attributes: attributes(id, code).map(attribute).to_vec() }
}

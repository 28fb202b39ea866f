//! The event of each transaction, by which CometBFT's index finds it. A block's bytes are not the submitted ones, so the hash that
//! CometBFT gives a submitted transaction finds nothing: **inclusion is by our id**.

use aardvark_dictionary::TransactionId;

use crate::chain::TxCode;

/// The event's type.
pub const EVENT_TYPE: &str = "aardvark";
/// The attribute with the transaction's id, hexadecimal without prefix.
pub const ID_ATTRIBUTE: &str = "id";
/// The attribute with the name of the [`TxCode`].
pub const OUTCOME_ATTRIBUTE: &str = "outcome";

/// The attributes of a transaction's event, all of them indexed: `aardvark.id='…'` finds it.
pub fn attributes(id: &TransactionId, outcome: TxCode) -> [(&'static str, String); 2] {
    [(ID_ATTRIBUTE, hex::encode(id.0)), (OUTCOME_ATTRIBUTE, outcome.name().to_owned())]
}

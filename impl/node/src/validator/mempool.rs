//! CheckTx: whether a transaction may wait for a block.
//!
//! A new one is read, its policy and static rules are looked at, then its signatures, then its openings in one batch. What fails costs no
//! more than itself. After every block CometBFT asks again about all that still wait: then only what can have changed is looked at, replay,
//! interval, resolution and the operations on the values of now, which costs no group operation. A transaction that
//! cannot succeed as things stand does not wait: phase 9 is a rule of admission here, not one of the blocks.

use aardvark_dictionary::{DecodeError, Validator};
use rayon::prelude::*;
use tendermint_proto::v0_38::abci::{CheckTxType, RequestCheckTx, ResponseCheckTx};

use crate::chain::{SignedTransaction, TxCode};
use crate::validator::application::Application;
use crate::validator::results::CODESPACE;

impl Application {
    /// CheckTx for all that have arrived, in parallel, in order.
    ///
    /// The state is locked once, out here: a thread of the pool that waits for its part of a batch takes up other work, and would
    /// lock the state a second time, behind the block that waits for the first.
    pub(super) fn check_txs(&self, requests: &[RequestCheckTx]) -> Vec<ResponseCheckTx> {
        let state = self.state();
        let state: &Validator = &state;
        requests.par_iter().map(|request| self.check_tx(state, request)).collect()
    }

    fn check_tx(&self, state: &Validator, request: &RequestCheckTx) -> ResponseCheckTx {
        let again = request.r#type == i32::from(CheckTxType::Recheck);
        match self.admit(state, &request.tx, again) {
            Ok(()) => ResponseCheckTx::default(),
            Err((code, log)) => ResponseCheckTx {
                code: code.number(),
                log,
                codespace: CODESPACE.to_owned(),
                ..ResponseCheckTx::default()
            },
        }
    }

    fn admit(&self, state: &Validator, bytes: &[u8], again: bool) -> Result<(), (TxCode, String)> {
        let plain = |code: TxCode| (code, code.to_string());
        let signed = SignedTransaction::decode(bytes, &self.rules.parameters.limits).map_err(|error| match error {
            DecodeError::TooLong { .. } => (TxCode::TooLong, error.to_string()),
            _ => (TxCode::Malformed, error.to_string()),
        })?;
        let rejected =
            |rejection: aardvark_dictionary::Rejection| (TxCode::Rejected(rejection.reason), rejection.to_string());
        let transaction = &signed.transaction;
        if again {
            return state.check_again(transaction).map_err(rejected);
        }
        self.rules.policy.check(transaction, &signed.signatures).map_err(plain)?;
        state.check_again(transaction).map_err(rejected)?;
        if !signed.verify_signatures(&self.rules.id) {
            return Err(plain(TxCode::SignatureFalse));
        }
        state.check(transaction).map_err(rejected)
    }
}

//! CheckTx: whether a transaction may wait for a block.
//!
//! A new one is read, its policy and static rules are looked at, then its signatures, all of which costs no more than itself. Then its openings:
//! CometBFT sends transactions without waiting for answers, so while one batch is verified the next gathers, and the openings
//! of all that have arrived are **one** batch; a false one among them makes it at most twice as dear. After every block CometBFT asks
//! again about all that still wait: then only what can have changed is looked at, replay, interval, resolution and the operations
//! on the values of now, which costs no group operation. A transaction that cannot succeed as things stand does not wait: phase 9
//! is a rule of admission here, not one of the blocks.

use aardvark_dictionary::{DecodeError, Rejection, Transaction, Validator};
use rayon::prelude::*;
use tendermint_proto::v0_38::abci::{CheckTxType, RequestCheckTx, ResponseCheckTx};

use crate::chain::{SignedTransaction, TxCode};
use crate::validator::application::Application;
use crate::validator::results::CODESPACE;

/// Why a transaction may not wait: the code, and prose for the log.
type Refused = (TxCode, String);

/// A transaction before its openings are looked at.
enum Read {
    /// It waits already, and nothing has changed for it.
    StillGood,
    /// Its openings are all that is left.
    New(Transaction),
}

impl Application {
    /// CheckTx for all that have arrived, in order, on all cores.
    ///
    /// The state is locked once, out here: a thread of the pool that waits for its part of a batch takes up other work, and would
    /// lock the state a second time, behind the block that waits for the first.
    pub(super) fn check_txs(&self, requests: &[RequestCheckTx]) -> Vec<ResponseCheckTx> {
        let state = self.state();
        let state: &Validator = &state;
        let read: Vec<Result<Read, Refused>> = requests.par_iter().map(|request| self.read(state, request)).collect();
        let new = read.iter().flatten().filter_map(|read| match read {
            Read::New(transaction) => Some(transaction),
            Read::StillGood => None,
        });
        let mut checked = state.check_openings(&new.collect::<Vec<_>>()).into_iter();
        let mut answer = |read: Result<Read, Refused>| match read {
            Err(refused) => refusal(refused),
            Ok(Read::StillGood) => ResponseCheckTx::default(),
            Ok(Read::New(_)) => match checked.next() {
                Some(Ok(())) => ResponseCheckTx::default(),
                Some(Err(rejection)) => refusal(rejected(rejection)),
                None => refusal(plain(TxCode::Malformed)),
            },
        };
        read.into_iter().map(&mut answer).collect()
    }

    fn read(&self, state: &Validator, request: &RequestCheckTx) -> Result<Read, Refused> {
        let signed =
            SignedTransaction::decode(&request.tx, &self.rules.parameters.limits).map_err(|error| match error {
                DecodeError::TooLong { .. } => (TxCode::TooLong, error.to_string()),
                _ => (TxCode::Malformed, error.to_string()),
            })?;
        let transaction = &signed.transaction;
        if request.r#type == i32::from(CheckTxType::Recheck) {
            return state.check_again(transaction).map(|()| Read::StillGood).map_err(rejected);
        }
        self.rules.policy.check(transaction, &signed.signatures).map_err(plain)?;
        state.check_again(transaction).map_err(rejected)?;
        if !signed.verify_signatures(&self.rules.id) {
            return Err(plain(TxCode::SignatureFalse));
        }
        Ok(Read::New(signed.transaction))
    }
}

fn plain(code: TxCode) -> Refused {
    (code, code.to_string())
}

fn rejected(rejection: Rejection) -> Refused {
    (TxCode::Rejected(rejection.reason), rejection.to_string())
}

fn refusal((code, log): Refused) -> ResponseCheckTx {
    ResponseCheckTx { code: code.number(), log, codespace: CODESPACE.to_owned(), ..ResponseCheckTx::default() }
}

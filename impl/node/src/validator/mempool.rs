//! CheckTx: whether a transaction may wait for a block.
//!
//! A new one is read, its policy and static rules are looked at, then whether there is room for its
//! work ([`Waiting`]), then its signatures, all of which costs no more than itself. Then its
//! openings, those of the payers' own accounts first, so that who has nothing makes nobody verify
//! the rest: CometBFT sends transactions without waiting for answers, so while one batch is
//! verified the next gathers, and the openings of what has arrived are **one** batch, up to
//! [`BATCH_BYTES`]; a false one among them makes it at most twice as dear. Under the policy
//! `tables` certificates come last, in a batch too, of those whose openings are true: only who is a
//! writer by the state makes anybody verify them. After every block CometBFT asks again about all
//! that still wait: then only what can have changed is looked at, replay, interval, resolution and
//! the operations on the values of now, which costs no group operation. A transaction that cannot
//! succeed as things stand does not wait: phase 9 is a rule of admission here, not one of the
//! blocks.

use std::collections::BTreeSet;
use std::sync::Mutex;

use aardvark_algebra::integers::i64_or_max;
use aardvark_chain::{Policy, SignedTransaction, TableCertificate, TxCode, account_key};
use aardvark_dictionary::{Claim, DecodeError, Key, Rejection, Transaction, Validator};
use rayon::prelude::*;
use sha2::{Digest as _, Sha256};
use tendermint_proto::v0_38::abci::{CheckTxType, RequestCheckTx, ResponseCheckTx};

use crate::validator::certificates::{Brought, check_certificates};
use crate::validator::chain::Chain;
use crate::validator::lock::lock;
use crate::validator::results::CODESPACE;
use crate::validator::waiting::{Digest, Load, Waiting};

/// So many bytes of transactions are verified at once: a block need not wait longer than that
/// takes.
const BATCH_BYTES: usize = 1 << 18;

/// Why a transaction may not wait: the code, and prose for the log.
type Refused = (TxCode, String);

/// A transaction before its openings are looked at.
enum Read {
    /// It waits already, and nothing has changed for it.
    StillGood(u64),
    /// Its openings and certificates are all that is left.
    New(Box<New>),
}

struct New {
    digest: Digest,
    load: Load,
    /// The claims about payers' accounts, and all others, each in a transaction without operations.
    payers: Transaction,
    others: Transaction,
    /// Under the policy `tables`: the transaction without claims, and its certificates.
    write: Option<(Transaction, Vec<TableCertificate>)>,
}

/// What waits for a block, as far as CheckTx knows.
pub(super) struct Mempool {
    pub(super) waiting: Mutex<Waiting>,
}

/// Requests that are checked together, in order, each list of at most [`BATCH_BYTES`] and one
/// transaction.
pub(super) fn batches(requests: &[RequestCheckTx]) -> impl Iterator<Item = &[RequestCheckTx]> {
    let mut bytes = 0;
    requests.chunk_by(move |request, _| {
        bytes += request.tx.len();
        let goes_on = bytes < BATCH_BYTES;
        bytes = if goes_on { bytes } else { 0 };
        goes_on
    })
}

impl Mempool {
    /// Nothing waits for the blocks of a chain.
    pub(super) fn of(chain: &Chain) -> Self {
        Self { waiting: Mutex::new(Waiting::new(chain.block_limits.max_gas)) }
    }

    /// Whether signatures and openings of these bytes are true.
    pub(super) fn knows(&self, tx: &[u8]) -> bool {
        lock(&self.waiting).knows(&Sha256::digest(tx).into())
    }

    /// A block was decided.
    pub(super) fn begin(&self, version: u64) {
        lock(&self.waiting).begin(version);
    }

    /// CheckTx for one batch, on all cores.
    ///
    /// The state is locked once, by the caller: a thread of the pool that waits for its part of a
    /// batch takes up other work, and would lock the state a second time, behind the block that
    /// waits for the first.
    pub(super) fn check(&self, chain: &Chain, state: &Validator, requests: &[RequestCheckTx]) -> Vec<ResponseCheckTx> {
        let mut read: Vec<_> = requests.par_iter().map(|request| self.read(chain, state, request)).collect();
        // In order: who comes first takes the room.
        for one in &mut read {
            if let Ok(Read::New(new)) = one
                && let Err(code) = lock(&self.waiting).take(new.digest, new.load.clone(), state.version())
            {
                *one = Err(plain(code));
            }
        }
        let new: Vec<&New> = read.iter().flatten().filter_map(Read::as_new).collect();
        let mut verdicts = self.verify(chain, state, &new).into_iter();
        let mut answer = |read: Result<Read, Refused>| match read {
            Err(refused) => refusal(refused),
            Ok(Read::StillGood(gas)) => admission(gas),
            Ok(Read::New(new)) => match verdicts.next() {
                Some(Ok(())) => admission(new.load.gas),
                Some(Err(refused)) => refusal(refused),
                None => refusal(plain(TxCode::Malformed)),
            },
        };
        read.into_iter().map(&mut answer).collect()
    }

    /// The openings of payers' claims in one batch, then, of those who told the truth, all others,
    /// and of those whose openings are true the certificates.
    fn verify(&self, chain: &Chain, state: &Validator, new: &[&New]) -> Vec<Result<(), Refused>> {
        let payers: Vec<&Transaction> = new.iter().map(|new| &new.payers).collect();
        let checked = state.check_openings(&payers).into_iter();
        let mut verdicts: Vec<Result<(), Refused>> = checked.map(|verdict| verdict.map_err(rejected)).collect();
        let paid: Vec<&New> =
            new.iter().zip(&verdicts).filter(|(_, verdict)| verdict.is_ok()).map(|(new, _)| *new).collect();
        let others: Vec<&Transaction> = paid.iter().map(|new| &new.others).collect();
        let checked = state.check_openings(&others).into_iter();
        let mut checked: Vec<Result<(), Refused>> = checked.map(|verdict| verdict.map_err(rejected)).collect();
        let certified = paid.iter().zip(&checked).map(|(new, verdict)| {
            let (transaction, certificates) = new.write.as_ref().filter(|_| verdict.is_ok())?;
            Some(Brought { transaction, certificates })
        });
        let certified = check_certificates(chain, &certified.collect::<Vec<_>>());
        for (verdict, code) in checked.iter_mut().zip(certified) {
            *verdict = code.map_or(verdict.clone(), |code| Err(plain(code)));
        }
        let mut checked = checked.into_iter();
        let mut waiting = lock(&self.waiting);
        for (new, verdict) in new.iter().zip(&mut verdicts) {
            if verdict.is_err() {
                waiting.remove(&new.digest);
                continue;
            }
            *verdict = checked.next().unwrap_or(Ok(()));
            if verdict.is_ok() {
                waiting.believe(&new.digest);
            } else if let Some(load) = waiting.remove(&new.digest) {
                waiting.punish(load);
            }
        }
        verdicts
    }

    fn read(&self, chain: &Chain, state: &Validator, request: &RequestCheckTx) -> Result<Read, Refused> {
        let signed = SignedTransaction::decode(&request.tx, &chain.parameters.limits).map_err(|error| match error {
            DecodeError::TooLong { .. } => (TxCode::TooLong, error.to_string()),
            _ => (TxCode::Malformed, error.to_string()),
        })?;
        let SignedTransaction { transaction, signatures, certificates } = &signed;
        let digest: Digest = Sha256::digest(&request.tx).into();
        let signers = chain.policy.signers(transaction, signatures);
        let load = Load { gas: signed.gas(), signers };
        let known = lock(&self.waiting).knows(&digest);
        if known || request.r#type == i32::from(CheckTxType::Recheck) {
            let outcome = state.check_again(transaction);
            let mut waiting = lock(&self.waiting);
            match outcome {
                Ok(()) => waiting.still_waits(&digest, state.version()),
                Err(_) => drop(waiting.remove(&digest)),
            }
            return outcome.map(|()| Read::StillGood(load.gas)).map_err(rejected);
        }
        let policy = &chain.policy;
        policy.check(transaction, signatures, certificates).map_err(|code| refused_by(policy, code, transaction))?;
        lock(&self.waiting).has_room(&load).map_err(plain)?;
        state.check_again(transaction).map_err(rejected)?;
        if !policy.signatures_hold(transaction, signatures, &chain.dictionary) {
            return Err(plain(TxCode::SignatureFalse));
        }
        let owners = load.signers.iter().map(account_key).collect();
        let without_claims = || Transaction { claims: Vec::new(), ..transaction.clone() };
        let write = chain.tables.as_ref().map(|_| (without_claims(), certificates.clone()));
        let (payers, others) = divide(signed.transaction, &owners);
        Ok(Read::New(Box::new(New { digest, load, payers, others, write })))
    }
}

impl Read {
    fn as_new(&self) -> Option<&New> {
        match self {
            Self::New(new) => Some(new),
            Self::StillGood(_) => None,
        }
    }
}

/// The claims whose slots are those of owners, and the others. Where a balance is proved by no
/// claim, the validator knew it.
fn divide(mut transaction: Transaction, owners: &BTreeSet<Key>) -> (Transaction, Transaction) {
    let claims = std::mem::take(&mut transaction.claims);
    transaction.operations.clear();
    let is_payers = |claim: &Claim| owners.contains(&claim.slot.key);
    let (payers, others) = claims.into_iter().partition(is_payers);
    let payers = Transaction { claims: payers, ..transaction.clone() };
    (payers, Transaction { claims: others, ..transaction })
}

/// A fee that is too low is named, and the one that is asked for.
fn refused_by(policy: &Policy, code: TxCode, transaction: &Transaction) -> Refused {
    let fee = policy.accounts().map(|accounts| accounts.fee).filter(|_| code == TxCode::FeeTooLow);
    let Some(fee) = fee else { return plain(code) };
    (code, format!("{code}: {} of {}", fee.paid(&transaction.operations), fee.of(transaction)))
}

fn plain(code: TxCode) -> Refused {
    (code, code.to_string())
}

fn rejected(rejection: Rejection) -> Refused {
    (TxCode::Rejected(rejection.reason), rejection.to_string())
}

fn admission(gas: u64) -> ResponseCheckTx {
    ResponseCheckTx { gas_wanted: i64_or_max(gas), ..ResponseCheckTx::default() }
}

fn refusal((code, log): Refused) -> ResponseCheckTx {
    ResponseCheckTx { code: code.number(), log, codespace: CODESPACE.to_owned(), ..ResponseCheckTx::default() }
}

//! Certificates of segments of tables, where each transaction has a verdict of its own: in CheckTx,
//! and of what a proposer did not check there.

use aardvark_chain::tables::{self, TableSheet};
use aardvark_chain::{TableCertificate, TxCode};
use aardvark_dictionary::Transaction;
use rayon::prelude::*;

use crate::validator::chain::Chain;

/// A transaction, and the certificates that it brings.
#[derive(Clone, Copy)]
pub(super) struct Brought<'a> {
    /// The transaction; its claims are not looked at.
    pub(super) transaction: &'a Transaction,
    /// Its certificates.
    pub(super) certificates: &'a [TableCertificate],
}

/// What is wrong with each, under the policy `tables`, if anything is: with one pairing check where
/// all certificates hold. Those that are `None` are not looked at; under another policy none is.
pub(super) fn check_certificates(chain: &Chain, brought: &[Option<Brought<'_>>]) -> Vec<Option<TxCode>> {
    let Some(verifier) = &chain.tables else { return vec![None; brought.len()] };
    let judge = |brought: &Option<Brought<'_>>| match brought {
        Some(Brought { transaction, certificates }) => tables::judge(&chain.dictionary, transaction, certificates),
        None => Ok(Vec::new()),
    };
    let judged: Vec<Result<Vec<TableSheet>, TxCode>> = brought.par_iter().map(judge).collect();
    let sheets: Vec<&[TableSheet]> = judged.iter().map(|judged| judged.as_deref().unwrap_or_default()).collect();
    let mut codes: Vec<Option<TxCode>> = judged.iter().map(|judged| judged.as_ref().err().copied()).collect();
    for place in tables::false_ones(verifier, &sheets) {
        if let Some(code) = codes.get_mut(place) {
            *code = Some(TxCode::CertificateFalse);
        }
    }
    codes
}

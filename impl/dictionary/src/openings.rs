//! Phase 6: openings of claims, verified in one batch (`aardvark_spec::block::phase_openings`).
//!
//! Decoding, hashing slots to scalars and the batch itself run in parallel on the caller's rayon pool; which claim is
//! named does not depend on it.

use aardvark_commitment::{BatchClaim, Opening, Scheme, VectorCommitment};
use rayon::prelude::*;

use crate::genesis::DictionaryId;
use crate::rejection::{Fault, Reason};
use crate::transaction::Transaction;
use crate::validator::Validator;

/// Claims of one transaction, decoded and hashed; or the fault that an opening's bytes are not a point.
pub(crate) type Prepared = Result<Vec<BatchClaim>, Fault>;

/// Decodes and hashes the claims of one transaction, whose positions are known to be in range.
pub(crate) fn prepare(validator: &Validator, transaction: &Transaction) -> Prepared {
    let version = transaction.first_valid.saturating_sub(1);
    let claims = transaction.claims.iter().enumerate().map(|(index, claim)| {
        let malformed = || Fault::claim(Reason::OpeningMalformed, index, claim.position);
        let opening = Opening::from_bytes(&claim.opening).map_err(|_| malformed())?;
        let (vector, index_in_vector) = validator.place(claim.position);
        let commitment = validator
            .commitment_at(version, vector)
            .ok_or_else(|| Fault::claim(Reason::PositionOutOfRange, index, claim.position))?;
        Ok(BatchClaim { version, commitment, index: index_in_vector, scalar: claim.slot.scalar(), opening })
    });
    let prepared: Result<Vec<_>, Fault> = claims.collect();
    prepared.map_err(|fault| Fault { item: crate::rejection::Item::Whole, position: None, ..fault })
}

/// Prepares all transactions in parallel, in order.
pub(crate) fn prepare_all(validator: &Validator, transactions: &[Transaction]) -> Vec<Prepared> {
    transactions.par_iter().map(|transaction| prepare(validator, transaction)).collect()
}

/// The lowest transaction with an opening that is malformed or false. One batch when all is well; bisection, which
/// stops at the lowest transaction, when it is not.
pub(crate) fn first_fault(scheme: &Scheme, id: &DictionaryId, prepared: Vec<Prepared>) -> Option<(usize, Fault)> {
    let mut claims = Vec::new();
    let mut owners = Vec::new();
    let mut malformed = None;
    for (transaction, prepared) in prepared.into_iter().enumerate() {
        match prepared {
            Ok(decoded) => {
                owners.resize(owners.len() + decoded.len(), transaction);
                claims.extend(decoded);
            }
            Err(fault) => {
                malformed = Some((transaction, fault));
                break;
            }
        }
    }
    let first_false = scheme.first_false(&id.0, &claims).and_then(|claim| owners.get(claim).copied());
    first_false.map(|transaction| (transaction, Fault::whole(Reason::OpeningFalse))).or(malformed)
}

/// The fault of every transaction, where it has one: what a proposer drops. Bisection stops at the transaction: one with
/// many false claims costs no more than one with a single false claim.
pub(crate) fn all_faults(scheme: &Scheme, id: &DictionaryId, prepared: Vec<Prepared>) -> Vec<Option<Fault>> {
    let mut claims = Vec::new();
    // The transactions whose openings are well-formed, and where the claims of each end.
    let (mut decoded_ones, mut ends) = (Vec::new(), Vec::new());
    let mut faults = Vec::with_capacity(prepared.len());
    for (transaction, prepared) in prepared.into_iter().enumerate() {
        match prepared {
            Ok(decoded) => {
                claims.extend(decoded);
                decoded_ones.push(transaction);
                ends.push(claims.len());
                faults.push(None);
            }
            Err(fault) => faults.push(Some(fault)),
        }
    }
    for transaction in scheme.false_groups(&id.0, &claims, &ends).into_iter().filter_map(|g| decoded_ones.get(g)) {
        if let Some(fault) = faults.get_mut(*transaction) {
            *fault = Some(Fault::whole(Reason::OpeningFalse));
        }
    }
    faults
}

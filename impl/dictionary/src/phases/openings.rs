//! Phase 6: openings of claims, verified in one batch
//! (`aardvark_spec::block::phases::phase_openings`).
//!
//! Decoding, hashing slots to scalars and the batch itself run in parallel on the caller's rayon
//! pool; which claim is named does not depend on it.

use std::sync::atomic::{AtomicUsize, Ordering};

use aardvark_algebra::parallel::prelude::*;
use aardvark_algebra::{DecodeError, Scalar};
use aardvark_commitment::{BatchClaim, Commitment, Opening, Scheme, VectorCommitment};

use crate::data::claim::{Claim, OpeningBytes};
use crate::data::identity::DictionaryId;
use crate::data::rejection::{Fault, Reason, Rejection};
use crate::data::transaction::Transaction;
use crate::state::vectors::KnownCommitments;

/// Claims of one transaction, decoded and hashed; or the fault that an opening's bytes are not a
/// point.
pub(crate) type Prepared = Result<Vec<BatchClaim>, Fault>;

/// Decodes and hashes the claims of one transaction, whose positions are known to be in range.
pub(crate) fn prepare(known: &KnownCommitments<'_>, transaction: &Transaction) -> Prepared {
    let version = transaction.claims_version();
    let prepare = |claim: &Claim| decode(known, version, claim, Opening::from_bytes(&claim.opening));
    transaction.claims.iter().map(|claim| prepare(claim).map_err(Fault::whole)).collect()
}

/// A claim with its opening, which was read from its bytes.
fn decode(
    known: &KnownCommitments<'_>,
    version: u64,
    claim: &Claim,
    opening: Result<Opening, DecodeError>,
) -> Result<BatchClaim, Reason> {
    let opening = opening.map_err(|_| Reason::OpeningMalformed)?;
    let (commitment, index) = known.of_claim(version, claim.position).ok_or(Reason::PositionOutOfRange)?;
    Ok(BatchClaim { label: version, commitment, index, scalar: claim.slot.scalar(), opening })
}

/// Phase 6 for one transaction.
pub(crate) fn check_openings(
    scheme: &Scheme,
    id: &DictionaryId,
    known: &KnownCommitments<'_>,
    transaction: &Transaction,
) -> Result<(), Fault> {
    let claims = prepare(known, transaction)?;
    match scheme.verify_batch(&id.0, &claims) {
        true => Ok(()),
        false => Err(Fault::whole(Reason::OpeningFalse)),
    }
}

/// Phase 6 for a block.
pub(crate) fn phase_openings(
    scheme: &Scheme,
    id: &DictionaryId,
    known: &KnownCommitments<'_>,
    transactions: &[Transaction],
) -> Result<(), Rejection> {
    let fault = first_fault(scheme, id, known, transactions);
    fault.map_or(Ok(()), |(index, fault)| Err(Rejection::in_transaction(index, fault)))
}

/// The lowest transaction with an opening that is malformed or false. One batch when all is well;
/// bisection, which stops at the lowest transaction, when it is not.
///
/// All claims of the block are decoded in parallel into one list, which is the most that stands in
/// memory for them.
fn first_fault(
    scheme: &Scheme,
    id: &DictionaryId,
    known: &KnownCommitments<'_>,
    transactions: &[Transaction],
) -> Option<(usize, Fault)> {
    let claimed = transactions.iter().enumerate();
    let claimed: Vec<(usize, &Transaction, &Claim)> = claimed
        .flat_map(|(index, transaction)| transaction.claims.iter().map(move |c| (index, transaction, c)))
        .collect();
    // The lowest transaction with a malformed opening: its claims, and all behind them, are not
    // looked at.
    let malformed = AtomicUsize::new(usize::MAX);
    let decode = |((index, transaction, claim), opening): (&(usize, &Transaction, &Claim), _)| {
        decode(known, transaction.claims_version(), claim, opening).unwrap_or_else(|_| {
            malformed.fetch_min(*index, Ordering::Relaxed);
            no_claim()
        })
    };
    let encodings: Vec<OpeningBytes> = claimed.par_iter().map(|(_, _, claim)| claim.opening).collect();
    let openings = Opening::from_bytes_each(&encodings);
    let mut claims: Vec<BatchClaim> = claimed.par_iter().zip(openings).map(decode).collect();
    let malformed = malformed.into_inner();
    claims.truncate(claimed.partition_point(|(index, _, _)| *index < malformed));
    let first_false = scheme.first_false(&id.0, &claims).and_then(|claim| claimed.get(claim));
    let first_false = first_false.map(|(index, _, _)| (*index, Fault::whole(Reason::OpeningFalse)));
    let first_malformed = || Some((malformed, prepare(known, transactions.get(malformed)?).err()?));
    first_false.or_else(first_malformed)
}

/// What stands in a list where a claim cannot be decoded.
fn no_claim() -> BatchClaim {
    let (commitment, opening) = (Commitment::identity(), Opening::identity());
    BatchClaim { label: 0, commitment, index: 0, scalar: Scalar::default(), opening }
}

/// The fault of every transaction, where it has one: what a proposer drops. Bisection stops at the
/// transaction: one with many false claims costs no more than one with a single false claim.
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

//! From received bytes to what is believed of them: what a mempool goes through with a transaction,
//! and a validator that joins with a snapshot.

use crate::base::bytes::*;
use crate::block::execution::*;
use crate::block::rejection::*;
use crate::block::root::*;
use crate::block::state::*;
use crate::block::validator::*;
use crate::commitment::opening::*;
use crate::commitment::scheme::*;
use crate::decoding::decode_reason::*;
use crate::decoding::signed_decoder::*;
use crate::decoding::snapshot_decoder::*;
use crate::decoding::transaction_decoder::*;
use hacspec_lib::*;

/// Why received bytes of a transaction are not let in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SignedBytesRejection {
    /// They are no signed transaction.
    UnreadableTransaction(DecodeReason),
    /// They are one that is refused.
    RefusedTransaction(Rejection),
}

/// Why received bytes of a snapshot are not the state that was asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SnapshotRejection {
    /// They are no snapshot.
    UnreadableSnapshot(DecodeReason),
    /// The commitments are not as many as the vectors of the slots.
    MiscountedCommitments,
    /// The state has another root.
    OtherStateRoot,
}

/// Checks the signed transaction that the bytes are, as a mempool asks, against a state; `meanings`
/// is what its openings are. Signatures are looked at by the chain's policy.
pub fn check_signed_bytes(
    setup: &Setup,
    state: &ValidatorState,
    bytes: &ByteString,
    meanings: &Seq<Opening>,
) -> Result<Contents, SignedBytesRejection> {
    match decode_signed(bytes, &state.parameters) {
        Ok(received) => {
            match check_transaction(setup, state, &meant_transaction(&received.signed_transaction, meanings)) {
                Ok(contents) => Ok(contents),
                Err(rejection) => Err(SignedBytesRejection::RefusedTransaction(rejection)),
            }
        }
        Err(why) => Err(SignedBytesRejection::UnreadableTransaction(why)),
    }
}

/// The number of vectors of `n` slots that `s` slots take, whatever numbers were received: no sum
/// leaves the range of integers.
pub fn received_vector_count(s: usize, n: usize) -> usize {
    if s == 0 { 0 } else { (s - 1) / n + 1 }
}

/// The state that was received, if it has the root that consensus certifies. The root does not say
/// how many commitments it is over; the number of slots, which it covers, does.
pub fn check_snapshot(
    received: HashedState,
    n: usize,
    certified: &ByteString,
) -> Result<HashedState, SnapshotRejection> {
    if received.hashed_size == 0 || received.hashed_commitments.len() != received_vector_count(received.hashed_size, n)
    {
        Err(SnapshotRejection::MiscountedCommitments)
    } else if !bytes_equal(&state_root(&received), certified) {
        Err(SnapshotRejection::OtherStateRoot)
    } else {
        Ok(received)
    }
}

/// The state of this dictionary, with vectors of `n` slots, that the bytes are, if it has the
/// certified root.
pub fn accept_snapshot(
    dictionary: &ByteString,
    n: usize,
    certified: &ByteString,
    bytes: &ByteString,
) -> Result<HashedState, SnapshotRejection> {
    match decode_snapshot(dictionary, bytes) {
        Ok(received) => check_snapshot(received, n, certified),
        Err(why) => Err(SnapshotRejection::UnreadableSnapshot(why)),
    }
}

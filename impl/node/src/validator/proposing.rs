//! PrepareProposal and ProcessProposal.
//!
//! A proposal holds what still succeeds, in the mempool's order, as one aggregated block; the openings of its claims become at most N points.
//! Transactions that wait for tail vectors, or for room, stay in the mempool. What leaves was judged as every validator will judge it.

use std::sync::Arc;

use aardvark_dictionary::{
    Block, Candidates, Carriage, Choice, Operation, Proposal, TailVector, Transaction, Validator,
};
use prost::bytes::Bytes;
use rayon::prelude::*;
use tendermint_proto::v0_38::abci::{
    RequestPrepareProposal, RequestProcessProposal, ResponsePrepareProposal, ResponseProcessProposal,
    response_process_proposal::ProposalStatus,
};

use crate::chain::{ChainBlock, SignedTransaction, SignerSignature};
use crate::validator::application::{Application, Judged, Proposed, lock};
use crate::validator::fatal::Fatal;
use crate::validator::judgement::judge;
use crate::validator::shrinking::{Attempt, shrink};

/// What the frame has beside its part of the aggregated block: protobuf's tag and length, and its format number.
const FRAME: usize = 7;

/// What a proposal is made of.
pub(super) struct Material {
    /// Transactions of the mempool, looked at one by one.
    pub(super) candidates: Candidates,
    /// The signatures of each.
    pub(super) signatures: Vec<Vec<SignerSignature>>,
    /// Vectors below the tail.
    pub(super) tails: Arc<Vec<TailVector>>,
    /// Most bytes of CometBFT's list.
    pub(super) limit: usize,
}

impl Application {
    /// PrepareProposal: a block that every validator accepts; one without transactions where none can be made.
    pub(super) fn prepare_proposal(&self, request: RequestPrepareProposal) -> Result<ResponsePrepareProposal, Fatal> {
        self.rewind()?;
        let limit = usize::try_from(request.max_tx_bytes).unwrap_or(0);
        let proposed = match u64::try_from(request.height) {
            Ok(height) if height == self.state().version() + 1 => self.propose(&request.txs, limit),
            _ => None,
        };
        let txs = proposed.as_ref().map(|proposed| proposed.txs.clone()).unwrap_or_default();
        *lock(&self.proposed) = proposed;
        Ok(ResponsePrepareProposal { txs })
    }

    fn propose(&self, txs: &[Bytes], limit: usize) -> Option<Proposed> {
        let (transactions, signatures) = self.candidates(txs);
        if transactions.is_empty() {
            return None;
        }
        let deletes = |transaction: &Transaction| {
            transaction.operations.iter().any(|operation| matches!(operation, Operation::Delete(_)))
        };
        let tails = if transactions.iter().any(deletes) { self.tails.at_hand() } else { Arc::default() };
        let state = self.state();
        let candidates = state.candidates(transactions, &[]);
        self.settle(&state, &Material { candidates, signatures, tails, limit })
    }

    /// The fullest block of these that is accepted: judged as everybody's, and with less in it where it is refused.
    pub(super) fn settle(&self, state: &Validator, material: &Material) -> Option<Proposed> {
        let Material { candidates, signatures, tails, limit } = material;
        let signed = candidates.transactions().iter().zip(signatures);
        let beside: Vec<_> = signed.map(|(transaction, signatures)| beside(transaction, signatures.len())).collect();
        let carriage = Carriage { limit: *limit, beside_block: FRAME, beside_transactions: &beside };
        let mut first = true;
        shrink(|without, most| {
            let proposal = state.propose_aggregated(candidates, tails, &Choice { carriage, without, most });
            if std::mem::take(&mut first) {
                report(&proposal);
                self.tails.note_postponed(&proposal);
            }
            let Proposal { block, included, .. } = proposal;
            if included.is_empty() {
                return Attempt::Empty;
            }
            let signatures = included.iter().map(|index| signatures.get(*index).cloned().unwrap_or_default());
            match self.judged(state, block, signatures.collect(), *limit) {
                Ok(proposed) => Attempt::Good(proposed),
                Err(place) => {
                    let offender = place.and_then(|place| included.get(place).copied());
                    Attempt::Refused { included, offender }
                }
            }
        })
    }

    /// A block as CometBFT's list, judged; or which of its transactions the refusal names.
    fn judged(
        &self,
        state: &Validator,
        block: Block,
        signatures: Vec<Vec<SignerSignature>>,
        limit: usize,
    ) -> Result<Proposed, Option<usize>> {
        let height = block.version;
        let aggregated = state.aggregate(block).map_err(|rejection| {
            tracing::error!(height, %rejection, "a proposal cannot be aggregated: proposing less");
            rejection.transaction
        })?;
        let txs: Vec<Bytes> = ChainBlock { aggregated, signatures }.to_txs().into_iter().map(Bytes::from).collect();
        let size: usize = txs.iter().map(|tx| listed_length(tx.len())).sum();
        if size > limit {
            tracing::error!(height, size, limit, "a proposal is too long: proposing less");
            return Err(None);
        }
        let judged = judge(state, &self.rules, height, &txs, &[]).map_err(|refusal| {
            tracing::error!(height, %refusal, "a proposal of our own would be refused: proposing less");
            refusal.offender()
        })?;
        Ok(Proposed { height, txs, judged })
    }

    /// Those of the mempool that are signed as the policy wants, in order.
    fn candidates(&self, txs: &[Bytes]) -> (Vec<Transaction>, Vec<Vec<SignerSignature>>) {
        let limits = &self.rules.parameters.limits;
        let candidate = |tx: &Bytes| {
            let signed = SignedTransaction::decode(tx, limits).ok()?;
            self.rules.policy.check(&signed.transaction, &signed.signatures).ok()?;
            signed.verify_signatures(&self.rules.id).then_some((signed.transaction, signed.signatures))
        };
        let all: Vec<_> = txs.par_iter().map(candidate).collect();
        all.into_iter().flatten().unzip()
    }

    /// ProcessProposal: accepts what is valid, and keeps the judgement for FinalizeBlock.
    pub(super) fn process_proposal(&self, request: &RequestProcessProposal) -> Result<ResponseProcessProposal, Fatal> {
        self.rewind()?;
        let state = self.state();
        let height = u64::try_from(request.height).unwrap_or(0);
        if height != state.version() + 1 {
            return Ok(answer(ProposalStatus::Reject));
        }
        let proposed = lock(&self.proposed).take();
        let judged = match proposed.filter(|proposed| proposed.height == height && proposed.txs == request.txs) {
            Some(Proposed { judged, .. }) => Ok(Judged { hash: request.hash.to_vec(), ..judged }),
            None => judge(&state, &self.rules, height, &request.txs, &request.hash),
        };
        Ok(match judged {
            Ok(judged) => {
                *lock(&self.judged) = Some(judged);
                answer(ProposalStatus::Accept)
            }
            Err(refusal) => {
                tracing::warn!(height, %refusal, proposer = %hex::encode(&request.proposer_address), "refused a proposal");
                answer(ProposalStatus::Reject)
            }
        })
    }
}

fn answer(status: ProposalStatus) -> ResponseProcessProposal {
    ResponseProcessProposal { status: status.into() }
}

fn report(proposal: &Proposal) {
    for rejection in &proposal.dropped {
        tracing::debug!(%rejection, "left out of a proposal");
    }
    if !proposal.postponed.is_empty() {
        tracing::debug!(count = proposal.postponed.len(), "transactions wait for a later block");
    }
}

/// Bytes of a listed transaction that are no part of the aggregated block: what the list adds, format, and signatures.
fn beside(transaction: &Transaction, signatures: usize) -> usize {
    let in_block = 4 + transaction.bare_length();
    let signed = 1 + in_block + 1 + SignerSignature::BYTES * signatures;
    listed_length(signed) - in_block
}

/// How CometBFT counts a transaction: with its tag and the varint of its length.
fn listed_length(length: usize) -> usize {
    1 + prost::length_delimiter_len(length) + length
}

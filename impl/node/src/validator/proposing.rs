//! PrepareProposal and ProcessProposal.
//!
//! A proposal holds what still succeeds, in the mempool's order, as one aggregated block; the openings of its claims become at most N points.
//! Transactions that wait for tail vectors, or for room, stay in the mempool.

use std::sync::Arc;

use aardvark_dictionary::{Operation, Proposal, Transaction, Validator};
use prost::bytes::Bytes;
use rayon::prelude::*;
use tendermint_proto::v0_38::abci::{
    RequestPrepareProposal, RequestProcessProposal, ResponsePrepareProposal, ResponseProcessProposal,
    response_process_proposal::ProposalStatus,
};

use crate::chain::{ChainBlock, SignedTransaction, SignerSignature};
use crate::validator::application::{Application, lock};
use crate::validator::fatal::Fatal;
use crate::validator::judgement::judge;

/// What a listed transaction costs besides its bytes: protobuf's tag and length.
const LISTED: usize = 6;
/// What a transaction of the list has beside its part of the aggregated block: format and count of signatures.
const SIGNED: usize = 2;
/// What the frame has beside its part of the aggregated block, and the bytes that an aggregated block has beyond a plain one.
const FRAME: usize = LISTED + 1 + 2;

impl Application {
    /// PrepareProposal: a block that every validator accepts; one without transactions where none can be made.
    pub(super) fn prepare_proposal(&self, request: RequestPrepareProposal) -> Result<ResponsePrepareProposal, Fatal> {
        self.rewind()?;
        let limit = usize::try_from(request.max_tx_bytes).unwrap_or(0);
        let txs = match u64::try_from(request.height) {
            Ok(height) if height == self.state().version() + 1 => self.propose(&request.txs, limit),
            _ => Vec::new(),
        };
        let size: usize = txs.iter().map(|tx| listed_length(tx.len())).sum();
        if size > limit {
            tracing::error!(size, limit, "the proposal is too long: proposing a block without transactions");
            return Ok(ResponsePrepareProposal { txs: Vec::new() });
        }
        Ok(ResponsePrepareProposal { txs: txs.into_iter().map(Bytes::from).collect() })
    }

    fn propose(&self, txs: &[Bytes], limit: usize) -> Vec<Vec<u8>> {
        let (transactions, signatures) = self.candidates(txs);
        if transactions.is_empty() {
            return Vec::new();
        }
        let deletes = |transaction: &Transaction| {
            transaction.operations.iter().any(|operation| matches!(operation, Operation::Delete(_)))
        };
        let tails = if transactions.iter().any(deletes) { self.tails.at_hand() } else { Arc::default() };
        let around: usize = signatures.iter().map(|signatures| around_length(signatures.len())).sum();
        let byte_limit = limit.saturating_sub(FRAME + around);
        let state = self.state();
        let proposal = state.propose(transactions, &tails, byte_limit);
        report(&proposal);
        self.tails.note_postponed(&proposal);
        aggregate(&state, proposal, signatures)
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
        Ok(match judge(&state, &self.rules, height, &request.txs, &request.hash) {
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

/// The list for CometBFT of what a proposal includes.
fn aggregate(state: &Validator, proposal: Proposal, mut signatures: Vec<Vec<SignerSignature>>) -> Vec<Vec<u8>> {
    let signed = proposal.included.iter().map(|index| signatures.get_mut(*index).map(std::mem::take));
    let signatures = signed.map(Option::unwrap_or_default).collect();
    match state.aggregate(proposal.block) {
        Ok(aggregated) => ChainBlock { aggregated, signatures }.to_txs(),
        Err(rejection) => {
            tracing::error!(%rejection, "the proposal cannot be aggregated: proposing a block without transactions");
            Vec::new()
        }
    }
}

fn report(proposal: &Proposal) {
    for rejection in &proposal.dropped {
        tracing::debug!(%rejection, "left out of a proposal");
    }
    if !proposal.postponed.is_empty() {
        tracing::debug!(count = proposal.postponed.len(), "transactions wait for a later block");
    }
}

/// Bytes that signatures and list add to a transaction of the block.
fn around_length(signatures: usize) -> usize {
    LISTED + SIGNED + 96 * signatures
}

/// How CometBFT counts a transaction: with its tag and the varint of its length.
fn listed_length(length: usize) -> usize {
    1 + prost::length_delimiter_len(length) + length
}

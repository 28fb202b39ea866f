//! What CometBFT asks before a block is decided: which transactions may wait, which block is
//! proposed, and whether one is accepted.

use aardvark_chain::validator_change::is_change;
use aardvark_dictionary::Validator;
use tendermint_proto::v0_38::abci::{
    RequestCheckTx, RequestPrepareProposal, RequestProcessProposal, ResponseCheckTx, ResponsePrepareProposal,
    ResponseProcessProposal, response_process_proposal::ProposalStatus,
};

use super::Application;
use crate::validator::fatal::Fatal;
use crate::validator::judgement::{ExecutedBlock, judge};
use crate::validator::lock::lock;
use crate::validator::mempool::batches;
use crate::validator::proposing::{Proposed, Proposer, listed_length};
use crate::validator::validator_sets;

impl Application {
    /// CheckTx for all that have arrived, in order, on all cores; the state is locked anew for each
    /// batch.
    pub(in crate::validator) fn check_txs(&self, requests: &[RequestCheckTx]) -> Vec<ResponseCheckTx> {
        let answers = self.check_in_order(requests);
        self.metrics.checked(&answers);
        answers
    }

    /// Changes of validators are few and small, so they are checked one by one between the batches
    /// of the others.
    fn check_in_order(&self, requests: &[RequestCheckTx]) -> Vec<ResponseCheckTx> {
        let is_change = |request: &RequestCheckTx| is_change(self.chain.council.as_ref(), &request.tx);
        let check = |batch| self.mempool.check(&self.chain, &self.state(), batch);
        let check_change = |request: &RequestCheckTx| match (&self.chain.council, lock(&self.validators).as_ref()) {
            (Some(council), Some(set)) => validator_sets::check_change(council, &self.chain, set, &request.tx),
            _ => ResponseCheckTx::default(),
        };
        let alike = requests.chunk_by(|one, next| is_change(one) == is_change(next));
        let answers = alike.flat_map(|requests| match requests.first() {
            Some(first) if is_change(first) => requests.iter().map(check_change).collect::<Vec<_>>(),
            _ => batches(requests).flat_map(check).collect(),
        });
        answers.collect()
    }

    /// PrepareProposal: a block that every validator accepts; one without transactions where none
    /// can be made.
    pub(in crate::validator) fn prepare_proposal(
        &self,
        request: RequestPrepareProposal,
    ) -> Result<ResponsePrepareProposal, Fatal> {
        self.rewind()?;
        let limit = usize::try_from(request.max_tx_bytes).unwrap_or(0);
        let state = self.state();
        let height = u64::try_from(request.height).unwrap_or(0);
        if height != state.version() + 1 {
            *lock(&self.proposed) = None;
            return Ok(ResponsePrepareProposal { txs: Vec::new() });
        }
        let waiting =
            (request.txs.iter().cloned()).partition::<Vec<_>, _>(|tx| is_change(self.chain.council.as_ref(), tx));
        let (changes, others) = waiting;
        let before = self.validators();
        let misbehavior = &request.misbehavior;
        let change = validator_sets::proposed_change(&self.chain, before.as_ref(), misbehavior, &changes, height);
        let taken = change.as_ref().map_or(0, |change| listed_length(change.len()));
        let change = change.filter(|_| taken <= limit);
        let proposed = self.proposer(&state).propose(&others, limit.saturating_sub(taken));
        let txs = proposed.iter().flat_map(|proposed| &proposed.txs).cloned();
        let txs = change.into_iter().chain(txs).collect();
        *lock(&self.proposed) = proposed;
        Ok(ResponsePrepareProposal { txs })
    }

    /// Who proposes, at a state.
    pub(in crate::validator) fn proposer<'a>(&'a self, state: &'a Validator) -> Proposer<'a> {
        Proposer { chain: &self.chain, state, mempool: &self.mempool, tails: &self.tails }
    }

    /// ProcessProposal: accepts what is valid, and keeps the judgement for FinalizeBlock.
    pub(in crate::validator) fn process_proposal(
        &self,
        request: &RequestProcessProposal,
    ) -> Result<ResponseProcessProposal, Fatal> {
        self.rewind()?;
        let answer = |status: ProposalStatus| ResponseProcessProposal { status: status.into() };
        let state = self.state();
        let height = u64::try_from(request.height).unwrap_or(0);
        if height != state.version() + 1 {
            return Ok(answer(ProposalStatus::Reject));
        }
        let before = self.validators();
        let decided = validator_sets::decide(&self.chain, before.as_ref(), &request.misbehavior, &request.txs, height);
        if !decided.is_in_order() {
            tracing::warn!(height, code = ?decided.code, proposer = %hex::encode(&request.proposer_address), "refused a proposal: it changes validators against the rules");
            self.metrics.judged(false);
            return Ok(answer(ProposalStatus::Reject));
        }
        let proposed = lock(&self.proposed).take();
        let executed = match proposed.filter(|proposed| proposed.height == height && proposed.txs == decided.rest) {
            Some(Proposed { executed, .. }) => Ok(ExecutedBlock { hash: request.hash.to_vec(), ..executed }),
            None => judge(&state, &self.chain, height, decided.rest, &request.hash),
        };
        self.metrics.judged(executed.is_ok());
        Ok(match executed {
            Ok(executed) => {
                *lock(&self.executed) = Some(executed);
                answer(ProposalStatus::Accept)
            }
            Err(refusal) => {
                tracing::warn!(height, %refusal, proposer = %hex::encode(&request.proposer_address), "refused a proposal");
                answer(ProposalStatus::Reject)
            }
        })
    }
}

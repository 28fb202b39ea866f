//! PrepareProposal: the block that a validator proposes.
//!
//! A proposal holds what still succeeds, in the mempool's order, as one aggregated block; the
//! openings of its claims become at most N points. Transactions that wait for tail vectors, or for
//! room, stay in the mempool. What leaves was judged as every validator will judge it. What CheckTx
//! found true is not verified again; should there be others, after a start for instance, they are,
//! for as long as [`PATIENCE`] lets the proposer take.

use std::sync::Arc;
use std::time::{Duration, Instant};

use aardvark_algebra::integers::usize_or_max;
use aardvark_chain::{ChainBlock, SignedTransaction, SignerSignature, TableCertificate, certificates_length};
use aardvark_dictionary::{
    Block, Candidates, Carriage, Choice, Operation, Proposal, TailVector, Transaction, Validator,
};
use prost::bytes::Bytes;
use rayon::prelude::*;

use crate::validator::certificates::{Brought, check_certificates};
use crate::validator::chain::Chain;
use crate::validator::judgement::{ExecutedBlock, judge};
use crate::validator::mempool::Mempool;
use crate::validator::shrinking::{Attempt, shrink};
use crate::validator::tails::Tails;

/// What the frame has beside its part of the aggregated block: protobuf's tag and length, and its
/// format number.
const FRAME: usize = 7;

/// How long a proposer reads and verifies transactions: a third of the time that CometBFT gives a
/// proposal by default. What comes later stays in the mempool.
const PATIENCE: Duration = Duration::from_secs(1);
/// So many transactions are read and verified before the clock is looked at again.
const AT_ONCE: usize = 64;

/// What a proposal is made of.
pub(super) struct Material {
    /// Transactions of the mempool, looked at one by one.
    pub(super) candidates: Candidates,
    /// The signatures of each.
    pub(super) signatures: Vec<Vec<SignerSignature>>,
    /// The certificates of each.
    pub(super) certificates: Vec<Vec<TableCertificate>>,
    /// Vectors below the tail.
    pub(super) tails: Arc<Vec<TailVector>>,
    /// Most bytes of CometBFT's list.
    pub(super) limit: usize,
}

/// A list that was proposed here, with its judgement: CometBFT asks for it next, as it asks
/// everybody.
pub(super) struct Proposed {
    pub(super) height: u64,
    pub(super) txs: Vec<Bytes>,
    pub(super) executed: ExecutedBlock,
}

/// What a proposal is made with, at one version of the state.
pub(super) struct Proposer<'a> {
    pub(super) chain: &'a Chain,
    pub(super) state: &'a Validator,
    pub(super) mempool: &'a Mempool,
    pub(super) tails: &'a Tails,
}

impl Proposer<'_> {
    /// A block of transactions of the mempool that every validator accepts, in at most so many
    /// bytes of CometBFT's list; none where none can be made.
    pub(super) fn propose(&self, txs: &[Bytes], limit: usize) -> Option<Proposed> {
        let (mut transactions, mut signatures, mut certificates) = (Vec::new(), Vec::new(), Vec::new());
        for signed in self.candidates(txs) {
            transactions.push(signed.transaction);
            signatures.push(signed.signatures);
            certificates.push(signed.certificates);
        }
        if transactions.is_empty() {
            return None;
        }
        let deletes = |transaction: &Transaction| {
            transaction.operations.iter().any(|operation| matches!(operation, Operation::Delete(_)))
        };
        let tails = if transactions.iter().any(deletes) { self.tails.at_hand() } else { Arc::default() };
        let candidates = self.state.candidates(transactions, &vec![true; signatures.len()]);
        self.settle(&Material { candidates, signatures, certificates, tails, limit })
    }

    /// The fullest block of these that is accepted: judged as everybody's, and with less in it
    /// where it is refused.
    pub(super) fn settle(&self, material: &Material) -> Option<Proposed> {
        let Material { candidates, signatures, certificates, tails, limit } = material;
        let signed = candidates.transactions().iter().zip(signatures).zip(certificates);
        let beside: Vec<_> = signed
            .map(|((transaction, signatures), certificates)| beside(transaction, signatures.len(), certificates))
            .collect();
        // Certificates count against the limit of a block's bytes, signatures do not.
        let counted = match certificates.iter().all(Vec::is_empty) {
            true => *limit,
            false => usize_or_max(self.chain.parameters.limits.block_bytes).min(*limit),
        };
        let carriage = Carriage { limit: counted, beside_block: FRAME, beside_transactions: &beside };
        let mut first = true;
        shrink(|without, most| {
            let proposal = self.state.propose_aggregated(candidates, tails, &Choice { carriage, without, most });
            if std::mem::take(&mut first) {
                report(&proposal);
                self.tails.note_postponed(&proposal);
            }
            let Proposal { block, included, .. } = proposal;
            if included.is_empty() {
                return Attempt::Empty;
            }
            let signatures = included.iter().map(|index| signatures.get(*index).cloned().unwrap_or_default()).collect();
            let certificates =
                included.iter().map(|index| certificates.get(*index).cloned().unwrap_or_default()).collect();
            match self.judged(block, signatures, certificates, *limit) {
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
        block: Block,
        signatures: Vec<Vec<SignerSignature>>,
        certificates: Vec<Vec<TableCertificate>>,
        limit: usize,
    ) -> Result<Proposed, Option<usize>> {
        let height = block.version;
        let aggregated = self.state.aggregate(block).map_err(|rejection| {
            tracing::error!(height, %rejection, "a proposal cannot be aggregated: proposing less");
            rejection.transaction
        })?;
        let block = ChainBlock { aggregated, signatures, certificates };
        let txs: Vec<Bytes> = block.to_txs().into_iter().map(Bytes::from).collect();
        let size: usize = txs.iter().map(|tx| listed_length(tx.len())).sum();
        if size > limit {
            tracing::error!(height, size, limit, "a proposal is too long: proposing less");
            return Err(None);
        }
        let executed = judge(self.state, self.chain, height, &txs, &[]).map_err(|refusal| {
            tracing::error!(height, %refusal, "a proposal of our own would be refused: proposing less");
            refusal.offender()
        })?;
        Ok(Proposed { height, txs, executed })
    }

    /// Those of the mempool that are signed as the policy wants and whose openings and certificates
    /// are true, in order, up to the work that a block may be, as far as there is time.
    fn candidates(&self, txs: &[Bytes]) -> Vec<SignedTransaction> {
        let end = Instant::now() + PATIENCE;
        let max_gas = self.chain.block_limits.max_gas;
        let (mut work, mut candidates) = (0u64, Vec::new());
        for txs in txs.chunks(AT_ONCE) {
            if Instant::now() >= end {
                tracing::warn!(taken = candidates.len(), "there was no time for more transactions in a proposal");
                break;
            }
            for signed in self.true_ones(txs) {
                let gas = signed.gas();
                if work.saturating_add(gas) <= max_gas {
                    work = work.saturating_add(gas);
                    candidates.push(signed);
                }
            }
        }
        candidates
    }

    /// Those that are signed as the policy wants and whose openings and certificates are true.
    pub(super) fn true_ones(&self, txs: &[Bytes]) -> Vec<SignedTransaction> {
        let limits = &self.chain.parameters.limits;
        let read = |tx: &Bytes| {
            let signed = SignedTransaction::decode(tx, limits).ok()?;
            if self.mempool.knows(tx) {
                return Some((signed, true));
            }
            self.chain.policy.check(&signed.transaction, &signed.signatures, &signed.certificates).ok()?;
            let true_of = &self.chain.dictionary;
            let all_true = self.chain.policy.signatures_hold(&signed.transaction, &signed.signatures, true_of);
            all_true.then_some((signed, false))
        };
        let read: Vec<(SignedTransaction, bool)> = txs.par_iter().filter_map(read).collect();
        // A position that is out of range has no commitment to be verified against.
        let unknown =
            |(signed, known): &(SignedTransaction, bool)| !known && self.state.check_again(&signed.transaction).is_ok();
        let unknown: Vec<bool> = read.iter().map(unknown).collect();
        let asked = read.iter().zip(&unknown).filter(|(_, unknown)| **unknown).map(|((signed, _), _)| signed);
        let asked: Vec<&SignedTransaction> = asked.collect();
        let transactions: Vec<&Transaction> = asked.iter().map(|signed| &signed.transaction).collect();
        let openings = self.state.check_openings(&transactions).into_iter();
        let mut verdicts: Vec<bool> = openings.map(|verdict| verdict.is_ok()).collect();
        let certified = asked.iter().zip(&verdicts).map(|(signed, verdict)| {
            let SignedTransaction { transaction, certificates, .. } = signed;
            verdict.then_some(Brought { transaction, certificates })
        });
        let certified = check_certificates(self.chain, &certified.collect::<Vec<_>>());
        for (verdict, code) in verdicts.iter_mut().zip(certified) {
            *verdict = *verdict && code.is_none();
        }
        let mut verdicts = verdicts.into_iter();
        let mut holds = |known: bool, unknown: bool| known || (unknown && verdicts.next() == Some(true));
        let read = read.into_iter().zip(unknown);
        read.filter_map(|((signed, known), unknown)| holds(known, unknown).then_some(signed)).collect()
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

/// Bytes of a listed transaction that are no part of the aggregated block: what the list adds,
/// format, signatures, and certificates.
fn beside(transaction: &Transaction, signatures: usize, certificates: &[TableCertificate]) -> usize {
    let in_block = 4 + transaction.bare_length();
    let signed = 1 + in_block + 1 + SignerSignature::BYTES * signatures + certificates_length(certificates);
    listed_length(signed) - in_block
}

/// How CometBFT counts a transaction: with its tag and the varint of its length.
pub(super) fn listed_length(length: usize) -> usize {
    1 + prost::length_delimiter_len(length) + length
}

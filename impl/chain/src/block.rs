//! A block between CometBFT's list of transactions and our aggregated block (`docs/network.md`,
//! Block of the chain).
//!
//! CometBFT wants a list of byte strings; an aggregated block has parts that belong to no
//! transaction, the points and the tail vectors. They make up the first of the list, the **frame**.
//! They are what the one encoding of format.md ends with, and are read by the same decoder, within
//! the same limits.

use aardvark_aggregates::TableVerifier;
use aardvark_algebra::integers::usize_or_max;
use aardvark_dictionary::codec::Reader;
use aardvark_dictionary::{AggregatedBlock, DecodeError, DictionaryId, Parameters, Transaction, Unopened};
use rayon::prelude::*;

use crate::code::TxCode;
use crate::gas::{BlockLimits, gas};
use crate::policy::Policy;
use crate::signed::{FormatPair, SignedBody, SignerSignature, bare_bytes, read_body};
use crate::table_certificate::{TableCertificate, certificates_length};
use crate::tables::{self, CertifiedKeys, TableSheet};

/// Format number of the frame.
pub const FRAME_FORMAT: u8 = 3;

/// An aggregated block with the signatures and certificates of its transactions.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ChainBlock {
    /// The block, for the version that is its height.
    pub aggregated: AggregatedBlock,
    /// The signatures of each transaction, in order.
    pub signatures: Vec<Vec<SignerSignature>>,
    /// The certificates of each transaction, in order.
    pub certificates: Vec<Vec<TableCertificate>>,
}

/// A transaction of a block, with what stands beside it in the list.
#[derive(Clone, Copy, Debug)]
pub struct ListedTransaction<'a> {
    /// The transaction.
    pub transaction: &'a Transaction<Unopened>,
    /// Who signed.
    pub signatures: &'a [SignerSignature],
    /// Its certificates.
    pub certificates: &'a [TableCertificate],
}

/// Why a list of transactions is no block of a chain.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ChainBlockError {
    /// The list has a frame and nothing that it frames.
    #[error("there is a frame without transactions")]
    FrameAlone,
    /// The frame's format number is another.
    #[error("the first transaction of the list is not a frame")]
    NoFrame,
    /// The list is longer than the dictionary's limits allow.
    #[error("the block has more transactions than the limit of {0}")]
    TooMany(u32),
    /// The transactions together are more work than a block may be.
    #[error("the block's work is {gas}, above the limit of {limit}")]
    TooMuchWork {
        /// All of it.
        gas: u64,
        /// The limit.
        limit: u64,
    },
    /// A transaction, or the frame, is not what it has to be.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// A transaction breaks the policy or has a false signature.
    #[error("transaction {transaction}: {code}")]
    Forbidden {
        /// Which of the block's transactions, from 0, the frame not counted.
        transaction: usize,
        /// Why.
        code: TxCode,
    },
}

impl ChainBlockError {
    /// Whether a signature or a certificate is false, as opposed to a list that is no block, or
    /// breaks another rule.
    #[must_use]
    pub fn is_proof_invalid(&self) -> bool {
        matches!(self, Self::Forbidden { code: TxCode::SignatureFalse | TxCode::CertificateFalse, .. })
    }
}

impl ChainBlock {
    /// The list for CometBFT: empty for a block without transactions.
    pub fn to_txs(&self) -> Vec<Vec<u8>> {
        let transactions = &self.aggregated.block.transactions;
        if transactions.is_empty() {
            return Vec::new();
        }
        let frame = [[FRAME_FORMAT].as_slice(), &self.aggregated.encode_proof()].concat();
        let listed = self.listed().map(|one| bare_bytes(one.transaction, one.signatures, one.certificates));
        std::iter::once(frame).chain(listed).collect()
    }

    /// The transactions, each with its signatures and certificates; none where the block has not.
    pub fn listed(&self) -> impl ExactSizeIterator<Item = ListedTransaction<'_>> {
        let of = |index: usize| (self.signatures.get(index), self.certificates.get(index));
        self.aggregated.block.transactions.iter().enumerate().map(move |(index, transaction)| {
            let (signatures, certificates) = of(index);
            let signatures = signatures.map(Vec::as_slice).unwrap_or_default();
            ListedTransaction {
                transaction,
                signatures,
                certificates: certificates.map(Vec::as_slice).unwrap_or_default(),
            }
        })
    }

    /// Reads the block of a height from CometBFT's list, within the dictionary's limits.
    ///
    /// # Errors
    /// [`ChainBlockError`] where the list is not exactly what [`ChainBlock::to_txs`] gives for some
    /// block.
    pub fn from_txs<T: AsRef<[u8]>>(version: u64, txs: &[T], parameters: &Parameters) -> Result<Self, ChainBlockError> {
        let Some((frame, transactions)) = txs.split_first() else {
            let mut empty = Self::default();
            empty.aggregated.block.version = version;
            return Ok(empty);
        };
        if transactions.is_empty() {
            return Err(ChainBlockError::FrameAlone);
        }
        let limit = parameters.limits.block_transactions;
        if !u32::try_from(transactions.len()).is_ok_and(|count| count <= limit) {
            return Err(ChainBlockError::TooMany(limit));
        }
        let Some((&FRAME_FORMAT, proof)) = frame.as_ref().split_first() else {
            return Err(ChainBlockError::NoFrame);
        };
        let (mut bodies, mut signatures, mut certificates) = (Vec::new(), Vec::new(), Vec::new());
        for transaction in transactions {
            let mut reader = Reader::new(transaction.as_ref());
            let SignedBody { body, signatures: signed_by, certificates: brought } =
                read_body(&mut reader, FormatPair::BARE)?;
            reader.finish()?;
            bodies.push(body);
            signatures.push(signed_by);
            certificates.push(brought);
        }
        check_length(&bodies, &certificates, proof, parameters)?;
        let aggregated = AggregatedBlock::decode_parts(version, &bodies, proof, parameters)?;
        Ok(Self { aggregated, signatures, certificates })
    }

    /// A block as an archive's log has it, without signatures, with certificates that somebody
    /// brings of its transactions: in their order, those of each covering what it puts.
    ///
    /// # Errors
    /// [`ChainBlockError::Forbidden`] with [`TxCode::CertificateMalformed`], of the first
    /// transaction that they do not cover; of the last one where there are more.
    pub fn of_log(aggregated: AggregatedBlock, brought: Vec<TableCertificate>) -> Result<Self, ChainBlockError> {
        let transactions = &aggregated.block.transactions;
        let malformed = |transaction| ChainBlockError::Forbidden { transaction, code: TxCode::CertificateMalformed };
        let mut left = brought.into_iter();
        let mut certificates = Vec::with_capacity(transactions.len());
        for (index, transaction) in transactions.iter().enumerate() {
            let mut missing = tables::segments_put(transaction);
            let mut of_this = Vec::new();
            while missing > 0 {
                let next = left.next().ok_or_else(|| malformed(index))?;
                missing = missing.checked_sub(usize::from(next.segments)).ok_or_else(|| malformed(index))?;
                of_this.push(next);
            }
            certificates.push(of_this);
        }
        match left.next() {
            Some(_) => Err(malformed(transactions.len().saturating_sub(1))),
            None => Ok(Self { signatures: vec![Vec::new(); transactions.len()], certificates, aggregated }),
        }
    }

    /// The work of all transactions.
    pub fn gas(&self) -> u64 {
        let each = self.listed().map(|one| gas(one.transaction, one.signatures.len(), one.certificates));
        each.fold(0, u64::saturating_add)
    }

    /// Whether the block is no more work than it may be and every transaction may be done: the
    /// policy of all first, then all signatures, in parallel. The lowest that fails is named,
    /// whatever the threads do.
    ///
    /// # Errors
    /// [`ChainBlockError::TooMuchWork`], [`ChainBlockError::Forbidden`].
    pub fn authorize(
        &self,
        policy: &Policy,
        limits: &BlockLimits,
        dictionary: &DictionaryId,
    ) -> Result<(), ChainBlockError> {
        let (gas, limit) = (self.gas(), limits.max_gas);
        if gas > limit {
            return Err(ChainBlockError::TooMuchWork { gas, limit });
        }
        let listed: Vec<ListedTransaction<'_>> = self.listed().collect();
        let forbidden = |transaction, code| ChainBlockError::Forbidden { transaction, code };
        let policy_fault = listed.par_iter().enumerate().find_map_first(|(index, one)| {
            let checked = policy.check(one.transaction, one.signatures, one.certificates);
            checked.err().map(|code| forbidden(index, code))
        });
        let fault = policy_fault.or_else(|| {
            listed.par_iter().enumerate().find_map_first(|(index, one)| {
                let all_true = policy.signatures_hold(one.transaction, one.signatures, dictionary);
                (!all_true).then(|| forbidden(index, TxCode::SignatureFalse))
            })
        });
        fault.map_or(Ok(()), Err)
    }

    /// Under the policy `tables`, behind the dictionary's rules: whether each step of tables' runs
    /// is legal, and all certificates hold, by one pairing check for the whole block. The lowest
    /// transaction that fails is named; where the steps of all are legal, bisection finds it.
    ///
    /// # Errors
    /// [`ChainBlockError::Forbidden`].
    pub fn certify(&self, dictionary: &DictionaryId, verifier: &TableVerifier) -> Result<(), ChainBlockError> {
        let forbidden = |transaction, code| ChainBlockError::Forbidden { transaction, code };
        let listed: Vec<ListedTransaction<'_>> = self.listed().collect();
        let judge = |one: &ListedTransaction<'_>| tables::judge(dictionary, one.transaction, one.certificates);
        let judged: Vec<Result<Vec<TableSheet>, TxCode>> = listed.par_iter().map(judge).collect();
        let mut sheets = Vec::with_capacity(judged.len());
        for (index, judged) in judged.into_iter().enumerate() {
            sheets.push(judged.map_err(|code| forbidden(index, code))?);
        }
        let sheets: Vec<&[TableSheet]> = sheets.iter().map(Vec::as_slice).collect();
        let false_one = tables::first_false(verifier, &sheets);
        false_one.map_or(Ok(()), |index| Err(forbidden(index, TxCode::CertificateFalse)))
    }

    /// The certificates of all transactions, each with the keys of the segments that it covers: in
    /// the order in which they are put.
    pub fn certified_keys(&self) -> Vec<CertifiedKeys> {
        self.listed().flat_map(|one| tables::certified_keys(one.transaction, one.certificates)).collect()
    }
}

/// Whether the aggregated block that a list stands for, and all certificates, keep the limit of a
/// block's bytes.
fn check_length(
    bodies: &[&[u8]],
    certificates: &[Vec<TableCertificate>],
    proof: &[u8],
    parameters: &Parameters,
) -> Result<(), DecodeError> {
    let limit = usize_or_max(parameters.limits.block_bytes);
    let framed = AggregatedBlock::parts_length(bodies, proof);
    let brought = certificates.iter().map(|certificates| certificates_length(certificates));
    let length = brought.fold(framed, usize::saturating_add);
    if length <= limit { Ok(()) } else { Err(DecodeError::TooLong { length, limit }) }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use aardvark_dictionary::{Block, Claim, Operation, Slot, Transaction};
    use ed25519_dalek::SigningKey;

    use super::*;
    use crate::signed::SignedTransaction;

    const DICTIONARY: DictionaryId = DictionaryId([1; 32]);

    fn parameters() -> Parameters {
        Parameters { vector_size: 2, ..Parameters::default() }
    }

    fn signing_key() -> SigningKey {
        SigningKey::from_bytes(&[1; 32])
    }

    fn example() -> ChainBlock {
        let transaction = |nonce| Transaction {
            first_valid: 1,
            last_valid: 9,
            nonce: [nonce; 16],
            operations: vec![Operation::Put("k".into(), "v".into())],
            claims: vec![Claim { position: 3, slot: Slot::lone_sentinel(), opening: [0; 48] }],
        };
        let transactions = vec![transaction(1), transaction(2)];
        let sign = |transaction: &Transaction| {
            SignedTransaction::sign(transaction.clone(), &DICTIONARY, &[signing_key()]).signatures
        };
        let signatures = transactions.iter().map(sign).collect();
        let tail_vectors = vec![vec![Slot::lone_sentinel(), Slot { key: "a".into(), ..Slot::default() }]];
        let block = Block { version: 7, transactions, tail_vectors }.without_openings();
        let certificates = vec![vec![], vec![TableCertificate { segments: 2, certificate: vec![7; 9] }]];
        ChainBlock { aggregated: AggregatedBlock { block, points: vec![[5; 48]] }, signatures, certificates }
    }

    #[test]
    fn a_block_survives_the_list() {
        let block = example();
        let txs = block.to_txs();
        assert_eq!(txs.len(), 3);
        assert_eq!((txs[0][0], txs[1][0], txs[2][0]), (3, 2, 5));
        let listed = |place: usize| {
            let transaction = block.aggregated.block.transactions[place].clone();
            let (signatures, certificates) = (block.signatures[place].clone(), block.certificates[place].clone());
            SignedTransaction { transaction, signatures, certificates }.encode_bare()
        };
        assert_eq!(txs[1..], [listed(0), listed(1)]);
        assert_eq!(ChainBlock::from_txs(7, &txs, &parameters()), Ok(block));
    }

    #[test]
    fn a_block_without_transactions_is_the_empty_list() {
        let empty = ChainBlock::from_txs::<Vec<u8>>(9, &[], &parameters()).unwrap();
        assert_eq!(empty.aggregated.block, Block { version: 9, ..Block::default() });
        assert!(empty.to_txs().is_empty());
    }

    #[test]
    fn every_other_list_is_refused() {
        let txs = example().to_txs();
        let refused = |txs: &[Vec<u8>]| ChainBlock::from_txs(7, txs, &parameters()).unwrap_err();
        assert_eq!(refused(&txs[..1]), ChainBlockError::FrameAlone);
        assert_eq!(refused(&txs[1..]), ChainBlockError::NoFrame);
        assert_eq!(refused(&[vec![], txs[1].clone()]), ChainBlockError::NoFrame);
        let carried = example().aggregated.block.transactions[0].clone();
        let claims = carried.claims.into_iter().map(|claim| Claim {
            position: claim.position,
            slot: claim.slot,
            opening: [0; 48],
        });
        let opened = Transaction {
            first_valid: carried.first_valid,
            last_valid: carried.last_valid,
            nonce: carried.nonce,
            operations: carried.operations,
            claims: claims.collect(),
        };
        let signed = SignedTransaction::sign(opened, &DICTIONARY, &[]);
        refused(&[txs[0].clone(), signed.encode()]);
        for (place, tx) in txs.iter().enumerate() {
            for cut in 0..tx.len() {
                let mut cut_short = txs.clone();
                cut_short[place].truncate(cut);
                refused(&cut_short);
            }
            let mut longer = txs.clone();
            longer[place].push(0);
            refused(&longer);
        }
        let mut few = parameters();
        few.limits.block_transactions = 1;
        assert_eq!(ChainBlock::from_txs(7, &txs, &few), Err(ChainBlockError::TooMany(1)));
    }

    #[test]
    fn the_lowest_transaction_that_may_not_be_done_is_named() {
        let policy = Policy::Publisher(BTreeSet::from([signing_key().verifying_key().to_bytes()]));
        let limits = BlockLimits::default();
        // Nobody but tables' writers brings certificates.
        let brought = Err(ChainBlockError::Forbidden { transaction: 1, code: TxCode::CertificateMalformed });
        assert_eq!(example().authorize(&policy, &limits, &DICTIONARY), brought);
        let block = ChainBlock { certificates: vec![Vec::new(); 2], ..example() };
        assert_eq!(block.authorize(&policy, &limits, &DICTIONARY), Ok(()));
        // The limit is the whole block's.
        let work: u64 = block.aggregated.block.transactions.iter().map(|one| gas(one, 1, &[])).sum();
        let (enough, less) = (BlockLimits { max_gas: work, ..limits }, BlockLimits { max_gas: work - 1, ..limits });
        assert_eq!(block.authorize(&policy, &enough, &DICTIONARY), Ok(()));
        let too_much = Err(ChainBlockError::TooMuchWork { gas: work, limit: work - 1 });
        assert_eq!(block.authorize(&policy, &less, &DICTIONARY), too_much);
        let false_signature = Err(ChainBlockError::Forbidden { transaction: 0, code: TxCode::SignatureFalse });
        assert_eq!(block.authorize(&policy, &limits, &DictionaryId([2; 32])), false_signature);
        let mut swapped = block.clone();
        swapped.aggregated.block.transactions[1].nonce = [9; 16];
        let second = Err(ChainBlockError::Forbidden { transaction: 1, code: TxCode::SignatureFalse });
        assert_eq!(swapped.authorize(&policy, &limits, &DICTIONARY), second);
        swapped.signatures[0].clear();
        let missing = Err(ChainBlockError::Forbidden { transaction: 0, code: TxCode::SignerMissing });
        assert_eq!(swapped.authorize(&policy, &limits, &DICTIONARY), missing);
        let is_false = |outcome: Result<(), ChainBlockError>| outcome.is_err_and(|error| error.is_proof_invalid());
        assert!(is_false(false_signature) && is_false(second) && !is_false(missing) && !is_false(too_much));
    }
}

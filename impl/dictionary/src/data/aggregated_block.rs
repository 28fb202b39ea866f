//! Aggregated blocks: in the place of the claims' openings, one point for each index that they speak of
//! (`aardvark_spec::block::aggregated_block`).
//!
//! The openings of a block are 48 bytes a claim; those of one index merge into one point, so that a block carries at most N of
//! them. It says and does what the plain block with the same transactions does. What it costs is the name of a false
//! claim: the points prove all claims or none, so they are for blocks that a validator proposed, who dropped false claims.

use aardvark_commitment::aggregation::{Aggregate, Aggregation, UnopenedClaim};
use aardvark_commitment::{Opening, Scheme};
use rayon::prelude::*;

use crate::data::block::{Block, BlockQuotas, put_length, read_count, read_tail_vectors};
use crate::data::claim::OPENING_BYTES;
use crate::data::codec::{DecodeError, Quota, Reader, put_slot};
use crate::data::parameters::Parameters;
use crate::data::rejection::{Item, Reason, Rejection};
use crate::data::transaction::{NO_OPENING, Openings, Transaction, expect_format};
use crate::validator::Validator;

/// Format number of an aggregated block.
pub const AGGREGATED_FORMAT: u8 = 3;
/// Bytes of an aggregated block without points beyond those of a plain one: the number of points.
pub(crate) const POINTS_OVERHEAD: usize = 2;

/// A block whose claims are proved together.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct AggregatedBlock {
    /// Transactions and tail vectors. The openings are of no meaning and do not travel; decoded, they are zero bytes.
    pub block: Block,
    /// One point for each claimed index, ascending by index, compressed.
    pub points: Vec<[u8; OPENING_BYTES]>,
}

impl AggregatedBlock {
    /// Canonical bytes (`docs/format.md`, Blocks).
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.encoded_length());
        bytes.push(AGGREGATED_FORMAT);
        bytes.extend_from_slice(&self.block.version.to_be_bytes());
        put_length(&mut bytes, self.block.transactions.len());
        for transaction in &self.block.transactions {
            let bare = transaction.encode_as(Openings::Aggregated);
            put_length(&mut bytes, bare.len());
            bytes.extend_from_slice(&bare);
        }
        // More than N have no use, and N is at most 4096.
        bytes.extend_from_slice(&u16::try_from(self.points.len()).unwrap_or(u16::MAX).to_be_bytes());
        bytes.extend(self.points.iter().flatten());
        put_length(&mut bytes, self.block.tail_vectors.len());
        for slot in self.block.tail_vectors.iter().flatten() {
            put_slot(&mut bytes, slot);
        }
        bytes
    }

    /// How many bytes [`AggregatedBlock::encode`] gives.
    pub fn encoded_length(&self) -> usize {
        let claims: usize = self.block.transactions.iter().map(|transaction| transaction.claims.len()).sum();
        let with_points = self.block.encoded_length() + POINTS_OVERHEAD + OPENING_BYTES * self.points.len();
        with_points.saturating_sub(OPENING_BYTES * claims)
    }

    /// Reads canonical bytes from outside, within a dictionary's limits, as [`Block::decode_within`] does.
    ///
    /// # Errors
    /// [`DecodeError`] where the bytes are not exactly one aggregated block, or pass a limit.
    pub fn decode_within(bytes: &[u8], parameters: &Parameters) -> Result<Self, DecodeError> {
        let limit = usize::try_from(parameters.limits.block_bytes).unwrap_or(usize::MAX);
        if bytes.len() > limit {
            return Err(DecodeError::TooLong { length: bytes.len(), limit });
        }
        let mut quotas = BlockQuotas::of(parameters);
        let mut reader = Reader::new(bytes);
        expect_format(&mut reader, AGGREGATED_FORMAT, "aggregated block format")?;
        let version = reader.u64("the version")?;
        let mut transactions = Vec::new();
        for _ in 0..read_count(&mut reader, "the number of transactions", &mut quotas.transactions)? {
            let length = reader.u32("the length of a transaction")?;
            let bytes = reader.take(usize::try_from(length).unwrap_or(usize::MAX), "a transaction")?;
            transactions.push(Transaction::decode_counted(bytes, Openings::Aggregated, &mut quotas.items)?);
        }
        let points = read_points(&mut reader, parameters.vector_size)?;
        let tail_vectors = read_tail_vectors(&mut reader, parameters.vector_size, &mut quotas.tail_vectors)?;
        reader.finish()?;
        Ok(Self { block: Block { version, transactions, tail_vectors }, points })
    }
}

fn read_points(reader: &mut Reader<'_>, vector_size: u32) -> Result<Vec<[u8; OPENING_BYTES]>, DecodeError> {
    let offset = reader.offset();
    let count = reader.u16("the number of points")?;
    Quota::new("points", vector_size.into()).take(count.into(), offset)?;
    (0..count).map(|_| reader.array("a point")).collect()
}

impl Validator {
    /// The aggregated form of a block of the next version whose openings are true, such as one that was proposed.
    ///
    /// # Errors
    /// [`Reason::OpeningMalformed`] or [`Reason::PositionOutOfRange`] where a claim has no opening or no commitment. A false
    /// opening is not noticed here; the aggregated block is then refused.
    pub fn aggregate(&self, mut block: Block) -> Result<AggregatedBlock, Rejection> {
        let claims = unopened_claims(self, &block.transactions)?;
        let openings = block.transactions.par_iter().flat_map_iter(|transaction| &transaction.claims);
        let openings = openings.map(|claim| Opening::from_bytes(&claim.opening)).collect::<Result<Vec<_>, _>>();
        let openings = openings.map_err(|_| refusal(Reason::OpeningMalformed))?;
        let opened: Vec<_> = claims.into_iter().zip(openings).collect();
        let aggregate = self.scheme.aggregate(&self.id.0, block.version, &opened);
        for claim in block.transactions.iter_mut().flat_map(|transaction| &mut transaction.claims) {
            claim.opening = NO_OPENING;
        }
        Ok(AggregatedBlock { block, points: aggregate.points.iter().map(|(_, point)| point.to_bytes()).collect() })
    }

    /// The claims of transactions as the challenges bind them: what a verifier of the aggregation looks at.
    ///
    /// # Errors
    /// [`Reason::OpeningFalse`] where a claim speaks of a vector that did not exist.
    pub fn unopened_claims(&self, transactions: &[Transaction]) -> Result<Vec<UnopenedClaim>, Rejection> {
        unopened_claims(self, transactions)
    }
}

/// Phase 6 of an aggregated block: the number of points, then their bytes, then the equation.
pub(crate) fn verify_points(
    validator: &Validator,
    block: &Block,
    points: &[[u8; OPENING_BYTES]],
) -> Result<(), Rejection> {
    let scheme: &Scheme = &validator.scheme;
    let claims = unopened_claims(validator, &block.transactions)?;
    let vector_size = validator.parameters.vector_size as usize;
    let indices = aardvark_commitment::aggregation::claimed_indices(vector_size, &claims);
    if indices.len() != points.len() {
        return Err(refusal(Reason::OpeningFalse));
    }
    let decoded = points.par_iter().map(Opening::from_bytes).collect::<Result<Vec<_>, _>>();
    let decoded = decoded.map_err(|_| refusal(Reason::OpeningMalformed))?;
    let aggregate = Aggregate { points: indices.into_iter().zip(decoded).collect() };
    match scheme.verify_aggregated(&validator.id.0, block.version, &claims, &aggregate) {
        true => Ok(()),
        false => Err(refusal(Reason::OpeningFalse)),
    }
}

fn unopened_claims(validator: &Validator, transactions: &[Transaction]) -> Result<Vec<UnopenedClaim>, Rejection> {
    let claims = transactions.par_iter().flat_map_iter(|transaction| {
        let version = transaction.first_valid.saturating_sub(1);
        transaction.claims.iter().map(move |claim| {
            let (vector, _) = validator.place(claim.position);
            let commitment = validator.commitment_at(version, vector).ok_or_else(|| refusal(Reason::OpeningFalse))?;
            Ok(UnopenedClaim { version, position: claim.position, commitment, scalar: claim.slot.scalar() })
        })
    });
    claims.collect()
}

/// No claim has a proof of its own, so the block as a whole is refused.
fn refusal(reason: Reason) -> Rejection {
    Rejection::of_block(reason, Item::Whole)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::claim::Claim;
    use crate::data::operation::Operation;
    use crate::data::slot::Slot;

    fn example() -> AggregatedBlock {
        let claim = Claim { position: 3, slot: Slot::lone_sentinel(), opening: NO_OPENING };
        let transaction = Transaction {
            first_valid: 1,
            last_valid: 1,
            nonce: [0; 16],
            operations: vec![Operation::Put("k".into(), "v".into())],
            claims: vec![claim],
        };
        let tail_vectors = vec![vec![Slot::lone_sentinel(), Slot { key: "a".into(), ..Slot::default() }]];
        AggregatedBlock {
            block: Block { version: 1, transactions: vec![transaction], tail_vectors },
            points: vec![[7; 48]],
        }
    }

    fn parameters() -> Parameters {
        Parameters { vector_size: 2, ..Parameters::default() }
    }

    #[test]
    fn an_aggregated_block_survives_the_wire_and_every_cut_and_extension_is_an_error() {
        let mut bytes = example().encode();
        assert_eq!(bytes.len(), example().encoded_length());
        assert_eq!(AggregatedBlock::decode_within(&bytes, &parameters()), Ok(example()));
        for cut in 0..bytes.len() {
            assert!(AggregatedBlock::decode_within(&bytes[..cut], &parameters()).is_err(), "cut at {cut}");
        }
        bytes.push(0);
        assert!(matches!(AggregatedBlock::decode_within(&bytes, &parameters()), Err(DecodeError::Trailing { .. })));
    }

    #[test]
    fn the_two_kinds_of_block_are_not_taken_for_each_other() {
        let aggregated = example();
        assert!(Block::decode_within(&aggregated.encode(), &parameters()).is_err());
        assert!(AggregatedBlock::decode_within(&aggregated.block.encode(), &parameters()).is_err());
    }

    #[test]
    fn more_points_than_indices_are_not_read() {
        let with = |count| AggregatedBlock { points: vec![[7; 48]; count], ..example() }.encode();
        assert!(AggregatedBlock::decode_within(&with(2), &parameters()).is_ok());
        let refused = AggregatedBlock::decode_within(&with(3), &parameters());
        assert!(matches!(refused, Err(DecodeError::TooMany { what: "points", limit: 2, .. })));
    }
}

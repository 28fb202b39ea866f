//! Aggregated blocks: in the place of the claims' openings, one point for each index that they
//! speak of (`aardvark_spec::block::aggregated_block::AggregatedBlock`).
//!
//! The openings of a block are 48 bytes a claim; those of one index merge into one point, so that a
//! block carries at most N of them. It says and does what the plain block with the same
//! transactions does. What it costs is the name of a false claim: the points prove all claims or
//! none, so they are for blocks that a validator proposed, who dropped false claims.

use aardvark_algebra::integers::{u16_or_max, u64_of_usize, usize_or_max};

use crate::data::block::{Block, BlockQuotas, put_tail_vectors, read_tail_vectors, read_transactions, within_limit};
use crate::data::claim::{OpeningBytes, Unopened};
use crate::data::codec::{DecodeError, Quota, Reader};
use crate::data::parameters::Parameters;
use crate::data::transaction::Transaction;

/// Format number of an aggregated block.
pub const AGGREGATED_FORMAT: u8 = 3;
/// Bytes of an aggregated block without points beyond those of a plain one: the number of points.
pub(crate) const POINTS_OVERHEAD: usize = 2;

/// A block whose claims are proved together.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct AggregatedBlock {
    /// Transactions and tail vectors; the claims have no openings.
    pub block: Block<Unopened>,
    /// One point for each claimed index, ascending by index, compressed.
    pub points: Vec<OpeningBytes>,
}

impl AggregatedBlock {
    /// Canonical bytes (`docs/format.md`, Blocks).
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.encoded_length());
        self.block.put_transactions(&mut bytes, AGGREGATED_FORMAT, Transaction::encode_bare);
        self.put_proof(&mut bytes);
        bytes
    }

    /// The end of [`AggregatedBlock::encode`], behind the transactions: points and tail vectors.
    pub fn encode_proof(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.put_proof(&mut bytes);
        bytes
    }

    fn put_proof(&self, out: &mut Vec<u8>) {
        // More than N have no use, and N is at most 4096.
        out.extend_from_slice(&u16_or_max(self.points.len()).to_be_bytes());
        out.extend(self.points.iter().flatten());
        put_tail_vectors(out, &self.block.tail_vectors);
    }

    /// How many bytes [`AggregatedBlock::encode`] gives.
    pub fn encoded_length(&self) -> usize {
        self.block.length_with(Transaction::bare_length) + POINTS_OVERHEAD + size_of_val(self.points.as_slice())
    }

    /// Reads canonical bytes, within a dictionary's limits, as [`Block::decode`] does.
    ///
    /// # Errors
    /// [`DecodeError`] where the bytes are not exactly one aggregated block, or pass a limit.
    pub fn decode(bytes: &[u8], parameters: &Parameters) -> Result<Self, DecodeError> {
        let mut reader = within_limit(bytes, parameters.limits.block_bytes)?;
        let mut quotas = BlockQuotas::of(parameters);
        let (version, transactions) =
            read_transactions(&mut reader, AGGREGATED_FORMAT, "aggregated block format", &mut quotas)?;
        Self::read_proof(reader, version, transactions, parameters, &mut quotas)
    }

    /// The length of the one encoding of a block whose parts are these: each transaction stands
    /// behind its length; format, version and count before them all.
    pub fn parts_length(transactions: &[&[u8]], proof: &[u8]) -> usize {
        let lengths = transactions.iter().map(|transaction| transaction.len().saturating_add(4));
        lengths.fold(proof.len().saturating_add(1 + 8 + 4), usize::saturating_add)
    }

    /// Reads a block of which each transaction and the end ([`AggregatedBlock::encode_proof`]) came
    /// apart. What one encoding of all of it may not be is refused here too.
    ///
    /// # Errors
    /// [`DecodeError`] where [`AggregatedBlock::decode`] has one for the parts put together; an
    /// offset in it is one in its part.
    pub fn decode_parts(
        version: u64,
        transactions: &[&[u8]],
        proof: &[u8],
        parameters: &Parameters,
    ) -> Result<Self, DecodeError> {
        let limit = usize_or_max(parameters.limits.block_bytes);
        let length = Self::parts_length(transactions, proof);
        if length > limit {
            return Err(DecodeError::TooLong { length, limit });
        }
        let mut quotas = BlockQuotas::of(parameters);
        quotas.transactions.take(u64_of_usize(transactions.len()), 0)?;
        let read = |bytes: &&[u8]| Transaction::decode_counted(bytes, &mut quotas.items);
        let transactions = transactions.iter().map(read).collect::<Result<_, _>>()?;
        Self::read_proof(Reader::new(proof), version, transactions, parameters, &mut quotas)
    }

    fn read_proof(
        mut reader: Reader<'_>,
        version: u64,
        transactions: Vec<Transaction<Unopened>>,
        parameters: &Parameters,
        quotas: &mut BlockQuotas,
    ) -> Result<Self, DecodeError> {
        let points = read_points(&mut reader, parameters.vector_size)?;
        let tail_vectors = read_tail_vectors(&mut reader, parameters.vector_size, &mut quotas.tail_vectors)?;
        reader.finish()?;
        Ok(Self { block: Block { version, transactions, tail_vectors }, points })
    }
}

fn read_points(reader: &mut Reader<'_>, vector_size: u32) -> Result<Vec<OpeningBytes>, DecodeError> {
    let offset = reader.offset();
    let count = reader.u16("the number of points")?;
    Quota::new("points", vector_size.into()).take(count.into(), offset)?;
    (0..count).map(|_| reader.array("a point")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::claim::Claim;
    use crate::data::operation::Operation;
    use crate::data::slot::Slot;

    fn example() -> AggregatedBlock {
        let claim = Claim { position: 3, slot: Slot::lone_sentinel(), opening: Unopened };
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
        assert_eq!(AggregatedBlock::decode(&bytes, &parameters()), Ok(example()));
        for cut in 0..bytes.len() {
            assert!(AggregatedBlock::decode(&bytes[..cut], &parameters()).is_err(), "cut at {cut}");
        }
        bytes.push(0);
        assert!(matches!(AggregatedBlock::decode(&bytes, &parameters()), Err(DecodeError::Trailing { .. })));
    }

    #[test]
    fn parts_are_read_as_the_one_encoding_of_them_is() {
        let mut block = example();
        block.block.transactions.push(Transaction { nonce: [1; 16], ..block.block.transactions[0].clone() });
        let bare: Vec<_> = block.block.transactions.iter().map(Transaction::encode_bare).collect();
        let parts: Vec<&[u8]> = bare.iter().map(Vec::as_slice).collect();
        let (whole, proof) = (block.encode(), block.encode_proof());
        assert!(whole.ends_with(&proof));
        let with = |change: fn(&mut Parameters, u32)| {
            let mut parameters = parameters();
            change(&mut parameters, u32::try_from(whole.len()).unwrap());
            let read = AggregatedBlock::decode_parts(1, &parts, &proof, &parameters);
            assert_eq!(read.is_ok(), AggregatedBlock::decode(&whole, &parameters).is_ok());
            read
        };
        assert_eq!(with(|_, _| {}), Ok(block.clone()));
        assert_eq!(with(|parameters, length| parameters.limits.block_bytes = length), Ok(block.clone()));
        let too_long = with(|parameters, length| parameters.limits.block_bytes = length - 1);
        assert!(matches!(too_long, Err(DecodeError::TooLong { .. })));
        let many = [
            with(|parameters, _| parameters.limits.block_transactions = 1),
            with(|parameters, _| parameters.limits.block_operations = 1),
            with(|parameters, _| parameters.limits.block_claims = 1),
        ];
        assert!(many.iter().all(|read| matches!(read, Err(DecodeError::TooMany { limit: 1, .. }))), "{many:?}");
        for cut in 0..proof.len() {
            assert!(AggregatedBlock::decode_parts(1, &parts, &proof[..cut], &parameters()).is_err(), "cut at {cut}");
        }
        let longer = [proof.as_slice(), &[0]].concat();
        let trailing = AggregatedBlock::decode_parts(1, &parts, &longer, &parameters());
        assert!(matches!(trailing, Err(DecodeError::Trailing { .. })));
    }

    #[test]
    fn the_two_kinds_of_block_are_not_taken_for_each_other() {
        let aggregated = example();
        assert!(Block::decode(&aggregated.encode(), &parameters()).is_err());
        let plain = Block { transactions: Vec::new(), version: 1, tail_vectors: aggregated.block.tail_vectors };
        assert!(Block::decode(&plain.encode(), &parameters()).is_ok());
        assert!(AggregatedBlock::decode(&plain.encode(), &parameters()).is_err());
    }

    #[test]
    fn more_points_than_indices_are_not_read() {
        let with = |count| AggregatedBlock { points: vec![[7; 48]; count], ..example() }.encode();
        assert!(AggregatedBlock::decode(&with(2), &parameters()).is_ok());
        let refused = AggregatedBlock::decode(&with(3), &parameters());
        assert!(matches!(refused, Err(DecodeError::TooMany { what: "points", limit: 2, .. })));
    }
}

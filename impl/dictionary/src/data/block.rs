//! Blocks: what takes the dictionary from version t to t + 1, and their bytes
//! (`aardvark_spec::block::block_data`).

use aardvark_algebra::integers::{u32_or_max, usize_or_max};

use crate::data::claim::{OpeningBytes, Unopened};
use crate::data::codec::{DecodeError, Quota, Reader, put_slot, slot_length};
use crate::data::parameters::Parameters;
use crate::data::slot::Slot;
use crate::data::transaction::{ItemQuotas, OpeningForm, Transaction, expect_format};

/// Format number of a block of transactions.
pub const BLOCK_FORMAT: u8 = 1;
/// Bytes of a block of transactions besides its transactions and tail vectors.
pub(crate) const BLOCK_OVERHEAD: usize = 1 + 8 + 4 + 4;

/// The plaintext of one whole vector below `tail_start`: N slots in ascending position.
pub type TailVector = Vec<Slot>;

/// Transactions in order, with the tail vectors that their deletes need, the highest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block<O = OpeningBytes> {
    /// The version that the block makes.
    pub version: u64,
    /// The transactions, in order.
    pub transactions: Vec<Transaction<O>>,
    /// The whole vectors below `tail_start` that the block needs, the highest first.
    pub tail_vectors: Vec<TailVector>,
}

/// A block of version 0 with nothing in it, which no validator takes: a start for struct update
/// syntax.
impl<O> Default for Block<O> {
    fn default() -> Self {
        Self { version: 0, transactions: Vec::new(), tail_vectors: Vec::new() }
    }
}

impl Block {
    /// Canonical bytes (`docs/format.md`, Blocks).
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.encoded_length());
        self.put_transactions(&mut bytes, BLOCK_FORMAT, Transaction::encode);
        put_tail_vectors(&mut bytes, &self.tail_vectors);
        bytes
    }

    /// How many bytes [`Block::encode`] gives.
    pub fn encoded_length(&self) -> usize {
        self.length_with(Transaction::encoded_length)
    }

    /// Reads canonical bytes, within a dictionary's limits: beyond the first count or length that
    /// passes them nothing is read, so memory is bounded by the limits and not by what the bytes
    /// announce.
    ///
    /// # Errors
    /// [`DecodeError`] where the bytes are not exactly one block, or pass a limit.
    pub fn decode(bytes: &[u8], parameters: &Parameters) -> Result<Self, DecodeError> {
        Self::read(bytes, parameters.vector_size, parameters.limits.block_bytes, BlockQuotas::of(parameters))
    }

    /// Reads canonical bytes without looking at their counts: for bytes of our own, and where phase
    /// 1 is to name the reason. `vector_size` says how many slots a tail vector has, `limit` how
    /// long a block may be. Memory may come to forty times the bytes; bytes from outside are for
    /// [`Block::decode`].
    ///
    /// # Errors
    /// [`DecodeError`] where the bytes are too long or not exactly one block.
    pub fn decode_unlimited(bytes: &[u8], vector_size: u32, limit: u32) -> Result<Self, DecodeError> {
        let quotas = BlockQuotas {
            transactions: Quota::new("transactions", u64::MAX),
            items: ItemQuotas::unlimited(),
            tail_vectors: Quota::new("tail vectors", u64::MAX),
        };
        Self::read(bytes, vector_size, limit, quotas)
    }

    fn read(bytes: &[u8], vector_size: u32, limit: u32, mut quotas: BlockQuotas) -> Result<Self, DecodeError> {
        let mut reader = within_limit(bytes, limit)?;
        let (version, transactions) = read_transactions(&mut reader, BLOCK_FORMAT, "block format", &mut quotas)?;
        let tail_vectors = read_tail_vectors(&mut reader, vector_size, &mut quotas.tail_vectors)?;
        reader.finish()?;
        Ok(Self { version, transactions, tail_vectors })
    }
}

impl<O> Block<O> {
    /// The same block, whose claims have no openings.
    pub fn without_openings(self) -> Block<Unopened> {
        let transactions = self.transactions.into_iter().map(Transaction::without_openings).collect();
        Block { version: self.version, transactions, tail_vectors: self.tail_vectors }
    }

    /// How many bytes the block has, if its transactions have so many.
    pub(crate) fn length_with(&self, transaction_length: impl Fn(&Transaction<O>) -> usize) -> usize {
        let transactions: usize = self.transactions.iter().map(|transaction| 4 + transaction_length(transaction)).sum();
        let tail: usize = self.tail_vectors.iter().flatten().map(slot_length).sum();
        BLOCK_OVERHEAD + transactions + tail
    }

    /// Appends format, version and transactions.
    pub(crate) fn put_transactions(&self, out: &mut Vec<u8>, format: u8, encode: impl Fn(&Transaction<O>) -> Vec<u8>) {
        out.push(format);
        out.extend_from_slice(&self.version.to_be_bytes());
        put_length(out, self.transactions.len());
        for transaction in &self.transactions {
            let transaction = encode(transaction);
            put_length(out, transaction.len());
            out.extend_from_slice(&transaction);
        }
    }
}

/// A reader of a block's bytes, if they are no more than allowed.
pub(crate) fn within_limit(bytes: &[u8], limit: u32) -> Result<Reader<'_>, DecodeError> {
    let limit = usize_or_max(limit);
    if bytes.len() > limit {
        return Err(DecodeError::TooLong { length: bytes.len(), limit });
    }
    Ok(Reader::new(bytes))
}

/// Reads format, version and transactions.
pub(crate) fn read_transactions<O: OpeningForm>(
    reader: &mut Reader<'_>,
    format: u8,
    what: &'static str,
    quotas: &mut BlockQuotas,
) -> Result<(u64, Vec<Transaction<O>>), DecodeError> {
    expect_format(reader, format, what)?;
    let version = reader.u64("the version")?;
    let mut transactions = Vec::new();
    for _ in 0..read_count(reader, "the number of transactions", &mut quotas.transactions)? {
        let length = reader.u32("the length of a transaction")?;
        let bytes = reader.take(usize_or_max(length), "a transaction")?;
        transactions.push(Transaction::decode_counted(bytes, &mut quotas.items)?);
    }
    Ok((version, transactions))
}

/// How much of everything may still be read.
pub(crate) struct BlockQuotas {
    pub(crate) transactions: Quota,
    pub(crate) items: ItemQuotas,
    pub(crate) tail_vectors: Quota,
}

impl BlockQuotas {
    pub(crate) fn of(parameters: &Parameters) -> Self {
        let Parameters { vector_size, limits, .. } = parameters;
        // A block deletes at most as many slots as it has operations, so it needs no more tail
        // vectors.
        let tail_vectors = limits.block_operations.div_ceil((*vector_size).max(1));
        Self {
            transactions: Quota::new("transactions", limits.block_transactions.into()),
            items: ItemQuotas::new(limits.block_operations.into(), limits.block_claims.into()),
            tail_vectors: Quota::new("tail vectors", tail_vectors.into()),
        }
    }
}

pub(crate) fn read_tail_vectors(
    reader: &mut Reader<'_>,
    vector_size: u32,
    quota: &mut Quota,
) -> Result<Vec<TailVector>, DecodeError> {
    let mut tail_vectors = Vec::new();
    for _ in 0..read_count(reader, "the number of tail vectors", quota)? {
        tail_vectors.push((0..vector_size).map(|_| reader.slot()).collect::<Result<_, _>>()?);
    }
    Ok(tail_vectors)
}

pub(crate) fn read_count(reader: &mut Reader<'_>, inside: &'static str, quota: &mut Quota) -> Result<u32, DecodeError> {
    let offset = reader.offset();
    let count = reader.u32(inside)?;
    quota.take(count.into(), offset)?;
    Ok(count)
}

/// Appends the number of tail vectors and their slots.
pub(crate) fn put_tail_vectors(out: &mut Vec<u8>, tail_vectors: &[TailVector]) {
    put_length(out, tail_vectors.len());
    for slot in tail_vectors.iter().flatten() {
        put_slot(out, slot);
    }
}

/// Lengths beyond 32 bits have no encoding; the limits of every dictionary refuse them first.
pub(crate) fn put_length(out: &mut Vec<u8>, length: usize) {
    out.extend_from_slice(&u32_or_max(length).to_be_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::claim::Claim;
    use crate::data::operation::Operation;
    use crate::data::parameters::Limits;

    fn example() -> Block {
        let transaction = Transaction {
            first_valid: 1,
            last_valid: 1,
            nonce: [0; 16],
            operations: vec![Operation::Put("k".into(), "v".into())],
            claims: Vec::new(),
        };
        let tail_vectors = vec![vec![Slot::lone_sentinel(), Slot { key: "a".into(), ..Slot::default() }]];
        Block { version: 1, transactions: vec![transaction], tail_vectors }
    }

    #[test]
    fn a_block_survives_the_wire() {
        let bytes = example().encode();
        assert_eq!(bytes.len(), example().encoded_length());
        assert_eq!(Block::decode_unlimited(&bytes, 2, 1000), Ok(example()));
        for cut in 0..bytes.len() {
            assert!(Block::decode_unlimited(&bytes[..cut], 2, 1000).is_err(), "cut at {cut}");
        }
    }

    #[test]
    fn a_block_beyond_its_limit_is_not_read() {
        let bytes = example().encode();
        let limit = u32::try_from(bytes.len()).unwrap() - 1;
        assert!(matches!(Block::decode_unlimited(&bytes, 2, limit), Err(DecodeError::TooLong { .. })));
    }

    #[test]
    fn counts_are_read_up_to_the_dictionary_s_limits_and_no_further() {
        let limits = Limits { block_transactions: 1, block_operations: 1, block_claims: 1, ..Limits::default() };
        let parameters = Parameters { vector_size: 2, limits, ..Parameters::default() };
        let read = |block: &Block| Block::decode(&block.encode(), &parameters);
        assert_eq!(read(&example()), Ok(example()));
        let refused = |change: fn(&mut Block)| {
            let mut block = example();
            change(&mut block);
            match read(&block) {
                Err(DecodeError::TooMany { what, limit: 1, .. }) => what,
                other => panic!("{other:?}"),
            }
        };
        let claim = Claim { position: 0, slot: Slot::lone_sentinel(), opening: [0; 48] };
        assert_eq!(refused(|block| block.transactions.push(block.transactions[0].clone())), "transactions");
        assert_eq!(refused(|block| block.transactions[0].operations.push(Operation::Delete("k".into()))), "operations");
        assert_eq!(refused(|block| block.tail_vectors.push(block.tail_vectors[0].clone())), "tail vectors");
        let claimed = |count| {
            let mut block = example();
            block.transactions[0].claims = vec![claim.clone(); count];
            read(&block)
        };
        assert!(claimed(1).is_ok());
        assert!(matches!(claimed(2), Err(DecodeError::TooMany { what: "claims", .. })));
    }

    #[test]
    fn a_count_without_content_allocates_nothing() {
        let mut bytes = vec![BLOCK_FORMAT];
        bytes.extend_from_slice(&1u64.to_be_bytes());
        bytes.extend_from_slice(&u32::MAX.to_be_bytes());
        assert!(matches!(Block::decode_unlimited(&bytes, 2, 1000), Err(DecodeError::Truncated { .. })));
    }
}

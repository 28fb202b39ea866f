//! Reading an archive without proofs: values, blocks, commitments, tails.

use aardvark_commitment::Commitment;
use aardvark_dictionary::array::Slots;
use aardvark_dictionary::{AggregatedBlock, Block, ImportBlock, Key, Parameters, Slot, TailVector, Value};

use crate::error::{ArchiveError, Damage, DamageKind, Place};
use crate::records::{self, BlockKind, VersionInfo};
use crate::snapshot::Snapshot;

/// A block of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoggedBlock {
    /// The entries of version 0.
    Genesis(Vec<(Key, Value)>),
    /// Transactions.
    Transactions(Block),
    /// Changes without claims.
    Import(ImportBlock),
    /// Transactions whose claims are proved together.
    Aggregated(AggregatedBlock),
}

impl Snapshot {
    /// The value of a key at a version; `None` where it is absent.
    ///
    /// # Errors
    /// [`ArchiveError::VersionOutOfRange`], [`ArchiveError::EmptyKey`],
    /// [`ArchiveError::KeyTooLong`], [`ArchiveError::Damaged`].
    pub fn get(&self, key: &Key, version: u64) -> Result<Option<Value>, ArchiveError> {
        self.check_key(key)?;
        self.at(version, |array| {
            let (_, slot) = array.covering_slot(key)?;
            Ok((slot.key == *key).then_some(slot.value))
        })
    }

    /// Sizes of a version, and how it was made. All versions are known, those beyond retention too.
    ///
    /// # Errors
    /// [`ArchiveError::VersionOutOfRange`], [`ArchiveError::Damaged`].
    pub fn version_info(&self, version: u64) -> Result<VersionInfo, ArchiveError> {
        if version > self.version {
            return Err(ArchiveError::VersionOutOfRange { asked: version, oldest: 0, newest: self.version });
        }
        self.tables()?.version(version)
    }

    /// The block that made a version. All blocks are kept.
    ///
    /// # Errors
    /// [`ArchiveError::VersionOutOfRange`], [`ArchiveError::Damaged`] where it is not the block
    /// that was written.
    pub fn block(&self, version: u64) -> Result<LoggedBlock, ArchiveError> {
        let bytes = self.block_bytes(version)?;
        decode_block(&bytes, self.version_info(version)?.kind, self.parameters())
            .map_err(|fault| Damage::new(Place::Block(version), fault).into())
    }

    /// The bytes of the block that made a version, as the log has them: a block's encoding
    /// (`docs/format.md`), or, of version 0, genesis' entries as they enter the dictionary id.
    ///
    /// # Errors
    /// As [`Snapshot::block`].
    pub fn block_bytes(&self, version: u64) -> Result<Vec<u8>, ArchiveError> {
        let info = self.version_info(version)?;
        let tables = self.tables()?;
        let previous = match version.checked_sub(1) {
            Some(previous) => tables.version(previous)?.link,
            None => self.genesis_record.id.0,
        };
        let bytes = tables.block_bytes(version)?;
        if records::link(&previous, &bytes) != info.link {
            return Err(Damage::new(Place::Block(version), DamageKind::Checksum).into());
        }
        Ok(bytes)
    }

    /// One commitment a vector, at a version.
    ///
    /// # Errors
    /// [`ArchiveError::VersionOutOfRange`], [`ArchiveError::Damaged`].
    pub fn commitments(&self, version: u64) -> Result<Vec<Commitment>, ArchiveError> {
        self.commitments_within(version, 0, u64::MAX)
    }

    /// Those of the vectors `from..to`, as far as they exist.
    ///
    /// # Errors
    /// [`ArchiveError::VersionOutOfRange`], [`ArchiveError::Damaged`].
    pub fn commitments_within(&self, version: u64, from: u64, to: u64) -> Result<Vec<Commitment>, ArchiveError> {
        self.check_version(version)?;
        let tables = self.tables()?;
        let vectors = tables.version(version)?.size.div_ceil(self.parameters().positions_per_vector());
        let at = |vector| {
            self.work.check()?;
            match tables.past_commitment(vector, version)? {
                Some((_, past)) => Ok(past),
                None => tables.commitment(vector),
            }
        };
        (from..vectors.min(to)).map(at).collect()
    }

    /// The slots at positions `from..to` at a version, both at most its size.
    ///
    /// # Errors
    /// [`ArchiveError::VersionOutOfRange`], [`ArchiveError::Damaged`].
    pub fn slots(&self, version: u64, from: u64, to: u64) -> Result<Vec<Slot>, ArchiveError> {
        self.at(version, |array| array.slots(from.min(array.size()), to.min(array.size())))
    }

    /// What a validator keeps in plaintext at a version: the first position, and the slots from
    /// there on.
    ///
    /// # Errors
    /// [`ArchiveError::VersionOutOfRange`], [`ArchiveError::Damaged`].
    pub fn tail(&self, version: u64) -> Result<(u64, Vec<Slot>), ArchiveError> {
        let start = self.version_info(version)?.tail_start;
        self.at(version, |array| Ok((start, array.slots(start, array.size())?)))
    }

    /// At most `count` whole vectors below the tail at the newest version, the highest first: what
    /// a block carries whose deletes reach below the tail.
    ///
    /// # Errors
    /// [`ArchiveError::Damaged`].
    pub fn tail_vectors(&self, count: u64) -> Result<Vec<TailVector>, ArchiveError> {
        self.tail_vectors_at(self.version, count)
    }

    /// [`Snapshot::tail_vectors`] at a version.
    ///
    /// # Errors
    /// [`ArchiveError::VersionOutOfRange`], [`ArchiveError::Damaged`].
    pub fn tail_vectors_at(&self, version: u64, count: u64) -> Result<Vec<TailVector>, ArchiveError> {
        let vector_size = self.parameters().positions_per_vector();
        let above = self.version_info(version)?.tail_start / vector_size;
        self.at(version, |array| {
            let slots = |vector| {
                self.work.check()?;
                array.slots(vector * vector_size, (vector + 1) * vector_size)
            };
            let vectors = (above.saturating_sub(count)..above).rev();
            vectors.map(slots).collect()
        })
    }
}

/// Reads a block by what its version says it is.
pub(crate) fn decode_block(bytes: &[u8], kind: BlockKind, parameters: &Parameters) -> Result<LoggedBlock, DamageKind> {
    Ok(match kind {
        BlockKind::Genesis => LoggedBlock::Genesis(records::decode_entries(bytes)?),
        BlockKind::Import => LoggedBlock::Import(ImportBlock::decode(bytes)?),
        BlockKind::Transactions => LoggedBlock::Transactions(Block::decode(bytes, parameters)?),
        BlockKind::Aggregated => LoggedBlock::Aggregated(AggregatedBlock::decode(bytes, parameters)?),
    })
}

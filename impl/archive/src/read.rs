//! Reading an archive without proofs: values, blocks, commitments, tails.

use aardvark_commitment::Commitment;
use aardvark_dictionary::array::Slots;
use aardvark_dictionary::{AggregatedBlock, Block, ImportBlock, Key, Parameters, Slot, TailVector, Value};

use crate::archive::Archive;
use crate::error::{ArchiveError, Damage, DamageKind, Place};
use crate::records::{self, BlockKind, VersionInfo};

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

impl Archive {
    /// The value of a key at a version; `None` where it is absent.
    ///
    /// # Errors
    /// [`ArchiveError::VersionOutOfRange`], [`ArchiveError::EmptyKey`], [`ArchiveError::KeyTooLong`],
    /// [`ArchiveError::Damaged`].
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
    /// [`ArchiveError::VersionOutOfRange`], [`ArchiveError::Damaged`] where it is not the block that was written.
    pub fn block(&self, version: u64) -> Result<LoggedBlock, ArchiveError> {
        let bytes = self.block_bytes(version)?;
        decode_block(&bytes, self.version_info(version)?.kind, self.parameters())
            .map_err(|fault| Damage::new(Place::Block(version), fault).into())
    }

    /// The bytes of the block that made a version, as the log has them: a block's encoding (`docs/format.md`), or, of
    /// version 0, genesis' entries as they enter the dictionary id.
    ///
    /// # Errors
    /// As [`Archive::block`].
    pub fn block_bytes(&self, version: u64) -> Result<Vec<u8>, ArchiveError> {
        let info = self.version_info(version)?;
        let tables = self.tables()?;
        let previous = match version.checked_sub(1) {
            Some(previous) => tables.version(previous)?.link,
            None => self.constitution.id.0,
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
        self.check_version(version)?;
        let tables = self.tables()?;
        let vectors = tables.version(version)?.size.div_ceil(self.parameters().positions_per_vector());
        let at = |vector| match tables.past_commitment(vector, version)? {
            Some((_, past)) => Ok(past),
            None => tables.commitment(vector),
        };
        (0..vectors).map(at).collect()
    }

    /// What a validator keeps in plaintext at a version: the first position, and the slots from there on.
    ///
    /// # Errors
    /// [`ArchiveError::VersionOutOfRange`], [`ArchiveError::Damaged`].
    pub fn tail(&self, version: u64) -> Result<(u64, Vec<Slot>), ArchiveError> {
        let start = self.version_info(version)?.tail_start;
        self.at(version, |array| Ok((start, array.slots(start, array.size())?)))
    }

    /// At most `count` whole vectors below the tail at the newest version, the highest first: what a block carries
    /// whose deletes reach below the tail.
    ///
    /// # Errors
    /// [`ArchiveError::Damaged`].
    pub fn tail_vectors(&self, count: u64) -> Result<Vec<TailVector>, ArchiveError> {
        self.tail_vectors_at(self.version, count)
    }

    /// [`Archive::tail_vectors`] at a version.
    ///
    /// # Errors
    /// [`ArchiveError::VersionOutOfRange`], [`ArchiveError::Damaged`].
    pub fn tail_vectors_at(&self, version: u64, count: u64) -> Result<Vec<TailVector>, ArchiveError> {
        let vector_size = self.parameters().positions_per_vector();
        let above = self.version_info(version)?.tail_start / vector_size;
        self.at(version, |array| {
            let vectors = (above.saturating_sub(count)..above).rev();
            vectors.map(|vector| array.slots(vector * vector_size, (vector + 1) * vector_size)).collect()
        })
    }
}

/// Reads a block by what its version says it is.
pub(crate) fn decode_block(bytes: &[u8], kind: BlockKind, parameters: &Parameters) -> Result<LoggedBlock, DamageKind> {
    Ok(match kind {
        BlockKind::Genesis => LoggedBlock::Genesis(records::decode_entries(bytes)?),
        BlockKind::Import => LoggedBlock::Import(ImportBlock::decode(bytes)?),
        BlockKind::Transactions => LoggedBlock::Transactions(Block::decode_within(bytes, parameters)?),
        BlockKind::Aggregated => LoggedBlock::Aggregated(AggregatedBlock::decode_within(bytes, parameters)?),
    })
}

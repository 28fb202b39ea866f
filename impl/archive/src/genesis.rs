//! Version 0: what a new archive's store begins with.

use std::sync::OnceLock;

use aardvark_algebra::integers::u64_of_usize;
use aardvark_commitment::{Commitment, Scheme};
use aardvark_dictionary::Genesis;
use aardvark_dictionary::array::Write;
use aardvark_dictionary::tail::tail_floor;

use crate::commit::{self, VersionChanges};
use crate::deltas::changed_commitments;
use crate::error::ArchiveError;
use crate::records::{self, BlockKind, GenesisRecord, VersionInfo};
use crate::store::Store;

/// Writes parameters and version 0 to an empty store.
pub(crate) fn write(store: &dyn Store, genesis: &Genesis, retention: u64, scheme: &Scheme) -> Result<(), ArchiveError> {
    let parameters = genesis.parameters();
    let vector_size = parameters.positions_per_vector();
    let genesis_record = GenesisRecord {
        identity: genesis.identity().clone(),
        parameters: parameters.clone(),
        setup_digest: *genesis.setup_digest(),
        id: genesis.dictionary_id(),
        retention: retention.max(parameters.window.into()),
        content_digest: OnceLock::new(),
    };
    let slots = (0..).zip(genesis.slots());
    let writes: Vec<_> = slots.map(|(position, slot)| Write { position, before: None, after: Some(slot) }).collect();
    let size = u64_of_usize(writes.len());
    let identity = |_| Ok(Commitment::identity());
    let commitments = changed_commitments(scheme, &writes, size, identity, |_, _| {})?;
    let block = records::encode_entries(genesis);
    let info = VersionInfo {
        size,
        tail_start: tail_floor(size, vector_size),
        kind: BlockKind::Genesis,
        items: size - 1,
        block_bytes: u64_of_usize(block.len()),
        link: records::link(&genesis_record.id.0, &block),
    };
    let changes = VersionChanges {
        version: 0,
        previous_size: 0,
        info,
        block: &block,
        writes: &writes,
        commitments: &commitments,
        applied: &[],
        vector_size,
        retention: genesis_record.retention,
        genesis_record: Some(&genesis_record),
    };
    commit::write(store, &changes)
}

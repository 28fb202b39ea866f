//! commonware's QMDB: a log of operations under a Merkle mountain range, SHA-256, with a bitmap of
//! the operations that are current grafted onto it. The ordered variant: each operation names the
//! next key, so that one proof shows a key absent, as a slot of ours does.
//!
//! A block is a batch, applied and committed to disk. There are no witnesses: the next root needs
//! the log above the inactivity floor and the bitmap, so a party that follows keeps them.

use std::num::{NonZeroU16, NonZeroU64, NonZeroUsize};
use std::path::Path;

use anyhow::{Context as _, Result};
use commonware_codec::{Copying, Decode, Encode};
use commonware_cryptography::sha256::{Digest, Sha256};
use commonware_parallel::Rayon;
use commonware_runtime::buffer::paged::{CacheRef, page_size};
use commonware_runtime::tokio::{Config as RuntimeConfig, Context, Runner};
use commonware_runtime::{BLOB_PAGE_SIZE, Runner as _, Strategizer as _};
use commonware_storage::journal::contiguous::fixed::Config as LogConfig;
use commonware_storage::merkle::full::Config as MerkleConfig;
use commonware_storage::merkle::mmr::Family;
use commonware_storage::qmdb::any::value::FixedEncoding;
use commonware_storage::qmdb::current::FixedConfig;
use commonware_storage::qmdb::current::ordered::fixed::Db;
use commonware_storage::qmdb::current::ordered::proof::constant::{ExclusionProof, KeyValueProof};
use commonware_storage::qmdb::floor::Proportional;
use commonware_storage::translator::EightCap;
use commonware_utils::{NZU64, NZUsize};

use crate::peer::{Figures, Peer, Root, measure as measure_peer};
use crate::scene::{Key, Record, Scene, Value};

/// Bytes of the bitmap's chunks.
const CHUNK: usize = 32;
/// Items in a file of a journal.
const ITEMS_PER_BLOB: NonZeroU64 = NZU64!(500_000);
/// Bytes of a page.
const PAGE_SIZE: NonZeroU16 = page_size(BLOB_PAGE_SIZE);
/// Pages in the cache: 256 MiB, as NOMT's.
const PAGES: NonZeroUsize = NZUsize!(65_536);
/// Bytes of buffers that journals are written and read by.
const BUFFER: NonZeroUsize = NZUsize!(2 << 20);
/// Most digests in a proof that is decoded.
const MOST_DIGESTS: usize = 128;

type Database = Db<Family, Context, Digest, u64, Sha256, EightCap, CHUNK, Rayon>;
type Presence = KeyValueProof<Family, Digest, Digest, CHUNK>;
type Absence = ExclusionProof<Family, Digest, FixedEncoding<u64>, Digest, CHUNK>;

/// Measures QMDB.
pub fn measure(directory: &Path, threads: usize, scene: &Scene) -> Result<Figures> {
    let threads = NonZeroUsize::new(threads).context("no threads")?;
    let runtime = RuntimeConfig::new().with_storage_directory(directory).with_worker_threads(threads.get());
    Runner::new(runtime).start(|context| async move {
        let config = config(&context, threads);
        let database = Database::init(context, config, None).await?;
        measure_peer(Qmdb(database), directory, scene).await
    })
}

fn config(context: &Context, threads: NonZeroUsize) -> FixedConfig<EightCap, Rayon> {
    let page_cache = CacheRef::new(PAGE_SIZE, PAGES);
    FixedConfig {
        merkle_config: MerkleConfig {
            journal_partition: "merkle-journal".to_owned(),
            metadata_partition: "merkle-metadata".to_owned(),
            items_per_blob: ITEMS_PER_BLOB,
            write_buffer: BUFFER,
            replay_buffer: BUFFER,
            strategy: context.strategy(threads),
            page_cache: page_cache.clone(),
        },
        journal_config: LogConfig {
            partition: "log".to_owned(),
            items_per_blob: ITEMS_PER_BLOB,
            page_cache,
            write_buffer: BUFFER,
            replay_buffer: BUFFER,
        },
        grafted_metadata_partition: "grafted-metadata".to_owned(),
        translator: EightCap,
        init_cache: None,
        init_buffer: BUFFER,
        init_concurrency: (),
    }
}

/// QMDB on its files.
struct Qmdb(Database);

impl Peer for Qmdb {
    async fn write(self, block: &[Record]) -> Result<Self> {
        let batch = block.iter().fold(self.0.new_batch(), |batch, (key, value)| {
            batch.write(Digest(*key), Some(u64::from_be_bytes(*value)))
        });
        let batch = batch.merkleize(&self.0, None, &mut Proportional).await?;
        Ok(Self(self.0.apply_batch(batch).await?.commit().await?))
    }

    fn root(&self) -> Root {
        self.0.root().0
    }

    async fn prove(&self, key: &Key) -> Result<Vec<u8>> {
        Ok(self.0.key_value_proof(Digest(*key)).await?.encode().to_vec())
    }

    async fn prove_absent(&self, key: &Key) -> Result<Vec<u8>> {
        Ok(self.0.exclusion_proof(&Digest(*key)).await?.encode().to_vec())
    }

    fn present(proof: &[u8], key: &Key, value: &Value, root: &Root) -> bool {
        let (key, value) = (Digest(*key), u64::from_be_bytes(*value));
        let proof = Presence::decode_cfg(Copying(proof), &(MOST_DIGESTS, ()));
        proof.is_ok_and(|proof| proof.verify::<Sha256, FixedEncoding<u64>>(key, value, &Digest(*root)))
    }

    fn absent(proof: &[u8], key: &Key, root: &Root) -> bool {
        let proof = Absence::decode_cfg(Copying(proof), &(MOST_DIGESTS, (), ()));
        proof.is_ok_and(|proof| proof.verify::<Sha256>(&Digest(*key), &Digest(*root)))
    }

    async fn write_witnessed(self, block: &[Record]) -> Result<(Self, Option<Vec<u8>>)> {
        Ok((self.write(block).await?, None))
    }

    fn follow(_: &[u8], _: &[Record], _: &Root) -> Option<Root> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::tests::small;

    #[test]
    fn all_that_qmdb_says_of_a_small_scene_is_right() {
        let directory = tempfile::tempdir().unwrap();
        let figures = measure(directory.path(), 2, &small()).unwrap();
        assert_eq!((figures.updates.len(), figures.prove.len(), figures.follow.len()), (1, 1, 0));
        assert!(figures.proof_bytes > 200.0 && figures.absence_bytes > figures.proof_bytes);
    }

    #[test]
    fn a_scene_with_a_key_that_is_not_absent_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let mut scene = small();
        scene.absent[1][3] = scene.present[0][5].0;
        assert!(measure(directory.path(), 1, &scene).is_err());
    }
}

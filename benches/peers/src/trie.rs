//! NOMT: a binary Merkle trie by the bits of keys, SHA-256, of which whole pages are stored.
//!
//! Writes are sessions, committed to disk one by one. A proof of presence is a path to a leaf, one
//! of absence a path to another leaf or to an empty place. A session can give a witness: the paths
//! to all that it writes, by which a verifier goes from the root before to the root after.

use std::path::Path;

use anyhow::{Result, anyhow};
use nomt::hasher::{Sha2Hasher, ValueHasher};
use nomt::proof::{MultiProof, PathProof, verify_multi_proof, verify_multi_proof_update};
use nomt::trie::LeafData;
use nomt::{KeyReadWrite, Nomt, Options, SessionParams, WitnessMode};

use crate::peer::{Figures, Peer, Root, measure as measure_peer};
use crate::scene::{Key, Record, Scene, Value};

/// Keys for which there is one bucket at least: a third of what fills up at ten million keys.
const KEYS_A_BUCKET: usize = 16;
/// Buckets by default.
const LEAST_BUCKETS: usize = 64_000;

/// Measures NOMT.
pub fn measure(directory: &Path, threads: usize, scene: &Scene) -> Result<Figures> {
    let mut options = Options::new();
    options.path(directory);
    options.commit_concurrency(threads);
    options.hashtable_buckets(u32::try_from((scene.keys() / KEYS_A_BUCKET).max(LEAST_BUCKETS))?);
    options.preallocate_ht(false);
    let trie = Trie(Nomt::open(options)?);
    futures::executor::block_on(measure_peer(trie, directory, scene))
}

/// NOMT with SHA-256.
struct Trie(Nomt<Sha2Hasher>);

impl Trie {
    fn commit(&self, block: &[Record], witness: WitnessMode) -> Result<Option<nomt::Witness>> {
        let session = self.0.begin_session(SessionParams::default().witness_mode(witness));
        let writes = block.iter().map(|(key, value)| (*key, KeyReadWrite::Write(Some(value.to_vec()))));
        let mut finished = session.finish(writes.collect())?;
        let witness = finished.take_witness();
        finished.commit(&self.0)?;
        Ok(witness)
    }
}

impl Peer for Trie {
    async fn write(self, block: &[Record]) -> Result<Self> {
        self.commit(block, WitnessMode::disabled())?;
        Ok(self)
    }

    fn root(&self) -> Root {
        self.0.root().into_inner()
    }

    async fn prove(&self, key: &Key) -> Result<Vec<u8>> {
        let session = self.0.begin_session(SessionParams::default());
        Ok(borsh::to_vec(&session.prove(*key)?)?)
    }

    async fn prove_absent(&self, key: &Key) -> Result<Vec<u8>> {
        self.prove(key).await
    }

    fn present(proof: &[u8], key: &Key, value: &Value, root: &Root) -> bool {
        let leaf = LeafData { key_path: *key, value_hash: Sha2Hasher::hash_value(value) };
        verified(proof, key, root).is_some_and(|proof| proof.confirm_value(&leaf).unwrap_or(false))
    }

    fn absent(proof: &[u8], key: &Key, root: &Root) -> bool {
        verified(proof, key, root).is_some_and(|proof| proof.confirm_nonexistence(key).unwrap_or(false))
    }

    async fn write_witnessed(self, block: &[Record]) -> Result<(Self, Option<Vec<u8>>)> {
        let witness = self.commit(block, WitnessMode::read_write())?;
        let witness = witness.ok_or_else(|| anyhow!("a session without its witness"))?;
        let mut paths: Vec<PathProof> = witness.path_proofs.into_iter().map(|path| path.inner).collect();
        paths.sort_by(|one, other| one.terminal.path().cmp(other.terminal.path()));
        let witness = borsh::to_vec(&MultiProof::from_path_proofs(paths))?;
        Ok((self, Some(witness)))
    }

    fn follow(witness: &[u8], block: &[Record], root: &Root) -> Option<Root> {
        let proof: MultiProof = borsh::from_slice(witness).ok()?;
        let proof = verify_multi_proof::<Sha2Hasher>(&proof, *root).ok()?;
        let writes = block.iter().map(|(key, value)| (*key, Some(Sha2Hasher::hash_value(value))));
        verify_multi_proof_update::<Sha2Hasher>(&proof, writes.collect()).ok()
    }
}

fn verified(proof: &[u8], key: &Key, root: &Root) -> Option<nomt::proof::VerifiedPathProof> {
    let proof: PathProof = borsh::from_slice(proof).ok()?;
    proof.verify::<Sha2Hasher>(bits(key), *root).ok()
}

fn bits(key: &Key) -> &bitvec::slice::BitSlice<u8, bitvec::order::Msb0> {
    bitvec::view::BitView::view_bits(key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::tests::small;

    #[test]
    fn all_that_nomt_says_of_a_small_scene_is_right() {
        let directory = tempfile::tempdir().unwrap();
        let figures = measure(directory.path(), 2, &small()).unwrap();
        assert_eq!((figures.updates.len(), figures.prove.len(), figures.follow.len()), (1, 1, 5));
        assert!(figures.proof_bytes > 300.0 && figures.witness_bytes.unwrap() > 1000);
    }

    #[test]
    fn a_scene_with_a_wrong_value_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let mut scene = small();
        scene.present[1][3].1 = [9; 8];
        assert!(measure(directory.path(), 1, &scene).unwrap_err().to_string().contains("255 of 256 proofs hold"));
    }
}

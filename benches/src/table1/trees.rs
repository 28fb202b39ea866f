//! A Merkle tree over a whole dictionary: the Jellyfish Merkle tree of `jmt`, in memory.
//!
//! Not quite the same work: such a tree answers for every key by itself, with proofs of about 1 KB
//! that are good for one version only. It is what Aardvark's users would take otherwise.

use std::cell::RefCell;

use jmt::mock::MockTreeStore;
use jmt::proof::SparseMerkleProof;
use jmt::storage::TreeWriter;
use jmt::{KeyHash, RootHash, Sha256Jmt};

use crate::error::BenchError;
use crate::measure::contest::{Contender, Effort, hold};
use crate::measure::row::Row;
use crate::measure::statistics::Spread;
use crate::table1::options::TABLE;
use crate::table1::peers::failed;
use crate::workload::random::key;

/// A tree with a version for every batch of writes.
pub struct DictionaryTree {
    store: MockTreeStore,
    version: u64,
    root: RootHash,
    keys: u64,
}

/// Keys written at once while the tree is filled.
const FILLING: u64 = 100_000;

fn key_hash(number: u64) -> KeyHash {
    let mut hash = [0; 32];
    hash.iter_mut().zip(key(number).iter()).for_each(|(to, from)| *to = *from);
    KeyHash(hash)
}

impl DictionaryTree {
    /// A tree with `keys` keys of 32 bytes and values of 8.
    pub fn new(keys: u64) -> Result<Self, BenchError> {
        let mut tree = Self { store: MockTreeStore::default(), version: 0, root: RootHash([0; 32]), keys };
        let mut next = 0;
        while next < keys {
            let end = keys.min(next + FILLING);
            tree.write((next..end).map(|number| (number, number)))?;
            next = end;
        }
        Ok(tree)
    }

    /// Writes values at keys and moves on to the next version.
    pub fn write(&mut self, changes: impl Iterator<Item = (u64, u64)>) -> Result<(), BenchError> {
        let changes = changes.map(|(number, value)| (key_hash(number), Some(value.to_be_bytes().to_vec())));
        let (root, batch) = Sha256Jmt::new(&self.store).put_value_set(changes, self.version).map_err(failed)?;
        self.store.write_node_batch(&batch.node_batch).map_err(failed)?;
        self.version += 1;
        self.root = root;
        Ok(())
    }

    /// The value of a key at the newest version, with its proof.
    pub fn prove(&self, number: u64) -> Result<(Option<Vec<u8>>, Proof), BenchError> {
        let newest = self.version.saturating_sub(1);
        Sha256Jmt::new(&self.store).get_with_proof(key_hash(number), newest).map_err(failed)
    }

    /// Whether a proof proves a key's value at the newest version.
    pub fn verify(&self, number: u64, value: &Option<Vec<u8>>, proof: &Proof) -> bool {
        proof.verify(self.root, key_hash(number), value.as_ref()).is_ok()
    }

    /// Whether a key has a value, by a proof that verifies.
    fn holds(&self, number: u64, value: u64) -> bool {
        let expected = Some(value.to_be_bytes().to_vec());
        self.prove(number).is_ok_and(|(found, proof)| found == expected && self.verify(number, &found, &proof))
    }

    /// Bytes of a proof, by the library's own encoding.
    pub fn proof_bytes(proof: &Proof) -> Result<usize, BenchError> {
        borsh::to_vec(proof).map(|bytes| bytes.len()).map_err(failed)
    }

    /// A key's number for a call.
    fn turn(&self, call: usize) -> u64 {
        call as u64 * 7919 % self.keys.max(1)
    }
}

/// A proof of the tree.
pub type Proof = SparseMerkleProof<sha2_for_jmt::Sha256>;

/// Keys written in one version, as a block does.
const BLOCK: usize = 1000;

/// Update, prove and verify on a tree of `keys` keys.
pub fn dictionary_tree(keys: u64, effort: &Effort) -> Result<Vec<Row>, BenchError> {
    let tree = RefCell::new(DictionaryTree::new(keys)?);
    let turn = |call: usize| tree.borrow().turn(call);
    let written =
        |call: usize| (call * BLOCK..(call + 1) * BLOCK).map(|number| (number as u64 % keys, number as u64 + 1));
    let update = |call: usize| tree.borrow_mut().write(written(call));
    let holds = |call: usize, (): &()| {
        let last = written(call).next_back();
        last.is_some_and(|(number, value)| tree.borrow().holds(number, value))
    };
    let effort_of_blocks = Effort { iterations: effort.iterations.max(effort.runs * BLOCK), ..*effort };
    let update = vec![Contender::new(("jmt", "update_commitment"), keys, update, holds).per_call(BLOCK)];
    let mut rows = hold(TABLE, update, None, &effort_of_blocks)?;
    let proofs: Vec<_> = (0..16).map(|call| tree.borrow().prove(turn(call))).collect::<Result<_, _>>()?;
    let proof = |call: usize| proofs.get(call % proofs.len());
    let contenders = vec![
        Contender::new(
            ("jmt", "prove"),
            keys,
            |call| tree.borrow().prove(turn(call)),
            |call, (value, proof)| value.is_some() && tree.borrow().verify(turn(call), value, proof),
        ),
        Contender::new(
            ("jmt", "verify"),
            keys,
            |call| Ok(proof(call).is_some_and(|(value, proof)| tree.borrow().verify(turn(call % 16), value, proof))),
            |_, verified| *verified,
        ),
    ];
    rows.extend(hold(TABLE, contenders, None, effort)?);
    let sizes: Vec<f64> = proofs
        .iter()
        .map(|(_, proof)| Ok(DictionaryTree::proof_bytes(proof)? as f64))
        .collect::<Result<_, BenchError>>()?;
    let sizes = Spread::of(&sizes).ok_or_else(|| BenchError::Wrong("no proof".to_owned()))?;
    rows.push(Row::counted(TABLE, "jmt", "proof", "bytes", 0.0).with_spread(sizes).size(keys).iterations(16));
    Ok(rows)
}

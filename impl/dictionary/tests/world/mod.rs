//! A validator beside the whole array at every version: the honest archive that tests ask for
//! claims.

#![allow(dead_code, reason = "each test program uses its own part")]
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot set its scene has failed")]

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use aardvark_commitment::{Scheme, SchemeKind, VectorCommitment, insecure};
use aardvark_dictionary::array::{Slots, WholeArray};
use aardvark_dictionary::*;

/// KZG with a known tau and vectors of four slots.
pub static SCHEME: LazyLock<Arc<Scheme>> = LazyLock::new(|| scheme(4));

pub fn scheme(vector_size: usize) -> Arc<Scheme> {
    let tau = aardvark_algebra::Scalar::from(7_919u64);
    Arc::new(Scheme::Kzg(insecure::kzg_with_known_tau(vector_size, tau).unwrap()))
}

#[derive(Clone)]
pub struct World {
    pub validator: Validator,
    pub arrays: Vec<WholeArray>,
    pub map: BTreeMap<Key, Value>,
    nonce: u64,
}

impl World {
    pub fn new(window: u32, keys: &[&str]) -> Self {
        Self::with_scheme(Arc::clone(&SCHEME), window, keys)
    }

    pub fn with_scheme(scheme: Arc<Scheme>, window: u32, keys: &[&str]) -> Self {
        let parameters = Parameters {
            scheme: SchemeKind::Kzg,
            vector_size: u32::try_from(scheme.vector_size()).unwrap(),
            window,
            ..Parameters::default()
        };
        let mut sorted: Vec<_> = keys.iter().map(|key| (Key::from(*key), Value::from("v"))).collect();
        sorted.sort_unstable();
        let genesis =
            Genesis::new(Identity::new("test", [0; 32]).unwrap(), parameters, scheme.setup_digest(), sorted.clone())
                .unwrap();
        let validator = Validator::new(&genesis, scheme).unwrap();
        let arrays = vec![genesis.slots().collect()];
        Self { validator, arrays, map: sorted.into_iter().collect(), nonce: 0 }
    }

    pub fn version(&self) -> u64 {
        self.validator.version()
    }

    pub fn array(&self, version: u64) -> &WholeArray {
        &self.arrays[usize::try_from(version).unwrap()]
    }

    /// The honest claim of a position at a version.
    pub fn claim(&self, version: u64, position: u64) -> Claim {
        let array = self.array(version);
        let vector_size = u64::try_from(self.validator.scheme().vector_size()).unwrap();
        let first = position / vector_size * vector_size;
        let scalars: Vec<_> = (first..(first + vector_size).min(array.size()))
            .map(|position| array.slot_at(position).unwrap().unwrap().scalar())
            .collect();
        let index = usize::try_from(position - first).unwrap();
        let opening = self.validator.scheme().open(&scalars, index).unwrap().to_bytes();
        Claim { position, slot: array.slot_at(position).unwrap().unwrap(), opening }
    }

    /// A transaction with all claims that its operations call for, made at `version`.
    pub fn transaction(&mut self, version: u64, operations: &[Operation]) -> Transaction {
        let array = self.array(version);
        let mut positions = BTreeMap::new();
        for operation in operations {
            let (position, slot) = array.covering(operation.key()).unwrap().unwrap();
            positions.insert(position, ());
            if slot.key == *operation.key() && matches!(operation, Operation::Delete(_)) {
                positions.insert(array.preceding(operation.key()).unwrap().unwrap().0, ());
            }
        }
        let claims = positions.into_keys().map(|position| self.claim(version, position)).collect();
        self.nonce += 1;
        let mut nonce = [0; 16];
        nonce[..8].copy_from_slice(&self.nonce.to_be_bytes());
        let last_valid = version + 1 + u64::from(self.validator.parameters().window);
        Transaction { first_valid: version + 1, last_valid, nonce, operations: operations.to_vec(), claims }
    }

    /// The whole vectors below the tail, the highest first.
    pub fn tail_vectors(&self, count: u64) -> Vec<TailVector> {
        let vector_size = u64::try_from(self.validator.scheme().vector_size()).unwrap();
        let start = self.validator.tail().start();
        let vector = |below: u64| {
            let first = start - below * vector_size;
            let slots = first..first + vector_size;
            slots.map(|position| self.array(self.version()).slot_at(position).unwrap().unwrap()).collect()
        };
        (1..=count.min(start / vector_size)).map(vector).collect()
    }

    /// Proposes the transactions, applies the block, and compares everything with the map and with
    /// recomputation.
    pub fn commit(&mut self, transactions: Vec<Transaction>) -> Proposal {
        let tail_vectors = self.tail_vectors(u64::MAX);
        let proposal = self.validator.propose(transactions, &tail_vectors, usize::MAX);
        self.apply(&proposal.block).expect("a proposed block is valid");
        proposal
    }

    pub fn apply(&mut self, block: &Block) -> Result<Effects, Rejection> {
        let bytes = block.encode();
        let limits = &self.validator.parameters().limits;
        let decoded = Block::decode_unlimited(&bytes, self.validator.parameters().vector_size, limits.block_bytes);
        assert_eq!(decoded.as_ref(), Ok(block));
        let before = self.validator.state();
        let applied = match self.validator.apply(block) {
            Ok(applied) => applied,
            Err(rejection) => {
                assert_eq!(self.validator.state(), before, "a refused block leaves a trace");
                return Err(rejection);
            }
        };
        let mut array = self.array(self.version() - 1).clone();
        array.take(&applied.writes, applied.size);
        self.arrays.push(array);
        for transaction in &block.transactions {
            execution::Program::run(transaction.operations.as_slice(), &mut MapValues(&mut self.map)).unwrap();
        }
        self.assert_agrees();
        Ok(applied)
    }

    /// The validator's commitments and tail are those of the array, and the array is the map.
    pub fn assert_agrees(&self) {
        let array = self.array(self.version());
        let slots: Vec<Slot> = array.slots().iter().map(|(_, slot)| slot.clone()).collect();
        let commitments: Vec<_> = slots
            .chunks(self.validator.scheme().vector_size())
            .map(|vector| {
                let scalars: Vec<_> = vector.iter().map(Slot::scalar).collect();
                self.validator.scheme().commit(&scalars).unwrap()
            })
            .collect();
        assert_eq!(self.validator.commitments(), commitments);
        assert_eq!(self.validator.size(), array.size());
        let start = usize::try_from(self.validator.tail().start()).unwrap();
        assert_eq!(self.validator.state().tail, slots[start..]);
        let content: BTreeMap<Key, Value> =
            slots.into_iter().filter(|slot| !slot.key.is_empty()).map(|slot| (slot.key, slot.value)).collect();
        assert_eq!(content, self.map);
    }
}

struct MapValues<'a>(&'a mut BTreeMap<Key, Value>);

impl execution::Values for MapValues<'_> {
    fn get(&self, key: &Key) -> Option<Value> {
        self.0.get(key).cloned()
    }

    fn set(&mut self, key: &Key, value: Option<Value>) {
        match value {
            Some(value) => drop(self.0.insert(key.clone(), value)),
            None => drop(self.0.remove(key)),
        }
    }
}

pub fn put(key: &str, value: &str) -> Operation {
    Operation::Put(key.into(), value.into())
}

pub fn delete(key: &str) -> Operation {
    Operation::Delete(key.into())
}

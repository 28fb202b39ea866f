//! The scene of the tests: a validator, the whole array beside it at every version, and a plain map
//! as the judge.
//!
//! Whatever the world applies it also checks: the validator's state must be the one that the whole
//! array has.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use aardvark_spec::base::bytes::ByteString;
use aardvark_spec::base::group::*;
use aardvark_spec::base::scalar::*;
use aardvark_spec::block::block_data::*;
use aardvark_spec::block::map::*;
use aardvark_spec::block::operation::*;
use aardvark_spec::block::prover::*;
use aardvark_spec::block::rejection::*;
use aardvark_spec::block::state::*;
use aardvark_spec::block::tail::*;
use aardvark_spec::block::transaction::*;
use aardvark_spec::block::validator::*;
use aardvark_spec::commitment::kzg::kzg_setup;
use aardvark_spec::commitment::libert_yung::libert_yung_setup;
use aardvark_spec::commitment::opening::*;
use aardvark_spec::commitment::scheme::*;
use aardvark_spec::convert::*;
use aardvark_spec::dictionary::array::*;
use aardvark_spec::dictionary::changes::*;
use aardvark_spec::dictionary::genesis::*;
use aardvark_spec::dictionary::slot_map::*;
use aardvark_spec::dictionary::vectors::*;
use aardvark_spec::dictionary::window::*;
use hacspec_lib::Seq;
use std::collections::BTreeMap;

pub type Plain = BTreeMap<Vec<u8>, Vec<u8>>;

pub fn bytes(text: &str) -> ByteString {
    byte_string(text.as_bytes())
}

fn operation(key: &str, action: Action) -> Operation {
    Operation { operation_key: bytes(key), action }
}

pub fn put(key: &str, value: &str) -> Operation {
    operation(key, Action::Put(bytes(value)))
}

pub fn delete(key: &str) -> Operation {
    operation(key, Action::Delete)
}

pub fn require(key: &str, value: &str) -> Operation {
    operation(key, Action::RequireValue(bytes(value)))
}

pub fn require_absent(key: &str) -> Operation {
    operation(key, Action::RequireAbsent)
}

pub fn add(key: &str, amount: u64) -> Operation {
    operation(key, Action::Add(amount))
}

pub fn sub(key: &str, amount: u64) -> Operation {
    operation(key, Action::Sub(amount))
}

/// A number as the value of eight bytes that `Add` and `Sub` read.
fn number(value: &[u8]) -> Option<u64> {
    Some(u64::from_be_bytes(value.try_into().ok()?))
}

/// An operation on an ordinary map, written without a look at the specification's.
fn run_plain(map: &mut Plain, operation: &Operation) -> Result<(), Reason> {
    let key = byte_vec(&operation.operation_key);
    let old = map.get(&key).cloned();
    match &operation.action {
        Action::RequireAbsent if old.is_some() => Err(Reason::RequireFailed),
        Action::RequireValue(value) if old != Some(byte_vec(value)) => Err(Reason::RequireFailed),
        Action::RequireAbsent | Action::RequireValue(_) => Ok(()),
        Action::Put(value) => {
            map.insert(key, byte_vec(value));
            Ok(())
        }
        Action::Delete => {
            map.remove(&key);
            Ok(())
        }
        Action::Add(amount) => {
            let start = number(&old.unwrap_or(vec![0; 8])).ok_or(Reason::NotANumber)?;
            let sum = start.checked_add(*amount).ok_or(Reason::Overflow)?;
            map.insert(key, sum.to_be_bytes().to_vec());
            Ok(())
        }
        Action::Sub(amount) => {
            let start = number(&old.ok_or(Reason::AbsentKey)?).ok_or(Reason::NotANumber)?;
            let difference = start.checked_sub(*amount).ok_or(Reason::Underflow)?;
            map.insert(key, difference.to_be_bytes().to_vec());
            Ok(())
        }
    }
}

/// A block's transactions on an ordinary map, or the first operation that fails.
pub fn run_plain_block(map: &Plain, transactions: &[Transaction]) -> Result<Plain, Rejection> {
    let mut map = map.clone();
    for (x, tx) in transactions.iter().enumerate() {
        for (j, operation) in to_vec(&tx.operations).iter().enumerate() {
            run_plain(&mut map, operation).map_err(|why| reject_item(why, x, j))?;
        }
    }
    Ok(map)
}

pub fn parameters(scheme: u8, vector_size: usize, window_length: usize) -> Parameters {
    Parameters {
        scheme,
        vector_size,
        window_length,
        max_key_length: 8,
        max_value_length: 16,
        transaction_operations: 16,
        transaction_claims: 32,
        transaction_bytes: 1 << 16,
        block_transactions: 16,
        block_operations: 64,
        block_claims: 128,
        block_bytes: 1 << 20,
    }
}

#[derive(Clone)]
pub struct World {
    pub setup: Setup,
    pub state: ValidatorState,
    /// The whole array at every version.
    pub arrays: Vec<Array>,
    pub map: Plain,
    nonces: u32,
}

impl World {
    pub fn new(scheme: u8, vector_size: usize, window_length: usize, keys: &[&str]) -> World {
        let trapdoor = scalar_of_number(0x1234_5678_9abc_def1);
        let setup = match scheme {
            1 => Setup::Kzg(kzg_setup(vector_size, trapdoor)),
            _ => Setup::LibertYung(libert_yung_setup(vector_size, trapdoor)),
        };
        let map: Plain = keys.iter().map(|k| (k.as_bytes().to_vec(), k.to_uppercase().into_bytes())).collect();
        let pairs: Vec<_> = map.clone().into_iter().collect();
        let genesis = Genesis {
            genesis_name: byte_string(b"test"),
            genesis_salt: ByteString::new(32),
            genesis_parameters: parameters(scheme, vector_size, window_length),
            genesis_setup_digest: ByteString::new(32),
            genesis_entries: key_map_from(&pairs),
            genesis_binding: ByteString::new(0),
        };
        assert!(genesis_legal(&genesis));
        let arrays = vec![genesis_array(&genesis.genesis_entries)];
        let state = genesis_state(&setup, &genesis);
        let world = World { setup, state, arrays, map, nonces: 0 };
        world.check();
        world
    }

    pub fn n(&self) -> usize {
        self.state.parameters.vector_size
    }

    pub fn array(&self) -> &Array {
        &self.arrays[self.state.version]
    }

    /// The position of a present key.
    pub fn position(&self, key: &str) -> usize {
        let position = covering_position(&self.array().array_slots, &bytes(key)).unwrap();
        let slot = slot_at(&self.array().array_slots, position).unwrap();
        assert_eq!(byte_vec(&slot.key), key.as_bytes(), "the key must be present");
        position
    }

    /// A transaction with honest claims for version `v`, valid as long as one may be.
    pub fn transaction_at(&mut self, v: usize, operations: &[Operation]) -> Transaction {
        self.nonces += 1;
        let mut nonce = vec![0; 12];
        nonce.extend(self.nonces.to_be_bytes());
        let operations = to_seq(operations.to_vec());
        Transaction {
            first_valid: v + 1,
            last_valid: v + 1 + self.state.parameters.window_length,
            nonce: byte_string(&nonce),
            claims: honest_claims(&self.setup, &self.arrays[v], &operations),
            operations,
        }
    }

    /// A transaction with honest claims for the current version.
    pub fn transaction(&mut self, operations: &[Operation]) -> Transaction {
        self.transaction_at(self.state.version, operations)
    }

    /// A block for the next version, with the tail that it needs if all of its operations succeed.
    pub fn block(&self, transactions: &[Transaction]) -> Block {
        let slots = run_plain_block(&self.map, transactions).map_or(self.state.size, |map| map.len() + 1);
        let count = tail_needed(self.state.tail_start, slots, self.n());
        Block {
            block_version: self.state.version + 1,
            transactions: to_seq(transactions.to_vec()),
            tail_vectors: honest_tail_vectors(self.array(), self.state.tail_start, self.n(), count),
        }
    }

    /// Applies a block; the world changes only if it is accepted, and then everything is checked.
    pub fn apply(&mut self, block: &Block) -> Result<Effects, Rejection> {
        let (state, effects) = apply_block(&self.setup, &self.state, block)?;
        let transactions = to_vec(&block.transactions);
        let map = run_plain_block(&self.map, &transactions).expect("an accepted block's operations succeed");
        let entries = map_transactions(&map_of_array(self.array()), &block.transactions).unwrap();
        assert_eq!(key_map_pairs(&entries), map.clone().into_iter().collect::<Vec<_>>());
        self.check_effects(&transactions, &effects);
        self.check_replay_set(&state, &transactions, &effects);

        let by_writes = array_after(self.array(), &effects.effect_writes, state.size);
        let by_changes = apply_changes(self.array(), &effects.effect_changes).unwrap();
        assert_eq!(by_writes.array_size, by_changes.array_size);
        for p in 0..by_writes.array_slots.len() + by_changes.array_slots.len() {
            assert_eq!(slot_at(&by_writes.array_slots, p), slot_at(&by_changes.array_slots, p));
        }
        self.arrays.push(by_writes);
        self.state = state;
        self.map = map;
        self.check();
        Ok(effects)
    }

    /// The resolved contents are those of the map before the block, and `check` finds the same.
    fn check_effects(&self, transactions: &[Transaction], effects: &Effects) {
        let contents = to_vec(&effects.effect_contents);
        for (tx, contents) in transactions.iter().zip(&contents) {
            let checked = check_transaction(&self.setup, &self.state, tx).unwrap();
            assert_eq!(to_vec(&checked), to_vec(contents));
            for (operation, content) in to_vec(&tx.operations).iter().zip(to_vec(contents)) {
                assert_eq!(content.map(|c| byte_vec(&c)), self.map.get(&byte_vec(&operation.operation_key)).cloned());
            }
        }
        let mut last: Option<usize> = None;
        for (p, content) in write_pairs(&effects.effect_writes) {
            assert!(last < Some(p), "writes are in ascending order");
            assert_ne!(slot_at(&self.array().array_slots, p), content, "a write changes its position");
            last = Some(p);
        }
    }

    fn check_replay_set(&self, state: &ValidatorState, transactions: &[Transaction], effects: &Effects) {
        let mut expected = replay_pairs(&self.state.replay_set);
        let ids = to_vec(&effects.effect_ids);
        expected.extend(ids.iter().zip(transactions).map(|(id, tx)| (byte_vec(id), tx.last_valid)));
        expected.retain(|(_, last_valid)| *last_valid >= state.version);
        expected.sort();
        assert_eq!(replay_pairs(&state.replay_set), expected);
    }

    /// Everything a validator holds is what the whole array says.
    fn check(&self) {
        let (state, array, n) = (&self.state, self.array(), self.n());
        assert_eq!(state.size, self.map.len() + 1);
        assert_eq!(array.array_size, state.size);
        self.check_ring();
        assert_eq!(to_vec(&state.commitments), to_vec(&array_commitments(&self.setup, n, array)));
        assert_eq!(state.tail_start % n, 0);
        assert!(state.tail_start >= tail_floor(state.size, n) && state.tail_start <= state.size);
        let tail = slots_from(&array.array_slots, state.tail_start, state.size).unwrap();
        assert_eq!(to_vec(&state.tail), to_vec(&tail));
        let t = state.version;
        assert_eq!(state.window.len(), t.min(state.parameters.window_length));
        for v in 0..=t {
            let inside = t - v <= state.window.len();
            let old = &self.arrays[v];
            let size = size_at(&state.window, t, state.size, v);
            assert_eq!(size, if inside { Some(old.array_size) } else { None });
            if inside {
                self.check_version(v, old);
            }
        }
    }

    fn check_version(&self, v: usize, old: &Array) {
        let (state, n, t) = (&self.state, self.n(), self.state.version);
        let commitments = array_commitments(&self.setup, n, old);
        for vector in 0..commitments.len() + 2 {
            let undone = commitment_at(&state.window, &state.commitments, t, v, vector);
            assert_eq!(undone, to_vec(&commitments).get(vector).copied());
        }
        for p in 0..old.array_size {
            let now = slot_at(&self.array().array_slots, p);
            let unchanged = self.arrays[v..].iter().all(|array| slot_at(&array.array_slots, p) == now);
            assert_eq!(is_current(&state.window, t, v, p), unchanged);
        }
    }

    /// The slots are the map's entries behind the sentinel, each linked to the next; nothing stands
    /// beyond them.
    fn check_ring(&self) {
        let array = self.array();
        let mut keys: Vec<Vec<u8>> = vec![vec![]];
        keys.extend(self.map.keys().cloned());
        let mut seen = BTreeMap::new();
        for p in 0..array.array_slots.len() {
            match slot_at(&array.array_slots, p) {
                Some(slot) => assert!(p < array.array_size && seen.insert(byte_vec(&slot.key), slot).is_none()),
                None => assert!(p >= array.array_size),
            }
        }
        assert_eq!(seen.keys().cloned().collect::<Vec<_>>(), keys);
        assert_eq!(slot_at(&array.array_slots, 0).map(|slot| byte_vec(&slot.key)), Some(vec![]));
        for (i, key) in keys.iter().enumerate() {
            let next = keys.get(i + 1).cloned().unwrap_or_default();
            let value = self.map.get(key).cloned().unwrap_or_default();
            assert_eq!(seen[key], slot_from(key, &value, &next));
        }
    }

    /// Applies one block of transactions with claims for the current version; it must be accepted.
    pub fn run(&mut self, transactions: &[&[Operation]]) -> Effects {
        self.run_at(self.state.version, transactions)
    }

    /// Applies one block of transactions with claims for version `v`; it must be accepted.
    pub fn run_at(&mut self, v: usize, transactions: &[&[Operation]]) -> Effects {
        let transactions: Vec<_> = transactions.iter().map(|ops| self.transaction_at(v, ops)).collect();
        self.apply(&self.block(&transactions)).unwrap()
    }

    /// The reason why a block is refused.
    pub fn refusal(&self, block: &Block) -> Rejection {
        apply_block(&self.setup, &self.state, block).map(|_| ()).unwrap_err()
    }

    /// The reason why a block of one transaction is refused.
    pub fn reason(&self, tx: &Transaction) -> Reason {
        self.refusal(&self.block(std::slice::from_ref(tx))).reason
    }
}

/// A world for each scheme and each vector size that matters.
pub fn worlds(window_length: usize, keys: &[&str]) -> Vec<World> {
    let mut worlds = Vec::new();
    for scheme in [1, 2] {
        for n in [1, 2, 4, 8] {
            worlds.push(World::new(scheme, n, window_length, keys));
        }
    }
    worlds
}

/// The transaction with one of its claims changed.
pub fn with_claim(tx: &Transaction, c: usize, change: impl Fn(&mut Claim)) -> Transaction {
    let mut claims = to_vec(&tx.claims);
    change(&mut claims[c]);
    Transaction { claims: Seq::from_vec(claims), ..tx.clone() }
}

/// The point of an honest claim's opening.
pub fn opened_point(claim: &Claim) -> G1 {
    match claim.claim_opening {
        Opening::Point(point) => point,
        Opening::Malformed => panic!("an honest opening is well-formed"),
    }
}

//! Scenes: a small dictionary on both sides, for tests that show one situation.
//!
//! A scene is set in one line, and everything that happens in it happens to specification and
//! implementation both:
//!
//! ```
//! use differential_tests::scene::{Changed, delete, on_both_schemes, put};
//!
//! on_both_schemes(|kind| {
//!     let mut scene = kind.scene(4, 2, &["a", "c"]);
//!     scene.accept([scene.now([put("b", "1")])]);
//!     assert_eq!(scene.order(), ["", "a", "c", "b"]);
//!     scene.refuse([scene.bare([delete("a")]).late(3)], "NotYetValid", 0);
//! });
//! ```

use std::cell::Cell;

use aardvark_algebra::Scalar;
use aardvark_commitment::SchemeKind;
use aardvark_dictionary::{Block, Claim, Key, Operation, Transaction, Value};

use crate::build::Builder;
use crate::ordinary_map::{OrdinaryMap, value_of_number};
use crate::pair::{Pair, Verdict};
use crate::plan::{ClaimsPlan, TransactionPlan};
use crate::points::{PointBytes, Points};
use crate::setting::Setting;

/// A scheme that scenes are set under.
#[derive(Clone, Copy, Debug)]
pub struct Stage(SchemeKind);

/// Runs a test under both schemes.
pub fn on_both_schemes(test: impl Fn(Stage)) {
    SchemeKind::ALL.into_iter().for_each(|kind| test(Stage(kind)));
}

impl Stage {
    /// The scheme.
    pub fn kind(self) -> SchemeKind {
        self.0
    }

    /// A dictionary with N = `vector_size` and W = `window`, whose positions 1, 2, .. hold these
    /// keys, ascending, with the value "v" each.
    pub fn scene(self, vector_size: u32, window: u32, keys: &[&str]) -> Scene {
        let entries = keys.iter().map(|key| (Key::from(*key), Value::from("v"))).collect();
        self.scene_of(vector_size, window, entries)
    }

    /// A dictionary with these entries, ascending by key.
    pub fn scene_of(self, vector_size: u32, window: u32, entries: Vec<(Key, Value)>) -> Scene {
        Scene::of_setting(Setting::new(self.0, vector_size, window), entries)
    }
}

/// A dictionary on both sides.
#[derive(Debug)]
pub struct Scene {
    /// Both sides.
    pub pair: Pair,
    nonces: Cell<u64>,
}

impl Scene {
    /// A dictionary in a setting, with these entries, ascending by key.
    pub fn of_setting(setting: Setting, entries: Vec<(Key, Value)>) -> Self {
        let genesis = setting.genesis_of(entries);
        let pair = Pair::new(setting, &genesis).unwrap_or_else(|mismatch| panic!("{mismatch}"));
        Self { pair, nonces: Cell::new(0) }
    }

    /// A transaction with all claims, of the present version, that may enter the next block only.
    pub fn now<const COUNT: usize>(&self, operations: [Operation; COUNT]) -> Transaction {
        self.aged(0, operations)
    }

    /// A transaction with all claims, made `age` versions ago, that may enter the next block at the
    /// latest. It is made as of then, whatever W is.
    pub fn aged<const COUNT: usize>(&self, age: u64, operations: [Operation; COUNT]) -> Transaction {
        let next = self.pair.archive.version() + 1;
        let claims = self.builder().claims(next - 1 - age, &operations, ClaimsPlan::All);
        Transaction { first_valid: next - age, claims, ..self.bare(operations) }
    }

    /// A transaction without claims, of the present version.
    pub fn bare<const COUNT: usize>(&self, operations: [Operation; COUNT]) -> Transaction {
        self.nonces.set(self.nonces.get() + 1);
        let mut nonce = [0xee; 16];
        nonce[8..].copy_from_slice(&self.nonces.get().to_be_bytes());
        let plan = TransactionPlan::default();
        let without_claims = self.builder().transaction(&plan, Vec::new(), nonce);
        Transaction { operations: operations.to_vec(), ..without_claims }
    }

    /// The honest claim of the slot that covers a key, `age` versions ago.
    pub fn covering(&self, age: u64, key: &str) -> Claim {
        let version = self.pair.archive.version() - age;
        self.pair.archive.claim(version, self.pair.archive.covering(version, key.as_bytes()))
    }

    /// The honest claim of a key's predecessor, `age` versions ago.
    pub fn preceding(&self, age: u64, key: &str) -> Claim {
        let version = self.pair.archive.version() - age;
        self.pair.archive.claim(version, self.pair.archive.preceding(version, key.as_bytes()))
    }

    /// The honest opening of a position, in use or not, `age` versions ago.
    pub fn opening(&self, age: u64, position: u64) -> PointBytes {
        let version = self.pair.archive.version() - age;
        self.pair.archive.points.opening(self.pair.archive.exponent(version, position))
    }

    /// The discrete logarithm of the honest opening of a claim's position, `age` versions ago.
    pub fn exponent(&self, age: u64, claim: &Claim) -> Scalar {
        self.pair.archive.exponent(self.pair.archive.version() - age, claim.position)
    }

    /// The block of these transactions with the tail vectors that it needs.
    pub fn block<const COUNT: usize>(&self, transactions: [Transaction; COUNT]) -> Block {
        let mut map = OrdinaryMap(self.pair.archive.map());
        for transaction in &transactions {
            map.run(&transaction.operations);
        }
        self.builder().with_tail(transactions.to_vec(), &map)
    }

    /// Both sides accept the block of these transactions.
    #[track_caller]
    pub fn accept<const COUNT: usize>(&mut self, transactions: [Transaction; COUNT]) {
        self.accept_block(&self.block(transactions));
    }

    /// Both sides accept the block.
    #[track_caller]
    pub fn accept_block(&mut self, block: &Block) {
        if let Verdict::Refused(refusal) = self.step(block) {
            panic!("refused: {refusal}");
        }
    }

    /// Both sides refuse the block of these transactions because of one of them, by its number.
    #[track_caller]
    pub fn refuse<const COUNT: usize>(&mut self, transactions: [Transaction; COUNT], reason: &str, number: usize) {
        let refusal = self.refuse_block(&self.block(transactions), reason);
        assert_eq!(refusal, Some(number), "the transaction that is refused");
    }

    /// Both sides refuse the block; the number of the transaction that is at fault.
    #[track_caller]
    pub fn refuse_block(&mut self, block: &Block, reason: &str) -> Option<usize> {
        match self.step(block) {
            Verdict::Accepted(_) => panic!("accepted, not refused for {reason}"),
            Verdict::Refused(refusal) => {
                assert_eq!(refusal.reason, reason);
                refusal.transaction
            }
        }
    }

    /// An empty block: a version goes by.
    #[track_caller]
    pub fn pass(&mut self) {
        self.accept([]);
    }

    /// The keys in the order of positions, the sentinel first.
    pub fn order(&self) -> Vec<String> {
        self.pair.archive.now().iter().map(|slot| String::from_utf8_lossy(&slot.key).into_owned()).collect()
    }

    /// The value of a key.
    pub fn value(&self, key: &str) -> Option<Value> {
        self.pair.archive.map().get(key.as_bytes()).cloned()
    }

    #[track_caller]
    fn step(&mut self, block: &Block) -> Verdict {
        for transaction in &block.transactions {
            self.pair.check(transaction).unwrap_or_else(|mismatch| panic!("{mismatch}"));
        }
        self.pair.step(block).unwrap_or_else(|mismatch| panic!("{mismatch}"))
    }

    fn builder(&self) -> Builder<'_> {
        self.pair.builder()
    }
}

/// Changes to a transaction, one after the other.
pub trait Changed: Sized {
    /// With other claims.
    #[must_use]
    fn claiming<const COUNT: usize>(self, claims: [Claim; COUNT]) -> Self;
    /// With another `last_valid`.
    #[must_use]
    fn until(self, last_valid: u64) -> Self;
    /// Moved to begin, and end, so many versions later.
    #[must_use]
    fn late(self, versions: u64) -> Self;
}

impl Changed for Transaction {
    fn claiming<const COUNT: usize>(self, claims: [Claim; COUNT]) -> Self {
        Self { claims: claims.to_vec(), ..self }
    }

    fn until(self, last_valid: u64) -> Self {
        Self { last_valid, ..self }
    }

    fn late(self, versions: u64) -> Self {
        Self { first_valid: self.first_valid + versions, last_valid: self.last_valid + versions, ..self }
    }
}

/// The points that a scene knows.
pub fn on_points_of(scene: &Scene) -> &Points {
    &scene.pair.archive.points
}

/// Put a value.
pub fn put(key: &str, value: &str) -> Operation {
    Operation::Put(key.into(), value.into())
}

/// Delete a key.
pub fn delete(key: &str) -> Operation {
    Operation::Delete(key.into())
}

/// Require a value.
pub fn require(key: &str, value: &str) -> Operation {
    Operation::Require(key.into(), Some(value.into()))
}

/// Require absence.
pub fn require_absent(key: &str) -> Operation {
    Operation::Require(key.into(), None)
}

/// Require a number.
pub fn require_number(key: &str, number: u64) -> Operation {
    Operation::Require(key.into(), Some(value_of_number(number)))
}

/// Add to a number.
pub fn add(key: &str, amount: u64) -> Operation {
    Operation::Add(key.into(), amount)
}

/// Subtract from a number.
pub fn sub(key: &str, amount: u64) -> Operation {
    Operation::Sub(key.into(), amount)
}

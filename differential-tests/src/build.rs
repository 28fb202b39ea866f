//! From plans to blocks: honest transactions and the tail vectors that they need.

use std::collections::BTreeSet;

use aardvark_dictionary::codec::slot_length;
use aardvark_dictionary::{Block, Claim, Key, Operation, Parameters, Transaction, Value};

use crate::archive::Archive;
use crate::ordinary_map::{OrdinaryMap, number};
use crate::plan::{ActionPlan, AmountPlan, BlockPlan, ClaimsPlan, KeyPlan, OperationPlan, TransactionPlan};
use crate::setting::{ALPHABET, key_of, value_of};

/// What blocks are built from.
#[derive(Clone, Copy, Debug)]
pub struct Builder<'a> {
    /// The honest archive at version t.
    pub archive: &'a Archive,
    /// Where the validator's tail starts at t.
    pub tail_start: u64,
}

impl Builder<'_> {
    /// The block of a plan before its faults. A careful plan's block is valid.
    pub fn block(&self, plan: &BlockPlan) -> Block {
        let mut map = OrdinaryMap(self.archive.map());
        let mut transactions = Vec::new();
        let limits = &self.parameters().limits;
        for (number, transaction) in plan.transactions.iter().enumerate() {
            let mut attempt = map.clone();
            let operations = self.operations(&transaction.operations, &mut attempt, plan.careful);
            if operations.is_empty() {
                continue;
            }
            let built = self.transaction(transaction, operations, nonce(self.archive.version(), number));
            transactions.push(built);
            if plan.careful && !self.fits(&transactions) {
                transactions.pop();
                continue;
            }
            map = attempt;
        }
        debug_assert!(!plan.careful || transactions.len() as u64 <= u64::from(limits.block_transactions));
        self.with_tail(transactions, &map)
    }

    /// The block of these transactions, which lead to `map`, with the tail vectors that it needs.
    pub fn with_tail(&self, transactions: Vec<Transaction>, map: &OrdinaryMap) -> Block {
        let size = map.0.len() as u64 + 1;
        let needed = self.tail_start.saturating_sub(size).div_ceil(self.archive.vector_size());
        let mut tail_vectors = self.archive.tail_vectors(self.archive.version(), self.tail_start);
        tail_vectors.truncate(needed as usize);
        Block { version: self.archive.version() + 1, transactions, tail_vectors }
    }

    /// A transaction of these operations, with honest claims.
    pub fn transaction(&self, plan: &TransactionPlan, operations: Vec<Operation>, nonce: [u8; 16]) -> Transaction {
        let (now, window) = (self.archive.version(), u64::from(self.parameters().window));
        let age = u64::from(plan.age).min(window).min(now);
        let first_valid = now - age + 1;
        let last_valid = now + 1 + u64::from(plan.patience).min(window - age);
        let mut claims = self.claims(now - age, &operations, plan.claims);
        if plan.reversed {
            claims.reverse();
        }
        Transaction { first_valid, last_valid, nonce, operations, claims }
    }

    /// The honest claims of a version for the keys of operations.
    pub fn claims(&self, version: u64, operations: &[Operation], which: ClaimsPlan) -> Vec<Claim> {
        let mut positions = Vec::new();
        let mut seen = BTreeSet::new();
        for operation in operations {
            let key = operation.key();
            if key.is_empty() {
                continue;
            }
            if self.is_wanted(which, || self.archive.covering(self.archive.version(), key)) {
                positions.push(self.archive.covering(version, key));
            }
            let deleted = operations.iter().any(|operation| operation.deletes(key));
            let precedes = deleted && self.archive.is_present(version, key);
            if precedes && self.is_wanted(which, || self.archive.preceding(self.archive.version(), key)) {
                positions.push(self.archive.preceding(version, key));
            }
        }
        positions.retain(|position| seen.insert(*position));
        positions.into_iter().map(|position| self.archive.claim(version, position)).collect()
    }

    /// Whether a claim is brought for what is now decided by the slot at a position.
    fn is_wanted(&self, which: ClaimsPlan, deciding: impl Fn() -> u64) -> bool {
        let is_known = || {
            let (position, now) = (deciding(), self.archive.version());
            let oldest = now.saturating_sub(self.parameters().window.into());
            position >= self.tail_start || self.archive.written_after(oldest, position)
        };
        which == ClaimsPlan::All || !is_known()
    }

    /// Operations of a plan, run on the map as they are chosen. Careful ones succeed.
    fn operations(&self, plans: &[OperationPlan], map: &mut OrdinaryMap, careful: bool) -> Vec<Operation> {
        let mut operations = Vec::new();
        let mut picked = None;
        for plan in plans {
            let Some(key) = self.key(plan.key, picked.as_ref(), map) else {
                continue;
            };
            picked = Some(key.clone());
            let mut operation = self.operation(plan.action, key, map);
            if careful && !self.succeeds(&operation, map) {
                operation = Operation::Put(operation.key().clone(), Value::from([7].as_slice()));
            }
            map.run(std::slice::from_ref(&operation));
            operations.push(operation);
        }
        operations
    }

    fn succeeds(&self, operation: &Operation, map: &OrdinaryMap) -> bool {
        let arithmetic = matches!(operation, Operation::Add(_, _) | Operation::Sub(_, _));
        let too_short = arithmetic && self.parameters().max_value_length < 8;
        !too_short && map.clone().run(std::slice::from_ref(operation))
    }

    fn operation(&self, action: ActionPlan, key: Key, map: &OrdinaryMap) -> Operation {
        let current = map.get(&key).cloned();
        let value = |plan| value_of(plan, self.parameters());
        match action {
            ActionPlan::RequireCurrent => Operation::Require(key, current),
            ActionPlan::RequireValue(plan) => Operation::Require(key, Some(value(plan))),
            ActionPlan::RequireAbsent => Operation::Require(key, None),
            ActionPlan::Put(plan) => Operation::Put(key, value(plan)),
            ActionPlan::PutSame => Operation::Put(key, current.unwrap_or_default()),
            ActionPlan::Delete => Operation::Delete(key),
            ActionPlan::Add(plan) => Operation::Add(key, amount(plan)),
            ActionPlan::Sub(plan) => Operation::Sub(key, amount(plan)),
            ActionPlan::SubAll => {
                let all = current.as_ref().and_then(number).unwrap_or(0);
                Operation::Sub(key, all.max(1))
            }
        }
    }

    fn key(&self, plan: KeyPlan, picked: Option<&Key>, map: &OrdinaryMap) -> Option<Key> {
        let present = || map.0.keys();
        let nth =
            |keys: Vec<Key>, number: u8| (!keys.is_empty()).then(|| keys[usize::from(number) % keys.len()].clone());
        match plan {
            KeyPlan::Any(number) => Some(key_of(number)),
            KeyPlan::Present(number) => nth(present().cloned().collect(), number),
            KeyPlan::Absent(number) => {
                let absent = ALPHABET.iter().filter(|key| !map.0.contains_key(**key));
                nth(absent.map(|key| Key::from(*key)).collect(), number)
            }
            KeyPlan::FromEnd(number) => {
                let live: Vec<Key> = self.archive.now().iter().skip(1).rev().map(|slot| slot.key.clone()).collect();
                nth(live, number)
            }
            KeyPlan::After => match picked {
                Some(key) => present().find(|other| *other > key).or_else(|| present().next()).cloned(),
                None => present().next().cloned(),
            },
            KeyPlan::Before => match picked {
                Some(key) => present().rev().find(|other| *other < key).or_else(|| present().next_back()).cloned(),
                None => present().next_back().cloned(),
            },
            KeyPlan::Same => picked.cloned(),
        }
    }

    /// Whether transactions keep to the limits on items and bytes, with room for any tail vectors.
    fn fits(&self, transactions: &[Transaction]) -> bool {
        let limits = &self.parameters().limits;
        let last = transactions.last();
        let within = |count: usize, limit: u32| count as u64 <= u64::from(limit);
        let tail: usize =
            self.archive.tail_vectors(self.archive.version(), self.tail_start).iter().flatten().map(slot_length).sum();
        let bytes: usize = transactions.iter().map(|transaction| 4 + transaction.encoded_length()).sum();
        last.is_none_or(|last| {
            within(last.operations.len(), limits.transaction_operations)
                && within(last.claims.len(), limits.transaction_claims)
                && within(last.encoded_length(), limits.transaction_bytes)
        }) && within(transactions.len(), limits.block_transactions)
            && within(
                transactions.iter().map(|transaction| transaction.operations.len()).sum(),
                limits.block_operations,
            )
            && within(transactions.iter().map(|transaction| transaction.claims.len()).sum(), limits.block_claims)
            && within(17 + bytes + tail, limits.block_bytes)
    }

    fn parameters(&self) -> &Parameters {
        &self.archive.setting().parameters
    }
}

/// A nonce that no other transaction of a history has.
pub fn nonce(version: u64, number: usize) -> [u8; 16] {
    let mut nonce = [0; 16];
    nonce[..8].copy_from_slice(&version.to_be_bytes());
    nonce[8..].copy_from_slice(&(number as u64).to_be_bytes());
    nonce
}

/// An amount.
pub fn amount(plan: AmountPlan) -> u64 {
    match plan {
        AmountPlan::Small(amount) => u64::from(amount) + 1,
        AmountPlan::Largest => u64::MAX,
    }
}

//! Sizes: what travels and what is kept, at dictionaries of any number of keys.
//!
//! Keys of 32 bytes, values of 8. Sizes of ours follow from the format and are taken from real
//! encodings; they depend on the number of keys only where a row says so. A binary Merkle tree's
//! proof is 32 bytes a level. The Jellyfish Merkle tree is built and asked, up to a number of keys
//! that fits into memory; beyond it the row `proof_extrapolated` adds the bytes a level that were
//! measured below.
//!
//! - `opening`: the group element alone; `claim`: position, slot and opening, what proves one key
//!   present or absent; `delete_claims`: two of them.
//! - `modify`, `insert`, `delete`: bytes of a block for each operation, one a transaction, with
//!   claims; deletions with the tail vectors that they need.
//! - `modify_aggregated`, …: the same with all openings of one index merged, at most N points a
//!   block; encoded likewise.
//! - `validator_commitments`, `validator_tail`, `validator_window`: what a validator keeps, the
//!   window after blocks of 10,000 modifications.
//! - `data`: keys and values themselves.

use aardvark_dictionary::claim::OPENING_BYTES;
use aardvark_dictionary::{AggregatedBlock, Block, Claim, Key, Operation, Parameters, Slot, Transaction, Value};
use clap::Args;

use crate::error::{BenchError, require};
use crate::measure::row::Row;
use crate::measure::statistics::Spread;
use crate::report::Report;
use crate::table1::trees::DictionaryTree;
use crate::workload::plan::Kind;
use crate::workload::random::key;

/// The table's name in rows.
const TABLE: &str = "sizes";
/// Operations in a block.
const OPERATIONS: u64 = 10_000;
/// Bytes of a commitment.
const COMMITMENT: u64 = 48;
/// Bytes of a hash.
const HASH: u64 = 32;

/// Options of `sizes`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// Numbers of keys.
    #[arg(long, value_delimiter = ',', default_value = "1000000,100000000")]
    pub keys: Vec<u64>,
    /// The most keys that the Jellyfish Merkle tree is built with: about 1.5 KB of memory each.
    #[arg(long, default_value_t = 1_000_000)]
    pub tree_keys: u64,
    /// N.
    #[arg(long, default_value_t = 1024)]
    pub vector_size: u32,
}

/// Runs the table.
pub fn run(options: &Options, report: &mut Report) -> Result<(), BenchError> {
    let legal = options.vector_size.is_power_of_two() && options.tree_keys >= 1000;
    require(legal, || "--vector-size must be a power of two, --tree-keys at least 1000".to_owned())?;
    let parameters = Parameters { vector_size: options.vector_size, ..Parameters::default() };
    for keys in &options.keys {
        ours(*keys, &parameters).into_iter().try_for_each(|row| report.add(row))?;
        report.add(row("merkle", "proof", *keys, u64::from(keys.max(&2).next_power_of_two().ilog2()) * HASH))?;
        report.add(row("merkle", "validator_commitments", *keys, HASH))?;
    }
    trees(options)?.into_iter().try_for_each(|row| report.add(row))
}

fn row(scheme: &'static str, operation: &'static str, keys: u64, bytes: u64) -> Row {
    Row::counted(TABLE, scheme, operation, "bytes", bytes as f64).size(keys)
}

fn ours(keys: u64, parameters: &Parameters) -> Vec<Row> {
    let claim = claim_bytes(1);
    let mut rows = vec![
        row("kzg", "opening", keys, COMMITMENT),
        row("kzg", "claim", keys, claim),
        row("kzg", "delete_claims", keys, 2 * claim),
    ];
    for kind in [Kind::Modify, Kind::Insert, Kind::Delete] {
        rows.push(row("kzg", kind.name(), keys, block_bytes(kind, OPERATIONS) / OPERATIONS));
    }
    for (operation, kind) in AGGREGATED {
        let bytes = aggregated_bytes(kind, OPERATIONS, parameters.positions_per_vector());
        rows.push(row("kzg", operation, keys, bytes / OPERATIONS));
    }
    let kept = Kept::of(keys, parameters);
    let data = keys * 40;
    rows.push(row("kzg", "data", keys, data));
    let share = kept.commitments as f64 / data as f64;
    rows.push(row("kzg", "validator_commitments", keys, kept.commitments).compared("data", share));
    rows.push(row("kzg", "validator_tail", keys, kept.tail));
    rows.push(row("kzg", "validator_window", keys, kept.window));
    rows
}

/// A slot with keys of 32 bytes and a value of 8.
fn slot(number: u64) -> Slot {
    Slot { key: key(number), value: Value::from([0; 8].as_slice()), next: key(number + 1) }
}

/// Bytes of a transaction with claims, above one without.
pub fn claim_bytes(claims: usize) -> u64 {
    let with = transaction(Kind::Modify, claims).encoded_length();
    let without = transaction(Kind::Modify, 0).encoded_length();
    (with - without) as u64
}

fn transaction(kind: Kind, claims: usize) -> Transaction {
    let key = Key::from(&*key(1));
    let operation = match kind {
        Kind::Modify | Kind::Insert => Operation::Put(key, Value::from([1; 8].as_slice())),
        Kind::Delete => Operation::Delete(key),
    };
    let claim = |number: usize| Claim { position: number as u64, slot: slot(number as u64), opening: [0; 48] };
    Transaction {
        first_valid: 1,
        last_valid: 11,
        nonce: [0; 16],
        operations: vec![operation],
        claims: (0..claims).map(claim).collect(),
    }
}

/// A block; as many slots travel as tail as are deleted.
fn block(kind: Kind, operations: u64) -> Block {
    let claims = if kind == Kind::Delete { 2 } else { 1 };
    let deleted = if kind == Kind::Delete { operations } else { 0 };
    let transactions = (0..operations).map(|_| transaction(kind, claims)).collect();
    Block { version: 1, transactions, tail_vectors: vec![(0..deleted).map(slot).collect()] }
}

fn block_bytes(kind: Kind, operations: u64) -> u64 {
    block(kind, operations).encode().len() as u64
}

/// The rows about aggregated blocks.
const AGGREGATED: [(&str, Kind); 3] =
    [("modify_aggregated", Kind::Modify), ("insert_aggregated", Kind::Insert), ("delete_aggregated", Kind::Delete)];

/// Bytes of a block whose openings are merged, with a point for each of N indices, or for each
/// claim if those are fewer.
fn aggregated_bytes(kind: Kind, operations: u64, vector_size: u64) -> u64 {
    let block = block(kind, operations);
    let claims = block.transactions.iter().map(|transaction| transaction.claims.len() as u64).sum::<u64>();
    let points = vec![[0; OPENING_BYTES]; claims.min(vector_size) as usize];
    AggregatedBlock { block: block.without_openings(), points }.encode().len() as u64
}

/// What a validator keeps, in bytes of the encodings.
pub struct Kept {
    /// The commitments.
    pub commitments: u64,
    /// The last vectors' slots.
    pub tail: u64,
    /// What the latest blocks wrote.
    pub window: u64,
}

impl Kept {
    /// At so many keys, after blocks of 10,000 modifications.
    pub fn of(keys: u64, parameters: &Parameters) -> Self {
        let (slots, vector_size) = (keys + 1, parameters.positions_per_vector());
        let vectors = slots.div_ceil(vector_size);
        let slot_bytes = claim_bytes(1) - 8 - COMMITMENT;
        let tail = slots - aardvark_dictionary::tail::tail_floor(slots, vector_size);
        // Of so many vectors, random modifications miss (1 - 1 / vectors)^operations.
        let hit = vectors as f64 * (1.0 - (1.0 - 1.0 / vectors as f64).powf(OPERATIONS as f64));
        let entry = OPERATIONS * (8 + slot_bytes) + hit as u64 * (8 + COMMITMENT);
        Self {
            commitments: vectors * COMMITMENT,
            tail: tail * slot_bytes,
            window: u64::from(parameters.window) * entry,
        }
    }
}

/// Proofs of the Jellyfish Merkle tree.
fn trees(options: &Options) -> Result<Vec<Row>, BenchError> {
    let mut built: Vec<u64> = options.keys.iter().copied().filter(|keys| *keys <= options.tree_keys).collect();
    // Two sizes below, to see how proofs grow.
    built.extend([options.tree_keys / 100, options.tree_keys / 10, options.tree_keys]);
    built.sort_unstable();
    built.dedup();
    let mut rows = Vec::new();
    let mut measured: Vec<(f64, f64)> = Vec::new();
    for keys in built.into_iter().filter(|keys| *keys > 0) {
        eprintln!("a Jellyfish Merkle tree of {keys} keys");
        let tree = DictionaryTree::new(keys)?;
        let spread = proof_spread(&tree, keys)?;
        measured.push(((keys as f64).log2(), spread.median));
        rows.push(row("jmt", "proof", keys, 0).with_spread(spread).iterations(PROOFS));
    }
    let step = measured.first().zip(measured.last()).filter(|(first, last)| last.0 > first.0);
    let Some((first, last)) = step else { return Ok(rows) };
    let per_level = (last.1 - first.1) / (last.0 - first.0);
    for keys in options.keys.iter().filter(|keys| **keys > options.tree_keys) {
        let bytes = last.1 + per_level * ((*keys as f64).log2() - last.0);
        rows.push(row("jmt", "proof_extrapolated", *keys, bytes.round() as u64));
    }
    Ok(rows)
}

/// Proofs whose sizes are taken.
const PROOFS: u64 = 200;

fn proof_spread(tree: &DictionaryTree, keys: u64) -> Result<Spread, BenchError> {
    let mut sizes = Vec::new();
    for number in 0..PROOFS {
        let number = number * 7919 % keys;
        let (value, proof) = tree.prove(number)?;
        require(value.is_some() && tree.verify(number, &value, &proof), || "a proof of the tree is false".to_owned())?;
        sizes.push(DictionaryTree::proof_bytes(&proof)? as f64);
    }
    Spread::of(&sizes).ok_or_else(|| BenchError::Wrong("no proof".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_validator_keeps_is_what_one_has() {
        use aardvark_dictionary::{Genesis, Identity};

        let parameters = Parameters { vector_size: 8, ..Parameters::default() };
        let scheme = std::sync::Arc::new(crate::workload::prover::Setup::KnownTau.scheme(8, 1 << 20).unwrap());
        let origin = crate::workload::history::Origin::new(100, 10, scheme).unwrap();
        let state = origin.validator.state();
        let kept = Kept::of(100, &parameters);
        assert_eq!(kept.commitments, 48 * state.commitments.len() as u64);
        // Keys of the ring's ends are shorter: none is in this tail but the last slot's next.
        let mut bytes = Vec::new();
        state.tail.iter().for_each(|slot| aardvark_dictionary::codec::put_slot(&mut bytes, slot));
        assert_eq!(kept.tail, bytes.len() as u64 + 32);
        assert!(Genesis::new(Identity::new("test", [0; 32]).unwrap(), parameters, [0; 32], Vec::new()).is_ok());
    }

    #[test]
    fn a_claim_has_the_bytes_that_the_format_says() {
        assert_eq!(claim_bytes(1), 8 + (1 + 32) + (1 + 32) + (2 + 8) + 48);
        let transaction = 4 + 1 + 8 + 8 + 16 + 2 + (1 + 33 + 10) + 2;
        assert_eq!(block_bytes(Kind::Modify, 10), 17 + 10 * (transaction + claim_bytes(1)));
        assert_eq!(aggregated_bytes(Kind::Modify, 10, 4), block_bytes(Kind::Modify, 10) - 6 * 48 + 2);
        assert_eq!(block_bytes(Kind::Delete, 10), 17 + 10 * (transaction - 10 + 2 * claim_bytes(1) + 76));
    }
}

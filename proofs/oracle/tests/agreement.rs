//! The oracle says what the specification says: on small random histories, honest and spoiled, of both schemes, and nowhere
//! does the specification panic.

// A broken premise must stop a test.
#![allow(clippy::unwrap_used, clippy::panic)]

use aardvark_oracle::{
    Oracle, OracleError, Safety, specified_changes, specified_check, specified_genesis, specified_import,
    specified_judgement, specified_map,
};
use aardvark_spec::block_data::Block;
use aardvark_spec::bytes::ByteString;
use aardvark_spec::changes::{apply_changes, net_changes};
use aardvark_spec::commitment::Opening;
use aardvark_spec::convert::byte_string;
use aardvark_spec::dictionary::Array;
use aardvark_spec::genesis::{Genesis, Parameters, genesis_array, genesis_legal};
use aardvark_spec::import::{ImportBlock, ImportChange, apply_import};
use aardvark_spec::key_map::{KeyEntry, KeyMap};
use aardvark_spec::kzg::kzg_setup;
use aardvark_spec::libert_yung::libert_yung_setup;
use aardvark_spec::map::{map_of_array, map_transactions};
use aardvark_spec::operation::{Action, Operation};
use aardvark_spec::prover::{honest_claims, honest_tail_vectors};
use aardvark_spec::rejection::Reason;
use aardvark_spec::scalar::scalar_of_number;
use aardvark_spec::scheme::Setup;
use aardvark_spec::state::{ValidatorState, genesis_state};
use aardvark_spec::transaction::{Claim, Transaction};
use aardvark_spec::validator::{apply_block, array_after, check_transaction};
use hacspec_lib::Seq;

/// Numbers that look random, from a seed: Knuth's linear congruence.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn size(&mut self, bound: u64) -> usize {
        usize::try_from(self.below(bound)).unwrap()
    }

    fn key(&mut self) -> ByteString {
        let letters = [b"a".as_slice(), b"b", b"ab", b"b\0", b"c", b"\0", b"\xff\xff", b"d"];
        byte_string(letters[self.size(8)])
    }

    fn value(&mut self) -> ByteString {
        match self.below(3) {
            0 => byte_string(&self.below(1000).to_be_bytes()),
            1 => byte_string(b""),
            _ => byte_string(&[u8::try_from(self.below(256)).unwrap()]),
        }
    }

    fn action(&mut self) -> Action {
        match self.below(12) {
            0 => Action::RequireAbsent,
            1 => Action::RequireValue(self.value()),
            2..=5 => Action::Put(self.value()),
            6..=9 => Action::Delete,
            10 => Action::Add(self.below(10)),
            _ => Action::Sub(self.below(10)),
        }
    }
}

fn seq<T: Clone + Default>(items: Vec<T>) -> Seq<T> {
    Seq::from_vec(items)
}

/// A history while it runs.
struct Scene {
    dice: Dice,
    setup: Setup,
    array: Array,
    state: ValidatorState,
}

impl Scene {
    fn new(seed: u64, oracle: &mut Oracle) -> Self {
        let mut dice = Dice(seed);
        let n = 1 << dice.size(3);
        let scheme = if dice.below(4) == 0 { 2 } else { 1 };
        let trapdoor = scalar_of_number(u128::from(dice.below(1 << 30)) + 5);
        let setup = if scheme == 1 {
            Setup::Kzg(kzg_setup(n, trapdoor))
        } else {
            Setup::LibertYung(libert_yung_setup(n, trapdoor))
        };
        let parameters = Parameters {
            scheme,
            vector_size: n,
            window_length: dice.size(4),
            max_key_length: 8,
            max_value_length: 8,
            transaction_operations: 4,
            transaction_claims: 8,
            transaction_bytes: 4096,
            block_transactions: 3,
            block_operations: 12,
            block_claims: 24,
            block_bytes: 65_536,
        };
        let first: [&[u8]; 4] = [b"a", b"b", b"c", b"d"];
        let entries = first
            .iter()
            .take(dice.size(5))
            .map(|key| KeyEntry { entry_key: byte_string(key), entry_value: byte_string(b"0") });
        let entries: KeyMap = seq(entries.collect());
        let array = genesis_array(&entries);
        let setup_digest = byte_string(&[7; 32]);
        let genesis =
            Genesis { genesis_parameters: parameters, genesis_setup_digest: setup_digest, genesis_entries: entries };
        let state = genesis_state(&setup, &genesis);
        let answer = oracle.genesis(Safety::Ask, scheme, trapdoor, &genesis).unwrap();
        assert_eq!(answer.text, specified_genesis(genesis_legal(&genesis), &state));
        assert_eq!(answer.safe, Some(true), "the genesis of seed {seed}");
        Self { dice, setup, array, state }
    }

    fn transaction(&mut self) -> Transaction {
        let operations =
            (0..=self.dice.below(3)).map(|_| Operation { operation_key: self.dice.key(), action: self.dice.action() });
        let operations = seq(operations.collect());
        let first_valid = self.state.version + 1;
        let claims = honest_claims(&self.setup, &self.array, &operations);
        let nonce = byte_string(&u128::from(self.dice.below(1 << 20)).to_be_bytes());
        let last_valid = first_valid + self.state.parameters.window_length;
        Transaction { first_valid, last_valid, nonce, operations, claims }
    }

    fn spoiled(&mut self, tx: &Transaction) -> Transaction {
        let mut spoiled = tx.clone();
        let mut claims: Vec<Claim> = spoiled.claims.native_slice().to_vec();
        match (self.dice.below(6), claims.first_mut()) {
            (0, Some(claim)) => claim.claim_opening = Opening::Malformed,
            (1, Some(claim)) => claim.claim_opening = Opening::Exponent(scalar_of_number(3)),
            (2, Some(claim)) => claim.claim_position = usize::MAX - self.dice.size(3),
            (3, Some(claim)) => claim.claim_slot.value = byte_string(b"lie"),
            (4, Some(_)) => drop(claims.pop()),
            (_, _) => spoiled.first_valid = self.dice.size(4),
        }
        spoiled.claims = seq(claims);
        spoiled
    }

    /// A block of the transactions with as many tail vectors as they need.
    fn block(&self, transactions: Vec<Transaction>) -> Block {
        let (n, start) = (self.state.parameters.vector_size, self.state.tail_start);
        let block = |count| Block {
            block_version: self.state.version + 1,
            transactions: seq(transactions.clone()),
            tail_vectors: honest_tail_vectors(&self.array, start, n, count),
        };
        let lacks = |block: &Block| {
            apply_block(&self.setup, &self.state, block).is_err_and(|rejection| rejection.reason == Reason::TailMissing)
        };
        (0..=start / n).map(block).find(|block| !lacks(block)).unwrap()
    }

    /// Gives a block to both, and moves on if it is accepted.
    fn step(&mut self, oracle: &mut Oracle, block: &Block, safety: Safety) -> bool {
        let specified = apply_block(&self.setup, &self.state, block);
        let answer = oracle.judge(safety, block).unwrap();
        assert_eq!(answer.text, specified_judgement(&specified));
        assert_ne!(answer.safe, Some(false), "the twin says that {block:?} makes the specification panic");
        let Ok((state, effects)) = specified else { return false };
        let entries = map_of_array(&self.array);
        let run = map_transactions(&entries, &block.transactions);
        assert_eq!(oracle.map(&entries, &block.transactions).unwrap().text, specified_map(&run));
        let net = net_changes(&effects.effect_changes);
        let changed = apply_changes(&self.array, &net);
        let answer = oracle.changes(safety, &self.array, &net).unwrap();
        assert_eq!(answer.text, specified_changes(changed.as_ref()));
        assert_ne!(answer.safe, Some(false), "the twin says that changes to a whole array panic");
        self.array = array_after(&self.array, &effects.effect_writes, state.size);
        self.state = state;
        oracle.advance().unwrap();
        true
    }

    fn import(&mut self, oracle: &mut Oracle) {
        let changes = (0..3).map(|_| ImportChange {
            import_key: self.dice.key(),
            import_content: if self.dice.below(2) == 0 { None } else { Some(self.dice.value()) },
        });
        let mut changes: Vec<ImportChange> = changes.collect();
        if self.dice.below(3) > 0 {
            changes.sort_by_key(|change| change.import_key.native_slice().to_vec());
        }
        let block = ImportBlock { import_version: self.state.version + 1, import_changes: seq(changes) };
        let specified = apply_import(&self.setup, &self.state, &self.array, &block);
        let answer = oracle.import(Safety::Skip, &self.array, &block).unwrap();
        assert_eq!(answer.text, specified_import(&specified));
    }
}

fn start() -> Option<Oracle> {
    match Oracle::start() {
        Ok(oracle) => Some(oracle),
        Err(error @ OracleError::Missing(_)) => {
            // Even where the test harness holds output back.
            let _ = std::io::Write::write_all(&mut std::io::stderr(), format!("\nSKIPPED: {error}\n\n").as_bytes());
            None
        }
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn the_oracle_says_what_the_specification_says() {
    let Some(mut oracle) = start() else { return };
    let (mut accepted, mut refused) = (0, 0);
    for seed in 0..40 {
        let mut scene = Scene::new(seed, &mut oracle);
        for number in 0..6 {
            let transactions: Vec<Transaction> = (0..=scene.dice.below(2)).map(|_| scene.transaction()).collect();
            for tx in &transactions {
                let specified = check_transaction(&scene.setup, &scene.state, tx);
                assert_eq!(oracle.check(Safety::Skip, tx).unwrap().text, specified_check(&specified));
            }
            scene.import(&mut oracle);
            let spoiled = scene.spoiled(&transactions[0]);
            let spoiled = scene.block(vec![spoiled]);
            let safety = if number == 1 { Safety::Ask } else { Safety::Skip };
            for block in [spoiled, scene.block(transactions)] {
                if scene.step(&mut oracle, &block, safety) {
                    accepted += 1;
                    break;
                }
                refused += 1;
            }
        }
    }
    assert!(accepted > 100 && refused > 100, "{accepted} blocks accepted, {refused} refused");
}

#[test]
fn what_is_no_request_is_an_error_and_no_more() {
    let Some(mut oracle) = start() else { return };
    assert!(matches!(oracle.advance(), Err(OracleError::Refused(_))));
    let block = Block { block_version: 1, transactions: seq(Vec::new()), tail_vectors: seq(Vec::new()) };
    assert!(matches!(oracle.judge(Safety::Skip, &block), Err(OracleError::Refused(_))));
    Scene::new(1, &mut oracle);
    assert!(oracle.judge(Safety::Skip, &block).is_ok());
}

#[test]
fn an_oracle_that_has_died_is_an_error_and_no_hang() {
    let block = Block { block_version: 1, transactions: seq(Vec::new()), tail_vectors: seq(Vec::new()) };
    // A program that ends at once.
    let mut dead = Oracle::start_at("/bin/false".into()).unwrap();
    let error = dead.judge(Safety::Skip, &block).unwrap_err();
    assert!(matches!(error, OracleError::Ended | OracleError::Pipe(_)), "{error}");
    let missing = Oracle::start_at("/bin/there is no such program".into()).unwrap_err();
    assert!(missing.to_string().contains("make -C proofs oracle"), "{missing}");
}

//! Small random histories.

use aardvark_oracle::{
    Oracle, Safety, specified_changes, specified_genesis, specified_import, specified_judgement, specified_map,
};
use aardvark_spec::base::group::g1_multiple;
use aardvark_spec::base::scalar::{Scalar, scalar_of_number};
use aardvark_spec::block::block_data::Block;
use aardvark_spec::block::import::{ImportBlock, ImportChange, apply_import};
use aardvark_spec::block::map::{map_of_array, map_transactions};
use aardvark_spec::block::operation::Operation;
use aardvark_spec::block::prover::{honest_claims, honest_tail_vectors};
use aardvark_spec::block::rejection::Reason;
use aardvark_spec::block::state::{ValidatorState, genesis_state};
use aardvark_spec::block::transaction::{Claim, Transaction};
use aardvark_spec::block::validator::{Effects, apply_block, array_after};
use aardvark_spec::commitment::kzg::kzg_setup;
use aardvark_spec::commitment::libert_yung::libert_yung_setup;
use aardvark_spec::commitment::opening::Opening;
use aardvark_spec::commitment::scheme::{Setup, scheme_number};
use aardvark_spec::convert::byte_string;
use aardvark_spec::dictionary::array::Array;
use aardvark_spec::dictionary::changes::{apply_changes, net_changes};
use aardvark_spec::dictionary::genesis::{Genesis, Parameters, genesis_array, genesis_legal};
use aardvark_spec::dictionary::key_map::{KeyEntry, KeyMap};

use super::{Dice, seq};

/// A history while it runs.
pub struct Scene {
    pub dice: Dice,
    pub setup: Setup,
    pub trapdoor: Scalar,
    pub genesis: Genesis,
    pub array: Array,
    pub state: ValidatorState,
}

impl Scene {
    pub fn new(seed: u64, oracle: &mut Oracle) -> Self {
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
        let setup_digest = byte_string(&[7; 32]);
        let name_length = 1 + dice.size(8);
        let binding_length = dice.size(4);
        let genesis = Genesis {
            genesis_name: byte_string(&vec![b'n'; name_length]),
            genesis_salt: byte_string(&[6; 32]),
            genesis_parameters: parameters,
            genesis_setup_digest: setup_digest,
            genesis_entries: entries,
            genesis_binding: byte_string(&vec![1; binding_length]),
        };
        Self::of(dice, setup, trapdoor, genesis, oracle)
    }

    /// Both begin with this genesis.
    pub fn of(dice: Dice, setup: Setup, trapdoor: Scalar, genesis: Genesis, oracle: &mut Oracle) -> Self {
        let array = genesis_array(&genesis.genesis_entries);
        let state = genesis_state(&setup, &genesis);
        let answer = oracle.genesis(Safety::Ask, scheme_number(&setup), trapdoor, &genesis).unwrap();
        assert_eq!(answer.text, specified_genesis(genesis_legal(&genesis), &state));
        assert_eq!(answer.safe, Some(true), "{genesis:?}");
        Self { dice, setup, trapdoor, genesis, array, state }
    }

    pub fn transaction(&mut self) -> Transaction {
        let operations =
            (0..=self.dice.below(3)).map(|_| Operation { operation_key: self.dice.key(), action: self.dice.action() });
        let operations = operations.collect();
        self.transaction_of(operations)
    }

    /// These operations with the claims that they need.
    pub fn transaction_of(&mut self, operations: Vec<Operation>) -> Transaction {
        let operations = seq(operations);
        let first_valid = self.state.version + 1;
        let claims = honest_claims(&self.setup, &self.array, &operations);
        let nonce = byte_string(&u128::from(self.dice.below(1 << 20)).to_be_bytes());
        let last_valid = first_valid + self.state.parameters.window_length;
        Transaction { first_valid, last_valid, nonce, operations, claims }
    }

    pub fn spoiled(&mut self, tx: &Transaction) -> Transaction {
        let mut spoiled = tx.clone();
        let mut claims: Vec<Claim> = spoiled.claims.native_slice().to_vec();
        match (self.dice.below(6), claims.first_mut()) {
            (0, Some(claim)) => claim.claim_opening = Opening::Malformed,
            (1, Some(claim)) => claim.claim_opening = Opening::Point(g1_multiple(scalar_of_number(3))),
            (2, Some(claim)) => claim.claim_position = usize::MAX - self.dice.size(3),
            (3, Some(claim)) => claim.claim_slot.value = byte_string(b"lie"),
            (4, Some(_)) => drop(claims.pop()),
            (_, _) => spoiled.first_valid = self.dice.size(4),
        }
        spoiled.claims = seq(claims);
        spoiled
    }

    /// A block of the transactions with as many tail vectors as they need.
    pub fn block(&self, transactions: Vec<Transaction>) -> Block {
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
    pub fn step(&mut self, oracle: &mut Oracle, block: &Block, safety: Safety) -> bool {
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
        self.follow(&effects, state);
        oracle.advance().unwrap();
        true
    }

    /// The specification's side moves to this state, after a block that did this.
    pub fn follow(&mut self, effects: &Effects, state: ValidatorState) {
        self.array = array_after(&self.array, &effects.effect_writes, state.size);
        self.state = state;
    }

    pub fn import(&mut self, oracle: &mut Oracle) {
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

//! Specification and implementation side by side, fed with the same blocks; the proofs' oracle
//! beside them.
//!
//! [`Pair::judge`] gives a block to all and compares everything that they say about it;
//! [`Pair::step`] moves on when they accept. The oracle is compared with the specification
//! ([`crate::oracle`]), which speaks its language; the archive and an ordinary map stand beside
//! them as one more opinion.

use std::sync::{Arc, OnceLock};

use aardvark_dictionary::{Block, Genesis, Rejection, Transaction, Validator};
use aardvark_spec::block::state;
use aardvark_spec::block::validator::{Effects, apply_block, check_transaction};
use aardvark_spec::commitment::scheme::commit;
use aardvark_spec::convert::{byte_vec, to_vec};
use aardvark_spec::dictionary::{genesis, window};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::archive::Archive;
use crate::build::Builder;
use crate::compare::{self, Mismatch, same};
use crate::convert::{Refusal, block_to_spec, genesis_to_spec, number_to_spec, scalar_to_spec, transaction_to_spec};
use crate::faults::Surroundings;
use crate::oracle::ThirdJudge;
use crate::ordinary_map::OrdinaryMap;
use crate::roots::{roots, roots_by_oracle};
use crate::setting::{Setting, secret};
use crate::whole_arrays;

pub use crate::convert::spec_array;

/// Both sides at one version.
#[derive(Debug)]
pub struct Pair {
    /// The honest archive.
    pub archive: Archive,
    /// The implementation.
    pub validator: Validator,
    /// The specification.
    pub state: state::ValidatorState,
    /// The transactions applied so far, oldest first.
    pub applied: Vec<Transaction>,
    /// Whether blocks are applied with four threads as well as with one. Threads can only differ
    /// where the code runs in parallel, which every block does alike; a share of the histories is
    /// enough.
    pub threads: bool,
    /// The proofs' oracle, where it is built.
    pub third: Option<ThirdJudge>,
}

/// What both sides say about a block.
#[derive(Debug)]
pub enum Verdict {
    /// It is valid, and this is what it does.
    Accepted(Box<Accepted>),
    /// It is refused for this reason.
    Refused(Refusal),
}

/// Both sides after a block.
#[derive(Debug)]
pub struct Accepted {
    validator: Validator,
    state: state::ValidatorState,
    /// The block in the specification's types.
    spec_block: aardvark_spec::block::block_data::Block,
    /// What the implementation says that the block did.
    pub applied: aardvark_dictionary::Effects,
}

impl Verdict {
    /// The reason's name, where the block is refused.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Accepted(_) => None,
            Self::Refused(refusal) => Some(&refusal.reason),
        }
    }
}

impl Pair {
    /// Both sides at version 0.
    ///
    /// # Errors
    /// Where they differ about it.
    pub fn new(setting: Setting, genesis: &Genesis) -> Result<Self, Mismatch> {
        let spec_genesis = genesis_to_spec(genesis);
        let state = state::genesis_state(&setting.setup, &spec_genesis);
        let legal = genesis::genesis_legal(&spec_genesis);
        let third = ThirdJudge::new(scalar_to_spec(&secret()), &spec_genesis, legal, &state)?;
        same("legality of the genesis", legal, true)?;
        let validator = Validator::new(genesis, Arc::clone(&setting.scheme)).map_err(|error| error.to_string())?;
        let archive = Archive::new(setting, genesis.slots().collect());
        same("dictionary id", byte_vec(&state.dictionary_id), validator.id().0.to_vec())?;
        compare::states(&state, &validator.state(), &archive.points)?;
        let pair = Self { archive, validator, state, applied: Vec::new(), threads: true, third };
        pair.compare_with_archive(&OrdinaryMap(genesis.entries().iter().cloned().collect()))?;
        Ok(pair)
    }

    /// What builds blocks for the next version.
    pub fn builder(&self) -> Builder<'_> {
        Builder { archive: &self.archive, tail_start: self.validator.tail().start() }
    }

    /// What faults can draw on.
    pub fn surroundings(&self) -> Surroundings<'_> {
        Surroundings { builder: self.builder(), applied: &self.applied }
    }

    /// Gives a block to both sides, and moves on when they accept it.
    ///
    /// # Errors
    /// Where they differ.
    pub fn step(&mut self, block: &Block) -> Result<Verdict, Mismatch> {
        let verdict = self.judge(block)?;
        if let Verdict::Accepted(accepted) = &verdict {
            if let Some(third) = &mut self.third {
                third.advance(accepted.spec_block.clone())?;
            }
            let mut map = OrdinaryMap(self.archive.map());
            for (number, transaction) in block.transactions.iter().enumerate() {
                same(
                    "the ordinary map runs the transaction",
                    (number, map.run(&transaction.operations)),
                    (number, true),
                )?;
            }
            whole_arrays::compare(&self.archive, self.third.as_ref(), &accepted.spec_block, &map, &accepted.applied)?;
            self.archive.take(&accepted.applied.writes, accepted.applied.size);
            self.validator = accepted.validator.clone();
            self.state = accepted.state.clone();
            self.applied.extend(block.transactions.iter().cloned());
            self.compare_with_archive(&map)?;
            if self.threads {
                self.compare_past()?;
                roots(&self.state, &self.validator, &self.archive.points)?;
                if let Some(third) = &self.third {
                    roots_by_oracle(third, &self.archive.setting().setup, &self.state, &self.archive.points)?;
                }
            }
        }
        Ok(verdict)
    }

    /// Gives a block to both sides and compares what they say; neither moves.
    ///
    /// # Errors
    /// Where they differ.
    pub fn judge(&self, block: &Block) -> Result<Verdict, Mismatch> {
        let spec_block = block_to_spec(block, &self.archive.points);
        self.compare_encoding(block, aardvark_spec::block::block_data::block_length(&spec_block))?;
        let specified = apply_block(&self.archive.setting().setup, &self.state, &spec_block);
        if let Some(third) = &self.third {
            third.judge(&spec_block, &specified)?;
        }
        let (validator, implemented) = self.apply(block)?;
        match (specified, implemented) {
            (Ok((state, effects)), Ok(applied)) => {
                self.compare_effects(block, &effects, &applied)?;
                compare::states(&state, &validator.state(), &self.archive.points)?;
                Ok(Verdict::Accepted(Box::new(Accepted { validator, state, spec_block, applied })))
            }
            (Err(specified), Err(implemented)) => {
                same("reason of refusal", Refusal::from(specified), Refusal::from(&implemented))?;
                compare_details(block, &implemented)?;
                Ok(Verdict::Refused(specified.into()))
            }
            (specified, implemented) => Err(format!(
                "verdict:\n  specification  {:?}\n  implementation {:?}",
                specified.map(|_| "accepted").map_err(Refusal::from),
                implemented.map(|_| "accepted")
            )),
        }
    }

    /// Asks both sides what a mempool would ask.
    ///
    /// # Errors
    /// Where they differ.
    pub fn check(&self, transaction: &Transaction) -> Result<Option<Refusal>, Mismatch> {
        let spec_transaction = transaction_to_spec(transaction, &self.archive.points);
        let specified = check_transaction(&self.archive.setting().setup, &self.state, &spec_transaction);
        if let Some(third) = &self.third {
            third.check(&spec_transaction, &specified)?;
        }
        let implemented = self.validator.check(transaction);
        // The specification counts a lone transaction as number 0; to the implementation it has no
        // number.
        let alone = |refusal: Refusal| Refusal { transaction: None, ..refusal };
        let specified = specified.map(|_| ()).map_err(|rejection| alone(rejection.into()));
        same("check of a transaction", specified.clone(), implemented.map_err(|rejection| alone((&rejection).into())))?;
        Ok(specified.err())
    }

    /// Applies the block: whatever the threads do, answers and states are equal, and a refusal
    /// leaves no trace.
    fn apply(&self, block: &Block) -> Result<(Validator, Result<aardvark_dictionary::Effects, Rejection>), Mismatch> {
        let before = &self.validator;
        let apply = || {
            let mut validator = before.clone();
            let result = validator.apply(block);
            Ran { validator, result }
        };
        let ran = if self.threads { on_threads(apply)? } else { pools()[0].install(apply) };
        if self.threads && self.apply_restored(block)? != ran {
            return Err("a validator restored from its state does something else".to_owned());
        }
        let Ran { validator, result } = ran;
        if result.is_err() && validator.state() != self.validator.state() {
            return Err(format!("a refused block left a trace: {:?}", validator.state()));
        }
        Ok((validator, result))
    }

    /// Applies the block with a validator that was stopped and restored from its state.
    fn apply_restored(&self, block: &Block) -> Result<Ran, Mismatch> {
        let Setting { scheme, parameters, .. } = self.archive.setting();
        let (id, state) = (*self.validator.id(), self.validator.state());
        let restored = Validator::from_state(parameters.clone(), id, Arc::clone(scheme), state);
        let mut validator = restored.map_err(|error| format!("a state is not restored: {error}"))?;
        let result = validator.apply(block);
        Ok(Ran { validator, result })
    }

    fn compare_encoding(&self, block: &Block, specified: usize) -> Result<(), Mismatch> {
        let bytes = block.encode();
        same("length of the block", specified, bytes.len())?;
        same("length of the block as announced", specified, block.encoded_length())?;
        let n = self.archive.setting().parameters.vector_size;
        if block.tail_vectors.iter().all(|vector| vector.len() == n as usize) {
            let decoded = Block::decode_unlimited(&bytes, n, u32::MAX);
            if decoded.as_ref() != Ok(block) {
                return Err(format!("the block {block:?} decodes to {decoded:?}"));
            }
        }
        Ok(())
    }

    fn compare_effects(
        &self,
        block: &Block,
        specified: &Effects,
        applied: &aardvark_dictionary::Effects,
    ) -> Result<(), Mismatch> {
        let ids: Vec<_> = applied.transactions.iter().map(|id| id.0.to_vec()).collect();
        same("transaction ids", to_vec(&specified.effect_ids).iter().map(byte_vec).collect(), ids)?;
        let writes = applied.writes.iter().map(|write| (write.position, write.after.clone())).collect();
        same("writes", compare::writes_from_spec(&specified.effect_writes), writes)?;
        let now = self.archive.now();
        for write in &applied.writes {
            same("content before a write", now.get(write.position as usize).cloned(), write.before.clone())?;
        }
        let honest = OrdinaryMap(self.archive.map());
        for (transaction, contents) in block.transactions.iter().zip(to_vec(&specified.effect_contents)) {
            let view = self.validator_view(transaction);
            for (operation, content) in transaction.operations.iter().zip(to_vec(&contents)) {
                let specified = content.as_ref().map(byte_vec);
                let key = operation.key();
                let seen = view.covering_slot(key).map(|(_, slot)| slot.clone());
                let implemented = seen.filter(|slot| slot.key == *key).map(|slot| slot.value.to_vec());
                same("resolved value", specified.clone(), implemented)?;
                same("resolved value in the honest array", honest.get(key).map(|value| value.to_vec()), specified)?;
            }
        }
        Ok(())
    }

    fn validator_view(&self, transaction: &Transaction) -> aardvark_dictionary::view::View<'_> {
        let validator = &self.validator;
        let mut view = aardvark_dictionary::view::View::new(validator.size(), validator.window(), validator.tail());
        view.add_claims(transaction.first_valid - 1, &transaction.claims);
        view
    }

    /// Numbers of slots and commitments at every version of the window, of vectors that exist now,
    /// did then, or never.
    fn compare_past(&self) -> Result<(), Mismatch> {
        let (state, validator) = (&self.state, &self.validator);
        let most = (validator.oldest_version()..=validator.version()).map(|version| self.archive.array(version).len());
        let vectors = most.max().unwrap_or(0) as u64 / self.archive.vector_size() + 2;
        for version in validator.oldest_version()..=validator.version() {
            let v = number_to_spec(version);
            let slots = window::size_at(&state.window, state.version, state.size, v).map(|size| size as u64);
            same("number of slots at a past version", slots, Some(validator.size_at(version)))?;
            same("number of slots in the archive", slots, Some(self.archive.array(version).len() as u64))?;
            for vector in 0..vectors {
                let (kept, now) = (&state.window, &state.commitments);
                let specified = window::commitment_at(kept, now, state.version, v, number_to_spec(vector));
                let specified = specified.map(|element| compare::point(&element, &self.archive.points));
                let implemented = validator.commitment_at(version, vector).map(|commitment| commitment.to_bytes());
                same("commitment at a past version", (version, vector, specified), (version, vector, implemented))?;
            }
        }
        Ok(())
    }

    /// The array is well-formed, stands for the map, and the commitments are those of its vectors.
    fn compare_with_archive(&self, map: &OrdinaryMap) -> Result<(), Mismatch> {
        let array = self.archive.now();
        self.archive.is_ring_of(map)?;
        let vectors = array.len().div_ceil(self.archive.vector_size() as usize);
        let committed = (0..vectors as u64).map(|vector| {
            let element = commit(&self.archive.setting().setup, &self.archive.vector(self.archive.version(), vector));
            compare::point(&element, &self.archive.points)
        });
        let held = self.validator.commitments().iter().map(|commitment| commitment.to_bytes());
        same("commitments of the array", committed.collect::<Vec<_>>(), held.collect())
    }
}

/// The key and the position that a refusal names are those of its item.
fn compare_details(block: &Block, rejection: &Rejection) -> Result<(), Mismatch> {
    use aardvark_dictionary::Item;
    let transaction = rejection.transaction.and_then(|number| block.transactions.get(number));
    let (key, position) = match (rejection.item, transaction) {
        (Item::Operation(index), Some(transaction)) => {
            (transaction.operations.get(index).map(|o| o.key().clone()), None)
        }
        (Item::Claim(index), Some(transaction)) => (None, transaction.claims.get(index).map(|claim| claim.position)),
        _ => (None, None),
    };
    same("key and position of the refusal", (key, position), (rejection.key.clone(), rejection.position))
}

/// What a validator answered, and what became of it.
#[derive(Debug)]
struct Ran {
    validator: Validator,
    result: Result<aardvark_dictionary::Effects, Rejection>,
}

impl PartialEq for Ran {
    fn eq(&self, other: &Self) -> bool {
        self.result == other.result && self.validator.state() == other.validator.state()
    }
}

/// Runs with one thread and with four; the answers must be equal.
///
/// # Errors
/// Both answers, where they differ.
pub fn on_threads<T: PartialEq + std::fmt::Debug + Send>(run: impl Fn() -> T + Sync) -> Result<T, Mismatch> {
    let [one, four] = pools().each_ref().map(|pool| pool.install(&run));
    if one == four { Ok(one) } else { Err(format!("one thread says {one:?}, four say {four:?}")) }
}

/// Pools of one and of four threads.
fn pools() -> &'static [ThreadPool; 2] {
    static POOLS: OnceLock<[ThreadPool; 2]> = OnceLock::new();
    POOLS.get_or_init(|| {
        [1, 4].map(|threads| ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool of a few threads"))
    })
}

//! The parts of a chain's genesis that every block is validated with: dictionary, parameters,
//! policy, limits, and the commitment scheme.

use std::path::Path;
use std::sync::Arc;

use aardvark_aggregates::TableVerifier;
use aardvark_chain::{BlockLimits, ChainGenesis, ChainGenesisError, Council, Policy};
use aardvark_commitment::Scheme;
use aardvark_dictionary::{DictionaryId, Parameters, StateError, Validator, ValidatorState};

/// A chain by its genesis, without the first content.
pub(super) struct Chain {
    /// The chain's name.
    pub(super) id: String,
    pub(super) policy: Policy,
    /// Who verifies certificates, under the policy `tables`.
    pub(super) tables: Option<TableVerifier>,
    pub(super) block_limits: BlockLimits,
    /// Who may change the validators.
    pub(super) council: Option<Council>,
    /// The dictionary's id, which binds all of genesis but the limits of a block and the council.
    pub(super) dictionary: DictionaryId,
    pub(super) parameters: Parameters,
    /// Number of slots at version 0.
    pub(super) genesis_size: u64,
    pub(super) scheme: Arc<Scheme>,
}

impl Chain {
    /// The chain of a genesis, with tables of at most so many bytes; the basis is kept in a file.
    ///
    /// # Errors
    /// [`ChainGenesisError::Commitment`].
    pub(super) fn of_genesis(
        id: String,
        genesis: &ChainGenesis,
        basis: &Path,
        table_bytes: usize,
    ) -> Result<Self, ChainGenesisError> {
        Ok(Self {
            id,
            policy: genesis.policy().clone(),
            tables: genesis.policy().verifier()?,
            block_limits: *genesis.block_limits(),
            council: genesis.council().cloned(),
            dictionary: genesis.genesis().dictionary_id(),
            parameters: genesis.genesis().parameters().clone(),
            genesis_size: genesis.content_entries().saturating_add(1),
            scheme: Arc::new(genesis.scheme(Some(basis), table_bytes)?),
        })
    }

    /// Whether another genesis is the one of this chain.
    pub(super) fn is_of(&self, genesis: &ChainGenesis) -> bool {
        genesis.genesis().dictionary_id() == self.dictionary
            && *genesis.policy() == self.policy
            && *genesis.block_limits() == self.block_limits
            && genesis.council() == self.council.as_ref()
    }

    /// The validator of a state that may come from anywhere: whether it is the right one is its
    /// root's matter.
    pub(super) fn validator(&self, state: ValidatorState) -> Result<Validator, StateError> {
        Validator::from_state(self.parameters.clone(), self.dictionary, Arc::clone(&self.scheme), state)
    }
}

//! What a renewal changes: an embedded archive, or a chain.

use std::sync::Arc;

use aardvark_aggregates::{ProverSetup, Schema};
use aardvark_dictionary::{DictionaryId, Key, Value};

use super::run::RunStep;
use crate::error::TablesError;
use crate::vault::Vault;

/// The runs of a key in a column of a table.
#[derive(Clone, Copy)]
pub(crate) struct RunsOf<'a> {
    pub(crate) table: &'a str,
    pub(crate) schema: &'a Schema,
    pub(crate) column: u8,
    /// The encoded key columns.
    pub(crate) columns: &'a [u8],
}

/// A dictionary whose tables are renewed, with the keeper's vault.
pub(crate) trait Target {
    /// Why it cannot be read.
    type Error: From<TablesError>;

    /// Whether every run is the vault's; on a chain other keepers put some, too.
    const HAS_ALL_ROWS: bool;

    /// The vault.
    fn vault(&mut self) -> &mut Vault;

    /// What commitments are made with.
    fn setup(&self) -> &Arc<ProverSetup>;

    /// The dictionary's id.
    fn dictionary(&self) -> DictionaryId;

    /// The runs of a key: the keys and values of their heads, ascending.
    fn runs(&mut self, of: RunsOf<'_>) -> Result<Vec<(Key, Value)>, Self::Error>;

    /// What stands under a key.
    fn value(&mut self, key: &Key) -> Result<Option<Value>, Self::Error>;

    /// Takes steps of runs, each legal behind those before it, whose secrets the vault has.
    fn put(&mut self, steps: Vec<RunStep>) -> Result<(), TablesError>;

    /// Deletes a run, by the key and the value of its head.
    fn delete(&mut self, head: Key, value: Value) -> Result<(), TablesError>;
}

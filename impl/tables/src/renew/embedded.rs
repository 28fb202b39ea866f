//! Renewals of an embedded archive: certificates are written beside the log as they come, and all
//! that changed is put as one version.

use std::collections::BTreeMap;
use std::sync::Arc;

use aardvark_aggregates::ProverSetup;
use aardvark_dictionary::{Change, DictionaryId, Key, Value};

use super::run::RunStep;
use super::target::{RunsOf, Target};
use crate::certificates::StoredCertificate;
use crate::error::TablesError;
use crate::import::ImportStep;
use crate::keeper::{Keeper, for_each_entry};
use crate::place::head_key;
use crate::vault::Vault;

/// An embedded archive with what a renewal changes of it.
pub(super) struct Embedded<'a> {
    keeper: &'a mut Keeper,
    changes: BTreeMap<Key, Option<Value>>,
    /// Certificates that are written.
    certificates: usize,
}

impl<'a> Embedded<'a> {
    /// That of a keeper, of which nothing is changed yet.
    pub(super) fn of(keeper: &'a mut Keeper) -> Self {
        Self { keeper, changes: BTreeMap::new(), certificates: 0 }
    }

    /// Has the archive put all that changed; the newest version afterwards.
    pub(super) fn finish(self, progress: &mut dyn FnMut(ImportStep)) -> Result<u64, TablesError> {
        let Self { keeper, changes, .. } = self;
        let changes = changes.into_iter().map(|(key, value)| Change { key, value }).collect();
        let imported = keeper.archive.import_with(changes, &mut |step| progress(ImportStep::Archive(step)))?;
        keeper.vault.complete()?;
        Ok(imported.version)
    }
}

impl Target for Embedded<'_> {
    type Error = TablesError;

    const HAS_ALL_ROWS: bool = true;

    fn vault(&mut self) -> &mut Vault {
        &mut self.keeper.vault
    }

    fn setup(&self) -> &Arc<ProverSetup> {
        &self.keeper.setup
    }

    fn dictionary(&self) -> DictionaryId {
        *self.keeper.archive.id()
    }

    fn runs(&mut self, of: RunsOf<'_>) -> Result<Vec<(Key, Value)>, TablesError> {
        let archive = &self.keeper.archive;
        let first = head_key(of.table, of.column, of.columns, 0);
        let prefix = first.get(..first.len() - 4).unwrap_or_default();
        let mut runs = Vec::new();
        for_each_entry::<TablesError>(archive, prefix, archive.version(), |key, value| {
            runs.push((key.clone(), value.clone()));
            Ok(())
        })?;
        Ok(runs)
    }

    fn value(&mut self, key: &Key) -> Result<Option<Value>, TablesError> {
        let archive = &self.keeper.archive;
        Ok(archive.get(key, archive.version())?)
    }

    fn put(&mut self, steps: Vec<RunStep>) -> Result<(), TablesError> {
        let mut stored = Vec::with_capacity(steps.len());
        for RunStep { head, segment, certificate, after, .. } in steps {
            let about = segment.as_ref().map_or(&head, |(key, _)| key).clone();
            stored.push(StoredCertificate { heads: vec![about], certificate });
            let segment = segment.map(|(key, value)| (Key::from(key), Some(Value::from(value))));
            self.changes.extend(segment);
            self.changes.insert(Key::from(head), Some(Value::from(after)));
        }
        let version = self.keeper.archive.version() + 1;
        self.keeper.certificates.append(version, self.certificates, &stored)?;
        self.certificates += stored.len();
        Ok(())
    }

    fn delete(&mut self, head: Key, _: Value) -> Result<(), TablesError> {
        self.changes.insert(head, None);
        Ok(())
    }
}

//! The keeper of a dictionary's tables: the archive, the vault and the certificates, in one folder.

use std::path::Path;
use std::sync::Arc;

use aardvark_aggregates::key::TABLE_KEY_BYTE;
use aardvark_aggregates::schema::name_legal;
use aardvark_aggregates::{
    Head, PolicyFault, ProverSetup, Schema, TableChange, TableKey, judge_change, judge_segment_delete,
};
use aardvark_archive::{Archive, ArchiveError, Snapshot};
use aardvark_dictionary::{Change, Key, Value};
use aardvark_proof::{Answer, Entry, KeyRange, Question, RangeAnswer, Region};

use crate::certificates::Certificates;
use crate::error::TablesError;
use crate::place::{has_segment, segment_key};
use crate::vault::Vault;

/// The longest key of a table.
pub const LONGEST_KEY: u16 = 176;
/// The longest value of a table.
pub const LONGEST_VALUE: u16 = 1024;
/// Behind a table's prefix: no key of the table comes after it.
const BEHIND_A_TABLE: u8 = 3;
/// Entries of the dictionary that are read at a time.
const PAGE: u64 = 1024;

/// The keeper of a dictionary's tables.
///
/// One keeper writes; any number that only read share a folder, but not with one that writes.
pub struct Keeper {
    pub(crate) archive: Archive,
    pub(crate) vault: Vault,
    pub(crate) certificates: Certificates,
    pub(crate) setup: Arc<ProverSetup>,
}

impl Keeper {
    /// The keeper of an archive that is open to write, whose folder this is. Makes the vault where
    /// there is none, and removes from it what an interrupted write has left.
    ///
    /// # Errors
    /// [`TablesError`].
    pub fn open(archive: Archive, directory: &Path) -> Result<Self, TablesError> {
        let vault = Vault::open(directory, archive.id())?;
        let certificates = Certificates::open(directory, archive.id())?;
        let setup = Arc::new(ProverSetup::ethereum(Some(&Vault::folder(directory)))?);
        let mut keeper = Self { archive, vault, certificates, setup };
        keeper.settle()?;
        Ok(keeper)
    }

    /// Removes from vault and certificates what a write has left that came to nothing. How many
    /// segments these were.
    ///
    /// # Errors
    /// [`TablesError`].
    pub fn settle(&mut self) -> Result<usize, TablesError> {
        let Self { archive, vault, certificates, .. } = self;
        if vault.job()?.is_some() {
            return Err(TablesError::UnderWay);
        }
        let stands = |key: &[u8], head: &[u8]| {
            let found = archive.get(&Key::from(key), archive.version())?;
            Ok::<bool, TablesError>(found.is_some_and(|found| has_segment(key, &found, head)))
        };
        let removed = vault.settle(stands)?;
        certificates.settle(archive.version())?;
        Ok(removed)
    }

    /// The keeper of an archive that is open to read.
    ///
    /// # Errors
    /// [`TablesError`]; where there is no vault, or it cannot be opened.
    pub fn open_read_only(archive: Archive, directory: &Path) -> Result<Self, TablesError> {
        let vault = Vault::open_read_only(directory, archive.id())?;
        let certificates = Certificates::open_read_only(directory, archive.id())?;
        let setup = Arc::new(ProverSetup::ethereum(Some(&Vault::folder(directory)))?);
        Ok(Self { archive, vault, certificates, setup })
    }

    /// A keeper of these parts, which must be of one dictionary: for tests, whose stores fail.
    pub fn of_parts(archive: Archive, vault: Vault, certificates: Certificates, setup: Arc<ProverSetup>) -> Self {
        Self { archive, vault, certificates, setup }
    }

    /// The archive.
    pub fn archive(&self) -> &Archive {
        &self.archive
    }

    /// The vault.
    pub fn vault(&self) -> &Vault {
        &self.vault
    }

    /// The certificates.
    pub fn certificates(&self) -> &Certificates {
        &self.certificates
    }

    /// What commitments are made with.
    pub fn setup(&self) -> &ProverSetup {
        &self.setup
    }

    /// Makes a table. The newest version afterwards.
    ///
    /// # Errors
    /// [`TablesError::Name`], [`TablesError::Exists`], [`TablesError::Schema`],
    /// [`TablesError::Policy`], [`TablesError::Parameters`], [`TablesError::Archive`].
    pub fn create(&mut self, table: &str, schema: &Schema) -> Result<u64, TablesError> {
        if !name_legal(table.as_bytes()) {
            return Err(TablesError::Name(table.to_owned()));
        }
        schema.check()?;
        let parameters = self.archive.parameters();
        let (keys, values) = (parameters.max_key_length, parameters.max_value_length);
        if keys < LONGEST_KEY || values < LONGEST_VALUE {
            return Err(TablesError::Parameters { keys, values });
        }
        if schema_of(&self.archive, table, self.archive.version())?.is_some() {
            return Err(TablesError::Exists(table.to_owned()));
        }
        self.put_schema(table, None, schema)
    }

    /// Closes the keys of a table below a value of its first key column, as bytes. The newest
    /// version afterwards.
    ///
    /// # Errors
    /// [`TablesError::NoTable`], [`TablesError::Policy`], [`TablesError::Archive`].
    pub fn seal(&mut self, table: &str, watermark: Vec<u8>) -> Result<u64, TablesError> {
        let before = self.schema(table)?;
        let sealed = Schema { watermark, ..before.clone() };
        sealed.check()?;
        self.put_schema(table, Some(&before), &sealed)
    }

    /// Deletes runs of a table by the keys of their heads. The newest version afterwards. The
    /// vault keeps their secrets, since versions before can still be asked.
    ///
    /// # Errors
    /// [`TablesError::NoTable`], [`TablesError::Policy`], [`TablesError::Archive`].
    pub fn delete(&mut self, table: &str, heads: &[TableKey]) -> Result<u64, TablesError> {
        let schema = self.schema(table)?;
        let mut changes = Vec::with_capacity(heads.len());
        for head in heads {
            let key = Key::from(head.to_bytes());
            let before = self.archive.get(&key, self.archive.version())?;
            judge_change(Some(&schema), &key, before.as_deref(), None)?;
            changes.push(Change { key, value: None });
            let TableKey::Head { column, columns, run, .. } = head else { continue };
            let moments = schema.values.get(usize::from(*column)).map_or(0, |column| usize::from(column.moments));
            let stood = before.as_deref().map(|value| Head::from_bytes(value, moments)).transpose();
            let Some(stood) = stood.map_err(PolicyFault::Head)? else { continue };
            for segment in 1..stood.segments() {
                let key = segment_key(table, *column, columns, *run, stood.revision, segment);
                judge_segment_delete(&schema, &key, None)?;
                changes.push(Change { key: Key::from(key), value: None });
            }
        }
        Ok(self.archive.import(changes)?)
    }

    fn put_schema(&mut self, table: &str, before: Option<&Schema>, schema: &Schema) -> Result<u64, TablesError> {
        let key = TableKey::Schema { table: table.to_owned() }.to_bytes();
        let value = schema.to_bytes();
        match judge_change(before, &key, before.map(Schema::to_bytes).as_deref(), Some(&value))? {
            TableChange::Created(_) | TableChange::Sealed(_) => {}
            TableChange::Put { .. } | TableChange::Deleted(_) => return Err(PolicyFault::SchemaChanged.into()),
        }
        Ok(self.archive.import(vec![Change { key: Key::from(key), value: Some(Value::from(value)) }])?)
    }

    /// The schema of a table at the newest version.
    ///
    /// # Errors
    /// [`TablesError::NoTable`], [`TablesError::Schema`], [`TablesError::Archive`].
    pub fn schema(&self, table: &str) -> Result<Schema, TablesError> {
        let found = schema_of(&self.archive, table, self.archive.version())?;
        found.ok_or_else(|| TablesError::NoTable(table.to_owned()))
    }
}

/// The schema of a table at a version; `None` where there is no table of this name.
///
/// # Errors
/// [`TablesError::Name`], [`TablesError::Schema`], [`TablesError::Archive`].
pub fn schema_of(archive: &Snapshot, table: &str, version: u64) -> Result<Option<Schema>, TablesError> {
    if !name_legal(table.as_bytes()) {
        return Err(TablesError::Name(table.to_owned()));
    }
    let key = Key::from(TableKey::Schema { table: table.to_owned() }.to_bytes());
    if key.len() > usize::from(archive.parameters().max_key_length) {
        return Ok(None);
    }
    let found = archive.get(&key, version)?;
    Ok(found.map(|bytes| Schema::from_bytes(&bytes)).transpose()?)
}

/// Visits the entries of a version whose keys begin so, in the order of their keys.
///
/// # Errors
/// [`TablesError::Archive`], and what visiting ends with.
pub fn for_each_entry<E: From<ArchiveError>>(
    archive: &Snapshot,
    prefix: &[u8],
    version: u64,
    mut visit: impl FnMut(&Key, &Value) -> Result<(), E>,
) -> Result<(), E> {
    let mut from = Key::from(prefix);
    let to = Key::from(end_of_prefix(prefix));
    loop {
        let range = KeyRange { from, to: to.clone(), limit: Some(PAGE) };
        let RangeAnswer { entries, resume } = match archive.answer(&Question::Region(Region::Range(range)), version)? {
            Answer::Range(answer) => answer,
            Answer::Keys(_) | Answer::Predecessor(_) | Answer::Successor(_) => RangeAnswer::default(),
        };
        entries.iter().try_for_each(|Entry { key, value }| visit(key, value))?;
        match resume {
            Some(next) => from = next,
            None => return Ok(()),
        }
    }
}

/// The least string above all that begin so; empty where there is none.
fn end_of_prefix(prefix: &[u8]) -> Vec<u8> {
    let mut end = prefix.to_vec();
    while let Some(last) = end.pop() {
        if let Some(next) = last.checked_add(1) {
            end.push(next);
            break;
        }
    }
    end
}

/// The names of all tables of a version.
///
/// # Errors
/// [`TablesError::Archive`].
pub fn table_names(archive: &Snapshot, version: u64) -> Result<Vec<String>, TablesError> {
    Ok(table_names_behind(archive, version, None, usize::MAX)?.0)
}

/// The names of tables behind a name, in the order of their keys, and the name behind which there
/// are more; at most so many names are looked at. A table's runs are passed over.
///
/// # Errors
/// [`TablesError::Archive`].
pub fn table_names_behind(
    archive: &Snapshot,
    version: u64,
    after: Option<&str>,
    limit: usize,
) -> Result<(Vec<String>, Option<String>), TablesError> {
    let longest = usize::from(archive.parameters().max_key_length);
    // The least key from some bytes on, which may be longer than keys are.
    let from = |bytes: Vec<u8>| {
        Key::from(if bytes.len() > longest { end_of_prefix(bytes.get(..longest).unwrap_or_default()) } else { bytes })
    };
    let behind = |name: &str| [TableKey::prefix(name), vec![BEHIND_A_TABLE]].concat();
    let mut cursor = from(after.map_or_else(|| vec![TABLE_KEY_BYTE], behind));
    let (mut names, mut last) = (Vec::new(), None);
    for _ in 0..limit {
        if cursor.is_empty() {
            return Ok((names, None));
        }
        let plan = archive.plan(core::slice::from_ref(&cursor), &[], version)?;
        let Some(slot) = plan.slots().next() else { return Err(TablesError::Scan) };
        let found = if slot.key == cursor { &slot.key } else { &slot.next };
        if found.first() != Some(&TABLE_KEY_BYTE) || *found < cursor {
            return Ok((names, None));
        }
        cursor = match TableKey::split_prefix(found) {
            Ok((name, rest)) => {
                if rest == [0] {
                    names.push(name.to_owned());
                }
                last = Some(name.to_owned());
                from(behind(name))
            }
            // A key that is no table's.
            Err(_) => from([found.to_vec(), vec![0]].concat()),
        };
    }
    Ok((names, last))
}

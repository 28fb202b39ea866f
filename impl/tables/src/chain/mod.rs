//! Keeping tables of private rows on a chain: the vault is in a folder, the dictionary is the
//! chain's.
//!
//! ```text
//! rows -> sheets, certified -> vault: secrets, drafts, all of them durable -> sent, draft by draft
//!                                                                         -> applied: the draft goes
//! ```
//!
//! Each sheet is one transaction, which requires that its runs are absent: so it is applied once,
//! however often it is sent. A write whose process ends is carried on by the next one, from the
//! vault; one that ended before all of it was in the vault has sent nothing, and is removed.
//!
//! | module | what |
//! |---|---|
//! | [`draft`] | what one transaction puts |
//! | [`ledger`] | what is asked of a chain |
//! | `import`, `renewal` | rows to drafts, of new runs or of runs that grow or are replaced |
//! | `room` | what a transaction has room for |
//! | `sending` | drafts to applied transactions |
//! | `renumbering` | other numbers for runs where another keeper was first |

pub mod draft;
pub mod grown_run;
mod import;
pub mod ledger;
mod renewal;
mod renumbering;
mod room;
mod sending;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use aardvark_aggregates::schema::name_legal;
use aardvark_aggregates::{Head, PolicyFault, ProverSetup, Schema, TableChange, TableKey, judge_change};
use aardvark_algebra::hash::TaggedHash;
use aardvark_dictionary::{Claim, DictionaryId, Key, Parameters, Value};

use crate::error::TablesError;
use crate::keeper::{LONGEST_KEY, LONGEST_VALUE};
use crate::place::{head_key, segment_key};
use crate::vault::{Counts, Done, Job, Vault};

pub use draft::{Draft, DraftCertificate};
pub use grown_run::GrownRun;
pub use ledger::{Fate, Ledger, Signing, ToSign};

use draft::{Contents, schema_key};

/// Domain separation tag of what was asked.
const REQUEST_TAG: &str = "AARDVARK-V1-TABLE-REQUEST";

/// How far a write to a chain is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChainStep {
    /// So many rows were read.
    Read(u64),
    /// Of so many numbers (the second), so many (the first) are certified and in the vault.
    Certified(u64, u64),
    /// Of so many transactions (the second), so many (the first) are applied.
    Applied(u64, u64),
}

/// A write that all of a chain has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// What it came to.
    pub done: Done,
    /// Whether it was done before: then nothing was sent.
    pub repeated: bool,
}

/// What was given up of a write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GivenUp {
    /// Transactions that are not applied, and will not be.
    pub transactions: u64,
    /// Segments whose secrets went with them.
    pub segments: u64,
}

/// The keeper of tables on a chain.
pub struct ChainKeeper {
    vault: Vault,
    dictionary: DictionaryId,
    parameters: Parameters,
    setup: Arc<ProverSetup>,
}

impl ChainKeeper {
    /// The keeper of a chain's tables, whose vault is in a folder: made where there is none. What a
    /// write has left there that sent nothing is removed.
    ///
    /// # Errors
    /// [`TablesError`].
    pub fn open(directory: &Path, dictionary: DictionaryId, parameters: Parameters) -> Result<Self, TablesError> {
        let vault = Vault::open(directory, &dictionary)?;
        let setup = Arc::new(ProverSetup::ethereum(Some(&Vault::folder(directory)))?);
        Self::of_parts(vault, dictionary, parameters, setup)
    }

    /// A keeper of these parts.
    ///
    /// # Errors
    /// [`TablesError`] where what a write has left cannot be removed.
    pub fn of_parts(
        vault: Vault,
        dictionary: DictionaryId,
        parameters: Parameters,
        setup: Arc<ProverSetup>,
    ) -> Result<Self, TablesError> {
        let mut keeper = Self { vault, dictionary, parameters, setup };
        keeper.settle()?;
        Ok(keeper)
    }

    /// The vault.
    pub fn vault(&self) -> &Vault {
        &self.vault
    }

    /// What commitments are made with.
    pub fn setup(&self) -> &Arc<ProverSetup> {
        &self.setup
    }

    /// The write that is under way, where there is one.
    ///
    /// # Errors
    /// [`TablesError::Vault`].
    pub fn under_way(&self) -> Result<Option<Job>, TablesError> {
        Ok(self.vault.job()?)
    }

    /// Removes what a write has left that has sent nothing.
    fn settle(&mut self) -> Result<(), TablesError> {
        let job = self.vault.job()?;
        if job.as_ref().is_some_and(|job| job.is_ready) {
            return Ok(());
        }
        self.vault.settle(|_, _| Ok::<bool, TablesError>(false))?;
        let request = job.map(|job| job.request).unwrap_or_default();
        Ok(self.vault.end_job(&request, None)?)
    }

    /// The schema of a table, as the chain has it now.
    ///
    /// # Errors
    /// [`TablesError::Name`], [`TablesError::NoTable`], [`TablesError::Schema`]; what the ledger
    /// says.
    pub fn schema<L: Ledger>(&self, ledger: &mut L, table: &str) -> Result<Schema, L::Error> {
        let found = self.schema_value(ledger, table)?;
        let value = found.ok_or_else(|| TablesError::NoTable(table.to_owned()))?;
        Ok(Schema::from_bytes(&value).map_err(TablesError::from)?)
    }

    fn schema_value<L: Ledger>(&self, ledger: &mut L, table: &str) -> Result<Option<Value>, L::Error> {
        if !name_legal(table.as_bytes()) {
            return Err(TablesError::Name(table.to_owned()).into());
        }
        let Parameters { max_key_length: keys, max_value_length: values, .. } = self.parameters;
        if keys < LONGEST_KEY || values < LONGEST_VALUE {
            return Err(TablesError::Parameters { keys, values }.into());
        }
        let key = schema_key(table);
        let (_, claims) = ledger.claims(&BTreeMap::from([(key.clone(), false)]))?;
        Ok(contents([&key], &claims)?.remove(&key).flatten())
    }

    /// Makes a table, once a write that is under way is done.
    ///
    /// # Errors
    /// [`TablesError::Name`], [`TablesError::Exists`], [`TablesError::Schema`],
    /// [`TablesError::Parameters`], [`TablesError::Refused`]; what the ledger says.
    pub fn create<L: Ledger>(&mut self, ledger: &mut L, table: &str, schema: &Schema) -> Result<Written, L::Error> {
        schema.check().map_err(TablesError::from)?;
        let value = schema.to_bytes();
        let request = request(table, &[b"create", &value]);
        if let Some(written) = self.before(ledger, &request, &mut |_| {})? {
            return Ok(written);
        }
        if self.schema_value(ledger, table)?.is_some() {
            return Err(TablesError::Exists(table.to_owned()).into());
        }
        match judge_change(None, &schema_key(table), None, Some(&value)).map_err(TablesError::from)? {
            TableChange::Created(_) => {
                self.write(ledger, (request, Counts::default()), table, &[Draft::create(table, &value)])
            }
            _ => Err(TablesError::from(PolicyFault::SchemaChanged).into()),
        }
    }

    /// Closes the keys of a table below a value of its first key column, as bytes.
    ///
    /// # Errors
    /// [`TablesError::NoTable`], [`TablesError::Policy`], [`TablesError::Refused`]; what the ledger
    /// says.
    pub fn seal<L: Ledger>(&mut self, ledger: &mut L, table: &str, watermark: Vec<u8>) -> Result<Written, L::Error> {
        let request = request(table, &[b"seal", &watermark]);
        if let Some(written) = self.before(ledger, &request, &mut |_| {})? {
            return Ok(written);
        }
        let schema = self.schema(ledger, table)?;
        let sealed = Schema { watermark, ..schema.clone() };
        sealed.check().map_err(TablesError::from)?;
        let (before, after) = (schema.to_bytes(), sealed.to_bytes());
        let key = schema_key(table);
        judge_change(Some(&schema), &key, Some(&before), Some(&after)).map_err(TablesError::from)?;
        self.write(ledger, (request, Counts::default()), table, &[Draft::seal(table, &before, &after)])
    }

    /// Deletes all runs of a key, of all value columns; the counts say how many. The vault keeps
    /// their secrets, since versions before can still be asked.
    ///
    /// # Errors
    /// [`TablesError::NoTable`], [`TablesError::Policy`], [`TablesError::Refused`]; what the ledger
    /// says.
    pub fn delete<L: Ledger>(&mut self, ledger: &mut L, table: &str, columns: &[u8]) -> Result<Written, L::Error> {
        let request = request(table, &[b"delete", columns]);
        if let Some(written) = self.before(ledger, &request, &mut |_| {})? {
            return Ok(written);
        }
        let schema = self.schema(ledger, table)?;
        // Besides the schema's requirement, the head's, and its deletion.
        let most = (self.parameters.limits.transaction_operations as usize).saturating_sub(3).max(1);
        let (mut drafts, mut further, mut runs) = (Vec::new(), Vec::new(), 0);
        for (column, described) in (0u8..).zip(&schema.values) {
            for (key, value) in self.standing_runs(ledger, table, column, columns)? {
                judge_change(Some(&schema), &key, Some(&value), None).map_err(TablesError::from)?;
                let head = Head::from_bytes(&value, usize::from(described.moments));
                let head = head.map_err(|error| TablesError::from(PolicyFault::Head(error)))?;
                let Ok(TableKey::Head { run, .. }) = TableKey::from_bytes(&key, &schema) else { continue };
                let segment = |number| Key::from(segment_key(table, column, columns, run, head.revision, number));
                let segments: Vec<Key> = (1..head.segments()).map(segment).collect();
                let mut parts = segments.chunks(most);
                drafts.push(Draft::delete(key.clone(), value, parts.next().unwrap_or_default()));
                further.extend(parts.map(|part| Draft::delete_segments(key.clone(), part)));
                runs += 1;
            }
        }
        drafts.extend(further);
        let counts = Counts { runs, ..Counts::default() };
        self.write(ledger, (request, counts), table, &drafts)
    }

    /// The runs of a key in a column, with what stands under their heads' keys. Slots say which key
    /// is next, so that there is a question for each run and one more.
    fn standing_runs<L: Ledger>(
        &self,
        ledger: &mut L,
        table: &str,
        column: u8,
        columns: &[u8],
    ) -> Result<Vec<(Key, Value)>, L::Error> {
        let mut runs = Vec::new();
        let mut next = Some(0);
        while let Some(run) = next {
            let key = Key::from(head_key(table, column, columns, run));
            let (_, claims) = ledger.claims(&BTreeMap::from([(key.clone(), false)]))?;
            let slot = claims.iter().map(|claim| &claim.slot).find(|slot| slot.covers(&key));
            let slot = slot.ok_or(TablesError::Scan)?;
            if slot.key == key {
                runs.push((key.clone(), slot.value.clone()));
            }
            let of_key = key.get(..key.len().saturating_sub(4)).and_then(|prefix| slot.next.strip_prefix(prefix));
            let number = of_key.and_then(|number| number.try_into().ok()).map(u32::from_be_bytes);
            next = number.filter(|number| *number > run);
        }
        Ok(runs)
    }

    /// Goes on with a write that is under way, where there is one; what it came to, where it is
    /// what is asked now.
    fn before<L: Ledger>(
        &mut self,
        ledger: &mut L,
        request: &[u8; 32],
        progress: &mut dyn FnMut(ChainStep),
    ) -> Result<Option<Written>, L::Error> {
        let earlier = self.vault.job().map_err(TablesError::from)?.map(|job| job.request);
        let done = self.carry_on(ledger, progress)?;
        Ok(done.filter(|_| earlier == Some(*request)).map(|done| Written { done, repeated: false }))
    }

    /// Writes drafts that put no secrets.
    fn write<L: Ledger>(
        &mut self,
        ledger: &mut L,
        (request, counts): ([u8; 32], Counts),
        table: &str,
        drafts: &[Draft],
    ) -> Result<Written, L::Error> {
        let mut job = Job { counts, ..self.begin(request, table)? };
        let drafts: Vec<Vec<u8>> = drafts.iter().map(Draft::to_bytes).collect();
        self.vault.put_drafts(0, &drafts).map_err(TablesError::from)?;
        job.is_ready = true;
        self.vault.put_job(&job).map_err(TablesError::from)?;
        let done = self.carry_on(ledger, &mut |_| {})?;
        let done = done.unwrap_or(Done { version: job.version, counts: job.counts });
        Ok(Written { done, repeated: false })
    }

    /// Begins a write, of which nothing is sent before it is ready.
    fn begin(&mut self, request: [u8; 32], table: &str) -> Result<Job, TablesError> {
        self.settle()?;
        let counts = Counts::default();
        let job = Job { request, table: table.to_owned(), is_ready: false, counts, version: 0, last_valid: 0 };
        self.vault.put_job(&job)?;
        Ok(job)
    }
}

/// What is asked of a table, as a digest of its parts.
fn request(table: &str, parts: &[&[u8]]) -> [u8; 32] {
    let mut hash = TaggedHash::new(REQUEST_TAG);
    for part in core::iter::once(&table.as_bytes()).chain(parts) {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    hash.finalize()
}

/// What stands under keys, as claims say.
fn contents<'a>(keys: impl IntoIterator<Item = &'a Key>, claims: &[Claim]) -> Result<Contents, TablesError> {
    let of = |key: &Key| {
        let slot = claims.iter().map(|claim| &claim.slot).find(|slot| slot.covers(key)).ok_or(TablesError::Scan)?;
        Ok((key.clone(), (slot.key == *key).then(|| slot.value.clone())))
    };
    keys.into_iter().map(of).collect()
}

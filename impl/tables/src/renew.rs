//! Rows that continue the runs of their keys, and rows that take the place of these.
//!
//! | renewal | a key without runs | a key with runs |
//! |---|---|---|
//! | extend | one run | rows behind the end of a run continue it; others are another run |
//! | amend | one run | the next revision of its first run has the rows |
//!
//! What an amendment leaves of a key's other runs is deleted; where the table is not deletable,
//! each of them gets one of the rows, since a run has one at least.
//!
//! More rows than a sheet has room for are further segments of their run. Each segment has a
//! certificate of its own, linked to the segment before. The rows are held in memory.

mod standing;

use std::collections::BTreeMap;

use aardvark_aggregates::sheet::{MIN_LOG, capacity};
use aardvark_aggregates::{
    About, Certificate, CertificateMasks, CertifiedSheet, Head, KeyError, KnownLink, KnownSegment, MaskSource,
    PolicyFault, Record, Schema, Segment, SheetItem, TableVerifier, judge_change, judge_run, prove_behind,
};
use aardvark_algebra::tagged_hash;
use aardvark_dictionary::{Change, Key, Value};
use rayon::prelude::*;

use crate::certificates::StoredCertificate;
use crate::error::TablesError;
use crate::import::{ImportOptions, ImportReport, ImportStep};
use crate::keeper::Keeper;
use crate::place::{SegmentPlace, head_key, segment_key};
use crate::source::{Row, RowSource};
use crate::vault::{Pending, SegmentSecret};
use standing::Standing;

/// Domain separation tag of the seeds that a renewal's seed is expanded to.
const SEED_TAG: &str = "AARDVARK-V1-TABLE-RENEWAL-SEED";

/// What becomes of the runs of the rows' keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Renewal {
    /// They grow.
    Extend,
    /// They are replaced.
    Amend,
}

/// A number, and the row that it is of.
type Member = (u64, usize);

/// A run that gets rows.
struct Renewed {
    column: u8,
    columns: Vec<u8>,
    run: u32,
    revision: u32,
    /// What stands under its head's key.
    before: Option<Vec<u8>>,
    /// What it continues.
    behind: Option<Standing>,
    /// Numbers, ascending, and the row that each is of.
    members: Vec<Member>,
}

/// A segment that is certified.
struct CertifiedSegment {
    item: SheetItem,
    secret: SegmentSecret,
    link: Option<Record>,
    certificate: Certificate,
}

/// A run that is certified.
struct CertifiedRun {
    about: About,
    before: Option<Vec<u8>>,
    /// Its head before the segments: of a run that begins there is none.
    head: Option<Head>,
    segments: Vec<CertifiedSegment>,
}

impl Keeper {
    /// Imports all rows of a source into a table, as one version; nothing where one of them is
    /// refused. The runs of their keys grow, or are replaced.
    ///
    /// # Errors
    /// [`TablesError`].
    pub fn renew(
        &mut self,
        table: &str,
        schema: &Schema,
        source: &mut dyn RowSource,
        renewal: Renewal,
        options: &ImportOptions,
        progress: &mut dyn FnMut(ImportStep),
    ) -> Result<ImportReport, TablesError> {
        let log = self.check_import(table, schema, options)?;
        if renewal == Renewal::Amend && schema.append_only {
            return Err(PolicyFault::Immutable.into());
        }
        let mut rows = Vec::new();
        while let Some(row) = source.next_row()? {
            rows.push(row);
            if rows.len() % 1024 == 0 {
                progress(ImportStep::Read(rows.len() as u64));
            }
        }
        let (renewed, deleted) = self.renewed(table, schema, renewal, &rows)?;
        let certified = self.certify_renewed(table, schema, renewed, &rows, log, progress)?;
        let (runs, sheets) = (certified.len() as u64, certified.iter().map(|run| run.segments.len() as u64).sum());
        let version = self.write_renewed(table, schema, certified, deleted, progress)?;
        Ok(ImportReport { version, rows: rows.len() as u64, runs, sheets })
    }

    /// The runs that get rows, and the keys of those that are deleted.
    fn renewed(
        &self,
        table: &str,
        schema: &Schema,
        renewal: Renewal,
        rows: &[Row],
    ) -> Result<(Vec<Renewed>, Vec<Vec<u8>>), TablesError> {
        let mut groups: BTreeMap<(u8, &[u8]), Vec<Member>> = BTreeMap::new();
        for (i, row) in rows.iter().enumerate() {
            for (column, number) in (0u8..).zip(&row.numbers) {
                if let Some(number) = number {
                    groups.entry((column, &row.columns)).or_default().push((*number, i));
                }
            }
        }
        let (mut renewed, mut deleted) = (Vec::new(), Vec::new());
        for ((column, columns), mut members) in groups {
            members.sort_unstable();
            let mut standing = self.standing_runs(table, schema, column, columns)?;
            let next = self.unused_run(table, column, columns, standing.last().map(|last| last.run))?;
            let fresh = |run, members| Renewed {
                column,
                columns: columns.to_vec(),
                run,
                revision: 0,
                before: None,
                behind: None,
                members,
            };
            if renewal == Renewal::Extend {
                let least = members.first().map_or(0, |(number, _)| *number);
                // Of the runs whose end fits, that with the greatest.
                let ends = standing.iter().enumerate().filter_map(|(place, run)| {
                    run.secret.numbers.last().filter(|last| **last <= least).map(|last| (*last, place))
                });
                renewed.push(match ends.max().map(|(_, place)| standing.swap_remove(place)) {
                    Some(run) => Renewed {
                        revision: run.head.revision,
                        before: Some(run.value.clone()),
                        run: run.run,
                        behind: Some(run),
                        ..fresh(0, members)
                    },
                    None => fresh(next, members),
                });
                continue;
            }
            if standing.is_empty() {
                renewed.push(fresh(next, members));
                continue;
            }
            let kept = if schema.deletable { 1 } else { standing.len() };
            let own = members.len().checked_sub(kept - 1).filter(|own| *own > 0);
            let own = own.ok_or(TablesError::TooFewRows { rows: members.len(), runs: standing.len() })?;
            let others = members.split_off(own);
            let parts = core::iter::once(members).chain(others.into_iter().map(|member| vec![member]));
            let mut parts = parts.collect::<Vec<_>>().into_iter();
            for run in standing {
                match parts.next() {
                    Some(members) => renewed.push(Renewed {
                        revision: run.head.revision.checked_add(1).ok_or(TablesError::TooManyRuns)?,
                        before: Some(run.value),
                        ..fresh(run.run, members)
                    }),
                    None => deleted.push(head_key(table, column, columns, run.run)),
                }
            }
        }
        Ok((renewed, deleted))
    }

    /// Commits to the segments of all runs and certifies them, each run on a core of its own.
    fn certify_renewed(
        &self,
        table: &str,
        schema: &Schema,
        renewed: Vec<Renewed>,
        rows: &[Row],
        log: usize,
        progress: &mut dyn FnMut(ImportStep),
    ) -> Result<Vec<CertifiedRun>, TablesError> {
        let mut seed = [0; 32];
        getrandom::fill(&mut seed).map_err(|error| TablesError::Random(error.to_string()))?;
        let total = renewed.len() as u64;
        progress(ImportStep::Certified(0, total));
        let mut certified = Vec::with_capacity(renewed.len());
        let mut rest = renewed.into_iter().enumerate();
        // Some at a time, so that progress can be told.
        let batch = 4 * rayon::current_num_threads();
        loop {
            let part: Vec<(usize, Renewed)> = rest.by_ref().take(batch).collect();
            if part.is_empty() {
                return Ok(certified);
            }
            let one = |(number, run): (usize, Renewed)| {
                let seed = expanded(&seed, number);
                self.certify_run(table, schema, run, rows, log, &seed)
            };
            let done: Result<Vec<CertifiedRun>, TablesError> = part.into_par_iter().map(one).collect();
            certified.extend(done?);
            progress(ImportStep::Certified(certified.len() as u64, total));
        }
    }

    fn certify_run(
        &self,
        table: &str,
        schema: &Schema,
        run: Renewed,
        rows: &[Row],
        most: usize,
        seed: &[u8; 32],
    ) -> Result<CertifiedRun, TablesError> {
        let Renewed { column, columns, run, revision, before, behind, members } = run;
        let about = About::of_column(*self.archive.id(), table, schema, column)
            .ok_or(PolicyFault::Key(KeyError::Column(column)))?;
        let head = behind.as_ref().map(|standing| standing.head.clone());
        let mut number = head.as_ref().map_or(0, Head::segments);
        let mut previous: Option<(Record, KnownSegment)> =
            behind.map(|standing| (standing.last, standing.secret.known(about.moments)));
        let mut segments = Vec::new();
        for (i, members) in members.chunks(capacity(most)).enumerate() {
            let log = (MIN_LOG..most).find(|log| members.len() <= capacity(*log)).unwrap_or(most);
            let setup = self.setup.sheet(log)?;
            let texts = |(_, row): &(u64, usize)| rows.get(*row).map(|row| row.texts.clone()).unwrap_or_default();
            let secret = SegmentSecret {
                first: 1,
                seed: expanded(seed, 2 * i + 1),
                numbers: members.iter().map(|(number, _)| *number).collect(),
                texts: members.iter().map(texts).collect(),
            };
            let known = secret.known(about.moments);
            let record = known.commit(setup, secret.root().ok_or(TablesError::TextTooLong)?);
            let item = SheetItem { columns: columns.clone(), run, revision, segment: number, record: record.clone() };
            let mut source = MaskSource::new(expanded(seed, 2 * i));
            let masks = CertificateMasks::draw(&mut source, about.bits);
            let link = match &previous {
                Some((record, segment)) => {
                    let setup = self.setup.sheet(usize::from(record.log))?;
                    Some(KnownLink { record, segment, setup, mask: source.scalars() })
                }
                None => None,
            };
            let items = [item];
            let certificate =
                prove_behind(setup, &about, link.as_ref(), &items, core::slice::from_ref(&known), &masks)?;
            let [item] = items;
            let link = previous.replace((record, known)).map(|(record, _)| record);
            segments.push(CertifiedSegment { item, secret, link, certificate });
            number = number.checked_add(1).ok_or(TablesError::TooManyRuns)?;
        }
        Ok(CertifiedRun { about, before, head, segments })
    }

    /// Vault, certificates, archive.
    fn write_renewed(
        &mut self,
        table: &str,
        schema: &Schema,
        certified: Vec<CertifiedRun>,
        deleted: Vec<Vec<u8>>,
        progress: &mut dyn FnMut(ImportStep),
    ) -> Result<u64, TablesError> {
        let version = self.archive.version();
        if certified.is_empty() {
            return Ok(version);
        }
        // What is wrong with a certificate is found before anything is written.
        let mut batch = Vec::new();
        for CertifiedRun { about, segments, .. } in &certified {
            batch.extend(segments.iter().map(|segment| CertifiedSheet {
                about,
                link: segment.link.as_ref(),
                items: core::slice::from_ref(&segment.item),
                certificate: &segment.certificate,
            }));
        }
        let verifier = TableVerifier::new(self.setup.tau_g2());
        verifier.verify_certificates(&batch).map_err(|(_, error)| TablesError::OwnCertificate(error))?;
        let mut written = Written::default();
        for run in certified {
            written.add(table, schema, run)?;
        }
        let Written { put, secrets, stored, mut changes } = written;
        for key in deleted {
            let key = Key::from(key);
            let before = self.archive.get(&key, version)?;
            judge_change(Some(schema), &key, before.as_deref(), None)?;
            changes.push(Change { key, value: None });
        }
        // What an earlier write has left that failed in this process.
        self.settle()?;
        self.vault.prepare(&Pending { heads: &put }, &secrets)?;
        self.certificates.put(version + 1, &stored)?;
        let imported = self.archive.import_with(changes, &mut |step| progress(ImportStep::Archive(step)))?;
        self.vault.complete()?;
        Ok(imported.version)
    }
}

/// What is written of renewed runs.
#[derive(Default)]
struct Written {
    /// The keys and values of what has new secrets.
    put: Vec<(Vec<u8>, Vec<u8>)>,
    secrets: Vec<(SegmentPlace, SegmentSecret)>,
    stored: Vec<StoredCertificate>,
    changes: Vec<Change>,
}

impl Written {
    fn add(&mut self, table: &str, schema: &Schema, run: CertifiedRun) -> Result<(), TablesError> {
        let CertifiedRun { about, before, head: mut extent, segments } = run;
        let begins = extent.is_none();
        let mut further = Vec::new();
        let mut head_of = None;
        for CertifiedSegment { item, secret, certificate, .. } in segments {
            let SheetItem { columns, run, revision, segment: number, record } = item;
            let head_key = head_key(table, about.column, &columns, run);
            let key = match &extent {
                None => head_key.clone(),
                Some(_) => segment_key(table, about.column, &columns, run, revision, number),
            };
            extent = Some(match extent {
                None => Head::single(revision, record),
                Some(head) => {
                    let segment = Segment { rank: head.rows(), record }.to_bytes();
                    self.put.push((key.clone(), segment.clone()));
                    let value = Some(Value::from(segment.clone()));
                    self.changes.push(Change { key: Key::from(key.as_slice()), value });
                    further.push((number, segment.clone()));
                    head.with_segment(&Segment::from_bytes(&segment, about.moments).map_err(PolicyFault::Head)?.record)
                }
            });
            self.secrets.push((SegmentPlace { head: head_key.clone(), revision, segment: number }, secret));
            self.stored.push(StoredCertificate { heads: vec![key], certificate: certificate.to_bytes() });
            head_of = Some(head_key);
        }
        let (Some(head), Some(key)) = (extent, head_of) else { return Ok(()) };
        let head = head.to_bytes();
        judge_run(Some(schema), &key, before.as_deref(), Some(&head), &further)?;
        // Of a run that began, the head's secret is new, too; one that grew keeps it.
        if begins {
            self.put.push((key.clone(), head.clone()));
        }
        self.changes.push(Change { key: Key::from(key), value: Some(Value::from(head)) });
        Ok(())
    }
}

/// A seed of its own for each use of a write's.
fn expanded(seed: &[u8; 32], number: usize) -> [u8; 32] {
    tagged_hash(SEED_TAG, &[seed.as_slice(), &(number as u64).to_be_bytes()].concat())
}

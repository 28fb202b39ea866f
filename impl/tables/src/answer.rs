//! Answers of a keeper: what the archive shows of a query's runs, and the numbers that the vault
//! has of them.
//!
//! ```text
//! query -> scan of the box: the slots that cover its cursors, proved by the archive
//!       -> the runs' rows, from the vault -> totals, or a cut with its comparisons, under one opening
//!       -> the answer, verified under the archive's own commitments before it is given
//!       -> with the runs' certificates, and with what ties it to a root, where these are asked for
//! ```

use std::collections::BTreeMap;

use aardvark_aggregates::answer::order_prover::answer_cut;
use aardvark_aggregates::answer::prover::{Ground, PlacedSegment, answer_whole_totals, runs_to_open};
use aardvark_aggregates::answer::{Answer, Certificates, MAX_RUNS};
use aardvark_aggregates::cut::pieces::{LongRun, find_pieces_in};
use aardvark_aggregates::query::Function;
use aardvark_aggregates::scan::TableScan;
use aardvark_aggregates::{CutGoal, Head, MaskSource, Outcome, ProverSetup, Query, TableKey};
use aardvark_archive::{AnswerForm, Snapshot};
use aardvark_dictionary::root::RootParts;
use aardvark_dictionary::{Claim, Key, Value};
use aardvark_proof::{AnswerProof, KnownCommitments, Question, Trusted};

use crate::certificates::Certificates as StoredCertificates;
use crate::error::TablesError;
use crate::keeper::{Keeper, schema_of};
use crate::stated::StatedColumn;
use crate::vault::Vault;
use crate::vault_run::VaultRun;

/// What an answer brings along besides itself. As it is by default, it is verified under
/// commitments, and who verifies it relies on others for the runs' certificates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnswerParts {
    /// The certificates of the runs that it uses.
    pub certificates: bool,
    /// What the state root of its version is over: the answer is tied to that root, and brings what
    /// the dictionary's id is over. It is verified under the root then, and not under commitments.
    pub root: Option<RootParts>,
}

/// What answers are made of: a state of the archive, the rows, the runs' certificates, and what
/// commitments are made with.
#[derive(Clone, Copy)]
pub struct Answerer<'a> {
    /// The archive.
    pub archive: &'a Snapshot,
    /// The vault of its tables.
    pub vault: &'a Vault,
    /// Their certificates.
    pub certificates: &'a StoredCertificates,
    /// What commitments are made with.
    pub setup: &'a ProverSetup,
}

impl Keeper {
    /// What answers are made of.
    pub fn answerer(&self) -> Answerer<'_> {
        let Self { archive, vault, certificates, setup } = self;
        Answerer { archive, vault, certificates, setup }
    }

    /// The answer to a query of a table at a version, and what it says. It was verified under the
    /// archive's own commitments. Queries for a row are not answered here, but by [`Keeper::row`].
    ///
    /// # Errors
    /// [`TablesError::NoTable`], [`TablesError::Query`], [`TablesError::RowQuery`],
    /// [`TablesError::RunsExceeded`], [`TablesError::NoRows`], [`TablesError::NoCertificate`],
    /// [`TablesError::Answer`], [`TablesError::OwnAnswer`], [`TablesError::Certificates`],
    /// [`TablesError::Archive`].
    pub fn answer(
        &self,
        table: &str,
        text: &str,
        version: u64,
        parts: &AnswerParts,
    ) -> Result<(Answer, Outcome), TablesError> {
        let query = query_of(&self.archive, table, text, version)?;
        let keys = keys_to_prove(&self.archive, &query, version)?;
        let ground = ground(&self.archive, version, self.archive.prove_many(&keys, version)?)?;
        self.answerer().answer(&query, text, ground, parts)
    }
}

/// The query of a table that a text is, by the table's schema at a version.
///
/// # Errors
/// [`TablesError::NoTable`], [`TablesError::Query`], [`TablesError::Archive`].
pub fn query_of(archive: &Snapshot, table: &str, text: &str, version: u64) -> Result<Query, TablesError> {
    let schema = schema_of(archive, table, version)?;
    let schema = schema.ok_or_else(|| TablesError::NoTable(table.to_owned()))?;
    Ok(Query::parse(table, text, &schema)?)
}

/// The keys whose claims an answer to a query shows: that of the schema, and the cursors of the
/// scan of its box.
///
/// # Errors
/// [`TablesError::RunsExceeded`], [`TablesError::Scan`], [`TablesError::Archive`].
pub fn keys_to_prove(archive: &Snapshot, query: &Query, version: u64) -> Result<Vec<Key>, TablesError> {
    let mut keys = vec![Key::from(TableKey::Schema { table: query.table().to_owned() }.to_bytes())];
    let key_box = query.key_box();
    let mut scan = TableScan::new(&key_box);
    let mut runs = 0;
    while let Some(wanted) = scan.wanted().cloned() {
        let plan = archive.plan(core::slice::from_ref(&wanted), &[], version)?;
        let covered = plan.slots().next().map(|slot| scan.step(slot));
        keys.push(wanted);
        match covered {
            Some(Ok(is_run)) => runs += usize::from(is_run),
            Some(Err(_)) | None => return Err(TablesError::Scan),
        }
        if runs > MAX_RUNS {
            return Err(TablesError::RunsExceeded(MAX_RUNS));
        }
    }
    Ok(keys)
}

/// What an archive shows for a query, from the claims of [`keys_to_prove`] in their order.
///
/// # Errors
/// [`TablesError::Scan`] where there are none.
pub fn ground(archive: &Snapshot, version: u64, claims: Vec<Claim>) -> Result<Ground, TablesError> {
    let mut claims = claims.into_iter();
    let schema = claims.next().ok_or(TablesError::Scan)?;
    let (dictionary, runs) = (*archive.id(), claims.collect());
    Ok(Ground { dictionary, version, schema, runs, segments: Vec::new(), tie: None })
}

impl Answerer<'_> {
    /// The answer to a query on what the archive shows for it, and what it says. It was verified
    /// under the archive's own commitments. The text is that which the query was read from.
    ///
    /// # Errors
    /// [`TablesError::RowQuery`], [`TablesError::NoRows`], [`TablesError::NoCertificate`],
    /// [`TablesError::Answer`], [`TablesError::OwnAnswer`], [`TablesError::Certificates`],
    /// [`TablesError::Archive`].
    pub fn answer(
        &self,
        query: &Query,
        text: &str,
        mut ground: Ground,
        parts: &AnswerParts,
    ) -> Result<(Answer, Outcome), TablesError> {
        if query.function() == Function::Row {
            return Err(TablesError::RowQuery);
        }
        let version = ground.version;
        let runs = self.runs(query, &ground)?;
        let answer = match query.function() {
            Function::Totals { .. } => {
                let all = runs.iter().flat_map(|run| (0..run.segments()).map(|segment| run.known(segment)));
                let segments = all.collect::<Result<Vec<_>, TablesError>>()?;
                let segments: Vec<PlacedSegment<'_>> =
                    segments.iter().map(|(log, segment)| PlacedSegment { log: *log, segment }).collect();
                answer_whole_totals(self.setup, query, text, ground, &segments)?
            }
            _ => {
                let mut seed = [0; 32];
                getrandom::fill(&mut seed).map_err(|error| TablesError::Random(error.to_string()))?;
                let mut masks = MaskSource::new(seed);
                let rows = runs.iter().map(|run| run.head().rows()).sum();
                let found = find_pieces_in(&runs, CutGoal::of(query.function().parts(), rows))?;
                let (shown, cut) = found.map_or((Vec::new(), None), |found| (found.shown, Some(found.cut)));
                let (mut pieces, mut keys) = (Vec::new(), Vec::new());
                for (place, run) in runs.iter().enumerate() {
                    let shown = shown.get(place).map_or(&[][..], Vec::as_slice);
                    keys.extend(shown.iter().filter_map(|number| run.segment_key(*number)));
                    for number in core::iter::once(0).chain(shown.iter().copied()) {
                        pieces.push(run.known(number)?.1);
                    }
                }
                if !keys.is_empty() {
                    ground.segments = self.archive.prove_many(&keys, version)?;
                }
                answer_cut(self.setup, query, text, ground, &pieces, cut, &mut masks)?
            }
        };
        self.complete(query, answer, parts)
    }

    /// An answer with the parts that are asked for, once it holds.
    pub(crate) fn complete(
        &self,
        query: &Query,
        mut answer: Answer,
        parts: &AnswerParts,
    ) -> Result<(Answer, Outcome), TablesError> {
        if parts.certificates {
            let key_box = query.key_box();
            // The other slots show gaps.
            let slots = answer.runs.iter().map(|claim| &claim.slot).filter(|slot| key_box.holds(&slot.key));
            let heads = slots.map(|slot| (&*slot.key, &*slot.value));
            let column = StatedColumn {
                archive: self.archive,
                table: query.table(),
                schema: query.schema(),
                column: query.column(),
                version: answer.version,
            };
            answer.certificates = column.certificates(self.certificates, heads)?;
        }
        let looked_at = if parts.certificates { Certificates::Required } else { Certificates::Ignored };
        let outcome = self.verified(query, &answer, looked_at)?;
        if let Some(root) = &parts.root {
            let proof = AnswerProof {
                dictionary: answer.dictionary,
                scheme: self.archive.parameters().scheme,
                vector_size: self.archive.parameters().vector_size,
                version: answer.version,
                question: Question::key(answer.schema.slot.key.clone()),
                claims: core::iter::once(&answer.schema).chain(&answer.runs).chain(&answer.segments).cloned().collect(),
                folded_opening: None,
                tie: None,
            };
            let form = AnswerForm { together: false, root: Some(root.clone()) };
            answer.tie = self.archive.in_form(proof, &form)?.tie;
        }
        Ok((answer, outcome))
    }

    /// The runs in a query's box, in their order.
    fn runs<'a>(&'a self, query: &'a Query, ground: &Ground) -> Result<Vec<VaultRun<'a>>, TablesError> {
        let moments = query.value_column().map_or(0, |column| usize::from(column.moments));
        let heads: BTreeMap<&Key, &Value> =
            ground.runs.iter().map(|claim| (&claim.slot.key, &claim.slot.value)).collect();
        let of_run = |key: &Key| {
            let head = heads.get(key).ok_or(TablesError::Scan)?;
            let head = Head::without_points(head, moments).map_err(|_| TablesError::NoRows)?;
            Ok(VaultRun::new(self.archive, self.vault, query, ground.version, (key, head)))
        };
        runs_to_open(query, ground).map_err(TablesError::OwnAnswer)?.iter().map(of_run).collect()
    }

    fn verified(&self, query: &Query, answer: &Answer, certificates: Certificates) -> Result<Outcome, TablesError> {
        let commitments = self.archive.commitments(answer.version)?;
        let scheme = self.archive.scheme()?;
        let size = self.archive.version_info(answer.version)?.size;
        let dictionary = answer.dictionary;
        let known = KnownCommitments { dictionary, scheme, version: answer.version, size, commitments: &commitments };
        answer.verify(query, &Trusted::Commitments(known), certificates).map_err(TablesError::OwnAnswer)
    }
}

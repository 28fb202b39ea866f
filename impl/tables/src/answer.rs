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

use aardvark_aggregates::answer::order_prover::answer_order;
use aardvark_aggregates::answer::prover::{Ground, answer_totals, runs_to_open};
use aardvark_aggregates::answer::{Answer, Certificates};
use aardvark_aggregates::query::Function;
use aardvark_aggregates::scan::TableScan;
use aardvark_aggregates::{Head, KnownSegment, MaskSource, Outcome, Query, TableKey};
use aardvark_archive::AnswerForm;
use aardvark_dictionary::root::RootParts;
use aardvark_dictionary::{Key, Value};
use aardvark_proof::{AnswerProof, KnownCommitments, Question, Trusted};

use crate::error::TablesError;
use crate::keeper::{Keeper, schema_of};
use crate::place::SegmentPlace;
use crate::stated::StatedColumn;

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

impl Keeper {
    /// The answer to a query of a table at a version, and what it says. It was verified under the
    /// archive's own commitments. Queries for a row are not answered here, but by [`Keeper::row`].
    ///
    /// # Errors
    /// [`TablesError::NoTable`], [`TablesError::Query`], [`TablesError::RowQuery`],
    /// [`TablesError::NoRows`], [`TablesError::NoCertificate`], [`TablesError::Answer`],
    /// [`TablesError::OwnAnswer`], [`TablesError::Certificates`], [`TablesError::Archive`].
    pub fn answer(
        &self,
        table: &str,
        text: &str,
        version: u64,
        parts: &AnswerParts,
    ) -> Result<(Answer, Outcome), TablesError> {
        let schema = schema_of(&self.archive, table, version)?;
        let schema = schema.ok_or_else(|| TablesError::NoTable(table.to_owned()))?;
        let query = Query::parse(table, text, &schema)?;
        if query.function() == Function::Row {
            return Err(TablesError::RowQuery);
        }
        let ground = self.ground(&query, version)?;
        let segments = self.segments(&query, &ground)?;
        let answer = match query.function() {
            Function::Totals { .. } => answer_totals(&self.setup, &query, text, ground, &segments)?,
            _ => {
                let mut seed = [0; 32];
                getrandom::fill(&mut seed).map_err(|error| TablesError::Random(error.to_string()))?;
                let mut masks = MaskSource::new(seed);
                answer_order(&self.setup, &query, text, ground, &segments, &mut masks)?
            }
        };
        self.complete(&query, answer, parts)
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
                archive: &self.archive,
                table: query.table(),
                schema: query.schema(),
                column: query.column(),
                version: answer.version,
            };
            answer.certificates = column.certificates(&self.certificates, heads)?;
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
                claims: core::iter::once(&answer.schema).chain(&answer.runs).cloned().collect(),
                folded_opening: None,
                tie: None,
            };
            let form = AnswerForm { together: false, root: Some(root.clone()) };
            answer.tie = self.archive.in_form(proof, &form)?.tie;
        }
        Ok((answer, outcome))
    }

    /// What the archive shows for a query: the claim of the schema, and those of the scan.
    fn ground(&self, query: &Query, version: u64) -> Result<Ground, TablesError> {
        let mut keys = vec![Key::from(TableKey::Schema { table: query.table().to_owned() }.to_bytes())];
        let key_box = query.key_box();
        let mut scan = TableScan::new(&key_box);
        while let Some(wanted) = scan.wanted().cloned() {
            let plan = self.archive.plan(core::slice::from_ref(&wanted), &[], version)?;
            let covered = plan.slots().next().map(|slot| scan.step(slot));
            keys.push(wanted);
            match covered {
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return Err(TablesError::Scan),
            }
        }
        let mut claims = self.archive.prove_many(&keys, version)?.into_iter();
        let schema = claims.next().ok_or(TablesError::Scan)?;
        Ok(Ground { dictionary: *self.archive.id(), version, schema, runs: claims.collect(), tie: None })
    }

    /// The rows of the runs in a query's box, in their order.
    fn segments(&self, query: &Query, ground: &Ground) -> Result<Vec<KnownSegment>, TablesError> {
        let moments = query.value_column().map_or(0, |column| usize::from(column.moments));
        let heads: BTreeMap<&Key, &Value> =
            ground.runs.iter().map(|claim| (&claim.slot.key, &claim.slot.value)).collect();
        let of_run = |key: &Key| {
            let head = heads.get(key).ok_or(TablesError::Scan)?;
            let head = Head::from_bytes(head, moments).map_err(|_| TablesError::NoRows)?;
            let place = SegmentPlace { head: key.to_vec(), revision: head.revision, segment: 0 };
            Ok(self.vault.segment(&place)?.ok_or(TablesError::NoRows)?.known(moments))
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

//! Answers of a keeper: what the archive shows of a query's runs, and the numbers that the vault
//! has of them.
//!
//! ```text
//! query -> scan of the box: the slots that cover its cursors, proved by the archive
//!       -> the runs' rows, from the vault -> totals, or a cut with its comparisons, under one opening
//!       -> the answer, verified under the archive's own commitments before it is given
//! ```

use std::collections::BTreeMap;

use aardvark_aggregates::answer::order_prover::answer_order;
use aardvark_aggregates::answer::prover::{Ground, answer_totals, runs_to_open};
use aardvark_aggregates::answer::{Answer, Certificates};
use aardvark_aggregates::query::Function;
use aardvark_aggregates::scan::TableScan;
use aardvark_aggregates::{Head, KnownSegment, MaskSource, Outcome, Query, TableKey};
use aardvark_dictionary::{Key, Value};
use aardvark_proof::{KnownCommitments, Trusted};

use crate::error::TablesError;
use crate::keeper::{Keeper, schema_of};
use crate::place::SegmentPlace;

impl Keeper {
    /// The answer to a query of a table at a version, to be verified under commitments, and what it
    /// says. It was verified under the archive's own. Queries for a row are not answered here.
    ///
    /// # Errors
    /// [`TablesError::NoTable`], [`TablesError::Query`], [`TablesError::RowQuery`],
    /// [`TablesError::NoRows`],
    /// [`TablesError::Answer`], [`TablesError::OwnAnswer`], [`TablesError::Archive`].
    pub fn answer(&self, table: &str, text: &str, version: u64) -> Result<(Answer, Outcome), TablesError> {
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
        let outcome = self.verified(&query, &answer)?;
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

    fn verified(&self, query: &Query, answer: &Answer) -> Result<Outcome, TablesError> {
        let commitments = self.archive.commitments(answer.version)?;
        let scheme = self.archive.scheme()?;
        let size = self.archive.version_info(answer.version)?.size;
        let dictionary = answer.dictionary;
        let known = KnownCommitments { dictionary, scheme, version: answer.version, size, commitments: &commitments };
        answer.verify(query, &Trusted::Commitments(known), Certificates::Ignored).map_err(TablesError::OwnAnswer)
    }
}

//! Rows for their owners: where the rows of an id stand, and the answer that shows one.
//!
//! ```text
//! id -> its places in the vault, of all revisions -> those whose run is in the dictionary at the version
//!    -> the claim of the run, position, number, salt, texts and path -> the answer
//! ```

use std::collections::BTreeMap;

use aardvark_aggregates::answer::prover::{Ground, answer_row};
use aardvark_aggregates::answer::row::path;
use aardvark_aggregates::key_box::KeyBox;
use aardvark_aggregates::query::row_query;
use aardvark_aggregates::{Answer, Head, KeyValue, Outcome, Query, Schema, ShownRow, TableKey, decode_columns};
use aardvark_dictionary::Key;

use crate::answer::{AnswerParts, Answerer};
use crate::error::TablesError;
use crate::keeper::{Keeper, schema_of};
use crate::place::{SegmentPlace, segment_key};
use crate::segments::segment_record;
use crate::vault::RowPlace;

/// A row of an id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundRow {
    /// Where it stands.
    pub place: RowPlace,
    /// The number of its value column.
    pub column: u8,
    /// The values of its key columns.
    pub key: Vec<KeyValue>,
    /// The number of its run among those of the key.
    pub run: u32,
    /// Its number, as far above the column's lowest.
    pub value: u64,
    /// Its texts.
    pub texts: Vec<String>,
    /// The query that it answers.
    pub query: String,
}

impl Keeper {
    /// As [`Answerer::rows_of`], of the newest state.
    ///
    /// # Errors
    /// As there.
    pub fn rows_of(
        &self,
        table: &str,
        id: &str,
        version: u64,
        column: Option<&str>,
        condition: Option<&str>,
    ) -> Result<Vec<FoundRow>, TablesError> {
        self.answerer().rows_of(table, id, version, column, condition)
    }

    /// As [`Answerer::row`], of the newest state.
    ///
    /// # Errors
    /// As there.
    pub fn row(
        &self,
        table: &str,
        row: &FoundRow,
        version: u64,
        parts: &AnswerParts,
    ) -> Result<(Answer, Outcome), TablesError> {
        self.answerer().row(table, row, version, parts)
    }
}

impl Answerer<'_> {
    /// The rows of an id, which is a row's first text, that a version has: in the order of their
    /// columns and keys. A column names only its own; a condition, as it stands behind `where` in a
    /// query, only those of some keys.
    ///
    /// # Errors
    /// [`TablesError::NoTable`], [`TablesError::Query`], [`TablesError::Vault`],
    /// [`TablesError::Archive`].
    pub fn rows_of(
        &self,
        table: &str,
        id: &str,
        version: u64,
        column: Option<&str>,
        condition: Option<&str>,
    ) -> Result<Vec<FoundRow>, TablesError> {
        let schema = schema_of(self.archive, table, version)?;
        let schema = schema.ok_or_else(|| TablesError::NoTable(table.to_owned()))?;
        let boxes = boxes(table, &schema, column, condition)?;
        let mut found = Vec::new();
        for place in self.vault.rows_of(table, id)? {
            let head = &place.segment.head;
            let within = boxes.iter().find(|(_, key_box)| key_box.holds(head));
            if let Some((column, _)) = within
                && let Some(row) = self.found(&schema, *column, &place, id, version)?
            {
                found.push(row);
            }
        }
        Ok(found)
    }

    /// A row, where its run is in the dictionary at the version as the vault has it.
    pub(crate) fn found(
        &self,
        schema: &Schema,
        column: u8,
        place: &RowPlace,
        id: &str,
        version: u64,
    ) -> Result<Option<FoundRow>, TablesError> {
        let moments = schema.values.get(usize::from(column)).map_or(0, |column| usize::from(column.moments));
        let Some(value) = self.archive.get(&Key::from(place.segment.head.as_slice()), version)? else {
            return Ok(None);
        };
        let Ok(head) = Head::without_points(&value, moments) else { return Ok(None) };
        let Ok(TableKey::Head { columns, run, .. }) = TableKey::from_bytes(&place.segment.head, schema) else {
            return Ok(None);
        };
        if head.revision != place.segment.revision {
            return Ok(None);
        }
        let Some(record) = segment_record(self.archive, schema, &place.segment, &head, version)? else {
            return Ok(None);
        };
        let secret = self.vault.segment(&place.segment)?.ok_or(TablesError::NoRows)?;
        let index = place.row as usize;
        let (Some(value), Some(texts)) = (secret.numbers.get(index), secret.texts.get(index)) else { return Ok(None) };
        // A run that was deleted and put again has other rows.
        if texts.first().is_none_or(|first| first != id) || secret.root() != Some(record.root) {
            return Ok(None);
        }
        let Ok(key) = decode_columns(schema, &columns) else { return Ok(None) };
        let Some(query) = row_query(schema, column, &key) else { return Ok(None) };
        Ok(Some(FoundRow { place: place.clone(), column, key, run, value: *value, texts: texts.clone(), query }))
    }

    /// The answer that shows a row to its owner at a version, and what it says. It was verified
    /// under the archive's own commitments.
    ///
    /// # Errors
    /// As [`Answerer::answer`].
    pub fn row(
        &self,
        table: &str,
        row: &FoundRow,
        version: u64,
        parts: &AnswerParts,
    ) -> Result<(Answer, Outcome), TablesError> {
        let schema = schema_of(self.archive, table, version)?;
        let schema = schema.ok_or_else(|| TablesError::NoTable(table.to_owned()))?;
        let query = Query::parse(table, &row.query, &schema)?;
        let SegmentPlace { head, revision, segment } = &row.place.segment;
        let mut keys =
            vec![Key::from(TableKey::Schema { table: table.to_owned() }.to_bytes()), Key::from(head.as_slice())];
        if let (1.., Ok(TableKey::Head { column, columns, run, .. })) = (segment, TableKey::from_bytes(head, &schema)) {
            keys.push(Key::from(segment_key(table, column, &columns, run, *revision, *segment)));
        }
        let mut claims = self.archive.prove_many(&keys, version)?.into_iter();
        let schema = claims.next().ok_or(TablesError::Scan)?;
        let runs = vec![claims.next().ok_or(TablesError::Scan)?];
        let segments = claims.collect();
        let ground = Ground { dictionary: *self.archive.id(), version, schema, runs, segments, tie: None };
        let secret = self.vault.segment(&row.place.segment)?.ok_or(TablesError::NoRows)?;
        let leaves = secret.leaves().ok_or(TablesError::TextTooLong)?;
        let index = row.place.row;
        let position = u32::from(secret.first).checked_add(index).and_then(|at| u16::try_from(at).ok());
        let shown = ShownRow {
            position: position.ok_or(TablesError::NoRows)?,
            value: row.value,
            salt: secret.salt(index),
            texts: row.texts.clone(),
            path: path(&leaves, index as usize),
        };
        let moments = query.value_column().map_or(0, |column| usize::from(column.moments));
        let answer = answer_row(self.setup, &query, &row.query, ground, &secret.known(moments), shown)?;
        self.complete(&query, answer, parts)
    }
}

/// The boxes of the columns that are asked for: by each column's number.
pub(crate) fn boxes(
    table: &str,
    schema: &Schema,
    column: Option<&str>,
    condition: Option<&str>,
) -> Result<BTreeMap<u8, KeyBox>, TablesError> {
    let condition = condition.map_or(String::new(), |condition| format!(" where {condition}"));
    let named = match column {
        Some(name) => vec![name],
        None => schema.values.iter().map(|column| column.name.as_str()).collect(),
    };
    let parsed = named.into_iter().map(|name| {
        let query = Query::parse(table, &format!("row({name}){condition}"), schema)?;
        Ok((query.column(), query.key_box()))
    });
    parsed.collect()
}

//! Rows for owners who ask from afar: a row is shown to who knows its id and its tag.
//!
//! ```text
//! id -> the id's places in the vault's index; of an id that there is not, those of the id behind it
//!    -> those in the asked box: candidates, each read as a row of the version
//!    -> the rows whose id and tag are the asked ones, compared by their digests in constant time
//! ```
//!
//! Whoever has a wrong tag, and whoever asks for an id that there is not, has the same answer:
//! none. An id that there is not costs what another one costs, since the rows of that other one are
//! read in its place; so neither answers nor their cost tell ids that there are from others, up to
//! the number of an id's rows, which is that of its neighbour.

use aardvark_aggregates::{Head, Schema};
use aardvark_algebra::tagged_hash;
use aardvark_dictionary::Key;
use subtle::{Choice, ConstantTimeEq};

use crate::answer::Answerer;
use crate::error::TablesError;
use crate::keeper::schema_of;
use crate::rows::{FoundRow, boxes};
use crate::vault::RowPlace;

/// The fewest bytes of a tag: a row with a shorter one is shown to nobody from afar.
pub const LEAST_TAG: usize = 16;
/// The most places of an id that are looked at.
pub const MOST_PLACES: usize = 1 << 16;
/// Domain separation tag of the digests that are compared.
const COMPARED_TAG: &str = "AARDVARK-V1-TABLE-OWNER";

/// What an owner asks for.
#[derive(Clone, Copy, Debug)]
pub struct OwnerAsked<'a> {
    /// The table.
    pub table: &'a str,
    /// The row's id: its first text.
    pub id: &'a str,
    /// Its tag: the text of the tag's column.
    pub tag: &'a str,
    /// The row column of tags, which is not the first.
    pub tag_column: &'a str,
    /// Only rows of this value column.
    pub column: Option<&'a str>,
    /// Only rows with such keys, as behind `where` in a query.
    pub condition: Option<&'a str>,
    /// The version.
    pub version: u64,
}

/// Rows that may be the asked ones, of which nothing was compared.
#[derive(Clone, Debug)]
pub struct Candidates {
    schema: Schema,
    /// The number of the tag's column.
    tag_column: usize,
    /// The id whose places these are.
    id: String,
    /// Whether it is the asked one.
    is_asked: bool,
    /// Each with the number of its value column.
    places: Vec<(u8, RowPlace)>,
}

impl Candidates {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The table's schema.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The keys of the heads of their runs, in ascending order, each once.
    pub fn heads(&self) -> Vec<&[u8]> {
        let mut heads: Vec<&[u8]> = self.places.iter().map(|(_, place)| place.segment.head.as_slice()).collect();
        heads.sort_unstable();
        heads.dedup();
        heads
    }
}

impl Answerer<'_> {
    /// The candidates for what an owner asks; `None` where the table has no such column of tags.
    ///
    /// # Errors
    /// [`TablesError::NoTable`], [`TablesError::Query`], [`TablesError::PlacesExceeded`],
    /// [`TablesError::Vault`], [`TablesError::Archive`].
    pub fn candidates(&self, asked: &OwnerAsked<'_>) -> Result<Option<Candidates>, TablesError> {
        let OwnerAsked { table, id, tag_column, column, condition, version, .. } = *asked;
        let schema = schema_of(self.archive, table, version)?;
        let schema = schema.ok_or_else(|| TablesError::NoTable(table.to_owned()))?;
        let boxes = boxes(table, &schema, column, condition)?;
        let Some(tag_column) = schema.rows.iter().position(|name| name == tag_column).filter(|place| *place > 0) else {
            return Ok(None);
        };
        let found = self.vault.rows_of_or_behind(table, id, MOST_PLACES)?;
        if found.places.len() >= MOST_PLACES {
            return Err(TablesError::PlacesExceeded(MOST_PLACES));
        }
        let within = |place: RowPlace| {
            let (column, _) = boxes.iter().find(|(_, key_box)| key_box.holds(&place.segment.head))?;
            Some((*column, place))
        };
        let places = found.places.into_iter().filter_map(within).collect();
        let is_asked = found.id == id;
        Ok(Some(Candidates { schema, tag_column, id: found.id, is_asked, places }))
    }

    /// The most bytes that the vault has of a candidate's segment: texts and numbers.
    ///
    /// # Errors
    /// [`TablesError::Vault`].
    pub fn longest_candidate(&self, candidates: &Candidates) -> Result<usize, TablesError> {
        let mut longest = 0;
        for (_, place) in &candidates.places {
            longest = longest.max(self.vault.segment_bytes(&place.segment)?);
        }
        Ok(longest)
    }

    /// The head of a candidate's run at the version, where the dictionary has it.
    ///
    /// # Errors
    /// [`TablesError::Archive`].
    pub fn head_of(&self, schema: &Schema, head: &[u8], version: u64) -> Result<Option<(Key, Head)>, TablesError> {
        let key = Key::from(head);
        let Ok(aardvark_aggregates::TableKey::Head { column, .. }) =
            aardvark_aggregates::TableKey::from_bytes(head, schema)
        else {
            return Ok(None);
        };
        let moments = schema.values.get(usize::from(column)).map_or(0, |column| usize::from(column.moments));
        let value = self.archive.get(&key, version)?;
        Ok(value.and_then(|value| Head::from_bytes(&value, moments).ok()).map(|head| (key, head)))
    }

    /// The candidates that are the owner's, in the order of their columns and keys.
    ///
    /// # Errors
    /// [`TablesError::Vault`], [`TablesError::NoRows`], [`TablesError::Archive`].
    pub fn owned(&self, candidates: &Candidates, asked: &OwnerAsked<'_>) -> Result<Vec<FoundRow>, TablesError> {
        let tag = compared(asked.tag);
        let mut owned = Vec::new();
        for (column, place) in &candidates.places {
            let Some(row) = self.found(&candidates.schema, *column, place, &candidates.id, asked.version)? else {
                continue;
            };
            let own = row.texts.get(candidates.tag_column).map_or("", String::as_str);
            let is_tag = compared(own).ct_eq(&tag) & Choice::from(u8::from(own.len() >= LEAST_TAG));
            if bool::from(is_tag & Choice::from(u8::from(candidates.is_asked))) {
                owned.push(row);
            }
        }
        Ok(owned)
    }
}

/// What is compared of a tag: a digest, so that its length does not show either.
fn compared(tag: &str) -> [u8; 32] {
    tagged_hash(COMPARED_TAG, tag.as_bytes())
}

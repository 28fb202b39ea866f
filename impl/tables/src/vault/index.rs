//! Look-ups that read little: rows by ids that there may not be, and what segments begin with.

use std::ops::Bound;

use aardvark_archive::store::{Entry, Table};

use super::{RowPlace, SegmentSecret, Vault, VaultError, id_prefix, read_row_place, segment_key, table_prefix};
use crate::place::SegmentPlace;

/// Where the rows of an id stand.
pub(crate) struct PlacesOfId {
    /// The id.
    pub(crate) id: String,
    /// The places.
    pub(crate) places: Vec<RowPlace>,
}

impl Vault {
    /// Where the rows of an id stand, at most so many of them; of an id that no row has, those of
    /// the one behind it in the index, and behind the last one those of the first.
    ///
    /// # Errors
    /// [`VaultError`].
    pub(crate) fn rows_of_or_behind(&self, table: &str, id: &str, most: usize) -> Result<PlacesOfId, VaultError> {
        let of_table = table_prefix(table);
        let prefix = id_prefix(table, id);
        let read = self.store.read()?;
        let mut behind = read.range(Table::Meta, (Bound::Included(&prefix), Bound::Unbounded))?;
        let is_of_table = |entry: &Entry| entry.0.starts_with(&of_table);
        let first = match behind.next().transpose()?.filter(is_of_table) {
            Some(entry) => Some(entry),
            None => read.range(Table::Meta, (Bound::Included(&of_table), Bound::Unbounded))?.next().transpose()?,
        };
        let damaged = VaultError::Damaged("a row's place");
        let id = match first.filter(is_of_table) {
            Some((key, _)) => key.get(of_table.len()..).and_then(read_id).ok_or(damaged)?,
            None => return Ok(PlacesOfId { id: String::new(), places: Vec::new() }),
        };
        let prefix = id_prefix(table, &id);
        let mut places = Vec::new();
        for entry in read.range(Table::Meta, (Bound::Included(&prefix), Bound::Unbounded))?.take(most) {
            let (key, _) = entry?;
            let Some(place) = key.strip_prefix(prefix.as_slice()) else { break };
            places.push(read_row_place(place).ok_or(VaultError::Damaged("a row's place"))?);
        }
        Ok(PlacesOfId { id, places })
    }

    /// The number of a segment's first row, of which nothing else is decoded; `None` where there is
    /// no secret of it.
    ///
    /// # Errors
    /// [`VaultError`].
    pub(crate) fn first_number(&self, place: &SegmentPlace) -> Result<Option<u64>, VaultError> {
        let found = self.store.read()?.get(Table::Meta, &segment_key(place))?;
        let first =
            |bytes: Vec<u8>| SegmentSecret::first_number(&bytes).ok_or(VaultError::Damaged("a segment's secret"));
        found.map(first).transpose()
    }

    /// How many bytes the secret of a segment has; none where there is none.
    ///
    /// # Errors
    /// [`VaultError`].
    pub(crate) fn segment_bytes(&self, place: &SegmentPlace) -> Result<usize, VaultError> {
        Ok(self.store.read()?.get(Table::Meta, &segment_key(place))?.map_or(0, |bytes| bytes.len()))
    }
}

/// The id of an entry of the index, from behind its table.
fn read_id(bytes: &[u8]) -> Option<String> {
    let (length, rest) = bytes.split_first_chunk::<2>()?;
    let id = rest.get(..usize::from(u16::from_be_bytes(*length)))?;
    String::from_utf8(id.to_vec()).ok()
}

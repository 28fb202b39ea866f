//! An archive that reads what another one writes to the same store: it moves on to the newest
//! version, and what it holds of openings follows.
//!
//! What a version wrote is read from the store: the positions that it replaced and what stood
//! there, which are kept within retention, and the positions that it appended. So nothing but the
//! store has to be passed from the writer to its readers.

use std::collections::HashSet;
use std::sync::Arc;

use aardvark_dictionary::array::Write;

use crate::archive::Archive;
use crate::array_at::ArrayAt;
use crate::error::{ArchiveError, Damage, Place};
use crate::tables::Tables;

impl Archive {
    /// Moves on to the newest version that the store has, which somebody else wrote, and says which
    /// that is. Held openings follow every version in between; where some of those cannot be read
    /// any more, nothing is held afterwards. A store that shows an older version than before, as a
    /// late copy does, changes nothing.
    ///
    /// # Errors
    /// [`ArchiveError::Store`], [`ArchiveError::Damaged`]; the archive then is at the version
    /// before, and holds nothing.
    pub fn catch_up(&mut self) -> Result<u64, ArchiveError> {
        let tables = Tables::of(self.store.read()?);
        let newest = tables.newest_version()?;
        if newest <= self.version() {
            return Ok(self.version());
        }
        let info = tables.version(newest)?;
        if self.version() < newest.saturating_sub(self.retention()) {
            self.hold_nothing(newest);
        } else if let Err(error) = self.follow_versions(&tables, newest) {
            self.hold_nothing(self.version());
            return Err(error);
        }
        self.validator = None;
        self.move_to_state(tables.state(), newest, info);
        Ok(newest)
    }

    /// Brings what is held from this version to a newer one of the store.
    fn follow_versions(&self, tables: &Tables<'_>, newest: u64) -> Result<(), ArchiveError> {
        let oldest = newest.saturating_sub(self.retention());
        for version in self.version() + 1..=newest {
            let followed = self.openings.begin(version);
            let writes = self.writes_of(tables, (version, newest), &followed)?;
            self.openings.follow(version, &followed, &writes, oldest);
        }
        Ok(())
    }

    /// What a version wrote in some vectors, ascending by position.
    fn writes_of(
        &self,
        tables: &Tables<'_>,
        (version, newest): (u64, u64),
        followed: &HashSet<u64>,
    ) -> Result<Vec<Write>, ArchiveError> {
        if followed.is_empty() {
            return Ok(Vec::new());
        }
        let vector_size = self.parameters().positions_per_vector();
        let array = ArrayAt::new(tables, version, newest)?;
        let (before, after) = (tables.version(version - 1)?.size, tables.version(version)?.size);
        let content = |position| (position < after).then(|| array.slot(position)).transpose();
        let mut writes = Vec::new();
        for position in tables.written(version)? {
            let position = position?;
            if followed.contains(&(position / vector_size)) {
                let replaced = tables.replaced_slot(position, version)?;
                let replaced = replaced.ok_or_else(|| Damage::missing(Place::PastSlot { position, version }))?;
                writes.push(Write { position, before: Some(replaced.slot), after: content(position)? });
            }
        }
        let grown = before / vector_size..after.max(before).div_ceil(vector_size);
        for vector in grown.filter(|vector| followed.contains(vector)) {
            let start = vector * vector_size;
            for position in start.max(before)..after.min(start + vector_size) {
                writes.push(Write { position, before: None, after: content(position)? });
            }
        }
        Ok(writes)
    }

    fn hold_nothing(&mut self, version: u64) {
        let openings = Arc::new(self.openings.emptied(version));
        self.set_openings(openings);
    }
}

//! The window: what a validator remembers of the last W versions
//! (`aardvark_spec::dictionary::window`, docs/design.md, section 5).
//!
//! A claim made at version v is *current* at t when its position was not written in v + 1..=t. One
//! that is not current is dropped: by window completeness the slot that decides instead was itself
//! written in the window.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::ops::Bound;
use std::sync::Arc;

use aardvark_algebra::integers::u64_of_usize;
use aardvark_commitment::Commitment;

use crate::data::slot::Slot;
use crate::state::by_key::{ByKey, InKeyOrder, Sought};
pub use crate::state::record::VersionRecord;
use crate::state::record::{Record, SlotRef, Written};

/// The entries of the W latest versions, and their latest writes by position and by key.
#[derive(Clone, Debug)]
pub struct Window {
    width: u64,
    records: VecDeque<Arc<Record>>,
    /// The latest write of each position that was written.
    written: HashMap<u64, Written>,
    /// Those of them that left the position in use.
    starts: BTreeSet<ByKey>,
    /// For each vector that the entries wrote, their versions, ascending: commitments of the past
    /// are found in O(log W), however long the window.
    vector_writes: HashMap<u64, VecDeque<u64>>,
}

/// The entries determine all else.
impl PartialEq for Window {
    fn eq(&self, other: &Self) -> bool {
        self.width == other.width && self.records == other.records
    }
}

impl Eq for Window {}

impl Window {
    /// An empty window of W = `width` versions.
    pub fn new(width: u32) -> Self {
        Self {
            width: width.into(),
            records: VecDeque::new(),
            written: HashMap::new(),
            starts: BTreeSet::new(),
            vector_writes: HashMap::new(),
        }
    }

    /// The entries, oldest first, each made from the bytes that the window keeps of it.
    pub fn entries(&self) -> impl DoubleEndedIterator<Item = VersionRecord> + ExactSizeIterator {
        self.records.iter().map(|record| VersionRecord::from(record.as_ref()))
    }

    /// The entries as they are kept, oldest first.
    pub(crate) fn records(&self) -> impl ExactSizeIterator<Item = &Record> {
        self.records.iter().map(Arc::as_ref)
    }

    /// What a position written in the window holds now, where it was written: a slot, or nothing.
    pub fn content_at(&self, position: u64) -> Option<Option<Slot>> {
        self.written.get(&position).map(|write| write.content().map(SlotRef::to_slot))
    }

    /// The position and slot, written in the window and in use now, that covers `key`.
    pub fn covering(&self, key: &[u8]) -> Option<(u64, Slot)> {
        self.greatest(Bound::Included(key), |slot| slot.covers(key))
    }

    /// The position and slot, written in the window and in use now, that precedes `key`, a key that
    /// is not empty.
    pub fn preceding(&self, key: &[u8]) -> Option<(u64, Slot)> {
        self.greatest(Bound::Excluded(key), |slot| slot.precedes(key))
    }

    /// The slot with the greatest key within a bound, if it is the one that is looked for: of the
    /// slots of a well-formed array no other can be.
    fn greatest(&self, upper: Bound<&[u8]>, is_it: impl Fn(SlotRef<'_>) -> bool) -> Option<(u64, Slot)> {
        let sought = upper.map(Sought::new);
        let upper = sought.as_ref().map(|sought| sought as &dyn InKeyOrder);
        let write = self.starts.range::<dyn InKeyOrder, _>((Bound::Unbounded, upper)).next_back()?.write();
        let (position, content) = write.read()?;
        content.filter(|slot| is_it(*slot)).map(|slot| (position, slot.to_slot()))
    }

    /// Whether a claim of version `version` for `position` still says what stands there.
    #[must_use]
    pub fn is_current(&self, version: u64, position: u64) -> bool {
        self.written.get(&position).is_none_or(|write| write.version() <= version)
    }

    /// Number of slots at `version`, which must be in the window; `size` is the number now.
    pub fn size_at(&self, version: u64, size: u64) -> u64 {
        self.record_of(version.saturating_add(1)).map_or(size, |record| record.previous_size)
    }

    /// The commitment of a vector at `version`, which must be in the window; `now` is the one now.
    /// `None` where the vector did not exist.
    pub fn commitment_at(&self, version: u64, vector: u64, now: Option<Commitment>) -> Option<Commitment> {
        let written = self
            .vector_writes
            .get(&vector)
            .and_then(|versions| versions.get(versions.partition_point(|written| *written <= version)));
        let record = written.and_then(|written| self.record_of(*written));
        record.and_then(|record| record.previous_commitment(vector)).unwrap_or(now)
    }

    /// Enters the version after the last one entered, and forgets the one that leaves the window.
    pub fn push(&mut self, entry: VersionRecord) {
        self.push_record(Record::from(&entry));
    }

    /// [`Window::push`] of an entry that is packed already.
    pub(crate) fn push_record(&mut self, record: Record) {
        if self.width == 0 {
            return;
        }
        let record = Arc::new(record);
        Written::all(&record).for_each(|write| self.enter(write));
        for (vector, _) in record.previous_commitments() {
            self.vector_writes.entry(*vector).or_default().push_back(record.version);
        }
        self.records.push_back(record);
        if u64_of_usize(self.records.len()) > self.width
            && let Some(oldest) = self.records.pop_front()
        {
            self.forget(&oldest);
        }
    }

    /// A key that moves may stand at two positions for a moment: the look-up by key follows the one
    /// entered last.
    fn enter(&mut self, write: Written) {
        if let Some(old) = self.written.insert(write.position(), write.clone()) {
            self.forget_key(&old);
        }
        if write.is_used() {
            self.starts.replace(ByKey::new(write));
        }
    }

    fn forget(&mut self, oldest: &Arc<Record>) {
        for write in Written::all(oldest) {
            let position = write.position();
            if self.written.get(&position).is_some_and(|latest| latest.is_of(oldest)) {
                self.written.remove(&position);
                self.forget_key(&write);
            }
        }
        for (vector, _) in oldest.previous_commitments() {
            if let Some(versions) = self.vector_writes.get_mut(vector) {
                versions.pop_front();
                if versions.is_empty() {
                    self.vector_writes.remove(vector);
                }
            }
        }
    }

    /// Takes a write out of the look-up by key, unless its key has moved on.
    fn forget_key(&mut self, write: &Written) {
        let sought = Sought::new(write.key());
        let sought: &dyn InKeyOrder = &sought;
        if self.starts.get(sought).is_some_and(|known| known.write().is(write)) {
            self.starts.remove(sought);
        }
    }

    /// The record of a version; versions in the window follow each other.
    fn record_of(&self, version: u64) -> Option<&Record> {
        let oldest = self.records.front()?.version;
        let place = usize::try_from(version.checked_sub(oldest)?).ok()?;
        self.records.get(place).map(Arc::as_ref)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::data::bytes::Key;

    fn slot(key: &str) -> Option<Slot> {
        Some(Slot { key: key.into(), value: "".into(), next: "".into() })
    }

    fn entry(version: u64, writes: &[(u64, Option<Slot>)]) -> VersionRecord {
        let previous_commitments = BTreeMap::from([(version, None)]);
        VersionRecord { version, previous_size: 10 * (version - 1), writes: writes.to_vec(), previous_commitments }
    }

    #[test]
    fn a_claim_is_current_until_its_position_is_written_later() {
        let mut window = Window::new(2);
        window.push(entry(1, &[(5, slot("a"))]));
        window.push(entry(2, &[(6, slot("b"))]));
        assert!(!window.is_current(0, 5) && window.is_current(1, 5) && window.is_current(2, 5));
        assert!(!window.is_current(1, 6) && window.is_current(2, 6));
        assert!(window.is_current(0, 7));
    }

    #[test]
    fn a_version_that_leaves_takes_only_its_own_latest_writes_along() {
        let mut window = Window::new(2);
        window.push(entry(1, &[(5, slot("a")), (6, slot("b"))]));
        window.push(entry(2, &[(6, slot("c"))]));
        window.push(entry(3, &[(7, None)]));
        assert!(window.covering(b"a").is_none());
        assert_eq!([5, 6, 7].map(|position| window.content_at(position)), [None, Some(slot("c")), Some(None)]);
        assert_eq!(window.entries().len(), 2);
    }

    #[test]
    fn sizes_and_commitments_of_past_versions_are_found() {
        let mut window = Window::new(3);
        window.push(entry(1, &[]));
        window.push(entry(2, &[]));
        assert_eq!([0, 1, 2].map(|version| window.size_at(version, 99)), [0, 10, 99]);
        let now = Some(Commitment::identity());
        assert_eq!(window.commitment_at(1, 2, now), None);
        assert_eq!(window.commitment_at(2, 2, now), now);
        assert_eq!(window.commitment_at(0, 7, now), now);
    }

    /// The twin of [`Window::commitment_at`]: the first entry after the version that wrote the
    /// vector says what it was.
    fn naive_commitment_at(window: &Window, version: u64, vector: u64, now: Option<Commitment>) -> Option<Commitment> {
        let after = window.entries().skip_while(|entry| entry.version <= version);
        after.filter_map(|entry| entry.previous_commitments.get(&vector).copied()).next().unwrap_or(now)
    }

    #[test]
    fn commitments_of_the_past_are_those_that_a_walk_through_the_entries_finds() {
        let now = Some(Commitment::identity());
        let mut window = Window::new(5);
        for version in 1..40u64 {
            // Which vectors a version writes, and whether they existed before, varies with the
            // version.
            let vectors = (0..6).filter(|vector| (version * 7 + vector * 5) % 4 < 2);
            let previous_commitments =
                vectors.map(|vector| (vector, now.filter(|_| (version + vector) % 3 > 0))).collect();
            window.push(VersionRecord { version, previous_size: version, writes: Vec::new(), previous_commitments });
            for past in version.saturating_sub(5)..=version {
                for vector in 0..8 {
                    let naive = naive_commitment_at(&window, past, vector, now);
                    assert_eq!(window.commitment_at(past, vector, now), naive, "{vector} at {past} of {version}");
                }
            }
        }
        assert_eq!(window.vector_writes.values().flatten().filter(|version| **version < 35).count(), 0);
    }

    /// Keys that begin alike, short ones, and the empty one.
    fn key_of(position: u64) -> Key {
        match position % 3 {
            0 => Key::from(vec![0; position as usize / 3]),
            1 => Key::from(format!("aardvark {position}").as_str()),
            _ => Key::from(format!("{position}").as_str()),
        }
    }

    #[test]
    fn slots_are_found_by_position_and_key_as_a_walk_through_all_entries_finds_them() {
        const POSITIONS: u64 = 40;
        let mut window = Window::new(4);
        for version in 1..60u64 {
            let slot = |position: u64| Slot {
                key: key_of(position),
                value: "".into(),
                next: key_of((position * 5 + version) % POSITIONS),
            };
            let written = (0..POSITIONS).filter(|position| (version * 7 + position * 5) % 3 == 0);
            let used = |position| (version + position) % 4 > 0;
            let writes: Vec<_> = written.map(|position| (position, used(position).then(|| slot(position)))).collect();
            window.push(entry(version, &writes));
            let latest: BTreeMap<u64, Option<Slot>> = window.entries().flat_map(|entry| entry.writes).collect();
            let greatest = |is_below: &dyn Fn(&Key) -> bool| {
                let slots = latest.iter().filter_map(|(position, slot)| Some((*position, slot.clone()?)));
                slots.filter(|(_, slot)| is_below(&slot.key)).max_by(|a, b| a.1.key.cmp(&b.1.key))
            };
            for key in (0..POSITIONS).map(key_of) {
                let covering = greatest(&|below| *below <= key).filter(|(_, slot)| slot.covers(&key));
                let preceding = greatest(&|below| *below < key).filter(|(_, slot)| slot.precedes(&key));
                assert_eq!(window.covering(&key), covering, "{key} at {version}");
                assert_eq!(window.preceding(&key), preceding, "{key} at {version}");
            }
            assert!((0..POSITIONS).all(|position| window.content_at(position) == latest.get(&position).cloned()));
        }
    }

    #[test]
    fn a_window_of_width_zero_remembers_nothing() {
        let mut window = Window::new(0);
        window.push(entry(1, &[(5, slot("a"))]));
        assert!(window.entries().len() == 0 && window.content_at(5).is_none());
    }
}

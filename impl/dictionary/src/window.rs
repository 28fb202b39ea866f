//! The window: what a validator remembers of the last W versions (`aardvark_spec::window`, design section 5).
//!
//! A claim made at version v is *current* at t when its position was not written in v + 1..=t. One that is not
//! current is dropped: by window completeness the slot that decides instead was itself written in the window.

use std::collections::{BTreeMap, HashMap, VecDeque};

use aardvark_commitment::Commitment;

use crate::array::Write;
use crate::slot::Slot;
use crate::slot_map::SlotMap;

/// What one version wrote, and what it took away from the version before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WindowEntry {
    /// The version, u.
    pub version: u64,
    /// Number of slots at u - 1.
    pub previous_size: u64,
    /// Positions written in u, ascending, with their content at u; `None` is unused.
    pub writes: Vec<(u64, Option<Slot>)>,
    /// The vectors written in u with their commitment at u - 1; `None` where they did not exist.
    pub previous_commitments: BTreeMap<u64, Option<Commitment>>,
}

/// The entries of the W latest versions, and their latest writes by position and by key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    width: u64,
    entries: VecDeque<WindowEntry>,
    written: HashMap<u64, u64>,
    latest: SlotMap,
    /// For each vector that the entries wrote, their versions, ascending: commitments of the past are found in
    /// O(log W), however long the window.
    vector_writes: HashMap<u64, VecDeque<u64>>,
}

impl Window {
    /// An empty window of W = `width` versions.
    pub fn new(width: u32) -> Self {
        let (written, vector_writes) = (HashMap::new(), HashMap::new());
        Self { width: width.into(), entries: VecDeque::new(), written, latest: SlotMap::default(), vector_writes }
    }

    /// The entries, oldest first.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = &WindowEntry> {
        self.entries.iter()
    }

    /// The latest content of positions written in the window and in use now.
    pub fn latest(&self) -> &SlotMap {
        &self.latest
    }

    /// Whether a position was written in the window.
    pub fn is_written(&self, position: u64) -> bool {
        self.written.contains_key(&position)
    }

    /// Whether a claim of version `version` for `position` still says what stands there.
    pub fn is_current(&self, version: u64, position: u64) -> bool {
        self.written.get(&position).is_none_or(|written| *written <= version)
    }

    /// Number of slots at `version`, which must be in the window; `size` is the number now.
    pub fn size_at(&self, version: u64, size: u64) -> u64 {
        self.entry_of(version.saturating_add(1)).map_or(size, |entry| entry.previous_size)
    }

    /// The commitment of a vector at `version`, which must be in the window; `now` is the one now. `None` where the
    /// vector did not exist.
    pub fn commitment_at(&self, version: u64, vector: u64, now: Option<Commitment>) -> Option<Commitment> {
        let written = self
            .vector_writes
            .get(&vector)
            .and_then(|versions| versions.get(versions.partition_point(|written| *written <= version)));
        let entry = written.and_then(|written| self.entry_of(*written));
        entry.and_then(|entry| entry.previous_commitments.get(&vector)).copied().unwrap_or(now)
    }

    /// Enters the version after the last one entered, and forgets the one that leaves the window.
    pub fn push(&mut self, entry: WindowEntry) {
        if self.width == 0 {
            return;
        }
        for (position, slot) in &entry.writes {
            self.written.insert(*position, entry.version);
            self.latest.set(*position, slot.clone());
        }
        for vector in entry.previous_commitments.keys() {
            self.vector_writes.entry(*vector).or_default().push_back(entry.version);
        }
        self.entries.push_back(entry);
        if u64::try_from(self.entries.len()).unwrap_or(u64::MAX) > self.width
            && let Some(oldest) = self.entries.pop_front()
        {
            self.forget(&oldest);
        }
    }

    fn forget(&mut self, oldest: &WindowEntry) {
        for (position, _) in &oldest.writes {
            if self.written.get(position) == Some(&oldest.version) {
                self.written.remove(position);
                self.latest.set(*position, None);
            }
        }
        for vector in oldest.previous_commitments.keys() {
            if let Some(versions) = self.vector_writes.get_mut(vector) {
                versions.pop_front();
                if versions.is_empty() {
                    self.vector_writes.remove(vector);
                }
            }
        }
    }

    /// The entry of a version; versions in the window follow each other.
    fn entry_of(&self, version: u64) -> Option<&WindowEntry> {
        let oldest = self.entries.front()?.version;
        let place = usize::try_from(version.checked_sub(oldest)?).ok()?;
        self.entries.get(place)
    }
}

impl Write {
    pub(crate) fn to_window(&self) -> (u64, Option<Slot>) {
        (self.position, self.after.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slot(key: &str) -> Option<Slot> {
        Some(Slot { key: key.into(), value: "".into(), next: "".into() })
    }

    fn entry(version: u64, writes: &[(u64, Option<Slot>)]) -> WindowEntry {
        let previous_commitments = BTreeMap::from([(version, None)]);
        WindowEntry { version, previous_size: 10 * (version - 1), writes: writes.to_vec(), previous_commitments }
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
        assert!(!window.is_written(5) && window.is_written(6) && window.is_written(7));
        assert!(window.latest().covering(b"a").is_none());
        assert_eq!(window.latest().get(6), slot("c").as_ref());
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

    /// The twin of [`Window::commitment_at`]: the first entry after the version that wrote the vector says what it was.
    fn naive_commitment_at(window: &Window, version: u64, vector: u64, now: Option<Commitment>) -> Option<Commitment> {
        let after = window.entries().skip_while(|entry| entry.version <= version);
        after.filter_map(|entry| entry.previous_commitments.get(&vector)).next().copied().unwrap_or(now)
    }

    #[test]
    fn commitments_of_the_past_are_those_that_a_walk_through_the_entries_finds() {
        let now = Some(Commitment::identity());
        let mut window = Window::new(5);
        for version in 1..40u64 {
            // Which vectors a version writes, and whether they existed before, varies with the version.
            let vectors = (0..6).filter(|vector| (version * 7 + vector * 5) % 4 < 2);
            let previous_commitments =
                vectors.map(|vector| (vector, now.filter(|_| (version + vector) % 3 > 0))).collect();
            window.push(WindowEntry { version, previous_size: version, writes: Vec::new(), previous_commitments });
            for past in version.saturating_sub(5)..=version {
                for vector in 0..8 {
                    let naive = naive_commitment_at(&window, past, vector, now);
                    assert_eq!(window.commitment_at(past, vector, now), naive, "{vector} at {past} of {version}");
                }
            }
        }
        assert_eq!(window.vector_writes.values().flatten().filter(|version| **version < 35).count(), 0);
    }

    #[test]
    fn a_window_of_width_zero_remembers_nothing() {
        let mut window = Window::new(0);
        window.push(entry(1, &[(5, slot("a"))]));
        assert!(window.entries().len() == 0 && !window.is_written(5));
    }
}

//! The scalars of vectors that were opened lately, at the newest version, and single openings.
//!
//! An opening that is not held is computed from all scalars of its vector, and reading and hashing
//! their slots takes about as long as the sum over them. So the scalars are kept, and what a
//! version changes is added to them. The openings that were computed from them are kept as well,
//! a few of each vector, with a log of what has changed since: so is that of a slot which every
//! second answer shows, while the others come and go.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use aardvark_algebra::Scalar;
use aardvark_algebra::ff::Field;
use aardvark_algebra::integers::usize_of_u32;
use aardvark_commitment::Opening;

use super::log::{Delta, DeltaLog};

/// Openings of one vector at most.
const MOST_OPENINGS: usize = 8;

/// An opening of an earlier version, and what the scalars have changed by since.
pub(super) type Kept = (Opening, Vec<(usize, Scalar)>);

/// The scalars of some vectors, all at one version; those that were asked for longest ago give way.
#[derive(Debug, Default)]
pub(super) struct HeldScalars {
    /// The version of all; `None` while they are brought to the next one.
    version: Option<u64>,
    vectors: HashMap<u64, Held>,
    /// Most bytes of scalars.
    most: usize,
    bytes: usize,
    /// Counts asks.
    clock: u64,
}

#[derive(Debug)]
struct Held {
    scalars: Arc<Vec<Scalar>>,
    /// By their indices.
    openings: BTreeMap<usize, Single>,
    /// Not longer than there are scalars.
    log: DeltaLog,
    asked: u64,
}

/// An opening of a version, which the log of its vector reaches.
#[derive(Debug)]
struct Single {
    opening: Opening,
    version: u64,
    asked: u64,
}

impl Held {
    fn bytes(&self) -> usize {
        let openings = self.openings.len() * size_of::<(usize, Single)>();
        size_of_val(self.scalars.as_slice()) + self.log.bytes() + openings
    }

    /// Forgets all openings.
    fn forget_openings(&mut self, version: u64) {
        self.openings.clear();
        self.log = DeltaLog::new(version, Vec::new());
    }
}

impl HeldScalars {
    /// None, at a version, with room for so many bytes.
    pub(super) fn new(version: u64, most: usize) -> Self {
        Self { version: Some(version), most, ..Self::default() }
    }

    /// The scalars of a vector at a version, where they are held.
    pub(super) fn get(&mut self, vector: u64, version: u64) -> Option<Arc<Vec<Scalar>>> {
        if self.version != Some(version) {
            return None;
        }
        self.clock += 1;
        let held = self.vectors.get_mut(&vector)?;
        held.asked = self.clock;
        Some(Arc::clone(&held.scalars))
    }

    /// Keeps the scalars of a vector at a version, if this is the version of all and they are not
    /// held yet.
    pub(super) fn hold(&mut self, vector: u64, version: u64, scalars: Arc<Vec<Scalar>>) {
        if self.version != Some(version) || self.holds(vector) {
            return;
        }
        self.clock += 1;
        let (openings, log) = (BTreeMap::new(), DeltaLog::new(version, Vec::new()));
        let held = Held { scalars, openings, log, asked: self.clock };
        self.bytes += held.bytes();
        self.vectors.insert(vector, held);
        self.shrink();
    }

    /// What is kept of the openings of a vector at some indices, at a version.
    pub(super) fn kept(&self, vector: u64, version: u64, indices: &[usize]) -> Vec<Option<Kept>> {
        let held = self.vectors.get(&vector).filter(|_| self.version == Some(version));
        let kept = |index: &usize| {
            let single = held?.openings.get(index)?;
            Some((single.opening, held?.log.between(single.version, version)))
        };
        indices.iter().map(kept).collect()
    }

    /// Keeps openings of a vector at a version, if this is the version of all: the first few of
    /// them, and of too many those that were asked for longest ago go.
    pub(super) fn keep(&mut self, vector: u64, version: u64, openings: impl Iterator<Item = (usize, Opening)>) {
        self.clock += 1;
        let asked = self.clock;
        let Some(held) = self.vectors.get_mut(&vector).filter(|_| self.version == Some(version)) else { return };
        self.bytes -= held.bytes();
        let singles = openings.map(|(index, opening)| (index, Single { opening, version, asked }));
        held.openings.extend(singles.take(MOST_OPENINGS));
        while held.openings.len() > MOST_OPENINGS {
            let oldest = held.openings.iter().min_by_key(|(_, single)| single.asked).map(|(index, _)| *index);
            let Some(oldest) = oldest else { break };
            held.openings.remove(&oldest);
        }
        held.asked = asked;
        let needed = held.openings.values().map(|single| single.version).min().unwrap_or(version);
        held.log.forget_until(needed);
        self.bytes += held.bytes();
        self.shrink();
    }

    /// Whether the scalars of a vector are held.
    pub(super) fn holds(&self, vector: u64) -> bool {
        self.vectors.contains_key(&vector)
    }

    /// The vectors whose scalars are held.
    pub(super) fn vectors(&self) -> impl Iterator<Item = u64> {
        self.vectors.keys().copied()
    }

    /// Begins to follow a version: until [`HeldScalars::move_on`] nothing is asked for or kept.
    pub(super) fn begin(&mut self) {
        self.version = None;
    }

    /// Adds what the next version changes in a vector, or drops it where that is not known.
    pub(super) fn follow(&mut self, vector: u64, version: u64, deltas: Option<&[Delta]>) {
        let (Some(held), Some(deltas)) = (self.vectors.get_mut(&vector), deltas) else {
            return self.drop_vector(vector);
        };
        self.bytes -= held.bytes();
        // Copied only while an answer is in the making.
        let scalars = Arc::make_mut(&mut held.scalars);
        for delta in deltas {
            let index = usize_of_u32(delta.index);
            if index >= scalars.len() {
                scalars.resize(index + 1, Scalar::ZERO);
            }
            if let Some(scalar) = scalars.get_mut(index) {
                *scalar += delta.change;
            }
        }
        deltas.iter().for_each(|delta| held.log.push(*delta));
        if held.openings.is_empty() || held.log.since(0) > held.scalars.len() {
            held.forget_openings(version);
        }
        self.bytes += held.bytes();
    }

    /// Moves on to a version, once all vectors have followed it.
    pub(super) fn move_on(&mut self, version: u64) {
        self.version = Some(version);
        self.shrink();
    }

    /// Drops some vectors.
    pub(super) fn drop_vectors(&mut self, gone: impl Fn(u64) -> bool) {
        let vectors: Vec<u64> = self.vectors().filter(|vector| gone(*vector)).collect();
        vectors.into_iter().for_each(|vector| self.drop_vector(vector));
    }

    /// Drops all.
    pub(super) fn clear(&mut self) {
        self.vectors.clear();
        self.bytes = 0;
    }

    fn shrink(&mut self) {
        while self.bytes > self.most {
            let oldest = self.vectors.iter().min_by_key(|(_, held)| held.asked);
            match oldest.map(|(vector, _)| *vector) {
                Some(vector) => self.drop_vector(vector),
                None => break,
            }
        }
    }

    fn drop_vector(&mut self, vector: u64) {
        self.bytes -= self.vectors.remove(&vector).map_or(0, |held| held.bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scalars(numbers: &[u64]) -> Arc<Vec<Scalar>> {
        Arc::new(numbers.iter().map(|number| Scalar::from(*number)).collect())
    }

    fn delta(version: u64, index: u32, change: u64) -> Delta {
        Delta { version, index, change: Scalar::from(change) }
    }

    /// The bytes that are counted are those of what is held, and no more than there is room for.
    fn counts(held: &HeldScalars) -> bool {
        held.bytes == held.vectors.values().map(Held::bytes).sum::<usize>() && held.bytes <= held.most
    }

    #[test]
    fn scalars_follow_each_version_and_are_those_of_the_newest_alone() {
        let mut held = HeldScalars::new(4, 1 << 10);
        held.hold(7, 3, scalars(&[1]));
        assert!(!held.holds(7), "of a version that is not the newest");
        held.hold(7, 4, scalars(&[1, 2]));
        held.hold(8, 4, scalars(&[5]));
        let asked_before = held.get(7, 4).unwrap();
        held.begin();
        held.hold(9, 4, scalars(&[3]));
        assert!(!held.holds(9), "it would not follow the version that is under way");
        held.follow(7, 5, Some(&[delta(5, 0, 6), delta(5, 3, 9)]));
        held.move_on(5);
        assert_eq!(held.get(7, 4), None);
        assert_eq!(held.get(7, 5), Some(scalars(&[7, 2, 0, 9])));
        assert_eq!(held.get(8, 5), Some(scalars(&[5])), "what a version does not change stays");
        assert_eq!(asked_before, scalars(&[1, 2]), "who asked before has what there was");
        held.follow(7, 6, None);
        assert_eq!(held.get(7, 5), None);
        assert!(counts(&held));
    }

    #[test]
    fn the_vector_asked_for_longest_ago_gives_way_and_the_room_is_kept() {
        let mut held = HeldScalars::new(0, 96);
        (0..3).for_each(|vector| held.hold(vector, 0, scalars(&[vector])));
        assert!(held.get(0, 0).is_some());
        held.hold(3, 0, scalars(&[3]));
        assert!(held.holds(0) && !held.holds(1) && counts(&held));
        // A vector that grows makes room likewise.
        held.follow(3, 1, Some(&[delta(1, 1, 1)]));
        held.move_on(1);
        assert!(!held.holds(2) && counts(&held));
        held.hold(4, 1, scalars(&[0; 4]));
        assert!(!held.holds(4) && counts(&held), "more than there is room for");
    }

    #[test]
    fn an_opening_is_kept_with_what_has_changed_since_it_was_made() {
        let mut held = HeldScalars::new(1, 1 << 20);
        let openings = |indices: core::ops::Range<usize>| indices.map(|index| (index, Opening::identity()));
        held.keep(7, 1, openings(0..1));
        held.hold(7, 1, scalars(&[1; 16]));
        held.keep(7, 0, openings(0..1));
        assert_eq!(held.kept(7, 1, &[0]), [None], "of no vector that is held, or of another version");
        held.keep(7, 1, openings(0..2));
        for version in 2..4 {
            held.follow(7, version, Some(&[delta(version, 3, version)]));
            held.move_on(version);
            held.keep(7, version, openings(1..2));
        }
        let changed = |change: u64| Some((Opening::identity(), vec![(3, Scalar::from(change))]));
        let unchanged = Some((Opening::identity(), Vec::new()));
        assert_eq!(held.kept(7, 3, &[0, 1, 2]), [changed(5), unchanged, None]);
        assert_eq!(held.kept(7, 2, &[0]), [None]);
        // Of too many the oldest goes, and what only that one needs of the log.
        held.keep(7, 3, openings(2..1 + MOST_OPENINGS));
        assert_eq!((held.kept(7, 3, &[0]), held.vectors[&7].log.since(0)), (vec![None], 0));
        assert!(held.kept(7, 3, &[1])[0].is_some() && counts(&held));
        // What is not worth following is forgotten.
        let many: Vec<Delta> = (0..17).map(|index| delta(4, index % 16, 1)).collect();
        held.follow(7, 4, Some(&many));
        held.move_on(4);
        assert_eq!(held.kept(7, 4, &[1]), [None]);
        assert!(held.holds(7) && counts(&held));
    }
}

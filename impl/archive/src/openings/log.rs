//! The log of one vector: which scalar changed by how much in which version.

use aardvark_algebra::Scalar;
use aardvark_algebra::ff::Field;

/// The scalar at an index grew by `change` in a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Delta {
    pub(super) version: u64,
    pub(super) index: u32,
    pub(super) change: Scalar,
}

/// All changes of a vector after some version, in the order of versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DeltaLog {
    reach: u64,
    deltas: Vec<Delta>,
}

impl DeltaLog {
    /// All changes after the version `reach`, ascending by version.
    pub(super) fn new(reach: u64, deltas: Vec<Delta>) -> Self {
        Self { reach, deltas }
    }

    /// Whether every change since a version is here.
    pub(super) fn reaches(&self, version: u64) -> bool {
        self.reach <= version
    }

    /// Adds a change of the newest version.
    pub(super) fn push(&mut self, delta: Delta) {
        self.deltas.push(delta);
    }

    /// Number of changes up to a version.
    fn until(&self, version: u64) -> usize {
        self.deltas.partition_point(|delta| delta.version <= version)
    }

    /// Number of changes after a version.
    pub(super) fn since(&self, version: u64) -> usize {
        self.deltas.len() - self.until(version)
    }

    /// What turns the vector of one version into that of another, later or earlier: each index at
    /// most once, ascending, by something other than zero. Both versions are within reach.
    pub(super) fn between(&self, from: u64, to: u64) -> Vec<(usize, Scalar)> {
        let (first, last) = (self.until(from.min(to)), self.until(from.max(to)));
        let mut changes: Vec<(u32, Scalar)> =
            self.deltas.get(first..last).unwrap_or_default().iter().map(|delta| (delta.index, delta.change)).collect();
        changes.sort_unstable_by_key(|(index, _)| *index);
        let forward = from <= to;
        let sums = changes.chunk_by(|a, b| a.0 == b.0).filter_map(|of_index| {
            let (index, _) = of_index.first()?;
            let sum: Scalar = of_index.iter().map(|(_, change)| change).sum();
            let index = usize::try_from(*index).ok()?;
            (!bool::from(sum.is_zero())).then_some((index, if forward { sum } else { -sum }))
        });
        sums.collect()
    }

    /// Forgets the changes up to a version, which may be beyond reach already.
    pub(super) fn forget_until(&mut self, version: u64) {
        let gone = self.until(version);
        self.deltas.drain(..gone);
        self.reach = self.reach.max(version);
    }

    /// Bytes of memory.
    pub(super) fn bytes(&self) -> usize {
        self.deltas.capacity() * size_of::<Delta>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log() -> DeltaLog {
        let delta = |version, index, change: u64| Delta { version, index, change: Scalar::from(change) };
        let back = Delta { change: -Scalar::from(5), ..delta(5, 1, 0) };
        DeltaLog::new(2, vec![delta(3, 1, 5), delta(3, 0, 7), delta(4, 0, 2), back])
    }

    #[test]
    fn changes_are_summed_by_index_and_taken_back_in_the_other_direction() {
        let log = log();
        let scalar = Scalar::from;
        assert_eq!(log.between(2, 3), [(0, scalar(7)), (1, scalar(5))]);
        assert_eq!(log.between(3, 2), [(0, -scalar(7)), (1, -scalar(5))]);
        assert_eq!(log.between(2, 5), [(0, scalar(9))], "what came back to what it was is no change");
        assert_eq!(log.between(4, 4), []);
        assert_eq!(log.between(5, 9), []);
        assert_eq!(log.between(3, 4), [(0, scalar(2))]);
        assert_eq!((log.since(2), log.since(3), log.since(5)), (4, 2, 0));
    }

    #[test]
    fn what_is_forgotten_is_beyond_reach() {
        let mut log = log();
        assert!(log.reaches(2) && !log.reaches(1));
        log.forget_until(3);
        assert!(log.reaches(3) && !log.reaches(2));
        assert_eq!(log.between(3, 5), [(0, Scalar::from(2)), (1, -Scalar::from(5))]);
        log.forget_until(1);
        assert!(!log.reaches(2), "forgetting less changes nothing");
    }
}

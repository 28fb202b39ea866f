//! The openings of one vector, and the log that brings them to any version.

use std::sync::Arc;

use aardvark_commitment::Opening;

use super::log::{Delta, DeltaLog};

/// All openings of a vector, each at some version since its snapshot.
#[derive(Debug)]
pub(super) struct HeldVector {
    /// Version of the snapshot. No opening is older, and the log reaches it.
    snapshot: u64,
    openings: Vec<Opening>,
    /// By how many versions each opening is newer than the snapshot.
    steps: Vec<u32>,
    /// Shared with answers in the making.
    log: Arc<DeltaLog>,
}

impl HeldVector {
    /// A snapshot of a version that the log reaches.
    pub(super) fn new(snapshot: u64, openings: Vec<Opening>, log: DeltaLog) -> Self {
        let steps = vec![0; openings.len()];
        Self { snapshot, openings, steps, log: Arc::new(log) }
    }

    /// The log.
    pub(super) fn log(&self) -> &Arc<DeltaLog> {
        &self.log
    }

    /// The opening at an index, with its version.
    pub(super) fn opening(&self, index: usize) -> Option<(Opening, u64)> {
        let (opening, step) = self.openings.get(index).zip(self.steps.get(index))?;
        Some((*opening, self.snapshot + u64::from(*step)))
    }

    /// Keeps an opening of a version in the place of an older one.
    pub(super) fn improve(&mut self, index: usize, opening: Opening, version: u64) {
        let step = version.checked_sub(self.snapshot).and_then(|step| u32::try_from(step).ok());
        let places = self.openings.get_mut(index).zip(self.steps.get_mut(index));
        if let (Some(newer), Some((held, step))) = (step, places)
            && newer > *step
        {
            *held = opening;
            *step = newer;
        }
    }

    /// Adds the changes of the newest version, and forgets those that no readable version needs.
    pub(super) fn follow(&mut self, deltas: impl Iterator<Item = Delta>, oldest: u64) {
        // Copied only while an answer is in the making.
        let log = Arc::make_mut(&mut self.log);
        log.forget_until(oldest.min(self.snapshot));
        deltas.for_each(|delta| log.push(delta));
    }

    /// Number of changes since the snapshot.
    pub(super) fn behind(&self) -> usize {
        self.log.since(self.snapshot)
    }

    /// Bytes of memory.
    pub(super) fn bytes(&self) -> usize {
        Self::bytes_of(self.openings.len()) + self.log.bytes()
    }

    /// Bytes of a vector of so many openings with an empty log.
    pub(super) fn bytes_of(openings: usize) -> usize {
        openings * (size_of::<Opening>() + size_of::<u32>()) + size_of::<Self>() + size_of::<DeltaLog>()
    }
}

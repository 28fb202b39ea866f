//! A script collects scenarios; an actor acts in one.

use aardvark_dictionary::{Block, Transaction};

use crate::compare::Mismatch;
use crate::scene::{Scene, Stage};
use crate::vectors::flags::Flag;
use crate::vectors::histories::{HistoryCase, Recorder};

/// A test: what it shows, the bugs it is there to catch, the history.
pub(super) type Row = (String, Vec<Flag>, HistoryCase);

/// Collects histories.
pub(super) struct Script {
    pub(super) stage: Stage,
    pub(super) rows: Vec<Row>,
    pub(super) mismatch: Option<Mismatch>,
}

impl Script {
    /// An empty script, for this stage.
    pub(super) fn new(stage: Stage) -> Self {
        Self { stage, rows: Vec::new(), mismatch: None }
    }

    /// A scenario in a dictionary with N, W and keys.
    pub(super) fn tell(
        &mut self,
        comment: &str,
        flags: &[Flag],
        (vector_size, window, keys): (u32, u32, &[&str]),
        happens: impl FnOnce(&mut Actor),
    ) {
        let scene = self.stage.scene(vector_size, window, keys);
        self.tell_in(scene, comment, flags, happens);
    }

    /// A scenario in a given scene.
    pub(super) fn tell_in(&mut self, scene: Scene, comment: &str, flags: &[Flag], happens: impl FnOnce(&mut Actor)) {
        let mut actor = Actor { recorder: Recorder::new(scene), mismatch: None };
        happens(&mut actor);
        if let Some(mismatch) = actor.mismatch {
            self.mismatch.get_or_insert(format!("{comment}: {mismatch}"));
        }
        let comment = format!("{}: {comment}", self.stage.kind());
        self.rows.push((comment, flags.to_vec(), actor.recorder.finish()));
    }
}

/// Acts in one scenario, and says what should come of it.
pub(super) struct Actor {
    recorder: Recorder,
    mismatch: Option<Mismatch>,
}

impl Actor {
    /// The scene.
    pub(super) fn scene(&self) -> &Scene {
        &self.recorder.scene
    }

    /// A block of transactions, with the tail vectors that it needs, is accepted.
    pub(super) fn accept<const COUNT: usize>(&mut self, transactions: impl FnOnce(&Scene) -> [Transaction; COUNT]) {
        let block = self.scene().block(transactions(self.scene()));
        self.expect(&block, None);
    }

    /// A block of transactions is refused.
    pub(super) fn refuse<const COUNT: usize>(
        &mut self,
        reason: &str,
        transactions: impl FnOnce(&Scene) -> [Transaction; COUNT],
    ) {
        let block = self.scene().block(transactions(self.scene()));
        self.expect(&block, Some(reason));
    }

    /// A block is accepted, or refused for a reason.
    pub(super) fn expect(&mut self, block: &Block, expected: Option<&str>) {
        let outcome = self.recorder.step(block).and_then(|reason| match reason.as_deref() == expected {
            true => Ok(()),
            false => Err(format!("expected {expected:?}, not {reason:?}")),
        });
        if let Err(mismatch) = outcome {
            self.mismatch.get_or_insert(mismatch);
        }
    }

    /// An empty block is accepted.
    pub(super) fn pass(&mut self) {
        self.accept(|_| []);
    }
}

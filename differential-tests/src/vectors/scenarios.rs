//! What happens in the histories of `vectors/histories.json`.

mod accepted;
mod limits;
mod refused;
mod tails;

use aardvark_commitment::SchemeKind;
use aardvark_dictionary::{Block, Transaction};

use super::flags::Flag;
use super::histories::{HistoryCase, Recorder};
use crate::compare::Mismatch;
use crate::scene::{Scene, Stage, on_both_schemes};

/// A test: what it shows, the bugs it is there to catch, the history.
pub(super) type Row = (String, Vec<Flag>, HistoryCase);

/// Collects histories.
pub(super) struct Script {
    stage: Stage,
    rows: Vec<Row>,
    mismatch: Option<Mismatch>,
}

/// All scenarios: every one under KZG, those where the scheme makes a difference under Libert–Yung
/// as well.
pub(super) fn all() -> Result<Vec<Row>, Mismatch> {
    let collected = std::cell::RefCell::new(Ok(Vec::new()));
    on_both_schemes(|stage| {
        let mut script = Script { stage, rows: Vec::new(), mismatch: None };
        accepted::tell(&mut script);
        refused::tell(&mut script);
        if stage.kind() == SchemeKind::Kzg {
            tails::tell(&mut script);
            limits::tell(&mut script);
        }
        let mut collected = collected.borrow_mut();
        match (script.mismatch, collected.as_mut()) {
            (Some(mismatch), _) => *collected = Err(mismatch),
            (None, Ok(rows)) => rows.extend(script.rows),
            (None, Err(_)) => {}
        }
    });
    collected.into_inner()
}

impl Script {
    /// A scenario in a dictionary with N, W and keys.
    fn tell(
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
    fn tell_in(&mut self, scene: Scene, comment: &str, flags: &[Flag], happens: impl FnOnce(&mut Actor)) {
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
struct Actor {
    recorder: Recorder,
    mismatch: Option<Mismatch>,
}

impl Actor {
    fn scene(&self) -> &Scene {
        &self.recorder.scene
    }

    /// A block of transactions, with the tail vectors that it needs, is accepted.
    fn accept<const COUNT: usize>(&mut self, transactions: impl FnOnce(&Scene) -> [Transaction; COUNT]) {
        let block = self.scene().block(transactions(self.scene()));
        self.expect(&block, None);
    }

    /// A block of transactions is refused.
    fn refuse<const COUNT: usize>(&mut self, reason: &str, transactions: impl FnOnce(&Scene) -> [Transaction; COUNT]) {
        let block = self.scene().block(transactions(self.scene()));
        self.expect(&block, Some(reason));
    }

    /// A block is accepted, or refused for a reason.
    fn expect(&mut self, block: &Block, expected: Option<&str>) {
        let outcome = self.recorder.step(block).and_then(|reason| match reason.as_deref() == expected {
            true => Ok(()),
            false => Err(format!("expected {expected:?}, not {reason:?}")),
        });
        if let Err(mismatch) = outcome {
            self.mismatch.get_or_insert(mismatch);
        }
    }

    fn pass(&mut self) {
        self.accept(|_| []);
    }
}

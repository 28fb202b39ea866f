//! Progress bars on standard error; nothing where standard error is no terminal.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use aardvark_archive::{Phase, Progress};
use indicatif::{ProgressBar, ProgressStyle};

use crate::print::escaped;

/// What a bar shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// Only that something goes on.
    Busy,
    /// Bytes of a file.
    Reading,
    /// A phase of an archive's work.
    Phase(Phase),
    /// Items.
    Items,
    /// Rows that are read, of nobody knows how many.
    Rows,
}

/// One bar, which shows the phase that an archive is in.
pub struct Bar {
    shown: Rc<Shown>,
}

struct Shown {
    bar: ProgressBar,
    label: String,
    /// What it shows, and whether its end is known.
    step: Cell<(Step, bool)>,
}

impl Bar {
    /// A bar with a label before the phase's name. Until something is counted it only turns.
    pub fn new(label: impl Into<String>) -> Self {
        Self::on(ProgressBar::no_length(), label)
    }

    fn on(bar: ProgressBar, label: impl Into<String>) -> Self {
        bar.set_style(style("{spinner} {msg}"));
        bar.enable_steady_tick(Duration::from_millis(100));
        let label = escaped(&label.into());
        bar.set_message(label.clone());
        Self { shown: Rc::new(Shown { bar, label, step: Cell::new((Step::Busy, false)) }) }
    }

    /// Shows what an archive reports.
    pub fn show(&self, progress: Progress) {
        self.shown.count(Step::Phase(progress.phase), progress.done, Some(progress.total));
    }

    /// Shows that a phase begins, before anything is counted.
    pub fn begin(&self, phase: Phase) {
        self.shown.count(Step::Phase(phase), 0, None);
    }

    /// Shows how many of a number of items are done.
    pub fn count(&self, done: u64, total: u64) {
        self.shown.count(Step::Items, done, Some(total));
    }

    /// Shows how many rows were read.
    pub fn rows(&self, done: u64) {
        self.shown.count(Step::Rows, done, None);
    }

    /// Shows the reading of a file, of so many bytes where that is known: the result is to be told
    /// of each read.
    pub fn reading(&self, length: Option<u64>) -> impl FnMut(u64) + 'static {
        let shown = Rc::clone(&self.shown);
        let mut read = 0;
        shown.count(Step::Reading, read, length);
        move |bytes| {
            read += bytes;
            shown.count(Step::Reading, read, length);
        }
    }
}

impl Shown {
    fn count(&self, step: Step, done: u64, total: Option<u64>) {
        if self.step.replace((step, total.is_some())) != (step, total.is_some()) {
            self.bar.set_message(match step {
                Step::Busy | Step::Items => self.label.clone(),
                Step::Reading => format!("{}: reading", self.label),
                Step::Rows => format!("{}: reading rows", self.label),
                Step::Phase(phase) => format!("{}: {}", self.label, name(phase)),
            });
            self.bar.set_style(style(match (step, total) {
                (Step::Reading, Some(_)) => "{spinner} {msg:<44} {wide_bar} {bytes:>9} / {total_bytes}",
                (Step::Reading, None) => "{spinner} {msg:<44} {bytes:>9}",
                (Step::Rows, _) => "{spinner} {msg:<44} {human_pos:>9}",
                (_, Some(_)) => "{spinner} {msg:<44} {wide_bar} {human_pos:>9} / {human_len}",
                (_, None) => "{spinner} {msg}",
            }));
        }
        match total {
            Some(total) => self.bar.set_length(total),
            None => self.bar.unset_length(),
        }
        self.bar.set_position(done);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.shown.bar.finish_and_clear();
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

fn name(phase: Phase) -> &'static str {
    match phase {
        Phase::Array => "sorting out the changes",
        Phase::Commitments => "committing to vectors",
        Phase::Store => "writing",
        Phase::Replay => "replaying blocks",
        Phase::Compare => "comparing records",
        Phase::Recommit => "recomputing commitments",
        Phase::Openings => "computing openings",
    }
}

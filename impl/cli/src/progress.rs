//! Progress bars on standard error; nothing where standard error is no terminal.

use std::time::Duration;

use aardvark_archive::{Phase, Progress};
use indicatif::{ProgressBar, ProgressStyle};

/// One bar, which shows the phase that an archive is in.
pub struct Bar {
    bar: ProgressBar,
    label: String,
    phase: Option<Phase>,
}

impl Bar {
    /// A bar with a label before the phase's name. Until something is counted it only turns.
    pub fn new(label: impl Into<String>) -> Self {
        let bar = ProgressBar::no_length();
        bar.set_style(style("{spinner} {msg}"));
        bar.enable_steady_tick(Duration::from_millis(100));
        let label = label.into();
        bar.set_message(label.clone());
        Self { bar, label, phase: None }
    }

    /// Shows what an archive reports.
    pub fn show(&mut self, progress: Progress) {
        if self.phase != Some(progress.phase) {
            self.phase = Some(progress.phase);
            self.bar.set_message(format!("{}: {}", self.label, name(progress.phase)));
        }
        self.count(progress.done, progress.total);
    }

    /// Shows how many of a number of items are done.
    pub fn count(&mut self, done: u64, total: u64) {
        if self.bar.length().is_none() {
            self.bar.set_style(style("{spinner} {msg:<44} {wide_bar} {human_pos:>9} / {human_len}"));
        }
        self.bar.set_length(total);
        self.bar.set_position(done);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
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
    }
}

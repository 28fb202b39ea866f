//! What an experiment is told.

use super::scene::Shared;
use crate::aggregates::options::{Experiment, Options};

/// An experiment with what it needs.
pub struct Setting<'a> {
    /// Which.
    pub experiment: Experiment,
    /// The options.
    pub options: &'a Options,
    /// What all have in common.
    pub shared: &'a Shared,
}

impl Setting<'_> {
    /// Users of an epoch.
    pub fn users(&self) -> u64 {
        self.options.users.unwrap_or(100)
    }

    /// Districts: as asked for, or the paper's.
    pub fn districts(&self) -> u64 {
        let users = self.users();
        self.options.districts.unwrap_or(match self.experiment {
            Experiment::E1a => 1,
            Experiment::E1c => users,
            _ => users.isqrt(),
        })
    }

    /// Epochs: as asked for, or the paper's.
    pub fn epochs(&self, paper: u64) -> u64 {
        self.options.epochs.unwrap_or(paper)
    }
}

//! What a run of the study is asked to do.

use crate::mutate::results::Row;
use crate::mutate::side::Side;

/// The most that the proofs may spend on one mutant, in seconds, where nothing else is asked for.
const LIMIT: u64 = 900;

/// What to do.
#[derive(Clone, Debug, clap::Args)]
pub struct Study {
    /// Judges one mutant in so many.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub every: usize,
    /// Judges mutants of this file, or folder, below `spec/src` only; may stand several times.
    #[arg(long, value_name = "FILE")]
    pub file: Vec<String>,
    /// Judges the mutant with this id only, again where it was judged before; may stand several
    /// times.
    #[arg(long, value_name = "ID")]
    pub only: Vec<String>,
    /// Judges so many mutants at a time.
    #[arg(long, value_name = "J", default_value_t = 1)]
    pub jobs: usize,
    /// Begins no mutant after so many minutes.
    #[arg(long, value_name = "MINUTES")]
    pub minutes: Option<u64>,
    /// Gives the proofs so many seconds for one mutant; it counts as not noticed after them.
    #[arg(long, value_name = "SECONDS", default_value_t = LIMIT)]
    pub limit: u64,
    /// Asks the proofs only, or the histories; both, if it does not stand there.
    #[arg(long, value_name = "SIDE")]
    pub side: Option<Side>,
    /// Judges those only that one of the two has judged before, and did not notice.
    #[arg(long)]
    pub surviving: bool,
    /// Judges nothing: leaves out results of functions that have changed, and writes the tables.
    #[arg(long)]
    pub summary: bool,
}

impl Study {
    /// Goes on with all of it for an hour.
    pub fn of_an_hour() -> Self {
        Self {
            every: 1,
            file: Vec::new(),
            only: Vec::new(),
            jobs: 1,
            minutes: Some(60),
            limit: LIMIT,
            side: None,
            surviving: false,
            summary: false,
        }
    }

    /// Whether mutants of this file are judged.
    pub fn is_of(&self, file: &str) -> bool {
        let below = |part: &String| {
            file.strip_prefix(part.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        self.file.is_empty() || self.file.iter().any(below)
    }

    /// Whether a mutant of which this is known is judged.
    pub fn wants(&self, known: Option<&Row>) -> bool {
        !self.surviving || known.is_some_and(Row::survives_one)
    }

    /// Whether this side is asked about a mutant of which this is known.
    pub fn asks(&self, side: Side, known: Option<&Row>) -> bool {
        let is_known = known.is_some_and(|row| match side {
            Side::Proofs => row.proofs_asked(),
            Side::Histories => row.histories_asked() || !row.is_mutant(),
        });
        self.side.is_none_or(|only| only == side) && (!is_known || !self.only.is_empty())
    }
}

//! Questions: an owner's row, or a statistic; asked of a keeper, of SQLite, of an array.

use num::BigRational;

use super::scene::{Asked, Scene};
use crate::aggregates::bounds::{SortedArray, Sqlite};
use crate::aggregates::meters::Reading;
use crate::aggregates::statistics::{Statistic, Window};
use crate::error::BenchError;

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub enum Question {
    /// A user's row.
    Row(Reading),
    /// A statistic of the rows of a window.
    Statistic(Statistic, Window),
}

impl Question {
    /// The names of all of it, of the server's share, of the client's.
    pub fn names(&self) -> [&'static str; 3] {
        match self {
            Self::Row(_) => ["lookup", "lookup_server", "lookup_client"],
            Self::Statistic(statistic, _) => statistic.names(),
        }
    }

    /// Asks a keeper.
    pub fn ask(&self, scene: &Scene<'_>) -> Result<Asked, BenchError> {
        match self {
            Self::Row(reading) => scene.look_up(reading),
            Self::Statistic(statistic, window) => scene.ask(&statistic.query(window)),
        }
    }

    /// Asks SQLite.
    pub fn ask_sqlite(&self, sqlite: &Sqlite) -> Result<Option<BigRational>, BenchError> {
        match self {
            Self::Row(reading) => {
                let power = sqlite.look_up(reading.user, reading.time)?;
                Ok(Some(BigRational::from_integer(power.into())))
            }
            Self::Statistic(statistic, window) => sqlite.ask(*statistic, window),
        }
    }

    /// Asks an array.
    pub fn ask_array(&self, array: &SortedArray) -> Option<BigRational> {
        match self {
            Self::Row(reading) => {
                array.look_up(reading.user, reading.time).map(|power| BigRational::from_integer(power.into()))
            }
            Self::Statistic(statistic, window) => array.ask(*statistic, window),
        }
    }
}

//! What the table `aggregates` is asked to measure.

use std::path::PathBuf;

use aardvark_commitment::kzg::DEFAULT_TABLE_BYTES;
use clap::{Args, ValueEnum};

use super::meters::Spread;

/// The table's name in rows.
pub(super) const TABLE: &str = "aggregates";

/// Options of `aggregates`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// The logarithm of the full sheet's size.
    #[arg(long, default_value_t = 10)]
    pub log: usize,
    /// Runs of five rows that statistics are asked of.
    #[arg(long, value_delimiter = ',', default_value = "10,200")]
    pub runs: Vec<usize>,
    /// Times that each is done.
    #[arg(long, default_value_t = 70)]
    pub repetitions: usize,
    /// Rows of one run whose order is shown beside `bls_bulletproofs`, a power of two.
    #[arg(long, default_value_t = 64)]
    pub order_rows: usize,
    /// What is measured: parts of ours, and experiments by the paper's numbers; all by default.
    #[arg(long, value_enum, value_delimiter = ',')]
    pub experiment: Vec<Experiment>,
    /// Users, each with one row an epoch; the paper's are 100, in 6 and 7 a series.
    #[arg(long)]
    pub users: Option<u64>,
    /// The greatest number of users in the series of 6 and 7; the paper's are 5,000,000 and
    /// 100,000.
    #[arg(long, default_value_t = 300_000)]
    pub most_users: u64,
    /// Districts; the paper's are 1, the root of the users, and as many as users.
    #[arg(long)]
    pub districts: Option<u64>,
    /// Epochs; the paper's are 100, in 2 500, in 4 10 and their multiples, in 5 at most 100.
    #[arg(long)]
    pub epochs: Option<u64>,
    /// Threads that import and audit.
    #[arg(long, default_value_t = 1)]
    pub threads: usize,
    /// N of the dictionary.
    #[arg(long, default_value_t = 256)]
    pub vector_size: u32,
    /// Most bytes of the dictionary's tables of multiples; 0 for none.
    #[arg(long, default_value_t = DEFAULT_TABLE_BYTES)]
    pub tables: usize,
    /// Write a file `experimentX.csv` for each experiment into this directory, with the columns of
    /// the paper's artifact.
    #[arg(long, value_name = "DIR")]
    pub csv: Option<PathBuf>,
}

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Experiment {
    /// Certificates of sheets.
    Certificates,
    /// Cuts of runs, by themselves.
    Cuts,
    /// The order of rows beside Bulletproofs.
    Peers,
    /// Inserts: one district.
    #[value(name = "1a")]
    E1a,
    /// Inserts: as many districts as the root of the users.
    #[value(name = "1b")]
    E1b,
    /// Inserts: as many districts as users.
    #[value(name = "1c")]
    E1c,
    /// Inserts: the least districts, evenly.
    #[value(name = "2a")]
    E2a,
    /// Inserts: the greatest districts, evenly.
    #[value(name = "2b")]
    E2b,
    /// Inserts: one district a user, evenly over all numbers.
    #[value(name = "2c")]
    E2c,
    /// Inserts: one district a user, at random.
    #[value(name = "2d")]
    E2d,
    /// Queries: an owner's row.
    #[value(name = "3a")]
    E3a,
    /// Queries: the sum.
    #[value(name = "3b")]
    E3b,
    /// Queries: the average.
    #[value(name = "3c")]
    E3c,
    /// Queries: the count.
    #[value(name = "3d")]
    E3d,
    /// Queries: the least row.
    #[value(name = "3e")]
    E3e,
    /// Queries: the greatest row.
    #[value(name = "3f")]
    E3f,
    /// Queries: the median.
    #[value(name = "3g")]
    E3g,
    /// Queries: the 5th percentile, and the 95th.
    #[value(name = "3h")]
    E3h,
    /// The shares of server and client.
    #[value(name = "4")]
    E4,
    /// What is stored, and what each role does.
    #[value(name = "5")]
    E5,
    /// Building and asking, as rows grow.
    #[value(name = "6")]
    E6,
    /// Auditing, as rows grow.
    #[value(name = "7")]
    E7,
}

impl Experiment {
    /// Whether it is a part of ours, and no experiment of the paper's.
    pub fn is_ours(self) -> bool {
        matches!(self, Self::Certificates | Self::Cuts | Self::Peers)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Certificates => "certificates",
            Self::Cuts => "cuts",
            Self::Peers => "peers",
            Self::E1a => "1a",
            Self::E1b => "1b",
            Self::E1c => "1c",
            Self::E2a => "2a",
            Self::E2b => "2b",
            Self::E2c => "2c",
            Self::E2d => "2d",
            Self::E3a => "3a",
            Self::E3b => "3b",
            Self::E3c => "3c",
            Self::E3d => "3d",
            Self::E3e => "3e",
            Self::E3f => "3f",
            Self::E3g => "3g",
            Self::E3h => "3h",
            Self::E4 => "4",
            Self::E5 => "5",
            Self::E6 => "6",
            Self::E7 => "7",
        }
    }

    /// How its users are spread over districts.
    pub fn spread(self) -> Spread {
        match self {
            Self::E2b => Spread::EvenlyDown,
            Self::E2c => Spread::EvenlyOverAll,
            Self::E2d => Spread::AtRandomOverAll,
            Self::E6 | Self::E7 => Spread::AtRandom,
            _ => Spread::Evenly,
        }
    }
}

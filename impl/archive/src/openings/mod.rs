//! Openings that are brought up to date instead of computed anew.
//!
//! An opening of a vector of N scalars is a sum over all of them, and is linear in them. So of a
//! vector that is asked for often the archive holds a **snapshot**: all N openings at one version,
//! made together for the price of far fewer than N single ones; and a **log**: by how much which
//! scalar has changed, version by version. An answer is the held opening and one small multi-scalar
//! multiplication over the changes since, or before (docs/design.md, section 3):
//!
//! ```text
//! π_i(v) = π_i(s) + update_i(m(v) - m(s))        v later or earlier than s
//! ```
//!
//! What was brought up to date, or computed anew because that is cheaper, is kept in the place of
//! what was held, so that the next answer starts there.
//!
//! # When a snapshot is made
//!
//! The rule is that of ski rental. Every vector has an account of **rent**: what its answers have
//! cost beyond reading a held opening, in the units of [`OpeningCosts`]: a whole opening each while
//! there is no snapshot, (d + 1) multiples each where d scalars have changed since. When the rent,
//! with that of the call at hand, reaches the price of a snapshot, one is made of the newest
//! version, and the account starts at 0. Where nobody asks, nothing is paid.
//!
//! *Never more than twice the best schedule.* Between two snapshots the archive pays at most the
//! price O of one in rent, and then O: 2 O. A schedule that knows the future makes a snapshot in
//! that time, for O, or answers from an older one, from which no fewer changes have to be followed,
//! for O in rent. (Where changes cancel each other, fewer may be left; that is not counted.)
//!
//! *Best for steady load.* With a asks and u changes of a vector a block, and multiples at the
//! price c, the rent of block t after a snapshot is a u t c, in T blocks a u c T²/2. The cost of a
//! block, O/T + a u c T/2, is least where both halves are equal, at T = √(2 O / (a u c)): there the
//! rent is O, which is the rule. For a = u that is after √(2 O / c) changes.
//!
//! # What is held
//!
//! At most [`OpeningOptions::budget`] bytes of snapshots and logs: 100 bytes an opening
//! (uncompressed, so that reading one takes no square root) and 48 a logged change. When they do
//! not suffice, a vector gets a snapshot only if it was asked for at least twice as often lately as
//! the one that has to go, the least asked for; "lately" by counts that are halved after every so
//! many asks (Einziger, Friedman and Manes, *TinyLFU*, 2017). An order by last use would, under
//! asks that are spread evenly, make every snapshot only to drop it. A snapshot is dropped when the
//! log since has become larger than itself, and logs reach back no further than the oldest version
//! that can be read. The accounts of vectors without a snapshot are at most 65,536.
//!
//! An opening that no snapshot answers takes all scalars of its vector. Those of the newest version
//! are kept once they were read, 32 bytes each, and each version's changes are added to them, so
//! that no slot is read and hashed again for the next opening. With them at most eight openings are
//! kept that were computed from them, and a log, which brings them to the newest version as those
//! of a snapshot; what that costs is rent. Such are the openings of slots that many answers show,
//! as of a table's schema. All this takes at most a sixteenth of the budget besides it, in which
//! the vector asked for longest ago gives way.
//!
//! # While versions come
//!
//! Answers are made on [`Snapshot`](crate::Snapshot)s and share what is held; the logs follow the
//! newest version. An answer at an older version takes changes back. A snapshot of openings is
//! begun at the newest version only; what versions change while it is being made is kept beside and
//! follows it. Nothing is computed under the lock, and a version that is stored waits for no
//! answer.
//!
//! All of it is derived and in memory: an archive starts without, a version that is not committed
//! empties it, and an audit never looks at it. Openings that were stored in a file
//! ([`Snapshot::store_openings`](crate::Snapshot::store_openings)) answer where nothing is held
//! yet, and spare a snapshot its computation; the module `stored` says how they are checked.

mod accounts;
mod answer;
mod cache;
mod checked;
mod costs;
mod held;
mod history;
mod log;
mod own;
mod scalars;
mod stored;
mod stored_vector;
mod storing;

pub use checked::GivenOpening;
pub use costs::OpeningCosts;
pub use own::OwnOpenings;
pub use storing::StoredOpenings;

pub(crate) use cache::Openings;

/// What is held to answer proofs faster. Answers do not depend on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OpeningOptions {
    /// Most bytes of snapshots and logs, and sixteen times those of scalars and single openings; at
    /// 0 every opening is computed from its whole vector, and that is read each time.
    pub budget: usize,
    /// What decides when a snapshot pays; by default [`OpeningCosts::measured`] for the
    /// dictionary's scheme.
    pub costs: Option<OpeningCosts>,
}

impl OpeningOptions {
    /// 256 MiB: enough for 1.3 million keys at N = 1,024. A slot takes 100 bytes, and a log, which
    /// reaches back to the oldest version that can be read, as much again where all of a vector was
    /// written since, as after an import.
    pub const DEFAULT_BUDGET: usize = 256 << 20;
}

impl Default for OpeningOptions {
    fn default() -> Self {
        Self { budget: Self::DEFAULT_BUDGET, costs: None }
    }
}

/// What was answered how, since the archive was opened or its options set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpeningStatistics {
    /// Openings answered from a held one.
    pub held: u64,
    /// Openings answered from one in the file of stored openings.
    pub stored: u64,
    /// Openings computed from the whole vector.
    pub fresh: u64,
    /// Multiples added to held or stored openings: one for each scalar that had changed.
    pub deltas: u64,
    /// Snapshots of vectors that had none.
    pub snapshots: u64,
    /// Snapshots in the place of older ones.
    pub refreshes: u64,
    /// Snapshots dropped to keep the budget, or because they had fallen too far behind.
    pub evictions: u64,
    /// Vectors with a snapshot now.
    pub vectors: u64,
    /// Vectors that the budget has room for, as long as nothing is written to them.
    pub room: u64,
    /// Bytes of snapshots and logs now.
    pub bytes: u64,
}

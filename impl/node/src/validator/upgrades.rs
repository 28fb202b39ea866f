//! App versions: which rules hold for a block, and the heights at which a chain goes over to newer
//! ones.
//!
//! | app version | rules |
//! |---|---|
//! | 1 | as every chain begins |
//! | 2 | the results of applied transactions state their work (`gas_wanted`, `gas_used`), which explorers and wallets show; under 1 both are 0 |
//!
//! CometBFT's header has the app version, and its hash of a block's results is in the next header:
//! other rules would be another chain. So validators go over at one height, which their operators
//! agree on and each tells its own validator (`--upgrade-at VERSION=HEIGHT`). FinalizeBlock of that
//! height announces the version (`consensus_param_updates`); headers say it, and blocks are
//! executed by its rules, **from the next height on**. Before it, a program that knows the version
//! does what one does that does not, so validators may be started with the newer program one by
//! one.
//!
//! Nothing that travels decides: a height is a function of what the operator said and of what the
//! store has seen ([`Upgrades::agreed`]). Validators who disagree are told apart at the next block,
//! whose header has a version that the others refuse ("wrong Block.Header.Version"), before it is
//! executed.
//!
//! The app version of the block after a state is the format number of the store's head
//! ([`store`](super::store)) and of a snapshot ([`snapshots`](super::snapshots)), so that a program
//! that does not run it takes neither.

use std::ops::RangeInclusive;
use std::str::FromStr;

use aardvark_algebra::integers::u64_of_usize;

/// The app version that chains begin with.
pub(super) const FIRST: u64 = 1;
/// The newest app version that this program runs.
pub(super) const NEWEST: u64 = 2;
/// The app versions that this program runs.
pub(super) const RUN_HERE: RangeInclusive<u64> = FIRST..=NEWEST;
/// From this app version on results state the work of transactions.
pub(super) const WORK_IN_RESULTS: u64 = 2;

/// An app version, and the height that announces it: `VERSION=HEIGHT`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Upgrade {
    /// The app version, from 2 on.
    pub version: u64,
    /// The height that announces it; the next one is the first under its rules.
    pub height: u64,
}

impl FromStr for Upgrade {
    type Err = UpgradeError;

    fn from_str(text: &str) -> Result<Self, UpgradeError> {
        let form = || UpgradeError::Form(text.to_owned());
        let (version, height) = text.split_once('=').ok_or_else(form)?;
        Ok(Self { version: version.parse().map_err(|_| form())?, height: height.parse().map_err(|_| form())? })
    }
}

/// Why a validator does not start with the upgrades that it is told of.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UpgradeError {
    /// Not an upgrade.
    #[error("{0:?} is no upgrade: an app version and the height that announces it, as in 2=1000")]
    Form(String),
    /// A version that this program does not run.
    #[error("no chain goes over to app version {0} with this program: it runs {FIRST} to {NEWEST}")]
    Unknown(u64),
    /// Versions that do not follow each other, at heights that ascend from 1 on.
    #[error("app version {version} has to come after the one before it, at a later height, and once")]
    Order {
        /// The version.
        version: u64,
    },
    /// The chain made the upgrade at another height.
    #[error("app version {version} was announced at height {held}, not at {told}")]
    OtherHeight {
        /// The version.
        version: u64,
        /// Where it was announced.
        held: u64,
        /// Where the operator says it was.
        told: u64,
    },
    /// The height is committed, without the upgrade.
    #[error(
        "height {height} was to announce app version {version}, and is committed under version {running}: the validator is at height {held}"
    )]
    Missed {
        /// The version that was to come.
        version: u64,
        /// The height that was to announce it.
        height: u64,
        /// Where the validator is.
        held: u64,
        /// The version that it runs.
        running: u64,
    },
}

/// The upgrades of a chain: the height that announces app version 2, that of 3, and so on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Upgrades(Vec<u64>);

impl Upgrades {
    /// What a state's store has seen, and beyond that what the operator says.
    ///
    /// # Errors
    /// [`UpgradeError`], above all where the operator says otherwise than the store, or is late.
    pub(super) fn agreed(told: &[Upgrade], held: &[u64], version: u64) -> Result<Self, UpgradeError> {
        let told = in_order(told)?;
        for ((version, held), told) in (FIRST + 1..).zip(held).zip(&told) {
            if held != told {
                return Err(UpgradeError::OtherHeight { version, held: *held, told: *told });
            }
        }
        let coming = told.get(held.len()..).unwrap_or_default();
        if let Some(height) = coming.first().filter(|height| **height <= version) {
            let running = FIRST + u64_of_usize(held.len());
            return Err(UpgradeError::Missed { version: running + 1, height: *height, held: version, running });
        }
        Ok(Self([held, coming].concat()))
    }

    /// The app version of a height's block.
    pub(super) fn version_at(&self, height: u64) -> u64 {
        FIRST + u64_of_usize(self.announced_before(height).len())
    }

    /// The app version that a height's block announces.
    pub(super) fn announced_at(&self, height: u64) -> Option<u64> {
        self.0.contains(&height).then(|| self.version_at(height + 1))
    }

    /// The heights before this one that announced a version.
    pub(super) fn announced_before(&self, height: u64) -> &[u64] {
        let count = self.0.partition_point(|announced| *announced < height);
        self.0.get(..count).unwrap_or_default()
    }

    /// The last height that announces a version, past or to come.
    pub(super) fn last(&self) -> Option<u64> {
        self.0.last().copied()
    }
}

/// The heights of all versions from 2 on.
fn in_order(told: &[Upgrade]) -> Result<Vec<u64>, UpgradeError> {
    let mut heights: Vec<u64> = Vec::new();
    for (expected, Upgrade { version, height }) in (FIRST + 1..).zip(told.iter().copied()) {
        if version <= FIRST || !RUN_HERE.contains(&version) {
            return Err(UpgradeError::Unknown(version));
        }
        if version != expected || height <= heights.last().copied().unwrap_or_default() {
            return Err(UpgradeError::Order { version });
        }
        heights.push(height);
    }
    Ok(heights)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(version: u64, height: u64) -> Upgrade {
        Upgrade { version, height }
    }

    #[test]
    fn the_block_after_the_one_that_announces_a_version_is_the_first_of_it() {
        let upgrades = Upgrades::agreed(&[at(2, 7)], &[], 0).unwrap();
        assert_eq!([1, 7, 8, 1_000].map(|height| upgrades.version_at(height)), [1, 1, 2, 2]);
        assert_eq!([6, 7, 8].map(|height| upgrades.announced_at(height)), [None, Some(2), None]);
        let none = Upgrades::default();
        assert_eq!((none.version_at(u64::MAX), none.announced_at(7), none.last()), (1, None, None));
        // The store's own, which one more version would have.
        let two = Upgrades(vec![7, 9]);
        assert_eq!([7, 8, 9, 10].map(|height| two.version_at(height)), [1, 2, 2, 3]);
        assert_eq!((two.announced_at(9), two.announced_before(9), two.last()), (Some(3), [7].as_slice(), Some(9)));
    }

    #[test]
    fn what_the_store_has_seen_goes_before_what_is_said_and_what_is_missed_is_told() {
        let agreed = |told: &[Upgrade], held: &[u64], version| Upgrades::agreed(told, held, version);
        for told in [vec![], vec![at(2, 7)]] {
            assert_eq!(agreed(&told, &[7], 9), Ok(Upgrades(vec![7])));
        }
        assert_eq!(agreed(&[at(2, 8)], &[7], 9), Err(UpgradeError::OtherHeight { version: 2, held: 7, told: 8 }));
        let missed = UpgradeError::Missed { version: 2, height: 9, held: 9, running: 1 };
        assert_eq!(agreed(&[at(2, 9)], &[], 9), Err(missed));
        assert_eq!(agreed(&[at(2, 10)], &[], 9), Ok(Upgrades(vec![10])));
    }

    #[test]
    fn versions_that_are_not_run_here_and_heights_out_of_order_are_refused() {
        let agreed = |told: &[Upgrade]| Upgrades::agreed(told, &[], 0);
        for version in [0, 1, NEWEST + 1] {
            assert_eq!(agreed(&[at(version, 7)]), Err(UpgradeError::Unknown(version)));
        }
        for told in [vec![at(2, 0)], vec![at(2, 7), at(2, 8)]] {
            assert_eq!(agreed(&told), Err(UpgradeError::Order { version: 2 }));
        }
        assert_eq!("2=7".parse(), Ok(at(2, 7)));
        for text in ["", "2", "2=", "=7", "2=-1", "2=7=8", "2:7"] {
            assert_eq!(text.parse::<Upgrade>(), Err(UpgradeError::Form(text.to_owned())));
        }
    }
}

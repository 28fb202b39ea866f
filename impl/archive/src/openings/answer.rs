//! Computes an opening from a held one and the changes since, from a new snapshot of all openings,
//! or from the whole vector.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use aardvark_algebra::Scalar;
use aardvark_algebra::ff::Field;
use aardvark_algebra::integers::{u64_of_usize, usize_or_max};
use aardvark_algebra::parallel::prelude::*;
use aardvark_commitment::vector_commitment::OpeningUpdate;
use aardvark_commitment::{Opening, VectorCommitment};
use aardvark_dictionary::Slot;
use aardvark_dictionary::array::Slots;

use crate::array_at::ArrayAt;
use crate::error::ArchiveError;
use crate::snapshot::Snapshot;

use super::OpeningCosts;
use super::cache::{Answered, Payment, View};
use super::held::HeldVector;
use super::history;
use super::scalars::Kept;
use super::stored_vector::{Asked, StoredVector};

/// Slots that are read before they are hashed: so few that they stay in the caches.
const READ_TOGETHER: usize = 32;

/// Openings that an answer can begin from.
struct Start {
    behind: Vec<Behind>,
    /// Whether they are stored ones, not held ones.
    stored: bool,
}

/// A held or stored opening, and what the vector's scalars have changed by since.
struct Behind {
    index: usize,
    opening: Opening,
    changes: Arc<Vec<(usize, Scalar)>>,
}

impl Snapshot {
    /// The openings of positions at a version that can be read. Vectors are worked on in parallel,
    /// but a single one without rayon's threads: a process that proves one key and ends need not
    /// start them if the opening is stored.
    pub(crate) fn openings_at(
        &self,
        version: u64,
        positions: impl Iterator<Item = u64>,
    ) -> Result<BTreeMap<u64, Opening>, ArchiveError> {
        let vector_size = self.parameters().positions_per_vector();
        let by_vector = self.by_vector(positions);
        let answer = |(vector, indices): (u64, Vec<usize>)| {
            self.work.check()?;
            let openings = self.vector_openings(Asked { vector, indices: &indices, version })?;
            let positions = indices.iter().map(|index| vector * vector_size + u64_of_usize(*index));
            Ok(positions.zip(openings).collect())
        };
        let answered: Result<Vec<Vec<(u64, Opening)>>, ArchiveError> = match by_vector.len() {
            0 | 1 => by_vector.into_iter().map(answer).collect(),
            _ => by_vector.into_par_iter().map(answer).collect(),
        };
        Ok(answered?.into_iter().flatten().collect())
    }

    /// What [`Snapshot::openings_at`] takes, in microseconds of one core: what following held
    /// openings, reading stored ones, or computing them, costs, without snapshots that later
    /// answers gain from.
    pub(crate) fn cost_of_openings(
        &self,
        version: u64,
        positions: impl Iterator<Item = u64>,
    ) -> Result<f64, ArchiveError> {
        let costs = self.openings.costs(self.scheme()?);
        let cost = |(vector, indices): (u64, Vec<usize>)| {
            self.work.check()?;
            let asked = Asked { vector, indices: &indices, version };
            let held = self.held(asked);
            if held.is_none() && self.is_stored(vector, version)? {
                return Ok(costs.stored);
            }
            Ok(rent(costs, held.as_ref(), self.cost_afresh(asked)?))
        };
        self.by_vector(positions).into_iter().map(cost).sum()
    }

    /// The indices of positions in their vectors.
    fn by_vector(&self, positions: impl Iterator<Item = u64>) -> BTreeMap<u64, Vec<usize>> {
        let vector_size = self.parameters().positions_per_vector();
        let mut by_vector: BTreeMap<u64, BTreeSet<usize>> = BTreeMap::new();
        for position in positions {
            let index = usize_or_max(position % vector_size);
            by_vector.entry(position / vector_size).or_default().insert(index);
        }
        by_vector.into_iter().map(|(vector, indices)| (vector, indices.into_iter().collect())).collect()
    }

    /// Makes a snapshot of every vector that has none, while the budget lasts, and says how many:
    /// what asks would lead to in time, done at once. On one thread vectors ascend; on several,
    /// which of them find room in a small budget is left to rayon. It costs
    /// [`OpeningCosts::open_all`] a vector; snapshots that asks never pay for are wasted. Their
    /// accounts start with shares of rent between nothing and all of it, so that refreshes do not
    /// fall together.
    ///
    /// [`OpeningCosts::open_all`]: crate::OpeningCosts::open_all
    ///
    /// # Errors
    /// [`ArchiveError::Damaged`].
    pub fn warm_openings(&self) -> Result<u64, ArchiveError> {
        let warmed = (0..self.vectors()).into_par_iter().map(|vector| self.warm_vector(vector).map(u64::from));
        warmed.sum::<Result<u64, ArchiveError>>()
    }

    /// The same for one vector; whether a snapshot was made. None is where there is one already,
    /// where the budget has no room, or where this is not the newest version any more.
    ///
    /// # Errors
    /// [`ArchiveError::Damaged`]; [`ArchiveError::Ended`] where the work is.
    pub fn warm_vector(&self, vector: u64) -> Result<bool, ArchiveError> {
        self.work.check()?;
        let costs = self.openings.costs(self.scheme()?);
        if vector >= self.vectors() {
            return Ok(false);
        }
        let Some(taking) = self.openings.claim(self.version, vector) else {
            return Ok(false);
        };
        taking.hold(self.snapshot_of(vector)?, share(vector) * costs.open_all);
        Ok(true)
    }

    /// Drops the openings of vectors that others are asked for from now on.
    pub fn drop_openings(&self, gone: impl Fn(u64) -> bool) {
        self.openings.drop_vectors(gone);
    }

    /// Makes a snapshot of a vector's openings, if asks have paid for one and this is the newest
    /// version: what work with an end leaves to others ([`Work::postponed`]). Says whether it did.
    ///
    /// [`Work::postponed`]: crate::Work::postponed
    ///
    /// # Errors
    /// [`ArchiveError::Damaged`].
    pub fn hold_openings(&self, vector: u64) -> Result<bool, ArchiveError> {
        let costs = self.openings.costs(self.scheme()?);
        let payment = Payment { openings: 0, rent: 0.0, price: costs.open_all };
        let Some(taking) = self.openings.pay(self.version, vector, &payment, || true) else {
            return Ok(false);
        };
        taking.hold(self.snapshot_of(vector)?, 0.0);
        Ok(true)
    }

    /// The openings of one vector, in the order of the indices.
    fn vector_openings(&self, asked: Asked<'_>) -> Result<Vec<Opening>, ArchiveError> {
        let mut start = self.start(asked)?;
        // Neither rent nor room in memory is worth a thought, nor is loading the scheme.
        if let Some(openings) = start.as_ref().and_then(Start::stored_as_they_are) {
            self.openings.count(&Answered::Stored { openings: openings.len(), deltas: 0 });
            return Ok(openings);
        }
        let costs = self.openings.costs(self.scheme()?);
        let rent = rent(costs, start.as_ref(), self.cost_afresh(asked)?);
        let allowed = || !self.work.postpone(asked.vector);
        let payment = Payment { openings: asked.indices.len(), rent, price: costs.open_all };
        if let Some(taking) = self.openings.pay(self.version, asked.vector, &payment, allowed) {
            taking.hold(self.snapshot_of(asked.vector)?, 0.0);
            // Where it has been dropped again already, others are asked for much more.
            start = self.held(asked);
        }
        let (openings, answered) = self.answered(asked, start)?;
        answered.iter().for_each(|answered| self.openings.count(answered));
        Ok(openings)
    }

    /// The same for no answer: nothing is paid or counted for them.
    pub(super) fn computed(&self, asked: Asked<'_>) -> Result<Vec<Opening>, ArchiveError> {
        Ok(self.answered(asked, self.start(asked)?)?.0)
    }

    /// Held openings, else stored ones.
    fn start(&self, asked: Asked<'_>) -> Result<Option<Start>, ArchiveError> {
        match self.held(asked) {
            Some(held) => Ok(Some(held)),
            None => Ok(self.stored_vector(asked)?.map(|stored| Start::stored(asked, stored))),
        }
    }

    fn held(&self, asked: Asked<'_>) -> Option<Start> {
        let view = self.openings.view(asked.vector, asked.indices)?;
        Some(Start { behind: behind(&view, asked)?, stored: false })
    }

    /// Openings from those at hand, where that costs less than computing them anew.
    fn answered(&self, asked: Asked<'_>, start: Option<Start>) -> Result<(Vec<Opening>, Vec<Answered>), ArchiveError> {
        let costs = self.openings.costs(self.scheme()?);
        let fresh = self.cost_afresh(asked)?;
        match start.filter(|start| start.costs(costs) < fresh) {
            Some(start) => self.follow_changes(asked, &start).map(|(openings, answered)| (openings, vec![answered])),
            None => self.open_afresh(asked),
        }
    }

    /// Brings openings to the version asked for, and keeps them.
    fn follow_changes(&self, asked: Asked<'_>, start: &Start) -> Result<(Vec<Opening>, Answered), ArchiveError> {
        let behind = &start.behind;
        let updates: Vec<OpeningUpdate> =
            behind.iter().map(|one| (one.opening, one.index, one.changes.as_slice())).collect();
        let openings = self.scheme()?.update_openings_many(&updates)?;
        let changed = behind.iter().zip(&openings).filter(|(one, _)| !one.changes.is_empty());
        let improved: Vec<(usize, Opening)> = changed.map(|(one, opening)| (one.index, *opening)).collect();
        let (count, deltas) = (openings.len(), behind.iter().map(|one| one.changes.len()).sum());
        self.openings.improve(asked.vector, asked.version, improved.into_iter());
        let answered = match start.stored {
            true => Answered::Stored { openings: count, deltas },
            false => Answered::Held { openings: count, deltas },
        };
        Ok((openings, answered))
    }

    /// Computes openings without a snapshot: from single ones that are kept where that costs less,
    /// and from the whole vector.
    fn open_afresh(&self, asked: Asked<'_>) -> Result<(Vec<Opening>, Vec<Answered>), ArchiveError> {
        let (vector, version) = (asked.vector, asked.version);
        let kept = self.kept(asked)?;
        let followed = self.follow_kept(&kept)?;
        let mut openings: BTreeMap<usize, Opening> = kept.iter().map(|(index, _)| *index).zip(followed).collect();
        let mut answered = Vec::new();
        if !kept.is_empty() {
            let deltas = kept.iter().map(|(_, (_, changes))| changes.len()).sum();
            answered.push(Answered::Held { openings: kept.len(), deltas });
        }
        let missing: Vec<usize> = asked.indices.iter().filter(|index| !openings.contains_key(index)).copied().collect();
        if !missing.is_empty() {
            let scalars = self.scalars_at(vector, version)?;
            openings.extend(missing.iter().copied().zip(self.scheme()?.open_many(&scalars, &missing)?));
            self.openings.hold_scalars(vector, version, scalars);
            answered.push(Answered::Fresh(missing.len()));
        }
        self.openings.keep(vector, version, openings.iter().map(|(index, opening)| (*index, *opening)));
        // Indices are distinct, and ascend.
        Ok((openings.into_values().collect(), answered))
    }

    /// The openings that single ones lead to.
    fn follow_kept(&self, kept: &[(usize, Kept)]) -> Result<Vec<Opening>, ArchiveError> {
        if kept.is_empty() {
            return Ok(Vec::new());
        }
        let updates: Vec<OpeningUpdate> =
            kept.iter().map(|(index, (opening, changes))| (*opening, *index, changes.as_slice())).collect();
        Ok(self.scheme()?.update_openings_many(&updates)?)
    }

    /// The single openings that are kept and that it costs less to follow than to compute them, by
    /// their indices.
    fn kept(&self, asked: Asked<'_>) -> Result<Vec<(usize, Kept)>, ArchiveError> {
        let costs = self.openings.costs(self.scheme()?);
        let worth = |(_, changes): &Kept| costs.follow(changes.len()) < costs.opens(1);
        let kept = self.openings.kept(asked.vector, asked.version, asked.indices);
        let kept = asked.indices.iter().zip(kept);
        Ok(kept.filter_map(|(index, kept)| Some((*index, kept.filter(worth)?))).collect())
    }

    /// What openings cost without a snapshot, in microseconds.
    fn cost_afresh(&self, asked: Asked<'_>) -> Result<f64, ArchiveError> {
        let costs = self.openings.costs(self.scheme()?);
        let kept = self.kept(asked)?;
        let following: f64 = kept.iter().map(|(_, (_, changes))| costs.follow(changes.len())).sum();
        Ok(costs.opens(asked.indices.len().saturating_sub(kept.len())) + following)
    }

    /// All openings of a vector at the newest version, and its log.
    fn snapshot_of(&self, vector: u64) -> Result<HeldVector, ArchiveError> {
        let scheme = self.scheme()?;
        let mut scalars = self.scalars_at(vector, self.version)?.to_vec();
        let indices: Vec<usize> = (0..scheme.vector_size()).collect();
        let stored = self.stored_vector(Asked { vector, indices: &indices, version: self.version })?;
        let openings = match stored.filter(|stored| stored.changes.is_empty()) {
            Some(stored) => stored.openings,
            None => scheme.open_all(&scalars)?,
        };
        scalars.resize(scheme.vector_size(), Scalar::ZERO);
        let start = vector * self.parameters().positions_per_vector();
        let most = self.openings.longest_log();
        let log = history::log_of(&self.tables()?, (start, self.version), scalars, self.oldest_version(), most)?;
        Ok(HeldVector::new(self.version, openings, log))
    }

    /// The scalars of a vector's slots in use, as they are held or from the store; the scheme takes
    /// the rest for zeros.
    pub(super) fn scalars_at(&self, vector: u64, version: u64) -> Result<Arc<Vec<Scalar>>, ArchiveError> {
        match self.openings.scalars(vector, version) {
            Some(scalars) => Ok(scalars),
            None => Ok(Arc::new(self.read_scalars(vector, version)?)),
        }
    }

    /// The scalars of a vector's slots in use, from the store.
    fn read_scalars(&self, vector: u64, version: u64) -> Result<Vec<Scalar>, ArchiveError> {
        let vector_size = self.parameters().positions_per_vector();
        let start = vector * vector_size;
        let tables = self.tables()?;
        let array = ArrayAt::new(&tables, version, self.version)?;
        if array.size() <= start {
            return Ok(Vec::new());
        }
        let mut slots = array.each_slot(start, array.size().min(start + vector_size))?;
        let mut scalars = Vec::with_capacity(usize_or_max(vector_size));
        loop {
            let some = slots.by_ref().take(READ_TOGETHER).collect::<Result<Vec<Slot>, ArchiveError>>()?;
            if some.is_empty() {
                return Ok(scalars);
            }
            scalars.extend(Slot::scalars(&some));
        }
    }
}

impl Start {
    /// Stored openings, which share what has changed.
    fn stored(asked: Asked<'_>, stored: StoredVector) -> Self {
        let changes = Arc::new(stored.changes);
        let behind = asked.indices.iter().zip(stored.openings);
        let behind = behind.map(|(index, opening)| Behind { index: *index, opening, changes: Arc::clone(&changes) });
        Self { behind: behind.collect(), stored: true }
    }

    /// Stored openings of vectors that have not changed.
    fn stored_as_they_are(&self) -> Option<Vec<Opening>> {
        let as_they_are = self.stored && self.behind.iter().all(|one| one.changes.is_empty());
        as_they_are.then(|| self.behind.iter().map(|one| one.opening).collect())
    }

    /// The price of following what has changed.
    fn costs(&self, costs: &OpeningCosts) -> f64 {
        self.behind.iter().map(|one| costs.follow(one.changes.len())).sum()
    }
}

/// What an answer costs beyond reading held openings, in microseconds, where it costs so much
/// without a snapshot.
fn rent(costs: &OpeningCosts, start: Option<&Start>, fresh: f64) -> f64 {
    start.map_or(fresh, |start| start.costs(costs)).min(fresh)
}

/// What is asked for from held openings, where their log reaches it. Openings of one version share
/// what has changed.
fn behind(view: &View, asked: Asked<'_>) -> Option<Vec<Behind>> {
    if !view.log.reaches(asked.version) {
        return None;
    }
    let mut since: BTreeMap<u64, Arc<Vec<(usize, Scalar)>>> = BTreeMap::new();
    let openings = asked.indices.iter().zip(&view.openings).map(|(index, (opening, version))| {
        let changes = since.entry(*version).or_insert_with(|| Arc::new(view.log.between(*version, asked.version)));
        Behind { index: *index, opening: *opening, changes: Arc::clone(changes) }
    });
    Some(openings.collect())
}

/// A number in
/// [0, 1): those of successive vectors are spread evenly (multiples of the golden ratio, modulo 1).
fn share(vector: u64) -> f64 {
    let [.., high, low] = vector.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_le_bytes();
    f64::from(u16::from_le_bytes([high, low])) / 65_536.0
}

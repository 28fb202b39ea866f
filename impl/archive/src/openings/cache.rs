//! The held vectors of an archive behind one lock, which is never kept while anything is computed.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use aardvark_algebra::Scalar;
use aardvark_algebra::integers::{u32_or_max, u64_of_usize};
use aardvark_algebra::parallel::{made_once, prelude::*};
use aardvark_commitment::{Opening, Scheme};
use aardvark_dictionary::array::Write;

use super::accounts::Accounts;
use super::held::HeldVector;
use super::log::{Delta, DeltaLog};
use super::scalars::{HeldScalars, Kept};
use super::{OpeningCosts, OpeningOptions, OpeningStatistics};

/// How many times as often as the vector that has to go must one be asked for to take its place.
const ADVANTAGE: u64 = 2;
/// Bytes of snapshots and logs for one of scalars, which are kept besides.
const BYTES_FOR_SCALARS: usize = 16;

/// What an archive holds to answer with.
#[derive(Debug)]
pub(crate) struct Openings {
    budget: usize,
    /// As the options say, or measured for the scheme, which is known at the first answer.
    costs: OnceLock<OpeningCosts>,
    vector_size: usize,
    cache: Mutex<Cache>,
}

#[derive(Debug, Default)]
struct Cache {
    /// The version up to which logs have all changes, or soon have.
    version: u64,
    held: HashMap<u64, HeldVector>,
    /// What versions changed in vectors of which a snapshot is being made, since it was begun:
    /// `None` where that is more than is worth following.
    taking: HashMap<u64, Option<Vec<Delta>>>,
    accounts: Accounts,
    scalars: HeldScalars,
    bytes: usize,
    statistics: OpeningStatistics,
}

/// Held openings as they are at the moment: each with its version, and the log that leads on from
/// there.
pub(super) struct View {
    pub(super) log: Arc<DeltaLog>,
    pub(super) openings: Vec<(Opening, u64)>,
}

/// What an answer costs.
pub(super) struct Payment {
    /// Openings asked for.
    pub(super) openings: usize,
    /// What they cost beyond reading held ones.
    pub(super) rent: f64,
    /// What a snapshot costs.
    pub(super) price: f64,
}

/// The right to make a snapshot of a vector, which one answer has at a time.
pub(super) struct Taking<'a> {
    openings: &'a Openings,
    vector: u64,
}

/// How openings were answered.
pub(super) enum Answered {
    /// Each from the whole vector.
    Fresh(usize),
    /// From held ones, with so many multiples.
    Held { openings: usize, deltas: usize },
    /// From stored ones, with so many multiples.
    Stored { openings: usize, deltas: usize },
}

impl Openings {
    pub(crate) fn new(options: &OpeningOptions, vector_size: usize, version: u64) -> Self {
        let costs = options.costs.map_or_else(OnceLock::new, OnceLock::from);
        let scalars = HeldScalars::new(version, options.budget / BYTES_FOR_SCALARS);
        let cache = Mutex::new(Cache { version, scalars, ..Cache::default() });
        Self { budget: options.budget, costs, vector_size, cache }
    }

    /// As it is at the beginning, at a version.
    pub(crate) fn emptied(&self, version: u64) -> Self {
        let options = OpeningOptions { budget: self.budget, costs: self.costs.get().copied() };
        Self::new(&options, self.vector_size, version)
    }

    pub(super) fn costs(&self, scheme: &Scheme) -> &OpeningCosts {
        made_once(&self.costs, || OpeningCosts::measured(scheme))
    }

    /// Changes that a log may hold since its snapshot: it then is as large as the openings.
    pub(super) fn longest_log(&self) -> usize {
        HeldVector::bytes_of(self.vector_size) / size_of::<Delta>()
    }

    /// The lock guards plain data, which is whole whenever it is free.
    fn lock(&self) -> MutexGuard<'_, Cache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn statistics(&self) -> OpeningStatistics {
        let cache = self.lock();
        OpeningStatistics {
            vectors: u64_of_usize(cache.held.len()),
            room: u64_of_usize(self.budget / HeldVector::bytes_of(self.vector_size)),
            bytes: u64_of_usize(cache.bytes),
            ..cache.statistics
        }
    }

    /// What is held of a vector at some indices.
    pub(super) fn view(&self, vector: u64, indices: &[usize]) -> Option<View> {
        let cache = self.lock();
        let held = cache.held.get(&vector)?;
        let openings = indices.iter().map(|index| held.opening(*index)).collect::<Option<_>>()?;
        Some(View { log: Arc::clone(held.log()), openings })
    }

    /// Pays the rent of answering openings of a vector. Gives the right to make a snapshot of
    /// `version` instead, where the rent has reached its price, that version is the newest, and the
    /// asker's work allows it.
    pub(super) fn pay(
        &self,
        version: u64,
        vector: u64,
        payment: &Payment,
        allowed: impl FnOnce() -> bool,
    ) -> Option<Taking<'_>> {
        let mut cache = self.lock();
        let newest = cache.version == version;
        let account = cache.accounts.ask(vector, u64_of_usize(payment.openings));
        account.rent += payment.rent;
        let due = account.rent >= payment.price && !account.taking && newest;
        if !due || !cache.has_room(vector, HeldVector::bytes_of(self.vector_size), self.budget) || !allowed() {
            return None;
        }
        self.take(cache, vector)
    }

    /// The right to make a snapshot of a vector that has none, while there is room for one more.
    pub(super) fn claim(&self, version: u64, vector: u64) -> Option<Taking<'_>> {
        let mut cache = self.lock();
        if cache.version != version {
            return None;
        }
        let room = cache.bytes + HeldVector::bytes_of(self.vector_size) <= self.budget;
        let taken = cache.held.contains_key(&vector) || cache.accounts.ask(vector, 0).taking;
        if taken || !room {
            return None;
        }
        self.take(cache, vector)
    }

    fn take(&self, mut cache: MutexGuard<'_, Cache>, vector: u64) -> Option<Taking<'_>> {
        cache.accounts.get_mut(vector)?.taking = true;
        cache.taking.insert(vector, Some(Vec::new()));
        drop(cache);
        Some(Taking { openings: self, vector })
    }

    /// Keeps openings that were brought up to a version.
    pub(super) fn improve(&self, vector: u64, version: u64, openings: impl Iterator<Item = (usize, Opening)>) {
        if let Some(held) = self.lock().held.get_mut(&vector) {
            openings.for_each(|(index, opening)| held.improve(index, opening, version));
        }
    }

    /// The scalars of a vector at a version, where they are held.
    pub(super) fn scalars(&self, vector: u64, version: u64) -> Option<Arc<Vec<Scalar>>> {
        self.lock().scalars.get(vector, version)
    }

    /// Keeps the scalars of a vector, if this version is the newest.
    pub(super) fn hold_scalars(&self, vector: u64, version: u64, scalars: Arc<Vec<Scalar>>) {
        self.lock().scalars.hold(vector, version, scalars);
    }

    /// What is kept of single openings of a vector at a version.
    pub(super) fn kept(&self, vector: u64, version: u64, indices: &[usize]) -> Vec<Option<Kept>> {
        self.lock().scalars.kept(vector, version, indices)
    }

    /// Keeps openings that were computed at a version: in the place of older ones of a snapshot,
    /// and as single ones, if this version is the newest.
    pub(super) fn keep(&self, vector: u64, version: u64, openings: impl Iterator<Item = (usize, Opening)> + Clone) {
        self.improve(vector, version, openings.clone());
        self.lock().scalars.keep(vector, version, openings);
    }

    /// Counts answers.
    pub(super) fn count(&self, answered: &Answered) {
        let statistics = &mut self.lock().statistics;
        match answered {
            Answered::Fresh(openings) => statistics.fresh += u64_of_usize(*openings),
            Answered::Held { openings, deltas } => {
                statistics.held += u64_of_usize(*openings);
                statistics.deltas += u64_of_usize(*deltas);
            }
            Answered::Stored { openings, deltas } => {
                statistics.stored += u64_of_usize(*openings);
                statistics.deltas += u64_of_usize(*deltas);
            }
        }
    }

    /// Begins to follow a new version, and says in which vectors what it writes is logged: in those
    /// that are held, and in those of which snapshots are being made. Whoever asks at a version
    /// before goes on with what was held for it.
    pub(crate) fn begin(&self, version: u64) -> HashSet<u64> {
        let mut cache = self.lock();
        // From here on no snapshot of the version before is begun, so that those which there are,
        // are all that there will be.
        cache.version = version;
        cache.scalars.begin();
        cache.followed()
    }

    /// Follows the version that was begun: logs what it wrote in the vectors `followed`, and adds
    /// it to the scalars that are kept. Nobody waits while that is computed.
    pub(crate) fn follow(&self, version: u64, followed: &HashSet<u64>, writes: &[Write], oldest: u64) {
        let vector_size = u64_of_usize(self.vector_size);
        let most = self.longest_log();
        let by_vector = writes.chunk_by(|a, b| a.position / vector_size == b.position / vector_size);
        let by_vector = by_vector.filter_map(|writes| Some((writes.first()?.position / vector_size, writes)));
        let followed: Vec<(u64, &[Write])> = by_vector.filter(|(vector, _)| followed.contains(vector)).collect();
        // More changes than are worth following need not even be hashed.
        let worth = |writes: &[Write]| writes.len() <= most;
        let deltas_of = |writes: &[Write]| {
            let indices = writes.iter().map(|write| u32_or_max(write.position % vector_size));
            indices.zip(Write::scalar_changes(writes)).map(|(index, change)| Delta { version, index, change }).collect()
        };
        let deltas =
            followed.into_par_iter().map(|(vector, writes)| (vector, worth(writes).then(|| deltas_of(writes))));
        let deltas: Vec<(u64, Option<Vec<Delta>>)> = deltas.collect();
        let mut cache = self.lock();
        for (vector, deltas) in deltas {
            cache.scalars.follow(vector, version, deltas.as_deref());
            cache.follow(vector, deltas, oldest, most);
        }
        cache.scalars.move_on(version);
        cache.shrink(self.budget, None);
    }

    /// Drops what is held of some vectors.
    pub(super) fn drop_vectors(&self, gone: impl Fn(u64) -> bool) {
        let mut cache = self.lock();
        let vectors: Vec<u64> = cache.held.keys().copied().filter(|vector| gone(*vector)).collect();
        vectors.into_iter().for_each(|vector| cache.evict(vector));
        cache.scalars.drop_vectors(gone);
    }

    /// Drops all that is held, and what is being made.
    pub(crate) fn clear(&self) {
        let mut cache = self.lock();
        cache.held.clear();
        cache.scalars.clear();
        cache.bytes = 0;
        cache.taking.values_mut().for_each(|since| *since = None);
    }
}

impl Taking<'_> {
    /// Holds the snapshot; the vector's account starts anew with a rent.
    pub(super) fn hold(self, mut snapshot: HeldVector, rent: f64) {
        let openings = self.openings;
        let mut cache = openings.lock();
        // Versions may have come since it was begun.
        let Some(since) = cache.taking.remove(&self.vector).flatten() else {
            return;
        };
        snapshot.follow(since.into_iter(), 0);
        if let Some(account) = cache.accounts.get_mut(self.vector) {
            account.rent = rent;
        }
        match cache.replace(self.vector, snapshot) {
            true => cache.statistics.refreshes += 1,
            false => cache.statistics.snapshots += 1,
        }
        cache.shrink(openings.budget, Some(self.vector));
    }
}

impl Drop for Taking<'_> {
    fn drop(&mut self) {
        let mut cache = self.openings.lock();
        cache.taking.remove(&self.vector);
        if let Some(account) = cache.accounts.get_mut(self.vector) {
            account.taking = false;
        }
    }
}

impl Cache {
    /// Whether a snapshot of a vector may be held, if the least asked for gives way.
    fn has_room(&self, vector: u64, bytes: usize, budget: usize) -> bool {
        if bytes > budget {
            return false;
        }
        let fits = self.held.contains_key(&vector) || self.bytes + bytes <= budget;
        let gives_way =
            |least: u64| self.accounts.demand(least).saturating_mul(ADVANTAGE) <= self.accounts.demand(vector);
        fits || self.least_asked(None).is_some_and(gives_way)
    }

    /// The held vector that was asked for least, other than one.
    fn least_asked(&self, besides: Option<u64>) -> Option<u64> {
        let others = self.held.keys().copied().filter(|vector| Some(*vector) != besides);
        others.min_by_key(|vector| (self.accounts.demand(*vector), *vector))
    }

    /// Holds a vector; whether there was one before.
    fn replace(&mut self, vector: u64, held: HeldVector) -> bool {
        self.bytes += held.bytes();
        let before = self.held.insert(vector, held);
        self.bytes -= before.as_ref().map_or(0, HeldVector::bytes);
        before.is_some()
    }

    fn evict(&mut self, vector: u64) {
        if let Some(held) = self.held.remove(&vector) {
            self.bytes -= held.bytes();
            self.statistics.evictions += 1;
        }
    }

    /// Drops the least asked for until the budget is kept, `last` after all others.
    fn shrink(&mut self, budget: usize, last: Option<u64>) {
        while self.bytes > budget {
            match self.least_asked(last).or(last.filter(|last| self.held.contains_key(last))) {
                Some(vector) => self.evict(vector),
                None => break,
            }
        }
    }

    /// The vectors whose changes are logged.
    fn followed(&self) -> HashSet<u64> {
        self.held.keys().chain(self.taking.keys()).copied().chain(self.scalars.vectors()).collect()
    }

    /// Logs the changes of a version in a held vector, or drops it where they are not worth
    /// following; and for the snapshot of it that is being made.
    fn follow(&mut self, vector: u64, deltas: Option<Vec<Delta>>, oldest: u64, most: usize) {
        if let Some(since) = self.taking.get_mut(&vector) {
            let all = since.take().zip(deltas.as_ref()).map(|(before, deltas)| [before.as_slice(), deltas].concat());
            *since = all.filter(|all| all.len() <= most);
        }
        let Some(held) = self.held.get_mut(&vector) else {
            return;
        };
        let Some(deltas) = deltas.filter(|deltas| held.behind() + deltas.len() <= most) else {
            return self.evict(vector);
        };
        self.bytes -= held.bytes();
        held.follow(deltas.into_iter(), oldest);
        self.bytes += held.bytes();
    }
}

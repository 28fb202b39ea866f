//! A front's side: asks the servers that own a vector for its openings, and believes none of them.
//!
//! Of the two owners the one that answered last time is asked first, in the order of their weights
//! where both did; the other one where the first fails, lags, or says something false. A server
//! that fails is left alone for a while ([`super::health`]). Where both are behind they are asked
//! again until they have the version or the front's patience is over. What nobody gives, the front
//! computes if it is told to, and otherwise refuses ([`ArchiveError::NoOpenings`]).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use aardvark_algebra::integers::{u32_or_max, u64_of_usize};
use aardvark_archive::{ArchiveError, GivenOpening, OpeningSource, OwnOpenings, Snapshot};
use aardvark_client::rpc::http::{Ask, Http, HttpError, HttpOptions};
use aardvark_commitment::Opening;
use aardvark_commitment::points::POINT_BYTES;
use aardvark_dictionary::Slot;
use prometheus_client::registry::Registry;

use super::health::{Health, Preference};
use super::message::{BUSY, MOST_POSITIONS, NOT_HERE, NOT_OWNED, OpeningsRequest, PATH};
use super::metrics::{ReplicaCounts, ReplicaMetrics};
use super::ring::{REPLICAS, Ring};
use super::servers::{OpeningServers, ServersError};
use crate::request_id::RequestId;

/// How long to wait before servers that were behind are asked again.
const PAUSE: Duration = Duration::from_millis(20);
/// Threads that ask servers for one answer.
const MOST_THREADS: usize = 16;
/// Microseconds of one core that it takes to check openings, and each of them.
const CHECK: (f64, f64) = (1500.0, 150.0);

/// How a front asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplicaOptions {
    /// How long one request to a server may take.
    pub request: Duration,
    /// How long servers that are behind are waited for in all.
    pub patience: Duration,
    /// Whether the front computes what nobody gives.
    pub compute: bool,
}

impl Default for ReplicaOptions {
    /// A second, two seconds, and no.
    fn default() -> Self {
        Self { request: Duration::from_secs(1), patience: Duration::from_secs(2), compute: false }
    }
}

/// The opening servers of a dictionary, as a source of openings.
pub struct Replicas {
    pub(super) options: ReplicaOptions,
    members: RwLock<Arc<Members>>,
    pub(super) metrics: ReplicaMetrics,
}

/// Who owns which vector, and how they are asked.
pub(super) struct Members {
    ring: Ring,
    /// In the order of the ring's names.
    pub(super) servers: Vec<Server>,
}

pub(super) struct Server {
    pub(super) name: String,
    pub(super) http: Http,
    health: Mutex<Health>,
    /// Whether it answered when it was asked last, be it for its state alone.
    pub(super) answers: AtomicBool,
}

/// What a server said.
enum Said {
    /// Bytes, which may be openings.
    Bytes(Vec<u8>),
    /// That it does not have the version yet.
    NotHere,
    /// That it cannot give these now, which says nothing against it.
    NotNow(u16),
    /// That it fails.
    Failed(u16),
}

/// What is asked for and what has come.
struct Asking<'a> {
    archive: &'a Snapshot,
    version: u64,
    vector_size: u64,
    wanted: BTreeMap<u64, &'a Slot>,
    found: BTreeMap<u64, Opening>,
}

/// A request to one server.
struct Asked<'a> {
    server: &'a Server,
    request: OpeningsRequest,
}

/// A position, and what a server says is its opening.
type Given<'a> = (&'a Server, u64, [u8; POINT_BYTES]);

impl Replicas {
    /// The servers of a list.
    ///
    /// # Errors
    /// [`ServersError::Address`].
    pub fn new(servers: &OpeningServers, options: ReplicaOptions) -> Result<Self, ServersError> {
        let members = RwLock::new(Arc::new(Members::new(servers, &options)?));
        Ok(Self { options, members, metrics: ReplicaMetrics::default() })
    }

    /// Asks the servers of another list from now on; requests at hand go on with the list before.
    ///
    /// # Errors
    /// [`ServersError::Address`]; then the list before stays.
    pub fn set_servers(&self, servers: &OpeningServers) -> Result<(), ServersError> {
        let members = Arc::new(Members::new(servers, &self.options)?);
        *self.members.write().unwrap_or_else(PoisonError::into_inner) = members;
        Ok(())
    }

    /// What was asked for and came.
    pub fn counts(&self) -> ReplicaCounts {
        self.metrics.counts()
    }

    /// Names the counters.
    pub fn register(&self, registry: &mut Registry) {
        self.metrics.register(registry);
    }

    pub(super) fn members(&self) -> Arc<Members> {
        Arc::clone(&self.members.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Asks the owners of what is missing, the first ones and then the others; whether some of them
    /// were behind.
    fn round(&self, members: &Members, asking: &mut Asking<'_>) -> Result<bool, ArchiveError> {
        let orders: BTreeMap<u64, Vec<usize>> =
            asking.vectors().into_iter().map(|vector| (vector, members.order(vector, Instant::now()))).collect();
        let mut behind = false;
        for turn in 0..REPLICAS {
            asking.archive.work().check()?;
            let server_of = |vector: u64| orders.get(&vector)?.get(turn).copied();
            let asked = asking.requests(|vector| members.servers.get(server_of(vector)?));
            let mut given = Vec::new();
            for (asked, said) in asked.iter().zip(self.ask(&asked)) {
                behind |= matches!(said, Ok(Said::NotHere));
                given.extend(self.taken(asked, said));
            }
            self.check(asking, &given)?;
        }
        Ok(behind)
    }

    /// Asks servers, some at a time; their answers in the order of the requests. What is asked runs
    /// on threads of its own, since those of a pool that compute are not to wait.
    fn ask(&self, asked: &[Asked<'_>]) -> Vec<Result<Said, HttpError>> {
        let request = RequestId::here();
        let id = request.as_ref().map(RequestId::as_str);
        let ask = |asked: &Asked<'_>| asked.server.ask(&asked.request.encode(), id, &self.metrics);
        if let [one] = asked {
            return vec![ask(one)];
        }
        let at_a_time = asked.len().div_ceil(MOST_THREADS).max(1);
        std::thread::scope(|threads| {
            let spawn = |part| threads.spawn(move || part_of(part, ask));
            let parts: Vec<_> = asked.chunks(at_a_time).map(|part| (part.len(), spawn(part))).collect();
            let panicked = || Err(HttpError::Unreachable("the thread that asks panicked".to_owned()));
            let joined = parts.into_iter().map(|(count, thread)| {
                thread.join().unwrap_or_else(|_| std::iter::repeat_with(panicked).take(count).collect())
            });
            joined.flatten().collect()
        })
    }

    /// What a server gave, if it gave openings at all.
    fn taken<'a>(&self, asked: &'a Asked<'_>, said: Result<Said, HttpError>) -> Vec<Given<'a>> {
        let (server, positions) = (asked.server, &asked.request.positions);
        let bytes = match said {
            Ok(Said::Bytes(bytes)) => bytes,
            Ok(Said::NotHere) => {
                self.metrics.behind.inc();
                server.health().is_behind();
                return Vec::new();
            }
            Ok(Said::NotNow(status)) => {
                tracing::warn!(server = server.name, status, "an opening server does not give what it should own");
                self.metrics.failed.inc();
                server.health().is_behind();
                return Vec::new();
            }
            Ok(Said::Failed(status)) => {
                tracing::warn!(server = server.name, status, "an opening server fails");
                return self.failed(server);
            }
            Err(error) => {
                tracing::warn!(server = server.name, %error, "an opening server does not answer");
                return self.failed(server);
            }
        };
        let Some(openings) = asked.request.openings(&bytes) else {
            tracing::warn!(server = server.name, bytes = bytes.len(), "an opening server gives no openings");
            return self.failed(server);
        };
        positions.iter().zip(openings).map(|(position, opening)| (server, *position, *opening)).collect()
    }

    fn failed<'a>(&self, server: &Server) -> Vec<Given<'a>> {
        self.metrics.failed.inc();
        server.answers.store(false, Ordering::Relaxed);
        server.health().failed(Instant::now());
        Vec::new()
    }

    /// Checks what servers gave, all together, and takes what holds.
    fn check(&self, asking: &mut Asking<'_>, given: &[Given<'_>]) -> Result<(), ArchiveError> {
        let of_slots = |(_, position, opening): &Given<'_>| Some((*position, *asking.wanted.get(position)?, *opening));
        let openings: Vec<GivenOpening<'_>> = given.iter().filter_map(of_slots).collect();
        let checked = asking.archive.checked_openings(asking.version, &openings)?;
        // How many openings of each server do not hold.
        let mut wrong: BTreeMap<&str, (&Server, usize)> = BTreeMap::new();
        for ((server, position, _), opening) in given.iter().zip(checked) {
            let (_, wrong) = wrong.entry(&server.name).or_insert((server, 0));
            match opening {
                Some(opening) => drop(asking.found.insert(*position, opening)),
                None => *wrong += 1,
            }
        }
        let all_wrong = wrong.values().map(|(_, wrong)| wrong).sum();
        self.metrics.wrong.inc_by(u64_of_usize(all_wrong));
        self.metrics.given.inc_by(u64_of_usize(given.len().saturating_sub(all_wrong)));
        for (server, wrong) in wrong.into_values() {
            if wrong == 0 {
                server.answers.store(true, Ordering::Relaxed);
                server.health().answered();
            } else {
                let version = asking.version;
                tracing::error!(server = server.name, wrong, version, "an opening server gives false openings");
                server.health().lied(Instant::now());
            }
        }
        Ok(())
    }
}

/// Asks one after the other.
fn part_of<A, T>(part: &[A], ask: impl Fn(&A) -> T) -> Vec<T> {
    part.iter().map(ask).collect()
}

impl OpeningSource for Replicas {
    fn openings(
        &self,
        archive: &Snapshot,
        version: u64,
        slots: &[(u64, Slot)],
    ) -> Result<BTreeMap<u64, Opening>, ArchiveError> {
        let (members, begun) = (self.members(), Instant::now());
        let mut asking = Asking::new(archive, version, slots);
        while self.round(&members, &mut asking)? && !asking.is_done() && begun.elapsed() < self.options.patience {
            archive.work().check()?;
            std::thread::sleep(PAUSE);
        }
        let missing = asking.missing();
        let Some(first) = missing.first() else {
            return Ok(asking.found);
        };
        if !self.options.compute {
            self.metrics.missing.inc_by(u64_of_usize(missing.len()));
            return Err(ArchiveError::NoOpenings { vector: first.0 / asking.vector_size, version });
        }
        self.metrics.computed.inc_by(u64_of_usize(missing.len()));
        asking.found.extend(OwnOpenings.openings(archive, version, &missing)?);
        Ok(asking.found)
    }

    fn cost(&self, _: &Snapshot, _: u64, slots: &[(u64, Slot)]) -> Result<f64, ArchiveError> {
        let (once, each) = CHECK;
        Ok(once + each * f64::from(u32_or_max(slots.len())))
    }
}

impl Members {
    fn new(servers: &OpeningServers, options: &ReplicaOptions) -> Result<Self, ServersError> {
        let answer_bytes = MOST_POSITIONS * POINT_BYTES;
        let connections = servers.connections(HttpOptions { timeout: options.request, answer_bytes })?;
        let server = |(name, http)| Server { name, http, health: Mutex::default(), answers: AtomicBool::new(false) };
        Ok(Self { ring: servers.ring(), servers: connections.into_iter().map(server).collect() })
    }

    /// The owners of a vector that may be asked now, in the order in which they are.
    fn order(&self, vector: u64, now: Instant) -> Vec<usize> {
        let preference = |place: usize| self.servers.get(place)?.health().preference(now);
        let owners = self.ring.owners(vector).into_iter();
        let mut order: Vec<(Preference, usize)> =
            owners.filter_map(|place| Some((preference(place)?, place))).collect();
        order.sort_by_key(|(preference, _)| *preference);
        order.into_iter().map(|(_, place)| place).collect()
    }
}

impl Server {
    /// What is remembered is whole whenever the lock is free.
    pub(super) fn health(&self) -> MutexGuard<'_, Health> {
        self.health.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ask(&self, request: &[u8], id: Option<&str>, metrics: &ReplicaMetrics) -> Result<Said, HttpError> {
        let most = MOST_POSITIONS * POINT_BYTES;
        let answer = self.http.read(Ask::Bytes(PATH, request, id), most, |status, body| {
            let mut bytes = Vec::new();
            // What failed is remembered by the body.
            let _ = body.read_to_end(&mut bytes);
            (status, bytes)
        });
        let (status, bytes) = answer?;
        metrics.bytes.inc_by(u64_of_usize(request.len() + bytes.len()));
        match status {
            200 => Ok(Said::Bytes(bytes)),
            NOT_HERE => Ok(Said::NotHere),
            NOT_OWNED | BUSY => Ok(Said::NotNow(status)),
            other => Ok(Said::Failed(other)),
        }
    }
}

impl<'a> Asking<'a> {
    fn new(archive: &'a Snapshot, version: u64, slots: &'a [(u64, Slot)]) -> Self {
        let wanted = slots.iter().map(|(position, slot)| (*position, slot)).collect();
        let vector_size = archive.parameters().positions_per_vector();
        Self { archive, version, vector_size, wanted, found: BTreeMap::new() }
    }

    fn is_done(&self) -> bool {
        self.found.len() == self.wanted.len()
    }

    fn missing(&self) -> Vec<(u64, Slot)> {
        let missing = self.wanted.iter().filter(|(position, _)| !self.found.contains_key(position));
        missing.map(|(position, slot)| (*position, (*slot).clone())).collect()
    }

    /// The vectors of what is missing.
    fn vectors(&self) -> BTreeSet<u64> {
        let missing = self.wanted.keys().filter(|position| !self.found.contains_key(position));
        missing.map(|position| position / self.vector_size).collect()
    }

    /// Requests for what is missing to the servers that are to be asked, each of as many positions
    /// as a request has at most.
    fn requests<'s>(&self, server_of: impl Fn(u64) -> Option<&'s Server>) -> Vec<Asked<'s>> {
        let mut by_server: BTreeMap<&str, (&Server, Vec<u64>)> = BTreeMap::new();
        for position in self.wanted.keys().filter(|position| !self.found.contains_key(position)) {
            if let Some(server) = server_of(position / self.vector_size) {
                by_server.entry(&server.name).or_insert((server, Vec::new())).1.push(*position);
            }
        }
        let request = |positions: &[u64]| OpeningsRequest {
            dictionary: *self.archive.id(),
            version: self.version,
            positions: positions.to_vec(),
        };
        let mut requests = Vec::new();
        for (server, positions) in by_server.values() {
            requests.extend(positions.chunks(MOST_POSITIONS).map(|part| Asked { server, request: request(part) }));
        }
        requests
    }
}

//! `aardvark node openings`: follows the store of an archive, and answers with the openings of the
//! vectors that it owns, until a signal. Where the list of servers changes, it owns from then on
//! what the new one gives it, drops the openings of other vectors, and prepares new ones.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use aardvark_algebra::parallel::prelude::*;
use aardvark_archive::{Archive, ArchiveError, OpeningOptions, Work};
use rayon::ThreadPoolBuilder;
use tokio::net::TcpListener;

use super::api::openings_router;
use super::daemon::{Listening, end_of_process, room_for, tell};
use super::limits::{Limits, cores};
use super::opened::DaemonError;
use super::server::{Serving, serve};
use super::service::Service;
use super::shared_archive::SharedArchive;
use super::store_follower::StoreFollower;
use super::vector_owner::VectorOwner;
use crate::openings::ServerList;
use crate::reload::{Changeable, Reloads};

/// How far below others those threads are that prepare openings.
const NICENESS: i32 = 10;
/// How often a vector is begun with, where a new version has come before that.
const TRIES: usize = 8;

/// What an opening server is, and where it listens.
#[derive(Clone, Debug)]
pub struct OpeningsOptions {
    /// Its name among the servers.
    pub name: String,
    /// All servers of the dictionary.
    pub servers: ServerList,
    /// Where to listen; port 0 takes any that is free.
    pub listen: SocketAddr,
    /// Where to tell the operator what the process is at.
    pub operations: Option<SocketAddr>,
    /// Most bytes of openings that are kept up to date, with their logs
    /// ([`OpeningOptions::budget`]).
    pub opening_bytes: usize,
    /// Whether to prepare the openings of all its vectors, while it answers.
    pub warm: bool,
    /// What bounds the server.
    pub limits: Limits,
    /// What changes while it runs.
    pub reloads: Reloads,
}

/// Serves openings until the process is told to end by SIGINT or SIGTERM. `ready` is told the
/// addresses when requests are taken.
///
/// # Errors
/// [`DaemonError`].
pub fn run_openings(
    mut archive: Archive,
    options: &OpeningsOptions,
    ready: impl FnOnce(Listening),
) -> Result<Serving, DaemonError> {
    let servers = options.servers.read_with(&options.name)?;
    archive.set_opening_options(&OpeningOptions { budget: options.opening_bytes, ..OpeningOptions::default() });
    let shared = Arc::new(SharedArchive::without_roots(archive));
    let follower = Arc::new(StoreFollower::new(Arc::clone(&shared)));
    let owner = Arc::new(VectorOwner::new(options.name.clone(), servers.ring(), Arc::clone(&follower)));
    let limits = Limits { connections: room_for(options.limits.connections), ..options.limits };
    let service = Service::new(shared, limits);
    let serving = Arc::new(AtomicBool::new(false));
    let operations = options.operations.map(|address| tell(address, &service, &serving)).transpose()?;
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().max_blocking_threads(service.threads() + 2).build()?;
    let end_of_following = Arc::new(AtomicBool::new(false));
    let following = std::thread::spawn({
        let end = Arc::clone(&end_of_following);
        move || follower.run(&end)
    });
    let preparing = options.warm.then(|| Preparing::begin(&service, &owner));
    let preparing = Arc::new(Mutex::new(preparing));
    let taking = options.reloads.take_by({
        let (service, owner, preparing) = (service.clone(), Arc::clone(&owner), Arc::clone(&preparing));
        let (name, warm) = (options.name.clone(), options.warm);
        move |changed| {
            service.connections.set(room_for(changed.connections), changed.connections_per_address);
            if own_anew(&service, &owner, &name, changed) && warm {
                let anew = Preparing::begin(&service, &owner);
                *preparing.lock().unwrap_or_else(PoisonError::into_inner) = Some(anew);
            }
        }
    });
    let served: Result<Serving, DaemonError> = runtime.block_on(async {
        let address = options.listen;
        let failed = |source| DaemonError::Listen { address, source };
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        let end = end_of_process()?;
        let public = listener.local_addr().map_err(failed)?;
        serving.store(true, Ordering::Relaxed);
        ready(Listening { public, operations });
        Ok(serve(listener, openings_router(&service, Arc::clone(&owner)), &service, end).await)
    });
    drop(taking);
    drop(preparing.lock().unwrap_or_else(PoisonError::into_inner).take());
    end_of_following.store(true, Ordering::Relaxed);
    following.join().map_err(|_| DaemonError::Stopped("the thread that follows the store panicked".to_owned()))?;
    served
}

/// Owns what another list says, and drops the rest; whether there is one that has this server.
fn own_anew(service: &Service, owner: &VectorOwner, name: &str, changed: &Changeable) -> bool {
    let Some(servers) = changed.servers.as_ref().filter(|servers| servers.has(name)) else {
        tracing::error!("the list of servers stays as it was: the new one does not have {name}");
        return false;
    };
    owner.set_ring(servers.ring());
    service.shared.archive().drop_openings(|vector| !owner.owns(vector));
    tracing::info!("the list of servers was read again");
    true
}

/// A thread that prepares openings, until it is done or this goes.
struct Preparing {
    work: Arc<Work>,
    thread: Option<JoinHandle<()>>,
}

impl Preparing {
    /// Prepares the openings of all vectors that a server owns.
    fn begin(service: &Service, owner: &Arc<VectorOwner>) -> Self {
        let work = Arc::new(Work::unlimited());
        let thread = std::thread::spawn({
            let (work, shared, owner) = (Arc::clone(&work), Arc::clone(&service.shared), Arc::clone(owner));
            move || match prepare(&shared, &owner, &work) {
                Ok(()) | Err(ArchiveError::Ended) => (),
                Err(error) => tracing::warn!(%error, "openings are not prepared"),
            }
        });
        Self { work, thread: Some(thread) }
    }
}

impl Drop for Preparing {
    fn drop(&mut self) {
        self.work.end();
        let ended = self.thread.take().map(JoinHandle::join);
        if matches!(ended, Some(Err(_))) {
            tracing::error!("the thread that prepares openings panicked");
        }
    }
}

fn prepare(shared: &SharedArchive, owner: &VectorOwner, work: &Arc<Work>) -> Result<(), ArchiveError> {
    let lower = |_| {
        // Where the system refuses, it is done at the priority of all.
        let _ = rustix::process::nice(NICENESS);
    };
    let pool = ThreadPoolBuilder::new().num_threads(cores()).start_handler(lower).build();
    let Ok(pool) = pool.inspect_err(|error| tracing::warn!(%error, "no threads that prepare openings")) else {
        return Ok(());
    };
    pool.install(|| {
        let vectors = 0..shared.archive().vectors();
        let owned = vectors.into_par_iter().filter(|vector| owner.owns(*vector));
        owned.try_for_each(|vector| {
            for _ in 0..TRIES {
                let archive = shared.archive().for_work(Arc::clone(work));
                // Nothing is prepared for a version that is not the newest any more.
                if archive.warm_vector(vector)? || archive.version() == shared.archive().version() {
                    break;
                }
            }
            Ok(())
        })
    })
}

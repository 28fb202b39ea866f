//! `aardvark node archive`: opens the archive, serves it, follows the chain, ends on a signal.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use aardvark_archive::{Archive, ArchiveError};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

use super::api::router;
use super::chain_records::{CHAIN_FILE, ChainRecords, RecordError};
use super::limits::Limits;
use super::server::{Serving, serve};
use super::service::Service;
use super::shelf::Shelf;

/// Descriptors that the process needs besides its connections.
const OTHER_DESCRIPTORS: usize = 64;

/// What to serve, and where.
#[derive(Clone, Debug)]
pub struct Options {
    /// The archive's directory.
    pub directory: PathBuf,
    /// Where to listen; port 0 takes any that is free.
    pub listen: SocketAddr,
    /// Whether to hold openings of all vectors before the first request: seconds a million keys, and proofs that
    /// are fast from the start.
    pub warm: bool,
    /// What bounds the server.
    pub limits: Limits,
}

/// Why a server does not start, or stops.
#[derive(Debug, thiserror::Error)]
pub enum DaemonError {
    /// The archive cannot be opened.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// The chain's records cannot be opened.
    #[error(transparent)]
    Records(#[from] RecordError),
    /// The address cannot be listened on.
    #[error("{address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        source: io::Error,
    },
    /// The process cannot be set up.
    #[error(transparent)]
    System(#[from] io::Error),
}

/// Serves until the process is told to end by SIGINT or SIGTERM. `ready` is told the address when requests are taken.
///
/// # Errors
/// [`DaemonError`].
pub fn run(options: &Options, ready: impl FnOnce(SocketAddr)) -> Result<Serving, DaemonError> {
    let shelf = Arc::new(open(options)?);
    if options.warm {
        shelf.archive().warm_openings()?;
    }
    let limits = Limits { connections: room_for(options.limits.connections), ..options.limits };
    let service = Service::new(shelf, limits);
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().max_blocking_threads(limits.workers + 2).build()?;
    runtime.block_on(async {
        let address = options.listen;
        let failed = |source| DaemonError::Listen { address, source };
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        let end = end_of_process()?;
        ready(listener.local_addr().map_err(failed)?);
        Ok(serve(listener, router(&service), &service, end).await)
    })
}

/// An archive with a chain's records has them; any other is served as it is, to read.
fn open(options: &Options) -> Result<Shelf, DaemonError> {
    let directory = &options.directory;
    let archive = Archive::open_read_only(directory)?;
    let records = directory.join(CHAIN_FILE).exists();
    let records = records.then(|| ChainRecords::open(directory, *archive.id())).transpose()?;
    Ok(Shelf::new(archive, records)?)
}

/// The first SIGINT or SIGTERM.
fn end_of_process() -> io::Result<impl Future<Output = ()>> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => (),
            _ = terminate.recv() => (),
        }
    })
}

/// How many connections the process has descriptors for, after it took all that it may have.
fn room_for(connections: usize) -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let wanted = u64::try_from(connections + OTHER_DESCRIPTORS).unwrap_or(u64::MAX);
    let wanted = maximum.map_or(wanted, |maximum| wanted.min(maximum));
    let enough = current.is_none_or(|current| current >= wanted);
    let raised = enough || setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum }).is_ok();
    let has = if raised { wanted } else { current.unwrap_or(wanted) };
    usize::try_from(has).unwrap_or(usize::MAX).saturating_sub(OTHER_DESCRIPTORS).clamp(1, connections)
}

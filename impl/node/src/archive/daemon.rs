//! `aardvark node archive`: opens the archive, serves it, follows the chain, ends on a signal.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{fs, io};

use aardvark_algebra::integers::{u64_of_usize, usize_or_max};
use aardvark_archive::backup::BackupError;
use aardvark_archive::{Archive, ArchiveError, OpeningOptions};
use aardvark_chain::content_file::content_path;
use aardvark_chain::{ChainGenesis, Policy};
use aardvark_client::rpc::{HttpOptions, RpcClient};
use aardvark_proof::hex_text::encode;
use aardvark_tables::{Certificates, Sifted, TablesError};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::Notify;

use super::api::router;
use super::asked_servers::AskedServers;
use super::backup::{Restored, Trust, restore};
use super::chain_records::ChainRecords;
use super::follower::{FollowedChain, Follower, OtherArchive};
use super::front::{OtherStore, open_front};
use super::limits::Limits;
use super::opened::{DaemonError, open, read_genesis};
use super::server::{Serving, serve};
use super::service::Service;
use super::shared_archive::{Following, SharedArchive};
use crate::keeper::{KeeperOptions, Keeping};
use crate::operations::{Observed, Readiness, observe};
use crate::reload::{Changeable, Reloads};

/// Descriptors that the process needs besides its connections.
const OTHER_DESCRIPTORS: usize = 64;

/// What to serve, and where.
#[derive(Clone, Debug)]
pub struct Options {
    /// The archive's directory. A front, which has a store and no chain, needs none, and takes
    /// stored openings and the cache of the scheme's parameters from there; otherwise it is empty.
    pub directory: PathBuf,
    /// The archive's store, where that is not a file of the directory: with a chain to be written,
    /// without one to be read while another process writes it.
    pub store: Option<OtherStore>,
    /// Where to listen; port 0 takes any that is free.
    pub listen: SocketAddr,
    /// Where to tell the operator what the process is at: its metrics, and whether it is ready.
    /// Nowhere by default.
    pub operations: Option<SocketAddr>,
    /// Most bytes of openings that are kept up to date, with their logs
    /// ([`OpeningOptions::budget`]).
    pub opening_bytes: usize,
    /// Whether to hold openings of all vectors before the first request, so that proofs are fast
    /// from the start: up to a second of one core for each vector of 1,024 slots, which is some
    /// fifteen minutes for a million keys, and 100 bytes an opening.
    pub warm: bool,
    /// What bounds the server.
    pub limits: Limits,
    /// Who has the openings of the proofs; the archive itself by default.
    pub opening_servers: Option<AskedServers>,
    /// The chain to follow; without one the archive is served as it is.
    pub chain: Option<ChainOptions>,
    /// What changes while it runs.
    pub reloads: Reloads,
    /// How to answer of the rows of its tables, whose vault is in the directory; not at all by
    /// default.
    pub keeper: Option<KeeperOptions>,
}

/// What to follow.
#[derive(Clone, Debug)]
pub struct ChainOptions {
    /// CometBFT's RPC addresses; the next is asked where one does not answer or fit.
    pub nodes: Vec<String>,
    /// CometBFT's genesis.json.
    pub genesis: PathBuf,
    /// The file of the first content, where genesis.json has its digest; beside genesis.json where
    /// none is named.
    pub content: Option<PathBuf>,
    /// Another archive, for blocks that the nodes do not have any more.
    pub from: Option<String>,
    /// How many versions before the newest stay readable in a new archive, if more than the window.
    pub retention: u64,
    /// How many heights keep the chain's record; 0: all. As many as versions that stay readable do
    /// in any case.
    pub retain_records: u64,
    /// A backup from which a new archive begins, instead of genesis, once its root is the one that
    /// the chain's validators signed for.
    pub snapshot: Option<PathBuf>,
}

/// What keeps an archive up to date until it is told to end.
type Followed = Box<dyn FnOnce(&AtomicBool) + Send>;

/// Where a server listens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listening {
    /// For everybody.
    pub public: SocketAddr,
    /// For the operator.
    pub operations: Option<SocketAddr>,
}

/// Serves until the process is told to end by SIGINT or SIGTERM. `ready` is told the addresses when
/// requests are taken; the operator's answers before that.
///
/// # Errors
/// [`DaemonError`].
pub fn run(options: &Options, ready: impl FnOnce(Listening)) -> Result<Serving, DaemonError> {
    let (shared, follower): (_, Option<Followed>) = match (&options.chain, &options.store) {
        (None, None) => (Arc::new(open(&options.directory)?), None),
        (None, Some(store)) => {
            let beside = Some(options.directory.as_path()).filter(|beside| !beside.as_os_str().is_empty());
            let (shared, follower) = open_front(store, beside)?;
            (shared, Some(Box::new(move |end| follower.run(end))))
        }
        (Some(chain), store) => {
            let (shared, follower) = open_to_follow(&options.directory, chain, store.as_ref())?;
            (shared, Some(Box::new(|end| follower.run(end))))
        }
    };
    let held = OpeningOptions { budget: options.opening_bytes, ..OpeningOptions::default() };
    shared.archive_mut().set_opening_options(&held);
    let limits = Limits { connections: room_for(options.limits.connections), ..options.limits };
    let id = *shared.archive().id();
    let service = Service::new(shared, limits);
    // A front has no folder.
    let folder = Some(options.directory.as_path()).filter(|folder| !folder.as_os_str().is_empty());
    let service = match folder {
        Some(folder) => service.in_folder(folder),
        None => service,
    };
    let service = match &options.keeper {
        Some(keeper) => service.with_keeper(Keeping::open(&options.directory, &id, keeper)?),
        None => service,
    };
    let service = match &options.opening_servers {
        Some(asked) => {
            let replicas = asked.replicas()?;
            replicas.keep_asking(id);
            service.with_replicas(replicas)
        }
        None => service,
    };
    let _taking = options.reloads.take_by({
        let service = service.clone();
        move |changed| take(&service, changed)
    });
    let serving = Arc::new(AtomicBool::new(false));
    let operations = options.operations.map(|address| tell(address, &service, &serving)).transpose()?;
    if options.warm {
        service.shared.archive().warm_openings()?;
    }
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().max_blocking_threads(service.threads() + 2).build()?;
    let end_of_following = Arc::new(AtomicBool::new(false));
    let stopped = Arc::new(Notify::new());
    let served: Result<_, DaemonError> = runtime.block_on(async {
        let address = options.listen;
        let failed = |source| DaemonError::Listen { address, source };
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        let end = end_of_process()?;
        let public = listener.local_addr().map_err(failed)?;
        serving.store(true, Ordering::Relaxed);
        ready(Listening { public, operations });
        let following = follower.map(|follower| {
            let end = Arc::clone(&end_of_following);
            let stopped = Arc::clone(&stopped);
            std::thread::spawn(move || {
                let _end = EndOfFollowing(stopped);
                follower(&end);
            })
        });
        tracing::info!(version = service.shared.archive().version(), "serving");
        let end = async {
            tokio::select! {
                () = end => (),
                () = stopped.notified() => (),
            }
        };
        let serving = serve(listener, router(&service), &service, end).await;
        Ok((serving, following))
    });
    let (serving, following) = served?;
    end_of_following.store(true, Ordering::Relaxed);
    if let Some(following) = following {
        // What a thread that panicked was storing is stored or not.
        following.join().map_err(|_| DaemonError::Stopped("its thread panicked".to_owned()))?;
    }
    match service.shared.following() {
        Following::Stopped { reason } => Err(DaemonError::Stopped(reason)),
        _ => Ok(serving),
    }
}

/// Takes what changed.
fn take(service: &Service, changed: &Changeable) {
    service.connections.set(room_for(changed.connections), changed.connections_per_address);
    if let (Some(replicas), Some(servers)) = (&service.replicas, &changed.servers) {
        match replicas.set_servers(servers) {
            Ok(()) => {
                replicas.ask_all(service.shared.archive().id());
                tracing::info!("the list of opening servers was read again");
            }
            Err(error) => tracing::error!(%error, "the list of opening servers stays as it was"),
        }
    }
}

/// Tells the operator; the process is not ready before it serves.
pub(super) fn tell(
    address: SocketAddr,
    service: &Service,
    serving: &Arc<AtomicBool>,
) -> Result<SocketAddr, DaemonError> {
    let (asked, serving) = (service.clone(), Arc::clone(serving));
    let readiness = Box::new(move || match serving.load(Ordering::Relaxed) {
        true => asked.readiness(),
        false => Readiness::NotReady("starting".to_owned()),
    });
    let observed = Observed { registry: service.registry(), readiness, backups: Some(service.backups()) };
    observe(address, observed).map_err(|source| DaemonError::Listen { address, source })
}

/// Ends the server with its follower, whatever ends that.
struct EndOfFollowing(Arc<Notify>);

impl Drop for EndOfFollowing {
    fn drop(&mut self) {
        self.0.notify_one();
    }
}

/// The archive of a chain, made from its genesis where there is none, and its follower.
///
/// # Errors
/// [`DaemonError`].
pub fn open_to_follow(
    directory: &Path,
    chain: &ChainOptions,
    store: Option<&OtherStore>,
) -> Result<(Arc<SharedArchive>, Follower), DaemonError> {
    let followed = read_genesis(&chain.genesis)?;
    let archive = match store {
        Some(store) => open_elsewhere(directory, chain, &followed, store)?,
        None => open_in(directory, chain, &followed)?,
    };
    let retained = match chain.retain_records {
        0 => 0,
        // A version that is answered for needs its record.
        some => some.max(archive.retention().saturating_add(1)),
    };
    let records = ChainRecords::open(directory, *archive.id())?.retaining(retained)?;
    let certificates = certificates_of(directory, &archive, &followed.genesis)?;
    let shared = Arc::new(SharedArchive::new(archive, Some(records))?.with_certificates(certificates));
    let nodes = chain.nodes.iter().map(|node| RpcClient::new(node, HttpOptions::default()));
    let nodes = nodes.collect::<Result<Vec<_>, _>>()?;
    let other = chain.from.as_deref().map(OtherArchive::new).transpose()?;
    let follower = Follower::new(Arc::clone(&shared), followed, nodes, other)?;
    Ok((shared, follower))
}

/// The archive in a directory, which is made where there is none.
fn open_in(directory: &Path, chain: &ChainOptions, followed: &FollowedChain) -> Result<Archive, DaemonError> {
    if let Some(snapshot) = chain.snapshot.as_ref().filter(|_| !is_archive(directory)) {
        begin_from(directory, snapshot, chain)?;
    } else if fs::read_dir(directory).map_or(true, |mut entries| entries.next().is_none()) {
        create(directory, &complete(chain, followed)?, chain.retention)?;
    }
    Ok(Archive::builder().open(directory)?)
}

/// The archive on another store, whose files beside it are in a directory.
fn open_elsewhere(
    directory: &Path,
    chain: &ChainOptions,
    followed: &FollowedChain,
    store: &OtherStore,
) -> Result<Archive, DaemonError> {
    fs::create_dir_all(directory)?;
    store.open_or_create(directory, chain.retention, || Ok(complete(chain, followed)?.genesis().clone()))
}

/// A chain's genesis with its first content.
fn complete(chain: &ChainOptions, followed: &FollowedChain) -> Result<ChainGenesis, DaemonError> {
    let bad_content = |source| DaemonError::Genesis { path: chain.genesis.clone(), source };
    let file = content_path(&chain.genesis, chain.content.as_deref());
    followed.genesis.clone().complete(&file).map_err(bad_content)
}

/// The certificates of a chain's tables, to add some; those of versions that did not come are
/// removed. Under another policy there are none.
fn certificates_of(directory: &Path, archive: &Archive, genesis: &ChainGenesis) -> Result<Certificates, DaemonError> {
    if !matches!(genesis.policy(), Policy::Tables { .. }) {
        return Ok(Certificates::default());
    }
    let certificates = Certificates::open(directory, archive.id()).map_err(TablesError::from)?;
    certificates.settle(archive.version()).map_err(TablesError::from)?;
    Ok(certificates)
}

/// Whether there is an archive, whatever is wrong with it.
fn is_archive(directory: &Path) -> bool {
    !matches!(Archive::builder().open_read_only(directory), Err(ArchiveError::NotAnArchive { .. }))
}

/// Makes the archive of a backup that the chain's validators signed for.
fn begin_from(directory: &Path, snapshot: &Path, chain: &ChainOptions) -> Result<(), DaemonError> {
    let backup = fs::File::open(snapshot)
        .map_err(|source| BackupError::Archive(ArchiveError::File { path: snapshot.to_owned(), source }))?;
    let trust = Trust::Chain { nodes: chain.nodes.clone(), genesis: chain.genesis.clone() };
    let restored = restore(directory, backup, &trust, &mut |_| {})?;
    let Restored { backup, certificates: Sifted { kept, removed } } = restored;
    let (version, root) = (backup.version, encode(&backup.root));
    tracing::info!(version, root = %root, certificates = kept, "the archive begins from a backup");
    if removed > 0 {
        tracing::warn!(removed, "certificates of the backup's tables do not hold, and are left out");
    }
    Ok(())
}

/// Makes an archive beside its place and moves it there: a process that dies in between leaves
/// nothing in its place.
fn create(directory: &Path, genesis: &ChainGenesis, retention: u64) -> Result<(), DaemonError> {
    let mut name = directory.file_name().unwrap_or_default().to_owned();
    name.push(".creating");
    let beside = directory.with_file_name(name);
    match fs::remove_dir_all(&beside) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
        _ => (),
    }
    drop(Archive::builder().retention(retention).create(&beside, genesis.genesis())?);
    Ok(fs::rename(&beside, directory)?)
}

/// The first SIGINT or SIGTERM.
pub(super) fn end_of_process() -> io::Result<impl Future<Output = ()>> {
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
pub(super) fn room_for(connections: usize) -> usize {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let wanted = u64_of_usize(connections + OTHER_DESCRIPTORS);
    let wanted = maximum.map_or(wanted, |maximum| wanted.min(maximum));
    let enough = current.is_none_or(|current| current >= wanted);
    let raised = enough || setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum }).is_ok();
    let has = if raised { wanted } else { current.unwrap_or(wanted) };
    usize_or_max(has).saturating_sub(OTHER_DESCRIPTORS).clamp(1, connections)
}

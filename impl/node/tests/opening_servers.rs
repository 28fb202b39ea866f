//! Opening servers and a front, on one store within one process: what the front proves is what one
//! archive proves, whatever the servers do.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail by panicking")]

mod common;
mod opening_attacks;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use aardvark_archive::store::{Read, Store, StoreError, Transaction};
use aardvark_archive::{Archive, ArchiveError, RedbStore};
use aardvark_commitment::Opening;
use aardvark_dictionary::{Key, Operation};
use aardvark_node::archive::{Service, SharedArchive, StoreFollower, VectorOwner, openings_router};
use aardvark_node::openings::{OpeningServers, OpeningsRequest, ReplicaCounts, ReplicaOptions, Replicas};
use axum::Router;
use axum::body::Bytes;
use axum::routing::post;
use common::{PATIENCE, Server, advance, eventually, genesis, patient, post_request, scheme};
use opening_attacks::{Attack, FALSE, NONE};

const KEYS: usize = 40;

/// A front that waits for as long as it takes.
const WAITING: ReplicaOptions = ReplicaOptions { request: PATIENCE, patience: PATIENCE, compute: false };
/// A front that waits for nobody.
const AT_ONCE: ReplicaOptions = ReplicaOptions { request: PATIENCE, patience: Duration::ZERO, compute: false };

/// A store that shows an old state as long as it is told to.
struct Lagging {
    store: Arc<dyn Store>,
    old: Mutex<Option<Arc<dyn Read>>>,
}

impl Lagging {
    fn new(store: &Arc<dyn Store>) -> Arc<Self> {
        Arc::new(Self { store: Arc::clone(store), old: Mutex::new(None) })
    }

    fn lag(&self) {
        *self.old.lock().unwrap() = Some(self.store.read().unwrap());
    }

    fn lag_no_more(&self) {
        *self.old.lock().unwrap() = None;
    }
}

impl Store for Lagging {
    fn read(&self) -> Result<Arc<dyn Read>, StoreError> {
        match &*self.old.lock().unwrap() {
            Some(old) => Ok(Arc::clone(old)),
            None => self.store.read(),
        }
    }

    fn write(&self, _: &mut Transaction<'_>) -> Result<(), ArchiveError> {
        Err(StoreError::ReadOnly.into())
    }

    fn check(&self) -> Result<(), StoreError> {
        self.store.check()
    }
}

/// One archive that writes, and the store that others read.
struct Scene {
    store: Arc<dyn Store>,
    writer: Archive,
}

impl Scene {
    /// Forty keys after three blocks: an update, an insert and an update in every vector, a
    /// delete.
    fn new() -> Self {
        let store: Arc<dyn Store> = Arc::new(RedbStore::in_memory().unwrap());
        let builder = Archive::builder().scheme(scheme());
        let mut writer = builder.create_on(Box::new(Arc::clone(&store)), &genesis(KEYS, 2)).unwrap();
        advance(&mut writer, 1, vec![Operation::Put("k007".into(), "seven".into())]);
        let key = |number: usize| Key::from(format!("k{number:03}").as_str());
        let updates = (0..KEYS).step_by(4).map(|number| Operation::Put(key(number), "two".into()));
        advance(&mut writer, 2, updates.chain([Operation::Put("new".into(), "here".into())]).collect());
        advance(&mut writer, 3, vec![Operation::Delete("k011".into())]);
        Self { store, writer }
    }

    /// One more block.
    fn advance(&mut self) {
        let nonce = u8::try_from(self.writer.version()).unwrap() + 1;
        let value = nonce.to_string();
        advance(&mut self.writer, nonce, vec![Operation::Put("k020".into(), value.as_str().into())]);
    }

    fn reader(&self) -> Archive {
        Archive::builder().scheme(scheme()).open_on(Box::new(Arc::clone(&self.store))).unwrap()
    }

    /// A front that asks these servers.
    fn front(&self, servers: &[&OpeningNode], options: ReplicaOptions) -> Front {
        let replicas = Arc::new(Replicas::new(&list(servers), options).unwrap());
        let mut archive = self.reader();
        archive.set_opening_source(replicas.clone());
        Front { archive, replicas }
    }
}

fn list(servers: &[&OpeningNode]) -> OpeningServers {
    let entries: Vec<String> =
        servers.iter().map(|node| format!("{}=http://{}", node.name, node.server.address)).collect();
    OpeningServers::read(&entries.join("\n")).unwrap()
}

/// An opening server.
struct OpeningNode {
    name: String,
    owner: Arc<VectorOwner>,
    store: Arc<Lagging>,
    server: Server,
}

impl OpeningNode {
    /// One that owns what the ring of these names gives it.
    fn new(scene: &Scene, name: &str, names: &[&str]) -> Self {
        let store = Lagging::new(&scene.store);
        let archive = Archive::builder().scheme(scheme()).open_on(Box::new(Arc::clone(&store))).unwrap();
        let shared = Arc::new(SharedArchive::without_roots(archive));
        let follower = Arc::new(StoreFollower::new(Arc::clone(&shared)));
        let owner = Arc::new(VectorOwner::new(name.to_owned(), ring(names), follower));
        let service = Service::new(shared, patient());
        let router = openings_router(&service, Arc::clone(&owner));
        Self { name: name.to_owned(), owner, store, server: Server::of_router(service, router) }
    }

    /// One that does what it likes.
    fn malicious(scene: &Scene, name: &str, attack: Attack) -> Self {
        let mut node = Self::new(scene, name, &[name]);
        let archive = scene.writer.snapshot();
        let answer = async move |body: Bytes| match OpeningsRequest::decode(&body) {
            Ok(request) => attack.answer(&archive, &request).await,
            Err(error) => panic!("{error}"),
        };
        let service = node.server.service.clone();
        node.server = Server::of_router(service, Router::new().route("/v1/openings", post(answer)));
        node
    }
}

fn ring(names: &[&str]) -> aardvark_node::openings::Ring {
    aardvark_node::openings::Ring::new(names.iter().map(|name| (*name).to_owned()))
}

struct Front {
    archive: Archive,
    replicas: Arc<Replicas>,
}

fn keys() -> Vec<Key> {
    (0..KEYS).map(|number| Key::from(format!("k{number:03}").as_str())).chain(["new".into(), "z".into()]).collect()
}

impl Front {
    /// Proves everything at a version as the writer proves it.
    fn assert_proves(&self, writer: &Archive, version: u64) {
        let proved = self.archive.prove_many(&keys(), version).unwrap();
        assert_eq!(proved, writer.prove_many(&keys(), version).unwrap());
    }

    /// Has no openings, and says so.
    fn assert_refuses(&self, version: u64) {
        let refused = self.archive.prove_many(&keys(), version);
        assert!(matches!(refused, Err(ArchiveError::NoOpenings { .. })), "{refused:?}");
    }

    fn counts(&self) -> ReplicaCounts {
        self.replicas.counts()
    }
}

#[test]
fn proofs_of_a_front_are_byte_for_byte_those_of_one_archive() {
    let mut scene = Scene::new();
    let names = ["a", "b", "c"];
    let nodes: Vec<OpeningNode> = names.iter().map(|name| OpeningNode::new(&scene, name, &names)).collect();
    let nodes: Vec<&OpeningNode> = nodes.iter().collect();
    let mut front = scene.front(&nodes, WAITING);
    for _ in 0..4 {
        for version in scene.writer.oldest_version()..=scene.writer.version() {
            front.assert_proves(&scene.writer, version);
            let keys: Vec<Key> = ["k007", "k012", "k011", "new"].map(Key::from).to_vec();
            let deletes = front.archive.prove_delete_many(&keys, version).unwrap();
            assert_eq!(deletes, scene.writer.prove_delete_many(&keys, version).unwrap());
        }
        // The servers look at the store when they are asked for a version that they do not have.
        scene.advance();
        assert_eq!(front.archive.catch_up().unwrap(), scene.writer.version());
    }
    let counts = front.counts();
    assert!(counts.given > 100 && counts.bytes > 48 * counts.given, "{counts:?}");
    assert_eq!((counts.wrong, counts.failed, counts.computed, counts.missing), (0, 0, 0, 0), "{counts:?}");
    // Over HTTP, whole answers.
    let one = Server::of(scene.reader());
    let answers = Server::of(front.archive);
    for path in ["/v1/proof/k007?root=true", "/v1/proof/k011?delete=true", "/v1/range?from=k00&limit=9&together=true"] {
        let (expected, answer) = (one.get(path), answers.get(path));
        assert_eq!((answer.status, answer.body), (200, expected.body), "{path}");
    }
    drop(nodes);
}

#[test]
fn a_false_opening_is_never_passed_on_and_the_other_owner_is_asked() {
    let scene = Scene::new();
    let honest = OpeningNode::new(&scene, "honest", &["honest", "liar"]);
    let version = scene.writer.version();
    for attack in FALSE.into_iter().chain(NONE) {
        let liar = OpeningNode::malicious(&scene, "liar", attack);
        let front = scene.front(&[&honest, &liar], WAITING);
        front.assert_proves(&scene.writer, version);
        let counts = front.counts();
        let (wrong, failed) = (counts.wrong > 0, counts.failed > 0);
        assert_eq!((wrong, failed), (FALSE.contains(&attack), NONE.contains(&attack)), "{attack:?}: {counts:?}");
        // Who lied or failed is left alone for a while.
        front.assert_proves(&scene.writer, version);
        assert_eq!(front.counts().wrong, counts.wrong, "{attack:?}");

        let other = OpeningNode::malicious(&scene, "other", attack);
        let alone = scene.front(&[&liar, &other], WAITING);
        alone.assert_refuses(version);
        assert_eq!(alone.counts().computed, 0);
        let computes = scene.front(&[&liar, &other], ReplicaOptions { compute: true, ..WAITING });
        computes.assert_proves(&scene.writer, version);
        assert!(computes.counts().computed > 0, "{attack:?}");
    }
}

#[test]
fn a_server_that_hangs_is_waited_for_no_longer_than_its_time() {
    let scene = Scene::new();
    let honest = OpeningNode::new(&scene, "honest", &["honest", "slow"]);
    let slow = OpeningNode::malicious(&scene, "slow", Attack::Hangs);
    let other = OpeningNode::malicious(&scene, "other", Attack::Hangs);
    let options = ReplicaOptions { request: Duration::from_millis(200), patience: Duration::ZERO, compute: false };
    scene.front(&[&slow, &other], options).assert_refuses(scene.writer.version());
    // The honest one is given as long as it takes on a busy machine.
    let front = scene.front(&[&honest, &slow], options);
    eventually("the honest server answers", || front.archive.prove_many(&keys(), 3).is_ok());
    assert!(front.counts().failed > 0);
}

#[test]
fn of_a_server_that_is_behind_the_other_owner_is_asked_and_of_two_either_waited_for() {
    let mut scene = Scene::new();
    let (a, b) = (OpeningNode::new(&scene, "a", &["a", "b"]), OpeningNode::new(&scene, "b", &["a", "b"]));
    a.store.lag();
    scene.advance();
    let version = scene.writer.version();
    let front = scene.front(&[&a, &b], AT_ONCE);
    front.assert_proves(&scene.writer, version);
    assert!(front.counts().behind > 0 && front.counts().failed == 0, "{:?}", front.counts());
    b.store.lag();
    scene.advance();
    let version = scene.writer.version();
    scene.front(&[&a, &b], AT_ONCE).assert_refuses(version);
    let computes = scene.front(&[&a, &b], ReplicaOptions { compute: true, ..AT_ONCE });
    computes.assert_proves(&scene.writer, version);
    // What both have is answered meanwhile.
    scene.front(&[&a, &b], AT_ONCE).assert_proves(&scene.writer, 3);
    let front = scene.front(&[&a, &b], WAITING);
    std::thread::scope(|threads| {
        let proved = threads.spawn(|| front.assert_proves(&scene.writer, version));
        eventually("both were behind", || front.counts().behind >= 2);
        b.store.lag_no_more();
        proved.join().unwrap();
    });
}

#[test]
fn one_server_that_is_killed_is_not_missed_and_two_are_refused_until_one_is_back() {
    let mut scene = Scene::new();
    let (a, b) = (OpeningNode::new(&scene, "a", &["a", "b"]), OpeningNode::new(&scene, "b", &["a", "b"]));
    let mut front = scene.front(&[&a, &b], WAITING);
    front.assert_proves(&scene.writer, 3);
    drop(a);
    front.assert_proves(&scene.writer, 3);
    assert!(front.counts().failed > 0, "{:?}", front.counts());
    drop(b);
    front.assert_refuses(3);
    let answers = {
        let mut archive = scene.reader();
        archive.set_opening_source(front.replicas.clone());
        Server::of(archive)
    };
    let refused = answers.get("/v1/proof/k007");
    refused.assert_error(503, "no_openings");
    assert!(refused.head.contains("retry-after: 1"), "{refused:?}");
    scene.advance();
    front.archive.catch_up().unwrap();
    let back = OpeningNode::new(&scene, "b", &["b"]);
    front.replicas.set_servers(&list(&[&back])).unwrap();
    front.assert_proves(&scene.writer, 4);
}

#[test]
fn while_vectors_move_nothing_false_is_said_and_afterwards_everything_is_there() {
    let scene = Scene::new();
    let all = ["a", "b", "c"];
    let nodes: Vec<OpeningNode> = all.iter().map(|name| OpeningNode::new(&scene, name, &all[..2])).collect();
    let front = scene.front(&[&nodes[0], &nodes[1]], AT_ONCE);
    let truth = scene.writer.prove_many(&keys(), 3).unwrap();
    let (end, answered, refused) = (AtomicBool::new(false), AtomicU64::new(0), AtomicU64::new(0));
    let read = || {
        while !end.load(Ordering::Relaxed) {
            match front.archive.prove_many(&keys(), 3) {
                Ok(proved) => {
                    assert_eq!(proved, truth);
                    answered.fetch_add(1, Ordering::Relaxed);
                }
                Err(ArchiveError::NoOpenings { .. }) => drop(refused.fetch_add(1, Ordering::Relaxed)),
                Err(error) => panic!("{error}"),
            }
        }
    };
    let more = || {
        let before = answered.load(Ordering::Relaxed);
        eventually("answers go on", || answered.load(Ordering::Relaxed) >= before + 3);
    };
    std::thread::scope(|threads| {
        let readers = [threads.spawn(read), threads.spawn(read)];
        more();
        // The third joins: servers first, then the front, or the other way around.
        nodes.iter().for_each(|node| node.owner.set_ring(ring(&all)));
        more();
        front.replicas.set_servers(&list(&[&nodes[0], &nodes[1], &nodes[2]])).unwrap();
        more();
        // The first leaves.
        front.replicas.set_servers(&list(&[&nodes[1], &nodes[2]])).unwrap();
        nodes.iter().for_each(|node| node.owner.set_ring(ring(&all[1..])));
        more();
        end.store(true, Ordering::Relaxed);
        readers.into_iter().for_each(|reader| reader.join().unwrap());
    });
    let (answered, refused) = (answered.into_inner(), refused.into_inner());
    println!("{answered} answered and {refused} refused while vectors moved");
    assert_eq!((front.counts().wrong, front.counts().computed), (0, 0));
    front.assert_proves(&scene.writer, 3);
}

#[test]
fn a_request_that_is_none_or_that_a_server_cannot_answer_is_told_why() {
    let scene = Scene::new();
    let node = OpeningNode::new(&scene, "a", &["a", "b", "c"]);
    let id = *scene.writer.id();
    let request = |version: u64, positions: Vec<u64>| OpeningsRequest { dictionary: id, version, positions };
    let ask = |bytes: &[u8]| {
        let request = post_request("/v1/openings", "application/octet-stream", bytes);
        node.server.send(&request).unwrap()
    };
    let vectors = scene.writer.size().div_ceil(4);
    let owned = (0..vectors).find(|vector| node.owner.owns(*vector)).unwrap();
    let foreign = (0..vectors).find(|vector| !node.owner.owns(*vector)).unwrap();
    let given = ask(&request(3, vec![4 * owned, 4 * owned + 3]).encode());
    let expected = scene.writer.openings(3, &[4 * owned, 4 * owned + 3]).unwrap();
    let expected: Vec<u8> = expected.values().flat_map(Opening::to_bytes).collect();
    assert_eq!((given.status, given.body), (200, expected));
    let beyond = (vectors..).find(|vector| node.owner.owns(*vector)).unwrap();
    let other = OpeningsRequest { dictionary: aardvark_dictionary::DictionaryId([0; 32]), ..request(3, vec![0]) };
    for (asked, status, code) in [
        (request(3, vec![4 * foreign]).encode(), 421, "not_owned"),
        (request(4, vec![4 * owned]).encode(), 409, "not_here_yet"),
        (request(u64::MAX, vec![4 * owned]).encode(), 409, "not_here_yet"),
        (request(0, vec![4 * owned]).encode(), 410, "version_gone"),
        (request(3, vec![4 * beyond]).encode(), 400, "bad_request"),
        (other.encode(), 404, "other_dictionary"),
        (request(3, vec![]).encode(), 400, "bad_request"),
        (request(3, vec![4 * owned; 2]).encode(), 400, "bad_request"),
        (Vec::new(), 400, "bad_request"),
    ] {
        ask(&asked).assert_error(status, code);
    }
    let too_long = vec![0; OpeningsRequest::MOST_BYTES + 1];
    assert_eq!(ask(&too_long).status, 413);
    node.server.get("/v1/proof/k007").assert_error(404, "not_found");
    assert!(node.server.metrics().contains("path=\"/v1/openings\""));
}

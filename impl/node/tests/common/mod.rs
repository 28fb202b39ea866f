//! An archive with something in it, served by this process on a free port.
#![allow(dead_code, reason = "each test binary uses its part")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "helpers of tests fail by panicking")]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use aardvark_algebra::Scalar;
use aardvark_archive::{Archive, RedbStore};
use aardvark_commitment::insecure::kzg_with_known_tau;
use aardvark_commitment::{Scheme, VectorCommitment};
use aardvark_dictionary::{Genesis, Identity, Key, Operation, Parameters, Transaction, Value};
use aardvark_node::archive::{Limits, Service, Serving, SharedArchive, router, serve};
use axum::Router;
use serde_json::Value as Json;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// KZG for vectors of four slots, whose secret is known.
pub fn scheme() -> Arc<Scheme> {
    Arc::new(kzg_with_known_tau(4, Scalar::from(0x5ec2e7)).unwrap().into())
}

/// Keys `k000`, `k001`, …, each with its name as its value.
pub fn genesis(keys: usize, window: u32) -> Genesis {
    let entries = (0..keys).map(|number| format!("k{number:03}"));
    let entries = entries.map(|name| (Key::from(name.as_str()), Value::from(name.as_str()))).collect();
    let parameters = Parameters { vector_size: 4, window, ..Parameters::default() };
    Genesis::new(Identity::new("test", [0; 32]).unwrap(), parameters, scheme().setup_digest(), entries).unwrap()
}

/// An archive in memory with those keys.
pub fn archive(keys: usize, window: u32) -> Archive {
    let store = Box::new(RedbStore::in_memory().unwrap());
    Archive::builder().scheme(scheme()).create_on(store, &genesis(keys, window)).unwrap()
}

/// A transaction with honest claims of the newest version.
pub fn transaction(archive: &Archive, nonce: u8, operations: Vec<Operation>) -> Transaction {
    let version = archive.version();
    let claims = operations.iter().flat_map(|operation| match operation {
        Operation::Delete(key) => archive.prove_delete(key, version).unwrap(),
        other => vec![archive.prove(other.key(), version).unwrap()],
    });
    let mut claims: Vec<_> = claims.collect();
    claims.sort_by_key(|claim| claim.position);
    claims.dedup();
    let last_valid = version + 1 + u64::from(archive.parameters().window);
    Transaction { first_valid: version + 1, last_valid, nonce: [nonce; 16], operations, claims }
}

/// Applies a block of one transaction.
pub fn advance(archive: &mut Archive, nonce: u8, operations: Vec<Operation>) {
    let transaction = transaction(archive, nonce, operations);
    let proposal = archive.propose(vec![transaction]).unwrap();
    assert_eq!(proposal.included, [0]);
    let block = archive.validator().unwrap().aggregate(proposal.block).unwrap();
    archive.apply_aggregated(&block).unwrap();
}

/// An archive of 40 keys after three blocks: an update, an insert, a delete.
pub fn busy_archive() -> Archive {
    let mut archive = archive(40, 2);
    advance(&mut archive, 1, vec![Operation::Put("k007".into(), "seven".into())]);
    advance(&mut archive, 2, vec![Operation::Put("new".into(), "here".into())]);
    advance(&mut archive, 3, vec![Operation::Delete("k011".into())]);
    archive
}

/// How long a test waits for what has to come, on however busy a machine.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// The limits of a server, with times that a busy machine keeps.
pub fn patient() -> Limits {
    Limits { head: PATIENCE, request: PATIENCE, ..Limits::default() }
}

/// Waits until something is so.
pub fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A server in this process; it ends with its owner.
pub struct Server {
    pub address: SocketAddr,
    pub service: Service,
    runtime: Option<Runtime>,
    end: Option<oneshot::Sender<()>>,
    serving: Option<JoinHandle<Serving>>,
}

/// An answer, taken apart.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn json(&self) -> Json {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error} in {:?}", self))
    }

    pub fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    /// Asserts an error's status and code.
    pub fn assert_error(&self, status: u16, code: &str) {
        assert_eq!((self.status, self.json()["code"].as_str()), (status, Some(code)), "{self:?}");
        assert!(!self.json()["error"].as_str().unwrap().is_empty());
    }
}

impl Server {
    pub fn of(archive: Archive) -> Self {
        Self::new(archive, patient())
    }

    pub fn new(archive: Archive, limits: Limits) -> Self {
        Self::of_shared(Arc::new(SharedArchive::new(archive, None).unwrap()), limits)
    }

    pub fn of_shared(shared: Arc<SharedArchive>, limits: Limits) -> Self {
        let service = Service::new(shared, limits);
        Self::of_router(service.clone(), router(&service))
    }

    /// A service that answers on other paths.
    pub fn of_router(service: Service, router: Router) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        let (end, ended) = oneshot::channel();
        let serving = runtime.spawn({
            let service = service.clone();
            async move { serve(listener, router, &service, async { drop(ended.await) }).await }
        });
        Self { address, service, runtime: Some(runtime), end: Some(end), serving: Some(serving) }
    }

    /// Tells the server to end.
    pub fn tell_to_end(&mut self) {
        drop(self.end.take());
    }

    /// Waits until the server has ended.
    pub fn ended(&mut self) -> Serving {
        self.runtime.as_ref().unwrap().block_on(self.serving.take().unwrap()).unwrap()
    }

    /// What the operator is told.
    pub fn metrics(&self) -> String {
        self.service.metrics_text().unwrap()
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// Sends a request as it is and reads the answer to its end; `None` where there is none.
    pub fn send(&self, request: &[u8]) -> Option<Answer> {
        let mut stream = self.connect();
        // A server that refuses at once may have closed before it has read everything.
        let _closed = stream.write_all(request);
        read_answer(&mut stream)
    }

    pub fn get(&self, path: &str) -> Answer {
        self.send(format!("GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").as_bytes()).unwrap()
    }

    /// A connection over which something was asked and answered, and which stays.
    pub fn asked(&self, path: &str) -> TcpStream {
        let mut stream = self.connect();
        stream.write_all(format!("GET {path} HTTP/1.1\r\nhost: x\r\n\r\n").as_bytes()).unwrap();
        // Unlike one read, this goes on where the process was stopped for a while.
        stream.read_exact(&mut [0]).unwrap();
        stream
    }

    /// Asks for a proof until there is room for one more connection.
    pub fn ask_until_answered(&self) {
        let request = b"GET /v1/proof/k007 HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
        let answered = || self.send(request).is_some_and(|answer| answer.status == 200);
        eventually("there is room", answered);
    }

    pub fn post(&self, path: &str, body: &[u8]) -> Answer {
        self.send(&post_request(path, "application/json", body)).unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

pub fn post_request(path: &str, media_type: &str, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: {media_type}\r\ncontent-length: {length}\r\n\r\n"
    );
    [head.as_bytes(), body].concat()
}

/// Reads one answer, to the end of the connection.
pub fn read_answer(stream: &mut TcpStream) -> Option<Answer> {
    let mut bytes = Vec::new();
    // A reset after the answer is the end of it too.
    let _ = stream.read_to_end(&mut bytes);
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
    let status = head.split(' ').nth(1)?.parse().ok()?;
    Some(Answer { status, head: head.to_lowercase(), body: bytes[end + 4..].to_vec() })
}

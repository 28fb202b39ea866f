//! Noise beside the transactions: floods of questions, bodies that are too large or too deep, and
//! bytes for the application.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use aardvark_client::rpc::HttpOptions;
use aardvark_client::rpc::http::{Answer, Http, HttpError};

/// Connections that are opened to the application and left alone.
const IDLE: usize = 200;
/// How deep bodies are nested: a megabyte of brackets.
const DEPTH: usize = 1 << 20;

/// Whom noise is made to.
pub struct Targets {
    /// CometBFT's RPC.
    pub rpc: String,
    /// The archive.
    pub archive: String,
    /// The application's socket.
    pub application: String,
}

/// What was sent, by kind, and how it was answered: numbers of each HTTP status, 0 for a connection
/// that broke.
#[derive(Default)]
pub struct Heard(Mutex<BTreeMap<(&'static str, u16), u64>>);

impl Heard {
    fn note(&self, what: &'static str, status: u16) {
        *self.0.lock().unwrap().entry((what, status)).or_default() += 1;
    }

    /// How many were answered, by kind and status.
    pub fn counts(&self) -> BTreeMap<(&'static str, u16), u64> {
        self.0.lock().unwrap().clone()
    }
}

/// Makes noise until it is over: three threads of the scope.
pub fn start<'scope>(
    scope: &'scope std::thread::Scope<'scope, '_>,
    targets: &'scope Targets,
    heard: &'scope Heard,
    over: &'scope AtomicBool,
) {
    scope.spawn(|| until(over, || ask(targets, heard)));
    scope.spawn(|| until(over, || send_bodies(targets, heard)));
    scope.spawn(|| until(over, || send_bytes(&targets.application)));
}

fn until(over: &AtomicBool, mut noise: impl FnMut()) {
    while !over.load(Ordering::Relaxed) {
        noise();
    }
}

/// Questions that CometBFT passes on to the application.
fn ask(targets: &Targets, heard: &Heard) {
    let http = client(&targets.rpc);
    let query = format!("/abci_query?path=%22/store%22&data=0x{}", "ab".repeat(4000));
    for _ in 0..50 {
        heard.note("abci_info", status(http.get("/abci_info")));
        heard.note("abci_query", status(http.get(&query)));
    }
}

/// Bodies that nobody should take to pieces.
fn send_bodies(targets: &Targets, heard: &Heard) {
    let rpc = client(&targets.rpc);
    let deep = "[".repeat(DEPTH);
    let call = |params: &str| format!(r#"{{"jsonrpc":"2.0","id":1,"method":"broadcast_tx_sync","params":{params}}}"#);
    let closed = format!("{deep}{}", "]".repeat(DEPTH));
    let batch = vec![r#"{"jsonrpc":"2.0","id":1,"method":"abci_info","params":{}}"#; 1000].join(",");
    let bodies = [
        ("rpc: brackets", deep.clone()),
        ("rpc: deep parameters", call(&closed[DEPTH / 2..DEPTH / 2 + DEPTH])),
        ("rpc: too large", call(&format!(r#"{{"tx":"{}"}}"#, "A".repeat(8 << 20)))),
        ("rpc: a batch of a thousand", format!("[{batch}]")),
    ];
    for (what, body) in &bodies {
        heard.note(what, refused(rpc.post("/", body.as_bytes())));
    }
    let archive = client(&targets.archive);
    let bodies = [
        ("archive: brackets", deep.clone()),
        ("archive: deep parameters", format!(r#"{{"version":{}}}"#, &closed[DEPTH - 1000..DEPTH + 1000])),
        ("archive: too large", format!(r#"{{"keys":["0x{}"]}}"#, "ab".repeat(8 << 20))),
    ];
    for (what, body) in &bodies {
        heard.note(what, refused(archive.post("/v1/proofs", body.as_bytes())));
    }
    std::thread::sleep(Duration::from_millis(200));
}

/// Bytes that are no requests of ABCI, over connections of their own, and connections that stay
/// silent. Whatever the application does with them, it goes on.
fn send_bytes(application: &str) {
    let idle: Vec<_> = (0..IDLE).filter_map(|_| TcpStream::connect(application).ok()).collect();
    let nested = [0x0b; 5000];
    let noise: [&[u8]; 9] = [
        // No request at all, a field that ABCI does not have, a length of ten bytes and more,
        // lengths above and up to the limit.
        &[0],
        &[3, 0xf2, 0x01, 0],
        &[0xff; 64],
        &[0xff, 0xff, 0xff, 0xff, 0x7f],
        &[0x80, 0x80, 0x80, 0x32],
        // Groups within groups, half a message, another protocol, a transaction that is none.
        &[[0x88, 0x27].as_slice(), &nested].concat(),
        &[0x10, 0x42],
        b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        &[[9, 0x42, 7, 0x0a, 5].as_slice(), b"noise"].concat(),
    ];
    for bytes in noise {
        let Ok(mut stream) = TcpStream::connect(application) else { continue };
        let _it_may_hang_up = stream.write_all(bytes);
        let _nothing_more_comes = stream.shutdown(std::net::Shutdown::Write);
        stream.set_read_timeout(Some(Duration::from_secs(1))).unwrap();
        let _whatever_it_says = stream.read(&mut [0; 256]);
    }
    std::thread::sleep(Duration::from_millis(300));
    drop(idle);
}

fn client(url: &str) -> Http {
    Http::new(url, HttpOptions { timeout: Duration::from_secs(20), answer_bytes: 1 << 24 }).unwrap()
}

/// The status; 0 where the connection broke.
fn status(answer: Result<Answer, HttpError>) -> u16 {
    answer.map_or(0, |answer| answer.status)
}

/// The status of a refusal: CometBFT refuses some with status 200 and an error in the body.
fn refused(answer: Result<Answer, HttpError>) -> u16 {
    if let Ok(answer) = &answer {
        let text = String::from_utf8_lossy(&answer.body);
        assert!(text.contains("error") && !text.contains("\"result\""), "{} {text:.300}", answer.status);
    }
    status(answer)
}

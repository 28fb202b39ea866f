//! People, a small ceremony, and a board that is served.
#![allow(dead_code, reason = "not every test uses all of it")]
#![allow(clippy::unwrap_used, reason = "a test that cannot set its scene has failed")]

use std::collections::BTreeMap;
use std::net::TcpListener;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use aardvark_board::service::{limits, router, run_within};
use aardvark_board::wire::DraftJson;
use aardvark_board::{Board, BoardError, BoardLimits};
use aardvark_mixnet::ceremony::{Querier, Rules, Server};
use aardvark_mixnet::identity::KeyUse;
use aardvark_mixnet::input::Sender;
use aardvark_mixnet::post::{Draft, body_digest};
use aardvark_mixnet::{Ceremony, CeremonyName, Identity};
use aardvark_node::archive::{Limits, Service, serve};
use aardvark_proof::hex_text::{HexArray, HexBytes};
use axum::body::to_bytes;
use axum::extract::Request;
use axum::http::Method;
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse as _, Response};

/// Somebody: 1 and 2 servers, 20 the organiser, 30 the querier, 100 and 101 senders.
pub fn person(number: u8) -> Identity {
    Identity::new([number; 32])
}

pub fn terms() -> Ceremony {
    let server = |number| {
        let identity = person(number);
        Server { author: identity.author(), transport: identity.known_key(KeyUse::Transport) }
    };
    let mut registry: Vec<Sender> =
        [100, 101].map(|number| Sender { key: person(number).author(), label: "here".to_owned() }).to_vec();
    registry.sort_by_key(|sender| sender.key);
    Ceremony {
        title: "processes".to_owned(),
        value_bytes: 2,
        threshold: 2,
        servers: vec![server(1), server(2)],
        queriers: vec![Querier { author: person(30).author(), reading: None }],
        rules: Rules::default(),
        least: 2,
        registry,
    }
}

pub fn name(dictionary: [u8; 32]) -> CeremonyName {
    CeremonyName { dictionary, organiser: person(20).author(), number: 1 }
}

/// How long a test waits for what has to come, on however busy a machine.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// Waits until something is so.
pub fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A board that is served until this is dropped.
pub struct Served {
    pub url: String,
    ended: Arc<AtomicBool>,
}

impl Served {
    pub fn start(directory: &Path) -> Self {
        Self::start_within(directory, BoardLimits::default(), limits())
    }

    pub fn start_within(directory: &Path, board_limits: BoardLimits, limits: Limits) -> Self {
        let board = match directory.exists() {
            true => Board::open(directory).unwrap(),
            false => Board::create(directory, "board", [1; 32]).unwrap(),
        };
        let board = board.within(board_limits);
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let ended = Arc::new(AtomicBool::new(false));
        let end = Arc::clone(&ended);
        std::thread::spawn(move || run_within(board, listener, limits, move || end.load(Ordering::Relaxed)));
        Self { url, ended }
    }
}

impl Served {
    /// Waits until the one before has left the directory.
    pub fn start_again(directory: &Path) -> Self {
        Self::start_again_within(directory, BoardLimits::default())
    }

    pub fn start_again_within(directory: &Path, limits_of_board: BoardLimits) -> Self {
        eventually("the board is free", || Board::open(directory).is_ok());
        Self::start_within(directory, limits_of_board, limits())
    }
}

impl Served {
    /// A board that takes each post at the fourth attempt: it says that it will, that its author is
    /// not admitted, that it has failed.
    pub fn start_reluctant(directory: &Path) -> Self {
        let board = Board::create(directory, "board", [1; 32]).unwrap();
        let service = Service::new(board.shared(), limits());
        let attempts = Arc::new(Mutex::new(BTreeMap::<Vec<u8>, u32>::new()));
        let refuse = move |request: Request, next: Next| refuse_thrice(Arc::clone(&attempts), request, next);
        let router = router(board, &service).layer(from_fn(refuse));
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let ended = Arc::new(AtomicBool::new(false));
        let end = Arc::clone(&ended);
        let ending = async move {
            while !end.load(Ordering::Relaxed) {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
            runtime.block_on(async move {
                let listener = tokio::net::TcpListener::from_std(listener).unwrap();
                let _cut_off = serve(listener, router, &service, ending).await;
            });
        });
        Self { url, ended }
    }
}

/// Passes on a post at the fourth attempt, and all else.
async fn refuse_thrice(attempts: Arc<Mutex<BTreeMap<Vec<u8>, u32>>>, request: Request, next: Next) -> Response {
    if request.method() != Method::POST || request.uri().path() != "/v1/posts" {
        return next.run(request).await;
    }
    let (head, body) = request.into_parts();
    let body = to_bytes(body, 1 << 18).await.unwrap();
    let attempt = {
        let mut attempts = attempts.lock().unwrap();
        let attempt = attempts.entry(body.to_vec()).or_default();
        *attempt += 1;
        *attempt
    };
    match attempt {
        1 => BoardError::NotYet.into_response(),
        2 => BoardError::NotAdmitted.into_response(),
        3 => BoardError::File(std::io::Error::other("nothing works")).into_response(),
        _ => next.run(Request::from_parts(head, body.into())).await,
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
    }
}

/// What a board is told of a draft.
pub fn asked(draft: &Draft) -> DraftJson {
    DraftJson {
        key: HexBytes(draft.key.to_bytes()),
        length: draft.body.len() as u64,
        body: HexArray(body_digest(&draft.body)),
        signature: HexArray(draft.signature()),
        receipts: Vec::new(),
    }
}

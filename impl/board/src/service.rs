//! The board's HTTP server: the paths of an archive (`docs/network.md`), which prove what is on the
//! board, and these:
//!
//! | path | what |
//! |---|---|
//! | `GET /v1/board` | the dictionary's id, version and root |
//! | `GET /v1/posts?since=N` | the pairs behind the first N, a page of them |
//! | `POST /v1/posts` | a pair |
//! | `POST /v1/admissions` | pairs that are admissions, on a chain one transaction |
//! | `GET`, `PUT /v1/bodies/{digest}` | a longer body; a draft must wait for it |
//! | `GET /v1/drafts?after=DIGEST` | signed posts that wait for receipts, a page of them |
//! | `POST /v1/drafts` | a signed post that waits for receipts |
//! | `POST /v1/receipts` | a receipt |
//! | `GET /v1/ceremonies` | what the board judges its posts to say, for its page |
//!
//! Connections, time-outs and costs are bounded as an archive's are.

use std::collections::BTreeSet;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use aardvark_algebra::integers::u64_of_usize;
use aardvark_mixnet::post::{MOST_BODY_BYTES, body_digest};
use aardvark_node::archive::{Limits, Service, router_beside, serve};
use aardvark_proof::hex_text::{HexArray, HexBytes, decode_array};
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use crate::board::{Board, Taken};
use crate::bodies::write_whole;
use crate::error::BoardError;
use crate::judging::Judging;
use crate::wire::{BoardJson, DraftJson, FORMAT, Pair, PairJson, PostsJson, ReceiptJson, RefusalJson};

/// Most bytes of a request that is no body.
const REQUEST_BYTES: usize = 1 << 18;
/// Bodies that come in or go out at a time: each may have 128 MiB.
const BODIES_AT_A_TIME: usize = 8;
/// Posts that wait for the chain at a time, each on a thread of its own.
const SENT_AT_A_TIME: usize = 64;
/// How long a request may take, a body's included.
const REQUEST: Duration = Duration::from_secs(120);

/// How long a request waits for a judgement of the newest posts; after that it gets the one before.
const JUDGING: Duration = Duration::from_secs(1);
/// How long work that nobody waits for goes on after the end.
const WORK: Duration = Duration::from_secs(5);
/// How often the end is looked for.
const LOOK: Duration = Duration::from_millis(100);

/// What the handlers of requests share.
#[derive(Clone)]
struct Shared {
    board: Arc<Mutex<Board>>,
    bodies: Arc<Semaphore>,
    sent: Arc<Semaphore>,
    judging: Arc<Judging>,
    judges: Arc<Semaphore>,
}

impl IntoResponse for BoardError {
    fn into_response(self) -> Response {
        let (status, reason) = match &self {
            Self::Malformed(_) => (StatusCode::BAD_REQUEST, "malformed"),
            Self::SignatureFalse => (StatusCode::FORBIDDEN, "signature-false"),
            Self::NotAuthorised => (StatusCode::FORBIDDEN, "not-authorised"),
            Self::ReceiptsMissing => (StatusCode::FORBIDDEN, "receipts-missing"),
            Self::TermsMissing => (StatusCode::CONFLICT, "terms-missing"),
            Self::Posted => (StatusCode::CONFLICT, "posted"),
            Self::DraftMissing => (StatusCode::CONFLICT, "draft-missing"),
            Self::SlotConflict => (StatusCode::CONFLICT, "slot-conflict"),
            Self::GateClosed => (StatusCode::CONFLICT, "gate-closed"),
            Self::BodyMissing => (StatusCode::CONFLICT, "body-missing"),
            Self::BodiesFull => (StatusCode::SERVICE_UNAVAILABLE, "bodies-full"),
            Self::Full => (StatusCode::SERVICE_UNAVAILABLE, "full"),
            Self::NotAdmitted => (StatusCode::FORBIDDEN, "not-admitted"),
            Self::NotAdmissions(_) => (StatusCode::BAD_REQUEST, "not-admissions"),
            Self::ChainRefused(_) => (StatusCode::FORBIDDEN, "chain-refused"),
            Self::ChainSilent(_) => (StatusCode::SERVICE_UNAVAILABLE, "chain-silent"),
            Self::NotYet => (StatusCode::SERVICE_UNAVAILABLE, "not-yet"),
            _ => (StatusCode::INTERNAL_SERVER_ERROR, "failed"),
        };
        (status, Json(RefusalJson { reason: reason.to_owned(), message: self.to_string() })).into_response()
    }
}

/// Works on the board where blocking is allowed.
async fn on_board<T: Send + 'static>(
    shared: Shared,
    work: impl FnOnce(&mut Board) -> Result<T, BoardError> + Send + 'static,
) -> Result<T, BoardError> {
    let locked = move || {
        let mut board = shared.board.lock().unwrap_or_else(PoisonError::into_inner);
        // On a chain posts come from elsewhere too.
        board.refresh()?;
        work(&mut board)
    };
    blocking(locked).await
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, BoardError> + Send + 'static,
) -> Result<T, BoardError> {
    tokio::task::spawn_blocking(work).await.map_err(|error| BoardError::File(io::Error::other(error)))?
}

async fn about(State(shared): State<Shared>) -> Result<Json<BoardJson>, BoardError> {
    Ok(Json(on_board(shared, |board| board.about()).await?))
}

/// Where a page of posts begins.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Since {
    #[serde(default)]
    since: u64,
}

async fn posts(
    State(shared): State<Shared>,
    Query(Since { since }): Query<Since>,
) -> Result<Json<PostsJson>, BoardError> {
    let posts = on_board(shared, move |board| {
        let pair = |(key, value)| PairJson { key: HexBytes(key), value: HexBytes(value) };
        let posts = board.posts_since(since)?.into_iter().map(pair).collect();
        Ok(PostsJson { format: FORMAT, written: board.posts(), posts })
    });
    Ok(Json(posts.await?))
}

async fn add_post(State(shared): State<Shared>, Json(pair): Json<PairJson>) -> Result<StatusCode, BoardError> {
    settle(shared, move |board| board.take(&pair.key.0, &pair.value.0)).await
}

async fn add_admissions(
    State(shared): State<Shared>,
    Json(pairs): Json<Vec<PairJson>>,
) -> Result<StatusCode, BoardError> {
    let pairs: BTreeSet<Pair> = pairs.into_iter().map(|pair| (pair.key.0, pair.value.0)).collect();
    settle(shared, move |board| board.take_admissions(&pairs)).await
}

/// Has posts taken, and where they go to a chain waits for them while others use the board.
async fn settle(
    shared: Shared,
    take: impl FnOnce(&mut Board) -> Result<Taken, BoardError> + Send + 'static,
) -> Result<StatusCode, BoardError> {
    if let Taken::ToSend(sending) = on_board(shared.clone(), take).await? {
        let permit = Arc::clone(&shared.sent).acquire_owned().await.map_err(io::Error::other)?;
        let send = move || {
            // Held for as long as the thread is, also where nobody waits for the answer any more.
            let _permit = permit;
            sending.send()
        };
        blocking(send).await?;
        on_board(shared, |_| Ok(())).await?;
    }
    Ok(StatusCode::OK)
}

/// The digest of a path.
fn digest_of(text: &str) -> Result<[u8; 32], StatusCode> {
    decode_array(text).map_err(|_| StatusCode::BAD_REQUEST)
}

async fn body(State(shared): State<Shared>, Path(digest): Path<String>) -> Result<Response, StatusCode> {
    let digest = digest_of(&digest)?;
    // Held until the body is read, not until it is sent: slow readers are the connections' limit's.
    let Ok(_permit) = Arc::clone(&shared.bodies).acquire_owned().await else {
        return Err(StatusCode::SERVICE_UNAVAILABLE);
    };
    let read = async {
        let file = on_board(shared, move |board| Ok(board.body_file(&digest))).await?;
        blocking(move || match std::fs::read(file) {
            Ok(body) => Ok(Some(body)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error.into()),
        })
        .await
    };
    match read.await {
        Ok(Some(body)) => Ok(body.into_response()),
        Ok(None) => Err(StatusCode::NOT_FOUND),
        Err(error) => Ok(error.into_response()),
    }
}

/// A body, of which no more is read than the draft says that waits for it.
async fn put_body(
    State(shared): State<Shared>,
    Path(digest): Path<String>,
    request: axum::extract::Request,
) -> Result<StatusCode, Response> {
    let digest = digest_of(&digest).map_err(IntoResponse::into_response)?;
    let stated = request.headers().get(axum::http::header::CONTENT_LENGTH);
    let length: Option<u64> = stated.and_then(|length| length.to_str().ok()?.parse().ok());
    let length = length.ok_or_else(|| StatusCode::LENGTH_REQUIRED.into_response())?;
    let Ok(_permit) = Arc::clone(&shared.bodies).acquire_owned().await else {
        return Err(StatusCode::SERVICE_UNAVAILABLE.into_response());
    };
    let place = on_board(shared.clone(), move |board| board.place_for(&digest, length)).await;
    let place = place.map_err(IntoResponse::into_response)?;
    let most = usize::try_from(length.min(MOST_BODY_BYTES)).unwrap_or_default();
    let body: Bytes =
        axum::body::to_bytes(request.into_body(), most).await.map_err(|_| StatusCode::BAD_REQUEST.into_response())?;
    if u64_of_usize(body.len()) != length || body_digest(&body) != digest {
        return Err(StatusCode::BAD_REQUEST.into_response());
    }
    let written = body.clone();
    let stored = async {
        blocking(move || Ok(write_whole(&place, &written)?)).await?;
        on_board(shared, move |board| board.stored(&digest, &body)).await
    };
    stored.await.map_err(IntoResponse::into_response)?;
    Ok(StatusCode::OK)
}

/// After which draft a page begins.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct After {
    after: Option<HexArray<32>>,
}

async fn drafts(
    State(shared): State<Shared>,
    Query(After { after }): Query<After>,
) -> Result<Json<Vec<DraftJson>>, BoardError> {
    let after = after.map(|after| after.0);
    Ok(Json(on_board(shared, move |board| Ok(board.drafts_after(after.as_ref()))).await?))
}

async fn add_draft(State(shared): State<Shared>, Json(draft): Json<DraftJson>) -> Result<StatusCode, BoardError> {
    on_board(shared, move |board| board.draft(draft)).await?;
    Ok(StatusCode::OK)
}

async fn add_receipt(State(shared): State<Shared>, Json(receipt): Json<ReceiptJson>) -> Result<StatusCode, BoardError> {
    on_board(shared, move |board| board.receipt(&receipt)).await?;
    Ok(StatusCode::OK)
}

/// What the posts say, by the board's word: of as many as it names, which may be fewer while newer
/// ones are judged.
async fn ceremonies(State(shared): State<Shared>) -> Result<Response, BoardError> {
    let written = on_board(shared.clone(), |board| Ok(board.posts())).await?;
    if shared.judging.last().posts != written
        && let Ok(permit) = Arc::clone(&shared.judges).try_acquire_owned()
    {
        let (judging, board) = (Arc::clone(&shared.judging), Arc::clone(&shared.board));
        let judge = blocking(move || {
            let _permit = permit;
            judging.judge(&board)
        });
        // Who does not wait any longer leaves it to go on.
        let judge = tokio::spawn(judge);
        if let Ok(judged) = tokio::time::timeout(JUDGING, judge).await {
            judged.map_err(|error| BoardError::File(io::Error::other(error)))??;
        }
    }
    Ok(Json(&shared.judging.last().json).into_response())
}

/// The limits of a board's server: an archive's, with longer requests.
pub fn limits() -> Limits {
    Limits { connections: 1024, request: REQUEST, ..Limits::default() }
}

/// The routes of a board, with those of an archive.
pub fn router(board: Board, service: &Service) -> Router {
    let judging = Arc::new(Judging::new(board.limits().judged_bytes));
    let (bodies, judges) = (Arc::new(Semaphore::new(BODIES_AT_A_TIME)), Arc::new(Semaphore::new(1)));
    let sent = Arc::new(Semaphore::new(SENT_AT_A_TIME));
    let shared = Shared { board: Arc::new(Mutex::new(board)), bodies, sent, judging, judges };
    // The length of a body is bounded where its draft is known.
    let bodies = get(body).put(put_body).layer(DefaultBodyLimit::disable());
    let own = Router::new()
        .route("/v1/board", get(about))
        .route("/v1/posts", get(posts).post(add_post))
        .route("/v1/admissions", post(add_admissions))
        .route("/v1/drafts", get(drafts).post(add_draft))
        .route("/v1/receipts", post(add_receipt))
        .route("/v1/ceremonies", get(ceremonies))
        .layer(DefaultBodyLimit::max(REQUEST_BYTES))
        .route("/v1/bodies/{digest}", bodies)
        .with_state(shared);
    router_beside(service, own)
}

/// Serves a board on a listener until `ended` is true, which is asked several times a second.
pub fn run(board: Board, listener: std::net::TcpListener, ended: impl Fn() -> bool + Send + 'static) -> io::Result<()> {
    run_within(board, listener, limits(), ended)
}

/// [`run`], within other limits.
pub fn run_within(
    board: Board,
    listener: std::net::TcpListener,
    limits: Limits,
    ended: impl Fn() -> bool + Send + 'static,
) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let service = Service::new(board.shared(), limits);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let served: io::Result<()> = runtime.block_on(async move {
        let end = async move {
            while !ended() {
                tokio::time::sleep(LOOK).await;
            }
        };
        let listener = TcpListener::from_std(listener)?;
        let router = router(board, &service);
        // Those who were cut off ask again.
        let _cut_off = serve(listener, router, &service, end).await;
        Ok(())
    });
    runtime.shutdown_timeout(WORK);
    served
}

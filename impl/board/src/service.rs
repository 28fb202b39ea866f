//! The board's HTTP server.
//!
//! | path | what |
//! |---|---|
//! | `GET /v1/board` | the dictionary's id and version |
//! | `GET /v1/posts` | all pairs |
//! | `POST /v1/posts` | a pair |
//! | `GET`, `PUT /v1/bodies/{digest}` | a longer body |
//! | `GET`, `POST /v1/drafts` | signed posts that wait for receipts |
//! | `POST /v1/receipts` | a receipt |

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use aardvark_mixnet::post::MOST_BODY_BYTES;
use aardvark_proof::hex_text::{HexArray, HexBytes, decode_array};
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use tokio::net::TcpListener;

use crate::board::{Board, BoardError};
use crate::wire::{BoardJson, DraftJson, FORMAT, PairJson, PostsJson, ReceiptJson, RefusalJson};

/// Most bytes of a request that is no body.
const REQUEST_BYTES: usize = 1 << 20;

/// How often the end is looked for.
const LOOK: Duration = Duration::from_millis(100);

type Shared = Arc<Mutex<Board>>;

impl IntoResponse for BoardError {
    fn into_response(self) -> Response {
        let (status, reason) = match &self {
            Self::Malformed(_) => (StatusCode::BAD_REQUEST, "malformed"),
            Self::SignatureFalse => (StatusCode::FORBIDDEN, "signature-false"),
            Self::SlotConflict => (StatusCode::CONFLICT, "slot-conflict"),
            Self::GateClosed => (StatusCode::CONFLICT, "gate-closed"),
            Self::BodyMissing => (StatusCode::CONFLICT, "body-missing"),
            Self::TooManyDrafts => (StatusCode::SERVICE_UNAVAILABLE, "too-many-drafts"),
            _ => (StatusCode::INTERNAL_SERVER_ERROR, "failed"),
        };
        (status, Json(RefusalJson { reason: reason.to_owned(), message: self.to_string() })).into_response()
    }
}

/// Works on the board where blocking is allowed.
async fn on_board<T: Send + 'static>(
    board: Shared,
    work: impl FnOnce(&mut Board) -> Result<T, BoardError> + Send + 'static,
) -> Result<T, BoardError> {
    let locked = move || work(&mut board.lock().unwrap_or_else(PoisonError::into_inner));
    tokio::task::spawn_blocking(locked).await.map_err(|error| BoardError::File(io::Error::other(error)))?
}

async fn about(State(board): State<Shared>) -> Result<Json<BoardJson>, BoardError> {
    let about = on_board(board, |board| {
        Ok(BoardJson {
            format: FORMAT,
            dictionary: HexArray(board.dictionary()),
            version: board.version(),
            drafts: board.drafts().len() as u64,
        })
    });
    Ok(Json(about.await?))
}

async fn posts(State(board): State<Shared>) -> Result<Json<PostsJson>, BoardError> {
    let posts = on_board(board, |board| {
        let pair = |(key, value): (&Vec<u8>, &Vec<u8>)| PairJson {
            key: HexBytes(key.clone()),
            value: HexBytes(value.clone()),
        };
        Ok(PostsJson { format: FORMAT, version: board.version(), posts: board.posts().iter().map(pair).collect() })
    });
    Ok(Json(posts.await?))
}

async fn add_post(State(board): State<Shared>, Json(pair): Json<PairJson>) -> Result<StatusCode, BoardError> {
    on_board(board, move |board| board.post(&pair.key.0, &pair.value.0)).await?;
    Ok(StatusCode::OK)
}

/// The digest of a path.
fn digest_of(text: &str) -> Result<[u8; 32], StatusCode> {
    decode_array(text).map_err(|_| StatusCode::BAD_REQUEST)
}

async fn body(State(board): State<Shared>, Path(digest): Path<String>) -> Response {
    let digest = match digest_of(&digest) {
        Ok(digest) => digest,
        Err(status) => return status.into_response(),
    };
    match on_board(board, move |board| board.body(&digest)).await {
        Ok(Some(body)) => body.into_response(),
        Ok(None) => StatusCode::NOT_FOUND.into_response(),
        Err(error) => error.into_response(),
    }
}

async fn put_body(State(board): State<Shared>, Path(digest): Path<String>, body: Bytes) -> Response {
    let expected = match digest_of(&digest) {
        Ok(digest) => digest,
        Err(status) => return status.into_response(),
    };
    if aardvark_mixnet::post::body_digest(&body) != expected {
        return StatusCode::BAD_REQUEST.into_response();
    }
    match on_board(board, move |board| board.put_body(&body)).await {
        Ok(_) => StatusCode::OK.into_response(),
        Err(error) => error.into_response(),
    }
}

async fn drafts(State(board): State<Shared>) -> Result<Json<Vec<DraftJson>>, BoardError> {
    Ok(Json(on_board(board, |board| Ok(board.drafts())).await?))
}

async fn add_draft(State(board): State<Shared>, Json(draft): Json<DraftJson>) -> Result<StatusCode, BoardError> {
    on_board(board, move |board| board.draft(draft)).await?;
    Ok(StatusCode::OK)
}

async fn add_receipt(State(board): State<Shared>, Json(receipt): Json<ReceiptJson>) -> Result<StatusCode, BoardError> {
    on_board(board, move |board| board.receipt(&receipt)).await?;
    Ok(StatusCode::OK)
}

/// The routes of a board.
pub fn router(board: Board) -> Router {
    let bodies = get(body).put(put_body).layer(DefaultBodyLimit::max(MOST_BODY_BYTES as usize));
    Router::new()
        .route("/v1/board", get(about))
        .route("/v1/posts", get(posts).post(add_post))
        .route("/v1/drafts", get(drafts).post(add_draft))
        .route("/v1/receipts", post(add_receipt))
        .layer(DefaultBodyLimit::max(REQUEST_BYTES))
        .route("/v1/bodies/{digest}", bodies)
        .with_state(Arc::new(Mutex::new(board)))
}

/// Serves a board on a listener until `ended` is true, which is asked several times a second.
pub fn run(board: Board, listener: std::net::TcpListener, ended: impl Fn() -> bool + Send + 'static) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async move {
        let end = async move {
            while !ended() {
                tokio::time::sleep(LOOK).await;
            }
        };
        let listener = TcpListener::from_std(listener)?;
        axum::serve(listener, router(board)).with_graceful_shutdown(end).await
    })
}

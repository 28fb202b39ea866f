//! The ABCI server: CometBFT's connections, each with a thread of its own.
//!
//! Two crates have a server for ABCI 2.0, which CometBFT v0.38 speaks; neither serves here.
//!
//! - `tendermint-abci` (0.41, kept with `tendermint-proto`) answers one request after the other, so
//!   that waiting transactions cannot be checked together. Its application returns answers and
//!   never an error, so there is no exception and no end of the process; a request without content
//!   panics the connection's thread. It listens on TCP only, and waits for a message of any length.
//! - `tower-abci` (0.19) passes requests on without waiting, so that a queue could make batches of
//!   them. But an error of the application panics the connection's task, and the process lives on:
//!   CometBFT gets neither exception nor end. A message may have any length. It is built on
//!   `tendermint` 0.40 and `prost` 0.13, a second version of each beside those of the light client.
//!
//! What would be left of either is a codec of a varint and a message; so this server is ours, on
//! `tendermint-proto`'s messages.
//!
//! What the application cannot go on after ([`Fatal`]), and a panic, ends the process: CometBFT
//! stops too, and both come back to the state that is on disk. Bytes that are no request end their
//! connection only. A validator that has halted stays for a moment ([`LINGER`]): CometBFT gives its
//! votes for the last block to those who lack them. What CometBFT asks of the next block has no
//! answer. But a request is believed, whoever sends it: the address is for CometBFT alone.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::net::UnixListener;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use tendermint_proto::v0_38::abci::{
    RequestCheckTx, Response, ResponseEcho, ResponseException, ResponseExtendVote, ResponseFlush,
    ResponseVerifyVoteExtension, request::Value as Asked, response::Value as Answer,
    response_verify_vote_extension::VerifyStatus,
};

use crate::validator::application::Application;
use crate::validator::fatal::Fatal;
use crate::validator::wire::{Requests, WireError, encode};

/// How long a validator stays after the block that it halts at. Others need this one's votes to
/// decide the block too; who did not get them in time gets the block when this one is started
/// again.
const LINGER: Duration = Duration::from_secs(5);
/// How often it is looked whether the validator has halted.
const LOOK: Duration = Duration::from_millis(500);

/// Where CometBFT finds the application, in its own notation: `tcp://127.0.0.1:26658`, or
/// `unix:///path`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// Host and port.
    Tcp(String),
    /// A socket's path.
    Unix(PathBuf),
}

impl std::str::FromStr for Address {
    type Err = ServeError;

    fn from_str(text: &str) -> Result<Self, ServeError> {
        match text.split_once("://") {
            Some(("tcp", rest)) => Ok(Self::Tcp(rest.to_owned())),
            Some(("unix", rest)) => Ok(Self::Unix(rest.into())),
            _ => Err(ServeError::Address(text.to_owned())),
        }
    }
}

/// Why the server ends.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// No address.
    #[error("{0:?} is not an address: tcp://host:port or unix:///path")]
    Address(String),
    /// The address cannot be listened at.
    #[error("listening: {0}")]
    Listen(std::io::Error),
    /// The application cannot go on.
    #[error(transparent)]
    Fatal(#[from] Fatal),
    /// The application panicked.
    #[error("the application panicked")]
    Panic,
}

/// Serves CometBFT until the application cannot go on, or has halted: the height that it halted at.
/// CometBFT may end and connect again.
///
/// # Errors
/// [`ServeError`].
pub fn serve(application: &Arc<Application>, address: &Address) -> Result<u64, ServeError> {
    if let Some(height) = application.halted() {
        return Ok(height);
    }
    let (ends, ended) = channel();
    listen(Arc::clone(application), address, ends)?;
    wait_for_halt(application, &ended)
}

/// Accepts CometBFT's connections, on a thread of its own.
fn listen(application: Arc<Application>, address: &Address, ends: Sender<ServeError>) -> Result<(), ServeError> {
    match address {
        Address::Tcp(address) => {
            let listener = TcpListener::bind(address).map_err(ServeError::Listen)?;
            std::thread::spawn(move || {
                for stream in listener.incoming().flatten() {
                    let _latency_only = stream.set_nodelay(true);
                    connect(&application, stream.try_clone(), stream, &ends);
                }
            });
        }
        Address::Unix(path) => {
            // What a killed process left; a live one is not harmed, for its CometBFT is connected
            // already.
            let _not_there_is_as_well = std::fs::remove_file(path);
            let listener = UnixListener::bind(path).map_err(ServeError::Listen)?;
            std::thread::spawn(move || {
                for stream in listener.incoming().flatten() {
                    connect(&application, stream.try_clone(), stream, &ends);
                }
            });
        }
    }
    Ok(())
}

/// Waits until the application has halted, and a moment longer; or until it ends.
fn wait_for_halt(application: &Application, ended: &Receiver<ServeError>) -> Result<u64, ServeError> {
    let halted = loop {
        if let Some(height) = application.halted() {
            break height;
        }
        still_serves(ended, LOOK)?;
    };
    tracing::info!(height = halted, "halted; the process ends");
    still_serves(ended, LINGER)?;
    Ok(halted)
}

/// Waits; whether nothing ended meanwhile.
fn still_serves(ended: &Receiver<ServeError>, time: Duration) -> Result<(), ServeError> {
    match ended.recv_timeout(time) {
        Err(RecvTimeoutError::Timeout) => Ok(()),
        Err(RecvTimeoutError::Disconnected) => Err(ServeError::Panic),
        Ok(end) => Err(end),
    }
}

/// Starts the thread of one connection.
fn connect<S: Read + Send + 'static, W: Write + Send + 'static>(
    application: &Arc<Application>,
    reader: std::io::Result<S>,
    writer: W,
    ends: &Sender<ServeError>,
) {
    let Ok(reader) = reader else { return };
    let (application, ends) = (Arc::clone(application), ends.clone());
    std::thread::spawn(move || {
        application.metrics.connections.inc();
        let outcome = catch_unwind(AssertUnwindSafe(|| converse(&application, reader, writer)));
        application.metrics.connections.dec();
        let end = match outcome {
            Ok(Ok(())) => return,
            Ok(Err(Ended::Wire(error))) => {
                tracing::warn!(%error, "a connection of CometBFT broke");
                return;
            }
            Ok(Err(Ended::Fatal(fatal))) => ServeError::Fatal(fatal),
            Err(_) => ServeError::Panic,
        };
        let _the_process_ends_already = ends.send(end);
    });
}

/// Why a conversation ends before CometBFT ends it.
enum Ended {
    Wire(WireError),
    Fatal(Fatal),
}

fn converse(application: &Application, reader: impl Read, mut writer: impl Write) -> Result<(), Ended> {
    let mut requests = Requests::new(reader);
    loop {
        let arrived = requests.read().map_err(Ended::Wire)?;
        if arrived.is_empty() {
            return Ok(());
        }
        let (responses, fatal) = answer_all(application, arrived);
        let sent = writer.write_all(&encode(&responses)).and_then(|()| writer.flush());
        match fatal {
            // Until the process ends: an answer would end CometBFT at once.
            Some(Fatal::Halted(_)) => loop {
                std::thread::park();
            },
            Some(fatal) => return Err(Ended::Fatal(fatal)),
            None => {}
        }
        sent.map_err(|error| Ended::Wire(error.into()))?;
    }
}

/// Answers requests in order, transactions that follow each other together. The last answer is the
/// exception, where there is one; what is asked of a block after the halt has none.
fn answer_all(application: &Application, requests: Vec<Asked>) -> (Vec<Response>, Option<Fatal>) {
    let mut responses = Vec::with_capacity(requests.len());
    let mut waiting: Vec<RequestCheckTx> = Vec::new();
    for asked in requests {
        match asked {
            Asked::CheckTx(request) => waiting.push(request),
            other => {
                check_waiting(application, &mut waiting, &mut responses);
                let (method, begun) = (method(&other), Instant::now());
                let answer = answer(application, other);
                application.metrics.answered(method, begun.elapsed());
                match answer {
                    Ok(value) => responses.push(response(value)),
                    Err(fatal @ Fatal::Halted(_)) => return (responses, Some(fatal)),
                    Err(fatal) => {
                        let error = fatal.to_string();
                        responses.push(response(Answer::Exception(ResponseException { error })));
                        return (responses, Some(fatal));
                    }
                }
            }
        }
    }
    check_waiting(application, &mut waiting, &mut responses);
    (responses, None)
}

fn check_waiting(application: &Application, waiting: &mut Vec<RequestCheckTx>, responses: &mut Vec<Response>) {
    if waiting.is_empty() {
        return;
    }
    let begun = Instant::now();
    let checked = application.check_txs(&std::mem::take(waiting));
    application.metrics.answered("CheckTx", begun.elapsed());
    responses.extend(checked.into_iter().map(|checked| response(Answer::CheckTx(checked))));
}

fn response(value: Answer) -> Response {
    Response { value: Some(value) }
}

/// The name of what is asked, as the metrics have it.
fn method(asked: &Asked) -> &'static str {
    match asked {
        Asked::Info(_) => "Info",
        Asked::InitChain(_) => "InitChain",
        Asked::CheckTx(_) => "CheckTx",
        Asked::PrepareProposal(_) => "PrepareProposal",
        Asked::ProcessProposal(_) => "ProcessProposal",
        Asked::FinalizeBlock(_) => "FinalizeBlock",
        Asked::Commit(_) => "Commit",
        Asked::ListSnapshots(_) | Asked::LoadSnapshotChunk(_) => "Snapshots",
        Asked::OfferSnapshot(_) | Asked::ApplySnapshotChunk(_) => "StateSync",
        Asked::Echo(_) | Asked::Flush(_) | Asked::Query(_) | Asked::ExtendVote(_) | Asked::VerifyVoteExtension(_) => {
            "other"
        }
    }
}

fn answer(application: &Application, asked: Asked) -> Result<Answer, Fatal> {
    Ok(match asked {
        Asked::Echo(request) => Answer::Echo(ResponseEcho { message: request.message }),
        Asked::Flush(_) => Answer::Flush(ResponseFlush {}),
        Asked::Info(_) => Answer::Info(application.info()?),
        Asked::InitChain(request) => Answer::InitChain(application.init_chain(&request)?),
        Asked::Query(request) => Answer::Query(application.query(&request.path)),
        Asked::CheckTx(request) => Answer::CheckTx(application.check_txs(&[request]).pop().unwrap_or_default()),
        Asked::PrepareProposal(request) => Answer::PrepareProposal(application.prepare_proposal(request)?),
        Asked::ProcessProposal(request) => Answer::ProcessProposal(application.process_proposal(&request)?),
        Asked::FinalizeBlock(request) => Answer::FinalizeBlock(application.finalize_block(&request)?),
        Asked::Commit(_) => Answer::Commit(application.commit()?),
        Asked::ListSnapshots(_) => Answer::ListSnapshots(application.list_snapshots()),
        Asked::OfferSnapshot(request) => Answer::OfferSnapshot(application.offer_snapshot(request)?),
        Asked::LoadSnapshotChunk(request) => Answer::LoadSnapshotChunk(application.load_snapshot_chunk(&request)),
        Asked::ApplySnapshotChunk(request) => Answer::ApplySnapshotChunk(application.apply_snapshot_chunk(request)?),
        // Vote extensions are not switched on.
        Asked::ExtendVote(_) => Answer::ExtendVote(ResponseExtendVote::default()),
        Asked::VerifyVoteExtension(_) => {
            Answer::VerifyVoteExtension(ResponseVerifyVoteExtension { status: VerifyStatus::Accept.into() })
        }
    })
}

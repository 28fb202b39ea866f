//! `aardvark mixnet board`, `aardvark mixnet server`

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use aardvark_board::board::RETENTION;
use aardvark_board::{Board, BoardClient, BoardError, BoardLimits, ClientError, Process, ProcessError, ProvedPosts};
use aardvark_node::archive::{ChainOptions, DaemonError, Follower, Following};
use serde_json::json;

use crate::commands::init::random_salt;
use crate::commands::mixnet::args::{BoardArguments, ServerArguments};
use crate::commands::mixnet::failure::MixnetFailure;
use crate::commands::mixnet::key_file;
use crate::commands::mixnet::state::{SECONDS, certified};
use crate::commands::table::trust::TrustedHeaders;
use crate::failure::Failure;
use crate::hex_text::encode;
use crate::print::{self, Lines};
use crate::report::{Report, Rows};

/// How often a server looks at the board.
const POLL: Duration = Duration::from_millis(200);
/// How long it waits where the board cannot be reached.
const RETRY: Duration = Duration::from_secs(1);

/// Becomes true when the process is told to end.
fn ending() -> Result<Arc<AtomicBool>, MixnetFailure> {
    let ended = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        signal_hook::flag::register(signal, Arc::clone(&ended))
            .map_err(|error| MixnetFailure::System("signals".to_owned(), error))?;
    }
    Ok(ended)
}

/// The board of a folder, made where there is none; on a chain with what follows that.
fn open(arguments: &BoardArguments) -> Result<(Board, Option<Follower>), Failure> {
    if let Some(genesis) = &arguments.genesis {
        let chain = ChainOptions {
            nodes: arguments.rpc.clone(),
            genesis: genesis.clone(),
            content: None,
            from: None,
            retention: RETENTION,
            retain_records: 0,
            snapshot: None,
        };
        let (board, follower) = Board::follow(&arguments.dir, &chain).map_err(MixnetFailure::from)?;
        return Ok((board, Some(follower)));
    }
    let board = match arguments.dir.join("dictionary").exists() {
        true => Board::open(&arguments.dir),
        false => Board::create(&arguments.dir, "board", random_salt()?),
    };
    Ok((board.map_err(MixnetFailure::from)?, None))
}

/// Serves a board until the process is told to end. Says where it listens as soon as it does.
pub fn board(arguments: &BoardArguments, as_json: bool) -> Result<Report, Failure> {
    drop(arguments.logging.begin(false).map_err(Failure::Logging)?);
    let ended = ending()?;
    let (board, follower) = open(arguments)?;
    let limits = BoardLimits::default();
    let limits = BoardLimits {
        organisers: arguments.organisers.clone(),
        posts: arguments.posts.unwrap_or(limits.posts),
        named_bytes: arguments.mebibytes.map_or(limits.named_bytes, |mebibytes| mebibytes.saturating_mul(1 << 20)),
        ..limits
    };
    let board = board.within(limits);
    let failed = |error| MixnetFailure::System(arguments.listen.to_string(), error);
    let listener = std::net::TcpListener::bind(arguments.listen).map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    let dictionary = encode(&board.dictionary());
    let said = match as_json {
        true => print::json(&json!({ "listening": address.to_string(), "dictionary": dictionary }).to_string()),
        false => Lines::default().and(format!("listening   http://{address}/")).print(),
    };
    // A board serves also where nobody reads what it prints.
    drop(said);
    let shared = board.shared();
    let following = follower.map(|follower| {
        let ended = Arc::clone(&ended);
        Arc::new(std::thread::spawn(move || follower.run(&ended)))
    });
    let (end, follows) = (Arc::clone(&ended), following.clone());
    // A board that can follow its chain no further serves no longer.
    let stopped = move || end.load(Ordering::Relaxed) || follows.as_ref().is_some_and(|thread| thread.is_finished());
    aardvark_board::service::run(board, listener, stopped).map_err(failed)?;
    ended.store(true, Ordering::Relaxed);
    // What it is storing is stored whole.
    let followed = following.and_then(Arc::into_inner).map_or(Ok(()), std::thread::JoinHandle::join);
    let stopped = match shared.following() {
        Following::Stopped { reason } => Some(reason),
        _ => followed.is_err().then(|| "its thread panicked".to_owned()),
    };
    if let Some(reason) = stopped {
        return Err(MixnetFailure::from(BoardError::from(DaemonError::Stopped(reason))).into());
    }
    Ok(Report::done(Rows::new().row("ended", "all requests were answered").to_text(), json!({ "result": "holds" })))
}

/// Runs a server of ceremonies until the process is told to end.
pub fn server(arguments: &ServerArguments) -> Result<Report, Failure> {
    drop(arguments.logging.begin(false).map_err(Failure::Logging)?);
    let ended = ending()?;
    let home = &arguments.home;
    std::fs::create_dir_all(home).map_err(|error| MixnetFailure::System(home.display().to_string(), error))?;
    let file = home.join("key");
    let identity = if file.exists() { key_file::load(&file)? } else { key_file::create(&file)? };
    let process = Process::open(home, identity, &arguments.board, arguments.organiser).map_err(MixnetFailure::from)?;
    let headers = arguments.trust.headers(SECONDS, Some(home.join("trust")))?;
    match headers {
        None => serve(process, Process::step, &ended)?,
        Some(mut headers) => {
            let mut certifying = |known| certified_after(known, &mut headers, arguments);
            serve(process, |process| process.step_under(&mut certifying), &ended)?;
        }
    }
    Ok(Report::done(Rows::new().row("ended", "as it was told").to_text(), json!({ "result": "holds" })))
}

/// Why a step was not taken.
#[derive(Debug, thiserror::Error)]
enum StepError {
    /// The server, or its board.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// No certified posts: nodes or archives that do not answer, or not with the truth.
    #[error("{0}")]
    Uncertified(String),
}

/// All posts of the newest version that a trusted header certifies, where that is later than the
/// known one and the board has followed the chain to it.
fn certified_after(
    known: Option<u64>,
    headers: &mut TrustedHeaders,
    arguments: &ServerArguments,
) -> Result<Option<ProvedPosts>, StepError> {
    let uncertified = |failure: Failure| StepError::Uncertified(failure.to_string());
    let header = headers.of(None).map_err(uncertified)?;
    let about = BoardClient::new(&arguments.board).about().map_err(ProcessError::from)?;
    if known.is_some_and(|known| header.version() <= known) || about.version < header.version() {
        return Ok(None);
    }
    let from = arguments.archive.as_ref().unwrap_or(&arguments.board);
    certified(&header, from).map(Some).map_err(uncertified)
}

/// Takes steps until the process is told to end. What may be otherwise later is tried again.
fn serve<E: Into<StepError>>(
    mut process: Process,
    mut step: impl FnMut(&mut Process) -> Result<bool, E>,
    ended: &AtomicBool,
) -> Result<(), MixnetFailure> {
    while !ended.load(Ordering::Relaxed) {
        match step(&mut process).map_err(Into::into) {
            Ok(true) => {}
            Ok(false) => std::thread::sleep(POLL),
            // A board that is forked is nothing to wait for.
            Err(StepError::Process(error @ ProcessError::Board(ClientError::History(_)))) => return Err(error.into()),
            Err(StepError::Process(ProcessError::Board(error))) => {
                tracing::warn!(%error, "the board does not answer");
                std::thread::sleep(RETRY);
            }
            Err(StepError::Process(error)) => return Err(error.into()),
            Err(StepError::Uncertified(error)) => {
                tracing::warn!(error, "nothing is done for posts that are not certified");
                std::thread::sleep(RETRY);
            }
        }
    }
    Ok(())
}

//! `aardvark mixnet board`, `aardvark mixnet server`

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use aardvark_board::board::RETENTION;
use aardvark_board::{Board, BoardError, BoardLimits, ClientError, Process, ProcessError};
use aardvark_node::archive::{ChainOptions, DaemonError, Follower, Following};
use serde_json::json;

use crate::commands::init::random_salt;
use crate::commands::mixnet::args::{BoardArguments, ServerArguments};
use crate::commands::mixnet::failure::MixnetFailure;
use crate::commands::mixnet::key_file;
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
    arguments.logging.begin().map_err(Failure::Logging)?;
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
    arguments.logging.begin().map_err(Failure::Logging)?;
    let ended = ending()?;
    let home = &arguments.home;
    std::fs::create_dir_all(home).map_err(|error| MixnetFailure::System(home.display().to_string(), error))?;
    let file = home.join("key");
    let identity = if file.exists() { key_file::load(&file)? } else { key_file::create(&file)? };
    let mut process =
        Process::open(home, identity, &arguments.board, arguments.organiser).map_err(MixnetFailure::from)?;
    while !ended.load(Ordering::Relaxed) {
        match process.step() {
            Ok(true) => {}
            Ok(false) => std::thread::sleep(POLL),
            // A board that is forked is nothing to wait for.
            Err(error @ ProcessError::Board(ClientError::History(_))) => return Err(MixnetFailure::from(error).into()),
            Err(ProcessError::Board(error)) => {
                tracing::warn!(%error, "the board does not answer");
                std::thread::sleep(RETRY);
            }
            Err(error) => return Err(MixnetFailure::from(error).into()),
        }
    }
    Ok(Report::done(Rows::new().row("ended", "as it was told").to_text(), json!({ "result": "holds" })))
}

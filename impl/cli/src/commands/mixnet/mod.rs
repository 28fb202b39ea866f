//! `aardvark mixnet`: ceremonies on a board.

pub mod args;
mod ask;
mod demo;
pub mod failure;
mod key_file;
mod organise;
mod read;
mod send;
mod serve;
mod show;
mod state;

pub use args::Mixnet;
use serde_json::json;

use crate::failure::Failure;
use crate::hex_text::encode;
use crate::report::{Report, Rows};

/// Runs a command of the mixnet.
///
/// # Errors
/// [`failure::MixnetFailure`], and what all commands fail with.
pub fn run(command: &Mixnet, as_json: bool) -> Result<Report, Failure> {
    match command {
        Mixnet::Key(arguments) => {
            let public = key_file::create(&arguments.file)?.public();
            let (all, author) = (encode(&public.to_bytes()), encode(&public.author));
            let rows = Rows::new().row("key", &author).row("public", &all);
            Ok(Report::done(rows.to_text(), json!({ "result": "holds", "key": author, "public": all })))
        }
        Mixnet::New(arguments) => organise::new(arguments),
        Mixnet::Board(arguments) => serve::board(arguments, as_json),
        Mixnet::Server(arguments) => serve::server(arguments),
        Mixnet::Start(arguments) => organise::start(arguments),
        Mixnet::Close(arguments) => organise::close(arguments),
        Mixnet::Absent(arguments) => organise::absent(arguments),
        Mixnet::Send(arguments) => send::send(arguments),
        Mixnet::Status(arguments) => read::status(arguments),
        Mixnet::Outputs(arguments) => read::outputs(arguments),
        Mixnet::TraceIn(arguments) => ask::trace(arguments, aardvark_mixnet::TraceDirection::In),
        Mixnet::TraceOut(arguments) => ask::trace(arguments, aardvark_mixnet::TraceDirection::Out),
        Mixnet::Answer(arguments) => ask::answer(arguments),
        Mixnet::Verify(arguments) => read::verify(arguments),
        Mixnet::Demo(arguments) => demo::run(arguments, as_json),
    }
}

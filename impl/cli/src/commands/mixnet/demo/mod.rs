//! `aardvark mixnet demo`: an election, an audit of a sample of its papers, and liars.
//!
//! Board and servers are processes of this command; voters, auditor and organiser are played here.
//! Each scene checks what it shows: where something does not come true the demonstration ends with
//! exit code 1.

mod audit;
mod election;
mod hall;
mod lies;

use std::time::Instant;

use aardvark_mixnet::Memo;

use crate::cleanup::temporary_folder;
use crate::commands::mixnet::args::{MixnetDemo, Reading};
use crate::commands::mixnet::state::proved;
use crate::demo::Narrator;
use crate::failure::Failure;
use crate::hex_text::encode;
use crate::print::Lines;
use crate::report::{Report, duration};
use hall::Hall;

/// Runs the demonstration, which prints as it goes.
///
/// # Errors
/// Processes that do not start, a folder that cannot be written; and exit code 1 where something
/// that the demonstration shows does not come true.
pub fn run(arguments: &MixnetDemo, as_json: bool) -> Result<Report, Failure> {
    let start = Instant::now();
    let mut tell = Narrator::new(as_json);
    let failed = |source| Failure::Output { name: "a temporary folder".to_owned(), source };
    let (folder, _guard) = temporary_folder("aardvark-mixnet-").map_err(failed)?;
    tell.say("An election in a mixnet: votes without voters, and answers about them")?;
    let mut hall = Hall::open(folder.path(), usize::from(arguments.voters), &mut tell)?;
    election::vote(&mut hall, &mut tell)?;
    election::mix(&mut hall, &mut tell)?;
    audit::scene(&mut hall, &mut tell)?;
    lies::scene(&mut hall, &mut tell)?;
    verify(&hall, &mut tell)?;
    tell.fact("seconds", start.elapsed().as_secs_f64());
    tell.gap()?;
    tell.say(&format!("Done in {}.", duration(start.elapsed())))?;
    Ok(Report::done(Lines::default(), tell.into_facts()))
}

/// Reads the whole board under its root, as somebody does who was not there.
fn verify(hall: &Hall, tell: &mut Narrator) -> Result<(), Failure> {
    tell.section("The board, from its bytes")?;
    let begun = Instant::now();
    let (_, read) = proved(&Reading::by_word(hall.at.clone()), &mut Memo::default())?;
    let (posts, faults) = (read.view.written.len() + 1, read.view.faults.len());
    if faults != 4 {
        return Err(Failure::broken(format!("{faults} faults where four were made")));
    }
    let bytes = hall.bytes();
    let root = read.root.map(|root| encode(&root)).unwrap_or_default();
    tell.line("posts, proved to be all", &posts.to_string())?;
    tell.line("bytes, with bodies", &format!("{:.1} MB", bytes as f64 / 1e6))?;
    tell.line("root that they are under", &root)?;
    tell.line("everything verified in", &duration(begun.elapsed()))?;
    tell.fact("posts", posts);
    tell.fact("bytes", bytes);
    tell.fact("root", root);
    tell.fact("verified_seconds", begun.elapsed().as_secs_f64());
    Ok(())
}

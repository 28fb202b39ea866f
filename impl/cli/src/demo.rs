//! The demonstration: Debian's package index in a dictionary, from the data to the validator.
//!
//! Each scene shows one thing, prints it, and checks it: where something does not come true the
//! demonstration ends with exit code 1. The scenes are in the order of the story: data, archive,
//! proofs, block, stale proofs, forgeries.

mod apt_lists;
mod archive;
mod block;
mod data;
mod forgeries;
mod home;
mod narrator;
mod proofs;
pub mod sample;
mod stale;

use std::path::PathBuf;

pub use home::Home;
pub use narrator::Narrator;

use crate::failure::Failure;

/// Tells the story, with the archive in a folder that is not there yet or empty.
///
/// # Errors
/// Data that cannot be read, a folder that cannot be written, a scene that does not come true.
pub fn run(folder: PathBuf, sample: bool, tell: &mut Narrator) -> Result<(), Failure> {
    tell.say("Aardvark on Debian's package index: name -> version, SHA-256")?;
    let data = data::scene(sample, tell)?;
    let mut archive = archive::scene(&folder, &data, tell)?;
    proofs::scene(&archive, &data, tell)?;
    forgeries::scene(&archive, &data, tell)?;
    stale::scene(&archive, &data, tell)?;
    block::scene(&mut archive, &data, tell)
}

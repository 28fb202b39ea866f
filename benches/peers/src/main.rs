#![forbid(unsafe_code)]
//! The nearest peers of an archive, each measured in a process that holds nothing else: NOMT, a
//! binary Merkle trie, and commonware's QMDB, a Merkle mountain range over a log of operations.
//!
//! `benches peers` starts this program once for each peer and number of keys, gives it a scene
//! (keys, values, and what is asked) as a file, and reads what it took as JSON. Whatever is timed
//! is checked; where a check fails the program ends with exit code 1 and without a number.

mod measure;
mod peer;
mod qmdb;
mod scene;
mod trie;

use std::path::PathBuf;

use anyhow::Result;
use clap::{Parser, ValueEnum};

use crate::scene::Scene;

/// Measures one peer on one scene.
#[derive(Debug, Parser)]
#[command(name = "peers", version)]
struct Arguments {
    /// Which peer.
    peer: Choice,
    /// The scene: what is imported, written, proved and asked for in vain.
    #[arg(long)]
    scene: PathBuf,
    /// An empty directory for the peer's files.
    #[arg(long)]
    directory: PathBuf,
    /// Threads that the peer may use.
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

/// The peers.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Choice {
    /// Nearly optimal Merkle trie, version 1.
    Nomt,
    /// commonware's `qmdb::current::ordered`.
    Qmdb,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let scene = Scene::read(&arguments.scene)?;
    let figures = match arguments.peer {
        Choice::Nomt => trie::measure(&arguments.directory, arguments.threads, &scene)?,
        Choice::Qmdb => qmdb::measure(&arguments.directory, arguments.threads, &scene)?,
    };
    println!("{}", serde_json::to_string(&figures)?);
    Ok(())
}

//! The nearest peers beside us: NOMT, a binary Merkle trie on its own store, and commonware's QMDB
//! in its ordered variant, which shows absence by the next key as our slots do.
//!
//! All three get the same keys and values, and write them in the same blocks, each of which is on
//! disk before the next begins ([`scene`]). Each is measured by a process of its own
//! ([`process`]), a process for each; ours in this one ([`ours`]). What is measured:
//!
//! - `import_key`: a key's share of `import`, in ascending blocks of 65,536 into an empty
//!   directory;
//! - `update_key`: a key's share of a block of new values for `--operations` random keys, given as
//!   they are, without claims;
//! - `prove`, `prove_absent`: one proof, at the newest version, of a key not asked for before;
//! - `verify`, `verify_absent`: one proof, from bytes; ours has `verify_batch` too, the share of
//!   one of 200 verified together;
//! - `proof`, `absence`: bytes of one: ours with key, value and next key; QMDB's of absence with
//!   them too, and of presence with the next key; NOMT's with the key and the value's hash;
//! - `follow_key`, `follow`: time and bytes of an operation in a block that a verifier follows
//!   which keeps `validator_state` only: ours verifies a claim for each operation, NOMT's verifier
//!   takes a root to the next one by a witness of all paths; QMDB has no witnesses, so a party that
//!   follows keeps what the database keeps; `validator_window`: what ours keeps besides for older
//!   claims;
//! - `stale_versions`: how many later blocks a proof outlives;
//! - `disk`, `resident_import`: after and during the import, for ours tables included.
//!
//! Each proof is verified, and refused for another value; proofs of absence are refused for keys
//! that are there; the peers' proofs are refused under the root after the next block; witnesses
//! lead to the database's own root and no other block does. The peers' processes check theirs
//! themselves.

mod options;
mod ours;
mod process;
mod rows;
mod scene;

pub use self::options::{Options, ProcessOptions};

use std::sync::Arc;

use aardvark_commitment::{Ceremony, Kzg, Scheme};

use self::rows::Figures;
use self::scene::Scene;
use crate::error::{BenchError, require};
use crate::report::Report;

/// Runs the table.
pub fn run(options: &Options, report: &mut Report) -> Result<(), BenchError> {
    let Options { keys, work, rounds, .. } = options;
    let legal = *rounds > 0 && work.operations > 0 && work.asked > 0 && keys.iter().all(|keys| *keys > 0);
    require(legal, || "all numbers must be at least 1".to_owned())?;
    for keys in keys {
        eprintln!("{keys} keys");
        let scene = Scene::new(*keys, work);
        let mut measured: [(&'static str, Figures); 3] = ["nomt", "qmdb", "kzg"].map(|name| (name, Figures::default()));
        for _ in 0..*rounds {
            for (name, figures) in &mut measured {
                eprintln!("  {name}");
                figures.take(match *name {
                    "kzg" => process::measure_ours(*keys, work)?,
                    peer => process::measure_peer(peer, &scene, options)?,
                });
            }
        }
        rows::add(&scene, &measured, report)?;
    }
    report.note("import and update: blocks on disk one by one, without claims; follow: with a claim or witness each.");
    report.note(
        "validator_state of qmdb: its database, since it has no witnesses; proofs of peers are good for one root.",
    );
    Ok(())
}

/// The process that measures ours, and prints what it took as JSON.
pub fn run_process(options: &ProcessOptions) -> Result<(), BenchError> {
    let ProcessOptions { keys, work } = options;
    let kzg = Kzg::new(Ceremony::ethereum()?, work.vector_size as usize)?.with_tables(work.tables)?;
    let figures = ours::measure(&Scene::new(*keys, work), &Arc::new(Scheme::from(kzg)))?;
    println!("{}", serde_json::to_string(&figures)?);
    Ok(())
}

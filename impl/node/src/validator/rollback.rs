//! Going back one block, beside `cometbft rollback`.
//!
//! CometBFT's rollback changes CometBFT's state alone. Without `--hard` its block stays: a node
//! that has not gone back itself is asked for nothing, for CometBFT replays the block with the
//! results that it has stored; one that has gone back executes it again. With `--hard` the block
//! goes too, and CometBFT starts only with an application that has gone back.

use std::sync::Arc;

use aardvark_chain::ChainGenesis;

use crate::validator::fatal::Fatal;
use crate::validator::options::{StartError, ValidatorOptions};
use crate::validator::snapshots::Snapshots;
use crate::validator::store::StateStore;

/// Takes a validator that does not run back to a height, at most by one block, and removes
/// snapshots of the heights above. Does nothing where it is not above that height. Gives the height
/// that it then has.
///
/// # Errors
/// [`StartError`], above all where the store does not hold the state of that height any more.
pub fn roll_back(options: &ValidatorOptions, height: u64) -> Result<u64, StartError> {
    let genesis = std::fs::read(&options.genesis).map_err(StartError::of(&options.genesis))?;
    let (_, genesis) = ChainGenesis::from_genesis_file(&genesis)?;
    // A file that is not there is not made.
    let path = options.store();
    std::fs::metadata(&path).map_err(StartError::of(&path))?;
    let store = StateStore::open(&path).map_err(Fatal::from)?;
    let version = store.go_back(&genesis.genesis().dictionary_id(), height).map_err(Fatal::from)?;
    let folder = options.snapshots();
    let snapshots =
        Snapshots::open(folder.clone(), options.snapshot_interval, Arc::default()).map_err(StartError::of(&folder))?;
    snapshots.forget_above(version).map_err(StartError::of(&folder))?;
    Ok(version)
}

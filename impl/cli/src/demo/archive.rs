//! The archive: a redb store with every slot, which nobody has to trust; and what a validator keeps
//! instead.

use std::path::Path;
use std::time::{Duration, Instant};

use aardvark_archive::Archive;
use aardvark_dictionary::Parameters;
use serde_json::json;

use super::Narrator;
use super::data::Data;
use crate::commands::init::empty_genesis;
use crate::failure::Failure;
use crate::progress::Bar;
use crate::report::{bytes, count, duration};
use crate::validator_size::ValidatorSize;

/// Creates the archive, and imports the states, a block each.
pub fn scene(folder: &Path, data: &Data, tell: &mut Narrator) -> Result<Archive, Failure> {
    tell.section("An archive, which nobody has to trust: a redb store, one import block a state")?;
    let start = Instant::now();
    let bar = Bar::new("preparing the Ethereum ceremony's powers");
    // Always the same salt, so that two demonstrations show the same identities.
    let genesis = empty_genesis("Debian's package index", [0; 32], Parameters::default())?;
    let mut archive = Archive::builder().create(folder, &genesis)?;
    drop(bar);
    let parameters = archive.parameters().clone();
    let [slots, window] = [parameters.vector_size, parameters.window].map(|number| count(number.into()));
    let text = format!("{}, {slots} slots a vector, a window of {window} versions", parameters.scheme);
    tell.line("version 0: empty", &format!("{text}, {}", duration(start.elapsed())))?;
    let mut blocks = Vec::new();
    for (state, changes) in data.states.iter().zip(&data.changes) {
        let (version, time) = import(&mut archive, &state.title, changes)?;
        let (number, rate) = (changes.len() as u64, per_second(changes.len(), time));
        let text = format!("{} changes in {}, {} a second", count(number), duration(time), count(rate));
        tell.line(&format!("version {version}: {}", state.title), &text)?;
        blocks.push(json!({ "version": version, "changes": number, "seconds": time.as_secs_f64() }));
    }
    let disk = archive.bytes_on_disk()?;
    tell.line("on disk", &bytes(disk))?;
    tell.fact("imports", blocks);
    tell.fact("bytes_on_disk", disk);
    validator(&archive, tell)?;
    Ok(archive)
}

fn import(
    archive: &mut Archive,
    title: &str,
    changes: &[aardvark_dictionary::Change],
) -> Result<(u64, Duration), Failure> {
    let start = Instant::now();
    let bar = Bar::new(title);
    let version = archive.import_with(changes.to_vec(), &mut |progress| bar.show(progress))?.version;
    Ok((version, start.elapsed()))
}

/// Says what a validator keeps.
fn validator(archive: &Archive, tell: &mut Narrator) -> Result<(), Failure> {
    let size = ValidatorSize::of(&archive.validator()?);
    let keys = count(archive.size() - 1);
    let text =
        format!("{} commitments of 48 bytes, {}, for {keys} packages", count(size.vectors), bytes(size.commitments));
    tell.section("A validator, which has nothing but commitments")?;
    tell.line("what it trusts", &text)?;
    tell.line("what it keeps of the last slots", &format!("{}, so that deletes can move them", bytes(size.tail)))?;
    tell.line(
        "what it keeps of the last versions",
        &format!("{}, so that older proofs stay good", bytes(size.window)),
    )?;
    tell.fact("commitments", size.vectors);
    tell.fact("commitment_bytes", size.commitments);
    tell.fact("tail_bytes", size.tail);
    tell.fact("window_bytes", size.window);
    Ok(())
}

/// Items a second, rounded.
pub fn per_second(items: usize, time: Duration) -> u64 {
    (items as f64 / time.as_secs_f64().max(1e-9)).round() as u64
}

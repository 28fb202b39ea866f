//! `aardvark import DIR FILE`

use std::time::Instant;

use aardvark_archive::{Archive, Phase};
use serde_json::json;

use crate::args::Import;
use crate::failure::Failure;
use crate::import::changes;
use crate::import_blocks::ImportBlocks;
use crate::input::Input;
use crate::progress::Bar;
use crate::report::{Report, Rows, count, counted, duration};
use crate::store::open;

/// Imports a file, block by block.
///
/// # Errors
/// A malformed file, a key or value that the dictionary does not take, a failure of the store. Blocks committed before
/// stay; the message says up to which version.
pub fn run(arguments: &Import) -> Result<Report, Failure> {
    let start = Instant::now();
    let mut archive = open(&arguments.dir, arguments.patience)?;
    let (first_version, keys_before) = (archive.version(), archive.size() - 1);
    let bar = Bar::new("import");
    let input = Input::open(&arguments.file)?;
    let watch = bar.reading(input.length);
    let changes = changes(input.watched(watch), &arguments.file, arguments.reading())?;
    let blocks = ImportBlocks::new(changes, arguments.block_size.map(std::num::NonZeroUsize::get));

    let mut taken = 0;
    for block in blocks {
        let imported = block.map_err(Failure::from).and_then(|block| {
            let read = block.len() as u64;
            bar.begin(Phase::Array);
            archive.import_with(block, &mut |progress| bar.show(progress))?;
            Ok(read)
        });
        match imported {
            Ok(read) => taken += read,
            Err(failure) if archive.version() == first_version => return Err(failure),
            Err(failure) => {
                return Err(Failure::Stopped { failure: Box::new(failure), taken, version: archive.version() });
            }
        }
    }
    drop(bar);
    Ok(report(&archive, first_version, keys_before, taken, start))
}

fn report(archive: &Archive, first_version: u64, keys_before: u64, taken: u64, start: Instant) -> Report {
    let (version, keys, time) = (archive.version(), archive.size() - 1, start.elapsed());
    let blocks = version - first_version;
    let rows = Rows::new()
        .row("imported", format!("{} in {}", counted(taken, "change", "changes"), counted(blocks, "block", "blocks")))
        .row("version", version.to_string())
        .row("keys", format!("{} (before: {})", count(keys), count(keys_before)))
        .row("time", duration(time));
    let json = json!({
        "changes": taken,
        "blocks": blocks,
        "version": version,
        "keys": keys,
        "keys_before": keys_before,
        "seconds": time.as_secs_f64(),
    });
    Report::done(rows.to_text(), json)
}

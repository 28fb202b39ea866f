//! `aardvark import DIR FILE`

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Instant;

use aardvark_archive::changes::{ChangeSorter, SortedChanges};
use aardvark_archive::import_blocks::{BLOCK_CHANGES, ImportBlocks, ascending};
use aardvark_archive::{Archive, ArchiveError, Imported, Phase, StoreError};
use aardvark_dictionary::Change;
use clap::Args;
use serde_json::json;

use crate::failure::Failure;
use crate::import::{Format, Header, Reading, changes};
use crate::input::Input;
use crate::notation::notation;
use crate::progress::Bar;
use crate::report::{Report, Rows, count, counted, duration};
use crate::store::{Patience, open};
use crate::stored_archive::open_to_import;

/// `aardvark import`
#[derive(Debug, Args)]
pub struct Import {
    /// Folder of the dictionary; with --store one for what lies beside the store, made where it is
    /// not there.
    pub dir: PathBuf,
    /// The file, plain or compressed with gzip, zstd or LZ4; - is standard input.
    pub file: PathBuf,
    /// How the file is read.
    #[command(flatten)]
    pub form: FileForm,
    /// Cut the file into blocks of so many changes, in its order; by default all changes are sorted
    /// by key, and make one block of every 65,536.
    #[arg(long, value_name = "B")]
    pub block_size: Option<NonZeroUsize>,
    /// The file's keys strictly ascend: import it as it is read, without sorting.
    #[arg(long)]
    pub sorted: bool,
    /// Import into the archive's store on object storage, file:///FOLDER or s3://BUCKET/PREFIX
    /// (`aardvark init --store`), instead of the file in the folder. Each block is durable there
    /// before the next. This process writes the store from then on, and fences whoever wrote it;
    /// others read it meanwhile. Only with the feature object-storage.
    #[arg(long, value_name = "URL", conflicts_with = "seconds")]
    pub store: Option<String>,
    /// How long to wait where it is busy.
    #[command(flatten)]
    pub patience: Patience,
}

/// What a file of changes looks like.
#[derive(Clone, Copy, Debug, Args)]
pub struct FileForm {
    /// What the file looks like; by default its name tells, and JSON lines otherwise.
    #[arg(long, value_enum)]
    pub format: Option<Format>,
    /// The first line of a CSV file is a header: skip it.
    #[arg(long, conflicts_with = "no_header")]
    pub header: bool,
    /// The first line of a CSV file is data, also where it looks like a header.
    #[arg(long)]
    pub no_header: bool,
    /// Take keys and values that begin with 0x for text.
    #[arg(long)]
    pub text: bool,
}

impl FileForm {
    /// How the file is read.
    pub fn reading(&self) -> Reading {
        let Self { format, header, no_header, text } = *self;
        Reading { format, header: Header::of_options(header, no_header), notation: notation(text) }
    }
}

/// Bytes of changes that are sorted in memory; more of them go to files beside the dictionary's.
const SORTED_IN_MEMORY: usize = 256 << 20;

/// Imports a file, block by block.
///
/// # Errors
/// A malformed file, a key or value that the dictionary does not take, a failure of the store.
/// Blocks committed before stay; the message says up to which version.
pub fn run(arguments: &Import) -> Result<Report, Failure> {
    let start = Instant::now();
    let mut archive = match &arguments.store {
        Some(url) => open_to_import(url, &arguments.dir)?,
        None => open(&arguments.dir, arguments.patience)?,
    };
    let (first_version, keys_before) = (archive.version(), archive.size() - 1);
    let bar = Bar::new("import");
    let changes = changes_of(&arguments.file, arguments.form, &bar)?;
    let most = arguments.block_size.map_or(BLOCK_CHANGES, NonZeroUsize::get);

    let (taken, counts) = if arguments.sorted {
        import_all(&mut archive, ImportBlocks::new(ascending(changes), most), &bar)?
    } else if arguments.block_size.is_some() {
        import_all(&mut archive, ImportBlocks::new(changes, most), &bar)?
    } else {
        let (mut sorted, _) = sorted(&archive, changes)?;
        let in_order = sorted.by_ref().map(|change| change.map_err(sorting));
        let (taken, mut counts) = import_all(&mut archive, ImportBlocks::new(in_order, most), &bar)?;
        counts.superseded += sorted.superseded();
        (taken + sorted.superseded(), counts)
    };
    drop(bar);
    Ok(report(&archive, first_version, keys_before, (taken, counts), start))
}

/// The changes of a file, in its order.
pub fn changes_of(
    file: &Path,
    form: FileForm,
    bar: &Bar,
) -> Result<impl Iterator<Item = Result<Change, Failure>>, Failure> {
    let input = Input::open(file)?;
    let watch = bar.reading(input.length);
    Ok(changes(input.watched(watch), file, form.reading())?.map(|change| change.map_err(Failure::from)))
}

/// Reads all changes, so that nothing is imported where one of them is refused, and sorts them;
/// and how many there are, those too that others of their key supersede.
pub fn sorted(
    archive: &Archive,
    changes: impl Iterator<Item = Result<Change, Failure>>,
) -> Result<(SortedChanges, u64), Failure> {
    let mut sorter = ChangeSorter::new(SORTED_IN_MEMORY, archive.temporary_files());
    let mut given = 0;
    for change in changes {
        let change = change?;
        archive.check_change(&change)?;
        sorter.push(&change).map_err(sorting)?;
        given += 1;
    }
    Ok((sorter.sorted().map_err(sorting)?, given))
}

/// A temporary file that cannot be written or read.
pub fn sorting(error: std::io::Error) -> Failure {
    ArchiveError::from(StoreError::from(error)).into()
}

/// Imports blocks one by one, and says how many changes they had, and what these came to.
fn import_all(
    archive: &mut Archive,
    blocks: impl Iterator<Item = Result<Vec<Change>, Failure>>,
    bar: &Bar,
) -> Result<(u64, Imported), Failure> {
    let first_version = archive.version();
    let (mut taken, mut counts) = (0, Imported::default());
    for block in blocks {
        let imported = block.and_then(|block| {
            let read = block.len() as u64;
            bar.begin(Phase::Array);
            let imported = archive.import_with(block, &mut |progress| bar.show(progress))?;
            Ok((read, imported))
        });
        match imported {
            Ok((read, imported)) => {
                taken += read;
                counts += imported;
            }
            Err(failure) if archive.version() == first_version => return Err(failure),
            Err(failure) => {
                return Err(Failure::Stopped { failure: Box::new(failure), taken, version: archive.version() });
            }
        }
    }
    Ok((taken, counts))
}

fn report(
    archive: &Archive,
    first_version: u64,
    keys_before: u64,
    (taken, counts): (u64, Imported),
    start: Instant,
) -> Report {
    let (version, keys, time) = (archive.version(), archive.size() - 1, start.elapsed());
    let blocks = version - first_version;
    let rows = Rows::new()
        .row("imported", format!("{} in {}", counted(taken, "change", "changes"), counted(blocks, "block", "blocks")))
        .row("version", version.to_string())
        .row("keys", format!("{} (before: {})", count(keys), count(keys_before)));
    // What did nothing, where there is any: a delete of a key that is not there is often a mistyped
    // one.
    let without_effect = [
        ("unchanged", counts.unchanged, "put of the value that was there", "puts of the value that was there"),
        ("absent", counts.absent, "delete that found nothing", "deletes that found nothing"),
        (
            "superseded",
            counts.superseded,
            "change of a key that stands again below",
            "changes of keys that stand again below",
        ),
    ];
    let rows = without_effect
        .into_iter()
        .filter(|(_, number, ..)| *number > 0)
        .fold(rows, |rows, (name, number, one, many)| rows.row(name, counted(number, one, many)))
        .row("time", duration(time));
    let json = json!({
        "changes": taken,
        "blocks": blocks,
        "version": version,
        "keys": keys,
        "keys_before": keys_before,
        "inserted": counts.inserted,
        "updated": counts.updated,
        "deleted": counts.deleted,
        "unchanged": counts.unchanged,
        "absent": counts.absent,
        "superseded": counts.superseded,
        "seconds": time.as_secs_f64(),
    });
    Report::done(rows.to_text(), json)
}

//! `aardvark archive jobs ..`: bulk work in partitions, which goes on after a kill.

use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::time::Instant;

use aardvark_algebra::integers::u64_of_usize;
use aardvark_archive::import_blocks::BLOCK_CHANGES;
use aardvark_archive::{FalsePartition, JobKind, JobReport, JobResult, JobStatus, Jobs};
use clap::{Args, Subcommand, ValueEnum};
use serde_json::{Value, json};

use crate::anchor::parse_root;
use crate::commands::import::{FileForm, changes_of, sorted, sorting};
use crate::deferred::Deferred;
use crate::failure::Failure;
use crate::hex_text::encode;
use crate::object_storage::{Access, store_at};
use crate::progress::Bar;
use crate::report::{Report, Rows, Verdict, count, counted, duration};
use crate::store::{Patience, open, open_read_only};
use crate::stored_archive::open_to_import;

/// What an audit by a job shows.
const SHOWS: &str = "every slot is there, their keys form one ring, the index leads to each, \
    every commitment is that of its slots; the root is theirs; the blocks' links hold";
/// What only the audit that replays the log shows.
const SHOWS_NOT: &str = "that the blocks of the log give this version, and earlier versions: `aardvark audit`";

/// `aardvark archive jobs`
#[derive(Debug, Subcommand)]
pub enum ArchiveJobs {
    /// Make a job about the newest version and do it.
    Start(Deferred<Start>),
    /// Go on with a job: do the partitions that are not recorded.
    Resume(Deferred<Resume>),
    /// Say how far the jobs have come, also while one runs. Exit codes: 0, all are done and nothing
    /// was found, or there is none; 1, something was found; 3, one is unfinished.
    Status(Deferred<Status>),
    /// Remove a job's record. What it has stored stays.
    Cancel(Deferred<Cancel>),
}

/// The kinds of jobs.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Kind {
    /// Audit the newest version, without a second file, and without replaying its blocks.
    Audit,
    /// Store all openings of the newest version.
    Openings,
    /// Import a file, sorted by key, block by block.
    Import,
}

impl From<Kind> for JobKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Audit => Self::Audit,
            Kind::Openings => Self::Openings,
            Kind::Import => Self::Import,
        }
    }
}

/// `aardvark archive jobs start`
#[derive(Debug, Args)]
pub struct Start {
    /// Which job.
    #[command(flatten)]
    pub which: Which,
    /// What is imported.
    #[command(flatten)]
    pub imported: Imported,
    /// Vectors of a partition, or changes of a block: a kill loses the work on one at most. By
    /// default 256 vectors, or 65,536 changes.
    #[arg(long, value_name = "NUMBER")]
    pub partition_size: Option<NonZeroU64>,
    /// What the archive is held against.
    #[command(flatten)]
    pub against: Against,
}

/// `aardvark archive jobs resume`
#[derive(Debug, Args)]
pub struct Resume {
    /// Which job.
    #[command(flatten)]
    pub which: Which,
    /// What is imported: the same as at the start.
    #[command(flatten)]
    pub imported: Imported,
    /// What the archive is held against.
    #[command(flatten)]
    pub against: Against,
}

/// `aardvark archive jobs status`
#[derive(Debug, Args)]
pub struct Status {
    /// Folder of an archive, or of jobs about a store.
    pub dir: PathBuf,
}

/// `aardvark archive jobs cancel`
#[derive(Debug, Args)]
pub struct Cancel {
    /// Which job.
    #[command(flatten)]
    pub which: Which,
}

/// A job of an archive.
#[derive(Debug, Args)]
pub struct Which {
    /// Folder of an archive; to start or resume a job, of one that no process writes to. With
    /// --store a folder that is there, for the job's record and stored openings; an import makes it
    /// where it is not there.
    pub dir: PathBuf,
    /// What the job does.
    #[arg(value_enum)]
    pub kind: Kind,
}

/// What an import imports.
#[derive(Debug, Args)]
pub struct Imported {
    /// Of an import: the file, as of `aardvark import`, which is the same each time.
    #[arg(required_if_eq("kind", "import"))]
    pub file: Option<PathBuf>,
    /// How it is read.
    #[command(flatten)]
    pub form: FileForm,
}

/// What an audit compares with, and how long to wait for the archive.
#[derive(Debug, Args)]
pub struct Against {
    /// Of an audit: the state root of the newest version, as kept elsewhere: 0x and 64 digits.
    #[arg(long, value_name = "HASH")]
    pub root: Option<String>,
    /// The archive's store on object storage, as in `aardvark node archive --store`, instead of the
    /// file in the folder; another process may write it. A job is about the version that is the
    /// newest when it starts, and is resumed while that is still so. An import writes the store,
    /// and fences whoever does.
    #[arg(long, value_name = "URL")]
    pub store: Option<String>,
    /// How long to wait where it is busy.
    #[command(flatten)]
    pub patience: Patience,
}

/// Runs one of the commands.
///
/// # Errors
/// An archive that cannot be opened, a job that there is not, is already, or that is about
/// something else. What is found is reported, with exit code 1.
pub fn run(command: &ArchiveJobs) -> Result<Report, Failure> {
    match command {
        ArchiveJobs::Start(start) => {
            let Start { which, imported, partition_size, against } = &**start;
            let size = partition_size.unwrap_or_else(|| default_size(which.kind));
            work(which, imported, against, Some(size))
        }
        ArchiveJobs::Resume(resume) => {
            let Resume { which, imported, against } = &**resume;
            work(which, imported, against, None)
        }
        ArchiveJobs::Status(status) => show(status),
        ArchiveJobs::Cancel(cancel) => remove(cancel),
    }
}

/// Vectors of a partition, or changes of a block, where nobody says how many.
fn default_size(kind: Kind) -> NonZeroU64 {
    let size = match kind {
        Kind::Audit | Kind::Openings => 256,
        Kind::Import => u64_of_usize(BLOCK_CHANGES),
    };
    NonZeroU64::new(size).unwrap_or(NonZeroU64::MIN)
}

/// Does a job: a new one of so many vectors or changes a partition, or the one that there is.
fn work(
    which: &Which,
    imported: &Imported,
    against: &Against,
    partition_size: Option<NonZeroU64>,
) -> Result<Report, Failure> {
    let begun = Instant::now();
    let kind = which.kind.into();
    match (&imported.file, which.kind) {
        (Some(file), Kind::Import) => {
            let report = import(which, (file, imported.form), against, partition_size)?;
            return Ok(finished(&report, false, begun));
        }
        (Some(_), _) => return Err(Failure::Usage("a file is for the job import".to_owned())),
        (None, _) => {}
    }
    if against.root.is_some() && kind != JobKind::Audit {
        return Err(Failure::Usage("--root is for the job audit".to_owned()));
    }
    let root = against.root.as_deref().map(parse_root).transpose()?;
    let archive = match &against.store {
        Some(url) => store_at(url, Access::Read)?.open_beside(&which.dir)?,
        None => open_read_only(&which.dir, against.patience)?,
    };
    let bar = Bar::new(format!("{kind} job"));
    let mut progress = |progress| bar.show(progress);
    let report = match partition_size {
        Some(size) => archive.start_job(kind, size, root, &mut progress)?,
        None => archive.resume_job(kind, root, &mut progress)?,
    };
    drop(bar);
    Ok(finished(&report, root.is_some(), begun))
}

/// Imports a file as a job.
fn import(
    which: &Which,
    (file, form): (&Path, FileForm),
    against: &Against,
    block_size: Option<NonZeroU64>,
) -> Result<JobReport, Failure> {
    if against.root.is_some() {
        return Err(Failure::Usage("--root is for the job audit".to_owned()));
    }
    let mut archive = match &against.store {
        Some(url) => open_to_import(url, &which.dir)?,
        None => open(&which.dir, against.patience)?,
    };
    let bar = Bar::new("import job");
    let (sorted, given) = sorted(&archive, changes_of(file, form, &bar)?)?;
    let changes = sorted.map(|change| change.map_err(sorting));
    let mut progress = |progress| bar.show(progress);
    match block_size {
        Some(size) => archive.start_import_job((given, size), changes, &mut progress),
        None => archive.resume_import_job(given, changes, &mut progress),
    }
}

fn finished(report: &JobReport, is_anchored: bool, begun: Instant) -> Report {
    let status = &report.status;
    let found = findings(report);
    let title = match found.len() as u64 {
        0 => "none".to_owned(),
        number => counted(number, "finding", "findings"),
    };
    let mut rows = with_job(Rows::new(), status).row("found", title);
    let is_audit = status.job.kind == JobKind::Audit;
    // Where something was found, the rest of what a clean audit shows may not hold either.
    let shows = (is_audit && report.is_clean()).then_some(SHOWS);
    let root = report.root.map(|root| encode(&root));
    if is_audit {
        let anchor =
            if is_anchored { "the root given" } else { "none: another whole dictionary in its place would pass" };
        rows = shows.iter().fold(rows, |rows, shows| rows.row("shows", *shows));
        rows = rows.row("does not show", SHOWS_NOT).row("anchor", anchor);
    }
    rows = root.iter().fold(rows, |rows, root| rows.row("root", root));
    let lines = rows.row("time", duration(begun.elapsed())).to_text();
    let mut json = json_of(status);
    let more = json!({
        "findings": report.findings.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "shows": shows,
        "does_not_show": is_audit.then_some(SHOWS_NOT),
        "root": root,
        "anchored": is_anchored,
        "seconds": begun.elapsed().as_secs_f64(),
    });
    if let (Some(object), Value::Object(more)) = (json.as_object_mut(), more) {
        object.extend(more);
    }
    Report { verdict: verdict(status.result()), ..Report::done(lines.and_all(found), json) }
}

/// Lines for all that was found.
fn findings(report: &JobReport) -> Vec<String> {
    let of_partitions = partition_lines(&report.status);
    of_partitions.chain(report.findings.iter().map(|finding| format!("! {finding}"))).collect()
}

/// Lines for what was found at partitions.
fn partition_lines(status: &JobStatus) -> impl Iterator<Item = String> {
    let kind = status.job.kind;
    status.false_partitions.iter().flat_map(move |FalsePartition { partition, vectors, findings }| {
        let (first, last) = (vectors.start, vectors.end.saturating_sub(1));
        findings.iter().map(move |text| format!("! {kind}, partition {partition}, vectors {first} to {last}: {text}"))
    })
}

/// Lines for what was found at a job's end, as it is recorded.
fn end_lines(status: &JobStatus) -> impl Iterator<Item = String> {
    let kind = status.job.kind;
    let findings = status.end.iter().flat_map(|end| &end.findings);
    findings.map(move |text| format!("! {kind}, over all partitions: {text}"))
}

fn show(arguments: &Status) -> Result<Report, Failure> {
    let jobs = Jobs::at(&arguments.dir)?;
    let statuses = JobKind::ALL.map(|kind| jobs.status(kind));
    let statuses: Vec<JobStatus> = statuses.into_iter().filter_map(Result::transpose).collect::<Result<_, _>>()?;
    let rows = match statuses.is_empty() {
        true => Rows::new().row("jobs", "none"),
        false => statuses.iter().fold(Rows::new(), with_status),
    };
    let found = statuses.iter().flat_map(|status| partition_lines(status).chain(end_lines(status)));
    let lines = rows.to_text().and_all(found);
    let (verdict, name) = of_all(&statuses);
    let json = json!({ "result": name, "jobs": statuses.iter().map(json_of_recorded).collect::<Vec<_>>() });
    Ok(Report { verdict, ..Report::done(lines, json) })
}

/// The verdict on jobs together, and its name: the worst of theirs, where there are any.
fn of_all(statuses: &[JobStatus]) -> (Verdict, &'static str) {
    let results: Vec<JobResult> = statuses.iter().map(JobStatus::result).collect();
    let worst = [JobResult::False, JobResult::Unfinished].into_iter().find(|worst| results.contains(worst));
    match (results.is_empty(), worst) {
        (true, _) => (Verdict::Holds, "none"),
        (false, worst) => {
            let verdict = verdict(worst.unwrap_or(JobResult::Holds));
            (verdict, verdict.name())
        }
    }
}

fn remove(arguments: &Cancel) -> Result<Report, Failure> {
    let removed = Jobs::at(&arguments.which.dir)?.cancel(arguments.which.kind.into())?;
    let said = if removed { "removed" } else { "there was none" };
    Ok(Report::done(Rows::new().row("job", said).to_text(), json!({ "removed": removed })))
}

fn verdict(result: JobResult) -> Verdict {
    match result {
        JobResult::Holds => Verdict::Holds,
        JobResult::False => Verdict::False,
        JobResult::Unfinished => Verdict::Unfinished,
    }
}

fn with_job(rows: Rows, status: &JobStatus) -> Rows {
    let JobStatus { job, done, .. } = status;
    let (of, items, partition) = match job.kind {
        JobKind::Import => ("from version", "changes", "block"),
        _ => ("of version", "vectors", "partition"),
    };
    rows.row("job", format!("{} {of} {}", job.kind, job.version))
        .row(items, format!("{}, {} a {partition}", count(job.items), count(job.partition_size.get())))
        .row(format!("{partition}s done"), format!("{} of {}", count(*done), count(job.partitions())))
}

/// The same with its result as it is recorded.
fn with_status(rows: Rows, status: &JobStatus) -> Rows {
    let rows = with_job(rows, status).row("result", verdict(status.result()).name());
    let Some(root) = status.end.as_ref().and_then(|end| end.root) else {
        return rows;
    };
    rows.row("root", encode(&root))
}

fn json_of(status: &JobStatus) -> Value {
    let JobStatus { job, done, false_partitions, .. } = status;
    let false_partitions = false_partitions.iter().map(|FalsePartition { partition, vectors, findings }| {
        json!({ "partition": partition, "vectors": [vectors.start, vectors.end], "findings": findings })
    });
    json!({
        "job": job.kind.to_string(),
        "result": verdict(status.result()).name(),
        "dictionary": encode(&job.dictionary.0),
        "version": job.version,
        (if job.kind == JobKind::Import { "changes" } else { "vectors" }): job.items,
        "partition_size": job.partition_size,
        "partitions": job.partitions(),
        "done": done,
        "false_partitions": false_partitions.collect::<Vec<_>>(),
    })
}

/// The same with what is recorded of its end.
fn json_of_recorded(status: &JobStatus) -> Value {
    let mut json = json_of(status);
    if let (Some(object), Some(end)) = (json.as_object_mut(), &status.end) {
        object.insert("findings".to_owned(), json!(end.findings));
        object.insert("root".to_owned(), json!(end.root.map(|root| encode(&root))));
        object.insert("anchored".to_owned(), json!(end.is_anchored));
    }
    json
}

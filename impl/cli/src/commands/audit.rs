//! `aardvark audit DIR`

use std::time::Instant;

use serde_json::json;

use crate::args::Audit;
use crate::failure::Failure;
use crate::progress::Bar;
use crate::report::{Report, Rows, Verdict, count, counted, duration};
use crate::store::open_read_only;

/// Replays every block and compares everything.
///
/// # Errors
/// A store that cannot be opened at all. What is wrong inside is reported, with exit code 1.
pub fn run(arguments: &Audit) -> Result<Report, Failure> {
    let start = Instant::now();
    let archive = open_read_only(&arguments.dir, arguments.patience)?;
    let bar = Bar::new("audit");
    let found = archive.audit(&mut |progress| bar.show(progress))?;
    drop(bar);

    let findings: Vec<String> = found.findings.iter().map(ToString::to_string).collect();
    let verdict = if found.is_clean() { Verdict::Holds } else { Verdict::False };
    let title = match findings.len() as u64 {
        0 => "all agrees".to_owned(),
        number => counted(number, "finding", "findings"),
    };
    let rows = Rows::new()
        .row("audit", title)
        .row("versions replayed", count(found.versions))
        .row("records compared", count(found.records))
        .row("commitments recomputed", count(found.commitments))
        .row("time", duration(start.elapsed()));
    let lines = rows.to_text().and_all(findings.iter().map(|finding| format!("! {finding}")));
    let json = json!({
        "result": verdict.name(),
        "findings": findings,
        "versions": found.versions,
        "records": found.records,
        "commitments": found.commitments,
        "seconds": start.elapsed().as_secs_f64(),
    });
    Ok(Report { verdict, ..Report::done(lines, json) })
}

//! `aardvark table audit URL [NAME]`: whether every run that a server's tables have now stands in a
//! certificate that holds.
//!
//! ```text
//! what is trusted -> all slots, one ring -> the tables' schemas and runs -> their certificates, verified here
//! ```
//!
//! What was legal when it was written, only the log shows, which `table audit DIR` replays.

use std::collections::BTreeMap;
use std::time::Instant;

use aardvark_aggregates::certificate::statement::{StatedSheet, sheet_of_statement};
use aardvark_aggregates::sheet::check_layout;
use aardvark_aggregates::{
    About, Certificate, CertifiedSheet, Head, Record, Schema, Segment, SheetItem, TableKey, TableVerifier,
};
use aardvark_dictionary::{DictionaryId, Key};
use aardvark_tables::TablesError;
use serde_json::json;

use super::super::listing::key_of;
use super::ring::entries;
use super::{Remote, checked_name};
use crate::failure::Failure;
use crate::progress::Bar;
use crate::report::{Report, Rows, Verdict, count, counted, duration};

/// A certified segment: column, key columns, run, revision, segment and record.
type Certified = (u8, Vec<u8>, u32, u32, u32, Vec<u8>);
/// Segments that need a certificate.
type Needed = BTreeMap<Certified, NeededSegment>;
/// The segments behind the first of runs, by column, key columns, run, revision and number.
type Further = BTreeMap<(u8, Vec<u8>, u32, u32, u32), Vec<u8>>;

/// A segment that needs a certificate.
struct NeededSegment {
    /// The run that it is of, in words.
    run: String,
    /// The record of the segment before it.
    link: Option<Record>,
}

/// A table as the ring has it.
#[derive(Default)]
struct Found {
    schema: Option<Schema>,
    /// Keys and values behind the schema's.
    others: Vec<(Key, Vec<u8>)>,
}

/// What is wrong, and what was looked at.
#[derive(Default)]
struct Findings {
    findings: Vec<String>,
    runs: u64,
    rows: u64,
    certificates: u64,
}

/// Audits the tables of a server at the version of what is trusted.
///
/// # Errors
/// A server that does not answer, proofs that do not hold. What is wrong with tables is reported,
/// with exit code 1.
pub fn run(remote: &Remote, name: Option<&str>) -> Result<Report, Failure> {
    let start = Instant::now();
    let Some(trusted) = &remote.trusted else {
        let usage = "an audit of a server needs something trusted: --commitments FILE, --root HASH, --note FILE or \
                     --trust HEIGHT:HASH";
        return Err(Failure::Usage(usage.to_owned()));
    };
    let name = name.map(checked_name).transpose()?;
    let mut tables: BTreeMap<String, Found> = BTreeMap::new();
    let bar = Bar::new("slots");
    let mut visit = |key: &Key, value: &[u8]| {
        let Ok((table, rest)) = TableKey::split_prefix(key) else { return Ok(()) };
        if name.is_some_and(|only| only != table) {
            return Ok(());
        }
        let found = tables.entry(table.to_owned()).or_default();
        match rest {
            [0] => found.schema = Some(Schema::from_bytes(value).map_err(TablesError::Schema)?),
            _ => found.others.push((key.clone(), value.to_vec())),
        }
        Ok(())
    };
    let ring = entries(remote, trusted, &mut visit, &mut |done, total| bar.count(done, total))?;
    drop(bar);
    if let Some(name) = name.filter(|name| tables.get(*name).is_none_or(|table| table.schema.is_none())) {
        return Err(TablesError::NoTable(name.to_owned()).into());
    }
    let mut report = Findings::default();
    for (table, found) in &tables {
        audit_table(remote, &ring.dictionary, table, found, &mut report)?;
    }
    let Findings { findings, runs, rows, certificates } = report;
    let verdict = if findings.is_empty() { Verdict::Holds } else { Verdict::False };
    let title = match findings.len() as u64 {
        0 => "all agrees".to_owned(),
        number => counted(number, "finding", "findings"),
    };
    let lines = Rows::new()
        .row("audit", title)
        .row("tables", count(tables.len() as u64))
        .row("rows", format!("{} in {}", count(rows), counted(runs, "run", "runs")))
        .row("certificates verified", count(certificates))
        .row("slots", format!("{}, one ring", count(ring.slots)))
        .row("version", ring.version.to_string())
        .row("time", duration(start.elapsed()))
        .row("rests on", format!("{}; what was legal when it was written, on who checked it then", trusted.name()));
    let mut json = json!({
        "result": verdict.name(), "findings": findings, "tables": tables.len(), "runs": runs, "rows": rows.to_string(),
        "certificates": certificates, "slots": ring.slots, "version": ring.version,
        "server": remote.client.url(), "seconds": start.elapsed().as_secs_f64(),
    });
    let lines = trusted.told(lines, &mut json);
    let lines = lines.to_text().and_all(findings.iter().map(|finding| format!("! {finding}")));
    Ok(Report { verdict, ..Report::done(lines, json) })
}

/// Looks at all runs of a table.
fn audit_table(
    remote: &Remote,
    dictionary: &DictionaryId,
    table: &str,
    found: &Found,
    report: &mut Findings,
) -> Result<(), Failure> {
    let Some(schema) = &found.schema else {
        report.findings.push(format!("table {table}: there are runs and no schema"));
        return Ok(());
    };
    let (mut needed, mut heads, mut further) = (Needed::new(), Vec::new(), Further::new());
    for (key, value) in &found.others {
        match TableKey::from_bytes(key, schema) {
            Ok(TableKey::Head { column, columns, run, .. }) => heads.push((column, columns, run, value)),
            Ok(TableKey::Segment { column, columns, run, revision, segment, .. }) => {
                further.insert((column, columns, run, revision, segment), value.clone());
            }
            _ => report.findings.push(format!("table {table}: the key {key} is no run's")),
        }
    }
    for (column, columns, run, value) in heads {
        let of_column = schema.values.get(usize::from(column));
        let moments = of_column.map_or(0, |column| usize::from(column.moments));
        let name = of_column.map_or("", |column| column.name.as_str());
        let shown = format!("table {table}, run {name} {} number {run}", key_of(schema, &columns).0);
        match read_run((column, &columns, run), value, moments, &further) {
            Ok((head, records)) => {
                report.runs += 1;
                report.rows += head.rows();
                let mut link = None;
                for (number, record) in (0..).zip(records) {
                    let segment = (column, columns.clone(), run, head.revision, number, record.to_bytes());
                    needed.insert(segment, NeededSegment { run: shown.clone(), link: link.replace(record) });
                }
            }
            Err(reason) => report.findings.push(format!("{shown}: {reason}")),
        }
    }
    certify(remote, dictionary, table, schema, &mut needed, report)?;
    let mut missing: Vec<String> =
        needed.into_values().map(|segment| format!("{}: it has no certificate that holds", segment.run)).collect();
    missing.dedup();
    report.findings.extend(missing);
    Ok(())
}

/// A run's head and the records of its segments, which follow each other and add up to the head;
/// else why they do not.
fn read_run(
    (column, columns, run): (u8, &[u8], u32),
    head: &[u8],
    moments: usize,
    further: &Further,
) -> Result<(Head, Vec<Record>), String> {
    let on_domain =
        |record: &Record| check_layout(&[record], moments).map_err(|_| "its rows do not lie on its domain".to_owned());
    let head = Head::from_bytes(head, moments).map_err(|error| error.to_string())?;
    on_domain(&head.record)?;
    let mut extent = Head::single(head.revision, head.record.clone());
    let mut records = vec![head.record.clone()];
    for number in 1..head.segments() {
        let place = (column, columns.to_vec(), run, head.revision, number);
        let bytes = further.get(&place).ok_or_else(|| format!("its segment {number} is missing"))?;
        let Segment { rank, record } = Segment::from_bytes(bytes, moments).map_err(|error| error.to_string())?;
        on_domain(&record)?;
        if rank != extent.rows() {
            return Err(format!("its segment {number} has another rank than the rows before it"));
        }
        extent = extent.with_segment(&record);
        records.push(record);
    }
    if extent == head { Ok((head, records)) } else { Err("its segments do not add up to its head".to_owned()) }
}

/// Takes those runs out for which the server shows a certificate that holds. Certificates of
/// others, such as runs that were replaced since, are not looked at.
fn certify(
    remote: &Remote,
    dictionary: &DictionaryId,
    table: &str,
    schema: &Schema,
    needed: &mut Needed,
    report: &mut Findings,
) -> Result<(), Failure> {
    let verifier = TableVerifier::ethereum()?;
    let width = schema.key_width();
    let abouts: Vec<About> = (0..schema.values.len())
        .filter_map(|column| About::of_column(*dictionary, table, schema, u8::try_from(column).ok()?))
        .collect();
    let mut after: Option<String> = None;
    while !needed.is_empty() {
        let page = remote.ask(|client| client.table_certificates(table, after.as_deref()))?;
        let read = page.certificates.iter().filter_map(|shown| {
            let of = |about| Some((about, sheet_of_statement(about, width, &shown.statement.0)?));
            let (about, sheet) = abouts.iter().find_map(of)?;
            let is_needed = covered(about, sheet.link.as_ref(), &sheet.items, needed).next().is_some();
            let certificate = is_needed.then(|| Certificate::from_bytes(&shown.certificate.0, about.bits));
            Some((about, sheet, certificate?.ok()?))
        });
        let read: Vec<(&About, StatedSheet, Certificate)> = read.collect();
        let batch: Vec<CertifiedSheet<'_>> = read
            .iter()
            .map(|(about, StatedSheet { link, items }, certificate)| CertifiedSheet {
                about,
                link: link.as_ref(),
                items,
                certificate,
            })
            .collect();
        let all_hold = batch.is_empty() || verifier.verify_certificates(&batch).is_ok();
        for sheet in &batch {
            if !all_hold && let Err(error) = verifier.verify_sheet(sheet) {
                report.findings.push(format!("table {table}: a certificate does not hold: {error}"));
                continue;
            }
            report.certificates += 1;
            let done: Vec<Certified> = covered(sheet.about, sheet.link, sheet.items, needed).collect();
            done.iter().for_each(|segment| drop(needed.remove(segment)));
        }
        match page.next {
            // A server that goes back is not followed.
            Some(next) if after.as_deref().is_none_or(|last| place(last) < place(&next)) => after = Some(next),
            _ => break,
        }
    }
    Ok(())
}

/// The needed segments that a sheet is about, each behind the segment that stands before it.
fn covered<'a>(
    about: &'a About,
    link: Option<&'a Record>,
    items: &'a [SheetItem],
    needed: &'a Needed,
) -> impl Iterator<Item = Certified> + 'a {
    let behind = move |(k, item): (usize, &SheetItem)| {
        let segment = certified(about, item);
        let stands = needed.get(&segment)?.link.as_ref() == link.filter(|_| k == 0);
        stands.then_some(segment)
    };
    items.iter().enumerate().filter_map(behind)
}

fn certified(about: &About, item: &SheetItem) -> Certified {
    let SheetItem { columns, run, revision, segment, record } = item;
    (about.column, columns.clone(), *run, *revision, *segment, record.to_bytes())
}

/// The numbers of a place, by which pages go on.
fn place(text: &str) -> Option<(u64, u32)> {
    let (version, number) = text.split_once('.')?;
    Some((version.parse().ok()?, number.parse().ok()?))
}

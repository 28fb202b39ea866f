//! Figures about tables of private rows, beside what the paper's published artifact has in its own
//! output files, taken on its authors' machines by the wall clock: quoted, in no ratio.

use crate::measure::row::Row;
use crate::plot::chart::{Chart, Series};
use crate::plot::points::points;

/// Quoted: an insert of an epoch of 100 rows, milliseconds, mean of some 500 epochs, by groups: one
/// district, ten, a hundred (`experiment1a.csv` to `1c`).
const PAPER_INSERTS: [(f64, f64); 3] = [(2.0, 170.2), (20.0, 394.7), (100.0, 201.0)];
/// Quoted: queries of ten epochs at 1,000, 3,000 and 10,000 rows, milliseconds, server, client and
/// transfer together (`experiment4.csv`).
const PAPER_QUERIES: [(&str, [(f64, f64); 3]); 4] = [
    ("lookup", [(1e3, 10.47), (3e3, 12.56), (1e4, 10.9)]),
    ("sum", [(1e3, 948.9), (3e3, 1149.0), (1e4, 1529.0)]),
    ("min", [(1e3, 22_080.0), (3e3, 22_510.0), (1e4, 22_970.0)]),
    ("median", [(1e3, 44_700.0), (3e3, 42_030.0), (1e4, 42_800.0)]),
];
/// Quoted from the paper's text: a build, without order proofs, on 16 virtual CPUs; an audit.
const PAPER_BUILD: [(f64, f64); 2] = [(100.0, 0.01), (1e7, 1000.0)];
/// Quoted likewise.
const PAPER_AUDIT: [(f64, f64); 2] = [(100.0, 10.0), (15e3, 450.0)];

/// The figures.
pub fn all(rows: &[Row]) -> [Chart; 3] {
    [inserts(rows), queries(rows), growth(rows)]
}

/// The rows of an operation in an experiment, in seconds of CPU time.
fn seconds<'a>(
    rows: &'a [Row],
    experiments: &'a [&str],
    scheme: &'a str,
    operation: &'a str,
) -> impl Iterator<Item = (&'a Row, f64)> {
    rows.iter().filter_map(move |row| {
        let experiment = row.experiment.is_some_and(|experiment| experiments.contains(&experiment));
        let wanted = row.table == "aggregates" && experiment && (row.scheme, row.operation) == (scheme, operation);
        let scale = match row.unit {
            "us" => 1e-6,
            "us/row" => 1e-6 * row.size as f64,
            _ => return None,
        };
        Some((row, row.cpu_median.filter(|_| wanted)? * scale))
    })
}

fn line(name: impl Into<String>, points: Vec<(f64, f64)>, reference: bool, colour: usize) -> Series {
    Series { name: name.into(), points, reference, colour }
}

/// Inserts by the groups of an epoch.
fn inserts(rows: &[Row]) -> Chart {
    let by_groups = |scheme| {
        let mut found: Vec<(f64, f64)> = seconds(rows, &["1a", "1b", "1c"], scheme, "insert")
            .filter_map(|(row, time)| Some((row.groups? as f64, 1e3 * time)))
            .collect();
        found.sort_unstable_by(|one, other| one.0.total_cmp(&other.0));
        found
    };
    let lines = [
        line("ours, certificates included", by_groups("kzg"), false, 0),
        line("TAP, quoted", PAPER_INSERTS.to_vec(), true, 1),
        line("SQLite, in memory", by_groups("sqlite"), true, 6),
    ];
    let series = lines.into_iter().filter(|line| !line.points.is_empty()).collect();
    let title = "Inserting an epoch of 100 rows: CPU time, one thread".to_owned();
    Chart { name: "aggregates-inserts", title, x: "groups in an epoch", y: "milliseconds", series }
}

/// Queries of ten epochs, by the rows of the table.
fn queries(rows: &[Row]) -> Chart {
    let mut series = Vec::new();
    for (colour, (operation, quoted)) in PAPER_QUERIES.into_iter().enumerate() {
        let measured = seconds(rows, &["4"], "kzg", operation).map(|(row, time)| (row.size as f64, 1e3 * time));
        let measured: Vec<(f64, f64)> = measured.collect();
        if !measured.is_empty() {
            series.push(line(operation, measured, false, colour));
            series.push(line(format!("{operation}, TAP, quoted"), quoted.to_vec(), true, colour));
        }
    }
    let title = "A query of ten epochs: CPU time of server and client".to_owned();
    Chart { name: "aggregates-queries", title, x: "rows of the table", y: "milliseconds", series }
}

/// Building, asking for the median of all, and auditing, by rows.
fn growth(rows: &[Row]) -> Chart {
    let at = |experiments, operation, groups: fn(u64) -> bool| {
        let wanted: Vec<(&Row, f64)> = seconds(rows, experiments, "kzg", operation).collect();
        points(rows, |row| {
            let (_, time) = wanted.iter().find(|(other, _)| core::ptr::eq(*other, row))?;
            groups(row.groups?).then_some((row.size as f64, *time))
        })
    };
    let lines = [
        line("build, 10 districts", at(&["6"], "build", |groups| groups == 10), false, 0),
        line("build, TAP, quoted", PAPER_BUILD.to_vec(), true, 0),
        line("audit, 10 districts", at(&["7"], "audit", |groups| groups == 10), false, 1),
        line("audit, TAP, quoted", PAPER_AUDIT.to_vec(), true, 1),
        // Of several numbers of districts the last, a thousand.
        line("median, 1,000 districts", at(&["6"], "median_all", |_| true), false, 2),
        line("median, ten of them", at(&["6"], "median_limited", |_| true), false, 3),
        line("sum, 1,000 districts", at(&["6"], "sum_all", |_| true), false, 4),
        line("a user's row", at(&["6"], "lookup", |_| true), false, 5),
    ];
    let series = lines.into_iter().filter(|line| !line.points.is_empty()).collect();
    let title = "Tables of private rows as they grow: CPU time, one thread".to_owned();
    Chart { name: "aggregates-growth", title, x: "rows", y: "seconds", series }
}

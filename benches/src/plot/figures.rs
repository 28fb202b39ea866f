//! Which figures there are, and which rows they show.

use crate::measure::row::Row;
use crate::plot::chart::{Chart, Series};
use crate::plot::points::points;
use crate::plot::tables;
use crate::workload::plan::Kind;

/// The paper's Table 4: operations per second on an AWS c5.metal, 100,000 operations, by cores.
const PAPER_VALIDATORS: [(Kind, [(f64, f64); 6]); 3] = [
    (Kind::Modify, seconds([342.0, 191.1, 106.0, 62.5, 39.8, 33.9])),
    (Kind::Insert, seconds([349.1, 199.8, 114.4, 71.9, 50.0, 44.7])),
    (Kind::Delete, seconds([683.8, 377.5, 209.7, 124.8, 81.0, 67.3])),
];

const fn seconds(table: [f64; 6]) -> [(f64, f64); 6] {
    let [one, two, four, eight, sixteen, thirty_two] = table;
    let rate = 100_000.0;
    [
        (1.0, rate / one),
        (2.0, rate / two),
        (4.0, rate / four),
        (8.0, rate / eight),
        (16.0, rate / sixteen),
        (32.0, rate / thirty_two),
    ]
}

/// The paper's Figure 4: operations per second of an archive on one core.
const PAPER_ARCHIVES: [(Kind, f64); 3] = [(Kind::Modify, 24.3), (Kind::Insert, 24.6), (Kind::Delete, 12.4)];

/// Every figure that has at least one line of its own.
pub fn all(rows: &[Row]) -> Vec<Chart> {
    let charts = [
        validators(rows),
        archives(rows),
        fresh_proofs(rows),
        verification(rows),
        proofs(rows),
        growth(rows),
        peers(rows),
        mixnet(rows),
    ];
    charts
        .into_iter()
        .chain(tables::all(rows))
        .filter(|chart| chart.series.iter().any(|series| !series.reference))
        .collect()
}

/// Figure 3.
fn validators(rows: &[Row]) -> Chart {
    let mut series = Vec::new();
    for (colour, (kind, paper)) in PAPER_VALIDATORS.into_iter().enumerate() {
        let measured = points(rows, |row| {
            let wanted =
                row.table == "validators" && row.scheme == "kzg" && row.operation == kind.name() && row.unit == "op/s";
            wanted.then_some((row.threads as f64, row.median))
        });
        if measured.is_empty() {
            continue;
        }
        series.push(Series { name: kind.name().to_owned(), points: measured, reference: false, colour });
        let name = format!("{}, paper on c5.metal", kind.name());
        series.push(Series { name, points: paper.to_vec(), reference: true, colour });
    }
    let title = "Validators: operations a second, claims up to 9 versions stale".to_owned();
    Chart { name: "validators", title, x: "threads", y: "operations a second", series }
}

/// Figure 4.
fn archives(rows: &[Row]) -> Chart {
    let mut series = Vec::new();
    for (colour, (kind, paper)) in PAPER_ARCHIVES.into_iter().enumerate() {
        let measured = points(rows, |row| {
            let wanted =
                row.table == "archives" && row.scheme == "kzg" && row.operation == kind.name() && row.unit == "1/s";
            wanted.then_some((row.threads as f64, row.median))
        });
        if measured.is_empty() {
            continue;
        }
        series.push(Series { name: kind.name().to_owned(), points: measured, reference: false, colour });
        let name = format!("{}, paper on c5.metal", kind.name());
        series.push(Series { name, points: vec![(1.0, paper)], reference: true, colour });
    }
    let title = "Archives: operations a second, fresh proofs and block together".to_owned();
    Chart { name: "archives", title, x: "threads", y: "operations a second", series }
}

/// Proofs per second and core by how many are asked for, by CPU time.
fn fresh_proofs(rows: &[Row]) -> Chart {
    let proofs = |scheme, threads| {
        points(rows, |row| {
            let kind = (row.table, row.scheme, row.operation, row.threads) == ("archives", scheme, "prove", threads);
            (kind && row.size > 0).then_some((row.size as f64, row.cpu_median?))
        })
    };
    // One proof an update is drawn as it is in the long run, where that was measured.
    let in_the_long_run = |mut points: Vec<(f64, f64)>| {
        let steady = rows.iter().find(|row| (row.table, row.operation) == ("archives", "prove_steady"));
        if let Some(rate) = steady.and_then(|row| row.cpu_median) {
            points.iter_mut().filter(|(asked, _)| *asked == 1.0).for_each(|point| point.1 = rate);
        }
        points
    };
    let level = |found: Option<f64>| found.map_or(Vec::new(), |rate| vec![(1.0, rate), (100.0, rate)]);
    let still = rows.iter().find(|row| (row.table, row.operation, row.size) == ("archives", "prove", 0));
    let paper = proofs("paper", 1).first().map(|point| point.1);
    let lines = [
        ("snapshots, one thread", in_the_long_run(proofs("kzg", 1)), false),
        ("snapshots, two threads", proofs("kzg", 2), false),
        ("snapshots, no updates", level(still.and_then(|row| row.cpu_median)), true),
        ("anew, the paper's way, here", level(paper), true),
        ("paper on c5.metal", level(Some(PAPER_ARCHIVES[0].1)), true),
    ];
    let drawn = lines.into_iter().enumerate().filter(|(_, (_, points, _))| !points.is_empty());
    let series =
        drawn.map(|(colour, (name, points, reference))| Series { name: name.into(), points, reference, colour });
    let title = "Archives: fresh proofs a second of CPU time".to_owned();
    Chart {
        name: "archive-proofs",
        title,
        x: "proofs asked for an update",
        y: "proofs a second",
        series: series.collect(),
    }
}

/// What verifying one claim costs in batches of growing length, and what the peers take for one.
fn verification(rows: &[Row]) -> Chart {
    let names = [
        ("kzg", "verify_batch", "KZG, openings decoded"),
        ("kzg", "verify_batch_decode", "KZG, from bytes"),
        ("kzg", "verify_aggregated", "KZG, aggregated"),
        ("libert-yung", "verify_batch", "Libert–Yung"),
    ];
    let mut series = Vec::new();
    for (colour, (scheme, operation, name)) in names.into_iter().enumerate() {
        let measured = points(rows, |row| {
            let wanted = row.table == "table1" && (row.scheme, row.operation) == (scheme, operation);
            wanted.then_some((row.size as f64, row.cpu_median?))
        });
        if !measured.is_empty() {
            series.push(Series { name: name.to_owned(), points: measured, reference: false, colour });
        }
    }
    let longest = series.iter().flat_map(|line| &line.points).map(|point| point.0).fold(1.0, f64::max);
    let singles =
        [("c-kzg", "c-kzg, one by one"), ("paper", "the paper's, one by one"), ("merkle", "Merkle path, SHA-256")];
    for (colour, (scheme, name)) in (4..).zip(singles) {
        let single = rows.iter().find(|row| row.table == "table1" && (row.scheme, row.operation) == (scheme, "verify"));
        let line = single.and_then(|row| row.cpu_median).map(|time| vec![(1.0, time), (longest, time)]);
        let line = line.filter(|_| !series.is_empty());
        series.extend(line.map(|points| Series { name: name.to_owned(), points, reference: true, colour }));
    }
    let title = "Verifying a claim: CPU time, one thread".to_owned();
    Chart { name: "verification", title, x: "claims in a batch", y: "microseconds a claim", series }
}

/// What proves one key.
fn proofs(rows: &[Row]) -> Chart {
    let names = [
        (&["claim"][..], "kzg", "Aardvark, present or absent"),
        (&["proof"], "merkle", "binary Merkle tree"),
        (&["proof", "proof_extrapolated"], "jmt", "Jellyfish Merkle tree"),
    ];
    let mut series = Vec::new();
    for (colour, (operations, scheme, name)) in names.into_iter().enumerate() {
        let measured = points(rows, |row| {
            let wanted = row.table == "sizes" && row.scheme == scheme && operations.contains(&row.operation);
            wanted.then_some((row.size as f64, row.median))
        });
        if !measured.is_empty() {
            series.push(Series { name: name.to_owned(), points: measured, reference: scheme != "kzg", colour });
        }
    }
    let title = "Bytes that prove one key, 32-byte keys and 8-byte values".to_owned();
    Chart { name: "sizes", title, x: "keys", y: "bytes", series }
}

/// Import, block and proof by the number of keys.
fn growth(rows: &[Row]) -> Chart {
    let names = [("import", "import of all keys"), ("apply", "one block"), ("prove", "one proof")];
    let mut series = Vec::new();
    for (colour, (operation, name)) in names.into_iter().enumerate() {
        let measured = points(rows, |row| {
            let scale = if row.unit == "us" { 1e-6 } else { 1.0 };
            (row.table == "growth" && row.operation == operation).then_some((row.size as f64, row.cpu_median? * scale))
        });
        if !measured.is_empty() {
            series.push(Series { name: name.to_owned(), points: measured, reference: false, colour });
        }
    }
    let title = "CPU time by the number of keys".to_owned();
    Chart { name: "growth", title, x: "keys", y: "seconds", series }
}

/// A key's share of an import and of a block of updates, and one proof, by the number of keys.
fn peers(rows: &[Row]) -> Chart {
    let schemes = [("kzg", "Aardvark"), ("nomt", "NOMT"), ("qmdb", "QMDB")];
    let operations = [("import_key", "import, a key"), ("update_key", "update, a key"), ("verify", "verify a proof")];
    let mut series = Vec::new();
    for (colour, (operation, what)) in operations.into_iter().enumerate() {
        for (shade, (scheme, name)) in schemes.into_iter().enumerate() {
            let measured = points(rows, |row| {
                let wanted = (row.table, row.scheme, row.operation) == ("peers", scheme, operation);
                wanted.then_some((row.size as f64, row.cpu_median?))
            });
            if !measured.is_empty() {
                let (name, reference) = (format!("{what}: {name}"), scheme != "kzg");
                series.push(Series { name, points: measured, reference, colour: colour * 2 + shade / 2 });
            }
        }
    }
    let title = "Beside NOMT and QMDB: CPU time by the number of keys".to_owned();
    Chart { name: "peers", title, x: "keys", y: "microseconds", series }
}

/// What a server of a mixnet spends on mixing and on a query, beside the baselines.
fn mixnet(rows: &[Row]) -> Chart {
    let names = [
        ("columns", "trace_in", None, "trace-in"),
        ("columns", "trace_out", None, "trace-out"),
        ("columns", "mix", Some(2), "mixing, once, values of 2 bytes"),
        ("columns", "mix", Some(8), "mixing, once, of 8 bytes"),
        ("columns", "mix", Some(32), "mixing, once, of 32 bytes"),
        ("db-sm", "trace_in", None, "trace-in by DB-SM, one run"),
        ("groth16", "trace_in", None, "trace-in by Groth16, estimated"),
    ];
    let mut series = Vec::new();
    for (colour, (scheme, operation, value_bytes, name)) in names.into_iter().enumerate() {
        let measured = points(rows, |row| {
            let wanted =
                (row.table, row.scheme, row.operation, row.role) == ("mixnet", scheme, operation, Some("server"));
            let of_bytes = value_bytes.is_none() || value_bytes == row.value_bytes;
            (wanted && of_bytes).then_some((row.size as f64, row.cpu_median?))
        });
        if !measured.is_empty() {
            series.push(Series { name: name.to_owned(), points: measured, reference: scheme != "columns", colour });
        }
    }
    let title = "Mixnets: CPU time of a server".to_owned();
    Chart { name: "mixnet", title, x: "inputs", y: "seconds", series }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_is_drawn_only_where_there_are_rows_of_its_own() {
        assert_eq!(all(&[]), []);
        let row = Row::counted("validators", "kzg", "modify", "op/s", 8000.0).threads(2);
        let charts = all(&[row]);
        assert_eq!(charts.len(), 1);
        assert_eq!(charts[0].series[0].points, [(2.0, 8000.0)]);
        assert_eq!(charts[0].series[1].points[0], (1.0, 100_000.0 / 342.0));
        let row = |scheme, role, size| {
            let row = Row::counted("mixnet", scheme, "trace_in", "s", 9.0).size(size);
            Row { cpu_median: Some(size as f64), role: Some(role), ..row }
        };
        let rows = [row("db-sm", "server", 10), row("columns", "querier", 10), row("columns", "server", 20)];
        let series = &all(&rows)[0].series;
        let found: Vec<_> = series.iter().map(|line| (line.reference, line.points.clone())).collect();
        assert_eq!(found, [(false, vec![(20.0, 20.0)]), (true, vec![(10.0, 10.0)])]);
    }
}

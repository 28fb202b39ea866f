//! Rows that continue runs, and rows that take the place of runs: what is written of them, asked of
//! them and audited, and what a kill leaves.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

use std::path::{Path, PathBuf};

use aardvark_aggregates::{Finding, Head, KeyColumn, KeyKind, Schema, Segment, TableKey, ValueColumn};
use aardvark_archive::Archive;
use aardvark_commitment::setups::published_digest;
use aardvark_dictionary::{Change, Genesis, Identity, Key, Parameters, Value};
use aardvark_tables::answer::AnswerParts;
use aardvark_tables::certificates::Certificates;
use aardvark_tables::keeper::for_each_entry;
use aardvark_tables::source::csv::CsvSource;
use aardvark_tables::vault::Pending;
use aardvark_tables::{
    AuditOptions, ImportOptions, ImportReport, Keeper, Renewal, SegmentPlace, SegmentSecret, TableAudit, TablesError,
    Vault, audit_tables,
};

fn schema(flags: u8) -> Schema {
    Schema {
        append_only: flags == 1,
        deletable: flags == 2,
        writers: vec![],
        keys: vec![KeyColumn { name: "time".to_owned(), kind: KeyKind::Unsigned, width: 4 }],
        values: vec![ValueColumn { name: "power".to_owned(), lowest: -100, span: 255, bits: 8, moments: 2, scale: 0 }],
        rows: vec!["user".to_owned()],
        watermark: vec![],
    }
}

/// A key and its value.
type Entry = (Vec<u8>, Vec<u8>);

struct Home {
    keeper: Option<Keeper>,
    directory: PathBuf,
    schema: Schema,
    /// Bytes of rows that are sorted in memory.
    memory: usize,
}

impl Home {
    fn new(folder: &Path, flags: u8) -> Self {
        let parameters = Parameters { vector_size: 16, ..Parameters::default() };
        let digest = published_digest(parameters.scheme, parameters.vector_size).unwrap();
        let genesis = Genesis::new(Identity::new("homes", [7; 32]).unwrap(), parameters, digest, Vec::new()).unwrap();
        let directory = folder.join("d");
        let archive = Archive::builder().create(&directory, &genesis).unwrap();
        let mut keeper = Keeper::open(archive, &directory).unwrap();
        keeper.create("meters", &schema(flags)).unwrap();
        Self { keeper: Some(keeper), directory, schema: schema(flags), memory: 1 << 20 }
    }

    fn keeper(&mut self) -> &mut Keeper {
        self.keeper.as_mut().unwrap()
    }

    fn reopen(&mut self) {
        self.keeper = None;
        self.keeper = Some(Keeper::open(Archive::builder().open(&self.directory).unwrap(), &self.directory).unwrap());
    }

    fn renew(&mut self, renewal: Renewal, rows: &str) -> Result<ImportReport, TablesError> {
        let text = format!("time,power,user\n{rows}");
        let schema = self.schema.clone();
        let mut source = CsvSource::new(text.as_bytes(), &schema, &Default::default())?;
        let options = ImportOptions { sheet: 16, memory: self.memory };
        self.keeper().renew("meters", &schema, &mut source, renewal, &options, &mut |_| {})
    }

    fn audit(&mut self, since: u64) -> TableAudit {
        let keeper = self.keeper();
        let vault = Some((keeper.vault(), keeper.setup()));
        let options = AuditOptions { since, ..AuditOptions::default() };
        audit_tables(keeper.archive(), keeper.certificates(), vault, &options, &mut |_, _| {}).unwrap()
    }

    /// What stands under the keys of a part of the table.
    fn part(&mut self, part: u8) -> Vec<Entry> {
        let prefix = [TableKey::prefix("meters"), vec![part]].concat();
        let keeper = self.keeper();
        let mut found = Vec::new();
        for_each_entry::<TablesError>(keeper.archive(), &prefix, keeper.archive().version(), |key, value| {
            found.push((key.to_vec(), value.to_vec()));
            Ok(())
        })
        .unwrap();
        found
    }

    fn heads(&mut self) -> Vec<Head> {
        self.part(1).iter().map(|(_, value)| Head::from_bytes(value, 2).unwrap()).collect()
    }

    /// What is found, with certificates for all that the answer uses.
    fn ask(&mut self, text: &str) -> Finding {
        let parts = AnswerParts { certificates: true, ..AnswerParts::default() };
        let keeper = self.keeper();
        keeper.answer("meters", text, keeper.archive().version(), &parts).unwrap().1.finding
    }

    fn order(&mut self, text: &str) -> i64 {
        match self.ask(text) {
            Finding::Order(found) => found.value.unwrap().to_string().parse().unwrap(),
            other => panic!("{other:?}"),
        }
    }
}

fn csv(time: u32, numbers: impl IntoIterator<Item = i64>) -> String {
    numbers.into_iter().map(|number| format!("{time},{number},user{number}\n")).collect()
}

#[test]
fn rows_behind_a_run_s_last_one_continue_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut home = Home::new(folder.path(), 1);
    // 12 rows have room on a sheet: three segments at once, then two more.
    let report = home.renew(Renewal::Extend, &csv(5, (0..30).map(|i| i * 2 - 60))).unwrap();
    assert_eq!((report.rows, report.runs, report.sheets), (30, 1, 3));
    home.renew(Renewal::Extend, &csv(5, (0..14).map(|i| i * 5))).unwrap();
    let head = home.heads().remove(0);
    assert_eq!((head.segments(), head.rows(), home.heads().len()), (5, 44, 1));
    let ranks: Vec<u64> = home.part(2).iter().map(|(_, value)| Segment::from_bytes(value, 2).unwrap().rank).collect();
    assert_eq!(ranks, [12, 24, 30, 42]);
    // Rows below the last one are a run of their own.
    home.renew(Renewal::Extend, &format!("{}{}", csv(5, [-100, 3, 4]), csv(6, [9]))).unwrap();
    assert_eq!(home.heads().iter().map(Head::segments).collect::<Vec<_>>(), [5, 1, 1]);
    // The run whose end fits is continued, be it not the last.
    home.renew(Renewal::Extend, &csv(5, [70, 71])).unwrap();
    assert_eq!(home.heads().iter().map(Head::rows).collect::<Vec<_>>(), [46, 3, 1]);

    let mut rows: Vec<i64> = (0..30).map(|i| i * 2 - 60).chain((0..14).map(|i| i * 5)).collect();
    rows.extend([-100, 3, 4, 70, 71]);
    rows.sort_unstable();
    let n = rows.len() as i64;
    for k in [0, 1, 10, 25, 33, 50, 66, 75, 90, 99, 100] {
        let rank = ((n * k + 99) / 100).max(1) as usize;
        let found = home.order(&format!("percentile_disc(power, {k}/100) where time = 5"));
        assert_eq!(found, rows[rank - 1], "{k}");
    }
    let Finding::Rank(found) = home.ask("rank(power, 20) where time = 5") else { panic!() };
    assert_eq!((found.rows, found.below), (n as u64, rows.iter().filter(|row| **row < 20).count() as u64));
    let Finding::Groups(groups) = home.ask("variance(power) where time = 5") else { panic!() };
    let sum = |power: u32| rows.iter().map(|row| row.pow(power)).sum::<i64>().to_string();
    let sums: Vec<String> = groups[0].sums.iter().map(ToString::to_string).collect();
    assert_eq!((groups[0].rows, sums), (n as u64, vec![sum(1), sum(2)]));
    // A row of a further segment, for its owner.
    let keeper = home.keeper();
    let version = keeper.archive().version();
    let found = keeper.rows_of("meters", "user65", version, None, None).unwrap();
    let parts = AnswerParts { certificates: true, ..AnswerParts::default() };
    let (_, outcome) = keeper.row("meters", &found[0], version, &parts).unwrap();
    let Finding::Row(row) = outcome.finding else { panic!() };
    assert_eq!((row.rank, row.value.to_string()), (43, "65".to_owned()));

    let audited = home.audit(0);
    assert_eq!((audited.findings.as_slice(), audited.runs, audited.rows), (&[][..], 3, 50));
    assert_eq!(audited.certificates, 3 + 2 + 2 + 1);
    // Only what came later.
    let audited = home.audit(version - 1);
    assert_eq!((audited.findings.as_slice(), audited.certificates, audited.versions), (&[][..], 1, 1));
    // Earlier versions are asked as they were.
    let (_, outcome) = home.keeper().answer("meters", "max(power)", 2, &parts).unwrap();
    let Finding::Order(found) = outcome.finding else { panic!() };
    assert_eq!((found.rows, found.value.unwrap().to_string()), (30, "-2".to_owned()));
}

#[test]
fn amended_runs_have_the_next_revision() {
    let folder = tempfile::tempdir().unwrap();
    let mut home = Home::new(folder.path(), 0);
    home.renew(Renewal::Amend, &csv(5, 0..20)).unwrap();
    assert_eq!(home.heads().iter().map(|head| (head.revision, head.rows())).collect::<Vec<_>>(), [(0, 20)]);
    home.renew(Renewal::Extend, &csv(5, [-3, -2])).unwrap();
    let report = home.renew(Renewal::Amend, &csv(5, 30..45)).unwrap();
    assert_eq!((report.rows, report.runs), (15, 2));
    // The table is not deletable: the second run keeps a row.
    assert_eq!(home.heads().iter().map(|head| (head.revision, head.rows())).collect::<Vec<_>>(), [(1, 14), (1, 1)]);
    assert_eq!((home.order("min(power)"), home.order("max(power)")), (30, 44));
    assert!(matches!(home.renew(Renewal::Amend, &csv(5, [1])), Err(TablesError::TooFewRows { rows: 1, runs: 2 })));
    assert_eq!(home.audit(0).findings, []);
    // A run that was amended grows in its new revision.
    home.renew(Renewal::Extend, &csv(5, [50, 51])).unwrap();
    assert_eq!(home.order("max(power)"), 51);
    let audited = home.audit(0);
    assert_eq!((audited.findings.as_slice(), audited.rows), (&[][..], 17));

    let folder = tempfile::tempdir().unwrap();
    let mut home = Home::new(folder.path(), 2);
    home.renew(Renewal::Extend, &csv(5, 0..20)).unwrap();
    home.renew(Renewal::Extend, &csv(5, [-3, -2])).unwrap();
    home.renew(Renewal::Amend, &csv(5, [7])).unwrap();
    assert_eq!(home.heads().iter().map(|head| (head.revision, head.rows())).collect::<Vec<_>>(), [(1, 1)]);
    assert_eq!(home.audit(0).findings, []);
    // Deleting a run takes its segments along.
    home.renew(Renewal::Amend, &csv(5, 0..30)).unwrap();
    let standing = home.part(2).len();
    let head = TableKey::Head { table: "meters".to_owned(), column: 0, columns: vec![0, 0, 0, 5], run: 0 };
    home.keeper().delete("meters", &[head]).unwrap();
    assert_eq!((home.part(1).len(), standing - home.part(2).len()), (0, 2));
    assert_eq!(home.audit(0).findings, []);

    let folder = tempfile::tempdir().unwrap();
    let mut home = Home::new(folder.path(), 1);
    home.renew(Renewal::Extend, &csv(5, [1])).unwrap();
    assert!(matches!(home.renew(Renewal::Amend, &csv(5, [2])), Err(TablesError::Policy(_))));
}

#[test]
fn renewals_are_sorted_outside_of_memory_and_written_some_segments_at_a_time() {
    // Eight segments at a time.
    let one_core = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    one_core.install(|| {
        let folder = tempfile::tempdir().unwrap();
        let mut home = Home::new(folder.path(), 0);
        home.memory = 1000;
        // Of each key in an order of its own; ties, and runs that end within and at the end of what
        // is written together.
        let rows = |time: u32, low: i64, count: i64| csv(time, (0..count).map(|i| low + i * 37 % count / 3));
        let first: String = [(1, 30), (2, 96), (3, 1), (4, 150)].map(|(time, count)| rows(time, -100, count)).concat();
        let report = home.renew(Renewal::Extend, &first).unwrap();
        assert_eq!((report.rows, report.runs, report.sheets), (277, 4, 3 + 8 + 1 + 13));
        // As low as the last one is behind it.
        let report =
            home.renew(Renewal::Extend, &[rows(2, -69, 100), rows(4, -51, 12), rows(5, 0, 1)].concat()).unwrap();
        assert_eq!((report.rows, report.runs, report.sheets), (113, 3, 9 + 1 + 1));
        let shape =
            |home: &mut Home| home.heads().iter().map(|head| (head.segments(), head.rows())).collect::<Vec<_>>();
        assert_eq!(shape(&mut home), [(3, 30), (17, 196), (1, 1), (14, 162), (1, 1)]);
        let wanted = |time: u32, parts: &[(i64, i64)]| {
            let mut rows: Vec<i64> =
                parts.iter().flat_map(|(low, n)| (0..*n).map(move |i| low + i * 37 % n / 3)).collect();
            rows.sort_unstable();
            (format!("where time = {time}"), rows)
        };
        for (box_, rows) in
            [wanted(1, &[(-100, 30)]), wanted(2, &[(-100, 96), (-69, 100)]), wanted(4, &[(-100, 150), (-51, 12)])]
        {
            for k in [0, 30, 50, 97, 100] {
                let rank = (rows.len() * k).div_ceil(100).max(1);
                assert_eq!(home.order(&format!("percentile_disc(power, {k}/100) {box_}")), rows[rank - 1], "{box_}");
            }
        }
        let audited = home.audit(0);
        assert_eq!((audited.findings.as_slice(), audited.rows, audited.certificates), (&[][..], 390, 36));

        // Two runs of a key, of which the second keeps the last row.
        home.renew(Renewal::Extend, &csv(2, [-100])).unwrap();
        let report = home.renew(Renewal::Amend, &rows(2, 0, 110)).unwrap();
        assert_eq!((report.rows, report.runs, report.sheets), (110, 2, 10 + 1));
        assert_eq!(shape(&mut home), [(3, 30), (10, 109), (1, 1), (1, 1), (14, 162), (1, 1)]);
        assert_eq!((home.order("min(power) where time = 2"), home.order("max(power) where time = 2")), (0, 36));
        assert_eq!(home.audit(0).findings, []);
        let keeper = home.keeper();
        let version = keeper.archive().version();
        assert_eq!(keeper.rows_of("meters", "user36", version, None, None).unwrap().len(), 2);
    });
}

#[test]
fn a_refused_row_leaves_the_runs_as_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let mut home = Home::new(folder.path(), 0);
    home.memory = 200;
    home.renew(Renewal::Extend, &csv(5, 0..14)).unwrap();
    let before = (home.part(1), home.part(2), home.keeper().archive().version());
    for renewal in [Renewal::Extend, Renewal::Amend] {
        let refused = home.renew(renewal, &format!("{}5,900,bob\n", csv(5, 20..60))).unwrap_err();
        assert_eq!(refused.to_string(), "line 42, column power: \"900\" is not between -100 and 155".replace('"', ""));
        assert_eq!((home.part(1), home.part(2), home.keeper().archive().version()), before);
        assert_eq!(home.keeper().vault().rows_of("meters", "user20").unwrap(), []);
    }
    assert_eq!(home.renew(Renewal::Extend, "").unwrap().rows, 0);
    assert_eq!(home.audit(0).findings, []);
}

#[test]
fn what_a_kill_leaves_of_a_run_that_was_to_grow_is_swept() {
    let folder = tempfile::tempdir().unwrap();
    let mut home = Home::new(folder.path(), 1);
    home.renew(Renewal::Extend, &csv(5, 0..14)).unwrap();
    let (head_key, _) = home.part(1).remove(0);
    let (segment_key, value) = home.part(2).remove(0);
    let id = *home.keeper().archive().id();
    home.keeper = None;
    // The second segment stands; of a third one only the secret was written.
    let mut third = segment_key.clone();
    *third.last_mut().unwrap() = 2;
    let place = |segment| SegmentPlace { head: head_key.clone(), revision: 0, segment };
    let mut vault = Vault::open(&home.directory, &id).unwrap();
    let kept = vault.segment(&place(1)).unwrap().unwrap();
    let orphan = SegmentSecret { first: 1, seed: [3; 32], numbers: vec![120], texts: vec![vec!["cyd".to_owned()]] };
    let pending = [(segment_key, value.clone()), (third, value)];
    vault.prepare(&Pending { heads: &pending }, &[(place(1), kept.clone()), (place(2), orphan)]).unwrap();
    drop(vault);
    home.reopen();
    let vault = home.keeper().vault();
    assert_eq!(vault.segment(&place(2)).unwrap(), None);
    assert_eq!(vault.segment(&place(1)).unwrap(), Some(kept));
    assert!(vault.segment(&place(0)).unwrap().is_some());
    assert_eq!(vault.rows_of("meters", "cyd").unwrap(), []);
    home.renew(Renewal::Extend, &csv(5, [100])).unwrap();
    assert_eq!(home.audit(0).findings, []);
}

#[test]
fn false_steps_of_runs_are_found() {
    // What an archive puts that asks no keeper.
    let findings = |change: &dyn Fn(&mut Vec<Entry>)| {
        let folder = tempfile::tempdir().unwrap();
        let mut home = Home::new(folder.path(), 0);
        home.renew(Renewal::Extend, &csv(5, 0..14)).unwrap();
        home.renew(Renewal::Extend, &csv(5, 20..22)).unwrap();
        let version = home.keeper().archive().version();
        let certificates = home.keeper().certificates().of_version(version).unwrap();
        // The last version's entries again, changed, in another dictionary of the same rows.
        let mut entries: Vec<Entry> = home.part(1);
        entries.extend(home.part(2).pop());
        change(&mut entries);
        let other = tempfile::tempdir().unwrap();
        let mut again = Home::new(other.path(), 0);
        let mut before: Vec<Entry> = Vec::new();
        let keeper = home.keeper();
        for part in [1, 2] {
            let prefix = [TableKey::prefix("meters"), vec![part]].concat();
            for_each_entry::<TablesError>(keeper.archive(), &prefix, version - 1, |key, value| {
                before.push((key.to_vec(), value.to_vec()));
                Ok(())
            })
            .unwrap();
        }
        let first = keeper.certificates().of_version(version - 1).unwrap();
        again.keeper = None;
        let stored = Certificates::open(&again.directory, keeper.archive().id()).unwrap();
        stored.put(version - 1, &first).unwrap();
        stored.put(version, &certificates).unwrap();
        drop(stored);
        let mut archive = Archive::builder().open(&again.directory).unwrap();
        for entries in [before, entries] {
            let change =
                |(key, value): (Vec<u8>, Vec<u8>)| Change { key: Key::from(key), value: Some(Value::from(value)) };
            archive.import(entries.into_iter().map(change).collect()).unwrap();
        }
        again.keeper = Some(Keeper::open(archive, &again.directory).unwrap());
        let keeper = again.keeper();
        let options = AuditOptions::default();
        audit_tables(keeper.archive(), keeper.certificates(), None, &options, &mut |_, _| {}).unwrap().findings.len()
    };
    assert_eq!(findings(&|_| ()), 0);
    // A head that grows without its segment, a segment without its head, a rank and totals that are
    // not what they should be.
    assert!(findings(&|entries| drop(entries.pop())) > 0);
    assert!(findings(&|entries| drop(entries.remove(0))) > 0);
    assert!(findings(&|entries| entries[1].1[8] ^= 1) > 0);
    assert!(findings(&|entries| entries[0].1[16] ^= 1) > 0);
    let swapped = |entries: &mut Vec<Entry>| {
        let length = entries[0].1.len();
        let totals = entries[0].1.split_off(length - 96);
        entries[0].1.extend(totals[48..].iter().chain(&totals[..48]));
    };
    assert!(findings(&swapped) > 0);
}

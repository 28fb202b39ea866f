//! A small table in a dictionary whose commitments are known, on the setups of the test.

use std::collections::BTreeMap;

use aardvark_aggregates::answer::order_prover::{answer_cut, answer_order};
use aardvark_aggregates::answer::prover::{
    Ground, PlacedSegment, answer_row, answer_totals, answer_whole_totals, runs_to_open,
};
use aardvark_aggregates::answer::row::{leaf_digest, path, root};
use aardvark_aggregates::certificate::statement::statement;
use aardvark_aggregates::cut::pieces::find_pieces;
use aardvark_aggregates::query::Function;
use aardvark_aggregates::scan::TableScan;
use aardvark_aggregates::{
    About, Answer, AnswerError, CertificateMasks, Certificates, CutGoal, Head, KeyColumn, KeyKind, KeyValue,
    KnownSegment, MaskSource, Outcome, Query, Record, Schema, Segment, SheetItem, ShownRow, StatedCertificate,
    TableKey, ValueColumn, encode_columns, prove,
};
use aardvark_commitment::{Commitment, VectorCommitment};
use aardvark_dictionary::{Claim, DictionaryId, Key, Slot, Value};
use aardvark_proof::{KnownCommitments, Trusted};

use super::setups::{VECTOR_SIZE, provers, scheme};

/// A run: its key columns, its number, its rows in ascending order, its domain.
#[derive(Clone, Debug)]
pub struct Run {
    pub key: Vec<KeyValue>,
    pub run: u32,
    pub numbers: Vec<u64>,
    pub log: usize,
}

/// Time and district, and power with two moments.
pub fn schema() -> Schema {
    Schema {
        append_only: false,
        deletable: false,
        writers: vec![[7; 32]],
        keys: vec![
            KeyColumn { name: "time".to_owned(), kind: KeyKind::Unsigned, width: 2 },
            KeyColumn { name: "district".to_owned(), kind: KeyKind::Signed, width: 1 },
            KeyColumn { name: "kind".to_owned(), kind: KeyKind::Text, width: 3 },
        ],
        values: vec![ValueColumn { name: "power".to_owned(), lowest: -20, span: 250, bits: 8, moments: 2, scale: 0 }],
        rows: vec!["user".to_owned(), "tag".to_owned()],
        watermark: Vec::new(),
    }
}

/// A key of the table above.
pub fn key(time: u64, district: i64, kind: &str) -> Vec<KeyValue> {
    vec![KeyValue::Unsigned(time), KeyValue::Signed(district), KeyValue::Text(kind.to_owned())]
}

/// Six runs at four keys, on two domains.
pub fn runs() -> Vec<Run> {
    let run = |time, district, kind: &str, number, numbers: &[u64], log| Run {
        key: key(time, district, kind),
        run: number,
        numbers: numbers.to_vec(),
        log,
    };
    vec![
        run(1, -3, "a", 0, &[3, 3, 180], 3),
        run(1, 5, "ab", 0, &[0], 4),
        run(2, -3, "a", 0, &[20, 250], 3),
        run(2, -3, "a", 1, &[20], 3),
        run(2, 5, "ab", 0, &[7, 8, 9, 10, 200], 4),
        run(300, 5, "b", 0, &[100], 3),
    ]
}

/// A table in a dictionary.
pub struct Table {
    pub name: &'static str,
    pub schema: Schema,
    pub dictionary: DictionaryId,
    pub version: u64,
    pub slots: Vec<Slot>,
    commitments: Vec<Commitment>,
    segments: BTreeMap<Key, (KnownSegment, Head)>,
    /// The segments behind the first, by the keys of their runs' heads.
    further: BTreeMap<Key, Vec<(KnownSegment, Record)>>,
}

/// The texts of a run's row.
pub fn texts(run: usize, row: usize) -> Vec<String> {
    vec![format!("user {run} {row}"), format!("tag{}", run * 100 + row)]
}

/// The salt of a run's row.
pub fn salt(run: usize, row: usize) -> [u8; 16] {
    let mut salt = [5; 16];
    salt[0] = run as u8;
    salt[1] = row as u8;
    salt
}

impl Table {
    /// The table `meters` with these runs, beside keys of other tables, columns and lengths.
    pub fn new(schema: Schema, runs: &[Run]) -> Self {
        Self::grown(schema, runs, &[])
    }

    /// The same, of which some runs, by their places, have further segments: the logarithms of
    /// their domains' sizes, and their numbers.
    pub fn grown(schema: Schema, runs: &[Run], grown: &[(usize, usize, &[u64])]) -> Self {
        let name = "meters";
        let mut source = MaskSource::new([9; 32]);
        let mut entries: BTreeMap<Key, Value> = BTreeMap::new();
        let mut segments = BTreeMap::new();
        let mut further: BTreeMap<Key, Vec<(KnownSegment, Record)>> = BTreeMap::new();
        entries.insert(Key::default(), Value::default());
        let schema_key = TableKey::Schema { table: name.to_owned() }.to_bytes();
        entries.insert(Key::from(schema_key.clone()), Value::from(schema.to_bytes()));
        for (r, run) in runs.iter().enumerate() {
            let moments = usize::from(schema.values[0].moments);
            let segment = KnownSegment::draw(&mut source, 1, run.numbers.clone(), moments);
            let record = segment.commit(provers().sheet(run.log).unwrap(), root(&leaves(r, run.numbers.len())));
            let mut head = Head::single(0, record);
            let columns = encode_columns(&schema, &run.key).unwrap();
            let key = TableKey::Head { table: name.to_owned(), column: 0, columns: columns.clone(), run: run.run };
            let key = Key::from(key.to_bytes());
            for (_, log, numbers) in grown.iter().filter(|(place, ..)| *place == r) {
                let known = KnownSegment::draw(&mut source, 1, numbers.to_vec(), moments);
                let record = known.commit(provers().sheet(*log).unwrap(), root(&leaves(r, numbers.len())));
                let place = TableKey::Segment {
                    table: name.to_owned(),
                    column: 0,
                    columns: columns.clone(),
                    run: run.run,
                    revision: 0,
                    segment: head.segments(),
                };
                let value = Segment { rank: head.rows(), record: record.clone() };
                entries.insert(Key::from(place.to_bytes()), Value::from(value.to_bytes()));
                head = head.with_segment(&record);
                further.entry(key.clone()).or_default().push((known, record));
            }
            entries.insert(key.clone(), Value::from(head.to_bytes()));
            segments.insert(key, (segment, head));
        }
        let mut foreign = |bytes: Vec<u8>| entries.insert(Key::from(bytes), Value::from(vec![1, 2, 3]));
        // Another table, a prefix of a key, one with bytes behind it, another part, another column.
        foreign(TableKey::Schema { table: "meterz".to_owned() }.to_bytes());
        foreign(TableKey::Schema { table: "meter".to_owned() }.to_bytes());
        foreign([&schema_key[..8], &[1, 0, 0, 1]].concat());
        foreign([&schema_key[..8], &[1, 0, 0, 2, 0x85, b'a', b'b', 0, 0, 0, 0, 0, 0]].concat());
        foreign([&schema_key[..8], &[1, 1, 0, 2, 0x85, b'a', b'b', 0, 0, 0, 0, 0]].concat());
        foreign([&schema_key[..8], &[2, 0, 0, 2, 0x85, b'a', b'b', 0, 0, 0, 0, 0]].concat());
        foreign(vec![b'z']);
        Self { further, ..Self::of(name, schema, entries, segments) }
    }

    fn of(
        name: &'static str,
        schema: Schema,
        entries: BTreeMap<Key, Value>,
        segments: BTreeMap<Key, (KnownSegment, Head)>,
    ) -> Self {
        let keys: Vec<Key> = entries.keys().cloned().collect();
        let next = |i: usize| keys.get(i + 1).cloned().unwrap_or_default();
        let slots = entries.into_iter().enumerate();
        let slots = slots.map(|(i, (key, value))| Slot { key, value, next: next(i) });
        let mut table = Self {
            name,
            schema,
            dictionary: DictionaryId([4; 32]),
            version: 12,
            slots: slots.collect(),
            commitments: Vec::new(),
            segments,
            further: BTreeMap::new(),
        };
        table.commit();
        table
    }

    /// Commits to the slots as they are.
    pub fn commit(&mut self) {
        let scalars: Vec<_> = self.slots.iter().map(Slot::scalar).collect();
        self.commitments = scalars.chunks(VECTOR_SIZE).map(|vector| scheme().commit(vector).unwrap()).collect();
    }

    /// What an asker trusts.
    pub fn trusted(&self) -> Trusted<'_> {
        Trusted::Commitments(KnownCommitments {
            dictionary: self.dictionary,
            scheme: scheme(),
            version: self.version,
            size: self.slots.len() as u64,
            commitments: &self.commitments,
        })
    }

    /// The claim of the slot at a position.
    pub fn claim(&self, position: usize) -> Claim {
        let vector = position / VECTOR_SIZE * VECTOR_SIZE;
        let scalars: Vec<_> = self.slots[vector..].iter().take(VECTOR_SIZE).map(Slot::scalar).collect();
        let opening = scheme().open_many(&scalars, &[position % VECTOR_SIZE]).unwrap()[0].to_bytes();
        Claim { position: position as u64, slot: self.slots[position].clone(), opening }
    }

    fn position(&self, covers: &[u8]) -> usize {
        self.slots.iter().position(|slot| slot.covers(covers)).unwrap()
    }

    pub fn query(&self, text: &str) -> Query {
        Query::parse(self.name, text, &self.schema).unwrap()
    }

    /// What the archive shows for a query.
    pub fn ground(&self, query: &Query) -> Ground {
        let key_box = query.key_box();
        let mut scan = TableScan::new(&key_box);
        let mut runs = Vec::new();
        while let Some(wanted) = scan.wanted() {
            let position = self.position(wanted);
            runs.push(self.claim(position));
            scan.step(&self.slots[position]).unwrap();
        }
        let schema = TableKey::Schema { table: self.name.to_owned() }.to_bytes();
        let schema = self.claim(self.position(&schema));
        let segments = Vec::new();
        Ground { dictionary: self.dictionary, version: self.version, schema, runs, segments, tie: None }
    }

    /// The runs' rows and heads, in the order of their keys.
    pub fn known(&self) -> Vec<(KnownSegment, Head)> {
        self.segments.values().cloned().collect()
    }

    /// The rows of a run.
    pub fn segment(&self, key: &Key) -> &KnownSegment {
        &self.segments[key].0
    }

    /// The keys of the runs' heads.
    pub fn heads(&self) -> Vec<Key> {
        self.segments.keys().cloned().collect()
    }

    /// The segments behind the first of all runs.
    pub fn further(&self) -> impl Iterator<Item = &(KnownSegment, Record)> {
        self.further.values().flatten()
    }

    /// The records of a run with this head.
    pub fn records_of(&self, head: &Head) -> Vec<Record> {
        let (key, _) = self.segments.iter().find(|(_, (_, other))| other == head).unwrap();
        let further = self.further.get(key).into_iter().flatten().map(|(_, record)| record.clone());
        core::iter::once(head.record.clone()).chain(further).collect()
    }

    /// All segments of a run, with the logarithms of their domains' sizes.
    pub fn all_segments(&self, head: &Key) -> Vec<(usize, KnownSegment)> {
        let (first, stood) = &self.segments[head];
        let further = self.further.get(head).into_iter().flatten();
        let further = further.map(|(known, record)| (usize::from(record.log), known.clone()));
        core::iter::once((usize::from(stood.record.log), first.clone())).chain(further).collect()
    }

    /// The claim of a segment of a run.
    pub fn segment_claim(&self, head: &Key, segment: usize) -> Claim {
        let Ok(TableKey::Head { table, column, columns, run }) = TableKey::from_bytes(head, &self.schema) else {
            panic!("a head's key");
        };
        let segment = segment as u32;
        let key = TableKey::Segment { table, column, columns, run, revision: 0, segment };
        self.claim(self.position(&key.to_bytes()))
    }

    /// The answer to a query where runs may have several segments.
    pub fn long_answer(&self, text: &str) -> Answer {
        let query = self.query(text);
        let mut ground = self.ground(&query);
        let runs = runs_to_open(&query, &ground).unwrap();
        let known: Vec<_> = runs.iter().map(|run| self.all_segments(run)).collect();
        if matches!(query.function(), Function::Totals { .. }) {
            let placed = known.iter().flatten().map(|(log, segment)| PlacedSegment { log: *log, segment });
            return answer_whole_totals(provers(), &query, text, ground, &placed.collect::<Vec<_>>()).unwrap();
        }
        let numbers: Vec<Vec<&[u64]>> =
            known.iter().map(|run| run.iter().map(|(_, segment)| segment.numbers.as_slice()).collect()).collect();
        let rows = numbers.iter().flatten().map(|segment| segment.len() as u64).sum();
        let found = find_pieces(&numbers, CutGoal::of(query.function().parts(), rows));
        let mut pieces = Vec::new();
        for (place, (run, all)) in runs.iter().zip(&known).enumerate() {
            let shown = found.as_ref().map(|found| found.shown[place].clone()).unwrap_or_default();
            ground.segments.extend(shown.iter().map(|segment| self.segment_claim(run, *segment)));
            pieces.push(all[0].1.clone());
            pieces.extend(shown.iter().map(|segment| all[*segment].1.clone()));
        }
        let cut = found.map(|found| found.cut);
        answer_cut(provers(), &query, text, ground, &pieces, cut, &mut MaskSource::new([13; 32])).unwrap()
    }

    /// The head of a run.
    pub fn head(&self, key: &Key) -> &Head {
        &self.segments[key].1
    }

    pub fn answer(&self, text: &str) -> Answer {
        let query = self.query(text);
        let ground = self.ground(&query);
        let runs = runs_to_open(&query, &ground).unwrap();
        let known: Vec<_> = runs.iter().map(|run| self.segment(run).clone()).collect();
        if !matches!(query.function(), Function::Totals { .. }) {
            let mut masks = MaskSource::new([13; 32]);
            return answer_order(provers(), &query, text, ground, &known, &mut masks).unwrap();
        }
        answer_totals(provers(), &query, text, ground, &known).unwrap()
    }

    /// The answer that shows a row of the run with this place among all.
    pub fn row_answer(&self, text: &str, run: usize, row: usize) -> Answer {
        let query = self.query(text);
        let (head, (segment, _)) = self.segments.iter().nth(run).unwrap();
        let ground = Ground { runs: vec![self.claim(self.position(head))], ..self.ground(&query) };
        let shown = ShownRow {
            position: (segment.first + row) as u16,
            value: segment.numbers[row],
            salt: salt(run, row),
            texts: texts(run, row),
            path: path(&leaves(run, segment.numbers.len()), row),
        };
        answer_row(provers(), &query, text, ground, segment, shown).unwrap()
    }

    pub fn verdict(&self, text: &str, answer: &Answer) -> Result<Outcome, AnswerError> {
        answer.verify(&self.query(text), &self.trusted(), Certificates::Ignored)
    }

    pub fn certified_verdict(&self, text: &str, answer: &Answer) -> Result<Outcome, AnswerError> {
        answer.verify(&self.query(text), &self.trusted(), Certificates::Required)
    }

    /// A certificate for each run.
    pub fn certificates(&self) -> Vec<StatedCertificate> {
        let about = About::of_column(self.dictionary, self.name, &self.schema, 0).unwrap();
        let mut source = MaskSource::new([11; 32]);
        let certified = self.segments.iter().map(|(key, (segment, head))| {
            let TableKey::Head { columns, run, .. } = TableKey::from_bytes(key, &self.schema).unwrap() else {
                panic!("a head")
            };
            let record = head.record.clone();
            let items = [SheetItem { columns, run, revision: head.revision, segment: 0, record }];
            let masks = CertificateMasks::draw(&mut source, about.bits);
            let sheet = provers().sheet(usize::from(head.record.log)).unwrap();
            let certificate = prove(sheet, &about, &items, core::slice::from_ref(segment), &masks).unwrap();
            StatedCertificate { statement: statement(&about, &items), certificate: certificate.to_bytes() }
        });
        certified.collect()
    }
}

fn leaves(run: usize, rows: usize) -> Vec<[u8; 32]> {
    (0..rows).map(|row| leaf_digest(&salt(run, row), &texts(run, row)).unwrap()).collect()
}

//! Writes of a small table with real certificates.

use aardvark_aggregates::{
    About, CertificateMasks, Head, KeyColumn, KeyKind, KnownLink, KnownSegment, MaskSource, ProverSetup, Record,
    Schema, Segment, SheetItem, TableKey, TableVerifier, ValueColumn, WholeRun, prove, prove_behind,
};
use aardvark_algebra::Scalar;
use aardvark_dictionary::{DictionaryId, Key, Operation, Transaction, Unopened, Value};

use aardvark_chain::tables::{first_false, judge};
use aardvark_chain::{Policy, SignerSignature, TableCertificate, TxCode};

pub const DICTIONARY: DictionaryId = DictionaryId([1; 32]);
pub const CREATOR: [u8; 32] = [1; 32];
pub const WRITER: [u8; 32] = [2; 32];
/// All segments lie on domains of sixteen positions.
const LOG: usize = 4;

/// A write, and the certificates that it brings.
pub type Write = (Vec<Operation>, Vec<TableCertificate>);

/// A segment as its keeper knows it.
#[derive(Clone)]
pub struct Known {
    pub segment: KnownSegment,
    pub record: Record,
}

/// Who makes writes.
pub struct Scene {
    setup: ProverSetup,
    pub verifier: TableVerifier,
    masks: MaskSource,
    pub schema: Schema,
}

/// A table of two columns, of two moments each; 0, 1 for append-only, 2 for deletable.
pub fn schema(flags: u8) -> Schema {
    let column =
        |name: &str| ValueColumn { name: name.to_owned(), lowest: 0, span: 200, bits: 8, moments: 2, scale: 0 };
    Schema {
        append_only: flags == 1,
        deletable: flags == 2,
        writers: vec![WRITER],
        keys: vec![KeyColumn { name: "time".to_owned(), kind: KeyKind::Unsigned, width: 1 }],
        values: vec![column("power"), column("other")],
        rows: vec![],
        watermark: vec![],
    }
}

pub fn schema_key() -> Key {
    Key::from(TableKey::Schema { table: "t".to_owned() }.to_bytes().as_slice())
}

pub fn head_key_of(column: u8, time: u8) -> Key {
    let key = TableKey::Head { table: "t".to_owned(), column, columns: vec![time], run: 0 };
    Key::from(key.to_bytes().as_slice())
}

pub fn head_key(time: u8) -> Key {
    head_key_of(0, time)
}

pub fn segment_key(time: u8, revision: u32, segment: u32) -> Key {
    let (table, columns) = ("t".to_owned(), vec![time]);
    Key::from(TableKey::Segment { table, column: 0, columns, run: 0, revision, segment }.to_bytes().as_slice())
}

pub fn value(bytes: &[u8]) -> Value {
    Value::from(bytes)
}

pub fn require(key: Key, content: Option<&[u8]>) -> Operation {
    Operation::Require(key, content.map(value))
}

pub fn put(key: Key, bytes: &[u8]) -> Operation {
    Operation::Put(key, value(bytes))
}

pub fn transaction(operations: &[Operation]) -> Transaction<Unopened> {
    let (first_valid, last_valid, nonce, claims) = (1, 1, [0; 16], Vec::new());
    Transaction { first_valid, last_valid, nonce, operations: operations.to_vec(), claims }
}

/// What the policy says of a write before signatures.
pub fn checked(signers: &[[u8; 32]], (operations, certificates): &Write) -> Result<(), TxCode> {
    let policy = Policy::Tables { creators: [CREATOR].into() };
    let signature = |key: &[u8; 32]| SignerSignature { public_key: *key, signature: [0; 64] };
    let signatures: Vec<_> = signers.iter().map(signature).collect();
    policy.check(&transaction(operations), &signatures, certificates)
}

impl Scene {
    pub fn new(flags: u8) -> Self {
        let setup = ProverSetup::ethereum(None).unwrap();
        let verifier = TableVerifier::ethereum().unwrap();
        Self { setup, verifier, masks: MaskSource::new([7; 32]), schema: schema(flags) }
    }

    /// The requirement that every write of runs begins with.
    pub fn pin(&self) -> Operation {
        require(schema_key(), Some(&self.schema.to_bytes()))
    }

    pub fn known(&mut self, first: usize, numbers: &[u64]) -> Known {
        let segment = KnownSegment::draw(&mut self.masks, first, numbers.to_vec(), 2);
        let record = segment.commit(self.setup.sheet(LOG).unwrap(), [4; 32]);
        Known { segment, record }
    }

    pub fn about(&self, column: u8) -> About {
        About::of_column(DICTIONARY, "t", &self.schema, column).unwrap()
    }

    /// A certificate of first segments of runs, by their times.
    pub fn certify(&mut self, column: u8, revision: u32, runs: &[(u8, &Known)]) -> TableCertificate {
        let item = |(time, known): &(u8, &Known)| SheetItem {
            columns: vec![*time],
            run: 0,
            revision,
            segment: 0,
            record: known.record.clone(),
        };
        let items: Vec<SheetItem> = runs.iter().map(item).collect();
        let segments: Vec<KnownSegment> = runs.iter().map(|(_, known)| known.segment.clone()).collect();
        let masks = CertificateMasks::draw(&mut self.masks, 8);
        let certificate =
            prove(self.setup.sheet(LOG).unwrap(), &self.about(column), &items, &segments, &masks).unwrap();
        TableCertificate { segments: runs.len() as u16, certificate: certificate.to_bytes() }
    }

    /// A certificate of a segment that continues the run of a time.
    pub fn certify_behind(&mut self, time: u8, number: u32, before: &Known, known: &Known) -> TableCertificate {
        let (columns, record) = (vec![time], known.record.clone());
        let item = SheetItem { columns, run: 0, revision: 0, segment: number, record };
        let sheet = self.setup.sheet(LOG).unwrap();
        let mask = [1, 2, 3].map(|i: u64| Scalar::from(i + 99));
        let link = KnownLink { record: &before.record, segment: &before.segment, setup: sheet, mask };
        let masks = CertificateMasks::draw(&mut self.masks, 8);
        let (about, segments) = (self.about(0), [known.segment.clone()]);
        let certificate = prove_behind(sheet, &about, Some(&link), &[item], &segments, &masks).unwrap();
        TableCertificate { segments: 1, certificate: certificate.to_bytes() }
    }

    /// The write that appends runs of one segment, under one certificate.
    pub fn append(&mut self, runs: &[(u8, &Known)]) -> Write {
        let mut operations = vec![self.pin()];
        for (time, known) in runs {
            operations.push(require(head_key(*time), None));
            operations.push(put(head_key(*time), &Head::single(0, known.record.clone()).to_bytes()));
        }
        (operations, vec![self.certify(0, 0, runs)])
    }

    /// The write that adds a segment to a run of the pieces so far.
    pub fn extend(&mut self, time: u8, pieces: &[Known], next: &Known) -> Write {
        let head = head_of(pieces);
        let after = head.with_segment(&next.record);
        let number = pieces.len() as u32;
        let mut operations = vec![self.pin(), require(head_key(time), Some(&head.to_bytes()))];
        if number > 1 {
            let pinned = piece_value(pieces, pieces.len() - 1);
            operations.push(require(segment_key(time, 0, number - 1), Some(&pinned)));
        }
        let segment = Segment { rank: head.rows(), record: next.record.clone() };
        operations.push(require(segment_key(time, 0, number), None));
        operations.push(put(segment_key(time, 0, number), &segment.to_bytes()));
        operations.push(put(head_key(time), &after.to_bytes()));
        let certificate = self.certify_behind(time, number, pieces.last().unwrap(), next);
        (operations, vec![certificate])
    }

    /// What the policy says of a write that writers signed, from its shape to its certificates.
    pub fn verdict(&self, write: &Write) -> Result<(), TxCode> {
        checked(&[WRITER], write)?;
        let sheets = judge(&DICTIONARY, &transaction(&write.0), &write.1)?;
        match first_false(&self.verifier, &[&sheets]) {
            None => Ok(()),
            Some(_) => Err(TxCode::CertificateFalse),
        }
    }
}

/// The head of a run of these pieces.
pub fn head_of(pieces: &[Known]) -> Head {
    let first = Head::single(0, pieces[0].record.clone());
    pieces[1..].iter().fold(first, |head, piece| head.with_segment(&piece.record))
}

/// What stands under the key of a piece that is not the first.
pub fn piece_value(pieces: &[Known], number: usize) -> Vec<u8> {
    let rank = head_of(&pieces[..number]).rows();
    Segment { rank, record: pieces[number].record.clone() }.to_bytes()
}

/// The parts of a head of several segments.
pub fn whole(head: &mut Head) -> &mut WholeRun {
    head.whole.as_mut().unwrap()
}

//! Answers: verifying proofs of one key, of many, and of ranges, from text and from bytes; and
//! proving ranges.
//!
//! The archive has random keys that one import brought, so neighbours stand side by side: a range
//! is of a few vectors, and keys are of many. Three kinds of proofs: `kzg`, one opening for all
//! claims, for who knows the commitments; `kzg root`, the same for who knows the state root alone;
//! `kzg plain`, an opening for each claim, for who knows the commitments.
//!
//! - `verify_one`: one key, from JSON, by a verifier that keeps the lines of indices; compared with
//!   `pairing_check`, one check of two prepared pairs.
//! - `verify_keys`, `verify_range`: from bytes. `prove_range`: by an archive that was asked before.
//! - `opening_bytes`: of a range's proof, compared with those of the plain one; `proof_bytes`: all.
//!
//! Checked: every answer is the one of an ordinary map with the same keys.

use std::collections::BTreeMap;
use std::sync::Arc;

use aardvark_algebra::group::Curve;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{G1Affine, G2Affine, PreparedLines, Scalar as Field, shared_product_is_one};
use aardvark_archive::{AnswerForm, Archive};
use aardvark_commitment::kzg::DEFAULT_TABLE_BYTES;
use aardvark_commitment::{Ceremony, Commitment, Kzg, Scheme, VectorCommitment};
use aardvark_dictionary::root::RootParts;
use aardvark_dictionary::{Change, DictionaryId, Genesis, Key, Parameters, Value};
use aardvark_proof::{
    Answer, AnswerProof, Entry, KeyAnswer, KnownCommitments, Question, RangeAnswer, Refusal, Trusted, answer_bytes,
    answer_json, verify,
};
use clap::Args;

use crate::error::{BenchError, require};
use crate::measure::contest::{Contender, Effort, hold};
use crate::measure::row::Row;
use crate::report::Report;
use crate::workload::history::identity;
use crate::workload::random::{Random, key};

/// The table's name in rows.
const TABLE: &str = "answers";
/// Proofs with one opening, under commitments; with one opening, under the root alone; plain.
const KINDS: [&str; 3] = ["kzg", "kzg root", "kzg plain"];

/// Points that pairings are checked of, in turn.
const POINTS: u64 = 64;

/// Options of `answers`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// Keys of the archive.
    #[arg(long, default_value_t = 1_000_000)]
    pub keys: u64,
    /// Keys that are asked for at once, and entries of ranges.
    #[arg(long, value_delimiter = ',', default_value = "1,1000")]
    pub sizes: Vec<u64>,
    /// N.
    #[arg(long, default_value_t = 1024)]
    pub vector_size: u32,
    /// Most bytes of tables.
    #[arg(long, default_value_t = DEFAULT_TABLE_BYTES)]
    pub tables: usize,
    /// Times that one key is verified; of larger proofs a fortieth as often.
    #[arg(long, default_value_t = 1400)]
    pub repetitions: usize,
}

/// Runs the table.
pub fn run(options: &Options, report: &mut Report) -> Result<(), BenchError> {
    let legal = options.sizes.iter().all(|size| (1..options.keys / 2).contains(size));
    require(legal, || "--sizes must be from 1 to less than half of --keys".to_owned())?;
    eprintln!("importing {} keys", options.keys);
    let parent = tempfile::tempdir().map_err(|source| BenchError::io("a temporary directory", source))?;
    let world = World::new(&parent.path().join("archive"), options)?;
    one(&world, options, report)?;
    for size in &options.sizes {
        eprintln!("{size} at a time");
        many(&world, *size, options, report)?;
    }
    report.note("times are of the process: look at the CPU time; proofs with many claims are verified on all threads.");
    report.note("prove_range and verify_range: neighbours of one import stand in one vector or two; the keys of verify_keys stand in as many vectors as there are.");
    Ok(())
}

/// An archive, and what a reader knows of it.
struct World {
    archive: Archive,
    map: BTreeMap<Key, Value>,
    dictionary: DictionaryId,
    version: u64,
    parts: RootParts,
    commitments: Vec<Commitment>,
    /// The reader's.
    verifier: Scheme,
}

impl World {
    fn new(path: &std::path::Path, options: &Options) -> Result<Self, BenchError> {
        let size = options.vector_size as usize;
        let scheme = Kzg::new(Ceremony::ethereum()?, size)?.with_tables(options.tables)?;
        let scheme = Arc::new(Scheme::from(scheme));
        let parameters = Parameters { vector_size: options.vector_size, ..Parameters::default() };
        let genesis = Genesis::new(identity()?, parameters, scheme.setup_digest(), Vec::new())?;
        let mut archive = Archive::builder().scheme(scheme).create(path, &genesis)?;
        let mut random = Random::new(5);
        let map: BTreeMap<Key, Value> = (0..options.keys).map(|number| (key(number), random.value())).collect();
        let change = |(key, value): (&Key, &Value)| Change { key: key.clone(), value: Some(value.clone()) };
        let version = archive.import(map.iter().map(change).collect())?;
        Ok(Self {
            dictionary: *archive.id(),
            version,
            parts: archive.validator()?.root_parts(),
            commitments: archive.commitments(version)?,
            verifier: Scheme::from(Kzg::verifier(size)?.with_index_lines()),
            archive,
            map,
        })
    }

    /// What the reader of a kind of proofs believes.
    fn trusted(&self, kind: &str) -> Trusted<'_> {
        match kind {
            "kzg root" => Trusted::root_alone(self.parts.root(), &self.verifier),
            _ => Trusted::Commitments(KnownCommitments {
                dictionary: self.dictionary,
                scheme: &self.verifier,
                version: self.version,
                size: self.parts.size,
                commitments: &self.commitments,
            }),
        }
    }

    fn prove(&self, kind: &str, question: &Question) -> Result<AnswerProof, BenchError> {
        let root = (kind == "kzg root").then(|| self.parts.clone());
        let form = AnswerForm { together: kind != "kzg plain", root };
        Ok(self.archive.prove_answer_as(question, self.version, &form)?)
    }

    /// Random keys that are there, and the answer.
    fn keys(&self, count: u64, options: &Options) -> (Question, Answer) {
        let mut random = Random::new(count);
        let mut asked = BTreeMap::new();
        while (asked.len() as u64) < count {
            let key = key(random.below(options.keys));
            asked.insert(key.clone(), self.map.get(&key).cloned());
        }
        let answers = asked.iter().map(|(key, value)| KeyAnswer { key: key.clone(), value: value.clone() });
        (Question::keys(asked.keys().cloned()), Answer::Keys(answers.collect()))
    }

    /// As many entries from somewhere on, and the answer.
    fn range(&self, count: u64) -> (Question, Answer) {
        let from = Key::from([0x42].as_slice());
        let mut above = self.map.range(from.clone()..);
        let entry = |(key, value): (&Key, &Value)| Entry { key: key.clone(), value: value.clone() };
        let entries: Vec<Entry> = above.by_ref().take(count as usize).map(entry).collect();
        let resume = above.next().map(|(key, _)| key.clone());
        (Question::range(from, "", Some(count)), Answer::Range(RangeAnswer { entries, resume }))
    }
}

/// One key from JSON, beside a pairing check.
fn one(world: &World, options: &Options, report: &mut Report) -> Result<(), BenchError> {
    let (question, answer) = world.keys(1, options);
    let text = answer_json::write(&world.prove("kzg plain", &question)?).map_err(in_words)?;
    let trusted = world.trusted("kzg plain");
    let verify_one = Contender::new(
        ("kzg", "verify_one"),
        1,
        |_| Ok(verify(&trusted, &question, &answer_json::read(text.as_bytes()).map_err(in_words)?)),
        |_, found: &Result<Answer, Refusal>| found.as_ref() == Ok(&answer),
    );
    let lines = PreparedLines::new(&G2Affine::generator());
    let points: Vec<G1Affine> =
        (2..2 + POINTS).map(|number| (G1Affine::generator() * Field::from(number)).to_affine()).collect();
    let pairing_check = Contender::new(
        ("kzg", "pairing_check"),
        1,
        |number| {
            let point = points.get(number % points.len()).copied().unwrap_or_default();
            Ok(shared_product_is_one(&[(point, &lines), (-point, &lines)]))
        },
        |_, found| *found,
    );
    let effort = Effort::iterations(options.repetitions);
    let rows = hold(TABLE, vec![verify_one, pairing_check], Some(("kzg", "pairing_check")), &effort)?;
    rows.into_iter().try_for_each(|row| report.add(row))
}

/// Many keys and ranges, from bytes; and ranges proved.
fn many(world: &World, size: u64, options: &Options, report: &mut Report) -> Result<(), BenchError> {
    let effort = Effort::iterations(options.repetitions.div_ceil(40));
    for (operation, (question, answer)) in
        [("verify_keys", world.keys(size, options)), ("verify_range", world.range(size))]
    {
        let mut contenders = Vec::new();
        for kind in KINDS {
            let proof = world.prove(kind, &question)?;
            let bytes = answer_bytes::encode(&proof).map_err(in_words)?;
            let bytes_row = Row::counted(TABLE, kind, "proof_bytes", "bytes", bytes.len() as f64).size(size);
            report.add(Row { baseline: Some(operation.to_owned()), ..bytes_row })?;
            if kind == "kzg" && operation == "verify_range" {
                let plain = 48.0 * proof.claims.len() as f64;
                let together = proof.folded_opening.map_or(plain, |opening| opening.len() as f64);
                let row = Row::counted(TABLE, kind, "opening_bytes", "bytes", together).size(size);
                report.add(row.compared("kzg plain opening_bytes", together / plain))?;
            }
            let (trusted, question, answer) = (world.trusted(kind), &question, &answer);
            contenders.push(Contender::new(
                (kind, operation),
                size,
                move |_| Ok(verify(&trusted, question, &answer_bytes::decode(&bytes)?)),
                move |_, found: &Result<Answer, Refusal>| found.as_ref() == Ok(answer),
            ));
        }
        hold(TABLE, contenders, None, &effort)?.into_iter().try_for_each(|row| report.add(row))?;
    }
    let (question, answer) = &world.range(size);
    let contender = |kind: &'static str| {
        let call = move |_| world.prove(kind, question);
        let judge = move |_, proof: &AnswerProof| verify(&world.trusted(kind), question, proof).as_ref() == Ok(answer);
        Contender::new((kind, "prove_range"), size, call, judge)
    };
    let rows = hold(TABLE, KINDS.map(contender).into(), None, &effort)?;
    rows.into_iter().try_for_each(|row| report.add(row))
}

fn in_words(error: impl std::fmt::Display) -> BenchError {
    BenchError::Wrong(error.to_string())
}

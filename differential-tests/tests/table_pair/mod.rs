//! A table whose trapdoor is known, on both sides: the specification makes the opening of an answer
//! and judges it beside the implementation.
#![allow(dead_code, reason = "each test uses some of it")]

mod meaning;
mod queries;
mod verdicts;

use std::cell::Cell;
use std::collections::HashMap;

use aardvark_aggregates::{Answer, Cut, CutEnd, Head, Query, Record, Schema, Segment, ShownRow, TableKey};
use aardvark_algebra::group::Curve;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{G1Affine, encode_g1, scalar_from_bytes, scalar_to_bytes};
use aardvark_dictionary::{Claim, Slot};
use aardvark_oracle::{Safety, SetupSource, TableRequest};
use aardvark_spec::answer::answer_proof as spec_proof;
use aardvark_spec::answer::question::{Question, Region};
use aardvark_spec::base::bytes::ByteString;
use aardvark_spec::base::group::{G1, g1_add, g1_multiple, known_exponent};
use aardvark_spec::block::transaction::Claim as SpecClaim;
use aardvark_spec::commitment::folded_opening::{fold_gammas, fold_point};
use aardvark_spec::commitment::kzg::{kzg_commit, kzg_open, kzg_setup};
use aardvark_spec::commitment::opening::Opening;
use aardvark_spec::commitment::scheme::Setup;
use aardvark_spec::convert::{
    byte_string, scalar_from_bytes as spec_scalar, scalar_to_bytes as spec_scalar_bytes, slot_from, to_seq,
};
use aardvark_spec::policy::certified_answer::{StatedSheet, verify_certified_answer};
use aardvark_spec::policy::tables::CertificateMeaning;
use aardvark_spec::table::cut::{CutEnd as SpecEnd, TableCut};
use aardvark_spec::table::known_points::fold_known_claims;
use aardvark_spec::table::known_segment::{KnownSegment, sums_at, values_at};
use aardvark_spec::table::long_runs::whole_runs;
use aardvark_spec::table::run_record::{RunRecord, TablePoint};
use aardvark_spec::table::run_segments::{LongHead, RunPiece};
use aardvark_spec::table::schema_decoder::decode_schema;
use aardvark_spec::table::table_answer as spec;
use aardvark_spec::table::table_answer_claims::claims_of_answer;
use aardvark_spec::table::table_answer_verifier::{
    groups_of_query, runs_of_answer, table_answer_seed, verify_table_answer,
};
use aardvark_spec::table::table_schema::TableSchema;
use differential_tests::oracle::tables::table as ask_oracle;
use hacspec_lib::Seq;
use num_bigint::BigUint;

pub use self::queries::spec_query;
pub use self::verdicts::SaidOfCertificates;
use self::verdicts::{compare, compare_certified};
use crate::setups::{VECTOR_SIZE, tau};
use crate::table::{Table, runs, schema};

fn encoded(element: G1) -> [u8; 48] {
    let exponent = scalar_from_bytes(&spec_scalar_bytes(known_exponent(element))).unwrap();
    encode_g1(&(G1Affine::generator() * exponent).to_affine())
}

fn spec_tau() -> aardvark_spec::base::scalar::Scalar {
    spec_scalar(&scalar_to_bytes(&tau()))
}

/// What the specification's setup is made from.
fn source() -> SetupSource {
    SetupSource { scheme: 1, trapdoor: spec_tau(), vector_size: VECTOR_SIZE }
}

fn spec_schema(schema: &Schema) -> TableSchema {
    decode_schema(&byte_string(&schema.to_bytes())).unwrap()
}

/// A slot as the specification has it.
pub fn spec_slot(slot: &Slot) -> aardvark_spec::dictionary::slot::Slot {
    slot_from(&slot.key, &slot.value, &slot.next)
}

/// A table, its dictionary and trapdoor on the specification's side.
pub struct Pair {
    /// The implementation's table.
    pub table: Table,
    /// The exponents of all points that the implementation encodes.
    points: HashMap<[u8; 48], G1>,
    /// How often the oracle was asked.
    asked: Cell<u32>,
}

impl Pair {
    /// The scene's table, with every point that the specification may meet.
    pub fn new() -> Self {
        Self::of(Table::new(schema(), &runs()))
    }

    /// A table, with every point that the specification may meet.
    pub fn of(table: Table) -> Self {
        let mut pair = Self { table, points: HashMap::new(), asked: Cell::new(0) };
        let kzg = kzg_setup(VECTOR_SIZE, spec_tau());
        for vector in pair.vectors() {
            pair.know(kzg_commit(&kzg, &vector));
            for i in 0..vector.len() {
                pair.know(kzg_open(&kzg, &vector, i));
            }
        }
        let moments = 2;
        let first = pair.table.known().into_iter().map(|(segment, head)| (segment, head.record));
        let further: Vec<_> = pair.table.further().cloned().collect();
        for (segment, record) in first.chain(further).collect::<Vec<_>>() {
            let n = 1 << record.log;
            let known = KnownSegment {
                known_first: segment.first,
                known_numbers: to_seq(segment.numbers.iter().map(|number| u128::from(*number)).collect()),
                known_values_masks: to_seq(
                    segment.values_masks.iter().map(|mask| spec_scalar(&scalar_to_bytes(mask))).collect(),
                ),
                known_sums_masks: to_seq(
                    segment.sums_masks.as_flattened().iter().map(|mask| spec_scalar(&scalar_to_bytes(mask))).collect(),
                ),
            };
            pair.know(g1_multiple(values_at(n, &known, spec_tau())));
            (1..=moments).for_each(|p| pair.know(g1_multiple(sums_at(n, &known, p, spec_tau()))));
        }
        pair.know_totals();
        pair
    }

    /// Lets the totals of runs of several segments be known.
    fn know_totals(&mut self) {
        for head in self.table.heads() {
            let head = self.table.head(&head).clone();
            let Some(whole) = &head.whole else { continue };
            for (p, total) in whole.totals.iter().enumerate() {
                let records = self.table.records_of(&head);
                let sums = records.iter().map(|record| self.points[&record.sums[p].to_bytes()]);
                let sum = sums.reduce(g1_add).unwrap();
                assert_eq!(encoded(sum), total.to_bytes());
                self.know(sum);
            }
        }
    }

    fn know(&mut self, element: G1) {
        self.points.insert(encoded(element), element);
    }

    /// The scalars of the dictionary's vectors.
    fn vectors(&self) -> Vec<Seq<aardvark_spec::base::scalar::Scalar>> {
        let scalars: Vec<_> =
            self.table.slots.iter().map(|slot| spec_scalar(&scalar_to_bytes(&slot.scalar()))).collect();
        scalars.chunks(VECTOR_SIZE).map(|vector| to_seq(vector.to_vec())).collect()
    }

    /// A point as it was received; bytes of none that is known stand for malformed ones.
    fn received(&self, bytes: &[u8; 48]) -> Opening {
        self.points.get(bytes).map_or(Opening::Malformed, |point| Opening::Point(*point))
    }

    fn held(&self, bytes: [u8; 48]) -> TablePoint {
        TablePoint { held_element: self.points[&bytes], held_bytes: byte_string(&bytes) }
    }

    fn record(&self, record: &Record) -> RunRecord {
        RunRecord {
            record_log: usize::from(record.log),
            record_first: usize::from(record.first),
            record_rows: usize::from(record.rows),
            record_values: self.held(record.values.to_bytes()),
            record_root: byte_string(&record.root),
            record_sums: to_seq(record.sums.iter().map(|sum| self.held(sum.to_bytes())).collect()),
        }
    }

    /// The head of a run; another one where a value is no head.
    fn head(&self, claim: &Claim) -> LongHead {
        let Ok(head) = Head::from_bytes(&claim.slot.value, 2) else { return LongHead::default() };
        let totals = head.whole.iter().flat_map(|whole| &whole.totals);
        LongHead {
            long_revision: head.revision as usize,
            long_segments: head.segments() as usize,
            long_rows: head.rows() as usize,
            long_record: self.record(&head.record),
            long_totals: to_seq(totals.map(|total| self.held(total.to_bytes())).collect()),
        }
    }

    /// A segment that is shown; another one where a key or value is no segment's.
    fn piece(&self, schema: &Schema, claim: &Claim) -> RunPiece {
        match (TableKey::from_bytes(&claim.slot.key, schema), Segment::from_bytes(&claim.slot.value, 2)) {
            (Ok(TableKey::Segment { segment, .. }), Ok(Segment { rank, record })) => RunPiece {
                piece_number: segment as usize,
                piece_rank: rank as usize,
                piece_record: self.record(&record),
            },
            _ => RunPiece::default(),
        }
    }

    fn claim(&self, claim: &Claim) -> SpecClaim {
        SpecClaim {
            claim_position: claim.position as usize,
            claim_slot: spec_slot(&claim.slot),
            claim_opening: self.received(&claim.opening),
        }
    }

    /// The oracle must say the same; of every tenth answer also that nothing panics.
    fn ask(&self, asked: &TableRequest<'_>) {
        let number = self.asked.replace(self.asked.get() + 1);
        let safety = if number.is_multiple_of(10) { Safety::Ask } else { Safety::Skip };
        ask_oracle(safety, asked).unwrap();
    }

    fn trusted(&self) -> spec_proof::Trusted {
        let kzg = kzg_setup(VECTOR_SIZE, spec_tau());
        let commitments = self.vectors().iter().map(|vector| kzg_commit(&kzg, vector)).collect();
        spec_proof::Trusted::TrustedCommitments(spec_proof::KnownCommitments {
            known_dictionary: byte_string(&self.table.dictionary.0),
            known_vector_size: VECTOR_SIZE,
            known_version: self.table.version as usize,
            known_size: self.table.slots.len(),
            known_commitments: to_seq(commitments),
        })
    }

    fn answer(&self, query: &Query, answer: &Answer) -> spec::TableAnswer {
        let row = |row: &ShownRow| spec::ShownRow {
            row_position: usize::from(row.position),
            row_value: u128::from(row.value),
            row_salt: byte_string(&row.salt),
            row_texts: to_seq(row.texts.iter().map(|text| byte_string(text.as_bytes())).collect()),
            row_path: to_seq(row.path.iter().map(|digest| byte_string(digest)).collect()),
        };
        let end = |end: CutEnd| SpecEnd { end_run: end.run as usize, end_value: u128::from(end.value) };
        let cut = |cut: &Cut| TableCut {
            cut_splits: to_seq(cut.splits.iter().map(|split| *split as usize).collect()),
            cut_low: cut.low.map(end),
            cut_high: cut.high.map(end),
        };
        let fold = |bytes: [u8; 96]| {
            let (quotient, witness) = bytes.split_at(48);
            spec::ReceivedFold {
                fold_quotient_bytes: byte_string(quotient),
                fold_quotient_point: self.received(quotient.try_into().unwrap()),
                fold_witness_point: self.received(witness.try_into().unwrap()),
            }
        };
        // The heads are of the runs that lie in the box.
        let key_box = query.key_box();
        let heads = answer.runs.iter().filter(|claim| key_box.holds(&claim.slot.key)).map(|claim| self.head(claim));
        let shown = answer.segments.iter().map(|claim| self.piece(query.schema(), claim));
        let claims = [&answer.schema].into_iter().chain(&answer.runs).chain(&answer.segments);
        let asked = Region::RegionKeys(to_seq(vec![byte_string(&answer.schema.slot.key)]));
        let total =
            |total: &BigUint| byte_string(&[vec![0; 32], total.to_bytes_be()].concat()[total.to_bytes_be().len()..]);
        let group = |group: &Vec<BigUint>| to_seq(group.iter().map(total).collect());
        spec::TableAnswer {
            answer_proof: spec_proof::AnswerProof {
                proof_dictionary: byte_string(&answer.dictionary.0),
                proof_vector_size: VECTOR_SIZE,
                proof_version: answer.version as usize,
                proof_question: Question::AskRegion(asked),
                proof_claims: to_seq(claims.map(|claim| self.claim(claim)).collect()),
                proof_tie: None,
            },
            answer_heads: to_seq(heads.collect()),
            answer_shown: to_seq(shown.collect()),
            answer_totals: to_seq(answer.totals.iter().map(group).collect::<Vec<Seq<ByteString>>>()),
            answer_cut: answer.cut.as_ref().map(cut),
            answer_comparisons: to_seq(answer.comparisons.iter().map(|_| None).collect()),
            answer_row: answer.row.as_ref().map(row),
            answer_opening: answer.opening.map(fold),
        }
    }

    /// Makes the opening of an honest answer in the exponent, which must be the implementation's.
    pub fn open(&mut self, query: &Query, answer: &Answer) {
        let Some(bytes) = answer.opening else { return };
        let (own, schema) = (spec_query(query), spec_schema(query.schema()));
        let shown = self.answer(query, answer);
        let runs = runs_of_answer(&own, &schema, 2, &shown).unwrap();
        let groups = groups_of_query(&own, &schema, &whole_runs(&runs));
        let seed = table_answer_seed(&byte_string(&answer.dictionary.0), &shown, &own, &schema, &runs);
        let claimed = claims_of_answer(&own, &schema, 250, &runs, &groups, &shown, &seed).unwrap();
        let seed = spec::table_fold_seed(&seed, &claimed.claims_seeds);
        let claimed = claimed.claims_stated;
        let z = fold_point(&seed, &byte_string(&bytes[..48]));
        let opening = fold_known_claims(spec_tau(), &claimed, &fold_gammas(&seed, claimed.len()), z);
        assert_eq!(encoded(opening.folded_quotient), bytes[..48]);
        assert_eq!(encoded(opening.folded_witness), bytes[48..]);
        self.know(opening.folded_quotient);
        self.know(opening.folded_witness);
    }

    /// What both say of an answer and the certificates that come with it: of the statements'
    /// segments, and of the certificates, as the specification has them. They must agree.
    pub fn judge_certified(
        &self,
        query: &Query,
        text: &str,
        answer: &Answer,
        sheets: Vec<StatedSheet>,
        meanings: Vec<CertificateMeaning>,
    ) -> SaidOfCertificates {
        let verdict = self.table.certified_verdict(text, answer);
        let (own, schema) = (spec_query(query), spec_schema(query.schema()));
        let (trusted, shown) = (self.trusted(), self.answer(query, answer));
        let (setup, sheets, meanings) = (kzg_setup(VECTOR_SIZE, spec_tau()), to_seq(sheets), to_seq(meanings));
        let specified = verify_certified_answer(&setup, &trusted, &own, &schema, &shown, &sheets, &meanings);
        compare_certified(&verdict.map(drop), &specified.map(drop))
    }

    /// Both verdicts on an answer, which must agree.
    pub fn judge(&self, query: &Query, text: &str, answer: &Answer) -> bool {
        let verdict = self.table.verdict(text, answer);
        let setup = Setup::Kzg(kzg_setup(VECTOR_SIZE, spec_tau()));
        let (own, schema) = (spec_query(query), spec_schema(query.schema()));
        let (trusted, shown) = (self.trusted(), self.answer(query, answer));
        let specified = verify_table_answer(&setup, &trusted, &own, &schema, &shown);
        let (source, bytes) = (source(), byte_string(&query.schema().to_bytes()));
        self.ask(&TableRequest::Answer {
            setup: (&source, &setup),
            trusted: &trusted,
            query: &own,
            schema: &bytes,
            answer: &shown,
        });
        if let Ok(found) = &specified {
            meaning::check_outcome(&self.table, &own, &schema, found);
        }
        let specified = specified.map(|found| found.outcome_runs.len());
        compare(&verdict.map(|outcome| outcome.runs), &specified)
    }
}

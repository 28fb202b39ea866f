//! Queries and answers of tables: with a known trapdoor the specification makes the very opening
//! that the implementation makes, and both judge honest and changed answers alike; boxes and scans
//! of both are the same.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

#[path = "known_tau/mod.rs"]
mod setups;
#[path = "../../impl/aggregates/tests/scene/table.rs"]
#[allow(dead_code, reason = "each test uses some of it")]
mod table;

use std::collections::HashMap;

use aardvark_aggregates::{Answer, Cut, CutEnd, Head, Query, Schema, ShownRow, TableReason};
use aardvark_algebra::group::Curve;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{G1Affine, encode_g1, scalar_from_bytes, scalar_to_bytes};
use aardvark_dictionary::{Claim, Slot};
use aardvark_proof::scan::ChainFault;
use aardvark_spec::answer::answer_proof as spec_proof;
use aardvark_spec::answer::question::{Question, Region};
use aardvark_spec::answer::scan::ChainFault as SpecFault;
use aardvark_spec::base::bytes::ByteString;
use aardvark_spec::base::group::{G1, g1_multiple, known_exponent};
use aardvark_spec::block::transaction::Claim as SpecClaim;
use aardvark_spec::commitment::folded_opening::{fold_gammas, fold_point};
use aardvark_spec::commitment::kzg::{kzg_commit, kzg_open, kzg_setup};
use aardvark_spec::commitment::opening::Opening;
use aardvark_spec::commitment::scheme::Setup;
use aardvark_spec::convert::{
    byte_string, byte_vec, key_map_pairs, scalar_from_bytes as spec_scalar, scalar_to_bytes as spec_scalar_bytes,
    slot_from, to_seq,
};
use aardvark_spec::table::cut::{CutEnd as SpecEnd, TableCut};
use aardvark_spec::table::key_box::{BoxColumn, KeyInterval, box_next};
use aardvark_spec::table::known_points::fold_known_claims;
use aardvark_spec::table::known_segment::{KnownSegment, sums_at, values_at};
use aardvark_spec::table::run_record::{RunHead, RunRecord, TablePoint};
use aardvark_spec::table::schema_decoder::decode_schema;
use aardvark_spec::table::table_answer as spec;
use aardvark_spec::table::table_answer_claims::claims_of_answer;
use aardvark_spec::table::table_answer_verifier::{groups_of_query, runs_of_answer, verify_table_answer};
use aardvark_spec::table::table_query::{TableQuery, encode_table_query};
use aardvark_spec::table::table_scan::table_scan;
use aardvark_spec::table::table_schema::TableSchema;
use hacspec_lib::Seq;
use num_bigint::BigUint;
use setups::{VECTOR_SIZE, tau};
use table::{Table, runs, schema};

fn encoded(element: G1) -> [u8; 48] {
    let exponent = scalar_from_bytes(&spec_scalar_bytes(known_exponent(element))).unwrap();
    encode_g1(&(G1Affine::generator() * exponent).to_affine())
}

fn spec_tau() -> aardvark_spec::base::scalar::Scalar {
    spec_scalar(&scalar_to_bytes(&tau()))
}

fn spec_schema(schema: &Schema) -> TableSchema {
    decode_schema(&byte_string(&schema.to_bytes())).unwrap()
}

fn spec_query(query: &Query) -> TableQuery {
    let (function, a, b) = query.function().parts();
    let column = |column: &aardvark_aggregates::key_box::ColumnBox| BoxColumn {
        box_column_width: column.width(),
        box_column_intervals: to_seq(
            column
                .intervals()
                .iter()
                .map(|interval| KeyInterval {
                    interval_low: byte_string(&interval.low),
                    interval_high: byte_string(&interval.high),
                })
                .collect(),
        ),
    };
    TableQuery {
        query_table: byte_string(query.table().as_bytes()),
        query_column: usize::from(query.column()),
        query_function: usize::from(function),
        query_a: u128::from(a),
        query_b: u128::from(b),
        query_groups: to_seq(query.groups().iter().map(|group| usize::from(*group)).collect()),
        query_columns: to_seq(query.columns().iter().map(column).collect()),
    }
}

fn spec_slot(slot: &Slot) -> aardvark_spec::dictionary::slot::Slot {
    slot_from(&slot.key, &slot.value, &slot.next)
}

/// A table, its dictionary and trapdoor on the specification's side.
struct Pair {
    table: Table,
    /// The exponents of all points that the implementation encodes.
    points: HashMap<[u8; 48], G1>,
}

impl Pair {
    fn new() -> Self {
        let mut pair = Self { table: Table::new(schema(), &runs()), points: HashMap::new() };
        let kzg = kzg_setup(VECTOR_SIZE, spec_tau());
        for vector in pair.vectors() {
            pair.know(kzg_commit(&kzg, &vector));
            for i in 0..vector.len() {
                pair.know(kzg_open(&kzg, &vector, i));
            }
        }
        let moments = 2;
        for (segment, head) in pair.table.known() {
            let n = 1 << head.record.log;
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
        pair
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

    fn head(&self, head: &Head) -> RunHead {
        let record = &head.record;
        RunHead {
            head_revision: head.revision as usize,
            head_record: RunRecord {
                record_log: usize::from(record.log),
                record_first: usize::from(record.first),
                record_rows: usize::from(record.rows),
                record_values: self.held(record.values.to_bytes()),
                record_root: byte_string(&record.root),
                record_sums: to_seq(record.sums.iter().map(|sum| self.held(sum.to_bytes())).collect()),
            },
        }
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
        let claim = |claim: &Claim| SpecClaim {
            claim_position: claim.position as usize,
            claim_slot: spec_slot(&claim.slot),
            claim_opening: self.received(&claim.opening),
        };
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
        // The heads of the runs that lie in the box; none where a value is no head.
        let key_box = query.key_box();
        let heads = answer.runs.iter().filter(|claim| key_box.holds(&claim.slot.key));
        let heads = heads.map(|claim| {
            Head::from_bytes(&claim.slot.value, 2).map_or_else(|_| RunHead::default(), |head| self.head(&head))
        });
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
                proof_claims: to_seq([&answer.schema].into_iter().chain(&answer.runs).map(claim).collect()),
                proof_tie: None,
            },
            answer_heads: to_seq(heads.collect()),
            answer_totals: to_seq(answer.totals.iter().map(group).collect::<Vec<Seq<ByteString>>>()),
            answer_cut: answer.cut.as_ref().map(cut),
            answer_comparisons: to_seq(answer.comparisons.iter().map(|_| None).collect()),
            answer_row: answer.row.as_ref().map(row),
            answer_opening: answer.opening.map(fold),
        }
    }

    /// Makes the opening of an honest answer in the exponent, which must be the implementation's.
    fn open(&mut self, query: &Query, answer: &Answer) {
        let Some(bytes) = answer.opening else { return };
        let (own, schema) = (spec_query(query), spec_schema(query.schema()));
        let shown = self.answer(query, answer);
        let runs = runs_of_answer(&own, &schema, 2, &shown).unwrap();
        let groups = groups_of_query(&own, &schema, &runs);
        let seed = spec::table_answer_seed(&byte_string(&answer.dictionary.0), &shown, &own, &schema, &runs);
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

    /// Both verdicts on an answer, which must agree.
    fn judge(&self, query: &Query, text: &str, answer: &Answer) -> bool {
        let verdict = self.table.verdict(text, answer);
        let setup = Setup::Kzg(kzg_setup(VECTOR_SIZE, spec_tau()));
        let (own, schema) = (spec_query(query), spec_schema(query.schema()));
        let specified = verify_table_answer(&setup, &self.trusted(), &own, &schema, &self.answer(query, answer));
        match (&verdict, &specified) {
            (Ok(outcome), Ok(found)) => assert_eq!(outcome.runs, found.outcome_runs.len()),
            (Err(error), Err(refusal)) => {
                let reason = match error.reason {
                    TableReason::Dictionary(refusal) => format!("DictionaryRefused({:?})", refusal.reason),
                    TableReason::OpeningMalformed => "FoldMalformed".to_owned(),
                    TableReason::OpeningFalse => "FoldFalse".to_owned(),
                    reason => format!("{reason:?}"),
                };
                assert_eq!(reason, format!("{:?}", refusal.table_reason), "{error}");
            }
            _ => panic!("{verdict:?} and {specified:?}"),
        }
        verdict.is_ok()
    }
}

const TOTALS: [&str; 6] = [
    "count(power)",
    "sum(power) where time between 1 and 2",
    "variance(power) where time >= 2 group by district",
    "mean(power) where time in (1, 300) and kind < 'b' group by kind, time",
    "sum(power) where time = 3",
    "stddev(power) where district > 5",
];

#[test]
fn queries_have_the_same_bytes_and_boxes_and_scans_the_same_keys() {
    let pair = Pair::new();
    for text in TOTALS.iter().chain(&["rank(power, 3) where district in (-128, 0, 127)", "top(power, 3/6)"]) {
        let query = pair.table.query(text);
        let own = spec_query(&query);
        assert_eq!(byte_vec(&encode_table_query(&own)), query.to_bytes());
        let (key_box, specified) = (query.key_box(), spec::box_of_query(&own));
        let slots = &pair.table.slots;
        for slot in slots {
            let longer = [&*slot.key, &[0]].concat();
            for asked in [
                &*slot.key,
                &longer,
                slot.key.get(1..).unwrap_or_default(),
                slot.key.split_last().map_or(&[][..], |x| x.1),
            ] {
                let next = box_next(&specified, &byte_string(asked)).map(|key| byte_vec(&key));
                assert_eq!(next, key_box.next(asked), "{asked:?}");
            }
        }
        let claims = pair.table.ground(&query).runs;
        for (from, to) in [(0, claims.len()), (1, claims.len()), (0, claims.len().saturating_sub(1)), (0, 0)] {
            let chain: Vec<&Slot> = claims.get(from..to).unwrap_or_default().iter().map(|claim| &claim.slot).collect();
            let found = aardvark_aggregates::scan::runs_in_box(&key_box, chain.iter().copied());
            let specified = table_scan(&specified, &to_seq(chain.iter().map(|slot| spec_slot(slot)).collect()));
            match (found, specified) {
                (Ok(places), Ok(entries)) => {
                    let keys: Vec<Vec<u8>> = places.iter().map(|place| chain[*place].key.to_vec()).collect();
                    let entries = key_map_pairs(&entries).into_iter().map(|(key, _)| key);
                    assert_eq!(keys, entries.collect::<Vec<_>>());
                }
                (Err(ChainFault::NotCovering), Err(SpecFault::NotCovering))
                | (Err(ChainFault::SlotMissing), Err(SpecFault::SlotMissing))
                | (Err(ChainFault::SlotSuperfluous), Err(SpecFault::SlotSuperfluous)) => (),
                (found, specified) => panic!("{found:?} and {:?}", specified.map(|entries| entries.len())),
            }
        }
    }
}

#[test]
fn answers_are_opened_and_judged_as_the_specification_does() {
    let mut pair = Pair::new();
    for text in TOTALS {
        let (query, answer) = (pair.table.query(text), pair.table.answer(text));
        pair.open(&query, &answer);
        assert!(pair.judge(&query, text, &answer), "{text}");
        let changed = |change: &dyn Fn(&mut Answer)| {
            let mut other = answer.clone();
            change(&mut other);
            if other != answer {
                assert!(!pair.judge(&query, text, &other), "{text}: {other:?}");
            }
        };
        changed(&|other| other.version += 1);
        changed(&|other| other.dictionary.0[31] ^= 1);
        changed(&|other| other.opening = None);
        changed(&|other| other.opening = Some([0; 96]));
        changed(&|other| {
            other.opening = other.opening.map(|bytes| [&bytes[48..], &bytes[..48]].concat().try_into().unwrap())
        });
        changed(&|other| drop(other.totals.pop()));
        changed(&|other| other.totals.reverse());
        changed(&|other| other.totals.iter_mut().for_each(|group| drop(group.pop())));
        changed(&|other| other.totals.iter_mut().flatten().for_each(|total| *total += 1u32));
        changed(&|other| other.totals.iter_mut().flatten().for_each(|total| *total = BigUint::from(1u32) << 250));
        changed(&|other| other.schema = other.runs[0].clone());
        changed(&|other| other.schema.position += 1);
        changed(&|other| other.schema.position = 1000);
        changed(&|other| other.schema.opening = other.runs[0].opening);
        for i in 0..answer.runs.len() {
            changed(&|other| drop(other.runs.remove(i)));
            changed(&|other| other.runs.insert(i, other.runs[i].clone()));
            changed(&|other| other.runs[i].opening = other.schema.opening);
            changed(&|other| other.runs[i].opening = [0; 48]);
            changed(&|other| other.runs[i].slot.next = other.schema.slot.key.clone());
            changed(&|other| other.runs[i].slot.value = other.schema.slot.value.clone());
            changed(&|other| other.runs[i].slot.value = "".into());
        }
    }
}

/// Queries about order that need no comparison, since they are of one run, of no row, or of a
/// number beyond all that there can be. What comparisons claim is compared in `comparisons.rs`.
const ORDER: [&str; 6] = [
    "min(power) where time = 300",
    "median(power) where district = 5 and kind = 'ab' and time = 2",
    "percentile_cont(power, 1/3) where district = 5 and kind = 'ab' and time = 2",
    "max(power) where time = 3",
    "rank(power, 9999)",
    "rank(power, -21)",
];

#[test]
fn cuts_are_opened_and_judged_as_the_specification_does() {
    let mut pair = Pair::new();
    for text in ORDER {
        let (query, answer) = (pair.table.query(text), pair.table.answer(text));
        assert!(answer.comparisons.is_empty(), "{text}");
        pair.open(&query, &answer);
        assert!(pair.judge(&query, text, &answer), "{text}");
        let changed = |change: &dyn Fn(&mut Answer)| {
            let mut other = answer.clone();
            change(&mut other);
            if other != answer {
                assert!(!pair.judge(&query, text, &other), "{text}: {other:?}");
            }
        };
        let low = |other: &mut Answer, change: &dyn Fn(&mut CutEnd)| {
            other.cut.iter_mut().flat_map(|cut| &mut cut.low).for_each(change);
        };
        changed(&|other| other.opening = None);
        changed(&|other| other.opening = Some([0; 96]));
        changed(&|other| other.cut = None);
        changed(&|other| other.cut = Some(Cut { splits: vec![1], low: None, high: None }));
        changed(&|other| other.comparisons.push(vec![1, 2, 3]));
        changed(&|other| other.totals.push(vec![BigUint::from(1u32)]));
        changed(&|other| other.cut.iter_mut().flat_map(|cut| &mut cut.splits).for_each(|split| *split += 1));
        changed(&|other| other.cut.iter_mut().for_each(|cut| cut.splits.push(0)));
        changed(&|other| other.cut.iter_mut().for_each(|cut| cut.low = cut.high));
        changed(&|other| other.cut.iter_mut().for_each(|cut| cut.high = cut.low));
        changed(&|other| low(other, &|end| end.run += 1));
        changed(&|other| low(other, &|end| end.value += 1));
        changed(&|other| low(other, &|end| end.value = 251));
    }
}

#[test]
fn rows_are_opened_and_judged_as_the_specification_does() {
    let mut pair = Pair::new();
    let text = "row(power) where time <= 2";
    for (run, row) in [(0, 1), (1, 0), (4, 4)] {
        let (query, answer) = (pair.table.query(text), pair.table.row_answer(text, run, row));
        pair.open(&query, &answer);
        assert!(pair.judge(&query, text, &answer));
        let changed = |change: &dyn Fn(&mut Answer, &mut ShownRow)| {
            let mut other = answer.clone();
            let mut shown = other.row.clone().unwrap();
            change(&mut other, &mut shown);
            other.row = other.row.map(|_| shown);
            assert!(!pair.judge(&query, text, &other), "{other:?}");
        };
        changed(&|_, row| row.position += 1);
        changed(&|_, row| row.position = 0);
        changed(&|_, row| row.value += 1);
        changed(&|_, row| row.value = 251);
        changed(&|_, row| row.salt[0] ^= 1);
        changed(&|_, row| row.texts[1].push('x'));
        changed(&|_, row| row.texts.push(String::new()));
        changed(&|_, row| row.path.push([1; 32]));
        changed(&|other, _| other.row = None);
        changed(&|other, _| other.opening = None);
        changed(&|other, _| other.comparisons.push(Vec::new()));
        changed(&|other, _| other.totals = vec![vec![BigUint::from(1u32)]]);
        changed(&|other, _| other.runs.push(other.schema.clone()));
        changed(&|other, _| other.runs[0] = other.schema.clone());
        changed(&|other, _| other.runs.clear());
    }
}

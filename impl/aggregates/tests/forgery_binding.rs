//! Forgeries of answers by what they are about: another schema, setup, query, version or
//! dictionary, another owner, another place of the tree over texts. Each beside its honest case;
//! the letters are those of docs/tables.md, "Forgeries".
#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

#[path = "scene/setups.rs"]
mod setups;
#[path = "scene/table.rs"]
#[allow(dead_code, reason = "each test uses some of it")]
mod table;

use aardvark_aggregates::answer::json;
use aardvark_aggregates::answer::prover::{answer_totals, runs_to_open};
use aardvark_aggregates::answer::row::{leaf_digest, path, root};
use aardvark_aggregates::{Answer, Certificates, Finding, Head, OwnerTexts, ProverSetup, Query, Schema, TableReason};
use aardvark_algebra::ff::Field;
use aardvark_algebra::group::Curve;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{G1Affine, G2Affine, Scalar, batch_to_affine};
use aardvark_dictionary::Value;
use aardvark_proof::Reason;
use sha2::{Digest, Sha256};
use table::{Table, runs, schema};

fn table() -> Table {
    Table::new(schema(), &runs())
}

/// The reason for which an answer is refused to who reads the schema from the answer, as the
/// command does.
fn refused(table: &Table, text: &str, answer: &Answer) -> TableReason {
    let query = Query::parse(table.name, text, &answer.claimed_schema().unwrap()).unwrap();
    answer.verify(&query, &table.trusted(), Certificates::Ignored).unwrap_err().reason
}

#[test]
fn forgery_a_the_values_under_a_head_are_those_that_the_dictionary_holds() {
    let table = table();
    let text = "row(power)";
    let answer = table.row_answer(text, 4, 1);
    assert!(table.verdict(text, &answer).is_ok());
    // A head with the commitment to other values, of which the row is one.
    let mut other = runs();
    other[4].numbers = vec![7, 9, 9, 10, 200];
    let theirs = Table::new(schema(), &other).row_answer(text, 4, 1);
    let mut forged = answer;
    (forged.runs[0].slot.value, forged.row, forged.opening) =
        (theirs.runs[0].slot.value.clone(), theirs.row, theirs.opening);
    let reason = table.verdict(text, &forged).unwrap_err().reason;
    assert!(matches!(reason, TableReason::Dictionary(refusal) if refusal.reason == Reason::AnswerOpeningFalse));
}

#[test]
fn forgery_d_a_schema_that_is_not_the_table_s_is_refused() {
    let table = table();
    let text = "sum(power) where time = 1";
    let answer = table.answer(text);
    assert!(table.verdict(text, &answer).is_ok());
    let changes: [fn(&mut Schema); 4] = [
        |schema| schema.values[0].lowest = 1000,
        |schema| schema.values[0].span = 255,
        |schema| schema.values[0].bits = 16,
        |schema| schema.append_only = true,
    ];
    for change in changes {
        let mut other = schema();
        change(&mut other);
        let mut forged = answer.clone();
        forged.schema.slot.value = Value::from(other.to_bytes());
        let reason = refused(&table, text, &forged);
        let is_false = matches!(reason, TableReason::Dictionary(refusal)
            if refusal.reason == Reason::AnswerOpeningFalse);
        assert!(is_false, "{reason:?}");
        // Who has the schema from elsewhere is told that it is another.
        assert_eq!(table.verdict(text, &forged).unwrap_err().reason, TableReason::SchemaMismatched);
    }
    // The claim of another key is none of the schema.
    let mut forged = answer.clone();
    forged.schema = answer.runs[0].clone();
    assert_eq!(table.verdict(text, &forged).unwrap_err().reason, TableReason::SchemaMismatched);
}

#[test]
fn forgery_d_an_answer_under_another_setup_is_refused() {
    let table = table();
    let text = "variance(power) where time = 1";
    let query = table.query(text);
    let ground = table.ground(&query);
    let known: Vec<_> = runs_to_open(&query, &ground).unwrap().iter().map(|run| table.segment(run).clone()).collect();
    let honest = answer_totals(setups::provers(), &query, text, ground.clone(), &known).unwrap();
    assert!(table.verdict(text, &honest).is_ok());
    // Who knows τ opens to anything, under that τ.
    let tau = Scalar::from(987_654_321);
    let powers = core::iter::successors(Some(Scalar::ONE), |power| Some(power * tau)).take(66);
    let powers: Vec<_> = powers.map(|power| G1Affine::generator() * power).collect();
    let theirs = ProverSetup::from_powers(batch_to_affine(&powers), (G2Affine::generator() * tau).to_affine());
    let forged = answer_totals(&theirs, &query, text, ground, &known).unwrap();
    assert_eq!(table.verdict(text, &forged).unwrap_err().reason, TableReason::OpeningFalse);
    // No part of an answer's text names a setup.
    let named = json::write_line(&honest).unwrap();
    for field in ["setup", "generator", "tau", "bits", "span", "powers"] {
        let with = named.replacen("\"format\":1", &format!("\"format\":1,\"{field}\":\"0x00\""), 1);
        assert!(json::read(with.as_bytes()).is_err(), "{field}");
    }
}

#[test]
fn forgery_e_an_opening_is_one_of_its_query_version_and_dictionary() {
    let table = table();
    // Two boxes with the same runs and totals: nothing but the query's bytes differ.
    let (text, same) = ("sum(power) where time = 1", "sum(power) where time <= 1");
    let (answer, other) = (table.answer(text), table.answer(same));
    assert_eq!(answer.totals, other.totals);
    assert!(table.verdict(text, &answer).is_ok() && table.verdict(same, &other).is_ok());
    let mut moved = answer.clone();
    moved.opening = other.opening;
    assert_eq!(table.verdict(text, &moved).unwrap_err().reason, TableReason::OpeningFalse);
    moved = other.clone();
    moved.query = text.to_owned();
    assert!(table.verdict(text, &moved).is_err());
    // The same table at another version, and in another dictionary.
    let mut later = self::table();
    later.version = 13;
    let mut elsewhere = self::table();
    elsewhere.dictionary.0[0] ^= 1;
    for theirs in [&later, &elsewhere] {
        let mut replayed = theirs.answer(text);
        assert!(theirs.verdict(text, &replayed).is_ok());
        replayed.opening = answer.opening;
        assert_eq!(theirs.verdict(text, &replayed).unwrap_err().reason, TableReason::OpeningFalse);
    }
    // And a row's is bound to its position and number: equal rows have openings of their own.
    let text = "row(power)";
    let [mut one, two] = [0, 1].map(|row| table.row_answer(text, 0, row));
    assert_eq!(one.row.as_ref().unwrap().value, two.row.as_ref().unwrap().value);
    one.opening = two.opening;
    assert_eq!(table.verdict(text, &one).unwrap_err().reason, TableReason::OpeningFalse);
}

#[test]
fn forgery_c_a_row_that_is_proved_is_still_another_owner_s() {
    let table = table();
    let text = "row(power)";
    let mine = |row: usize| OwnerTexts::new(table::texts(4, row).into_iter().enumerate());
    for row in 0..5 {
        let outcome = table.verdict(text, &table.row_answer(text, 4, row)).unwrap();
        for owner in 0..5 {
            let verdict = outcome.check_owner(&mine(owner)).map_err(|error| error.reason);
            let expected = if owner == row { Ok(()) } else { Err(TableReason::TextMismatched) };
            assert_eq!(verdict, expected, "{row} for {owner}");
        }
        // The id is right, the tag another's: a row that was made up for the owner.
        let tag = OwnerTexts::new([(0, table::texts(4, row)[0].clone()), (1, "tag".to_owned())]);
        let error = outcome.check_owner(&tag).unwrap_err();
        assert_eq!((error.reason, error.item, error.is_proof_invalid()), (TableReason::TextMismatched, Some(1), true));
        // A column that there is not has no text.
        assert!(outcome.check_owner(&OwnerTexts::new([(2, String::new())])).is_err());
    }
    let sum = table.verdict("sum(power)", &table.answer("sum(power)")).unwrap();
    assert_eq!(sum.check_owner(&mine(0)).unwrap_err().reason, TableReason::PartsMismatched);
}

#[test]
fn forgery_h_an_inner_node_is_no_leaf() {
    // Leaves begin with 0, inner nodes with 1: bytes that are both have two digests.
    let (salt, texts) = ([7; 16], vec!["a".to_owned()]);
    let bytes: Vec<u8> = [&salt[..], &[1, 0, 1], b"a"].concat();
    let digest = |prefix: &[u8]| -> [u8; 32] { Sha256::digest([prefix, &bytes].concat()).into() };
    assert_eq!(leaf_digest(&salt, &texts), Some(digest(&[0])));
    assert_ne!(leaf_digest(&salt, &texts), Some(digest(&[1])));
    assert_ne!(leaf_digest(&salt, &texts), Some(digest(&[])));
    // The digests of two inner nodes have the root of the leaves below them; what tells two rows
    // from four is the record's number of rows, and a path for two does not pass for four.
    let leaves: Vec<[u8; 32]> = (0..4u8).map(|i| leaf_digest(&[i; 16], &texts).unwrap()).collect();
    let inner = [root(&leaves[..2]), root(&leaves[2..])];
    assert_eq!(root(&inner), root(&leaves));
    assert_ne!(path(&inner, 0).len(), path(&leaves, 0).len());
    let table = table();
    let text = "row(power)";
    let answer = table.row_answer(text, 4, 3);
    assert!(table.verdict(text, &answer).is_ok());
    let rows = Head::from_bytes(&answer.runs[0].slot.value, 2).unwrap().record.rows;
    assert_eq!(rows, 5);
    for length in [0, 1, 2, 4] {
        let mut other = answer.clone();
        let shown = other.row.as_mut().unwrap();
        shown.path.resize(length, [0; 32]);
        assert_eq!(table.verdict(text, &other).unwrap_err().reason, TableReason::RowFalse, "{length} digests");
    }
    let Finding::Row(found) = table.verdict(text, &answer).unwrap().finding else { panic!("a row") };
    assert_eq!(found.rank, 3);
}

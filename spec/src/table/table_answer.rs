//! Answers: what a keeper says of the runs in a box, and the transcript that binds it.
//!
//! ```text
//! a0   = H("AARDVARK-V1-ANSWER", dictionary (32) || u64 version || query || bytes8(schema key) || bytes16(schema)
//!          || u32 n || (bytes8(key) || bytes16(head))* of the runs
//!          || u32 m || (bytes8(key) || bytes16(segment))* of the segments that are shown || stated)
//! seed = H("AARDVARK-V1-ANSWER-FOLD", a0 || s3 of each comparison)
//! ```
//!
//! `stated` is 32 bytes for each total, group by group; for a row `u16 position || u64 value`.
//! First segments are in the heads. The claims that the seed's fold shows follow from what a0
//! binds. Source: docs/tables.md, "Answers".

use crate::answer::answer_proof::*;
use crate::answer::answer_reason::*;
use crate::base::bytes::*;
use crate::base::hash::*;
use crate::commitment::opening::*;
use crate::table::comparison::*;
use crate::table::cut::*;
use crate::table::key_box::*;
use crate::table::run_segments::*;
use crate::table::table_key::*;
use crate::table::table_query::*;
use crate::table::table_schema::*;
use crate::table::totals::*;
use hacspec_lib::*;

/// A row, as its owner is shown it.
#[derive(Clone, Debug, Default)]
pub struct ShownRow {
    /// Its position in the sheet.
    pub row_position: usize,
    /// Its number's distance from the column's lowest.
    pub row_value: u128,
    /// The salt of its text, 16 bytes.
    pub row_salt: ByteString,
    /// Its texts, one a row column.
    pub row_texts: Seq<ByteString>,
    /// The siblings on the way to the root over the run's texts.
    pub row_path: Seq<ByteString>,
}

/// A folded opening as it was received.
#[derive(Clone, Debug, Default)]
pub struct ReceivedFold {
    /// The encoded W, 48 bytes.
    pub fold_quotient_bytes: ByteString,
    /// What these bytes decode to.
    pub fold_quotient_point: Opening,
    /// What the bytes of W' decode to.
    pub fold_witness_point: Opening,
}

/// An answer.
#[derive(Clone, Debug)]
pub struct TableAnswer {
    /// The claims of the dictionary: of the schema, then those of the scan, then those of segments.
    /// What is asked of the dictionary is the schema.
    pub answer_proof: AnswerProof,
    /// What the values of the runs in the box decode to.
    pub answer_heads: Seq<LongHead>,
    /// What the values of the segments' claims decode to.
    pub answer_shown: Seq<RunPiece>,
    /// The totals of each group, 32 bytes each.
    pub answer_totals: Seq<Seq<ByteString>>,
    /// The cut of the rows at a rank or a number.
    pub answer_cut: Option<TableCut>,
    /// What the bytes of the comparisons that show the cut decode to; none where they are
    /// malformed.
    pub answer_comparisons: Seq<Option<Comparison>>,
    /// The row.
    pub answer_row: Option<ShownRow>,
    /// The opening.
    pub answer_opening: Option<ReceivedFold>,
}

/// Why an answer does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableReason {
    /// Malformed: the query is not one of the table.
    QueryIllegal,
    /// As the reason says: the dictionary's claims do not hold, or do not cover the box.
    DictionaryRefused(AnswerReason),
    /// About something else: the claim of the schema is not about the schema that the query is of.
    SchemaMismatched,
    /// Malformed: a key or value in the box is no run of the table.
    RunMalformed,
    /// Malformed: there are more runs or rows than an answer has.
    RunsExceeded,
    /// Malformed: a part is missing that the function asks for, or one is there that it does not
    /// ask for.
    PartsMismatched,
    /// False: a total is greater than the rows and the cap allow.
    TotalsExceeded,
    /// False: the cut is not one that is asked for.
    CutFalse,
    /// Malformed: the bytes of a comparison break the format's rule.
    ComparisonMalformed,
    /// False: a comparison cannot be looked at under its challenge.
    ComparisonFalse,
    /// False: the row's position is none of the run's rows, its number is above the cap, or its
    /// text is not at this position.
    RowFalse,
    /// Malformed: the bytes of the opening break the format's rule.
    FoldMalformed,
    /// False: the opening does not show the claims.
    FoldFalse,
}

/// A refusal: the reason, and the claim, tied vector or run that gave it, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableRefusal {
    /// The reason.
    pub table_reason: TableReason,
    /// The item; none for reasons about the answer as a whole.
    pub table_item: Option<usize>,
}

/// A refusal of the answer as a whole.
pub fn refuse_table(why: TableReason) -> TableRefusal {
    TableRefusal { table_reason: why, table_item: None }
}

/// A refusal for one of its items.
pub fn refuse_table_item(why: TableReason, i: usize) -> TableRefusal {
    TableRefusal { table_reason: why, table_item: Some(i) }
}

/// A condition, or the reason of its failure.
pub fn expect_table(condition: bool, why: TableReason) -> Result<(), TableRefusal> {
    if condition { Ok(()) } else { Err(refuse_table(why)) }
}

/// The refusal of a dictionary's claims.
pub fn refuse_dictionary(refusal: &AnswerRefusal) -> TableRefusal {
    TableRefusal {
        table_reason: TableReason::DictionaryRefused(refusal.refusal_reason),
        table_item: refusal.refusal_item,
    }
}

/// The class of a reason.
pub fn class_of_table_reason(why: &TableReason) -> ReasonClass {
    match why {
        TableReason::QueryIllegal => ReasonClass::ClassMalformed,
        TableReason::DictionaryRefused(why_refused) => class_of_reason(why_refused),
        TableReason::SchemaMismatched => ReasonClass::ClassOther,
        TableReason::RunMalformed => ReasonClass::ClassMalformed,
        TableReason::RunsExceeded => ReasonClass::ClassMalformed,
        TableReason::PartsMismatched => ReasonClass::ClassMalformed,
        TableReason::TotalsExceeded => ReasonClass::ClassFalse,
        TableReason::CutFalse => ReasonClass::ClassFalse,
        TableReason::ComparisonMalformed => ReasonClass::ClassMalformed,
        TableReason::ComparisonFalse => ReasonClass::ClassFalse,
        TableReason::RowFalse => ReasonClass::ClassFalse,
        TableReason::FoldMalformed => ReasonClass::ClassMalformed,
        TableReason::FoldFalse => ReasonClass::ClassFalse,
    }
}

/// The tag of a0.
pub fn tag_table_answer() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-ANSWER")
}

/// The tag of the fold's seed.
pub fn tag_table_answer_fold() -> ByteString {
    ByteString::from_native_slice(b"AARDVARK-V1-ANSWER-FOLD")
}

/// One step of [`key_widths`].
pub fn key_widths_step(widths: Seq<usize>, described: &KeyColumn) -> Seq<usize> {
    widths.push_owned(described.key_column_width)
}

/// How many bytes each key column has.
pub fn key_widths(items: &Seq<KeyColumn>) -> Seq<usize> {
    let mut widths = Seq::<usize>::new(0);
    for i in 0..items.len() {
        widths = key_widths_step(widths, &items[i]);
    }
    widths
}

/// All numbers of runs, as the last column of a box.
pub fn run_column() -> BoxColumn {
    let all = KeyInterval { interval_low: u32_bytes(0), interval_high: u32_bytes(4_294_967_295) };
    BoxColumn { box_column_width: 4, box_column_intervals: Seq::<KeyInterval>::new(0).push_owned(all) }
}

/// The keys of the heads that a query is about.
pub fn box_of_query(query: &TableQuery) -> KeyBox {
    KeyBox {
        box_prefix: table_prefix(&query.query_table).concat(&u8_bytes(1)).concat(&u8_bytes(query.query_column)),
        box_columns: query.query_columns.clone().push_owned(run_column()),
    }
}

/// `u16 position || u64 value`, if there is a row.
pub fn encode_shown_row(shown: &Option<ShownRow>) -> ByteString {
    match shown {
        None => ByteString::new(0),
        Some(row) => u16_bytes(row.row_position).concat(&big_endian(row.row_value, 8)),
    }
}

/// The numbers of a cut, if there is one.
pub fn encode_stated_cut(stated: &Option<TableCut>) -> ByteString {
    match stated {
        None => ByteString::new(0),
        Some(cut) => encode_cut(cut),
    }
}

/// All numbers that an answer states.
pub fn encode_stated(answer: &TableAnswer) -> ByteString {
    encode_totals(&answer.answer_totals)
        .concat(&encode_stated_cut(&answer.answer_cut))
        .concat(&encode_shown_row(&answer.answer_row))
}

/// The fold's seed, of a0 and s3 of each comparison.
pub fn table_fold_seed(answer_seed: &ByteString, comparison_seeds: &ByteString) -> ByteString {
    tagged_hash(&tag_table_answer_fold(), &answer_seed.concat(comparison_seeds))
}

/// One step of [`row_leaf`].
pub fn row_leaf_step(leaf: ByteString, text: &ByteString) -> ByteString {
    leaf.concat(&bytes16(text))
}

/// The leaf of a row in the tree over its run's texts: `salt (16) || u8 n || bytes16(text)*`.
pub fn row_leaf(salt: &ByteString, texts: &Seq<ByteString>) -> ByteString {
    let mut leaf = salt.concat(&u8_bytes(texts.len()));
    for i in 0..texts.len() {
        leaf = row_leaf_step(leaf, &texts[i]);
    }
    leaf
}

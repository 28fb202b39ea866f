//! The sheets that the certificates of a write have to hold for: the segments that it puts, in
//! their order. Source: docs/network.md, "Who may write".

use crate::base::bytes::*;
use crate::base::integers::*;
use crate::decoding::signed_decoder::*;
use crate::policy::table_covered::*;
use crate::policy::table_sheets::*;
use crate::policy::table_write::*;
use crate::table::certificate_transcript::*;
use crate::table::run_record::*;
use crate::table::sheet::*;
use crate::table::table_policy::*;
use crate::table::table_schema::*;
use hacspec_lib::*;

/// Segments, and what their certificate is about besides.
#[derive(Clone, Debug, Default)]
pub struct TableSheet {
    /// What it is about besides the segments.
    pub table_sheet_about: CertificateAbout,
    /// The record of the segment before the first, where that one continues a run.
    pub table_sheet_link: Option<RunRecord>,
    /// The segments.
    pub table_sheet_items: Seq<SheetItem>,
}

/// How many bits a step between two rows of a column has at most.
pub fn column_bits(table_schema: &TableSchema, column: usize) -> usize {
    if column < table_schema.schema_values.len() { table_schema.schema_values[column].value_column_bits } else { 0 }
}

/// The greatest number of a row of a column above the lowest.
pub fn column_cap(table_schema: &TableSchema, column: usize) -> u128 {
    if column < table_schema.schema_values.len() {
        u128_of_u64(table_schema.schema_values[column].value_column_span)
    } else {
        0
    }
}

/// What the certificates of a table's column are about.
pub fn about_table_column(
    dictionary: &ByteString,
    table: &ByteString,
    table_schema: &TableSchema,
    column: usize,
) -> CertificateAbout {
    CertificateAbout {
        about_dictionary: dictionary.clone(),
        about_table: table.clone(),
        about_column: column,
        about_schema: schema_digest(table_schema),
        about_bits: column_bits(table_schema, column),
        about_cap: column_cap(table_schema, column),
        about_moments: column_moments(table_schema, column),
    }
}

/// One step of [`items_between`].
pub fn items_between_step(items: Seq<SheetItem>, placed: &Seq<PlacedSegment>, k: usize) -> Seq<SheetItem> {
    if k < placed.len() { items.push(&placed[k].placed_item) } else { items }
}

/// The segments from one place up to another.
pub fn items_between(placed: &Seq<PlacedSegment>, from: usize, to: usize) -> Seq<SheetItem> {
    let mut items = Seq::<SheetItem>::new(0);
    for k in from..to {
        items = items_between_step(items, placed, k);
    }
    items
}

/// The sheets of certificates while segments are given to them.
#[derive(Clone, Debug, Default)]
pub struct SheetsMade {
    /// The sheets.
    pub made_sheets: Seq<TableSheet>,
    /// How many segments they have.
    pub made_segments: usize,
}

/// The sheets with one more, of so many of the next segments.
pub fn with_sheet(
    made: SheetsMade,
    dictionary: &ByteString,
    runs: &RunsWrite,
    covered: &Seq<CoveredSegment>,
    placed: &Seq<PlacedSegment>,
    count: usize,
) -> SheetsMade {
    let from = made.made_segments;
    if from < covered.len() && from < placed.len() && count <= placed.len() {
        SheetsMade {
            made_sheets: made.made_sheets.push_owned(TableSheet {
                table_sheet_about: about_table_column(
                    dictionary,
                    &runs.written_table,
                    &runs.written_schema,
                    covered[from].covered_column,
                ),
                table_sheet_link: placed[from].placed_link.clone(),
                table_sheet_items: items_between(placed, from, from + count),
            }),
            made_segments: from + count,
        }
    } else {
        made
    }
}

/// One step of [`sheets_of_runs`].
pub fn sheets_of_runs_step(
    made: SheetsMade,
    dictionary: &ByteString,
    runs: &RunsWrite,
    covered: &Seq<CoveredSegment>,
    placed: &Seq<PlacedSegment>,
    brought: &ReceivedCertificate,
) -> SheetsMade {
    with_sheet(made, dictionary, runs, covered, placed, brought.received_segments)
}

/// The sheets that certificates have to hold for which cover what a write puts.
pub fn sheets_of_runs(
    dictionary: &ByteString,
    runs: &RunsWrite,
    placed: &Seq<PlacedSegment>,
    items: &Seq<ReceivedCertificate>,
) -> Seq<TableSheet> {
    let covered = covered_segments(&runs.written_steps);
    let mut made = SheetsMade { made_sheets: Seq::<TableSheet>::new(0), made_segments: 0 };
    for i in 0..items.len() {
        made = sheets_of_runs_step(made, dictionary, runs, &covered, placed, &items[i]);
    }
    made.made_sheets
}

//! Answers that come with certificates: whoever takes nobody's word that runs are in order checks
//! them himself.
//!
//! ```text
//! answer         it holds (crate::table::table_answer_verifier)
//! certificates   each segment of each run in the box stands in the sheet of a certificate: the first
//!                as the head has it, in a sheet that continues no run; each other one first in a
//!                sheet that is linked to the record of the segment before. What they add up to is
//!                the head's, and the segments that the answer shows are among them
//! openings       each certificate holds
//! ```
//!
//! All segments of a run have to be there, whatever is asked: a link says something only where what
//! it is linked to is certified itself. What a certificate is about besides its segments is the
//! asker's own: dictionary, table, column and schema. Source: docs/tables.md, "Answers".

use crate::answer::answer_proof::*;
use crate::answer::verify::*;
use crate::base::bytes::*;
use crate::base::group::*;
use crate::commitment::kzg::*;
use crate::commitment::scheme::*;
use crate::policy::table_made::*;
use crate::policy::tables::*;
use crate::table::certificate_transcript::*;
use crate::table::long_runs::*;
use crate::table::run_record::*;
use crate::table::run_segments::*;
use crate::table::sheet::*;
use crate::table::table_answer::*;
use crate::table::table_answer_verifier::*;
use crate::table::table_query::*;
use crate::table::table_schema::*;
use hacspec_lib::*;

/// What a statement that comes with an answer says: the segments of a sheet, and the record of the
/// segment before the first where that one continues a run.
#[derive(Clone, Debug, Default)]
pub struct StatedSheet {
    /// The record of the segment before.
    pub stated_link: Option<RunRecord>,
    /// The segments.
    pub stated_items: Seq<SheetItem>,
}

/// Why an answer with certificates is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CertifiedRefusal {
    /// The answer is not.
    AnswerRefused(TableRefusal),
    /// The run with this number, from 0, is not in the certificates as it has to be.
    RunUncertified(usize),
    /// A certificate does not hold.
    CertificatesRefused,
}

/// Segments of a run that certificates are about, while they are gone through.
#[derive(Clone, Debug, Default)]
pub struct CertifiedPieces {
    /// Those behind the first so far.
    pub certified_further: Seq<RunPiece>,
    /// The record of the last one.
    pub certified_last: RunRecord,
    /// The rows of all.
    pub certified_rows: usize,
}

/// Whether two points are one, with one encoding.
pub fn point_same(one: &TablePoint, other: &TablePoint) -> bool {
    g1_equal(one.held_element, other.held_element) && bytes_equal(&one.held_bytes, &other.held_bytes)
}

/// One step of [`points_same`].
pub fn points_same_step(same: bool, one: &Seq<TablePoint>, other: &Seq<TablePoint>, i: usize) -> bool {
    same && i < other.len() && point_same(&one[i], &other[i])
}

/// Whether two lists of points are one.
pub fn points_same(one: &Seq<TablePoint>, other: &Seq<TablePoint>) -> bool {
    let mut same = one.len() == other.len();
    for i in 0..one.len() {
        same = points_same_step(same, one, other, i);
    }
    same
}

/// Whether two records are one.
pub fn record_same(one: &RunRecord, other: &RunRecord) -> bool {
    one.record_log == other.record_log
        && one.record_first == other.record_first
        && one.record_rows == other.record_rows
        && point_same(&one.record_values, &other.record_values)
        && bytes_equal(&one.record_root, &other.record_root)
        && points_same(&one.record_sums, &other.record_sums)
}

/// Whether an item of a sheet is the segment of a run with a number.
pub fn item_is_of(run: &LongRun, number: usize, placed: &SheetItem) -> bool {
    bytes_equal(&placed.item_columns, &run.long_place.place_columns)
        && placed.item_run == run.long_place.place_run
        && placed.item_revision == run.long_head.long_revision
        && placed.item_segment == number
}

/// One step of [`first_in_sheet`].
pub fn first_in_sheet_step(found: bool, run: &LongRun, placed: &SheetItem) -> bool {
    found || (item_is_of(run, 0, placed) && record_same(&placed.item_record, &run.long_head.long_record))
}

/// Whether the first segment of a run, as its head has it, is in a sheet that continues no run.
pub fn first_in_sheet(run: &LongRun, sheet: &StatedSheet) -> bool {
    match &sheet.stated_link {
        Some(_) => false,
        None => {
            let mut found = false;
            for k in 0..sheet.stated_items.len() {
                found = first_in_sheet_step(found, run, &sheet.stated_items[k]);
            }
            found
        }
    }
}

/// One step of [`first_certified`].
pub fn first_certified_step(found: bool, run: &LongRun, sheet: &StatedSheet) -> bool {
    found || first_in_sheet(run, sheet)
}

/// Whether the first segment of a run is in one of the sheets.
pub fn first_certified(run: &LongRun, sheets: &Seq<StatedSheet>) -> bool {
    let mut found = false;
    for i in 0..sheets.len() {
        found = first_certified_step(found, run, &sheets[i]);
    }
    found
}

/// The record of the segment of a run with a number, where it is the first of a sheet that is
/// linked to a record.
pub fn next_in_sheet(run: &LongRun, number: usize, before: &RunRecord, sheet: &StatedSheet) -> Option<RunRecord> {
    match &sheet.stated_link {
        None => None,
        Some(link) => {
            if sheet.stated_items.len() > 0 {
                let placed = &sheet.stated_items[0usize];
                if item_is_of(run, number, placed) && record_same(link, before) {
                    Some(placed.item_record.clone())
                } else {
                    None
                }
            } else {
                None
            }
        }
    }
}

/// One step of [`next_certified`].
pub fn next_certified_step(
    found: Option<RunRecord>,
    run: &LongRun,
    number: usize,
    before: &RunRecord,
    sheet: &StatedSheet,
) -> Option<RunRecord> {
    match found {
        Some(record) => Some(record),
        None => next_in_sheet(run, number, before, sheet),
    }
}

/// The same in the first of the sheets that has it.
pub fn next_certified(
    run: &LongRun,
    number: usize,
    before: &RunRecord,
    sheets: &Seq<StatedSheet>,
) -> Option<RunRecord> {
    let mut found = None;
    for i in 0..sheets.len() {
        found = next_certified_step(found, run, number, before, &sheets[i]);
    }
    found
}

/// One step of [`further_certified`].
pub fn further_certified_step(
    found: Option<CertifiedPieces>,
    run: &LongRun,
    number: usize,
    sheets: &Seq<StatedSheet>,
) -> Option<CertifiedPieces> {
    match found {
        None => None,
        Some(pieces) => match next_certified(run, number, &pieces.certified_last, sheets) {
            None => None,
            Some(record) => {
                let rank = pieces.certified_rows;
                let piece = RunPiece { piece_number: number, piece_rank: rank, piece_record: record.clone() };
                Some(CertifiedPieces {
                    certified_further: pieces.certified_further.push_owned(piece),
                    certified_rows: rank + record.record_rows,
                    certified_last: record,
                })
            }
        },
    }
}

/// The segments of a run behind its first, each first in a sheet that is linked to the one before;
/// `None` where one is missing.
pub fn further_certified(run: &LongRun, sheets: &Seq<StatedSheet>) -> Option<CertifiedPieces> {
    let mut found = Some(CertifiedPieces {
        certified_further: Seq::<RunPiece>::new(0),
        certified_last: run.long_head.long_record.clone(),
        certified_rows: run.long_head.long_record.record_rows,
    });
    for number in 1..run.long_head.long_segments {
        found = further_certified_step(found, run, number, sheets);
    }
    found
}

/// Whether two pieces are one.
pub fn piece_same(one: &RunPiece, other: &RunPiece) -> bool {
    one.piece_number == other.piece_number
        && one.piece_rank == other.piece_rank
        && record_same(&one.piece_record, &other.piece_record)
}

/// One step of [`pieces_among`].
pub fn pieces_among_step(among: bool, pieces: &Seq<RunPiece>, piece: &RunPiece) -> bool {
    among && piece.piece_number < pieces.len() && piece_same(piece, &pieces[piece.piece_number])
}

/// Whether the pieces of a run that an answer shows are those with their numbers among these.
pub fn pieces_among(run: &LongRun, pieces: &Seq<RunPiece>) -> bool {
    let mut among = true;
    for i in 0..run.long_pieces.len() {
        among = pieces_among_step(among, pieces, &run.long_pieces[i]);
    }
    among
}

/// Whether the segments behind the first add up with it to a run's head, and what is shown is among
/// them.
pub fn pieces_add_up(run: &LongRun, moments: usize, further: &Seq<RunPiece>) -> bool {
    let pieces = Seq::<RunPiece>::new(0).push_owned(first_piece(&run.long_head)).concat(further);
    match check_extent(extent_of_first(&run.long_head), moments, further, &run.long_head) {
        Err(_) => false,
        Ok(_) => pieces_among(run, &pieces),
    }
}

/// Whether all segments of a run stand in sheets, linked one to the other, and add up to it.
pub fn run_certified(run: &LongRun, moments: usize, sheets: &Seq<StatedSheet>) -> bool {
    match further_certified(run, sheets) {
        None => false,
        Some(pieces) => first_certified(run, sheets) && pieces_add_up(run, moments, &pieces.certified_further),
    }
}

/// One step of [`runs_certified`].
pub fn runs_certified_step(
    found: Result<(), CertifiedRefusal>,
    runs: &Seq<LongRun>,
    moments: usize,
    sheets: &Seq<StatedSheet>,
    k: usize,
) -> Result<(), CertifiedRefusal> {
    match found {
        Err(refusal) => Err(refusal),
        Ok(_) => {
            if run_certified(&runs[k], moments, sheets) {
                Ok(())
            } else {
                Err(CertifiedRefusal::RunUncertified(k))
            }
        }
    }
}

/// Whether each run is certified; else the first that is not.
pub fn runs_certified(runs: &Seq<LongRun>, moments: usize, sheets: &Seq<StatedSheet>) -> Result<(), CertifiedRefusal> {
    let mut found = Ok(());
    for k in 0..runs.len() {
        found = runs_certified_step(found, runs, moments, sheets, k);
    }
    found
}

/// One step of [`sheets_about`].
pub fn sheets_about_step(made: Seq<TableSheet>, about: &CertificateAbout, sheet: &StatedSheet) -> Seq<TableSheet> {
    made.push_owned(TableSheet {
        table_sheet_about: about.clone(),
        table_sheet_link: sheet.stated_link.clone(),
        table_sheet_items: sheet.stated_items.clone(),
    })
}

/// The sheets that certificates have to hold for.
pub fn sheets_about(about: &CertificateAbout, sheets: &Seq<StatedSheet>) -> Seq<TableSheet> {
    let mut made = Seq::<TableSheet>::new(0);
    for i in 0..sheets.len() {
        made = sheets_about_step(made, about, &sheets[i]);
    }
    made
}

/// Whether the certificates that come with an answer say that its runs are in order.
pub fn check_certified(
    setup: &KzgSetup,
    about: &CertificateAbout,
    runs: &Seq<LongRun>,
    sheets: &Seq<StatedSheet>,
    meanings: &Seq<CertificateMeaning>,
) -> Result<(), CertifiedRefusal> {
    let _runs = runs_certified(runs, about.about_moments, sheets)?;
    if sheets_hold(setup, &sheets_about(about, sheets), meanings) {
        Ok(())
    } else {
        Err(CertifiedRefusal::CertificatesRefused)
    }
}

/// What an answer says that comes with certificates, about a query of a legal schema's table, under
/// what is trusted; or why it says nothing. The statements are `sheets`, and `meanings` what the
/// bytes of their certificates are.
pub fn verify_certified_answer(
    setup: &KzgSetup,
    trusted: &Trusted,
    query: &TableQuery,
    schema: &TableSchema,
    answer: &TableAnswer,
    sheets: &Seq<StatedSheet>,
    meanings: &Seq<CertificateMeaning>,
) -> Result<TableOutcome, CertifiedRefusal> {
    match verify_table_answer(&Setup::Kzg(setup.clone()), trusted, query, schema, answer) {
        Err(refusal) => Err(CertifiedRefusal::AnswerRefused(refusal)),
        Ok(outcome) => {
            let dictionary = trusted_dictionary(trusted);
            let about = about_table_column(&dictionary, &query.query_table, schema, query.query_column);
            let _certified = check_certified(setup, &about, &outcome.outcome_runs, sheets, meanings)?;
            Ok(outcome)
        }
    }
}

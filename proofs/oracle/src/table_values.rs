//! The values of tables, as tokens.

use aardvark_spec::base::bytes::ByteString;
use aardvark_spec::table::certificate_transcript::{Certificate, CertificateAbout};
use aardvark_spec::table::comparison::{ComparedRow, Comparison};
use aardvark_spec::table::cut::{CutEnd, TableCut};
use aardvark_spec::table::key_box::BoxColumn;
use aardvark_spec::table::linked_certificate::LinkedCertificate;
use aardvark_spec::table::run_record::{RunRecord, TablePoint};
use aardvark_spec::table::run_segments::{LongHead, RunPiece};
use aardvark_spec::table::sheet::SheetItem;
use aardvark_spec::table::table_answer::{TableAnswer, TableRefusal};
use aardvark_spec::table::table_query::TableQuery;
use aardvark_spec::table::totals::GroupTotals;
use hacspec_lib::Seq;

use crate::readers::SetupSource;
use crate::tokens::Line;

impl Line {
    /// What a setup is made from: scheme, trapdoor, N.
    pub(crate) fn setup_source(&mut self, source: &SetupSource) {
        self.number(source.scheme);
        self.scalar(source.trapdoor);
        self.size(source.vector_size);
    }

    /// A point: its exponent and its encoding.
    pub(crate) fn table_point(&mut self, point: &TablePoint) {
        self.element(point.held_element);
        self.bytes(&point.held_bytes);
    }

    /// The record of a segment.
    pub(crate) fn run_record(&mut self, run_record: &RunRecord) {
        self.size(run_record.record_log);
        self.size(run_record.record_first);
        self.size(run_record.record_rows);
        self.table_point(&run_record.record_values);
        self.bytes(&run_record.record_root);
        self.list(&run_record.record_sums, Self::table_point);
    }

    /// The head of a run of any number of segments.
    pub(crate) fn long_head(&mut self, head: &LongHead) {
        self.size(head.long_revision);
        self.size(head.long_segments);
        self.size(head.long_rows);
        self.run_record(&head.long_record);
        self.list(&head.long_totals, Self::table_point);
    }

    /// A segment behind a run's first.
    pub(crate) fn run_piece(&mut self, piece: &RunPiece) {
        self.size(piece.piece_number);
        self.size(piece.piece_rank);
        self.run_record(&piece.piece_record);
    }

    /// A query.
    pub(crate) fn table_query(&mut self, query: &TableQuery) {
        self.bytes(&query.query_table);
        self.size(query.query_column);
        self.size(query.query_function);
        self.number(query.query_a);
        self.number(query.query_b);
        self.list(&query.query_groups, |line, group| line.size(*group));
        self.list(&query.query_columns, |line, column: &BoxColumn| {
            line.size(column.box_column_width);
            line.list(&column.box_column_intervals, |line, interval| {
                line.bytes(&interval.interval_low);
                line.bytes(&interval.interval_high);
            });
        });
    }

    fn cut(&mut self, cut: &TableCut) {
        let end = |line: &mut Self, end: &CutEnd| {
            line.size(end.end_run);
            line.number(end.end_value);
        };
        self.list(&cut.cut_splits, |line, split| line.size(*split));
        self.option(cut.cut_low.as_ref(), end);
        self.option(cut.cut_high.as_ref(), end);
    }

    /// A comparison.
    pub(crate) fn comparison(&mut self, comparison: &Comparison) {
        self.list(&comparison.comparison_bits, Self::table_point);
        self.list(&comparison.comparison_masks, Self::table_point);
        self.table_point(&comparison.comparison_quotient);
        self.scalars(&comparison.comparison_bit_values);
        self.scalars(&comparison.comparison_values);
        self.bytes(&comparison.comparison_scalar_bytes);
    }

    /// A row that is compared.
    pub(crate) fn compared_row(&mut self, row: &ComparedRow) {
        self.size(row.compared_run);
        self.size(row.compared_segment);
        self.run_record(&row.compared_record);
        self.size(row.compared_position);
        self.flag(row.compared_at_most);
        self.number(row.compared_threshold);
    }

    /// An answer.
    pub(crate) fn table_answer(&mut self, answer: &TableAnswer) {
        self.proof(&answer.answer_proof);
        self.list(&answer.answer_heads, Self::long_head);
        self.list(&answer.answer_shown, Self::run_piece);
        self.list(&answer.answer_totals, |line, totals: &Seq<ByteString>| line.list(totals, Self::bytes));
        self.option(answer.answer_cut.as_ref(), Self::cut);
        self.list(&answer.answer_comparisons, |line, comparison| {
            line.option(comparison.as_ref(), Self::comparison);
        });
        self.option(answer.answer_row.as_ref(), |line, row| {
            line.size(row.row_position);
            line.number(row.row_value);
            line.bytes(&row.row_salt);
            line.list(&row.row_texts, Self::bytes);
            line.list(&row.row_path, Self::bytes);
        });
        self.option(answer.answer_opening.as_ref(), |line, fold| {
            line.bytes(&fold.fold_quotient_bytes);
            line.opening(&fold.fold_quotient_point);
            line.opening(&fold.fold_witness_point);
        });
    }

    /// What a certificate is about.
    pub(crate) fn certificate_about(&mut self, about: &CertificateAbout) {
        self.bytes(&about.about_dictionary);
        self.bytes(&about.about_table);
        self.size(about.about_column);
        self.bytes(&about.about_schema);
        self.size(about.about_bits);
        self.number(about.about_cap);
        self.size(about.about_moments);
    }

    /// A segment of a sheet.
    pub(crate) fn sheet_item(&mut self, placed: &SheetItem) {
        self.bytes(&placed.item_columns);
        self.size(placed.item_run);
        self.size(placed.item_revision);
        self.size(placed.item_segment);
        self.run_record(&placed.item_record);
    }

    /// A certificate.
    pub(crate) fn certificate(&mut self, shown: &Certificate) {
        self.list(&shown.certificate_bits, Self::table_point);
        self.table_point(&shown.certificate_values_mask);
        self.table_point(&shown.certificate_sums_mask);
        self.table_point(&shown.certificate_quotient);
        self.scalars(&shown.certificate_bit_values);
        self.scalar(shown.certificate_value);
        self.scalar(shown.certificate_next);
        self.bytes(&shown.certificate_scalar_bytes);
        self.element(shown.certificate_opening.folded_quotient);
        self.element(shown.certificate_opening.folded_witness);
        self.bytes(&shown.certificate_opening_bytes);
    }

    /// A certificate behind another segment.
    pub(crate) fn linked_certificate(&mut self, shown: &LinkedCertificate) {
        self.certificate(&shown.linked_body);
        self.table_point(&shown.linked_mask);
        self.scalar(shown.linked_value);
        self.bytes(&shown.linked_value_bytes);
    }

    /// What an answer says of its groups, its totals and its cut.
    pub(crate) fn outcome(&mut self, groups: &Seq<GroupTotals>, totals: &Seq<Seq<ByteString>>, cut: Option<&TableCut>) {
        self.list(groups, |line, group| {
            line.bytes(&group.group_key);
            line.size(group.group_rows);
        });
        self.list(totals, |line, totals: &Seq<ByteString>| line.list(totals, Self::bytes));
        self.option(cut, Self::cut);
    }

    /// A verdict on an answer.
    pub(crate) fn verdict<T>(&mut self, said: Result<T, TableRefusal>, found: impl FnOnce(&mut Self, T)) {
        match said {
            Ok(value) => {
                self.word("accepted");
                found(self, value);
            }
            Err(refusal) => {
                self.word("refused");
                self.word(&format!("{:?}", refusal.table_reason));
                self.option(refusal.table_item.as_ref(), |line, item| line.size(*item));
            }
        }
    }

    /// A verdict whose fault has a name; what a fault says besides is left out.
    pub(crate) fn named<T, E: core::fmt::Debug>(&mut self, said: Result<T, E>, found: impl FnOnce(&mut Self, T)) {
        match said {
            Ok(value) => {
                self.word("accepted");
                found(self, value);
            }
            Err(fault) => {
                let name = format!("{fault:?}");
                self.word("refused");
                self.word(name.split('(').next().unwrap_or_default());
            }
        }
    }
}

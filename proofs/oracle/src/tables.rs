//! Requests about tables: answers, certificates, comparisons, changes of keys, steps of runs.
//!
//! A [`TableRequest`] is what a function of the specification is given. [`Oracle::table`] asks the
//! oracle, [`TableRequest::judged`] the specification, in the oracle's words.

use aardvark_spec::answer::answer_proof::Trusted;
use aardvark_spec::base::bytes::ByteString;
use aardvark_spec::base::scalar::Scalar;
use aardvark_spec::commitment::folded_opening::FoldedClaim;
use aardvark_spec::commitment::kzg::KzgSetup;
use aardvark_spec::commitment::scheme::Setup;
use aardvark_spec::table::certificate::verify_certificate;
use aardvark_spec::table::certificate_transcript::{Certificate, CertificateAbout};
use aardvark_spec::table::comparison::{ComparedRow, Comparison, ComparisonChallenges, claims_of_comparison};
use aardvark_spec::table::linked_certificate::{LinkedCertificate, verify_linked_certificate};
use aardvark_spec::table::run_record::RunRecord;
use aardvark_spec::table::run_segments::{LongHead, RunPiece, judge_step};
use aardvark_spec::table::schema_decoder::decode_schema;
use aardvark_spec::table::sheet::SheetItem;
use aardvark_spec::table::table_answer::TableAnswer;
use aardvark_spec::table::table_answer_verifier::verify_table_answer;
use aardvark_spec::table::table_policy::{TableChange, judge_change};
use aardvark_spec::table::table_query::TableQuery;
use aardvark_spec::table::table_schema::TableSchema;
use hacspec_lib::Seq;

use crate::process::{Answer, Oracle, OracleError, Safety, request};
use crate::readers::SetupSource;
use crate::tokens::Line;

/// What a function of tables is given. Schemas are given as their bytes.
#[derive(Clone, Copy, Debug)]
pub enum TableRequest<'a> {
    /// An answer: `verify_table_answer`.
    Answer {
        /// What the setup is made from, and the setup.
        setup: (&'a SetupSource, &'a Setup),
        /// What is trusted.
        trusted: &'a Trusted,
        /// The query.
        query: &'a TableQuery,
        /// The schema.
        schema: &'a ByteString,
        /// The answer.
        answer: &'a TableAnswer,
    },
    /// A certificate: `verify_certificate`.
    Certificate {
        /// τ, N and the setup that they make.
        setup: (Scalar, usize, &'a KzgSetup),
        /// What it is about.
        about: &'a CertificateAbout,
        /// The segments.
        items: &'a Seq<SheetItem>,
        /// The certificate.
        shown: &'a Certificate,
    },
    /// A certificate behind another segment: `verify_linked_certificate`.
    Linked {
        /// τ, N and the setup that they make.
        setup: (Scalar, usize, &'a KzgSetup),
        /// What it is about.
        about: &'a CertificateAbout,
        /// The segment before.
        previous: &'a RunRecord,
        /// The segments.
        items: &'a Seq<SheetItem>,
        /// The certificate.
        shown: &'a LinkedCertificate,
    },
    /// What a comparison claims: `claims_of_comparison`.
    Comparison {
        /// The column's bits.
        bits: usize,
        /// The rows.
        items: &'a Seq<ComparedRow>,
        /// The challenges.
        drawn: &'a ComparisonChallenges,
        /// The comparison.
        shown: &'a Comparison,
    },
    /// A change of a table's key: `judge_change`.
    Change {
        /// The schema that stands.
        standing: Option<&'a ByteString>,
        /// The key.
        changed: &'a ByteString,
        /// What it holds before.
        before: Option<&'a ByteString>,
        /// What it holds after.
        after: Option<&'a ByteString>,
    },
    /// A step of a run: `judge_step`.
    Step {
        /// Whether the table is append-only.
        append_only: bool,
        /// How many powers have sums.
        moments: usize,
        /// The head before.
        before: Option<&'a LongHead>,
        /// The head after.
        after: &'a LongHead,
        /// The segments that are put.
        put: &'a Seq<RunPiece>,
    },
}

impl Oracle {
    /// What the oracle says. No state is used or changed.
    ///
    /// # Errors
    /// Where the oracle does not answer.
    pub fn table(&mut self, safety: Safety, asked: &TableRequest<'_>) -> Result<Answer, OracleError> {
        let mut line = request(asked.name(), safety);
        asked.put(&mut line);
        self.ask(line)
    }
}

impl TableRequest<'_> {
    /// The request's name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Answer { .. } => "table",
            Self::Certificate { .. } => "certificate",
            Self::Linked { .. } => "linked",
            Self::Comparison { .. } => "comparison",
            Self::Change { .. } => "table_change",
            Self::Step { .. } => "run_step",
        }
    }

    fn put(&self, line: &mut Line) {
        match self {
            Self::Answer { setup: (source, _), trusted, query, schema, answer } => {
                line.setup_source(source);
                line.trusted(trusted);
                line.table_query(query);
                line.bytes(schema);
                line.table_answer(answer);
            }
            Self::Certificate { setup: (tau, n, _), about, items, shown } => {
                line.scalar(*tau);
                line.size(*n);
                line.certificate_about(about);
                line.list(items, Line::sheet_item);
                line.certificate(shown);
            }
            Self::Linked { setup: (tau, n, _), about, previous, items, shown } => {
                line.scalar(*tau);
                line.size(*n);
                line.certificate_about(about);
                line.run_record(previous);
                line.list(items, Line::sheet_item);
                line.linked_certificate(shown);
            }
            Self::Comparison { bits, items, drawn, shown } => {
                line.size(*bits);
                line.list(items, Line::compared_row);
                line.scalars(&drawn.compared_betas);
                line.scalar(drawn.compared_zeta);
                line.comparison(shown);
            }
            Self::Change { standing, changed, before, after } => {
                line.option(*standing, Line::bytes);
                line.bytes(changed);
                line.option(*before, Line::bytes);
                line.option(*after, Line::bytes);
            }
            Self::Step { append_only, moments, before, after, put } => {
                line.flag(*append_only);
                line.size(*moments);
                line.option(*before, Line::long_head);
                line.long_head(after);
                line.list(put, Line::run_piece);
            }
        }
    }

    /// What the specification says of it, as the oracle should say it. A schema's bytes that are no
    /// legal schema are a request that the oracle does not understand.
    pub fn judged(&self) -> String {
        let legal = |bytes: &ByteString| decode_schema(bytes).unwrap_or_default();
        let mut line = Line::default();
        match self {
            Self::Answer { setup: (_, setup), trusted, query, schema, answer } => {
                let said = verify_table_answer(setup, trusted, query, &legal(schema), answer);
                line.verdict(said, |line, found| {
                    line.size(found.outcome_runs.len());
                    line.outcome(&found.outcome_groups, &found.outcome_totals, found.outcome_cut.as_ref());
                });
            }
            Self::Certificate { setup: (_, _, setup), about, items, shown } => {
                line.named(verify_certificate(setup, about, items, shown), |_, ()| ());
            }
            Self::Linked { setup: (_, _, setup), about, previous, items, shown } => {
                line.named(verify_linked_certificate(setup, about, previous, items, shown), |_, ()| ());
            }
            Self::Comparison { bits, items, drawn, shown } => {
                line.named(claims_of_comparison(*bits, items, drawn, shown), |line, claimed| {
                    line.list(&claimed, |line, claim: &FoldedClaim| {
                        line.element(claim.folded_commitment);
                        line.scalar(claim.folded_point);
                        line.scalar(claim.folded_value);
                    });
                });
            }
            Self::Change { standing, changed, before, after } => {
                let standing: Option<TableSchema> = standing.map(legal);
                let said = judge_change(&standing, changed, &before.cloned(), &after.cloned());
                line.named(said, |line, change| {
                    line.word(match change {
                        TableChange::TableCreated(_) => "TableCreated",
                        TableChange::TableSealed(_) => "TableSealed",
                        TableChange::RunPut(_) => "RunPut",
                        TableChange::RunDeleted(_) => "RunDeleted",
                    });
                });
            }
            Self::Step { append_only, moments, before, after, put } => {
                line.named(judge_step(*append_only, *moments, &before.cloned(), after, put), |_, ()| ());
            }
        }
        line.text()
    }
}

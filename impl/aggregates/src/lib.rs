//! Verified statistics over private rows: sheets of committed numbers, and certificates that they
//! are in order. Pure: no store, no clock, no randomness of its own.
//!
//! A table's rows are grouped into runs; each run's numbers are committed to in ascending order,
//! and the dictionary holds the commitments ([`record`]). A [`Certificate`] shows, without showing
//! a row, that the numbers ascend within their bounds and that the committed sums are their sums.
//! The mathematics is in docs/tables.md.
//!
//! In the order of use: [`schema`], [`key`], [`setup`], [`masks`], [`segment`], [`certificate`],
//! [`fold`].
//!
//! ```
//! use aardvark_aggregates::{
//!     About, CertificateMasks, KnownSegment, MaskSource, ProverSetup, SheetItem, TableVerifier, prove,
//! };
//! use aardvark_dictionary::DictionaryId;
//!
//! // What the certificate is about: a column of numbers from 0 to 200, with sums and squares.
//! let about = About {
//!     dictionary: DictionaryId([1; 32]), table: "meters".to_owned(), column: 0, schema: [2; 32],
//!     bits: 8, cap: 200, moments: 2,
//! };
//! let setup = ProverSetup::ethereum(None)?;
//! let setup = setup.sheet(3)?;
//! // The seed of the masks is as secret as the rows.
//! let mut masks = MaskSource::new([7; 32]);
//! let segment = KnownSegment::draw(&mut masks, 1, vec![3, 3, 180], 2);
//! let record = segment.commit(setup, [0; 32]);
//! let item = SheetItem { columns: vec![0, 9], run: 0, revision: 0, segment: 0, record };
//! let masks = CertificateMasks::draw(&mut masks, about.bits);
//! let certificate = prove(setup, &about, &[item.clone()], &[segment], &masks)?;
//!
//! let verifier = TableVerifier::ethereum()?;
//! assert_eq!(verifier.verify_certificate(&about, &[item.clone()], &certificate), Ok(()));
//! // Of another run it says nothing.
//! let other = SheetItem { run: 1, ..item };
//! assert!(verifier.verify_certificate(&about, &[other], &certificate).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]
#![warn(clippy::indexing_slicing)]

// What a table is, and under which keys it stands.
pub mod key;
pub mod schema;
mod schema_error;

// Vectors and polynomials.
mod bits;
mod coset;
mod polynomial;

mod decoded;

pub mod fold;
pub mod fold_prover;
pub mod masks;
pub mod record;
pub mod sheet;
pub mod vector_fold;

pub mod setup;

pub mod segment;

pub mod certificate;

// Which changes are legal.
pub mod policy;
pub mod run_step;

// What is asked, and what answers it.
pub mod answer;
pub mod key_box;
pub mod query;
pub mod scan;

pub use answer::basis::Basis;
pub use answer::outcome::{Finding, GroupFinding, OrderFinding, Outcome, RankFinding, RowFinding};
pub use answer::owner::OwnerTexts;
pub use answer::reason::{AnswerError, TableReason};
pub use answer::{Answer, Certificates, ShownRow, StatedCertificate};

// Rows against thresholds, and the order of rows.
pub mod comparison;
pub mod cut;

pub use certificate::link::KnownLink;
pub use certificate::prover::{ProverError, prove, prove_behind};
pub use certificate::statement::{About, SheetItem, StatedSheet};
pub use certificate::verifier::CertifiedSheet;
pub use certificate::{Certificate, CertificateError, LinkPart};
pub use comparison::{ComparedRow, Comparison, ComparisonError, Side};
pub use cut::{Cut, CutEnd, CutGoal};
pub use fold::TableVerifier;
pub use key::{KeyError, KeyValue, TableKey, decode_columns, encode_columns};
pub use policy::{PolicyFault, TableChange, judge_begin, judge_change, judge_run, judge_segment_delete};
pub use query::{Query, QueryError};

pub use masks::{CertificateMasks, ComparisonMasks, MaskSource};
pub use record::{Head, Record, RecordError, Segment, WholeRun};
pub use run_step::{StepFault, judge_step};
pub use schema::{KeyColumn, KeyKind, Schema, SchemaError, ValueColumn};
pub use segment::{KnownSegment, commit_each};
pub use setup::{ProverSetup, SheetSetup};
pub use sheet::SheetFault;

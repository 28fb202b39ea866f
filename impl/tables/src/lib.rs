//! Keeping tables of private rows on an embedded dictionary.
//!
//! A [`Keeper`] holds an archive, which commits to the rows; the [`Vault`], which has them in the
//! clear; and the [`Certificates`], with which anybody sees that the commitments are in order.
//! Rows come from a [`RowSource`]; [`audit_tables`] repeats what a chain's
//! validators would have checked. The mathematics is in docs/tables.md, `aardvark_aggregates` has
//! the algebra.
//!
//! ```text
//! DIR/                    an archive's folder
//! DIR/certificates.redb   certificates, public
//! DIR/vault/              mode 0700: rows, and the seeds of what hides them
//! ```
//!
//! ```
//! use aardvark_aggregates::{KeyColumn, KeyKind, Schema, ValueColumn};
//! use aardvark_archive::Archive;
//! use aardvark_commitment::setups::published_digest;
//! use aardvark_dictionary::{Genesis, Identity, Parameters};
//! use aardvark_tables::source::csv::CsvSource;
//! use aardvark_tables::{AuditOptions, ImportOptions, Keeper, audit_tables};
//!
//! let parameters = Parameters { vector_size: 16, ..Parameters::default() };
//! let digest = published_digest(parameters.scheme, parameters.vector_size)?;
//! let genesis = Genesis::new(Identity::new("homes", [7; 32])?, parameters, digest, Vec::new())?;
//! let parent = tempfile::tempdir()?;
//! let directory = parent.path().join("homes");
//! let archive = Archive::builder().create(&directory, &genesis)?;
//!
//! let mut keeper = Keeper::open(archive, &directory)?;
//! let schema = Schema {
//!     append_only: true,
//!     deletable: false,
//!     writers: vec![],
//!     keys: vec![KeyColumn { name: "time".to_owned(), kind: KeyKind::Unsigned, width: 8 }],
//!     values: vec![ValueColumn {
//!         name: "power".to_owned(), lowest: 0, span: 20_000, bits: 16, moments: 2, scale: 0,
//!     }],
//!     rows: vec!["user".to_owned()],
//!     watermark: vec![],
//! };
//! keeper.create("meters", &schema)?;
//! let rows = "time,power,user\n100,31,ada\n100,1250,bob\n101,0,ada\n";
//! let mut source = CsvSource::new(rows.as_bytes(), &schema, &Default::default())?;
//! let options = ImportOptions::default();
//! let report = keeper.import("meters", &schema, &mut source, &options, &mut |_| {})?;
//! assert_eq!((report.rows, report.runs, report.sheets), (3, 2, 1));
//!
//! let (archive, certificates) = (keeper.archive(), keeper.certificates());
//! let everything = AuditOptions::default();
//! let audited = audit_tables(archive, certificates, None, &everything, &mut |_, _| {})?;
//! assert!(audited.findings.is_empty());
//! assert_eq!((audited.runs, audited.rows, audited.certificates), (2, 3, 1));
//!
//! // A number that the column does not take is refused, by line and column.
//! let rows = "time,power,user\n102,20001,ada\n";
//! let mut source = CsvSource::new(rows.as_bytes(), &schema, &Default::default())?;
//! let refused = keeper.import("meters", &schema, &mut source, &options, &mut |_| {}).unwrap_err();
//! let reason = "line 2, column power: 20001 is not between 0 and 20000";
//! assert_eq!(refused.to_string(), reason);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]
#![warn(clippy::indexing_slicing)]

// Rows from outside
pub mod number;
pub mod source;
// What is stored
mod brought;
pub mod certificates;
pub mod error;
mod logged;
pub mod place;
mod segments;
pub mod vault;
// What is done
pub mod answer;
pub mod answered;
pub mod audit;
pub mod chain;
pub mod export;
pub mod import;
pub mod keeper;
pub mod listed;
mod numbers;
pub mod owner;
pub mod packing;
pub mod renew;
pub mod rows;
pub mod sift;
pub mod stated;
mod to_verify;
mod vault_run;

pub use answer::{AnswerParts, Answerer};
pub use answered::{Answered, AnsweredError};
pub use audit::{AuditOptions, TableAudit, TableFinding, audit_tables};
pub use certificates::{CertificatePlace, Certificates};
pub use chain::{ChainKeeper, Ledger};
pub use error::TablesError;
pub use export::RowFormat;
pub use import::{ImportOptions, ImportReport, ImportStep};
pub use keeper::{Keeper, schema_of, table_names};
pub use listed::{PlacedCertificate, certificates_behind};
pub use logged::segments_put;
pub use owner::{Candidates, OwnerAsked};
pub use place::SegmentPlace;
pub use renew::Renewal;
pub use rows::FoundRow;
pub use sift::{Sifted, sift};
pub use source::RowSource;
pub use vault::{SegmentSecret, Vault};

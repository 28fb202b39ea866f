//! The full dictionary on a store, with proofs on request.
//!
//! An [`Archive`] holds what validators do not: every slot, the versions within retention, and the log of blocks. Nobody
//! needs to trust it, since all it says is proved against commitments; but it must not lose anything, so every version
//! is one durable transaction, and an audit finds every byte that is not what the blocks say.
//!
//! In the order of use: make a [`Genesis`](aardvark_dictionary::Genesis) on the [`published_setup_digest`], then
//! [`Archive::create`], [`Archive::import`] or [`Archive::propose`] and [`Archive::apply`], [`Snapshot::prove`],
//! [`Snapshot::commitments`], [`Archive::audit`]; later [`Archive::open`], or [`Archive::open_read_only`] beside other
//! readers.
//!
//! ```
//! use aardvark_archive::{Archive, CreateOptions, published_setup_digest};
//! use aardvark_dictionary::{Change, Genesis, Identity, Key, Parameters, Value};
//!
//! let parameters = Parameters { vector_size: 4, ..Parameters::default() };
//! let digest = published_setup_digest(parameters.scheme, parameters.vector_size)?;
//! // The salt should be random; it keeps two dictionaries of one name apart.
//! let identity = Identity::new("packages", [7; 32])?;
//! let genesis = Genesis::new(identity, parameters, digest, Vec::new())?;
//! let parent = tempfile::tempdir()?;
//! let mut archive = Archive::create(&parent.path().join("archive"), &genesis, &CreateOptions::default())?;
//!
//! let curl = Key::from("curl");
//! let version = archive.import(vec![Change { key: curl.clone(), value: Some("8.5.0".into()) }])?;
//! assert_eq!(archive.get(&curl, version)?, Some(Value::from("8.5.0")));
//! assert_eq!(archive.get(&curl, 0)?, None);
//!
//! let claim = archive.prove(&Key::from("wget"), version)?;
//! assert!(claim.slot.covers(b"wget"), "curl's slot reaches to the end: wget is absent");
//! assert!(archive.audit(&mut |_| {})?.is_clean());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]
#![warn(clippy::indexing_slicing)]

// What it stands on
mod creation;
mod directory;
pub mod error;
mod guard;
mod keys;
mod past_index;
pub mod progress;
mod records;
pub mod redb_store;
mod shadow;
pub mod store;
mod tables;
// The archive
mod archive;
mod array_at;
mod read;
mod scheme;
mod snapshot;
mod work;
// What it answers
pub mod openings;
mod prove;
mod publish;
mod state;
// Whether it is what its blocks say
pub mod audit;
// What changes it
mod accepted;
mod apply;
mod commit;
mod deltas;
mod genesis;
mod import;

pub use accepted::Accepted;
pub use archive::{Archive, CreateOptions};
pub use audit::{Anchor, AnchoredCommitments, AuditReport, Fault, Finding};
pub use directory::FORMAT;
pub use error::{ArchiveError, Damage, DamageKind, Place};
pub use import::Imported;
pub use openings::{OpeningCosts, OpeningOptions, OpeningStatistics};
pub use progress::{Phase, Progress};
pub use prove::Plan;
pub use read::LoggedBlock;
pub use records::{BlockKind, VersionInfo};
pub use redb_store::RedbStore;
pub use scheme::{published_scheme, published_setup_digest};
pub use snapshot::Snapshot;
pub use store::StoreError;
pub use work::Work;

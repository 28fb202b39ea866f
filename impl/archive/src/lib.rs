//! The full dictionary on a store, with proofs on request.
//!
//! An [`Archive`] holds what validators do not: every slot, the versions within retention, and the
//! log of blocks. Nobody needs to trust it, since all it says is proved against commitments; but it
//! must not lose anything, so every version is one durable transaction, and an audit finds every
//! byte that is not what the blocks say.
//!
//! In the order of use: make a [`Genesis`](aardvark_dictionary::Genesis) on a published setup
//! ([`aardvark_commitment::setups`]), then [`Builder::create`], [`Archive::import`] or
//! [`Archive::propose`] and [`Archive::apply`], [`Snapshot::prove`], [`Snapshot::commitments`],
//! [`Archive::audit`]; later [`Builder::open`], or [`Builder::open_read_only`] beside other
//! readers; [`Snapshot::back_up`] and [`Builder::restore`].
//!
//! ```
//! use aardvark_archive::Archive;
//! use aardvark_commitment::{Kzg, Opening, VectorCommitment, setups};
//! use aardvark_dictionary::{Change, Claim, Genesis, Identity, Key, Parameters, Value};
//!
//! let parameters = Parameters { vector_size: 4, ..Parameters::default() };
//! let digest = setups::published_digest(parameters.scheme, parameters.vector_size)?;
//! // The salt should be random; it keeps two dictionaries of one name apart.
//! let identity = Identity::new("packages", [7; 32])?;
//! let genesis = Genesis::new(identity, parameters, digest, Vec::new())?;
//! let parent = tempfile::tempdir()?;
//! let mut archive = Archive::builder().create(&parent.path().join("archive"), &genesis)?;
//!
//! let curl = Key::from("curl");
//! let version = archive.import(vec![Change { key: curl.clone(), value: Some("8.5.0".into()) }])?;
//! assert_eq!(archive.get(&curl, version)?, Some(Value::from("8.5.0")));
//! assert_eq!(archive.get(&curl, 0)?, None);
//!
//! // A reader verifies what the archive says with the version's commitments, which it has from
//! // somebody it trusts. Here they come from the archive itself.
//! let commitments = archive.commitments(version)?;
//! let verifier = Kzg::verifier(4)?;
//! let is_proved = |claim: &Claim| {
//!     let (vector, index) = ((claim.position / 4) as usize, (claim.position % 4) as usize);
//!     match (commitments.get(vector), Opening::from_bytes(&claim.opening)) {
//!         (Some(commitment), Ok(opening)) => {
//!             verifier.verify(commitment, index, &claim.slot.scalar(), &opening)
//!         }
//!         _ => false,
//!     }
//! };
//! let present = archive.prove(&curl, version)?;
//! assert!(is_proved(&present) && present.slot.key == curl);
//! // The slot of curl names the next key after it. There is none, so wget is absent.
//! let absent = archive.prove(&Key::from("wget"), version)?;
//! assert!(is_proved(&absent) && absent.slot.covers(b"wget"));
//!
//! // A claim of something else is refused, and a slot says nothing of keys that it does not cover.
//! let mut forged = present.clone();
//! forged.slot.value = "9.0.0".into();
//! assert!(!is_proved(&forged));
//! assert!(!absent.slot.covers(b"bash"));
//!
//! assert!(archive.audit(&mut |_| {})?.is_clean());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]
#![warn(clippy::indexing_slicing)]

// What it stands on
mod creation;
mod damage;
mod directory;
pub mod error;
mod guard;
mod keys;
mod past_index;
pub mod progress;
mod records;
pub mod redb_store;
pub mod scratch;
mod shadow;
pub mod sorting;
pub mod store;
mod store_error;
mod table;
mod tables;
// The archive
mod archive;
mod array_at;
mod builder;
mod catching_up;
mod followed_root;
mod read;
mod scheme;
mod snapshot;
mod work;
// What it answers
mod answer;
mod answer_form;
mod answer_plan;
mod history;
pub mod openings;
mod past_state;
mod prove;
mod prove_answer;
mod publish;
mod state;
// Whether it is what its blocks say
pub mod audit;
// Bulk work
pub mod jobs;
// Copies of it
pub mod backup;
// What changes it
mod accepted;
mod apply;
pub mod changes;
mod commit;
mod deltas;
mod genesis;
mod import;
pub mod import_blocks;

pub use accepted::Accepted;
pub use answer_form::AnswerForm;
pub use answer_plan::AnswerPlan;
pub use archive::{Archive, OpenStore};
pub use audit::{Anchor, AnchoredCommitments, AuditReport, Fault, Finding};
pub use builder::Builder;
pub use directory::{CERTIFICATES_FILE, FORMAT, SERVICE_FILE};
pub use error::{ArchiveError, Damage, DamageKind, Place};
pub use followed_root::FollowedRoot;
pub use history::{Difference, ValueSince};
pub use import::Imported;
pub use jobs::{FalsePartition, Job, JobEnd, JobError, JobKind, JobReport, JobResult, JobStatus, Jobs};
pub use openings::{GivenOpening, OpeningCosts, OpeningOptions, OpeningStatistics, OwnOpenings, StoredOpenings};
pub use progress::{Phase, Progress};
pub use prove::Plan;
pub use read::LoggedBlock;
pub use records::{BlockKind, VersionInfo};
pub use redb_store::RedbStore;
pub use snapshot::{OpeningSource, Snapshot};
pub use store::StoreError;
pub use work::Work;

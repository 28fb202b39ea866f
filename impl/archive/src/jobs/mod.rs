//! Jobs: bulk work on the newest version, done in partitions, that goes on after a kill.
//!
//! A *partition* is a range of vectors, of [`Job::partition_size`] each but the last, or a block of
//! as many changes. A *job* does its partitions in ascending order, and each by all threads. There
//! are three kinds ([`JobKind`]):
//!
//! - An *audit* checks, for every vector: all its slots are there; each key is smaller than the
//!   next one that its slot names; the index leads from the key to the slot's position, and its
//!   next key is the one that the slot names; and the stored commitment is the one that is computed
//!   anew from the slots. At the end, of all partitions together: the index has as many keys as
//!   there are slots, so that with the checks above all slots form one ring; the keys and next keys
//!   that the partitions' records sum up are those of the index, so that partitions done before and
//!   after a kill speak of one ring; no slot or commitment stands beyond the last; the blocks are
//!   linked to the dictionary's id, which is that of parameters and genesis; each partition's
//!   commitments are still those that were recomputed; and the state root comes from these, and is
//!   the one that the caller expects, if any. These are the checks of [`Archive::audit_newest`].
//!   It writes no second file, and it does **not** show that the blocks of the log lead to this
//!   version, nor anything about versions before: [`Archive::audit`] does. A slot is read once: of
//!   what is damaged in it after its partition is recorded, a resumed job finds what changes its
//!   commitment or the index, no more.
//! - *Openings* stores all openings of all vectors ([`Snapshot::store_openings`]). Those of a
//!   vector are verified together under its stored commitment before they are kept; a row that is
//!   there already and up to date is kept if its digests hold. At the end, every vector has a row
//!   of its commitment.
//! - An *import* ([`Archive::start_import_job`]) makes a version of each block of changes. Whoever
//!   resumes it gives the same changes in the same order: recorded blocks are compared by their
//!   digest and not imported again, and the one that may be a version and not recorded changes
//!   nothing when it is imported once more. At the end it tells the state root.
//!
//! ```text
//! jobs.redb, a store of its own beside the archive's, table `meta`:
//! u8 kind                   -> u8 form || dictionary id (32) || u64 version
//!                              || link of the version (32) || u64 vectors, or changes
//!                              || u64 of these a partition || u64 turn
//! u8 kind || 0              -> u8 whether a root was given || u8 roots || root (32)*
//!                              || u16 number || (u16 length || finding, UTF-8)*: the end, if done
//! u8 kind || u64 partition  -> digest (32) || links (32) || u16 number
//!                              || (u16 length || finding, UTF-8)*
//! digest                     = H("AARDVARK-JOB-PARTITION", dictionary id || u64 version
//!                              || u64 first vector || commitments, uncompressed (96 each));
//!                              of an import H("AARDVARK-JOB-BLOCK", dictionary id || u64 partition
//!                              || (u64 length || key || (u8 0 | u8 1 || u64 length || value))*)
//! links                      = of an audit, the sum over its slots, modulo the group order, of
//!                              hash_to_scalar(u64 position || u16 length || key || next key,
//!                              "AARDVARK-JOB-LINK")
//! ```
//!
//! Records end with the checksum of [`crate::store`]'s records. They are not in the archive's own
//! store since audits and openings only read that, beside other readers: an audit's result is
//! nothing but its record, and the result of openings is in a file of its own. A partition of
//! openings is recorded once its rows are on the disk, a block once its version is. So what is
//! recorded is done, and a kill loses at most the partition in work, or the end. Only a job whose
//! end is recorded is done; whoever resumes it takes that record away and does the end again. Who
//! can write the file can forge a record, as he could change the archive after its audit: records
//! serve the operator of one machine, and prove nothing to others.
//!
//! One process works on a job at a time. Whoever starts or resumes it draws a new *turn*; a process
//! whose turn is over can record nothing any more and ends with [`JobError::TakenOver`]. Two that
//! work at the same time do nothing wrong, only twice. The store of records is open for an instant
//! at a time, so that [`Jobs::status`] answers while a job runs.
//!
//! A job is about one version of one dictionary, with one history (the version's link in the chain
//! of blocks). On another it is refused. An import is about the history that has the version at
//! which it began.
//!
//! [`Archive::audit`]: crate::Archive::audit
//! [`Archive::audit_newest`]: crate::Archive::audit_newest
//! [`Archive::start_import_job`]: crate::Archive::start_import_job
//! [`Snapshot::store_openings`]: crate::Snapshot::store_openings

mod directory;
mod form;
mod import;
mod job;
mod records;
mod run;

pub use directory::Jobs;
pub use job::{FalsePartition, Job, JobEnd, JobError, JobKind, JobReport, JobResult, JobStatus};

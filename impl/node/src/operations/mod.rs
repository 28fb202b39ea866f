//! What a process tells its operator, over HTTP on an address of its own: `/metrics` (OpenMetrics
//! text, which Prometheus reads), `/healthz` (it lives), `/readyz` (it does its work, or why not),
//! and of an archive `/backup`.
//!
//! `docs/operations.md` has the names and what to do about them. The address is for the operator:
//! whoever reaches it learns how busy the process is, and nothing secret.

mod backup_stream;
mod build;
mod endpoint;
mod process;
mod readiness;
mod registry;
mod reloads;
mod samples;

pub(crate) use backup_stream::Backups;
pub(crate) use endpoint::{Observed, observe};
pub use readiness::Readiness;
pub(crate) use registry::registry;
pub use reloads::note_reload;
pub(crate) use samples::Samples;

//! Whether a process does its work.

/// Whether a process does its work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Readiness {
    /// It does.
    Ready,
    /// It does not, or not yet, and why.
    NotReady(String),
}

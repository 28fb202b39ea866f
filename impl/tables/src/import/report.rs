//! How far an import is, and what it came to.

/// How far an import is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportStep {
    /// So many rows were read.
    Read(u64),
    /// Of so many numbers (the second), so many (the first) are certified and in the vault.
    Certified(u64, u64),
    /// The archive writes.
    Archive(aardvark_archive::Progress),
}

/// What an import came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImportReport {
    /// The newest version afterwards.
    pub version: u64,
    /// Rows that were read.
    pub rows: u64,
    /// Runs that were put.
    pub runs: u64,
    /// Sheets that they are on: one certificate each.
    pub sheets: u64,
}

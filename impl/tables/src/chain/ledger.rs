//! What a keeper asks of a chain: claims, and that transactions are signed, sent and waited for.

use std::collections::BTreeMap;

use aardvark_dictionary::{Claim, Key, Operation};

use super::draft::DraftCertificate;
use crate::error::TablesError;

/// What is to be signed.
#[derive(Clone, Debug)]
pub struct ToSign {
    /// What it does.
    pub operations: Vec<Operation>,
    /// What proves what it needs, of one version.
    pub claims: Vec<Claim>,
    /// The claims' version.
    pub version: u64,
    /// The certificates of the records that it puts, in their order.
    pub certificates: Vec<DraftCertificate>,
}

/// What became of a transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// This version has it.
    Applied(u64),
    /// It is not applied, for a reason that another one may not have: it came too late, there was
    /// no room, or what it requires has changed meanwhile.
    Again(String),
    /// The rules refuse it, for this reason.
    Refused(String),
}

/// A signed transaction.
#[derive(Clone, Debug)]
pub enum Signing<S> {
    /// It is signed, and good up to this version.
    Signed(S, u64),
    /// The rules refuse it, for this reason.
    Refused(String),
}

/// A chain, as a keeper writes to it. Nothing that it says is believed about rows: what is false in
/// claims the chain's validators refuse.
pub trait Ledger {
    /// A transaction that is signed.
    type Signed;
    /// Why nothing can be asked.
    type Error: From<TablesError>;

    /// Claims for keys at the newest version that can be had, and that version; for those that are
    /// to be deleted, their predecessors' too, where they are present.
    ///
    /// # Errors
    /// Nobody gives any.
    fn claims(&mut self, keys: &BTreeMap<Key, bool>) -> Result<(u64, Vec<Claim>), Self::Error>;

    /// Signs a transaction, which nobody else sees yet; or says why it is known to be refused.
    ///
    /// # Errors
    /// There is no key.
    fn sign(&mut self, write: ToSign) -> Result<Signing<Self::Signed>, Self::Error>;

    /// Sends a transaction; `None` where it was taken.
    ///
    /// # Errors
    /// Nobody takes any.
    fn send(&mut self, signed: &Self::Signed) -> Result<Option<Fate>, Self::Error>;

    /// Waits until it is known what became of a transaction that was taken.
    ///
    /// # Errors
    /// Nobody says.
    fn wait(&mut self, signed: &Self::Signed) -> Result<Fate, Self::Error>;

    /// Whether nothing can be applied any more that is good up to a version.
    ///
    /// # Errors
    /// Nobody says.
    fn is_past(&mut self, last_valid: u64) -> Result<bool, Self::Error>;
}

//! Answers: what a keeper says of the runs in a box, and what that proves
//! (`aardvark_spec::table::table_answer`, `table_answer_verifier`).
//!
//! An answer has claims of one version of the dictionary, which show the schema and exactly the
//! runs of the box; the numbers that are asked for; and one folded opening, which shows that these
//! are the numbers under the runs' commitments. [`Answer::verify`] judges it under what the asker
//! trusts of the dictionary and under the asker's own query:
//!
//! | module | what |
//! |---|---|
//! | [`reason`] | why an answer does not hold, in three classes |
//! | [`row`] | a row, as its owner is shown it |
//! | `runs` | the runs of a box, and what is claimed of them |
//! | `totals` | what runs add up to, group by group |
//! | `order` | what is claimed of the order of rows |
//! | `transcript` | what binds an answer, and its fold |
//! | `verifier`, `certified` | the verifier, in its phases; certificates of the runs |
//! | [`outcome`] | what an accepted answer says, as exact numbers |
//! | [`owner`] | what an owner holds against the row that it is shown |
//! | [`basis`] | on whose word it rests that runs are in order |
//! | [`prover`] | answers of runs whose rows are known |
//! | [`json`] | answers as text |

pub mod basis;
mod certified;
pub mod json;
mod order;
pub mod order_prover;
pub mod outcome;
pub mod owner;
pub mod prover;
pub mod reason;
pub mod row;
mod runs;
mod totals;
mod transcript;
mod verifier;

use aardvark_commitment::folded::FOLDED_BYTES;
use aardvark_dictionary::{Claim, DictionaryId};
use aardvark_proof::{DictionaryIdentity, RootTie};
use num::BigUint;

use crate::cut::Cut;
use crate::schema::{Schema, SchemaError};

pub use row::ShownRow;
pub use runs::MAX_RUNS;

/// A certificate with what it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatedCertificate {
    /// What it is about, as bytes.
    pub statement: Vec<u8>,
    /// The certificate, as bytes.
    pub certificate: Vec<u8>,
}

/// Whether the certificates of an answer's runs are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certificates {
    /// They are not: the asker relies on those who let the runs into the dictionary.
    Ignored,
    /// Each run that the answer uses must stand in a statement whose certificate holds.
    Required,
}

/// An answer. Dictionary, version, table and query stand in it so that a mix-up has a clear name; a
/// verifier compares them with its own, and uses only these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The dictionary.
    pub dictionary: DictionaryId,
    /// The version.
    pub version: u64,
    /// The table's name.
    pub table: String,
    /// The query's text.
    pub query: String,
    /// The claim of the schema.
    pub schema: Claim,
    /// The claims of the scan, in its order: runs, and slots that show gaps. For a row, that of its
    /// run.
    pub runs: Vec<Claim>,
    /// The claims of the segments that are shown of runs of several, each run's in the order of
    /// their numbers.
    pub segments: Vec<Claim>,
    /// The totals of each group, S_1 and on, in ascending order of the groups' keys.
    pub totals: Vec<Vec<BigUint>>,
    /// The cut of the rows at a rank or a number.
    pub cut: Option<Cut>,
    /// The comparisons that show the cut, as bytes.
    pub comparisons: Vec<Vec<u8>>,
    /// The row.
    pub row: Option<ShownRow>,
    /// W and W', where anything is claimed of commitments.
    pub opening: Option<[u8; FOLDED_BYTES]>,
    /// The certificates of the runs, where they were asked for.
    pub certificates: Vec<StatedCertificate>,
    /// What ties the dictionary's claims to a root; none where commitments are trusted.
    pub tie: Option<RootTie>,
}

impl Answer {
    /// The schema that the answer claims the table to have: to read a query with, before the answer
    /// is verified, which shows that it is the table's.
    ///
    /// # Errors
    /// [`SchemaError`].
    pub fn claimed_schema(&self) -> Result<Schema, SchemaError> {
        Schema::from_bytes(&self.schema.slot.value)
    }

    /// What the answer says that its dictionary's id is over, if it does: only under a root alone
    /// it is looked at.
    pub fn identity(&self) -> Option<&DictionaryIdentity> {
        self.tie.as_ref()?.identity.as_ref()
    }
}

//! What either side has to say of a function, and the names by which it is read.

use std::collections::{BTreeMap, BTreeSet};

/// What is known of a function, by one of the two.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Resolved {
    /// The types of its parameters, and of its result; references are erased.
    pub(super) parameters: Vec<String>,
    pub(super) result: String,
    /// The specification's functions that it calls, and how often.
    pub(super) calls: BTreeMap<String, usize>,
    /// The constants that it names.
    pub(super) constants: BTreeSet<String>,
    /// The constructors of the specification's enums that it names in expressions.
    pub(super) constructors: BTreeSet<String>,
    /// The operations on integers, with their width, and how often.
    pub(super) operations: BTreeMap<(String, String), usize>,
    /// The variables that it binds.
    pub(super) variables: BTreeSet<String>,
    /// The types that sequences are indexed by.
    pub(super) indices: BTreeSet<String>,
}

/// The names by which rustc's text is read.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    /// Functions, the given ones and those that are left out among them.
    pub(super) functions: BTreeSet<String>,
    /// Constants.
    pub(super) constants: BTreeSet<String>,
    /// Enums.
    pub(super) enums: BTreeSet<String>,
}

//! A second opinion: what rustc resolved, compared with what the translator resolved.
//!
//! The translator resolves names and infers types by itself. rustc does both for the program that
//! runs, and shows the outcome as its mid-level intermediate representation (MIR). For each
//! translated function the two must agree on: types of parameters and result; the specification's
//! functions that it calls, each as often; the constants and constructors that it names; the
//! operations on integers, each with its width; and each variable that the translator binds is one
//! that rustc binds. Sequences are indexed by `usize` only.
//!
//! Not compared: which variable an operand is, and the order of evaluation. rustc's text has no
//! stable form; whatever is not understood ends as a difference, never as agreement.

mod mir;
mod own;
mod resolved;

use std::fmt;

use crate::core::File;
use resolved::Resolved;

/// A function on which the two do not agree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The function.
    pub function: String,
    /// In what.
    pub about: &'static str,
    /// What the translator has.
    pub translator: String,
    /// What rustc has.
    pub rustc: String,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { function, about, translator, rustc } = self;
        write!(f, "{function}: {about}: the translator has {translator}, rustc has {rustc}")
    }
}

/// Compares the files of a translation with rustc's MIR of the same crate, as `-Zunpretty=mir
/// -Zmir-opt-level=0` prints it. Gives the number of functions compared, and the differences.
pub fn compare(files: &[File], mir: &str) -> (usize, Vec<Disagreement>) {
    let own = own::functions(files);
    let theirs = mir::functions(mir, &own::names(files));
    let mut disagreements = Vec::new();
    for (function, own) in &own {
        match theirs.get(function) {
            None => disagreements.push(Disagreement {
                function: function.clone(),
                about: "existence",
                translator: "it".to_owned(),
                rustc: "nothing of the name".to_owned(),
            }),
            Some(theirs) => disagreements.extend(differences(function, own, theirs)),
        }
    }
    (own.len(), disagreements)
}

fn differences(function: &str, own: &Resolved, theirs: &Resolved) -> Vec<Disagreement> {
    let mut found = Vec::new();
    let mut compare = |about: &'static str, agree: bool, own: &dyn fmt::Debug, theirs: &dyn fmt::Debug| {
        if !agree {
            let (translator, rustc) = (format!("{own:?}"), format!("{theirs:?}"));
            found.push(Disagreement { function: function.to_owned(), about, translator, rustc });
        }
    };
    compare("parameters", own.parameters == theirs.parameters, &own.parameters, &theirs.parameters);
    compare("result", own.result == theirs.result, &own.result, &theirs.result);
    compare("calls", own.calls == theirs.calls, &own.calls, &theirs.calls);
    compare("constants", own.constants == theirs.constants, &own.constants, &theirs.constants);
    compare("constructors", own.constructors == theirs.constructors, &own.constructors, &theirs.constructors);
    compare("operations", own.operations == theirs.operations, &own.operations, &theirs.operations);
    let unbound: Vec<_> = own.variables.difference(&theirs.variables).collect();
    compare("variables", unbound.is_empty(), &unbound, &theirs.variables);
    let others: Vec<_> = theirs.indices.iter().filter(|index| *index != "usize").collect();
    compare("indices", others.is_empty(), &["usize"], &others);
    found
}

#[cfg(test)]
mod tests;

//! The translator: from the specification, `spec/src`, to Coq, file for file, folder for folder.
//!
//! It is our own and unverified, so it is part of what the proofs trust. It earns that trust by
//! being small, by refusing with file, line and reason whatever it does not understand, and by its
//! tests: programs outside of the subset, each refused, and programs inside, whose value in Coq is
//! the value in Rust.
//!
//! The way of the text: Rust's syntax ([`syn`]) → [`items`], [`body`], [`expressions`], [`calls`],
//! [`patterns`]: names resolved, types inferred, assignments turned into bindings → [`core`], a
//! small functional language → [`safety`]: the conditions under which a function does not panic →
//! [`print_file`]: Coq.
//!
//! What the generated text means is said in `coq/Prelude.v`.
#![forbid(unsafe_code)]

// Reading.
mod attributes;
pub mod body;
pub mod calls;
pub mod context;
pub mod error;
pub mod expressions;
mod finish;
pub mod globals;
mod imports;
pub mod items;
pub mod modules;
pub mod names;
pub mod patterns;
pub mod primitives;
pub mod refusal;
mod scalar_field;
pub mod specification;
pub mod types;

// Between the two languages.
pub mod core;
pub mod opinion;
pub mod safety;

// Writing.
pub mod layout;
pub mod output;
pub mod print_expression;
pub mod print_file;

pub use error::TranslationError;
pub use output::{Difference, check, write};
pub use refusal::Refusal;

use std::path::Path;

/// The file that says what the primitives mean; it is copied beside the generated files.
pub const PRELUDE: &str = include_str!("../coq/Prelude.v");

/// A generated file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratedFile {
    /// Its name, such as `Base/Bytes.v`.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// Translates the specification in a folder that holds `lib.rs`. The files stand in an order in
/// which Coq can compile them.
pub fn translate(folder: &Path) -> Result<Vec<GeneratedFile>, TranslationError> {
    let files = specification::read(folder)?;
    let mut generated = vec![GeneratedFile { name: "Prelude.v".to_owned(), text: PRELUDE.to_owned() }];
    let mut safety = safety::Safety::default();
    let mut twinned = Vec::new();
    for file in &files {
        generated.push(GeneratedFile { name: file.module.generated(""), text: print_file::definitions(file) });
        let twins = safety.twins(file);
        if !twins.is_empty() {
            let text = print_file::conditions(file, &twins, &twinned);
            twinned.push(file.module.clone());
            generated.push(GeneratedFile { name: file.module.generated("Safe"), text });
        }
    }
    Ok(generated)
}

/// Compares what the translator resolved in the specification of a folder with rustc's MIR of it.
pub fn second_opinion(folder: &Path, mir: &str) -> Result<(usize, Vec<opinion::Disagreement>), TranslationError> {
    Ok(opinion::compare(&specification::read(folder)?, mir))
}

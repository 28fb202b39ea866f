//! The specification's source files, and what the mutations of a function may draw on: the types of
//! fields, parameters and results.

use std::collections::BTreeMap;
use std::path::Path;

use quote::ToTokens;

use crate::chore::{ChoreError, files_below, read};

/// What the translator does not read: lists of modules, and conversions for tests.
const LEFT_OUT: [&str; 3] = ["lib.rs", "mod.rs", "convert.rs"];

/// A file of the specification.
pub struct SourceFile {
    /// Its name below `spec/src`: `block/checks.rs`.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Its syntax, whose spans count the bytes of the text.
    pub syntax: syn::File,
}

/// The parameters and the result of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// Names and types of the parameters; the types as [`text_of`] writes them.
    pub parameters: Vec<(String, String)>,
    /// The result's type; empty where there is none.
    pub result: String,
}

/// All files, and what they declare.
#[derive(Default)]
pub struct Specification {
    /// In the order of their names.
    pub files: Vec<SourceFile>,
    /// For each struct its fields and their types.
    pub structs: BTreeMap<String, Vec<(String, String)>>,
    /// For each enum its variants without fields.
    pub variants: BTreeMap<String, Vec<String>>,
    /// For each function, whose name is unique, its signature.
    pub functions: BTreeMap<String, Signature>,
}

impl Specification {
    /// Reads the folder that holds `lib.rs`.
    pub fn read(folder: &Path) -> Result<Self, ChoreError> {
        let mut specification = Self::default();
        for path in files_below(folder, &["rs"])? {
            let name = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().into_owned();
            if !LEFT_OUT.iter().any(|left_out| name == *left_out || name.ends_with(&format!("/{left_out}"))) {
                specification.add(name, read(&path)?)?;
            }
        }
        Ok(specification)
    }

    /// Adds a file with this text.
    pub fn add(&mut self, name: String, text: String) -> Result<(), ChoreError> {
        let syntax =
            syn::parse_file(&text).map_err(|error| ChoreError::Mutation(format!("{name} is not Rust: {error}")))?;
        for item in &syntax.items {
            self.declare(item);
        }
        self.files.push(SourceFile { name, text, syntax });
        Ok(())
    }

    fn declare(&mut self, item: &syn::Item) {
        match item {
            syn::Item::Struct(found) => {
                let field = |field: &syn::Field| Some((field.ident.as_ref()?.to_string(), text_of(&field.ty)));
                self.structs.insert(found.ident.to_string(), found.fields.iter().filter_map(field).collect());
            }
            syn::Item::Enum(found) => {
                let units = found.variants.iter().filter(|variant| variant.fields.is_empty());
                self.variants.insert(found.ident.to_string(), units.map(|variant| variant.ident.to_string()).collect());
            }
            syn::Item::Fn(found) => {
                self.functions.insert(found.sig.ident.to_string(), signature(&found.sig));
            }
            _ => {}
        }
    }

    /// The other fields of the struct of this field that have its type. Names of fields are unique.
    pub fn siblings(&self, field: &str) -> Vec<String> {
        for fields in self.structs.values() {
            if let Some((_, kind)) = fields.iter().find(|(name, _)| name == field) {
                let others = fields.iter().filter(|(name, same)| name != field && same == kind);
                return others.map(|(name, _)| name.clone()).collect();
            }
        }
        Vec::new()
    }
}

fn signature(found: &syn::Signature) -> Signature {
    let parameters = found.inputs.iter().filter_map(|input| match input {
        syn::FnArg::Typed(typed) => Some((text_of(&typed.pat), text_of(&typed.ty))),
        syn::FnArg::Receiver(_) => None,
    });
    let result = match &found.output {
        syn::ReturnType::Default => String::new(),
        syn::ReturnType::Type(_, kind) => text_of(kind),
    };
    Signature { parameters: parameters.collect(), result }
}

/// The text of a piece of syntax, without spaces.
pub fn text_of(syntax: &impl ToTokens) -> String {
    syntax.to_token_stream().to_string().replace(' ', "")
}

/// A type without the `&` before it.
pub fn owned(kind: &str) -> &str {
    kind.trim_start_matches('&')
}

//! The functions and records of `proofs/generated`, read from the text that the translator writes.
//!
//! The translator's layout is fixed: a definition begins with `Definition` at the start of a line,
//! and ends with the first line that ends with a full stop. Prelude.v is not read: it is written by
//! hand, and says what the primitives mean.

use std::collections::BTreeMap;
use std::path::Path;

use crate::chore::{ChoreError, coq_files, name_below, read};

/// A function: a definition with at least one parameter.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its file below `generated/`, without `.v`: `Base/Bytes`.
    pub file: String,
    /// Its name.
    pub name: String,
    /// The whole definition.
    pub text: String,
    /// Where the body begins in `text`: after `:=`.
    pub body: usize,
    /// Its parameters and their types.
    pub parameters: Vec<(String, String)>,
    /// The type of its result.
    pub result: String,
}

impl Function {
    /// Whether it is the twin of another: the condition under which that one does not panic.
    pub fn is_twin(&self) -> bool {
        self.file.ends_with("Safe")
    }
}

/// What the changes of a function may draw on.
#[derive(Debug, Default)]
pub struct Library {
    /// All functions, in the order of files and lines.
    pub functions: Vec<Function>,
    /// For each field the other fields of its record with the same type.
    pub siblings: BTreeMap<String, Vec<String>>,
    /// The constructors `Reason_..`.
    pub reasons: Vec<String>,
}

/// Reads the folder of generated files.
pub fn read_library(folder: &Path) -> Result<Library, ChoreError> {
    let mut library = Library::default();
    for path in coq_files(folder)? {
        let file = name_below(folder, &path);
        if file != "Prelude" {
            add_file(&mut library, &file, &read(&path)?);
        }
    }
    Ok(library)
}

fn add_file(library: &mut Library, file: &str, text: &str) {
    let mut fields: Vec<(String, String)> = Vec::new();
    let mut definition: Option<String> = None;
    for line in text.lines() {
        if let Some(begun) = &mut definition {
            begun.push('\n');
            begun.push_str(line);
        } else if line.starts_with("Definition ") {
            definition = Some(line.to_owned());
        } else if line.starts_with("Record ") {
            fields.clear();
        } else if let Some((field, kind)) = field_of(line) {
            fields.push((field, kind));
        } else if line == "}." {
            add_siblings(library, &fields);
        } else if let Some(reason) = line.strip_prefix("| Reason_") {
            library.reasons.push(format!("Reason_{}", reason.trim_end_matches('.')));
        }
        if line.ends_with('.') {
            library.functions.extend(definition.take().and_then(|text| function_of(file, text)));
        }
    }
}

/// A line of a record, `  name : type;`.
fn field_of(line: &str) -> Option<(String, String)> {
    let (name, kind) = line.strip_prefix("  ")?.strip_suffix(';')?.split_once(" : ")?;
    let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '\'');
    is_name.then(|| (name.to_owned(), kind.to_owned()))
}

fn add_siblings(library: &mut Library, fields: &[(String, String)]) {
    for (name, kind) in fields {
        let others = fields.iter().filter(|(other, same)| other != name && same == kind);
        library.siblings.insert(name.clone(), others.map(|(other, _)| other.clone()).collect());
    }
}

/// The function that a definition's text defines; none when it has no parameter.
fn function_of(file: &str, text: String) -> Option<Function> {
    let assigned = text.find(" :=")?;
    let head = text.get("Definition ".len()..assigned)?;
    let name: String = head.chars().take_while(|c| !c.is_whitespace()).collect();
    let (groups, result) = split_head(head.get(name.len()..)?);
    let parameters: Vec<(String, String)> = groups.iter().flat_map(|group| parameters_of(group)).collect();
    (!parameters.is_empty()).then(|| Function {
        file: file.to_owned(),
        name,
        body: assigned + " :=".len(),
        parameters,
        result,
        text,
    })
}

/// The groups `(a b : T)` of a head, without their parentheses, and the type after the last.
fn split_head(head: &str) -> (Vec<String>, String) {
    let (mut groups, mut depth, mut current, mut rest) = (Vec::new(), 0u32, String::new(), String::new());
    for c in head.chars() {
        let inside = depth > 0;
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        // A result of type `Result (A * B) C` has parentheses of its own, after the colon.
        if !inside && c == '(' && !rest.contains(':') {
            current.clear();
        } else if inside && depth == 0 && !rest.contains(':') {
            groups.push(std::mem::take(&mut current));
        } else if depth > 0 && !rest.contains(':') {
            current.push(c);
        } else {
            rest.push(c);
        }
    }
    (groups, rest.trim().trim_start_matches(':').trim().to_owned())
}

fn parameters_of(group: &str) -> Vec<(String, String)> {
    let Some((names, kind)) = group.split_once(" : ") else {
        return Vec::new();
    };
    names.split_whitespace().map(|name| (name.to_owned(), kind.trim().to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "Record Slot : Type := {\n  (** The key. *)\n  key : ByteString;\n  next : ByteString;\n  size : usize;\n}.\n\
        \n(** Doubles. *)\nDefinition twice\n    (a b : list (N * N))\n    (c : usize) : Result (A * B) C :=\n  Some state.(size)\n    + 1.\n\
        \nDefinition constant : usize :=\n  1.\n";

    #[test]
    fn functions_have_their_parameters_and_result_and_constants_are_left_out() {
        let mut library = Library::default();
        add_file(&mut library, "File", TEXT);
        let [function] = library.functions.as_slice() else { panic!("{library:?}") };
        let kind = "list (N * N)".to_owned();
        let expected = [("a", kind.clone()), ("b", kind), ("c", "usize".to_owned())];
        assert_eq!(function.parameters, expected.map(|(name, kind)| (name.to_owned(), kind)));
        assert_eq!((function.name.as_str(), function.result.as_str()), ("twice", "Result (A * B) C"));
        assert_eq!(&function.text[function.body..], "\n  Some state.(size)\n    + 1.");
    }

    #[test]
    fn fields_of_one_type_are_siblings() {
        let mut library = Library::default();
        add_file(&mut library, "File", TEXT);
        assert_eq!(library.siblings["key"], ["next"]);
        assert!(library.siblings["size"].is_empty());
    }
}

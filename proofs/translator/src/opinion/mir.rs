//! What rustc resolved, read from its MIR: a function's head, its variables, and of the statements
//! of its blocks calls, constants, constructors and operations.

use std::collections::BTreeMap;

use super::resolved::{Names, Resolved};
use crate::names::primed;
use crate::types::Width;

/// The functions of the crate's modules, by name. What the crate derives or its macros make
/// (`<impl at ..>`) is left out; what a function's constants are promoted to counts as its own.
pub(super) fn functions(mir: &str, names: &Names) -> BTreeMap<String, Resolved> {
    let mut found = BTreeMap::<String, Resolved>::new();
    let mut body = None;
    for line in mir.lines() {
        if line.starts_with('}') {
            body = None;
        } else if let Some(head) = line.strip_prefix("fn ") {
            body = Body::of_function(head, &mut found);
        } else if let Some(head) = line.strip_prefix("const ") {
            body = Body::of_promoted(head);
        } else if let Some(body) = &mut body {
            body.line(line.trim(), names, found.entry(body.function.clone()).or_default());
        }
    }
    found
}

/// A body that is being read.
struct Body {
    function: String,
    /// Types of its places, by number.
    types: BTreeMap<String, String>,
    /// The width of the latest test for equality: a division tests its divisor so.
    tested: Option<String>,
}

impl Body {
    /// `path::name(_1: T, ..) -> R {`
    fn of_function(head: &str, found: &mut BTreeMap<String, Resolved>) -> Option<Self> {
        let (path, rest) = head.split_once('(')?;
        let (parameters, result) = rest.rsplit_once(") -> ")?;
        if path.contains('<') {
            return None;
        }
        let body = Self { function: last(path).to_owned(), types: BTreeMap::new(), tested: None };
        let entry = found.entry(body.function.clone()).or_default();
        entry.result = show(result.trim_end_matches(" {"));
        let mut types = BTreeMap::new();
        for parameter in split(parameters) {
            let (place, kind) = parameter.split_once(": ")?;
            types.insert(place.to_owned(), show(kind));
            entry.parameters.push(show(kind));
        }
        Some(Self { types, ..body })
    }

    /// `path::name::promoted[0]: T = {`
    fn of_promoted(head: &str) -> Option<Self> {
        let (path, _) = head.split_once("::promoted[")?;
        (!path.contains('<')).then(|| Self { function: last(path).to_owned(), types: BTreeMap::new(), tested: None })
    }

    fn line(&mut self, line: &str, names: &Names, found: &mut Resolved) {
        if let Some((name, _)) = line.strip_prefix("debug ").and_then(|rest| rest.split_once(" => ")) {
            found.variables.insert(primed(name));
        } else if let Some(declared) = line.strip_prefix("let ") {
            let declared = declared.trim_start_matches("mut ").trim_end_matches(';');
            if let Some((place, kind)) = declared.split_once(": ") {
                self.types.insert(place.to_owned(), show(kind));
            }
        } else if let Some((place, value)) = line.split_once(" = ") {
            self.constants(line, names, found);
            self.value(place, value, names, found);
        } else {
            let divides = [" by zero\"", " with a divisor of zero\""].iter().any(|ending| line.contains(ending));
            if let Some(width) = self.tested.take().filter(|_| divides) {
                found.operations.entry(("Eq".to_owned(), width)).and_modify(|count| *count -= 1);
                found.operations.retain(|_, count| *count > 0);
            }
            self.constants(line, names, found);
        }
    }

    /// What is assigned: a call, an operation, a construction, or something of no interest.
    fn value(&mut self, place: &str, value: &str, names: &Names, found: &mut Resolved) {
        if let Some((_, index)) = value.split_once("Index<").filter(|_| value.starts_with('<')) {
            found.indices.insert(index.split('>').next().unwrap_or_default().to_owned());
        }
        for (method, name) in [("PartialEq>::eq(", "Eq"), ("PartialEq>::ne(", "Ne")] {
            let kind = value.split_once(method).and_then(|(kind, _)| kind.split_once(" as "));
            let kind = kind.map(|(kind, _)| show(kind.trim_start_matches('<')));
            if let Some(kind) = kind.filter(|kind| is_integer(kind)) {
                *found.operations.entry((name.to_owned(), kind)).or_default() += 1;
            }
        }
        let head = value.split(['(', ' ', ';', '{']).next().unwrap_or_default();
        let is_path =
            !head.is_empty() && head.chars().all(|letter| letter.is_ascii_alphanumeric() || "_:".contains(letter));
        if !is_path {
            return;
        }
        if names.functions.contains(last(head)) && value.contains(" -> [") && !is_foreign(head) {
            *found.calls.entry(last(head).to_owned()).or_default() += 1;
        } else if let Some((kind, variant)) = two_last(head).filter(|(kind, _)| names.enums.contains(*kind)) {
            found.constructors.insert(format!("{kind}_{variant}"));
        } else if let Some(operands) = value.strip_prefix(head).and_then(|rest| rest.strip_prefix('(')) {
            self.operation(place, head, operands, found);
        }
    }

    fn operation(&mut self, place: &str, head: &str, operands: &str, found: &mut Resolved) {
        let name = match head.trim_end_matches("WithOverflow") {
            "Gt" => "Lt",
            "Ge" => "Le",
            name @ ("Add" | "Sub" | "Mul" | "Div" | "Rem" | "Eq" | "Ne" | "Lt" | "Le") => name,
            _ => return,
        };
        let operands = split(operands.trim_end_matches(';').trim_end_matches(')'));
        // Two named constants show no type; the outcome of what may overflow does.
        let outcome = || self.types.get(place)?.strip_prefix('(')?.strip_suffix(", bool)").map(str::to_owned);
        let kind =
            operands.iter().find_map(|operand| self.kind(operand)).or_else(outcome).unwrap_or_else(|| "?".to_owned());
        // Booleans and discriminants are compared too; those of no width are not integers here.
        if !["bool", "isize"].contains(&kind.as_str()) {
            self.tested = (name == "Eq").then(|| kind.clone());
            *found.operations.entry((name.to_owned(), kind)).or_default() += 1;
        }
    }

    /// The type of an operand: `copy _1`, `move (_1.0: usize)`, `const 8_usize`, `const MAX`.
    fn kind(&self, operand: &str) -> Option<String> {
        if let Some(literal) = operand.strip_prefix("const ") {
            if ["true", "false"].contains(&literal) {
                return Some("bool".to_owned());
            }
            let of_width = two_last(literal).map(|(width, _)| width).filter(|_| is_width(literal));
            let digits = literal.starts_with(|letter: char| letter.is_ascii_digit());
            let suffix = literal.rsplit_once('_').map(|(_, width)| width).filter(|_| digits);
            return of_width.or(suffix).map(str::to_owned);
        }
        let place = operand.trim_start_matches("copy ").trim_start_matches("move ");
        if let Some(inner) = place.strip_prefix('(').and_then(|place| place.strip_suffix(')')) {
            return match inner.strip_prefix('*') {
                Some(place) if !inner.contains(": ") => self.types.get(place).cloned(),
                _ => inner.rsplit_once(": ").map(|(_, kind)| show(kind)),
            };
        }
        self.types.get(place).cloned()
    }

    /// The constants named in a line.
    fn constants(&self, line: &str, names: &Names, found: &mut Resolved) {
        for rest in line.split("const ").skip(1) {
            let path: String = rest.chars().take_while(|c| c.is_ascii_alphanumeric() || "_:".contains(*c)).collect();
            if names.constants.contains(last(&path)) && !is_foreign(&path) && !is_width(&path) {
                found.constants.insert(last(&path).to_owned());
            }
        }
    }
}

/// A function of a library, printed with its crate.
fn is_foreign(path: &str) -> bool {
    let crates = ["hacspec_lib::", "std::", "core::", "alloc::", "num::", "num_bigint::", "num_traits::"];
    crates.iter().any(|library| path.starts_with(library))
}

/// A constant of a machine integer, such as `u64::MAX`.
fn is_width(path: &str) -> bool {
    two_last(path).is_some_and(|(kind, _)| is_integer(kind))
}

/// A machine integer of the subset.
fn is_integer(kind: &str) -> bool {
    Width::of_name(kind).is_some()
}

/// The last name of a path.
fn last(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}

/// The last two names of a path.
fn two_last(path: &str) -> Option<(&str, &str)> {
    let (before, variant) = path.rsplit_once("::")?;
    Some((last(before), variant))
}

/// A type without references, and without the paths of what it names.
fn show(kind: &str) -> String {
    let mut shown = String::new();
    let mut word = String::new();
    for letter in kind.replace("&mut ", "").replace('&', "").chars() {
        if letter.is_ascii_alphanumeric() || letter == '_' || letter == ':' {
            word.push(letter);
        } else {
            shown.push_str(last(&word));
            word.clear();
            shown.push(letter);
        }
    }
    shown.push_str(last(&word));
    shown
}

/// The parts of a list, at its commas that stand in no brackets.
fn split(list: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0_i32, 0);
    for (place, letter) in list.char_indices() {
        match letter {
            '(' | '<' | '[' => depth += 1,
            ')' | '>' | ']' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(list[start..place].trim());
                start = place + 1;
            }
            _ => {}
        }
    }
    parts.push(list[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

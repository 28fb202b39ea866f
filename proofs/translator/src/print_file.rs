//! Writing files as Coq: one for the definitions, one for the conditions under which they mean
//! something.

use crate::core::{File, Function, Given, Item, ItemKind, Parameter};
use crate::layout::{Document, group, nest, sequence, text};
use crate::modules::Module;
use crate::names::file_stem;
use crate::print_expression::{expression, type_argument, type_text};
use crate::types::Type;

/// The line by which a generated file is known.
pub const MARK: &str = "Do not edit: change the specification, then run `cargo xtask translate`.";

/// The definitions of a file.
pub fn definitions(file: &File) -> String {
    let mut out = format!("(* Translated from spec/src/{}. {MARK} *)\n\n", file.module.source());
    out.push_str(&comment(&file.documentation, ""));
    out.push_str(&requires(
        std::iter::once("Prelude".to_owned()).chain(file.imports.iter().map(|module| module.logical(""))),
    ));
    let sectioned = file.scalars || !file.givens.is_empty();
    out.push_str(&opening(file, sectioned));
    for item in &file.items {
        out.push('\n');
        out.push_str(&comment(&item.documentation, ""));
        out.push_str(&item_text(item, &file.module.name));
    }
    if sectioned {
        out.push_str("\nEnd Specification.\n");
    }
    out
}

/// The twins of a file's functions; `twinned` are the modules so far that have twins.
pub fn conditions(file: &File, twins: &[(String, Function)], twinned: &[Module]) -> String {
    let mut out = format!("(* Translated from spec/src/{}. {MARK} *)\n\n", file.module.source());
    out.push_str(&comment(&["When the functions of this module do not panic: see Prelude.".to_owned()], ""));
    let imports = file.imports.iter().filter(|module| twinned.contains(module)).map(|module| module.logical("Safe"));
    out.push_str(&requires(std::iter::once(file.module.logical("")).chain(imports)));
    let own_given = file.items.iter().any(|item| matches!(item.kind, ItemKind::Givens(_)));
    let sectioned = file.scalars || !file.givens.is_empty();
    out.push_str(&opening(file, sectioned));
    if own_given {
        out.push_str(&format!("Context {}.\n", given_context(&file.module.name)));
    }
    for (name, twin) in twins {
        out.push('\n');
        out.push_str(&comment(&[format!("When [{name}] does not panic.")], ""));
        out.push_str(&function_text(&format!("{name}_safe"), twin));
    }
    if sectioned {
        out.push_str("\nEnd Specification.\n");
    }
    out
}

fn requires(files: impl Iterator<Item = String>) -> String {
    let files: Vec<String> = files.collect();
    let required = fill(&text(format!("From AardvarkSpec Require Export {}.", files.join(" "))));
    format!("{required}\nLocal Open Scope bool_scope.\nLocal Open Scope list_scope.\nLocal Open Scope N_scope.\n")
}

fn opening(file: &File, sectioned: bool) -> String {
    if !sectioned {
        return String::new();
    }
    let mut out = "\nSection Specification.\n\nContext {F : ScalarOperations}".to_owned();
    for given in &file.givens {
        out.push(' ');
        out.push_str(&given_context(given));
    }
    out.push_str(".\n");
    out
}

fn given_context(module: &str) -> String {
    format!("{{{module}_given : {}Given}}", file_stem(module))
}

fn item_text(item: &Item, module: &str) -> String {
    let name = &item.name;
    match &item.kind {
        ItemKind::Struct(fields, default) => {
            let mut out = format!("Record {name} : Type := {{\n");
            for field in fields {
                out.push_str(&comment(&field.documentation, "  "));
                out.push_str(&format!("  {} : {};\n", field.name, type_text(&field.kind)));
            }
            out.push_str("}.\n");
            if *default {
                let fields: Vec<String> = fields.iter().map(|field| format!("{} := default", field.name)).collect();
                out.push_str(&default_instance(name, &format!("{{| {} |}}", fields.join("; "))));
            }
            out
        }
        ItemKind::Enum(variants, default) => {
            let mut out = format!("Inductive {name} : Type :=\n");
            for variant in variants {
                out.push_str(&comment(&variant.documentation, ""));
                out.push_str(&format!("| {}", variant.name));
                for field in &variant.fields {
                    out.push_str(&format!(" (_ : {})", type_text(field)));
                }
                out.push('\n');
            }
            out.insert(out.len() - 1, '.');
            if let Some(default) = default {
                out.push_str(&default_instance(name, default));
            }
            out
        }
        ItemKind::Alias(target) => format!("Definition {name} : Type := {}.\n", type_text(target)),
        ItemKind::Constant(kind, value) => {
            definition(&format!("Definition {name} : {} :=", type_text(kind)), expression(value))
        }
        ItemKind::Function(function) => function_text(name, function),
        ItemKind::Givens(givens) => givens_text(name, givens, module),
        ItemKind::ScalarField(modulus) => {
            format!(
                "(** The field's modulus; the field itself is [Scalar] of the prelude. *)\nDefinition {name} := 0x{modulus}.\n"
            )
        }
        ItemKind::LeftOut(names) => {
            let names = names.iter().map(|name| sequence([Document::Line, text(name.clone())]));
            let list = nest(sequence([text("(* Left out:"), sequence(names), text(" *)")]));
            format!("{}\n", fill(&list))
        }
    }
}

/// The words of a text, on as many lines as needed.
fn fill(found: &Document) -> String {
    let flat = found.render().replace('\n', " ");
    let mut out = String::new();
    let mut column = 0;
    for word in flat.split_whitespace() {
        if column + word.len() > 110 {
            out.push_str("\n  ");
            column = 2;
        } else if column > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += word.len();
    }
    out
}

fn default_instance(name: &str, value: &str) -> String {
    format!("\n#[global] Instance Default_{name} : Default {name} := {value}.\n")
}

fn givens_text(class: &str, givens: &[Given], module: &str) -> String {
    let mut out = "(** Given, not translated: the theorems hold whatever these are. *)\n".to_owned();
    out.push_str(&format!("Class {class} : Type := {{\n"));
    for given in givens {
        out.push_str(&comment(&given.documentation, "  "));
        let mut kinds: Vec<String> = given.parameters.iter().map(|parameter| type_argument(&parameter.kind)).collect();
        kinds.push(type_text(&given.result));
        out.push_str(&format!("  {} : {};\n", given.name, kinds.join(" -> ")));
    }
    out.push_str("}.\n");
    for given in givens {
        if let Some(body) = &given.body {
            out.push_str(&format!("\n(** What [{}] is in the specification. *)\n", given.name));
            let parameters = given.parameters.clone();
            let function = Function { parameters, result: given.result.clone(), body: body.clone() };
            out.push_str(&function_text(&format!("{}_of_spec", given.name), &function));
        }
    }
    out.push_str(&format!("\nContext {}.\n", given_context(module)));
    out
}

fn function_text(name: &str, function: &Function) -> String {
    let mut head = vec![text(format!("Definition {name}"))];
    for (names, kind) in grouped(&function.parameters) {
        head.push(Document::Line);
        head.push(text(format!("({} : {})", names.join(" "), type_text(&kind))));
    }
    head.push(text(format!(" : {} :=", type_text(&function.result))));
    let head = group(nest(nest(sequence(head)))).render();
    definition(&head, expression(&function.body))
}

fn definition(head: &str, value: Document) -> String {
    let body = nest(sequence([Document::HardLine, value, text(".")])).render();
    format!("{head}{body}\n")
}

/// Neighbouring parameters of one type stand in one group.
fn grouped(parameters: &[Parameter]) -> Vec<(Vec<String>, Type)> {
    let mut groups: Vec<(Vec<String>, Type)> = Vec::new();
    for parameter in parameters {
        match groups.last_mut() {
            Some((names, kind)) if *kind == parameter.kind => names.push(parameter.name.clone()),
            _ => groups.push((vec![parameter.name.clone()], parameter.kind.clone())),
        }
    }
    groups
}

/// Documentation as a comment. Coq reads strings and nested comments within comments, so what looks
/// like their beginning or end is taken apart.
fn comment(lines: &[String], indent: &str) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let quotes = lines.iter().map(|line| line.matches('"').count()).sum::<usize>();
    let clean = |line: &String| {
        let line = line.replace("(*", "( *").replace("*)", "* )").replace("\\[", "[").replace("\\]", "]");
        if quotes % 2 == 1 { line.replace('"', "''") } else { line }
    };
    let lines: Vec<String> = lines.iter().map(clean).collect();
    let text = lines.join(&format!("\n{indent}    "));
    let tidy: Vec<&str> = text.split('\n').map(str::trim_end).collect();
    format!("{indent}(** {} *)\n", tidy.join("\n"))
}

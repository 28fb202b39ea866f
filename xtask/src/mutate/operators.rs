//! The operators of the mutation study: what each kind of expression is replaced by.
//!
//! | operator | replaces |
//! |---|---|
//! | `compare` | `<` by `<=`, `>` by `>=` and back; `==` by `!=` and back |
//! | `arithmetic` | `+` by `-`, `*` by `+`, `/` by `*`, `%` by `/`; `-` by `+` |
//! | `constant` | a number by the next one, a boolean by the other one |
//! | `logic` | `&&` by `\|\|` and back, and either by one of its sides |
//! | `condition` | the condition of an `if` by its negation, `true`, `false`; `!a` by `a` |
//! | `arm` | what a `match` gives in one case by what it gives in the next, or the first |
//! | `field` | a field by another one of the same type |
//! | `variant` | a variant without fields by the next one of its enum |
//! | `update` | the new value of a field by that in the argument of the same struct |
//! | `swap` | two arguments, or the values of two fields, of one type by each other |
//! | `drop` | a call by its first argument of the result's type; an appended item by none |
//! | `bound` | the end of a loop by the number before |
//! | `result` | what the function gives by `true`, `false`, `Ok(())`, or `None`; `Some(..)` by `None` |

use std::ops::Range;

use syn::spanned::Spanned;

use crate::mutate::finder::Finder;
use crate::mutate::specification::{Specification, owned};

/// Methods that give what they are called on, with something behind it.
const APPENDING: [&str; 3] = ["push_owned", "concat", "concat_owned"];

/// Mutations of what the whole function gives.
pub fn whole_function(finder: &mut Finder<'_>, function: &syn::ItemFn) {
    let Some(syn::Stmt::Expr(last, None)) = function.block.stmts.last() else { return };
    let result = finder.signature.result.as_str();
    let replacements: &[&str] = match result {
        "bool" => &["true", "false"],
        _ if result.starts_with("Result<(),") => &["Ok(())"],
        _ if result.starts_with("Option<") => &["None"],
        _ => &[],
    };
    for to in replacements {
        finder.replace("result", last, *to);
    }
}

/// Mutations of an expression that is neither a place nor a method's call.
pub fn expression(finder: &mut Finder<'_>, found: &syn::Expr) {
    match found {
        syn::Expr::Binary(binary) => binary_operator(finder, binary),
        syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Not(_), expr, .. }) => {
            let operand = finder.source(expr).to_owned();
            finder.replace("condition", found, operand);
        }
        syn::Expr::Lit(literal) => constant(finder, literal),
        syn::Expr::If(choice) => condition(finder, &choice.cond),
        syn::Expr::Match(choice) => arms(finder, choice),
        syn::Expr::Path(path) => variant(finder, path),
        syn::Expr::Struct(literal) => record(finder, literal),
        syn::Expr::Call(call) => function_call(finder, call),
        syn::Expr::ForLoop(each) => bound(finder, &each.expr),
        _ => {}
    }
}

fn binary_operator(finder: &mut Finder<'_>, binary: &syn::ExprBinary) {
    use syn::BinOp;
    let (operator, to) = match binary.op {
        BinOp::Lt(_) => ("compare", "<="),
        BinOp::Le(_) => ("compare", "<"),
        BinOp::Gt(_) => ("compare", ">="),
        BinOp::Ge(_) => ("compare", ">"),
        BinOp::Eq(_) => ("compare", "!="),
        BinOp::Ne(_) => ("compare", "=="),
        BinOp::Add(_) => ("arithmetic", "-"),
        BinOp::Sub(_) | BinOp::Mul(_) => ("arithmetic", "+"),
        BinOp::Div(_) => ("arithmetic", "*"),
        BinOp::Rem(_) => ("arithmetic", "/"),
        BinOp::And(_) => ("logic", "||"),
        BinOp::Or(_) => ("logic", "&&"),
        _ => return,
    };
    let (left, right) = (finder.source(&binary.left).to_owned(), finder.source(&binary.right).to_owned());
    finder.replace(operator, binary, format!("{left} {to} {right}"));
    if operator == "logic" {
        finder.replace(operator, binary, left);
        finder.replace(operator, binary, right);
    }
}

fn constant(finder: &mut Finder<'_>, literal: &syn::ExprLit) {
    match &literal.lit {
        syn::Lit::Bool(value) => finder.replace("constant", literal, (!value.value).to_string()),
        syn::Lit::Int(value) => {
            if let Some(next) = value.base10_parse::<u128>().ok().and_then(|number| number.checked_add(1)) {
                finder.replace("constant", literal, format!("{next}{}", value.suffix()));
            }
        }
        _ => {}
    }
}

fn condition(finder: &mut Finder<'_>, tested: &syn::Expr) {
    let negated = format!("!({})", finder.source(tested));
    // Not where another operator makes the same of it.
    let is_test = |binary: &syn::ExprBinary| matches!(binary.op, syn::BinOp::Eq(_) | syn::BinOp::Ne(_));
    let has_negation = match tested {
        syn::Expr::Binary(binary) => is_test(binary),
        syn::Expr::Unary(unary) => matches!(unary.op, syn::UnOp::Not(_)),
        _ => false,
    };
    for to in ["true", "false"] {
        finder.replace("condition", tested, to);
    }
    if !has_negation {
        finder.replace("condition", tested, negated);
    }
}

fn arms(finder: &mut Finder<'_>, choice: &syn::ExprMatch) {
    let bodies: Vec<&syn::Expr> = choice.arms.iter().map(|arm| arm.body.as_ref()).collect();
    for (number, body) in bodies.iter().enumerate() {
        let next = bodies.get(number + 1).or(bodies.first());
        if let Some(next) = next.filter(|_| bodies.len() > 1) {
            let to = finder.source(next).to_owned();
            finder.replace_body("arm", body, to);
        }
    }
}

fn variant(finder: &mut Finder<'_>, path: &syn::ExprPath) {
    let names: Vec<String> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let [kind, variant] = names.as_slice() else { return };
    let Some(variants) = finder.specification.variants.get(kind) else { return };
    let Some(number) = variants.iter().position(|known| known == variant) else { return };
    if let Some(next) = variants.get(number + 1).or(variants.first()).filter(|next| *next != variant) {
        finder.replace("variant", path, format!("{kind}::{next}"));
    }
}

fn record(finder: &mut Finder<'_>, literal: &syn::ExprStruct) {
    let Some(kind) = literal.path.get_ident().map(ToString::to_string) else { return };
    let Some(declared) = finder.specification.structs.get(&kind) else { return };
    let typed: Vec<(&str, &str, &syn::Expr)> =
        literal.fields.iter().filter_map(|field| given(declared, field)).collect();
    let argument = finder.signature.parameters.iter().find(|(_, of)| owned(of) == kind);
    let updates: Vec<(&syn::Expr, String)> = match argument {
        Some((name, _)) => typed.iter().map(|(field, _, value)| (*value, format!("{name}.{field}.clone()"))).collect(),
        None => Vec::new(),
    };
    let texts: Vec<(Range<usize>, String, &str)> = typed
        .iter()
        .map(|(_, kind, value)| (value.span().byte_range(), finder.source(*value).to_owned(), *kind))
        .collect();
    for (value, to) in updates {
        let same = finder.source(value) == to || format!("{}.clone()", finder.source(value)) == to;
        if !same {
            finder.replace("update", value, to);
        }
    }
    swap(finder, literal, &texts);
}

/// A field's name, type and given value; none where the value is a variable of the field's name.
fn given<'a>(
    declared: &'a [(String, String)],
    field: &'a syn::FieldValue,
) -> Option<(&'a str, &'a str, &'a syn::Expr)> {
    let syn::Member::Named(name) = &field.member else { return None };
    field.colon_token?;
    declared.iter().find(|(known, _)| name == known).map(|(name, kind)| (name.as_str(), kind.as_str(), &field.expr))
}

fn function_call(finder: &mut Finder<'_>, call: &syn::ExprCall) {
    let syn::Expr::Path(path) = call.func.as_ref() else { return };
    let Some(name) = path.path.segments.last().map(|segment| segment.ident.to_string()) else { return };
    if name == "Some" {
        finder.replace("result", call, "None");
    }
    let Some(signature) = finder.specification.functions.get(&name) else { return };
    let kinds = signature.parameters.iter().map(|(_, kind)| kind.as_str());
    let arguments: Vec<(Range<usize>, String, &str)> = call
        .args
        .iter()
        .zip(kinds)
        .map(|(argument, kind)| (argument.span().byte_range(), finder.source(argument).to_owned(), kind))
        .collect();
    let given = arguments.iter().find(|(_, _, kind)| owned(kind) == signature.result);
    let dropped =
        given.map(|(_, text, kind)| if owned(kind) == *kind { text.clone() } else { format!("({text}).clone()") });
    if let Some(to) = dropped {
        finder.replace("drop", call, to);
    }
    swap(finder, call, &arguments);
}

/// Exchanges each of these parts of an expression with the next that has its type.
fn swap(finder: &mut Finder<'_>, whole: &impl Spanned, parts: &[(Range<usize>, String, &str)]) {
    for (number, (range, text, kind)) in parts.iter().enumerate() {
        let next = parts.iter().skip(number + 1).find(|(_, _, other)| other == kind);
        if let Some((other, other_text, _)) = next.filter(|(_, other, _)| other != text) {
            finder.replace_parts("swap", whole, &[(range.clone(), other_text.clone()), (other.clone(), text.clone())]);
        }
    }
}

/// Mutations of a method's call.
pub fn method_call(finder: &mut Finder<'_>, call: &syn::ExprMethodCall) {
    if APPENDING.iter().any(|method| call.method == method) {
        let receiver = finder.source(&call.receiver).to_owned();
        let to = if call.method == "push_owned" || call.method == "concat_owned" {
            receiver
        } else {
            format!("{receiver}.clone()")
        };
        finder.replace("drop", call, to);
    }
}

fn bound(finder: &mut Finder<'_>, over: &syn::Expr) {
    let syn::Expr::Range(range) = over else { return };
    if let Some(end) = &range.end {
        let text = finder.source(end).to_owned();
        finder.replace("bound", end, format!("if {text} > 0 {{ {text} - 1 }} else {{ 0 }}"));
    }
}

/// The bytes of a field's name, and the other fields of its type.
pub fn siblings(finder: &Finder<'_>, field: &syn::ExprField) -> Vec<(Range<usize>, String)> {
    let syn::Member::Named(name) = &field.member else { return Vec::new() };
    let siblings = Specification::siblings(finder.specification, &name.to_string());
    siblings.into_iter().take(1).map(|sibling| (name.span().byte_range(), sibling)).collect()
}

//! Writing expressions, patterns and types as Coq.

use crate::core::{Expression, Loop, Operator, Pattern, Primitive};
use crate::layout::{Document, group, nest, sequence, text};
use crate::names::primed;
use crate::types::{Type, Width};

/// A type.
pub fn type_text(kind: &Type) -> String {
    match kind {
        Type::Integer(width) => width.name().to_owned(),
        Type::Bool => "bool".to_owned(),
        Type::Unit | Type::Variable(_) => "unit".to_owned(),
        Type::Scalar => "Scalar".to_owned(),
        Type::Seq(element) => format!("Seq {}", type_argument(element)),
        Type::Option(element) => format!("Option {}", type_argument(element)),
        Type::Result(value, error) => format!("Result {} {}", type_argument(value), type_argument(error)),
        Type::Tuple(parts) => {
            let parts: Vec<String> = parts.iter().map(type_argument).collect();
            parts.join(" * ")
        }
        Type::Named(name) | Type::Alias(name, _) => primed(name),
    }
}

/// A type as an argument: in parentheses where needed.
pub fn type_argument(kind: &Type) -> String {
    match kind {
        Type::Seq(_) | Type::Option(_) | Type::Result(..) | Type::Tuple(_) => format!("({})", type_text(kind)),
        _ => type_text(kind),
    }
}

/// An expression in a place that needs no parentheses.
pub fn expression(found: &Expression) -> Document {
    match found {
        Expression::Call(name, arguments) | Expression::Construct(name, arguments) => application(name, arguments),
        Expression::Primitive(primitive, arguments) => application(primitive_name(*primitive), arguments),
        Expression::Not(operand) => application("negb", std::slice::from_ref(operand)),
        Expression::Binary(operator, parts, kind, _) => binary(*operator, &parts.0, &parts.1, kind),
        Expression::Cast(value, from, to) => match narrowing(from, to) {
            Some(width) => sequence([operand(value), text(format!(" mod 2 ^ {}", width.bits()))]),
            None => expression(value),
        },
        Expression::If(_) => group(choice(found)),
        Expression::Match(scrutinee, arms) => matching(scrutinee, arms.iter().map(|(p, e)| (p.clone(), expression(e)))),
        Expression::Let(pattern, parts) => sequence([
            group(sequence([
                text(format!("let {} :=", binder_text(pattern))),
                nest(sequence([Document::Line, expression(&parts.0)])),
                Document::Line,
                text("in"),
            ])),
            Document::HardLine,
            expression(&parts.1),
        ]),
        Expression::TryOption(pattern, parts) => {
            let none = Pattern::Construct("None".to_owned(), Vec::new());
            let some = Pattern::Construct("Some".to_owned(), vec![pattern.clone()]);
            matching(&parts.0, [(some, expression(&parts.1)), (none, text("None"))])
        }
        Expression::TryResult(pattern, parts) => {
            // No Rust name has a prime.
            let error = Pattern::Construct("Err".to_owned(), vec![Pattern::Binding("e'".to_owned())]);
            let ok = Pattern::Construct("Ok".to_owned(), vec![pattern.clone()]);
            matching(&parts.0, [(ok, expression(&parts.1)), (error, text("Err e'"))])
        }
        Expression::Loop(looped) => {
            let body = abstraction(looped, &looped.body);
            applied("fold_left", vec![body, indices(looped), argument(&looped.initial)])
        }
        Expression::LoopSafe(parts) => {
            let (looped, safe) = parts.as_ref();
            let both = [abstraction(looped, &looped.body), abstraction(looped, safe)];
            let [body, body_safe] = both;
            applied("loop_safe", vec![body, body_safe, indices(looped), argument(&looped.initial)])
        }
        atom => atomic(atom),
    }
}

/// An expression as a function's argument.
fn argument(found: &Expression) -> Document {
    match found {
        Expression::Construct(name, arguments) if arguments.is_empty() => text(name.clone()),
        Expression::Call(name, arguments) if arguments.is_empty() => text(name.clone()),
        Expression::Cast(value, from, to) if narrowing(from, to).is_none() => argument(value),
        Expression::Local(_)
        | Expression::Constant(_)
        | Expression::Number(..)
        | Expression::LongNumber(_)
        | Expression::Bool(_)
        | Expression::Unit
        | Expression::List(_)
        | Expression::Record(_)
        | Expression::Field(..)
        | Expression::Typed(..)
        | Expression::Tuple(_) => atomic(found),
        _ => group(sequence([text("("), nest(expression(found)), text(")")])),
    }
}

/// An expression as an operand: an application needs no parentheses there.
fn operand(found: &Expression) -> Document {
    match found {
        Expression::Call(..) | Expression::Construct(..) | Expression::Primitive(..) | Expression::Not(_) => {
            expression(found)
        }
        Expression::Cast(value, from, to) if narrowing(from, to).is_none() => operand(value),
        _ => argument(found),
    }
}

fn atomic(found: &Expression) -> Document {
    match found {
        Expression::Local(name) | Expression::Constant(name) => text(name.clone()),
        Expression::Number(value, ..) => text(value.to_string()),
        Expression::LongNumber(digits) => text(format!("0x{digits}")),
        Expression::Bool(value) => text(value.to_string()),
        Expression::List(parts) => delimited("[", ";", "]", parts.iter().map(expression)),
        Expression::Tuple(parts) => delimited("(", ",", ")", parts.iter().map(expression)),
        Expression::Typed(value, kind, _) => {
            sequence([text("("), expression(value), text(format!(" : {})", type_text(kind)))])
        }
        Expression::Record(fields) => {
            let fields = fields.iter().map(|(name, value)| {
                let value = nest(sequence([Document::Line, expression(value)]));
                group(sequence([text(format!("{name} :=")), value]))
            });
            delimited("{| ", ";", " |}", fields)
        }
        Expression::Field(of, name) => sequence([argument(of), text(format!(".({name})"))]),
        _ => text("tt"),
    }
}

fn delimited(open: &str, separator: &str, close: &str, parts: impl Iterator<Item = Document>) -> Document {
    let mut inner = Vec::new();
    for part in parts {
        if !inner.is_empty() {
            inner.extend([text(separator), Document::Line]);
        }
        inner.push(part);
    }
    group(sequence([text(open), nest(sequence(inner)), text(close)]))
}

fn application(name: &str, arguments: &[Expression]) -> Document {
    applied(name, arguments.iter().map(argument).collect())
}

fn applied(name: &str, arguments: Vec<Document>) -> Document {
    let arguments = arguments.into_iter().map(|argument| sequence([Document::Line, argument]));
    group(sequence([text(name), nest(sequence(arguments))]))
}

fn abstraction(looped: &Loop, body: &Expression) -> Document {
    let head = text(format!("(fun {} {} =>", looped.accumulator, looped.index));
    group(sequence([head, nest(sequence([Document::Line, expression(body)])), text(")")]))
}

fn indices(looped: &Loop) -> Document {
    sequence([text("("), applied("range", vec![argument(&looped.from), argument(&looped.to)]), text(")")])
}

fn choice(found: &Expression) -> Document {
    let Expression::If(parts) = found else {
        return nest(sequence([Document::Line, expression(found)]));
    };
    let (condition, first, second) = parts.as_ref();
    let otherwise = match second {
        Expression::If(_) => sequence([text(" "), choice(second)]),
        _ => choice(second),
    };
    sequence([
        text("if "),
        nest(expression(condition)),
        text(" then"),
        nest(sequence([Document::Line, expression(first)])),
        Document::Line,
        text("else"),
        otherwise,
    ])
}

fn matching(scrutinee: &Expression, arms: impl IntoIterator<Item = (Pattern, Document)>) -> Document {
    let arms = arms.into_iter().map(|(pattern, value)| {
        let head = text(format!("| {} =>", pattern_text(&pattern)));
        let arm = group(sequence([head, nest(nest(sequence([Document::Line, value])))]));
        sequence([Document::HardLine, arm])
    });
    let head = group(sequence([text("match "), nest(expression(scrutinee)), text(" with")]));
    sequence([head, sequence(arms), Document::HardLine, text("end")])
}

fn binary(operator: Operator, left: &Expression, right: &Expression, kind: &Type) -> Document {
    if operator == Operator::NotEqual {
        let equal = binary(Operator::Equal, left, right, kind);
        return sequence([text("negb ("), equal, text(")")]);
    }
    if operator == Operator::Append {
        return group(appended(left, right));
    }
    let left = if binds_tighter(left, operator, true) { expression(left) } else { operand(left) };
    let right = if binds_tighter(right, operator, false) { expression(right) } else { operand(right) };
    let symbol = text(format!(" {}", symbol(operator, kind)));
    group(sequence([left, symbol, Document::Line, right]))
}

/// A chain of concatenations, without parentheses: Coq associates them to the right, Rust's methods
/// to the left, and concatenation is associative.
fn appended(left: &Expression, right: &Expression) -> Document {
    let part = |found: &Expression| match found {
        Expression::Binary(Operator::Append, parts, ..) => appended(&parts.0, &parts.1),
        other => operand(other),
    };
    sequence([part(left), text(" ++"), Document::Line, part(right)])
}

/// Whether an operand that is itself a binary operation needs no parentheses. It gets them anywhere
/// in doubt.
fn binds_tighter(found: &Expression, outer: Operator, on_the_left: bool) -> bool {
    let Expression::Binary(inner, ..) = found else { return false };
    let sums = [Operator::Add, Operator::Subtract];
    match outer {
        Operator::Add | Operator::Subtract => *inner == Operator::Multiply || (on_the_left && sums.contains(inner)),
        Operator::Multiply | Operator::And | Operator::Or => on_the_left && *inner == outer,
        Operator::Less | Operator::AtMost | Operator::Equal => *inner == Operator::Multiply || sums.contains(inner),
        _ => false,
    }
}

fn symbol(operator: Operator, kind: &Type) -> &'static str {
    let scalar = *kind == Type::Scalar;
    match operator {
        Operator::Add if scalar => "[+]",
        Operator::Subtract if scalar => "[-]",
        Operator::Multiply if scalar => "[*]",
        Operator::Equal | Operator::NotEqual if scalar => "[=?]",
        Operator::Equal | Operator::NotEqual if *kind == Type::Bool => "=b?",
        Operator::Add => "+",
        Operator::Subtract => "-",
        Operator::Multiply => "*",
        Operator::Divide => "/",
        Operator::Remainder => "mod",
        Operator::Equal | Operator::NotEqual => "=?",
        Operator::Less => "<?",
        Operator::AtMost => "<=?",
        Operator::And => "&&",
        Operator::Or => "||",
        Operator::Append => "++",
    }
}

fn primitive_name(primitive: Primitive) -> &'static str {
    match primitive {
        Primitive::SeqNew => "seq_new",
        Primitive::SeqLength => "seq_length",
        Primitive::SeqAt => "seq_at",
        Primitive::SeqSlice => "seq_slice",
        Primitive::ScalarOfNumber => "scalar_of_N",
        Primitive::ScalarPower => "scalar_pow",
        Primitive::ScalarInverse => "scalar_inv",
        Primitive::Fits(Width::U8) => "within_u8",
        Primitive::Fits(Width::U32) => "within_u32",
        Primitive::Fits(Width::U64) => "within_u64",
        Primitive::Fits(Width::U128) => "within_u128",
        Primitive::Fits(Width::Usize) => "within_usize",
    }
}

/// The width to which a cast cuts its value off, if it may do so.
fn narrowing(from: &Type, to: &Type) -> Option<Width> {
    match (from, to) {
        (Type::Integer(from), Type::Integer(to)) if from.bits() <= to.bits() => None,
        (_, Type::Integer(to)) => Some(*to),
        _ => None,
    }
}

fn binder_text(pattern: &Pattern) -> String {
    match pattern {
        Pattern::Wildcard | Pattern::Binding(_) => pattern_text(pattern),
        _ => format!("'{}", pattern_text(pattern)),
    }
}

fn pattern_text(pattern: &Pattern) -> String {
    match pattern {
        Pattern::Construct(name, fields) if !fields.is_empty() => {
            let fields: Vec<String> = fields.iter().map(pattern_argument).collect();
            format!("{name} {}", fields.join(" "))
        }
        Pattern::Or(cases) => {
            let cases: Vec<String> = cases.iter().map(pattern_text).collect();
            cases.join(" | ")
        }
        _ => pattern_argument(pattern),
    }
}

fn pattern_argument(pattern: &Pattern) -> String {
    match pattern {
        Pattern::Wildcard => "_".to_owned(),
        Pattern::Binding(name) => name.clone(),
        Pattern::Number(value) => value.to_string(),
        Pattern::Bool(value) => value.to_string(),
        Pattern::Unit => "tt".to_owned(),
        Pattern::Tuple(parts) => {
            let parts: Vec<String> = parts.iter().map(pattern_text).collect();
            format!("({})", parts.join(", "))
        }
        Pattern::Construct(name, fields) if fields.is_empty() => name.clone(),
        Pattern::Construct(..) | Pattern::Or(_) => format!("({})", pattern_text(pattern)),
    }
}

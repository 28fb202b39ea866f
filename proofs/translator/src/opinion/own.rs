//! What the translator resolved.

use std::collections::BTreeMap;

use super::resolved::{Names, Resolved};
use crate::core::{Expression, File, Function, Item, ItemKind, Loop, Operator, Pattern};
use crate::types::Type;

/// The names that the files declare.
pub(super) fn names(files: &[File]) -> Names {
    let mut names = Names::default();
    for Item { name, kind, .. } in files.iter().flat_map(|file| &file.items) {
        match kind {
            ItemKind::Function(_) => drop(names.functions.insert(name.clone())),
            ItemKind::Givens(givens) => names.functions.extend(givens.iter().map(|given| given.name.clone())),
            ItemKind::LeftOut(functions) => names.functions.extend(functions.iter().cloned()),
            ItemKind::Constant(..) => drop(names.constants.insert(name.clone())),
            ItemKind::Enum(..) => drop(names.enums.insert(name.clone())),
            ItemKind::Struct(..) | ItemKind::Alias(_) | ItemKind::ScalarField(_) => {}
        }
    }
    names
}

/// All translated functions, by name.
pub(super) fn functions(files: &[File]) -> BTreeMap<String, Resolved> {
    let items = files.iter().flat_map(|file| &file.items);
    let functions = items.filter_map(|item| match &item.kind {
        ItemKind::Function(function) => Some((item.name.clone(), resolved(function))),
        _ => None,
    });
    functions.collect()
}

fn resolved(function: &Function) -> Resolved {
    let mut found = Resolved {
        parameters: function.parameters.iter().map(|parameter| show(&parameter.kind)).collect(),
        result: show(&function.result),
        ..Resolved::default()
    };
    found.variables.extend(function.parameters.iter().map(|parameter| parameter.name.clone()));
    found.expression(&function.body);
    found
}

/// A type as the reader of MIR writes it.
fn show(kind: &Type) -> String {
    match kind {
        Type::Integer(width) => width.name().to_owned(),
        Type::Bool => "bool".to_owned(),
        Type::Unit => "()".to_owned(),
        Type::Scalar => "Scalar".to_owned(),
        Type::Seq(part) => format!("Seq<{}>", show(part)),
        Type::Option(part) => format!("Option<{}>", show(part)),
        Type::Result(value, error) => format!("Result<{}, {}>", show(value), show(error)),
        Type::Tuple(parts) => format!("({})", parts.iter().map(show).collect::<Vec<_>>().join(", ")),
        Type::Named(name) => name.clone(),
        Type::Alias(_, meaning) => show(meaning),
        Type::Variable(_) => "?".to_owned(),
    }
}

impl Resolved {
    fn all(&mut self, parts: &[Expression]) {
        parts.iter().for_each(|part| self.expression(part));
    }

    fn expression(&mut self, expression: &Expression) {
        match expression {
            Expression::Local(_)
            | Expression::Number(..)
            | Expression::LongNumber(_)
            | Expression::Bool(_)
            | Expression::Unit => {}
            Expression::Constant(name) => drop(self.constants.insert(name.clone())),
            Expression::List(parts) | Expression::Primitive(_, parts) | Expression::Tuple(parts) => self.all(parts),
            Expression::Call(name, parts) => {
                *self.calls.entry(name.clone()).or_default() += 1;
                self.all(parts);
            }
            Expression::Construct(name, parts) => {
                // Those of options and results have no enum before them.
                if name.contains('_') {
                    self.constructors.insert(name.clone());
                }
                self.all(parts);
            }
            Expression::Record(fields) => fields.iter().for_each(|(_, value)| self.expression(value)),
            Expression::Field(of, _) | Expression::Not(of) | Expression::Cast(of, ..) | Expression::Typed(of, ..) => {
                self.expression(of);
            }
            Expression::Binary(operator, parts, kind, _) => {
                if let (Some(name), Type::Integer(width)) = (name_of(*operator), kind) {
                    *self.operations.entry((name.to_owned(), width.name().to_owned())).or_default() += 1;
                }
                self.expression(&parts.0);
                self.expression(&parts.1);
            }
            Expression::If(parts) => {
                self.expression(&parts.0);
                self.expression(&parts.1);
                self.expression(&parts.2);
            }
            Expression::Match(scrutinee, arms) => {
                self.expression(scrutinee);
                for (pattern, value) in arms {
                    self.pattern(pattern);
                    self.expression(value);
                }
            }
            Expression::Let(pattern, parts)
            | Expression::TryOption(pattern, parts)
            | Expression::TryResult(pattern, parts) => {
                self.pattern(pattern);
                self.expression(&parts.0);
                self.expression(&parts.1);
            }
            Expression::Loop(looped) => self.looped(looped),
            Expression::LoopSafe(parts) => {
                self.looped(&parts.0);
                self.expression(&parts.1);
            }
        }
    }

    fn looped(&mut self, looped: &Loop) {
        self.bound(&looped.accumulator);
        self.bound(&looped.index);
        for part in [&looped.from, &looped.to, &looped.initial, &looped.body] {
            self.expression(part);
        }
    }

    fn bound(&mut self, name: &str) {
        if name != "_" {
            self.variables.insert(name.to_owned());
        }
    }

    fn pattern(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Binding(name) => self.bound(name),
            Pattern::Construct(_, parts) | Pattern::Tuple(parts) | Pattern::Or(parts) => {
                parts.iter().for_each(|part| self.pattern(part));
            }
            Pattern::Wildcard | Pattern::Number(_) | Pattern::Bool(_) | Pattern::Unit => {}
        }
    }
}

/// The operation's name in MIR; what swaps its operands has one name.
fn name_of(operator: Operator) -> Option<&'static str> {
    match operator {
        Operator::Add => Some("Add"),
        Operator::Subtract => Some("Sub"),
        Operator::Multiply => Some("Mul"),
        Operator::Divide => Some("Div"),
        Operator::Remainder => Some("Rem"),
        Operator::Equal => Some("Eq"),
        Operator::NotEqual => Some("Ne"),
        Operator::Less => Some("Lt"),
        Operator::AtMost => Some("Le"),
        Operator::And | Operator::Or | Operator::Append => None,
    }
}

//! When does a function not panic: the boolean twin of each function.
//!
//! The translation of a function is total: its integers are exact natural numbers, so that a
//! difference is cut off at 0, a sum never overflows, and an index out of range yields a default.
//! In Rust each of these panics. So beside each function `f` stands `f_safe`, with the same
//! parameters: the conjunction of the conditions under which none of it happens, in the order in
//! which Rust evaluates, under exactly the branches that Rust takes. Where nothing can panic there
//! is no twin.

use std::collections::HashSet;

use crate::core::{Expression, File, Function, ItemKind, Loop, Operator, Pattern, Primitive};
use crate::refusal::Place;
use crate::types::{Type, Width};

/// The functions that have a twin.
#[derive(Debug, Default)]
pub struct Safety {
    conditional: HashSet<String>,
}

impl Safety {
    /// The twins of a file's functions, in their order: the name of the function, and the twin.
    pub fn twins(&mut self, file: &File) -> Vec<(String, Function)> {
        let mut twins = Vec::new();
        for item in &file.items {
            let ItemKind::Function(function) = &item.kind else { continue };
            let condition = self.condition(&function.body);
            if condition == Expression::Bool(true) {
                continue;
            }
            self.conditional.insert(item.name.clone());
            let parameters = function.parameters.clone();
            twins.push((item.name.clone(), Function { parameters, result: Type::Bool, body: condition }));
        }
        twins
    }

    /// The condition under which evaluating an expression does not panic.
    fn condition(&self, found: &Expression) -> Expression {
        use Expression as E;
        match found {
            E::Local(_) | E::Constant(_) | E::Number(..) | E::LongNumber(_) | E::Bool(_) | E::Unit => E::Bool(true),
            E::List(parts) | E::Construct(_, parts) | E::Tuple(parts) => self.conditions(parts),
            E::Record(fields) => fields.iter().map(|(_, value)| self.condition(value)).fold(E::Bool(true), and),
            E::Field(of, _) | E::Not(of) | E::Cast(of, ..) | E::Typed(of, ..) => self.condition(of),
            E::Call(name, arguments) => {
                let own = if self.conditional.contains(name) {
                    E::Call(format!("{name}_safe"), arguments.clone())
                } else {
                    E::Bool(true)
                };
                and(self.conditions(arguments), own)
            }
            E::Primitive(primitive, arguments) => {
                and(self.conditions(arguments), primitive_range(*primitive, arguments))
            }
            E::Binary(operator, parts, kind, _) => self.binary(*operator, parts, kind, found),
            E::If(parts) => {
                let (condition, first, second) = parts.as_ref();
                and(self.condition(condition), either(condition, self.condition(first), self.condition(second)))
            }
            E::Match(scrutinee, arms) => {
                let arms: Vec<(Pattern, E)> =
                    arms.iter().map(|(pattern, value)| (pattern.clone(), self.condition(value))).collect();
                let inner = if arms.iter().all(|(_, condition)| *condition == E::Bool(true)) {
                    E::Bool(true)
                } else {
                    E::Match(scrutinee.clone(), arms)
                };
                and(self.condition(scrutinee), inner)
            }
            E::Let(pattern, parts) => {
                let inner = match self.condition(&parts.1) {
                    E::Bool(true) => E::Bool(true),
                    inner if matches!(pattern, Pattern::Binding(name) if !inner.mentions(name)) => inner,
                    inner => E::bind(pattern.clone(), parts.0.clone(), inner),
                };
                and(self.condition(&parts.0), inner)
            }
            E::TryOption(pattern, parts) => {
                let otherwise = (Pattern::Construct("None".to_owned(), Vec::new()), E::Bool(true));
                self.attempt("Some", pattern, parts, otherwise)
            }
            E::TryResult(pattern, parts) => {
                let otherwise = (Pattern::Construct("Err".to_owned(), vec![Pattern::Wildcard]), E::Bool(true));
                self.attempt("Ok", pattern, parts, otherwise)
            }
            E::Loop(looped) => self.looped(looped),
            // Conditions are not themselves evaluated by Rust.
            E::LoopSafe(_) => E::Bool(true),
        }
    }

    fn conditions(&self, parts: &[Expression]) -> Expression {
        parts.iter().map(|part| self.condition(part)).fold(Expression::Bool(true), and)
    }

    fn attempt(
        &self,
        constructor: &str,
        pattern: &Pattern,
        parts: &(Expression, Expression),
        otherwise: (Pattern, Expression),
    ) -> Expression {
        let inner = match self.condition(&parts.1) {
            Expression::Bool(true) => Expression::Bool(true),
            inner => {
                let found = Pattern::Construct(constructor.to_owned(), vec![pattern.clone()]);
                Expression::Match(Box::new(parts.0.clone()), vec![(found, inner), otherwise])
            }
        };
        and(self.condition(&parts.0), inner)
    }

    fn looped(&self, looped: &Loop) -> Expression {
        let before = [&looped.from, &looped.to, &looped.initial];
        let before = before.into_iter().map(|part| self.condition(part)).fold(Expression::Bool(true), and);
        let each = match self.condition(&looped.body) {
            Expression::Bool(true) => Expression::Bool(true),
            each => Expression::LoopSafe(Box::new((looped.clone(), each))),
        };
        and(before, each)
    }

    fn binary(
        &self,
        operator: Operator,
        parts: &(Expression, Expression),
        kind: &Type,
        found: &Expression,
    ) -> Expression {
        let (left, right) = parts;
        let compare =
            |operator, a: &Expression, b: &Expression| Expression::binary(operator, a.clone(), b.clone(), kind.clone());
        let both = and(self.condition(left), self.condition(right));
        let Type::Integer(width) = kind else {
            return match operator {
                // The right operand is evaluated only if the left one does not decide.
                Operator::And => and(self.condition(left), either(left, self.condition(right), Expression::Bool(true))),
                Operator::Or => and(self.condition(left), either(left, Expression::Bool(true), self.condition(right))),
                _ => both,
            };
        };
        let own = match operator {
            Operator::Add | Operator::Multiply => Expression::Primitive(Primitive::Fits(*width), vec![found.clone()]),
            Operator::Subtract => compare(Operator::AtMost, right, left),
            Operator::Divide | Operator::Remainder => match right {
                Expression::Number(value, ..) if *value != 0 => Expression::Bool(true),
                _ => {
                    let zero = Expression::Number(0, kind.clone(), Place::nowhere());
                    Expression::Not(Box::new(compare(Operator::Equal, right, &zero)))
                }
            },
            _ => Expression::Bool(true),
        };
        and(both, own)
    }
}

fn primitive_range(primitive: Primitive, arguments: &[Expression]) -> Expression {
    let usize_type = Type::Integer(Width::Usize);
    let length = |sequence: &Expression| Expression::Primitive(Primitive::SeqLength, vec![sequence.clone()]);
    match (primitive, arguments) {
        (Primitive::SeqAt, [sequence, index]) => {
            Expression::binary(Operator::Less, index.clone(), length(sequence), usize_type)
        }
        (Primitive::SeqSlice, [sequence, start, count]) => {
            let end = Expression::binary(Operator::Add, start.clone(), count.clone(), usize_type.clone());
            Expression::binary(Operator::AtMost, end, length(sequence), usize_type)
        }
        _ => Expression::Bool(true),
    }
}

fn and(left: Expression, right: Expression) -> Expression {
    match (left, right) {
        (Expression::Bool(true), other) | (other, Expression::Bool(true)) => other,
        (left, right) => Expression::binary(Operator::And, left, right, Type::Bool),
    }
}

/// The condition of an `if`: in the first branch what is tested holds, in the second it does not,
/// and conditions that say just this are dropped there.
fn either(condition: &Expression, first: Expression, second: Expression) -> Expression {
    let (mut holds, mut fails) = (Vec::new(), Vec::new());
    learn(condition, true, &mut holds);
    learn(condition, false, &mut fails);
    let (first, second) = (drop_known(first, &holds), drop_known(second, &fails));
    if first == Expression::Bool(true) && second == Expression::Bool(true) {
        return Expression::Bool(true);
    }
    Expression::If(Box::new((condition.clone(), first, second)))
}

/// What is known when a condition has this value.
fn learn(condition: &Expression, value: bool, known: &mut Vec<Expression>) {
    match condition {
        Expression::Not(operand) => learn(operand, !value, known),
        Expression::Binary(Operator::And, parts, ..) if value => {
            learn(&parts.0, value, known);
            learn(&parts.1, value, known);
        }
        Expression::Binary(Operator::Or, parts, ..) if !value => {
            learn(&parts.0, value, known);
            learn(&parts.1, value, known);
        }
        Expression::Binary(Operator::Less, parts, kind, _) => {
            let (left, right) = (parts.0.clone(), parts.1.clone());
            if value {
                known.push(Expression::binary(Operator::AtMost, left, right, kind.clone()));
                known.push(condition.clone());
            } else {
                known.push(Expression::binary(Operator::AtMost, right, left, kind.clone()));
            }
        }
        Expression::Binary(Operator::AtMost, parts, kind, _) => {
            let (left, right) = (parts.0.clone(), parts.1.clone());
            if value {
                known.push(condition.clone());
            } else {
                known.push(Expression::binary(Operator::Less, right.clone(), left.clone(), kind.clone()));
                known.push(Expression::binary(Operator::AtMost, right, left, kind.clone()));
            }
        }
        _ => {}
    }
}

/// A conjunction without the members that are known to hold.
fn drop_known(found: Expression, known: &[Expression]) -> Expression {
    match found {
        Expression::Binary(Operator::And, parts, ..) => {
            let (left, right) = *parts;
            and(drop_known(left, known), drop_known(right, known))
        }
        other if known.contains(&other) => Expression::Bool(true),
        other => other,
    }
}

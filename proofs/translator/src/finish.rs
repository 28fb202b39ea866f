//! After a body is read: fills in the types that inference found, refuses operators on types that
//! lack them here, and numbers beyond their type. Places have then done their duty and are
//! forgotten, so that equal expressions are equal.

use crate::body::Body;
use crate::core::{Expression, Loop, Operator};
use crate::refusal::{Place, Translated};
use crate::types::Type;

impl Body<'_> {
    /// Fills in all types.
    pub fn finish(&self, found: Expression) -> Translated<Expression> {
        use Expression as E;
        let one = |e: E| self.finish(e);
        let all = |es: Vec<E>| es.into_iter().map(one).collect::<Translated<Vec<E>>>();
        let two = |parts: Box<(E, E)>| Ok(Box::new((one(parts.0)?, one(parts.1)?)));
        Ok(match found {
            E::Number(value, kind, place) => self.finish_number(value, &kind, place)?,
            E::Binary(operator, parts, kind, place) => {
                let kind = self.finish_operands(operator, &kind, &place)?;
                E::Binary(operator, two(parts)?, kind, Place::nowhere())
            }
            E::Cast(value, from, to) => {
                E::Cast(Box::new(one(*value)?), self.inference.resolved(&from), self.inference.resolved(&to))
            }
            E::List(parts) => E::List(all(parts)?),
            E::Call(name, arguments) => E::Call(name, all(arguments)?),
            E::Primitive(primitive, arguments) => E::Primitive(primitive, all(arguments)?),
            E::Construct(name, arguments) => E::Construct(name, all(arguments)?),
            E::Record(fields) => {
                let fields = fields.into_iter().map(|(name, value)| Ok((name, one(value)?)));
                E::Record(fields.collect::<Translated<_>>()?)
            }
            E::Field(of, name) => E::Field(Box::new(one(*of)?), name),
            E::Tuple(parts) => E::Tuple(all(parts)?),
            E::Typed(value, kind, place) => {
                let kind = self.inference.resolved(&kind);
                if kind.is_unknown() {
                    return place.refuse("the type of a sequence's elements is not determined here");
                }
                E::Typed(Box::new(one(*value)?), kind, Place::nowhere())
            }
            E::Not(operand) => E::Not(Box::new(one(*operand)?)),
            E::If(parts) => {
                let (condition, first, second) = *parts;
                E::If(Box::new((one(condition)?, one(first)?, one(second)?)))
            }
            E::Match(scrutinee, arms) => {
                let arms = arms.into_iter().map(|(pattern, value)| Ok((pattern, one(value)?)));
                E::Match(Box::new(one(*scrutinee)?), arms.collect::<Translated<_>>()?)
            }
            E::Let(pattern, parts) => E::Let(pattern, two(parts)?),
            E::TryOption(pattern, parts) => E::TryOption(pattern, two(parts)?),
            E::TryResult(pattern, parts) => E::TryResult(pattern, two(parts)?),
            E::Loop(looped) => E::Loop(Box::new(self.finish_loop(*looped)?)),
            E::LoopSafe(parts) => E::LoopSafe(Box::new((self.finish_loop(parts.0)?, one(parts.1)?))),
            leaf @ (E::Local(_) | E::Constant(_) | E::LongNumber(_) | E::Bool(_) | E::Unit) => leaf,
        })
    }

    fn finish_loop(&self, looped: Loop) -> Translated<Loop> {
        Ok(Loop {
            from: self.finish(looped.from)?,
            to: self.finish(looped.to)?,
            initial: self.finish(looped.initial)?,
            body: self.finish(looped.body)?,
            ..looped
        })
    }

    fn finish_number(&self, value: u128, kind: &Type, place: Place) -> Translated<Expression> {
        match self.inference.resolved(kind) {
            Type::Integer(width) if width.holds(value) => {
                Ok(Expression::Number(value, Type::Integer(width), Place::nowhere()))
            }
            Type::Integer(width) => place.refuse(format!("{value} does not fit {}", width.name())),
            _ => place.refuse(format!("the integer type of {value} is not determined here")),
        }
    }

    fn finish_operands(&self, operator: Operator, kind: &Type, place: &Place) -> Translated<Type> {
        let kind = self.inference.resolved(kind);
        let known = match operator {
            Operator::Add | Operator::Subtract | Operator::Multiply => {
                matches!(kind, Type::Integer(_) | Type::Scalar)
            }
            Operator::Divide | Operator::Remainder | Operator::Less | Operator::AtMost => {
                matches!(kind, Type::Integer(_))
            }
            Operator::Equal | Operator::NotEqual => matches!(kind, Type::Integer(_) | Type::Scalar | Type::Bool),
            Operator::And | Operator::Or | Operator::Append => true,
        };
        if known { Ok(kind) } else { place.refuse(format!("this operator on {}", self.inference.show(&kind))) }
    }
}

impl Expression {
    /// Whether a variable of this name occurs.
    pub fn mentions(&self, name: &str) -> bool {
        match self {
            Self::Local(local) => local == name,
            Self::Constant(_) | Self::Number(..) | Self::LongNumber(_) | Self::Bool(_) | Self::Unit => false,
            Self::List(parts)
            | Self::Call(_, parts)
            | Self::Primitive(_, parts)
            | Self::Construct(_, parts)
            | Self::Tuple(parts) => parts.iter().any(|part| part.mentions(name)),
            Self::Record(fields) => fields.iter().any(|(_, value)| value.mentions(name)),
            Self::Field(of, _) | Self::Not(of) | Self::Cast(of, ..) | Self::Typed(of, ..) => of.mentions(name),
            Self::Binary(_, parts, ..) => parts.0.mentions(name) || parts.1.mentions(name),
            Self::If(parts) => parts.0.mentions(name) || parts.1.mentions(name) || parts.2.mentions(name),
            Self::Match(scrutinee, arms) => {
                scrutinee.mentions(name) || arms.iter().any(|(_, value)| value.mentions(name))
            }
            Self::Let(_, parts) | Self::TryOption(_, parts) | Self::TryResult(_, parts) => {
                parts.0.mentions(name) || parts.1.mentions(name)
            }
            Self::Loop(looped) => looped.mentions(name),
            Self::LoopSafe(parts) => parts.0.mentions(name) || parts.1.mentions(name),
        }
    }
}

impl Loop {
    fn mentions(&self, name: &str) -> bool {
        [&self.from, &self.to, &self.initial, &self.body].iter().any(|part| part.mentions(name))
    }
}

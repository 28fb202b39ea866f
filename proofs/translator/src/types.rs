//! Types of the subset, and their inference.
//!
//! The translator needs the type of each operand: `+` on scalars is another function than `+` on
//! integers, an overflow depends on the width, and `==` exists on some types only. rustc has
//! already accepted the program, so inference is plain unification; references are erased.

use crate::refusal::{Place, Translated};

/// A type without references.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// An unsigned machine integer.
    Integer(Width),
    /// `bool`
    Bool,
    /// `()`
    Unit,
    /// The scalar field that `public_nat_mod!` declares.
    Scalar,
    /// `Seq<T>`
    Seq(Box<Type>),
    /// `Option<T>`
    Option(Box<Type>),
    /// `Result<T, E>`
    Result(Box<Type>, Box<Type>),
    /// `(A, B, ..)`
    Tuple(Vec<Type>),
    /// A struct or an enum.
    Named(String),
    /// A type alias and what it stands for; the name is kept for the printer only.
    Alias(String, Box<Type>),
    /// Not known yet.
    Variable(usize),
}

impl Type {
    /// Whether some part of the type is not known.
    pub fn is_unknown(&self) -> bool {
        match self {
            Self::Variable(_) => true,
            Self::Seq(part) | Self::Option(part) | Self::Alias(_, part) => part.is_unknown(),
            Self::Result(value, error) => value.is_unknown() || error.is_unknown(),
            Self::Tuple(parts) => parts.iter().any(Self::is_unknown),
            Self::Integer(_) | Self::Bool | Self::Unit | Self::Scalar | Self::Named(_) => false,
        }
    }
}

/// The width of an unsigned integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// `u8`
    U8,
    /// `u32`
    U32,
    /// `u64`
    U64,
    /// `u128`
    U128,
    /// `usize`, of 64 bits.
    Usize,
}

impl Width {
    /// The width that a name or a literal's suffix stands for.
    pub fn of_name(name: &str) -> Option<Self> {
        match name {
            "u8" => Some(Self::U8),
            "u32" => Some(Self::U32),
            "u64" => Some(Self::U64),
            "u128" => Some(Self::U128),
            "usize" => Some(Self::Usize),
            _ => None,
        }
    }

    /// The type's name, in Rust and in the generated text.
    pub fn name(self) -> &'static str {
        match self {
            Self::U8 => "u8",
            Self::U32 => "u32",
            Self::U64 => "u64",
            Self::U128 => "u128",
            Self::Usize => "usize",
        }
    }

    /// The number of bits.
    pub fn bits(self) -> u32 {
        match self {
            Self::U8 => 8,
            Self::U32 => 32,
            Self::U64 | Self::Usize => 64,
            Self::U128 => 128,
        }
    }

    /// Whether a number fits.
    pub fn holds(self, number: u128) -> bool {
        self.bits() == 128 || number >> self.bits() == 0
    }
}

/// What is known of the types of one function.
#[derive(Debug, Default)]
pub struct Inference {
    known: Vec<Option<Type>>,
    integers: Vec<usize>,
}

impl Inference {
    /// A type that is not known yet.
    pub fn unknown(&mut self) -> Type {
        self.known.push(None);
        Type::Variable(self.known.len() - 1)
    }

    /// The type of an integer literal: some integer type.
    pub fn unknown_integer(&mut self) -> Type {
        self.integers.push(self.known.len());
        self.unknown()
    }

    /// The type with aliases at its head expanded, and its head known if it is.
    pub fn head(&self, found: &Type) -> Type {
        match found {
            Type::Alias(_, target) => self.head(target),
            Type::Variable(v) => match self.known.get(*v) {
                Some(Some(known)) => self.head(known),
                _ => found.clone(),
            },
            _ => found.clone(),
        }
    }

    /// The type with all that is known filled in.
    pub fn resolved(&self, found: &Type) -> Type {
        match self.head(found) {
            Type::Seq(element) => Type::Seq(Box::new(self.resolved(&element))),
            Type::Option(element) => Type::Option(Box::new(self.resolved(&element))),
            Type::Result(value, error) => {
                Type::Result(Box::new(self.resolved(&value)), Box::new(self.resolved(&error)))
            }
            Type::Tuple(parts) => Type::Tuple(parts.iter().map(|part| self.resolved(part)).collect()),
            head => head,
        }
    }

    /// Makes two types the same.
    pub fn unify(&mut self, place: &Place, a: &Type, b: &Type) -> Translated<()> {
        let (a, b) = (self.head(a), self.head(b));
        match (&a, &b) {
            (Type::Variable(v), Type::Variable(w)) if v == w => Ok(()),
            (Type::Variable(v), other) | (other, Type::Variable(v)) => self.bind(place, *v, other),
            (Type::Seq(x), Type::Seq(y)) | (Type::Option(x), Type::Option(y)) => self.unify(place, x, y),
            (Type::Result(x, e), Type::Result(y, f)) => {
                self.unify(place, x, y)?;
                self.unify(place, e, f)
            }
            (Type::Tuple(xs), Type::Tuple(ys)) if xs.len() == ys.len() => {
                xs.iter().zip(ys).try_for_each(|(x, y)| self.unify(place, x, y))
            }
            _ if a == b => Ok(()),
            _ => place.refuse(format!("the types {} and {} do not agree", self.show(&a), self.show(&b))),
        }
    }

    fn bind(&mut self, place: &Place, variable: usize, to: &Type) -> Translated<()> {
        if self.integers.contains(&variable) {
            match to {
                Type::Integer(_) => {}
                Type::Variable(other) => self.integers.push(*other),
                _ => return place.refuse(format!("an integer stands where {} is wanted", self.show(to))),
            }
        }
        if self.occurs(variable, to) {
            return place.refuse("a type would contain itself");
        }
        if let Some(slot) = self.known.get_mut(variable) {
            *slot = Some(to.clone());
        }
        Ok(())
    }

    fn occurs(&self, variable: usize, inside: &Type) -> bool {
        match self.head(inside) {
            Type::Variable(v) => v == variable,
            Type::Seq(x) | Type::Option(x) => self.occurs(variable, &x),
            Type::Result(x, e) => self.occurs(variable, &x) || self.occurs(variable, &e),
            Type::Tuple(xs) => xs.iter().any(|x| self.occurs(variable, x)),
            _ => false,
        }
    }

    /// The type as Rust writes it, for refusals.
    pub fn show(&self, shown: &Type) -> String {
        match self.head(shown) {
            Type::Integer(width) => width.name().to_owned(),
            Type::Bool => "bool".to_owned(),
            Type::Unit => "()".to_owned(),
            Type::Scalar => "Scalar".to_owned(),
            Type::Seq(x) => format!("Seq<{}>", self.show(&x)),
            Type::Option(x) => format!("Option<{}>", self.show(&x)),
            Type::Result(x, e) => format!("Result<{}, {}>", self.show(&x), self.show(&e)),
            Type::Tuple(xs) => {
                let parts: Vec<String> = xs.iter().map(|x| self.show(x)).collect();
                format!("({})", parts.join(", "))
            }
            Type::Named(name) | Type::Alias(name, _) => name,
            Type::Variable(_) => "a type not known here".to_owned(),
        }
    }
}

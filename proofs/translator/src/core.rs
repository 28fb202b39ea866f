//! The functional language between Rust's syntax and Coq's: every name resolved, every operand's
//! type known, every assignment turned into a binding.

use crate::modules::Module;
use crate::refusal::Place;
use crate::types::Type;

/// A file of the specification.
#[derive(Clone, Debug)]
pub struct File {
    /// The module.
    pub module: Module,
    /// The module's documentation.
    pub documentation: Vec<String>,
    /// The modules of the specification that it imports, in their order.
    pub imports: Vec<Module>,
    /// Whether the file, or one that it builds on, speaks of scalars.
    pub scalars: bool,
    /// The names of the modules with given functions that the file builds on.
    pub givens: Vec<String>,
    /// What it declares, in order.
    pub items: Vec<Item>,
}

/// A declaration.
#[derive(Clone, Debug)]
pub struct Item {
    /// Its documentation.
    pub documentation: Vec<String>,
    /// Its name in Coq.
    pub name: String,
    /// What it is.
    pub kind: ItemKind,
}

/// What a declaration declares.
#[derive(Clone, Debug)]
pub enum ItemKind {
    /// A struct with named fields, and whether it derives `Default`.
    Struct(Vec<Field>, bool),
    /// An enum, and the variant marked `#[default]`.
    Enum(Vec<Variant>, Option<String>),
    /// A type alias.
    Alias(Type),
    /// A constant.
    Constant(Type, Expression),
    /// A function.
    Function(Function),
    /// Functions that are not translated but given: members of a type class. Beside each, its body
    /// where that is wanted.
    Givens(Vec<Given>),
    /// The scalar field, with its modulus in hexadecimal digits.
    ScalarField(String),
    /// Functions that are left out, since no other file may use them.
    LeftOut(Vec<String>),
}

/// A field of a struct.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its documentation.
    pub documentation: Vec<String>,
    /// Its name in Coq.
    pub name: String,
    /// Its type.
    pub kind: Type,
}

/// A variant of an enum.
#[derive(Clone, Debug)]
pub struct Variant {
    /// Its documentation.
    pub documentation: Vec<String>,
    /// Its constructor's name in Coq.
    pub name: String,
    /// The types of its fields.
    pub fields: Vec<Type>,
}

/// A parameter, or a given function's parameter.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name in Coq.
    pub name: String,
    /// Its type.
    pub kind: Type,
}

/// A translated function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// The type of its result.
    pub result: Type,
    /// Its body.
    pub body: Expression,
}

/// A given function.
#[derive(Clone, Debug)]
pub struct Given {
    /// Its documentation.
    pub documentation: Vec<String>,
    /// Its name in Coq.
    pub name: String,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// The type of its result.
    pub result: Type,
    /// Its body, for those who instantiate the class.
    pub body: Option<Expression>,
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Expression {
    /// A variable.
    Local(String),
    /// A constant of the specification, by its name in Coq.
    Constant(String),
    /// An integer, as it is written in Coq.
    Number(u128, Type, Place),
    /// A number too long for a machine integer, in hexadecimal digits.
    LongNumber(String),
    /// `true` or `false`
    Bool(bool),
    /// `()`
    Unit,
    /// A list of given elements.
    List(Vec<Expression>),
    /// A call of a function of the specification, by its name in Coq.
    Call(String, Vec<Expression>),
    /// A function of the prelude.
    Primitive(Primitive, Vec<Expression>),
    /// An expression with its type written beside it, where Coq could not find it.
    Typed(Box<Expression>, Type, Place),
    /// A constructor.
    Construct(String, Vec<Expression>),
    /// A record: its fields in the order written.
    Record(Vec<(String, Expression)>),
    /// A field of a record.
    Field(Box<Expression>, String),
    /// A tuple.
    Tuple(Vec<Expression>),
    /// `!e`
    Not(Box<Expression>),
    /// An operation on two operands, whose type is the third component. The place is for refusals
    /// while types are inferred.
    Binary(Operator, Box<(Expression, Expression)>, Type, Place),
    /// `e as T`: the identity where T is at least as wide, else the remainder modulo its width.
    Cast(Box<Expression>, Type, Type),
    /// `if`
    If(Box<(Expression, Expression, Expression)>),
    /// `match`
    Match(Box<Expression>, Vec<(Pattern, Expression)>),
    /// `let`
    Let(Pattern, Box<(Expression, Expression)>),
    /// `let p = e?; rest`, on an option.
    TryOption(Pattern, Box<(Expression, Expression)>),
    /// `let p = e?; rest`, on a result.
    TryResult(Pattern, Box<(Expression, Expression)>),
    /// A `for` loop.
    Loop(Box<Loop>),
    /// The condition under which each run of a loop's body, whose condition is the second
    /// component, is safe.
    LoopSafe(Box<(Loop, Expression)>),
}

/// A `for` loop with one accumulator: its value is the accumulator's after the last run.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// The accumulator's name.
    pub accumulator: String,
    /// The index's name, or `_`.
    pub index: String,
    /// The first index.
    pub from: Expression,
    /// The index after the last.
    pub to: Expression,
    /// The accumulator before the first run.
    pub initial: Expression,
    /// The accumulator after a run.
    pub body: Expression,
}

/// A binary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Equal,
    NotEqual,
    Less,
    AtMost,
    And,
    Or,
    /// Concatenation of sequences.
    Append,
}

/// A function of the prelude.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Primitive {
    SeqNew,
    SeqLength,
    SeqAt,
    SeqSlice,
    ScalarOfNumber,
    ScalarPower,
    ScalarInverse,
    Fits(crate::types::Width),
}

/// A pattern.
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    /// `_`
    Wildcard,
    /// A name that is bound.
    Binding(String),
    /// A constructor.
    Construct(String, Vec<Pattern>),
    /// A tuple.
    Tuple(Vec<Pattern>),
    /// A number.
    Number(u128),
    /// `true` or `false`
    Bool(bool),
    /// `()`
    Unit,
    /// `p | q`
    Or(Vec<Pattern>),
}

impl Expression {
    /// `let pattern = value; body`, without the detour where the body is the bound variable.
    pub fn bind(pattern: Pattern, value: Self, body: Self) -> Self {
        match (&pattern, &body) {
            (Pattern::Binding(name), Self::Local(local)) if name == local => value,
            _ => Self::Let(pattern, Box::new((value, body))),
        }
    }

    /// A binary operation on operands of this type.
    pub fn binary(operator: Operator, left: Self, right: Self, operands: Type) -> Self {
        Self::Binary(operator, Box::new((left, right)), operands, Place::nowhere())
    }
}

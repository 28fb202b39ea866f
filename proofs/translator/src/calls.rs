//! Reading calls: functions of the specification, constructors, and the primitives of hacspec's
//! library.

use syn::spanned::Spanned;

use crate::body::{Body, Position};
use crate::core::{Expression, Operator, Primitive};
use crate::globals::Entity;
use crate::refusal::{Place, Translated};
use crate::types::{Type, Width};

const USIZE: Type = Type::Integer(Width::Usize);

impl Body<'_> {
    /// Reads the call of a function, a constructor or an associated function.
    pub fn read_call(&mut self, call: &syn::ExprCall) -> Translated<(Expression, Type)> {
        let place = self.context.place(call.span());
        let syn::Expr::Path(function) = call.func.as_ref() else {
            return place.refuse("a call of something that is not a name");
        };
        if function.qself.is_some() {
            return place.refuse("a path with a type of its own");
        }
        let path = self.context.short_path(&function.path)?;
        if path.qualifier.is_none() && self.local(&path.name).is_some() {
            return place.refuse(format!("a call of the variable `{}`", path.name));
        }
        let qualifier = path.qualifier.map(|segment| segment.ident.to_string());
        match qualifier {
            None if ["Some", "Ok", "Err"].contains(&path.name.as_str()) => self.read_constructor(call, &function.path),
            None => self.read_declared_call(call, None, &path.name),
            Some(module) if self.context.globals.has_module(&module) => {
                self.read_declared_call(call, Some(&module), &path.name)
            }
            Some(owner) => match self.owner_type(&place, &owner, path.qualifier)? {
                Some(kind) => self.read_associated(call, &kind, &path.name),
                None => self.read_constructor(call, &function.path),
            },
        }
    }

    /// The type before `::`, unless it is an enum, whose variants follow.
    fn owner_type(
        &mut self,
        place: &Place,
        owner: &str,
        segment: Option<&syn::PathSegment>,
    ) -> Translated<Option<Type>> {
        let arguments = match segment {
            Some(segment) => self.context.type_arguments(segment, place)?,
            None => Vec::new(),
        };
        if owner == "Seq" {
            return match arguments.as_slice() {
                [] => Ok(Some(Type::Seq(Box::new(self.inference.unknown())))),
                [element] => Ok(Some(Type::Seq(Box::new(element.clone())))),
                _ => place.refuse("`Seq` with several type arguments"),
            };
        }
        if !arguments.is_empty() {
            return place.refuse(format!("`{owner}` with type arguments"));
        }
        if let Some(width) = Width::of_name(owner) {
            return Ok(Some(Type::Integer(width)));
        }
        match self.context.look_up(place, None, owner)?.1 {
            Entity::Enum(_) => Ok(None),
            Entity::Alias(target) => Ok(Some(target.clone())),
            Entity::ScalarField => Ok(Some(Type::Scalar)),
            _ => place.refuse(format!("`{owner}::..`: neither an enum nor a type with functions that are known")),
        }
    }

    fn read_declared_call(
        &mut self,
        call: &syn::ExprCall,
        qualifier: Option<&str>,
        name: &str,
    ) -> Translated<(Expression, Type)> {
        let place = self.context.place(call.span());
        let (coq_name, entity) = self.context.look_up(&place, qualifier, name)?;
        let Entity::Function(parameters, result) = entity else {
            return place.refuse(format!("`{name}` is not a function"));
        };
        let (coq_name, parameters, result) = (coq_name.to_owned(), parameters.clone(), result.clone());
        let arguments = self.read_arguments(&call.args, &parameters, &place)?;
        Ok((Expression::Call(coq_name, arguments), result))
    }

    fn read_constructor(&mut self, call: &syn::ExprCall, path: &syn::Path) -> Translated<(Expression, Type)> {
        let place = self.context.place(call.span());
        let kind = self.inference.unknown();
        let (name, fields) = self.constructor(path, &kind, &place)?;
        let arguments = self.read_arguments(&call.args, &fields, &place)?;
        Ok((Expression::Construct(name, arguments), kind))
    }

    fn read_arguments<'s>(
        &mut self,
        given: impl IntoIterator<Item = &'s syn::Expr>,
        wanted: &[Type],
        place: &Place,
    ) -> Translated<Vec<Expression>> {
        let mut arguments = Vec::new();
        let mut kinds = wanted.iter();
        for argument in given {
            let Some(wanted) = kinds.next() else { return place.refuse("more arguments than parameters") };
            let (value, kind) = self.read(argument, Position::Inner)?;
            self.inference.unify(&self.context.place(argument.span()), wanted, &kind)?;
            arguments.push(value);
        }
        if kinds.next().is_some() {
            return place.refuse("fewer arguments than parameters");
        }
        Ok(arguments)
    }

    /// `Type::name(..)` for the types of hacspec's library and the integers.
    fn read_associated(&mut self, call: &syn::ExprCall, owner: &Type, name: &str) -> Translated<(Expression, Type)> {
        let place = self.context.place(call.span());
        let head = self.inference.head(owner);
        match (&head, name) {
            (Type::Seq(_), "new") => {
                let arguments = self.read_arguments(&call.args, &[USIZE], &place)?;
                let is_empty = matches!(arguments.as_slice(), [Expression::Number(0, ..)]);
                let made = if is_empty {
                    Expression::List(Vec::new())
                } else {
                    let filled = Expression::Primitive(Primitive::SeqNew, arguments);
                    Expression::Typed(Box::new(filled), head.clone(), place)
                };
                Ok((made, head))
            }
            (Type::Seq(_), "with_capacity") => {
                let arguments = self.read_arguments(&call.args, &[USIZE], &place)?;
                if !arguments.iter().all(never_panics) {
                    return place.refuse(
                        "`with_capacity` of something other than a small number or a variable's length: \
                         it is left out of the translation, and what panics in it would be lost",
                    );
                }
                Ok((Expression::List(Vec::new()), head))
            }
            (Type::Seq(element), "from_native_slice") => self.read_elements(call, element, &head),
            (Type::Scalar, "from_literal") => {
                let arguments = self.read_arguments(&call.args, &[Type::Integer(Width::U128)], &place)?;
                Ok((Expression::Primitive(Primitive::ScalarOfNumber, arguments), head))
            }
            (Type::Scalar, "from_hex") => {
                let digits = hexadecimal_digits(&call.args, &place)?;
                let number = vec![Expression::LongNumber(digits)];
                Ok((Expression::Primitive(Primitive::ScalarOfNumber, number), head))
            }
            (Type::Integer(to), "from") => {
                let from = self.inference.unknown_integer();
                let mut arguments = self.read_arguments(&call.args, std::slice::from_ref(&from), &place)?;
                match (self.inference.head(&from), arguments.pop()) {
                    (Type::Integer(width), Some(value)) if width.bits() <= to.bits() => {
                        Ok((Expression::Cast(Box::new(value), from, head), owner.clone()))
                    }
                    _ => place.refuse("`from` between integers whose widths are not known to widen"),
                }
            }
            _ => place.refuse(format!("the function `{}::{name}`", self.inference.show(owner))),
        }
    }

    /// `from_native_slice(b"..")` and `from_native_slice(&[..])`
    fn read_elements(
        &mut self,
        call: &syn::ExprCall,
        element: &Type,
        sequence: &Type,
    ) -> Translated<(Expression, Type)> {
        let place = self.context.place(call.span());
        let mut given = call.args.first();
        if let Some(syn::Expr::Reference(reference)) = given {
            given = Some(&reference.expr);
        }
        match given {
            Some(syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::ByteStr(bytes), .. })) if call.args.len() == 1 => {
                let byte = Type::Integer(Width::U8);
                self.inference.unify(&place, element, &byte)?;
                let elements = bytes.value().into_iter();
                let elements = elements.map(|x| Expression::Number(u128::from(x), byte.clone(), place.clone()));
                Ok((Expression::List(elements.collect()), sequence.clone()))
            }
            Some(syn::Expr::Array(array)) if call.args.len() == 1 => {
                let mut elements = Vec::new();
                for item in &array.elems {
                    let (value, kind) = self.read(item, Position::Inner)?;
                    self.inference.unify(&place, element, &kind)?;
                    elements.push(value);
                }
                Ok((Expression::List(elements), sequence.clone()))
            }
            _ => place.refuse("`from_native_slice` of something that is not written out"),
        }
    }

    /// Reads a method's call.
    pub fn read_method(&mut self, call: &syn::ExprMethodCall) -> Translated<(Expression, Type)> {
        let place = self.context.place(call.method.span());
        if call.turbofish.is_some() {
            return place.refuse("type arguments on a method");
        }
        let (receiver, kind) = self.read(&call.receiver, Position::Inner)?;
        let head = self.inference.head(&kind);
        let name = call.method.to_string();
        match (&head, name.as_str()) {
            (_, "clone") => {
                self.read_arguments(&call.args, &[], &place)?;
                Ok((receiver, kind))
            }
            (Type::Seq(_), "len") => {
                self.read_arguments(&call.args, &[], &place)?;
                Ok((Expression::Primitive(Primitive::SeqLength, vec![receiver]), USIZE))
            }
            (Type::Seq(element), "push" | "push_owned") => {
                let last = self.read_arguments(&call.args, &[element.as_ref().clone()], &place)?;
                Ok((Expression::binary(Operator::Append, receiver, Expression::List(last), head), kind))
            }
            (Type::Seq(_), "concat" | "concat_owned") => {
                let mut other = self.read_arguments(&call.args, std::slice::from_ref(&head), &place)?;
                match other.pop() {
                    Some(other) => Ok((Expression::binary(Operator::Append, receiver, other, head), kind)),
                    None => place.refuse("`concat` without an argument"),
                }
            }
            (Type::Seq(_), "slice") => {
                let mut arguments = vec![receiver];
                arguments.extend(self.read_arguments(&call.args, &[USIZE, USIZE], &place)?);
                if matches!(arguments.as_slice(), [_, _, Expression::Number(0, ..)]) {
                    return place.refuse("a slice of no elements: hacspec checks its range in debug builds only");
                }
                Ok((Expression::Primitive(Primitive::SeqSlice, arguments), kind))
            }
            (Type::Scalar, "pow") => {
                let mut arguments = vec![receiver];
                arguments.extend(self.read_arguments(&call.args, &[Type::Integer(Width::U128)], &place)?);
                Ok((Expression::Primitive(Primitive::ScalarPower, arguments), Type::Scalar))
            }
            (Type::Scalar, "inv") => {
                self.read_arguments(&call.args, &[], &place)?;
                Ok((Expression::Primitive(Primitive::ScalarInverse, vec![receiver]), Type::Scalar))
            }
            _ => place.refuse(format!("the method `{name}` of {}", self.inference.show(&head))),
        }
    }
}

/// Whether this is a number below 2^32 or the length of a variable: then evaluating it cannot
/// panic.
fn never_panics(argument: &Expression) -> bool {
    match argument {
        Expression::Number(value, ..) => *value < 1 << 32,
        Expression::Primitive(Primitive::SeqLength, parts) => matches!(parts.as_slice(), [Expression::Local(_)]),
        _ => false,
    }
}

fn hexadecimal_digits<'s>(arguments: impl IntoIterator<Item = &'s syn::Expr>, place: &Place) -> Translated<String> {
    let mut arguments = arguments.into_iter();
    match (arguments.next(), arguments.next()) {
        (Some(syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. })), None) => {
            hexadecimal(&text.value(), place)
        }
        _ => place.refuse("`from_hex` of something that is not written out"),
    }
}

/// Hexadecimal digits, checked, without leading zeros, in lower case.
pub fn hexadecimal(text: &str, place: &Place) -> Translated<String> {
    if text.is_empty() || !text.chars().all(|digit| digit.is_ascii_hexdigit()) {
        return place.refuse("a string that is not made of hexadecimal digits");
    }
    let digits = text.trim_start_matches('0').to_lowercase();
    Ok(if digits.is_empty() { "0".to_owned() } else { digits })
}

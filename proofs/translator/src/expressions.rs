//! Reading expressions other than calls.

use syn::spanned::Spanned;

use crate::body::{Body, Position};
use crate::core::{Expression, Operator, Pattern, Primitive};
use crate::globals::Entity;
use crate::refusal::{Place, Translated};
use crate::types::{Type, Width};

impl Body<'_> {
    /// Reads an expression and finds its type.
    pub fn read(&mut self, found: &syn::Expr, position: Position) -> Translated<(Expression, Type)> {
        let place = self.context.place(found.span());
        match found {
            syn::Expr::Paren(inner) => self.read(&inner.expr, position),
            syn::Expr::Group(inner) => self.read(&inner.expr, position),
            syn::Expr::Reference(reference) if reference.mutability.is_none() => {
                self.read(&reference.expr, Position::Inner)
            }
            syn::Expr::Reference(_) => place.refuse("a mutable reference"),
            syn::Expr::Lit(literal) => self.read_literal(&literal.lit, &place),
            syn::Expr::Path(path) => self.read_path(path, &place),
            syn::Expr::Unary(unary) => self.read_unary(unary, &place),
            syn::Expr::Binary(binary) => self.read_binary(binary),
            syn::Expr::Cast(cast) => self.read_cast(cast, &place),
            syn::Expr::If(choice) => self.read_if(choice, position, &place),
            syn::Expr::Match(choice) => self.read_match(choice, position),
            syn::Expr::Block(block) if block.label.is_none() => self.read_block(&block.block, position),
            syn::Expr::Tuple(tuple) => self.read_tuple(tuple, &place),
            syn::Expr::Struct(record) => self.read_record(record, &place),
            syn::Expr::Field(field) => self.read_field(field, &place),
            syn::Expr::Index(index) => self.read_index(index, &place),
            syn::Expr::Call(call) => self.read_call(call),
            syn::Expr::MethodCall(call) => self.read_method(call),
            syn::Expr::Try(_) => place.refuse("`?` within an expression: bind its value by a `let` of its own first"),
            syn::Expr::Let(_) => place.refuse("`if let`"),
            syn::Expr::Assign(_) => place.refuse("an assignment from inside a branch or an expression"),
            syn::Expr::ForLoop(_) => place.refuse("a loop inside an expression or as a block's value"),
            syn::Expr::While(_) => place.refuse("`while`"),
            syn::Expr::Loop(_) => place.refuse("`loop`"),
            syn::Expr::Return(_) => place.refuse("an early `return`"),
            syn::Expr::Break(_) | syn::Expr::Continue(_) => place.refuse("`break` or `continue`"),
            syn::Expr::Closure(_) => place.refuse("a closure"),
            syn::Expr::Macro(_) => place.refuse("a macro"),
            syn::Expr::Unsafe(_) => place.refuse("`unsafe`"),
            syn::Expr::Range(_) => place.refuse("a range outside of a loop's head"),
            syn::Expr::Array(_) | syn::Expr::Repeat(_) => place.refuse("an array"),
            _ => place.refuse("an expression that is not understood"),
        }
    }

    fn read_literal(&mut self, literal: &syn::Lit, place: &Place) -> Translated<(Expression, Type)> {
        match literal {
            syn::Lit::Bool(value) => Ok((Expression::Bool(value.value), Type::Bool)),
            syn::Lit::Int(value) => {
                let kind = self.integer_type(value, place)?;
                match value.base10_parse::<u128>() {
                    Ok(number) => Ok((Expression::Number(number, kind.clone(), place.clone()), kind)),
                    Err(_) => place.refuse("a number of more than 128 bits"),
                }
            }
            syn::Lit::Byte(value) => {
                let kind = Type::Integer(Width::U8);
                Ok((Expression::Number(u128::from(value.value()), kind.clone(), place.clone()), kind))
            }
            _ => place.refuse("a literal that is neither a number, a byte nor a boolean"),
        }
    }

    /// The type of an integer literal: that of its suffix, or an integer type not known yet.
    pub fn integer_type(&mut self, literal: &syn::LitInt, place: &Place) -> Translated<Type> {
        match (literal.suffix(), Width::of_name(literal.suffix())) {
            ("", _) => Ok(self.inference.unknown_integer()),
            (_, Some(width)) => Ok(Type::Integer(width)),
            (suffix, None) => place.refuse(format!("a number of the type {suffix}")),
        }
    }

    fn read_path(&mut self, path: &syn::ExprPath, place: &Place) -> Translated<(Expression, Type)> {
        if path.qself.is_some() {
            return place.refuse("a path with a type of its own");
        }
        if let Some(ident) = path.path.get_ident() {
            if let Some((coq_name, kind)) = self.local(&ident.to_string()) {
                return Ok((Expression::Local(coq_name), kind));
            }
            if ident == "None" {
                let kind = Type::Option(Box::new(self.inference.unknown()));
                return Ok((Expression::Construct("None".to_owned(), Vec::new()), kind));
            }
        }
        let short = self.context.short_path(&path.path)?;
        let qualifier = short.qualifier.map(|segment| segment.ident.to_string());
        if qualifier.as_ref().is_none_or(|name| self.context.globals.has_module(name)) {
            let (coq_name, entity) = self.context.look_up(place, qualifier.as_deref(), &short.name)?;
            return match entity {
                Entity::Constant(kind) => Ok((Expression::Constant(coq_name.to_owned()), kind.clone())),
                Entity::Function(..) => place.refuse(format!("the function `{}` as a value", short.name)),
                _ => place.refuse(format!("`{}` is not a value", short.name)),
            };
        }
        let kind = self.inference.unknown();
        let (constructor, fields) = self.constructor(&path.path, &kind, place)?;
        if fields.is_empty() {
            Ok((Expression::Construct(constructor, Vec::new()), kind))
        } else {
            place.refuse(format!("the constructor `{}` as a function", short.name))
        }
    }

    fn read_unary(&mut self, unary: &syn::ExprUnary, place: &Place) -> Translated<(Expression, Type)> {
        match unary.op {
            syn::UnOp::Deref(_) => self.read(&unary.expr, Position::Inner),
            syn::UnOp::Not(_) => {
                let (operand, kind) = self.read(&unary.expr, Position::Inner)?;
                self.inference.unify(place, &kind, &Type::Bool)?;
                Ok((Expression::Not(Box::new(operand)), Type::Bool))
            }
            _ => place.refuse("a negative number"),
        }
    }

    fn read_binary(&mut self, binary: &syn::ExprBinary) -> Translated<(Expression, Type)> {
        let place = self.context.place(binary.op.span());
        let (operator, is_test) = match binary.op {
            syn::BinOp::Add(_) => (Operator::Add, false),
            syn::BinOp::Sub(_) => (Operator::Subtract, false),
            syn::BinOp::Mul(_) => (Operator::Multiply, false),
            syn::BinOp::Div(_) => (Operator::Divide, false),
            syn::BinOp::Rem(_) => (Operator::Remainder, false),
            syn::BinOp::And(_) => (Operator::And, true),
            syn::BinOp::Or(_) => (Operator::Or, true),
            syn::BinOp::Eq(_) => (Operator::Equal, true),
            syn::BinOp::Ne(_) => (Operator::NotEqual, true),
            syn::BinOp::Lt(_) | syn::BinOp::Gt(_) => (Operator::Less, true),
            syn::BinOp::Le(_) | syn::BinOp::Ge(_) => (Operator::AtMost, true),
            syn::BinOp::BitAnd(_)
            | syn::BinOp::BitOr(_)
            | syn::BinOp::BitXor(_)
            | syn::BinOp::Shl(_)
            | syn::BinOp::Shr(_) => return place.refuse("an operation on bits"),
            _ => return place.refuse("an assignment by an operator"),
        };
        let (left, left_kind) = self.read(&binary.left, Position::Inner)?;
        let (right, right_kind) = self.read(&binary.right, Position::Inner)?;
        self.inference.unify(&place, &left_kind, &right_kind)?;
        if matches!(operator, Operator::And | Operator::Or) {
            self.inference.unify(&place, &left_kind, &Type::Bool)?;
        }
        // a > b is b < a.
        let swapped = matches!(binary.op, syn::BinOp::Gt(_) | syn::BinOp::Ge(_));
        let (left, right) = if swapped { (right, left) } else { (left, right) };
        let kind = if is_test { Type::Bool } else { left_kind.clone() };
        Ok((Expression::Binary(operator, Box::new((left, right)), left_kind, place), kind))
    }

    fn read_cast(&mut self, cast: &syn::ExprCast, place: &Place) -> Translated<(Expression, Type)> {
        let to = self.context.read_type(&cast.ty)?;
        let (value, from) = self.read(&cast.expr, Position::Inner)?;
        if !matches!(to, Type::Integer(_)) {
            return place.refuse("`as` with a type that is not an unsigned integer");
        }
        let integer = self.inference.unknown_integer();
        self.inference.unify(place, &integer, &from)?;
        Ok((Expression::Cast(Box::new(value), from, to.clone()), to))
    }

    fn read_if(&mut self, choice: &syn::ExprIf, position: Position, place: &Place) -> Translated<(Expression, Type)> {
        let (condition, kind) = self.read(&choice.cond, Position::Inner)?;
        self.inference.unify(place, &kind, &Type::Bool)?;
        let Some((_, otherwise)) = &choice.else_branch else {
            // What is refused inside has the better reason.
            let _ = self.read_block(&choice.then_branch, position)?;
            return place.refuse("`if` without `else`");
        };
        let (first, first_kind) = self.read_block(&choice.then_branch, position)?;
        let (second, second_kind) = self.read(otherwise, position)?;
        self.inference.unify(place, &first_kind, &second_kind)?;
        Ok((Expression::If(Box::new((condition, first, second))), first_kind))
    }

    fn read_match(&mut self, choice: &syn::ExprMatch, position: Position) -> Translated<(Expression, Type)> {
        let (scrutinee, scrutinee_kind) = self.read(&choice.expr, Position::Inner)?;
        let kind = self.inference.unknown();
        let mut arms: Vec<(Pattern, Expression)> = Vec::new();
        for arm in &choice.arms {
            let place = self.context.place(arm.span());
            if arm.guard.is_some() {
                return place.refuse("a guard in a `match`");
            }
            let in_scope = self.locals.len();
            let pattern = self.read_pattern(&arm.pat, &scrutinee_kind)?;
            let (value, value_kind) = self.read(&arm.body, position)?;
            self.inference.unify(&place, &kind, &value_kind)?;
            self.locals.truncate(in_scope);
            arms.push((pattern, value));
        }
        Ok((Expression::Match(Box::new(scrutinee), arms), kind))
    }

    fn read_tuple(&mut self, tuple: &syn::ExprTuple, place: &Place) -> Translated<(Expression, Type)> {
        let (parts, kinds): (Vec<Expression>, Vec<Type>) =
            tuple.elems.iter().map(|part| self.read(part, Position::Inner)).collect::<Translated<_>>()?;
        match parts.len() {
            0 => Ok((Expression::Unit, Type::Unit)),
            1 => place.refuse("a tuple of one element"),
            _ => Ok((Expression::Tuple(parts), Type::Tuple(kinds))),
        }
    }

    fn read_record(&mut self, record: &syn::ExprStruct, place: &Place) -> Translated<(Expression, Type)> {
        if record.rest.is_some() {
            return place.refuse("the rest of a record by `..`: name every field");
        }
        let path = self.context.short_path(&record.path)?;
        let qualifier = path.qualifier.map(|segment| segment.ident.to_string());
        let kind = self.context.declared_type(place, qualifier.as_deref(), &path.name)?;
        let Type::Named(owner) = self.inference.head(&kind) else {
            return place.refuse(format!("`{}` is not a struct", path.name));
        };
        let Some(fields) = self.context.globals.fields_of(&owner).map(<[_]>::to_vec) else {
            return place.refuse(format!("`{owner}` is not a struct"));
        };
        let mut values = Vec::new();
        for given in &record.fields {
            let field_place = self.context.place(given.span());
            let syn::Member::Named(name) = &given.member else {
                return field_place.refuse("a field without a name");
            };
            let Some((_, coq_name, field_kind)) = fields.iter().find(|(known, _, _)| name == known) else {
                return field_place.refuse(format!("`{owner}` has no field `{name}`"));
            };
            let (value, value_kind) = self.read(&given.expr, Position::Inner)?;
            self.inference.unify(&field_place, field_kind, &value_kind)?;
            values.push((coq_name.clone(), value));
        }
        if values.len() != fields.len() {
            return place.refuse(format!("a `{owner}` without all its fields"));
        }
        Ok((Expression::Record(values), Type::Named(owner)))
    }

    fn read_field(&mut self, field: &syn::ExprField, place: &Place) -> Translated<(Expression, Type)> {
        let (of, kind) = self.read(&field.base, Position::Inner)?;
        let syn::Member::Named(name) = &field.member else {
            return place.refuse("a field of a tuple by its number: take the tuple apart by a `let`");
        };
        let owner = self.inference.head(&kind);
        let Type::Named(owner_name) = &owner else {
            return place.refuse(format!("the field `{name}` of {}", self.inference.show(&owner)));
        };
        let fields = self.context.globals.fields_of(owner_name).unwrap_or_default();
        match fields.iter().find(|(known, _, _)| name == known) {
            Some((_, coq_name, kind)) => Ok((Expression::Field(Box::new(of), coq_name.clone()), kind.clone())),
            None => place.refuse(format!("`{owner_name}` has no field `{name}`")),
        }
    }

    fn read_index(&mut self, index: &syn::ExprIndex, place: &Place) -> Translated<(Expression, Type)> {
        let (sequence, kind) = self.read(&index.expr, Position::Inner)?;
        let Type::Seq(element) = self.inference.head(&kind) else {
            return place.refuse(format!("an index into {}", self.inference.show(&kind)));
        };
        let (at, at_kind) = self.read(&index.index, Position::Inner)?;
        // hacspec's sequences take indices of many integer types, so an index decides no type:
        // where nothing else does, rustc chooses `i32`. A number written out is the same in both.
        let is_small = matches!(&at, Expression::Number(value, ..) if i32::try_from(*value).is_ok());
        if matches!(self.inference.head(&at_kind), Type::Variable(_)) && !is_small {
            return place.refuse("an index whose type is not determined before it is used: rustc may choose `i32`");
        }
        self.inference.unify(place, &at_kind, &Type::Integer(Width::Usize))?;
        Ok((Expression::Primitive(Primitive::SeqAt, vec![sequence, at]), *element))
    }
}

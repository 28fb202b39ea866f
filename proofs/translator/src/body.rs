//! Reading function bodies: blocks, bindings, assignments, loops and `?`.
//!
//! Assignments become bindings of the same name. That is right only where the assignment stands in
//! the block of its variable's declaration, or is the one assignment of a loop's body there;
//! everywhere else it is refused, as is every other way to have two meanings of one name in one
//! scope.

use syn::spanned::Spanned;

use crate::context::Context;
use crate::core::{Expression, Loop, Pattern};
use crate::names;
use crate::refusal::{Place, Translated};
use crate::types::{Inference, Type};

/// A variable in scope.
#[derive(Clone, Debug)]
pub struct Local {
    rust_name: String,
    coq_name: String,
    kind: Type,
    mutable: bool,
    block: usize,
}

/// Whether the value of what is read is the function's value: only there may `?` leave the
/// function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// It is.
    Tail,
    /// It is not.
    Inner,
}

/// A function's body while it is read.
#[derive(Debug)]
pub struct Body<'a> {
    /// The surroundings.
    pub context: Context<'a>,
    /// What is known of types.
    pub inference: Inference,
    /// The variables in scope.
    pub locals: Vec<Local>,
    /// The type of the function's result.
    pub result: Type,
    block: usize,
    blocks: usize,
}

impl<'a> Body<'a> {
    /// A body of a function with this result, nothing in scope.
    pub fn new(context: Context<'a>, result: Type) -> Self {
        Self { context, inference: Inference::default(), locals: Vec::new(), result, block: 0, blocks: 0 }
    }

    /// Brings a variable into scope, and gives its Coq name.
    pub fn declare_local(
        &mut self,
        place: &Place,
        ident: &syn::Ident,
        kind: Type,
        mutable: bool,
    ) -> Translated<String> {
        let coq_name = names::coq_name(place, ident)?;
        let rust_name = ident.to_string();
        if self.locals.iter().any(|known| known.rust_name == rust_name) {
            return place.refuse(format!("`{rust_name}` shadows a variable of the same name"));
        }
        if self.context.globals.is_field(&coq_name) {
            return place
                .refuse(format!("the variable `{rust_name}` has the name of a field, which it would hide in Coq"));
        }
        if let Some(hidden) = self.context.globals.named(&coq_name) {
            return place
                .refuse(format!("the variable `{rust_name}` has the name of {hidden}, which it would hide in Coq"));
        }
        let local = Local { rust_name, coq_name: coq_name.clone(), kind, mutable, block: self.block };
        self.locals.push(local);
        Ok(coq_name)
    }

    /// The Coq name and the type of a variable in scope.
    pub fn local(&self, name: &str) -> Option<(String, Type)> {
        let found = self.locals.iter().find(|known| known.rust_name == name)?;
        Some((found.coq_name.clone(), found.kind.clone()))
    }

    /// Reads a function's body, whose value has the type of the function's result.
    pub fn read_function_body(&mut self, block: &syn::Block) -> Translated<Expression> {
        let place = self.context.place(block.span());
        let (value, kind) = self.read_block(block, Position::Tail)?;
        let result = self.result.clone();
        self.inference.unify(&place, &result, &kind)?;
        self.finish(value)
    }

    /// Reads a block with a scope of its own.
    pub fn read_block(&mut self, block: &syn::Block, position: Position) -> Translated<(Expression, Type)> {
        let (outer, in_scope) = (self.block, self.locals.len());
        self.blocks += 1;
        self.block = self.blocks;
        let found = self.read_statements(&block.stmts, position, &self.context.place(block.brace_token.span.close()));
        self.block = outer;
        self.locals.truncate(in_scope);
        found
    }

    fn read_statements(
        &mut self,
        statements: &[syn::Stmt],
        position: Position,
        end: &Place,
    ) -> Translated<(Expression, Type)> {
        let Some((first, rest)) = statements.split_first() else {
            return end.refuse("a block that ends without a value");
        };
        let place = self.context.place(first.span());
        match first {
            syn::Stmt::Local(local) => self.read_let(local, rest, position, end),
            syn::Stmt::Expr(syn::Expr::ForLoop(found), _) => {
                let (name, looped) = self.read_loop(found)?;
                let (body, kind) = self.read_statements(rest, position, end)?;
                Ok((Expression::bind(Pattern::Binding(name), looped, body), kind))
            }
            syn::Stmt::Expr(syn::Expr::Assign(found), Some(_)) => {
                let (name, value) = self.read_assignment(found, self.block)?;
                let (body, kind) = self.read_statements(rest, position, end)?;
                Ok((Expression::bind(Pattern::Binding(name), value, body), kind))
            }
            syn::Stmt::Expr(value, None) if rest.is_empty() => self.read(value, position),
            syn::Stmt::Expr(..) => self.refuse_statement(first, &place),
            syn::Stmt::Item(_) => place.refuse("a declaration inside a function"),
            syn::Stmt::Macro(_) => place.refuse("a macro"),
        }
    }

    fn refuse_statement<T>(&mut self, statement: &syn::Stmt, place: &Place) -> Translated<T> {
        if let syn::Stmt::Expr(value, _) = statement {
            // What is refused inside has the better reason.
            let _ = self.read(value, Position::Inner)?;
        }
        place.refuse("a statement whose value is thrown away")
    }

    fn read_let(
        &mut self,
        local: &syn::Local,
        rest: &[syn::Stmt],
        position: Position,
        end: &Place,
    ) -> Translated<(Expression, Type)> {
        let place = self.context.place(local.span());
        let Some(initial) = &local.init else { return place.refuse("a binding without a value") };
        if initial.diverge.is_some() {
            return place.refuse("`let .. else`");
        }
        if let syn::Expr::Try(attempt) = initial.expr.as_ref() {
            return self.read_let_try(local, attempt, rest, position, end);
        }
        let (value, kind) = self.read(&initial.expr, Position::Inner)?;
        let pattern = self.read_let_pattern(&local.pat, &kind)?;
        let (body, body_kind) = self.read_statements(rest, position, end)?;
        Ok((start_loop_at(pattern, value, body), body_kind))
    }

    /// The pattern of a `let`, where alone `mut` may stand.
    fn read_let_pattern(&mut self, pattern: &syn::Pat, kind: &Type) -> Translated<Pattern> {
        let place = self.context.place(pattern.span());
        match pattern {
            syn::Pat::Ident(ident)
                if ident.mutability.is_some() && ident.subpat.is_none() && ident.by_ref.is_none() =>
            {
                Ok(Pattern::Binding(self.declare_local(&place, &ident.ident, kind.clone(), true)?))
            }
            syn::Pat::Type(typed) => {
                let written = self.context.read_type(&typed.ty)?;
                self.inference.unify(&place, kind, &written)?;
                self.read_let_pattern(&typed.pat, kind)
            }
            _ => {
                let read = self.read_pattern(pattern, kind)?;
                if matches!(read, Pattern::Wildcard | Pattern::Binding(_) | Pattern::Tuple(_)) {
                    Ok(read)
                } else {
                    place.refuse("a pattern in `let` that is neither a name nor a tuple")
                }
            }
        }
    }

    /// `let p = e?; rest`: the rest runs only when there is a value; otherwise the function ends
    /// here.
    fn read_let_try(
        &mut self,
        local: &syn::Local,
        attempt: &syn::ExprTry,
        rest: &[syn::Stmt],
        position: Position,
        end: &Place,
    ) -> Translated<(Expression, Type)> {
        let place = self.context.place(attempt.question_token.span());
        if position != Position::Tail {
            return place.refuse("`?` in a block whose value is not the function's value");
        }
        let (value, kind) = self.read(&attempt.expr, Position::Inner)?;
        let result = self.inference.head(&self.result);
        let (is_option, found) = match (self.inference.head(&kind), result) {
            (Type::Option(found), Type::Option(_)) => (true, found),
            (Type::Result(found, error), Type::Result(_, result_error)) => {
                self.inference.unify(&place, &error, &result_error)?;
                (false, found)
            }
            (found, result) => {
                let (found, result) = (self.inference.show(&found), self.inference.show(&result));
                return place.refuse(format!("`?` on {found} in a function that returns {result}"));
            }
        };
        let pattern = self.read_let_pattern(&local.pat, &found)?;
        let (body, body_kind) = self.read_statements(rest, position, end)?;
        let parts = Box::new((value, body));
        let read =
            if is_option { Expression::TryOption(pattern, parts) } else { Expression::TryResult(pattern, parts) };
        Ok((read, body_kind))
    }

    /// `x = e`, where `x` must be declared in the given block.
    fn read_assignment(&mut self, found: &syn::ExprAssign, block: usize) -> Translated<(String, Expression)> {
        let place = self.context.place(found.span());
        let syn::Expr::Path(target) = found.left.as_ref() else {
            return place.refuse("an assignment to something that is not a variable");
        };
        let name = target.path.get_ident().map(ToString::to_string).unwrap_or_default();
        let Some(local) = self.locals.iter().find(|known| known.rust_name == name).cloned() else {
            return place.refuse("an assignment to something that is not a variable");
        };
        if !local.mutable {
            return place.refuse(format!("an assignment to `{name}`, which is not declared by `let mut`"));
        }
        if local.block != block {
            return place.refuse(format!("an assignment to `{name}` from inside a branch or a block of its own"));
        }
        let (value, kind) = self.read(&found.right, Position::Inner)?;
        self.inference.unify(&place, &local.kind, &kind)?;
        Ok((local.coq_name, value))
    }

    /// A loop `for i in from..to { lets; acc = e; }`: the accumulator's name and the loop.
    fn read_loop(&mut self, found: &syn::ExprForLoop) -> Translated<(String, Expression)> {
        let place = self.context.place(found.span());
        if found.label.is_some() {
            return place.refuse("a label");
        }
        let (from, to, index_kind) = self.read_range(&found.expr)?;
        let (outer, in_scope) = (self.block, self.locals.len());
        self.blocks += 1;
        self.block = self.blocks;
        let index = match found.pat.as_ref() {
            syn::Pat::Wild(_) => "_".to_owned(),
            syn::Pat::Ident(ident)
                if ident.mutability.is_none() && ident.by_ref.is_none() && ident.subpat.is_none() =>
            {
                self.declare_local(&place, &ident.ident, index_kind, false)?
            }
            _ => return place.refuse("a loop's index that is not a plain name"),
        };
        let (accumulator, body) = self.read_loop_body(&found.body.stmts, outer, &place)?;
        self.block = outer;
        self.locals.truncate(in_scope);
        let initial = Expression::Local(accumulator.clone());
        let looped = Loop { accumulator: accumulator.clone(), index, from, to, initial, body };
        Ok((accumulator, Expression::Loop(Box::new(looped))))
    }

    fn read_loop_body(
        &mut self,
        statements: &[syn::Stmt],
        outer: usize,
        loop_place: &Place,
    ) -> Translated<(String, Expression)> {
        let Some((first, rest)) = statements.split_first() else {
            return loop_place.refuse("a loop's body without an assignment");
        };
        let place = self.context.place(first.span());
        match first {
            syn::Stmt::Expr(syn::Expr::Assign(found), Some(_)) if rest.is_empty() => self.read_assignment(found, outer),
            syn::Stmt::Expr(syn::Expr::Assign(_), _) => {
                place.refuse("an assignment in a loop's body that is not its last statement")
            }
            syn::Stmt::Local(local) => {
                let Some(initial) = local.init.as_ref().filter(|initial| initial.diverge.is_none()) else {
                    return place.refuse("a binding without a value, or with `else`");
                };
                let (value, kind) = self.read(&initial.expr, Position::Inner)?;
                if matches!(&local.pat, syn::Pat::Ident(ident) if ident.mutability.is_some()) {
                    return place.refuse("`let mut` in a loop's body");
                }
                let pattern = self.read_let_pattern(&local.pat, &kind)?;
                let (accumulator, body) = self.read_loop_body(rest, outer, loop_place)?;
                Ok((accumulator, Expression::bind(pattern, value, body)))
            }
            syn::Stmt::Expr(syn::Expr::ForLoop(_), _) => place.refuse("a loop in a loop's body"),
            syn::Stmt::Expr(..) => {
                self.refuse_statement::<()>(first, &place)?;
                place.refuse("a loop's body that does not end with an assignment")
            }
            _ => place.refuse("a macro or a declaration in a loop's body"),
        }
    }

    fn read_range(&mut self, found: &syn::Expr) -> Translated<(Expression, Expression, Type)> {
        let place = self.context.place(found.span());
        match found {
            syn::Expr::Paren(inner) => self.read_range(&inner.expr),
            syn::Expr::Range(syn::ExprRange {
                start: Some(start),
                end: Some(end),
                limits: syn::RangeLimits::HalfOpen(_),
                ..
            }) => {
                let (from, from_kind) = self.read(start, Position::Inner)?;
                let (to, to_kind) = self.read(end, Position::Inner)?;
                self.inference.unify(&place, &from_kind, &to_kind)?;
                let integer = self.inference.unknown_integer();
                self.inference.unify(&place, &integer, &from_kind)?;
                Ok((from, to, from_kind))
            }
            _ => place.refuse("a loop over something other than `from..to`"),
        }
    }
}

/// `let mut acc = initial;` followed by a loop that starts from `acc`: the loop starts from the
/// value itself, provided that its range does not look at `acc`.
fn start_loop_at(pattern: Pattern, value: Expression, body: Expression) -> Expression {
    let Pattern::Binding(name) = &pattern else { return Expression::bind(pattern, value, body) };
    let starts_here = |looped: &Loop| {
        looped.accumulator == *name
            && looped.initial == Expression::Local(name.clone())
            && !looped.from.mentions(name)
            && !looped.to.mentions(name)
    };
    match body {
        Expression::Loop(looped) if starts_here(&looped) => {
            Expression::Loop(Box::new(Loop { initial: value, ..*looped }))
        }
        Expression::Let(bound, parts) if bound == pattern => match *parts {
            (Expression::Loop(looped), rest) if starts_here(&looped) => {
                Expression::bind(bound, Expression::Loop(Box::new(Loop { initial: value, ..*looped })), rest)
            }
            (other, rest) => Expression::bind(pattern, value, Expression::Let(bound, Box::new((other, rest)))),
        },
        body => Expression::bind(pattern, value, body),
    }
}

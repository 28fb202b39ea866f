//! Reading patterns.
//!
//! An identifier in a pattern binds a new variable; a constant there would be compared, so that one
//! letter's case decides the meaning. Constants are refused.

use syn::spanned::Spanned;

use crate::body::Body;
use crate::core::Pattern;
use crate::globals::Entity;
use crate::refusal::{Place, Translated};
use crate::types::Type;

impl Body<'_> {
    /// Reads a pattern for values of a type, and brings what it binds into scope.
    pub fn read_pattern(&mut self, pattern: &syn::Pat, kind: &Type) -> Translated<Pattern> {
        let place = self.context.place(pattern.span());
        match pattern {
            syn::Pat::Wild(_) => Ok(Pattern::Wildcard),
            syn::Pat::Paren(inner) => self.read_pattern(&inner.pat, kind),
            syn::Pat::Reference(inner) => self.read_pattern(&inner.pat, kind),
            syn::Pat::Type(typed) => {
                let written = self.context.read_type(&typed.ty)?;
                self.inference.unify(&place, kind, &written)?;
                self.read_pattern(&typed.pat, kind)
            }
            syn::Pat::Ident(ident) => self.read_name(ident, kind, &place),
            syn::Pat::Tuple(tuple) => self.read_tuple_pattern(tuple, kind, &place),
            syn::Pat::Lit(literal) => self.read_literal_pattern(&literal.lit, kind, &place),
            syn::Pat::Or(alternatives) => self.read_alternatives(alternatives, kind, &place),
            syn::Pat::Path(path) => {
                let (name, fields) = self.constructor(&path.path, kind, &place)?;
                if fields.is_empty() {
                    Ok(Pattern::Construct(name, Vec::new()))
                } else {
                    place.refuse("a constructor without its fields")
                }
            }
            syn::Pat::TupleStruct(found) => {
                let (name, fields) = self.constructor(&found.path, kind, &place)?;
                if fields.len() != found.elems.len() {
                    return place.refuse("a pattern with another number of fields than its constructor, or with `..`");
                }
                let inner = found
                    .elems
                    .iter()
                    .zip(&fields)
                    .map(|(inner, field)| self.read_pattern(inner, field))
                    .collect::<Translated<_>>()?;
                Ok(Pattern::Construct(name, inner))
            }
            syn::Pat::Struct(_) => place.refuse("a struct pattern: name the fields by projections instead"),
            syn::Pat::Range(_) => place.refuse("a range in a pattern"),
            syn::Pat::Slice(_) | syn::Pat::Rest(_) => place.refuse("a slice pattern or `..`"),
            syn::Pat::Macro(_) => place.refuse("a macro in a pattern"),
            _ => place.refuse("a pattern that is not understood"),
        }
    }

    fn read_name(&mut self, ident: &syn::PatIdent, kind: &Type, place: &Place) -> Translated<Pattern> {
        if ident.by_ref.is_some() {
            return place.refuse("`ref` in a pattern");
        }
        if ident.subpat.is_some() {
            return place.refuse("`@` in a pattern");
        }
        let name = ident.ident.to_string();
        if name == "None" {
            let element = self.inference.unknown();
            self.inference.unify(place, kind, &Type::Option(Box::new(element)))?;
            return Ok(Pattern::Construct("None".to_owned(), Vec::new()));
        }
        if self.context.globals.is_constant(&name) || name.starts_with(char::is_uppercase) {
            return place.refuse(format!("`{name}` in a pattern: a constant is compared there, not bound"));
        }
        if ident.mutability.is_some() {
            return place.refuse("`mut` within a pattern");
        }
        Ok(Pattern::Binding(self.declare_local(place, &ident.ident, kind.clone(), false)?))
    }

    fn read_tuple_pattern(&mut self, tuple: &syn::PatTuple, kind: &Type, place: &Place) -> Translated<Pattern> {
        if tuple.elems.is_empty() {
            self.inference.unify(place, kind, &Type::Unit)?;
            return Ok(Pattern::Unit);
        }
        let parts: Vec<Type> = tuple.elems.iter().map(|_| self.inference.unknown()).collect();
        self.inference.unify(place, kind, &Type::Tuple(parts.clone()))?;
        let inner = tuple
            .elems
            .iter()
            .zip(&parts)
            .map(|(inner, part)| self.read_pattern(inner, part))
            .collect::<Translated<_>>()?;
        Ok(Pattern::Tuple(inner))
    }

    fn read_literal_pattern(&mut self, literal: &syn::Lit, kind: &Type, place: &Place) -> Translated<Pattern> {
        match literal {
            syn::Lit::Bool(value) => {
                self.inference.unify(place, kind, &Type::Bool)?;
                Ok(Pattern::Bool(value.value))
            }
            syn::Lit::Int(value) => {
                let integer = self.integer_type(value, place)?;
                self.inference.unify(place, kind, &integer)?;
                match value.base10_parse() {
                    Ok(number) => Ok(Pattern::Number(number)),
                    Err(_) => place.refuse("a number of more than 128 bits"),
                }
            }
            _ => place.refuse("a literal in a pattern that is neither a number nor a boolean"),
        }
    }

    fn read_alternatives(&mut self, found: &syn::PatOr, kind: &Type, place: &Place) -> Translated<Pattern> {
        let before = self.locals.len();
        let cases =
            found.cases.iter().map(|case| self.read_pattern(case, kind)).collect::<Translated<Vec<Pattern>>>()?;
        if self.locals.len() != before {
            return place.refuse("alternatives in a pattern that bind variables");
        }
        Ok(Pattern::Or(cases))
    }

    /// The Coq name and the types of the fields of a constructor, for values of a type.
    pub fn constructor(&mut self, path: &syn::Path, kind: &Type, place: &Place) -> Translated<(String, Vec<Type>)> {
        let path = self.context.short_path(path)?;
        let Some(qualifier) = path.qualifier else {
            return self.built_in_constructor(&path.name, kind, place);
        };
        if !qualifier.arguments.is_none() {
            return place.refuse("type arguments on an enum");
        }
        let owner = qualifier.ident.to_string();
        let (_, entity) = self.context.look_up(place, None, &owner)?;
        let Entity::Enum(variants) = entity else {
            return place.refuse(format!("`{owner}` is not an enum"));
        };
        let Some((_, coq_name, fields)) = variants.iter().find(|(name, _, _)| *name == path.name) else {
            return place.refuse(format!("`{owner}` has no variant `{}`", path.name));
        };
        let found = (coq_name.clone(), fields.clone());
        self.inference.unify(place, kind, &Type::Named(owner))?;
        Ok(found)
    }

    fn built_in_constructor(&mut self, name: &str, kind: &Type, place: &Place) -> Translated<(String, Vec<Type>)> {
        let (value, error) = (self.inference.unknown(), self.inference.unknown());
        let (built, fields) = match name {
            "None" => (Type::Option(Box::new(value)), vec![]),
            "Some" => (Type::Option(Box::new(value.clone())), vec![value]),
            "Ok" => (Type::Result(Box::new(value.clone()), Box::new(error)), vec![value]),
            "Err" => (Type::Result(Box::new(value), Box::new(error.clone())), vec![error]),
            _ => return place.refuse(format!("`{name}` in a pattern: neither a variable nor a known constructor")),
        };
        self.inference.unify(place, kind, &built)?;
        Ok((name.to_owned(), fields))
    }
}

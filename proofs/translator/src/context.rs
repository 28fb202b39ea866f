//! Where a piece of syntax stands: its file and module, and what is visible there. Types and paths
//! are read here.

use proc_macro2::Span;
use syn::spanned::Spanned;

use crate::globals::{Entity, Globals, Imports};
use crate::refusal::{Place, Translated};
use crate::types::{Type, Width};

/// The surroundings of what is read.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// What is declared so far.
    pub globals: &'a Globals,
    /// The file, for refusals.
    pub file: &'a str,
    /// The module.
    pub module: &'a str,
    /// What it imports.
    pub imports: &'a Imports,
}

/// A path of at most two names: `name`, `qualifier::name`, with the qualifier's type arguments.
pub struct ShortPath<'s> {
    /// The module or type before the name.
    pub qualifier: Option<&'s syn::PathSegment>,
    /// The name.
    pub name: String,
    /// Where the path stands.
    pub place: Place,
}

impl Context<'_> {
    /// The place of a span.
    pub fn place(&self, span: Span) -> Place {
        Place::of(self.file, span)
    }

    /// What a name stands for here, and its name in Coq.
    pub fn look_up(&self, place: &Place, qualifier: Option<&str>, name: &str) -> Translated<(&str, &Entity)> {
        self.globals.look_up(place, self.module, self.imports, qualifier, name)
    }

    /// Reads a path as a name with at most one qualifier; `crate::` before a module is dropped.
    pub fn short_path<'s>(&self, path: &'s syn::Path) -> Translated<ShortPath<'s>> {
        let place = self.place(path.span());
        if path.leading_colon.is_some() {
            return place.refuse("a path that begins with `::`");
        }
        let (qualifier, last) = self.two_names(path, &place)?;
        if !last.arguments.is_none() {
            return place.refuse("type arguments after a name");
        }
        if qualifier.is_some_and(|first| ["crate", "self", "super", "Self"].iter().any(|word| first.ident == word)) {
            return place.refuse("a path relative to `crate`, `self`, `super` or `Self` without a module's name");
        }
        Ok(ShortPath { qualifier, name: last.ident.to_string(), place })
    }

    /// The last name of a path and the one before it. From `crate` on, folders may come before a
    /// module.
    fn two_names<'s>(
        &self,
        path: &'s syn::Path,
        place: &Place,
    ) -> Translated<(Option<&'s syn::PathSegment>, &'s syn::PathSegment)> {
        let mut segments: Vec<&syn::PathSegment> = path.segments.iter().collect();
        let Some(last) = segments.pop() else { return place.refuse("an empty path") };
        let qualifier = segments.pop();
        let Some((first, folders)) = segments.split_first() else { return Ok((qualifier, last)) };
        let folders: Vec<String> = folders.iter().map(|folder| folder.ident.to_string()).collect();
        let stands_there = |qualifier: &syn::PathSegment| match self.globals.module(&qualifier.ident.to_string()) {
            Some(module) => module.folders == folders,
            None => folders.is_empty(),
        };
        if first.ident == "crate" && qualifier.is_some_and(stands_there) {
            return Ok((qualifier, last));
        }
        place.refuse("a path of more than two names, or one that leads to no module before this one")
    }

    /// Reads a type; references are erased.
    pub fn read_type(&self, found: &syn::Type) -> Translated<Type> {
        let place = self.place(found.span());
        match found {
            syn::Type::Reference(reference) => {
                if reference.mutability.is_some() {
                    return place.refuse("a mutable reference");
                }
                if reference.lifetime.is_some() {
                    return place.refuse("a lifetime");
                }
                self.read_type(&reference.elem)
            }
            syn::Type::Paren(inner) => self.read_type(&inner.elem),
            syn::Type::Tuple(tuple) => {
                let parts: Vec<Type> =
                    tuple.elems.iter().map(|part| self.read_type(part)).collect::<Translated<_>>()?;
                match parts.len() {
                    0 => Ok(Type::Unit),
                    1 => place.refuse("a tuple of one element"),
                    _ => Ok(Type::Tuple(parts)),
                }
            }
            syn::Type::Path(path) if path.qself.is_none() => self.read_type_path(&path.path, &place),
            _ => place.refuse("a type that is neither a name, a reference nor a tuple"),
        }
    }

    fn read_type_path(&self, path: &syn::Path, place: &Place) -> Translated<Type> {
        let (qualifier, last) = self.two_names(path, place)?;
        let name = last.ident.to_string();
        let arguments = self.type_arguments(last, place)?;
        if let Some(qualifier) = qualifier {
            let module = qualifier.ident.to_string();
            if !arguments.is_empty() {
                return place.refuse("type arguments on a type of the specification");
            }
            return self.declared_type(place, Some(&module), &name);
        }
        match (name.as_str(), arguments.as_slice()) {
            ("Seq", [element]) => Ok(Type::Seq(Box::new(element.clone()))),
            ("Option", [element]) => Ok(Type::Option(Box::new(element.clone()))),
            ("Result", [value, error]) => Ok(Type::Result(Box::new(value.clone()), Box::new(error.clone()))),
            ("bool", []) => Ok(Type::Bool),
            (_, []) => match Width::of_name(&name) {
                Some(width) => Ok(Type::Integer(width)),
                None => self.declared_type(place, None, &name),
            },
            _ => place.refuse(format!("`{name}` with type arguments")),
        }
    }

    /// The type arguments written on a path's segment.
    pub fn type_arguments(&self, segment: &syn::PathSegment, place: &Place) -> Translated<Vec<Type>> {
        match &segment.arguments {
            syn::PathArguments::None => Ok(Vec::new()),
            syn::PathArguments::Parenthesized(_) => place.refuse("a function type"),
            syn::PathArguments::AngleBracketed(arguments) => arguments
                .args
                .iter()
                .map(|argument| match argument {
                    syn::GenericArgument::Type(argument) => self.read_type(argument),
                    _ => place.refuse("a generic argument that is not a type"),
                })
                .collect(),
        }
    }

    /// The type of the specification that this name stands for.
    pub fn declared_type(&self, place: &Place, qualifier: Option<&str>, name: &str) -> Translated<Type> {
        match self.look_up(place, qualifier, name)?.1 {
            Entity::Struct(_) | Entity::Enum(_) => Ok(Type::Named(name.to_owned())),
            Entity::Alias(target) => Ok(Type::Alias(name.to_owned(), Box::new(target.clone()))),
            Entity::ScalarField => Ok(Type::Scalar),
            _ => place.refuse(format!("`{name}` is not a type")),
        }
    }
}

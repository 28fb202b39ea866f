//! The mutations that are found in one function.

use std::ops::Range;

use syn::spanned::Spanned;

use crate::mutate::specification::{Signature, Specification};

/// A mutation without its number.
pub struct Found {
    /// The kind of change.
    pub operator: &'static str,
    /// The bytes that are replaced.
    pub range: Range<usize>,
    /// What stands there instead.
    pub to: String,
    /// Whether a block is replaced.
    pub block: bool,
}

/// What is found in a function.
pub struct Finder<'a> {
    /// The specification.
    pub specification: &'a Specification,
    /// The function's.
    pub signature: &'a Signature,
    /// The file's text.
    pub text: &'a str,
    /// The mutations so far, in the order of the text.
    pub found: Vec<Found>,
    /// The expression that makes a value of the place that is being visited: `a.b.clone()` or
    /// `&a.b` for `a.b`. It is what a change of the place replaces, since a place cannot be
    /// replaced by a choice between two without being moved.
    pub anchor: Option<Range<usize>>,
}

impl Finder<'_> {
    /// The text of some syntax, as it stands in the file.
    pub fn source(&self, syntax: &impl Spanned) -> &str {
        self.text.get(syntax.span().byte_range()).unwrap_or_default()
    }

    /// Notes that an expression may be replaced by this text.
    pub fn replace(&mut self, operator: &'static str, syntax: &impl Spanned, to: impl Into<String>) {
        self.note(operator, syntax.span().byte_range(), to.into(), false);
    }

    /// Notes that a match arm's body, or another block, may be replaced by this text.
    pub fn replace_body(&mut self, operator: &'static str, body: &syn::Expr, to: impl Into<String>) {
        let block = matches!(body, syn::Expr::Block(_));
        self.note(operator, body.span().byte_range(), to.into(), block);
    }

    /// Notes that a part of an expression may be replaced by this text.
    pub fn replace_parts(&mut self, operator: &'static str, whole: &impl Spanned, parts: &[(Range<usize>, String)]) {
        let whole = whole.span().byte_range();
        let to = self.with_parts(&whole, parts);
        self.note(operator, whole, to, false);
    }

    /// A piece of the text with other texts in the place of parts of it.
    pub fn with_parts(&self, whole: &Range<usize>, parts: &[(Range<usize>, String)]) -> String {
        let (mut to, mut at) = (String::new(), whole.start);
        for (part, text) in parts {
            to += self.text.get(at..part.start).unwrap_or_default();
            to += text;
            at = part.end;
        }
        to + self.text.get(at..whole.end).unwrap_or_default()
    }

    /// Notes that these bytes may be replaced, unless by themselves or as noted already.
    pub fn note(&mut self, operator: &'static str, range: Range<usize>, to: String, block: bool) {
        let spaceless = |text: &str| text.split_whitespace().collect::<String>();
        let from = self.text.get(range.clone()).unwrap_or_default();
        let known = |found: &Found| found.range == range && spaceless(&found.to) == spaceless(&to);
        if spaceless(from) != spaceless(&to) && !self.found.iter().any(known) {
            self.found.push(Found { operator, range, to, block });
        }
    }
}

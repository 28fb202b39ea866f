//! Attributes and documentation of declarations.

use syn::spanned::Spanned;
use syn::visit::Visit;

use crate::refusal::{Place, Translated};

/// Attributes that do not change what the code means.
const HARMLESS: &[&str] =
    &["doc", "derive", "allow", "expect", "warn", "deny", "forbid", "must_use", "inline", "default"];

/// Refuses attributes that may change what the code means, such as `cfg`, wherever in a file they
/// stand.
pub fn check(file: &str, syntax: &syn::File) -> Translated<()> {
    let mut walk = Walk { file, refused: Ok(()) };
    walk.visit_file(syntax);
    walk.refused
}

struct Walk<'a> {
    file: &'a str,
    refused: Translated<()>,
}

impl<'s> Visit<'s> for Walk<'_> {
    fn visit_attribute(&mut self, attribute: &'s syn::Attribute) {
        let name = attribute.path().get_ident().map(ToString::to_string).unwrap_or_default();
        if self.refused.is_ok() && !HARMLESS.contains(&name.as_str()) {
            self.refused = Place::of(self.file, attribute.span()).refuse(format!("the attribute `{name}`"));
        }
    }

    fn visit_item_mod(&mut self, module: &'s syn::ItemMod) {
        if !only_for_tests(&module.attrs) {
            syn::visit::visit_item_mod(self, module);
        }
    }
}

/// The documentation, line by line, each without its leading space.
pub fn documentation(attributes: &[syn::Attribute]) -> Vec<String> {
    let mut lines = Vec::new();
    for attribute in attributes {
        let syn::Meta::NameValue(pair) = &attribute.meta else { continue };
        if !pair.path.is_ident("doc") {
            continue;
        }
        if let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) = &pair.value {
            lines.extend(text.value().split('\n').map(|line| line.strip_prefix(' ').unwrap_or(line).to_owned()));
        }
    }
    lines
}

/// Whether `Default` is derived.
pub fn derives_default(attributes: &[syn::Attribute]) -> bool {
    let mut found = false;
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("derive")) {
        // A derive that is not a list of paths is rustc's to refuse.
        let _ = attribute.parse_nested_meta(|meta| {
            found |= meta.path.is_ident("Default");
            Ok(())
        });
    }
    found
}

/// Whether the attributes say `#[cfg(test)]`.
pub fn only_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Path>().is_ok_and(|condition| condition.is_ident("test"))
    })
}

/// Whether the attributes say `#[default]`.
pub fn marked_default(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| attribute.path().is_ident("default"))
}

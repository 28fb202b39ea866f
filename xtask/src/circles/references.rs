//! Which files a module names: by its imports, and by the paths in its code.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use quote::ToTokens;

use super::graph::Imports;
use super::modules::{Module, Modules, Target, flatten};

/// Which file imports which.
pub fn imports(modules: &Modules) -> Imports {
    let mut edges = BTreeSet::new();
    for (place, module) in modules.all.iter().enumerate() {
        for path in paths(module) {
            if let Some(Target::Item(file)) = modules.resolve(place, &path)
                && file != module.file
            {
                edges.insert((module.file, file));
            }
        }
    }
    Imports { files: modules.files.clone(), edges }
}

/// All paths that a module names. An import that it only passes on is none; where its code uses the
/// name, that is one.
fn paths(module: &Module) -> BTreeSet<Vec<String>> {
    let own = module.imports.iter().filter(|import| !import.is_passed_on && !import.is_glob);
    let mut paths: BTreeSet<Vec<String>> = own.map(|import| import.path.clone()).collect();
    for item in &module.items {
        scan(item.to_token_stream(), &mut paths);
    }
    paths
}

/// Finds the paths in code, whatever it is: expressions, types, patterns, the insides of macros and
/// attributes.
fn scan(tokens: TokenStream, paths: &mut BTreeSet<Vec<String>>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut place = 0;
    while let Some(token) = tokens.get(place) {
        match token {
            TokenTree::Group(group) => scan(group.stream(), paths),
            TokenTree::Literal(literal) => scan_text(&literal.to_string(), paths),
            TokenTree::Ident(word) if word == "use" => place = scan_use(&tokens, place, paths),
            TokenTree::Ident(_) => {
                let (path, last) = path_at(&tokens, place);
                if begins_path(&tokens, place) && (path.len() > 1 || is_named(&tokens, place)) {
                    paths.insert(path);
                }
                place = last;
            }
            TokenTree::Punct(_) => {}
        }
        place += 1;
    }
}

/// A path in quotes, as attributes of serde have it.
fn scan_text(literal: &str, paths: &mut BTreeSet<Vec<String>>) {
    let text = literal.trim_matches('"');
    if ["crate::", "super::", "self::"].iter().any(|start| text.starts_with(start))
        && let Ok(tokens) = text.parse::<TokenStream>()
    {
        scan(tokens, paths);
    }
}

/// A `use` inside of a function; gives the place of its end.
fn scan_use(tokens: &[TokenTree], place: usize, paths: &mut BTreeSet<Vec<String>>) -> usize {
    let length = tokens.iter().skip(place).position(|token| is_punct(token, ';')).unwrap_or(0);
    let all: TokenStream = tokens.iter().skip(place).take(length + 1).cloned().collect();
    if let Ok(import) = syn::parse2::<syn::ItemUse>(all) {
        let mut found = Vec::new();
        flatten(&import.tree, &mut Vec::new(), false, &mut found);
        paths.extend(found.into_iter().map(|import| import.path));
    }
    place + length
}

/// The path that begins here, and the place of its last word.
fn path_at(tokens: &[TokenTree], place: usize) -> (Vec<String>, usize) {
    let (mut path, mut last) = (Vec::new(), place);
    while let Some(TokenTree::Ident(word)) = tokens.get(last) {
        path.push(word.to_string());
        let goes_on = is_colons(tokens, last + 1) && matches!(tokens.get(last + 3), Some(TokenTree::Ident(_)));
        if !goes_on {
            break;
        }
        last += 3;
    }
    (path, last)
}

/// Whether a word is the first of a path: no field, no method, no lifetime, nothing behind `::`, no
/// name that is declared.
fn begins_path(tokens: &[TokenTree], place: usize) -> bool {
    let before = |distance: usize| place.checked_sub(distance).and_then(|place| tokens.get(place));
    let is_behind = |c: char| before(1).is_some_and(|token| is_punct(token, c));
    let is_range = before(2).is_some_and(|token| is_punct(token, '.'));
    let is_declared = matches!(before(1), Some(TokenTree::Ident(word)) if word == "fn");
    let is_part = place.checked_sub(2).is_some_and(|place| is_colons(tokens, place));
    !(is_declared || is_part || is_behind('\'') || is_behind('.') && !is_range)
}

/// Whether a word that stands alone names a type, or is called: a lower-case word may be a
/// variable.
fn is_named(tokens: &[TokenTree], place: usize) -> bool {
    let Some(TokenTree::Ident(word)) = tokens.get(place) else { return false };
    let is_called = match tokens.get(place + 1) {
        Some(TokenTree::Group(group)) => group.delimiter() == Delimiter::Parenthesis,
        Some(token) => is_punct(token, '!'),
        None => false,
    };
    is_called || word.to_string().starts_with(char::is_uppercase)
}

fn is_colons(tokens: &[TokenTree], place: usize) -> bool {
    let joint = matches!(tokens.get(place), Some(TokenTree::Punct(first)) if first.as_char() == ':' && first.spacing() == Spacing::Joint);
    joint && tokens.get(place + 1).is_some_and(|token| is_punct(token, ':'))
}

fn is_punct(token: &TokenTree, c: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == c)
}

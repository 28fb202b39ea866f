//! The public items of `aardvark-spec`, by their paths.

use std::collections::{BTreeMap, BTreeSet};

use crate::tree;

/// A path in the crate, from its root.
type Segments = Vec<String>;

/// The specification's modules and items.
pub struct Specification {
    /// Modules, items, and variants of enums.
    items: BTreeSet<Segments>,
    /// Names that modules pass on, with where they come from; of `*`, the module that it stands
    /// for.
    passed_on: BTreeMap<Segments, Segments>,
    globs: Vec<(Segments, Segments)>,
}

impl Specification {
    /// Reads `spec/src`.
    pub fn read() -> Self {
        let mut found = Self { items: BTreeSet::new(), passed_on: BTreeMap::new(), globs: Vec::new() };
        found.read_module("spec/src/lib.rs", "spec/src", &[]);
        found
    }

    fn read_module(&mut self, file: &str, folder: &str, module: &[String]) {
        let parsed = syn::parse_file(&tree::read(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        for item in parsed.items {
            self.read_item(item, folder, module);
        }
    }

    fn read_item(&mut self, item: syn::Item, folder: &str, module: &[String]) {
        let public = |visibility: &syn::Visibility| matches!(visibility, syn::Visibility::Public(_));
        match item {
            syn::Item::Mod(syn::ItemMod { ident, content: Some((_, items)), .. }) => {
                let inner = joined(module, &ident);
                items.into_iter().for_each(|item| self.read_item(item, folder, &inner));
            }
            syn::Item::Mod(item) if public(&item.vis) => {
                let inner = joined(module, &item.ident);
                let folder_below = format!("{folder}/{}", item.ident);
                let beside = format!("{folder_below}.rs");
                let file = if tree::exists(&beside) { beside } else { format!("{folder_below}/mod.rs") };
                self.items.insert(inner.clone());
                self.read_module(&file, &folder_below, &inner);
            }
            syn::Item::Enum(item) if public(&item.vis) => {
                let name = joined(module, &item.ident);
                self.items.extend(item.variants.iter().map(|variant| joined(&name, &variant.ident)));
                self.items.insert(name);
            }
            syn::Item::Fn(item) if public(&item.vis) => self.insert(module, &item.sig.ident),
            syn::Item::Struct(item) if public(&item.vis) => self.insert(module, &item.ident),
            syn::Item::Const(item) if public(&item.vis) => self.insert(module, &item.ident),
            syn::Item::Type(item) if public(&item.vis) => self.insert(module, &item.ident),
            syn::Item::Use(item) if public(&item.vis) => self.read_use(&item.tree, module, module),
            // hacspec's macros declare the type that they name.
            syn::Item::Macro(item) => self.read_macro(item.mac.tokens.to_string().as_str(), module),
            _ => {}
        }
    }

    fn insert(&mut self, module: &[String], name: &syn::Ident) {
        self.items.insert(joined(module, name));
    }

    fn read_macro(&mut self, tokens: &str, module: &[String]) {
        let names = tokens.split(|character: char| !character.is_alphanumeric() && character != '_');
        let types = names.filter(|name| name.starts_with(char::is_uppercase));
        self.items.extend(types.map(|name| [module, &[name.to_owned()]].concat()));
    }

    fn read_use(&mut self, tree: &syn::UseTree, before: &[String], module: &[String]) {
        match tree {
            syn::UseTree::Path(path) => {
                let before = if path.ident == "crate" { Vec::new() } else { joined(before, &path.ident) };
                self.read_use(&path.tree, &before, module);
            }
            syn::UseTree::Name(name) => {
                self.passed_on.insert(joined(module, &name.ident), joined(before, &name.ident));
            }
            syn::UseTree::Rename(rename) => {
                self.passed_on.insert(joined(module, &rename.rename), joined(before, &rename.ident));
            }
            syn::UseTree::Glob(_) => self.globs.push((module.to_vec(), before.to_vec())),
            syn::UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.read_use(tree, before, module));
            }
        }
    }

    /// Whether a path names a public module, item or variant.
    pub fn resolves(&self, path: &[String]) -> bool {
        self.resolves_within(path, 4)
    }

    /// The same, through at most so many names that are passed on.
    fn resolves_within(&self, path: &[String], steps: usize) -> bool {
        if self.items.contains(path) || path.is_empty() {
            return true;
        }
        if steps == 0 {
            return false;
        }
        let named = (1..=path.len()).filter_map(|length| {
            let (head, tail) = path.split_at(length);
            Some([self.passed_on.get(head)?, tail].concat())
        });
        let starred = self.globs.iter().filter_map(|(module, source)| {
            let tail = path.strip_prefix(module.as_slice())?;
            Some([source, tail].concat())
        });
        named.chain(starred).any(|elsewhere| elsewhere != path && self.resolves_within(&elsewhere, steps - 1))
    }
}

fn joined(module: &[String], name: &syn::Ident) -> Segments {
    [module, &[name.to_string()]].concat()
}

/// The paths that a text cites, without the crate's name.
pub fn citations(text: &str) -> Vec<Segments> {
    let tails = text.split("aardvark_spec::").skip(1);
    let paths = tails.map(|tail| {
        let end = tail.find(|character: char| !character.is_alphanumeric() && !"_:".contains(character));
        tail[..end.unwrap_or(tail.len())].trim_end_matches(':').to_owned()
    });
    // A path that ends in `{` or `…` names its module.
    paths.map(|path| path.split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect()).collect()
}

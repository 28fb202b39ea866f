//! The modules of a crate, read from its root file on: where each stands, what it defines, what it
//! imports.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use syn::{Attribute, Expr, Item, ItemMod, Lit, Meta, UseTree, Visibility};

use crate::chore::{ChoreError, read as read_text};

/// A crate, without its tests.
pub struct Modules {
    /// The source files.
    pub files: Vec<PathBuf>,
    /// The modules; the first one is the root.
    pub all: Vec<Module>,
}

/// One module, in a file of its own or inside of another one's.
pub struct Module {
    parent: Option<usize>,
    /// Place of its file in the list.
    pub file: usize,
    /// Its imports.
    pub imports: Vec<Import>,
    /// All items but imports and modules.
    pub items: Vec<Item>,
    names: BTreeMap<String, Vec<Meaning>>,
}

/// A path that a `use` brings into a module.
pub struct Import {
    /// The path's parts, such as `crate`, `a`, `A`.
    pub path: Vec<String>,
    /// The name that it has there; none for `*` and `_`.
    name: Option<String>,
    /// Whether it ends in `*`.
    pub is_glob: bool,
    /// Whether it is for other modules too.
    pub is_passed_on: bool,
}

/// What a name in a module is.
enum Meaning {
    Module(usize),
    Item,
    Import(Vec<String>),
}

/// What a path leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A module of the crate.
    Module(usize),
    /// Something that this file defines.
    Item(usize),
}

/// Reads a crate from its root file on.
pub fn read(root: &Path) -> Result<Modules, ChoreError> {
    let mut modules = Modules { files: Vec::new(), all: Vec::new() };
    modules.add_file(root, root.parent().unwrap_or(root), None)?;
    Ok(modules)
}

impl Modules {
    /// Where a path leads, seen from a module; nothing if out of the crate.
    pub fn resolve(&self, from: usize, path: &[String]) -> Option<Target> {
        self.follow(from, path, &mut BTreeSet::new())
    }

    fn add_file(&mut self, path: &Path, folder: &Path, parent: Option<usize>) -> Result<usize, ChoreError> {
        let text = read_text(path)?;
        let parsed =
            syn::parse_file(&text).map_err(|error| ChoreError::Circles(format!("{}: {error}", path.display())))?;
        self.files.push(path.to_owned());
        self.add_module(self.files.len() - 1, folder, parent, parsed.items)
    }

    /// Adds a module whose child modules' files stand in this folder.
    fn add_module(
        &mut self,
        file: usize,
        folder: &Path,
        parent: Option<usize>,
        items: Vec<Item>,
    ) -> Result<usize, ChoreError> {
        let place = self.all.len();
        self.all.push(Module { parent, file, imports: Vec::new(), items: Vec::new(), names: BTreeMap::new() });
        let mut module = Module { parent, file, imports: Vec::new(), items: Vec::new(), names: BTreeMap::new() };
        for item in items.into_iter().filter(|item| !is_test(attributes(item))) {
            match item {
                Item::Mod(child) => {
                    let name = child.ident.to_string();
                    let child = self.add_child(file, folder, place, child)?;
                    module.name(name, Meaning::Module(child));
                }
                Item::Use(import) => {
                    if import.leading_colon.is_none() {
                        let is_passed_on = !matches!(import.vis, Visibility::Inherited);
                        flatten(&import.tree, &mut Vec::new(), is_passed_on, &mut module.imports);
                    }
                }
                item => {
                    if let Some(name) = defined(&item) {
                        module.name(name, Meaning::Item);
                    }
                    module.items.push(item);
                }
            }
        }
        let named: Vec<(String, Vec<String>)> =
            module.imports.iter().filter_map(|import| Some((import.name.clone()?, import.path.clone()))).collect();
        for (name, path) in named {
            module.name(name, Meaning::Import(path));
        }
        if let Some(slot) = self.all.get_mut(place) {
            *slot = module;
        }
        Ok(place)
    }

    fn add_child(&mut self, file: usize, folder: &Path, parent: usize, child: ItemMod) -> Result<usize, ChoreError> {
        let name = child.ident.to_string();
        let own_folder = folder.join(&name);
        if let Some((_, items)) = child.content {
            return self.add_module(file, &own_folder, Some(parent), items);
        }
        let beside = self.files.get(file).and_then(|file| file.parent()).unwrap_or(folder).to_owned();
        if let Some(path) = path_attribute(&child.attrs) {
            let path = beside.join(path);
            let folder = path.parent().unwrap_or(&beside).to_owned();
            return self.add_file(&path, &folder, Some(parent));
        }
        let flat = folder.join(format!("{name}.rs"));
        let path = if flat.is_file() { flat } else { own_folder.join("mod.rs") };
        self.add_file(&path, &own_folder, Some(parent))
    }

    fn follow(&self, from: usize, path: &[String], seen: &mut Seen) -> Option<Target> {
        let (first, rest) = path.split_first()?;
        let mut at = match first.as_str() {
            "crate" => Target::Module(0),
            "self" => Target::Module(from),
            "super" => Target::Module(self.all.get(from)?.parent?),
            name => self.look_up(from, name, rest.is_empty(), seen)?,
        };
        for (place, name) in rest.iter().enumerate() {
            let Target::Module(module) = at else { return Some(at) };
            at = match name.as_str() {
                "self" => at,
                "super" => Target::Module(self.all.get(module)?.parent?),
                name => match self.look_up(module, name, place + 1 == rest.len(), seen) {
                    Some(target) => target,
                    None if self.may_pass_on(module, name) => return None,
                    // What a macro defines has no name that is seen here.
                    None => Target::Item(self.all.get(module)?.file),
                },
            };
        }
        Some(at)
    }

    /// Whether a name that leads to nothing in this crate may come from another crate through this
    /// module.
    fn may_pass_on(&self, at: usize, name: &str) -> bool {
        self.all
            .get(at)
            .is_some_and(|module| module.names.contains_key(name) || module.imports.iter().any(|import| import.is_glob))
    }

    /// What a name in a module is. A module and a function may share one: at a path's end the
    /// function is meant.
    fn look_up(&self, at: usize, name: &str, is_last: bool, seen: &mut Seen) -> Option<Target> {
        if !seen.insert((at, name.to_owned(), is_last)) {
            return None;
        }
        let module = self.all.get(at)?;
        let mut found = Vec::new();
        for meaning in module.names.get(name).into_iter().flatten() {
            found.extend(match meaning {
                Meaning::Module(child) => Some(Target::Module(*child)),
                Meaning::Item => Some(Target::Item(module.file)),
                // `use a::b as b` inside of b: the first part is not the import itself.
                Meaning::Import(path) => self.follow(at, path, seen),
            });
        }
        for glob in module.imports.iter().filter(|import| import.is_glob) {
            if found.is_empty()
                && let Some(Target::Module(other)) = self.follow(at, &glob.path, seen)
            {
                found.extend(self.look_up(other, name, is_last, seen));
            }
        }
        let wanted = |target: &&Target| matches!(target, Target::Item(_)) == is_last;
        found.iter().find(wanted).or(found.first()).copied()
    }
}

/// Names that were looked up on the way: module, name, and whether at the end of a path.
type Seen = BTreeSet<(usize, String, bool)>;

impl Module {
    fn name(&mut self, name: String, meaning: Meaning) {
        self.names.entry(name).or_default().push(meaning);
    }
}

/// All paths of a `use`.
pub fn flatten(tree: &UseTree, before: &mut Vec<String>, is_passed_on: bool, found: &mut Vec<Import>) {
    let import = |path: Vec<String>, name: Option<String>, is_glob| Import { path, name, is_glob, is_passed_on };
    match tree {
        UseTree::Path(path) => {
            before.push(path.ident.to_string());
            flatten(&path.tree, before, is_passed_on, found);
            before.pop();
        }
        UseTree::Group(group) => {
            group.items.iter().for_each(|tree| flatten(tree, before, is_passed_on, found));
        }
        UseTree::Glob(_) => found.push(import(before.clone(), None, true)),
        UseTree::Name(name) if name.ident == "self" => {
            found.push(import(before.clone(), before.last().cloned(), false));
        }
        UseTree::Name(name) => {
            let name = name.ident.to_string();
            found.push(import([before.as_slice(), std::slice::from_ref(&name)].concat(), Some(name), false));
        }
        UseTree::Rename(rename) => {
            let (own, new) = (rename.ident.to_string(), rename.rename.to_string());
            let mut path = before.clone();
            path.extend((own != "self").then_some(own));
            found.push(import(path, (new != "_").then_some(new), false));
        }
    }
}

/// The name that an item defines in its module.
fn defined(item: &Item) -> Option<String> {
    let ident = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::TraitAlias(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(ident.to_string())
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Whether an item is compiled for tests only.
fn is_test(attributes: &[Attribute]) -> bool {
    let condition = |attribute: &Attribute| attribute.parse_args::<Meta>().is_ok_and(|meta| needs_test(&meta));
    attributes.iter().any(|attribute| attribute.path().is_ident("cfg") && condition(attribute))
}

fn needs_test(condition: &Meta) -> bool {
    match condition {
        Meta::Path(path) => path.is_ident("test"),
        Meta::List(list) if list.path.is_ident("all") => {
            let parts = syn::punctuated::Punctuated::<Meta, syn::Token![,]>::parse_terminated;
            list.parse_args_with(parts).is_ok_and(|parts| parts.iter().any(needs_test))
        }
        _ => false,
    }
}

/// The file that `#[path = "..."]` names.
fn path_attribute(attributes: &[Attribute]) -> Option<String> {
    attributes.iter().find_map(|attribute| match &attribute.meta {
        Meta::NameValue(value) if value.path.is_ident("path") => match &value.value {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(text) => Some(text.value()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    })
}

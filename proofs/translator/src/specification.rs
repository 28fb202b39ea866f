//! Reading a specification: `lib.rs` lists modules and folders in their order, the `mod.rs` of each
//! folder likewise; each file is read against those before it.

use std::collections::HashSet;
use std::path::Path;

use syn::spanned::Spanned;

use crate::TranslationError;
use crate::attributes;
use crate::core::{File, ItemKind};
use crate::globals::Globals;
use crate::items::ModuleReader;
use crate::modules::Module;
use crate::names::file_stem;
use crate::primitives;
use crate::refusal::{Place, Refusal, Translated};

/// Reads all files of a specification, the folder that holds `lib.rs`.
pub fn read(folder: &Path) -> Result<Vec<File>, TranslationError> {
    let mut lists = Lists { folder, modules: Vec::new(), stems: HashSet::from(["Prelude".to_owned()]) };
    lists.read("lib.rs", &[])?;
    let mut globals = Globals::default();
    let mut files: Vec<File> = Vec::new();
    for module in lists.modules {
        let name = module.source();
        let syntax = parse(folder, &name)?;
        let mut file = ModuleReader::read(&mut globals, &name, &module, &syntax)?;
        inherit(&mut file, &files);
        globals.add_module(module);
        files.push(file);
    }
    Ok(files)
}

fn parse(folder: &Path, name: &str) -> Result<syn::File, TranslationError> {
    let path = folder.join(name);
    let text = std::fs::read_to_string(&path).map_err(|source| TranslationError::Read { path, source })?;
    let refusal = |error: syn::Error| Refusal {
        file: name.to_owned(),
        line: error.span().start().line,
        reason: format!("not Rust: {error}"),
    };
    Ok(syn::parse_file(&text).map_err(refusal)?)
}

/// The lists of modules, `lib.rs` and each folder's `mod.rs`.
struct Lists<'a> {
    folder: &'a Path,
    /// The modules so far, in their order.
    modules: Vec<Module>,
    /// The names of generated files, without folders, that are taken.
    stems: HashSet<String>,
}

impl Lists<'_> {
    /// Reads one list; the modules that it declares stand in these folders.
    fn read(&mut self, list: &str, folders: &[String]) -> Result<(), TranslationError> {
        for (name, place) in declared(list, &parse(self.folder, list)?)? {
            if primitives::is_left_out(&name) {
                continue;
            }
            self.claim(&name, &place)?;
            let module = Module { folders: folders.to_vec(), name };
            let inside = [folders, std::slice::from_ref(&module.name)].concat();
            let inner = format!("{}/mod.rs", inside.join("/"));
            let is_file = self.folder.join(module.source()).exists();
            match (is_file, self.folder.join(&inner).exists()) {
                (true, true) => place.refuse(format!("`{}` is a file and a folder", module.name))?,
                (false, true) => self.read(&inner, &inside)?,
                (_, false) => self.modules.push(module),
            }
        }
        Ok(())
    }

    /// Names of modules and folders are unique, wherever they stand, and so are the names of what
    /// is generated.
    fn claim(&mut self, name: &str, place: &Place) -> Translated<()> {
        let stem = file_stem(name);
        let twins = format!("{stem}Safe");
        if self.stems.contains(&stem) || self.stems.contains(&twins) {
            return place.refuse(format!("`{name}`: a module, a folder or the prelude has this name already"));
        }
        self.stems.extend([stem, twins]);
        Ok(())
    }
}

/// The modules that a list declares; anything else in it is refused.
fn declared(list: &str, syntax: &syn::File) -> Translated<Vec<(String, Place)>> {
    attributes::check(list, syntax)?;
    let mut names = Vec::new();
    for item in &syntax.items {
        let place = Place::of(list, item.span());
        match item {
            syn::Item::Mod(module) if module.content.is_none() => names.push((module.ident.to_string(), place)),
            _ => return place.refuse(format!("something other than `mod name;` in {list}")),
        }
    }
    Ok(names)
}

/// A file speaks of scalars and of given functions if one that it builds on does.
fn inherit(file: &mut File, earlier: &[File]) {
    for import in &file.imports {
        let Some(found) = earlier.iter().find(|known| known.module == *import) else { continue };
        file.scalars |= found.scalars;
        let own = found.items.iter().any(|item| matches!(item.kind, ItemKind::Givens(_)));
        for given in found.givens.iter().chain(own.then_some(&found.module.name)) {
            if !file.givens.contains(given) {
                file.givens.push(given.clone());
            }
        }
    }
}

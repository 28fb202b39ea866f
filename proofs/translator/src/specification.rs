//! Reading a specification: `lib.rs` lists the modules in their order, each file is read against those before it.

use std::path::Path;

use syn::spanned::Spanned;

use crate::TranslationError;
use crate::attributes;
use crate::core::{File, ItemKind};
use crate::globals::Globals;
use crate::items::ModuleReader;
use crate::primitives;
use crate::refusal::{Place, Refusal, Translated};

/// Reads all files of a specification, the folder that holds `lib.rs`.
pub fn read(folder: &Path) -> Result<Vec<File>, TranslationError> {
    let modules = module_names(&parse(folder, "lib.rs")?)?;
    let mut globals = Globals::default();
    let mut files: Vec<File> = Vec::new();
    for module in modules.into_iter().filter(|module| !primitives::is_left_out(module)) {
        let name = format!("{module}.rs");
        let syntax = parse(folder, &name)?;
        let mut file = ModuleReader::read(&mut globals, &name, &module, &syntax)?;
        inherit(&mut file, &files);
        globals.add_module(&module);
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

/// The modules that `lib.rs` declares; anything else in it is refused.
fn module_names(library: &syn::File) -> Translated<Vec<String>> {
    attributes::check("lib.rs", library)?;
    let mut names = Vec::new();
    for item in &library.items {
        let place = Place::of("lib.rs", item.span());
        match item {
            syn::Item::Mod(module) if module.content.is_none() => {
                names.push(module.ident.to_string());
            }
            _ => return place.refuse("something other than `mod name;` in lib.rs"),
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
        for given in found.givens.iter().chain(own.then_some(&found.module)) {
            if !file.givens.contains(given) {
                file.givens.push(given.clone());
            }
        }
    }
}

//! Reading `use`: only whole modules of the specification or single names of theirs, and hacspec's
//! library.

use syn::spanned::Spanned;

use crate::globals::{Globals, Imports};
use crate::refusal::{Place, Translated};

/// Reads one `use` and adds to the imports.
pub fn read(file: &str, globals: &Globals, found: &syn::ItemUse, imports: &mut Imports) -> Translated<()> {
    let place = Place::of(file, found.span());
    let syn::UseTree::Path(root) = &found.tree else {
        return place.refuse("`use` of something other than `crate::module::..` or `hacspec_lib::..`");
    };
    if root.ident == "hacspec_lib" {
        return match root.tree.as_ref() {
            syn::UseTree::Glob(_) => Ok(()),
            syn::UseTree::Name(name) if name.ident == "Seq" => Ok(()),
            _ => place.refuse("`use` of something in `hacspec_lib` other than `*` or `Seq`"),
        };
    }
    if root.ident != "crate" {
        return place.refuse(format!("`use` of the crate `{}`", root.ident));
    }
    let mut path = Vec::new();
    let mut tree = root.tree.as_ref();
    while let syn::UseTree::Path(step) = tree {
        path.push(step.ident.to_string());
        tree = step.tree.as_ref();
        if let Some(module) = globals.module_at(&path) {
            return imports_of_tree(&place, &module.name, tree, imports);
        }
    }
    if path.is_empty() {
        return place.refuse("`use` of something that is not in a module of the specification");
    }
    place.refuse(format!("`use crate::{}`: no module of this name comes before this one", path.join("::")))
}

fn imports_of_tree(place: &Place, module: &str, tree: &syn::UseTree, imports: &mut Imports) -> Translated<()> {
    match tree {
        syn::UseTree::Glob(_) => {
            imports.modules.push(module.to_owned());
            Ok(())
        }
        syn::UseTree::Name(name) => {
            imports.names.insert((module.to_owned(), name.ident.to_string()));
            Ok(())
        }
        syn::UseTree::Group(group) => {
            group.items.iter().try_for_each(|tree| imports_of_tree(place, module, tree, imports))
        }
        syn::UseTree::Rename(_) => place.refuse("`use .. as ..`"),
        syn::UseTree::Path(_) => place.refuse("`use` of something inside a type or an inner module"),
    }
}

//! What the files read so far declare, and who may see it.
//!
//! Coq sees all names of all files in one space, so a name that is declared twice, be it a
//! function, a type, a field or a constant, is refused: dropping a module's qualifier then cannot
//! change a meaning.

use std::collections::{HashMap, HashSet};

use crate::modules::Module;
use crate::refusal::{Place, Translated};
use crate::types::Type;

/// A declaration that other code can name.
#[derive(Clone, Debug)]
pub enum Entity {
    /// A function: the types of its parameters and its result.
    Function(Vec<Type>, Type),
    /// A constant.
    Constant(Type),
    /// A struct: each field's Rust name, Coq name and type.
    Struct(Vec<(String, String, Type)>),
    /// An enum: each variant's Rust name, Coq name and fields.
    Enum(Vec<(String, String, Vec<Type>)>),
    /// An alias.
    Alias(Type),
    /// The scalar field's type.
    ScalarField,
    /// A function that is not translated.
    LeftOut,
}

#[derive(Clone, Debug)]
struct Declared {
    module: String,
    coq_name: String,
    entity: Entity,
}

/// What a module imports from the others.
#[derive(Clone, Debug, Default)]
pub struct Imports {
    /// The modules imported whole.
    pub modules: Vec<String>,
    /// The single names imported, with their modules.
    pub names: HashSet<(String, String)>,
}

impl Imports {
    /// Whether something of the module of this name is imported.
    pub fn reach(&self, module: &str) -> bool {
        self.modules.iter().any(|known| known == module) || self.names.iter().any(|(known, _)| known == module)
    }
}

/// All declarations so far.
#[derive(Debug, Default)]
pub struct Globals {
    declared: HashMap<String, Declared>,
    coq_names: HashMap<String, (String, Place)>,
    fields: HashSet<String>,
    modules: Vec<Module>,
}

impl Globals {
    /// Takes note of a module.
    pub fn add_module(&mut self, module: Module) {
        self.modules.push(module);
    }

    /// Whether there is a module of this name so far.
    pub fn has_module(&self, module: &str) -> bool {
        self.module(module).is_some()
    }

    /// The module of this name, which no other has.
    pub fn module(&self, name: &str) -> Option<&Module> {
        self.modules.iter().find(|known| known.name == name)
    }

    /// The module at this path from the root.
    pub fn module_at(&self, path: &[String]) -> Option<&Module> {
        self.modules.iter().find(|known| known.is_at(path))
    }

    /// The modules so far, in their order.
    pub fn modules(&self) -> &[Module] {
        &self.modules
    }

    /// Declares a name of the specification: `what` it is, for refusals.
    pub fn declare(
        &mut self,
        place: &Place,
        module: &str,
        rust_name: &str,
        coq_name: &str,
        what: &str,
        entity: Entity,
    ) -> Translated<()> {
        self.claim_coq_name(place, coq_name, what)?;
        let declared = Declared { module: module.to_owned(), coq_name: coq_name.to_owned(), entity };
        self.declared.insert(rust_name.to_owned(), declared);
        Ok(())
    }

    /// Claims a name in Coq's one name space.
    pub fn claim_coq_name(&mut self, place: &Place, coq_name: &str, what: &str) -> Translated<()> {
        if let Some((other, there)) = self.coq_names.get(coq_name) {
            return place.refuse(format!(
                "{what} `{coq_name}`: {other} at {}:{} has that name already",
                there.file, there.line
            ));
        }
        self.coq_names.insert(coq_name.to_owned(), (what.to_owned(), place.clone()));
        Ok(())
    }

    /// Declares a field.
    pub fn declare_field(&mut self, place: &Place, coq_name: &str, owner: &str) -> Translated<()> {
        self.claim_coq_name(place, coq_name, &format!("the field of `{owner}`"))?;
        self.fields.insert(coq_name.to_owned());
        Ok(())
    }

    /// Whether some struct has a field of this name: in Coq that is a function, which a variable of
    /// the name would hide.
    pub fn is_field(&self, coq_name: &str) -> bool {
        self.fields.contains(coq_name)
    }

    /// What has this name in Coq so far, if anything, in words.
    pub fn named(&self, coq_name: &str) -> Option<&str> {
        self.coq_names.get(coq_name).map(|(what, _)| what.as_str())
    }

    /// What a name stands for in a module, and its name in Coq. `qualifier` is the module that the
    /// path names, if any.
    pub fn look_up(
        &self,
        place: &Place,
        module: &str,
        imports: &Imports,
        qualifier: Option<&str>,
        name: &str,
    ) -> Translated<(&str, &Entity)> {
        let Some(found) = self.declared.get(name) else {
            return place.refuse(format!("`{name}` is not declared in the specification before it is used here"));
        };
        if let Some(qualifier) = qualifier {
            if qualifier != found.module {
                return place
                    .refuse(format!("`{qualifier}::{name}`: the only `{name}` known is that of `{}`", found.module));
            }
        } else if found.module != module
            && !imports.modules.contains(&found.module)
            && !imports.names.contains(&(found.module.clone(), name.to_owned()))
        {
            return place.refuse(format!("`{name}` of module `{}` is not imported here", found.module));
        }
        if matches!(found.entity, Entity::LeftOut) {
            return place
                .refuse(format!("`{name}` is left out of the translation, so nothing that is translated may use it"));
        }
        Ok((&found.coq_name, &found.entity))
    }

    /// The fields of a struct.
    pub fn fields_of(&self, name: &str) -> Option<&[(String, String, Type)]> {
        match self.declared.get(name).map(|found| &found.entity) {
            Some(Entity::Struct(fields)) => Some(fields),
            _ => None,
        }
    }

    /// Whether this name is a constant's.
    pub fn is_constant(&self, name: &str) -> bool {
        matches!(self.declared.get(name).map(|found| &found.entity), Some(Entity::Constant(_)))
    }
}

//! Modules and the folders that they stand in: `base/bytes.rs` is `crate::base::bytes` in Rust, and
//! `Base.Bytes`, in `Base/Bytes.v`, in Coq.

use crate::names::file_stem;

/// A module of the specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// The folders from the root on; none for a module that `lib.rs` names.
    pub folders: Vec<String>,
    /// Its own name, which no other module or folder has.
    pub name: String,
}

impl Module {
    /// Its file, relative to the folder that holds `lib.rs`.
    pub fn source(&self) -> String {
        format!("{}.rs", self.joined("/", Clone::clone))
    }

    /// The generated file, relative to the output's folder; `ending` is that of the twins, or
    /// empty.
    pub fn generated(&self, ending: &str) -> String {
        format!("{}{ending}.v", self.joined("/", |name| file_stem(name)))
    }

    /// The generated file's name in Coq, after the root's.
    pub fn logical(&self, ending: &str) -> String {
        format!("{}{ending}", self.joined(".", |name| file_stem(name)))
    }

    /// Whether this is the path of the module, from the root on.
    pub fn is_at(&self, path: &[String]) -> bool {
        path.split_last().is_some_and(|(name, folders)| *name == self.name && folders == self.folders)
    }

    fn joined(&self, between: &str, written: impl Fn(&String) -> String) -> String {
        self.folders.iter().chain(std::iter::once(&self.name)).map(written).collect::<Vec<_>>().join(between)
    }
}

//! Which functions of the specification are given rather than translated.
//!
//! The hash is a variable of the theorems, and the root of unity belongs to the field that
//! instantiates them. Such functions become members of a type class, which the generated files that
//! build on them take as context.

/// How a module's functions are treated.
#[derive(Clone, Copy, Debug)]
pub struct GivenModule {
    /// The module.
    pub module: &'static str,
    /// Its functions that are given.
    pub given: &'static [&'static str],
    /// Whether the given functions' bodies are translated beside them, under the name with the
    /// ending `_of_spec`, for whoever instantiates the class.
    pub with_bodies: bool,
    /// What of the rest is translated.
    pub rest: Rest,
}

/// What happens with the functions, types and constants of a module that are not given.
#[derive(Clone, Copy, Debug)]
pub enum Rest {
    /// All of it is translated.
    Translated,
    /// Functions whose names begin so are translated; all else is left out, and may not be used by
    /// what is translated.
    LeftOutUnless(&'static str),
    /// All of it is translated but these, which what is translated may not use.
    LeftOut(&'static [&'static str]),
}

const GIVEN: &[GivenModule] = &[
    GivenModule { module: "scalar", given: &["root_of_unity_4096"], with_bodies: true, rest: Rest::Translated },
    GivenModule {
        module: "hash",
        given: &["tagged_hash", "hash_to_scalar"],
        with_bodies: false,
        rest: Rest::LeftOutUnless("tag_"),
    },
    GivenModule { module: "group", given: &[], with_bodies: false, rest: Rest::LeftOut(&["known_exponent"]) },
];

/// How this module is treated, if not as an ordinary one.
pub fn given_module(module: &str) -> Option<&'static GivenModule> {
    GIVEN.iter().find(|known| known.module == module)
}

/// Modules that are no part of the specification: helpers for tests. What is translated may not
/// import them.
const LEFT_OUT_MODULES: &[&str] = &["convert"];

/// Whether a module is left out.
pub fn is_left_out(module: &str) -> bool {
    LEFT_OUT_MODULES.contains(&module)
}

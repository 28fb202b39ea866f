//! Names: which of Rust's may stand in Coq as they are, which get a prime, which are refused.

use crate::refusal::{Place, Translated};

/// Words that Coq's grammar, or a notation of its library, keeps for itself. As names they get a
/// prime, which no Rust name has, so that two names stay two.
const COQ_KEYWORDS: &[&str] = &[
    "Axiom",
    "CoFixpoint",
    "Definition",
    "Fixpoint",
    "Hypothesis",
    "IF",
    "Parameter",
    "Prop",
    "SProp",
    "Set",
    "Theorem",
    "Type",
    "Variable",
    "as",
    "at",
    "by",
    "cofix",
    "discriminated",
    "else",
    "end",
    "exists",
    "exists2",
    "fix",
    "for",
    "forall",
    "fun",
    "if",
    "in",
    "is",
    "let",
    "match",
    "mod",
    "of",
    "return",
    "then",
    "using",
    "where",
    "with",
];

/// Constructors of Coq's library that are written in lower case. In a Coq pattern such a name is
/// compared, not bound, so a variable of the name gets a prime as well.
const COQ_CONSTRUCTORS: &[&str] = &[
    "conj",
    "cons",
    "ex_intro",
    "ex_intro2",
    "exist",
    "exist2",
    "existT",
    "existT2",
    "eq_refl",
    "identity_refl",
    "inl",
    "inleft",
    "inr",
    "inright",
    "left",
    "nil",
    "or_introl",
    "or_intror",
    "pair",
    "right",
    "xH",
    "xI",
    "xO",
];

/// Names that generated text uses in a meaning of its own. A name of the specification among them
/// would capture it.
const RESERVED: &[&str] = &[
    // the prelude
    "u8",
    "u32",
    "u64",
    "u128",
    "usize",
    "Option",
    "Seq",
    "Result",
    "Ok",
    "Err",
    "Default",
    "default",
    "Default_N",
    "Default_bool",
    "Default_unit",
    "Default_list",
    "Default_option",
    "Default_prod",
    "Default_Scalar",
    "seq_new",
    "seq_length",
    "seq_at",
    "seq_slice",
    "range",
    "loop_safe",
    "within_u8",
    "within_u32",
    "within_u64",
    "within_u128",
    "within_usize",
    "ScalarOperations",
    "Build_ScalarOperations",
    "Scalar",
    "scalar_add",
    "scalar_sub",
    "scalar_mul",
    "scalar_eqb",
    "scalar_inv",
    "scalar_of_N",
    "scalar_pow",
    "Scalar_modulus",
    // Coq's library, and the generated sections' context
    "N",
    "nat",
    "bool",
    "list",
    "option",
    "unit",
    "prod",
    "Some",
    "None",
    "true",
    "false",
    "tt",
    "fold_left",
    "negb",
    "F",
];

/// The reserved names, for the test that compares them with the prelude.
pub fn reserved() -> &'static [&'static str] {
    RESERVED
}

/// The Coq name of a Rust name, for a declaration or a variable.
pub fn coq_name(place: &Place, ident: &syn::Ident) -> Translated<String> {
    let name = ident.to_string();
    if name.starts_with("r#") {
        return place.refuse(format!("`{name}` is a raw identifier"));
    }
    if !name.is_ascii() {
        return place.refuse(format!("`{name}` is not written in ASCII"));
    }
    if RESERVED.contains(&name.as_str()) {
        return place.refuse(format!("`{name}` has a meaning of its own in the generated text"));
    }
    for ending in ["_safe", "_given", "_of_spec"] {
        if name.ends_with(ending) {
            return place.refuse(format!("`{name}` ends like a name that the translator makes (`{ending}`)"));
        }
    }
    for beginning in ["Build_", "Default_"] {
        if name.starts_with(beginning) {
            return place.refuse(format!("`{name}` begins like a name that the translator makes (`{beginning}`)"));
        }
    }
    Ok(primed(&name))
}

/// The name of a module's file: `slot_map` becomes `SlotMap`.
pub fn file_stem(module: &str) -> String {
    module
        .split('_')
        .map(|word| {
            let mut letters = word.chars();
            letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
        })
        .collect()
}

/// The name itself, or with a prime where Coq keeps it for itself.
pub fn primed(name: &str) -> String {
    if COQ_KEYWORDS.contains(&name) || COQ_CONSTRUCTORS.contains(&name) { format!("{name}'") } else { name.to_owned() }
}

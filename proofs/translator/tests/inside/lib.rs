//! Programs inside the subset: the modules in their order, as a specification lists them.

pub mod numbers;
pub mod choices;
pub mod sequences;
pub mod loops;
pub mod records;
pub mod attempts;
pub mod naming;
pub mod scalar;
pub mod hash;
pub mod qualified;
pub mod nested;

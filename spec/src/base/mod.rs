//! Byte strings, integers, the scalar field, the groups and the hash: what everything else is
//! written in.

// Conversions between integer types: the primitives.
pub mod integers;

// Byte strings, their order, numbers as bytes.
pub mod bytes;

// The scalar field.
pub mod scalar;

// The groups of the pairing.
pub mod group;

// SHA-256 and what is made of it.
pub mod hash;

//! The executable hacspec specification of Aardvark.
#![forbid(unsafe_code)]
// hacspec's macros name a feature of hacspec's own compiler.
#![allow(unexpected_cfgs)]
// hacspec's style: loops over indices, and matches where Rust has combinators.
#![allow(clippy::manual_div_ceil, clippy::manual_map, clippy::needless_range_loop, clippy::redundant_pattern_matching)]

// Conversions between integer types: the primitives.
pub mod integers;

// Byte strings, their order, numbers as bytes.
pub mod bytes;

// The scalar field.
pub mod scalar;

// SHA-256 and what is made of it.
pub mod hash;

// A key, its value, the next key.
pub mod slot;

// The finite map from positions to slots.
pub mod slot_map;

// The dense array: update, insert, delete.
pub mod dictionary;

// What the two schemes share.
pub mod commitment;

// KZG in the exponent.
pub mod kzg;

// Libert-Yung in the exponent.
pub mod libert_yung;

// The choice between the two.
pub mod scheme;

// The coefficients of a batch.
pub mod challenge;

//! What the implementation's kernel computes in each of its lanes.

// Products and squares in the base field on limbs of 52 bits.
pub mod limbs;

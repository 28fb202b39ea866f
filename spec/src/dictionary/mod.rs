//! The array of slots, its changes, and what a state keeps of it: vectors, writes and the window.

// A key, its value, the next key.
pub mod slot;

// The finite map from positions to slots.
pub mod slot_map;

// The dense array: update, insert, delete.
pub mod array;

// The finite map from keys to values.
pub mod key_map;

// Net changes and their effect on the array.
pub mod changes;

// Positions that a version changed.
pub mod writes;

// Parameters and the dictionary id.
pub mod genesis;

// Vectors and their commitments.
pub mod vectors;

// The W latest versions.
pub mod window;

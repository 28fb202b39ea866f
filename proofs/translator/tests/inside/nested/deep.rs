//! A module in a folder.

/// A constant of a module in a folder.
pub const DEPTH: usize = 2;

/// A type of a module in a folder.
#[derive(Clone, Debug, Default)]
pub struct Layer {
    /// How deep it is.
    pub layer_depth: usize,
}

pub fn layer_at(far: usize) -> Layer {
    Layer { layer_depth: far }
}
pub fn below(far: usize) -> usize {
    far - DEPTH
}

//! A module that uses one beside it, and one of the root.

use crate::nested::deep::{DEPTH, layer_at};
use crate::numbers::*;

pub fn next_layer(layer: &crate::nested::deep::Layer) -> usize {
    crate::nested::deep::below(layer.layer_depth) + DEPTH * 10
}
pub fn case_names_of_a_folder() -> usize {
    next_layer(&layer_at(LIMIT))
}
pub fn case_panic_in_another_module_of_a_folder() -> usize {
    next_layer(&layer_at(1))
}

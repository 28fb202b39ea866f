//! rayon, on the pool that the caller is in.

pub use rayon::{current_num_threads, join, prelude};

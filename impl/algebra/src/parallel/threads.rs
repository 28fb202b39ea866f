//! rayon, on the pool that the caller is in.

pub use rayon::{current_num_threads, join, prelude};

/// From now on the calling thread does its work alone, and begins no threads for it: for a process
/// that has a few milliseconds of work and ends. To begin threads, and let them wait for work,
/// would cost it a fifth of that, and more on machines with many cores. A thread that is in a pool
/// already stays there.
pub fn work_alone() {
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
    // The pool is this thread, for as long as it lives.
    core::mem::forget(alone);
}

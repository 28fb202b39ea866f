//! Work on several threads: the one place that knows rayon.
//!
//! An algorithm is written once, with the names below. With the feature `threads`, which is on by
//! default, they are rayon's; without it they do the same on the calling thread, for machines that
//! have no threads, such as WebAssembly. Results are the same either way: nothing here may depend
//! on the order in which the threads get on.
//!
//! ```
//! use aardvark_algebra::parallel::{self, prelude::*};
//!
//! let squares: Vec<u64> = [1u64, 2, 3].par_iter().map(|number| number * number).collect();
//! let (sum, most) = parallel::join(|| squares.iter().sum::<u64>(), || squares.iter().max());
//! assert_eq!((sum, most), (14, Some(&9)));
//! ```

use std::sync::OnceLock;

#[cfg(any(test, not(feature = "threads")))]
mod sequential;
#[cfg(all(test, feature = "threads"))]
mod tests;
#[cfg(feature = "threads")]
mod threads;

#[cfg(not(feature = "threads"))]
pub use sequential::{current_num_threads, join, prelude, work_alone};
#[cfg(feature = "threads")]
pub use threads::{current_num_threads, join, prelude, work_alone};

/// What a lock holds, made by whoever asks first: for what is made on several threads.
///
/// It is made before the lock is taken. `get_or_init` would let others wait meanwhile: where those
/// are all threads of the pool, none is left to make it. Two that ask at the same time both make
/// it, and one of the two stays.
pub fn made_once<T>(lock: &OnceLock<T>, make: impl FnOnce() -> T) -> &T {
    if let Some(made) = lock.get() {
        return made;
    }
    let made = make();
    lock.get_or_init(|| made)
}

//! Locks a mutex whose poison does not matter.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Whoever panicked with the lock ends the process; what it guards is never looked at half done.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

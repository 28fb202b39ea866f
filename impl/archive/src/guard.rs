//! Catches panics of redb, which it has on pages that are damaged in ways it does not look for: an
//! archive must report that as damage like any other.
//!
//! (The panic's message still goes to where the process sends those, by default its standard
//! error.)

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::store::StoreError;

/// Runs redb's code.
///
/// What a panic leaves half done is redb's own: it marks it as such and refuses to go on with it.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Result<T, StoreError>) -> Result<T, StoreError> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no reason given");
        Err(StoreError::Damaged(format!("the storage engine cannot read a page: {text}")))
    })
}

/// Something of redb's, whose end is guarded too: closing a damaged file panics like reading it.
pub(crate) struct Guarded<T>(Option<T>);

impl<T> Guarded<T> {
    pub(crate) fn new(inner: T) -> Self {
        Self(Some(inner))
    }

    pub(crate) fn get(&self) -> Result<&T, StoreError> {
        self.0.as_ref().ok_or(StoreError::Closed)
    }

    pub(crate) fn get_mut(&mut self) -> Result<&mut T, StoreError> {
        self.0.as_mut().ok_or(StoreError::Closed)
    }

    /// Ends it, and says how that went.
    pub(crate) fn end(mut self) -> Result<(), StoreError> {
        let inner = self.0.take();
        guarded(|| {
            drop(inner);
            Ok(())
        })
    }
}

impl<T> Drop for Guarded<T> {
    fn drop(&mut self) {
        let inner = self.0.take();
        // A file that cannot be closed in order is repaired at its next opening.
        let _ = guarded(|| {
            drop(inner);
            Ok(())
        });
    }
}

//! What was found of posts before: so that a process that looks at a board again and again verifies
//! each post once.
//!
//! Every judgement is stored under a hash of all that it follows from: the post's body, and what
//! was accepted before it as far as the judgement depends on that. So it does not matter what is
//! looked at in between, an older version of the board or a fork of it. `View::of` judges
//! everything anew; tests compare the two.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use aardvark_algebra::TaggedHash;
use aardvark_sigma::Digest;

/// A judgement, and the last look in which it was needed.
struct Entry {
    found: Box<dyn Any + Send>,
    look: u64,
}

/// What was found of the posts of one ceremony. It holds what the last look needed, so about as
/// much as a view.
pub struct Memo {
    entries: RefCell<HashMap<Digest, Entry>>,
    look: u64,
    judged: Cell<u64>,
    remembers: bool,
}

impl Default for Memo {
    fn default() -> Self {
        Self { entries: RefCell::default(), look: 0, judged: Cell::new(0), remembers: true }
    }
}

impl core::fmt::Debug for Memo {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Memo").field("entries", &self.len()).field("judged", &self.judged()).finish_non_exhaustive()
    }
}

impl Memo {
    /// One that remembers nothing.
    pub(super) fn without_memory() -> Self {
        Self { remembers: false, ..Self::default() }
    }

    /// The posts are looked at once more.
    pub(super) fn begin(&mut self) {
        self.look += 1;
    }

    /// Forgets what was not needed since the look began.
    pub(super) fn forget_the_rest(&mut self) {
        let look = self.look;
        self.entries.get_mut().retain(|_, entry| entry.look == look);
    }

    /// How many judgements are held.
    pub fn len(&self) -> usize {
        self.entries.borrow().len()
    }

    /// Whether none is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many judgements were made, and not found.
    pub fn judged(&self) -> u64 {
        self.judged.get()
    }

    fn known<T: Clone + 'static>(&self, statement: &Digest) -> Option<T> {
        let mut entries = self.entries.borrow_mut();
        let entry = entries.get_mut(statement)?;
        entry.look = self.look;
        entry.found.downcast_ref::<T>().cloned()
    }

    /// What a judgement says that follows from this statement alone.
    pub(super) fn find<T: Clone + Send + 'static>(&self, statement: Digest, judge: impl FnOnce() -> T) -> T {
        if !self.remembers {
            return judge();
        }
        if let Some(found) = self.known(&statement) {
            return found;
        }
        let found = judge();
        self.judged.set(self.judged.get() + 1);
        let entry = Entry { found: Box::new(found.clone()), look: self.look };
        self.entries.borrow_mut().insert(statement, entry);
        found
    }
}

/// The hash of what a judgement follows from. It never leaves the process.
pub(super) fn statement(judgement: &str, parts: &[&[u8]]) -> Digest {
    let mut hash = TaggedHash::new("AARDVARK-V1-MIXNET-JUDGEMENT");
    for part in core::iter::once(judgement.as_bytes()).chain(parts.iter().copied()) {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    hash.finalize()
}

/// The hash of what was accepted, after one server's post more.
pub(super) fn accept(accepted: &Digest, server: u16, body: &Digest) -> Digest {
    statement("accepted", &[accepted, &server.to_be_bytes(), body])
}

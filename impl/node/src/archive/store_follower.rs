//! Follows a store that another process writes: looks for its newest version again and again, and
//! moves the shared archive on to it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use aardvark_archive::{ArchiveError, FollowedRoot, Snapshot};

use super::shared_archive::{Following, SharedArchive};

/// How often the store is looked at.
const POLL: Duration = Duration::from_millis(100);
/// How often it is looked at least for those who ask for a newer version than there is.
const PAUSE: Duration = Duration::from_millis(10);

/// Keeps a shared archive at the newest version of its store.
pub struct StoreFollower {
    shared: Arc<SharedArchive>,
    /// When the store was looked at last; who looks at it has the lock.
    looked: Mutex<Option<Instant>>,
    /// What the newest root is over, where that of each version is noted before it is shown.
    root: Option<Mutex<FollowedRoot>>,
}

impl StoreFollower {
    /// A follower for a shared archive whose store somebody else writes.
    pub fn new(shared: Arc<SharedArchive>) -> Self {
        Self { shared, looked: Mutex::new(None), root: None }
    }

    /// The same for those who are asked for roots: notes that of each version before it is shown,
    /// that of the shared archive's version first.
    ///
    /// # Errors
    /// [`ArchiveError`] where that root cannot be made.
    pub fn with_roots(self) -> Result<Self, ArchiveError> {
        let root = FollowedRoot::of(&self.shared.archive())?;
        let follower = Self { root: Some(Mutex::new(root)), ..self };
        follower.note_root(&follower.shared.archive())?;
        Ok(follower)
    }

    /// Looks at the store until told to end. A store that fails is looked at again.
    pub fn run(&self, end: &AtomicBool) {
        while !end.load(Ordering::Relaxed) {
            self.look(POLL);
            sleep(POLL);
        }
    }

    /// Looks at the store for somebody who asks for a version that is not here; not where somebody
    /// else does so now, or did a moment ago.
    pub fn look_again(&self) {
        self.look(PAUSE);
    }

    fn look(&self, pause: Duration) {
        let mut looked = match self.looked.try_lock() {
            Ok(looked) => looked,
            Err(std::sync::TryLockError::Poisoned(poisoned)) => PoisonError::into_inner(poisoned),
            Err(std::sync::TryLockError::WouldBlock) => return,
        };
        if looked.is_some_and(|at| at.elapsed() < pause) {
            return;
        }
        let before = self.shared.archive().version();
        let caught_up = self.catch_up();
        match caught_up {
            Ok(version) => {
                if version > before {
                    tracing::debug!(version, "caught up with the store");
                }
                self.shared.set_following(Following::Nothing);
            }
            Err(error) => {
                tracing::warn!(%error, "the store cannot be followed now");
                let trouble = Some(error.to_string());
                self.shared.set_following(Following::CatchingUp { height: None, trouble });
            }
        }
        *looked = Some(Instant::now());
    }

    /// What is newest when the archive is let go is shown to readers.
    fn catch_up(&self) -> Result<u64, ArchiveError> {
        let mut archive = self.shared.archive_mut();
        let newest = archive.catch_up()?;
        self.note_root(&archive)?;
        Ok(newest)
    }

    /// Notes the root of a version that is about to be shown.
    fn note_root(&self, archive: &Snapshot) -> Result<(), ArchiveError> {
        let Some(root) = self.root.as_ref().filter(|_| !self.shared.has_noted_root(archive.version())) else {
            return Ok(());
        };
        let mut root = root.lock().unwrap_or_else(PoisonError::into_inner);
        let parts = root.root_parts(archive)?;
        self.shared.note_root_and_tree(parts, root.tree().clone());
        Ok(())
    }
}

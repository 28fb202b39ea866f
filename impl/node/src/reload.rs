//! What a server that runs takes anew when its process is told to, as by SIGHUP.
//!
//! Who reads the configuration again is the command; it hands what can change to the server here,
//! also before the server is there, which then takes it when it begins.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::openings::OpeningServers;

/// What can change in a server that runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changeable {
    /// Most connections ([`crate::archive::Limits::connections`]). Those that there are stay.
    pub connections: usize,
    /// Most connections of one client.
    pub connections_per_address: usize,
    /// The opening servers, where the process knows any.
    pub servers: Option<OpeningServers>,
}

type Taker = Box<dyn Fn(&Changeable) + Send>;

/// The way from who reads a configuration again to the server. Copies are the same way.
#[derive(Clone, Default)]
pub struct Reloads(Arc<Mutex<Ends>>);

#[derive(Default)]
struct Ends {
    taker: Option<Taker>,
    /// What came before there was a server.
    waiting: Option<Changeable>,
}

impl Reloads {
    /// Has the server take what changed, at once or when it begins.
    pub fn change(&self, changed: Changeable) {
        let mut ends = self.ends();
        match &ends.taker {
            Some(taker) => taker(&changed),
            None => ends.waiting = Some(changed),
        }
    }

    /// The server takes what changes, as long as this is held, and what changed before.
    pub(crate) fn take_by(&self, taker: impl Fn(&Changeable) + Send + 'static) -> Taking {
        let mut ends = self.ends();
        if let Some(changed) = ends.waiting.take() {
            taker(&changed);
        }
        ends.taker = Some(Box::new(taker));
        Taking(self.clone())
    }

    /// A change is whole whenever the lock is free.
    fn ends(&self) -> MutexGuard<'_, Ends> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// As long as this is there, a server takes what changes.
#[must_use]
pub(crate) struct Taking(Reloads);

impl Drop for Taking {
    fn drop(&mut self) {
        let taker = self.0.ends().taker.take();
        // Whatever it has is let go while nobody waits for the lock.
        drop(taker);
    }
}

impl fmt::Debug for Reloads {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Reloads")
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn a_server_takes_what_changed_before_it_began_and_what_changes_afterwards() {
        let change = |connections| Changeable { connections, connections_per_address: 1, servers: None };
        let (reloads, (sender, taken)) = (Reloads::default(), mpsc::channel());
        reloads.change(change(1));
        reloads.change(change(2));
        let taking = reloads.take_by(move |changed| sender.send(changed.connections).unwrap());
        reloads.clone().change(change(3));
        assert_eq!(taken.try_iter().collect::<Vec<_>>(), [2, 3]);
        drop(taking);
        reloads.change(change(4));
        assert!(taken.recv().is_err(), "what the server had is gone with it");
    }
}

//! What every process says of itself.

use prometheus_client::registry::Registry;

use super::build;
use super::process::Process;
use super::reloads;

/// A registry with what every process says: which build it is, and what it takes of its machine.
pub(crate) fn registry() -> Registry {
    let mut registry = Registry::default();
    build::register(&mut registry);
    reloads::register(&mut registry);
    registry.register_collector(Box::new(Process::beginning_now()));
    registry
}

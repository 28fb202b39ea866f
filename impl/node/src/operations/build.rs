//! Which build a process is.

use prometheus_client::metrics::info::Info;
use prometheus_client::registry::Registry;

/// `aardvark_build_info`: 1, with version, machine, system and profile as labels.
pub(super) fn register(registry: &mut Registry) {
    let labels = [
        ("version", env!("CARGO_PKG_VERSION")),
        ("machine", std::env::consts::ARCH),
        ("system", std::env::consts::OS),
        ("profile", if cfg!(debug_assertions) { "debug" } else { "release" }),
    ];
    registry.register("aardvark_build", "Which build this is", Info::new(labels));
}

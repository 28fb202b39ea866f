//! How often the process read its configuration again.

use std::sync::LazyLock;

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::registry::Registry;

/// One label.
type Label = [(&'static str, &'static str); 1];

/// The signal is the process', and so is this.
static RELOADS: LazyLock<Family<Label, Counter>> = LazyLock::new(|| {
    let reloads = Family::default();
    for outcome in ["taken", "refused"] {
        drop(reloads.get_or_create(&[("outcome", outcome)]));
    }
    reloads
});

/// Counts that the configuration was read again: it was taken, or what was there before stays.
pub fn note_reload(is_taken: bool) {
    let outcome = if is_taken { "taken" } else { "refused" };
    RELOADS.get_or_create(&[("outcome", outcome)]).inc();
}

/// Names the counter.
pub(super) fn register(registry: &mut Registry) {
    registry.register("aardvark_reloads", "Times that the configuration was read again", RELOADS.clone());
}

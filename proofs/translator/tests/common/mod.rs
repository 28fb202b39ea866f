//! What the tests share.

#![allow(dead_code, unreachable_pub)]

use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};

/// The value of a function, or nothing if it panics; the panic's message is not shown.
pub fn caught<T>(run: impl FnOnce() -> T) -> Option<T> {
    let hook = take_hook();
    set_hook(Box::new(|_| {}));
    let outcome = catch_unwind(AssertUnwindSafe(run)).ok();
    set_hook(hook);
    outcome
}

/// Whether this build panics on overflow, as the specification's does.
pub fn overflow_panics() -> bool {
    caught(|| std::hint::black_box(255_u8) + std::hint::black_box(1)).is_none()
}

/// Says something even where the test harness holds output back.
pub fn say(message: &str) {
    let _ = writeln!(std::io::stderr(), "\n{message}\n");
}

//! Links GCC's unwinder into the program where the C compiler has it as a static library: a process
//! then begins a tenth of a millisecond earlier than with `libgcc_s.so`, which it would load, and
//! which goes through CPUID once more.
//!
//! With musl linked in, the program begins at `aardvark_start` of `aardvark-musl`, and its
//! relocations are packed.

use std::path::Path;
use std::process::Command;

/// The library, as the linker calls it.
const UNWINDER: &str = "gcc_eh";

fn main() {
    println!("cargo::rerun-if-env-changed=RUSTC_LINKER");
    let target = |what: &str| std::env::var(format!("CARGO_CFG_TARGET_{what}")).unwrap_or_default();
    let native = std::env::var_os("HOST") == std::env::var_os("TARGET");
    let flags = std::env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    // A whole C library that is linked in brings its own unwinder. musl is, unless it is said not
    // to be, which Cargo keeps to itself: among the kinds of crates that it asks about are macros,
    // which never have it.
    let asked_for = target("FEATURE").split(',').any(|feature| feature == "crt-static");
    let whole = asked_for || target("ENV") == "musl" && !flags.contains("-crt-static");
    if whole && target("OS") == "linux" && target("ENV") == "musl" && target("ARCH") == "x86_64" {
        println!("cargo::rustc-link-arg-bins=-Wl,--entry=aardvark_start,-z,pack-relative-relocs");
    }
    if native && !whole && target("OS") == "linux" && target("ENV") == "gnu" && linker_has_it(&flags) {
        // All of it: what comes later on the linker's line needs it too.
        println!("cargo::rustc-link-lib=static:-bundle,+whole-archive={UNWINDER}");
    }
}

/// Whether the compiler that links knows where the library is: it answers with a path then, and
/// otherwise with the name. One that is named in the compiler's flags is not asked.
fn linker_has_it(flags: &str) -> bool {
    if flags.contains("linker=") {
        return false;
    }
    let linker = std::env::var_os("RUSTC_LINKER").unwrap_or_else(|| "cc".into());
    let answer = Command::new(linker).arg(format!("-print-file-name=lib{UNWINDER}.a")).output();
    answer.is_ok_and(|answer| {
        let path = String::from_utf8_lossy(&answer.stdout);
        let path = Path::new(path.trim());
        path.is_absolute() && path.is_file()
    })
}

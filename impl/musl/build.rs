//! Lets the tests of a linked program begin where the program that is handed out does, and says
//! whether the compiler optimizes.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(optimized)");
    if std::env::var("OPT_LEVEL").is_ok_and(|level| level != "0") {
        println!("cargo::rustc-cfg=optimized");
    }
    let target = |what: &str| std::env::var(format!("CARGO_CFG_TARGET_{what}")).unwrap_or_default();
    if target("ENV") == "musl" && target("ARCH") == "x86_64" {
        println!("cargo::rustc-link-arg-tests=-Wl,--entry=aardvark_start");
    }
}

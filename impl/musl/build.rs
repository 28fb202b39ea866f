//! Lets the tests of a linked program begin where the program that is handed out does.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = |what: &str| std::env::var(format!("CARGO_CFG_TARGET_{what}")).unwrap_or_default();
    if target("ENV") == "musl" && target("ARCH") == "x86_64" {
        println!("cargo::rustc-link-arg-tests=-Wl,--entry=aardvark_start");
    }
}

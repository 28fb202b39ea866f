//! `cargo xtask test`: all that must hold before a change lands.

use std::time::Instant;

use crate::chore::{ChoreError, FEATURES, cargo, root};
use crate::localnet::{self, ClusterNet};
use crate::versitygw::Server;
use crate::{
    before, bindings, circles, cometbft, comments, dist, mutate, operations, page, peers, prove, translate, weaken,
};

/// Runs every check; with `long` the slow and exhaustive ones too.
pub fn run(long: bool) -> Result<(), ChoreError> {
    let started = Instant::now();
    cargo("Formatting", &["fmt", "--all", "--check"], &[])?;
    circles::run()?;
    comments::check()?;
    translate::check()?;
    let alerts = alerts()?;
    let proofs = std::thread::scope(|scope| {
        let proofs = scope.spawn(|| proofs(long));
        let lints = lints();
        let proofs = proofs.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        lints.and(proofs)
    })?;
    let network = network()?;
    let environment: Vec<(&str, &str)> = match &network {
        Network::Tested(cometbft) => vec![("AARDVARK_COMETBFT", cometbft.as_str())],
        Network::Skipped(_) => Vec::new(),
    };
    let page = page(|with_page| {
        cargo("Tests", &[&["test", "--workspace", "--no-fail-fast", FEATURES], with_page].concat(), &environment)
    })?;
    cluster(&network)?;
    let package = package()?;
    let musl = dist::linked::test_memory_functions()?;
    slower_kernels(long)?;
    let bindings = bindings::test()?;
    let mut upgrade = Upgrade::Tried;
    if long {
        // Without the features that the workspace's other crates ask for, threads above all.
        cargo("The reader's crate by itself", &["check", "--package", "aardvark-proof"], &[])?;
        peers::check()?;
        long_tests(&network)?;
        upgrade = upgrade_from_before(&network)?;
    }
    println!("\nAll checks passed in {:.0} s.", started.elapsed().as_secs_f64());
    if let Proofs::Skipped(missing) = proofs {
        println!("Skipped: the proofs ({missing}).");
    }
    if let Network::Skipped(missing) = network {
        println!("Skipped: the faults of a network of real processes, and a store in a bucket ({missing}).");
    }
    if let Some(missing) = alerts {
        println!("Skipped: the alerts by promtool ({missing}).");
    }
    if let Some(missing) = package {
        println!("Skipped: the package ({missing}).");
    }
    if !musl {
        println!("Skipped: memory functions with musl linked in (rustup cannot add x86_64-unknown-linux-musl).");
    }
    if let Page::Skipped(missing) = page {
        println!("Skipped: the archive's page, in whole or in part ({missing}).");
    }
    if !kernels().contains(&"ifma") {
        println!("Skipped: faster kernels (this processor lacks AVX-512 IFMA); tested: {}.", kernels().join(", "));
    }
    if let Upgrade::Skipped = upgrade {
        println!("Skipped: an upgrade from a program of before (no git history that has it, or no CometBFT).");
    }
    for (name, missing) in bindings {
        println!("Skipped: the verifier in {name} ({missing}).");
    }
    if !long {
        println!(
            "Skipped: coqchk, the weakened definitions, the mutation study and the tests marked #[ignore]; `cargo xtask test --long` runs them."
        );
    }
    Ok(())
}

/// A small cluster of processes over a store in a folder, of the program that the tests have built.
fn cluster(network: &Network) -> Result<(), ChoreError> {
    match network {
        Network::Tested(cometbft) => {
            let aardvark = root().join("target/debug/aardvark");
            localnet::run(&ClusterNet::smoke(aardvark, cometbft.into()).into())
        }
        Network::Skipped(_) => Ok(()),
    }
}

/// The tests marked `#[ignore]`; those of stores in a bucket where there is Go for a server of one.
fn long_tests(network: &Network) -> Result<(), ChoreError> {
    let server = match network {
        Network::Tested(_) => Some(Server::start()?),
        Network::Skipped(_) => None,
    };
    let of_server = server.as_ref().map(Server::environment).unwrap_or_default();
    let mut environment: Vec<(&str, &str)> = of_server.iter().map(|(name, value)| (*name, value.as_str())).collect();
    if let Network::Tested(cometbft) = network {
        environment.push(("AARDVARK_COMETBFT", cometbft));
    }
    cargo("Long tests", &["test", "--workspace", FEATURES, "--release", "--", "--ignored"], &environment)
}

enum Upgrade {
    Tried,
    Skipped,
}

/// The tests of an upgrade, whose validators run an earlier commit's program up to it.
fn upgrade_from_before(network: &Network) -> Result<Upgrade, ChoreError> {
    let Network::Tested(cometbft) = network else { return Ok(Upgrade::Skipped) };
    let Some(before) = before::built()? else { return Ok(Upgrade::Skipped) };
    let before = before.display().to_string();
    let environment = [("AARDVARK_COMETBFT", cometbft.as_str()), ("AARDVARK_BEFORE", before.as_str())];
    let tests = ["test", "--workspace", FEATURES, "--release", "--test", "upgrade", "--", "--include-ignored"];
    cargo("An upgrade from a program of before", &tests, &environment)?;
    Ok(Upgrade::Tried)
}

/// What cargo checks without running anything: the proofs are compiled beside it.
fn lints() -> Result<(), ChoreError> {
    cargo("Lints", &["clippy", "--workspace", FEATURES, "--all-targets", "--", "-D", "warnings"], &[])?;
    // With the examples, dependencies have the features that they have for clippy's targets, and
    // are not compiled again.
    let documented = ["doc", "--workspace", FEATURES, "--no-deps", "--lib", "--bins", "--examples"];
    cargo("Documentation", &documented, &[("RUSTDOCFLAGS", "-D warnings")])
}

enum Proofs {
    Checked,
    Skipped(ChoreError),
}

/// Without Coq the proofs are skipped, and that is said; on CI nothing is skipped.
fn proofs(long: bool) -> Result<Proofs, ChoreError> {
    let changed =
        || if long { weaken::run(&[]).and_then(|()| mutate::run(&mutate::Study::of_an_hour())) } else { Ok(()) };
    match prove::run(long).and_then(|()| mutate::sample::check()).and_then(|()| changed()) {
        Ok(()) => Ok(Proofs::Checked),
        Err(missing @ ChoreError::NoCoq(_)) if std::env::var_os("CI").is_none() => Ok(Proofs::Skipped(missing)),
        Err(error) => Err(error),
    }
}

/// The kernels that this processor has, the slowest first (`aardvark_algebra::Kernel`).
fn kernels() -> Vec<&'static str> {
    #[cfg(target_arch = "x86_64")]
    let there = {
        let avx2 = std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("fma");
        let (avx512, ifma) = (std::is_x86_feature_detected!("avx512f"), std::is_x86_feature_detected!("avx512ifma"));
        [("scalar", true), ("avx2", avx2), ("avx512", avx2 && avx512), ("ifma", avx2 && avx512 && ifma)]
    };
    #[cfg(not(target_arch = "x86_64"))]
    let there = [("scalar", true)];
    there.into_iter().filter(|(_, there)| *there).map(|(name, _)| name).collect()
}

/// All tests run with the fastest kernel that the processor has. Those that compare sums of points
/// with slower twins run with the slower ones too; with `long` also the histories.
fn slower_kernels(long: bool) -> Result<(), ChoreError> {
    let of = |names: &[&'static str]| names.iter().flat_map(|name| ["--test", name]).collect::<Vec<_>>();
    let mut arguments = vec!["test", "--workspace", FEATURES];
    arguments.extend(of(&["combination", "msm", "batch", "laws", "torsion"]));
    if long {
        arguments.extend(of(&["histories", "aggregated", "vectors"]));
    }
    for kernel in kernels().into_iter().rev().skip(1) {
        cargo(&format!("The same with the kernel {kernel}"), &arguments, &[("AARDVARK_KERNEL", kernel)])?;
    }
    Ok(())
}

/// Without promtool the alerts are not checked by it, and that is said; on CI nothing is skipped.
fn alerts() -> Result<Option<ChoreError>, ChoreError> {
    match operations::run() {
        Ok(()) => Ok(None),
        Err(missing @ ChoreError::NoPromtool) if std::env::var_os("CI").is_none() => Ok(Some(missing)),
        Err(error) => Err(error),
    }
}

/// The package, of the binary that the tests have built. Without dpkg-deb it is not made, and that
/// is said; on CI nothing is skipped.
fn package() -> Result<Option<ChoreError>, ChoreError> {
    match dist::check(&root().join("target/debug/aardvark")) {
        Ok(()) => Ok(None),
        Err(missing @ ChoreError::NoDpkg) if std::env::var_os("CI").is_none() => Ok(Some(missing)),
        Err(error) => Err(error),
    }
}

enum Page {
    Tested,
    Skipped(ChoreError),
}

/// Runs the tests of the workspace with the page built in, so that all of it is built once, and
/// then the page's own. Without npm or Chromium the page is not tested, or not to the end, and that
/// is said; on CI nothing is skipped.
fn page(tests: impl Fn(&[&str]) -> Result<(), ChoreError>) -> Result<Page, ChoreError> {
    let missing_is_said = |outcome: Result<(), ChoreError>| match outcome {
        Ok(()) => Ok(Page::Tested),
        Err(missing @ (ChoreError::NoNpm | ChoreError::NoChromium)) if std::env::var_os("CI").is_none() => {
            Ok(Page::Skipped(missing))
        }
        Err(error) => Err(error),
    };
    match missing_is_said(page::install_npm())? {
        Page::Tested => {
            tests(&["--features", "aardvark-cli/page"])?;
            missing_is_said(page::test())
        }
        skipped => tests(&[]).map(|()| skipped),
    }
}

enum Network {
    /// With this CometBFT.
    Tested(String),
    Skipped(ChoreError),
}

/// Without Go there is no CometBFT, and tests that need it are skipped, and that is said; on CI
/// nothing is skipped.
fn network() -> Result<Network, ChoreError> {
    match cometbft::installed() {
        Ok(path) => Ok(Network::Tested(path.display().to_string())),
        Err(missing @ ChoreError::NoGo) if std::env::var_os("CI").is_none() => Ok(Network::Skipped(missing)),
        Err(error) => Err(error),
    }
}

//! `cargo xtask bindings`: the verifiers for those who do not write Rust (impl/bindings), each with
//! its own tests, on the vectors that every implementation is tested with.

use crate::chore::{
    ChoreError, FEATURES, cargo, exists_with, install_packages, output_in, output_of, program, root, with_environment,
};
use crate::page::install_npm;

/// A verifier in another language: its name, and what tests it.
type Binding = (&'static str, fn() -> Result<(), ChoreError>);

/// All of them.
const BINDINGS: [Binding; 4] = [("JavaScript", javascript), ("Python", python), ("Go", go), ("Solidity", solidity)];

/// A verifier that was not tested, and what was missing.
pub type Skipped = (&'static str, ChoreError);

/// Makes proofs of random dictionaries, of another seed each time, with the verdicts of
/// specification, oracle and implementation: all verifiers judge them besides the vectors.
fn make_fresh_proofs() -> Result<(), ChoreError> {
    cargo("Fresh proofs", &["test", "--workspace", FEATURES, "--test", "fresh_proofs", "--", "--nocapture"], &[])
}

/// Runs the tests of a verifier, which find fresh proofs by a variable.
fn tested(title: &str, name: &str, arguments: &[&str]) -> Result<(), ChoreError> {
    let fresh = root().join("target/bindings/fresh_proofs.json");
    with_environment(title, name, arguments, &[("AARDVARK_FRESH_PROOFS", &fresh)])
}

/// Tests all, and installs what they need where it may.
pub fn run() -> Result<(), ChoreError> {
    make_fresh_proofs()?;
    BINDINGS.iter().try_for_each(|(_, test)| test())
}

/// The same; those whose language is missing are skipped, and returned to be said. On CI nothing is
/// skipped.
pub fn test() -> Result<Vec<Skipped>, ChoreError> {
    make_fresh_proofs()?;
    let mut skipped = Vec::new();
    for (name, test) in BINDINGS {
        match test() {
            Err(missing @ (ChoreError::NoNpm | ChoreError::NoPython | ChoreError::NoGo))
                if std::env::var_os("CI").is_none() =>
            {
                skipped.push((name, missing));
            }
            outcome => outcome?,
        }
    }
    Ok(skipped)
}

/// The npm package: its types with TypeScript's compiler, then its tests under Node.
fn javascript() -> Result<(), ChoreError> {
    const FOLDER: &str = "impl/bindings/javascript";
    install_npm()?;
    let npm = |title, arguments: &[&str]| program(title, "npm", &[&["--prefix", FOLDER][..], arguments].concat());
    npm("JavaScript's packages", &["ci", "--ignore-scripts", "--no-progress"])?;
    tested("Verifier in JavaScript", "npm", &["--prefix", FOLDER, "test"])
}

/// The wheel: built, installed into an environment of its own, its types checked, and tested there.
fn python() -> Result<(), ChoreError> {
    const FOLDER: &str = "impl/bindings/python";
    const MADE: &str = "target/bindings/python";
    let environment = format!("{MADE}/venv");
    let python = format!("{environment}/bin/python");
    let found = || output_of("python3", &["-c", "import ensurepip, sys; assert sys.version_info >= (3, 11)"]).is_ok();
    if !found() {
        install_packages(&["python3-venv"], ChoreError::NoPython)?;
    }
    program("Python's environment", "python3", &["-m", "venv", &environment])?;
    let pip = |title, arguments: &[&str]| {
        let options = ["-m", "pip", "--quiet", "--disable-pip-version-check"];
        program(title, &python, &[&options[..], arguments].concat())
    };
    let requirements = format!("{FOLDER}/requirements.txt");
    pip("Python's packages", &["install", "--require-hashes", "--requirement", &requirements])?;
    pip("Wheel", &["wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", MADE, FOLDER])?;
    let wheel = ["install", "--no-deps", "--no-index", "--force-reinstall", "--find-links", MADE, "aardvark-proof"];
    pip("Wheel's installation", &wheel)?;
    let configuration = format!("{FOLDER}/pyproject.toml");
    let (package, tests) = (format!("{FOLDER}/aardvark_proof"), format!("{FOLDER}/tests"));
    let cache = format!("{MADE}/mypy");
    let checked = ["--config-file", &configuration, "--cache-dir", &cache, &package, &tests];
    program("Python's types", &python, &[&["-m", "mypy"][..], &checked].concat())?;
    tested("Verifier in Python", &python, &["-m", "unittest", "discover", "--start-directory", &tests])
}

/// The Go module: formatting, vet, and its tests.
fn go() -> Result<(), ChoreError> {
    let folder = root().join("impl/bindings/go");
    if !exists_with("go", "version") {
        return Err(ChoreError::NoGo);
    }
    let badly_formatted = output_in(&folder, "gofmt", &["-l", "."])?;
    if !badly_formatted.is_empty() {
        return Err(ChoreError::Unformatted(badly_formatted));
    }
    program("Go", "go", &["-C", "impl/bindings/go", "vet", "./..."])?;
    // The cache knows nothing of files outside of the module.
    tested("Verifier in Go", "go", &["-C", "impl/bindings/go", "test", "-count=1", "./..."])
}

/// The contract: compiled by npm's solc, run on revm, in a workspace of its own.
fn solidity() -> Result<(), ChoreError> {
    const FOLDER: &str = "impl/bindings/solidity";
    install_npm()?;
    let npm = |title, arguments: &[&str]| program(title, "npm", &[&["--prefix", FOLDER][..], arguments].concat());
    npm("Solidity's packages", &["ci", "--ignore-scripts", "--no-progress"])?;
    cargo(
        "Formatting of Solidity's tests",
        &["fmt", "--manifest-path", "impl/bindings/solidity/Cargo.toml", "--check"],
        &[],
    )?;
    tested("Verifier in Solidity", "npm", &["--prefix", FOLDER, "test"])
}

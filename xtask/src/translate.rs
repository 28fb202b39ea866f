//! `cargo xtask translate`: the specification, in Coq.

use std::path::{Path, PathBuf};

use aardvark_translator::translate;

use crate::chore::{ChoreError, output_of, root};

fn folders() -> (PathBuf, PathBuf) {
    (root().join("spec/src"), root().join("proofs/generated"))
}

/// Writes proofs/generated.
pub fn write() -> Result<(), ChoreError> {
    let (specification, generated) = folders();
    let files = translate(&specification)?;
    aardvark_translator::write(&files, &generated)?;
    println!("proofs/generated: {} files written", files.len());
    Ok(())
}

/// Fails where proofs/generated is not what spec/ translates to.
pub fn check() -> Result<(), ChoreError> {
    let (specification, generated) = folders();
    let files = translate(&specification)?;
    let differences = aardvark_translator::check(&files, &generated)?;
    for difference in &differences {
        eprintln!("{difference}");
    }
    if !differences.is_empty() {
        return Err(ChoreError::Stale);
    }
    println!("proofs/generated: {} files, all up to date with spec/", files.len());
    second_opinion(&specification)
}

/// Fails where rustc resolved something in the specification otherwise than the translator.
fn second_opinion(specification: &Path) -> Result<(), ChoreError> {
    let (functions, disagreements) = aardvark_translator::second_opinion(specification, &mir(specification)?)?;
    if disagreements.is_empty() {
        println!("rustc resolves the names and types of all {functions} translated functions as the translator does");
        return Ok(());
    }
    let lines: Vec<String> = disagreements.iter().map(ToString::to_string).collect();
    Err(ChoreError::Opinion(lines.join("\n")))
}

/// rustc's MIR of the specification, before it optimises anything. What the specification depends
/// on is checked as for lints; rustc is called by hand, so that cargo's own artefacts stay.
fn mir(specification: &Path) -> Result<String, ChoreError> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let built = output_of(&cargo, &["check", "--quiet", "-p", "aardvark-spec", "--message-format", "json"])?;
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let mut options = vec!["RUSTC_BOOTSTRAP=1".to_owned(), rustc];
    options.extend(OPTIONS.map(str::to_owned));
    for line in built.lines() {
        let message: Message = serde_json::from_str(line).unwrap_or_default();
        let name = message.target.map(|target| target.name.replace('-', "_")).unwrap_or_default();
        let Some(path) = message.filenames.iter().find(|name| name.ends_with(".rmeta")) else { continue };
        if DEPENDENCIES.contains(&name.as_str()) {
            let folder = Path::new(path).parent().unwrap_or(specification);
            options.extend([format!("-Ldependency={}", folder.display()), format!("--extern={name}={path}")]);
        }
    }
    options.push(specification.join("lib.rs").display().to_string());
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    output_of("env", &options)
}

/// What the specification depends on directly.
const DEPENDENCIES: [&str; 4] = ["hacspec_lib", "num", "num_bigint", "num_traits"];

const OPTIONS: [&str; 7] = [
    "--edition=2024",
    "--crate-type=lib",
    "--crate-name=aardvark_spec",
    "-Zunpretty=mir",
    "-Zmir-opt-level=0",
    "-Coverflow-checks=on",
    "--cap-lints=allow",
];

/// A line of cargo's messages: what it compiled.
#[derive(Default, serde::Deserialize)]
struct Message {
    target: Option<Target>,
    #[serde(default)]
    filenames: Vec<String>,
}

#[derive(serde::Deserialize)]
struct Target {
    name: String,
}

//! Commands of cargo: do packages, tests, programs and chores exist?

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use crate::tree;

/// The packages of the workspace, with the names of their tests, programs and benches.
pub struct Workspace {
    packages: BTreeMap<String, Targets>,
}

#[derive(Default)]
struct Targets {
    names: BTreeMap<String, BTreeSet<String>>,
}

impl Workspace {
    /// Asks cargo.
    pub fn read() -> Self {
        let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
        let arguments = ["metadata", "--format-version", "1", "--no-deps", "--offline"];
        let output = Command::new(cargo).args(arguments).current_dir(tree::root()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let mut packages: BTreeMap<String, Targets> = BTreeMap::new();
        for package in metadata["packages"].as_array().unwrap() {
            let targets = packages.entry(package["name"].as_str().unwrap().to_owned()).or_default();
            for target in package["targets"].as_array().unwrap() {
                let name = target["name"].as_str().unwrap().to_owned();
                for kind in target["kind"].as_array().unwrap() {
                    targets.names.entry(kind.as_str().unwrap().to_owned()).or_default().insert(name.clone());
                }
            }
        }
        Self { packages }
    }

    /// What is wrong with a command, if anything is.
    pub fn fault(&self, command: &str) -> Option<String> {
        // What follows two spaces explains the command, what follows a comma goes on with the
        // sentence.
        let command = command.split("  ").next().unwrap_or(command);
        let words: Vec<&str> = command.split_whitespace().collect();
        match words.get(1).copied() {
            Some("xtask") => chore_fault(&words[2..]),
            Some("test" | "run" | "bench" | "build" | "doc" | "clippy") => self.target_fault(&words[2..]),
            _ => None,
        }
    }

    /// Packages and targets that do not exist; a target without a package is looked for in all.
    fn target_fault(&self, words: &[&str]) -> Option<String> {
        let words: Vec<&str> = words.iter().copied().take_while(|word| *word != "--").collect();
        let after = |option: &str| -> Vec<&str> {
            words.windows(2).filter(|pair| pair[0] == option).map(|pair| pair[1]).collect()
        };
        let packages = after("-p");
        let unknown = packages.iter().find(|package| !self.packages.contains_key(**package));
        if let Some(package) = unknown {
            return Some(format!("there is no package {package}"));
        }
        let has = |kind: &str, name: &str| {
            self.packages.iter().any(|(package, targets)| {
                (packages.is_empty() || packages.contains(&package.as_str()))
                    && targets.names.get(kind).is_some_and(|names| names.contains(name))
            })
        };
        [("--test", "test"), ("--bin", "bin"), ("--example", "example"), ("--bench", "bench")].iter().find_map(
            |(option, kind)| {
                let missing = after(option).into_iter().find(|name| !has(kind, name));
                missing.map(|name| format!("there is no {kind} {name}"))
            },
        )
    }
}

/// Whether `cargo xtask` takes these words: with `--help` behind them it reads them all and does
/// nothing.
fn chore_fault(words: &[&str]) -> Option<String> {
    let words = words.iter().take_while(|word| !word.ends_with(','));
    let samples = words.map(|word| if *word == "NAME" { "name" } else { word });
    let output = Command::new(env!("CARGO_BIN_EXE_xtask")).args(samples).arg("--help").output().unwrap();
    (!output.status.success()).then(|| String::from_utf8_lossy(&output.stderr).into_owned())
}

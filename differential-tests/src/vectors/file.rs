//! The shape that all files share.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::flags::Flag;
pub use super::hex_text::Hex;
use super::proof_case::Trusted;

/// The number of the format of these files.
pub const FORMAT: u32 = 2;

/// Where the files are.
pub fn directory() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("vectors")
}

/// A file of tests of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File<T> {
    /// [`FORMAT`].
    pub format: u32,
    /// What the tests are.
    pub kind: String,
    /// What they are about, in a sentence or two.
    pub about: String,
    /// The bugs that the tests of this file are there to catch.
    pub notes: BTreeMap<Flag, String>,
    /// What tests name as trusted; in files of proofs only.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub trusted: BTreeMap<String, Trusted>,
    /// How many tests there are.
    pub number_of_tests: usize,
    /// The tests.
    pub tests: Vec<Test<T>>,
}

/// A test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Test<T> {
    /// Its number in its file, from 1.
    pub id: usize,
    /// What it shows.
    pub comment: String,
    /// The bugs that it is there to catch; none for an ordinary case.
    pub flags: Vec<Flag>,
    /// What is tested, and what must come out.
    #[serde(flatten)]
    pub case: T,
}

/// What must come of bytes that claim something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// The claim is well-formed and true.
    Valid,
    /// The claim is well-formed and false.
    False,
    /// The bytes claim nothing.
    Malformed,
}

impl<T: Serialize + DeserializeOwned> File<T> {
    /// A file of these tests.
    pub fn new(kind: &str, about: &str, tests: Vec<(&str, &[Flag], T)>) -> Self {
        let tests: Vec<Test<T>> = tests
            .into_iter()
            .enumerate()
            .map(|(index, (comment, flags, case))| Test {
                id: index + 1,
                comment: comment.to_owned(),
                flags: flags.to_vec(),
                case,
            })
            .collect();
        let flags = tests.iter().flat_map(|test| &test.flags);
        let notes = flags.map(|flag| (*flag, flag.bug().to_owned())).collect();
        Self {
            format: FORMAT,
            kind: kind.to_owned(),
            about: about.to_owned(),
            notes,
            trusted: BTreeMap::new(),
            number_of_tests: tests.len(),
            tests,
        }
    }

    /// The file's text.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("strings and numbers");
        text.push('\n');
        text
    }

    /// Reads a file of `vectors/`.
    pub fn read(name: &str) -> Self {
        let path = directory().join(name);
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }
}

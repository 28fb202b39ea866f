//! Debian's package index as a dictionary: `name -> version, SHA-256`.
//!
//! A `Packages` file (Debian Policy 5, `deb-control(5)`) is a sequence of stanzas, separated by
//! empty lines; a stanza is a sequence of fields `Name: value`, where a line that starts with a
//! space or a tab continues the field before it. Of each stanza we take three fields, and of a name
//! that stands twice the higher version. The value of a package in the dictionary is its version
//! and the SHA-256 of its file, as text: `7.88.1-10+deb12u14 9f3c…`.

mod version;

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use aardvark_dictionary::{Change, Key, Value};

use version::{Version, VersionError};

use crate::input::{Input, InputError, Lines, Place};

/// Most bytes of a line; the longest real ones, dependencies, have some ten thousand.
const LONGEST_LINE: usize = 1 << 20;

/// The state of a package index: for each package name, its highest version.
pub type Index = BTreeMap<String, Release>;

/// What the index says of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Release {
    /// The version, well-formed.
    pub version: String,
    /// SHA-256 of the package file, 64 lower-case hexadecimal digits.
    pub sha256: String,
}

impl Release {
    /// The value that stands in the dictionary: version and digest, separated by a space.
    pub fn value(&self) -> Value {
        Value::from(format!("{} {}", self.version, self.sha256).as_str())
    }

    /// Whether this version is higher than that of `other`.
    fn is_higher_than(&self, other: &Self) -> bool {
        match (Version::parse(&self.version), Version::parse(&other.version)) {
            (Ok(own), Ok(others)) => own.compare(&others) == Ordering::Greater,
            _ => false,
        }
    }
}

/// Why a package index could not be read.
#[derive(Debug, thiserror::Error)]
pub enum DebianError {
    /// The file could not be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A line that is no field, continuation or end of a stanza.
    #[error("{0}: neither a field \"Name: value\" nor its continuation")]
    NotAField(Place),
    /// A field that we need stands twice in a stanza.
    #[error("{0}: a second field {1} in one stanza")]
    RepeatedField(Place, &'static str),
    /// A field that we need is missing.
    #[error("{0}: the stanza of {1:?} ends without a field {2}")]
    MissingField(Place, String, &'static str),
    /// The name is not one of Debian's (Policy 5.6.1).
    #[error("{0}: {1:?} is no package name")]
    PackageName(Place, String),
    /// The version is not one of Debian's.
    #[error("{0}: {1}")]
    Version(Place, VersionError),
    /// The digest is not one.
    #[error("{0}: the SHA256 of {1} is not 64 lower-case hexadecimal digits")]
    Digest(Place, String),
}

/// Reads a whole index, plain or compressed.
///
/// # Errors
/// A failed read, or the first stanza that is malformed.
pub fn read_index(input: Input) -> Result<Index, DebianError> {
    let mut index = Index::new();
    for package in Stanzas::new(input)? {
        let (name, release) = package?;
        match index.entry(name) {
            Entry::Vacant(free) => {
                free.insert(release);
            }
            Entry::Occupied(mut taken) => {
                if release.is_higher_than(taken.get()) {
                    taken.insert(release);
                }
            }
        }
    }
    Ok(index)
}

/// The changes that lead from one state to another: updates, additions and removals, in key order.
pub fn difference(old: &Index, new: &Index) -> Vec<Change> {
    let written = new
        .iter()
        .filter(|(name, release)| old.get(*name) != Some(release))
        .map(|(name, release)| Change { key: Key::from(name.as_str()), value: Some(release.value()) });
    let removed = old
        .keys()
        .filter(|name| !new.contains_key(*name))
        .map(|name| Change { key: Key::from(name.as_str()), value: None });
    let mut changes: Vec<Change> = written.chain(removed).collect();
    changes.sort_by(|left, right| left.key.cmp(&right.key));
    changes
}

/// The state after a suite that adds to another one, such as security updates: the higher version
/// wins.
pub fn overlay(base: &Index, addition: Index) -> Index {
    let mut state = base.clone();
    for (name, release) in addition {
        match state.get(&name) {
            Some(present) if !release.is_higher_than(present) => {}
            _ => {
                state.insert(name, release);
            }
        }
    }
    state
}

/// The stanzas of an index, one at a time.
struct Stanzas {
    lines: Lines,
}

/// The fields seen in a stanza so far.
#[derive(Default)]
struct Stanza {
    package: Option<String>,
    version: Option<String>,
    sha256: Option<String>,
    any: bool,
}

impl Stanzas {
    fn new(input: Input) -> Result<Self, InputError> {
        Ok(Self { lines: input.decompressed()?.lines(LONGEST_LINE) })
    }

    /// The next stanza's package, or `None` at the end of the input.
    fn next_package(&mut self) -> Result<Option<(String, Release)>, DebianError> {
        let mut stanza = Stanza::default();
        loop {
            let line = match self.lines.next_line()? {
                Some(line) if !line.iter().all(u8::is_ascii_whitespace) => line,
                _ if stanza.any => return stanza.finish(self.lines.place()).map(Some),
                Some(_) => continue,
                None => return Ok(None),
            };
            if let Err(problem) = stanza.take(line) {
                return Err(problem(self.lines.place()));
            }
        }
    }
}

impl Iterator for Stanzas {
    type Item = Result<(String, Release), DebianError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_package().transpose()
    }
}

/// An error that still lacks its place.
type Problem = Box<dyn FnOnce(Place) -> DebianError>;

impl Stanza {
    /// Takes in one line that is not empty.
    fn take(&mut self, line: &[u8]) -> Result<(), Problem> {
        if line.starts_with(b" ") || line.starts_with(b"\t") {
            return if self.any { Ok(()) } else { Err(Box::new(DebianError::NotAField)) };
        }
        self.any = true;
        let colon = line.iter().position(|byte| *byte == b':');
        let Some((name, rest)) = colon.and_then(|colon| line.split_at_checked(colon)) else {
            return Err(Box::new(DebianError::NotAField));
        };
        let (label, place) = match name {
            _ if name.eq_ignore_ascii_case(b"Package") => ("Package", &mut self.package),
            _ if name.eq_ignore_ascii_case(b"Version") => ("Version", &mut self.version),
            _ if name.eq_ignore_ascii_case(b"SHA256") => ("SHA256", &mut self.sha256),
            _ => return Ok(()),
        };
        let value = String::from_utf8_lossy(rest.get(1..).unwrap_or_default()).trim().to_owned();
        match place.replace(value) {
            Some(_) => Err(Box::new(move |place| DebianError::RepeatedField(place, label))),
            None => Ok(()),
        }
    }

    /// The package that the stanza describes, every field checked.
    fn finish(self, place: Place) -> Result<(String, Release), DebianError> {
        let missing = |name: &str, field| DebianError::MissingField(place.clone(), name.to_owned(), field);
        let name = self.package.ok_or_else(|| missing("?", "Package"))?;
        let version = self.version.ok_or_else(|| missing(&name, "Version"))?;
        let sha256 = self.sha256.ok_or_else(|| missing(&name, "SHA256"))?;
        if !is_package_name(&name) {
            return Err(DebianError::PackageName(place, name.chars().take(80).collect()));
        }
        if let Err(error) = Version::parse(&version) {
            return Err(DebianError::Version(place, error));
        }
        if sha256.len() != 64 || !sha256.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f')) {
            return Err(DebianError::Digest(place, name));
        }
        Ok((name, Release { version, sha256 }))
    }
}

/// Policy 5.6.1: at least two of lower-case letters, digits and `+-.`, the first a letter or digit.
fn is_package_name(name: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"+-.".contains(&byte);
    let starts = name.starts_with(|first: char| first.is_ascii_lowercase() || first.is_ascii_digit());
    starts && name.len() >= 2 && name.len() <= 255 && name.bytes().all(allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIGEST: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

    fn read(text: impl Into<String>) -> Result<Index, String> {
        let reader = Box::new(std::io::Cursor::new(text.into()));
        read_index(Input::new("Packages", reader)).map_err(|error| error.to_string())
    }

    fn stanza(name: &str, version: &str) -> String {
        format!("Package: {name}\nVersion: {version}\nSHA256: {DIGEST}\n\n")
    }

    fn versions(index: &Index) -> Vec<(&str, &str)> {
        index.iter().map(|(name, release)| (name.as_str(), release.version.as_str())).collect()
    }

    #[test]
    fn a_stanza_gives_version_and_digest_whatever_stands_around_them() {
        let text = format!(
            "\n\nsource: x\npackage:  curl \nDescription: a\n b: c\n\tVersion: 9\nVERSION:1:2-3\nSHA256: {DIGEST}\n \n\nPackage: aa\nVersion: 1\nSHA256: {DIGEST}"
        );
        let index = read(text).unwrap();
        assert_eq!(versions(&index), [("aa", "1"), ("curl", "1:2-3")]);
        assert_eq!(index["curl"].value(), Value::from(format!("1:2-3 {DIGEST}").as_str()));
    }

    #[test]
    fn of_a_name_that_stands_twice_the_higher_version_counts() {
        let both_ways = [("1.9", "1.10"), ("1.10", "1.9")];
        for (first, second) in both_ways {
            let index = read(stanza("aa", first) + &stanza("aa", second)).unwrap();
            assert_eq!(versions(&index), [("aa", "1.10")]);
        }
    }

    #[test]
    fn malformed_stanzas_are_refused_with_file_and_line() {
        for (text, reason) in [
            ("Package: aa\nVersion: 1\n\n".to_owned(), "line 3: the stanza of \"aa\" ends without a field SHA256"),
            ("Version: 1\n\n".to_owned(), "without a field Package"),
            (stanza("aa", "1").replace("Version", "Package"), "line 2: a second field Package"),
            (stanza("Aa", "1"), "\"Aa\" is no package name"),
            (stanza("aa", "1_0"), "not a Debian version"),
            (stanza("aa", "1").replace("00", "0"), "is not 64 lower-case"),
            (stanza("aa", "1").replace("aabb", "AABB"), "is not 64 lower-case"),
            ("nonsense\n".to_owned(), "line 1: neither a field"),
            (" continued\n".to_owned(), "line 1: neither a field"),
        ] {
            let error = read(text.clone()).unwrap_err();
            assert!(error.contains(reason) && error.starts_with("Packages, line"), "{text}: {error}");
        }
    }

    #[test]
    fn the_difference_of_two_states_updates_adds_and_removes_in_key_order() {
        let old = read(stanza("aa", "1") + &stanza("bb", "1") + &stanza("cc", "1")).unwrap();
        let new = read(stanza("ab", "1") + &stanza("bb", "2") + &stanza("cc", "1")).unwrap();
        let changes = difference(&old, &new);
        let shown: Vec<_> = changes.iter().map(|change| (&*change.key, change.value.is_some())).collect();
        assert_eq!(shown, [(b"aa".as_slice(), false), (b"ab", true), (b"bb", true)]);
        assert_eq!(difference(&new, &new), []);
    }

    #[test]
    fn a_suite_that_adds_to_another_wins_where_its_version_is_higher() {
        let base = read(stanza("aa", "2") + &stanza("bb", "1")).unwrap();
        let addition = read(stanza("aa", "1") + &stanza("bb", "2") + &stanza("cc", "1")).unwrap();
        assert_eq!(versions(&overlay(&base, addition)), [("aa", "2"), ("bb", "2"), ("cc", "1")]);
    }
}

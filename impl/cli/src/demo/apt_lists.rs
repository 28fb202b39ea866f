//! The package lists that apt keeps on a Debian machine: a base suite, and suites that add to it
//! later.
//!
//! apt names a list after its source, `HOST_PATH_dists_SUITE_main_binary-ARCH_Packages[.lz4]`, and
//! keeps the signed Release file of the suite beside it. We take the component `main` of one base
//! suite, for example `bookworm`, and lay `bookworm-security` and `bookworm-updates` over it, in
//! the order of their Release dates, as later states.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::import::debian::{DebianError, Index, overlay, read_index};
use crate::input::Input;

/// Where apt keeps its lists.
pub const APT_LISTS: &str = "/var/lib/apt/lists";

/// A dated state of a package index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// What it is, for people.
    pub title: String,
    /// The day of its Release file, `YYYY-MM-DD`.
    pub date: String,
    /// The packages.
    pub index: Index,
}

/// A list that apt keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
struct List {
    path: PathBuf,
    architecture: String,
    date: ReleaseDate,
}

/// Year, month, day and the time of day as text: ordered as time is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct ReleaseDate(u32, u32, u32, String);

/// The states that the lists in `folder` describe, oldest first; none where Debian's lists are
/// missing.
///
/// # Errors
/// A list that cannot be read or is malformed.
pub fn states(folder: &Path) -> Result<Vec<State>, DebianError> {
    let lists = find_lists(folder);
    let Some((suite, base)) = lists.iter().find(|(suite, _)| is_base(suite)) else {
        return Ok(Vec::new());
    };
    let mut later: Vec<(&String, &List)> = ["security", "updates"]
        .iter()
        .filter_map(|pocket| lists.get_key_value(&format!("{suite}-{pocket}")))
        .filter(|(_, list)| list.architecture == base.architecture)
        .collect();
    later.sort_by(|left, right| left.1.date.cmp(&right.1.date));

    let mut states = vec![State { title: suite.clone(), date: base.date.day(), index: read(base)? }];
    for (name, list) in later {
        let addition = read(list)?;
        let index = states.last().map(|state| overlay(&state.index, addition)).unwrap_or_default();
        states.push(State { title: format!("with {name}"), date: list.date.day(), index });
    }
    Ok(states)
}

fn read(list: &List) -> Result<Index, DebianError> {
    read_index(Input::open(&list.path)?)
}

/// The lists of Debian's own `main` by suite, one architecture a suite: the machine's own where
/// there are several.
fn find_lists(folder: &Path) -> BTreeMap<String, List> {
    let mut lists = BTreeMap::new();
    let Ok(entries) = std::fs::read_dir(folder) else {
        return lists;
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if let Some((suite, list)) = describe(path)
            && (list.architecture == own_architecture() || !lists.contains_key(&suite))
        {
            lists.insert(suite, list);
        }
    }
    lists
}

/// Suite and description of the list at `path`, if it is one of Debian's `main`.
fn describe(path: PathBuf) -> Option<(String, List)> {
    let name = path.file_name()?.to_str()?;
    let (source, rest) = name.split_once("_dists_")?;
    let (suite, rest) = rest.split_once("_main_binary-")?;
    let architecture = rest.strip_suffix("_Packages").or_else(|| rest.strip_suffix("_Packages.lz4"))?.to_owned();
    let release = ["InRelease", "Release"].iter().find_map(|ending| {
        std::fs::read_to_string(path.with_file_name(format!("{source}_dists_{suite}_{ending}"))).ok()
    })?;
    let is_debians = field(&release, "Origin") == Some("Debian");
    let date = ReleaseDate::parse(field(&release, "Date")?)?;
    let suite = suite.to_owned();
    is_debians.then_some((suite, List { path, architecture, date }))
}

/// The value of a field of a Release file.
fn field<'a>(release: &'a str, name: &str) -> Option<&'a str> {
    release.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':')).map(str::trim)
}

/// A base suite is named by one word, `bookworm`; those that add to it have a second,
/// `bookworm-updates`.
fn is_base(suite: &str) -> bool {
    suite.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// Debian's name of the architecture that this binary runs on.
fn own_architecture() -> &'static str {
    match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        "x86" => "i386",
        "powerpc64" => "ppc64el",
        other => other,
    }
}

impl ReleaseDate {
    /// Reads the date of a Release file, `Sat, 11 Jul 2026 10:16:37 UTC`.
    fn parse(text: &str) -> Option<Self> {
        const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
        let mut words = text.split_whitespace().skip(1);
        let day = words.next()?.parse().ok()?;
        let name = words.next()?;
        let month = (1..).zip(MONTHS).find(|(_, month)| *month == name)?.0;
        let year = words.next()?.parse().ok()?;
        Some(Self(year, month, day, words.next()?.to_owned()))
    }

    /// `YYYY-MM-DD`.
    fn day(&self) -> String {
        format!("{:04}-{:02}-{:02}", self.0, self.1, self.2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIGEST: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

    fn write_list(folder: &Path, source: &str, origin: &str, date: &str, packages: &[(&str, &str)]) {
        let release = format!("Origin: {origin}\nSuite: stable\nDate: {date}\n");
        std::fs::write(folder.join(format!("{source}_InRelease")), release).unwrap();
        let stanzas: String = packages
            .iter()
            .map(|(name, version)| format!("Package: {name}\nVersion: {version}\nSHA256: {DIGEST}\n\n"))
            .collect();
        std::fs::write(folder.join(format!("{source}_main_binary-amd64_Packages")), stanzas).unwrap();
    }

    #[test]
    fn suites_that_add_to_the_base_become_later_states_in_the_order_of_their_dates() {
        let folder = tempfile::tempdir().unwrap();
        let list = |suite: &str, date, packages: &[(&str, &str)]| {
            write_list(folder.path(), &format!("mirror_debian_dists_{suite}"), "Debian", date, packages);
        };
        list("sid-updates", "Sat, 18 Jul 2026 10:16:37 UTC", &[("aa", "2"), ("cc", "1")]);
        list("sid", "Sat, 11 Jul 2026 10:16:37 UTC", &[("aa", "1"), ("bb", "5")]);
        list("sid-security", "Sun, 9 Aug 2026 10:16:37 UTC", &[("bb", "4"), ("cc", "1.1")]);

        let states = states(folder.path()).unwrap();
        let versions = |state: &State| {
            state.index.iter().map(|(name, release)| format!("{name} {}", release.version)).collect::<Vec<_>>()
        };
        assert_eq!(
            states.iter().map(|state| state.date.as_str()).collect::<Vec<_>>(),
            ["2026-07-11", "2026-07-18", "2026-08-09"]
        );
        assert_eq!(versions(&states[0]), ["aa 1", "bb 5"]);
        assert_eq!(versions(&states[1]), ["aa 2", "bb 5", "cc 1"]);
        assert_eq!(versions(&states[2]), ["aa 2", "bb 5", "cc 1.1"]);
    }

    #[test]
    fn lists_of_others_and_missing_folders_give_no_states() {
        let folder = tempfile::tempdir().unwrap();
        write_list(folder.path(), "h_dists_nodistro", "Someone else", "Sat, 11 Jul 2026 10:16:37 UTC", &[("aa", "1")]);
        assert_eq!(states(folder.path()).unwrap(), []);
        assert_eq!(states(&folder.path().join("missing")).unwrap(), []);
    }

    #[test]
    fn dates_of_release_files_are_ordered_as_time_is() {
        let date = |text| ReleaseDate::parse(text).unwrap();
        assert_eq!(date("Sat, 11 Jul 2026 10:16:37 UTC").day(), "2026-07-11");
        assert!(date("Sat, 11 Jul 2026 10:16:37 UTC") < date("Sat, 11 Jul 2026 22:00:00 UTC"));
        assert!(date("Thu, 31 Dec 2026 10:16:37 UTC") < date("Fri, 1 Jan 2027 10:16:37 UTC"));
        assert_eq!(ReleaseDate::parse("yesterday"), None);
    }
}

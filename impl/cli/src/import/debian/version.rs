//! The order of Debian's version numbers (Debian Policy 5.6.12).
//!
//! A version is `[epoch:]upstream[-revision]`. Epochs compare as numbers, then upstream versions,
//! then revisions; a missing epoch or revision counts as 0. The two texts are read in turns: first
//! the longest prefix without digits, compared character by character where `~` sorts before
//! everything, even the end, letters before other characters; then the longest prefix of digits,
//! compared as a number. So `1.0~rc1 < 1.0 < 1.0+b1 < 1.0.1`.

use std::cmp::Ordering;

/// Why text is not a version.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a Debian version: {reason}")]
pub struct VersionError {
    /// The text, shortened.
    pub text: String,
    /// What is wrong with it.
    pub reason: &'static str,
}

/// A well-formed version, split into its three parts.
#[derive(Clone, Copy, Debug)]
pub struct Version<'a> {
    epoch: &'a str,
    upstream: &'a str,
    revision: &'a str,
}

impl<'a> Version<'a> {
    /// Splits `text` into epoch, upstream version and revision.
    ///
    /// # Errors
    /// An epoch that is no number, an upstream version that is empty or starts with no digit, a
    /// character that policy does not allow.
    pub fn parse(text: &'a str) -> Result<Self, VersionError> {
        let (epoch, rest) = text.split_once(':').unwrap_or(("0", text));
        let (upstream, revision) = rest.rsplit_once('-').unwrap_or((rest, "0"));
        let version = Self { epoch, upstream, revision };
        match version.defect() {
            Some(reason) => Err(VersionError { text: text.chars().take(80).collect(), reason }),
            None => Ok(version),
        }
    }

    fn defect(&self) -> Option<&'static str> {
        let only = |text: &str, others: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || others.contains(c));
        if self.epoch.is_empty() || !self.epoch.bytes().all(|byte| byte.is_ascii_digit()) {
            Some("the epoch is not a number")
        } else if !self.upstream.starts_with(|first: char| first.is_ascii_digit()) {
            Some("the upstream version starts with no digit")
        } else if !only(self.upstream, ".+-~:") {
            Some("the upstream version has a character other than letters, digits and .+-~:")
        } else if self.revision.is_empty() || !only(self.revision, ".+~") {
            Some("the revision is empty or has a character other than letters, digits and .+~")
        } else {
            None
        }
    }

    /// The order of two versions. Different texts can be equal (`1.0` and `1.00`), hence not `Ord`.
    pub fn compare(&self, other: &Self) -> Ordering {
        compare_numbers(self.epoch, other.epoch)
            .then_with(|| compare_parts(self.upstream, other.upstream))
            .then_with(|| compare_parts(self.revision, other.revision))
    }
}

/// Upstream versions or revisions, in turns of non-digits and digits.
fn compare_parts(mut left: &str, mut right: &str) -> Ordering {
    while !(left.is_empty() && right.is_empty()) {
        let (left_text, left_rest) = split_prefix(left, |c| !c.is_ascii_digit());
        let (right_text, right_rest) = split_prefix(right, |c| !c.is_ascii_digit());
        let (left_number, left_rest) = split_prefix(left_rest, |c| c.is_ascii_digit());
        let (right_number, right_rest) = split_prefix(right_rest, |c| c.is_ascii_digit());
        let order = compare_texts(left_text, right_text).then_with(|| compare_numbers(left_number, right_number));
        if order != Ordering::Equal {
            return order;
        }
        (left, right) = (left_rest, right_rest);
    }
    Ordering::Equal
}

fn split_prefix(text: &str, belongs: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|c| !belongs(c)).unwrap_or(text.len()))
}

fn compare_texts(left: &str, right: &str) -> Ordering {
    let mut left = left.chars();
    let mut right = right.chars();
    loop {
        match (left.next(), right.next()) {
            (None, None) => return Ordering::Equal,
            (l, r) if weight(l) != weight(r) => return weight(l).cmp(&weight(r)),
            _ => {}
        }
    }
}

/// The tilde before the end of the text, then letters, then everything else.
fn weight(character: Option<char>) -> (u8, char) {
    match character {
        Some('~') => (0, '~'),
        None => (1, '\0'),
        Some(letter) if letter.is_ascii_alphabetic() => (2, letter),
        Some(other) => (3, other),
    }
}

/// Decimal numbers of any length; no digits count as 0.
fn compare_numbers(left: &str, right: &str) -> Ordering {
    let left = left.trim_start_matches('0');
    let right = right.trim_start_matches('0');
    left.len().cmp(&right.len()).then_with(|| left.cmp(right))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare(left: &str, right: &str) -> Ordering {
        Version::parse(left).unwrap().compare(&Version::parse(right).unwrap())
    }

    #[test]
    fn versions_have_the_order_of_debian_policy() {
        let ascending = [
            "0~~",
            "0~~a",
            "0~",
            "0",
            "0.0.1",
            "1.0~beta1~svn1245",
            "1.0~beta1",
            "1.0",
            "1.0-1~bpo1",
            "1.0-1",
            "1.0-1+b1",
            "1.0-1.1",
            "1.0-2",
            "1.0-10",
            "1.0a",
            "1.0aa",
            "1.0+dfsg",
            "1.0.1",
            "1.9",
            "1.10",
            "2",
            "10",
            "1:0",
            "1:0.1-1",
            "2:0~",
            "10:0",
        ];
        for (i, left) in ascending.iter().enumerate() {
            for (j, right) in ascending.iter().enumerate() {
                assert_eq!(compare(left, right), i.cmp(&j), "{left} against {right}");
            }
        }
    }

    #[test]
    fn missing_parts_and_leading_zeros_count_as_nothing() {
        for (left, right) in [("1.0", "1.00"), ("1.0", "0:1.0"), ("1.0", "1.0-0"), ("00:1", "1"), ("1.0a", "1.0a0")] {
            assert_eq!(compare(left, right), Ordering::Equal, "{left} against {right}");
        }
    }

    #[test]
    fn numbers_too_long_for_a_machine_word_still_compare() {
        assert_eq!(compare("1.99999999999999999999999999", "1.100000000000000000000000000"), Ordering::Less);
        assert_eq!(compare("99999999999999999999:1", "100000000000000000000:1"), Ordering::Less);
    }

    #[test]
    fn text_that_is_no_version_is_refused() {
        for text in ["", "a", ":1", "x:1", "1:", "1_0", "1.0-é", "1 0", "-1", "1.0-", "1.0-a_b", "~1"] {
            assert!(Version::parse(text).is_err(), "{text:?}");
        }
    }
}

#[cfg(test)]
mod against_dpkg {
    //! The order agrees with Debian's own tool on pairs of real versions.

    use std::process::Command;

    use super::*;
    use crate::demo::sample;

    /// Real pairs: the two states of each package in the sample, and each version with that of its
    /// alphabetical neighbour.
    fn real_pairs() -> Vec<(String, String)> {
        let states = sample::states().unwrap();
        let (old, new) = (&states[0].index, &states[1].index);
        let own = old.iter().filter_map(|(name, release)| Some((release, new.get(name)?)));
        let neighbours = new.values().zip(new.values().skip(1));
        own.chain(neighbours)
            .map(|(left, right)| (left.version.clone(), right.version.clone()))
            .filter(|(left, right)| left != right)
            .step_by(2)
            .collect()
    }

    #[test]
    fn real_versions_have_the_order_that_dpkg_gives_them() {
        let holds = |left: &str, operator: &str, right: &str| {
            let arguments = ["--compare-versions", left, operator, right];
            Command::new("dpkg").args(arguments).output().map(|output| output.status.success())
        };
        if holds("1", "lt", "2").is_err() {
            eprintln!("SKIPPED: there is no dpkg on this machine to compare versions with");
            return;
        }
        let pairs = real_pairs();
        assert!(pairs.len() > 2000, "only {} pairs", pairs.len());
        for (left, right) in &pairs {
            let operator = match Version::parse(left).unwrap().compare(&Version::parse(right).unwrap()) {
                Ordering::Less => "lt",
                Ordering::Equal => "eq",
                Ordering::Greater => "gt",
            };
            assert!(holds(left, operator, right).unwrap(), "{left} is not {operator} {right}");
        }
    }
}

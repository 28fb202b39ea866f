//! What is asked of a dictionary at one version (`aardvark_spec::answer::question`): the values of
//! keys, the entries of a range, a key's neighbours.
//!
//! A region is a set of keys, given by a function: the least key of the set that is at least some
//! key ([`Region::asked_from`]). The scan of [`crate::scan`] needs nothing else of it.

use aardvark_dictionary::Key;

use crate::key_text::MAX_KEY_BYTES;

/// The keys from one key up to, and not including, another.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct KeyRange {
    /// The least key of the range, present or not; empty for a range from the first key on.
    pub from: Key,
    /// The least key above the range; empty for a range without an end.
    pub to: Key,
    /// At most so many entries are asked for, from the least on.
    pub limit: Option<u64>,
}

/// A set of keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Region {
    /// These keys, in strictly ascending order.
    Keys(Vec<Key>),
    /// The keys of a range.
    Range(KeyRange),
}

/// A question. Two questions are the same where they are equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// What there is in a region: of a list of keys each key's value or absence, of a range its
    /// entries.
    Region(Region),
    /// The greatest live key below this one, and its value.
    Predecessor(Key),
    /// The least live key above this one.
    Successor(Key),
}

impl KeyRange {
    /// The keys that begin with `prefix`.
    pub fn of_prefix(prefix: Key, limit: Option<u64>) -> Self {
        // The least key above all of them: without the bytes at its end that cannot grow.
        let mut to = prefix.to_vec();
        while to.pop_if(|last| *last == u8::MAX).is_some() {}
        if let Some(last) = to.last_mut() {
            *last = last.saturating_add(1);
        }
        Self { from: prefix, to: Key::from(to), limit }
    }

    /// Whether `key` is below the range's end; the empty end is no end.
    fn is_below_end(&self, key: &[u8]) -> bool {
        self.to.is_empty() || key < &*self.to
    }

    /// Whether the range has a key, ends of legal lengths, and a limit that is not 0.
    fn is_askable(&self) -> bool {
        self.from.len() <= MAX_KEY_BYTES
            && self.to.len() <= MAX_KEY_BYTES
            && self.is_below_end(&self.from)
            && self.limit != Some(0)
    }
}

impl Region {
    /// The least key of the region that is at least `key`.
    pub fn asked_from<'a>(&'a self, key: &'a Key) -> Option<&'a Key> {
        match self {
            Self::Keys(keys) => keys.get(keys.partition_point(|listed| listed < key)),
            Self::Range(range) => Some(key.max(&range.from)).filter(|least| range.is_below_end(least)),
        }
    }

    /// How many entries are asked for at most.
    pub fn limit(&self) -> Option<u64> {
        match self {
            Self::Keys(_) => None,
            Self::Range(range) => range.limit,
        }
    }
}

impl Question {
    /// What is the value of one key?
    pub fn key(key: impl Into<Key>) -> Self {
        Self::Region(Region::Keys(vec![key.into()]))
    }

    /// What are the values of these keys? They are put in order, and each is asked for once.
    pub fn keys(keys: impl IntoIterator<Item = Key>) -> Self {
        let mut keys: Vec<Key> = keys.into_iter().collect();
        keys.sort_unstable();
        keys.dedup();
        Self::Region(Region::Keys(keys))
    }

    /// What are the entries with `from <= key < to`? An empty `to` is no end; `limit` is the most
    /// that is wanted of them.
    pub fn range(from: impl Into<Key>, to: impl Into<Key>, limit: Option<u64>) -> Self {
        Self::Region(Region::Range(KeyRange { from: from.into(), to: to.into(), limit }))
    }

    /// Whether it can be asked: keys have 1 to 255 bytes and strictly ascend, a range has a key and
    /// a limit that is not 0.
    pub fn is_legal(&self) -> bool {
        match self {
            Self::Region(Region::Keys(keys)) => {
                !keys.is_empty() && keys.iter().all(is_askable) && keys.is_sorted_by(|earlier, later| earlier < later)
            }
            Self::Region(Region::Range(range)) => range.is_askable(),
            Self::Predecessor(key) | Self::Successor(key) => is_askable(key),
        }
    }
}

/// Whether a byte string may be a key that somebody asks for.
fn is_askable(key: &Key) -> bool {
    (1..=MAX_KEY_BYTES).contains(&key.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_that_nobody_can_ask_are_told_from_those_that_one_can() {
        let long = Key::from(vec![b'k'; 256]);
        let listed = |keys: &[&str]| Question::Region(Region::Keys(keys.iter().map(|key| Key::from(*key)).collect()));
        for legal in [
            Question::key("a"),
            Question::keys(["b", "a", "b"].map(Key::from)),
            Question::range("", "", None),
            Question::range("a", "a\0", Some(1)),
            Question::Predecessor("a".into()),
            Question::Successor(Key::from(vec![0xff; 255])),
        ] {
            assert!(legal.is_legal(), "{legal:?}");
        }
        for illegal in [
            listed(&[]),
            listed(&[""]),
            listed(&["b", "a"]),
            listed(&["a", "a"]),
            Question::key(long.clone()),
            Question::range("b", "b", None),
            Question::range("b", "a", None),
            Question::range("a", "", Some(0)),
            Question::range(long.clone(), "", None),
            Question::range("", long.clone(), None),
            Question::Predecessor(Key::empty()),
            Question::Successor(long),
        ] {
            assert!(!illegal.is_legal(), "{illegal:?}");
        }
    }

    #[test]
    fn a_prefix_s_range_has_the_keys_that_begin_with_it_and_no_others() {
        let keys: Vec<Key> = [b"".as_slice(), b"a", b"a\0", b"a\xff", b"a\xff\xff\xff", b"b", b"\xff", b"\xff\xff\0"]
            .map(Key::from)
            .to_vec();
        for prefix in &keys {
            let region = Region::Range(KeyRange::of_prefix(prefix.clone(), None));
            for key in &keys {
                let asked = region.asked_from(key) == Some(key);
                assert_eq!(asked, key.starts_with(prefix), "{key:?} in {prefix:?}");
            }
        }
    }

    #[test]
    fn the_least_asked_key_from_a_key_on_is_found() {
        let keys = Region::Keys(["b", "d"].map(Key::from).to_vec());
        let range = Region::Range(KeyRange { from: "b".into(), to: "d".into(), limit: None });
        for (key, listed, within) in [
            ("", Some("b"), Some("b")),
            ("b", Some("b"), Some("b")),
            ("c", Some("d"), Some("c")),
            ("d", Some("d"), None),
            ("e", None, None),
        ] {
            assert_eq!(keys.asked_from(&key.into()), listed.map(Key::from).as_ref(), "{key}");
            assert_eq!(range.asked_from(&key.into()), within.map(Key::from).as_ref(), "{key}");
        }
    }
}

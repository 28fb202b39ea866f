//! Which step of a version each of its certificates is about.
//!
//! A step is a transaction, or the whole of an import. Several transactions of one block may put
//! the same run, one after the other, and each brings the certificate of what it puts: so a key
//! alone does not say what a certificate is about.

use std::collections::{BTreeMap, BTreeSet};

/// Of each certificate of a version, by the keys that it is about and in the order of their places,
/// the first step that puts all of these keys, none of which a certificate before is about; `None`
/// where there is none. A step is given by the keys that it puts.
pub(crate) fn steps_of<'a>(
    steps: impl IntoIterator<Item = BTreeSet<&'a [u8]>>,
    certificates: impl IntoIterator<Item = &'a [Vec<u8>]>,
) -> Vec<Option<usize>> {
    let mut left: Vec<BTreeSet<&[u8]>> = steps.into_iter().collect();
    let mut putting: BTreeMap<&[u8], Vec<usize>> = BTreeMap::new();
    for (number, keys) in left.iter().enumerate() {
        keys.iter().for_each(|key| putting.entry(*key).or_default().push(number));
    }
    let step_of = |keys: &'a [Vec<u8>]| {
        let candidates = putting.get(keys.first()?.as_slice())?;
        let found = candidates.iter().copied().find(|step| {
            let of_step = left.get(*step);
            of_step.is_some_and(|of_step| keys.iter().all(|key| of_step.contains(key.as_slice())))
        })?;
        let of_step = left.get_mut(found)?;
        // No certificate is about a key twice.
        keys.iter().all(|key| of_step.remove(key.as_slice())).then_some(found)
    };
    certificates.into_iter().map(step_of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assigned(steps: &[&[&str]], certificates: &[&[&str]]) -> Vec<Option<usize>> {
        let steps = steps.iter().map(|keys| keys.iter().map(|key| key.as_bytes()).collect());
        let keys: Vec<Vec<Vec<u8>>> =
            certificates.iter().map(|keys| keys.iter().map(|key| key.as_bytes().to_vec()).collect()).collect();
        steps_of(steps.collect::<Vec<_>>(), keys.iter().map(Vec::as_slice))
    }

    #[test]
    fn a_certificate_is_of_the_first_step_whose_keys_are_left() {
        assert_eq!(assigned(&[&["a", "b"], &["a"]], &[&["a", "b"], &["a"]]), [Some(0), Some(1)]);
        assert_eq!(assigned(&[&["a"], &["b"], &["a"]], &[&["a"], &["b"], &["a"]]), [Some(0), Some(1), Some(2)]);
        assert_eq!(assigned(&[&["a", "b"]], &[&["b"], &["a"]]), [Some(0), Some(0)], "an import's, in any order");
        assert_eq!(assigned(&[&["a"]], &[&["a"], &["a"]]), [Some(0), None]);
        assert_eq!(assigned(&[&["a"], &["b"]], &[&["a", "b"], &[], &["c"]]), [None; 3]);
        assert_eq!(assigned(&[&["a"]], &[&["a", "a"]]), [None]);
    }
}

//! Changes cut into the blocks that an archive imports.

use aardvark_dictionary::{Change, Key};

use crate::error::ArchiveError;

/// Changes of a block where nobody says how many: a validator holds what the blocks of its window
/// wrote, so it stays small, and so does an import, however much is imported.
pub const BLOCK_CHANGES: usize = 1 << 16;

/// Blocks of up to so many changes each, in the order given.
pub struct ImportBlocks<I> {
    changes: I,
    most: usize,
}

impl<E, I: Iterator<Item = Result<Change, E>>> ImportBlocks<I> {
    /// Cuts after every `most` changes.
    pub fn new(changes: I, most: usize) -> Self {
        Self { changes, most }
    }
}

impl<E, I: Iterator<Item = Result<Change, E>>> Iterator for ImportBlocks<I> {
    type Item = Result<Vec<Change>, E>;

    fn next(&mut self) -> Option<Self::Item> {
        let block: Result<Vec<Change>, E> = self.changes.by_ref().take(self.most).collect();
        match block {
            Ok(changes) if changes.is_empty() => None,
            block => Some(block),
        }
    }
}

/// The same changes, refused from the first on whose key does not come after the one before it
/// ([`ArchiveError::KeyOrder`]).
pub fn ascending<E: From<ArchiveError>>(
    changes: impl Iterator<Item = Result<Change, E>>,
) -> impl Iterator<Item = Result<Change, E>> {
    let mut last: Option<Key> = None;
    changes.map(move |change| {
        let change = change?;
        match last.replace(change.key.clone()) {
            Some(last) if last >= change.key => Err(ArchiveError::KeyOrder { key: change.key }.into()),
            _ => Ok(change),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changes(keys: &[&str]) -> Vec<Result<Change, ArchiveError>> {
        keys.iter().map(|key| Ok(Change { key: (*key).into(), value: None })).collect()
    }

    #[test]
    fn blocks_are_cut_after_the_size_asked_for() {
        let lengths = |count: usize, most| -> Vec<usize> {
            let changes = changes(&vec!["a"; count]).into_iter();
            ImportBlocks::new(changes, most).map(|block| block.unwrap().len()).collect()
        };
        assert_eq!(lengths(5, 2), [2, 2, 1]);
        assert_eq!(lengths(4, 2), [2, 2]);
        assert_eq!(lengths(5, BLOCK_CHANGES), [5]);
        assert_eq!(lengths(0, 2), [0; 0]);
    }

    #[test]
    fn keys_that_do_not_ascend_end_with_the_first_that_does_not() {
        let result = |keys: &[&str]| ascending(changes(keys).into_iter()).collect::<Result<Vec<_>, _>>();
        assert_eq!(result(&["a", "b", "ba"]).unwrap().len(), 3);
        for keys in [["a", "c", "b"], ["a", "b", "b"]] {
            assert!(matches!(result(&keys), Err(ArchiveError::KeyOrder { key }) if key == Key::from("b")), "{keys:?}");
        }
    }
}

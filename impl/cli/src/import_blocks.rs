//! Changes in the order of a file, cut into the blocks that an archive imports.

use aardvark_dictionary::Change;

use crate::import::ImportError;

/// The blocks of a file: up to `block_size` changes each, in the file's order.
pub struct ImportBlocks<I> {
    changes: I,
    block_size: usize,
}

impl<I: Iterator<Item = Result<Change, ImportError>>> ImportBlocks<I> {
    /// Cuts after every `block_size` changes; without a size everything is one block.
    pub fn new(changes: I, block_size: Option<usize>) -> Self {
        Self { changes, block_size: block_size.unwrap_or(usize::MAX) }
    }
}

impl<I: Iterator<Item = Result<Change, ImportError>>> Iterator for ImportBlocks<I> {
    type Item = Result<Vec<Change>, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        let block: Result<Vec<Change>, _> = self.changes.by_ref().take(self.block_size).collect();
        match block {
            Ok(changes) if changes.is_empty() => None,
            block => Some(block),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(changes: usize, block_size: Option<usize>) -> Vec<usize> {
        let changes = (0..changes).map(|i| Ok(Change { key: i.to_string().as_str().into(), value: None }));
        ImportBlocks::new(changes, block_size).map(|block| block.unwrap().len()).collect()
    }

    #[test]
    fn blocks_are_cut_after_the_size_asked_for() {
        assert_eq!(lengths(5, Some(2)), [2, 2, 1]);
        assert_eq!(lengths(4, Some(2)), [2, 2]);
        assert_eq!(lengths(5, None), [5]);
        assert_eq!(lengths(0, None), [0; 0]);
    }
}

//! A row, as its owner is shown it, and the tree over the texts of a run's rows.
//!
//! ```text
//! leaf = salt (16) || u8 n || bytes16(text)*
//! ```
//!
//! The tree is RFC 6962's: SHA-256(0x00 || leaf), SHA-256(0x01 || left || right); where a level has
//! an odd number of nodes the last goes up as it is. A record has the root.

use aardvark_algebra::TaggedHash;

use crate::record::Record;

/// Bytes of a salt.
pub const SALT_BYTES: usize = 16;
/// The most digests of a path: a segment has fewer than 2^11 rows.
const MOST_LEVELS: usize = 16;

/// A row, as its owner is shown it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownRow {
    /// Its position in the sheet.
    pub position: u16,
    /// Its number's distance from the column's lowest.
    pub value: u64,
    /// The salt of its texts.
    pub salt: [u8; SALT_BYTES],
    /// Its texts, one a row column, each of at most 65,535 bytes.
    pub texts: Vec<String>,
    /// The siblings on the way to the root over the run's texts, from below.
    pub path: Vec<[u8; 32]>,
}

impl ShownRow {
    /// Whether it stands at its position among the rows of a record, with a number up to a cap.
    pub(super) fn stands_in(&self, record: &Record, cap: u64) -> bool {
        let index = self.position.checked_sub(record.first).filter(|index| *index < record.rows);
        let root = |index| {
            let leaf = leaf_digest(&self.salt, &self.texts)?;
            root_of_path(usize::from(record.rows), usize::from(index), leaf, &self.path)
        };
        self.value <= cap && index.and_then(root) == Some(record.root)
    }
}

/// The digest of a row's texts; `None` where there are more than 255, or one has more than 65,535
/// bytes.
pub fn leaf_digest(salt: &[u8; SALT_BYTES], texts: &[String]) -> Option<[u8; 32]> {
    let mut leaf = salt.to_vec();
    leaf.push(u8::try_from(texts.len()).ok()?);
    for text in texts {
        leaf.extend(u16::try_from(text.len()).ok()?.to_be_bytes());
        leaf.extend(text.as_bytes());
    }
    // A tagged hash under the empty tag begins with the byte 0.
    Some(TaggedHash::new("").chain(leaf).finalize())
}

/// The root over the digests of a run's rows, in their order; of none, zeros.
pub fn root(leaves: &[[u8; 32]]) -> [u8; 32] {
    let mut level = leaves.to_vec();
    while level.len() > 1 {
        level = level_above(&level);
    }
    level.first().copied().unwrap_or_default()
}

/// The siblings on the way from a leaf to the root, from below.
pub fn path(leaves: &[[u8; 32]], index: usize) -> Vec<[u8; 32]> {
    let (mut level, mut index, mut path) = (leaves.to_vec(), index, Vec::new());
    while level.len() > 1 {
        path.extend(level.get(index ^ 1));
        level = level_above(&level);
        index /= 2;
    }
    path
}

fn level_above(level: &[[u8; 32]]) -> Vec<[u8; 32]> {
    let above = |pair: &[[u8; 32]]| match pair {
        [left, right] => node_digest(left, right),
        [last, ..] => *last,
        [] => [0; 32],
    };
    level.chunks(2).map(above).collect()
}

fn node_digest(left: &[u8; 32], right: &[u8; 32]) -> [u8; 32] {
    use sha2::Digest as _;
    sha2::Sha256::new().chain_update([1]).chain_update(left).chain_update(right).finalize().into()
}

/// The root to which a path ties a digest; `None` where the index is not below the number of
/// leaves, or the path has a digest too few or too many.
fn root_of_path(rows: usize, index: usize, leaf: [u8; 32], path: &[[u8; 32]]) -> Option<[u8; 32]> {
    if index >= rows || path.len() > MOST_LEVELS {
        return None;
    }
    let (mut digest, mut index, mut width) = (leaf, index, rows);
    let mut siblings = path.iter();
    while width > 1 {
        let carried = index % 2 == 0 && index + 1 == width;
        if !carried {
            let sibling = siblings.next()?;
            digest = if index % 2 == 0 { node_digest(&digest, sibling) } else { node_digest(sibling, &digest) };
        }
        index /= 2;
        width = width.div_ceil(2);
    }
    siblings.next().is_none().then_some(digest)
}

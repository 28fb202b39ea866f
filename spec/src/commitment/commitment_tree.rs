//! The RFC 6962 tree over the commitments, and the paths that tie one of them to its root.
//!
//! ```text
//! commitment_root  leaves -> leaf_digests -> level_above, again and again -> the root
//! commitment_path  the siblings on the way up, of one leaf
//! root_of_path     leaf, index, number of leaves, siblings -> the root that they lead to
//! ```
//!
//! Where a level has an odd number of nodes the last goes up as it is, which is RFC 6962's tree.
//! Sources: RFC 6962, section 2.1; RFC 9162, section 2.1.3; docs/format.md, "The state root".

use crate::base::bytes::*;
use crate::base::hash::*;
use hacspec_lib::*;

/// RFC 6962's hash of a leaf: SHA-256(0x00 || leaf), which is the tagged hash under the empty tag.
pub fn leaf_digest(leaf: &ByteString) -> ByteString {
    tagged_hash(&ByteString::new(0), leaf)
}

/// RFC 6962's hash of a node: SHA-256(0x01 || left || right), with digests of 32 bytes. As a tagged
/// hash: 0x01 is the length of a tag of one byte, which is the first of `left`.
pub fn node_digest(left: &ByteString, right: &ByteString) -> ByteString {
    if left.len() < 1 {
        leaf_digest(right)
    } else {
        tagged_hash(&left.slice(0, 1), &left.slice(1, left.len() - 1).concat(right))
    }
}

/// One step of [`leaf_digests`].
pub fn leaf_digests_step(digests: Seq<ByteString>, leaf: &ByteString) -> Seq<ByteString> {
    digests.push_owned(leaf_digest(leaf))
}

/// The lowest level of the tree.
pub fn leaf_digests(leaves: &Seq<ByteString>) -> Seq<ByteString> {
    let mut digests = Seq::<ByteString>::new(0);
    for i in 0..leaves.len() {
        digests = leaf_digests_step(digests, &leaves[i]);
    }
    digests
}

/// One step of [`level_above`]: a node over two, or the last of an odd number as it is.
pub fn level_above_step(above: Seq<ByteString>, below: &Seq<ByteString>, i: usize) -> Seq<ByteString> {
    if i % 2 == 0 {
        if i + 1 < below.len() {
            above.push_owned(node_digest(&below[i], &below[i + 1]))
        } else {
            above.push_owned(below[i].clone())
        }
    } else {
        above
    }
}

/// The level above a level. Level by level this is RFC 6962's tree, whose left subtrees are full.
pub fn level_above(below: &Seq<ByteString>) -> Seq<ByteString> {
    let mut above = Seq::<ByteString>::new(0);
    for i in 0..below.len() {
        above = level_above_step(above, below, i);
    }
    above
}

/// The most levels above the leaves: a count has 64 bits.
pub fn most_levels() -> usize {
    64
}

/// RFC 6962's root over leaves. Without leaves it is the empty string, which is no digest; a
/// dictionary has a vector always.
pub fn commitment_root(leaves: &Seq<ByteString>) -> ByteString {
    let mut level: Seq<ByteString> = leaf_digests(leaves);
    for _i in 0..most_levels() {
        level = level_above(&level);
    }
    if level.len() > 0 { level[0usize].clone() } else { ByteString::new(0) }
}

/// A node on the way from a leaf to the root.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PathPlace {
    /// The node's digest.
    pub place_digest: ByteString,
    /// Its index on its level.
    pub place_index: usize,
    /// The number of nodes on its level.
    pub place_width: usize,
    /// How many digests of the path are used up.
    pub place_used: usize,
    /// Whether the path had all digests that were needed.
    pub place_valid: bool,
}

/// Whether the place is the last of an odd number: the level above takes it as it is.
pub fn is_carried(place: &PathPlace) -> bool {
    place.place_index % 2 == 0 && place.place_index + 1 >= place.place_width
}

/// The place above, with the digest of its node.
pub fn place_above(place: &PathPlace, digest: ByteString, used: usize) -> PathPlace {
    PathPlace {
        place_digest: digest,
        place_index: place.place_index / 2,
        place_width: place.place_width / 2 + place.place_width % 2,
        place_used: used,
        place_valid: place.place_valid,
    }
}

/// One step of [`path_end`]: one level up.
pub fn path_end_step(place: PathPlace, path: &Seq<ByteString>) -> PathPlace {
    if is_carried(&place) {
        place_above(&place, place.place_digest.clone(), place.place_used)
    } else {
        if place.place_used < path.len() {
            let sibling = path[place.place_used].clone();
            if place.place_index % 2 == 0 {
                place_above(&place, node_digest(&place.place_digest, &sibling), place.place_used + 1)
            } else {
                place_above(&place, node_digest(&sibling, &place.place_digest), place.place_used + 1)
            }
        } else {
            PathPlace {
                place_digest: place.place_digest.clone(),
                place_index: place.place_index,
                place_width: place.place_width,
                place_used: place.place_used,
                place_valid: false,
            }
        }
    }
}

/// Where the path leads from a leaf, of a tree of `width` leaves.
pub fn path_end(width: usize, index: usize, leaf: &ByteString, path: &Seq<ByteString>) -> PathPlace {
    let mut place = PathPlace {
        place_digest: leaf_digest(leaf),
        place_index: index,
        place_width: width,
        place_used: 0,
        place_valid: index < width,
    };
    for _i in 0..most_levels() {
        place = path_end_step(place, path);
    }
    place
}

/// The root to which a path ties a leaf (RFC 9162, section 2.1.3.2); `None` where the index is not
/// below the number of leaves, or the path has a digest too few or too many. `width` is a number
/// that the verifier knows, ceil(s/N), never one it is told.
pub fn root_of_path(width: usize, index: usize, leaf: &ByteString, path: &Seq<ByteString>) -> Option<ByteString> {
    let place = path_end(width, index, leaf, path);
    if place.place_valid && place.place_used == path.len() { Some(place.place_digest) } else { None }
}

/// What [`commitment_path`] has gone through.
#[derive(Clone, Debug, Default)]
pub struct PathProgress {
    /// The level.
    pub progress_level: Seq<ByteString>,
    /// The index on it.
    pub progress_index: usize,
    /// The siblings below it.
    pub progress_path: Seq<ByteString>,
}

/// The index of the other child of the node above.
pub fn sibling_index(index: usize) -> usize {
    if index % 2 == 0 { index + 1 } else { index - 1 }
}

/// One step of [`commitment_path`].
pub fn commitment_path_step(progress: PathProgress) -> PathProgress {
    let sibling = sibling_index(progress.progress_index);
    let longer = if sibling < progress.progress_level.len() {
        progress.progress_path.clone().push_owned(progress.progress_level[sibling].clone())
    } else {
        progress.progress_path.clone()
    };
    PathProgress {
        progress_level: level_above(&progress.progress_level),
        progress_index: progress.progress_index / 2,
        progress_path: longer,
    }
}

/// The path from leaf `index`, below the number of leaves, to the root: siblings from below.
pub fn commitment_path(leaves: &Seq<ByteString>, index: usize) -> Seq<ByteString> {
    let mut progress = PathProgress {
        progress_level: leaf_digests(leaves),
        progress_index: index,
        progress_path: Seq::<ByteString>::new(0),
    };
    for _i in 0..most_levels() {
        progress = commitment_path_step(progress);
    }
    progress.progress_path
}

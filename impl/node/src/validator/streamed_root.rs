//! The state root of a snapshot's bytes, read once and in the memory of one item: whether a
//! snapshot is the certified state is known before any of it is gathered.
//!
//! Each section of a snapshot (`state_bytes`) is what one digest of the root is over
//! (`docs/format.md`, State root), so no item is decoded further than its length.

use std::io::{self, Read};

use aardvark_algebra::TaggedHash;
use aardvark_dictionary::root::{Digest, RootParts};
use sha2::{Digest as _, Sha256};

/// The root that a whole snapshot of a dictionary's state gives.
///
/// # Errors
/// The source's; [`io::ErrorKind::UnexpectedEof`] where the bytes end early,
/// [`io::ErrorKind::InvalidData`] where some are left over or are no item.
pub(super) fn root_of_snapshot(dictionary: Digest, source: impl Read) -> io::Result<Digest> {
    let mut source = Source { source, item: Vec::new() };
    let [version, size, tail_start] = [source.number()?, source.number()?, source.number()?];
    let mut tree = Tree::default();
    for _ in 0..source.number()? {
        tree.push(source.array::<48>()?.as_slice());
    }
    let versions = source.number()?;
    let mut window = TaggedHash::new("AARDVARK-V1-WINDOW").chain(versions.to_be_bytes());
    for _ in 0..versions {
        window.update(source.record()?);
    }
    let slots = source.number()?;
    let mut tail = TaggedHash::new("AARDVARK-V1-TAIL").chain(slots.to_be_bytes());
    for _ in 0..slots {
        source.slot(&mut tail)?;
    }
    let applied = source.number()?;
    let mut replay = TaggedHash::new("AARDVARK-V1-REPLAY").chain(applied.to_be_bytes());
    for _ in 0..applied {
        replay.update(source.array::<40>()?);
    }
    source.finish()?;
    let parts = RootParts {
        dictionary,
        version,
        size,
        tail_start,
        commitment_root: tree.root(),
        tail_digest: tail.finalize(),
        replay_digest: replay.finalize(),
        window_digest: window.finalize(),
    };
    Ok(parts.root())
}

/// Items of a snapshot, one after the other.
struct Source<R> {
    source: R,
    /// Room for one item of a length of its own: a key or a value, at most 65,535 bytes.
    item: Vec<u8>,
}

impl<R: Read> Source<R> {
    fn array<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.source.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn number(&mut self) -> io::Result<u64> {
        self.array().map(u64::from_be_bytes)
    }

    /// The digest of a version of the window.
    fn record(&mut self) -> io::Result<Digest> {
        let mut hash = TaggedHash::new("AARDVARK-V1-RECORD");
        // The version, and the number of slots before it.
        hash.update(self.array::<16>()?);
        let writes = self.number()?;
        hash.update(writes.to_be_bytes());
        for _ in 0..writes {
            hash.update(self.array::<8>()?);
            if self.is_some(&mut hash)? {
                self.slot(&mut hash)?;
            }
        }
        let vectors = self.number()?;
        hash.update(vectors.to_be_bytes());
        for _ in 0..vectors {
            hash.update(self.array::<8>()?);
            if self.is_some(&mut hash)? {
                hash.update(self.array::<48>()?);
            }
        }
        Ok(hash.finalize())
    }

    fn slot(&mut self, hash: &mut TaggedHash) -> io::Result<()> {
        for _ in 0..2 {
            let length = self.array::<1>()?;
            hash.update(length);
            self.bytes(u16::from_be_bytes([0, length[0]]), hash)?;
        }
        let length = self.array::<2>()?;
        hash.update(length);
        self.bytes(u16::from_be_bytes(length), hash)
    }

    fn bytes(&mut self, length: u16, hash: &mut TaggedHash) -> io::Result<()> {
        self.item.resize(usize::from(length), 0);
        self.source.read_exact(&mut self.item)?;
        hash.update(&self.item);
        Ok(())
    }

    /// Whether something follows the tag that is next.
    fn is_some(&mut self, hash: &mut TaggedHash) -> io::Result<bool> {
        let tag = self.array::<1>()?;
        hash.update(tag);
        match tag {
            [0] => Ok(false),
            [1] => Ok(true),
            _ => Err(io::ErrorKind::InvalidData.into()),
        }
    }

    fn finish(mut self) -> io::Result<()> {
        match self.source.read(&mut [0])? {
            0 => Ok(()),
            _ => Err(io::ErrorKind::InvalidData.into()),
        }
    }
}

/// RFC 6962's tree over leaves that come one by one, as the whole trees that they make up so far,
/// the largest first.
#[derive(Default)]
struct Tree {
    whole: Vec<(u32, Digest)>,
}

impl Tree {
    fn push(&mut self, leaf: &[u8]) {
        let mut node = (0, Sha256::new().chain_update([0]).chain_update(leaf).finalize().into());
        while let Some((_, left)) = self.whole.pop_if(|(height, _)| *height == node.0) {
            node = (node.0 + 1, above(&left, &node.1));
        }
        self.whole.push(node);
    }

    /// The root; the zero digest over no leaves.
    fn root(self) -> Digest {
        let digests = self.whole.into_iter().map(|(_, digest)| digest).rev();
        digests.reduce(|right, left| above(&left, &right)).unwrap_or_default()
    }
}

fn above(left: &Digest, right: &Digest) -> Digest {
    Sha256::new().chain_update([1]).chain_update(left).chain_update(right).finalize().into()
}

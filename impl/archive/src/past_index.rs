//! The index of the past: which slot covered a key at an older version, in O(log R · log n) however
//! much was written since, R being the retention and n the number of slots and of records.
//!
//! # What it holds
//!
//! Versions are grouped in blocks of 1, 4, 16, …: level l has the blocks of 4^l versions whose
//! first version, the start, 4^l divides. Of each block B with the start a, the table `past_keys`
//! has the slots that **stood at version a - 1 and were replaced by a version of B**, by their
//! keys: the first of each place in the ring of keys to go, and nothing that came after a. What
//! stands at one version is disjoint and covers every key once, so within a block at most one slot
//! covers a key, and it is the one with the greatest key at or below: one look-up in an ordered
//! table.
//!
//! # A look-up
//!
//! The slot that covers k today also did at v, if it was written by v or before: every slot's
//! record says which version wrote it. If not, the slot that covered k at v was replaced by one of
//! the versions after v. They are the union of blocks that follow on each other: from v + 1 on, the
//! largest that starts there, then the largest that starts behind that, and so on; the last may
//! reach beyond today. If a slot of the first block covers k, it stood at v and is the answer. If
//! none does, the slot that covered k at v outlived the block, and still covers k where the next
//! one starts. So the first slot that is found is the answer. The same holds for the slot that
//! precedes k.
//!
//! With L levels above the lowest, 4^L ≥ R, there are at most 3 blocks of each level and one more:
//! 3 L + 1, which for 300 versions is 16, with two look-ups each.
//!
//! # What it costs
//!
//! A slot that the version u replaces, and that the version b wrote, stands in those blocks that u
//! is in and that start after b and after the oldest version that can be read: at most one a level,
//! so in at most L + 1 records of about 30 bytes and its key. One that is rewritten in every
//! version stands in one block and a third on average. A record goes with the version u, when that
//! cannot be read any more; so leaving costs as much as entering did, never a large block at once.

/// Versions of a block of the next level, as a power of two.
const BITS: u32 = 2;

/// A block of versions: its level and its first version.
pub(crate) type VersionBlock = (u32, u64);

/// The highest level in use, whose blocks are at least as long as the retention.
fn top(retention: u64) -> u32 {
    let bits = u64::BITS - retention.saturating_sub(1).leading_zeros();
    bits.div_ceil(BITS).min((u64::BITS - 1) / BITS)
}

/// The blocks that hold a slot which `born` wrote and `died` replaced, at a retention of at least
/// one version.
pub(crate) fn blocks_of(born: u64, died: u64, retention: u64) -> impl Iterator<Item = VersionBlock> {
    let after = born.max(died.saturating_sub(retention));
    let containing = (0..=top(retention)).map(move |level| (level, died >> (BITS * level) << (BITS * level)));
    containing.take_while(move |(_, start)| *start > after)
}

/// The blocks that together hold the versions after `version` up to `newest`, ascending.
pub(crate) fn blocks_after(version: u64, newest: u64, retention: u64) -> impl Iterator<Item = VersionBlock> {
    let top = top(retention);
    let mut next = version.checked_add(1);
    std::iter::from_fn(move || {
        let start = next.filter(|start| *start <= newest)?;
        let level = (start.trailing_zeros() / BITS).min(top);
        next = start.checked_add(1 << (BITS * level));
        Some((level, start))
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_blocks_after_a_version_hold_every_later_version_once_and_are_few() {
        for retention in [1u64, 2, 3, 4, 5, 16, 17, 300, 1000] {
            for newest in [retention, retention + 1, 3 * retention + 7, 4096] {
                for version in newest.saturating_sub(retention)..newest {
                    let blocks: Vec<_> = blocks_after(version, newest, retention).collect();
                    let mut next = version + 1;
                    for (level, start) in &blocks {
                        assert_eq!(*start, next);
                        next += 1 << (BITS * level);
                    }
                    assert!(next > newest);
                    assert!(blocks.len() <= usize::try_from(3 * top(retention) + 2).unwrap(), "{blocks:?}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn a_slot_is_in_the_first_block_after_each_version_at_which_it_stood_and_in_no_block_that_starts_before_it(
            (born, lived, retention, later) in (0..500u64, 1..500u64, 1..400u64, 0..400u64),
        ) {
            let died = born + lived;
            let newest = died + later;
            let held: BTreeSet<_> = blocks_of(born, died, retention).collect();
            prop_assert!(held.contains(&(0, died)));
            prop_assert!(held.iter().all(|(_, start)| *start > born && *start + retention > died));
            for version in born.max(newest.saturating_sub(retention))..died {
                let containing = blocks_after(version, newest, retention)
                    .find(|(level, start)| died - start.min(&died) < 1 << (BITS * level) && *start <= died);
                prop_assert!(held.contains(&containing.unwrap()), "version {}: {:?}", version, containing);
            }
        }
    }

    #[test]
    fn the_longest_retention_has_blocks_too() {
        assert_eq!(blocks_of(5, u64::MAX, u64::MAX).count(), 32);
        assert_eq!(blocks_after(u64::MAX - 1, u64::MAX, u64::MAX).collect::<Vec<_>>(), [(0, u64::MAX)]);
    }
}

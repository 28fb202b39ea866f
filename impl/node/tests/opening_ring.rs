//! Which opening servers own a vector.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::collections::BTreeSet;

use aardvark_node::openings::{REPLICAS, Ring};
use proptest::prelude::*;

/// Vectors that are dealt out.
const VECTORS: u64 = 4096;

fn names(count: usize) -> impl Iterator<Item = String> {
    (0..count).map(|number| format!("server-{number}"))
}

/// The names of the owners of a vector, the first one first.
fn owners(ring: &Ring, vector: u64) -> Vec<String> {
    let names: Vec<&str> = ring.names().collect();
    ring.owners(vector).into_iter().map(|place| names[place].to_owned()).collect()
}

#[test]
fn every_server_gets_its_share_of_vectors_as_the_first_and_as_the_second_owner() {
    for count in [2, 3, 8, 50] {
        let ring = Ring::new(names(count));
        let mut owned = vec![[0u32; REPLICAS]; count];
        for vector in 0..VECTORS {
            let owners = ring.owners(vector);
            assert_eq!(owners.iter().collect::<BTreeSet<_>>().len(), REPLICAS);
            for (rank, place) in owners.into_iter().enumerate() {
                owned[place][rank] += 1;
            }
        }
        let share = VECTORS as f64 / count as f64;
        for owned in owned.iter().flatten() {
            // Five standard deviations of a binomial distribution.
            assert!((f64::from(*owned) - share).abs() < 5.0 * share.sqrt(), "{owned} of {share} with {count}");
        }
    }
}

#[test]
fn owners_do_not_change_from_one_program_to_the_next() {
    let ring = Ring::new(["a", "b", "c", "d"].map(str::to_owned));
    let owned: Vec<Vec<usize>> = (0..6).map(|vector| ring.owners(vector)).collect();
    assert_eq!(owned, KNOWN);
    assert_eq!(Ring::new(["a".to_owned()]).owners(7), [0], "one server owns all");
    assert_eq!(Ring::new([]).owners(7), Vec::<usize>::new());
}

/// What servers of other versions of this program have to agree on.
const KNOWN: [[usize; REPLICAS]; 6] = [[3, 2], [3, 0], [0, 2], [2, 0], [1, 3], [1, 3]];

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn a_server_that_joins_or_leaves_moves_only_what_it_gets_or_had(
        count in 1..24usize,
        joins in "[a-z]{1,8}",
        first in any::<u64>(),
    ) {
        let before = Ring::new(names(count));
        let after = Ring::new(names(count).chain([joins.clone()]));
        let mut moved = 0;
        for vector in (0..512).map(|step| first.wrapping_add(step)) {
            let (before, after) = (owners(&before, vector), owners(&after, vector));
            prop_assert_eq!(after.len(), REPLICAS.min(count + 1));
            let kept: Vec<&String> = after.iter().filter(|name| **name != joins).collect();
            // The others are the first of those before, in their order.
            prop_assert!(kept.iter().copied().eq(before.iter().take(kept.len())), "{:?} {:?}", before, after);
            moved += usize::from(after.contains(&joins));
        }
        let share = 512.0 * (REPLICAS.min(count + 1) as f64) / (count as f64 + 1.0);
        prop_assert!((moved as f64 - share).abs() <= 6.0 * share.sqrt(), "{} of {}", moved, share);
        for name in after.names() {
            let owned = (0..64).filter(|vector| after.owns(name, *vector)).count();
            prop_assert_eq!(owned, (0..64).filter(|vector| owners(&after, *vector).iter().any(|owner| owner == name)).count());
        }
        prop_assert!(!after.owns("nobody", 0));
    }
}

//! Random histories: whatever honest clients ask for, up to W versions late, the validator's array
//! is the map.

mod world;

use aardvark_dictionary::*;
use proptest::prelude::*;
use world::World;

const KEYS: [&str; 7] = ["a", "b", "c", "d", "e", "f", "g"];

#[derive(Clone, Debug)]
struct Step {
    staleness: u64,
    operations: Vec<Operation>,
}

fn operation() -> impl Strategy<Value = Operation> {
    let key = prop::sample::select(&KEYS[..]).prop_map(Key::from);
    let value = prop::sample::select(&["", "1", "2"][..]).prop_map(Value::from);
    prop_oneof![
        (key.clone(), value).prop_map(|(key, value)| Operation::Put(key, value)),
        key.prop_map(Operation::Delete),
    ]
}

fn blocks() -> impl Strategy<Value = Vec<Vec<Step>>> {
    let step = (0u64..4, prop::collection::vec(operation(), 1..4));
    let step = step.prop_map(|(staleness, operations)| Step { staleness, operations });
    prop::collection::vec(prop::collection::vec(step, 0..4), 1..8)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn honest_transactions_up_to_w_versions_late_are_never_dropped(window in 0u32..4, blocks in blocks()) {
        let mut world = World::new(window, &["b", "d"]);
        for steps in blocks {
            let oldest = world.validator.oldest_version();
            let transactions: Vec<_> = steps
                .iter()
                .map(|step| world.transaction(world.version().saturating_sub(step.staleness).max(oldest), &step.operations))
                .collect();
            let count = transactions.len();
            let proposal = world.commit(transactions);
            prop_assert_eq!(proposal.included.len(), count, "{:?}", proposal.dropped);
            let anew = commitment_tree::commitment_root(world.validator.commitments());
            prop_assert_eq!(world.validator.root_parts().commitment_root, anew);
        }
    }
}

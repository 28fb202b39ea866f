//! Generators of plans.
//!
//! Restrictions, and why no bug is lost:
//! - **At most eight blocks, four transactions a block, four operations a transaction.** W is at
//!   most 4, so eight blocks pass through the whole life of a window entry, a replay entry and a
//!   dropped vector; an effect that needs more than three versions at once does not exist, since a
//!   claim sees one version, the window, and now.
//! - **Small numbers shrink to small numbers.** Every choice is an index that wraps around, so
//!   shrinking removes blocks, transactions and operations and lowers indices, and what is left is
//!   still a history.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::plan::{
    ActionPlan, AmountPlan, BlockPlan, ClaimsPlan, Fault, FaultKind, HistoryPlan, KeyPlan, LimitsPlan, OperationPlan,
    SchemePlan, TransactionPlan, ValuePlan,
};

/// Histories of one scheme.
pub fn histories(scheme: SchemePlan) -> impl Strategy<Value = HistoryPlan> {
    let limits = prop_oneof![
        6 => Just(LimitsPlan::Roomy),
        1 => Just(LimitsPlan::FewItems),
        1 => Just(LimitsPlan::FewBytes),
    ];
    let window = prop_oneof![2 => Just(0u8), 2 => Just(1), 4 => Just(2), 2 => Just(3), 1 => Just(4)];
    let log_vector_size = prop_oneof![3 => Just(0u8), 3 => Just(1), 3 => Just(2), 1 => Just(3)];
    let genesis = prop_oneof![1 => vec((0..12u8, values()), 0..9), 1 => vec((0..12u8, values()), 8..20)];
    let flags = (proptest::bool::weighted(0.1), proptest::bool::weighted(0.1));
    (log_vector_size, window, limits, flags, genesis, vec(blocks(), 1..8)).prop_map(
        move |(log_vector_size, window, limits, (short_values, threads), genesis, blocks)| HistoryPlan {
            scheme,
            log_vector_size,
            window,
            limits,
            short_values,
            threads,
            genesis,
            blocks,
        },
    )
}

/// Histories for the dictionary alone ([`crate::dictionary_layer`]): smaller, since very many run,
/// and without the faults that only a validator notices.
pub fn dictionary_histories() -> impl Strategy<Value = HistoryPlan> {
    let window = prop_oneof![2 => Just(0u8), 3 => Just(1), 3 => Just(2), 1 => Just(3)];
    let log_vector_size = prop_oneof![3 => Just(0u8), 3 => Just(1), 2 => Just(2)];
    let genesis = prop_oneof![2 => vec((0..12u8, values()), 0..5), 1 => vec((0..12u8, values()), 5..12)];
    let flags = (proptest::bool::weighted(0.05), proptest::bool::weighted(0.05));
    (log_vector_size, window, flags, genesis, vec(dictionary_blocks(), 1..6)).prop_map(
        |(log_vector_size, window, (short_values, threads), genesis, blocks)| HistoryPlan {
            scheme: SchemePlan::Kzg,
            log_vector_size,
            window,
            limits: LimitsPlan::Roomy,
            short_values,
            threads,
            genesis,
            blocks,
        },
    )
}

fn dictionary_blocks() -> impl Strategy<Value = BlockPlan> {
    let loss = (0..3u8, 0..8u8)
        .prop_map(|(transaction, item)| vec![Fault { kind: FaultKind::DropClaim, transaction, item, how: 0 }]);
    let faults = prop_oneof![4 => Just(Vec::new()), 1 => loss];
    let transactions = prop_oneof![5 => vec(transactions(), 0..4), 1 => vec(purges(), 1..3)];
    (transactions, faults, proptest::bool::weighted(0.9)).prop_map(|(transactions, faults, careful)| BlockPlan {
        transactions,
        faults,
        careful,
        ..BlockPlan::default()
    })
}

/// Blocks.
pub fn blocks() -> impl Strategy<Value = BlockPlan> {
    let faults = prop_oneof![
        8 => Just(Vec::new()),
        8 => vec(faults(), 1),
        1 => vec(faults(), 2..4),
        1 => vec(opening_faults(), 2..4),
    ];
    let import = prop_oneof![6 => Just(Vec::new()), 1 => vec((import_keys(), proptest::option::of(values())), 1..5)];
    let transactions = prop_oneof![4 => vec(transactions(), 0..4), 1 => vec(purges(), 1..4)];
    (transactions, faults, proptest::bool::weighted(0.85), proptest::bool::weighted(0.06), import).prop_map(
        |(transactions, faults, careful, mempool, import)| BlockPlan { transactions, faults, careful, mempool, import },
    )
}

/// Transactions that delete, so that the array falls below its tail.
fn purges() -> impl Strategy<Value = TransactionPlan> {
    let deletes =
        (0..12u8).prop_map(|number| OperationPlan { key: KeyPlan::Present(number), action: ActionPlan::Delete });
    (0..5u8, vec(deletes, 1..5)).prop_map(|(age, operations)| TransactionPlan {
        age,
        operations,
        ..TransactionPlan::default()
    })
}

fn import_keys() -> impl Strategy<Value = u8> {
    prop_oneof![20 => 0..12u8, 1 => Just(254u8), 1 => Just(255u8)]
}

/// Transactions.
pub fn transactions() -> impl Strategy<Value = TransactionPlan> {
    let claims = prop_oneof![2 => Just(ClaimsPlan::All), 1 => Just(ClaimsPlan::WhereNeeded)];
    (0..5u8, 0..5u8, vec(operations(), 1..5), claims, any::<bool>()).prop_map(
        |(age, patience, operations, claims, reversed)| TransactionPlan { age, patience, operations, claims, reversed },
    )
}

/// Operations.
pub fn operations() -> impl Strategy<Value = OperationPlan> {
    (keys(), actions()).prop_map(|(key, action)| OperationPlan { key, action })
}

fn keys() -> impl Strategy<Value = KeyPlan> {
    prop_oneof![
        2 => (0..12u8).prop_map(KeyPlan::Any),
        3 => (0..12u8).prop_map(KeyPlan::Present),
        2 => (0..12u8).prop_map(KeyPlan::Absent),
        2 => (0..4u8).prop_map(KeyPlan::FromEnd),
        2 => Just(KeyPlan::After),
        2 => Just(KeyPlan::Before),
        2 => Just(KeyPlan::Same),
    ]
}

fn actions() -> impl Strategy<Value = ActionPlan> {
    prop_oneof![
        2 => Just(ActionPlan::RequireCurrent),
        1 => values().prop_map(ActionPlan::RequireValue),
        1 => Just(ActionPlan::RequireAbsent),
        8 => values().prop_map(ActionPlan::Put),
        1 => Just(ActionPlan::PutSame),
        9 => Just(ActionPlan::Delete),
        2 => amounts().prop_map(ActionPlan::Add),
        2 => amounts().prop_map(ActionPlan::Sub),
        1 => Just(ActionPlan::SubAll),
    ]
}

fn values() -> impl Strategy<Value = ValuePlan> {
    prop_oneof![
        1 => Just(ValuePlan::Empty),
        4 => (0..4u8).prop_map(ValuePlan::Byte),
        2 => (0..4u8).prop_map(ValuePlan::Number),
        1 => Just(ValuePlan::LargestNumber),
        1 => (0..2u8).prop_map(ValuePlan::Longest),
    ]
}

fn amounts() -> impl Strategy<Value = AmountPlan> {
    prop_oneof![5 => (0..4u8).prop_map(AmountPlan::Small), 1 => Just(AmountPlan::Largest)]
}

/// Faults; those of the tail, which few blocks have, more often.
fn faults() -> impl Strategy<Value = Fault> {
    let tail = FaultKind::ALL.iter().copied().filter(|kind| *kind >= FaultKind::DropTail).collect::<Vec<_>>();
    (prop_oneof![3 => select(FaultKind::ALL), 1 => select(tail)], any::<u8>(), any::<u8>(), any::<u8>())
        .prop_map(|(kind, transaction, item, how)| Fault { kind, transaction, item, how })
}

/// Faults in openings: several in one block show which is named.
fn opening_faults() -> impl Strategy<Value = Fault> {
    let kinds = [FaultKind::Malform, FaultKind::RandomOpening, FaultKind::OtherIndex, FaultKind::ChangeValue];
    (select(kinds.to_vec()), 0..4u8, 0..4u8, any::<u8>()).prop_map(|(kind, transaction, item, how)| Fault {
        kind,
        transaction,
        item,
        how,
    })
}

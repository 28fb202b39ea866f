//! The rules of payments, one by one, and what follows from them on balances that the dictionary's
//! own rules change.

use std::collections::BTreeMap;

use aardvark_commitment::Ceremony;
use aardvark_dictionary::execution::{Program as _, Values};
use aardvark_dictionary::{Claim, Identity, Parameters, Slot};
use proptest::prelude::*;

use super::*;

/// The account of fees has an owner too.
const FEES: u8 = 9;
const MINIMUM: u64 = 3;

fn owner(seed: u8) -> [u8; 32] {
    [seed; 32]
}

fn account(seed: u8) -> Key {
    account_key(&owner(seed))
}

fn rules(base: u64) -> Accounts {
    let account = Sha256::digest(owner(FEES)).into();
    Accounts { fee: Fee { account, base, byte: 0, claim: 0, operation: 0 }, minimum: MINIMUM }
}

fn transaction(operations: Vec<Operation>) -> Transaction {
    Transaction { first_valid: 1, last_valid: 1, nonce: [0; 16], operations, claims: vec![] }
}

fn check_with(rules: &Accounts, operations: Vec<Operation>, signers: &[u8]) -> Result<(), TxCode> {
    let signer = |seed: &u8| SignerSignature { public_key: owner(*seed), signature: [0; 64] };
    rules.check(&transaction(operations), &signers.iter().map(signer).collect::<Vec<_>>())
}

/// Under rules without a fee.
fn check_of(operations: Vec<Operation>, signers: &[u8]) -> Result<(), TxCode> {
    check_with(&rules(0), operations, signers)
}

fn sub(seed: u8, amount: u64) -> Operation {
    Operation::Sub(account(seed), amount)
}

fn add(seed: u8, amount: u64) -> Operation {
    Operation::Add(account(seed), amount)
}

fn zero(seed: u8) -> Operation {
    Operation::Require(account(seed), Some([0; 8].as_slice().into()))
}

fn delete(seed: u8) -> Operation {
    Operation::Delete(account(seed))
}

/// A payment after which the payer has at least the minimum.
fn payment(from: u8, to: u8, amount: u64) -> Vec<Operation> {
    vec![sub(from, amount + MINIMUM), add(to, amount), add(from, MINIMUM)]
}

#[test]
fn a_payment_is_signed_by_who_pays_and_by_nobody_else() {
    assert_eq!(check_of(payment(1, 2, 5), &[1]), Ok(()));
    assert_eq!(check_of(payment(1, 2, 5), &[]), Err(TxCode::SignerMissing));
    assert_eq!(check_of(payment(1, 2, 5), &[2]), Err(TxCode::SignerMissing));
    assert_eq!(check_of(payment(1, 2, 5), &[1, 2]), Err(TxCode::SignerSuperfluous));
    assert_eq!(check_of([payment(1, 2, 5), payment(3, 2, 5)].concat(), &[1]), Err(TxCode::SignerMissing));
}

#[test]
fn a_transaction_that_takes_from_nobody_is_refused_whoever_signs_it() {
    let many: Vec<_> = (0..255).map(zero).collect();
    for signers in [&[][..], &[1]] {
        assert_eq!(check_of(many.clone(), signers), Err(TxCode::PayerMissing));
        assert_eq!(check_of(vec![zero(1), delete(1)], signers), Err(TxCode::PayerMissing));
        assert_eq!(check_of(vec![], signers), Err(TxCode::PayerMissing));
    }
}

#[test]
fn a_fee_below_the_price_of_the_work_is_refused() {
    let operations = |fee: u64| vec![sub(1, 5 + fee + MINIMUM), add(2, 5), add(FEES, fee), add(1, MINIMUM)];
    assert_eq!(check_with(&rules(7), operations(6), &[1]), Err(TxCode::FeeTooLow));
    assert_eq!(check_with(&rules(7), operations(7), &[1]), Ok(()));
    // In parts, and from somebody else.
    let parts = vec![sub(1, 5 + MINIMUM), add(FEES, 1), add(2, 4), add(1, MINIMUM), sub(2, 9), add(FEES, 6), add(2, 3)];
    assert_eq!(check_with(&rules(7), parts.clone(), &[1, 2]), Ok(()));
    assert_eq!(check_with(&rules(8), parts, &[1, 2]), Err(TxCode::FeeTooLow));
    // Each operation, claim and byte has its price.
    let priced = |fee: Fee, paid: u64| {
        let claim = Claim { position: 0, slot: Slot::lone_sentinel(), opening: [0; 48] };
        let transaction = Transaction { claims: vec![claim], ..transaction(operations(paid)) };
        let signer = SignerSignature { public_key: owner(1), signature: [0; 64] };
        Accounts { fee, minimum: MINIMUM }.check(&transaction, &[signer])
    };
    let free = rules(0).fee;
    for (fee, price) in
        [(Fee { operation: 2, ..free }, 8), (Fee { claim: 11, ..free }, 11), (Fee { byte: 1, ..free }, 217)]
    {
        assert_eq!(priced(fee, price), Ok(()), "{fee:?}");
        assert_eq!(priced(fee, price - 1), Err(TxCode::FeeTooLow), "{fee:?}");
    }
}

#[test]
fn no_account_is_left_below_the_minimum() {
    let below = Err(TxCode::BelowMinimum);
    assert_eq!(check_of(payment(1, 2, MINIMUM - 1), &[1]), below, "dust");
    assert_eq!(check_of(vec![sub(1, 5), add(2, 5)], &[1]), below, "the payer may be left with nothing");
    assert_eq!(check_of(vec![add(1, MINIMUM), sub(1, 5 + MINIMUM), add(2, 5)], &[1]), below, "not at the end");
    // One unit through many new accounts.
    let chain = (1..100).flat_map(|seed| [sub(seed, 1), add(seed + 1, 1)]).collect();
    assert_eq!(check_of(chain, &(1..100).collect::<Vec<_>>()), below);
    // Emptied accounts go, and may come back with enough.
    let emptied = |rest: Vec<Operation>| [vec![sub(1, 5), zero(1), delete(1)], rest].concat();
    assert_eq!(check_of(emptied(vec![add(2, 5)]), &[1]), Ok(()));
    assert_eq!(check_of(emptied(vec![add(1, MINIMUM), add(FEES, 2)]), &[1]), Ok(()));
    assert_eq!(check_of(emptied(vec![add(1, MINIMUM - 1), add(FEES, 3)]), &[1]), below);
    // The account of fees takes what is too little for others.
    assert_eq!(check_of(vec![sub(1, 1 + MINIMUM), add(FEES, 1), add(1, MINIMUM)], &[1]), Ok(()));
    assert_eq!(check_of(vec![sub(FEES, 5), add(2, 5)], &[FEES]), Ok(()));
}

#[test]
fn nothing_is_made_and_nothing_is_lost() {
    assert_eq!(check_of(vec![sub(1, 5), add(2, 6)], &[1]), Err(TxCode::SumsDiffer));
    assert_eq!(check_of(vec![sub(1, 6), add(2, 5)], &[1]), Err(TxCode::SumsDiffer));
    // 2^64 + 1 added against 1 subtracted: equal in 64 bits only.
    let wraps = vec![sub(1, 1), add(2, u64::MAX), add(3, 2)];
    assert_eq!(check_of(wraps, &[1]), Err(TxCode::SumsDiffer));
    let put = Operation::Put(account(1), [255; 8].as_slice().into());
    assert_eq!(check_of(vec![put], &[1]), Err(TxCode::OperationForbidden));
}

#[test]
fn an_account_is_deleted_only_right_after_the_requirement_that_it_is_zero() {
    assert_eq!(check_of(vec![sub(1, 5), zero(1), delete(1), add(2, 5)], &[1]), Ok(()));
    assert_eq!(check_of(vec![zero(1), delete(1), sub(3, 5), add(2, 5)], &[3]), Err(TxCode::SignerMissing));
    let unguarded = [
        vec![delete(1)],
        vec![zero(2), delete(1)],
        vec![zero(1), add(1, 5), delete(1), sub(3, 5)],
        vec![Operation::Require(account(1), None), delete(1)],
        vec![Operation::Require(account(1), Some("".into())), delete(1)],
    ];
    for operations in unguarded {
        assert_eq!(check_of(operations, &[1, 3]), Err(TxCode::DeleteUnguarded));
    }
}

#[test]
fn every_key_is_an_account() {
    let short = |operation: fn(Key) -> Operation| check_of(vec![operation("k".into())], &[]);
    assert_eq!(short(|key| Operation::Require(key, None)), Err(TxCode::KeyNotAccount));
    assert_eq!(short(|key| Operation::Add(key, 1)), Err(TxCode::KeyNotAccount));
    assert_eq!(short(|key| Operation::Sub(key, 1)), Err(TxCode::KeyNotAccount));
    assert_eq!(short(Operation::Delete), Err(TxCode::KeyNotAccount));
}

#[test]
fn genesis_has_the_account_of_fees_and_nobody_below_the_minimum() {
    let with = |balances: &[(u8, u64)], minimum| {
        let entry = |(seed, balance): &(u8, u64)| (account(*seed), Value::from(balance.to_be_bytes().as_slice()));
        let mut entries: Vec<_> = balances.iter().map(entry).collect();
        entries.sort_unstable();
        let setup = *Ceremony::ethereum().unwrap().digest();
        let genesis =
            Genesis::new(Identity::new("test", [0; 32]).unwrap(), Parameters::default(), setup, entries).unwrap();
        Accounts { minimum, ..rules(0) }.check_genesis(&genesis)
    };
    assert!(with(&[(1, 3), (FEES, 3)], 3).is_ok());
    assert!(matches!(with(&[(1, 3)], 3), Err(ChainGenesisError::NoFeeAccount(key)) if key == account(FEES)));
    assert!(matches!(with(&[(1, 2), (FEES, 3)], 3), Err(ChainGenesisError::BelowMinimum(key)) if key == account(1)));
    assert!(matches!(with(&[(1, 3), (FEES, 2)], 3), Err(ChainGenesisError::BelowMinimum(key)) if key == account(FEES)));
    assert!(matches!(with(&[(1, 3), (FEES, 3)], 0), Err(ChainGenesisError::NoMinimum)));
}

/// Balances that the dictionary's own rules change (`aardvark_dictionary::execution`).
#[derive(Clone, Default)]
struct Balances(BTreeMap<Key, Value>);

impl Values for Balances {
    fn get(&self, key: &Key) -> Option<Value> {
        self.0.get(key).cloned()
    }

    fn set(&mut self, key: &Key, value: Option<Value>) {
        match value {
            Some(value) => drop(self.0.insert(key.clone(), value)),
            None => drop(self.0.remove(key)),
        }
    }
}

impl Balances {
    fn supply(&self) -> u128 {
        self.0.values().map(|value| u128::from(balance(value).unwrap())).sum()
    }
}

fn operation() -> impl Strategy<Value = Operation> {
    let amount = prop_oneof![0..8u64, Just(u64::MAX), Just(u64::MAX - 3)];
    let seed = prop_oneof![0..4u8, Just(FEES)];
    (seed, 0..6u8, amount).prop_map(|(seed, kind, amount)| match kind {
        0 => zero(seed),
        1 => delete(seed),
        2 => Operation::Put(account(seed), amount.to_be_bytes().as_slice().into()),
        3 | 4 => sub(seed, amount),
        _ => add(seed, amount),
    })
}

/// Most of the cases: a payment and its like, of which some leave too little, and random operations
/// between.
fn operations() -> impl Strategy<Value = Vec<Operation>> {
    let payment = (0..4u8, 0..8u8, 1..8u64, 0..3u8, 0..3u64).prop_map(|(from, to, amount, close, kept)| {
        let kept = kept + MINIMUM - 1;
        if close == 0 {
            return vec![sub(from, amount), zero(from), delete(from), add(to, amount)];
        }
        vec![sub(from, amount + kept + 1), add(to, amount), add(FEES, 1), add(from, kept)]
    });
    let mixed = (payment.clone(), operation(), 0..4usize).prop_map(|(mut operations, extra, place)| {
        operations.insert(place.min(operations.len()), extra);
        operations
    });
    prop_oneof![payment.clone(), payment, mixed, prop::collection::vec(operation(), 1..6)]
}

proptest! {
    #[test]
    fn whatever_passes_keeps_the_supply_and_leaves_no_account_below_the_minimum(
        transactions in prop::collection::vec(operations(), 1..30),
        first in prop::collection::vec(MINIMUM..20u64, 4),
    ) {
        let start = (0..4u8).chain([FEES]).zip(first.into_iter().chain([MINIMUM]));
        let value = |balance: u64| Value::from(balance.to_be_bytes().as_slice());
        let mut balances = Balances(start.map(|(seed, balance)| (account(seed), value(balance))).collect());
        let before = balances.supply();
        for operations in transactions {
            // With the signatures that it asks for.
            let takes = |operation: &&Operation| matches!(operation, Operation::Sub(_, _) | Operation::Delete(_));
            let owners: BTreeSet<_> = operations.iter().filter(takes).map(Operation::key).collect();
            let signers: Vec<u8> = (0..10).filter(|seed| owners.contains(&account(*seed))).collect();
            let mut after = balances.clone();
            if check_of(operations.clone(), &signers).is_ok() && operations.run(&mut after).is_ok() {
                balances = after;
            }
            prop_assert_eq!(balances.supply(), before);
            let others = balances.0.iter().filter(|(key, _)| **key != account(FEES));
            let others: Vec<u64> = others.map(|(_, value)| balance(value).unwrap()).collect();
            prop_assert!(others.iter().all(|balance| *balance >= MINIMUM), "{:?}", others);
            prop_assert!(others.len() as u128 <= before / u128::from(MINIMUM));
        }
    }
}

//! Policies: the specification, the oracle and `aardvark-chain` give the same verdict and reason on
//! random transactions, honest and not, and accepted ones conserve the supply.
#![allow(clippy::unwrap_used, reason = "a broken premise must stop a test")]

use std::collections::{BTreeMap, BTreeSet};

use aardvark_chain::{Accounts, Fee, Policy, SignerSignature, TableCertificate, account_id, account_key};
use aardvark_dictionary::{Claim, Key, Operation, Slot, Transaction, Unopened, Value};
use aardvark_oracle::{PolicyRequest, Safety};
use aardvark_spec::base::bytes::ByteString;
use aardvark_spec::block::map::map_operations;
use aardvark_spec::block::operation::number_of_value;
use aardvark_spec::convert::to_seq;
use aardvark_spec::dictionary::key_map::{KeyMap, empty_key_map, key_map_get, key_map_put};
use aardvark_spec::policy::check_policy::check_policy;
use differential_tests::answers::world::Draw;
use differential_tests::convert::{bytes_to_spec, transaction_to_spec};
use differential_tests::oracle::policies::policy as ask_oracle;
use differential_tests::points::Points;
use differential_tests::policies::{certificate_to_spec, code, policy_to_spec, signer_to_spec};

/// Transactions of the normal run; the oracle judges each fourth.
const TRANSACTIONS: u64 = 20_000;
/// Signers and accounts that there are.
const PEOPLE: usize = 5;
/// The greatest amounts, for sums at the limits of 64 bits.
const LARGE: u64 = u64::MAX - 3;

/// The public key of a person.
fn public_key(person: usize) -> [u8; 32] {
    [person as u8 + 1; 32]
}

/// A policy with accounts: prices are small, so that fees are often met and often not.
fn accounts(draw: &mut Draw) -> Accounts {
    let mut price = |bound: usize| draw.below(bound) as u64;
    let (base, byte, claim, operation) = (price(3), price(2), price(3), price(3));
    let dear = price(40) == 0;
    let byte = if dear { LARGE } else { byte };
    let minimum = 1 + price(4);
    Accounts { fee: Fee { account: account_id(&public_key(0)), base, byte, claim, operation }, minimum }
}

/// Somebody's account, that of fees among them; seldom a key that is none.
fn key(draw: &mut Draw) -> Key {
    if draw.below(100) == 0 { Key::from("nobody") } else { account_key(&public_key(draw.below(PEOPLE))) }
}

/// An honest payment under the policy, and who has to sign it.
fn payment(draw: &mut Draw, policy: &Accounts) -> (Vec<Operation>, Vec<usize>) {
    let (payer, payee) = (1 + draw.below(PEOPLE - 1), draw.below(PEOPLE));
    let (amount, fee) = (policy.minimum + draw.below(50) as u64, [0, 7, 400, 4_000][draw.below(4)]);
    let from = account_key(&public_key(payer));
    let mut operations = vec![
        Operation::Sub(from.clone(), amount + fee + policy.minimum),
        Operation::Add(account_key(&public_key(payee)), amount),
        Operation::Add(policy.fee_account(), fee),
        Operation::Add(from, policy.minimum),
    ];
    let mut signers = vec![payer];
    if draw.below(4) == 0 {
        let leaving = 1 + draw.below(PEOPLE - 1);
        let gone = account_key(&public_key(leaving));
        operations.push(Operation::Require(gone.clone(), Some(Value::from([0; 8].as_slice()))));
        operations.push(Operation::Delete(gone));
        signers.push(leaving);
    }
    signers.sort_unstable();
    signers.dedup();
    (operations, signers)
}

/// Changes something about a payment.
fn lie(draw: &mut Draw, operations: &mut Vec<Operation>, signers: &mut Vec<usize>) {
    let place = draw.below(operations.len().max(1));
    match draw.below(9) {
        0 if !operations.is_empty() => drop(operations.remove(place)),
        1 => signers.push(draw.below(PEOPLE)),
        2 => drop(signers.pop()),
        3 => operations.insert(place, Operation::Put(key(draw), Value::from("value"))),
        4 => operations.insert(place, Operation::Delete(key(draw))),
        5 => operations.insert(
            place,
            Operation::Require(key(draw), [None, Some(Value::from([0; 8].as_slice()))][draw.below(2)].clone()),
        ),
        6 => operations.insert(place, Operation::Add(key(draw), [0, 1, LARGE][draw.below(3)])),
        7 => operations.insert(place, Operation::Sub(key(draw), [0, 1, LARGE][draw.below(3)])),
        _ => operations.reverse(),
    }
    signers.sort_unstable();
    signers.dedup();
}

/// Everybody's balance before a transaction: some have no account.
fn balances(draw: &mut Draw) -> KeyMap {
    (0..PEOPLE).fold(empty_key_map(), |entries, person| {
        let balance = [None, Some(0), Some(1_000), Some(100_000), Some(LARGE)][draw.below(5)];
        let content = balance.map(|number: u64| bytes_to_spec(&number.to_be_bytes()));
        key_map_put(&entries, &bytes_to_spec(&account_id(&public_key(person))), &content)
    })
}

/// The balance of a person.
fn balance(entries: &KeyMap, person: usize) -> Option<u64> {
    let content: Option<ByteString> = key_map_get(entries, &bytes_to_spec(&account_id(&public_key(person))));
    content.map(|value| number_of_value(&value).unwrap())
}

fn supply(entries: &KeyMap) -> u128 {
    (0..PEOPLE).filter_map(|person| balance(entries, person)).map(u128::from).sum()
}

/// What an accepted transaction that can be applied must not do.
fn check_effects(before: &KeyMap, after: &KeyMap, policy: &Accounts, signers: &[usize]) {
    assert_eq!(supply(after), supply(before));
    for person in 0..PEOPLE {
        let (held, holds) = (balance(before, person), balance(after, person));
        assert!(
            holds.unwrap_or(0) >= held.unwrap_or(0) || signers.contains(&person),
            "{person}: {held:?} -> {holds:?}"
        );
        let untouched_or_enough = held == holds || holds.is_none_or(|number| number >= policy.minimum);
        assert!(person == 0 || untouched_or_enough, "{person}: {held:?} -> {holds:?}");
    }
}

#[test]
fn specification_and_chain_judge_transactions_alike_and_money_stays() {
    let (mut draw, mut said, mut applied) = (Draw::new(0x0070_6f6c_6963_7900), BTreeMap::<String, u64>::new(), 0);
    let points = Points::default();
    for number in 0..TRANSACTIONS {
        let rule = accounts(&mut draw);
        let (mut operations, mut signers) = payment(&mut draw, &rule);
        for _ in 0..draw.below(3) {
            lie(&mut draw, &mut operations, &mut signers);
        }
        let listed = |person: usize| public_key(person);
        let policy = match draw.below(10) {
            0 => Policy::Publisher((0..1 + draw.below(2)).map(listed).collect::<BTreeSet<_>>()),
            _ => Policy::Accounts(rule.clone()),
        };
        let claim = Claim { position: 0, slot: Slot::lone_sentinel(), opening: Unopened };
        let claims = vec![claim; draw.below(3)];
        let transaction = Transaction { first_valid: 1, last_valid: 1, nonce: [0; 16], operations, claims };
        let signatures: Vec<_> = signers
            .iter()
            .map(|person| SignerSignature { public_key: public_key(*person), signature: [0; 64] })
            .collect();

        let specified = transaction_to_spec(&transaction, &points);
        let signed_by = to_seq(signatures.iter().map(signer_to_spec).collect());
        // A certificate is too much under these policies.
        let brought: &[TableCertificate] =
            if draw.below(50) == 0 { &[TableCertificate { segments: 1, certificate: vec![] }] } else { &[] };
        let received = to_seq(brought.iter().map(certificate_to_spec).collect());
        let rules = policy_to_spec(&policy);
        let expected = check_policy(&rules, &specified, &signed_by, &received).map_err(code);
        let asked =
            PolicyRequest::Check { policy: &rules, transaction: &specified, signed_by: &signed_by, brought: &received };
        if number % 4 == 0 {
            ask_oracle(Safety::Ask, &asked).unwrap();
        }
        assert_eq!(
            policy.check(&transaction, &signatures, brought),
            expected,
            "{number}: {policy:?} {transaction:?} {signers:?} {brought:?}"
        );
        let name = expected.map_or_else(|code| format!("{code:?}"), |()| "accepted".to_owned());
        *said.entry(name).or_default() += 1;

        if expected.is_ok() && matches!(policy, Policy::Accounts(_)) {
            let before = balances(&mut draw);
            if let Ok(after) = map_operations(&before, &specified.operations, 0) {
                check_effects(&before, &after, &rule, &signers);
                applied += 1;
            }
        }
    }
    println!("{said:?}, {applied} applied");
    assert!(said.len() == 11 && said.values().all(|count| *count >= 50), "{said:?}");
    assert!(applied >= 500, "{applied} applied");
}

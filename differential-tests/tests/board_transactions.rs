//! The policy `board`: the specification and `aardvark-chain` say the same of random transactions
//! of posts, honest and not, and what has to be signed; what is accepted and applied changes
//! nothing that stood there, and adds posts of those only whom an organiser admitted.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

use std::collections::BTreeMap;

use aardvark_chain::board::{operations_of, posts};
use aardvark_chain::{Policy, SignerSignature};
use aardvark_dictionary::{Key, Operation, Transaction, Unopened, Value};
use aardvark_mixnet::post::{AdmittedAs, Content, PostValue, Receipt};
use aardvark_mixnet::{CeremonyName, Kind, PostKey};
use aardvark_spec::block::map::map_operations;
use aardvark_spec::convert::{byte_string, byte_vec, to_seq, to_vec};
use aardvark_spec::dictionary::key_map::{KeyMap, empty_key_map, key_map_get, key_map_put};
use aardvark_spec::mixnet::post_key::encode_post_key;
use aardvark_spec::policy::board::{board_posts, check_board};
use differential_tests::answers::world::Draw;
use differential_tests::convert::transaction_to_spec;
use differential_tests::points::Points;
use differential_tests::policies::code;

/// Transactions of the normal run.
const TRANSACTIONS: u64 = 20_000;
/// People: 0 and 1 are organisers whom genesis names, 2 is one whom it does not name.
const PEOPLE: usize = 6;
/// Organisers of ceremonies.
const ORGANISERS: usize = 3;

fn person(number: usize) -> [u8; 32] {
    [number as u8 + 1; 32]
}

fn policy() -> Policy {
    Policy::Board { organisers: [person(0), person(1)].into() }
}

/// A key that some ceremony may have, in its place or not.
fn key(draw: &mut Draw) -> PostKey {
    let name = CeremonyName { dictionary: [0; 32], organiser: person(draw.below(ORGANISERS)), number: 7 };
    // Most are of organisers whom genesis names.
    let name = if draw.below(8) > 0 { CeremonyName { organiser: person(draw.below(2)), ..name } } else { name };
    let kind = Kind::ALL[draw.below(Kind::ALL.len())];
    let query = kind.is_of_query().then_some([3; 32]);
    let sequence = match kind {
        Kind::Absent => [0x0101, 0x0502][draw.below(2)],
        Kind::Admission => [0, 2, 255, 256][draw.below(4)],
        kind if kind.is_of_server() => [1, 2, 255, 2, 1, 0, 256, 257][draw.below(8)],
        Kind::Query => draw.below(3) as u16,
        _ => 0,
    };
    let author = if kind.is_of_organiser() && kind != Kind::Admission && draw.below(6) > 0 {
        name.organiser
    } else {
        person(draw.below(PEOPLE))
    };
    name.key(kind, query, sequence, author)
}

fn value(draw: &mut Draw) -> Vec<u8> {
    let content = match draw.below(4) {
        0 => {
            let receipts = vec![Receipt { server: 1, signature: [1; 64] }, Receipt { server: 3, signature: [2; 64] }];
            Content::Stored { length: 901, digest: [4; 32], receipts }
        }
        _ => Content::Inline(vec![5; draw.below(3)]),
    };
    PostValue { content, signature: [draw.below(3) as u8; 64] }.to_bytes()
}

/// A post that is written as it has to be.
fn honest(draw: &mut Draw) -> Vec<Operation> {
    let (key, written, admission) = (key(draw), value(draw), value(draw));
    operations_of(&key, &written, Some(&admission))
}

/// Changes something about operations.
fn lie(draw: &mut Draw, operations: &mut Vec<Operation>) {
    let place = draw.below(operations.len().max(1));
    let any = |draw: &mut Draw| Key::from(key(draw).to_bytes());
    let cut = |bytes: &[u8]| bytes[..bytes.len().saturating_sub(1)].to_vec();
    match draw.below(11) {
        0 if !operations.is_empty() => drop(operations.remove(place)),
        1 => operations.insert(place, Operation::Require(any(draw), None)),
        2 => operations.insert(place, Operation::Require(any(draw), Some(Value::from(value(draw).as_slice())))),
        3 => operations.insert(place, Operation::Put(any(draw), Value::from(value(draw).as_slice()))),
        4 => operations.insert(place, Operation::Delete(any(draw))),
        5 => operations.insert(place, Operation::Add(any(draw), 1)),
        6 if operations.len() > 1 => operations.swap(0, place),
        7 => operations.reverse(),
        8 | 9 if !operations.is_empty() => {
            // Bytes that are no key, or no value.
            let operation = &mut operations[place];
            *operation = match operation.clone() {
                Operation::Put(key, value) if draw.below(2) == 0 => Operation::Put(Key::from(cut(&key)), value),
                Operation::Put(key, value) => Operation::Put(key, Value::from(cut(&value).as_slice())),
                Operation::Require(key, Some(value)) => {
                    Operation::Require(key, Some(Value::from(cut(&value).as_slice())))
                }
                Operation::Require(_, None) => Operation::Require(any(draw), None),
                other => other,
            };
        }
        _ => {
            // The admission of somebody else, or as something else.
            let admission = CeremonyName { dictionary: [0; 32], organiser: person(0), number: 7 };
            let admitted = [AdmittedAs::Sender, AdmittedAs::Server(2), AdmittedAs::Querier][draw.below(3)];
            let wanted = Key::from(admission.admission_key(admitted, person(draw.below(PEOPLE))).to_bytes());
            if let Some(Operation::Require(key, Some(_))) = operations.first_mut() {
                *key = wanted;
            }
        }
    }
}

/// A state in which some of what a transaction requires holds: admissions as it pins them, seldom a
/// gate that is closed.
fn state(draw: &mut Draw, operations: &[Operation]) -> KeyMap {
    operations.iter().fold(empty_key_map(), |entries, operation| match operation {
        Operation::Require(key, Some(value)) if draw.below(8) > 0 => {
            key_map_put(&entries, &byte_string(key), &Some(byte_string(value)))
        }
        Operation::Require(key, None) if draw.below(30) == 0 => {
            key_map_put(&entries, &byte_string(key), &Some(byte_string(b"there")))
        }
        _ => entries,
    })
}

/// What was there stays, and every post that is not an organiser's has its admission beside it.
fn check_effects(before: &KeyMap, after: &KeyMap, operations: &[Operation]) {
    for operation in operations {
        let key = byte_string(operation.key());
        let (had, has) = (key_map_get(before, &key), key_map_get(after, &key));
        assert!(had.is_none() || had.map(|value| byte_vec(&value)) == has.map(|value| byte_vec(&value)));
        if let Operation::Put(key, _) = operation {
            let key = PostKey::from_bytes(key).unwrap();
            let admission = key.admission().map(|admission| key_map_get(after, &byte_string(&admission.to_bytes())));
            assert!(key.kind.is_of_organiser() || admission.unwrap().is_some(), "{key:?}");
        }
    }
}

#[test]
fn specification_and_chain_judge_posts_alike_and_nothing_is_written_twice() {
    let (mut draw, mut said, mut applied) = (Draw::new(0x0062_6f61_7264_0000), BTreeMap::<String, u64>::new(), 0);
    let (points, policy) = (Points::default(), policy());
    let Policy::Board { organisers } = &policy else { unreachable!() };
    let listed = to_seq(organisers.iter().map(|key| byte_string(key)).collect());
    for number in 0..TRANSACTIONS {
        let posts_of = 1 + draw.below(3);
        let mut operations: Vec<Operation> = (0..posts_of).flat_map(|_| honest(&mut draw)).collect();
        for _ in 0..[0, 0, 1, 2][draw.below(4)] {
            lie(&mut draw, &mut operations);
        }
        let signers = usize::from(draw.below(20) == 0);
        let signatures = vec![SignerSignature { public_key: person(0), signature: [0; 64] }; signers];
        let transaction: Transaction<Unopened> =
            Transaction { first_valid: 1, last_valid: 1, nonce: [0; 16], operations, claims: vec![] };
        let specified = transaction_to_spec(&transaction, &points);
        let signed_by = to_seq(signatures.iter().map(|one| byte_string(&one.public_key)).collect());
        let expected = check_board(&listed, &specified, &signed_by).map_err(code);
        assert_eq!(policy.check(&transaction, &signatures, &[]), expected, "{number}: {transaction:?}");
        let name = expected.map_or_else(|code| format!("{code:?}"), |()| "accepted".to_owned());
        *said.entry(name).or_default() += 1;

        let (ours, theirs) = (posts(organisers, &transaction.operations), board_posts(&listed, &specified));
        let ours =
            ours.map(|posts| posts.iter().map(|post| (post.key.to_bytes(), post.value.to_bytes())).collect::<Vec<_>>());
        let theirs = theirs.map_err(code).map(|posts| {
            let bytes = to_vec(&posts);
            let bytes =
                bytes.iter().map(|post| (byte_vec(&encode_post_key(&post.board_key)), byte_vec(&post.board_value)));
            bytes.collect::<Vec<_>>()
        });
        assert_eq!(ours, theirs, "{number}");
        if expected.is_ok() {
            let before = state(&mut draw, &transaction.operations);
            if let Ok(after) = map_operations(&before, &specified.operations, 0) {
                check_effects(&before, &after, &transaction.operations);
                applied += 1;
            }
        }
    }
    println!("{said:?}, {applied} applied");
    assert!(said.len() == 8 && said.values().all(|count| *count >= 50), "{said:?}");
    assert!(applied >= 500, "{applied} applied");
}

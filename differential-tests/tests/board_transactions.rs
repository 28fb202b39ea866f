//! The policy `board`: the specification, the oracle and `aardvark-chain` say the same of random
//! histories of transactions of posts, honest and not, and what has to be signed; what is accepted
//! and applied changes nothing that stood there, and leaves a board on which each post is an
//! organiser's or has its author's admission beside it.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a broken premise must stop a test")]

use std::collections::{BTreeMap, BTreeSet};

use aardvark_chain::board::{operations_of, posts};
use aardvark_chain::{Policy, SignerSignature, TableCertificate};
use aardvark_dictionary::{Key, Operation, Transaction, Unopened, Value};
use aardvark_mixnet::post::{AdmittedAs, Content, PostValue, Receipt};
use aardvark_mixnet::{CeremonyName, Kind, PostKey};
use aardvark_oracle::{PolicyRequest, Safety};
use aardvark_spec::block::map::map_operations;
use aardvark_spec::block::transaction::Transaction as Specified;
use aardvark_spec::convert::{byte_string, byte_vec, to_seq, to_vec};
use aardvark_spec::dictionary::key_map::{KeyMap, empty_key_map, key_map_get};
use aardvark_spec::mixnet::post_key::encode_post_key;
use aardvark_spec::policy::board::{BoardPost, board_posts};
use aardvark_spec::policy::check_policy::check_policy;
use differential_tests::answers::world::Draw;
use differential_tests::convert::transaction_to_spec;
use differential_tests::oracle::policies::policy as ask_oracle;
use differential_tests::points::Points;
use differential_tests::policies::{certificate_to_spec, code, policy_to_spec, signer_to_spec};

/// Transactions of the normal run; the oracle judges each fourth.
const TRANSACTIONS: u64 = 20_000;
/// Transactions of a history, which begins with an empty board.
const IN_HISTORY: u64 = 200;
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

/// What an organiser posts of its own accord now and then: somebody's admission.
fn admission(draw: &mut Draw) -> PostKey {
    let name = CeremonyName { dictionary: [0; 32], organiser: person(draw.below(2)), number: 7 };
    let admitted = [AdmittedAs::Sender, AdmittedAs::Server(2), AdmittedAs::Querier][draw.below(3)];
    name.admission_key(admitted, person(draw.below(PEOPLE)))
}

/// The operations of a post that is written as it has to be, on this board; seldom with the value
/// of an admission that does not stand there.
fn honest(draw: &mut Draw, board: &KeyMap) -> Vec<Operation> {
    let key = if draw.below(3) == 0 { admission(draw) } else { key(draw) };
    let standing = key.admission().and_then(|admission| key_map_get(board, &byte_string(&admission.to_bytes())));
    let (written, other) = (value(draw), value(draw));
    let required = standing.filter(|_| draw.below(8) > 0).map_or(other, |value| byte_vec(&value));
    operations_of(&key, &written, Some(&required))
}

/// A transaction of one post to three, with up to two lies, and seldom with a signer or a
/// certificate.
struct Sent {
    transaction: Transaction<Unopened>,
    signatures: Vec<SignerSignature>,
    brought: Vec<TableCertificate>,
}

fn sent(draw: &mut Draw, board: &KeyMap) -> Sent {
    let posts_of = 1 + draw.below(3);
    let mut operations: Vec<Operation> = (0..posts_of).flat_map(|_| honest(draw, board)).collect();
    for _ in 0..[0, 0, 1, 2][draw.below(4)] {
        lie(draw, &mut operations);
    }
    let (signers, certificates) = (usize::from(draw.below(20) == 0), usize::from(draw.below(20) == 0));
    Sent {
        transaction: Transaction { first_valid: 1, last_valid: 1, nonce: [0; 16], operations, claims: vec![] },
        signatures: vec![SignerSignature { public_key: person(0), signature: [0; 64] }; signers],
        brought: vec![TableCertificate { segments: 1, certificate: vec![] }; certificates],
    }
}

/// The posts that stand on a board, by their keys.
fn posts_on(board: &KeyMap) -> BTreeMap<Vec<u8>, Vec<u8>> {
    to_vec(board).iter().map(|entry| (byte_vec(&entry.entry_key), byte_vec(&entry.entry_value))).collect()
}

/// What was there stays, and each post is of an organiser whom genesis names: its own, or its
/// author's admission stands there too.
fn check_board(before: &KeyMap, after: &KeyMap, organisers: &BTreeSet<[u8; 32]>) {
    let (had, has) = (posts_on(before), posts_on(after));
    assert!(had.iter().all(|(key, value)| has.get(key) == Some(value)), "{had:?} {has:?}");
    for key in has.keys() {
        let key = PostKey::from_bytes(key).unwrap();
        assert!(organisers.contains(&key.organiser), "{key:?}");
        match key.admission() {
            None => assert_eq!(key.signer(), key.organiser, "{key:?}"),
            Some(admission) => assert!(has.contains_key(&admission.to_bytes()), "{key:?}"),
        }
    }
}

/// What has to be signed of a transaction is the same to all; `asked` is whether the oracle is.
fn check_posts(organisers: &BTreeSet<[u8; 32]>, operations: &[Operation], specified: &Specified, asked: bool) {
    let listed = to_seq(organisers.iter().map(|key| byte_string(key)).collect());
    let ours = posts(organisers, operations)
        .map(|posts| posts.iter().map(|post| (post.key.to_bytes(), post.value.to_bytes())).collect::<Vec<_>>());
    let theirs = board_posts(&listed, specified).map_err(code).map(|posts| {
        let bytes = |post: &BoardPost| (byte_vec(&encode_post_key(&post.board_key)), byte_vec(&post.board_value));
        to_vec(&posts).iter().map(bytes).collect::<Vec<_>>()
    });
    assert_eq!(ours, theirs, "{operations:?}");
    if asked {
        let request = PolicyRequest::Posts { organisers: &listed, transaction: specified };
        ask_oracle(Safety::Ask, &request).unwrap();
    }
}

#[test]
fn specification_and_chain_judge_posts_alike_and_nothing_is_written_twice() {
    let (mut draw, mut said, mut applied) = (Draw::new(0x0062_6f61_7264_0000), BTreeMap::<String, u64>::new(), 0);
    let (points, policy) = (Points::default(), policy());
    let Policy::Board { organisers } = &policy else { unreachable!() };
    let (rules, mut board, mut most) = (policy_to_spec(&policy), empty_key_map(), 0);
    for number in 0..TRANSACTIONS {
        if number % IN_HISTORY == 0 {
            board = empty_key_map();
        }
        let Sent { transaction, signatures, brought } = sent(&mut draw, &board);
        let specified = transaction_to_spec(&transaction, &points);
        let signed_by = to_seq(signatures.iter().map(signer_to_spec).collect());
        let received = to_seq(brought.iter().map(certificate_to_spec).collect());
        let expected = check_policy(&rules, &specified, &signed_by, &received).map_err(code);
        assert_eq!(policy.check(&transaction, &signatures, &brought), expected, "{number}: {transaction:?}");
        let asked = number % 4 == 0;
        if asked {
            let request = PolicyRequest::Check {
                policy: &rules,
                transaction: &specified,
                signed_by: &signed_by,
                brought: &received,
            };
            ask_oracle(Safety::Ask, &request).unwrap();
        }
        check_posts(organisers, &transaction.operations, &specified, asked);
        let name = expected.map_or_else(|code| format!("{code:?}"), |()| "accepted".to_owned());
        *said.entry(name).or_default() += 1;

        if expected.is_ok()
            && let Ok(after) = map_operations(&board, &specified.operations, 0)
        {
            check_board(&board, &after, organisers);
            board = after;
            applied += 1;
            most = most.max(posts_on(&board).len());
        }
    }
    println!("{said:?}, {applied} applied, {most} posts on a board at most");
    assert!(said.len() == 9 && said.values().all(|count| *count >= 50), "{said:?}");
    assert!(applied >= 500 && most >= 20, "{applied} applied, {most} posts");
}

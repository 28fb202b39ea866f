//! Posts that break the rules: each is refused with its reason, its author is named, and the others
//! go on.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod board;

use aardvark_mixnet::fault::FaultKind;
use aardvark_mixnet::post::{Draft, PostValue, receipt};
use aardvark_mixnet::stored::StoredBody;
use aardvark_mixnet::view::AskedStage;
use aardvark_mixnet::{Duty, Identity, Kind, PostKey, Reveal, Stage, TraceDirection, View};
use board::{Board, DICTIONARY, person, question, terms};

fn copy(board: &Board) -> Board {
    Board { name: board.name, posts: board.posts.clone(), servers: (1..=board.servers.len()).map(person).collect() }
}

/// A ceremony of three servers, any one of whom decrypts, where inputs are closed.
fn closed() -> Board {
    let mut board = Board::new(&terms(3, 1, 2));
    let view = board.serve();
    board.send(&view, 100, &[0, 1]);
    board.send(&view, 101, &[0, 2]);
    board.close();
    board
}

fn honest(view: &View, duty: Duty, server: u16) -> Vec<u8> {
    view.perform(duty, server, &person(server.into())).unwrap()
}

fn post_as(board: &mut Board, kind: Kind, server: u16, body: Vec<u8>) {
    let key = board.key(kind, None, server);
    board.post(&person(server.into()), key, body);
}

/// What becomes of a ceremony after server 2 has posted this as its layer.
fn after_layer(board: &Board, body: Vec<u8>) -> (Vec<(FaultKind, Option<u16>)>, Stage, usize) {
    let mut board = copy(board);
    post_as(&mut board, Kind::Layer, 2, body);
    let view = board.serve();
    (board.faults(), view.stage, view.layers.len())
}

#[test]
fn false_layers_are_passed_over_and_named() {
    let mut board = closed();
    let before = board.view();
    let first = honest(&before, Duty::Layer, 1);
    // Server 2's layer of the inputs, as if server 1 had not mixed.
    let mut skipping = copy(&board);
    skipping.absent(Kind::Layer, 1);
    let skipped = honest(&skipping.view(), Duty::Layer, 2);
    post_as(&mut board, Kind::Layer, 1, first.clone());
    let second = honest(&board.view(), Duty::Layer, 2);
    assert_eq!(after_layer(&board, second.clone()), (vec![], Stage::Done, 3));
    // The point (0, 2) has order 3; infinity; bytes that are no point.
    let with_point = |start: &[u8], end: u8| {
        let mut body = second.clone();
        body[..96].fill(0);
        body[..start.len()].copy_from_slice(start);
        body[95] = end;
        body
    };
    let cases = [
        (FaultKind::PermutationProofFalse, first),
        (FaultKind::ColumnProofFalse, skipped),
        (FaultKind::WrongLength, second[1..].to_vec()),
        (FaultKind::NotInSubgroup, with_point(&[], 2)),
        (FaultKind::IdentityComponent, with_point(&[0x40], 0)),
        (FaultKind::Malformed, with_point(&[0x1f], 1)),
    ];
    for (kind, body) in cases {
        assert_eq!(after_layer(&board, body), (vec![(kind, Some(2))], Stage::Done, 2));
    }
}

#[test]
fn posts_that_are_not_their_authors_are_refused() {
    let board = closed();
    let layer = honest(&board.view(), Duty::Layer, 1);
    let key = board.key(Kind::Layer, None, 1);
    let draft = |author: &Identity| Draft::new(&DICTIONARY, key, layer.clone(), author);
    let receipts = |draft: &Draft, servers: core::ops::Range<usize>| {
        servers.map(|number| receipt(&draft.digest, number as u16, &person(number))).collect::<Vec<_>>()
    };
    let faults = |key: PostKey, value: Vec<u8>, body: Option<StoredBody>| {
        let mut board = copy(&board);
        board.posts.insert(key.to_bytes(), aardvark_mixnet::post::Posted { value, body });
        board.faults()
    };
    let of_first = draft(&person(1));
    let posted = of_first.posted(receipts(&of_first, 1..2));
    assert_eq!(faults(of_first.key, posted.value.clone(), posted.body.clone()), []);
    // Without a receipt; with one of somebody else under a server's number.
    let false_receipts = vec![aardvark_mixnet::post::Receipt { server: 1, ..receipt(&of_first.digest, 2, &person(2)) }];
    for receipts in [Vec::new(), false_receipts] {
        let posted = of_first.posted(receipts);
        let found = faults(of_first.key, posted.value, posted.body);
        assert_eq!(found, [(FaultKind::ReceiptsMissing, Some(1))]);
    }
    // Signed by another; by one who has no part under that number; the signature of another post.
    let of_second = draft(&person(2));
    let other = of_second.posted(receipts(&of_second, 1..3));
    let found = faults(of_first.key, other.value.clone(), other.body.clone());
    assert_eq!(found, [(FaultKind::SignatureFalse, Some(1))]);
    assert_eq!(faults(of_second.key, other.value, other.body), [(FaultKind::NotAuthorised, Some(2))]);
    let mut value = PostValue::from_bytes(&posted.value).unwrap();
    value.signature[3] ^= 1;
    let found = faults(of_first.key, value.to_bytes(), posted.body.clone());
    assert_eq!(found, [(FaultKind::SignatureFalse, Some(1))]);
    let cut = posted.value[..posted.value.len() - 1].to_vec();
    assert_eq!(faults(of_first.key, cut, posted.body), [(FaultKind::Malformed, Some(1))]);
    // The body is not at hand, or another one: nothing is said of it, and it is waited for.
    for body in [None, Some(layer[1..].to_vec().into())] {
        let mut board = copy(&board);
        let posted = aardvark_mixnet::post::Posted { value: posted.value.clone(), body };
        board.posts.insert(of_first.key.to_bytes(), posted);
        let view = board.view();
        assert_eq!((view.faults.len(), view.missing, view.turn), (0, vec![of_first.key], Some(1)));
    }
}

#[test]
fn copied_inputs_false_shares_and_other_mixes_are_named() {
    let mut board = Board::new(&terms(3, 1, 2));
    let view = board.serve();
    let first = board.send(&view, 100, &[0, 1]);
    board.send(&view, 101, &[0, 2]);
    let body = match PostValue::from_bytes(&board.posts[&first.to_bytes()].value).unwrap().content {
        aardvark_mixnet::post::Content::Inline(body) => body,
        stored => unreachable!("{stored:?}"),
    };
    let input = board.key(Kind::Input, None, 0);
    board.post(&person(102), input, body.clone());
    board.post(&person(120), input, body);
    board.close();
    let view = board.serve_without(&[2]);
    assert_eq!(view.stage, Stage::Mixing);
    let mut kinds = board.faults();
    kinds.sort();
    assert_eq!(kinds, [(FaultKind::NotAuthorised, None), (FaultKind::InputProofFalse, None)]);
    board.absent(Kind::Layer, 2);
    // Server 3's agreement on another mix, and server 1's shares under 2's name.
    let view = board.serve_without(&[2, 1]);
    assert_eq!(view.stage, Stage::Decrypting);
    let view = {
        let mut other = copy(&board);
        other.serve_without(&[2])
    };
    let shares = honest(&view_before_shares(&board), Duty::Shares, 1);
    assert_eq!(view.stage, Stage::Done);
    post_as(&mut board, Kind::Shares, 2, shares);
    post_as(&mut board, Kind::Agreement, 2, vec![7; 32]);
    board.serve_without(&[2]);
    let of_servers: Vec<_> = board.faults().into_iter().filter(|(_, server)| server.is_some()).collect();
    let expected = [(FaultKind::DecryptionProofFalse, Some(2)), (FaultKind::MixDiffers, Some(2))];
    assert_eq!(of_servers, expected);
}

/// The board after both others agreed, and before shares.
fn view_before_shares(board: &Board) -> View {
    let mut board = copy(board);
    for server in [1, 3] {
        let view = board.view();
        if view.duties(server).contains(&Duty::Agreement) {
            let body = honest(&view, Duty::Agreement, server);
            post_as(&mut board, Kind::Agreement, server, body);
        }
    }
    board.view()
}

#[test]
fn queries_beyond_the_rules_and_false_columns_are_named() {
    let mut terms = terms(2, 1, 2);
    terms.rules.queries = 3;
    terms.rules.reveals = 5;
    let (board, view) = Board::mixed(&terms, &[&[0, 1], &[0, 2]]);
    let ask = |direction, reveal, number| question(direction, reveal, &[true, false], &[true; 2], number);
    let faults_of = |query: aardvark_mixnet::Query| {
        let mut board = copy(&board);
        board.ask(&view, 30, query);
        board.faults()
    };
    let forbidden = [(FaultKind::QueryForbidden, None)];
    assert_eq!(faults_of(ask(TraceDirection::In, Reveal::Each, 2)), []);
    assert_eq!(faults_of(ask(TraceDirection::In, Reveal::Each, 3)), forbidden);
    assert_eq!(faults_of(ask(TraceDirection::Out, Reveal::Any, 0)), forbidden);
    // Bits beyond the rows; another mix; another's name; another number than the key's.
    let out_of_range = [(FaultKind::QueryOutOfRange, None)];
    let beyond = question(TraceDirection::In, Reveal::Each, &[true, false, true], &[true; 2], 0);
    assert_eq!(faults_of(beyond), out_of_range);
    let post = |author: usize, sequence: u16, body: Vec<u8>| {
        let mut board = copy(&board);
        board.post(&person(author), board.key(Kind::Query, None, sequence), body);
        board.faults()
    };
    let query = ask(TraceDirection::In, Reveal::Each, 0);
    assert_eq!(post(30, 0, query.encode(&[1; 32])), out_of_range);
    let mix = view.mix().unwrap().digest;
    assert_eq!(post(31, 0, query.encode(&mix)), [(FaultKind::Malformed, None)]);
    assert_eq!(post(30, 1, query.encode(&mix)), [(FaultKind::Malformed, None)]);
    assert_eq!(post(40, 0, query.encode(&mix)), [(FaultKind::NotAuthorised, None)]);

    // The column of another query ends this one, and names its author; the other goes on.
    let mut board = copy(&board);
    let first = board.ask(&view, 30, ask(TraceDirection::Out, Reveal::Each, 0));
    let second = board.ask(&view, 30, ask(TraceDirection::Out, Reveal::Count, 1));
    let body = honest(&board.view(), Duty::Column(first), 1);
    let key = board.key(Kind::Column, Some(second), 1);
    board.post(&person(1), key, body);
    let view = board.serve();
    assert_eq!(board.faults(), [(FaultKind::ColumnProofFalse, Some(1))]);
    assert_eq!(view.query(&second).unwrap().stage, AskedStage::Stopped);
    assert_eq!(view.query(&first).unwrap().stage, AskedStage::Answered);
}

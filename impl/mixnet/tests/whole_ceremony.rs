//! Whole ceremonies as functions of posts: dealing, inputs, mix, decryption, answers.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod board;

use aardvark_mixnet::fault::FaultKind;
use aardvark_mixnet::ideal::{trace_in, trace_out};
use aardvark_mixnet::identity::KeyUse;
use aardvark_mixnet::trace::{Answer, Trace};
use aardvark_mixnet::view::AskedStage;
use aardvark_mixnet::{Kind, Query, Reveal, Stage, TraceDirection, View, decryption};
use board::{Board, person, question, terms};

/// The values in the order of the rows of inputs: the order of the senders' keys.
fn sent(view: &View, values: &[&[u8]]) -> Vec<Vec<u8>> {
    let value = |key: &[u8; 32]| (100..).zip(values).find(|(number, _)| person(*number).author() == *key).unwrap().1;
    view.rows.as_ref().unwrap().senders.iter().map(|sender| value(&sender.key).to_vec()).collect()
}

fn outputs(view: &View) -> Vec<Vec<u8>> {
    view.values.iter().map(|value| value.clone().unwrap()).collect()
}

fn sorted(values: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let mut sorted = values.to_vec();
    sorted.sort();
    sorted
}

fn answer(view: &View, id: &[u8; 32]) -> Answer {
    view.query(id).unwrap().answer.clone().unwrap()
}

#[test]
fn a_ceremony_is_a_function_of_its_posts_from_dealing_to_answers() {
    let values: [&[u8]; 4] = [b"oak", b"ash", b"oak", b"elm"];
    let (mut board, view) = Board::mixed(&terms(3, 2, 4), &values);
    let (sent, read) = (sent(&view, &values), outputs(&view));
    assert_eq!(sorted(&sent), sorted(&read));

    let half = [true, true, false, false];
    let unique: Vec<bool> = read.iter().map(|value| value != b"oak").collect();
    let j: Vec<usize> = (0..4).filter(|place| unique[*place]).collect();
    let queries = [
        question(TraceDirection::In, Reveal::Each, &half, &unique, 0),
        question(TraceDirection::Out, Reveal::Each, &half, &unique, 1),
        question(TraceDirection::Out, Reveal::Any, &half, &[true; 4], 2),
        question(TraceDirection::In, Reveal::Count, &[true; 4], &unique, 3),
    ];
    let ids: Vec<[u8; 32]> = queries.into_iter().map(|query| board.ask(&view, 30, query)).collect();
    // The same question twice at once, the second for the querier alone.
    let querier = person(31);
    let reader = querier.known_key(KeyUse::Asking(view.mix().unwrap().digest));
    let private = Query {
        querier: querier.author(),
        reader: Some(reader),
        ..question(TraceDirection::Out, Reveal::Each, &half, &unique, 0)
    };
    let private = board.ask(&view, 31, private);
    let view = board.serve();
    assert_eq!(view.faults, []);
    let came = trace_out(&sent, &read, &[0, 1], &j);
    assert_eq!(answer(&view, &ids[0]), Answer::Bits(trace_in(&sent, &read, &[0, 1], &j)));
    assert_eq!(answer(&view, &ids[1]), Answer::Bits(came.clone()));
    let all = trace_out(&sent, &read, &[0, 1], &[0, 1, 2, 3]);
    let first = |place: usize| read.iter().position(|value| *value == read[place]) == Some(place);
    assert_eq!(answer(&view, &ids[2]), Answer::Bits(all.into_iter().filter(|(place, _)| first(*place)).collect()));
    assert_eq!(answer(&view, &ids[3]), Answer::Count(2));

    // Nobody reads the private answer but the querier, until it opens it.
    let asked = view.query(&private).unwrap();
    assert_eq!((asked.stage, &asked.answer), (AskedStage::Answered, &None));
    let mix = view.mix().unwrap();
    let trace = Trace::new(&mix, &asked.query).unwrap();
    let sums = asked.sums.as_ref().unwrap();
    let shares = asked.first_shares(2);
    assert!(trace.result(sums, &asked.tests, &shares, None).is_err());
    let opening = trace.open(querier.reading_secret(), sums, &asked.tests, querier.seed()).unwrap();
    assert_eq!(trace.result(sums, &asked.tests, &shares, Some(&opening)).unwrap(), Answer::Bits(came.clone()));
    let false_opening = trace.open(person(30).reading_secret(), sums, &asked.tests, querier.seed()).unwrap();
    let mut forged = Board { posts: board.posts.clone(), name: board.name, servers: (1..4).map(person).collect() };
    let key = board.key(Kind::Opening, Some(private), 0);
    forged.post(&querier, key, decryption::encode(&false_opening));
    assert_eq!(forged.faults(), [(FaultKind::DecryptionProofFalse, None)]);
    board.post(&querier, key, decryption::encode(&opening));
    assert_eq!(board.faults(), []);
    assert_eq!(answer(&board.view(), &private), Answer::Bits(came));
}

#[test]
fn a_ceremony_goes_on_without_those_who_are_declared_absent() {
    // Two of three agree and decrypt: ceil((3 + 1) / 2).
    let mut board = Board::new(&terms(3, 1, 2));
    let view = board.serve_without(&[2]);
    assert_eq!(view.stage, Stage::Dealing);
    board.absent(Kind::Dealing, 2);
    let view = board.serve_without(&[2]);
    assert_eq!(view.stage, Stage::Verdicts);
    board.absent(Kind::Verdict, 2);
    let view = board.serve_without(&[2]);
    assert_eq!((view.stage, view.dealings.len()), (Stage::Open, 2));
    board.send(&view, 100, &[1, 2]);
    board.send(&view, 101, &[3, 4]);
    board.close();
    let view = board.serve_without(&[2]);
    assert_eq!((view.stage, view.turn), (Stage::Mixing, Some(2)));
    board.absent(Kind::Layer, 2);
    let view = board.serve_without(&[2]);
    assert_eq!((view.stage, view.layers.len()), (Stage::Done, 2));
    assert_eq!(sorted(&outputs(&view)), [[1, 2], [3, 4]]);
    // Of a query only those who mixed are asked.
    let id = board.ask(&view, 30, question(TraceDirection::Out, Reveal::Each, &[true, false], &[true; 2], 0));
    let view = board.serve_without(&[2]);
    let expected = trace_out(&sent(&view, &[&[1, 2], &[3, 4]]), &outputs(&view), &[0], &[0, 1]);
    assert_eq!(answer(&view, &id), Answer::Bits(expected));
    assert_eq!(view.faults, []);
}

#[test]
fn too_few_inputs_or_dealers_make_a_ceremony_void() {
    let mut board = Board::new(&terms(2, 2, 2));
    board.absent(Kind::Dealing, 2);
    assert_eq!(board.serve_without(&[2]).stage, Stage::Verdicts);
    board.absent(Kind::Verdict, 2);
    assert_eq!(board.serve_without(&[2]).stage, Stage::Void);

    let mut board = Board::new(&terms(1, 1, 2));
    let view = board.serve();
    board.send(&view, 100, &[1, 2]);
    board.close();
    assert_eq!(board.serve().stage, Stage::Void);
}

#[test]
fn posts_before_their_stage_are_pending_and_nothing_is_missed() {
    let values: [&[u8]; 2] = [&[0, 1], &[0, 2]];
    let (board, view) = Board::mixed(&terms(2, 1, 2), &values);
    assert_eq!(view.stage, Stage::Done);
    // Whatever is left out, in the order of keys, no honest author is blamed.
    for key in board.posts.keys() {
        let mut some = board.posts.clone();
        some.remove(key);
        match View::of(&board.name, &some).unwrap() {
            None => assert_eq!(*key, board.name.terms_key().to_bytes()),
            Some(view) => assert_eq!(view.faults, [], "{key:?}"),
        }
    }
}

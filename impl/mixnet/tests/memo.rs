//! A view with a memory of what was found before is the view that judges everything anew: on boards
//! that grow, that lose posts, whose bodies are damaged or not at hand, and on forks of one board,
//! looked at in turn with one memory. And each post is judged once.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod board;

use aardvark_mixnet::identity::KeyUse;
use aardvark_mixnet::layer::Layer;
use aardvark_mixnet::trace::Trace;
use aardvark_mixnet::{
    Duty, FaultKind, Kind, Memo, PostKey, Posts, Query, Reveal, Stage, TraceDirection, View, decryption,
};
use aardvark_sigma::column::{ColumnProof, Direction, Shuffle};
use aardvark_sigma::permutation::{PermutationSecret, prove};
use aardvark_sigma::{Context, Digest};
use board::{Board, person, question, terms};

/// All that a view says.
fn all_of(view: &View) -> impl PartialEq + core::fmt::Debug {
    let rows = view.rows.as_ref().map(|rows| (rows.list.clone(), rows.senders.clone()));
    let asked: Vec<_> = view
        .asked
        .iter()
        .map(|asked| {
            let posted = (asked.columns.clone(), asked.tests.clone(), asked.shares.clone(), asked.opening.clone());
            (asked.id, asked.key, asked.query.clone(), asked.stage, asked.sums.clone(), posted, asked.answer.clone())
        })
        .collect();
    let found = (view.stage, view.faults.clone(), view.missing.clone(), view.written.clone(), view.posted_inputs);
    let mixed = (view.dealings.clone(), rows, view.layers.clone(), view.turn, view.agreed.clone());
    let keys = view.keys.as_ref().map(|keys| (keys.digest, keys.keys.clone(), keys.shares.clone()));
    let read = (view.shares.clone(), view.outputs.clone(), view.values.clone(), view.mix_digest());
    let duties: Vec<Vec<Duty>> = view.ceremony.server_numbers().map(|server| view.duties(server)).collect();
    (view.ceremony.clone(), view.digest, found, keys, mixed, read, asked, duties)
}

/// The view of these posts by both ways, which must be one.
fn compared(board: &Board, posts: &Posts, memo: &mut Memo) -> Option<View> {
    let (anew, remembered) = (View::of(&board.name, posts), memo.view(&board.name, posts));
    match (&anew, &remembered) {
        (Ok(Some(anew)), Ok(Some(remembered))) => assert_eq!(all_of(anew), all_of(remembered)),
        (Ok(None), Ok(None)) => {}
        _ => assert_eq!(anew.as_ref().unwrap_err(), remembered.as_ref().unwrap_err()),
    }
    remembered.ok().flatten()
}

/// Lets honest servers do what they must, a post at a time, and compares after each.
fn serve(board: &mut Board, out: &[u16], memo: &mut Memo) -> View {
    loop {
        let view = compared(board, &board.posts, memo).unwrap();
        let servers = view.ceremony.server_numbers().filter(|server| !out.contains(server));
        let Some((server, duty)) =
            servers.flat_map(|server| view.duties(server).first().map(|duty| (server, *duty))).next()
        else {
            return view;
        };
        let identity = person(server.into());
        let body = view.perform(duty, server, &identity).unwrap();
        board.post(&identity, view.duty_key(duty, server), body);
    }
}

/// A ceremony with every kind of post, three of them false, and the order in which it was written.
fn ceremony(memo: &mut Memo) -> Board {
    let mut board = Board::new(&terms(3, 1, 2));
    // Server 3 deals wrongly, and mixes wrongly.
    let view = serve(&mut board, &[3], memo);
    board.post(&person(3), view.duty_key(Duty::Dealing, 3), vec![1; 500]);
    let view = serve(&mut board, &[], memo);
    for (number, value) in (100..).zip([[0, 1], [0, 2], [0, 2], [0, 3]]) {
        board.send(&view, number, &value);
    }
    // A copy of another's input.
    let of_first = PostKey { author: person(100).author(), ..board.key(Kind::Input, None, 0) };
    let value = board.posts[&of_first.to_bytes()].value.clone();
    let copied = value[1..value.len() - 64].to_vec();
    board.post(&person(104), board.key(Kind::Input, None, 0), copied);
    board.close();
    let view = serve(&mut board, &[3], memo);
    board.post(&person(3), view.duty_key(Duty::Layer, 3), vec![1; 2_000]);
    let view = serve(&mut board, &[], memo);
    assert_eq!((view.stage, view.layers.len(), view.faults.len()), (Stage::Done, 2, 3));

    let ask = |board: &mut Board, direction, reveal, number| {
        board.ask(&view, 30, question(direction, reveal, &[true, true, false, false], &[true; 4], number))
    };
    ask(&mut board, TraceDirection::In, Reveal::Each, 0);
    ask(&mut board, TraceDirection::Out, Reveal::Any, 1);
    let querier = person(31);
    let reader = Some(querier.known_key(KeyUse::Asking(view.mix().unwrap().digest)));
    let counted = question(TraceDirection::Out, Reveal::Count, &[true; 4], &[true; 4], 0);
    let private = board.ask(&view, 31, Query { querier: querier.author(), reader, ..counted });
    // `any` is not for inputs.
    ask(&mut board, TraceDirection::In, Reveal::Any, 2);
    let view = serve(&mut board, &[], memo);
    let (asked, mix) = (view.query(&private).unwrap(), view.mix().unwrap());
    let trace = Trace::new(&mix, &asked.query).unwrap();
    let sums = asked.sums.as_ref().unwrap();
    let opening = trace.open(querier.reading_secret(), sums, &asked.tests, querier.seed()).unwrap();
    board.post(&querier, board.key(Kind::Opening, Some(private), 0), decryption::encode(&opening));
    let view = compared(&board, &board.posts, memo).unwrap();
    assert_eq!((view.faults.len(), view.asked.len()), (4, 3));
    assert!(view.asked.iter().all(|asked| asked.answer.is_some()));
    board
}

#[test]
fn what_is_remembered_is_what_is_found_anew_and_each_post_is_judged_once() {
    let mut memo = Memo::default();
    let board = ceremony(&mut memo);
    // For each post whether it may be posted, and what it says; and what follows from several:
    // keys, inputs, outputs, and sums and answers of three queries. Answers of the first shares and
    // of later ones are the same.
    let (posts, judged) = (board.posts.len() as u64, memo.judged());
    assert!((posts..=2 * posts + 12).contains(&judged), "{judged} judgements about {posts} posts");
    let held = memo.len();
    compared(&board, &board.posts, &mut memo).unwrap();
    assert_eq!((memo.judged(), memo.len()), (judged, held));

    // Posts are missing, one and several at once, and come back.
    let keys: Vec<&Vec<u8>> = board.posts.keys().collect();
    for (number, key) in keys.iter().enumerate() {
        let mut some = board.posts.clone();
        some.remove(*key);
        if number % 3 == 0 {
            some.remove(keys[number * 7 % keys.len()]);
            some.remove(keys[number * 11 % keys.len()]);
        }
        compared(&board, &some, &mut memo);
    }
    // A body is not at hand, or another's stands in its place; a value is another's.
    for (number, key) in keys.iter().enumerate().step_by(2) {
        let mut some = board.posts.clone();
        let other = board.posts[keys[number * 5 % keys.len()]].clone();
        let posted = some.get_mut(*key).unwrap();
        match number % 4 {
            0 => posted.body = None,
            _ if posted.body.is_some() => posted.body = other.body,
            _ => posted.value = other.value,
        }
        compared(&board, &some, &mut memo);
    }
    compared(&board, &board.posts, &mut memo);
    // What is not needed any more is forgotten.
    assert_eq!(memo.len(), held);
}

/// The layer that a server would post, and one with the same list by the same permutation, but
/// another commitment to it.
fn layers(view: &View, server: u16) -> [Vec<u8>; 2] {
    let identity = person(server.into());
    let (mixing, before, rows) = (view.mixing().unwrap(), view.last_list().unwrap(), view.rows.as_ref().unwrap());
    let context = Context { keys: view.keys.as_ref().unwrap().digest, server };
    let secret = PermutationSecret::derive(identity.seed(), &context, before.rows());
    let honest = view.perform(Duty::Layer, server, &identity).unwrap();
    let first = Layer::decode(&honest, before.rows(), before.width(), server).unwrap();
    let statement = context.reencryption_statement(&mixing.purpose, &first.commitment, rows.row.row(), before);
    let randomness = identity.seed().scalars("re-encryption", &statement, before.rows());
    let other = PermutationSecret { blindings: person(77).seed().scalars("test", &statement, before.rows()), ..secret };
    let commitment = other.commit(&rows.generators).unwrap();
    let permutation = prove(&rows.generators, &context, &other, &commitment, identity.seed()).unwrap();
    let shuffle = Shuffle {
        generators: &rows.generators,
        context,
        purpose: mixing.purpose,
        commitment: &commitment,
        keys: &rows.row,
        direction: Direction::Forward,
    };
    let column: ColumnProof = shuffle.prove(&other, before, &first.list, &randomness, identity.seed()).unwrap();
    let list = first.list.clone();
    [honest, Layer { commitment, permutation, list, column }.encode()]
}

#[test]
fn a_column_that_is_true_on_one_fork_is_judged_anew_on_another() {
    let mut memo = Memo::default();
    let mut start = Board::new(&terms(2, 1, 2));
    let view = serve(&mut start, &[], &mut memo);
    for (number, value) in (100..).zip([[0, 1], [0, 2], [0, 3]]) {
        start.send(&view, number, &value);
    }
    start.close();
    let view = serve(&mut start, &[2], &mut memo);
    let mut forks = layers(&view, 2).map(|body| {
        let mut fork = Board { name: start.name, posts: start.posts.clone(), servers: vec![person(1), person(2)] };
        fork.post(&person(2), start.key(Kind::Layer, None, 2), body);
        fork
    });
    let views = [0, 1].map(|place| serve(&mut forks[place], &[], &mut memo));
    // Both are the same mix to who compares digests, and outputs.
    let digests: Vec<Digest> = views.iter().map(|view| view.mix().unwrap().digest).collect();
    assert_eq!((digests[0], &views[0].values), (digests[1], &views[1].values));
    assert_ne!(views[0].layers[1].1.commitment, views[1].layers[1].1.commitment);

    let asked = question(TraceDirection::In, Reveal::Each, &[true; 3], &[true, false, false], 0);
    let id = forks[0].ask(&views[0], 30, asked);
    serve(&mut forks[0], &[], &mut memo);
    let [first, second] = &mut forks;
    for (key, posted) in &first.posts {
        second.posts.entry(key.clone()).or_insert_with(|| posted.clone());
    }
    for _ in 0..2 {
        let view = compared(first, &first.posts, &mut memo).unwrap();
        assert!(view.faults.is_empty() && view.query(&id).unwrap().answer.is_some());
        let view = compared(second, &second.posts, &mut memo).unwrap();
        let faults: Vec<_> = view.faults.iter().map(|fault| (fault.fault.kind, fault.server)).collect();
        assert_eq!(faults, [(FaultKind::ColumnProofFalse, Some(2))]);
        assert!(view.query(&id).unwrap().answer.is_none());
    }
}

#[test]
fn a_layer_is_judged_anew_after_another_list() {
    let (mut memo, mut start) = (Memo::default(), Board::new(&terms(2, 1, 2)));
    let view = serve(&mut start, &[], &mut memo);
    for (number, value) in (100..).zip([[0, 1], [0, 2]]) {
        start.send(&view, number, &value);
    }
    start.close();
    let copy = || Board { name: start.name, posts: start.posts.clone(), servers: vec![person(1), person(2)] };
    let (mut first, mut second) = (copy(), copy());
    assert_eq!(serve(&mut first, &[], &mut memo).faults, []);
    // On the other fork server 1's layer is false, and that of server 2 is the same.
    second.post(&person(1), start.key(Kind::Layer, None, 1), vec![1; 2_000]);
    let of_second = PostKey { author: person(2).author(), ..start.key(Kind::Layer, None, 2) }.to_bytes();
    second.posts.insert(of_second.clone(), first.posts[&of_second].clone());
    for _ in 0..2 {
        let view = compared(&second, &second.posts, &mut memo).unwrap();
        let faults: Vec<_> = view.faults.iter().map(|fault| (fault.fault.kind, fault.server)).collect();
        assert_eq!(faults, [(FaultKind::WrongLength, Some(1)), (FaultKind::ColumnProofFalse, Some(2))]);
        assert_eq!(compared(&first, &first.posts, &mut memo).unwrap().faults, []);
    }
}

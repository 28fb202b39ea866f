//! A board that shows honest servers two ceremonies in one: with m = 4 and t = 3, servers 3 and 4
//! and the organiser corrupted, servers 1 and 2 see lists that differ in one input.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod board;

use aardvark_mixnet::{Duty, FaultKind, Kind, Stage};
use board::{Board, person, terms};

/// A fork, in which the other honest server is said to be absent from mixing.
fn fork(start: &Board, more: bool, absent: u16) -> Board {
    let servers = (1..=4).map(person).collect();
    let mut board = Board { name: start.name, posts: start.posts.clone(), servers };
    if more {
        let view = board.view();
        board.send(&view, 102, &[0, 3]);
    }
    board.close();
    board.absent(Kind::Layer, absent);
    board
}

#[test]
fn honest_servers_that_are_split_decrypt_neither_of_two_mixes() {
    let mut start = Board::new(&terms(4, 3, 2));
    let view = start.serve();
    start.send(&view, 100, &[0, 1]);
    start.send(&view, 101, &[0, 2]);
    let mut forks = [fork(&start, true, 2), fork(&start, false, 1)];
    // Each honest server acts on its fork, the corrupted act on both, and agree to both mixes.
    let mixes = [0, 1].map(|place| {
        let view = forks[place].serve_without(&[2 - place as u16]);
        let (honest, other) = (1 + place as u16, 2 - place as u16);
        assert_eq!((view.stage, view.layers.len(), view.agreed.len()), (Stage::Decrypting, 3, 3));
        assert_eq!(view.layers.iter().filter(|(server, _)| *server == other).count(), 0);
        // Three agree, as many as decrypt; but it takes four, so that no honest server may.
        assert_eq!((view.ceremony.quorum(), view.duties(honest)), (4, vec![]));
        assert!(view.perform(Duty::Shares, honest, &person(honest.into())).is_err());
        view.mix_digest().unwrap()
    });
    assert_ne!(mixes[0], mixes[1]);
    // Nobody agrees in the name of another.
    for (board, absent) in forks.iter_mut().zip([2, 1]) {
        let view = board.view();
        let key = view.server_key(Kind::Agreement, None, absent);
        board.post(&person(3), key, view.mix_digest().unwrap().to_vec());
        let view = board.view();
        assert_eq!((view.agreed.len(), view.stage, view.outputs.is_none()), (3, Stage::Decrypting, true));
        assert_eq!(board.faults(), [(FaultKind::NotAuthorised, Some(3))]);
    }
}

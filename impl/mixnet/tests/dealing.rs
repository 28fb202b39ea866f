//! Liars in a dealing, and keys that are nobody's: refused, and their authors named.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod board;

use aardvark_algebra::{G1Projective, Scalar};
use aardvark_mixnet::ceremony::Ceremony;
use aardvark_mixnet::dealt::{encode_dealing, encode_verdict};
use aardvark_mixnet::fault::FaultKind;
use aardvark_mixnet::identity::{KeyUse, KnownKey};
use aardvark_mixnet::{Duty, Kind, Memo, Query, Reveal, Stage, TraceDirection};
use aardvark_sigma::dealing::{Dealer, Dealing};
use aardvark_sigma::knowledge::{multiple, prove_equality, prove_knowledge};
use aardvark_sigma::sharing::SecretPolynomial;
use aardvark_sigma::{List, Secrets};
use board::{Board, person, question, terms};

/// A liar's polynomials and randomness.
struct Known {
    polynomials: Vec<SecretPolynomial>,
    randomness: Secrets,
}

fn known(terms: &Ceremony, start: u64) -> Known {
    let mut next = (start..).map(Scalar::from);
    let polynomials =
        (0..terms.keys()).map(|_| SecretPolynomial::new(next.by_ref().take(terms.threshold()).collect())).collect();
    Known { polynomials, randomness: next.by_ref().take(terms.servers.len()).collect() }
}

/// The dealing of these secrets, changed before its proof is made.
fn lie(board: &Board, dealer: u16, change: impl Fn(&mut Dealing)) -> Vec<u8> {
    let view = board.view();
    let secrets = known(&view.ceremony, 1_000);
    let (transport, seed) = (view.ceremony.transport_keys(), person(7));
    let dealer = view.dealer(dealer);
    let mut dealing = dealer.seal(&transport, &secrets.polynomials, &secrets.randomness, seed.seed());
    change(&mut dealing);
    let constants = secrets.polynomials.iter().map(|polynomial| polynomial.share(0));
    let witness: Secrets = constants.chain(secrets.randomness.iter().copied()).collect();
    dealing.proof = prove_knowledge(&dealing.seed(&dealer), &witness, seed.seed());
    encode_dealing(&dealing)
}

fn post_as(board: &mut Board, kind: Kind, server: u16, body: Vec<u8>) {
    let key = board.key(kind, None, server);
    board.post(&person(server.into()), key, body);
}

/// The honest body of a duty.
fn honest(board: &Board, duty: Duty, server: u16) -> Vec<u8> {
    board.view().perform(duty, server, &person(server.into())).unwrap()
}

#[test]
fn a_false_share_convicts_the_dealer_and_the_ceremony_goes_on() {
    let terms = terms(3, 1, 2);
    let mut board = Board::new(&terms);
    let body = lie(&board, 2, |dealing| dealing.sealed[2][1] += Scalar::from(1));
    post_as(&mut board, Kind::Dealing, 2, body);
    let view = board.serve();
    assert_eq!(board.faults(), [(FaultKind::DealingFalse, Some(2))]);
    assert_eq!((view.stage, view.dealings.keys().copied().collect::<Vec<_>>()), (Stage::Open, vec![1, 3]));
    // The shares of the others fit the keys that everybody computed.
    for server in 1..=3 {
        view.key_shares(server, &person(server.into())).unwrap();
    }
    board.send(&view, 100, &[0, 5]);
    board.send(&view, 101, &[0, 6]);
    board.close();
    assert_eq!(board.serve().stage, Stage::Done);
}

#[test]
fn a_complaint_is_judged_by_the_dealing_of_its_own_fork() {
    let (mut memo, mut liar) = (Memo::default(), Board::new(&terms(3, 1, 2)));
    let mut honest_fork = Board { posts: liar.posts.clone(), name: liar.name, servers: (1..4).map(person).collect() };
    let body = lie(&liar, 2, |dealing| dealing.sealed[2][1] += Scalar::from(1));
    post_as(&mut liar, Kind::Dealing, 2, body);
    liar.serve();
    let dealt = honest(&honest_fork, Duty::Dealing, 2);
    post_as(&mut honest_fork, Kind::Dealing, 2, dealt);
    for (key, posted) in &liar.posts {
        honest_fork.posts.entry(key.clone()).or_insert_with(|| posted.clone());
    }
    let cases = [(&liar, (FaultKind::DealingFalse, Some(2))), (&honest_fork, (FaultKind::ComplaintUnfounded, Some(3)))];
    for (board, fault) in cases.into_iter().chain(cases) {
        let view = memo.view(&board.name, &board.posts).unwrap().unwrap();
        assert_eq!(view.faults, board.view().faults);
        assert_eq!(board.faults(), [fault]);
    }
}

#[test]
fn copied_dealings_and_copied_randomness_are_refused() {
    let terms = terms(3, 2, 2);
    let mut board = Board::new(&terms);
    let honest_body = honest(&board, Duty::Dealing, 1);
    post_as(&mut board, Kind::Dealing, 1, honest_body.clone());
    let first = board.view().dealings[&1].clone();
    // Another's whole dealing; another's R and masked shares under one's own polynomials.
    let copied = lie(&board, 2, |dealing| {
        dealing.randomised = first.randomised.clone();
        dealing.sealed = first.sealed.clone();
    });
    for body in [honest_body.clone(), copied] {
        let mut board = Board { posts: board.posts.clone(), name: board.name, servers: (1..4).map(person).collect() };
        post_as(&mut board, Kind::Dealing, 2, body);
        let view = board.serve();
        assert_eq!(board.faults(), [(FaultKind::DealingFalse, Some(2))]);
        assert_eq!(view.dealings.keys().copied().collect::<Vec<_>>(), [1, 3]);
        // Nobody complained: a dealing without its proof gets no verdict.
        assert_eq!(view.stage, Stage::Open);
    }
    // In another ceremony of the same servers, its own author's too.
    let mut other = Board::numbered(&terms, 2);
    post_as(&mut other, Kind::Dealing, 1, honest_body);
    let copied = lie(&other, 2, |dealing| {
        dealing.randomised = first.randomised.clone();
        dealing.sealed = first.sealed.clone();
    });
    post_as(&mut other, Kind::Dealing, 2, copied);
    assert_eq!(other.faults(), [(FaultKind::DealingFalse, Some(1)), (FaultKind::DealingFalse, Some(2))]);
}

#[test]
fn complaints_against_the_honest_are_unfounded() {
    let terms = terms(2, 1, 2);
    let mut board = Board::new(&terms);
    for server in 1..=2 {
        let body = honest(&board, Duty::Dealing, server);
        post_as(&mut board, Kind::Dealing, server, body);
    }
    let view = board.view();
    let (dealing, liar) = (view.dealings[&1].clone(), person(2));
    // The true S with its true proof opens true shares; another S has no proof.
    let mut spoilt = dealing.clone();
    spoilt.sealed[1][0] += Scalar::from(1);
    let dealer = Dealer { ceremony: view.digest, number: 1 };
    let true_opening = spoilt.receive(&dealer, 2, liar.transport_secret(), liar.seed()).unwrap().unwrap_err();
    let mut false_opening = true_opening.clone();
    false_opening.shared = List::computed(vec![multiple(&Scalar::from(5))], 1);
    let mut proved = false_opening.clone();
    let base = List::computed(vec![multiple(&Scalar::from(3))], 1);
    proved.proof = prove_equality(&[1; 32], &base, liar.transport_secret(), liar.seed()).unwrap();
    let mut stranger = true_opening.clone();
    stranger.dealer = 9;
    for complaint in [true_opening, false_opening, proved, stranger] {
        let mut board = Board { posts: board.posts.clone(), name: board.name, servers: (1..3).map(person).collect() };
        post_as(&mut board, Kind::Verdict, 2, encode_verdict(&[complaint]));
        let view = board.serve();
        assert_eq!(board.faults(), [(FaultKind::ComplaintUnfounded, Some(2))]);
        assert_eq!((view.stage, view.dealings.len()), (Stage::Open, 2));
    }
}

/// P = sG - Y_0 would let the querier alone open every row of every column.
#[test]
fn a_reading_key_against_the_query_key_is_refused() {
    let mut terms = terms(2, 2, 2);
    terms.rules.anyone = true;
    let (mut board, view) = Board::mixed(&terms, &[&[0, 1], &[0, 2]]);
    let mix = view.mix().unwrap().digest;
    let querier = person(40);
    let key = G1Projective::from(multiple(&Scalar::from(77))) - view.keys.as_ref().unwrap().query_key()[0];
    let honest = querier.known_key(KeyUse::Asking(mix));
    let against = KnownKey { point: List::computed(vec![key.into()], 1), ..honest.clone() };
    // The honest proof for another mix is none.
    let elsewhere = querier.known_key(KeyUse::Asking([3; 32]));
    let ask = |number, reader| Query {
        querier: querier.author(),
        reader: Some(reader),
        ..question(TraceDirection::Out, Reveal::Each, &[true, false], &[true; 2], number)
    };
    board.ask(&view, 40, ask(0, against.clone()));
    board.ask(&view, 40, ask(1, elsewhere));
    board.ask(&view, 40, ask(2, honest));
    let view = board.serve();
    assert_eq!(board.faults(), [(FaultKind::QueryForbidden, None); 2]);
    assert_eq!(view.asked.len(), 1);
    // Nor is it taken into the terms.
    terms.queriers[0].reading = Some(against);
    let refused = Ceremony::from_bytes(&terms.to_bytes()).unwrap_err();
    assert_eq!(refused.kind, FaultKind::KeyProofFalse);
    terms.queriers.clear();
    assert_eq!(Ceremony::from_bytes(&terms.to_bytes()).as_ref(), Ok(&terms));
    terms.servers[1].transport = terms.servers[0].transport.clone();
    assert_eq!(Ceremony::from_bytes(&terms.to_bytes()).unwrap_err().kind, FaultKind::KeyProofFalse);
}

//! Points outside of the subgroup, of order 3 and 11, in every place of every post that has points
//! (layers, columns and inputs are in forgeries.rs): refused where they stand, before a secret
//! meets them. What a secret had multiplied would carry the torsion on into an honest server's
//! post, and the view, which checks those too, would name that server.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod board;

use aardvark_algebra::group::Curve;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{
    G1Affine, G1Projective, Scalar, decode_g1_uncompressed, decode_opening, encode_g1, encode_g1_uncompressed, msm,
    msm_short,
};
use aardvark_mixnet::fault::FaultKind;
use aardvark_mixnet::identity::KeyUse;
use aardvark_mixnet::trace::Trace;
use aardvark_mixnet::{Duty, Kind, Query, Reveal, Stage, TraceDirection, View, decryption};
use board::{Board, person, question, terms};

/// |z - 1|, the exponent of the torsion group.
const TORSION_EXPONENT: u128 = 0xd201_0000_0001_0001;

/// A point of the curve of this order, 3 or 11.
fn torsion(order: u128) -> G1Affine {
    let candidates = (0..=255).filter_map(|byte| {
        let mut bytes = [byte; 48];
        bytes[0] = 0x80;
        decode_opening(&bytes).ok()
    });
    let cleared = candidates.map(|point| msm(&[point, point], &[-Scalar::from(1), Scalar::from(1)]).to_affine());
    let of_order = cleared.map(|point| msm_short(&[point], &[TORSION_EXPONENT / order]).to_affine());
    of_order.into_iter().find(|point| !bool::from(point.is_identity())).unwrap()
}

/// Where a body has points: the first byte, and how many bytes each has.
#[derive(Clone, Copy)]
struct Points {
    start: usize,
    bytes: usize,
    count: usize,
}

const fn short(start: usize, count: usize) -> Points {
    Points { start, bytes: 48, count }
}

const fn long(start: usize, count: usize) -> Points {
    Points { start, bytes: 96, count }
}

/// All bodies that come of a body by adding a point to one of its points.
fn marked(body: &[u8], places: &[Points]) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for torsion in [3, 11].map(torsion) {
        for place in places {
            for number in 0..place.count {
                let mut bytes = body.to_vec();
                let start = place.start + number * place.bytes;
                let field = &mut bytes[start..start + place.bytes];
                if place.bytes == 48 {
                    let point = decode_opening(field.first_chunk().unwrap()).unwrap();
                    field.copy_from_slice(&encode_g1(&(G1Projective::from(point) + torsion).to_affine()));
                } else {
                    let point = decode_g1_uncompressed(field.first_chunk().unwrap()).unwrap();
                    field.copy_from_slice(&encode_g1_uncompressed(&(G1Projective::from(point) + torsion).to_affine()));
                }
                all.push(bytes);
            }
        }
    }
    all
}

fn copy(board: &Board) -> Board {
    Board { name: board.name, posts: board.posts.clone(), servers: (1..=board.servers.len()).map(person).collect() }
}

/// Posts every marked body in server 2's name, lets server 1 go on, and finds server 2's fault and
/// no other. Returns how many bodies there were.
fn refused(board: &Board, kind: Kind, query: Option<[u8; 32]>, body: &[u8], places: &[Points]) -> usize {
    let all = marked(body, places);
    for body in &all {
        let mut board = copy(board);
        board.post(&person(2), board.key(kind, query, 2), body.clone());
        board.serve_without(&[2]);
        assert_eq!(board.faults(), [(FaultKind::NotInSubgroup, Some(2))], "{kind:?}");
    }
    all.len()
}

fn honest(board: &Board, duty: Duty) -> Vec<u8> {
    board.view().perform(duty, 2, &person(2)).unwrap()
}

#[test]
fn marked_points_of_dealings_verdicts_and_shares_are_refused_where_they_stand() {
    let mut board = Board::new(&terms(2, 1, 2));
    let dealing = honest(&board, Duty::Dealing);
    // Two A; four T; four z; for each server R and two masked shares.
    let places = [short(0, 2), short(96, 4), short(416, 1), short(528, 1)];
    assert_eq!(refused(&board, Kind::Dealing, None, &dealing, &places), 16);
    board.serve_without(&[2]);
    board.post(&person(2), board.key(Kind::Dealing, None, 2), dealing);
    // One complaint about dealer 1: S, T twice, z.
    let generator = encode_g1(&G1Affine::generator());
    let verdict = [&[0, 1, 0, 1][..], &generator, &generator, &generator, &[0; 32]].concat();
    assert_eq!(refused(&board, Kind::Verdict, None, &verdict, &[short(4, 3)]), 6);

    let mut board = Board::new(&terms(2, 1, 2));
    let view = board.serve();
    board.send(&view, 100, &[0, 1]);
    board.send(&view, 101, &[0, 2]);
    board.close();
    let view = loop {
        let view = board.serve_without(&[2]);
        match view.stage {
            Stage::Mixing => {
                let body = honest(&board, Duty::Layer);
                board.post(&person(2), board.key(Kind::Layer, None, 2), body);
            }
            Stage::Decrypting if !view.agreed.contains(&2) => {
                let body = honest(&board, Duty::Agreement);
                board.post(&person(2), board.key(Kind::Agreement, None, 2), body);
            }
            _ => break view,
        }
    };
    assert_eq!(view.stage, Stage::Done);
    // Two D, and T of G and of the sum.
    let shares = honest(&board, Duty::Shares);
    assert_eq!(refused(&board, Kind::Shares, None, &shares, &[long(0, 4)]), 8);
}

#[test]
fn marked_points_of_zero_tests_answers_openings_and_queries_are_refused_where_they_stand() {
    // Three equal values, so that `any` needs a zero test.
    let values: [&[u8]; 3] = [&[0, 1], &[0, 1], &[0, 1]];
    let (mut board, view) = Board::mixed(&terms(2, 1, 2), &values);
    let mix = view.mix().unwrap().digest;
    let querier = person(31);
    let reader = Some(querier.known_key(KeyUse::Asking(mix)));
    let all = [true; 3];
    let private = Query {
        querier: querier.author(),
        reader,
        ..question(TraceDirection::Out, Reveal::Any, &[true, false, false], &all, 0)
    };

    // P and T, after version, mix, direction, reveal, two bitmaps and a byte.
    let bodies = marked(&private.encode(&mix), &[short(38, 2)]);
    assert_eq!(bodies.len(), 4);
    for body in bodies {
        let mut board = copy(&board);
        board.post(&querier, board.key(Kind::Query, None, 0), body);
        board.serve();
        assert_eq!(board.faults(), [(FaultKind::NotInSubgroup, None)]);
    }

    let id = board.ask(&view, 31, private);
    let mut tested = false;
    let view = loop {
        let view = board.serve_without(&[2]);
        let Some(duty) = view.duties(2).first().copied() else { break view };
        let body = view.perform(duty, 2, &person(2)).unwrap();
        if duty == Duty::ZeroTest(id) {
            // C' of one target, T twice.
            assert_eq!(refused(&board, Kind::ZeroTest, Some(id), &body, &[long(0, 4)]), 8);
            tested = true;
        }
        board.post(&person(2), board.key(duty.kind(), Some(id), 2), body);
    };
    assert!(tested);
    let asked = view.query(&id).unwrap();
    let mix = view.mix().unwrap();
    let trace = Trace::new(&mix, &asked.query).unwrap();
    let sums = asked.sums.as_ref().unwrap();
    let opening = trace.open(querier.reading_secret(), sums, &asked.tests, querier.seed()).unwrap();
    for body in marked(&decryption::encode(&opening), &[long(0, 3)]) {
        let mut board = copy(&board);
        board.post(&querier, board.key(Kind::Opening, Some(id), 0), body);
        assert_eq!(board.faults(), [(FaultKind::NotInSubgroup, None)]);
    }
    // Server 2's answer shares, when server 1's are there already.
    let shares = decryption::encode(asked.shares.get(&1).unwrap());
    let mut without = copy(&board);
    let key = board.view().duty_key(Duty::AnswerShares(id), 2);
    without.posts.remove(&key.to_bytes());
    assert_eq!(refused(&without, Kind::AnswerShares, Some(id), &shares, &[long(0, 3)]), 6);
}

#[test]
fn terms_with_a_marked_key_are_no_terms() {
    let terms = terms(1, 1, 2);
    let board = Board::new(&terms);
    let bytes = terms.to_bytes();
    let key = terms.servers[0].transport.to_bytes();
    let start = bytes.windows(key.len()).position(|window| window == key).unwrap();
    for body in marked(&bytes, &[short(start, 2)]) {
        let mut board = Board::new(&terms);
        board.posts.clear();
        board.post(&person(20), board.name.terms_key(), body);
        assert_eq!(View::of(&board.name, &board.posts).unwrap_err().fault.kind, FaultKind::NotInSubgroup);
    }
    assert!(View::of(&board.name, &board.posts).unwrap().is_some());
}

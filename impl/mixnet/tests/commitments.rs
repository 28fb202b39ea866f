//! Commitments to matrices that are no permutation's.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod common;

use aardvark_algebra::group::Curve;
use aardvark_algebra::{G1Affine, G1Projective};
use aardvark_mixnet::fault::FaultKind;
use aardvark_mixnet::trace::blame;
use aardvark_sigma::{Context, List, permutation};
use common::Ceremony;

/// The list with a point replaced.
fn with_point(list: &List, place: usize, point: G1Affine) -> List {
    let mut points = list.points().to_vec();
    points[place] = point;
    List::computed(points, list.width())
}

/// A commitment to a matrix that is no permutation's has no proof, whoever makes one for it.
#[test]
fn commitments_to_other_matrices_are_refused_and_their_author_is_named() {
    let values: Vec<Vec<u8>> = [3u16, 1, 4, 1].iter().map(|number| number.to_be_bytes().to_vec()).collect();
    let ceremony = Ceremony::run(&values, 2, 2, 2);
    let (server, mixing) = (ceremony.server(2), ceremony.mixing());
    let context = Context { keys: ceremony.keys.digest, server: 2 };
    let honest = server.permutation.commit(&ceremony.generators).unwrap();
    let unit = |row: usize| ceremony.generators.bases()[server.permutation.permutation.images()[row]];
    let sum = |row: usize, terms: &[(i64, usize)]| {
        let start = G1Projective::from(honest.points()[row]);
        let sum = terms.iter().fold(start, |sum, (sign, term)| match sign {
            1 => sum + unit(*term),
            _ => sum - unit(*term),
        });
        with_point(&honest, row, sum.to_affine())
    };
    let judged = |context: &Context, commitment: List| {
        let proved = permutation::prove(&ceremony.generators, context, &server.permutation, &commitment, &server.seed);
        let made = (commitment, proved.unwrap());
        let before = &ceremony.layers[0].1.list;
        let layer = mixing.layer(2, &server.permutation, made, before, &server.seed).unwrap();
        let (permutation, column) = mixing.claims(2, &layer, before).unwrap();
        let judged = blame(FaultKind::PermutationProofFalse, &[(2, permutation)]);
        let judged = judged.and_then(|()| blame(FaultKind::ColumnProofFalse, &[(2, column)]));
        judged.map_err(|fault| (fault.kind, fault.author))
    };
    assert_eq!(judged(&context, honest.clone()), Ok(()));
    let refused = Err((FaultKind::PermutationProofFalse, Some(2)));
    // Two equal rows, a row 2u, a row u + v - w, a row 0, and u + v beside 0.
    assert_eq!(judged(&context, sum(1, &[(-1, 1), (1, 0)])), refused);
    assert_eq!(judged(&context, sum(1, &[(1, 1)])), refused);
    assert_eq!(judged(&context, sum(0, &[(1, 1), (-1, 2)])), refused);
    assert_eq!(judged(&context, sum(3, &[(-1, 3)])), refused);
    let moved = with_point(&sum(0, &[(1, 1)]), 1, sum(1, &[(-1, 1)]).points()[1]);
    assert_eq!(judged(&context, moved), refused);
    // The proof for another server, or for another ceremony.
    for other in [Context { server: 1, ..context }, Context { keys: [9; 32], ..context }] {
        assert_eq!(judged(&other, honest.clone()), refused);
    }
}

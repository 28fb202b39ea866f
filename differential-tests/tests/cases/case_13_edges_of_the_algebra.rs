//! Scalars 0 and r-1, equal old and new value, identity commitment, identity opening, x = 0, points
//! off the curve, outside the subgroup, non-canonical encodings, the infinity flag with other bits,
//! the same opening twice in a batch.

use aardvark_algebra::Scalar;
use aardvark_algebra::ff::Field;
use aardvark_commitment::{BatchClaim, Commitment, Opening, VectorCommitment};
use aardvark_spec::commitment::scheme::{commit, open, verify_point};
use aardvark_spec::convert::to_seq;
use differential_tests::convert::{exponent_from_spec, scalar_to_spec};
use differential_tests::opening_rule::malformed_bytes;
use differential_tests::points::{Points, point_outside_subgroup};
use differential_tests::scene::{on_both_schemes, put};
use differential_tests::setting::Setting;

#[test]
fn vectors_of_zeros_and_of_r_minus_one_commit_and_open_alike() {
    on_both_schemes(|stage| {
        let setting = Setting::new(stage.kind(), 4, 0);
        let (zero, minus_one) = (Scalar::ZERO, -Scalar::ONE);
        for vector in [[zero; 4], [minus_one; 4], [zero, minus_one, minus_one, zero]] {
            let spec_vector = to_seq(vector.iter().map(scalar_to_spec).collect());
            let specified = commit(&setting.setup, &spec_vector);
            let points = Points::default();
            let commitment = setting.scheme.commit(&vector).unwrap();
            assert_eq!(commitment.to_bytes(), points.opening(exponent_from_spec(specified)));
            for (index, scalar) in vector.iter().enumerate() {
                let opened = open(&setting.setup, &spec_vector, index);
                let opening = setting.scheme.open(&vector, index).unwrap();
                assert_eq!(opening.to_bytes(), points.opening(exponent_from_spec(opened)));
                assert!(verify_point(&setting.setup, specified, index, scalar_to_spec(scalar), opened));
                assert!(setting.scheme.verify(&commitment, index, scalar, &opening));
            }
        }
    });
}

#[test]
fn the_identity_commitment_opens_to_zero_by_the_identity_and_to_nothing_else() {
    on_both_schemes(|stage| {
        let setting = Setting::new(stage.kind(), 4, 0);
        let scheme = &setting.scheme;
        let (commitment, opening) = (Commitment::identity(), Opening::identity());
        for index in 0..4 {
            assert!(scheme.verify(&commitment, index, &Scalar::ZERO, &opening));
            assert!(!scheme.verify(&commitment, index, &Scalar::ONE, &opening));
            assert!(!scheme.verify(&commitment, index, &-Scalar::ONE, &opening));
        }
        assert!(!scheme.verify(&commitment, 4, &Scalar::ZERO, &opening), "there is no index 4");
    });
}

#[test]
fn an_update_by_zero_changes_neither_commitment_nor_opening() {
    on_both_schemes(|stage| {
        let scheme = Setting::new(stage.kind(), 4, 0).scheme;
        let vector = [5, 6, 7, 8].map(Scalar::from);
        let commitment = scheme.commit(&vector).unwrap();
        let opening = scheme.open(&vector, 1).unwrap();
        for index in 0..4 {
            assert_eq!(scheme.update_commitment(&commitment, index, &Scalar::ZERO).unwrap(), commitment);
            assert_eq!(scheme.update_opening(&opening, 1, index, &Scalar::ZERO).unwrap(), opening);
        }
    });
}

#[test]
fn the_opening_of_a_vector_of_one_slot_is_the_point_at_infinity() {
    on_both_schemes(|stage| {
        let mut scene = stage.scene(1, 2, &["a", "b", "c"]);
        let claimed = scene.now([put("a", "2")]);
        assert_eq!(claimed.claims[0].opening[0], 0xc0);
        scene.accept([claimed]);
    });
}

#[test]
fn bytes_that_are_no_point_are_malformed_and_not_false() {
    on_both_schemes(|stage| {
        let mut scene = stage.scene(4, 2, &["a"]);
        for how in 0..9 {
            let mut malformed = scene.now([put("a", "2")]);
            malformed.claims[0].opening = malformed_bytes(how);
            scene.refuse([malformed], "OpeningMalformed", 0);
        }
    });
}

#[test]
fn a_malformed_opening_comes_before_a_false_one_of_the_same_transaction_and_after_that_of_an_earlier_one() {
    on_both_schemes(|stage| {
        let mut scene = stage.scene(1, 2, &["a", "b", "c"]);
        let mut both = scene.now([put("a", "2"), put("b", "2")]);
        both.claims[0].opening = scene.pair.archive.points.opening(Scalar::ONE);
        both.claims[1].opening = [0; 48];
        scene.refuse([both.clone()], "OpeningMalformed", 0);
        let mut lies = scene.now([put("a", "2")]);
        lies.claims[0].opening = scene.pair.archive.points.opening(Scalar::ONE);
        scene.refuse([lies, both], "OpeningFalse", 0);
    });
}

#[test]
fn an_opening_outside_of_the_subgroup_is_judged_by_its_part_inside() {
    on_both_schemes(|stage| {
        let mut scene = stage.scene(4, 2, &["a"]);
        let mut false_one = scene.now([put("a", "2")]);
        false_one.claims[0].opening = point_outside_subgroup().to_compressed();
        scene.refuse([false_one], "OpeningFalse", 0);
        let mut twisted = scene.now([put("a", "2")]);
        let points = &scene.pair.archive.points;
        let exponent = scene.pair.archive.exponent(0, twisted.claims[0].position);
        twisted.claims[0].opening = points.opening_with_torsion(exponent);
        scene.accept([twisted]);
    });
}

#[test]
fn the_same_opening_twice_in_a_batch_is_no_obstacle() {
    on_both_schemes(|stage| {
        let mut scene = stage.scene(4, 2, &["a", "z"]);
        let pair = [scene.now([put("b", "1")]), scene.now([put("c", "1")])];
        assert_eq!(pair[0].claims, pair[1].claims);
        scene.accept(pair);
    });
}

#[test]
fn errors_that_cancel_without_coefficients_do_not_cancel_with_them() {
    on_both_schemes(|stage| {
        let scheme = Setting::new(stage.kind(), 4, 0).scheme;
        let vector = [5, 6, 7, 8].map(Scalar::from);
        let commitment = scheme.commit(&vector).unwrap();
        let points = Points::default();
        let honest = scheme.open(&vector, 1).unwrap();
        let shifted = |by: Scalar| {
            let shift = Opening::from_bytes(&points.opening(by)).unwrap();
            Opening::from_point_unchecked(shift.point() + aardvark_algebra::G1Projective::from(*honest.point()))
        };
        let claim = |opening| BatchClaim { label: 0, commitment, index: 1, scalar: vector[1], opening };
        assert!(scheme.verify_batch(&[0; 32], &[claim(honest), claim(honest)]));
        assert!(!scheme.verify_batch(&[0; 32], &[claim(shifted(Scalar::ONE)), claim(shifted(-Scalar::ONE))]));
    });
}

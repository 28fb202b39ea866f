//! The laws of a vector commitment, for both schemes and all small N.
#![allow(clippy::unwrap_used)]

mod common;

use aardvark_algebra::ff::Field;
use aardvark_algebra::group::Curve;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::msm::naive::multiply;
use aardvark_algebra::{Domain, G1Affine, G2Affine, Scalar};
use aardvark_commitment::{Commitment, CommitmentError, Opening, Scheme, VectorCommitment, insecure, naive};
use common::{AnyScalar, AnyVector, scalar, schemes, secret};
use quickcheck::{QuickCheck, Testable};
use rayon::prelude::*;

/// Each case costs a few pairings and a setup.
fn check(law: impl Testable) {
    QuickCheck::new().tests(40).quickcheck(law);
}

/// secret^0 g1 .. secret^(count-1) g1.
fn powers(count: usize) -> Vec<G1Affine> {
    let exponents = core::iter::successors(Some(Scalar::ONE), |power| Some(power * secret()));
    exponents.take(count).map(|e| (G1Affine::generator() * e).to_affine()).collect()
}

#[test]
fn every_index_of_a_committed_vector_opens_to_its_scalar() {
    fn law(v: AnyVector) -> bool {
        schemes(v.size).iter().all(|scheme| {
            let commitment = scheme.commit(&v.scalars).unwrap();
            let openings = scheme.open_all(&v.scalars).unwrap();
            openings.len() == v.size
                && openings[v.index] == scheme.open(&v.scalars, v.index).unwrap()
                && (0..v.size).all(|i| scheme.verify(&commitment, i, &v.at(i), &openings[i]))
        })
    }
    check(law as fn(AnyVector) -> bool);
}

#[test]
fn no_other_scalar_opening_or_commitment_passes() {
    fn law(v: AnyVector, delta: AnyScalar) -> bool {
        let delta = if bool::from(delta.0.is_zero()) { Scalar::ONE } else { delta.0 };
        schemes(v.size).iter().all(|scheme| {
            let commitment = scheme.commit(&v.scalars).unwrap();
            let opening = scheme.open(&v.scalars, v.index).unwrap();
            let truth = v.at(v.index);
            let moved = (opening.point().to_curve() + G1Affine::generator()).to_affine();
            let grown = scheme.update_commitment(&commitment, v.index, &delta).unwrap();
            !scheme.verify(&commitment, v.index, &(truth + delta), &opening)
                && !scheme.verify(&commitment, v.index, &truth, &Opening::from_point_unchecked(moved))
                && !scheme.verify(&grown, v.index, &truth, &opening)
        })
    }
    check(law as fn(AnyVector, AnyScalar) -> bool);
}

#[test]
fn an_opening_of_one_index_does_not_open_another_to_a_different_scalar() {
    fn law(v: AnyVector) -> bool {
        v.at(v.index) == v.at(v.other)
            || schemes(v.size).iter().all(|scheme| {
                let commitment = scheme.commit(&v.scalars).unwrap();
                let opening = scheme.open(&v.scalars, v.index).unwrap();
                !scheme.verify(&commitment, v.other, &v.at(v.index), &opening)
            })
    }
    check(law as fn(AnyVector) -> bool);
}

#[test]
fn updating_a_commitment_is_committing_to_the_changed_vector() {
    fn law(v: AnyVector, delta: AnyScalar, second: AnyScalar) -> bool {
        schemes(v.size).iter().all(|scheme| {
            let commitment = scheme.commit(&v.scalars).unwrap();
            let once = scheme.update_commitment(&commitment, v.index, &delta.0).unwrap();
            let changes = [(v.index, delta.0), (v.other, second.0), (v.index, Scalar::ONE)];
            let many = scheme.update_commitment_many(&commitment, &changes).unwrap();
            let mut expected = v.changed(v.index, &(delta.0 + Scalar::ONE));
            expected[v.other] += second.0;
            once == scheme.commit(&v.changed(v.index, &delta.0)).unwrap()
                && many == scheme.commit(&expected).unwrap()
                && commitment == scheme.update_commitment_many(&commitment, &[]).unwrap()
        })
    }
    check(law as fn(AnyVector, AnyScalar, AnyScalar) -> bool);
}

#[test]
fn updating_an_opening_is_opening_the_changed_vector() {
    fn law(v: AnyVector, delta: AnyScalar) -> bool {
        schemes(v.size).iter().all(|scheme| {
            (0..v.size).all(|opened| {
                // `opened` meets every relation to the changed index, equality included.
                let before = scheme.open(&v.scalars, opened).unwrap();
                let after = scheme.open(&v.changed(v.index, &delta.0), opened).unwrap();
                after == scheme.update_opening(&before, opened, v.index, &delta.0).unwrap()
            })
        })
    }
    check(law as fn(AnyVector, AnyScalar) -> bool);
}

#[test]
fn first_updates_from_many_threads_at_once_neither_wait_for_each_other_nor_differ() {
    let vector: Vec<Scalar> = (0..16).map(scalar).collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
    for _ in 0..10 {
        let kzg = insecure::kzg_with_known_tau(16, secret()).unwrap();
        let mut after = vector.clone();
        after[3] += scalar(99);
        let openings = kzg.open_all(&vector).unwrap();
        let update = |(i, opening)| kzg.update_opening(opening, i, 3, &scalar(99)).unwrap();
        let updated: Vec<Opening> = pool.install(|| openings.par_iter().enumerate().map(update).collect());
        assert_eq!(updated, kzg.open_all(&after).unwrap());
    }
}

#[test]
fn kzg_is_its_definition_by_polynomials() {
    fn law(v: AnyVector, wrong: AnyScalar) -> bool {
        let kzg = insecure::kzg_with_known_tau(v.size, secret()).unwrap();
        let domain = Domain::new(v.size).unwrap();
        let powers = powers(v.size);
        let commitment = kzg.commit(&v.scalars).unwrap();
        let opening = kzg.open(&v.scalars, v.index).unwrap();
        let tau_g2 = (G2Affine::generator() * secret()).to_affine();
        let agree = |scalar: Scalar| {
            let slow = naive::kzg_verify(&domain, &tau_g2, &commitment, v.index, &scalar, &opening);
            slow == kzg.verify(&commitment, v.index, &scalar, &opening) && slow == (scalar == v.at(v.index))
        };
        commitment == naive::kzg_commit(&domain, &powers, &v.scalars)
            && opening == naive::kzg_open(&domain, &powers, &v.scalars, v.index)
            && agree(v.at(v.index))
            && agree(wrong.0)
    }
    check(law as fn(AnyVector, AnyScalar) -> bool);
}

#[test]
fn libert_yung_is_its_definition_by_powers() {
    fn law(v: AnyVector) -> bool {
        let scheme = insecure::libert_yung_with_known_alpha(v.size, secret()).unwrap();
        let published = scheme.g1_powers().unwrap();
        let all = powers(2 * v.size + 1);
        let expected = |e: usize| match e == v.size + 1 {
            true => G1Affine::identity(),
            false => all[e],
        };
        (1..=2 * v.size).all(|e| published[e - 1] == expected(e))
            && scheme.commit(&v.scalars) == Ok(naive::libert_yung_commit(published, &v.scalars))
            && scheme.open(&v.scalars, v.index) == Ok(naive::libert_yung_open(published, &v.scalars, v.index))
    }
    check(law as fn(AnyVector) -> bool);
}

#[test]
fn a_commitment_is_the_polynomial_at_the_secret_in_the_exponent() {
    fn law(v: AnyVector) -> bool {
        let kzg = insecure::kzg_with_known_tau(v.size, secret()).unwrap();
        let domain = Domain::new(v.size).unwrap();
        let coefficients = naive::interpolate(&domain, &v.scalars);
        let exponent = aardvark_algebra::fft::naive::evaluate(&coefficients, &secret());
        let expected = multiply(&G1Affine::generator(), &exponent.to_bytes_le());
        kzg.commit(&v.scalars).unwrap() == Commitment::from_point_unchecked(expected)
    }
    check(law as fn(AnyVector) -> bool);
}

#[test]
fn the_empty_vector_commits_to_the_identity_and_opens_to_zero_by_the_identity() {
    for size in [1, 2, 8] {
        for scheme in schemes(size) {
            assert_eq!(scheme.commit(&[]), Ok(Commitment::identity()));
            assert_eq!(scheme.commit(&vec![Scalar::ZERO; size]), Ok(Commitment::identity()));
            for index in 0..size {
                assert_eq!(scheme.open(&[], index), Ok(Opening::identity()));
                let (c, o) = (Commitment::identity(), Opening::identity());
                assert!(scheme.verify(&c, index, &Scalar::ZERO, &o));
                assert!(!scheme.verify(&c, index, &Scalar::ONE, &o));
            }
        }
    }
}

#[test]
fn a_constant_vector_opens_by_the_identity_in_kzg() {
    let [kzg, _] = schemes(8);
    for value in [Scalar::ONE, -Scalar::ONE, scalar(5)] {
        let vector = [value; 8];
        let commitment = kzg.commit(&vector).unwrap();
        assert_eq!(*commitment.point(), (G1Affine::generator() * value).to_affine());
        for index in 0..8 {
            let opening = kzg.open(&vector, index).unwrap();
            assert_eq!(opening, Opening::identity());
            assert!(kzg.verify(&commitment, index, &value, &opening));
        }
    }
}

#[test]
fn indices_and_lengths_beyond_n_are_refused_with_their_numbers() {
    for scheme in schemes(4) {
        let five = [Scalar::ONE; 5];
        let too_long = CommitmentError::VectorTooLong { length: 5, vector_size: 4 };
        let no_index = CommitmentError::IndexOutOfRange { index: 4, vector_size: 4 };
        assert_eq!(scheme.commit(&five), Err(too_long.clone()));
        assert_eq!(scheme.open(&five, 0), Err(too_long.clone()));
        assert_eq!(scheme.open_all(&five), Err(too_long));
        assert_eq!(scheme.open(&five[..4], 4), Err(no_index.clone()));
        let (c, o) = (Commitment::identity(), Opening::identity());
        assert_eq!(scheme.update_commitment(&c, 4, &Scalar::ONE), Err(no_index.clone()));
        let changes = [(0, Scalar::ONE), (4, Scalar::ONE)];
        assert_eq!(scheme.update_commitment_many(&c, &changes), Err(no_index.clone()));
        assert_eq!(scheme.update_opening(&o, 4, 0, &Scalar::ONE), Err(no_index.clone()));
        assert_eq!(scheme.update_opening(&o, 0, 4, &Scalar::ONE), Err(no_index));
        for index in [4, 5, usize::MAX] {
            assert!(!scheme.verify(&c, index, &Scalar::ZERO, &o));
        }
    }
}

#[test]
fn a_wrapped_index_never_passes_for_the_index_it_wraps_to() {
    for scheme in schemes(4) {
        let vector = [1, 2, 3, 4].map(Scalar::from);
        let commitment = scheme.commit(&vector).unwrap();
        let opening = scheme.open(&vector, 1).unwrap();
        assert!(scheme.verify(&commitment, 1, &vector[1], &opening));
        for index in [5, 4097, (1usize << 32) + 1] {
            assert!(!scheme.verify(&commitment, index, &vector[1], &opening));
        }
    }
}

#[test]
fn the_dispatching_scheme_answers_as_the_scheme_itself() {
    let vector = [3, 1, 4, 1].map(Scalar::from);
    let kzg = insecure::kzg_with_known_tau(4, secret()).unwrap();
    let libert_yung = insecure::libert_yung_with_known_alpha(4, secret()).unwrap();
    let [first, second] = schemes(4);
    assert_eq!(first.commit(&vector), kzg.commit(&vector));
    assert_eq!(second.commit(&vector), libert_yung.commit(&vector));
    assert_eq!(first.setup_digest(), kzg.setup_digest());
    assert_eq!(second.setup_digest(), libert_yung.setup_digest());
    assert_ne!(first.setup_digest(), second.setup_digest());
    assert!(matches!(first, Scheme::Kzg(_)) && matches!(second, Scheme::LibertYung(_)));
}

//! Batches: accepted when all claims hold, refused when one does not, and the false ones named.
#![allow(clippy::unwrap_used)]

mod common;

use aardvark_algebra::ff::Field;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{G1Affine, Scalar};
use aardvark_commitment::{BatchClaim, Commitment, Opening, Scheme, VectorCommitment, challenge, naive};
use common::{AnyScalar, AnyVector, DICTIONARY, scalar, schemes, shifted, small_torsion, torsion, true_claims};
use quickcheck::QuickCheck;

/// Lengths around every switch of method: none, one, few points, many, several chunks.
const LENGTHS: [usize; 9] = [0, 1, 2, 3, 15, 16, 33, 64, 100];

/// The claim, made false in one of four ways.
fn falsified(claim: &BatchClaim, way: usize) -> BatchClaim {
    let mut claim = *claim;
    let g1 = G1Affine::generator();
    match way % 4 {
        0 => claim.scalar += Scalar::ONE,
        1 => claim.index = claim.index.wrapping_add(1) % 8,
        2 => claim.commitment = Commitment::from_point_unchecked(claim.commitment.point().to_curve() + g1),
        _ => claim.opening = Opening::from_point_unchecked(claim.opening.point().to_curve() + g1),
    }
    claim
}

#[test]
fn true_claims_pass_at_every_length() {
    for scheme in schemes(8) {
        let claims = true_claims(&scheme, 100);
        for length in LENGTHS {
            let claims = &claims[..length];
            assert!(naive::verify_batch(&scheme, claims));
            assert!(scheme.verify_batch(&DICTIONARY, claims), "{length} claims");
            assert_eq!(scheme.find_false(&DICTIONARY, claims), [0usize; 0]);
            assert_eq!(scheme.first_false(&DICTIONARY, claims), None);
        }
    }
}

#[test]
fn one_false_claim_refuses_the_batch_wherever_it_stands_and_whatever_is_false() {
    for scheme in schemes(8) {
        let claims = true_claims(&scheme, 33);
        for way in 0..4 {
            for place in [0, 1, 16, 31, 32] {
                let mut claims = claims.clone();
                claims[place] = falsified(&claims[place], way);
                assert!(!scheme.verify_batch(&DICTIONARY, &claims), "way {way} at {place}");
            }
        }
    }
}

#[test]
fn bisection_names_exactly_the_false_claims() {
    fn law(marks: Vec<Option<u8>>) -> bool {
        schemes(8).iter().all(|scheme| {
            let mut claims = true_claims(scheme, marks.len());
            for (claim, mark) in claims.iter_mut().zip(&marks) {
                // Most marks leave their claim true.
                if let Some(way) = mark.filter(|way| way % 8 < 4) {
                    *claim = falsified(claim, usize::from(way % 8));
                }
            }
            let holds = |c: &BatchClaim| scheme.verify(&c.commitment, c.index, &c.scalar, &c.opening);
            let expected: Vec<usize> = (0..claims.len()).filter(|j| !holds(&claims[*j])).collect();
            scheme.find_false(&DICTIONARY, &claims) == expected
                && scheme.first_false(&DICTIONARY, &claims) == expected.first().copied()
                && scheme.verify_batch(&DICTIONARY, &claims) == expected.is_empty()
        })
    }
    QuickCheck::new().tests(12).quickcheck(law as fn(Vec<Option<u8>>) -> bool);
}

#[test]
fn errors_that_cancel_under_equal_coefficients_are_refused() {
    for scheme in schemes(8) {
        let mut claims = true_claims(&scheme, 20);
        claims[3].scalar += scalar(9);
        // The same index, so that the errors would cancel term by term; claim 11 = 3 + 8 is about
        // it.
        assert_eq!(claims[3].index, claims[11].index);
        claims[11].scalar -= scalar(9);
        assert!(!scheme.verify_batch(&DICTIONARY, &claims));
        assert_eq!(scheme.find_false(&DICTIONARY, &claims), [3, 11]);
    }
}

#[test]
fn the_same_claim_many_times_is_as_true_as_once() {
    for scheme in schemes(8) {
        let claim = true_claims(&scheme, 1)[0];
        assert!(scheme.verify_batch(&DICTIONARY, &[claim; 40]));
        let wrong = falsified(&claim, 0);
        assert!(!scheme.verify_batch(&DICTIONARY, &[wrong; 40]));
        assert_eq!(scheme.find_false(&DICTIONARY, &[claim, wrong, claim, wrong]), [1, 3]);
    }
}

#[test]
fn a_claim_and_its_negative_pass_together() {
    for scheme in schemes(8) {
        let claims = true_claims(&scheme, 20);
        let negative = |claim: &BatchClaim| BatchClaim {
            commitment: Commitment::from_point_unchecked(-claim.commitment.point()),
            scalar: -claim.scalar,
            opening: Opening::from_point_unchecked(-claim.opening.point()),
            ..*claim
        };
        let both: Vec<BatchClaim> = claims.iter().flat_map(|c| [*c, negative(c)]).collect();
        assert!(scheme.verify_batch(&DICTIONARY, &both));
        let mut wrong = both;
        wrong[7].scalar = -wrong[7].scalar;
        assert_eq!(scheme.find_false(&DICTIONARY, &wrong), [7]);
    }
}

#[test]
fn identities_and_edge_scalars_batch_with_the_rest() {
    fn law(v: AnyVector, wrong: AnyScalar) -> bool {
        schemes(v.size).iter().all(|scheme| {
            let commitment = scheme.commit(&v.scalars).unwrap();
            let claim = |index: usize| BatchClaim {
                label: u64::MAX,
                commitment,
                index,
                scalar: v.at(index),
                opening: scheme.open(&v.scalars, index).unwrap(),
            };
            let empty = BatchClaim {
                label: 0,
                commitment: Commitment::identity(),
                index: v.other,
                scalar: Scalar::ZERO,
                opening: Opening::identity(),
            };
            let mut claims: Vec<BatchClaim> = (0..v.size).map(claim).collect();
            claims.push(empty);
            let passes = scheme.verify_batch(&DICTIONARY, &claims);
            claims[v.index].scalar = wrong.0;
            let expected = wrong.0 == v.at(v.index);
            passes && scheme.verify_batch(&DICTIONARY, &claims) == expected
        })
    }
    QuickCheck::new().tests(30).quickcheck(law as fn(AnyVector, AnyScalar) -> bool);
}

#[test]
fn indices_beyond_n_are_false_and_nothing_worse() {
    for scheme in schemes(8) {
        for index in [8, 9, 4096, 1 << 32, usize::MAX] {
            let mut claims = true_claims(&scheme, 20);
            claims[13].index = index;
            assert!(!scheme.verify_batch(&DICTIONARY, &claims));
            assert_eq!(scheme.find_false(&DICTIONARY, &claims), [13]);
            assert_eq!(scheme.first_false(&DICTIONARY, &claims), Some(13));
        }
    }
}

#[test]
fn torsion_in_an_opening_changes_no_verdict() {
    let shifts = [torsion(1), torsion(2), small_torsion()];
    for scheme in schemes(8) {
        for length in [1, 2, 20, 70] {
            let mut claims = true_claims(&scheme, length);
            for (j, claim) in claims.iter_mut().enumerate() {
                claim.opening = shifted(&claim.opening, &shifts[j % 3]);
                assert!(scheme.verify(&claim.commitment, claim.index, &claim.scalar, &claim.opening));
            }
            assert!(scheme.verify_batch(&DICTIONARY, &claims), "{length} claims");
            claims[length / 2].scalar += Scalar::ONE;
            assert_eq!(scheme.find_false(&DICTIONARY, &claims), [length / 2]);
        }
    }
}

#[test]
fn openings_that_are_nothing_but_small_torsion_stand_for_the_identity() {
    // Every sum of these openings meets doublings, cancellations and points with x = 0 on the way.
    let point = small_torsion();
    for scheme in schemes(8) {
        for length in [2, 5, 16, 31, 32, 64] {
            let claims: Vec<BatchClaim> = (0..length)
                .map(|j| BatchClaim {
                    label: 1,
                    commitment: Commitment::identity(),
                    index: j % 8,
                    scalar: Scalar::ZERO,
                    opening: Opening::from_point_unchecked(if j % 3 == 0 { -point } else { point }),
                })
                .collect();
            assert!(scheme.verify_batch(&DICTIONARY, &claims), "{length} claims");
        }
    }
}

#[test]
fn verdicts_do_not_depend_on_the_number_of_threads() {
    for scheme in schemes(8) {
        let good = true_claims(&scheme, 75);
        let mut bad = good.clone();
        bad[40] = falsified(&bad[40], 3);
        bad[74] = falsified(&bad[74], 0);
        for threads in [1, 2, 3, 8] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                assert!(scheme.verify_batch(&DICTIONARY, &good));
                assert!(!scheme.verify_batch(&DICTIONARY, &bad));
                assert_eq!(scheme.find_false(&DICTIONARY, &bad), [40, 74]);
                assert_eq!(scheme.first_false(&DICTIONARY, &bad), Some(40));
            });
        }
    }
}

#[test]
fn the_challenge_has_its_check_values() {
    let claims = [
        BatchClaim {
            label: 1,
            commitment: Commitment::identity(),
            index: 0,
            scalar: Scalar::ZERO,
            opening: Opening::identity(),
        },
        BatchClaim {
            label: u64::MAX,
            commitment: Commitment::from_point_unchecked(G1Affine::generator()),
            index: 4095,
            scalar: -Scalar::ONE,
            opening: Opening::from_point_unchecked(-G1Affine::generator()),
        },
    ];
    // Computed from docs/format.md with Python's hashlib.
    let seed = challenge::seed(&DICTIONARY, &claims);
    assert_eq!(hex::encode(seed), "825f75503759926a6d704feea4d78f60fc10a47b9235fa28ee3d128e1ddb2bb0");
    assert_eq!(
        challenge::coefficients(&DICTIONARY, &claims),
        [0xed3a1515df1de976b981f68183585cb5, 0x11580ef631f9fdccbcf541f208197a56]
    );
    assert_eq!(
        hex::encode(challenge::seed(&DICTIONARY, &[])),
        "14d0ac6ce8ff569e1eec705d0f094eceff2089d252b24565896ee7df849306ce"
    );
}

#[test]
fn every_part_of_every_claim_moves_all_coefficients() {
    let [scheme, _] = schemes(8);
    let claims = true_claims(&scheme, 3);
    let coefficients = challenge::coefficients(&DICTIONARY, &claims);
    let differs = |other: Vec<u128>| other.iter().zip(&coefficients).all(|(a, b)| a != b);
    assert!(differs(challenge::coefficients(&[8; 32], &claims)));
    assert!(differs(challenge::coefficients(&DICTIONARY, &claims[..2])));
    let mut swapped = claims.clone();
    swapped.swap(0, 1);
    assert!(differs(challenge::coefficients(&DICTIONARY, &swapped)));
    for way in 0..5 {
        let mut claims = claims.clone();
        match way {
            4 => claims[2].label += 1,
            _ => claims[2] = falsified(&claims[2], way),
        }
        assert!(differs(challenge::coefficients(&DICTIONARY, &claims)), "way {way}");
    }
}

#[test]
fn the_schemes_refuse_each_others_proofs() {
    let [kzg, libert_yung]: [Scheme; 2] = schemes(8);
    assert!(!libert_yung.verify_batch(&DICTIONARY, &true_claims(&kzg, 10)));
    assert!(!kzg.verify_batch(&DICTIONARY, &true_claims(&libert_yung, 10)));
}

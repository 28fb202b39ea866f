//! Aggregates: accepted when all claims hold and the points are exactly those of the claimed
//! indices, refused otherwise.
#![allow(clippy::unwrap_used)]

mod common;

use aardvark_algebra::ff::Field;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{Domain, G1Affine, G1Projective, Scalar, msm, msm_short, scalar_from_u128};
use aardvark_commitment::aggregation::{claimed_indices, transcript};
use aardvark_commitment::{Aggregate, Aggregation, BatchClaim, Commitment, Opening, Scheme, UnopenedClaim, insecure};
use common::{DICTIONARY, scalar, schemes, secret, shifted, small_torsion, torsion, true_claims};

const SIZE: usize = 8;
const VERSION: u64 = 41;

/// The context that a dictionary gives a block: its id, and the version that the block makes.
fn context(id: [u8; 32], version: u64) -> Vec<u8> {
    [id.as_slice(), &version.to_be_bytes()].concat()
}

/// The claim of a batch, at a position of its own vector.
fn unopened((claim, vector): (&BatchClaim, u64)) -> UnopenedClaim {
    let BatchClaim { label, commitment, index, scalar, .. } = *claim;
    UnopenedClaim { label, position: vector * SIZE as u64 + index as u64, commitment, scalar }
}

/// True claims with their openings.
fn opened(scheme: &Scheme, count: usize) -> Vec<(UnopenedClaim, Opening)> {
    let claims = true_claims(scheme, count);
    claims.iter().zip(0..).map(|(claim, vector)| (unopened((claim, vector)), claim.opening)).collect()
}

fn bare(claims: &[(UnopenedClaim, Opening)]) -> Vec<UnopenedClaim> {
    claims.iter().map(|(claim, _)| *claim).collect()
}

/// Whether the scheme accepts the aggregate for the claims.
fn accepts(scheme: &Scheme, claims: &[UnopenedClaim], aggregate: &Aggregate) -> bool {
    scheme.verify_aggregated(&context(DICTIONARY, VERSION), claims, aggregate)
}

#[test]
fn true_claims_pass_at_every_length_with_one_point_an_index() {
    for scheme in schemes(SIZE) {
        for length in [0, 1, 2, 5, 8, 33, 100] {
            let claims = opened(&scheme, length);
            let aggregate = scheme.aggregate(&context(DICTIONARY, VERSION), &claims);
            assert_eq!(aggregate.points.len(), claimed_indices(SIZE, &bare(&claims)).len());
            assert!(aggregate.points.len() <= SIZE);
            assert!(accepts(&scheme, &bare(&claims), &aggregate), "{length} claims");
        }
    }
}

#[test]
fn one_false_claim_refuses_the_block_whatever_is_false() {
    for scheme in schemes(SIZE) {
        let claims = opened(&scheme, 20);
        let true_aggregate = scheme.aggregate(&context(DICTIONARY, VERSION), &claims);
        for way in 0..4 {
            let mut wrong = claims.clone();
            let (claim, opening) = &mut wrong[7];
            match way {
                0 => claim.scalar += Scalar::ONE,
                1 => claim.position ^= 1,
                2 => {
                    claim.commitment =
                        Commitment::from_point_unchecked(claim.commitment.point().to_curve() + G1Affine::generator())
                }
                _ => *opening = Opening::from_point_unchecked(opening.point().to_curve() + G1Affine::generator()),
            }
            let aggregate = scheme.aggregate(&context(DICTIONARY, VERSION), &wrong);
            assert!(!accepts(&scheme, &bare(&wrong), &aggregate), "way {way}");
            // Against the aggregate of the true claims a false opening does not show, since it is
            // gone.
            assert_eq!(accepts(&scheme, &bare(&wrong), &true_aggregate), way == 3, "way {way}");
        }
    }
}

#[test]
fn an_aggregate_belongs_to_one_dictionary_one_version_and_one_list_of_claims() {
    for scheme in schemes(SIZE) {
        let claims = opened(&scheme, 20);
        let aggregate = scheme.aggregate(&context(DICTIONARY, VERSION), &claims);
        let unopened = bare(&claims);
        assert!(!scheme.verify_aggregated(&context([8; 32], VERSION), &unopened, &aggregate));
        assert!(!scheme.verify_aggregated(&context(DICTIONARY, VERSION + 1), &unopened, &aggregate));
        let mut other = unopened.clone();
        other[3].label += 1;
        assert!(!accepts(&scheme, &other, &aggregate));
        let mut other = unopened.clone();
        other[3].position += SIZE as u64;
        assert!(!accepts(&scheme, &other, &aggregate));
        let mut other = unopened.clone();
        other.swap(0, 1);
        assert!(!accepts(&scheme, &other, &aggregate));
        assert!(!accepts(&scheme, &unopened[..19], &aggregate));
    }
}

#[test]
fn points_that_are_missing_superfluous_repeated_or_out_of_order_refuse_the_block() {
    for scheme in schemes(SIZE) {
        // Five indices are claimed, three are not.
        let claims = opened(&scheme, 5);
        let unopened = bare(&claims);
        let aggregate = scheme.aggregate(&context(DICTIONARY, VERSION), &claims);
        let refused = |points: Vec<(usize, Opening)>| !accepts(&scheme, &unopened, &Aggregate { points });
        let points = aggregate.points;
        assert_eq!(points.len(), 5);
        let free = (0..SIZE).find(|index| points.iter().all(|(claimed, _)| claimed != index)).unwrap();
        for place in 0..5 {
            let mut missing = points.clone();
            missing.remove(place);
            assert!(refused(missing));
            let mut repeated = points.clone();
            repeated.insert(place, (points[place].0, Opening::identity()));
            assert!(refused(repeated));
        }
        for extra in [free, SIZE, SIZE + 1, 4096, 1 << 32, usize::MAX] {
            let mut superfluous = points.clone();
            superfluous.push((extra, Opening::identity()));
            superfluous.sort_by_key(|(index, _)| *index);
            assert!(refused(superfluous), "the identity at the unclaimed index {extra}");
        }
        let mut swapped = points.clone();
        swapped.swap(1, 2);
        assert!(refused(swapped));
        let mut beyond = points.clone();
        beyond[4].0 += SIZE;
        assert!(refused(beyond));
        assert!(refused(Vec::new()));
        assert!(!refused(points));
    }
}

#[test]
fn points_travel_without_their_indices() {
    let [scheme, _] = schemes(SIZE);
    let claims = opened(&scheme, 5);
    let aggregate = scheme.aggregate(&context(DICTIONARY, VERSION), &claims);
    let points: Vec<Opening> = aggregate.points.iter().map(|(_, point)| *point).collect();
    assert_eq!(Aggregate::of_points(SIZE, &bare(&claims), &points), Some(aggregate));
    assert_eq!(Aggregate::of_points(SIZE, &bare(&claims), &points[1..]), None);
    assert_eq!(Aggregate::of_points(SIZE, &bare(&claims[..1]), &points), None);
    assert_eq!(Aggregate::of_points(SIZE, &[], &[]), Some(Aggregate { points: Vec::new() }));
}

#[test]
fn identical_claims_count_once_and_the_first_opening_stands() {
    for scheme in schemes(SIZE) {
        let claims = opened(&scheme, 12);
        let aggregate = scheme.aggregate(&context(DICTIONARY, VERSION), &claims);
        let mut repeated = claims.clone();
        repeated.extend(claims.iter().map(|(claim, opening)| (*claim, shifted(opening, &torsion(1)))));
        assert_eq!(scheme.aggregate(&context(DICTIONARY, VERSION), &repeated), aggregate);
        assert!(accepts(&scheme, &bare(&repeated), &aggregate));
        // A repetition that differs in anything is a claim of its own.
        repeated[20].0.label += 1;
        assert!(!accepts(&scheme, &bare(&repeated), &aggregate));
        let aggregate = scheme.aggregate(&context(DICTIONARY, VERSION), &repeated);
        assert!(accepts(&scheme, &bare(&repeated), &aggregate));
    }
}

#[test]
fn torsion_in_openings_or_points_changes_no_verdict() {
    for scheme in schemes(SIZE) {
        let mut claims = opened(&scheme, 40);
        for ((_, opening), shift) in claims.iter_mut().zip([torsion(1), torsion(2), small_torsion()].iter().cycle()) {
            *opening = shifted(opening, shift);
        }
        let mut aggregate = scheme.aggregate(&context(DICTIONARY, VERSION), &claims);
        assert!(accepts(&scheme, &bare(&claims), &aggregate));
        let shifts = [small_torsion(), torsion(3), -small_torsion()];
        for ((_, point), shift) in aggregate.points.iter_mut().zip(shifts.iter().cycle()) {
            *point = shifted(point, shift);
        }
        assert!(accepts(&scheme, &bare(&claims), &aggregate));
        claims[9].0.scalar += Scalar::ONE;
        assert!(!accepts(&scheme, &bare(&claims), &aggregate));
    }
}

/// The points of the attack on known combiners: claim `place`, at index a, claims `error` too much.
/// Shift P_a by x and P_b by y so that γ_a x + γ_b y = 0 while γ_a ω^a x + γ_b ω^b y makes up for
/// the error: x = -e ρ / (ω^a - ω^b), y = -γ_a x / γ_b.
fn attack(honest: &Aggregate, domain: &Domain, error: Scalar, (a, b): (usize, usize), combiners: &[u128]) -> Aggregate {
    let [gamma_a, gamma_b] = [a, b].map(|k| scalar_from_u128(combiners[k]));
    let [w_a, w_b] = [a, b].map(|k| domain.element(honest.points[k].0));
    let x = -error * (w_a - w_b).invert().unwrap();
    let y = -gamma_a * x * gamma_b.invert().unwrap();
    let mut points = honest.points.clone();
    for (k, shift) in [(a, x), (b, y)] {
        let moved: G1Projective = G1Affine::generator() * shift + points[k].1.point();
        points[k].1 = Opening::from_point_unchecked(moved);
    }
    Aggregate { points }
}

/// A deliberately weak verifier: the equation of the design, under combiners that the prover knew
/// beforehand.
fn weak_verify(claims: &[UnopenedClaim], aggregate: &Aggregate, coefficients: &[u128], combiners: &[u128]) -> bool {
    let domain = Domain::new(SIZE).unwrap();
    let tau = secret();
    let points: Vec<G1Affine> = aggregate.points.iter().map(|(_, point)| *point.point()).collect();
    let right = msm_short(&points, combiners);
    let turned: Vec<Scalar> = aggregate
        .points
        .iter()
        .zip(combiners)
        .map(|((i, _), gamma)| domain.element(*i) * scalar_from_u128(*gamma))
        .collect();
    let mut left = msm(&points, &turned);
    for (claim, rho) in claims.iter().zip(coefficients) {
        let k = aggregate.points.iter().position(|(i, _)| *i == claim.index(SIZE)).unwrap();
        let factor = scalar_from_u128(*rho) * scalar_from_u128(combiners[k]);
        left += (claim.commitment.point().to_curve() - G1Affine::generator() * claim.scalar) * factor;
    }
    // With the secret at hand, e(left, g2) = e(right, [τ]_2) is an equation in G1.
    left == right * tau
}

#[test]
fn two_false_claims_cancel_when_the_combiners_are_known_early_and_only_then() {
    let scheme: Scheme = insecure::kzg_with_known_tau(SIZE, secret()).unwrap().into();
    let domain = Domain::new(SIZE).unwrap();
    let mut claims = opened(&scheme, SIZE);
    claims.sort_by_key(|(claim, _)| claim.index(SIZE));
    claims[2].0.scalar += scalar(5);
    let unopened = bare(&claims);
    // The aggregator sums whatever openings it is given.
    let honest = scheme.aggregate(&context(DICTIONARY, VERSION), &claims);
    let transcript_of =
        |aggregate: &Aggregate| transcript(SIZE, &context(DICTIONARY, VERSION), &unopened, aggregate).unwrap();
    let early = transcript_of(&honest);
    let error = -scalar(5) * scalar_from_u128(early.coefficients[2]);
    // The attacker fixes the combiners to those of other points, and shifts two points.
    let attacked = attack(&honest, &domain, error, (2, 6), &early.combiners);
    assert!(
        weak_verify(&unopened, &attacked, &early.coefficients, &early.combiners),
        "known early, the attack succeeds"
    );
    assert!(!weak_verify(&unopened, &honest, &early.coefficients, &early.combiners));
    assert!(!accepts(&scheme, &unopened, &attacked), "drawn after the points, it fails");
    assert!(!accepts(&scheme, &unopened, &honest));
    // The first challenge is the same, the second is not: that alone makes the difference.
    let late = transcript_of(&attacked);
    assert_eq!(late.coefficients, early.coefficients);
    assert!(late.combiners.iter().zip(&early.combiners).all(|(a, b)| a != b));
    assert!(!weak_verify(&unopened, &attacked, &late.coefficients, &late.combiners));
    // Chasing the combiners does not help: each shift changes them again.
    let chased = attack(&honest, &domain, error, (2, 6), &late.combiners);
    assert!(!accepts(&scheme, &unopened, &chased));
}

#[test]
fn the_weak_verifier_of_the_attack_is_right_about_honest_points() {
    let scheme: Scheme = insecure::kzg_with_known_tau(SIZE, secret()).unwrap().into();
    let claims = opened(&scheme, 20);
    let aggregate = scheme.aggregate(&context(DICTIONARY, VERSION), &claims);
    let unopened = bare(&claims);
    let transcript = transcript(SIZE, &context(DICTIONARY, VERSION), &unopened, &aggregate).unwrap();
    assert!(weak_verify(&unopened, &aggregate, &transcript.coefficients, &transcript.combiners));
}

#[test]
fn the_aggregate_of_no_claims_is_empty() {
    for scheme in schemes(SIZE) {
        let aggregate = scheme.aggregate(&context(DICTIONARY, VERSION), &[]);
        assert!(aggregate.points.is_empty());
        assert!(accepts(&scheme, &[], &aggregate));
        assert!(!accepts(&scheme, &[], &Aggregate { points: vec![(0, Opening::identity())] }));
    }
}

#[test]
fn unused_positions_aggregate_with_the_rest() {
    // The empty vector: commitment, opening and point are the identity.
    for scheme in schemes(SIZE) {
        let empty = UnopenedClaim { label: 0, position: 3, commitment: Commitment::identity(), scalar: Scalar::ZERO };
        let aggregate = scheme.aggregate(&context(DICTIONARY, VERSION), &[(empty, Opening::identity())]);
        assert_eq!(aggregate.points, [(3, Opening::identity())]);
        assert!(accepts(&scheme, &[empty], &aggregate));
        assert!(!accepts(&scheme, &[UnopenedClaim { scalar: Scalar::ONE, ..empty }], &aggregate));
    }
}

//! The laws of the two commitment schemes.

use aardvark_spec::base::group::*;
use aardvark_spec::base::scalar::*;
use aardvark_spec::commitment::aggregation::{UnopenedClaim, distinct_claims};
use aardvark_spec::commitment::opening::*;
use aardvark_spec::commitment::scheme::*;
use aardvark_spec::convert::to_vec;
use hacspec_lib::Seq;
use proptest::prelude::*;

fn scalar() -> impl Strategy<Value = Scalar> {
    prop_oneof![
        1 => Just(scalar_zero()),
        1 => Just(scalar_zero() - scalar_one()),
        2 => (0..5u128).prop_map(scalar_of_number),
        6 => prop::array::uniform32(any::<u8>()).prop_map(|b| Scalar::from_be_bytes(&b)),
    ]
}

/// A setup with a trapdoor that is no root of unity: of those of order 8, only 1 is below 2^65.
fn setup() -> impl Strategy<Value = Setup> {
    (0..4u32, any::<u64>(), any::<bool>()).prop_map(|(log, trapdoor, kzg)| {
        let n = 1 << log;
        let trapdoor = scalar_of_number(u128::from(trapdoor) + 2);
        if kzg {
            Setup::Kzg(aardvark_spec::commitment::kzg::kzg_setup(n, trapdoor))
        } else {
            Setup::LibertYung(aardvark_spec::commitment::libert_yung::libert_yung_setup(n, trapdoor))
        }
    })
}

fn scene() -> impl Strategy<Value = (Setup, Seq<Scalar>)> {
    setup().prop_flat_map(|setup| {
        let n = setup_vector_size(&setup);
        let vector = prop::collection::vec(scalar(), n).prop_map(Seq::from_vec);
        (Just(setup), vector)
    })
}

/// Claims of two vectors at all indices, with their openings.
fn claims_of(setup: &Setup, vectors: [&Seq<Scalar>; 2]) -> Vec<BatchClaim> {
    let mut claims = Vec::new();
    for vector in vectors {
        for i in 0..vector.len() {
            claims.push(BatchClaim {
                batch_commitment: commit(setup, vector),
                batch_index: i,
                batch_scalar: vector[i],
                batch_opening: open(setup, vector, i),
            });
        }
    }
    claims
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_opened_verifies_and_no_other_scalar_does((setup, vector) in scene(), wrong in scalar()) {
        let commitment = commit(&setup, &vector);
        let all = open_all(&setup, &vector);
        for i in 0..vector.len() {
            let opening = open(&setup, &vector, i);
            prop_assert_eq!(opening, all[i]);
            prop_assert!(verify_point(&setup, commitment, i, vector[i], opening));
            prop_assert_eq!(verify_point(&setup, commitment, i, wrong, opening), wrong == vector[i]);
        }
        let beyond = vector.len();
        prop_assert!(!verify_point(&setup, commitment, beyond, scalar_zero(), g1_identity()));
        prop_assert!(!verify(&setup, commitment, 0, vector[0], &Opening::Malformed));
    }

    #[test]
    fn updates_lead_to_the_commitment_and_openings_of_the_new_vector(
        (setup, vector) in scene(), at in any::<prop::sample::Index>(), new in scalar(),
    ) {
        let j = at.index(vector.len());
        let delta = new - vector[j];
        let changed = scalars_updated(&vector, j, new);
        let commitment = update_commitment(&setup, commit(&setup, &vector), j, delta);
        prop_assert_eq!(commitment, commit(&setup, &changed));
        for i in 0..vector.len() {
            let opening = update_opening(&setup, open(&setup, &vector, i), i, j, delta);
            prop_assert_eq!(opening, open(&setup, &changed, i));
        }
    }

    #[test]
    fn kzg_openings_are_evaluations_of_a_quotient_of_lower_degree(
        tau in 2..u64::MAX, scalars in prop::collection::vec(scalar(), 4), i in 0..4usize,
    ) {
        // An opening computed from public powers only: the quotient of p - m_i by X - ω^i, by
        // synthetic division.
        let t = scalar_of_number(u128::from(tau));
        let setup = aardvark_spec::commitment::kzg::kzg_setup(4, t);
        let omega = root_of_unity(4);
        let quarter = scalar_inverse(scalar_of_number(4));
        let coefficient = |k: usize| {
            (0..4).fold(scalar_zero(), |sum, j| sum + scalars[j] * scalar_power(omega, (16 - j * k) % 4))
        };
        let p: Vec<Scalar> = (0..4).map(|k| coefficient(k) * quarter).collect();
        let x = scalar_power(omega, i);
        let q2 = p[3];
        let q1 = p[2] + x * q2;
        let q0 = p[1] + x * q1;
        prop_assert_eq!(p[0] + x * q0, scalars[i]);
        let vector = Seq::from_vec(scalars);
        let opening = aardvark_spec::commitment::kzg::kzg_open(&setup, &vector, i);
        prop_assert_eq!(known_exponent(opening), q0 + t * (q1 + t * q2));
    }

    #[test]
    fn a_batch_of_true_claims_passes_and_one_false_claim_fails_it(
        (setup, vector) in scene(), other in prop::collection::vec(scalar(), 8),
        coefficients in prop::collection::vec(1..u64::MAX, 16), combiners in prop::collection::vec(1..u64::MAX, 8),
        which in any::<prop::sample::Index>(),
    ) {
        let other = scalars_resized(&Seq::from_vec(other), vector.len());
        let n = vector.len();
        let rho = Seq::from_vec(coefficients.iter().map(|c| scalar_of_number(u128::from(*c))).collect());
        let gamma = Seq::from_vec(combiners.iter().map(|c| scalar_of_number(u128::from(*c))).collect());
        let mut list = claims_of(&setup, [&vector, &other]);
        let claims = Seq::from_vec(list.clone());
        prop_assert!(verify_batch(&setup, &claims, &rho));
        let point = |i| AggregatedOpening {
            aggregated_index: i,
            aggregated_point: aggregated_opening(&claims, &rho, i),
        };
        let points = Seq::from_vec((0..n).map(point).collect());
        prop_assert!(verify_aggregated(&setup, &claims, &rho, &points, &gamma));
        let twice = points.concat(&points.slice(n - 1, 1));
        prop_assert!(!verify_aggregated(&setup, &claims, &rho, &twice, &gamma));
        let missing = points.slice(0, n - 1);
        prop_assert!(!verify_aggregated(&setup, &claims, &rho, &missing, &gamma));
        let beyond = AggregatedOpening { aggregated_index: n, aggregated_point: g1_identity() };
        prop_assert!(!verify_aggregated(&setup, &claims, &rho, &points.push(&beyond), &gamma));

        let false_one = which.index(list.len());
        list[false_one].batch_scalar = list[false_one].batch_scalar + scalar_one();
        let claims = Seq::from_vec(list);
        prop_assert!(!verify_batch(&setup, &claims, &rho));
        prop_assert!(!verify_aggregated(&setup, &claims, &rho, &points, &gamma));
    }
}

#[test]
fn two_false_claims_cancel_when_the_points_are_chosen_after_the_combiners() {
    // Why the second challenge is drawn after the points: the attack of docs/design.md, section 3,
    // and its end.
    let kzg = aardvark_spec::commitment::kzg::kzg_setup(4, scalar_of_number(987_654_321));
    let setup = Setup::Kzg(kzg.clone());
    let vector = Seq::from_vec((1..5).map(scalar_of_number).collect());
    let mut list = claims_of(&setup, [&vector, &Seq::new(0)]);
    let error = scalar_of_number(77);
    list[1].batch_scalar = list[1].batch_scalar - error;
    let claims = Seq::from_vec(list);
    let rho = Seq::from_vec((11..15).map(scalar_of_number).collect::<Vec<_>>());
    let combine = |numbers: [u128; 4]| Seq::from_vec(numbers.map(scalar_of_number).to_vec());
    let gamma = combine([21, 22, 23, 24]);
    // Shift P_1 by x and P_2 by y so that γ_1 x + γ_2 y = 0 and the error vanishes from the left
    // side.
    let (w1, w2) = (kzg.kzg_domain[1], kzg.kzg_domain[2]);
    let x = (scalar_zero() - error * rho[1]) * scalar_inverse(w1 - w2);
    let y = (scalar_zero() - gamma[1] * x) * scalar_inverse(gamma[2]);
    let mut points = Vec::new();
    for i in 0..4 {
        let shift = if i == 1 { x } else { y };
        let honest = aggregated_opening(&claims, &rho, i);
        points.push(AggregatedOpening {
            aggregated_index: i,
            aggregated_point: if i == 1 || i == 2 { g1_add(honest, g1_multiple(shift)) } else { honest },
        });
    }
    let points = Seq::from_vec(points);
    assert!(verify_aggregated(&setup, &claims, &rho, &points, &gamma));
    assert!(!verify_aggregated(&setup, &claims, &rho, &points, &combine([21, 22, 99, 24])));
}

#[test]
fn the_identity_at_an_unclaimed_index_is_refused() {
    // It satisfies its equation, and would give one block several encodings.
    let setup = Setup::Kzg(aardvark_spec::commitment::kzg::kzg_setup(4, scalar_of_number(987_654_321)));
    let vector = Seq::from_vec((1..5).map(scalar_of_number).collect());
    let claims = Seq::from_vec(claims_of(&setup, [&vector, &Seq::new(0)])).slice(0, 1);
    let rho = Seq::from_vec(vec![scalar_of_number(11)]);
    let gamma = Seq::from_vec((21..25).map(scalar_of_number).collect::<Vec<_>>());
    let i = claims[0usize].batch_index;
    let point = |index, point| AggregatedOpening { aggregated_index: index, aggregated_point: point };
    let honest = point(i, aggregated_opening(&claims, &rho, i));
    let verifies = |points: Vec<_>| verify_aggregated(&setup, &claims, &rho, &Seq::from_vec(points), &gamma);
    assert!(verifies(vec![honest.clone()]));
    assert!(!verifies(vec![honest, point(i + 1, g1_identity())]));
}

#[test]
fn repeated_claims_are_distinct_once_in_their_first_place() {
    let bytes = |byte: u8| aardvark_spec::base::bytes::single_byte(byte);
    let claim = |version: usize, byte: u8| UnopenedClaim {
        unopened_version: version,
        unopened_position: 7,
        unopened_commitment: bytes(byte),
        unopened_scalar: bytes(1),
    };
    let (a, b, c) = (claim(1, 2), claim(1, 3), claim(2, 2));
    let list = Seq::from_vec(vec![a.clone(), b.clone(), a.clone(), c.clone(), b.clone()]);
    assert_eq!(to_vec(&distinct_claims(&list)), [a, b, c]);
}

#[test]
fn libert_yung_parameters_do_not_hold_the_power_that_would_break_binding() {
    let alpha = scalar_of_number(5);
    let setup = aardvark_spec::commitment::libert_yung::libert_yung_setup(4, alpha);
    for i in 0..10 {
        let public = (1..=8).contains(&i) && i != 5;
        let expected = if public { scalar_power(alpha, i) } else { scalar_zero() };
        assert_eq!(aardvark_spec::commitment::libert_yung::libert_yung_power(&setup, i), g1_multiple(expected));
    }
}

#[test]
fn the_pairing_is_linear_and_no_identity_for_generators() {
    let (a, b, c) = (scalar_of_number(11), scalar_of_number(13), scalar_of_number(17));
    let (p, q) = (g1_multiple(a), g1_multiple(b));
    let key = g2_multiple(c);
    assert!(gt_equal(pairing(g1_add(p, q), key), gt_add(pairing(p, key), pairing(q, key))));
    assert!(gt_equal(pairing(g1_scale(a, q), key), gt_scale(a, pairing(q, key))));
    assert!(!gt_equal(pairing(g1_generator(), g2_generator()), gt_identity()));
    assert!(pairings_equal(g1_scale(c, p), p, key) && !pairings_equal(p, p, key));
    assert!(g1_equal(g1_subtract(g1_add(p, q), q), p) && !g1_equal(p, q));
    assert!(g1_equal(g1_multiple(a), g1_scale(a, g1_generator())));
}

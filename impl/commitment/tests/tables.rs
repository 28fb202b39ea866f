//! A scheme with tables answers as the scheme without.

mod common;

use aardvark_algebra::Scalar;
use aardvark_algebra::ff::Field;
use aardvark_commitment::kzg::DEFAULT_TABLE_BYTES;
use aardvark_commitment::{
    Commitment, CommitmentError, CommitmentUpdate, Kzg, Opening, OpeningUpdate, Scheme, VectorCommitment, insecure,
};
use common::{AnyScalar, AnyVector, scalar, schemes, secret, shifted, torsion};
use quickcheck::QuickCheck;

/// Budgets in bytes, for N up to 8: nothing, the buckets alone, small digits, everything.
const BUDGETS: [usize; 4] = [0, 60_000, 200_000, DEFAULT_TABLE_BYTES / 50];

// Clippy takes only the tests themselves for tests.
#[allow(clippy::unwrap_used)]
fn with_tables(vector_size: usize, budget: usize) -> [Scheme; 2] {
    schemes(vector_size).map(|scheme| scheme.with_tables(budget).unwrap())
}

/// Deltas that meet: equal indices, deltas that cancel, zeros.
fn deltas(v: &AnyVector, extra: &[(u8, AnyScalar)]) -> Vec<(usize, Scalar)> {
    let extra = extra.iter().take(5).map(|(i, delta)| (usize::from(*i) % v.size, delta.0));
    [(v.index, scalar(1)), (v.other, scalar(2)), (v.index, -scalar(1))].into_iter().chain(extra).collect()
}

fn changed(v: &AnyVector, deltas: &[(usize, Scalar)]) -> Vec<Scalar> {
    let mut scalars = v.changed(0, &Scalar::ZERO);
    deltas.iter().for_each(|(i, delta)| scalars[*i] += delta);
    scalars
}

#[test]
fn commitments_and_openings_do_not_depend_on_the_budget() {
    fn law(v: AnyVector) -> bool {
        let plain = schemes(v.size);
        BUDGETS.into_iter().all(|budget| {
            with_tables(v.size, budget).iter().zip(&plain).all(|(scheme, plain)| {
                scheme.commit(&v.scalars) == plain.commit(&v.scalars)
                    && scheme.open(&v.scalars, v.index) == plain.open(&v.scalars, v.index)
                    && scheme.open_many(&v.scalars, &[v.other, v.index, v.other])
                        == [v.other, v.index, v.other].iter().map(|i| plain.open(&v.scalars, *i)).collect()
            })
        })
    }
    QuickCheck::new().tests(10).quickcheck(law as fn(AnyVector) -> bool);
}

#[test]
fn many_deltas_at_once_lead_to_the_changed_vector_under_every_budget() {
    fn law(v: AnyVector, extra: Vec<(u8, AnyScalar)>) -> bool {
        let deltas = deltas(&v, &extra);
        let after = changed(&v, &deltas);
        BUDGETS.into_iter().flat_map(|budget| with_tables(v.size, budget)).chain(schemes(v.size)).all(|scheme| {
            let commitment = scheme.commit(&v.scalars).unwrap();
            let commitments: Vec<CommitmentUpdate> = vec![(commitment, &deltas), (Commitment::identity(), &[])];
            let updated = scheme.update_commitments_many(&commitments).unwrap();
            let openings: Vec<Opening> = (0..v.size).map(|i| scheme.open(&v.scalars, i).unwrap()).collect();
            let updates: Vec<OpeningUpdate> =
                openings.iter().enumerate().map(|(i, opening)| (*opening, i, deltas.as_slice())).collect();
            let expected: Vec<Opening> = (0..v.size).map(|i| scheme.open(&after, i).unwrap()).collect();
            updated == [scheme.commit(&after).unwrap(), Commitment::identity()]
                && scheme.update_commitment_many(&commitment, &deltas) == Ok(updated[0])
                && scheme.update_openings_many(&updates) == Ok(expected)
        })
    }
    QuickCheck::new().tests(10).quickcheck(law as fn(AnyVector, Vec<(u8, AnyScalar)>) -> bool);
}

#[test]
fn vectors_that_are_committed_to_together_have_the_commitments_of_each_alone() {
    // Without tables, enough for a table of buckets; with small digits, buckets for the long ones.
    let lengths = [16, 0, 1, 16, 7, 16, 16, 3, 16, 16, 16, 2, 16, 16];
    let vectors: Vec<Vec<Scalar>> =
        (0..).zip(lengths).map(|(i, length)| (i..i + length).map(scalar).collect()).collect();
    let deltas: Vec<Vec<(usize, Scalar)>> =
        vectors.iter().map(|vector| vector.iter().copied().enumerate().rev().collect()).collect();
    let updates: Vec<CommitmentUpdate> =
        deltas.iter().map(|deltas| (Commitment::identity(), deltas.as_slice())).collect();
    for scheme in
        schemes(16).into_iter().chain([0, 150_000, 300_000, 4_000_000].into_iter().flat_map(|b| with_tables(16, b)))
    {
        let alone: Vec<Commitment> = vectors.iter().map(|vector| scheme.commit(vector).unwrap()).collect();
        assert_eq!(scheme.update_commitments_many(&updates).unwrap(), alone);
        // Once more, with what the first sums have left behind.
        assert_eq!(scheme.update_commitments_many(&updates[..3]).unwrap(), alone[..3]);
        let openings = |scheme: &Scheme| scheme.open_many(&vectors[0], &[3, 9]).unwrap();
        assert_eq!(openings(&scheme), openings(&schemes(16)[usize::from(matches!(scheme, Scheme::LibertYung(_)))]));
    }
}

#[test]
fn whole_vectors_have_the_same_commitments_before_and_after_joint_tables_are_worth_making() {
    // At N = 64 joint tables pay after some 115 whole vectors; those of 40 are left to buckets.
    let vector = |number: u64| -> Vec<(usize, Scalar)> {
        let length = if number % 7 == 3 { 40 } else { 64 };
        (0..length).map(|i| (i as usize, scalar(number * 64 + i))).collect()
    };
    let vectors: Vec<Vec<(usize, Scalar)>> = (0..100).map(vector).collect();
    for scheme in [0, 4_000_000].into_iter().flat_map(|budget| with_tables(64, budget)) {
        let starts = [Commitment::identity(), scheme.commit(&[scalar(5), scalar(7)]).unwrap()];
        let updates: Vec<CommitmentUpdate> =
            vectors.iter().enumerate().map(|(i, deltas)| (starts[i % 2], deltas.as_slice())).collect();
        let first = scheme.update_commitments_many(&updates).unwrap();
        for round in 0..3 {
            assert_eq!(scheme.update_commitments_in_bulk(&updates).unwrap(), first, "round {round}");
        }
        for ((start, deltas), sum) in updates.iter().zip(first).step_by(11) {
            assert_eq!(scheme.update_commitment_many(start, deltas).unwrap(), sum);
        }
    }
}

#[test]
fn one_opening_follows_many_deltas_as_it_follows_them_one_by_one() {
    let vector: Vec<Scalar> = (0..16).map(scalar).collect();
    let deltas: Vec<(usize, Scalar)> = (0..40).map(|j| (7 * j % 16, scalar(100 + j as u64))).collect();
    for scheme in schemes(16).into_iter().chain(with_tables(16, 1_000_000)) {
        for opened in [0, 7, 15] {
            let start = scheme.open(&vector, opened).unwrap();
            let step = |opening: Opening, (j, delta): &(usize, Scalar)| {
                scheme.update_opening(&opening, opened, *j, delta).unwrap()
            };
            let one_by_one = deltas.iter().fold(start, step);
            assert_eq!(scheme.update_opening_many(&start, opened, &deltas), Ok(one_by_one));
            assert_eq!(scheme.update_opening_many(&start, opened, &[]), Ok(start));
        }
    }
}

#[test]
fn an_opening_with_torsion_keeps_it_through_updates() {
    for scheme in with_tables(8, 1_000_000) {
        let vector: Vec<Scalar> = (0..8).map(scalar).collect();
        let opening = scheme.open(&vector, 3).unwrap();
        let deltas = [(3, scalar(50)), (5, scalar(51))];
        let updated = scheme.update_opening_many(&opening, 3, &deltas).unwrap();
        let from_shifted = scheme.update_opening_many(&shifted(&opening, &torsion(1)), 3, &deltas).unwrap();
        assert_eq!(from_shifted, shifted(&updated, &torsion(1)));
    }
}

#[test]
fn tables_stay_within_their_budget_and_say_what_they_take() {
    let kzg = || insecure::kzg_with_known_tau(64, secret()).unwrap();
    assert!(kzg().tables().is_none());
    let mut last = None;
    for budget in [0, 300_000, 2_000_000, 8_000_000, DEFAULT_TABLE_BYTES] {
        let kzg = kzg().with_tables(budget).unwrap();
        let tables = kzg.tables().unwrap();
        assert!(tables.bytes() <= budget);
        assert_eq!(tables.bytes() == 0, budget == 0);
        let window = tables.shape().map(|shape| shape.window());
        assert!(window >= last);
        last = window;
    }
    assert_eq!(last, Some(8));
}

#[test]
fn indices_beyond_n_are_refused_in_every_batch() {
    let no_index = Err(CommitmentError::IndexOutOfRange { index: 4, vector_size: 4 });
    for scheme in schemes(4).into_iter().chain(with_tables(4, 1_000_000)) {
        let (c, o) = (Commitment::identity(), Opening::identity());
        let deltas = [(0, Scalar::ONE), (4, Scalar::ONE)];
        assert_eq!(scheme.update_commitments_many(&[(c, &[]), (c, &deltas)]).map(|_| ()), no_index);
        assert_eq!(scheme.update_openings_many(&[(o, 0, &deltas)]).map(|_| ()), no_index);
        assert_eq!(scheme.update_openings_many(&[(o, 4, &[])]).map(|_| ()), no_index);
        assert_eq!(scheme.update_opening_many(&o, 0, &deltas).map(|_| ()), no_index);
        assert_eq!(scheme.open_many(&[], &[0, 4]).map(|_| ()), no_index);
    }
}

#[test]
fn a_verifier_has_nothing_to_make_tables_of() {
    assert!(matches!(Kzg::verifier(4).unwrap().with_tables(1_000), Err(CommitmentError::VerifierOnly)));
    let verifier = insecure::libert_yung_verifier(4).unwrap();
    assert!(matches!(verifier.with_tables(1_000), Err(CommitmentError::VerifierOnly)));
}

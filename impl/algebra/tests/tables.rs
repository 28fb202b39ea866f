//! Tables of known bases, against double and add.

mod common;

use aardvark_algebra::ff::{Field, PrimeField};
use aardvark_algebra::group::Curve;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::table::{MAXIMUM_STRIDE, MAXIMUM_WINDOW, MINIMUM_WINDOW, TableShape, Term, naive};
use aardvark_algebra::{BucketTable, FixedBaseTable, G1Affine, Scalar, hash_to_scalar, msm};
use common::{AnyPoint, AnyScalar, curve_point, subgroup_point, torsion};
use quickcheck::quickcheck;

fn scalar(seed: u64) -> Scalar {
    hash_to_scalar(&seed.to_be_bytes(), b"tables")
}

/// Bases that meet: infinity, equal and opposite points among them.
fn bases(count: u64) -> Vec<G1Affine> {
    (0..count)
        .map(|i| match i % 7 {
            3 => G1Affine::identity(),
            5 => -subgroup_point(i - 1),
            6 => subgroup_point(i - 2),
            _ => subgroup_point(i),
        })
        .collect()
}

/// Distinct bases by additions alone: i g for i in 1..=count.
fn cheap_bases(count: usize) -> Vec<G1Affine> {
    let g = G1Affine::generator();
    let points: Vec<_> = core::iter::successors(Some(g.to_curve()), |p| Some(p + g)).take(count).collect();
    aardvark_algebra::batch_to_affine(&points)
}

/// Scalars at the edges of the digits and of the range.
fn edges() -> Vec<Scalar> {
    let powers = (0..255).map(|bit| Scalar::from(2).pow_vartime([bit]));
    let around = powers.flat_map(|p| [p - Scalar::ONE, p, -p]);
    around.chain([Scalar::ZERO, -Scalar::ONE, Scalar::TWO_INV]).collect()
}

quickcheck! {
    fn sums_of_table_entries_are_the_sums_by_double_and_add(runs: Vec<(AnyPoint, Vec<(u8, AnyScalar)>)>, window: u8, stride: u8) -> bool {
        let bases = bases(20);
        let table = FixedBaseTable::of_shape(&bases, TableShape::new(usize::from(window % 7), usize::from(stride % 6)));
        let terms: Vec<(G1Affine, Vec<Term>)> = runs
            .iter()
            .take(4)
            .map(|(start, terms)| (start.0, terms.iter().take(6).map(|(i, k)| (usize::from(*i) % 20, k.0)).collect()))
            .collect();
        let runs: Vec<(G1Affine, &[Term])> = terms.iter().map(|(start, terms)| (*start, terms.as_slice())).collect();
        table.add_multiples(&runs) == naive::add_multiples(&bases, &runs)
    }

    fn buckets_give_the_sum_by_double_and_add_anywhere_on_the_curve(terms: Vec<(AnyPoint, AnyScalar)>) -> bool {
        let (points, scalars): (Vec<G1Affine>, Vec<Scalar>) = terms.iter().map(|(p, k)| (p.0, k.0)).unzip();
        BucketTable::new(&points).msm(&scalars) == msm::naive::msm(&points, &scalars)
    }

    fn many_sums_by_buckets_are_the_sums_by_double_and_add(runs: Vec<(AnyPoint, Vec<(u8, AnyScalar)>)>) -> bool {
        let bases = bases(20);
        let terms: Vec<(G1Affine, Vec<Term>)> = runs
            .iter()
            .take(10)
            .map(|(start, terms)| (start.0, terms.iter().take(3).map(|(i, k)| (usize::from(*i) % 20, k.0)).collect()))
            .collect();
        let runs: Vec<(G1Affine, &[Term])> = terms.iter().map(|(start, terms)| (*start, terms.as_slice())).collect();
        BucketTable::new(&bases).add_multiples(&runs) == naive::add_multiples(&bases, &runs)
    }
}

#[test]
fn every_window_multiplies_by_scalars_at_every_edge() {
    let base = subgroup_point(1);
    for window in MINIMUM_WINDOW..=MAXIMUM_WINDOW {
        let table = FixedBaseTable::new(&[base], window);
        assert_eq!(table.bytes(), FixedBaseTable::bytes_for(1, window));
        for k in edges() {
            assert_eq!(table.sum(&[(0, k)]), (base * k).to_affine(), "window {window}");
        }
    }
    for stride in [2, 3, 4, 7, MAXIMUM_STRIDE, MAXIMUM_STRIDE + 1] {
        for window in [MINIMUM_WINDOW, 5, 8] {
            let shape = TableShape::new(window, stride);
            let table = FixedBaseTable::of_shape(&[base], shape);
            assert_eq!(table.bytes(), shape.bytes(1));
            assert!(shape.bytes(1) < FixedBaseTable::bytes_for(1, window));
            assert!(edges().iter().all(|k| table.sum(&[(0, *k)]) == (base * k).to_affine()), "{shape:?}");
        }
    }
    let table = BucketTable::new(&[base]);
    for k in edges() {
        assert_eq!(table.msm(&[k]).to_affine(), (base * k).to_affine());
    }
}

#[test]
fn tables_of_one_to_4096_bases_agree_with_the_plain_sum() {
    for count in [1, 2, 3, 31, 33, 256, 1024, 4096] {
        let bases = cheap_bases(count);
        let scalars: Vec<Scalar> = (0..count as u64).map(scalar).collect();
        let expected = msm(&bases, &scalars);
        let buckets = BucketTable::new(&bases);
        assert_eq!(buckets.msm(&scalars), expected, "{count} bases");
        assert_eq!(buckets.bytes(), BucketTable::bytes_for(count));
        let terms: Vec<Term> = scalars.into_iter().enumerate().collect();
        let (half, other) = terms.split_at(count / 2);
        let starts = buckets.add_multiples(&[(G1Affine::identity(), half)]);
        assert_eq!(buckets.add_multiples(&[(starts[0], other)]), [expected.to_affine()], "{count} bases");
        for stride in [1, 4] {
            let table = FixedBaseTable::of_shape(&bases, TableShape::new(3, stride));
            assert_eq!(table.sum(&terms), expected.to_affine(), "{count} bases");
        }
    }
}

#[test]
fn sums_in_step_are_those_of_each_alone() {
    let bases = cheap_bases(50);
    for stride in [1, 2, 4, 16] {
        let table = FixedBaseTable::of_shape(&bases, TableShape::new(4, stride));
        for count in [1, 11, 12, 40, 600] {
            let terms: Vec<Vec<Term>> = (0..count)
                .map(|run| (0..run % 4).map(|i| (run % 50, scalar((run * 4 + i) as u64))).collect())
                .collect();
            let runs: Vec<(G1Affine, &[Term])> = terms.iter().map(|terms| (bases[0], terms.as_slice())).collect();
            let alone = runs.iter().flat_map(|run| table.add_multiples(&[*run]));
            assert_eq!(table.add_multiples(&runs), alone.collect::<Vec<_>>(), "{count} sums, stride {stride}");
        }
    }
}

#[test]
fn equal_bases_and_scalars_that_cancel_give_infinity() {
    let base = subgroup_point(9);
    let table = FixedBaseTable::new(&[base, base, -base], 4);
    for k in [scalar(1), Scalar::ONE, -Scalar::ONE] {
        assert_eq!(table.sum(&[(0, k), (1, -k)]), G1Affine::identity());
        assert_eq!(table.sum(&[(0, k), (2, k)]), G1Affine::identity());
        assert_eq!(table.sum(&[(0, k), (0, k)]), (base * k.double()).to_affine());
        let start = (base * -k).to_affine();
        assert_eq!(table.add_multiples(&[(start, &[(1, k)])]), [G1Affine::identity()]);
        let same = BucketTable::new(&[base; 50]);
        assert_eq!(same.msm(&[k; 50]), base * (k * Scalar::from(50)));
    }
}

#[test]
fn a_start_outside_the_subgroup_keeps_its_torsion() {
    let base = subgroup_point(2);
    let table = FixedBaseTable::of_shape(&[base], TableShape::new(5, 3));
    for start in [torsion(1), curve_point(3), G1Affine::identity()] {
        let sums = table.add_multiples(&[(start, &[(0, scalar(7))]), (start, &[])]);
        assert_eq!(sums, [(base * scalar(7) + start).to_affine(), start]);
        assert_eq!(BucketTable::new(&[base]).add_multiples(&[(start, &[(0, scalar(7))]), (start, &[])]), sums);
    }
}

#[test]
fn terms_of_bases_that_are_not_there_are_left_out() {
    let table = FixedBaseTable::new(&[subgroup_point(2)], 5);
    assert_eq!(table.sum(&[(1, scalar(1)), (usize::MAX, scalar(2))]), G1Affine::identity());
    assert_eq!(FixedBaseTable::new(&[], 5).sum(&[(0, scalar(1))]), G1Affine::identity());
    let buckets = BucketTable::new(&[subgroup_point(2)]);
    let unknown = [(1, scalar(1)), (usize::MAX, scalar(2))];
    assert_eq!(buckets.add_multiples(&[(G1Affine::identity(), &unknown)]), [G1Affine::identity()]);
    assert_eq!(buckets.add_multiples(&[]), []);
}

#[test]
fn the_window_within_a_budget_is_the_largest_that_fits() {
    for bases in [1, 64, 1024] {
        assert_eq!(FixedBaseTable::window_within(bases, FixedBaseTable::bytes_for(bases, MINIMUM_WINDOW) - 1), None);
        for window in MINIMUM_WINDOW..MAXIMUM_WINDOW {
            let (exact, next) =
                (FixedBaseTable::bytes_for(bases, window), FixedBaseTable::bytes_for(bases, window + 1));
            assert!(exact < next);
            assert_eq!(FixedBaseTable::window_within(bases, exact), Some(window));
            assert_eq!(FixedBaseTable::window_within(bases, next - 1), Some(window));
        }
    }
}

//! Transforms and their domain.

mod common;

use aardvark_algebra::ff::{Field, PrimeField};
use aardvark_algebra::fft::{bit_reverse, naive};
use aardvark_algebra::group::Curve;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{Domain, DomainError, G1Affine, Scalar, Threads, multiply, multiply_each};
use common::{AnyScalar, subgroup_point};
use quickcheck::quickcheck;

fn scalars(list: &[AnyScalar], size: usize) -> Vec<Scalar> {
    let mut scalars: Vec<Scalar> = list.iter().map(|s| s.0).take(size).collect();
    scalars.resize(size, Scalar::ZERO);
    scalars
}

#[test]
fn omega_is_seven_to_the_order_less_one_over_n() {
    for log in 0..=12 {
        let domain = Domain::new(1 << log).unwrap();
        // (r - 1) / N, from the little-endian bytes of r - 1 = -1.
        let mut exponent = [0u64; 4];
        for (limb, bytes) in exponent.iter_mut().zip((-Scalar::ONE).to_repr().chunks(8)) {
            *limb = u64::from_le_bytes(bytes.try_into().unwrap());
        }
        for _ in 0..log {
            let upper = [exponent[1], exponent[2], exponent[3], 0];
            for (limb, above) in exponent.iter_mut().zip(upper) {
                *limb = (*limb >> 1) | (above << 63);
            }
        }
        assert_eq!(*domain.omega(), Scalar::from(7).pow_vartime(exponent), "N = {}", 1 << log);
    }
}

#[test]
fn the_elements_are_distinct_powers_that_close_after_n_steps() {
    for size in [1, 2, 4, 64, 4096] {
        let domain = Domain::new(size).unwrap();
        let mut power = Scalar::ONE;
        for (i, element) in domain.powers().iter().enumerate() {
            assert_eq!(*element, power);
            assert_eq!(domain.element(i + size), power);
            assert_eq!(domain.inverse_element(i) * power, Scalar::ONE);
            assert_eq!(power == Scalar::ONE, i == 0);
            power *= domain.omega();
        }
        assert_eq!(power, Scalar::ONE);
        assert_eq!(Scalar::from(size as u64) * domain.size_inverse(), Scalar::ONE);
    }
}

#[test]
fn sizes_that_are_no_powers_of_two_are_refused() {
    for size in [0, 3, 6, 1000, usize::MAX] {
        assert_eq!(Domain::new(size).err(), Some(DomainError::Size(size)));
    }
    assert!(Domain::new(1usize << 33).is_err());
}

quickcheck! {
    fn the_fast_transform_is_the_slow_one(list: Vec<AnyScalar>, log: u8) -> bool {
        let domain = Domain::new(1 << (log % 8)).unwrap();
        let coefficients = scalars(&list, domain.size());
        domain.fft(&coefficients) == naive::fft(&domain, &coefficients)
    }

    fn the_inverse_transform_undoes_the_transform(list: Vec<AnyScalar>, log: u8) -> bool {
        let domain = Domain::new(1 << (log % 8)).unwrap();
        let coefficients = scalars(&list, domain.size());
        domain.ifft(&domain.fft(&coefficients)) == coefficients
            && domain.fft(&domain.ifft(&coefficients)) == coefficients
    }

    fn transforms_of_points_are_the_transforms_of_their_logarithms(list: Vec<AnyScalar>, log: u8) -> bool {
        let domain = Domain::new(1 << (log % 6)).unwrap();
        let logarithms = scalars(&list, domain.size());
        let raise = |list: &[Scalar]| -> Vec<G1Affine> {
            list.iter().map(|k| (G1Affine::generator() * k).to_affine()).collect()
        };
        let scaled: Vec<Scalar> =
            domain.ifft(&logarithms).iter().map(|k| k * Scalar::from(domain.size() as u64)).collect();
        [Threads::Current, Threads::All].into_iter().all(|threads| {
            domain.fft_g1(&raise(&logarithms), threads) == raise(&domain.fft(&logarithms))
                && domain.ifft_g1(&raise(&logarithms), threads) == raise(&domain.ifft(&logarithms))
                && domain.ifft_g1_unscaled(&raise(&logarithms), threads) == raise(&scaled)
        })
    }

    fn every_point_gets_its_own_multiple(terms: Vec<(u8, AnyScalar)>) -> bool {
        let points: Vec<G1Affine> = terms.iter().map(|(i, _)| match i % 5 {
            0 => G1Affine::identity(),
            i => subgroup_point(u64::from(i)),
        }).collect();
        let scalars: Vec<Scalar> = terms.iter().map(|(_, k)| k.0).collect();
        [Threads::Current, Threads::All].into_iter().all(|threads| {
            multiply_each(&points, &scalars, threads) == multiply::naive::multiply_each(&points, &scalars)
        })
    }

    fn bit_reversal_is_its_own_inverse(log: u8) -> bool {
        let original: Vec<usize> = (0..1 << (log % 10)).collect();
        let mut items = original.clone();
        bit_reverse(&mut items);
        let moved = items == original;
        bit_reverse(&mut items);
        items == original && (moved == (original.len() <= 2))
    }
}

#[test]
fn bit_reversal_of_eight_is_the_known_order() {
    let mut items = [0, 1, 2, 3, 4, 5, 6, 7];
    bit_reverse(&mut items);
    assert_eq!(items, [0, 4, 2, 6, 1, 5, 3, 7]);
}

#[test]
fn the_transform_of_points_is_its_definition_with_infinity_and_equal_points_among_them() {
    let g = G1Affine::generator();
    for size in [1, 2, 4, 8, 16, 32] {
        let domain = Domain::new(size).unwrap();
        let lists = [
            vec![g; size],
            vec![G1Affine::identity(); size],
            (0..size).map(|i| if i % 2 == 0 { g } else { -g }).collect(),
            (0..size).map(|i| if i == size - 1 { g } else { G1Affine::identity() }).collect(),
            (0..size as u64).map(subgroup_point).collect::<Vec<_>>(),
        ];
        for points in lists {
            assert_eq!(domain.fft_g1(&points, Threads::All), naive::fft_g1(&domain, &points), "N = {size}");
        }
    }
}

#[test]
fn blocks_of_points_are_transformed_each_by_itself() {
    let domain = Domain::new(64).unwrap();
    let points: Vec<G1Affine> = (0..64).map(subgroup_point).collect();
    for block in [1, 2, 16, 32, 64] {
        let own = Domain::new(block).unwrap();
        let each: Vec<G1Affine> =
            points.chunks(block).flat_map(|points| own.fft_g1(points, Threads::Current)).collect();
        assert_eq!(domain.fft_g1_blocks(&points, block, Threads::All), each, "{block} a block");
    }
}

#[test]
fn a_large_transform_of_points_is_undone_by_its_inverse() {
    let domain = Domain::new(1024).unwrap();
    let points: Vec<G1Affine> = (0..1024).map(|i| subgroup_point(i % 50)).collect();
    assert_eq!(domain.ifft_g1(&domain.fft_g1(&points, Threads::All), Threads::All), points);
}

#[test]
fn many_points_in_step_are_multiplied_by_scalars_at_every_edge() {
    let powers = (0..255).map(|bit| Scalar::from(2).pow_vartime([bit]));
    let scalars: Vec<Scalar> = powers.flat_map(|p| [p - Scalar::ONE, p, -p]).chain([Scalar::ZERO]).collect();
    let point = subgroup_point(3);
    let expected: Vec<G1Affine> = scalars.iter().map(|k| (point * k).to_affine()).collect();
    assert_eq!(multiply_each(&vec![point; scalars.len()], &scalars, Threads::All), expected);
}

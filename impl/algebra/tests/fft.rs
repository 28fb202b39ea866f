//! Transforms and their domain.

mod common;

use aardvark_algebra::ff::{Field, PrimeField};
use aardvark_algebra::fft::{bit_reverse, naive};
use aardvark_algebra::group::Group;
use aardvark_algebra::{Domain, DomainError, G1Projective, Scalar, Threads};
use common::AnyScalar;
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
        let domain = Domain::new(1 << (log % 5)).unwrap();
        let logarithms = scalars(&list, domain.size());
        let raise = |list: &[Scalar]| -> Vec<G1Projective> {
            list.iter().map(|k| G1Projective::generator() * k).collect()
        };
        [Threads::Current, Threads::All].into_iter().all(|threads| {
            domain.fft_g1(&raise(&logarithms), threads) == raise(&domain.fft(&logarithms))
                && domain.ifft_g1(&raise(&logarithms), threads) == raise(&domain.ifft(&logarithms))
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

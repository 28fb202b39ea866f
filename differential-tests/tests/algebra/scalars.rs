//! The scalar field.

use aardvark_algebra::ff::Field;
use aardvark_algebra::{Domain, Scalar, scalar_from_u128, scalar_to_bytes};
use aardvark_spec::base::scalar::{root_of_unity, scalar_inverse, scalar_of_number, scalar_power, scalar_zero};
use differential_tests::convert::{scalar_from_spec, scalar_to_spec};
use quickcheck::quickcheck;

use super::arbitrary::AnyScalar;

quickcheck! {
    fn sums_differences_and_products_are_the_same(a: AnyScalar, b: AnyScalar) -> bool {
        let (x, y) = (scalar_to_spec(&a.0), scalar_to_spec(&b.0));
        scalar_from_spec(&(x + y)) == a.0 + b.0
            && scalar_from_spec(&(x - y)) == a.0 - b.0
            && scalar_from_spec(&(x * y)) == a.0 * b.0
            && scalar_from_spec(&(scalar_zero() - x)) == -a.0
    }

    fn inverses_are_the_same_and_that_of_zero_is_zero(a: AnyScalar) -> bool {
        let inverse = Option::<Scalar>::from(a.0.invert()).unwrap_or(Scalar::ZERO);
        scalar_from_spec(&scalar_inverse(scalar_to_spec(&a.0))) == inverse
    }

    fn powers_are_the_same(a: AnyScalar, exponent: u16) -> bool {
        let power = scalar_power(scalar_to_spec(&a.0), exponent.into());
        scalar_from_spec(&power) == a.0.pow_vartime([u64::from(exponent)])
    }

    fn numbers_of_128_bits_become_the_same_scalars(high: u64, low: u64) -> bool {
        let number = (u128::from(high) << 64) | u128::from(low);
        scalar_from_spec(&scalar_of_number(number)) == scalar_from_u128(number)
    }

    fn scalars_have_the_same_bytes(a: AnyScalar) -> bool {
        aardvark_spec::convert::scalar_to_bytes(scalar_to_spec(&a.0)) == scalar_to_bytes(&a.0)
    }
}

#[test]
fn the_roots_of_unity_of_every_size_are_the_same() {
    for log in 0..=12 {
        let size = 1 << log;
        assert_eq!(scalar_from_spec(&root_of_unity(size)), *Domain::new(size).unwrap().omega(), "N = {size}");
    }
}

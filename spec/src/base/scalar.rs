//! The scalar field of BLS12-381: the numbers modulo its prime r.
//!
//! r - 1 is divisible by 2^32, and 7 generates the multiplicative group: 7^((r-1)/N) is a primitive
//! N-th root of unity. Elements of the groups, which exponents represent, are types of their own:
//! [`crate::base::group`].

use crate::base::bytes::*;
use crate::base::integers::*;
use hacspec_lib::*;

/// The type that hacspec's macro declares; it has no documentation of its own, and names a feature
/// of hacspec's compiler.
#[allow(missing_docs, unexpected_cfgs, clippy::all)]
mod field {
    use hacspec_lib::*;
    public_nat_mod!(
        type_name: Scalar,
        type_of_canvas: ScalarCanvas,
        bit_size_of_field: 256,
        modulo_value: "73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001"
    );
}
pub use field::{Scalar, ScalarCanvas};

/// The largest number of slots in a vector.
pub const MAX_VECTOR_SIZE: usize = 4096;

/// The scalar 0: the content of an unused position, and the exponent of a group's identity.
pub fn scalar_zero() -> Scalar {
    Scalar::from_literal(0)
}

/// The scalar 1: the exponent of a group's generator.
pub fn scalar_one() -> Scalar {
    Scalar::from_literal(1)
}

/// The scalar of a number.
pub fn scalar_of_number(number: u128) -> Scalar {
    Scalar::from_literal(number)
}

/// The `n`-th power of `base`.
pub fn scalar_power(base: Scalar, n: usize) -> Scalar {
    base.pow(u128_of_usize(n))
}

/// The inverse of `x`, and 0 for 0.
pub fn scalar_inverse(x: Scalar) -> Scalar {
    x.inv()
}

/// 7^((r-1)/4096), a primitive 4096-th root of unity.
pub fn root_of_unity_4096() -> Scalar {
    Scalar::from_hex("564c0a11a0f704f4fc3e8acfe0f8245f0ad1347b378fbf96e206da11a5d36306")
}

/// 7^((r-1)/n), a primitive `n`-th root of unity, for `n` a power of two of at most 4096.
pub fn root_of_unity(n: usize) -> Scalar {
    scalar_power(root_of_unity_4096(), MAX_VECTOR_SIZE / n)
}

/// 48 bytes, highest first, modulo r: three limbs of 128 bits.
pub fn scalar_of_wide_bytes(wide: &ByteString) -> Scalar {
    let high = scalar_of_number(number_of_bytes(&wide.slice(0, 16)));
    let middle = scalar_of_number(number_of_bytes(&wide.slice(16, 16)));
    let low = scalar_of_number(number_of_bytes(&wide.slice(32, 16)));
    let limb = scalar_of_number(18_446_744_073_709_551_616) * scalar_of_number(18_446_744_073_709_551_616);
    (high * limb + middle) * limb + low
}

/// Element `i` of a vector of scalars, and 0 beyond its end.
pub fn scalar_at(scalars: &Seq<Scalar>, i: usize) -> Scalar {
    if i < scalars.len() { scalars[i] } else { scalar_zero() }
}

/// One step of [`inner_product`].
pub fn inner_product_step(total: Scalar, a: Scalar, b: Scalar) -> Scalar {
    total + a * b
}

/// The sum of `a[i] * b[i]` over the indices of `a`; elements that `b` lacks are 0.
pub fn inner_product(a: &Seq<Scalar>, b: &Seq<Scalar>) -> Scalar {
    let mut total = scalar_zero();
    for i in 0..a.len() {
        total = inner_product_step(total, a[i], scalar_at(b, i));
    }
    total
}

/// One step of [`scalars_resized`].
pub fn scalars_resized_step(resized: Seq<Scalar>, scalars: &Seq<Scalar>, i: usize) -> Seq<Scalar> {
    resized.push_owned(scalar_at(scalars, i))
}

/// The first `count` elements of a vector, filled up with 0.
pub fn scalars_resized(scalars: &Seq<Scalar>, count: usize) -> Seq<Scalar> {
    let mut resized = Seq::<Scalar>::new(0);
    for i in 0..count {
        resized = scalars_resized_step(resized, scalars, i);
    }
    resized
}

/// The vector with `new` at index `i`; unchanged when `i` is beyond its end.
pub fn scalars_updated(scalars: &Seq<Scalar>, i: usize, new: Scalar) -> Seq<Scalar> {
    if i < scalars.len() {
        let above = scalars.slice(i + 1, scalars.len() - i - 1);
        scalars.slice(0, i).push_owned(new).concat_owned(above)
    } else {
        scalars.clone()
    }
}

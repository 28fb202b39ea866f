//! Scalars: arithmetic modulo the field's prime.

use hacspec_lib::*;

#[allow(missing_docs, unexpected_cfgs, dead_code, clippy::all)]
mod field {
    use hacspec_lib::*;
    public_nat_mod!(
        type_name: Scalar,
        type_of_canvas: ScalarCanvas,
        bit_size_of_field: 256,
        modulo_value: "73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001"
    );
}
pub use field::Scalar;

/// Given: the translation takes it as a member of a class.
pub fn root_of_unity_4096() -> Scalar {
    Scalar::from_hex("564c0a11a0f704f4fc3e8acfe0f8245f0ad1347b378fbf96e206da11a5d36306")
}
pub fn case_given_root() -> bool {
    root_of_unity_4096().pow(4096) == Scalar::from_literal(1)
        && !(root_of_unity_4096().pow(2048) == Scalar::from_literal(1))
}
pub fn case_wraps_below_zero() -> Scalar {
    Scalar::from_literal(3) - Scalar::from_literal(5)
}
pub fn case_wraps_above() -> Scalar {
    let x = Scalar::from_hex("73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000000");
    x + x * x - x
}
pub fn case_order_of_operations() -> Scalar {
    let a = Scalar::from_literal(1_000);
    let b = Scalar::from_literal(7);
    a - b - a * b + (a - (b - a)) * b
}
pub fn case_inverse() -> (Scalar, Scalar) {
    (Scalar::from_literal(12_345).inv(), Scalar::from_literal(0).inv())
}
pub fn case_power() -> (Scalar, Scalar) {
    (Scalar::from_literal(7).pow(0), Scalar::from_literal(7).pow(1_000_003))
}
pub fn case_equality() -> (bool, bool) {
    let x = Scalar::from_hex("73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000002");
    (x == Scalar::from_literal(1), x != Scalar::from_literal(1))
}
pub fn case_scalar_default() -> Scalar {
    let zeros = Seq::<Scalar>::new(1);
    zeros[0] + Scalar::from_literal(4)
}

//! Which 48 bytes are an opening, by whole-number arithmetic and nothing else: the judge of the
//! implementation's decoder.
//!
//! The rule of the format (docs/design.md, section 3): the compressed encoding of a point of
//! y² = x³ + 4 over F_p, canonical; x ≠ 0 unless it is the point at infinity; the subgroup does
//! not matter. The three highest bits of the first byte are flags: compressed (always 1), infinity
//! (then all other bits are 0), and whether y is the larger root.

use std::sync::OnceLock;

use num_bigint::BigUint;

/// What 48 bytes encode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// No opening.
    Malformed(Flaw),
    /// The point at infinity.
    Infinity,
    /// Another point of the curve, in the subgroup or not.
    Point,
}

/// Why bytes are no opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Flaw {
    /// The flag of compressed encodings is missing.
    Uncompressed,
    /// The infinity flag with other bits set.
    InfinityWithBits,
    /// x is not below p.
    NotReduced,
    /// No point has this x.
    NotOnCurve,
    /// x = 0: a point of order 3.
    ZeroX,
}

/// Applies the rule.
pub fn classify(bytes: &[u8; 48]) -> Encoding {
    let (compressed, infinity) = (bytes[0] & 0x80 != 0, bytes[0] & 0x40 != 0);
    let mut digits = *bytes;
    digits[0] &= 0x1f;
    let x = BigUint::from_bytes_be(&digits);
    let zero = x == BigUint::default();
    if !compressed {
        Encoding::Malformed(Flaw::Uncompressed)
    } else if infinity {
        let bare = zero && bytes[0] & 0x20 == 0;
        if bare { Encoding::Infinity } else { Encoding::Malformed(Flaw::InfinityWithBits) }
    } else if x >= *field_modulus() {
        Encoding::Malformed(Flaw::NotReduced)
    } else if zero {
        Encoding::Malformed(Flaw::ZeroX)
    } else if !is_square(&(&x * &x * &x + 4u8)) {
        Encoding::Malformed(Flaw::NotOnCurve)
    } else {
        Encoding::Point
    }
}

/// p, the modulus of the base field of BLS12-381.
pub fn field_modulus() -> &'static BigUint {
    static MODULUS: OnceLock<BigUint> = OnceLock::new();
    MODULUS.get_or_init(|| {
        let digits =
            b"1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab";
        BigUint::parse_bytes(digits, 16).expect("hexadecimal digits")
    })
}

/// Euler's criterion. The curve has no point with y = 0 (-4 is no cube), so 0 is never asked about.
fn is_square(number: &BigUint) -> bool {
    let p = field_modulus();
    number.modpow(&((p - 1u8) >> 1), p) == BigUint::from(1u8)
}

/// Bytes with a flaw of each kind: `how` counts through them.
pub fn malformed_bytes(how: u8) -> [u8; 48] {
    let mut bytes = [0; 48];
    let modulus = field_modulus().to_bytes_be();
    match how % 9 {
        0 => {}
        1 => bytes[0] = 0x40,
        2 => bytes[0] = 0xe0,
        3 => (bytes[0], bytes[47]) = (0xc0, 1),
        4 => bytes.copy_from_slice(&modulus),
        5 => bytes = [0xff; 48],
        6 => bytes[0] = 0x80,
        7 => bytes[0] = 0xa0,
        _ => (bytes[0], bytes[47]) = (0x80, least_x_off_curve()),
    }
    if how % 9 == 4 {
        bytes[0] |= 0x80;
    } else if how % 9 == 5 {
        bytes[0] = 0x9f;
    }
    bytes
}

fn least_x_off_curve() -> u8 {
    let off = |x: &u8| !is_square(&(BigUint::from(*x).pow(3) + 4u8));
    (1..=u8::MAX).find(off).expect("half of all x are off the curve")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_flaw_is_among_the_malformed_bytes() {
        let flaws: BTreeSet<Flaw> = (0..9)
            .map(|how| match classify(&malformed_bytes(how)) {
                Encoding::Malformed(flaw) => flaw,
                other => panic!("{how}: {other:?}"),
            })
            .collect();
        let all = [Flaw::Uncompressed, Flaw::InfinityWithBits, Flaw::NotReduced, Flaw::NotOnCurve, Flaw::ZeroX];
        assert_eq!(flaws, all.into());
    }

    #[test]
    fn the_rule_and_the_implementation_agree_on_every_small_x_with_all_flags() {
        for flags in 0..8u8 {
            for x in 0..=u8::MAX {
                let mut bytes = [0; 48];
                bytes[0] = flags << 5;
                bytes[47] = x;
                let accepted = !matches!(classify(&bytes), Encoding::Malformed(_));
                assert_eq!(accepted, aardvark_algebra::decode_opening(&bytes).is_ok(), "{flags:03b} {x}");
            }
        }
    }

    #[test]
    fn the_rule_and_the_implementation_agree_around_the_modulus() {
        for offset in 0..200u32 {
            for below in [true, false] {
                let x = if below { field_modulus() - offset } else { field_modulus() + offset };
                let mut bytes: [u8; 48] = x.to_bytes_be().try_into().unwrap();
                bytes[0] |= 0x80;
                let accepted = !matches!(classify(&bytes), Encoding::Malformed(_));
                assert_eq!(accepted, aardvark_algebra::decode_opening(&bytes).is_ok(), "{x}");
            }
        }
    }
}

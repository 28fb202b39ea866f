mod measured;

use aardvark_spec::kernel::limbs::{limbs_product, limbs_square};
use blstrs::G1Affine;
use group::{Curve, Group};
use hacspec_lib::Seq;

use super::field::{canonical, from_words, to_words};
use super::lanes::{Element, LANES, LIMB_BITS, LIMBS, Lanes, WORDS};
use super::portable::Portable;
use super::traced::Traced;
use super::{Digits, InLanes, Kernel, KernelError, SecretDigits};
use crate::ffi::fp::{BaseField, MODULUS, ZERO, from_montgomery};
use crate::hash_to_scalar;

/// The words of a field element outside of the kernel: pseudo-random for most seeds, extreme for
/// small ones.
fn element(seed: u64) -> [u64; WORDS] {
    let minus = |small: u64| {
        let mut words = MODULUS;
        words[0] -= small;
        words
    };
    match seed {
        0 => [0; WORDS],
        1 => [1, 0, 0, 0, 0, 0],
        2..=5 => minus(seed - 1),
        6 => [u64::MAX, u64::MAX, u64::MAX, u64::MAX, u64::MAX, 0x1a01_11ea_397f_e699],
        7 => [0, 0, 0, 0, 0, 0x1a01_11ea_397f_e69a],
        _ => {
            let half = |tag: &[u8]| hash_to_scalar(&seed.to_be_bytes(), tag).to_bytes_le();
            let bytes = [half(b"low"), half(b"high")].concat();
            let word = |i: usize| u64::from_le_bytes(bytes[8 * i..8 * i + 8].try_into().unwrap());
            let mut words: [u64; WORDS] = core::array::from_fn(word);
            words[5] %= MODULUS[5];
            words
        }
    }
}

fn load<L: Lanes>(lanes: L, words: &[[u64; WORDS]; LANES], shift: u32) -> Element<L> {
    from_words(lanes, &lanes.transposed(words.each_ref()), shift)
}

/// 2^bits c.
fn doubled(c: [u64; WORDS], bits: u32) -> [u64; WORDS] {
    let mut result = from_montgomery(c);
    for _ in 0..bits {
        let once = result;
        result.set_double(&once);
    }
    result.l
}

/// a b / 2^384, of words.
fn product_of_words(a: &[u64; WORDS], b: &[u64; WORDS]) -> [u64; WORDS] {
    let mut result = ZERO;
    result.set_product(&from_montgomery(*a), &from_montgomery(*b));
    result.l
}

fn every_product_is_that_of_blst<L: Lanes>(lanes: L) {
    for round in 0..400u64 {
        let a: [[u64; WORDS]; LANES] = core::array::from_fn(|lane| element((round * 8 + lane as u64) % 600));
        let b: [[u64; WORDS]; LANES] = core::array::from_fn(|lane| element((round + 37 * lane as u64) % 500));
        // The factors 2^32 a and b: their integers are as large as allowed.
        let shift = [0, 12, 32][round as usize % 3];
        let (x, y) = (load(lanes, &a, shift), load(lanes, &b, 0));
        let fast = to_words(lanes, &canonical(lanes, &lanes.product(&x, &y)));
        let of_square = to_words(lanes, &canonical(lanes, &lanes.square(&y)));
        for lane in 0..LANES {
            // The kernel divides by 2^416, blst by 2^384.
            let expected = doubled(product_of_words(&a[lane], &b[lane]), shift);
            assert_eq!(doubled(fast[lane], 32), expected, "round {round}, lane {lane}");
            let expected = product_of_words(&b[lane], &b[lane]);
            assert_eq!(doubled(of_square[lane], 32), expected, "square, round {round}, lane {lane}");
        }
    }
}

/// The instances that this processor has; says so where it lacks one.
pub(crate) fn available() -> Vec<InLanes> {
    let there: Vec<InLanes> = Kernel::ALL.into_iter().filter_map(InLanes::of).collect();
    if there.len() + 1 < Kernel::ALL.len() {
        eprintln!("Kernels up to {} are tested: this processor has no others.", Kernel::fastest().name());
    }
    there
}

/// An expression over lanes, done with each instance that this processor has.
macro_rules! with_each {
    ($lanes:ident => $work:expr) => {
        for $lanes in $crate::kernel::available() {
            $crate::kernel::in_lanes!($lanes => $work);
        }
    };
}
pub(crate) use with_each;

#[test]
fn products_and_squares_are_those_of_blst() {
    every_product_is_that_of_blst(Portable);
    every_product_is_that_of_blst(Traced);
    with_each!(lanes => every_product_is_that_of_blst(lanes));
}

/// Eight limbs: random ones, and with the last limb small enough for factors below 2^17 p. Small
/// seeds have all bits set where a limb may have them.
fn eight_limbs(seed: u64) -> [u64; LIMBS] {
    let bits = hash_to_scalar(&seed.to_be_bytes(), b"limbs").to_bytes_le();
    let more = hash_to_scalar(&seed.to_be_bytes(), b"more").to_bytes_le();
    let bytes = [bits, more].concat();
    core::array::from_fn(|i| {
        let most = if i + 1 < LIMBS { (1 << LIMB_BITS) - 1 } else { (1 << 33) - 1 };
        let random = u64::from_le_bytes(bytes[8 * i..8 * i + 8].try_into().unwrap());
        if seed < 4 && (seed >> (i % 2)) & 1 == 0 { most } else { random % (most + 1) }
    })
}

fn every_limb_is_that_of_the_specification<L: Lanes>(lanes: L) {
    for round in 0..40u64 {
        let a: [[u64; LIMBS]; LANES] = core::array::from_fn(|lane| eight_limbs(round * 8 + lane as u64));
        let b: [[u64; LIMBS]; LANES] = core::array::from_fn(|lane| eight_limbs(round + 11 * lane as u64));
        // An element from limbs: one lane at a time, by the mask of a selection.
        let load = |limbs: &[[u64; LIMBS]; LANES]| -> Element<L> {
            let mut element = [lanes.splat(0); LIMBS];
            for (lane, of_lane) in limbs.iter().enumerate() {
                for i in 0..LIMBS {
                    element[i] = lanes.select(1 << lane, lanes.splat(of_lane[i]), element[i]);
                }
            }
            element
        };
        let (x, y) = (load(&a), load(&b));
        let words = |element: Element<L>| element.map(|limb| lanes.to_words(limb));
        let (product, square) = (words(lanes.product(&x, &y)), words(lanes.square(&y)));
        let (mut in_place, mut set, mut set_square) = (x, y, x);
        lanes.multiply(&mut in_place, &y);
        lanes.set_product(&mut set, &x, &y);
        lanes.set_square(&mut set_square, &y);
        assert_eq!([in_place, set, set_square].map(words), [product, product, square], "round {round}");
        for lane in 0..LANES {
            let (x, y) = (Seq::from_vec(a[lane].to_vec()), Seq::from_vec(b[lane].to_vec()));
            let (of_product, of_square) = (limbs_product(&x, &y), limbs_square(&y));
            for i in 0..LIMBS {
                assert_eq!(product[i][lane], of_product[i], "round {round}, lane {lane}, limb {i}");
                assert_eq!(square[i][lane], of_square[i], "square, round {round}, lane {lane}, limb {i}");
            }
        }
    }
}

#[test]
fn products_and_squares_are_those_of_the_specification() {
    every_limb_is_that_of_the_specification(Portable);
    every_limb_is_that_of_the_specification(Traced);
    with_each!(lanes => every_limb_is_that_of_the_specification(lanes));
}

#[test]
fn after_products_doubles_are_rounded_as_before() {
    let thirds = |count: f64| (core::hint::black_box(count) / core::hint::black_box(3.0)).to_bits();
    with_each!(lanes => {
        let one = load(lanes, &[element(1); LANES], 0);
        core::hint::black_box([lanes.product(&one, &one), lanes.square(&one)]);
        // The nearest doubles: one is less than two thirds, the other more than five.
        assert_eq!([2.0, 5.0].map(thirds), [0x3fe5_5555_5555_5555, 0x3ffa_aaaa_aaaa_aaab], "{lanes:?}");
    });
}

/// Halves of products of limbs at their edges, with and without bits above a limb's.
fn every_half_is_that_of_plain_integers<L: Lanes>(lanes: L) {
    let most = (1u64 << LIMB_BITS) - 1;
    let edges = [0, 1, 2, 3, (1 << 26) - 1, 1 << 26, (1 << 26) + 1, (1 << 51) - 1, 1 << 51, most - 1, most];
    let words: Vec<u64> = edges.iter().flat_map(|limb| [*limb, limb | 0xfff << LIMB_BITS]).collect();
    for a in &words {
        for b in &words {
            for sum in [0, 7, u64::MAX] {
                let product = |lanes: L| {
                    let (sum, a, b) = (lanes.splat(sum), lanes.splat(*a), lanes.splat(*b));
                    [lanes.add_low_product(sum, a, b), lanes.add_high_product(sum, a, b)]
                        .map(|word| lanes.to_words(word))
                };
                let whole = u128::from(a & most) * u128::from(b & most);
                let halves = [whole as u64 & most, (whole >> LIMB_BITS) as u64];
                assert_eq!(product(lanes), halves.map(|half| [sum.wrapping_add(half); LANES]), "{a:x} {b:x}");
            }
        }
    }
}

#[test]
fn halves_of_products_of_limbs_are_those_of_plain_integers() {
    every_half_is_that_of_plain_integers(Portable);
    with_each!(lanes => every_half_is_that_of_plain_integers(lanes));
}

fn multiples_are_exact<L: Lanes>(lanes: L) {
    let generator = blstrs::G1Projective::generator();
    let edges = [0, 1, -1, 7, 8, -8, 9, 16, 136, -2184, (1 << 126) - 1, -(1 << 126), 1 << 64];
    let halves: Vec<[i128; 2]> = edges.iter().flat_map(|a| edges.iter().map(move |b| [*a, *b])).collect();
    let digits: Vec<Digits> = halves.iter().copied().map(Digits::new).collect();
    let digits: Vec<&Digits> = digits.iter().collect();
    let scalar = |half: i128| {
        let magnitude = crate::scalar_from_u128(half.unsigned_abs());
        if half < 0 { -magnitude } else { magnitude }
    };
    let z_squared = crate::scalar_from_u128(0xac45_a401_0001_a402_0000_0001_0000_0000);
    for point in [generator.to_affine(), (generator * scalar(5)).to_affine(), G1Affine::default()] {
        let products = super::multiples(lanes, &vec![point; digits.len()], &digits);
        for ([low, high], product) in halves.iter().zip(products) {
            let expected = (point * (scalar(*low) + scalar(*high) * z_squared)).to_affine();
            assert_eq!(G1Affine::from(product), expected, "{low} {high}");
        }
    }
}

#[test]
fn multiples_by_integers_at_every_edge_are_those_of_blst() {
    multiples_are_exact(Portable);
    with_each!(lanes => multiples_are_exact(lanes));
}

/// Secrets at the edges, and others.
fn secrets() -> Vec<blstrs::Scalar> {
    let z_squared = crate::scalar_from_u128(0xac45_a401_0001_a402_0000_0001_0000_0000);
    let small = [0, 1, 8, 9, 255].map(blstrs::Scalar::from);
    let edges = [z_squared, z_squared - small[1], -small[1], -z_squared, -small[3]];
    let others = (0..3u64).map(|i| hash_to_scalar(&i.to_be_bytes(), b"secret"));
    small.into_iter().chain(edges).chain(others).collect()
}

fn secret_multiples_are_exact<L: Lanes>(lanes: L) {
    let generator = blstrs::G1Projective::generator();
    let mut points: Vec<G1Affine> = (1..20u64).map(|i| (generator * blstrs::Scalar::from(i)).to_affine()).collect();
    points[3] = G1Affine::default();
    for secret in secrets() {
        let products = super::secret_multiples(lanes, &points, &SecretDigits::new(&secret));
        for (point, product) in points.iter().zip(products) {
            assert_eq!(G1Affine::from(product), (point * secret).to_affine(), "{secret}");
        }
    }
}

#[test]
fn multiples_by_a_secret_at_every_edge_are_those_of_blst() {
    secret_multiples_are_exact(Portable);
    with_each!(lanes => secret_multiples_are_exact(lanes));
}

#[test]
fn the_same_operations_multiply_by_any_secret() {
    let generator = blstrs::G1Projective::generator();
    let points: Vec<G1Affine> = (1..20u64).map(|i| (generator * blstrs::Scalar::from(i)).to_affine()).collect();
    let trace = |secret: &blstrs::Scalar| {
        Traced::taken();
        super::secret_multiples(Traced, &points, &SecretDigits::new(secret));
        Traced::taken()
    };
    let of_one = trace(&blstrs::Scalar::from(1));
    assert!(of_one.1 > 1_000_000);
    for secret in secrets() {
        // The last additions of r - 1 meet the opposite point: no secret of a protocol.
        if secret != -blstrs::Scalar::from(1) {
            assert_eq!(trace(&secret), of_one, "{secret}");
        }
    }
    // What is not secret takes as long as it has digits.
    let public = |half| {
        Traced::taken();
        super::multiples(Traced, &points[..8], &[&Digits::new([half, 0]); 8]);
        Traced::taken()
    };
    assert_ne!(public(1), public(1 << 100));
}

#[test]
fn kernels_have_names_and_are_refused_where_they_are_not() {
    assert_eq!(Kernel::named("ifma", Kernel::Avx512), Err(KernelError::Missing(Kernel::Ifma)));
    assert_eq!(Kernel::named("avx512", Kernel::Scalar), Err(KernelError::Missing(Kernel::Avx512)));
    assert_eq!(Kernel::named("avx2", Kernel::Scalar), Err(KernelError::Missing(Kernel::Avx2)));
    assert_eq!(Kernel::named("", Kernel::Scalar), Err(KernelError::Unknown(String::new())));
    for fastest in Kernel::ALL {
        for kernel in Kernel::ALL.into_iter().filter(|kernel| *kernel <= fastest) {
            assert_eq!(Kernel::named(kernel.name(), fastest), Ok(kernel));
        }
    }
    let message = KernelError::Missing(Kernel::Avx512).to_string();
    assert_eq!(message, "AARDVARK_KERNEL is avx512, but this processor has no AVX-512F");
}

/// Points of the subgroup and outside, of small order, equal and opposite ones, infinity.
fn any_points() -> Vec<G1Affine> {
    let generator = blstrs::G1Projective::generator();
    let mut points: Vec<G1Affine> = (1..20u64).map(|i| (generator * blstrs::Scalar::from(i)).to_affine()).collect();
    let with_x = |x: u8| {
        let mut bytes = [0; 48];
        (bytes[0], bytes[47]) = (0x80, x);
        crate::decode_opening(&bytes).ok()
    };
    let outside: Vec<G1Affine> = (1..20).filter_map(with_x).collect();
    // r times a point outside has the order of its component alone; times more, a small one.
    let minus_one = (-blstrs::Scalar::from(1)).to_bytes_le();
    let torsion = |point: &G1Affine| (crate::msm::naive::multiply(point, &minus_one) + point).to_affine();
    let exponent = (0xd201_0000_0001_0001_u128 / 3).to_le_bytes();
    let small = |point: &G1Affine| crate::msm::naive::multiply(&torsion(point), &exponent).to_affine();
    points.extend(outside.iter().map(torsion));
    points.extend(outside.iter().map(small));
    points.extend(&outside);
    points.extend(outside.iter().map(|point| -*point));
    points.extend([G1Affine::default(), points[3], -points[3], points[3]]);
    points
}

fn sums_of_few_are_exact<L: Lanes>(lanes: L) {
    let points = any_points();
    let edges = [0, 1, 7, 8, 9, 15, 16, 0x88, 0x99, 1 << 64, u128::MAX, u128::MAX / 15 * 8, u128::MAX / 15 * 9];
    let integers: Vec<[u8; 16]> = edges.iter().map(|k: &u128| k.to_le_bytes()).collect();
    for count in [0, 1, 2, 7, 8, 9, 17, 30] {
        for start in 0..points.len().saturating_sub(count) {
            let points = &points[start..start + count];
            let integers: Vec<[u8; 16]> = (0..count).map(|i| integers[(i + start) % integers.len()]).collect();
            let expected: blstrs::G1Projective =
                points.iter().zip(&integers).map(|(point, k)| crate::msm::naive::multiply(point, k)).sum();
            assert_eq!(super::sum_of_few(lanes, points, &integers), expected, "{count} from {start}");
        }
    }
}

#[test]
fn sums_of_few_are_those_of_double_and_add_for_any_points() {
    with_each!(lanes => sums_of_few_are_exact(lanes));
}

fn sums_and_memberships_of_some<L: Lanes>(lanes: L) {
    let points: Vec<G1Affine> = any_points().into_iter().step_by(5).collect();
    let integers: Vec<[u8; 32]> =
        (0..points.len() as u64).map(|i| hash_to_scalar(&i.to_be_bytes(), b"k").to_bytes_le()).collect();
    let expected: blstrs::G1Projective =
        points.iter().zip(&integers).map(|(point, k)| crate::msm::naive::multiply(point, k)).sum();
    assert_eq!(super::sum_of_few(lanes, &points, &integers), expected);
    let inside: Vec<bool> = points.iter().map(crate::is_in_subgroup).collect();
    assert!(inside.contains(&true) && inside.contains(&false));
    assert_eq!(super::in_subgroup(lanes, &points), inside);
}

#[test]
fn sums_of_few_and_memberships_are_the_same_in_plain_rust() {
    sums_and_memberships_of_some(Portable);
    with_each!(lanes => sums_and_memberships_of_some(lanes));
}

#[test]
fn memberships_of_any_points_are_those_of_blst() {
    let points = any_points();
    let inside: Vec<bool> = points.iter().map(crate::is_in_subgroup).collect();
    with_each!(lanes => {
        for count in [1, 2, 8, 9] {
            for (points, inside) in points.chunks(count).zip(inside.chunks(count)) {
                assert_eq!(super::in_subgroup(lanes, points), inside);
            }
        }
    });
}

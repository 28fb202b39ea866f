//! What the kernel and few points take, printed.

use std::time::Instant;

use blstrs::G1Affine;
use group::{Curve, Group};

use super::{element, load};
use crate::ffi::fp::{BaseField, from_montgomery};
use crate::group_sums::one_by_one;
use crate::hash_to_scalar;
use crate::kernel::lanes::{Element, LANES, LIMBS, Lanes, WORDS, Work};
use crate::kernel::{Digits, Kernel, chained_sums, group_sums, in_subgroup, multiples, sum_of_few, with_each};
use crate::point::{Member, Point};

fn bench(name: &str, count: usize, mut work: impl FnMut()) {
    let mut best = f64::MAX;
    for _ in 0..25 {
        let start = Instant::now();
        work();
        best = best.min(start.elapsed().as_secs_f64());
    }
    println!("{name}: {:.2} ns", best / count as f64 * 1e9);
}

struct Chain<L: Lanes>(Element<L>, Element<L>, usize, bool);

impl<L: Lanes> Work<L> for Chain<L> {
    type Output = Element<L>;

    #[inline(always)]
    fn run(self, lanes: L) -> Element<L> {
        let Chain(mut a, mut b, count, squares) = self;
        let factor = b;
        for _ in 0..count / 2 {
            if squares {
                a = lanes.square(&a);
                b = lanes.square(&b);
            } else {
                a = lanes.product(&a, &factor);
                b = lanes.product(&b, &factor);
            }
        }
        for i in 0..LIMBS {
            a[i] = lanes.add(a[i], b[i]);
        }
        a
    }
}

#[test]
#[ignore = "measures"]
fn what_the_kernel_takes_is_printed() {
    with_each!(lanes => {
        println!("{lanes:?}");
        print_what_the_kernel_takes(lanes);
    });
}

fn print_what_the_kernel_takes(lanes: impl Lanes) {
    let a: [[u64; WORDS]; LANES] = core::array::from_fn(|lane| element(lane as u64 + 8));
    let (x, y) = (load(lanes, &a, 0), load(lanes, &a, 0));
    for squares in [false, true] {
        bench(if squares { "square, a lane" } else { "product, a lane" }, 8 * 100_000, || {
            core::hint::black_box(lanes.run(Chain(x, y, 100_000, squares)));
        });
    }
    let (mut s, t) = (from_montgomery(a[0]), from_montgomery(a[1]));
    bench("blst's product", 100_000, || (0..100_000).for_each(|_| s.multiply(&t)));
    core::hint::black_box(s);
    bench("blst's inverse", 1000, || (0..1000).for_each(|_| s = s.inverse()));
    let mut generator = blstrs::G1Projective::from(<G1Affine as group::prime::PrimeCurveAffine>::generator());
    let mut sum = generator;
    let points: Vec<G1Affine> = (0..4096)
        .map(|_| {
            generator = generator.double();
            sum += generator;
            sum.to_affine()
        })
        .collect();
    for (groups, size) in [(1024, 24), (256, 32), (64, 16), (8, 8), (16, 4), (90, 45), (16, 2), (1024, 3)] {
        // Scattered, so that partial sums do not meet.
        let scattered = |i: usize| (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_mul(i as u64 + 77) >> 40;
        let member = |i: u64| Member::new(i as usize / 2 % points.len(), i % 2 == 1);
        let members: Vec<Member> = (0..groups * size).map(|i| member(scattered(i))).collect();
        let ends: Vec<usize> = (1..=groups).map(|g| g * size).collect();
        let adds = groups * (size - 1);
        bench(&format!("{groups} groups of {size}, an addition, lanes"), adds, || {
            core::hint::black_box(group_sums(lanes, &points, &members, &ends));
        });
        bench(&format!("{groups} groups of {size}, an addition, scalar"), adds, || {
            core::hint::black_box(one_by_one(&points, &members, &ends));
        });
        assert!(group_sums(lanes, &points, &members, &ends) == one_by_one(&points, &members, &ends));
    }
    print_what_chained_sums_take(lanes, &points);
    let encodings: Vec<[u8; 48]> = points.iter().map(crate::encode_g1).collect();
    bench(&format!("decoding, a point, {}", Kernel::in_use().name()), encodings.len(), || {
        core::hint::black_box(crate::decode_openings(&encodings));
    });
    bench("decoding one by one, a point", encodings.len(), || {
        assert!(encodings.iter().all(|bytes| crate::decode_opening(bytes).is_ok()));
    });
    let scalars: Vec<blstrs::Scalar> = (0..512u64).map(|i| hash_to_scalar(&i.to_be_bytes(), b"scalar")).collect();
    let halves: Vec<Digits> = scalars.iter().map(crate::glv::halves).map(|(a, b)| Digits::new([a, b])).collect();
    bench(&format!("256 points times scalars, a point, {}", Kernel::in_use().name()), 256, || {
        core::hint::black_box(crate::multiply_each(&points[..256], &scalars, crate::Threads::Current));
    });
    for count in [32, 128, 256, 512] {
        let digits: Vec<&Digits> = halves[..count].iter().collect();
        bench(&format!("{count} points times scalars, a point"), count, || {
            core::hint::black_box(multiples(lanes, &points[..count], &digits));
        });
    }
}

/// Of tables and numbers of rows that fit the caches, and of those that an import has.
fn print_what_chained_sums_take(lanes: impl Lanes, points: &[G1Affine]) {
    const STEPS: usize = 10;
    for (entries, rows) in [(32, 64), (32, 510), (points.len(), 64), (points.len(), 510)] {
        let count = rows * LANES;
        let scattered = |i: usize| (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_mul(i as u64 + 77) >> 40;
        let member = |i: usize| {
            let place = i / count * entries + scattered(i) as usize % entries;
            Member::new(place % points.len(), scattered(i) % 7 < 3)
        };
        let members: Vec<Member> = (0..STEPS * count).map(member).collect();
        bench(&format!("{rows} rows in step, {entries} entries, an addition"), count * (STEPS - 1), || {
            core::hint::black_box(chained_sums(lanes, points, &members, count));
        });
        let by_group = (0..count).flat_map(|group| (0..STEPS).map(move |step| step * count + group));
        let by_group: Vec<Member> = by_group.map(|i| members[i]).collect();
        let ends: Vec<usize> = (1..=count).map(|groups| groups * STEPS).collect();
        assert!(chained_sums(lanes, points, &members, count) == one_by_one(points, &by_group, &ends));
    }
}

#[test]
#[ignore = "measures"]
fn what_few_points_take_is_printed() {
    with_each!(lanes => {
        println!("{lanes:?}");
        print_what_few_points_take(lanes);
    });
}

fn print_what_few_points_take(lanes: impl Lanes) {
    let multiple = |i: u64| blstrs::G1Projective::generator() * blstrs::Scalar::from(i * i + 7);
    let points: Vec<G1Affine> = crate::batch_to_affine(&(0..1200u64).map(multiple).collect::<Vec<_>>());
    let scalars: Vec<blstrs::Scalar> = (0..256u64).map(|i| hash_to_scalar(&i.to_be_bytes(), b"scalar")).collect();
    let short: Vec<u128> =
        scalars.iter().map(|k| u128::from_le_bytes(k.to_bytes_le()[..16].try_into().unwrap())).collect();
    for count in [1, 4, 5, 8, 16, 32, 64, 112, 128, 256] {
        let (points, scalars, short) = (&points[..count], &scalars[..count], &short[..count]);
        let bytes: Vec<[u8; 16]> = short.iter().map(|k| k.to_le_bytes()).collect();
        bench(&format!("sum of {count}, 128 bits, lanes"), 1, || {
            core::hint::black_box(sum_of_few(lanes, points, &bytes));
        });
        let of_words: Vec<Point> = points.iter().map(Point::from).collect();
        bench(&format!("sum of {count}, 128 bits, buckets"), 1, || {
            core::hint::black_box(crate::buckets::sum(&of_words, short));
        });
        bench(&format!("sum of {count}, 128 bits, {}", Kernel::in_use().name()), 1, || {
            core::hint::black_box(crate::msm_short(points, short));
        });
        bench(&format!("sum of {count}, {}", Kernel::in_use().name()), 1, || {
            core::hint::black_box(crate::msm(points, scalars));
        });
        bench(&format!("subgroup of {count}, lanes"), 1, || {
            core::hint::black_box(in_subgroup(lanes, points));
        });
        bench(&format!("subgroup of {count}, blst"), 1, || {
            assert!(points.iter().all(crate::is_in_subgroup));
        });
    }
    for count in [250, 400, 600, 1200] {
        bench(&format!("subgroup of {count}, lanes"), 1, || {
            core::hint::black_box(in_subgroup(lanes, &points[..count]));
        });
        bench(&format!("subgroup of {count}, together"), 1, || {
            assert!(crate::subgroup::sums_in_subgroup(&points[..count]));
        });
    }
}

//! Sums of many groups of points, in affine coordinates with shared inversions.
//!
//! λ = (y_2 - y_1) / (x_2 - x_1), x_3 = λ² - x_1 - x_2, y_3 = λ (x_1 - x_3) - y_1: three products
//! and an inversion, and by Montgomery's trick the inversions of many independent additions cost
//! three products each and one inversion in common. Six products an addition, where a mixed
//! addition in Jacobian coordinates takes eleven.
//!
//! Groups are summed as trees, all trees level by level, so that every level is one long list of
//! independent additions.
//!
//! **Exact on the whole curve.** Equal points double (λ = 3x² / 2y; no point has y = 0, for the
//! curve's order is odd), opposite ones give infinity, and infinity is neutral: such a pair takes 1
//! as its denominator, so that it never spoils the product that the others share.

#![allow(clippy::indexing_slicing, reason = "members and targets are counted before they are filled")]

use blstrs::G1Affine;

use crate::affine::{ONE, sums};
use crate::ffi::fp::{BaseField, Fp, ZERO};
use crate::kernel::{self, in_lanes};
use crate::point::{Coordinates, Member, Point, spans};

/// Additions that share one inversion: enough to make it cheap, few enough to stay in a core's own
/// cache.
const SHARED: usize = 384;

/// Members below which eight lanes stay too empty to be worth their inversions.
const FEWEST_FOR_LANES: usize = 64;

/// Groups of a table's entries that are copied and summed together: with two dozen points each
/// some 300 kB.
const COPIED_GROUPS: usize = 128;

/// An addition between its two passes.
#[derive(Clone, Copy)]
struct Pending {
    /// The first point; the result, if the addition is trivial.
    first: Point,
    /// x of the second point.
    second_x: Fp,
    /// Numerator of λ.
    numerator: Fp,
    /// Denominator of λ, 1 if the addition is trivial.
    denominator: Fp,
    /// Product of the denominators before this one.
    before: Fp,
    trivial: bool,
    /// Where the sum goes.
    target: usize,
}

/// Additions into places of a list.
struct Adder<'a> {
    pending: Vec<Pending>,
    product: Fp,
    sums: &'a mut [Point],
}

impl<'a> Adder<'a> {
    fn new(sums: &'a mut [Point]) -> Self {
        Self { pending: Vec::with_capacity(SHARED), product: ONE, sums }
    }

    /// First pass: a + b is to stand at `target`.
    #[inline]
    fn add(&mut self, target: usize, a: Point, b: Point) {
        let mut pending = Pending {
            first: a,
            second_x: b.x,
            numerator: ZERO,
            denominator: ZERO,
            before: self.product,
            trivial: false,
            target,
        };
        pending.numerator.set_difference(&b.y, &a.y);
        pending.denominator.set_difference(&b.x, &a.x);
        if pending.denominator.is_zero() || a.is_infinity() || b.is_infinity() {
            exceptional(&mut pending, a, b);
        }
        self.product.multiply(&pending.denominator);
        self.pending.push(pending);
        if self.pending.len() == SHARED {
            self.finish();
        }
    }

    /// Second pass: inverts the product and walks back.
    fn finish(&mut self) {
        let mut inverse = self.product.inverse();
        for pending in self.pending.iter().rev() {
            let sum = &mut self.sums[pending.target];
            if pending.trivial {
                // Its denominator is 1.
                *sum = pending.first;
                continue;
            }
            let mut lambda = ZERO;
            lambda.set_product(&inverse, &pending.before);
            lambda.multiply(&pending.numerator);
            inverse.multiply(&pending.denominator);
            sum.x.set_square(&lambda);
            sum.x.subtract(&pending.first.x);
            sum.x.subtract(&pending.second_x);
            sum.y.set_difference(&pending.first.x, &sum.x);
            sum.y.multiply(&lambda);
            sum.y.subtract(&pending.first.y);
        }
        self.pending.clear();
        self.product = ONE;
    }
}

/// Additions whose λ is not that of two points with different x.
#[cold]
fn exceptional(pending: &mut Pending, a: Point, b: Point) {
    if !a.is_infinity() && a == b {
        pending.numerator.set_square(&a.x);
        pending.numerator.triple();
        pending.denominator.set_double(&a.y);
        return;
    }
    pending.trivial = true;
    pending.denominator = ONE;
    pending.first = match (a.is_infinity(), b.is_infinity()) {
        (true, _) => b,
        (_, true) => a,
        // Equal x, and not equal: opposite.
        _ => Point::INFINITY,
    };
}

/// The sum of each group. Group g has the members from `ends[g - 1]` (0 for the first) to
/// `ends[g]`.
pub(crate) fn group_sums<P: Coordinates>(points: &[P], members: &[Member], ends: &[usize]) -> Vec<Point> {
    match kernel::lanes() {
        Some(lanes) if members.len() >= FEWEST_FOR_LANES => {
            in_lanes!(lanes => kernel::group_sums(lanes, points, members, ends))
        }
        _ => one_by_one(points, members, ends),
    }
}

/// The sum of each group of entries of a table, given the members of all groups one after the other
/// and how many each has.
pub(crate) fn table_sums(entries: &[G1Affine], members: &[Member], lengths: &[usize]) -> Vec<G1Affine> {
    if let Some(lanes) = kernel::lanes()
        && members.len() >= FEWEST_FOR_LANES
    {
        let ends: Vec<usize> = lengths
            .iter()
            .scan(0, |end, length| {
                *end += length;
                Some(*end)
            })
            .collect();
        let sums = in_lanes!(lanes => kernel::group_sums(lanes, entries, members, &ends));
        return sums.into_iter().map(G1Affine::from).collect();
    }
    let (mut results, mut rest, mut points) = (Vec::with_capacity(lengths.len()), members, Vec::new());
    for lengths in lengths.chunks(COPIED_GROUPS) {
        let (block, later) = rest.split_at(lengths.iter().sum());
        rest = later;
        // Copying does nothing else, so that the processor has many of its cache misses under way
        // at once.
        points.clear();
        points.extend(block.iter().map(|member| entries[member.place()]));
        for (point, _) in points.iter_mut().zip(block).filter(|(_, member)| member.is_negative()) {
            *point = -*point;
        }
        results.extend(sums(&mut points, lengths));
    }
    results
}

/// The sum of each of `count` groups of entries of a table, given the members of all groups one
/// step after the other, those of a step in the order of the groups: for steps that read a part of
/// the table each.
pub(crate) fn chained_sums(entries: &[G1Affine], members: &[Member], count: usize) -> Vec<G1Affine> {
    if let Some(lanes) = kernel::lanes()
        && count >= FEWEST_FOR_LANES
    {
        let sums = in_lanes!(lanes => kernel::chained_sums(lanes, entries, members, count));
        return sums.into_iter().map(G1Affine::from).collect();
    }
    let steps = members.len().checked_div(count).unwrap_or(0);
    let by_group = (0..count).flat_map(|group| (0..steps).map(move |step| members[step * count + group]));
    table_sums(entries, &by_group.collect::<Vec<_>>(), &vec![steps; count])
}

/// [`group_sums`] without the kernel.
pub(crate) fn one_by_one<P: Coordinates>(points: &[P], members: &[Member], ends: &[usize]) -> Vec<Point> {
    let (mut level, mut level_ends) = pair_up(ends, |place| members[place].of(points));
    while spans(&level_ends).any(|(start, end)| end - start > 1) {
        (level, level_ends) = pair_up(&level_ends, |place| level[place]);
    }
    spans(&level_ends).map(|(start, end)| if start < end { level[start] } else { Point::INFINITY }).collect()
}

/// One level of the trees: neighbours are added, an odd one is kept. The points and the ends of the
/// next level.
fn pair_up(ends: &[usize], point: impl Fn(usize) -> Point) -> (Vec<Point>, Vec<usize>) {
    let mut count = 0;
    let next_ends: Vec<usize> = spans(ends)
        .map(|(start, end)| {
            count += (end - start).div_ceil(2);
            count
        })
        .collect();
    let mut sums = vec![Point::INFINITY; count];
    let mut adder = Adder::new(&mut sums);
    let mut target = 0;
    for (start, end) in spans(ends) {
        for place in (start..end).step_by(2) {
            if place + 1 < end {
                adder.add(target, point(place), point(place + 1));
            } else {
                adder.sums[target] = point(place);
            }
            target += 1;
        }
    }
    adder.finish();
    (sums, next_ends)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::decode_opening;
    use crate::kernel::{Portable, with_each};
    use blstrs::G1Projective;
    use group::{Curve, Group};
    use quickcheck::quickcheck;

    /// A handful of points that meet each other: multiples of the generator, infinity, a point with
    /// x = 0 (order 3), points outside the subgroup.
    fn points() -> Vec<G1Affine> {
        let generator = G1Projective::generator();
        let multiples = (0..5).scan(G1Projective::identity(), |sum, _| {
            let multiple = *sum;
            *sum += generator;
            Some(multiple.to_affine())
        });
        let outside = (0u8..).filter_map(|byte| {
            let mut bytes = [0; 48];
            (bytes[0], bytes[47]) = (0x80, byte);
            decode_opening(&bytes).ok()
        });
        let mut points: Vec<G1Affine> = multiples.chain(outside.take(3)).collect();
        points.push(three_torsion());
        points
    }

    /// (0, 2).
    fn three_torsion() -> G1Affine {
        let mut two = ZERO;
        two.set_double(&ONE);
        let point = Point { x: ZERO, y: two }.into();
        assert!(bool::from(G1Affine::is_on_curve(&point)));
        point
    }

    /// The sums by every kernel that there is here, which must be the same.
    fn by_all_kernels(points: &[Point], members: &[Member], ends: &[usize]) -> Vec<Point> {
        let sums = one_by_one(points, members, ends);
        assert_eq!(kernel::group_sums(Portable, points, members, ends), sums);
        assert_eq!(group_sums(points, members, ends), sums);
        with_each!(lanes => assert_eq!(kernel::group_sums(lanes, points, members, ends), sums));
        sums
    }

    /// Groups of signed members, each a place and a sign.
    fn law(groups: Vec<Vec<(u8, bool)>>) -> bool {
        let affine = points();
        let list: Vec<Point> = affine.iter().map(Point::from).collect();
        let place = |number: u8| usize::from(number) % list.len();
        let members: Vec<Member> =
            groups.iter().flatten().map(|(number, negative)| Member::new(place(*number), *negative)).collect();
        let ends: Vec<usize> = groups
            .iter()
            .scan(0, |end, group| {
                *end += group.len();
                Some(*end)
            })
            .collect();
        let sums = by_all_kernels(&list, &members, &ends);
        let expected = groups.iter().map(|group| {
            group.iter().fold(G1Projective::identity(), |sum, (number, negative)| {
                let point = affine[place(*number)];
                if *negative { sum - point } else { sum + point }
            })
        });
        sums.len() == groups.len()
            && sums.into_iter().zip(expected).all(|(sum, e)| G1Affine::from(sum) == e.to_affine())
    }

    quickcheck! {
        fn sums_of_groups_are_what_single_additions_give(groups: Vec<Vec<(u8, bool)>>) -> bool {
            law(groups)
        }
    }

    #[test]
    fn every_pair_of_special_points_adds_up() {
        for a in 0..points().len() as u8 {
            for b in 0..points().len() as u8 {
                assert!(law(vec![
                    vec![(a, false), (b, false)],
                    vec![(a, true), (b, false)],
                    vec![(a, true), (b, true)]
                ]));
            }
        }
    }

    #[test]
    fn more_additions_than_share_an_inversion_add_up() {
        let groups = (0..3 * SHARED).map(|i| vec![(i as u8, false), ((i / 7) as u8, i % 3 == 0), (1, false)]).collect();
        assert!(law(groups));
        assert!(law(vec![vec![(1, false); 5 * SHARED]]));
    }

    #[test]
    fn every_group_of_four_special_points_adds_up() {
        let list: Vec<Point> = points().iter().map(Point::from).collect();
        let signed: Vec<Member> = (0..2 * list.len()).map(|number| Member::new(number / 2, number % 2 == 1)).collect();
        let of = |number: usize, digit: u32| signed[number / signed.len().pow(digit) % signed.len()];
        let groups = signed.len().pow(4);
        let members: Vec<Member> = (0..groups)
            .flat_map(|group| (0..4).map(move |digit| (group, digit)))
            .map(|(group, digit)| of(group, digit))
            .collect();
        let ends: Vec<usize> = (1..=groups).map(|group| 4 * group).collect();
        let sums = by_all_kernels(&list, &members, &ends);
        let few: Vec<G1Projective> = signed.iter().map(|member| G1Affine::from(member.of(&list)).into()).collect();
        for (group, sum) in sums.into_iter().enumerate().step_by(7) {
            let expected: G1Projective = (0..4).map(|digit| few[group / few.len().pow(digit) % few.len()]).sum();
            assert_eq!(G1Affine::from(sum), expected.to_affine(), "group {group}");
        }
    }

    #[test]
    fn groups_in_step_add_up_for_special_points_and_many_steps() {
        let affine = points();
        let list: Vec<Point> = affine.iter().map(Point::from).collect();
        // Of some groups all members are equal, so that sums double and come to infinity; more
        // steps than there are levels between two reductions.
        let places = list.len();
        let member = move |step: usize, group: usize| match group % 4 {
            0 => Member::new(group / 4 % places, step % 3 == 2),
            1 => Member::new(1, false),
            _ => Member::new((step * step + group) % places, (step + group).is_multiple_of(3)),
        };
        // Even and odd numbers of rows of eight.
        for (steps, count) in [(0, 5), (1, 9), (2, 70), (45, 3), (45, 70), (20, 80)] {
            let members: Vec<Member> =
                (0..steps).flat_map(|step| (0..count).map(move |group| member(step, group))).collect();
            let by_group: Vec<Member> =
                (0..count).flat_map(|group| (0..steps).map(move |step| member(step, group))).collect();
            let ends: Vec<usize> = (1..=count).map(|groups| groups * steps).collect();
            let sums = one_by_one(&list, &by_group, &ends);
            assert_eq!(kernel::chained_sums(Portable, &list, &members, count), sums);
            with_each!(lanes => assert_eq!(kernel::chained_sums(lanes, &list, &members, count), sums));
            let expected: Vec<G1Affine> = sums.into_iter().map(G1Affine::from).collect();
            assert_eq!(chained_sums(&affine, &members, count), expected);
        }
        // All members are a rest then.
        let members = [Member::new(0, false); 3];
        assert_eq!(kernel::chained_sums(Portable, &list, &members, 0), []);
        with_each!(lanes => assert_eq!(kernel::chained_sums(lanes, &list, &members, 0), []));
        assert_eq!(chained_sums(&affine, &members, 0), []);
    }

    #[test]
    fn groups_of_very_different_sizes_add_up() {
        let sizes = [0, 1, 127, 128, 129, 0, 3000, 2, 5, 1000, 128 * 128 + 1, 0];
        let groups = sizes.iter().map(|size| (0..*size).map(|i| ((i * i % 251) as u8, i % 5 == 0)).collect());
        assert!(law(groups.collect()));
        assert!(law(vec![]));
        assert!(law(vec![vec![]; 20]));
    }
}

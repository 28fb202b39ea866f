//! Comparisons: honest ones are accepted and are those of the slow twin; exactly the true ones can
//! be made; what is changed is refused; and what is seen of them is as well that of other rows.
#![allow(clippy::unwrap_used, reason = "a broken premise must stop a test")]

mod scene;

use aardvark_aggregates::comparison::prover::ComparisonProverError;
use aardvark_aggregates::comparison::{Side, comparison_bytes, naive};
use aardvark_aggregates::fold::{challenge, challenges};
use aardvark_aggregates::{Comparison, ComparisonError, ComparisonMasks, KnownSegment};
use aardvark_algebra::ff::Field;
use aardvark_algebra::fft::naive::evaluate;
use aardvark_algebra::{Domain, Scalar, TaggedHash};
use aardvark_commitment::{Commitment, Opening};
use scene::compared::{Compared, Run};
use scene::{setup, tau};

use Side::{AtLeast, AtMost};

fn runs() -> Vec<Run> {
    vec![
        (5, 1, vec![3, 3, 7]),
        (5, 9, vec![5, 200, 255, 255]),
        (4, 1, (0..12).map(|i| i * 20).collect()),
        (3, 4, vec![9]),
    ]
}

#[test]
fn honest_comparisons_are_accepted_and_are_those_of_the_slow_twin() {
    let all: Vec<_> = (0..12).map(|row| (2, row, AtLeast, 0)).collect();
    for (bits, wanted) in [
        (8, vec![(0, 0, AtLeast, 3)]),
        (8, vec![(0, 0, AtLeast, 0), (1, 0, AtLeast, 0), (2, 0, AtLeast, 0), (3, 0, AtLeast, 0)]),
        (8, vec![(0, 1, AtMost, 8), (0, 2, AtLeast, 7), (1, 1, AtLeast, 7), (2, 1, AtMost, 20), (3, 0, AtMost, 9)]),
        (64, vec![(3, 0, AtMost, u64::MAX), (3, 0, AtLeast, 0)]),
        (8, all),
    ] {
        let scene = Compared::new(bits, &runs(), &wanted);
        let shown = scene.shown();
        assert_eq!(scene.verdict(&scene.items, &shown), Ok(true), "{bits} {wanted:?}");
        let slow =
            naive::prove(setup(), bits, &scene.answer_seed, 0, &scene.items, &scene.known(), &scene.masks).unwrap();
        assert_eq!(slow, shown.0, "{bits} {wanted:?}");
        let bytes = slow.to_bytes();
        assert_eq!(bytes.len(), comparison_bytes(bits, wanted.len()));
        assert_eq!(Comparison::from_bytes(&bytes, bits, wanted.len()), Ok(slow));
    }
    assert_eq!(comparison_bytes(32, 20), (32 + 20 + 1) * 48 + (32 + 20) * 32);
}

#[test]
fn only_what_is_true_has_a_comparison() {
    for (row, number) in [(0, 5), (1, 200), (3, 255)] {
        for threshold in [0, 4, 5, 6, 199, 200, 201, 254, 255, 256, u64::MAX] {
            for (side, holds) in [(AtLeast, number >= threshold), (AtMost, number <= threshold)] {
                let scene = Compared::new(64, &runs(), &[(0, 0, AtMost, 3), (1, row, side, threshold)]);
                match scene.prove() {
                    Ok(_) => assert!(holds, "{number} {side:?} {threshold}"),
                    Err(error) => {
                        assert_eq!(error, ComparisonProverError::Side(1));
                        assert!(!holds, "{number} {side:?} {threshold}");
                    }
                }
            }
        }
    }
    // Farther than the bits reach.
    let far = Compared::new(7, &runs(), &[(1, 1, AtLeast, 0)]);
    assert_eq!(far.prove().err(), Some(ComparisonProverError::Side(0)));
}

#[test]
fn each_change_of_what_is_compared_is_refused() {
    let scene = Compared::new(8, &runs(), &[(0, 2, AtLeast, 7), (1, 1, AtMost, 200), (2, 3, AtLeast, 60)]);
    let shown = scene.shown();
    assert_eq!(scene.changed(&shown, &|_| ()), Ok(true));
    for k in 0..3 {
        let false_one = Ok(false);
        assert_eq!(scene.changed(&shown, &|items| items[k].threshold += 1), false_one);
        assert_eq!(scene.changed(&shown, &|items| items[k].threshold -= 1), false_one);
        assert_eq!(scene.changed(&shown, &|items| items[k].position -= 1), false_one);
        assert_eq!(scene.changed(&shown, &|items| items[k].run += 1), false_one);
        assert_eq!(scene.changed(&shown, &|items| items[k].segment += 1), false_one);
        assert_eq!(scene.changed(&shown, &|items| items[k].record.root[0] ^= 1), false_one);
        if k < 2 {
            assert_eq!(scene.changed(&shown, &|items| items[k].record.rows += 1), false_one);
        }
        assert_eq!(scene.changed(&shown, &|items| items[k].record.log = 5 - items[k].record.log / 5), false_one);
        let other = |items: &mut Vec<_>| {
            let items: &mut [aardvark_aggregates::ComparedRow] = items;
            items[k].record.values = items[(k + 1) % 3].record.values;
        };
        assert_eq!(scene.changed(&shown, &other), false_one);
        let turn = |items: &mut Vec<aardvark_aggregates::ComparedRow>| {
            items[k].side = if items[k].side == AtLeast { AtMost } else { AtLeast };
        };
        assert_eq!(scene.changed(&shown, &turn), false_one);
        // What is no row.
        let rows = Err(ComparisonError::Rows);
        assert_eq!(scene.changed(&shown, &|items| items[k].record.rows = 0), rows);
        assert_eq!(scene.changed(&shown, &|items| items[k].position = 0), rows);
        assert_eq!(scene.changed(&shown, &|items| items[k].position = 15), rows);
        assert_eq!(scene.changed(&shown, &|items| items[k].record.log = 12), rows);
        assert_eq!(scene.changed(&shown, &|items| items[k].record.first = u16::MAX), rows);
    }
    assert_eq!(scene.changed(&shown, &|items| items.swap(0, 1)), Ok(false));
    assert_eq!(scene.changed(&shown, &|items| items.clear()), Err(ComparisonError::Rows));
    assert_eq!(scene.changed(&shown, &|items| items.truncate(2)), Err(ComparisonError::Shape));
    let many = vec![scene.items[0].clone(); 1023];
    assert_eq!(scene.verdict(&many, &shown), Err(ComparisonError::Rows));
    assert_eq!(Comparison::from_bytes(&[], 8, 1023), Err(ComparisonError::Rows));
}

#[test]
fn each_changed_byte_of_a_comparison_is_refused() {
    let scene = Compared::new(8, &runs(), &[(0, 2, AtLeast, 7), (3, 0, AtMost, 200)]);
    let (honest, opening) = scene.shown();
    let bytes = honest.to_bytes();
    for place in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[place] ^= 1;
        if let Ok(changed) = Comparison::from_bytes(&changed, 8, 2) {
            assert_eq!(scene.verdict(&scene.items, &(changed, opening)), Ok(false), "{place}");
        }
    }
    for length in 0..bytes.len() {
        let expected = comparison_bytes(8, 2);
        let error = Err(ComparisonError::Length { found: length, expected });
        assert_eq!(Comparison::from_bytes(&bytes[..length], 8, 2), error);
    }
    // Two points or two scalars in each other's place.
    let mut exchanged = honest.clone();
    exchanged.values.swap(0, 1);
    assert_eq!(scene.verdict(&scene.items, &(exchanged, opening)), Ok(false));
    let mut exchanged = honest;
    exchanged.masks.swap(0, 1);
    assert_eq!(scene.verdict(&scene.items, &(exchanged, opening)), Ok(false));
}

/// The value at x of the polynomial with these values on its domain.
fn at(vector: &[Scalar], x: Scalar) -> Scalar {
    evaluate(&Domain::new(vector.len()).unwrap().ifft(vector), &x)
}

/// Z(x) of the domain of this size.
fn vanishing(size: usize, x: Scalar) -> Scalar {
    let domain = Domain::new(size).unwrap();
    let masks = (x - domain.inverse_element(2)) * (x - domain.inverse_element(1));
    (x.pow_vartime([size as u64]) - Scalar::ONE) * masks.invert().unwrap()
}

/// The coefficients of the polynomial of degree 2 with these values.
fn through(points: [(Scalar, Scalar); 3]) -> [Scalar; 3] {
    let mut sum = [Scalar::ZERO; 3];
    for (i, (x, y)) in points.iter().enumerate() {
        let [(a, _), (b, _)] = [points[(i + 1) % 3], points[(i + 2) % 3]];
        let scale = *y * ((x - a) * (x - b)).invert().unwrap();
        sum = [sum[0] + scale * a * b, sum[1] - scale * (a + b), sum[2] + scale];
    }
    sum
}

/// The vector with 1 at a position.
fn unit(size: usize, position: usize) -> Vec<Scalar> {
    let mut vector = vec![Scalar::ZERO; size];
    vector[position] = Scalar::ONE;
    vector
}

fn values_vector(segment: &KnownSegment, size: usize) -> Vec<Scalar> {
    let number = |i: usize| i.checked_sub(segment.first).and_then(|i| segment.numbers.get(i)).copied().unwrap_or(0);
    (0..size - 2).map(|i| Scalar::from(number(i))).chain(segment.values_masks).collect()
}

/// What a verifier sees of rows does not depend on them: a comparison of some rows, with its
/// opening, is, bit for bit, that of other rows with other masks, which can be computed. The
/// trapdoor is needed to compute them, not for them to exist.
#[test]
fn forgery_f_a_comparison_is_as_well_one_of_other_rows() {
    let (size, small) = (8, 4);
    let one = Compared::new(8, &[(3, 2, vec![30, 90])], &[(0, 1, AtLeast, 50)]);
    let (shown, opening) = one.shown();
    let tau = tau();

    // Other rows under the same commitment: the second mask makes up for them.
    let mut segment = KnownSegment { numbers: vec![7, 200], ..one.segments[0].clone() };
    let missing = at(&values_vector(&one.segments[0], size), tau) - at(&values_vector(&segment, size), tau);
    segment.values_masks[1] += missing * at(&unit(size, 7), tau).invert().unwrap();
    let record = segment.commit(setup().sheet(3).unwrap(), [9; 32]);
    assert_eq!(record.values, one.items[0].record.values);

    // The challenges of the comparison, which are to be the same.
    let seed = |tag, before: &[u8], bytes: Vec<u8>| TaggedHash::new(tag).chain(before).chain(bytes).finalize();
    let number = [0u32.to_be_bytes().to_vec(), one.items[0].to_bytes()].concat();
    let c0 = seed("AARDVARK-V1-COMPARISON", &one.answer_seed, number);
    let fixed: Vec<u8> = shown.bits.iter().chain(&shown.masks).flat_map(Opening::to_bytes).collect();
    let s1 = seed("AARDVARK-V1-COMPARISON-BITS", &c0, fixed);
    let s2 = seed("AARDVARK-V1-COMPARISON-QUOTIENT", &s1, shown.quotient.to_bytes().to_vec());
    let zeta = challenge(&s2, 0);
    let kappa = *Domain::new(size).unwrap().powers().get(3).unwrap();

    // Bits: two masks, seen at τ and at ζ.
    let bit_vector = |number: u64, j: usize, masks: [Scalar; 2]| -> Vec<Scalar> {
        [Scalar::from(number >> j & 1), Scalar::ZERO].into_iter().chain(masks).collect()
    };
    let mut masks = ComparisonMasks { bits: Vec::new(), rows: Vec::new() };
    for j in 0..8 {
        let seen =
            |x| at(&bit_vector(90 - 50, j, one.masks.bits[j]), x) - at(&bit_vector(200 - 50, j, [Scalar::ZERO; 2]), x);
        let mask = |which: usize, x| at(&unit(small, small - 2 + which), x);
        let (a, b, c, d) = (mask(0, tau), mask(1, tau), mask(0, zeta), mask(1, zeta));
        let scale = (a * d - b * c).invert().unwrap();
        let (p, q) = (seen(tau), seen(zeta));
        masks.bits.push([(p * d - b * q) * scale, (a * q - p * c) * scale]);
    }

    // R is seen at τ, in v at κζ, and in Q at κτ.
    let mask = |x: Scalar| evaluate(&one.masks.rows[0], &x);
    let rest = |x: Scalar| {
        let missing = at(&values_vector(&one.segments[0], size), x) - at(&values_vector(&segment, size), x);
        mask(x) + missing * vanishing(size, x).invert().unwrap()
    };
    let (here, there) = (kappa * zeta, kappa * tau);
    masks.rows.push(through([(tau, mask(tau)), (here, rest(here)), (there, rest(there))]));

    let other = Compared { segments: vec![segment], items: one.items.clone(), masks, ..one };
    let again = other.shown();
    assert_eq!(again.0.to_bytes(), shown.to_bytes());
    assert_eq!(again.1.to_bytes(), opening.to_bytes());
}

#[test]
fn forgery_f_each_item_has_a_mask_and_each_challenge_its_own() {
    let scene = Compared::new(8, &runs(), &[(1, 2, AtLeast, 7), (1, 3, AtLeast, 7)]);
    let (shown, _) = scene.shown();
    // Equal rows of one run, with equal thresholds: nothing of the two items is equal.
    assert_ne!(shown.masks[0].to_bytes(), shown.masks[1].to_bytes());
    assert_ne!(shown.values[0], shown.values[1]);
    let bits: std::collections::BTreeSet<[u8; 48]> = shown.bits.iter().map(Opening::to_bytes).collect();
    assert_eq!(bits.len(), 8);
    let seed = [1; 32];
    assert_eq!(challenges(&seed, 9)[8], challenge(&seed, 8));
    assert_ne!(Commitment::identity().to_bytes(), shown.masks[0].to_bytes());
}

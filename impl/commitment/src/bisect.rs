//! Which items of a batch are false, when all one can ask is whether *all* items of a slice are
//! true.
//!
//! Halves that pass are left alone, so one false item among n costs about 2 log2 n checks, on
//! slices whose lengths sum to about 2n.
//!
//! Where what is checked is a sum over the slice ([`find_false_by_sums`]), the right half's sum is
//! the difference of two known ones, and a right half whose left half passes need not be checked:
//! one false item costs log2 n checks, on sums over at most n items together.

use std::ops::Range;

/// Positions of the false items, ascending. `all_true` answers for a slice; on a single item it
/// must be exact.
pub fn find_false<T>(items: &[T], all_true: impl Fn(&[T]) -> bool) -> Vec<usize> {
    let mut found = Vec::new();
    // Slices still to check, the leftmost on top.
    let mut open = vec![(0, items)];
    while let Some((start, slice)) = open.pop() {
        if all_true(slice) {
            continue;
        }
        if slice.len() <= 1 {
            found.push(start);
            continue;
        }
        let middle = slice.len() / 2;
        let (left, right) = slice.split_at(middle);
        open.push((start + middle, right));
        open.push((start, left));
    }
    found
}

/// Position of the first false item.
pub fn first_false<T>(items: &[T], all_true: impl Fn(&[T]) -> bool) -> Option<usize> {
    if all_true(items) {
        return None;
    }
    // `slice` holds the first false item; everything before `start` is true.
    let (mut start, mut slice) = (0, items);
    while slice.len() > 1 {
        let middle = slice.len() / 2;
        let (left, right) = slice.split_at(middle);
        if all_true(left) {
            start += middle;
            slice = right;
        } else {
            slice = left;
        }
    }
    Some(start)
}

/// Positions of the false ones among `count` items, ascending, the first `most` of them at least;
/// `total` is the sum over all, known not to hold.
///
/// `sum` adds up a range, `holds` tells whether a sum is one of true items, and sums of true items
/// are neutral: if a + b does not hold and a does, b does not.
pub fn find_false_by_sums<S>(
    count: usize,
    total: S,
    sum: impl Fn(Range<usize>) -> S,
    minus: impl Fn(&S, &S) -> S,
    holds: impl Fn(&S) -> bool,
    most: usize,
) -> Vec<usize> {
    let mut found = Vec::new();
    // Ranges with their sums, the leftmost on top; those that are not known to fail are checked
    // when their turn comes.
    let mut open = vec![(0..count, total, true)];
    while let Some((range, total, known_false)) = open.pop() {
        if found.len() == most {
            break;
        }
        if range.is_empty() || (!known_false && holds(&total)) {
            continue;
        }
        if range.len() == 1 {
            found.push(range.start);
            continue;
        }
        let middle = range.start + range.len() / 2;
        let left = sum(range.start..middle);
        let right = minus(&total, &left);
        let left_holds = holds(&left);
        open.push((middle..range.end, right, left_holds));
        if !left_holds {
            open.push((range.start..middle, left, true));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    quickcheck! {
        fn it_finds_exactly_the_false_items(items: Vec<bool>) -> bool {
            let expected: Vec<usize> = (0..items.len()).filter(|i| !items[*i]).collect();
            find_false(&items, |part| part.iter().all(|item| *item)) == expected
        }

        fn it_finds_the_first_false_item(items: Vec<bool>) -> bool {
            let expected = items.iter().position(|item| !item);
            first_false(&items, |part| part.iter().all(|item| *item)) == expected
        }
    }

    /// Items as errors, 0 for a true one; the checks and the items that were summed.
    fn by_sums(errors: &[i64], most: usize) -> (Vec<usize>, usize, usize) {
        let (checks, summed) = (core::cell::Cell::new(0), core::cell::Cell::new(0));
        let total: i64 = errors.iter().sum();
        if total == 0 {
            return (Vec::new(), 0, 0);
        }
        let sum = |range: Range<usize>| {
            summed.set(summed.get() + range.len());
            errors[range].iter().sum()
        };
        let holds = |sum: &i64| {
            checks.set(checks.get() + 1);
            *sum == 0
        };
        let found = find_false_by_sums(errors.len(), total, sum, |a, b| a - b, holds, most);
        (found, checks.get(), summed.get())
    }

    quickcheck! {
        fn by_sums_the_false_items_are_the_same(items: Vec<bool>, most: usize) -> bool {
            // All errors are positive, so that none cancel, as random coefficients see to.
            let errors: Vec<i64> = items.iter().zip(1..).map(|(item, error)| if *item { 0 } else { error }).collect();
            let mut expected: Vec<usize> = (0..items.len()).filter(|i| !items[*i]).collect();
            let all = by_sums(&errors, usize::MAX).0 == expected;
            let most = 1 + most % 5;
            expected.truncate(most);
            all && by_sums(&errors, most).0 == expected
        }
    }

    #[test]
    fn by_sums_one_false_item_among_a_thousand_costs_ten_checks_and_one_more_pass() {
        for place in [0, 617, 999] {
            let mut errors = vec![0; 1000];
            errors[place] = 1;
            let (found, checks, summed) = by_sums(&errors, 1);
            assert_eq!(found, [place]);
            assert!(checks <= 10, "{checks} checks");
            assert!(summed <= 1000, "{summed} items");
        }
    }

    #[test]
    fn one_false_item_among_a_thousand_costs_few_checks() {
        let mut items = vec![true; 1000];
        items[617] = false;
        let checks = core::cell::Cell::new(0);
        let count = |part: &[bool]| {
            checks.set(checks.get() + 1);
            part.iter().all(|item| *item)
        };
        assert_eq!(find_false(&items, count), [617]);
        assert!(checks.get() <= 21, "{} checks", checks.get());
        checks.set(0);
        assert_eq!(first_false(&items, count), Some(617));
        assert!(checks.get() <= 11, "{} checks", checks.get());
    }
}

//! Which items of a batch are false, when all one can ask is whether *all* items of a slice are true.
//!
//! Halves that pass are left alone, so one false item among n costs about 2 log2 n checks, on slices whose lengths sum to about 2n.

/// Positions of the false items, ascending. `all_true` answers for a slice; on a single item it must be exact.
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

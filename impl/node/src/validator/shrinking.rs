//! Makes a proposal that is refused here again with fewer transactions, until it is accepted or
//! nothing is left.
//!
//! No rule of the chain makes this necessary: a proposal holds what was found good. It is there so
//! that an error in proposing costs single transactions, and not every block in which a validator
//! has the word.

use std::collections::BTreeSet;

/// How often a proposal is made at most: enough to isolate several of tens of thousands of
/// transactions.
const ATTEMPTS: usize = 64;

/// What the judge says of one proposal.
pub(super) enum Attempt<T> {
    /// It is accepted.
    Good(T),
    /// It holds no transaction.
    Empty,
    /// It is refused.
    Refused {
        /// Which candidates it holds.
        included: Vec<usize>,
        /// The one that the reason names.
        offender: Option<usize>,
    },
}

/// Proposes until the judge accepts. `propose` is given the candidates to do without and the most
/// transactions to hold.
///
/// A candidate that a refusal names is left out. Where none is named, half as many are proposed;
/// one that is refused alone is left out, and the rest proposed again.
pub(super) fn shrink<T>(mut propose: impl FnMut(&BTreeSet<usize>, usize) -> Attempt<T>) -> Option<T> {
    let (mut without, mut most) = (BTreeSet::new(), usize::MAX);
    for _ in 0..ATTEMPTS {
        match propose(&without, most) {
            Attempt::Good(good) => return Some(good),
            Attempt::Empty => return None,
            Attempt::Refused { offender: Some(offender), .. } if without.insert(offender) => {}
            Attempt::Refused { included, .. } => match included.as_slice() {
                [alone] => {
                    without.insert(*alone);
                    most = usize::MAX;
                }
                several => most = several.len() / 2,
            },
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is accepted of so many candidates by a judge who refuses some of them, naming one or
    /// not, and after how many attempts.
    fn accepted(count: usize, bad: &[usize], names: bool) -> (Option<Vec<usize>>, usize) {
        let mut attempts = 0;
        let settled = shrink(|without, most| {
            attempts += 1;
            let included: Vec<_> = (0..count).filter(|index| !without.contains(index)).take(most).collect();
            let offender = included.iter().copied().find(|index| bad.contains(index));
            match offender {
                _ if included.is_empty() => Attempt::Empty,
                None => Attempt::Good(included),
                Some(_) => Attempt::Refused { included, offender: offender.filter(|_| names) },
            }
        });
        (settled, attempts)
    }

    #[test]
    fn what_is_accepted_is_proposed_once_and_whole() {
        assert_eq!(accepted(5, &[], false), (Some(vec![0, 1, 2, 3, 4]), 1));
        assert_eq!(accepted(0, &[], false), (None, 1));
    }

    #[test]
    fn candidates_that_are_named_are_left_out() {
        assert_eq!(accepted(5, &[1, 3], true), (Some(vec![0, 2, 4]), 3));
    }

    #[test]
    fn where_none_is_named_some_block_is_found_and_the_first_is_no_stumbling_block() {
        assert_eq!(accepted(8, &[5], false).0, Some(vec![0, 1, 2, 3]));
        assert_eq!(accepted(8, &[0], false).0, Some(vec![1, 2, 3, 4, 5, 6, 7]));
        assert_eq!(accepted(8, &[0, 1, 2], false).0, Some(vec![3, 4, 5, 6, 7]));
        let (settled, attempts) = accepted(60_000, &[0, 1], false);
        assert_eq!(settled.map(|included| included.len()), Some(59_998));
        assert!(attempts < ATTEMPTS, "{attempts}");
    }

    #[test]
    fn who_refuses_everything_is_asked_only_so_often() {
        let all: Vec<_> = (0..1_000).collect();
        assert_eq!(accepted(1_000, &all, false), (None, ATTEMPTS));
        assert_eq!(accepted(3, &[0, 1, 2], false).0, None);
    }
}

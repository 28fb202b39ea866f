//! Folded openings of vectors with tables of multiples, beside those by coefficients.

#![allow(clippy::unwrap_used, reason = "a broken premise must stop a test")]

use aardvark_aggregates::ProverSetup;
use aardvark_aggregates::vector_fold::{VectorSum, fold_vectors};
use aardvark_algebra::{Scalar, hash_to_scalar};

fn vector(number: u64, length: usize) -> Vec<Scalar> {
    (0..length as u64).map(|i| hash_to_scalar(&(100 * number + i).to_be_bytes(), b"vectors")).collect()
}

#[test]
fn openings_with_tables_are_those_without() {
    let (slow, fast) = (ProverSetup::ethereum(None).unwrap(), ProverSetup::ethereum(None).unwrap().with_tables());
    let both = |element: usize, opened: &[VectorSum]| {
        let [slow, fast] = [&slow, &fast].map(|setup| fold_vectors(setup, &[7; 32], element, opened).unwrap());
        assert_eq!(slow, fast, "{element}, {} claims", opened.len());
        slow
    };
    // One vector at each kind of place; a short one; several claims on several domains at 1.
    for element in [0, 1, 5, 7] {
        assert!(both(element, &[vec![(3, vector(1, 8))]]).is_some());
        assert!(both(element, &[vec![(3, vector(1, 2))], vec![(3, vector(2, 8))]]).is_some());
        // Few numbers, the opened one among them, zero, or behind them.
        let mut few = vec![Scalar::from(0); 32];
        (few[5], few[7], few[30]) = (Scalar::from(9), Scalar::from(element as u64), -Scalar::from(1));
        assert!(both(element, &[vec![(5, few)]]).is_some());
        assert!(both(element, &[vec![(5, vector(1, 3))]]).is_some());
    }
    let several = [vec![(3, vector(1, 8)), (5, vector(2, 32))], vec![(4, vector(3, 16))], vec![(5, vector(4, 31))]];
    let opening = both(0, &several).unwrap();
    assert_ne!(Some(opening), both(0, &several[..2]));
    // One number in two domains is two points; what is beyond a domain is none of its elements.
    assert_eq!(both(1, &several), None);
    assert_eq!(both(8, &[vec![(3, vector(1, 8))]]), None);
    assert_eq!(both(0, &[vec![(3, vector(1, 9))]]), None);
    assert_eq!(both(0, &[]), None);
    assert_eq!(both(0, &[vec![]]), None);
    assert!(fold_vectors(&fast, &[7; 32], 0, &[vec![(2, vector(1, 4))]]).is_err(), "no sheet is so small");
}

//! With tables, a vector that is not full is opened by its scalars alone: beside the opening by all
//! values of its quotient, and beside the definition.

#![allow(clippy::unwrap_used, reason = "a broken premise must stop a test")]

mod common;

use aardvark_algebra::Scalar;
use aardvark_commitment::kzg::DEFAULT_TABLE_BYTES;
use aardvark_commitment::{VectorCommitment, insecure};
use common::{scalar, secret};

/// N: at most twelve scalars are few.
const SIZE: usize = 16;

#[test]
fn a_vector_of_any_length_is_opened_as_without_tables() {
    let plain = insecure::kzg_with_known_tau(SIZE, secret()).unwrap();
    let tables = insecure::kzg_with_known_tau(SIZE, secret()).unwrap().with_tables(DEFAULT_TABLE_BYTES).unwrap();
    assert!(tables.tables().unwrap().shape().is_some());
    for length in 0..=SIZE {
        let mut vector: Vec<Scalar> = (0..length as u64).map(scalar).collect();
        vector.iter_mut().step_by(5).for_each(|number| *number = Scalar::from(0));
        for index in 0..SIZE {
            let opening = plain.open(&vector, index).unwrap();
            assert_eq!(tables.open(&vector, index), Ok(opening), "{length} scalars, at {index}");
            let at = vector.get(index).copied().unwrap_or_default();
            assert!(tables.verify(&plain.commit(&vector).unwrap(), index, &at, &opening));
        }
        let indices: Vec<usize> = (0..SIZE).rev().collect();
        assert_eq!(tables.open_many(&vector, &indices), plain.open_many(&vector, &indices), "{length} scalars");
    }
    assert!(tables.open(&vec![Scalar::from(1); SIZE + 1], 0).is_err());
    assert!(tables.open(&[Scalar::from(1)], SIZE).is_err());
}

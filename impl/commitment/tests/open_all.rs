//! All openings of a vector at once, and some of them.

mod common;

use aardvark_algebra::Scalar;
use aardvark_commitment::{Ceremony, Kzg, Opening, VectorCommitment, insecure, naive};
use common::{AnyVector, scalar, schemes, secret};
use quickcheck::quickcheck;

#[test]
fn all_openings_at_once_are_the_single_openings_for_every_size_to_64() {
    for size in [1, 2, 4, 8, 16, 32, 64] {
        let vectors: [Vec<Scalar>; 4] = [
            (0..size).map(scalar).collect(),
            (0..size / 2).map(scalar).collect(),
            (0..size).map(|i| if i == size - 1 { -Scalar::from(1) } else { Scalar::from(0) }).collect(),
            vec![scalar(9); size as usize],
        ];
        for scheme in schemes(size as usize) {
            for vector in &vectors {
                assert_eq!(scheme.open_all(vector), naive::open_all(&scheme, vector), "N = {size}");
            }
        }
    }
}

#[test]
fn all_openings_of_a_vector_of_1024_are_the_single_ones_with_and_without_tables() {
    let kzg = Kzg::new(Ceremony::ethereum().unwrap(), 1024).unwrap();
    let vector: Vec<Scalar> = (0..1024).map(scalar).collect();
    let all = kzg.open_all(&vector).unwrap();
    let kzg = kzg.with_tables(20_000_000).unwrap();
    assert_eq!(kzg.open_all(&vector).unwrap(), all);
    assert_eq!(naive::open_all(&kzg, &vector).unwrap(), all);
}

quickcheck! {
    fn openings_of_any_vector_do_not_depend_on_how_many_are_asked(v: AnyVector) -> bool {
        let kzg = insecure::kzg_with_known_tau(v.size, secret()).unwrap().with_tables(500_000).unwrap();
        let single: Vec<Opening> = naive::open_all(&kzg, &v.scalars).unwrap();
        // So many that they are no longer opened one by one.
        let indices: Vec<usize> = (0..32).map(|k| (v.index + k * v.other) % v.size).collect();
        let expected: Vec<Opening> = indices.iter().map(|i| single[*i]).collect();
        kzg.open_all(&v.scalars).unwrap() == single && kzg.open_many(&v.scalars, &indices).unwrap() == expected
    }
}

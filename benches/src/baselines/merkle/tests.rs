use aardvark_algebra::Scalar;
use aardvark_algebra::ff::Field;
use aardvark_commitment::CommitmentError;
use quickcheck::{Arbitrary, Gen, QuickCheck};

use super::proof::{leaf, node};
use super::{Hash, Merkle, MerkleProof};
use crate::baselines::{Baseline, Claim};

/// The root by its definition: a leaf, or the hash of the two halves' roots.
fn naive_root(scalars: &[Scalar]) -> Hash {
    match scalars {
        [scalar] => leaf(scalar),
        _ => {
            let (left, right) = scalars.split_at(scalars.len() / 2);
            node(&naive_root(left), &naive_root(right))
        }
    }
}

/// A vector of 1 to 16 places, with two indices and a new scalar.
#[derive(Clone, Debug)]
struct Case {
    size: usize,
    scalars: Vec<Scalar>,
    index: usize,
    other: usize,
    new: Scalar,
}

impl Arbitrary for Case {
    fn arbitrary(g: &mut Gen) -> Self {
        let size = 1 << (usize::arbitrary(g) % 5);
        let length = usize::arbitrary(g) % (size + 1);
        let mut scalar = || Scalar::from(u64::arbitrary(g));
        let scalars = (0..length).map(|_| scalar()).collect();
        let new = scalar();
        Self { size, scalars, new, index: usize::arbitrary(g) % size, other: usize::arbitrary(g) % size }
    }
}

impl Case {
    fn full(&self) -> Vec<Scalar> {
        let mut full = self.scalars.clone();
        full.resize(self.size, Scalar::ZERO);
        full
    }
}

fn check(law: fn(Case) -> bool) {
    QuickCheck::new().tests(200).quickcheck(law);
}

#[test]
fn roots_are_those_of_the_definition() {
    fn law(case: Case) -> bool {
        Merkle::new(case.size).unwrap().commit(&case.scalars) == Ok(naive_root(&case.full()))
    }
    check(law);
}

#[test]
fn a_proof_verifies_for_its_scalar_and_index_only() {
    fn law(case: Case) -> bool {
        let scheme = Merkle::new(case.size).unwrap();
        let root = scheme.commit(&case.scalars).unwrap();
        let proof = scheme.open(&case.scalars, case.index).unwrap();
        let scalar = case.full()[case.index];
        let same = case.index == case.other || proof == scheme.open(&case.scalars, case.other).unwrap();
        scheme.verify(&root, case.index, &scalar, &proof)
            && !scheme.verify(&root, case.index, &(scalar + Scalar::ONE), &proof)
            && !scheme.verify(&root, case.index + case.size, &scalar, &proof)
            && (same || !scheme.verify(&root, case.other, &scalar, &proof))
    }
    check(law);
}

#[test]
fn a_holder_of_the_root_follows_a_change_and_refuses_one_with_a_false_proof() {
    fn law(case: Case) -> bool {
        let scheme = Merkle::new(case.size).unwrap();
        let root = scheme.commit(&case.scalars).unwrap();
        let mut changed = case.full();
        let old = std::mem::replace(&mut changed[case.index], case.new);
        let proof = scheme.open(&case.scalars, case.index).unwrap();
        let wrong = old + Scalar::ONE;
        scheme.update_root(&root, case.index, (&old, &case.new), &proof) == scheme.commit(&changed).ok()
            && scheme.update_root(&root, case.index, (&wrong, &case.new), &proof).is_none()
    }
    check(law);
}

#[test]
fn a_stored_tree_follows_a_change_to_the_tree_of_the_new_vector() {
    fn law(case: Case) -> bool {
        let scheme = Merkle::new(case.size).unwrap();
        let mut tree = scheme.tree(&case.scalars).unwrap();
        let mut changed = case.full();
        changed[case.other] = case.new;
        tree.update(case.other, &case.new).unwrap();
        tree == scheme.tree(&changed).unwrap() && tree.open(case.index) == scheme.open(&changed, case.index)
    }
    check(law);
}

#[test]
fn proofs_of_another_length_are_refused_and_bytes_survive() {
    let scheme = Merkle::new(8).unwrap();
    let vector: Vec<Scalar> = (0..8u64).map(Scalar::from).collect();
    let root = scheme.commit(&vector).unwrap();
    let proofs = scheme.open_all(&vector).unwrap();
    let bytes = proofs[5].to_bytes();
    assert_eq!(bytes.len(), 3 * 32);
    assert_eq!(MerkleProof::from_bytes(&bytes), Some(proofs[5]));
    let shorter = MerkleProof::from_bytes(&bytes[..64]).unwrap();
    let longer = MerkleProof::from_bytes(&[bytes.as_slice(), &[0; 32]].concat()).unwrap();
    assert!(!scheme.verify(&root, 5, &vector[5], &shorter) && !scheme.verify(&root, 5, &vector[5], &longer));
    assert_eq!(MerkleProof::from_bytes(&bytes[..65]), None);
    assert_eq!(MerkleProof::from_bytes(&[0; 32 * 13]), None);
}

#[test]
fn a_node_never_passes_for_a_leaf() {
    let scheme = Merkle::new(2).unwrap();
    let scalars = [Scalar::from(1), Scalar::from(2)];
    let tree = scheme.tree(&scalars).unwrap();
    assert_ne!(tree.root(), leaf(&scalars[0]));
    assert_ne!(node(&[0; 32], &[0; 32]), leaf(&Scalar::ZERO));
}

#[test]
fn a_batch_holds_when_all_claims_hold_and_the_false_one_is_named() {
    let scheme = Merkle::new(8).unwrap();
    let vector: Vec<Scalar> = (0..8u64).map(Scalar::from).collect();
    let commitment = scheme.commit(&vector).unwrap();
    let claim = |(index, opening)| Claim { commitment, index, scalar: vector[index], opening };
    let mut claims: Vec<_> = scheme.open_all(&vector).unwrap().into_iter().enumerate().map(claim).collect();
    assert!(scheme.verify_all(&claims));
    claims[6].index = 7;
    assert!(!scheme.verify_all(&claims));
    assert_eq!(scheme.find_false(&claims), [6]);
}

#[test]
fn what_a_tree_cannot_do_is_an_error() {
    assert_eq!(Merkle::new(3).unwrap_err(), CommitmentError::VectorSize(3));
    assert_eq!(Merkle::new(8192).unwrap_err(), CommitmentError::VectorSize(8192));
    let scheme = Merkle::new(2).unwrap();
    let out_of_range = CommitmentError::IndexOutOfRange { index: 2, vector_size: 2 };
    assert_eq!(scheme.tree(&[]).unwrap().update(2, &Scalar::ONE), Err(out_of_range.clone()));
    assert_eq!(scheme.open(&[], 2), Err(out_of_range));
    let too_long = CommitmentError::VectorTooLong { length: 3, vector_size: 2 };
    assert_eq!(scheme.commit(&[Scalar::ONE; 3]), Err(too_long));
}

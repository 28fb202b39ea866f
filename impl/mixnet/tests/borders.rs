//! Lists of 4,095 to 4,097 rows, around the sizes at which sums of points are done in pieces:
//! honest proofs hold, and one that is wrong in its last row does not.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use aardvark_algebra::group::Curve;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{G1Affine, G1Projective, Scalar, scalar_from_u128};
use aardvark_sigma::claim::claims_hold;
use aardvark_sigma::column::{ColumnClaim, Direction, KeyRow, Shuffle};
use aardvark_sigma::permutation::{PermutationClaim, PermutationSecret, prove};
use aardvark_sigma::threshold::{Decryption, DecryptionClaim, Statement, decrypt, plaintexts};
use aardvark_sigma::{Context, Generators, List, Secrets, Seed};

const SIZES: [usize; 3] = [4_095, 4_096, 4_097];

fn spoilt(list: &List) -> List {
    let mut points = list.points().to_vec();
    let last = points.last_mut().unwrap();
    *last = (G1Projective::from(*last) + G1Affine::generator()).to_affine();
    List::computed(points, list.width())
}

#[test]
fn proofs_of_long_lists_hold_and_a_wrong_last_row_is_seen() {
    let all = Generators::new(SIZES[2]);
    let secret = Scalar::from(77);
    let key: G1Affine = (G1Affine::generator() * secret).to_affine();
    let (seed, purpose) = (Seed::new([3; 32]), [4; 32]);
    let context = Context { keys: [5; 32], server: 1 };
    for n in SIZES {
        let generators = Generators::from_points(*all.blinding(), *all.chain(), all.bases()[..n].to_vec());
        let permutation = PermutationSecret::derive(&seed, &context, n);
        let commitment = permutation.commit(&generators).unwrap();
        let proof = prove(&generators, &context, &permutation, &commitment, &seed).unwrap();
        let claim = PermutationClaim::new(&generators, &context, &commitment, &proof).unwrap();
        assert!(claims_hold(&[&claim]), "{n}");
        let other = spoilt(&commitment);
        let claim = PermutationClaim::new(&generators, &context, &other, &proof).unwrap();
        assert!(!claims_hold(&[&claim]), "{n}");

        let keys = KeyRow::new(&[key], n);
        let randomness: Vec<Scalar> = (1..=n as u128).map(scalar_from_u128).collect();
        // Encryptions of 0.
        let before = keys.multiples(&randomness);
        let direction = if n == SIZES[1] { Direction::Backward } else { Direction::Forward };
        let shuffle =
            Shuffle { generators: &generators, context, purpose, commitment: &commitment, keys: &keys, direction };
        let (after, proof) = shuffle.run(&permutation, &before, &seed).unwrap();
        let claim = ColumnClaim::new(shuffle, &before, &after, &proof).unwrap();
        assert!(claims_hold(&[&claim]), "{n}");
        let other = spoilt(&after);
        let claim = ColumnClaim::new(shuffle, &before, &other, &proof).unwrap();
        assert!(!claims_hold(&[&claim]), "{n}");

        let (first, key_shares) = (after.column(0), List::computed(vec![key], 1));
        let statement = Statement { context, purpose, key_shares: &key_shares, first: &first };
        let decryption = decrypt(&statement, &Secrets::new(vec![secret]), &seed).unwrap();
        let claim = DecryptionClaim::new(statement, &decryption).unwrap();
        assert!(claims_hold(&[&claim]), "{n}");
        let outputs = plaintexts(&after, &[1], &[&decryption.shares]).unwrap();
        assert!(outputs.points().iter().all(|point| bool::from(point.is_identity())), "{n}");
        let other = Decryption { shares: spoilt(&decryption.shares), ..decryption };
        let claim = DecryptionClaim::new(statement, &other).unwrap();
        assert!(!claims_hold(&[&claim]), "{n}");
    }
}

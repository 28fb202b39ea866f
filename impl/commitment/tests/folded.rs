//! Folded openings: accepted when all claims hold under the context that they were folded for,
//! refused otherwise; equal to their definition, point for point.
#![allow(clippy::unwrap_used)]

mod common;

use aardvark_algebra::ff::Field;
use aardvark_algebra::group::Curve;
use aardvark_algebra::group::prime::PrimeCurveAffine;
use aardvark_algebra::{Domain, G1Affine, G1Projective, G2Affine, Scalar};
use aardvark_commitment::folded::{FOLDED_BYTES, claims_seed, gammas, point};
use aardvark_commitment::{
    Commitment, CommitmentError, FoldedClaim, FoldedOpening, Kzg, Opening, Scheme, VectorCommitment, insecure, naive,
};
use common::{DICTIONARY, scalar, schemes, secret, shifted, small_torsion, torsion, true_claims};

const SIZE: usize = 8;

fn kzg() -> Kzg {
    insecure::kzg_with_known_tau(SIZE, secret()).unwrap()
}

/// True claims with their openings.
fn opened(count: usize) -> Vec<(FoldedClaim, Opening)> {
    let single = |claim: aardvark_commitment::BatchClaim| {
        let aardvark_commitment::BatchClaim { commitment, index, scalar, opening, .. } = claim;
        (FoldedClaim { commitment, index, scalar }, opening)
    };
    true_claims(&kzg().into(), count).into_iter().map(single).collect()
}

fn bare(claims: &[(FoldedClaim, Opening)]) -> Vec<FoldedClaim> {
    claims.iter().map(|(claim, _)| *claim).collect()
}

/// Claims, and their folded opening.
fn folded(count: usize) -> (Vec<FoldedClaim>, FoldedOpening) {
    let claims = opened(count);
    (bare(&claims), kzg().fold(&DICTIONARY, &claims).unwrap())
}

/// What the naive twin says of a fold.
fn naive_accepts(claims: &[FoldedClaim], opening: &FoldedOpening) -> bool {
    let domain = Domain::new(SIZE).unwrap();
    let seed = claims_seed(&domain, &DICTIONARY, claims);
    let tau_g2 = (G2Affine::generator() * secret()).to_affine();
    let z = point(&seed, &opening.quotient);
    naive::kzg_verify_folded(&domain, &tau_g2, claims, &gammas(&seed, claims.len()), &z, opening)
}

/// The verdict, which the naive twin shares.
fn accepts(claims: &[FoldedClaim], opening: &FoldedOpening) -> bool {
    let verdict = kzg().verify_folded(&DICTIONARY, claims, opening);
    assert_eq!(naive_accepts(claims, opening), verdict);
    verdict
}

fn moved(opening: &Opening) -> Opening {
    Opening::from_point_unchecked(opening.point().to_curve() + G1Affine::generator())
}

#[test]
fn true_claims_pass_at_every_length() {
    for length in [0, 1, 2, 5, 33, 100] {
        let (claims, opening) = folded(length);
        assert!(accepts(&claims, &opening), "{length} claims");
        assert_eq!(FoldedOpening::from_bytes(&opening.to_bytes()), Ok(opening));
        assert_eq!(FoldedOpening::from_bytes_strict(&opening.to_bytes()), Ok(opening));
    }
}

#[test]
fn a_fold_is_what_its_definition_says() {
    let (tau, domain) = (secret(), Domain::new(SIZE).unwrap());
    let powers: Vec<Scalar> = (0..SIZE as u64).map(|i| tau.pow_vartime([i])).collect();
    let powers: Vec<G1Affine> = powers.iter().map(|power| (G1Affine::generator() * power).to_affine()).collect();
    let vectors: Vec<Vec<Scalar>> = (0..3).map(|v| (0..SIZE as u64).map(|i| scalar(100 * v + i)).collect()).collect();
    let opened: Vec<(&[Scalar], usize)> = (0..9).map(|i| (vectors[i % 3].as_slice(), 3 * i % SIZE)).collect();
    let claim = |(vector, index): &(&[Scalar], usize)| FoldedClaim {
        commitment: naive::kzg_commit(&domain, &powers, vector),
        index: *index,
        scalar: vector[*index],
    };
    let claims: Vec<FoldedClaim> = opened.iter().map(claim).collect();
    let seed = claims_seed(&domain, &DICTIONARY, &claims);
    let by_definition =
        naive::kzg_fold(&domain, &powers, &opened, &gammas(&seed, claims.len()), |quotient| point(&seed, quotient));
    let kzg = kzg();
    let openings = opened.iter().map(|(vector, index)| kzg.open(vector, *index).unwrap());
    let with_openings: Vec<_> = claims.iter().copied().zip(openings).collect();
    assert_eq!(kzg.fold(&DICTIONARY, &with_openings), Ok(by_definition));
    assert!(accepts(&claims, &by_definition));
}

#[test]
fn one_false_claim_refuses_the_fold_whatever_is_false() {
    let claims = opened(20);
    let honest = kzg().fold(&DICTIONARY, &claims).unwrap();
    for way in 0..4 {
        let mut wrong = claims.clone();
        let (claim, opening) = &mut wrong[7];
        match way {
            0 => claim.scalar += Scalar::ONE,
            1 => claim.index ^= 1,
            2 => claim.commitment = Commitment::from_point_unchecked(*moved(opening).point()),
            _ => *opening = moved(opening),
        }
        let refolded = kzg().fold(&DICTIONARY, &wrong).unwrap();
        assert!(!accepts(&bare(&wrong), &refolded), "way {way}");
        // A false opening does not show in the fold of the true ones, since it is gone.
        assert_eq!(accepts(&bare(&wrong), &honest), way == 3, "way {way}");
    }
}

#[test]
fn a_fold_belongs_to_one_context_and_one_list_of_claims() {
    let (claims, opening) = folded(20);
    assert!(!kzg().verify_folded(&[8; 32], &claims, &opening));
    assert!(!accepts(&claims[1..], &opening));
    let mut other = claims.clone();
    other.swap(0, 1);
    assert!(!accepts(&other, &opening));
    let repeated = [claims.as_slice(), &claims[..1]].concat();
    assert!(!accepts(&repeated, &opening));
    assert!(!accepts(&[], &opening));
}

#[test]
fn other_points_are_refused() {
    let (claims, opening) = folded(5);
    let FoldedOpening { quotient, witness } = opening;
    let (_, of_others) = folded(6);
    let infinity = Opening::identity();
    for (quotient, witness) in [
        (witness, quotient),
        (moved(&quotient), witness),
        (quotient, moved(&witness)),
        (of_others.quotient, of_others.witness),
        (infinity, infinity),
        (quotient, infinity),
        (infinity, witness),
    ] {
        assert!(!accepts(&claims, &FoldedOpening { quotient, witness }));
    }
}

#[test]
fn claims_of_one_vector_and_claims_that_stand_twice_are_claims() {
    let claims = opened(40);
    for kept in [0, 1, 2] {
        let mut some: Vec<_> = claims.iter().copied().step_by(7 + kept).collect();
        some.extend(some.clone());
        let opening = kzg().fold(&DICTIONARY, &some).unwrap();
        assert!(accepts(&bare(&some), &opening));
    }
}

#[test]
fn an_index_that_no_vector_has_is_refused() {
    let mut claims = opened(3);
    claims[1].0.index = SIZE;
    let error = CommitmentError::IndexOutOfRange { index: SIZE, vector_size: SIZE };
    assert_eq!(kzg().fold(&DICTIONARY, &claims), Err(error));
    for index in [SIZE, SIZE + 5, usize::MAX] {
        let (mut claims, opening) = folded(3);
        claims[1].index = index;
        assert!(!kzg().verify_folded(&DICTIONARY, &claims, &opening));
        // One that is the same modulo N has the same point, and is refused all the same.
        let (mut claims, opening) = folded(3);
        claims[1].index += SIZE;
        assert!(!kzg().verify_folded(&DICTIONARY, &claims, &opening));
    }
}

#[test]
fn torsion_changes_no_verdict() {
    let mut claims = opened(30);
    for ((_, opening), shift) in claims.iter_mut().zip([torsion(1), small_torsion(), torsion(2)].iter().cycle()) {
        *opening = shifted(opening, shift);
    }
    let mut opening = kzg().fold(&DICTIONARY, &claims).unwrap();
    assert!(accepts(&bare(&claims), &opening));
    opening.witness = shifted(&opening.witness, &torsion(3));
    assert!(accepts(&bare(&claims), &opening));
    // The strict reading refuses what the format's accepts.
    assert_eq!(FoldedOpening::from_bytes(&opening.to_bytes()), Ok(opening));
    assert!(FoldedOpening::from_bytes_strict(&opening.to_bytes()).is_err());
    // W is hashed: another encoding of the same class is another challenge.
    opening.quotient = shifted(&opening.quotient, &torsion(4));
    assert!(!accepts(&bare(&claims), &opening));
}

#[test]
fn bytes_that_are_no_points_are_refused_in_either_half() {
    let (_, opening) = folded(2);
    for half in [0, 48] {
        let mut bytes: [u8; FOLDED_BYTES] = opening.to_bytes();
        bytes[half] ^= 0x80;
        assert!(FoldedOpening::from_bytes(&bytes).is_err());
        bytes[half..half + 48].fill(0xff);
        assert!(FoldedOpening::from_bytes(&bytes).is_err());
    }
}

/// Whoever knew z before W is fixed would need no true claim.
#[test]
fn a_fold_for_a_point_that_was_known_early_is_refused() {
    let domain = Domain::new(SIZE).unwrap();
    let (mut claims, honest) = folded(6);
    claims[3].scalar += scalar(5);
    let seed = claims_seed(&domain, &DICTIONARY, &claims);
    let gammas = gammas(&seed, claims.len());
    let early = point(&seed, &honest.quotient);
    let term = |(claim, gamma): (&FoldedClaim, &Scalar)| -> G1Projective {
        let factor = gamma * (early - domain.element(claim.index)).invert().unwrap();
        (claim.commitment.point().to_curve() - G1Affine::generator() * claim.scalar) * factor
    };
    let sum: G1Projective = claims.iter().zip(&gammas).map(term).sum();
    let forged = FoldedOpening { quotient: Opening::from_point_unchecked(sum), witness: Opening::identity() };
    let tau_g2 = (G2Affine::generator() * secret()).to_affine();
    let weak = naive::kzg_verify_folded(&domain, &tau_g2, &claims, &gammas, &early, &forged);
    assert!(weak, "known early, the attack succeeds");
    assert!(!accepts(&claims, &forged), "drawn after W, it fails");
}

#[test]
fn only_kzg_folds() {
    let [kzg, libert_yung]: [Scheme; 2] = schemes(SIZE);
    let claims = opened(3);
    let opening = kzg.fold(&DICTIONARY, &claims).unwrap();
    assert!(kzg.verify_folded(&DICTIONARY, &bare(&claims), &opening));
    assert_eq!(libert_yung.fold(&DICTIONARY, &claims), Err(CommitmentError::NotFolding));
    assert!(!libert_yung.verify_folded(&DICTIONARY, &bare(&claims), &opening));
    assert!(!libert_yung.verify_folded(
        &DICTIONARY,
        &[],
        &FoldedOpening { quotient: Opening::identity(), witness: Opening::identity() }
    ));
}

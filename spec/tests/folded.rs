//! Folded openings: honest ones are accepted, for polynomials and points of any kind and for
//! answers; every change is refused.
#![allow(clippy::unwrap_used, reason = "a broken premise must stop a test")]

use aardvark_spec::answer::answer_basis::answer_basis;
use aardvark_spec::answer::answer_proof::{KnownCommitments, Trusted};
use aardvark_spec::answer::answer_prover::honest_answer;
use aardvark_spec::answer::answer_reason::AnswerReason;
use aardvark_spec::answer::folded_answer::{
    FoldedAnswerProof, fold_answer_context, folded_claims, verify_folded_answer,
};
use aardvark_spec::answer::question::{KeyRange, Question, Region};
use aardvark_spec::answer::verify::verify_answer;
use aardvark_spec::base::bytes::ByteString;
use aardvark_spec::base::group::{G1, g1_add, g1_identity, g1_multiple, g1_scale, g1_subtract, known_exponent};
use aardvark_spec::base::hash::tagged_hash;
use aardvark_spec::base::scalar::{Scalar, scalar_inverse, scalar_of_number, scalar_zero};
use aardvark_spec::commitment::folded_opening::{
    FoldedClaim, FoldedClaimBytes, FoldedOpening, fold_claims_seed, fold_gammas, fold_point, fold_quotient,
    fold_witness, open_folded_claim, verify_folded,
};
use aardvark_spec::commitment::kzg::{KzgSetup, kzg_setup};
use aardvark_spec::commitment::opening::Opening;
use aardvark_spec::commitment::scheme::Setup;
use aardvark_spec::convert::{byte_string, byte_vec, to_vec};
use aardvark_spec::dictionary::array::{Array, array_insert, empty_array};
use aardvark_spec::dictionary::vectors::array_commitments;
use hacspec_lib::Seq;

const N: usize = 4;
const TAU: u128 = 987_654_321;

fn scalar(number: u128) -> Scalar {
    scalar_of_number(number)
}

/// p(x), the lowest coefficient first.
fn value(p: &[u128], x: Scalar) -> Scalar {
    p.iter().rev().fold(scalar_zero(), |rest, c| scalar(*c) + x * rest)
}

/// (p(X) - p(z)) / (X - z) at x, by Horner's rule: without knowing p(x) in any other way.
fn quotient_value(p: &[u128], z: Scalar, x: Scalar) -> Scalar {
    let mut coefficients = Vec::new();
    let mut carry = scalar_zero();
    for c in p.iter().rev() {
        coefficients.push(carry);
        carry = scalar(*c) + z * carry;
    }
    coefficients.iter().fold(scalar_zero(), |rest, c| *c + x * rest)
}

/// Stands for the encoding of a point: injective.
fn encoded_point(element: G1) -> ByteString {
    encoded(known_exponent(element), 48)
}

/// Stands for the encoding of a scalar: injective.
fn encoded(x: Scalar, length: usize) -> ByteString {
    let mut digest = byte_vec(&tagged_hash(&byte_string(b"encoded"), &byte_string(format!("{x:?}").as_bytes())));
    digest.resize(length, 0);
    byte_string(&digest)
}

fn bound(claims: &[FoldedClaim]) -> Seq<FoldedClaimBytes> {
    let bytes = |claim: &FoldedClaim| FoldedClaimBytes {
        bound_commitment: encoded_point(claim.folded_commitment),
        bound_point: encoded(claim.folded_point, 32),
        bound_value: encoded(claim.folded_value, 32),
    };
    Seq::from_vec(claims.iter().map(bytes).collect())
}

/// W and W' for claims with these openings, under the challenges that are drawn for them.
fn fold(context: &ByteString, claims: &[FoldedClaim], openings: &[G1]) -> FoldedOpening {
    let seed = fold_claims_seed(context, &bound(claims));
    let gammas = fold_gammas(&seed, claims.len());
    let openings = Seq::from_vec(openings.to_vec());
    let quotient = fold_quotient(&openings, &gammas);
    let z = fold_point(&seed, &encoded_point(quotient));
    let witness = fold_witness(&Seq::from_vec(claims.to_vec()), &openings, &gammas, z);
    FoldedOpening { folded_quotient: quotient, folded_witness: witness }
}

fn holds(setup: &KzgSetup, context: &ByteString, claims: &[FoldedClaim], opening: &FoldedOpening) -> bool {
    let quotient = encoded_point(opening.folded_quotient);
    verify_folded(setup, context, &bound(claims), &Seq::from_vec(claims.to_vec()), &quotient, opening)
}

/// Claims about polynomials of different degrees, several at one point, several about one
/// polynomial; and their openings.
fn claims() -> (Vec<FoldedClaim>, Vec<G1>) {
    let polynomials: [&[u128]; 4] = [&[5], &[1, 2, 3], &[9, 0, 0, 0, 4, 1, 7], &[0, 8]];
    let points = [scalar(2), scalar(2), scalar(77), scalar_zero() - scalar(1)];
    let mut claims = Vec::new();
    let mut openings = Vec::new();
    for polynomial in polynomials {
        for point in points {
            claims.push(FoldedClaim {
                folded_commitment: g1_multiple(value(polynomial, scalar(TAU))),
                folded_point: point,
                folded_value: value(polynomial, point),
            });
            openings.push(g1_multiple(quotient_value(polynomial, point, scalar(TAU))));
        }
    }
    (claims, openings)
}

#[test]
fn an_honest_fold_is_accepted_whatever_polynomials_and_points() {
    let setup = kzg_setup(N, scalar(TAU));
    let (all, openings) = claims();
    for (claim, opening) in all.iter().zip(&openings) {
        assert_eq!(open_folded_claim(scalar(TAU), claim), *opening);
    }
    for count in 0..=all.len() {
        let context = byte_string(&[count as u8; 32]);
        let folded = fold(&context, &all[..count], &openings[..count]);
        assert!(holds(&setup, &context, &all[..count], &folded), "{count} claims");
    }
}

#[test]
fn every_change_of_a_fold_is_refused() {
    let setup = kzg_setup(N, scalar(TAU));
    let context = byte_string(&[7; 32]);
    let (all, openings) = claims();
    let honest = fold(&context, &all, &openings);
    assert!(!holds(&setup, &byte_string(&[8; 32]), &all, &honest));
    assert!(!holds(&setup, &context, &all[1..], &honest));
    for delta in [scalar(1), scalar_zero() - scalar(1)] {
        let quotient = FoldedOpening { folded_quotient: g1_add(honest.folded_quotient, g1_multiple(delta)), ..honest };
        let witness = FoldedOpening { folded_witness: g1_add(honest.folded_witness, g1_multiple(delta)), ..honest };
        assert!(!holds(&setup, &context, &all, &quotient));
        assert!(!holds(&setup, &context, &all, &witness));
        for i in 0..all.len() {
            let changes: [fn(&mut FoldedClaim, Scalar); 3] = [
                |claim, delta| claim.folded_commitment = g1_add(claim.folded_commitment, g1_multiple(delta)),
                |claim, delta| claim.folded_point = claim.folded_point + delta,
                |claim, delta| claim.folded_value = claim.folded_value + delta,
            ];
            for change in changes {
                let mut lie = all.clone();
                change(&mut lie[i], delta);
                // The constant polynomial has its value everywhere, but then the seed is another
                // one.
                assert!(!holds(&setup, &context, &lie, &honest));
                // A prover that folds the lie by the honest openings, challenges drawn for the lie.
                let refolded = holds(&setup, &context, &lie, &fold(&context, &lie, &openings));
                let constant = lie[i].folded_commitment == g1_multiple(lie[i].folded_value);
                assert_eq!(refolded, constant && openings[i] == g1_identity());
            }
        }
    }
}

/// A prover that knows the challenges before it fixes the points makes any claim pass: what the
/// transcript is for.
#[test]
fn points_that_are_made_for_known_challenges_pass_those_and_not_the_drawn_ones() {
    let setup = kzg_setup(N, scalar(TAU));
    let context = byte_string(&[7; 32]);
    let (mut all, _) = claims();
    all[3].folded_value = all[3].folded_value + scalar(1);
    let seed = fold_claims_seed(&context, &bound(&all));
    let gammas = fold_gammas(&seed, all.len());
    let z = scalar(1_000_003);
    let list = Seq::from_vec(all.clone());
    let sum = aardvark_spec::commitment::folded_opening::fold_commitments(&list, &gammas, z);
    // W of its choice and the W' that solves the equation need tau, or a W whose value at z is the
    // sum's.
    let factor = scalar_inverse(scalar(TAU) - z);
    let witness = g1_scale(factor, g1_subtract(sum, g1_multiple(scalar(5))));
    let made = FoldedOpening { folded_quotient: g1_multiple(scalar(5)), folded_witness: witness };
    assert!(aardvark_spec::commitment::folded_opening::verify_fold(&setup, &list, &gammas, z, &made));
    assert!(!holds(&setup, &context, &all, &made));
}

fn scene() -> (Setup, KzgSetup, Array, KnownCommitments) {
    let kzg = kzg_setup(N, scalar(TAU));
    let setup = Setup::Kzg(kzg.clone());
    let mut array = empty_array();
    for key in ["m", "a", "z", "c", "k", "d", "y", "b"] {
        array = array_insert(&array, &byte_string(key.as_bytes()), &byte_string(b"value")).unwrap();
    }
    let known = KnownCommitments {
        known_dictionary: byte_string(&[7; 32]),
        known_vector_size: N,
        known_version: 3,
        known_size: array.array_size,
        known_commitments: array_commitments(&setup, N, &array),
    };
    (setup, kzg, array, known)
}

#[test]
fn a_folded_answer_is_the_plain_ones_and_each_lie_has_its_reason() {
    let (setup, kzg, array, known) = scene();
    let trusted = Trusted::TrustedCommitments(known.clone());
    let all = KeyRange { range_from: ByteString::new(0), range_to: ByteString::new(0), range_limit: None };
    let question = Question::AskRegion(Region::RegionRange(all));
    let plain = honest_answer(&setup, &array, &known.known_dictionary, 3, &question);
    let basis = answer_basis(&trusted, &plain).unwrap();
    let claimed = |proof: &FoldedAnswerProof| to_vec(&folded_claims(&kzg, &basis, &proof.unopened_proof.proof_claims));
    let openings: Vec<G1> = to_vec(&plain.proof_claims)
        .iter()
        .map(|claim| match claim.claim_opening {
            Opening::Point(point) => point,
            Opening::Malformed => panic!("an honest opening"),
        })
        .collect();
    let folded_plain = to_vec(&folded_claims(&kzg, &basis, &plain.proof_claims));
    let opening = fold(&fold_answer_context(&plain), &folded_plain, &openings);
    let mut unopened = to_vec(&plain.proof_claims);
    for claim in &mut unopened {
        claim.claim_opening = Opening::Malformed;
    }
    let mut honest = FoldedAnswerProof {
        unopened_proof: plain.clone(),
        received_quotient: encoded_point(opening.folded_quotient),
        decoded_quotient: Opening::Point(opening.folded_quotient),
        decoded_witness: Opening::Point(opening.folded_witness),
    };
    honest.unopened_proof.proof_claims = Seq::from_vec(unopened);
    let verify = |proof: &FoldedAnswerProof| {
        verify_folded_answer(&setup, &trusted, &question, proof, &bound(&claimed(proof)))
            .map_err(|refusal| refusal.refusal_reason)
    };
    let answer = verify_answer(&setup, &trusted, &question, &plain).unwrap();
    assert_eq!(format!("{:?}", verify(&honest).unwrap()), format!("{answer:?}"));

    let refused = |change: &dyn Fn(&mut FoldedAnswerProof)| {
        let mut proof = honest.clone();
        change(&mut proof);
        verify(&proof).unwrap_err()
    };
    let with_claims = |change: &dyn Fn(&mut Vec<aardvark_spec::block::transaction::Claim>)| {
        refused(&|proof| {
            let mut claims = to_vec(&proof.unopened_proof.proof_claims);
            change(&mut claims);
            proof.unopened_proof.proof_claims = Seq::from_vec(claims);
        })
    };
    let other = byte_string(b"another");
    assert_eq!(refused(&|proof| proof.decoded_quotient = Opening::Malformed), AnswerReason::AnswerOpeningMalformed);
    assert_eq!(refused(&|proof| proof.decoded_witness = Opening::Malformed), AnswerReason::AnswerOpeningMalformed);
    let zero = Opening::Point(g1_identity());
    assert_eq!(refused(&|proof| proof.decoded_quotient = zero.clone()), AnswerReason::AnswerOpeningFalse);
    assert_eq!(refused(&|proof| proof.decoded_witness = zero.clone()), AnswerReason::AnswerOpeningFalse);
    assert_eq!(refused(&|proof| proof.received_quotient = byte_string(&[1; 48])), AnswerReason::AnswerOpeningFalse);
    assert_eq!(refused(&|proof| proof.unopened_proof.proof_version = 4), AnswerReason::OtherVersion);
    assert_eq!(with_claims(&|claims| claims[2].claim_slot.value = other.clone()), AnswerReason::AnswerOpeningFalse);
    assert_eq!(with_claims(&|claims| claims.swap(1, 2)), AnswerReason::AnswerOpeningFalse);
    assert_eq!(with_claims(&|claims| drop(claims.pop())), AnswerReason::AnswerOpeningFalse);
    assert_eq!(with_claims(&|claims| claims[1].claim_position = 99), AnswerReason::AnswerPositionOutOfRange);

    // A lie of omission that is folded as it should be: the openings hold, the chain does not.
    let mut gap = honest.clone();
    let mut claims = to_vec(&gap.unopened_proof.proof_claims);
    let mut kept = openings.clone();
    claims.remove(2);
    kept.remove(2);
    gap.unopened_proof.proof_claims = Seq::from_vec(claims);
    let made = fold(&fold_answer_context(&gap.unopened_proof), &claimed(&gap), &kept);
    gap.received_quotient = encoded_point(made.folded_quotient);
    gap.decoded_quotient = Opening::Point(made.folded_quotient);
    gap.decoded_witness = Opening::Point(made.folded_witness);
    assert_eq!(verify(&gap).unwrap_err(), AnswerReason::ChainNotCovering);
}

//! Openings of many claims in one, as the specification folds them.

use aardvark_algebra::scalar_to_bytes;
use aardvark_commitment::{Commitment, Opening};
use aardvark_dictionary::Claim;
use aardvark_proof::AnswerProof;
use aardvark_proof::answer_openings::{fold_context, folded_claim};
use aardvark_spec::answer::folded_answer::fold_answer_context;
use aardvark_spec::base::group::{G1, g1_at};
use aardvark_spec::base::scalar::scalar_at;
use aardvark_spec::commitment::folded_opening::{
    FoldedClaim, FoldedClaimBytes, fold_claims_seed, fold_gammas, fold_point, fold_quotient, fold_witness,
};
use aardvark_spec::commitment::scheme::Setup;
use aardvark_spec::convert::to_seq;
use hacspec_lib::Seq;

use crate::answers::convert::{exponent_of, proof_to_spec};
use crate::answers::world::{Believed, Draw, State, World};
use crate::convert::{bytes_to_spec, element_to_spec, exponent_from_spec, scalar_from_spec, scalar_to_spec};
use crate::points::PointBytes;

/// Folds a proof's openings, true or not, where they are points and the scheme is KZG; the claims'
/// own become zeros, as they are read.
pub fn fold(world: &World, state: &State, proof: &mut AnswerProof) {
    let Setup::Kzg(setup) = &*world.setting.setup else { return };
    let n = world.vector_size() as u64;
    let singles: Option<Vec<G1>> = proof
        .claims
        .iter()
        .map(|claim| exponent_of(&claim.opening, &world.points).map(|exponent| element_to_spec(&exponent)))
        .collect();
    let claims: Option<Vec<FoldedClaim>> = proof
        .claims
        .iter()
        .map(|claim| {
            let vector = (claim.position / n) as usize;
            (vector < state.committed.len()).then(|| FoldedClaim {
                folded_commitment: g1_at(&state.committed, vector),
                folded_point: scalar_at(&setup.kzg_domain, (claim.position % n) as usize),
                folded_value: scalar_to_spec(&claim.slot.scalar()),
            })
        })
        .collect();
    let (Some(singles), Some(claims)) = (singles.map(to_seq), claims.map(to_seq)) else { return };
    let context = fold_answer_context(&proof_to_spec(proof, &world.points));
    let seed = fold_claims_seed(&context, &bound_claims(world, state, Believed::Commitments, proof));
    let gammas = fold_gammas(&seed, claims.len());
    let quotient_element = fold_quotient(&singles, &gammas);
    let witness_element =
        |quotient: &PointBytes| fold_witness(&claims, &singles, &gammas, fold_point(&seed, &bytes_to_spec(quotient)));
    let (quotient, witness) = if world.is_on_the_ceremony() {
        // Nobody knows a secret: the points are added up, and stand for the exponents.
        let Some([quotient, witness]) = folded_points(world, state, proof) else { return };
        world.points.stand_for(quotient, exponent_from_spec(quotient_element));
        world.points.stand_for(witness, exponent_from_spec(witness_element(&quotient)));
        (quotient, witness)
    } else {
        let point = |element: G1| world.points.opening(exponent_from_spec(element));
        let quotient = point(quotient_element);
        (quotient, point(witness_element(&quotient)))
    };
    let both = [quotient, witness];
    proof.folded_opening = Some(std::array::from_fn(|place| both.as_flattened()[place]));
    proof.claims.iter_mut().for_each(|claim| claim.opening = [0; 48]);
}

/// W and W' of a proof's openings, as points.
fn folded_points(world: &World, state: &State, proof: &AnswerProof) -> Option<[PointBytes; 2]> {
    let scheme = &world.setting.scheme;
    let claims = proof.claims.iter().map(|claim| {
        let commitment = state.commitments.get(claim.position as usize / world.vector_size())?;
        Some((folded_claim(scheme, *commitment, claim), Opening::from_bytes(&claim.opening).ok()?))
    });
    let context = fold_context(&proof.dictionary, proof.version, proof.vector_size);
    let folded = scheme.fold(&context, &claims.collect::<Option<Vec<_>>>()?).ok()?.to_bytes();
    Some([0, 48].map(|start| std::array::from_fn(|place| folded[start + place])))
}

/// The folded opening of an honest proof of some state, for some question.
pub fn folded(world: &World, draw: &mut Draw) -> Option<[u8; 96]> {
    let state = &world.states[draw.below(world.states.len())];
    let mut proof = world.prove(state, Believed::Commitments, &draw.question());
    fold(world, state, &mut proof);
    proof.folded_opening
}

/// A proof's claims as challenges bind them: with the commitments that a verifier knows. Of claims
/// that are refused before, zeros.
pub(super) fn bound_claims(
    world: &World,
    state: &State,
    believed: Believed,
    proof: &AnswerProof,
) -> Seq<FoldedClaimBytes> {
    let n = world.vector_size() as u64;
    let commitment = |claim: &Claim| {
        let number = claim.position / n;
        match believed {
            Believed::Commitments => state.commitments.get(number as usize).map(Commitment::to_bytes),
            Believed::Root | Believed::RootAlone => {
                let vectors = &proof.tie.as_ref()?.vectors;
                vectors.iter().find(|vector| vector.number == number).map(|vector| vector.commitment)
            }
        }
    };
    let point = |claim: &Claim| match &*world.setting.setup {
        Setup::Kzg(setup) => scalar_from_spec(&scalar_at(&setup.kzg_domain, (claim.position % n) as usize)),
        Setup::LibertYung(_) => 0.into(),
    };
    let bound = |claim: &Claim| FoldedClaimBytes {
        bound_commitment: bytes_to_spec(&commitment(claim).unwrap_or([0; 48])),
        bound_point: bytes_to_spec(&scalar_to_bytes(&point(claim))),
        bound_value: bytes_to_spec(&scalar_to_bytes(&claim.slot.scalar())),
    };
    to_seq(proof.claims.iter().map(bound).collect())
}

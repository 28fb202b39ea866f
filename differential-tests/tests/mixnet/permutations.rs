//! Permutation commitments and their proofs.

use aardvark_algebra::Scalar;
use aardvark_oracle::MixnetRequest;
use aardvark_sigma::claim::claims_hold;
use aardvark_sigma::permutation::{PermutationClaim, PermutationProof, PermutationSecret, prove};
use aardvark_sigma::{Generators, Seed, naive};
use aardvark_spec::base::bytes::{u16_bytes, u32_bytes};
use aardvark_spec::convert::to_seq;
use aardvark_spec::mixnet::linear_relation::linear_prove;
use aardvark_spec::mixnet::mixnet_transcript::{
    mixnet_coefficients, permutation_challenge, permutation_seed, permutation_shift,
};
use aardvark_spec::mixnet::permutation::{
    permutation_chain, permutation_commitment, permutation_matrix, permutation_move, permutation_witness,
};
use differential_tests::convert::bytes_to_spec;
use differential_tests::oracle::mixnet::proof_holds;

use crate::lists::{
    Draw, Known, KnownGenerators, SEED, contexts, hash, scalars_from_spec, secrets, shown, spoilt_scalars,
};

/// A claim that can be spoilt.
#[derive(Clone)]
struct Case {
    number: u8,
    server: u16,
    commitment: Known,
    chain: Known,
    first: Known,
    responses: Vec<Scalar>,
}

impl Case {
    /// The verdicts of specification, implementation and its naive twin.
    fn verdicts(&self, known: &KnownGenerators, generators: &Generators) -> [bool; 3] {
        let (context, spec_context) = contexts(self.number, self.server);
        let request = MixnetRequest::Permutation {
            context: spec_context,
            generators: known.specification(),
            committed: (self.commitment.elements(), self.commitment.digest()),
            chain: (self.chain.elements(), self.chain.digest()),
        };
        let specified = proof_holds(&request, &shown(&self.first, &self.responses)).unwrap();
        let commitment = self.commitment.list();
        let proof =
            PermutationProof { chain: self.chain.list(), first: self.first.list(), responses: self.responses.clone() };
        match PermutationClaim::new(generators, &context, &commitment, &proof) {
            Ok(claim) => [specified, claims_hold(&[&claim]), naive::permutation(&claim).holds()],
            Err(_) => [specified, false, false],
        }
    }
}

/// The implementation's proof, which is the specification's.
fn honest(number: u64, n: usize) -> (KnownGenerators, Case) {
    let mut draw = Draw::new(number);
    let known = KnownGenerators::draw(&mut draw, n);
    let (generators, specification) = (known.implementation(), known.specification());
    let (context, spec_context) = contexts(number as u8, 1 + (number % 5) as u16);
    let seed = Seed::new(SEED);
    let secret = PermutationSecret::derive(&seed, &context, n);
    let commitment = secret.commit(&generators).unwrap();
    let proof = prove(&generators, &context, &secret, &commitment, &seed).unwrap();

    let server = u16_bytes(spec_context.mixnet_server);
    let statement = hash("AARDVARK-V1-MIXNET-LAYER", &[&spec_context.mixnet_keys, &server, &u32_bytes(n)]);
    let blindings = secrets("blinding", &statement, n);
    let images = to_seq(secret.permutation.images().to_vec());
    let committed = Known::of_elements(&permutation_commitment(&specification, &images, &blindings));
    assert_eq!(committed.list(), commitment);

    let start = permutation_seed(&spec_context, n, &committed.digest());
    let (e, theta) = (mixnet_coefficients(&start, n), permutation_shift(&start));
    let chain_blindings = secrets("chain", &start, n);
    let elements = permutation_chain(&specification, &permutation_move(&images, &e), &chain_blindings, theta);
    let chain = Known::of_elements(&elements);
    assert_eq!(chain.list(), proof.chain);

    let statement = hash("AARDVARK-V1-MIXNET-PERMUTATION-NONCES", &[&start, &chain.digest()]);
    let nonces = secrets("permutation", &statement, 2 * n + 2);
    let matrix = permutation_matrix(&specification, &elements);
    let witness = permutation_witness(&images, &blindings, &chain_blindings, &e, theta);
    let first = Known::of_elements(&linear_prove(&matrix, &witness, &nonces, theta).linear_first);
    assert_eq!(first.list(), proof.first);
    let c = permutation_challenge(&start, &chain.digest(), &first.digest());
    let responses = scalars_from_spec(&linear_prove(&matrix, &witness, &nonces, c).linear_responses);
    assert_eq!(responses, proof.responses);
    let case = Case { number: context.keys[0], server: context.server, commitment: committed, chain, first, responses };
    (known, case)
}

#[test]
fn permutation_proofs_agree_point_by_point_and_in_their_verdicts() {
    for number in 0..18 {
        let n = 1 + (number as usize) % 6;
        let (known, case) = honest(number, n);
        let generators = known.implementation();
        assert_eq!(case.verdicts(&known, &generators), [true; 3], "{number}");
        let mut draw = Draw::new(1000 + number);
        let spoilt = [
            Case { commitment: case.commitment.spoilt(&mut draw), ..case.clone() },
            Case { chain: case.chain.spoilt(&mut draw), ..case.clone() },
            Case { first: case.first.spoilt(&mut draw), ..case.clone() },
            Case { responses: spoilt_scalars(&case.responses, &mut draw), ..case.clone() },
            Case { server: case.server + 1, ..case.clone() },
            Case { number: case.number + 100, ..case.clone() },
        ];
        for (kind, spoilt) in spoilt.iter().enumerate() {
            assert_eq!(spoilt.verdicts(&known, &generators), [false; 3], "{number}, {kind}");
        }
    }
}

/// Challenges and coefficients of both sides are drawn alike from any digest.
#[test]
fn coefficients_and_challenges_agree() {
    use aardvark_sigma::transcript::{challenge, coefficients, shift};
    use aardvark_spec::base::hash::hash_to_scalar;
    use aardvark_spec::mixnet::mixnet_transcript::tag_mixnet_challenge;
    use differential_tests::convert::scalar_from_spec;
    for byte in 0..20 {
        let digest = [byte; 32];
        let bytes = bytes_to_spec(&digest);
        let drawn: Vec<Scalar> = coefficients(&digest, 7).into_iter().map(aardvark_algebra::scalar_from_u128).collect();
        assert_eq!(drawn, scalars_from_spec(&mixnet_coefficients(&bytes, 7)));
        assert_eq!(shift(&digest), scalar_from_spec(&permutation_shift(&bytes)));
        assert_eq!(challenge(&digest), scalar_from_spec(&hash_to_scalar(&bytes, &tag_mixnet_challenge())));
    }
}

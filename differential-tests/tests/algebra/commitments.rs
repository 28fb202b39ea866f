//! Commitments and openings: the implementation's point is the specification's exponent times g1,
//! byte for byte.

use aardvark_algebra::Scalar;
use aardvark_commitment::{BatchClaim, Commitment, Opening, VectorCommitment, challenge};
use aardvark_spec::base::group::{G1, g1_add};
use aardvark_spec::base::scalar::Scalar as SpecScalar;
use aardvark_spec::commitment::challenge::{ChallengeClaim, batch_coefficient, batch_seed};
use aardvark_spec::commitment::opening;
use aardvark_spec::commitment::scheme::{
    commit, open, open_all, update_commitment, update_opening, verify_batch, verify_point,
};
use aardvark_spec::commitment::transcript::verify_drawn_batch;
use aardvark_spec::convert::{byte_vec, to_seq, to_vec};
use differential_tests::convert::{
    bytes_to_spec, element_to_spec, exponent_from_spec, scalar_from_spec, scalar_to_spec,
};
use differential_tests::points::Points;
use differential_tests::setting::Setting;
use hacspec_lib::Seq;
use quickcheck::quickcheck;

use super::arbitrary::{AnyScalar, AnySetting, AnyVector};

/// One vector on both sides.
pub(super) struct Both {
    pub(super) setting: Setting,
    pub(super) vector: Vec<Scalar>,
    specified: Seq<SpecScalar>,
    element: G1,
    commitment: Commitment,
}

impl Both {
    pub(super) fn new(setting: AnySetting, vector: &AnyVector) -> Self {
        let setting = setting.0;
        let vector = vector.0[..setting.parameters.vector_size as usize].to_vec();
        let specified = to_seq(vector.iter().map(scalar_to_spec).collect());
        let element = commit(&setting.setup, &specified);
        let commitment = setting.scheme.commit(&vector).unwrap();
        Self { setting, vector, specified, element, commitment }
    }

    fn index(&self, number: usize) -> usize {
        number % self.vector.len()
    }

    fn opened(&self, index: usize) -> (G1, Opening) {
        (open(&self.setting.setup, &self.specified, index), self.setting.scheme.open(&self.vector, index).unwrap())
    }
}

pub(super) fn bytes_of(element: &G1) -> [u8; 48] {
    Points::default().opening(exponent_from_spec(*element))
}

/// Claims about one vector: index, error in the scalar, error in the opening.
pub(super) type Errors = Vec<(usize, bool, bool)>;

/// The same claims on both sides; with an error the scalar, or the opening, is larger by 1.
pub(super) fn claims(both: &Both, errors: &Errors) -> (Vec<BatchClaim>, Vec<opening::BatchClaim>) {
    let make = |(number, in_scalar, in_opening): &(usize, bool, bool)| {
        let index = both.index(*number);
        let exponent = exponent_from_spec(both.opened(index).0) + Scalar::from(u64::from(*in_opening));
        let scalar = both.vector[index] + Scalar::from(u64::from(*in_scalar));
        let opening = Opening::from_bytes(&Points::default().opening(exponent)).unwrap();
        let implemented = BatchClaim { label: 3, commitment: both.commitment, index, scalar, opening };
        let specified = opening::BatchClaim {
            batch_commitment: both.element,
            batch_index: index,
            batch_scalar: scalar_to_spec(&scalar),
            batch_opening: element_to_spec(&exponent),
        };
        (implemented, specified)
    };
    errors.iter().take(5).map(make).unzip()
}

fn challenge_claim(claim: &BatchClaim) -> ChallengeClaim {
    ChallengeClaim {
        challenge_version: claim.label as usize,
        challenge_commitment: bytes_to_spec(&claim.commitment.to_bytes()),
        challenge_index: claim.index,
        challenge_scalar: bytes_to_spec(&claim.scalar.to_bytes_be()),
        challenge_opening: bytes_to_spec(&claim.opening.to_bytes()),
    }
}

quickcheck! {
    fn commitments_are_the_same(setting: AnySetting, vector: AnyVector) -> bool {
        let both = Both::new(setting, &vector);
        both.commitment.to_bytes() == bytes_of(&both.element)
    }

    fn shorter_vectors_are_filled_up_with_zeros(setting: AnySetting, vector: AnyVector, length: usize) -> bool {
        let both = Both::new(setting, &vector);
        let length = length % (both.vector.len() + 1);
        let element = commit(&both.setting.setup, &to_seq(to_vec(&both.specified)[..length].to_vec()));
        let commitment = both.setting.scheme.commit(&both.vector[..length]).unwrap();
        commitment.to_bytes() == bytes_of(&element)
    }

    fn openings_are_the_same_one_by_one_and_all_together(setting: AnySetting, vector: AnyVector) -> bool {
        let both = Both::new(setting, &vector);
        let all = both.setting.scheme.open_all(&both.vector).unwrap();
        let specified = to_vec(&open_all(&both.setting.setup, &both.specified));
        (0..both.vector.len()).all(|index| {
            let (element, opening) = both.opened(index);
            element == specified[index] && opening.to_bytes() == bytes_of(&element) && all[index] == opening
        })
    }

    fn an_opening_is_judged_the_same_true_or_false(
        setting: AnySetting, vector: AnyVector, number: usize, claimed: AnyScalar, error: AnyScalar, honest: bool
    ) -> bool {
        let both = Both::new(setting, &vector);
        let index = both.index(number);
        let scalar = if honest { both.vector[index] } else { claimed.0 };
        let element = g1_add(both.opened(index).0, element_to_spec(&error.0));
        let opening = Opening::from_bytes(&bytes_of(&element)).unwrap();
        let specified = verify_point(&both.setting.setup, both.element, index, scalar_to_spec(&scalar), element);
        both.setting.scheme.verify(&both.commitment, index, &scalar, &opening) == specified
    }

    fn an_index_beyond_the_vector_is_false_on_both_sides(setting: AnySetting, vector: AnyVector, beyond: u8) -> bool {
        let both = Both::new(setting, &vector);
        let index = both.vector.len() + usize::from(beyond);
        let (element, opening) = both.opened(0);
        let scalar = both.vector[0];
        !verify_point(&both.setting.setup, both.element, index, scalar_to_spec(&scalar), element)
            && !both.setting.scheme.verify(&both.commitment, index, &scalar, &opening)
    }

    fn updates_of_commitments_are_the_same(
        setting: AnySetting, vector: AnyVector, changes: Vec<(usize, AnyScalar)>
    ) -> bool {
        let both = Both::new(setting, &vector);
        let changes: Vec<(usize, Scalar)> =
            changes.iter().take(5).map(|(number, delta)| (both.index(*number), delta.0)).collect();
        let element = changes.iter().fold(both.element, |element, (index, delta)| {
            update_commitment(&both.setting.setup, element, *index, scalar_to_spec(delta))
        });
        let updated = both.setting.scheme.update_commitment_many(&both.commitment, &changes).unwrap();
        let mut vector = both.vector.clone();
        changes.iter().for_each(|(index, delta)| vector[*index] += delta);
        updated.to_bytes() == bytes_of(&element) && updated == both.setting.scheme.commit(&vector).unwrap()
    }

    fn updates_of_openings_are_the_same(
        setting: AnySetting, vector: AnyVector, opened: usize, changed: usize, delta: AnyScalar
    ) -> bool {
        let both = Both::new(setting, &vector);
        let (opened, changed) = (both.index(opened), both.index(changed));
        let (element, opening) = both.opened(opened);
        let specified = update_opening(&both.setting.setup, element, opened, changed, scalar_to_spec(&delta.0));
        let updated = both.setting.scheme.update_opening(&opening, opened, changed, &delta.0).unwrap();
        let mut vector = both.vector.clone();
        vector[changed] += delta.0;
        updated.to_bytes() == bytes_of(&specified) && updated == both.setting.scheme.open(&vector, opened).unwrap()
    }

    fn batches_have_the_same_coefficients(setting: AnySetting, vector: AnyVector, errors: Errors, id: u8) -> bool {
        let both = Both::new(setting, &vector);
        let (claims, _) = claims(&both, &errors);
        let seed = batch_seed(&bytes_to_spec(&[id; 32]), &to_seq(claims.iter().map(challenge_claim).collect()));
        let implemented = challenge::coefficients(&[id; 32], &claims);
        byte_vec(&seed) == challenge::seed(&[id; 32], &claims)
            && implemented.iter().enumerate().all(|(j, rho)| {
                scalar_from_spec(&batch_coefficient(&seed, j)) == aardvark_algebra::scalar_from_u128(*rho)
            })
    }

    fn the_batch_equation_under_the_same_coefficients_has_the_same_answer(
        setting: AnySetting, vector: AnyVector, errors: Errors
    ) -> bool {
        let both = Both::new(setting, &vector);
        let (claims, specified) = claims(&both, &errors);
        let coefficients = challenge::coefficients(&[9; 32], &claims);
        let numbers = coefficients.iter().map(|rho| scalar_to_spec(&aardvark_algebra::scalar_from_u128(*rho)));
        let equation = verify_batch(&both.setting.setup, &to_seq(specified.clone()), &to_seq(numbers.collect()));
        let bound = to_seq(claims.iter().map(challenge_claim).collect());
        let drawn =
            verify_drawn_batch(&both.setting.setup, &bytes_to_spec(&[9; 32]), &bound, &to_seq(specified.clone()));
        let single = |claim: &opening::BatchClaim| {
            let opening::BatchClaim { batch_commitment, batch_index, batch_scalar, batch_opening } = claim;
            verify_point(&both.setting.setup, *batch_commitment, *batch_index, *batch_scalar, *batch_opening)
        };
        let scheme = &both.setting.scheme;
        let false_ones: Vec<usize> = (0..specified.len()).filter(|index| !single(&specified[*index])).collect();
        scheme.verify_batch(&[9; 32], &claims) == equation
            && drawn == equation
            && equation == false_ones.is_empty()
            && scheme.find_false(&[9; 32], &claims) == false_ones
            && scheme.first_false(&[9; 32], &claims) == false_ones.first().copied()
    }
}

//! Aggregation: the same distinct claims, both challenges byte for byte, the same points, the same
//! verdicts.

use aardvark_commitment::aggregation::transcript;
use aardvark_commitment::{Aggregate, Aggregation, Opening, UnopenedClaim};
use aardvark_spec::base::group::{g1_add, g1_generator, g1_identity};
use aardvark_spec::base::scalar::Scalar as SpecScalar;
use aardvark_spec::commitment::aggregation::{
    self, EncodedPoint, aggregate_claims_seed, aggregate_points_seed, distinct_claims,
};
use aardvark_spec::commitment::challenge::batch_coefficient;
use aardvark_spec::commitment::opening::{AggregatedOpening, BatchClaim, aggregated_opening};
use aardvark_spec::commitment::scheme::verify_aggregated;
use aardvark_spec::commitment::transcript::{AggregateTranscript, verify_drawn_aggregation};
use aardvark_spec::convert::{byte_vec, to_seq, to_vec};
use differential_tests::convert::{bytes_to_spec, scalar_from_spec};
use quickcheck::quickcheck;

use super::arbitrary::{AnySetting, AnyVector};
use super::commitments::{Both, Errors, bytes_of, claims};

const VERSION: u64 = 12;

/// The context of a block's challenges: the dictionary's id, and the version that the block makes.
fn context(id: u8) -> Vec<u8> {
    [[id; 32].as_slice(), &VERSION.to_be_bytes()].concat()
}

/// What the specification computes from claims with openings.
struct Specified {
    bound: Vec<aggregation::UnopenedClaim>,
    claims_seed: Vec<u8>,
    coefficients: Vec<SpecScalar>,
    points: Vec<AggregatedOpening>,
    distinct: Vec<BatchClaim>,
}

fn unopened_to_spec(claim: &UnopenedClaim) -> aggregation::UnopenedClaim {
    aggregation::UnopenedClaim {
        unopened_version: claim.label as usize,
        unopened_position: claim.position as usize,
        unopened_commitment: bytes_to_spec(&claim.commitment.to_bytes()),
        unopened_scalar: bytes_to_spec(&aardvark_algebra::scalar_to_bytes(&claim.scalar)),
    }
}

fn specified(id: u8, claims: &[UnopenedClaim], batch: &[BatchClaim]) -> Specified {
    let all: Vec<_> = claims.iter().map(unopened_to_spec).collect();
    let distinct = distinct_claims(&to_seq(all.clone()));
    let seed = aggregate_claims_seed(&bytes_to_spec(&[id; 32]), VERSION as usize, &distinct);
    let coefficients: Vec<SpecScalar> = (0..distinct.len()).map(|j| batch_coefficient(&seed, j)).collect();
    let bound = to_vec(&distinct);
    let places = bound.clone().into_iter().map(|claim| all.iter().position(|other| *other == claim).unwrap());
    let distinct: Vec<BatchClaim> = places.map(|place| batch[place].clone()).collect();
    let mut indices: Vec<usize> = distinct.iter().map(|claim| claim.batch_index).collect();
    indices.sort_unstable();
    indices.dedup();
    let sum = |i| aggregated_opening(&to_seq(distinct.clone()), &to_seq(coefficients.clone()), i);
    let points =
        indices.iter().map(|i| AggregatedOpening { aggregated_index: *i, aggregated_point: sum(*i) }).collect();
    Specified { bound, claims_seed: byte_vec(&seed), coefficients, points, distinct }
}

impl Specified {
    fn combiners(&self, points: &[AggregatedOpening]) -> (Vec<u8>, Vec<SpecScalar>) {
        let seed = aggregate_points_seed(&bytes_to_spec(&self.claims_seed), &to_seq(encoded(points)));
        let combiners = (0..points.len()).map(|k| batch_coefficient(&seed, k)).collect();
        (byte_vec(&seed), combiners)
    }
}

fn encoded(points: &[AggregatedOpening]) -> Vec<EncodedPoint> {
    let encoded = points.iter().map(|point| EncodedPoint {
        encoded_index: point.aggregated_index,
        encoded_point: bytes_to_spec(&bytes_of(&point.aggregated_point)),
    });
    encoded.collect()
}

fn to_aggregate(points: &[AggregatedOpening]) -> Aggregate {
    let point = |point: &AggregatedOpening| {
        (point.aggregated_index, Opening::from_bytes(&bytes_of(&point.aggregated_point)).unwrap())
    };
    Aggregate { points: points.iter().map(point).collect() }
}

/// Claims with some repeated, and their openings, on both sides.
fn scene(both: &Both, errors: &Errors) -> (Vec<(UnopenedClaim, Opening)>, Vec<BatchClaim>) {
    let (implemented, specified) = claims(both, errors);
    let size = u64::from(both.setting.parameters.vector_size);
    let unopened = implemented.iter().zip([0, 5, 0, 2, 0]).map(|(claim, vector)| {
        let position = vector * size + claim.index as u64;
        let (label, commitment, scalar) = (claim.label, claim.commitment, claim.scalar);
        (UnopenedClaim { label, position, commitment, scalar }, claim.opening)
    });
    let mut list: Vec<_> = unopened.zip(specified).collect();
    list.extend(list.first().cloned());
    list.into_iter().unzip()
}

quickcheck! {
    fn both_challenges_and_all_points_are_the_same(setting: AnySetting, vector: AnyVector, errors: Errors, id: u8) -> bool {
        let both = Both::new(setting, &vector);
        let (opened, batch) = scene(&both, &errors);
        let unopened: Vec<UnopenedClaim> = opened.iter().map(|(claim, _)| *claim).collect();
        let specified = specified(id, &unopened, &batch);
        let aggregate = both.setting.scheme.aggregate(&context(id), &opened);
        let (points_seed, combiners) = specified.combiners(&specified.points);
        let size = both.setting.parameters.vector_size as usize;
        let transcript = transcript(size, &context(id), &unopened, &aggregate).unwrap();
        let same = |numbers: &[u128], scalars: &[SpecScalar]| {
            let numbers = numbers.iter().map(|number| aardvark_algebra::scalar_from_u128(*number));
            numbers.eq(scalars.iter().map(scalar_from_spec))
        };
        aggregate == to_aggregate(&specified.points)
            && transcript.places.len() == specified.distinct.len()
            && transcript.claims_seed.to_vec() == specified.claims_seed
            && same(&transcript.coefficients, &specified.coefficients)
            && transcript.points_seed.to_vec() == points_seed
            && same(&transcript.combiners, &combiners)
    }

    fn verdicts_are_the_same_whatever_is_done_to_the_points(
        setting: AnySetting, vector: AnyVector, errors: Errors, change: u8, place: usize, index: usize
    ) -> bool {
        let both = Both::new(setting, &vector);
        let (opened, batch) = scene(&both, &errors);
        let unopened: Vec<UnopenedClaim> = opened.iter().map(|(claim, _)| *claim).collect();
        let specified = specified(7, &unopened, &batch);
        let mut points = specified.points.clone();
        let place = place % points.len().max(1);
        let index = index % (both.vector.len() + 2);
        match (change % 6, points.get_mut(place)) {
            (0, Some(point)) => point.aggregated_point = g1_add(point.aggregated_point, g1_generator()),
            (1, Some(point)) => point.aggregated_index = index,
            (2, Some(_)) => drop(points.remove(place)),
            (3, _) => {
                points.push(AggregatedOpening { aggregated_index: index, aggregated_point: g1_identity() });
                points.sort_by_key(|point| point.aggregated_index);
            }
            (4, Some(_)) => points.swap(0, place),
            _ => {}
        }
        let (_, combiners) = specified.combiners(&points);
        let expected = verify_aggregated(
            &both.setting.setup,
            &to_seq(specified.distinct.clone()),
            &to_seq(specified.coefficients.clone()),
            &to_seq(points.clone()),
            &to_seq(combiners),
        );
        let transcript = AggregateTranscript {
            transcript_dictionary: bytes_to_spec(&[7; 32]),
            transcript_version: VERSION as usize,
            transcript_claims: to_seq(specified.bound.clone()),
            transcript_points: to_seq(encoded(&points)),
        };
        let batch = to_seq(specified.distinct.clone());
        let drawn = verify_drawn_aggregation(&both.setting.setup, &transcript, &batch, &to_seq(points.clone()));
        let scheme = &both.setting.scheme;
        drawn == expected && scheme.verify_aggregated(&context(7), &unopened, &to_aggregate(&points)) == expected
    }
}

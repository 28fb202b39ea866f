//! Verdicts under the challenges that are drawn for them: what a verifier calls.
//!
//! [`crate::commitment::scheme`] has the equations under any coefficients. Here these come from the
//! transcript: of a batch, from all its claims with their openings; of an aggregation, the first
//! from all claims and the version, the second from the first and all points. The encodings of
//! points are a matter of the curve, so the bytes of claims and points are inputs beside the group
//! elements. Source: docs/format.md, "The batch challenge", "The aggregation challenges".

use crate::base::bytes::*;
use crate::base::scalar::*;
use crate::commitment::aggregation::*;
use crate::commitment::challenge::*;
use crate::commitment::opening::*;
use crate::commitment::scheme::*;
use hacspec_lib::*;

/// One step of [`drawn_coefficients`].
pub fn drawn_coefficients_step(drawn: Seq<Scalar>, seed: &ByteString, j: usize) -> Seq<Scalar> {
    drawn.push_owned(batch_coefficient(seed, j))
}

/// The first coefficients of a seed.
pub fn drawn_coefficients(seed: &ByteString, count: usize) -> Seq<Scalar> {
    let mut drawn = Seq::<Scalar>::new(0);
    for j in 0..count {
        drawn = drawn_coefficients_step(drawn, seed, j);
    }
    drawn
}

/// Whether a batch holds under the coefficients that its claims, as bytes, determine.
pub fn verify_drawn_batch(
    setup: &Setup,
    dictionary: &ByteString,
    bound_claims: &Seq<ChallengeClaim>,
    batch: &Seq<BatchClaim>,
) -> bool {
    verify_batch(setup, batch, &drawn_coefficients(&batch_seed(dictionary, bound_claims), batch.len()))
}

/// What an aggregation's challenges are drawn from.
#[derive(Clone, Debug, Default)]
pub struct AggregateTranscript {
    /// The dictionary's id, 32 bytes.
    pub transcript_dictionary: ByteString,
    /// The version that the block makes.
    pub transcript_version: usize,
    /// All distinct claims, in their order.
    pub transcript_claims: Seq<UnopenedClaim>,
    /// The points, in ascending order of indices.
    pub transcript_points: Seq<EncodedPoint>,
}

/// The first seed, before any point is fixed.
pub fn transcript_claims_seed(transcript: &AggregateTranscript) -> ByteString {
    aggregate_claims_seed(
        &transcript.transcript_dictionary,
        transcript.transcript_version,
        &transcript.transcript_claims,
    )
}

/// The second seed.
pub fn transcript_points_seed(transcript: &AggregateTranscript) -> ByteString {
    aggregate_points_seed(&transcript_claims_seed(transcript), &transcript.transcript_points)
}

/// The values of the first challenge, one a claim.
pub fn transcript_coefficients(transcript: &AggregateTranscript) -> Seq<Scalar> {
    drawn_coefficients(&transcript_claims_seed(transcript), transcript.transcript_claims.len())
}

/// The values of the second challenge, one a point.
pub fn transcript_combiners(transcript: &AggregateTranscript) -> Seq<Scalar> {
    drawn_coefficients(&transcript_points_seed(transcript), transcript.transcript_points.len())
}

/// Whether points hold for claims under the challenges that both, as bytes, determine.
pub fn verify_drawn_aggregation(
    setup: &Setup,
    transcript: &AggregateTranscript,
    batch: &Seq<BatchClaim>,
    points: &Seq<AggregatedOpening>,
) -> bool {
    verify_aggregated(setup, batch, &transcript_coefficients(transcript), points, &transcript_combiners(transcript))
}

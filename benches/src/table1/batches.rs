//! Batches of claims about distinct vectors.

use aardvark_algebra::{DecodeError, Scalar};
use aardvark_commitment::{
    Aggregate, Aggregation, BatchClaim, Commitment, Kzg, Opening, UnopenedClaim, VectorCommitment,
};
use c_kzg::{Blob, Bytes48};
use rayon::prelude::*;

use crate::error::{BenchError, require};
use crate::measure::contest::{Contender, Effort, hold};
use crate::measure::row::Row;
use crate::table1::fixture::Fixture;
use crate::table1::options::TABLE;
use crate::table1::single::point_proof;
use crate::workload::random::scalar;

/// The dictionary that claims are about.
const DICTIONARY: [u8; 32] = [0xaa; 32];

/// Lengths of batches, up to the largest asked for.
const LENGTHS: [usize; 5] = [1, 10, 100, 1000, 10_000];

/// Blobs in a batch of blobs.
const BLOBS: usize = 16;

/// Verify batches; the time is that of one claim. `verify_batch` has decoded openings,
/// `verify_batch_decode` reads them from 48 bytes by the format's rule first, `verify_aggregated`
/// reads the block's aggregated points, whose share of bytes is `aggregated_opening`.
pub fn verify_batch(fixture: &Fixture, largest: usize, effort: &Effort) -> Result<Vec<Row>, BenchError> {
    let kzg = sparse_claims(&fixture.kzg, largest)?;
    let libert_yung = sparse_claims(&fixture.libert_yung, largest)?;
    let sample = kzg.iter().take(3).all(|c| fixture.kzg.verify(&c.commitment, c.index, &c.scalar, &c.opening));
    require(sample, || "a claim made by updates is false".to_owned())?;
    let proof = point_proof(fixture, 0);
    let holds = |_: usize, verified: &bool| *verified;
    let mut rows = Vec::new();
    for length in LENGTHS.into_iter().filter(|length| *length <= largest) {
        let claims = part(&kzg, length);
        let bytes: Vec<[u8; 48]> = claims.iter().map(|claim| claim.opening.to_bytes()).collect();
        let aggregated = Aggregated::of(&fixture.kzg, claims);
        let contenders = vec![
            Contender::new(("c-kzg", "verify"), fixture.size as u64, |_| fixture.peers.c_kzg_verify(&proof), holds),
            batch(("kzg", "verify_batch"), length, || Ok(fixture.kzg.verify_batch(&DICTIONARY, claims))),
            batch(("kzg", "verify_batch_decode"), length, || {
                Ok(fixture.kzg.verify_batch(&DICTIONARY, &decoded(claims, &bytes)?))
            }),
            batch(("kzg", "verify_aggregated"), length, || aggregated.verify(&fixture.kzg)),
            batch(("libert-yung", "verify_batch"), length, || {
                Ok(fixture.libert_yung.verify_batch(&DICTIONARY, part(&libert_yung, length)))
            }),
        ];
        let effort = Effort { iterations: effort.iterations.max(effort.runs * length), ..*effort };
        let measured = hold(TABLE, contenders, Some(("c-kzg", "verify")), &effort)?;
        rows.extend(with_aggregation_compared(measured).into_iter().filter(|row| row.scheme != "c-kzg"));
        rows.push(aggregated.bytes_row());
        aggregated.refuse_a_false_claim(&fixture.kzg)?;
    }
    refuse_a_false_claim(fixture, &kzg)?;
    rows.extend(verify_blobs(fixture, effort)?);
    Ok(rows)
}

fn batch<'a>(
    name: (&'static str, &'static str),
    length: usize,
    mut verify: impl FnMut() -> Result<bool, BenchError> + 'a,
) -> Contender<'a> {
    Contender::new(name, length as u64, move |_| verify(), |_, verified| *verified).per_call(length)
}

fn part<T>(items: &[T], length: usize) -> &[T] {
    items.get(..length).unwrap_or(items)
}

/// A verifier that says yes to everything is quick: one false claim at the end must turn every
/// batch.
fn refuse_a_false_claim(fixture: &Fixture, claims: &[BatchClaim]) -> Result<(), BenchError> {
    let mut forged = claims.to_vec();
    if let Some(last) = forged.last_mut() {
        last.scalar += Scalar::from(1);
    }
    let refused = !fixture.kzg.verify_batch(&DICTIONARY, &forged);
    require(refused, || "a batch with a false claim was accepted".to_owned())
}

/// Aggregated verification has the batch with decoding for its baseline.
fn with_aggregation_compared(mut rows: Vec<Row>) -> Vec<Row> {
    let cpu = |rows: &[Row], operation| {
        rows.iter().find(|row| (row.scheme, row.operation) == ("kzg", operation)).and_then(|row| row.cpu_median)
    };
    let ratio = cpu(&rows, "verify_aggregated").zip(cpu(&rows, "verify_batch_decode")).map(|(ours, base)| ours / base);
    for row in rows.iter_mut().filter(|row| row.operation == "verify_aggregated") {
        row.baseline = Some("kzg verify_batch_decode".to_owned());
        row.ratio = ratio;
    }
    rows
}

/// Version of the block that the claims are in.
const BLOCK: u64 = 10;

/// What a dictionary binds the challenges of a block to.
fn block_context() -> Vec<u8> {
    [DICTIONARY.as_slice(), &BLOCK.to_be_bytes()].concat()
}

/// Claims of one block, with the points that stand for their openings, as they travel.
struct Aggregated {
    vector_size: usize,
    claims: Vec<UnopenedClaim>,
    points: Vec<[u8; 48]>,
}

impl Aggregated {
    /// Each claim is about a vector of its own.
    fn of(scheme: &Kzg, claims: &[BatchClaim]) -> Self {
        let vector_size = scheme.vector_size();
        let opened: Vec<(UnopenedClaim, Opening)> = claims
            .iter()
            .zip(0..)
            .map(|(claim, vector)| {
                let position = vector * vector_size as u64 + claim.index as u64;
                let BatchClaim { label, commitment, scalar, opening, .. } = *claim;
                (UnopenedClaim { label, position, commitment, scalar }, opening)
            })
            .collect();
        let aggregate = scheme.aggregate(&block_context(), &opened);
        let points = aggregate.points.iter().map(|(_, point)| point.to_bytes()).collect();
        Self { vector_size, claims: opened.into_iter().map(|(claim, _)| claim).collect(), points }
    }

    /// Reads the points and verifies.
    fn verify(&self, scheme: &Kzg) -> Result<bool, BenchError> {
        let read = |point: Result<_, DecodeError>| point.map_err(|error| BenchError::Wrong(error.to_string()));
        let points: Vec<Opening> =
            Opening::from_bytes_each(&self.points).into_iter().map(read).collect::<Result<_, _>>()?;
        let aggregate = Aggregate::of_points(self.vector_size, &self.claims, &points);
        Ok(aggregate.is_some_and(|aggregate| scheme.verify_aggregated(&block_context(), &self.claims, &aggregate)))
    }

    /// Bytes of points for each claim.
    fn bytes_row(&self) -> Row {
        let (bytes, claims) = ((48 * self.points.len()) as f64, self.claims.len() as u64);
        Row::counted(TABLE, "kzg", "aggregated_opening", "bytes", bytes / claims as f64).size(claims)
    }

    fn refuse_a_false_claim(mut self, scheme: &Kzg) -> Result<(), BenchError> {
        if let Some(last) = self.claims.last_mut() {
            last.scalar += Scalar::from(1);
        }
        let refused = !self.verify(scheme)?;
        require(refused, || "an aggregate for a false claim was accepted".to_owned())
    }
}

/// The claims with their openings read from bytes.
fn decoded(claims: &[BatchClaim], bytes: &[[u8; 48]]) -> Result<Vec<BatchClaim>, BenchError> {
    let read = |(claim, opening): (&BatchClaim, Result<_, DecodeError>)| {
        let opening = opening.map_err(|error| BenchError::Wrong(error.to_string()))?;
        Ok(BatchClaim { opening, ..*claim })
    };
    claims.iter().zip(Opening::from_bytes_each(bytes)).map(read).collect()
}

/// Claims about so many different vectors, each zero but at the claimed index and at another:
/// commitment and opening follow from the empty vector's by updates.
fn sparse_claims<V>(scheme: &V, count: usize) -> Result<Vec<BatchClaim>, BenchError>
where
    V: VectorCommitment,
{
    let size = scheme.vector_size();
    let make = |number: usize| {
        let (index, other) = (number * 389 % size, (number * 389 + 1 + number % (size - 1)) % size);
        let (here, there) = (scalar(2 * number as u64), scalar(2 * number as u64 + 1));
        let commitment = scheme.update_commitment_many(&Commitment::identity(), &[(index, here), (other, there)])?;
        let opening = scheme.update_opening(&Opening::identity(), index, index, &here)?;
        let opening = scheme.update_opening(&opening, index, other, &there)?;
        Ok(BatchClaim { label: number as u64 % 10, commitment, index, scalar: here, opening })
    };
    (0..count).into_par_iter().map(make).collect()
}

/// Batches of whole blobs by the KZG libraries: each blob's polynomial is evaluated too.
fn verify_blobs(fixture: &Fixture, effort: &Effort) -> Result<Vec<Row>, BenchError> {
    let commitment = fixture.commitments.kzg_blob.to_bytes();
    let proof = fixture.peers.c_kzg_blob_proof(&fixture.blob, commitment)?;
    let blobs: Vec<Blob> = (0..BLOBS).map(|_| Blob::new(*fixture.blob)).collect();
    let (commitments, proofs) = (vec![Bytes48::new(commitment); BLOBS], vec![Bytes48::new(proof); BLOBS]);
    let references = (vec![&*fixture.blob; BLOBS], vec![&commitment; BLOBS], vec![&proof; BLOBS]);
    let contenders = vec![
        batch(("c-kzg", "verify_blob_batch"), BLOBS, || {
            fixture.peers.c_kzg_verify_blobs(&blobs, &commitments, &proofs)
        }),
        batch(("rust_eth_kzg", "verify_blob_batch"), BLOBS, || {
            Ok(fixture.peers.rust_eth_kzg_verify_blobs(&references.0, &references.1, &references.2))
        }),
    ];
    hold(TABLE, contenders, None, effort)
}
